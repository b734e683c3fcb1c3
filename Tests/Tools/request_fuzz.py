#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random requests, made from Documentation/openapi.yaml: right ones, and ones that are wrong somewhere. None ends the gateway, none is
answered by 500, nine of ten are answered, a twentieth of them as asked (2xx), and afterwards the ledger verifies. Several processes, requests in batches on one connection, an address of the
loopback for each batch so that the limit of one address is nobody's excuse.

  request_fuzz.py --daybook PATH [--requests 20000] [--processes 2] [--seed N|random]
"""
import collections
import concurrent.futures
import json
import os
import random
import re
import socket
import time

from centre import Centre, arguments, chosen, hold, run, seed
from daybook import DEADLINE
from described import EDGES, Description

# One fewer than the gateway takes on one connection before the first is answered: the last asks for nothing but the end.
BATCH = 15
STATUS = re.compile(rb"HTTP/1\.1 (\d\d\d) ")
# Ends a token's life, or asks for the work of seconds: each has tests of its own.
LEFT_OUT = {"POST /v1/auth/logout", "POST /v1/auth/login", "POST /v1/auth/password", "POST /v1/read-models/{name}/rebuild"}
# Asked for once where others are twenty times: what makes a hash of a password, or sends the whole log.
SELDOM = {"POST /v1/users", "POST /v1/devices/codes", "POST /v1/devices", "POST /v1/sessions/{id}/links", "POST /v1/links/use", "GET /v1/events"}
TEXTS = ["", "a", "-1", "..", "%00", "%ff", "%2e%2e%2f", "'", '"', "{}", "[]", "null", "true", "\u2028", "🚒", "a" * 300, "a" * 9_000, "2026-11-21T13:11:00Z",
         "9999-12-31T23:59:59.999999Z", "0001-01-01T00:00:00Z", "session/1", "bytes=0-", "+447700900001", "1e5", "0x10"]
HEADERS = ["Range", "If-Match", "If-None-Match", "If-Range", "Daybook-After", "Daybook-Occurred-At", "Daybook-Approver", "Daybook-As", "Last-Event-ID", "Idempotency-Key", "Accept",
           "Accept-Encoding", "Origin", "Cookie", "X-Request-ID", "Content-Type", "Upgrade", "Expect", "Forwarded", "X-Forwarded-For", "TE"]


class Maker:
    """Makes requests by chance."""

    def __init__(self, seed, tokens, names):
        self.dice, self.tokens, self.names = random.Random(seed), tokens, names
        self.description = Description()
        self.operations = [one for one in self.description.operations() if not one.is_socket and str(one) not in LEFT_OUT]
        self.ids = [value for value in names.values()]

    def odd(self):
        return self.dice.choice(EDGES[:-1]) if self.dice.random() < 0.5 else self.dice.choice(TEXTS)

    def value(self, parameter):
        chance = self.dice.random()
        if chance < 0.5:
            return self.odd()
        if chance < 0.7:
            return self.dice.choice(self.ids)
        return str(self.description.sample(parameter.get("schema", {}), self.dice))

    def spoilt(self, value):
        """A body with something in it that does not belong there."""
        if isinstance(value, dict) and value and self.dice.random() < 0.8:
            name = self.dice.choice(list(value))
            return {**value, name: self.spoilt(value[name])}
        return self.dice.choice([None, [], {}, True, -1, 2**63, 2**64, 1.5, 1e308, self.odd(), "\x00", [[[[[]]]]], {"a": {"b": {}}}])

    def request(self):
        operation = self.dice.choice(self.operations)
        while str(operation) in SELDOM and self.dice.random() < 0.95:
            operation = self.dice.choice(self.operations)
        query, headers, places = {}, {}, {}
        for one in operation.parameters:
            if one["in"] == "path":
                if self.dice.random() < 0.4:
                    places[one["name"]] = self.value(one) or "%20"
            elif self.dice.random() < 0.4:
                (query if one["in"] == "query" else headers)[one["name"]] = self.value(one)
        if operation.has_no_end:
            query["follow"] = "false"
        while self.dice.random() < 0.15:
            headers[self.dice.choice(HEADERS)] = self.odd()
        while self.dice.random() < 0.1:
            query[self.dice.choice(["after", "before", "limit", "asOf", "x", "access_token"])] = self.odd()
        method = operation.method if self.dice.random() < 0.95 else self.dice.choice(["GET", "PUT", "POST", "DELETE", "PATCH", "HEAD", "OPTIONS", "ZZ"])
        return self.bytes(method, operation.target({**self.names, **places}, query), headers, self.body(operation))

    def body(self, operation):
        chance = self.dice.random()
        if chance < 0.05:
            return self.dice.randbytes(self.dice.randrange(200))
        sample = operation.sample_body(self.dice)
        if sample is None:
            return b"" if not operation.media_types else b"\x89PNG\r\n\x1a\n" + self.dice.randbytes(40)
        return json.dumps(self.spoilt(sample) if chance < 0.6 else sample).encode()

    def bytes(self, method, target, headers, body):
        if self.dice.random() < 0.9:
            headers["Authorization"] = f"Bearer {self.dice.choice(self.tokens)}"
        if body:
            headers.setdefault("Content-Type", "application/json")
        # What would break the framing of the batch is looked at by others.
        for name in ("Upgrade", "Expect", "TE"):
            if name in headers and self.dice.random() < 0.98:
                del headers[name]
        lines = "".join(f"{name}: {clean(value)}\r\n" for name, value in headers.items())
        return f"{method} {clean(target)} HTTP/1.1\r\nHost: gateway\r\n{lines}Content-Length: {len(body)}\r\n\r\n".encode() + body


def clean(text):
    return text.replace("\r", "").replace("\n", "").replace("\x00", "%00")


def send(port, address, batch, mark):
    """A batch on one connection: what came back, until its last request was answered or the gateway hung up."""
    last = f"GET /healthz HTTP/1.1\r\nHost: gateway\r\nX-Request-ID: {mark}\r\nConnection: close\r\n\r\n".encode()
    received = bytearray()
    with socket.socket() as connection:
        connection.settimeout(DEADLINE)
        connection.bind((address, 0))
        connection.connect(("127.0.0.1", port))
        try:
            connection.sendall(b"".join(batch) + last)
            while part := connection.recv(1 << 18):
                received += part
        except (BrokenPipeError, ConnectionResetError):
            pass
    return received


class Fault(Exception):
    """What went wrong, and the batch behind which it did."""


def work(number, seed, count, port, tokens, names):
    """One process: batches until its share is answered. How many were sent, and of which status the answers were."""
    maker, statuses, sent = Maker(seed, tokens, names), collections.Counter(), 0
    while (answered := sum(statuses.values())) < count:
        if sent > 1_000 + 2 * answered:
            raise Fault(f"seed {seed}: of {sent} requests only {answered} were answered", b"")
        batch = [maker.request() for _ in range(BATCH)]
        address = f"127.{1 + number}.{maker.dice.randrange(256)}.{1 + maker.dice.randrange(254)}"
        try:
            answers = send(port, address, batch, f"end-{number}-{sent}")
        except OSError as fault:
            raise Fault(f"seed {seed}, behind request {sent}: {fault!r}", b"".join(batch)) from fault
        found = STATUS.findall(answers)
        if b"500" in found:
            raise Fault(f"seed {seed}, behind request {sent}: {answers[answers.index(b'HTTP/1.1 500'):][:800]!r}", b"".join(batch))
        # The last one is ours.
        statuses.update(status.decode() for status in found[:BATCH])
        sent += BATCH
    return sent, statuses


def processor(pid):
    """Seconds of processor time that a process has used."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main(options, folder):
    number = chosen(options)
    centre = Centre(options.daybook, folder).open()
    desk = centre.staff("desk")
    tokens = [desk.token, "nobody"]
    for number in range(options.people):
        tokens.append(centre.staff(f"one-{number}", ["operator", "supervisor", "auditor", "analyst", "org-admin", "guard", "rescuer"][number % 7]).token)
    caller = centre.caller(desk)
    tokens += [caller.token] + [centre.caller(desk).token for _ in range(options.people // 4)]
    _, session = centre.chat(caller)
    incident = centre.shown(desk, session)["incident"]
    names = {"session": session, "incident": incident, "id": session, "set": "world", "name": "operator-desk"}
    pid, began, statuses, sent = centre.gateway.process.pid, time.monotonic(), collections.Counter(), 0
    used, share = processor(pid), options.requests // options.processes
    with concurrent.futures.ProcessPoolExecutor(options.processes) as pool:
        parts = [pool.submit(work, place, number + place, share, centre.port, tokens, names) for place in range(options.processes)]
        for part in concurrent.futures.as_completed(parts):
            try:
                sent_here, found = part.result()
            except Fault as fault:
                what, batch = fault.args
                with open(os.path.join(folder, "batch"), "wb") as file:
                    file.write(batch)
                ended = centre.gateway.process.poll()
                hold(False, f"{what}; the gateway {'lives' if ended is None else f'ended with {ended}'}; its requests are in {folder}/batch")
            sent += sent_here
            statuses += found
    seconds, answered = time.monotonic() - began, sum(statuses.values())
    hold(centre.gateway.process.poll() is None and centre.gateway.process.pid == pid, "the gateway ended")
    print(f"{answered} requests answered of {sent} in {seconds:.0f} s, {answered / seconds:.0f} a second, with {(processor(pid) - used) / answered * 1000:.2f} ms of the gateway's "
          f"processors each; gateway {pid} lives; {dict(sorted(statuses.items()))}")
    hold(10 * answered >= 9 * sent, f"of {sent} requests only {answered} were answered")
    done = sum(count for status, count in statuses.items() if status.startswith("2"))
    hold(20 * done >= answered, f"of {answered} answers only {done} are 2xx: hardly anything was asked rightly")
    centre.stop()
    # Also what was answered to nobody.
    with open(centre.gateway.log, "rb") as log:
        failed = [line for line in log if b'"status":"500"' in line]
    hold(not failed, f"{len(failed)} requests stand in the log as 500, the first: {failed[:1]}")
    centre.verify()


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--requests", type=int, default=20_000, help="how many (default: 20000)")
    parser.add_argument("--processes", type=int, default=2, help="how many send them (default: 2)")
    parser.add_argument("--people", type=int, default=14, help="how many users (default: 14)")
    seed(parser)
    run_options = parser.parse_args()
    run(main, run_options)
