#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Who reaches what: every described route and every topic, as each role of two organisations with the same people, as a guest of a
one-use link and as nobody; and what still comes over open sockets when a right has ended.

Routes come from Documentation/openapi.yaml, so that a new one cannot be forgotten. What holds for each:
 - of another organisation's things nothing is read, found, changed or told, by whatever method;
 - a guest is let in where the description says `x-guest`, and nowhere else;
 - nobody is let in where strangers are not;
 - a second after a sign-out, a revocation or an erasure nothing more comes over chat, topics, feed, ingest and watch, and nothing is
   recorded in that name.

  reach.py --daybook PATH [--table]     --table prints who reads what, a line a route
"""

import http.client
import json
import os
import threading
import time
import urllib.parse

import yaml

import centre
import film
from centre import Centre, hold
from private_session import PICTURE, ROOT, fill, query

METHODS = ("get", "put", "post", "delete", "patch")
SOCKETS = ("/v1/ws", "/chat", "/ingest", "/watch")
#: They end the right that asks, or change what others of the same walk need.
LEFT_OUT = ("/v1/auth/logout", "/v1/auth/password", "/v1/auth/login")
STAFF = ("operator", "supervisor", "analyst", "rescuer", "guard", "reporter", "caller", "org-admin")
#: What holds one, by the first word of a route.
NAMED = {"sessions": "session", "incidents": "incident", "streams": "stream", "requests": "request", "reports": "report", "alerts": "alert",
         "patrol-points": "point", "holds": "hold", "persons": "person", "users": "user"}


def main(options, folder):
    desk = Centre(options.daybook, folder).open()
    with open(os.path.join(ROOT, "Documentation", "openapi.yaml")) as file:
        paths = yaml.safe_load(file)["paths"]
    main_side, north = Side(desk, "main"), Side(desk, "north")
    walk = Walk(desk, paths)
    for side, other in ((main_side, north), (north, main_side)):
        side.fill()
    for side, other in ((main_side, north), (north, main_side)):
        for role, client in other.people.items():
            walk.foreign(side, f"{other.name}'s {role}", client, other)
    walk.guest(main_side)
    walk.nobody(main_side)
    if options.table:
        walk.table(main_side, north)
    print(f"{walk.tried} requests and topics: two organisations with the same people do not reach each other")
    for end in (signed_out, revoked, disabled, erased):
        ends(desk, main_side, paths, end)
    desk.verify()


class Side:
    """One organisation: everybody of it, a phone whose number the other organisation knows, too, and what happened there."""

    def __init__(self, desk, name):
        self.desk, self.name, self.word = desk, name, f"the secret word of {name}"
        self.people = {role: self.staff(role) for role in STAFF}
        self.phone = self.register("+447700900123")
        self.people["phone"] = self.phone

    def staff(self, role, suffix=""):
        return self.desk.staff(f"{role}{suffix}-{self.name}", role, organisation=self.name)

    def register(self, number, role="caller"):
        code = self.people["operator"].post("/v1/devices/codes", {"phone": number, "role": role, "reason": "telephoned"})
        hold(code.status == 201, f"a code for {number}: {code}")
        device = self.desk.client().post("/v1/devices", {"phone": number, "code": code.json["code"]}, key=False)
        hold(device.status == 201, f"registering {number}: {device}")
        client = self.desk.client(device.json["token"])
        client.phone, client.device = number, device.json["device"]
        return client

    def fill(self):
        """A session that is handled, with everything that can hang on one."""
        ours, phone = self.people["operator"], self.phone
        chat, session = self.desk.chat(phone)
        hold(ours.post(f"/v1/sessions/{session}/claim").ok, "claiming")
        say(chat, session, self.word)
        picture = phone.post(f"/v1/sessions/{session}/pictures", PICTURE).json["message"]
        stream = film.film(phone, session)
        shown = ours.get(f"/v1/sessions/{session}").json["session"]
        incident, person = shown["incident"], shown["caller"]
        hold(ours.put(f"/v1/incidents/{incident}/address", {"address": f"5 Elm Road, {self.word}"}).ok, "an address")
        boss = self.people["supervisor"]
        self.names = {
            "session": session, "incident": incident, "stream": stream, "message": picture, "person": person, "part": "0",
            "request": ours.post(f"/v1/sessions/{session}/requests", {"ask": "send_location"}).json["request"],
            "report": made(self.people["reporter"].post("/v1/reports", {"fix": {"latitude": 52.4, "longitude": -1.9}, "species": "seal",
                                                                       "sizeClass": "small", "condition": "injured", "notes": self.word}))["report"],
            "alert": made(boss.post("/v1/alerts", {"cause": f"session/{session}", "severity": "warning", "template": "t", "sms": "+447700900999"}))["alert"],
            "point": made(boss.post("/v1/patrol-points", {"site": self.word, "name": "gate", "latitude": 52.4, "longitude": -1.9, "radiusMetres": 50}))["point"],
            "hold": made(boss.post("/v1/holds", {"scope": f"session/{session}", "reason": self.word, "authority": "court"}))["hold"],
            "user": ours.name,
        }
        self.chat, self.position = chat, boss.get("/v1/ledger").json["size"]
        self.secrets = [self.word.encode()] + [self.names[one].encode() for one in ("session", "incident", "stream", "message", "report", "alert", "hold", "point")]


def made(answer):
    hold(answer.status == 201, f"making what is to be reached: {answer}")
    return answer.json


def say(chat, session, words):
    chat.send_json({"IncidentID": session, "Type": "message", "Message": words, "Timestamp": "1", "TempMessageID": words})
    chat.wait_for(lambda frame: frame["Type"] == "message_report")


class Walk:
    def __init__(self, desk, paths):
        self.desk, self.tried = desk, 0
        self.operations = [(method, path, item[method]) for path, item in paths.items() for method in METHODS if method in item and path not in LEFT_OUT]

    def target(self, path, operation, side):
        """A route's path with the names of what one organisation has, and whether it names any."""
        kind = NAMED.get(path.split("/")[2]) if path.startswith("/v1/") and "{id}" in path else None
        names = {**side.names, "id": side.names.get(kind, side.names["session"]), "position": "0", "name": "reports", "token": "0", "link": "XXXX",
                 "set": "world", "z": "0", "x": "0", "y": "0", "file": "x", "path": "0/000"}
        return fill(path, names) + query(operation), kind is not None

    def ask(self, client, method, path, operation, side, extra=""):
        target, isNamed = self.target(path, operation, side)
        content = operation.get("requestBody", {}).get("content", {})
        body = None
        if "application/json" in content:
            body = fill(content["application/json"].get("example", {}), {**side.names, "name": "x"})
        elif content:
            body = PICTURE
        headers = {"Accept": "application/json"}
        if path == "/v1/events":
            target += ("&" if "?" in target else "?") + "follow=false"
        if extra:
            target += ("&" if "?" in target else "?") + extra
        self.tried += 1
        return client.request(method.upper(), target, body, headers), target, isNamed

    def foreign(self, side, who, client, own):
        """Nothing of a side reaches somebody of the other, by whatever method."""
        for method, path, operation in self.operations:
            if path.endswith(SOCKETS):
                continue
            points = [""] + ([f"asOf={side.position - 1}"] if any(one.get("name") == "asOf" for one in operation.get("parameters", [])) else [])
            for extra in points if method == "get" else [""]:
                answer, target, isNamed = self.ask(client, method, path, operation, side, extra)
                words = f"{method.upper()} {target} as {who} answered {answer}"
                hold(answer.status < 500, words)
                hold(not isNamed or not answer.ok, words)
                # Who was refused what stands in the own organisation's ledger, by the name that was asked for.
                lines = [line for line in answer.body.split(b"\n") if b'"access.refused/' not in line]
                told = [secret for secret in side.secrets if secret not in target.encode() and any(secret in line for line in lines)]
                hold(method != "get" or not told, f"{words}, which tells {told}")
        self.topics(side, who, client, ["session", "incident", "stream"])
        mine = {f"{one.name}" if hasattr(one, "name") else one.device for one in own.people.values()}
        strange = [entry for entry in self.desk.entries() if entry["org"] == side.name and entry["actor"].split("/")[-1] in mine]
        hold(not strange, f"{who} changed something of {side.name}: {strange[:1]}")

    def topics(self, side, who, client, kinds, refused=True):
        try:
            socket = client.socket("/v1/ws")
        except ConnectionRefusedError:
            return
        for kind in kinds:
            topic = f"{kind}/{side.names[kind]}" if kind in side.names else kind
            socket.send_json({"type": "subscribe", "topic": topic})
            frame = socket.wait_for(lambda frame: frame.get("topic") == topic)
            self.tried += 1
            hold((frame["type"] == "error") == refused, f"{topic} as {who}: {frame}")
        socket.drop()

    def guest(self, side):
        """The guest of a one-use link is let in where it is declared, and nowhere else."""
        ours = side.staff("operator", "-of-links")
        opened = ours.post("/v1/sessions", {"phone": "+447700900456", "channel": "video"}).json
        link = ours.post(f"/v1/sessions/{opened['session']}/links", {}).json
        used = self.desk.client().post("/v1/links/use", {"link": link["path"], "code": link["code"]}, key=False)
        hold(used.ok, f"using the link: {used}")
        guest = self.desk.client(used.json["token"])
        own = Side.__new__(Side)
        own.names = {**side.names, "session": opened["session"], "incident": opened["incident"]}
        for method, path, operation in self.operations:
            if path.endswith(SOCKETS):
                continue
            isDeclared, isPublic = operation.get("x-guest", False), operation.get("security") == []
            for names in (side, own):
                answer, target, isNamed = self.ask(guest, method, path, operation, names)
                words = f"{method.upper()} {target} as a guest answered {answer}"
                hold(isDeclared or isPublic or answer.status in (401, 403, 404, 405), words)
                hold(not (isNamed and names is side and answer.ok), words)
                hold(side.word.encode() not in answer.body, words)
        self.topics(side, "a guest", guest, ["desk", "session", "incident", "stream"])
        self.topics(own, "a guest", guest, ["session", "me"], refused=False)

    def nobody(self, side):
        for method, path, operation in self.operations:
            if path.startswith("/v1/") and not path.endswith(SOCKETS) and not operation.get("security") == []:
                answer, target, _ = self.ask(self.desk.client(), method, path, operation, side)
                hold(answer.status == 401, f"{method.upper()} {target} as nobody answered {answer}")

    def table(self, side, other):
        """Who reads what of a handled session and its organisation: r read, - refused, . there is no such thing for them."""
        readers = [(f"{role}", client) for role, client in side.people.items()] + [("operator of north", other.people["operator"])]
        print("readers: " + ", ".join(f"{number} {name}" for number, (name, _) in enumerate(readers)))
        for method, path, operation in self.operations:
            if method == "get" and not path.endswith(SOCKETS):
                marks = ""
                for _, client in readers:
                    status = self.ask(client, method, path, operation, side)[0].status
                    marks += "r" if status < 400 else "." if status == 404 else "-"
                print(f"{marks}  GET {path}")


