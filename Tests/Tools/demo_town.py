# SPDX-License-Identifier: Apache-2.0
"""A town whose people keep a demo busy: they ask for help, move, film, report and walk rounds, by the public interfaces alone.

What they do is bounded: a few phones have one conversation each, few of them wait at once, and a program's operator takes and closes whatever nobody else
takes. An hour of it is some 4,000 events and 20 MB of video; after `CONVERSATIONS_MOST` conversations the town is quiet.
"""

import json
import math
import os
import random
import struct
import threading
import time

from daybook import new_id

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
MEDIA = os.path.join(ROOT, "fixtures", "media")

# Numbers that the regulator keeps for films and books: nobody has them.
NUMBERS = [f"+44770090{number:04d}" for number in (121, 134, 158, 187, 199)]
OPERATOR = "olga"

# Seconds: between two conversations of the town, until the town's operator takes what nobody else took, until a supervisor closes what stands still.
PAUSE, PATIENCE, STILL = (25, 60), 90, 900
# A wish to show video ends after two minutes.
PATIENCE_TO_SHOW = 60
WAITING_MOST = 3
CONVERSATIONS_MOST = 300
LOCATIONS_MOST = 15
LOOK = 3

# What callers write, a message at a time; and how far from the middle of the town they are, in degrees.
CALLS = [
    ("a tree fell on a car", ["Hello, a tree has come down on a car.", "Somebody is inside, she answers me.", "Station Road, next to the bakery."]),
    ("smoke", ["There is smoke from the roof of the school.", "No flames that I can see.", "The children are in the yard."]),
    ("a fall", ["My father fell down the stairs.", "He is 71 and his leg hurts badly.", "12 Mill Lane, the door is open."]),
    ("a crash", ["Two cars crashed at the roundabout.", "One driver is bleeding from the head.", "Traffic is going around us."]),
    ("an allergy", ["My friend ate nuts and cannot breathe well.", "Her lips are swelling.", "We are at the picnic place by the canal."]),
    ("a lost walker", ["I am lost in the woods and it gets dark.", "My ankle is twisted, I walk slowly.", "The phone has 20 percent left."]),
    ("a burglar", ["Somebody is breaking into the shop opposite.", "Two people, one with a torch.", "I am upstairs and can see them."]),
]
ANSWERS = ["Yes.", "I think so.", "No, not that I can see.", "He is awake and talks to me.", "Please hurry.", "All right, I stay here.", "Can you tell me what to do?"]
HELP = ["The emergency centre here. Help is on its way to you.", "Stay where it is safe. Is anybody hurt?", "They are with you in a minute. I close the chat now; write again if anything changes."]
REPORTS = [
    ("seal", "medium", "entangled", "a net around its neck, below the pier"), ("dog", "small", "injured", "limps along the towpath"),
    ("swan", "medium", "unknown", "sits on the road and does not move"), ("fox", "small", "alive", "its head is in a tin"),
]
VIDEO, PIECE_SECONDS = "browser-320x180", 0.35
SETTINGS = {"width": 320, "height": 180, "framesPerSecond": 30, "kilobitsPerSecond": 400, "quality": "low", "camera": "back", "codec": "vp9"}


class Ended(Exception):
    """The town has ended, or the conversation has."""


