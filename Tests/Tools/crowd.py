#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A crowd at the door: silent connections, plain and with TLS, from one address and from many; slow heads, bodies and readers; strangers
on /chat. Meanwhile an operator writes: the time to the receipt stays short, memory and descriptors stay bounded, the log gains nothing
but the operator's messages. Ends with SIGTERM while everybody hangs on: within ten seconds.

  crowd.py --daybook PATH [--silent 400] [--tls] [--seconds 12]
"""
import os
import signal
import socket
import struct
import threading
import time

from centre import Centre, arguments, hold, run

P99_MILLISECONDS = 50


class Crowd:
    """Connections that do nothing good."""

    def __init__(self, centre):
        self.centre, self.open, self.closed = centre, [], 0

    def connect(self, address):
        connection = socket.socket()
        connection.settimeout(5)
        try:
            connection.bind((address, 0))
            connection.connect(("127.0.0.1", self.centre.port))
        except OSError:
            connection.close()
            return None
        self.open.append(connection)
        return connection

    def silent(self, count, addresses):
        for number in range(count):
            self.connect(addresses[number % len(addresses)])

    def sending(self, count, addresses, text):
        for number in range(count):
            connection = self.connect(addresses[number % len(addresses)])
            try:
                connection and connection.sendall(text)
            except OSError:
                pass

    def strangers_on_chat(self, count):
        """Frames of 64 KiB without a token, unfinished, so that they are kept."""
        head = "GET /chat HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        for number in range(count):
            connection = self.connect("127.0.0.1")
            if not connection:
                continue
            try:
                connection.sendall(head.encode())
                connection.recv(4096)
                # Announces 4 MiB and sends what the peer takes of it without a wait.
                connection.setblocking(False)
                connection.send(struct.pack("!BBQ", 1, 0x80 | 127, 4 << 20) + bytes(4) + b"a" * (1 << 20))
            except OSError:
                pass

    def alive(self):
        """How many the gateway has not closed."""
        left = 0
        for connection in self.open:
            connection.setblocking(False)
            try:
                while connection.recv(1 << 16):
                    pass
            except BlockingIOError:
                left += 1
            except OSError:
                pass
        return left

    def leave(self):
        for connection in self.open:
            connection.close()
        self.open = []


class Operator(threading.Thread):
    """Writes all the time, and notes how long each receipt takes."""

    def __init__(self, client, session):
        super().__init__(daemon=True)
        self.client, self.session, self.times, self.failed, self.done = client, session, [], None, threading.Event()

    def run(self):
        number = 0
        while not self.done.wait(0.02):
            number += 1
            began = time.monotonic()
            answer = self.client.post(f"/v1/sessions/{self.session}/messages", {"text": f"all is well {number}"})
            self.times.append(time.monotonic() - began)
            if not answer.ok:
                self.failed = answer
                return

    def p99(self):
        return sorted(self.times)[int(len(self.times) * 0.99)] * 1_000


def facts(pid):
    with open(f"/proc/{pid}/status") as file:
        resident = next(int(line.split()[1]) // 1024 for line in file if line.startswith("VmRSS"))
    return resident, len(os.listdir(f"/proc/{pid}/fd"))


def main(options, folder):
    centre = Centre(options.daybook, folder, with_tls=options.tls).open()
    desk = centre.staff("desk")
    caller = centre.caller(desk)
    _, session = centre.chat(caller)
    hold(desk.post(f"/v1/sessions/{session}/claim").ok, "the claim")
    pid = centre.gateway.process.pid
    operator = Operator(desk, session)
    operator.start()
    time.sleep(2)  # the quiet time that the rest is compared with
    quiet, before, memory = operator.p99(), len(centre.export()), facts(pid)
    operator.times.clear()

    crowd = Crowd(centre)
    one, many = ["127.0.0.1"], [f"127.{1 + number // 250}.9.{1 + number % 250}" for number in range(512)]
    crowd.silent(options.silent // 2, one)
    crowd.silent(options.silent // 2, many)
    if not options.tls:
        crowd.sending(30, many, b"GET /v1/me HTTP/1.1\r\nHost: a\r\nX-Slow: ")
        crowd.sending(30, many, b"POST /v1/auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 200000\r\n\r\n{")
        crowd.sending(30, many, b"GET /web/core/api.js HTTP/1.1\r\nHost: a\r\n\r\n" * 200)
        crowd.strangers_on_chat(60)
    began, most = time.monotonic(), (0, 0)
    while time.monotonic() - began < options.seconds:
        time.sleep(0.5)
        most = tuple(max(pair) for pair in zip(most, facts(pid)))
    left, latency = crowd.alive(), operator.p99()
    hold(operator.failed is None, f"the operator was not served: {operator.failed}")
    operator.done.set()
    operator.join()
    print(f"operator: {len(operator.times)} messages, p99 {latency:.1f} ms (before: {quiet:.1f} ms)")
    print(f"gateway: {memory[0]} MiB and {memory[1]} descriptors before, at most {most[0]} MiB and {most[1]} with {len(crowd.open)} who came; {left} of them are still there")
    hold(most[0] - memory[0] < 200, f"memory grew by {most[0] - memory[0]} MiB")
    hold(latency < max(P99_MILLISECONDS, 4 * quiet) if options.is_loaded else latency < P99_MILLISECONDS, f"p99 {latency:.1f} ms")
    hold(options.tls or left <= 90 + 60, f"{left} silent and slow connections are still open")
    kinds = [entry["type"] for entry in centre.entries()[before:]]
    others = {kind for kind in kinds if not kind.startswith(("chat.message", "access."))}
    hold(not others, f"the log gained {others}")

    crowd.silent(40, one)
    crowd.sending(20, many, b"POST /v1/auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 200000\r\n\r\n{")
    began = time.monotonic()
    centre.gateway.process.send_signal(signal.SIGTERM)
    code = centre.gateway.process.wait(30)
    seconds = time.monotonic() - began
    print(f"SIGTERM beside slow bodies: ended with {code} after {seconds:.1f} s")
    hold(code == 0 and seconds < 10, f"ended with {code} after {seconds:.1f} s")
    crowd.leave()
    crash(centre)
    centre.verify()


def crash(centre):
    """A process that crashes gives its port free at once."""
    for number in (signal.SIGILL, signal.SIGABRT, signal.SIGSEGV):
        centre.start()
        began = time.monotonic()
        centre.gateway.process.send_signal(number)
        centre.gateway.process.wait(30)
        seconds = time.monotonic() - began
        hold(seconds < 2, f"{number.name} held the port for {seconds:.1f} s")
        print(f"{number.name}: the port is free after {seconds * 1_000:.0f} ms")
    centre.start()
    centre.stop()


parser = arguments(__doc__)
parser.add_argument("--silent", type=int, default=400, help="silent connections (default: 400)")
parser.add_argument("--seconds", type=int, default=14, help="how long to look on (default: 14)")
parser.add_argument("--tls", action="store_true", help="with TLS")
parser.add_argument("--is-loaded", action="store_true", help="others use this machine: four times the quiet p99 is let pass")
run_options = parser.parse_args()
run(main, run_options)
