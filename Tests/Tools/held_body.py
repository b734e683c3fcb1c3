#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A right that ends while the body of a request is held back counts for nothing: every described route that takes a body, asked with its head and one byte,
then the right is taken away, then comes the rest. It answers as it does to whoever asks at once, and nothing is recorded of what it was asked.

Routes, bodies and roles come from Documentation/openapi.yaml, so that a new one cannot be forgotten. Each is asked by who signs out meanwhile, and, where
accounts may ask, by whose account is disabled or gets another role meanwhile. What is claimed, promoted or shut out meanwhile is tried in the suites of the gateway.

  held_body.py --daybook PATH
"""

import json
import socket

import centre
from centre import PASSWORD, Centre, hold
from daybook import DEADLINE, Answer, new_id, until
from rights import fill, routes
from sides import Side

#: The right that ends is what they are about; and their bodies are pieces, before each of which it is asked again.
LEFT_OUT = ("POST /v1/auth/logout", "PUT /v1/streams/{id}/parts/{part}")
#: What is recorded of whoever comes and goes.
COMING_AND_GOING = ("access.", "user.logged_", "user.password_changed", "device.registered")
#: Who asks, the first that may.
ROLES = ("supervisor", "operator", "org-admin", "admin", "guard", "caller")


def main(options, folder):
    desk = Centre(options.daybook, folder).open()
    side = Side(desk, "main").fill()
    asked = [route for route in routes() if route.node.get("requestBody") and not (route.right.is_open or route.right.is_partly) and str(route) not in LEFT_OUT]
    hold(len(asked) > 30, f"only {len(asked)} routes take a body")
    tried, faults, actors = 0, [], set()
    for number, route in enumerate(asked):
        role = next((one for one in ROLES if one in route.right.roles or "any" in route.right.roles), "caller" if route.right.is_own else None)
        hold(role, f"{route}: nobody of {ROLES} may ask, but {route.right.roles}")
        thing = next(one for one in side.conversations if one.state == "handled")
        names = {**side.other.names, **thing.names}
        # Accounts end in other ways, too; a lost phone by being ended, which is the same to it.
        for ending in [signs_out] if role == "caller" else [signs_out, (is_disabled, becomes_another)[number % 2]]:
            def held_back():
                """Both answers; nothing where the rest came later than the gateway waits for a body, which shows nothing of rights."""
                nonlocal tried
                tried += 1
                client = newcomer(desk, side, role, tried)
                actors.add(client.get("/v1/me").json["actor"])
                held = Held(desk, client, route, names)
                ending(desk, client)
                answer = held.rest()
                return (answer, Held(desk, client, route, names).rest()) if answer.status != 408 else None

            answer, at_once = until(held_back, f"{route}: the rest of the body comes in time")
            if (answer.status, kind(answer)) != (at_once.status, kind(at_once)) or answer.ok:
                faults.append(f"{route}, whose asker {ending.__name__}: held back {answer}, at once {at_once}")
    written = [(entry["actor"], entry["type"]) for entry in desk.entries() if entry["actor"] in actors and not entry["type"].startswith(COMING_AND_GOING)]
    faults += [f"{actor} wrote {kind}" for actor, kind in written]
    for fault in faults:
        print(fault)
    print(f"{tried} bodies held back before {len(asked)} routes, {len(faults)} answered otherwise than at once")
    hold(not faults, "who holds a body back keeps a right that has ended")
    desk.stop()
    desk.verify()


def newcomer(desk, side, role, number):
    """Somebody new of a role, who has nothing yet but the right to ask."""
    if role == "caller":
        return side.register(f"+4477009{number:05}", side.operator)
    return desk.staff(f"asker-{number}", role, organisation=side.name, by=side.admin) if role != "admin" else desk.staff(f"asker-{number}", "admin")


def signs_out(desk, client):
    hold(client.post("/v1/auth/logout").ok, "signing out")


def is_disabled(desk, client):
    hold(desk.admin.request("PATCH", f"/v1/users/{client.name}", {"disabled": True, "reason": "it is tried"}).ok, "disabling")


def becomes_another(desk, client):
    hold(desk.admin.request("PATCH", f"/v1/users/{client.name}", {"role": "analyst", "reason": "it is tried"}).ok, "another role")


def kind(answer):
    return json.loads(answer.body).get("type") if answer.body else None


class Held:
    """A request of which the gateway has the head, and waits for the rest."""

    def __init__(self, desk, client, route, names):
        content = route.node["requestBody"]["content"]
        media = "application/json" if "application/json" in content else next(iter(content))
        example = fill(content[media].get("example", {}), names) if media == "application/json" else None
        if isinstance(example, dict) and "password" in example:
            example["password"] = PASSWORD
        self.bytes = json.dumps(example).encode() if example is not None else b"\x1a\x45\xdf\xa3"
        path = route.path.replace("{id}", str(names.get(route.kind, new_id())))
        path = fill(path, names)
        self.socket = socket.create_connection(("127.0.0.1", desk.port), timeout=DEADLINE)
        self.file = self.socket.makefile("rb")
        self.socket.sendall(f"{route.method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{desk.port}\r\nAuthorization: Bearer {client.token}\r\nIdempotency-Key: {new_id()}\r\n"
                            f"Content-Type: {media}\r\nContent-Length: {len(self.bytes)}\r\nExpect: 100-continue\r\n\r\n".encode())
        # The gateway says when it waits for the body: whatever it asks before, it has asked.
        self.answer = self.read()
        if self.answer.status == 100:
            self.socket.sendall(self.bytes[:1])

    def rest(self):
        if self.answer.status == 100:
            self.socket.sendall(self.bytes[1:])
            self.answer = self.read()
        self.socket.close()
        return self.answer

    def read(self):
        status = int(self.file.readline().split()[1])
        headers = {}
        while (line := self.file.readline()) not in (b"\r\n", b""):
            name, value = line.decode().split(":", 1)
            headers[name.strip().lower()] = value.strip()
        return Answer(status, headers, self.file.read(int(headers.get("content-length", 0))))


if __name__ == "__main__":
    centre.run(main, centre.arguments(__doc__).parse_args())
