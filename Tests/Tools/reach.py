#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Who reaches what: every described route, socket and topic, as every role of two organisations with the same people, as phones of the same and
of other numbers, as the guest of a one-use link and as nobody, on conversations that are handled, ended and sealed, now and as of then.

Routes and rights come from Documentation/openapi.yaml and asyncapi.yaml, so that a new one cannot be forgotten and the gateway is not asked what
is right. Who is refused is refused in the right way, is told nothing and changes nothing; who is let in is not refused. Whoever hears that something
is not there, and whoever is refused what another organisation has, hears the very same of what nobody ever made: status, headers that tell, and body but for the id;
a list that is narrowed by such an id, too. A caller who is refused another caller's conversation hears the same of each, whether it goes on or has ended.

  reach.py --daybook PATH [--few] [--table]     --few walks the roles that differ most; --table prints who reaches what
"""

import re
import time

import centre
from centre import Centre, hold
from daybook import new_id
from private_session import PICTURE, query
from rights import WHOLE, Reader, Thing, routes, topics
from sides import Side, together

ROLES = ("supervisor", "operator", "analyst", "rescuer", "guard", "org-admin", "auditor")
FEW = ("supervisor", "operator")
#: With few roles, of those who keep theirs, and before the conversations that differ most.
FEW_LASTING = ("nobody", "owner", "caller, handled", "newcomer", "reporter", "guest")
FEW_STATES = ("handled", "sealed", "waiting")
#: They end the right that asks.
LEFT_OUT = ("/v1/auth/logout", "/v1/auth/password", "/v1/auth/login", "DELETE /v1/me/safety")
#: A message centre calls them, by addresses with a code that only the gateway can make: whoever has none is refused, whoever it is.
#: Whoever comes may ask them, and they show nobody's data but by a code.
OPEN = "/v1/public/"
BY_CODE = ("/v1/sms/report", "/v1/sms/incoming", "/v1/answers/{code}")
#: In a ledger that is no demo there are no such routes.
OF_A_DEMO = ("/demo", "/v1/demo", "/v1/demo/sign-in")
#: Without a body, these would do what they are asked: who may, is asked to do it to what is not there.
DONE_AT_ONCE = ("POST /v1/users/{id}/password", "POST /v1/sessions/{id}/links", "DELETE /v1/users/{id}/tokens/{token}", "POST /v1/read-models/{name}/rebuild")
#: What is called otherwise in subjects than in paths.
SUBJECTS = {"point": "patrol_point", "caller": "person", "maker": "user"}
NOTHING = "0199e0c0-0000-7000-8000-000000000000"


def main(options, folder):
    desk = Centre(options.daybook, folder).open()
    began, process = time.monotonic(), desk.gateway.process.pid
    sides = together([lambda name=name: Side(desk, name).fill() for name in ("main", "north")])
    service = desk.admin.get("/v1/me").json["user"]
    before = len(desk.entries())
    print(f"{time.monotonic() - began:.1f} s: two organisations with the same people and things")
    walk = Walk(desk, [thing for side in sides for thing in side.things], FEW_STATES if options.few else None)
    admin = Reader("the admin", desk.admin, "admin", "main", user=service)
    lasting = [admin, Reader("nobody", desk.client())] + [reader for side in sides for reader in side.lasting()]
    if options.few:
        lasting = [reader for reader in lasting if reader.label.removeprefix("main's ") in FEW_LASTING]
    desk.stays_signed_in(*(side.operator for side in sides))
    movers = [lambda side=side: [walk.all(side.reader(role, side.move(role))) for role in (FEW if options.few else ROLES)] for side in sides]
    try:
        together(movers + [lambda: [walk.all(reader) for reader in lasting]])
        walk.unchanged(before)
    finally:
        walk.tell()
    if options.table:
        walk.table()
    hold(desk.gateway.process.poll() is None and desk.gateway.process.pid == process, "the gateway ended")
    print(f"{time.monotonic() - began:.1f} s: {walk.tried} tries by {len(walk.readers)} readers of {len(walk.routes)} routes and {len(walk.topics)} topics, "
          f"{len(walk.faults)} differ from what is declared")
    hold(not walk.faults, "who reaches what is not as declared")
    desk.stop()
    desk.verify()


class Walk:
    def __init__(self, desk, things, states=None):
        self.desk, self.things, self.tried = desk, things, 0
        #: Before which conversations readers are led.
        self.conversations = [thing for thing in things if thing.state and (states is None or thing.state in states)]
        self.routes = [route for route in routes() if str(route) not in LEFT_OUT and route.path not in LEFT_OUT + BY_CODE + OF_A_DEMO and not route.path.startswith(OPEN)]
        self.topics, addresses = topics()
        sockets = {route.path for route in self.routes if route.is_socket}
        hold(addresses == sockets, f"the sockets of the two descriptions differ: {addresses ^ sockets}")
        self.marks, self.readers, self.faults, self.refusals = {}, [], [], {}
        self.secrets = {str(one).encode() for thing in things for one in [*thing.words, *thing.names.values()] if len(str(one)) > 8}
        # Everything is there by then.
        self.point = len(desk.entries()) - 1

    def all(self, reader):
        """One reader before everything."""
        self.readers.append(reader)
        for route in self.routes:
            for thing, is_own in self.places(route, reader):
                self.step(reader, route, thing, is_own)
        self.subscribe(reader)
        self.chat(reader)
        self.narrow(reader)

    def narrow(self, reader):
        """Lists that are narrowed by the id of what another organisation has, and by one that nobody made."""
        filters = [(route, one["name"]) for route in self.routes if route.method == "GET" and "{" not in route.path
                   for one in route.operation.parameters if one["name"] == "owner" or one.get("schema", {}).get("$ref", "").endswith("/Subject")]
        hold(filters, "no list is narrowed by an id")
        # One of each kind of the other organisation's.
        foreign = {kind: (known, thing) for thing in self.things if not reader.reaches(thing) for kind, known in thing.names.items() if len(str(known)) > 8}
        for route, name in filters if reader.role and not reader.is_guest else []:
            for kind, (known, thing) in foreign.items():
                invented = new_id() if len(str(known)) == 36 else "9" * len(str(known))
                told = []
                for one in (known, invented):
                    value = one if name == "owner" else f"{SUBJECTS.get(kind, kind)}/{one}"
                    answer = reader.client.get(f"{route.path}?follow=false&{name}={value}")
                    told.append((answer.status, plain(answer.body, {kind: one})))
                    self.tried += 1
                if told[0] != told[1]:
                    self.faults.append(f"{route}?{name}= {kind} {known} of {thing.organisation} as {reader.label}: of what is there {told[0]}, of what is not {told[1]}")

    def places(self, route, reader):
        """What a route can be about, and whether that is the reader's own."""
        if route.kind is None:
            return [(None, False)]
        if route.right.is_private or route.path.startswith(("/v1/sessions/", "/v1/incidents/")):
            return [(thing, False) for thing in self.conversations]
        device = getattr(reader.client, "device", None)
        found = [(thing, route.kind == "device" and thing.names["device"] == device or route.kind == "report" and thing.names["maker"] == reader.user and reader.role != "analyst"
                  or route.kind == "user" and thing.names["user"] == reader.user)
                 for thing in self.things if not thing.state]
        if route.kind == "user" and route.right.is_own and reader.user and not found[0][1]:
            mine = Thing("own", reader.organisation, {"user": reader.user, "token": "0"})
            found.append((mine, True))
        return found

    def step(self, reader, route, thing, is_own):
        refusals = route.right.expected(reader, thing, is_own)
        if route.right.is_partly and not route.is_socket and reader.role is None:
            refusals = {401}  # of what strangers have a part of, the other part is asked for here
        points = [None]
        if route.takes_point and route.method == "GET":
            points.append(self.point)
        for point in points:
            answer, target = self.ask(reader, route, thing, refusals is None, point)
            self.judge(reader, route, thing, refusals, answer, target, point)
            if reader.role == "caller" and thing and thing.state and refusals and answer.status == 403:
                self.liken(reader, route, thing, answer, point)
            is_hidden = answer.status == 404 or thing and not reader.reaches(thing)
            if refusals is not None and thing and is_hidden and route.kind != "position":
                self.compare(reader, route, thing, answer, target, point)

    def compare(self, reader, route, thing, answer, target, point):
        """What is hidden is answered as what was never there."""
        names = {kind: new_id() if len(str(name)) == 36 else "9" * len(str(name)) if kind in ("user", "token") else name for kind, name in thing.names.items()}
        other, _ = self.ask(reader, route, Thing("nothing", thing.organisation, names), False, point)
        told = [(one.status, plain(one.body, known), {name: value for name, value in getattr(one, "headers", {}).items() if name in ("WWW-Authenticate", "Content-Type", "Daybook-Position")})
                for one, known in ((answer, thing.names), (other, names))]
        if told[0] != told[1]:
            self.faults.append(f"{route.method} {target} ({thing.label} of {thing.organisation}) as {reader.label}: of what is there {told[0]}, of what is not {told[1]}")

    def liken(self, reader, route, thing, answer, point):
        """How far another caller's conversation has come is not told by the way in which it is refused."""
        told = (answer.status, plain(answer.body, thing.names))
        label, first = self.refusals.setdefault((str(route), reader.label, point), (thing.label, told))
        if told != first:
            self.faults.append(f"{route} as {reader.label}: of {label} {first}, of {thing.label} {told}")

    def ask(self, reader, route, thing, is_let_in, point=None):
        names = {"position": "0", "name": "nothing", "path": "entries/000", "link": "XXXX", "set": "world", "z": "0", "x": "0", "y": "0", "file": "x", **(thing.names if thing else {})}
        if not thing:
            names.update(self.things[0].names, phone=self.things[0].names["session"])
        headers, body = {"Accept": "application/json"}, None
        if route.method == "GET":
            if route.is_socket:
                headers.update({"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version": "13"})
        elif is_let_in:
            # Asked in a way that is refused for its form, behind the rights: nothing changes for those who come later.
            headers.update({"Daybook-Occurred-At": "never", "Content-Type": "application/json"})
            body = b"{"
            if str(route) in DONE_AT_ONCE:
                names.update(session=NOTHING, token="0", **({"user": "0"} if thing and not thing.label == "own" and "{token}" not in route.path else {}))
        else:
            body = route.body(names)
            body = PICTURE if route.path.endswith("/pictures") else body
        path = route.path.replace("{id}", str(names.get(route.kind, NOTHING)))
        target = fill_path(path, names)
        if not is_let_in or route.method == "GET":
            target += query(route.node).replace("phone=0", "phone=%2B447700900123").replace("prefix=0", "prefix=%2B4477").replace("text=0", "text=%2B447700900123").replace("hour=0", "hour=2026-01-28T12:00:00Z")
        added = ([f"asOf={point}"] if point is not None else []) + (["follow=false"] if route.path == "/v1/events" else [])
        for one in added:
            target += ("&" if "?" in target else "?") + one
        self.tried += 1
        if route.is_socket:
            return knock(reader.client, target), target
        return reader.client.request(route.method, target, body, headers), target

    def judge(self, reader, route, thing, refusals, answer, target, point):
        words = f"{route.method} {target} ({thing.label if thing else 'at large'}) as {reader.label} answered {str(answer)[:300]}"
        status = answer.status
        isRefused = status in (401, 403) or status == 404 and route.kind is not None and str(route) not in DONE_AT_ONCE and "{token}" not in route.path
        if refusals is not None:
            # Who loses a race is told so, whoever it is.
            fits = status in refusals or str(route).endswith(("/claim", "/offer/answer", "/take-over")) and status == 409
            # The second of two people is asked before the hold is looked for.
            fits = fits or str(route).endswith("/lift") and status == 403
        else:
            # On a socket for strangers the first frame decides; stills of what was not decoded yet come later.
            fits = not isRefused and (status < 500 or status == 503 and route.path.endswith("/frame"))
            fits = fits and (route.method != "GET" or status < 400 or status in (404, 410, 416, 426) and not isRefused or status == 503)
        if self.login_page(route, status) or route.right.is_partly and route.is_socket and status == 101:
            fits = True
        if not fits:
            self.faults.append(f"{words}, declared: {'let in' if refusals is None else 'refused'}")
        self.marks.setdefault((str(route), thing.label if thing else "", thing.organisation if thing else ""), {})[reader.label] = (
            "!" if not fits else "." if refusals and status == 404 else "-" if refusals else "+")
        if route.method == "GET":
            self.listen(reader, answer.body, target, words)

    @staticmethod
    def login_page(route, status):
        """What asks for a secret refuses a wrong one alike, whoever comes."""
        return str(route) in ("POST /v1/links/use", "POST /v1/devices") and status in (400, 401)

    def listen(self, reader, body, target, words):
        """Nothing of what the reader does not see is told."""
        if not any(secret in body for secret in self.secrets):
            return
        lines = [line for line in body.split(b"\n") if b'"access.refused/' not in line]
        for thing in self.things:
            if reader.role is None or not reader.reaches(thing):
                # An organisation's name is no secret, what it has is.
                secrets = thing.words + [name for kind, name in thing.names.items() if len(str(name)) > 8 and kind not in ("caller", "maker")]
            elif thing.state and not reader.sees(thing):
                # The whole desk may know that a session is there; a caller's phone knows of none that it does not see.
                secrets = thing.words + ([thing.names[kind] for kind in ("session", "incident", "stream", "request")] if reader.role == "caller" else [])
            else:
                continue
            told = [one for one in secrets if one not in target and any(one.encode() in line for line in lines)]
            if told:
                self.faults.append(f"{words[:300]}, which tells {told[:3]}")

    # MARK: Sockets

    def subscribe(self, reader):
        """Every topic of live pages, on one socket."""
        if reader.role is None or not knock(reader.client, "/v1/ws").ok:
            return
        socket = reader.client.socket("/v1/ws")
        for name, right in self.topics.items():
            for thing in self.conversations if right.kind else [None]:
                topic = name.replace("{id}", thing.names[right.kind]) if thing else name
                refusals = right.expected(reader, thing)
                socket.send_json({"type": "subscribe", "topic": topic})
                frame = socket.wait_for(lambda frame: frame.get("topic") == topic)
                self.tried += 1
                isRefused = frame["type"] == "error"
                mark = "!" if isRefused == (refusals is None) else "-" if isRefused else "+"
                if mark == "!":
                    self.faults.append(f"topic {topic} ({thing.label if thing else 'at large'}) as {reader.label}: {str(frame)[:300]}")
                self.marks.setdefault((f"topic {name}", thing.label if thing else "", thing.organisation if thing else ""), {})[reader.label] = mark
                if not isRefused:
                    socket.send_json({"type": "unsubscribe", "topic": topic})
        socket.drop()

    def chat(self, reader):
        """The chat takes nothing into a conversation that its sender does not see."""
        if reader.role is None or reader.client.get("/v1/me").status != 200:
            return
        for thing in self.conversations:
            if reader.reaches(thing) and reader.sees(thing) and not reader.is_guest:
                continue
            if reader.is_guest and thing.caller is reader.client:
                continue
            socket = reader.client.socket("/chat")
            socket.send_json({"IncidentID": thing.names["session"], "Type": "message", "Message": "let me in", "Timestamp": "1", "TempMessageID": "9"})
            frame = socket.receive_json()
            self.tried += 1
            isRefused = frame is None or frame.get("Status") == "failed"
            if not isRefused or thing.words[0] in str(frame):
                self.faults.append(f"/chat ({thing.label}) as {reader.label}: {frame}")
            self.marks.setdefault(("GET /chat", thing.label, thing.organisation), {})[reader.label] = "-" if isRefused else "!"
            socket.drop()

    # MARK: Afterwards

    def tell(self):
        for fault in self.faults:
            print(f"DIFFERS: {fault}")

    def unchanged(self, before):
        """Nobody who walked changed anything; what one organisation's people did stands in no other's history."""
        people = {}
        for reader in self.readers:
            if reader.user and reader.role not in WHOLE:
                people[reader.user] = reader.organisation
        for entry in self.desk.entries()[before:]:
            kind, who = entry["type"], entry["actor"].split("/")[-1]
            quiet = kind.startswith(("access.", "user.")) or kind == "chat.message_rejected/1" or entry["actor"].startswith(("policy/", "ledger", "stranger/", "system"))
            if not quiet and not kind.startswith("stream."):
                self.faults.append(f"{entry['actor']} wrote {kind} of {entry['subject']}")
            isWhole = entry["actor"].split("/")[0] in WHOLE
            if who in people and people[who] != entry["org"] and not isWhole and not kind.startswith("user."):
                self.faults.append(f"{entry['actor']} of {people[who]} wrote {kind} into {entry['org']}")

    def table(self):
        """A line for each route and thing, a column for each reader: + let in, - refused, . told that it is not there, ! not as declared."""
        labels = [reader.label for reader in self.readers]
        for number, label in enumerate(labels):
            print(f"{' ' * number}┌ {label}")
        for (route, thing, organisation), marks in self.marks.items():
            print("".join(marks.get(label, " ") for label in labels) + f"  {route}" + (f" · {thing} of {organisation}" if thing else ""))