class Town:
    """Threads, one for each who lives there; `end` stops them all."""

    def __init__(self, door, admin, supervisor, guard, rescuer, hire, register, seed=1):
        self.door, self.admin, self.supervisor, self.guard, self.rescuer = door, admin, supervisor, guard, rescuer
        self.middle, self.chance = (51.6565, -0.3903), random.Random(seed)
        self.over, self.lock, self.threads = threading.Event(), threading.Lock(), []
        self.waiting, self.conversations, self.faults = 0, 0, []
        self.operator = hire(OPERATOR, "operator", name="Olga (bot)")
        self.phones = [register(number) for number in NUMBERS]

    def begin(self):
        tour = self.tour()
        parts = [(self._calls, phone, number) for number, phone in enumerate(self.phones)]
        parts += [(self._reports, self._own(self.phones[-1]), self._own(self.rescuer)), (self._rounds, self._own(self.guard), tour)]
        parts.append((self.keep_signed_in, self._own(self.operator), self._own(self.supervisor)))
        for part in parts:
            thread = threading.Thread(target=self._guarded, args=part, daemon=True)
            thread.start()
            self.threads.append(thread)

    def end(self):
        self.over.set()
        for thread in self.threads:
            thread.join(10)

    # MARK: Time

    def _pause(self, seconds):
        if self.over.wait(seconds):
            raise Ended

    def _between(self, low, high):
        with self.lock:
            return self.chance.uniform(low, high)

    def _one(self, of):
        with self.lock:
            return self.chance.choice(of)

    def _guarded(self, part, *arguments):
        """A resident's life; what goes wrong in it ends no other's, and it begins again."""
        while not self.over.is_set():
            try:
                part(*arguments)
            except Ended:
                return
            except Exception as fault:  # the gateway was stopped, or a visitor did something first
                self.faults = self.faults[-20:] + [f"{part.__name__}: {fault!r}"[:300]]
                if self.over.wait(20):
                    return

    @staticmethod
    def _own(client):
        """The same person on a connection of their own: a connection is one thread's."""
        return client.signed_in(client.token)

    # MARK: Callers

    def _calls(self, phone, number):
        self._pause(number * self._between(15, 30))
        while self.conversations < CONVERSATIONS_MOST:
            if self._may_call():
                conversation = Conversation(self, phone)
                try:
                    conversation.run()
                finally:
                    conversation.waits_no_more()
            self._pause(self._between(*PAUSE))

    def _may_call(self):
        with self.lock:
            if self.waiting >= WAITING_MOST:
                return False
            self.waiting += 1
            self.conversations += 1
            return True

    def keep_signed_in(self, *people):
        """Silence signs out who answers; those whom the town plays do not wait for that."""
        while True:
            self._pause(120)
            for person in people:
                person.get("/v1/me")

    # MARK: In the field

    def _reports(self, phone, rescuer):
        """A caller reports an animal, and the rescuer sees to it, step by step."""
        self._pause(self._between(20, 60))
        while True:
            species, size, condition, notes = self._one(REPORTS)
            fix = {"latitude": self.middle[0] + self._between(-0.01, 0.01), "longitude": self.middle[1] + self._between(-0.01, 0.01)}
            body = {"fix": fix, "species": species, "sizeClass": size, "condition": condition, "notes": notes}
            report = phone.post("/v1/reports", body).json["report"]
            for status in ("acknowledged", "heading_out", "on_scene", "rescued"):
                self._pause(self._between(30, 70))
                if not rescuer.post(f"/v1/reports/{report}/status", {"to": status}).ok:
                    break  # somebody else moved it along
            self._pause(self._between(120, 240))

    def tour(self):
        """A tour of three places around the post office."""
        points = []
        for name, north, east in (("Main gate", 0.0008, 0), ("Loading bay", 0.0012, 0.0009), ("Car park", -0.0004, 0.0014)):
            fix = {"latitude": self.middle[0] + north, "longitude": self.middle[1] + east}
            made = self.admin.post("/v1/patrol-points", {"site": "Watford", "name": name, "radiusMetres": 50, **fix}).json["point"]
            code = self.admin.get(f"/v1/patrol-points/{made}/qr").json["code"]
            points.append((made, {"code": code, "fix": {**fix, "accuracyMetres": 8}}))
        body = {
            "site": "Watford", "name": "Around the post office", "isOrdered": True, "graceSeconds": 120,
            "points": [{"point": point, "fromSeconds": 0, "untilSeconds": 120 * (place + 1)} for place, (point, _) in enumerate(points)],
        }
        return self.supervisor.post("/v1/tours", body).json["tour"], points

    def _rounds(self, guard, tour):
        """The guard walks; now and then something keeps them from the last place, and they raise the alarm. A visitor may be the guard as well, and go first."""
        tour, points = tour
        self._pause(5)
        while True:
            guard.post(f"/v1/tours/{tour}/rounds")
            for place, (_, scan) in enumerate(points):
                is_late = place == len(points) - 1 and self._between(0, 1) < 0.4
                if is_late:
                    guard.post("/v1/guard-alarms", {"fix": scan["fix"]})
                self._pause(self._between(380, 420) if is_late else self._between(50, 90))
                guard.post("/v1/check-ins", scan)
            self._pause(self._between(60, 120))


