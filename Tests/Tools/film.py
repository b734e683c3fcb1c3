# SPDX-License-Identifier: Apache-2.0
"""Sends recorded video as a caller's phone does."""

import json
import os
import struct
import time

from centre import Failed, hold

MEDIA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "fixtures", "media")
SETTINGS = {"width": 320, "height": 180, "framesPerSecond": 30, "kilobitsPerSecond": 400, "quality": "low",
            "camera": "back", "codec": "vp9"}


def begin(caller, session):
    """Gives consent and starts a stream; its id. A caller whom nobody asked, and whose session nobody has taken, writes first."""
    consent = {"scope": "video", "decision": "granted", "textVersion": "2026-01"}
    answer = caller.post(f"/v1/sessions/{session}/consents", consent)
    hold(answer.ok, f"consent: {answer}")
    made = start(caller, session)
    if made.status == 409 and made.json["type"].endswith(":video-not-asked"):
        wrote = caller.post(f"/v1/sessions/{session}/messages", {"text": "I can show you"})
        hold(wrote.ok, f"writing before the video: {wrote}")
        made = start(caller, session)
    hold(made.status == 201, f"starting a stream: {made}")
    return made.json["id"]


def start(caller, session):
    """Asks to start a stream; the answer."""
    return caller.post(f"/v1/sessions/{session}/streams", dict(SETTINGS, transport="websocket"))


def connect(caller, stream):
    """An ingest socket, and where the gateway wants the sender to go on."""
    socket = caller.socket(f"/v1/streams/{stream}/ingest")
    socket.send_json(dict(SETTINGS, type="settings"))
    return socket, socket.wait_for(lambda frame: frame["type"] == "resume")


def send(socket, data, part=0, offset=0, piece=8196):
    """Sends a part's bytes in pieces and waits until the gateway has archived them all."""
    while offset < len(data):
        end = min(len(data), offset + piece)
        socket.send_bytes(struct.pack(">IQ", part, offset) + data[offset:end])
        offset = end
    socket.send_json({"type": "end", "part": part})
    return socket.wait_for(lambda frame: told(frame)["type"] == "archived" and frame["part"] == part
                           and frame["through"] == len(data), timeout=60)


def send_slowly(socket, data, seconds):
    """Sends a part's bytes over some seconds, as a camera makes them, and waits until they are archived."""
    piece = max(1, len(data) // (seconds * 4))
    for offset in range(0, len(data), piece):
        socket.send_bytes(struct.pack(">IQ", 0, offset) + data[offset:offset + piece])
        time.sleep(0.25)
    return send(socket, data, offset=len(data))


def told(frame):
    """A frame, unless it is a problem."""
    if "status" in frame and "title" in frame:
        raise Failed(f"the ingest socket answered {json.dumps(frame)}")
    return frame


def recorded(name="browser-320x180"):
    with open(os.path.join(MEDIA, name + ".webm"), "rb") as file:
        return file.read()


def heavy(clusters, size):
    """A recording of one key frame again and again, a second apart, each made heavy by bytes that follow it."""
    data = recorded()
    first = data.index(b"\x1f\x43\xb6\x75")
    at = data.index(b"\xa3", first) + 1
    length = 8 - data[at].bit_length() + 1
    count = int.from_bytes(data[at:at + length], "big") & ~(1 << 7 * length)
    block = data[at + length:at + length + count]
    # The same track, no time behind the cluster's, a key frame.
    block = block[:1] + b"\0\0\x80" + block[4:] + b"\x55" * size
    block = b"\xa3" + struct.pack(">I", 0x10000000 | len(block)) + block
    found = [data[:first]]
    for second in range(clusters):
        body = b"\xe7\x84" + struct.pack(">I", second * 1_000) + block
        found.append(b"\x1f\x43\xb6\x75" + struct.pack(">I", 0x10000000 | len(body)) + body)
    return b"".join(found)


def film(caller, session):
    """A whole stream, from the start to the stop; its id."""
    stream = begin(caller, session)
    socket, _ = connect(caller, stream)
    send(socket, recorded())
    socket.close()
    stopped = caller.post(f"/v1/streams/{stream}/stop", {})
    hold(stopped.ok, f"stopping the stream: {stopped}")
    return stream
