#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The numbers on the pictures, read back by decoding: while recording, after kill -9, after finalising, after a range seek.

  bar_codes.py --daybook PATH --media PATH-OF-daybook-media

Three parts of two sizes go into one recording, and the gateway is killed in the middle of the second. Every picture of
MediaTesting carries its number as a bar code; they must come back consecutive, each once, none missing that was
acknowledged.
"""
import os
import struct
import subprocess

import film
from centre import Centre, arguments, hold, run
from daybook import until

PARTS = ["browser-320x180", "browser-640x360", "browser-320x180"]


def numbers(options, folder, data):
    """(milliseconds, number) of every picture of WebM bytes."""
    path = os.path.join(folder, "look.webm")
    with open(path, "wb") as file:
        file.write(data)
    done = subprocess.run([options.media, "numbers", path], capture_output=True, text=True)
    hold(done.returncode == 0, f"decoding failed: {done.stderr}")
    pictures = [line.split(" ") for line in done.stdout.splitlines()]
    hold(pictures and all(words[-1] != "-" for words in pictures), "a picture's number cannot be read")
    return [(int(words[0]), int(words[-1])) for words in pictures]


def consecutive(found, wanted, name):
    """What was read back is the beginning of what was sent, picture by picture."""
    hold([number for _, number in found] == wanted[: len(found)],
         f"{name}: the numbers differ from those sent at {first_difference(found, wanted)}")
    times = [time for time, _ in found]
    hold(times == sorted(times), f"{name}: times go back")


def first_difference(found, wanted):
    pairs = zip([number for _, number in found], wanted)
    return next((place for place, (a, b) in enumerate(pairs) if a != b), len(wanted))


def media(auditor, stream, query="", **options):
    answer = auditor.get(f"/v1/streams/{stream}/media{query}", **options)
    hold(answer.status in (200, 206), f"reading the recording: {answer.status} {answer.body[:200]}")
    return answer.body


def settings(part):
    width, height = map(int, PARTS[part].split("-")[1].split("x"))
    return dict(film.SETTINGS, width=width, height=height, quality="medium" if width == 640 else "low",
                kilobitsPerSecond=500)


def break_off(caller, stream, data, part, centre):
    """Sends about half of a part, waits for an acknowledgement, then kills the gateway; what was acknowledged."""
    socket = caller.socket(f"/v1/streams/{stream}/ingest")
    socket.send_json(dict(settings(part), type="settings"))
    socket.wait_for(lambda frame: frame["type"] == "resume")
    half = len(data) // 2
    for offset in range(0, half, 8196):
        socket.send_bytes(struct.pack(">IQ", part, offset) + data[offset: min(half, offset + 8196)])
    told = socket.wait_for(lambda frame: film.told(frame)["type"] == "archived" and frame["part"] == part)
    centre.gateway.kill()
    return told["through"]


def send_part(caller, stream, part, data):
    """Sends a part, or what is left of it; where the gateway wanted to go on."""
    socket = caller.socket(f"/v1/streams/{stream}/ingest")
    socket.send_json(dict(settings(part), type="settings"))
    resume = socket.wait_for(lambda frame: frame["type"] == "resume")
    offset = resume["offset"] if resume["part"] == part else 0
    film.send(socket, data, part, offset)
    socket.close()
    return offset


def finalized(auditor, stream):
    """Waits until duration and cues are written, which follows the stop."""
    until(lambda: auditor.get(f"/v1/streams/{stream}").json["state"] == "finalized", "the stream is finalized")


def main(options, folder):
    sent = [film.recorded(name) for name in PARTS]
    shown = [[number for _, number in numbers(options, folder, data)] for data in sent]
    centre = Centre(options.daybook, folder).open()
    desk, auditor = centre.staff("amina"), centre.staff("arne", "auditor")
    caller = centre.caller(desk)
    _, session = centre.chat(caller)
    stream = film.begin(caller, session)

    send_part(caller, stream, 0, sent[0])
    growing = numbers(options, folder, media(auditor, stream))
    consecutive(growing, shown[0], "growing")
    hold(len(growing) == len(shown[0]), f"growing: {len(growing)} of {len(shown[0])} acknowledged pictures")

    through = break_off(caller, stream, sent[1], 1, centre)
    centre.start()
    killed = numbers(options, folder, media(auditor, stream))
    consecutive(killed, shown[0] + shown[1], "after kill -9")
    hold(len(killed) > len(shown[0]), "after kill -9: nothing of the second part is there")
    resumed = send_part(caller, stream, 1, sent[1])
    hold(resumed >= through, f"the gateway went back to {resumed}, it had acknowledged {through}")

    send_part(caller, stream, 2, sent[2])
    hold(caller.post(f"/v1/streams/{stream}/stop", {}).ok, "the stop was refused")
    finalized(auditor, stream)
    whole, wanted = numbers(options, folder, media(auditor, stream)), shown[0] + shown[1] + shown[2]
    consecutive(whole, wanted, "finalised")
    hold(len(whole) == len(wanted), f"finalised: {len(whole)} of {len(wanted)} pictures")

    middle = whole[len(shown[0]) + len(shown[1]) // 2][0]
    sought = numbers(options, folder, media(auditor, stream, f"?from={middle}&to={middle + 3000}"))
    place = next(place for place, (_, number) in enumerate(whole[len(shown[0]):], len(shown[0]))
                 if number == sought[0][1])
    consecutive(sought, wanted[place:], "after a seek")
    hold(len(sought) >= 50, f"after a seek: only {len(sought)} pictures of three seconds")
    centre.stop()
    centre.verify("--decode")
    print(f"growing {len(growing)}, after kill -9 {len(killed)}, finalised {len(whole)}, after a seek {len(sought)} "
          "pictures: consecutive, none missing that was acknowledged")


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--media", required=True, help="the executable daybook-media")
    run(main, parser.parse_args())
