#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A caller begins pictures and never finishes them, over many parts and streams, and asks for pictures and transcripts without
reading them: the gateway's memory stays bounded.

Meanwhile another caller films, and what they send is archived within five seconds; an operator writes, and 99 of 100 messages are recorded
within the time that talker.py allows.
"""

import os
import re
import socket
import struct
import threading
import time
import zlib

import centre
import film
import talker
from centre import Centre, Failed, hold, timely
from daybook import DEADLINE


def main(options, folder):
    desk = Centre(options.daybook, folder).open()
    operator = desk.staff("amina", role="supervisor")
    other = Filming(desk, operator)
    caller = desk.caller(operator)
    _, session = desk.chat(caller)
    hold(operator.post(f"/v1/sessions/{session}/claim").ok, "the claim")
    gateway, writer, quiet_begins = talker.Process(desk.gateway.process.pid), talker.Talker(operator, session), time.monotonic()
    time.sleep(options.quiet)
    flood_begins, descriptors, events = time.monotonic(), gateway.descriptors(), len(desk.export())
    before, sent, refused = memory(desk), 0, 0
    most = before
    while sent < options.mebibytes << 20 and refused < 64:
        try:
            stream = film.begin(caller, session)
        except Failed:
            break  # a session has only so many streams
        more, problem = flood(caller, stream, options.mebibytes << 20)
        sent, refused = sent + more, refused + (problem is not None)
        most = max(most, memory(desk))
    asked, answered, grown = unread(desk, operator, caller, session)
    most = max(most, before + grown)
    flood_ends, most_descriptors = time.monotonic(), gateway.descriptors()
    delays = other.end()
    times, failed = writer.finish()
    hold(failed is None, f"the operator was not served: {failed}")
    quiet, crowded = talker.between(times, quiet_begins, flood_begins), talker.between(times, flood_begins, flood_ends)
    more = len(desk.export()) - events
    print(f"an operator's message, {talker.compared(quiet, crowded)[0]}; {gateway.descriptors()} descriptors, {descriptors} before, {most_descriptors} meanwhile; {more} events more, {len(crowded)} of them messages, the others of the video that another sends")
    print(f"{sent >> 20} MiB of unfinished pictures were sent, {refused} connections refused; resident memory {before >> 20} MiB before, at most {most >> 20} MiB")
    print(f"meanwhile another caller filmed: {len(delays)} times archived, the slowest {1000 * max(delays):.0f} ms after the last byte")
    print(f"{asked} answers of 7 MiB were asked for and not read, {answered} begun; resident memory grew by {grown >> 20} MiB")
    hold(refused > 0, "nobody was refused")
    hold(0 < answered < asked, "whoever reads nothing had as many answers as it liked")
    hold(most - before < options.most << 20, f"memory grew by {(most - before) >> 20} MiB")
    timely(max(delays) < 5, f"another's video waited {max(delays):.1f} s")
    talker.undisturbed(quiet, crowded)
    desk.stop()
    desk.verify("--decode")


def memory(desk):
    with open(f"/proc/{desk.gateway.process.pid}/status") as file:
        return int(re.search(r"VmRSS:\s+(\d+)", file.read())[1]) << 10


def flood(caller, stream, limit):
    """Parts of which each announces a picture of 7 MiB and stops a MiB short; how much was sent, and what the gateway said."""
    head = film.recorded()
    head = head[:head.index(b"\x1f\x43\xb6\x75")]
    torn = head + b"\x1f\x43\xb6\x75\x01" + b"\xff" * 7 + b"\xe7\x81\x00\xa3\x10\x70\x00\x00\x81\x00\x00\x80" + b"U" * (6 << 20)
    socket, _ = film.connect(caller, stream)
    sent, piece = 0, 1 << 20
    try:
        for part in range(limit // len(torn) + 1):
            for offset in range(0, len(torn), piece):
                socket.send_bytes(struct.pack(">IQ", part, offset) + torn[offset:offset + piece])
                sent += piece
        frame = socket.receive_json()
    except OSError:
        frame = {"type": "closed"}
    socket.drop()
    return sent, frame


def unread(desk, operator, caller, session, count=100):
    """Answers asked for and not read: of a transcript and a picture of some 7 MiB each; how many, how many of them began, and the memory."""
    picture = caller.request("POST", f"/v1/sessions/{session}/pictures", png(7 << 20), headers={"Content-Type": "image/png"})
    hold(picture.status == 201, f"a picture: {picture}")
    for number in range(900):
        said = operator.post(f"/v1/sessions/{session}/messages", {"text": "x" * 8000})
        hold(said.ok, f"a message: {said}")
        time.sleep(0.015)  # one person may ask a hundred times a second, and the talker is the same
    before, sockets = memory(desk), []
    for number in range(count):
        path = "transcript" if number % 2 else f"pictures/{picture.json['message']}"
        line = socket.socket()
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.connect(("127.0.0.1", desk.port))
        line.sendall(f"GET /v1/sessions/{session}/{path} HTTP/1.1\r\nHost: 127.0.0.1:{desk.port}\r\nAuthorization: Bearer {caller.token}\r\n\r\n".encode())
        sockets.append(line)
    answered = sum(line.recv(12).endswith(b"200") for line in sockets)
    grown = memory(desk) - before
    for line in sockets:
        line.close()
    return count, answered, grown


def png(size):
    """A picture of noise, as large as wanted."""
    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 100, 100, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", os.urandom(size)) + chunk(b"IEND", b"")


class Filming:
    """A caller whose video goes on beside it all."""

    def __init__(self, desk, operator):
        caller = desk.caller(operator)
        _, session = desk.chat(caller)
        self.caller, self.stream = caller, film.begin(caller, session)
        self.socket, _ = film.connect(caller, self.stream)
        self.delays, self.ends, self.fault = [], threading.Event(), None
        self.thread = threading.Thread(target=self._film, daemon=True)
        self.thread.start()

    def _film(self):
        part = 0
        try:
            while not self.ends.is_set() or part == 0:
                recorded = film.recorded()
                self.socket.send_bytes(struct.pack(">IQ", part, 0) + recorded)
                begun = time.monotonic()
                film.send(self.socket, recorded, part=part, offset=len(recorded))
                self.delays.append(time.monotonic() - begun)
                part += 1
                self.ends.wait(8)  # half a minute of video each: it may be ten minutes ahead of life, and no more
        except (OSError, Failed) as fault:
            self.fault = fault

    def end(self):
        self.ends.set()
        self.thread.join(DEADLINE)
        hold(self.fault is None, f"another's video broke: {self.fault}")
        self.socket.close()
        return self.delays


if __name__ == "__main__":
    parser = centre.arguments(__doc__)
    parser.add_argument("--mebibytes", type=int, default=150, help="of unfinished pictures")
    parser.add_argument("--quiet", type=float, default=4, help="seconds without it, to compare with")
    parser.add_argument("--most", type=int, default=200, help="MiB by which memory may grow")
    centre.run(main, parser.parse_args())
