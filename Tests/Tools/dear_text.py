#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""No text costs more than its length: on every route of Documentation/openapi.yaml in each text of a body, as a member's name, in each field and
query, and in the frames of every socket, texts that are dear to put in order, to go through from behind or to read take no more of the
gateway's processor time than a few times what plain text of their size takes, measured in the same run.
What has too many combining marks in a row is refused in words.

  dear_text.py --daybook PATH [--few]
"""
import json
import os
import random
import socket
import time
import urllib.parse

import film
from centre import PASSWORD, Centre, arguments, hold, run, timely
from daybook import DEADLINE, WebSocket
from described import Description

MARKS, WORDS = "\u0301\u0323", "combining marks in a row"
# By what stands in them again and again; the first three are refused, the others are only long.
BODIES = {
    "marks": MARKS, "marks that are escaped": "\\u0301\\u0323", "marks in two halves": "\\ud834\\udd65\\ud834\\udd6d", "thirty marks, a letter": "a" + MARKS * 15, "flags": "\U0001f1e6",
    "joined people": "\U0001f469\U0001f3fd\u200d", "syllables": "\u1100\u1161\u11a8", "backslashes": "\\\\", "halves": "\\ud83d",
}
SHARPEST = ("marks", "thirty marks, a letter", "flags")
REFUSED = ("marks", "marks that are escaped", "marks in two halves")
FIELDS = ("Cookie", "Authorization", "Accept", "Accept-Encoding", "Content-Type", "Daybook-After", "Daybook-As", "Daybook-Occurred-At", "Forwarded",
          "If-Match", "If-None-Match", "Idempotency-Key", "Last-Event-ID", "Origin", "Range", "Sec-WebSocket-Protocol", "User-Agent",
          "X-Forwarded-For", "X-Request-ID", "Connection", "Expect", "Upgrade")
LISTS = ("gzip;" + "a;", "a,", "a=1;", ";", '"a",')
HEAD_BYTES = 30_000
# How many times a plain text; the floor is what other parts of the gateway may take meanwhile, in seconds.
TIMES, FLOOR, TRIES = 5, 0.01, 5


class Meter:
    """The processor time of a process, all its threads together, in seconds."""

    def __init__(self, pid):
        self.folder = f"/proc/{pid}/task"

    def now(self):
        total = 0
        for thread in os.listdir(self.folder):
            try:
                with open(f"{self.folder}/{thread}/schedstat") as file:
                    total += int(file.read().split()[0])
            except (FileNotFoundError, ProcessLookupError):
                continue  # it has ended meanwhile
        return total / 1e9


class Scales:
    """Weighs what somebody asks against the same with plain text."""

    def __init__(self, meter):
        self.meter, self.plain, self.count, self.refused, self.worst = meter, {}, 0, 0, (0, "")
        self.usual = {}

    def cost(self, ask, times=1):
        """The least processor time that asking takes, for other parts of the gateway work besides; and the answer."""
        best, answer = None, None
        for _ in range(times):
            begin = self.meter.now()
            answer = ask()
            cost = self.meter.now() - begin
            best = cost if best is None else min(best, cost)
        return best, answer

    def bound(self, place, size, plainly, times=2):
        """What a text of so many bytes may take in a place: a few times what a plain one does there, or in a body that is read whole."""
        if (place, size) not in self.plain or times > 2:
            self.plain[place, size] = self.cost(plainly, times)[0]
        return TIMES * max(self.plain[place, size], self.usual.get(size, 0)) + FLOOR

    def weigh(self, place, kind, size, ask, plainly):
        bound = self.bound(place, size, plainly)
        cost, answer = self.cost(ask)
        if cost > bound:
            # A machine that has become slower is so for both.
            cost, answer = self.cost(ask, TRIES)
            bound = max(bound, self.bound(place, size, plainly, TRIES))
        self.count += 1
        self.worst = max(self.worst, (cost, f"{place}: {size} bytes of {kind}"))
        timely(cost <= bound, f"{place}: {size} bytes of {kind} took {cost:.3f} s of processor time; plain ones {self.plain[place, size]:.3f} s ({answer})")
        return answer


def asked(centre, head, body=b""):
    """The status and the words of an answer; a connection for each, since some are closed behind it."""
    for _ in range(3):
        with socket.create_connection(("127.0.0.1", centre.port), timeout=DEADLINE) as door:
            try:
                door.sendall(head + body)
            except ConnectionError:
                pass  # it was answered by its head alone
            status, fields, words = read(door.makefile("rb"))
        wait = float(fields.get("retry-after", 0))
        if status != 429 or wait > 2:
            break
        time.sleep(wait)  # what the gateway asks for
    hold(status is None or status < 500, f"{head[:200]!r} {body[:200]!r} answered {status}: {words[:300]!r}")
    return status, words


def read(reader):
    try:
        line = reader.readline().split()
        if len(line) < 2:
            return None, {}, b""
        fields = {}
        while field := reader.readline().strip():
            name, _, value = field.partition(b":")
            fields[name.decode("latin-1").lower()] = value.strip().decode("latin-1")
        # A feed or a socket goes on; what it says first is all that is looked at.
        return int(line[1]), fields, reader.read(int(fields.get("content-length", 0)))
    except ConnectionError:
        return None, {}, b""


def head(method, target, token, fields=(), length=None):
    lines = [f"{method} {target} HTTP/1.1", "Host: gateway", *([f"Authorization: Bearer {token}"] if token else []), *fields]
    if length is not None:
        lines += ["Content-Type: application/json", f"Content-Length: {length}"]
    elif method != "GET":
        lines += ["Content-Length: 0"]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def repeated(unit, size):
    return "a" + unit * (size // len(unit.encode()))


def texts(description, schema, place=()):
    """The places of all texts in a body of this shape."""
    schema = description.resolved(schema)
    for part in schema.get("allOf", []) + schema.get("oneOf", []) + schema.get("anyOf", []):
        yield from texts(description, part, place)
    if schema.get("type", "") == "string" or "string" in schema.get("type", []):
        yield place
    for name, value in schema.get("properties", {}).items():
        yield from texts(description, value, (*place, name))


def with_text(sample, place, text):
    """A body with a text as it stands, escapes and all; without a place, as the name of a member."""
    inner = sample = json.loads(json.dumps(sample))
    for name in place[:-1]:
        inner = inner.setdefault(name, {})
    inner[place[-1] if place else "@@"] = "@@" if place else 1
    return json.dumps(sample, ensure_ascii=False).replace("@@", text).encode()


def walk(scales, centre, names, name, token, kinds, sizes, is_short):
    """Every route as one principal; in short those that a stranger may ask, and one query of each."""
    description, dice = Description(), random.Random(11)
    for operation in description.operations():
        if operation.path == "/v1/auth/logout":
            continue
        if is_short and token is None and {} not in operation.node.get("security", [0]) and operation.node.get("security") != []:
            continue
        places = sorted(set(texts(description, operation.body_schema))) if operation.body_schema else []
        target = operation.target(names)
        sample = operation.sample_body(dice)
        for place in [*places, ()] if isinstance(sample, dict) else []:
            def send(unit, size):
                body = with_text(sample, place, repeated(unit, size))
                return asked(centre, head(operation.method, target, token, length=len(body)), body)
            for kind in kinds:
                for size in sizes:
                    what = f"{operation} {'.'.join(place) or 'a name'} as {name}"
                    status, words = scales.weigh(what, kind, size, lambda: send(BODIES[kind], size), lambda: send("a", size))
                    hold(kind not in REFUSED or status != 200, f"{what} took {kind}")
                    scales.refused += WORDS.encode() in words
        queries = [one["name"] for one in operation.parameters if one["in"] == "query"]
        for query in [*queries, None][:1 if is_short else None]:
            def ask(unit, size):
                text = urllib.parse.quote(repeated(unit, size // (1 if unit == "a" else 3)))
                return asked(centre, head(operation.method, operation.target(names, {query: ""} if query else {}) + text if query else f"{target}?{text}=1", token))
            for kind in kinds:
                if not BODIES[kind].startswith("\\"):
                    scales.weigh(f"{operation} ?{query or 'a name'} as {name}", kind, HEAD_BYTES, lambda: ask(BODIES[kind], HEAD_BYTES), lambda: ask("a", HEAD_BYTES))


def fields(scales, centre, kinds, people):
    """Every field that anybody reads, and lists in them without end; addresses, as they are and with escapes."""
    for name, token in people:
        for address in ("/", "/j/", "/web/", "/replay/", "/vendor/", "/v1/", "/v1/sessions/", "/v1/devices/"):
            for kind in kinds:
                text = repeated(BODIES[kind], HEAD_BYTES // 3)
                for form in (text, urllib.parse.quote(text)):
                    scales.weigh(f"{address} as {name}", kind, HEAD_BYTES, lambda: asked(centre, head("GET", address + form, token)),
                                 lambda: asked(centre, head("GET", address + "a" * len(form), token)))
        for method, target in (("GET", "/"), ("GET", "/v1/me"), ("POST", "/v1/auth/login"), ("GET", "/chat")):
            for field in FIELDS:
                def ask(text):
                    own = None if field == "Authorization" else token
                    return asked(centre, head(method, target, own, [f"{field}: {text}"]))
                for text in [*(repeated(BODIES[kind], HEAD_BYTES) for kind in kinds), *(unit * (HEAD_BYTES // len(unit)) for unit in LISTS)]:
                    scales.weigh(f"{field} of {method} {target} as {name}", repr(text[:20]), HEAD_BYTES, lambda: ask(text), lambda: ask("a" * HEAD_BYTES))


def encodings(centre):
    """JSON is UTF-8: in another encoding other bytes are marks."""
    for encoding in ("utf-16", "utf-16-le", "utf-16-be", "utf-32"):
        body = with_text({"login": "a", "password": "a"}, (), repeated(MARKS, 64_000)).decode().encode(encoding)
        status, words = asked(centre, head("POST", "/v1/auth/login", None, length=len(body)), body)
        hold(status == 400 and b"UTF-8" in words, f"{encoding} was answered {status}: {words[:300]!r}")


def sockets(scales, centre, caller, session, stream):
    """Each member of each frame; what cannot be read is told, and sends a stranger away."""
    size = 60_000
    chat = {"Type": "message", "IncidentID": session, "Message": "a", "TempMessageID": "t", "Timestamp": "1", "MessageID": "m", "Token": "", "Seen": "", "Status": ""}
    topic = {"type": "subscribe", "topic": "me", "after": "1"}
    camera = {"type": "stop", "reason": "a"}
    for path, frame, token in (("/chat", chat, caller.token), ("/v1/ws", topic, caller.token), (f"/v1/streams/{stream}/ingest", camera, caller.token), ("/chat", chat, None)):
        for member in [*frame, None]:
            def send(unit):
                peer = WebSocket("127.0.0.1", centre.port, path, token)
                begin = {key: value for key, value in frame.items() if key != "Token"}
                peer.send_text(with_text(begin, (member,) if member else (), repeated(unit, size)).decode())
                said = peer.receive()
                if unit == MARKS:
                    hold(said and WORDS in said, f"{path} {member} was not refused: {said!r}")
                if token is None:
                    hold(peer.receive() is None and peer.closed == 1008, f"a stranger on {path} may go on after {unit!r}")
                peer.drop()
                return (said or "")[:200]
            for kind, unit in BODIES.items():
                scales.weigh(f"{path} {member} as {'a caller' if token else 'nobody'}", kind, size, lambda: send(unit), lambda: send("a"))


def main(options, folder):
    centre = Centre(options.daybook, folder).open()
    desk = centre.staff("desk")
    caller = centre.caller(desk)
    _, session = centre.chat(caller)
    live = film.begin(caller, session)
    names = {"session": session, "id": session}
    scales = Scales(Meter(centre.gateway.process.pid))
    sizes = (250_000,) if options.few else (64_000, 250_000)
    for size in sizes:
        body = with_text({}, ("text",), repeated("a", size))
        scales.usual[size] = scales.cost(lambda: asked(centre, head("POST", f"/v1/sessions/{session}/messages", desk.token, length=len(body)), body), 5)[0]
        print(f"a plain body of {size} bytes: {scales.usual[size] * 1000:.1f} ms", flush=True)
    people = [("nobody", None), ("an operator", desk.token)]
    if not options.few:
        people += [("a caller", caller.token), ("an admin", centre.admin.token)]
    kinds = SHARPEST if options.few else tuple(BODIES)
    for name, token in people:
        walk(scales, centre, names, name, token, kinds, sizes, options.few)
        hold(token is None or centre.client(token).get("/v1/me").ok, f"{name} is signed in no more")
        print(f"as {name}: {scales.count} texts, the dearest {scales.worst[0] * 1000:.1f} ms: {scales.worst[1]}", flush=True)
    fields(scales, centre, [kind for kind in kinds if not BODIES[kind].startswith("\\")], people[:2])
    encodings(centre)
    sockets(scales, centre, caller, session, live)
    hold(scales.refused > 50, f"only {scales.refused} bodies were refused for their marks")
    signed = centre.client().post("/v1/auth/login", {"login": "desk", "password": PASSWORD}, key=False)
    hold(signed.ok, f"signing in afterwards: {signed}")
    print(f"{scales.count} texts, {scales.refused} bodies refused for their marks; the dearest took {scales.worst[0] * 1000:.1f} ms: {scales.worst[1]}")


parser = arguments(__doc__)
parser.add_argument("--few", action="store_true", help="one size, the sharpest texts, an operator and nobody")
run_options = parser.parse_args()
run(main, run_options)