class Conversation:
    """One contact of a phone with the centre, from the first word to the end."""

    def __init__(self, town, phone):
        self.town, self.phone = town, town._own(phone)
        self.operator, self.supervisor = town._own(town.operator), town._own(town.supervisor)
        self.began = self.heard = time.monotonic()
        self.is_ours, self.is_waiting, self.helped, self.fixes, self.answered = False, True, 0, 0, set()
        self.angle = town._between(0, 2 * math.pi)
        # Every third wants to show instead of writing.
        self.shows = town.conversations % 3 == 2
        self.patience = PATIENCE_TO_SHOW if self.shows else PATIENCE
        self.films = threading.Thread()

    def run(self):
        town = self.town
        self.socket = self.phone.socket("/chat", bearer=False)
        try:
            self.socket.send_json({"Type": "start_session", "Token": self.phone.token})
            self.session = self.socket.wait_for(lambda frame: frame.get("IncidentID"))["IncidentID"]
            self._consent(self.phone, "location")
            if self.shows:
                wish = self.phone.post(f"/v1/sessions/{self.session}/video-wish")
                if not wish.ok:
                    raise RuntimeError(f"a wish to show video: {wish}")
            else:
                self._write_all()
            while self._goes_on():
                self._hear()
        finally:
            self.socket.close()

    def _consent(self, phone, scope):
        phone.post(f"/v1/sessions/{self.session}/consents", {"scope": scope, "decision": "granted", "textVersion": "2026-01"})

    def _write_all(self):
        for text in self.town._one(CALLS)[1]:
            self._write(text)
            self.town._pause(self.town._between(3, 7))

    def _write(self, text):
        self.socket.send_json({"IncidentID": self.session, "Type": "session", "Status": "active"})
        self.town._pause(min(3, len(text) / 20))
        self.socket.send_json({
            "IncidentID": self.session, "Type": "message", "Message": text,
            "Timestamp": str(int(time.time())), "TempMessageID": new_id(),
        })

    def _hear(self):
        """Takes what the operator writes for some seconds, and answers it."""
        end = time.monotonic() + LOOK
        while time.monotonic() < end:
            self.town._pause(0)
            try:
                frame = self.socket.receive_json(max(0.05, end - time.monotonic()))
            except TimeoutError:
                return
            if frame is None:
                raise ConnectionResetError("the gateway closed the chat")
            if frame.get("Type") == "message" and not self.is_ours:
                self.heard = time.monotonic()
                self.town._pause(self.town._between(2, 5))
                self._write(self.town._one(ANSWERS))

    def _goes_on(self):
        """Looks how the conversation stands and does what is next; tells whether it goes on."""
        found = self.phone.get(f"/v1/sessions/{self.session}").json
        session = found["session"]
        if session["state"] in ("closed", "expired"):
            return False
        if session.get("owner") and self.is_waiting:
            self._is_taken()
        self._move()
        for request in found["requests"]:
            self._answer(request)
        waited = time.monotonic() - self.began
        if not session.get("owner") and waited > self.patience:
            self.is_ours = self.operator.post(f"/v1/sessions/{self.session}/claim").ok
        elif self.is_ours:
            self._help()
        elif time.monotonic() - self.heard > STILL:
            # Whoever has it has been silent for long: the phone is to be free again.
            self.supervisor.post(f"/v1/sessions/{self.session}/close", {"disposition": "no_contact"})
        return True

    def _is_taken(self):
        self.waits_no_more()
        self.heard = time.monotonic()
        if self.shows:
            self._film()

    def waits_no_more(self):
        """Somebody has it, or it is over: another may begin."""
        with self.town.lock:
            self.town.waiting -= self.is_waiting
            self.is_waiting = False

    def _move(self):
        """The phone tells where it is, on its way around the post office, at times past its cameras."""
        if self.fixes >= LOCATIONS_MOST or time.monotonic() - self.began < 8 * self.fixes:
            return
        self.fixes += 1
        self.angle += 0.09
        self._place({})

    def _place(self, more):
        north, east = 0.002 * math.sin(self.angle), 0.003 * math.cos(self.angle)
        fix = {"latitude": round(self.town.middle[0] + north, 6), "longitude": round(self.town.middle[1] + east, 6), "accuracyMetres": 15}
        self.phone.post(f"/v1/sessions/{self.session}/locations", {"fix": fix, "method": "gps", **more})

    def _answer(self, request):
        """Whoever is asked for the place or for video says yes, once."""
        if request["id"] in self.answered or request.get("outcome") or request.get("answer"):
            return
        self.answered.add(request["id"])
        self.heard = time.monotonic()
        self.town._pause(2)
        if not self.phone.post(f"/v1/requests/{request['id']}/answer", {"session": self.session, "answer": "accepted"}).ok:
            return
        if request["ask"] == "send_location":
            self._place({"request": request["id"]})
        elif request["ask"] == "start_video":
            self._film()

    def _help(self):
        """The town's operator writes, asks for the place, raises an alert now and then, and closes."""
        number, self.helped = self.helped // 4, self.helped + 1
        if self.helped % 4 != 1:
            return
        if number < len(HELP):
            self.operator.post(f"/v1/sessions/{self.session}/messages", {"text": HELP[number], "temporaryID": new_id()})
            if number == 1 and self.town._between(0, 1) < 0.3:
                alert = {"cause": f"session/{self.session}", "severity": "warning", "template": "ambulance-needed", "sms": NUMBERS[0], "timeToLiveSeconds": 600}
                self.operator.post("/v1/alerts", alert)
        else:
            self.operator.post(f"/v1/sessions/{self.session}/close", {"disposition": "handled"})

    # MARK: Video

    def _film(self):
        if self.films.is_alive():
            return
        self.films = threading.Thread(target=self._filming, args=[self.town._own(self.phone)], daemon=True)
        self.films.start()

    def _filming(self, phone):
        """Plays a recorded video as a camera would send it, in its own time."""
        try:
            self._consent(phone, "video")
            made = phone.post(f"/v1/sessions/{self.session}/streams", dict(SETTINGS, transport="websocket"))
            if not made.ok:
                return
            socket = phone.socket(f"/v1/streams/{made.json['id']}/ingest")
            try:
                self._send(socket)
                socket.send_json({"type": "stop", "reason": "the caller stopped filming"})
                socket.wait_for(lambda frame: frame["type"] == "stopped")
            finally:
                socket.close()
        except (Ended, OSError, TimeoutError):
            return  # the operator closed the session, or the town has ended

    def _send(self, socket):
        socket.send_json(dict(SETTINGS, type="settings"))
        socket.wait_for(lambda frame: frame["type"] == "resume")
        name = os.path.join(MEDIA, VIDEO)
        with open(name + ".webm", "rb") as file, open(name + ".pieces.json") as lengths:
            data, lengths = file.read(), json.load(lengths)["lengths"]
        offset = 0
        for length in lengths:
            socket.send_bytes(struct.pack("!IQ", 0, offset) + data[offset:offset + length])
            offset += length
            self.town._pause(PIECE_SECONDS)
        socket.send_json({"type": "end", "part": 0})
