#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A crowd at the door: silent connections, plain and with TLS, from one address and from many; slow heads, bodies and readers; strangers
on /chat. Meanwhile an operator writes: the time to the receipt stays what it is without the crowd, memory and descriptors stay bounded,
the log gains nothing but the operator's messages. Ends with SIGTERM while everybody hangs on: within ten seconds.

  crowd.py --daybook PATH [--silent 400] [--tls] [--seconds 14]

The operator is a process of its own; the same is measured before the crowd and after it. With --tls half of the silent ones shake hands.
"""
import signal
import socket
import ssl
import struct
import time

import film
from centre import Centre, arguments, hold, run, timely
from daybook import DEADLINE, until
from talker import Process, Talker, between, compared, described, numbers, undisturbed

# What a connection may take, 4,096 times, and what answers and video take besides.
MEMORY_MEBIBYTES = 64 * 4096 // 1024 + 64
CHAT_HEAD = ("GET /chat HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
             "Sec-WebSocket-Version: 13\r\n\r\n").encode()
SLOW_HEAD = b"GET /v1/me HTTP/1.1\r\nHost: a\r\nX-Slow: "
SLOW_BODY = b"POST /v1/auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 200000\r\n\r\n{"
HANGING_HEAD = b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\nGET /healthz HTTP/1.1\r\nX-Slow: "
UNREAD = b"GET /web/ui/dvr-player.js HTTP/1.1\r\nHost: a\r\n\r\n" * 16
MUCH_AT_ONCE = b"GET /web/core/api.js HTTP/1.1\r\nHost: a\r\n\r\n" * 200


class Crowd:
    """Connections that do nothing good, by what they do."""

    def __init__(self, centre):
        self.centre, self.open, self.turned_away = centre, {}, {}
        self.context = None
        if centre.tls:
            self.context = ssl.create_default_context(cafile=centre.tls_files[0])
            self.context.check_hostname = False

    def connect(self, kind, address, shakes_hands):
        connection = socket.socket()
        connection.settimeout(5)
        if kind == "slow readers":
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        try:
            connection.bind((address, 0))
            connection.connect(("127.0.0.1", self.centre.port))
            if self.context and shakes_hands:
                connection = self.context.wrap_socket(connection)
        except OSError:
            connection.close()
            self.turned_away[kind] = self.turned_away.get(kind, 0) + 1
            return None
        self.open.setdefault(kind, []).append(connection)
        return connection

    def come(self, kind, count, addresses, text=b"", shakes_hands=True):
        for number in range(count):
            connection = self.connect(kind, addresses[number % len(addresses)], shakes_hands)
            try:
                if connection and text:
                    connection.sendall(text)
            except OSError:
                pass  # it was turned away, which is seen later

    def strangers_on_chat(self, count, addresses):
        """Frames of 64 KiB without a token, unfinished, so that they are kept."""
        for number in range(count):
            connection = self.connect("strangers on /chat", addresses[number % len(addresses)], True)
            if not connection:
                continue
            try:
                connection.sendall(CHAT_HEAD)
                connection.recv(4096)
                # Announces 4 MiB and sends what the peer takes of it without a wait.
                connection.setblocking(False)
                connection.send(struct.pack("!BBQ", 1, 0x80 | 127, 4 << 20) + bytes(4) + b"a" * (1 << 20))
            except OSError:
                pass

    def count(self):
        return sum(len(all_of_kind) for all_of_kind in self.open.values())

    def still_there(self):
        """How many of each kind the gateway has not closed."""
        return {kind: sum(is_open(connection) for connection in connections) for kind, connections in self.open.items()}

    def leave(self):
        for connections in self.open.values():
            for connection in connections:
                connection.close()
        self.open = {}


def is_open(connection):
    connection.setblocking(False)
    try:
        while connection.recv(1 << 16):
            pass
        return False
    except (BlockingIOError, ssl.SSLWantReadError):
        return True
    except OSError:
        return False


def gather(crowd, silent, has_tls):
    one, many = ["127.0.0.1"], [f"127.{1 + number // 250}.9.{1 + number % 250}" for number in range(512)]
    each = silent // 4 if has_tls else silent // 2
    crowd.come("silent from one address", each, one, shakes_hands=False)
    crowd.come("silent from many", each, many, shakes_hands=False)
    if has_tls:
        crowd.come("silent behind the handshake from one address", each, one)
        crowd.come("silent behind the handshake from many", each, many)
    crowd.come("slow heads", 30, many, SLOW_HEAD)
    crowd.come("slow bodies", 30, many, SLOW_BODY)
    crowd.come("heads behind requests", 30, many, HANGING_HEAD)
    crowd.come("slow readers", 30, many, UNREAD)
    crowd.come("200 requests at once", 30, many, MUCH_AT_ONCE)
    crowd.strangers_on_chat(60, many)


def main(options, folder):
    centre = Centre(options.daybook, folder, with_tls=options.tls).open()
    desk = centre.staff("desk")
    caller = centre.caller(desk)
    _, session = centre.chat(caller)
    hold(desk.post(f"/v1/sessions/{session}/claim").ok, "the claim")
    gateway, events = Process(centre.gateway.process.pid), len(centre.export())
    crowd, talker = Crowd(centre), Talker(desk, session)

    marks = [time.monotonic()]

    def phase(body, *arguments):
        before = gateway.seconds()
        body(*arguments)
        marks.append(time.monotonic())
        return [now - then for now, then in zip(gateway.seconds(), before)]

    def watch(seconds, most):
        began = time.monotonic()
        while time.monotonic() - began < seconds:
            time.sleep(0.5)
            most.append((gateway.resident(), gateway.descriptors()))

    seen = [(gateway.resident(), gateway.descriptors())]
    spent = [phase(time.sleep, options.seconds)]
    before = (gateway.resident(), gateway.descriptors())
    closed_before = numbers(centre.admin, "daybook_connections_closed_total")
    filming, _ = film.connect(caller, film.begin(caller, session))
    spent.append(phase(gather, crowd, options.silent, options.tls))
    came, at_once = crowd.count(), crowd.still_there()
    began = time.monotonic()
    film.send(filming, film.recorded())
    print(f"video that begins while they stand: {len(film.recorded()) >> 10} KiB archived in {1_000 * (time.monotonic() - began):.0f} ms")
    spent.append(phase(watch, options.seconds, seen))
    left, nobody = crowd.still_there(), ["silent", "slow heads", "heads behind", "200 requests"]
    until(lambda: not any(count and any(kind.startswith(name) for name in nobody) for kind, count in crowd.still_there().items()), f"none is there of {nobody}", pause=1)
    closed = {labels: count - closed_before.get(labels, 0) for labels, count in numbers(centre.admin, "daybook_connections_closed_total").items()}
    reasons = ", ".join(f"{count:.0f} for {labels[8:-1]}" for labels, count in closed.items() if count)
    open_now = numbers(centre.admin, "daybook_connections_open").get("")
    crowd.leave()
    spent.append(phase(time.sleep, options.seconds))
    after = (gateway.resident(), gateway.descriptors())
    times, failed = talker.finish()

    hold(failed is None, f"the operator was not served: {failed}")
    names = ["quiet before", "while they came", "while they stood", "quiet after"]
    spans = [between(times, begin, end) for begin, end in zip(marks, marks[1:])]
    for name, span, (had, waited), seconds in zip(names, spans, spent, (end - begin for begin, end in zip(marks, marks[1:]))):
        print(f"{name}, {seconds:.1f} s: {described(span)}; the gateway had {had / seconds:.2f} processors and waited {waited / seconds:.2f} for one")
    quiet, crowded = sorted(spans[0] + spans[3]), sorted(spans[1] + spans[2])
    print(f"an operator's message, {compared(quiet, crowded)[0]}")
    for kind, count in left.items():
        print(f"{kind}: {at_once[kind]} were let in, {count} are there after {options.seconds} s")
    for kind, count in crowd.turned_away.items():
        print(f"{kind}: {count} were turned away before they were connected, or at the handshake")
    print(f"{came} of {came + sum(crowd.turned_away.values())} came; the door closed {reasons}; open at the end, with the operator's: {open_now}")
    most = tuple(max(column) for column in zip(*seen))
    print(f"memory {before[0]} MiB before, at most {most[0]}, {after[0]} after; descriptors {before[1]}, at most {most[1]}, {after[1]}")
    hold(most[0] - before[0] < MEMORY_MEBIBYTES, f"memory grew by {most[0] - before[0]} MiB")
    hold(after[1] < before[1] + 64, f"{after[1]} descriptors are open after the crowd has gone, {before[1]} were before")
    undisturbed(quiet, crowded)
    kinds = [entry["type"] for entry in centre.entries()[events:]]
    others = {kind for kind in kinds if not kind.startswith(("chat.message", "access.", "stream.", "session.consent", "session.activity"))}
    print(f"events: {events} before, {len(kinds)} more, of which {len(times)} messages of the operator {sum(kind.startswith('stream.') for kind in kinds)} of the video and {sum(kind.startswith('access.') for kind in kinds)} of refused strangers")
    hold(not others, f"the log gained {others}")
    end(centre, crowd)
    crash(centre)
    centre.verify()


def end(centre, crowd):
    """Ends the gateway while everybody hangs on."""
    many = [f"127.1.9.{1 + number}" for number in range(20)]
    crowd.come("silent", 40, ["127.0.0.1"], shakes_hands=False)
    crowd.come("slow bodies", 20, many, SLOW_BODY)
    began = time.monotonic()
    centre.gateway.process.send_signal(signal.SIGTERM)
    code = centre.gateway.process.wait(DEADLINE)
    seconds = time.monotonic() - began
    print(f"SIGTERM beside slow bodies: ended with {code} after {seconds:.1f} s")
    hold(code == 0, f"ended with {code}")
    timely(seconds < 10, f"ended after {seconds:.1f} s")
    crowd.leave()


def crash(centre):
    """A process that crashes gives its port free at once."""
    for number in (signal.SIGILL, signal.SIGABRT, signal.SIGSEGV):
        centre.start()
        began = time.monotonic()
        centre.gateway.process.send_signal(number)
        centre.gateway.process.wait(DEADLINE)
        seconds = time.monotonic() - began
        timely(seconds < 2, f"{number.name} held the port for {seconds:.1f} s")
        print(f"{number.name}: the port is free after {seconds * 1_000:.0f} ms")
    centre.start()
    centre.stop()


parser = arguments(__doc__)
parser.add_argument("--silent", type=int, default=400, help="silent connections (default: 400)")
parser.add_argument("--seconds", type=int, default=14, help="how long to look on (default: 14)")
parser.add_argument("--tls", action="store_true", help="with TLS")
run_options = parser.parse_args()
run(main, run_options)
