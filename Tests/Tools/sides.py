# SPDX-License-Identifier: Apache-2.0
"""Two organisations of one gateway with the same people in both: an operator, somebody who takes one role after the other, phones of the same
numbers; and in each the same things: a conversation that is handled, one that has ended, one that was sealed, and whatever else has an owner."""

import threading

import film
from centre import PASSWORD, hold
from daybook import new_id
from private_session import PICTURE
from rights import Reader, Thing

#: In the order in which they are made: what has ended leaves room for the next.
NUMBERS = {"sealed": "+447700900125", "ended": "+447700900124", "handled": "+447700900123", "guest": "+447700900126"}


class Side:
    def __init__(self, desk, name):
        self.desk, self.name, self.admin = desk, name, desk.client(desk.admin.token)
        # Each password that is hashed costs its time, so that two accounts walk through all roles.
        self.operator = desk.staff(f"operator-{name}", organisation=name, by=self.admin)
        self.mover = desk.staff(f"mover-{name}", "supervisor", organisation=name, by=self.admin)
        self.boss = self.mover
        self.camera = self.set_up_camera()
        self.phones = {state: self.register(number, self.operator) for state, number in NUMBERS.items() if state != "guest"}
        self.reporter = self.register("+447700900130", self.operator, "reporter")

    def register(self, number, by, role="caller"):
        code = by.post("/v1/devices/codes", {"phone": number, "role": role, "reason": "telephoned"})
        hold(code.status == 201, f"a code for {number}: {code}")
        device = self.desk.client().post("/v1/devices", {"phone": number, "code": code.json["code"]}, key=False)
        hold(device.status == 201, f"registering {number}: {device}")
        client = self.desk.client(device.json["token"])
        client.phone, client.device = number, device.json["device"]
        return client

    def set_up_camera(self):
        """A camera of the side that is off; who is at the desk may look at it."""
        viewers = [{"role": role, "fromMinute": 0, "untilMinute": 1440} for role in ("operator", "supervisor")]
        camera = {"site": f"Plant of {self.name}", "number": 1, "name": "Gate", "floor": 0, "latitude": 52.4, "longitude": -1.9, "source": "mjpeg", "width": 320, "height": 180,
                  "framesPerSecond": 5, "kilobitsPerSecond": 100, "keptDays": 1, "keptBytes": 1 << 30, "frame": {"x": 0, "y": 0, "width": 320, "height": 180}, "neighbours": {},
                  "viewers": viewers, "isOn": False}
        made, manager = new_id(), self.desk.staff(f"manager-{self.name}", "org-admin", organisation=self.name, by=self.admin)
        answer = manager.put(f"/v1/cameras/{made}", camera)
        hold(answer.ok, f"setting a camera up: {answer}")
        return made

    def move(self, role):
        """The same account in another role, signed in anew."""
        changed = self.admin.request("PATCH", f"/v1/users/{self.mover.name}", {"role": role, "reason": "the walk goes on"})
        hold(changed.ok, f"{self.mover.name} becomes {role}: {changed}")
        login = self.desk.client().post("/v1/auth/login", {"login": f"mover-{self.name}", "password": PASSWORD}, key=False)
        hold(login.ok, f"signing in as {role}: {login}")
        client = self.desk.client(login.json["token"])
        client.name = self.mover.name
        return client

    # MARK: Things

    def fill(self):
        """Makes everything there is to be reached."""
        self.conversations = [self.converse(state) for state in self.phones]
        self.guests = self.by_link()
        self.other = Thing("other things", self.name, self.others(), words=[f"notes of {self.name}"])
        # A phone of the same number that came later, admitted by nobody to what was before it (ruling 39).
        self.newcomer = self.register(NUMBERS["handled"], self.boss)
        return self

    def converse(self, state):
        phone, ours = self.phones[state], self.operator
        chat, session = self.desk.chat(phone)
        hold(ours.post(f"/v1/sessions/{session}/claim").ok, "claiming")
        names = self.talk(phone, chat, session, f"the secret word of {self.name}, {state}", ours)
        if state != "handled":
            hold(ours.post(f"/v1/sessions/{session}/close", {"disposition": "handled"}).ok, "closing")
        if state == "sealed":
            hold(self.boss.post(f"/v1/sessions/{session}/seal", {"reason": "a colleague"}).ok, "sealing")
        return Thing(state, self.name, names, state, ours.name, phone, [f"the secret word of {self.name}, {state}"])

    def talk(self, phone, chat, session, words, owner):
        """Everything that can hang on a conversation; its names."""
        say(chat, session, words)
        picture = phone.post(f"/v1/sessions/{session}/pictures", PICTURE)
        hold(picture.status == 201, f"a picture: {picture}")
        stream = film.begin(phone, session)
        socket, _ = film.connect(phone, stream)
        film.send(socket, film.recorded())
        socket.close()
        asked = owner.post(f"/v1/sessions/{session}/requests", {"ask": "send_location"})
        # A session that was opened for video has asked already.
        hold(asked.status in (201, 409), f"asking: {asked}")
        shown = owner.get(f"/v1/sessions/{session}", headers={"Daybook-After": picture.headers["Daybook-Position"]}).json["session"]
        address = owner.put(f"/v1/incidents/{shown['incident']}/address", {"address": f"5 Elm Road, {words}"})
        hold(address.ok, f"an address: {address}")
        kept = owner.post(f"/v1/incidents/{shown['incident']}/footage", {"camera": self.camera, "from": "2026-01-28T12:00:00Z", "until": "2026-01-28T12:01:00Z"})
        hold(kept.ok, f"keeping footage: {kept}")
        return {"session": session, "incident": shown["incident"], "number": kept.json["position"], "stream": stream, "message": picture.json["message"], "request": asked.json["request"],
                "position": picture.json["position"], "part": "0", "caller": shown["caller"]}

    def by_link(self):
        """The guest of a one-use link, in the session that it was for; it waits again for somebody to take it."""
        opened = self.boss.post("/v1/sessions", {"phone": NUMBERS["guest"], "channel": "video"})
        hold(opened.status == 201, f"opening a session: {opened}")
        opened = opened.json
        link = self.boss.post(f"/v1/sessions/{opened['session']}/links", {}).json
        used = self.desk.client().post("/v1/links/use", {"link": link["path"], "code": link["code"]}, key=False)
        hold(used.ok, f"using the link: {used}")
        self.guest = self.desk.client(used.json["token"])
        chat = self.guest.socket("/chat")
        chat.send_json({"Type": "start_session", "IncidentID": opened["session"]})
        chat.wait_for(lambda frame: frame["Type"] == "session")
        words = f"the secret word of {self.name}, by link"
        names = self.talk(self.guest, chat, opened["session"], words, self.boss)
        hold(self.boss.post(f"/v1/sessions/{opened['session']}/release").ok, "giving it up")
        return Thing("waiting", self.name, names, "waiting", None, self.guest, [words])

    def others(self):
        boss, word, names = self.boss, f"notes of {self.name}", self.conversations[-1].names
        service = self.admin.post("/v1/users", {"login": f"sensors-{self.name}", "role": "service", "name": "Sensors", "organisation": self.name})
        issued = self.admin.post(f"/v1/users/{made(service)['user']['id']}/tokens", {"password": PASSWORD, "lifeSeconds": 3600}, key=False)
        self.service = self.desk.client(made(issued)["token"])
        report = {"fix": {"latitude": 52.4, "longitude": -1.9}, "species": "seal", "sizeClass": "small", "condition": "injured", "notes": word}
        report = made(boss.post("/v1/reports", report))["report"]
        return {
            "report": report,
            "photo": made(boss.post(f"/v1/reports/{report}/photos", PICTURE))["photo"],
            "alert": made(boss.post("/v1/alerts", {"cause": f"session/{names['session']}", "severity": "warning", "template": "t", "sms": "+447700900999"}))["alert"],
            "point": made(boss.post("/v1/patrol-points", {"site": word, "name": "gate", "latitude": 52.4, "longitude": -1.9, "radiusMetres": 50}))["point"],
            "hold": made(boss.post("/v1/holds", {"scope": f"session/{names['session']}", "reason": word, "authority": "court"}))["hold"],
            "person": names["caller"], "user": service.json["user"]["id"], "device": self.phones["ended"].device, "session": names["session"],
            "incident": names["incident"], "token": issued.json["id"], "maker": self.mover.name,
        }

    @property
    def things(self):
        return [*self.conversations, self.guests, self.other]

    # MARK: Readers

    def reader(self, role, client):
        return Reader(f"{self.name}'s {role}", client, role, self.name, user=client.name)

    def lasting(self):
        """Who keeps one role: the operator of the conversations, phones, the guest and the service."""
        phones = [Reader(f"{self.name}'s caller, {state}", client, "caller", self.name) for state, client in self.phones.items()]
        return [
            Reader(f"{self.name}'s owner", self.operator, "operator", self.name, user=self.operator.name), *phones,
            Reader(f"{self.name}'s newcomer", self.newcomer, "caller", self.name, is_new=True),
            Reader(f"{self.name}'s reporter", self.reporter, "reporter", self.name),
            Reader(f"{self.name}'s guest", self.guest, "caller", self.name, is_guest=True),
            Reader(f"{self.name}'s service", self.service, "service", self.name, user=self.other.names["user"]),
        ]


def made(answer):
    hold(answer.status == 201, f"making what is to be reached: {answer}")
    return answer.json


def say(chat, session, words):
    chat.send_json({"IncidentID": session, "Type": "message", "Message": words, "Timestamp": "1", "TempMessageID": words})
    chat.wait_for(lambda frame: frame["Type"] == "message_report")


def together(works):
    """Does several things at once, and fails as the first that fails."""
    results, failures = [None] * len(works), []

    def run(number, work):
        try:
            results[number] = work()
        except BaseException as failure:
            failures.append(failure)
    threads = [threading.Thread(target=run, args=pair, daemon=True) for pair in enumerate(works)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
    return results