# MARK: - When a right ends

class Open:
    """Every socket and feed that one person can have open at once."""

    def __init__(self, client, session, stream, isCaller):
        self.told, self.closed, self.threads = [], set(), []
        chat = client.socket("/chat")
        chat.send_json({"Type": "start_session", **({} if isCaller else {"IncidentID": session})})
        chat.wait_for(lambda frame: frame["Type"] == "session")
        topics = client.socket("/v1/ws")
        for topic in ([] if isCaller else ["desk"]) + [f"session/{session}"]:
            topics.send_json({"type": "subscribe", "topic": topic})
            topics.wait_for(lambda frame: frame.get("type") == "subscribed")
        self.all = {"chat": chat, "topics": topics}
        if stream and isCaller:
            self.all["ingest"] = film.connect(client, stream)[0]
        elif stream:
            self.all["watch"] = client.socket(f"/v1/streams/{stream}/watch")
        for name, socket in self.all.items():
            self.run(name, lambda socket=socket: socket.receive(timeout=None))
        self.feed = http.client.HTTPConnection(client.host, client.port)
        self.feed.request("GET", "/v1/events", headers={"Authorization": f"Bearer {client.token}"})
        lines = self.feed.getresponse()
        self.run("feed", lambda: lines.readline() or None)

    def run(self, name, take):
        def listen():
            try:
                while (message := take()) is not None:
                    self.told.append((time.monotonic(), name, message))
            except (OSError, http.client.HTTPException):
                pass
            self.closed.add(name)
        thread = threading.Thread(target=listen, daemon=True)
        thread.start()
        self.threads.append(thread)


