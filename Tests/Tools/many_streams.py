#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Many callers film at once, at the speed of life: how busy the gateway is, how much memory it takes, and which chunks are late.

A chunk is whole when its last byte is sent, and late when `archived` comes more than a second afterwards. Its pictures
are to be decoded and looked at within `--within` seconds, while every stream is live: the log itself tells. Every
stream is recorded video of a browser, 640 × 360 with 25 pictures a second, or what `--recorded` names; some are watched live.
"""

import datetime
import json
import os
import re
import struct
import threading
import time

import centre
import film
from browser_speed import percentiles
from centre import Centre, hold, timely
from daybook import DEADLINE, until

LATE = 1.0


def main(options, folder):
    desk = Centre(options.daybook, folder).open()
    operator = desk.staff("amina", role="supervisor")
    recorded = film.recorded(options.recorded)
    with open(os.path.join(film.MEDIA, options.recorded + ".pieces.json")) as file:
        pieces = json.load(file)
    phones = [Phone(desk, operator, recorded, pieces) for _ in range(options.streams)]
    viewers = [Viewer(operator, phone.stream) for phone in phones[:options.viewers]]
    end = time.monotonic() + options.seconds
    usage = Usage(desk.gateway.process.pid)
    for number, phone in enumerate(phones):
        # Cameras are not switched on in step.
        phone.begin(end, number / len(phones))
    while any(phone.is_sending for phone in phones):
        usage.look()
        time.sleep(0.5)
    print(usage.report())
    # Nobody has stopped: what is looked at now is looked at live.
    looked_at(desk, phones, options)
    for one in phones + viewers:
        one.end()
    report(desk, phones, viewers, options)
    desk.verify("--decode")


def report(desk, phones, viewers, options):
    delays = [delay for phone in phones for delay in phone.delays]
    hold(not any(phone.faults for phone in phones), f"a stream broke: {[phone.faults for phone in phones if phone.faults]}")
    late = sum(delay > LATE for delay in delays)
    print(f"{options.streams} streams of {options.recorded} for {options.seconds} s: {len(delays)} chunks, {late} late; whole to archived "
          + percentiles([delay * 1000 for delay in delays]))
    print(f"{len(viewers)} viewers were sent {sum(viewer.received for viewer in viewers) / 1e6:.0f} MB, "
          f"of which the streams they watched had {sum(phone.sent for phone in phones[:len(viewers)]) / 1e6:.0f} MB")
    timely(late <= len(delays) // 100, f"{late} of {len(delays)} chunks are late")


def looked_at(desk, phones, options):
    """Waits until all chunks were looked at while every stream is live: nobody's stream waits for another's end."""
    begun, looked = time.monotonic(), -1
    chunks = sum(len(phone.delays) for phone in phones)

    def counts():
        entries = desk.entries()
        return (entries, sum(entry["type"] == "stream.chunk_archived/1" for entry in entries),
                [entry["data"] for entry in entries if entry["type"] == "stream.chunks_inspected/1"])

    def more():
        entries, archived, found = counts()
        count = sum(one["lastChunk"] - one["firstChunk"] + 1 for one in found)
        return (entries, archived, found, count) if count > looked or count >= archived else None

    archived = 1
    while looked < archived:
        # However long all of them take, some are looked at within the deadline.
        entries, archived, found, looked = until(more, f"more than {looked} chunks are looked at", pause=1)
    frames, broken = (sum(one[name] for one in found) for name in ("frames", "undecodable"))
    print(f"{archived} chunks are in the log; {frames} pictures were decoded and looked at, {broken} could not be; that took {time.monotonic() - begun:.0f} s longer than filming")
    hold(broken == 0, f"{broken} pictures could not be decoded")
    hold(archived >= chunks, "every chunk that was told archived is in the log")
    while_live(entries, phones, options)


def while_live(entries, phones, options):
    """How long after its arrival each chunk was looked at, by the times of the log."""
    archived, looked, ended = {}, {}, set()
    for entry in entries:
        subject, data, time = entry["subject"], entry["data"], moment(entry["time"])
        if entry["type"] == "stream.chunk_archived/1":
            archived[subject, data["number"]] = time
        elif entry["type"] == "stream.chunks_inspected/1":
            for number in range(data["firstChunk"], data["lastChunk"] + 1):
                looked[subject, number] = time
        elif entry["type"] == "stream.stopped/1":
            ended.add(subject)
    hold(not ended, f"{len(ended)} streams had stopped already")
    waits = {chunk: looked[chunk] - time for chunk, time in archived.items() if chunk in looked}
    seen = {subject for subject, _ in waits}
    hold(len(seen) == len(phones), f"{len(seen)} of {len(phones)} streams were looked at while all were live")
    late = sum(wait > options.within for wait in waits.values())
    print(f"{len(seen)} of {len(phones)} streams were looked at while all were live: {len(waits)} chunks, {late} later than {options.within} s; archived to looked at "
          + percentiles([wait * 1000 for wait in waits.values()]))
    timely(late <= len(waits) // 100, f"{late} of {len(waits)} chunks were looked at later than {options.within} s after they came")


def moment(text):
    """The seconds of a recorded time."""
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


class Phone:
    """A caller who films: one thread sends pieces when the camera would have made them, one hears what is archived."""

    def __init__(self, desk, operator, recorded, pieces):
        self.recorded, self.pieces = recorded, pieces
        caller = desk.caller(operator)
        _, session = desk.chat(caller)
        self.caller, self.stream = caller, film.begin(caller, session)
        self.socket, _ = film.connect(caller, self.stream)
        #: What was sent and is not archived: part, where it ends there, when.
        self.waiting, self.delays, self.faults, self.sent = [], [], [], 0
        self.is_sending, self.lock = True, threading.Lock()

    def begin(self, end_at, delay):
        self.end_at, self.delay = end_at, delay
        self.threads = [threading.Thread(target=target, daemon=True) for target in (self._send, self._hear)]
        for thread in self.threads:
            thread.start()

    def _send(self):
        try:
            time.sleep(self.delay)
            part = 0
            while time.monotonic() < self.end_at:
                self._send_part(part)
                part += 1
        except OSError as error:
            self.faults.append(error)
        self.is_sending = False

    def _send_part(self, part):
        begun, offset = time.monotonic(), 0
        for length, at in zip(self.pieces["lengths"], self.pieces["milliseconds"]):
            self._pause(max(0, begun + at / 1000 - time.monotonic()))
            data = self.recorded[offset:offset + length]
            offset += length
            with self.lock:
                self.waiting.append((part, offset, time.monotonic()))
            self.socket.send_bytes(struct.pack(">IQ", part, offset - length) + data)
            self.sent += length
        self.socket.send_json({"type": "end", "part": part})

    def _pause(self, seconds):
        """Until the camera has the next piece."""
        time.sleep(seconds)

    def _hear(self):
        try:
            while self.is_sending or self.waiting:
                frame = self.socket.receive_json()
                now = time.monotonic()
                if frame is None:
                    raise centre.Failed(f"the gateway closed: {self.socket.closed} {self.socket.reason}")
                if film.told(frame)["type"] == "refused":
                    raise centre.Failed(str(frame))
                if frame["type"] != "archived":
                    continue
                self._archived((frame["part"], frame["through"]), now)
        except (OSError, centre.Failed) as error:
            self.faults.append(error)

    def _archived(self, through, now):
        with self.lock:
            # The piece with the chunk's last byte made it whole.
            whole = next((at for *end, at in self.waiting if tuple(end) >= through), None)
            if whole is not None:
                self.delays.append(now - whole)
            self.waiting = [one for one in self.waiting if one[:2] > through]

    def end(self):
        for thread in self.threads:
            thread.join(DEADLINE)
        if self.waiting:
            self.faults.append(f"{len(self.waiting)} pieces were never told archived")
        self.socket.close()
        stopped = self.caller.post(f"/v1/streams/{self.stream}/stop", {})
        hold(stopped.ok, f"stopping the stream: {stopped}")


class Viewer:
    """Somebody of the centre who watches live."""

    def __init__(self, operator, stream):
        self.socket, self.received = operator.socket(f"/v1/streams/{stream}/watch"), 0
        self.thread = threading.Thread(target=self._watch, daemon=True)
        self.thread.start()

    def _watch(self):
        try:
            while (message := self.socket.receive()) is not None:
                self.received += len(message) if isinstance(message, bytes) else 0
        except OSError:
            pass  # it ends with the stream

    def end(self):
        self.socket.drop()


class Usage:
    """What a process and its children take: processor by their own clocks, memory that is theirs alone."""

    def __init__(self, pid):
        self.pid, self.begun, self.most, self.children = pid, time.monotonic(), 0, {}
        self.first = self._own()

    def _ticks(self, pid, fields):
        with open(f"/proc/{pid}/stat") as file:
            values = file.read().rsplit(") ", 1)[1].split()
        return sum(int(values[field]) for field in fields) / os.sysconf("SC_CLK_TCK")

    def _own(self):
        return self._ticks(self.pid, (11, 12)), self._ticks(self.pid, (13, 14))

    def look(self):
        with open(f"/proc/{self.pid}/status") as file:
            self.most = max(self.most, int(re.search(r"RssAnon:\s+(\d+)", file.read())[1]))
        for task in os.listdir(f"/proc/{self.pid}/task"):
            try:
                with open(f"/proc/{self.pid}/task/{task}/children") as file:
                    for child in file.read().split():
                        self.children[child] = self._ticks(child, (11, 12))
            except OSError:
                continue  # it has ended

    def report(self):
        seconds = time.monotonic() - self.begun
        own, _ = self._own()
        alive = sum(value for child, value in self.children.items() if os.path.exists(f"/proc/{child}"))
        ended = self._own()[1] - self.first[1]
        share = lambda value: f"{100 * value / seconds:.0f} % of a core"
        return (f"the gateway: {share(own - self.first[0])}, at most {self.most / 1024:.0f} MB; the decoders it starts: {share(alive + ended)}; "
                f"this program, the phones: {share(time.process_time())}; {os.cpu_count()} cores")


if __name__ == "__main__":
    parser = centre.arguments(__doc__)
    parser.add_argument("--streams", type=int, default=20)
    parser.add_argument("--viewers", type=int, default=4, help="how many of the streams are watched live")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--within", type=float, default=2, help="seconds from a chunk's arrival until its pictures have been looked at")
    parser.add_argument("--recorded", default="browser-640x360", help="the recorded video, of fixtures/media")
    centre.run(main, parser.parse_args())
