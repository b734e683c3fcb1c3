#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""No number ends the gateway: every numeric parameter, header and member of Documentation/openapi.yaml at its edges, on every route, as
each role; the numbers in the frames of the sockets; and those of the command line. No answer is a 5xx, no program ends by a signal.

  edges.py --daybook PATH [--all-roles]
"""
import json
import os
import random
import socket
import struct
import subprocess
import threading

import film
from centre import Centre, arguments, hold, run
from daybook import DEADLINE, new_id
from described import EDGES, Description

ROLES = ("operator", "supervisor", "auditor", "org-admin")
MORE_ROLES = ("admin", "analyst", "guard", "rescuer", "service")


class Asker:
    """One principal on a connection that stays open, with an address of the loopback for itself, so that nobody's rate is another's."""

    def __init__(self, centre, name, token, number):
        self.centre, self.name, self.token, self.address = centre, name, token, f"127.0.{1 + number}.1"
        self.connection, self.asked, self.statuses = None, 0, {}

    def ask(self, what, method, target, headers=None, body=None, is_endless=False):
        """Sends a request and holds its answer to be none of a fault."""
        while True:
            status, wait = self._answer(method, target, dict(headers or {}), body, is_endless)
            if status != 429 or wait is None:
                break
            threading.Event().wait(wait)  # what the gateway asks for; not a wait for something to happen
        self.asked += 1
        self.statuses[status] = self.statuses.get(status, 0) + 1
        words = f"{what} as {self.name}: {method} {target[:200]} {str(headers)[:200]} {str(body)[:200]}"
        hold(status is not None and status < 500, f"{words} answered {status}")

    def _answer(self, method, target, headers, body, is_endless):
        headers.setdefault("Host", "gateway")
        if self.token:
            headers.setdefault("Authorization", f"Bearer {self.token}")
        if isinstance(body, str):
            body = body.encode()
            headers.setdefault("Content-Type", "application/json")
        if body is not None:
            headers.setdefault("Content-Length", str(len(body)))
        elif method != "GET":
            headers.setdefault("Content-Length", "0")
        head = f"{method} {target} HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in headers.items()) + "\r\n"
        for attempt in (0, 1):
            fresh = self.connection is None
            if fresh:
                self.connection = socket.create_connection(("127.0.0.1", self.centre.port), timeout=DEADLINE, source_address=(self.address, 0))
                self.reader = self.connection.makefile("rb")
            try:
                self.connection.sendall(head.encode() + (body or b""))
                return self._read(is_endless)
            except (BrokenPipeError, ConnectionResetError, EOFError):
                self.leave()
                # A head that is too large is answered by closing, whatever was sent of it.
                if fresh and len(head) > 30_000:
                    return 431, None
                if fresh:
                    hold(self.centre.gateway.process.poll() is None, f"the gateway ended at {method} {target[:300]}")
                    return None, None
        return None, None

    def _read(self, is_endless):
        line = self.reader.readline()
        if not line:
            raise EOFError
        status, headers = int(line.split()[1]), {}
        while (field := self.reader.readline().strip()):
            name, _, value = field.decode("latin-1").partition(":")
            headers[name.lower()] = value.strip()
        if is_endless and status < 300 or status == 101:
            self.leave()
            return status, None
        length = int(headers.get("content-length", 0))
        if headers.get("transfer-encoding") == "chunked":
            while (size := int(self.reader.readline().split(b";")[0], 16)):
                self.reader.read(size + 2)
            self.reader.readline()
        elif status not in (204, 304):
            self.reader.read(length)
        if headers.get("connection", "").lower() == "close":
            self.leave()
        return status, float(headers["retry-after"]) if "retry-after" in headers else None

    def leave(self):
        if self.connection:
            self.reader.close()
            self.connection.close()
        self.connection = None


def walk(asker, description, names):
    """Every number of every described request at every edge."""
    dice = random.Random(7)
    for operation in description.operations():
        for parameter, pattern in operation.numeric():
            for edge in EDGES:
                text = pattern.format(edge)
                query, headers, places = {}, {}, dict(names)
                if parameter["in"] == "query":
                    query[parameter["name"]] = text
                elif parameter["in"] == "header":
                    headers[parameter["name"]] = text
                else:
                    places[(operation.path, parameter["name"])] = text or "%20"
                if operation.is_socket:
                    headers.update({"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version": "13"})
                sample = operation.sample_body(dice)
                body = b"\x1a\x45\xdf\xa3" if "application/octet-stream" in operation.media_types else None if sample is None else json.dumps(sample)
                asker.ask(f"{parameter['name']}={text[:40]}", operation.method, operation.target(places, query), headers, body, operation.has_no_end)
        for place in set(description.numbers(operation.body_schema or {})):
            for edge in EDGES:
                sample = operation.sample_body(dice)
                asker.ask(f"{'.'.join(place)}={edge[:40]}", operation.method, operation.target(names), {}, spelt(sample, place, edge))
    asker.leave()


def spelt(sample, place, edge):
    """A body with a number as it stands, which JSON libraries would refuse to write."""
    inner = sample
    for name in place[:-1]:
        inner = inner.setdefault(name, {})
    inner[place[-1]] = "@@edge@@"
    return json.dumps(sample).replace('"@@edge@@"', edge or '""')


def frames(centre, caller, desk, names):
    """The numbers in frames: topics, chat, and those of a camera."""
    for edge in EDGES[:-1]:
        topics = desk.socket("/v1/ws")
        topics.send_json({"type": "subscribe", "topic": "desk", "after": edge})
        hold(topics.receive_json() is not None, f"/v1/ws closed at after={edge}")
        topics.drop()
        chat = caller.socket("/chat")
        chat.send_json({"Type": "start_session"})
        chat.wait_for(lambda frame: frame["Type"] == "session")
        chat.send_text('{"Type":"message","IncidentID":"%s","Message":"a","TempMessageID":"%s","Timestamp":%s}' % (names["session"], new_id(), edge or '""'))
        chat.receive()
        chat.drop()
        for frame in ('{"type":"late","part":1,"millisecondsAgo":%s}', '{"type":"late","part":%s,"millisecondsAgo":1}', '{"type":"end","part":%s}',
                      '{"type":"settings","width":%s,"height":180,"framesPerSecond":30,"kilobitsPerSecond":400,"quality":"low"}',
                      '{"type":"settings","width":320,"height":180,"framesPerSecond":%s,"kilobitsPerSecond":400,"quality":"low"}'):
            camera, _ = film.connect(caller, names["live"])
            camera.send_text(frame % (edge or '""'))
            camera.send_json({"type": "end", "part": 0})
            camera.receive()
            camera.drop()
    for part, offset in ((2**32 - 1, 0), (0, 2**63), (0, 2**64 - 1), (0, 2**64 - 8), (2**32 - 1, 2**64 - 1)):
        camera, _ = film.connect(caller, names["live"])
        camera.send_bytes(struct.pack(">IQ", part, offset) + b"\x1a\x45\xdf\xa3" * 4)
        camera.receive()
        camera.drop()
    hold(centre.gateway.process.poll() is None, "the gateway ended at a frame")


def command_line(centre, names):
    """The options that take numbers: refused in words, by no signal."""
    program, folder = centre.program, centre.folder
    nowhere = os.path.join(folder, "daybook.json", "ledger")  # a file stands in the way: it cannot be made
    for edge in EDGES[:-1] + ["9" * 1_000, "1e300"]:
        for words in (["timeline", names["incident"], "--data", folder, f"--as-of={edge}"],
                      ["timeline", names["incident"], "--data", folder, f"--frame={edge}", "-o", os.path.join(centre.folder, "..", "frame.jpg")],
                      ["token", "add", "admin", "--data", folder, f"--days={edge}"],
                      ["basemap", "world", f"--zoom={edge}", "--from", "/nowhere", "-o", "/dev/null"],
                      ["serve", "--data", nowhere, f"--start-limit={edge}"],
                      ["serve", "--data", nowhere, "--listen", f"127.0.0.1:{edge}"]):
            ended(program, words, {})
        ended(program, ["serve", "--data", nowhere], {"DAYBOOK_START_LIMIT": edge})


def ended(program, words, environment):
    done = subprocess.run([program, *words], stdin=subprocess.DEVNULL, capture_output=True, timeout=DEADLINE, env=dict(os.environ, **environment))
    said = (done.stdout + done.stderr).decode(errors="replace")
    hold(0 <= done.returncode < 100 and "ended by signal" not in said, f"daybook {' '.join(words)[:300]} {environment} ended with {done.returncode}: {said[-600:]}")
    hold(done.returncode == 0 or said.strip(), f"daybook {words} ended without a word")


def scene(options, folder):
    """A centre in which every kind of thing is there to be asked for."""
    centre = Centre(options.daybook, folder).open()
    desk = centre.staff("desk")
    caller = centre.caller(desk)
    chat, session = centre.chat(caller)
    stream = film.film(caller, session)
    live = film.begin(caller, session)
    incident = desk.get(f"/v1/sessions/{session}").json["session"]["incident"]
    names = {"session": session, "incident": incident, "stream": stream, "live": live}
    for path in ("sessions", "requests"):
        names.update({(path_of, "id"): session for path_of in paths(path)})
    names.update({(path_of, "id"): incident for path_of in paths("incidents")})
    names.update({(path_of, "id"): stream for path_of in paths("streams")})
    return centre, desk, caller, names


def paths(category):
    return [path for path in Description().tree["paths"] if path.startswith(f"/v1/{category}/{{id}}")]


def main(options, folder):
    centre, desk, caller, names = scene(options, folder)
    pid = centre.gateway.process.pid
    people = [("a caller", caller.token), ("nobody", None)]
    for role in ROLES + (MORE_ROLES if options.all_roles else ()):
        people.append((role, centre.staff(f"the-{role}", role).token))
    description, failures = Description(), []
    askers = [Asker(centre, name, token, number) for number, (name, token) in enumerate(people)]

    def work(asker):
        try:
            walk(asker, description, names)
        except BaseException as failure:  # told below, in the main thread
            failures.append(failure)

    threads = [threading.Thread(target=work, args=(asker,)) for asker in askers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for asker in askers:
        print(f"{asker.name}: {asker.asked} requests, {dict(sorted(asker.statuses.items()))}", flush=True)
    if failures:
        raise failures[0]
    frames(centre, caller, desk, names)
    hold(centre.gateway.process.poll() is None and centre.gateway.process.pid == pid, "the gateway ended")
    centre.stop()
    command_line(centre, names)
    print(f"{sum(asker.asked for asker in askers)} requests at {len(EDGES)} edges; gateway {pid} answered them all")


parser = arguments(__doc__)
parser.add_argument("--all-roles", action="store_true", help="every role, not only those that read most")
run_options = parser.parse_args()
run(main, run_options)
