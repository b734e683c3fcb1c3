#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plays a whole incident through a real gateway, by its public interfaces alone, and checks what the ledger says.

Run by `make demo`. On a terminal the gateway goes on at the end, with a town that keeps asking for help, and a start page on which one signs in as
anybody; elsewhere it ends by itself, with exit code 0 only if every check holds.
"""

import argparse
import collections
import datetime
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import threading
import time

from daybook import Client, Gateway, new_id, until
from demo_cameras import Cameras
from demo_outside import Outside
from demo_town import Town
from passer_by import add_photo, submit
from sip_phone import Phone, pidf, sip_port

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
MEDIA = os.path.join(ROOT, "fixtures", "media")
STREET = os.path.join(ROOT, "fixtures", "pictures", "street.jpg")
ON_TERMINAL = sys.stdout.isatty()

# What the source document's user writes, one bit of information a message.
MESSAGES = ["ambulance", "man having heart attack", "valley road watford", "outside post office"]
# Two of the numbers on the source's screens.
FIRST_NUMBER, SECOND_NUMBER = "+447712345678", "+447712345754"
TEXTING_NUMBER = "+447700900123"
# A citizen, and whom she alerts.
TESS_NUMBER, BEN_NUMBER, MIA_NUMBER, MIA_ADDRESS = "+447700900246", "+447700900247", "+447700900248", "mia@demo.example"
OF_TESS = {BEN_NUMBER, MIA_NUMBER, MIA_ADDRESS}
# The post office in Valley Road.
POST_OFFICE = (51.6565, -0.3903)
PIECES = [("browser-320x180", "low", 400, 320, 180), ("browser-640x360", "medium", 500, 640, 360)]


def coloured(code, text):
    return f"\033[{code}m{text}\033[0m" if ON_TERMINAL else text


def chapter(title):
    print("\n" + coloured("1;36", title))


def say(who, what):
    print(f"  {coloured('1', who.ljust(10))} {what}", flush=True)


class Checks:
    """What must hold at the end; each is printed as it is looked at."""

    def __init__(self):
        self.failed = 0

    def that(self, holds, what, fact=""):
        self.failed += not holds
        mark = coloured("32", "ok  ") if holds else coloured("1;31", "FAIL")
        print(f"  {mark} {what}" + (f": {fact}" if fact != "" else ""), flush=True)


def together(calls):
    """Does several things at once; fails if one of them does."""
    faults = []

    def guarded(call, arguments):
        try:
            call(*arguments)
        except BaseException as fault:  # told below, in the main thread
            faults.append(fault)

    threads = [threading.Thread(target=guarded, args=one) for one in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if faults:
        raise faults[0]


def now():
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def expect(answer, *statuses):
    """The answer, if it has one of these statuses."""
    if answer.status not in statuses:
        raise SystemExit(f"the gateway answered {answer}, where {' or '.join(map(str, statuses))} was expected")
    return answer


class Play:
    """The incident, act by act."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.key = os.path.abspath(folder) + ".master-key"
        self.log = os.path.abspath(folder) + ".log"
        self.people, self.sent = {}, collections.OrderedDict()
        self.checks = Checks()

    # MARK: Acts

    def open(self):
        chapter("A gateway on a fresh folder")
        for path in (self.log, self.key):
            if os.path.exists(path):
                os.remove(path)
        self.sip = sip_port()
        options = ["--demo", "--origin", "demo.example.org/main", "--master-key", self.key, "--sip", f"127.0.0.1:{self.sip}", "--camera-networks", "127.0.0.1/32"]
        self.gateway = Gateway(self.program, self.folder, options, log=self.log)
        self.door = self.gateway.start()
        self.address = f"http://127.0.0.1:{self.gateway.port}"
        say("gateway", f"{self.address}, ledger {self.door.get('/v1/ledger').json['origin']}, made as a demo")
        found = re.search(r"\b(?:[2-9a-z]{4}-){3}[2-9a-z]{4}\b", self.gateway.output)
        if not found:
            raise SystemExit(f"the gateway told no temporary password: {self.gateway.output}")
        self.people["admin"] = self.sign_in("admin", found[0])
        say("admin", "signs in with the temporary password, must change it, and does")
        self.outside = Outside()
        expect(self.outside.set_up(self.people["admin"], self.address), 200)
        say("admin", "sets up e-mail and SMS; here both servers are the demo's own, so nothing leaves this machine")

    def hire(self):
        staff = [
            ("amina", "operator", "123456789"), ("john", "operator", "987654321"), ("sue", "supervisor", None),
            ("gita", "guard", None), ("rosa", "rescuer", None), ("arne", "auditor", None),
            ("ines", "analyst", None),
        ]
        together([(self.employ, one) for one in staff])
        say("admin", "makes accounts: " + ", ".join(f"{login} ({role})" for login, role, _ in staff))
        self.first, self.second = self.register(FIRST_NUMBER), self.register(SECOND_NUMBER)
        say("callers", f"register two phones, {FIRST_NUMBER} and {SECOND_NUMBER}, by codes spoken on the line")

    def set_up_cameras(self):
        """Cameras film the post office from before the incident on."""
        chapter("Cameras at the post office")
        self.cameras = Cameras(POST_OFFICE)
        expect(self.cameras.set_up(self.people["admin"]), 200)
        self.filmed_from = now()
        say("admin", f"sets up {len(self.cameras.ids)} cameras on two floors, at which guards, operators and supervisors may look")
        say("gateway", "records them")

    def chat(self):
        chapter("A chat begins; two operators want it")
        self.phone = self.door.socket("/chat", bearer=False)
        self.phone.send_json({"Type": "start_session", "Token": self.first.token})
        opened = self.phone.receive_json()
        self.session = opened["IncidentID"]
        say("caller", f"start_session → {json.dumps(opened)}")
        self.phone.send_json({"IncidentID": self.session, "Type": "session", "Status": "active"})
        self.message_ids = [self.write(text, f"temp{number}") for number, text in enumerate(MESSAGES, 1)]
        say("caller", "writes: " + " / ".join(MESSAGES))
        again = self.write(MESSAGES[3], "temp4")
        self.checks_of_resend = (again, self.message_ids[3])
        say("caller", "sends the last message again, after a doubtful moment: it stays one message")

    def claim(self):
        answers = {}

        def ask(login):
            answers[login] = self.people[login].post(f"/v1/sessions/{self.session}/claim")

        together([(ask, [login]) for login in ("amina", "john")])
        self.winner = next(login for login, answer in answers.items() if answer.ok)
        self.loser = next(login for login in answers if login != self.winner)
        lost = expect(answers[self.loser], 409)
        self.refusal = lost.json
        say(self.winner, "claims the session")
        say(self.loser, f"loses: {lost.status} {self.refusal['detail']}")
        private = expect(self.people[self.loser].get(f"/v1/sessions/{self.session}/transcript"), 403)
        say(self.loser, f"may not read it either: {private.status} {private.json['title']}")
        self.desk = self.people[self.winner].socket("/chat")
        self.desk.send_json({"IncidentID": self.session, "Type": "start_session"})
        heard = [self.desk.wait_for(lambda m: m.get("Type") == "message")["Message"] for _ in MESSAGES]
        say(self.winner, f"opens the chat and reads {len(heard)} messages")
        self.desk.send_json({
            "IncidentID": self.session, "Type": "message", "Message": "An ambulance is on its way.",
            "Timestamp": str(int(time.time())), "TempMessageID": "desk1",
        })
        reply = self.phone.wait_for(lambda m: m.get("Type") == "message")
        say("caller", f"reads: {reply['Message']}")

    def text(self):
        chapter("A text by telephone, from somebody without the app")
        desk = self.people[self.loser]
        with Phone(self.sip, TEXTING_NUMBER) as phone:
            sent = phone.located("smoke on the stairs, flat 4", pidf(51.6557, -0.3965, 25)).deliver()
            say("telephone", f"MESSAGE sip:sos@127.0.0.1, with its place → {sent.status}")
            waiting = next(one for one in desk.get("/v1/sessions?state=open").json["items"] if one.get("isTelephone"))
            self.texting = waiting["id"]
            expect(desk.post(f"/v1/sessions/{self.texting}/claim"), 200)
            caller = desk.get(f"/v1/sessions/{self.texting}").json["telephone"]
            say(self.loser, f"claims it; the number {caller['number']} is {'certain' if caller['isVerified'] else 'not verified'}")
            expect(desk.post(f"/v1/sessions/{self.texting}/messages", {"text": "Leave the house. The fire brigade is coming."}), 201)
            heard = phone.waits_for_text("Leave the house")
            say("telephone", f"hears: {heard.text}")
            until(lambda: desk.get(f"/v1/sessions/{self.texting}").json["telephone"]["replies"][0]["state"] == "delivered", "the answer is delivered")
        expect(desk.post(f"/v1/sessions/{self.texting}/close", {"disposition": "handled"}), 200)

    def ask(self, what, owner, session, device):
        """The operator asks, the caller's phone says yes."""
        asked = expect(self.people[owner].post(f"/v1/sessions/{session}/requests", {"ask": what}), 201).json
        answer = {"session": session, "answer": "accepted"}
        expect(device.post(f"/v1/requests/{asked['request']}/answer", answer), 200)
        return asked["request"]

    def locate(self):
        consent = {"scope": "location", "decision": "granted", "textVersion": "2026-01"}
        expect(self.first.post(f"/v1/sessions/{self.session}/consents", consent), 200)
        request = self.ask("send_location", self.winner, self.session, self.first)
        fix = {"latitude": 51.6565, "longitude": -0.3903, "accuracyMetres": 12}
        body = {"fix": fix, "method": "gps", "request": request}
        expect(self.first.post(f"/v1/sessions/{self.session}/locations", body), 200, 201)
        say("caller", "is asked for the place and sends it: 51.6565, -0.3903 (± 12 m)")

    def film(self):
        chapter("Live video, with a connection that breaks")
        consent = {"scope": "video", "decision": "granted", "textVersion": "2026-01"}
        expect(self.first.post(f"/v1/sessions/{self.session}/consents", consent), 200)
        self.ask("start_video", self.winner, self.session, self.first)
        body = dict(self.settings(0), transport="websocket")
        made = expect(self.first.post(f"/v1/sessions/{self.session}/streams", body), 201).json
        self.stream = made["id"]
        say("caller", f"films; the recording is {made['fileName']}")
        camera = Camera(self, self.first, self.stream)
        camera.send_part(0, breaking_at=0.45)
        camera.change(self.settings(1))
        camera.send_part(1)
        camera.stop()
        self.camera = camera
        say("gateway", f"archived every byte of both parts, {camera.resent:,} bytes that came twice only once")

    def second_call(self):
        chapter("A second caller, the same accident")
        operator = self.people[self.loser]
        body = {"phone": SECOND_NUMBER, "channel": "chat"}
        opened = expect(operator.post("/v1/sessions", body), 201).json
        self.other_session = opened["session"]
        expect(operator.post(f"/v1/sessions/{self.other_session}/claim"), 200)
        say(self.loser, f"opens a session for {SECOND_NUMBER}, found by the number")
        detail = expect(self.people[self.winner].get(f"/v1/sessions/{self.session}"), 200).json
        self.incident = detail["session"]["incident"]
        link = {"session": self.other_session, "reason": "same accident"}
        alone = expect(operator.post(f"/v1/incidents/{self.incident}/sessions", link), 403)
        say(self.loser, f"may not link it to a private one alone: {alone.status} {alone.json['title']}")
        expect(self.people["sue"].post(f"/v1/incidents/{self.incident}/sessions", link), 200)
        say("sue", "supervises, and links both as one incident; each may now read the other's session")
        expect(operator.get(f"/v1/sessions/{self.session}/transcript"), 200)
        address = {"address": "Post office, Valley Road, Watford"}
        expect(self.people[self.winner].put(f"/v1/incidents/{self.incident}/address", address), 200)

    def alert_is_delivered(self):
        items = self.people[self.winner].get(f"/v1/alerts?cause=incident/{self.incident}").json["items"]
        shown = next(one for one in items if one["id"] == self.alert)
        return shown if shown["state"] == "sent" and any(part.get("report") == "delivered" for part in shown["parts"]) else None

    def field(self):
        chapter("In the field")
        agency = {"name": "Watford Animal Rescue", "phone": "+44 1923 496000", "donationLink": "https://rescue.example/give", "base": {"latitude": 51.6565, "longitude": -0.3903}}
        place = f"/v1/agencies/{new_id()}"
        expect(self.people["admin"].put(place, agency), 200)
        expect(self.people["admin"].put(f"{place}/members", {"members": [self.people["rosa"].get("/v1/me").json["user"]]}), 200)
        expect(self.people["rosa"].put("/v1/reach", {"email": "rosa@demo.example", "phone": "+447700900457"}), 200)
        say("admin", "sets up a rescue agency, for which rosa works")
        self.rescue()
        report = {
            "fix": {"latitude": 51.66, "longitude": -0.39}, "species": "dog", "sizeClass": "medium",
            "condition": "injured", "notes": "ran from the accident",
        }
        self.report = expect(self.second.post("/v1/reports", report), 201).json["report"]
        say("caller 2", "reports a hurt dog")
        self.told(self.report)
        refused = expect(self.people["rosa"].post(f"/v1/reports/{self.report}/status", {"to": "rescued"}), 409)
        for status in ("acknowledged", "heading_out"):
            expect(self.people["rosa"].post(f"/v1/reports/{self.report}/status", {"to": status}), 200)
        say("rosa", f"acknowledges it and heads out; cannot skip a step: {refused.status} {refused.json['title']}")
        alert = {"cause": f"incident/{self.incident}", "severity": "critical", "template": "ambulance-needed",
                 "text": "Ambulance needed at the post office, Valley Road", "sms": SECOND_NUMBER, "email": "ambulance@demo.example"}
        self.alert = expect(self.people[self.winner].post("/v1/alerts", alert), 201).json["alert"]
        say(self.winner, "alerts the ambulance; the command waits for nobody outside")
        shown = until(self.alert_is_delivered, "the alert is delivered")
        say("gateway", "sends it: " + ", ".join(f"{part['channel']} {part.get('report') or part['state']} at attempt {part['attempts']}" for part in shown["parts"]))
        point = {"site": "Watford", "name": "Post office, back door", "latitude": POST_OFFICE[0], "longitude": POST_OFFICE[1],
                 "radiusMetres": 50}
        self.point = expect(self.people["admin"].post("/v1/patrol-points", point), 201).json["point"]
        code = expect(self.people["admin"].get(f"/v1/patrol-points/{self.point}/qr"), 200).json["code"]
        scan = {"code": code, "fix": {"latitude": 51.6565, "longitude": -0.3903, "accuracyMetres": 8}}
        expect(self.people["gita"].post("/v1/check-ins", scan), 201)
        again = expect(self.people["gita"].post("/v1/check-ins", scan), 409)
        say("gita", f"checks in at the back door; a second time: {again.status} {again.json['title']}")
        forged = expect(self.people["gita"].post("/v1/check-ins", {"code": code[:-4] + "0000"}), 422)
        say("gita", f"tries a forged code: {forged.status} {forged.json['title']}")

    def alarm(self):
        """A guard calls for help; what the camera nearest to that place shows is kept for the incident."""
        fix = {"latitude": POST_OFFICE[0], "longitude": POST_OFFICE[1], "accuracyMetres": 8}
        raised = expect(self.people["gita"].post("/v1/guard-alarms", {"fix": fix}), 201).json["alarm"]
        near = expect(self.people["sue"].get(f"/v1/cameras?near={POST_OFFICE[0]},{POST_OFFICE[1]}"), 200).json["items"]
        expect(self.people["sue"].post(f"/v1/guard-alarms/{raised}/answer"), 200)
        say("gita", "raises the alarm; sue takes it up, with cameras nearby: " + ", ".join(f"{one['name']} ({one['metres']:.0f} m)" for one in near))
        self.nearest, winner = near[0]["id"], self.people[self.winner]
        # A second's pictures are read together, when the second is over.
        self.still = until(lambda: answer if (answer := winner.get(f"/v1/cameras/{self.nearest}/still?at={self.filmed_from}")).ok else None, "the first second is there")
        span = {"camera": self.nearest, "from": self.filmed_from, "until": now()}
        expect(winner.post(f"/v1/incidents/{self.incident}/footage", span), 200, 201)
        say(self.winner, f"keeps what {near[0]['name']} has shown so far, with the incident")

    def rescue(self):
        """Somebody without an account reports a seal with a photo; the agency is told, and rescues it."""
        stranger, rosa = self.door.signed_in(None), self.people["rosa"]
        seal = {"fix": {"latitude": 51.6605, "longitude": -0.3850, "accuracyMetres": 12}, "species": "harbor-seal", "sizeClass": "small", "condition": "entangled", "notes": "below the bridge"}
        sent = expect(submit(stranger, seal), 201).json
        expect(add_photo(stranger, sent["token"], 1, STREET), 201)
        say("a passer-by", f"reports a seal in a net, with a photo, without an account; {sent['agency']['name']} has it")
        told = self.told(sent["report"])
        say("gateway", "tells rosa: " + ", ".join(part["channel"] for part in told[0]["parts"]))
        for status in ("acknowledged", "heading_out", "on_scene", "rescued"):
            expect(rosa.post(f"/v1/reports/{sent['report']}/status", {"to": status}), 200)
        hold = stranger.get(f"/v1/public/reports/{sent['token']}").json["status"]
        say("rosa", f"takes it, heads out, and frees the seal; who reported it reads: {hold}")

    def told(self, report):
        """What rosa is told of a report, once it was sent."""
        def sent():
            items = self.people["sue"].get(f"/v1/alerts?cause=report/{report}").json["items"]
            return [one for one in items if one["state"] == "sent"]
        return until(sent, "rosa is told of the report")

    def alert_contacts(self):
        """A citizen practises, calls for help once and is safe, and a second time, of which one contact knows."""
        chapter("A citizen's button")
        tess = self.tess = self.register(TESS_NUMBER)
        expect(tess.put("/v1/me/safety", {"name": "Tess", "language": "en"}), 200)
        for contact in ({"name": "Ben", "mobile": BEN_NUMBER}, {"name": "Mia", "mobile": MIA_NUMBER, "email": MIA_ADDRESS, "language": "de"}):
            expect(tess.put(f"/v1/me/contacts/{new_id()}", contact), 201)
        say("tess", f"registers her phone, {TESS_NUMBER}, with Ben and Mia as contacts")
        fix = {"latitude": 51.6572, "longitude": -0.3931, "accuracyMetres": 9}
        alerts = [new_id() for _ in range(3)]
        for alert, trigger, is_drill in zip(alerts, ("key", "swipe", "swipe"), (True, False, False)):
            expect(tess.put(f"/v1/me/sos/{alert}", {"trigger": trigger, "fix": fix, "isDrill": is_drill}), 201)
            until(lambda: self.contacts_of(alert), "Ben and Mia are told")
            if alert != alerts[-1]:
                expect(tess.post(f"/v1/me/sos/{alert}/end", {"reason": "safe"}), 200)
        until(lambda: sum(to in OF_TESS for to, _ in self.outside.mails + self.outside.texts) == 15, "Ben and Mia are told of all")
        self.bens_link = [found[0] for to, text in self.outside.texts if to == BEN_NUMBER and (found := re.search(r"/a/\S+", text))][-1]
        expect(self.door.signed_in(None).post(self.bens_link.replace("/a/", "/v1/answers/")), 200)
        say("tess", "practises, calls for help and is safe, and calls for help again: " + "; ".join(f"{one['name']} by {' and '.join(part['channel'] for part in one['parts'])}" for one in self.contacts_of(alerts[-1])))
        say("ben", f"opens the link in the SMS, {self.bens_link}, and says that he knows of it")

    def contacts_of(self, alert):
        """Who was told of a citizen's alert; nothing while some message is on its way."""
        contacts = self.tess.get(f"/v1/me/sos/{alert}").json["contacts"]
        return contacts if all(part["state"] in ("sent", "delivered") for one in contacts for part in one["parts"]) else None

    def close(self):
        chapter("The end")
        done = {"disposition": "handed to the ambulance", "note": "conscious on arrival"}
        expect(self.people[self.winner].post(f"/v1/sessions/{self.session}/close", done), 200)
        expect(self.people[self.loser].post(f"/v1/sessions/{self.other_session}/close", {}), 200)
        late = {"IncidentID": self.session, "Type": "message", "Message": "thank you",
                "Timestamp": str(int(time.time())), "TempMessageID": "late"}
        self.phone.send_json(late)
        report = self.phone.wait_for(lambda m: m.get("TempMessageID") == "late" and m["Type"] == "message_report")
        self.late = report
        say("operators", f"close both sessions; a message after that: {report['Error']}")
        self.phone.close()
        self.desk.close()
        self.wait_for_inspection()

    def wait_for_inspection(self):
        """The decoder looks at chunks behind the archive; wait until it has seen them all."""
        def inspected():
            stream = self.people["arne"].get(f"/v1/streams/{self.stream}").json
            return stream if stream["state"] == "finalized" and stream["inspectedChunks"] == stream["chunks"] else None

        self.recording = stream = until(inspected, "the decoder has looked at every chunk")
        media = expect(self.people["arne"].get(f"/v1/streams/{self.stream}/media"), 200)
        self.media = media.body
        say("decoder", f"looked at {stream['inspectedChunks']} of {stream['chunks']} chunks")

    def visit(self):
        """A visitor of the start page is everybody in turn, by one press each; a ledger that was not made as a demo has no such page."""
        chapter("A visitor, who knows no password")
        people = expect(self.door.get("/v1/demo"), 200).json["items"]
        self.visited = [self.be(person) for person in people]
        say("visitor", "is, one after another: " + ", ".join(one["role"] for one in people))
        plain = os.path.abspath(self.folder) + ".plain"
        fresh(plain)
        key = plain + ".master-key"
        if os.path.exists(key):
            os.remove(key)
        gateway = Gateway(self.program, plain, ["--origin", "demo.example.org/plain", "--master-key", key])
        try:
            door = gateway.start()
            asked = [door.get("/v1/demo"), door.get("/demo"), door.post("/v1/demo/sign-in", {"person": people[0]["person"]}, key=False)]
            self.unmarked = [answer.status for answer in asked]
        finally:
            if gateway.process:
                gateway.stop()
            fresh(plain)
            if os.path.exists(key):
                os.remove(key)
        say("visitor", f"finds no such page in a ledger that is no demo: {self.unmarked}")

    def be(self, person):
        """Signs in as somebody, and opens the page that they start on; tells whether the gateway takes the visitor for them."""
        told = self.door.post("/v1/demo/sign-in", {"person": person["person"]}, key=False)
        if not told.ok:
            return f"{person} {told}"
        visitor = self.door.signed_in(told.json["token"])
        me = visitor.get("/v1/me").json
        page = Client(self.door.host, self.door.port).get(person["home"])
        is_known = person["person"] in (me.get("user"), me.get("device")) and me["role"] == person["role"]
        return None if is_known and page.ok else f"{person} {me} {page}"

    # MARK: What comes out

    def tell(self):
        chapter("daybook timeline")
        with_keys = ["--master-key", self.key]
        show(self.run("timeline", self.incident, *with_keys))
        chapter("daybook verify --decode")
        last = self.people["arne"].get("/v1/events?follow=false").body.splitlines()[-1]
        # Asking for the proof of the last entry has a checkpoint signed that covers everything before it.
        proof = expect(self.people["arne"].get(f"/v1/events/{json.loads(last)['position']}/proof"), 200).json
        self.proved = int(proof["size"])
        verified = self.run("verify", "--decode", *with_keys)
        show(verified)
        self.verified = verified.returncode
        self.story = self.run("verify", "--story", *with_keys)
        chapter("daybook trends")
        show(self.run("trends"), limit=14)

    def run(self, command, *arguments):
        line = [self.program, command, *arguments, "--data", self.folder]
        return subprocess.run(line, capture_output=True, text=True)

    def check(self):
        chapter("Checks on the ledger, from daybook export")
        check, entries = self.checks, self.export()
        kinds = collections.Counter(entry["type"].split("/")[0] for entry in entries)
        check.that([int(e["position"]) for e in entries] == list(range(len(entries))),
                   "positions are gapless", f"{len(entries)} entries, {len(kinds)} kinds")
        told = sum(f"session/{self.session}" == e["subject"] and e["type"].startswith("chat.message_sent")
                   for e in entries)
        check.that(told == 5 and self.checks_of_resend[0] == self.checks_of_resend[1],
                   "a message sent twice is one message", f"{told} messages in the chat")
        claims = [e for e in entries if e["type"].startswith("session.claimed")
                  and e["subject"] == f"session/{self.session}"]
        owner = next((e["actor"].split("/")[1] for e in claims), None)
        check.that(len(claims) == 1 and self.refusal.get("owner") == owner,
                   "the losing claim left no event; the loser was told the owner", owner)
        check.that(kinds["access.refused"] >= 1, "who was turned away is recorded", kinds["access.refused"])
        self.check_video(entries)
        check.that(kinds["location.reported"] == 2, "both places are in the log, sealed",
                   "sealed" in json.dumps([e["data"] for e in entries if e["type"].startswith("location.")]))
        check.that((kinds["report.submitted"], kinds["report.photo_added"], kinds["report.status_changed"]) == (2, 1, 6),
                   "two reports, one of them with a photo and rescued; the refused step left no event")
        mails, texts = ([said for to, said in came if to not in OF_TESS] for came in (self.outside.mails, self.outside.texts))
        check.that((len(mails), len(texts)) == (3, 3) and kinds["alert.queued"] == 3 + 10, "each alert was sent once by each way", self.outside.mails[0][0])
        told = collections.Counter(to for to, _ in self.outside.mails + self.outside.texts if to in OF_TESS)
        check.that(told == dict.fromkeys(OF_TESS, 5) and (kinds["sos.raised"], kinds["sos.ended"]) == (3, 2),
                   "a citizen's contacts were told once of each call and of each end", dict(told))
        check.that((kinds["patrol.checked_in"], kinds["patrol.check_in_refused"]) == (1, 2),
                   "one check-in, and both refused ones are recorded")
        kept = expect(self.people["arne"].get(f"/v1/incidents/{self.incident}/footage"), 200).json["items"]
        check.that((kinds["camera.set"], kinds["guard.alarm_raised"], len(kept)) == (3, 1, 1) and self.still.body.startswith(b"\xff\xd8"),
                   "the camera nearest to the alarm was recorded, and is kept with the incident", f"{kept[0]['from']} to {kept[0]['until']}")
        check.that((kinds["sip.message_received"], kinds["sip.reply_sent"], kinds["sip.reply_answered"]) == (1, 1, 1),
                   "a text by telephone came once, and its answer went once")
        check.that(kinds["session.closed"] == 3 and self.late["Status"] == "failed",
                   "all sessions are closed and take no message")
        wrong = [one for one in self.visited if one]
        check.that(len(self.visited) == 11 and not wrong, "a visitor signs in as each of eleven people by one press", wrong or "")
        check.that(self.unmarked == [404, 404, 404], "a ledger that was not made as a demo has no start page", self.unmarked)
        check.that(self.verified == 0, "verify --decode", f"exit {self.verified}")
        told = "" if self.story.returncode == 0 else self.story.stdout[-600:]
        check.that(self.story.returncode == 0, "verify --story", f"exit {self.story.returncode} {told}")
        note = self.door.get("/checkpoint").body.decode().splitlines()
        check.that(int(note[1]) >= self.proved > len(entries) - 12, "a signed checkpoint covers the incident",
                   f"{note[0]}, {note[1]} entries")
        return self.checks.failed == 0

    def check_video(self, entries):
        chunks = [e["data"] for e in entries if e["type"].startswith("stream.chunk_archived")]
        for part, data in self.sent.items():
            through = max((int(c["through"]) for c in chunks if int(c["part"]) == part), default=0)
            self.checks.that(through == len(data), f"bytes archived equal bytes sent, part {part}",
                             f"{through:,} of {len(data):,}")
        numbers = [int(c["number"]) for c in chunks]
        self.checks.that(numbers == list(range(len(chunks))), "chunks are contiguous", len(chunks))
        sent = [frame for data in self.sent.values() for frame in frames(data)]
        kept = frames(self.media)
        self.checks.that(sent == kept, "every frame sent is in the recording, byte for byte, once",
                         f"{len(kept)} of {len(sent)}")
        seen = sum(int(e["data"]["frames"]) for e in entries if e["type"].startswith("stream.chunks_inspected"))
        self.checks.that(seen == len(sent), "the decoder saw every frame", seen)

    def export(self):
        path = os.path.abspath(self.folder) + ".ndjson"
        done = self.run("export", "-o", path)
        if done.returncode:
            raise SystemExit(f"daybook export failed: {done.stderr}")
        with open(path) as lines:
            return [json.loads(line) for line in lines]

    def explore(self):
        chapter("To explore")
        print("  " + coloured("1;32", f"{self.address}/demo") + "\n      the start page: be anybody, by one press")
        token = self.people["arne"].token
        for path, what in [
            ("/v1/ledger", "who the ledger is, and its newest root"),
            (f"/v1/incidents/{self.incident}/timeline", "the incident, event by event"),
            (f"/v1/streams/{self.stream}/media", "the recording"),
            (self.bens_link, "what Ben, a contact, sees of Tess's call for help"),
            ("/v1/events?after=0", "the live feed"), ("/v1/trends?format=csv", "hourly numbers"),
        ]:
            print(f"  {self.address}{path}\n      {what}")
        print(f"  with the auditor's token: curl -H 'Authorization: Bearer {token}' URL")

    def live(self):
        """Keeps things going on until somebody presses Enter."""
        people = self.people
        town = Town(self.door, people["admin"], people["sue"], people["gita"], people["rosa"], self.employ, self.register)
        town.begin()
        print("\nThe town goes on asking for help. Open " + coloured("1;32", f"{self.address}/demo") + " in a browser and choose whom you want to be.")
        try:
            input("Press Enter to end it. ")
        except (KeyboardInterrupt, EOFError):
            print()
        finally:
            town.end()
        for fault in town.faults:
            print(f"  went wrong in the town: {fault}")

    # MARK: Steps

    def employ(self, login, role, number=None, name=None):
        """Makes an account, and signs in."""
        body = {"login": login, "role": role, "name": name or login.title(), **({"id": number} if number else {})}
        made = expect(self.door.signed_in(self.people["admin"].token).post("/v1/users", body), 201).json
        self.people[login] = self.sign_in(login, made["temporaryPassword"])
        return self.people[login]

    def sign_in(self, login, temporary):
        """Signs in with a temporary password, which lets nobody do anything but change it."""
        door = self.door.signed_in(None)
        first = expect(door.post("/v1/auth/login", {"login": login, "password": temporary}, key=False), 200).json
        person = self.door.signed_in(first["token"])
        expect(person.get("/v1/sessions"), 403)
        chosen = f"a long sentence of {login[::-1]}'s own"
        expect(person.post("/v1/auth/password", {"old": temporary, "new": chosen}), 200)
        return person

    def register(self, number):
        code = expect(self.people["amina"].post("/v1/devices/codes", {"phone": number}), 201).json["code"]
        made = expect(self.door.post("/v1/devices", {"phone": number, "code": code}, key=False), 201).json
        return self.door.signed_in(made["token"])

    def write(self, text, name):
        """Sends a chat message in the source's JSON; gives the id that the gateway tells."""
        self.phone.send_json({
            "IncidentID": self.session, "Type": "message", "Message": text,
            "Timestamp": str(int(time.time())), "TempMessageID": name,
        })
        report = self.phone.wait_for(lambda m: m.get("Type") == "message_report" and m.get("TempMessageID") == name)
        if report["Status"] != "delivered" or report["Error"] != "":
            raise SystemExit(f"the chat refused a message: {report}")
        return report["MessageID"]

    def settings(self, part):
        _, quality, rate, width, height = PIECES[part]
        return {"width": width, "height": height, "framesPerSecond": 30, "kilobitsPerSecond": rate,
                "quality": quality, "camera": "back", "codec": "vp9"}