def signed_out(desk, side, client):
    hold(client.post("/v1/auth/logout").status < 300, "signing out")


def revoked(desk, side, client):
    tokens = desk.admin.get(f"/v1/users/{client.name}/tokens").json["items"]
    for token in tokens:
        desk.admin.delete(f"/v1/users/{client.name}/tokens/{token['id']}")


def disabled(desk, side, client):
    answer = desk.admin.request("PATCH", f"/v1/users/{client.name}", {"disabled": True, "reason": "left"})
    hold(answer.ok, f"disabling {client.name}: {answer}")


def erased(desk, side, client):
    person = next(entry["data"]["caller"] for entry in desk.entries() if entry["subject"] == f"session/{client.session}" and entry["type"] == "session.created/1")
    answer = desk.admin.post(f"/v1/persons/{person}/erase", {"reason": "asked"})
    hold(answer.ok, f"erasing: {answer}")


def ends(desk, side, paths, end):
    """A second after a right has ended nothing more comes, and nothing is recorded in that name."""
    if end is disabled and "patch" not in paths.get("/v1/users/{id}", {}):
        return print("disabled: no such route here")
    number = f"+4477009010{('signed_out', 'revoked', 'disabled', 'erased').index(end.__name__):02}"
    phone = side.register(number)
    chat, session = desk.chat(phone)
    say(chat, session, "first")
    stream = film.begin(phone, session)
    sender, _ = film.connect(phone, stream)
    reader, isCaller = phone, end is erased
    if not isCaller:
        reader = side.staff("operator", f"-{end.__name__.replace('_', '-')}")
        hold(reader.post(f"/v1/sessions/{session}/claim").ok, "claiming")
    else:
        # An open session keeps its person: the erasure waits for its end.
        sender.drop()
        chat.drop()
    open_ones = Open(reader, session, stream, isCaller)
    reader.session = session
    if isCaller:
        boss = side.people["supervisor"]
        hold(boss.post(f"/v1/sessions/{session}/close", {"disposition": "handled"}).ok, "closing")
    else:
        say(chat, session, "seen by whoever is there")
        until = time.monotonic() + 20
        while not any(b"seen" in encoded(told) or "message" in str(told[2]) for told in open_ones.told) and time.monotonic() < until:
            time.sleep(0.02)
        hold(open_ones.told, f"{end.__name__}: nothing was told before, so that silence proves nothing")
    end(desk, side, reader)
    ended = time.monotonic()
    time.sleep(1)
    if not isCaller:
        for number in range(5):
            say(chat, session, f"after the end {number}")
        sender.drop()
    time.sleep(1)
    late = [(name, message) for at, name, message in open_ones.told if at > ended + 1]
    hold(not late, f"{end.__name__}: {len(late)} came a second after, first {late[:1]}")
    left = set(open_ones.all) | {"feed"}
    hold(open_ones.closed == left, f"{end.__name__}: still open: {left - open_ones.closed}")
    if not isCaller:
        name = f"operator/{reader.name}"
        written = [entry for entry in desk.entries() if entry["actor"] == name and entry["type"].startswith("chat.")]
        words = [entry for entry in desk.entries() if entry["type"] == "chat.message_sent/1" and entry["subject"] == f"session/{session}"]
        hold(all(int(entry["position"]) < int(words[-5]["position"]) for entry in written), f"{end.__name__}: recorded in the name of who had left: {written[-1:]}")
        chat.drop()
    print(f"{end.__name__}: {', '.join(sorted(left))} closed, nothing more came")


def encoded(told):
    return told[2] if isinstance(told[2], bytes) else str(told[2]).encode()


if __name__ == "__main__":
    parser = centre.arguments(__doc__)
    parser.add_argument("--table", action="store_true", help="print who reads what")
    centre.run(main, parser.parse_args())