def plain(body, names):
    """An answer with its ids as what they are, and without the request's own."""
    body = re.sub(rb"urn:daybook:request:[^\"]*", b"", body)
    for kind, name in sorted(names.items(), key=lambda pair: -len(str(pair[1]))):
        if len(str(name)) > 8:
            body = body.replace(str(name).encode(), f"<{kind}>".encode())
    return body


class Knock:
    """What a socket answered to who wanted it open."""

    def __init__(self, status, body=b""):
        self.status, self.body = status, body

    @property
    def ok(self):
        return self.status == 101

    def __repr__(self):
        return f"{self.status} {self.body[:300]!r}"


def knock(client, target):
    """Asks for a socket, again when the gateway says so."""
    while True:
        try:
            client.socket(target).drop()
            return Knock(101)
        except ConnectionRefusedError as refusal:
            if "answered" not in str(refusal):
                raise
            words = str(refusal)
        later = re.search(r'answered 429: .*"retryAfterSeconds":(\d+)', words)
        if not later:
            return Knock(int(words.split("answered ")[1].split(":")[0]), words.encode())
        time.sleep(int(later[1]))  # what the gateway asks for


def fill_path(path, names):
    for name, value in names.items():
        path = path.replace("{" + name + "}", str(value))
    return path


if __name__ == "__main__":
    parser = centre.arguments(__doc__)
    parser.add_argument("--few", action="store_true", help="the roles that differ most")
    parser.add_argument("--table", action="store_true", help="print who reaches what")
    centre.run(main, parser.parse_args())