class Camera:
    """The sending side of the ingest socket: pieces as the browser gave them, kept until they are archived."""

    def __init__(self, play, device, stream):
        self.play, self.device, self.path = play, device, f"/v1/streams/{stream}/ingest"
        self.settings, self.resent = play.settings(0), 0
        self.connect()

    def connect(self):
        self.socket = self.device.socket(self.path)
        self.socket.send_json(dict(self.settings, type="settings"))
        return self.socket.wait_for(lambda m: m["type"] == "resume")

    def change(self, settings):
        self.settings = settings
        self.socket.send_json(dict(settings, type="settings"))

    def send_part(self, part, breaking_at=None):
        name = PIECES[part][0]
        with open(os.path.join(MEDIA, name + ".webm"), "rb") as file:
            data = file.read()
        with open(os.path.join(MEDIA, name + ".pieces.json")) as file:
            lengths = json.load(file)["lengths"]
        self.play.sent[part] = data
        bar, offset = Bar(f"part {part}, {name}", len(data)), 0
        ends = [sum(lengths[:count]) for count in range(1, len(lengths) + 1)]
        while offset < len(data):
            end = next((end for end in ends if end > offset), len(data))
            if breaking_at and end > breaking_at * len(data):
                breaking_at = None
                offset = self.break_off(part, data, offset, bar)
                continue
            self.send(part, offset, data[offset:end])
            offset = end
            bar.show(offset)
        self.socket.send_json({"type": "end", "part": part})
        self.wait_for_archive(part, len(data))
        bar.end("archived")

    def break_off(self, part, data, offset, bar):
        """The network goes, with a piece half sent; the phone comes back and sends from further back than asked."""
        self.send(part, offset, data[offset:offset + 1000])
        self.socket.drop()
        resume = self.connect()
        assert resume["part"] == part, resume
        back = max(0, resume["offset"] - 20_000)
        self.resent += resume["offset"] - back
        bar.end(f"connection lost at {offset:,}; resume says {resume['offset']:,}")
        self.send(part, back, data[back:resume["offset"]])
        return resume["offset"]

    def send(self, part, offset, piece):
        self.socket.send_bytes(struct.pack("!IQ", part, offset) + piece)

    def wait_for_archive(self, part, size):
        self.socket.wait_for(lambda m: m["type"] == "archived" and m["part"] == part and m["through"] >= size)

    def stop(self):
        self.socket.send_json({"type": "stop", "reason": "the caller hung up"})
        told = self.socket.wait_for(lambda m: m["type"] == "stopped")
        if (told["by"], told["reason"]) != ("caller", "the caller hung up"):
            raise RuntimeError(f"the sender is told of another end: {told}")
        self.socket.close()


class Bar:
    """How far a transfer is; one line, redrawn on a terminal."""

    def __init__(self, name, total):
        self.name, self.total, self.drawn = name, total, 0

    def show(self, done):
        if ON_TERMINAL and time.monotonic() - self.drawn > 0.05:
            self.drawn = time.monotonic()
            filled = int(30 * done / self.total)
            print(f"\r  {self.name} {'█' * filled}{'░' * (30 - filled)} {done:,} of {self.total:,}",
                  end="", flush=True)

    def end(self, what):
        print(("\r\033[K" if ON_TERMINAL else "") + f"  {self.name}: {self.total:,} bytes, {what}", flush=True)


def element(data, at):
    """Id, where its body begins, and its size (None for unknown) of a WebM element (RFC 8794)."""
    width = 9 - data[at].bit_length()
    name = int.from_bytes(data[at:at + width], "big")
    at += width
    width = 9 - data[at].bit_length()
    size = int.from_bytes(data[at:at + width], "big") & ((1 << 7 * width) - 1)
    return name, at + width, None if size == (1 << 7 * width) - 1 else size


def frames(data):
    """The frames of a WebM file, as bytes: what SimpleBlocks and Blocks hold behind track, time and flags."""
    inside = {0x18538067, 0x1F43B675, 0xA0}  # Segment, Cluster, BlockGroup
    found, at = [], 0
    while at < len(data):
        name, body, size = element(data, at)
        if name in inside:
            at = body
            continue
        if name in (0xA3, 0xA1):
            found.append(data[body + 4:body + size])
        at = body + size
    return found


def show(done, limit=60):
    """Prints what a command printed; long runs of like lines are folded."""
    lines = [line.rstrip() for line in (done.stdout + done.stderr).splitlines()]
    shown, fold = [], 0
    for number, line in enumerate(lines):
        like = re.search(r"stream\.chunk", line)
        if like and 0 < number < len(lines) - 1 and all(
                re.search(r"stream\.chunk", lines[n]) for n in (number - 1, number + 1)):
            fold += 1
            continue
        if fold:
            shown.append(f"  … {fold} more like this")
            fold = 0
        shown.append(line)
    for line in shown[:limit]:
        print("  " + line)
    if len(shown) > limit:
        print(f"  … {len(shown) - limit} more lines")


def fresh(folder):
    """Removes the ledger of an earlier run and its export, which no export of another ledger replaces; anything else is not ours to delete."""
    if os.path.exists(folder):
        if os.listdir(folder) and not os.path.exists(os.path.join(folder, "daybook.json")):
            raise SystemExit(f"{folder} is no ledger of an earlier demo; name another folder with --data")
        shutil.rmtree(folder)
    for ending in ("", ".checkpoint", ".damaged", ".damaged.checkpoint"):
        export = f"{folder}.ndjson{ending}"
        if os.path.exists(export):
            os.remove(export)


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--daybook", required=True, help="the program")
    options.add_argument("--data", "--folder", dest="data", default=".demo", help="the ledger's folder; an earlier demo's is replaced")
    options = options.parse_args()
    fresh(options.data)
    began = time.monotonic()
    play = Play(os.path.abspath(options.daybook), options.data)
    try:
        for act in (play.open, play.hire, play.set_up_cameras, play.chat, play.claim, play.text, play.locate, play.film, play.second_call,
                    play.field, play.alarm, play.alert_contacts, play.close, play.visit, play.tell):
            act()
        sound = play.check()
        play.explore()
        result = coloured("1;32", "all checks hold") if sound else coloured("1;31", f"{play.checks.failed} checks fail")
        print(f"\n{result}, in {time.monotonic() - began:.0f} s")
        if ON_TERMINAL and sys.stdin.isatty():
            play.live()
    finally:
        if hasattr(play, "gateway") and play.gateway.process:
            play.gateway.stop()
        if hasattr(play, "cameras"):
            play.cameras.end()
    return 0 if sound else 1


if __name__ == "__main__":
    sys.exit(main())
