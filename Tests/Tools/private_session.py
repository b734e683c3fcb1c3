#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What another operator handles is private: every described route and every socket refuses a second operator and a strange caller, and
each refusal is in the ledger; once it has ended, colleagues find and read it, each reading recorded, until a supervisor seals it (ruling 33). Routes come from Documentation/openapi.yaml, so that a new one cannot be forgotten.

Nor does an operator who has it no more, or never had it, read it on by a phone: not by one that such a phone agreed to, nor by one whose code was given before the number ever called, nor by sending
into another phone's recording; the owner sees and ends each (decision 0072). What operators write to one another about a caller is told to no caller, and goes with the person.
"""

import os
import re
import urllib.parse

import yaml

import centre
import film
from centre import Centre, hold

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
METHODS = ("get", "put", "post", "delete")
SOCKETS = ("/ingest", "/watch")
#: Claiming is refused as losing a race: it is no reading, and tells who was first.
CLAIMS = ("/v1/sessions/{id}/claim", "/v1/sessions/{id}/offer/answer", "/v1/sessions/{id}/take-over")


#: Somebody of whom operators write.
NAME = "Jane Roe"

with open(os.path.join(ROOT, "fixtures", "pictures", "street.png"), "rb") as file:
    PICTURE = file.read()


def main(options, folder):
    desk = Centre(options.daybook, folder).open()
    amina, john = desk.staff("amina"), desk.staff("john")
    caller, stranger = desk.caller(amina), desk.caller(amina)
    chat, session = desk.chat(caller)
    hold(amina.post(f"/v1/sessions/{session}/claim").ok, "amina claims")
    chat.send_json({"IncidentID": session, "Type": "message", "Message": "the secret word", "Timestamp": "1", "TempMessageID": "1"})
    chat.wait_for(lambda frame: frame["Type"] == "message_report")
    stream = film.film(caller, session)
    asked = amina.post(f"/v1/sessions/{session}/requests", {"ask": "send_location"})
    hold(asked.ok, f"asking: {asked}")
    incident = amina.get(f"/v1/sessions/{session}").json["session"]["incident"]
    names = {"sessions": session, "incidents": incident, "streams": stream, "requests": asked.json["request"]}
    picture = caller.post(f"/v1/sessions/{session}/pictures", PICTURE)
    hold(picture.ok, f"a picture: {picture}")
    names["message"] = picture.json["message"]
    own = desk.chat(desk.caller(amina))[1]
    private = Private(desk, names, session, own)
    for who, client in (("john", john), ("a strange caller", stranger)):
        private.routes(who, client)
        private.sockets(who, client)
        private.lists(who, client)
    ended(desk, private, amina, john, stranger)
    linked(desk, folder)
    agreed_to(desk, amina, john)
    coded_before(desk, amina, john)
    filmed_by_another(desk, amina, john)
    written(desk, amina, john)
    desk.stop()
    lines = [line for line in desk.export() if NAME.encode() in line]
    hold(not lines, f"what was written about who is erased stands in {len(lines)} entries: {lines[:1]}")
    desk.verify()


def ended(desk, private, amina, john, stranger):
    """What has ended may be found and read by colleagues, not by callers; sealed, by its last owner and those who supervise."""
    session, stream, incident = private.session, private.names["streams"], private.names["incidents"]
    hold(amina.request("PUT", f"/v1/incidents/{incident}/address", {"address": "94 Birmingham"}).ok, "amina writes the address down")
    closed = amina.post(f"/v1/sessions/{session}/close", {"disposition": "handled"})
    hold(closed.ok, f"amina closes: {closed}")
    after = {"Daybook-After": closed.headers["Daybook-Position"]}
    mary = desk.staff("mary", "supervisor")
    reads = [f"/v1/sessions/{session}", f"/v1/sessions/{session}/transcript", f"/v1/streams/{stream}/media", f"/v1/incidents/{incident}/timeline"]

    def found(client):
        rows = client.get("/v1/streams?address=94+birmingham", headers=after).json["items"]
        callers = client.get("/v1/callers?prefix=%2B4477", headers=after).json["items"]
        words = [client.get(f"/v1/search?q={q}", headers=after).json["items"] for q in ("secret+wor", "birm")]
        isThere = {all(session in [one["session"] for one in found] for found in words), any(session in [one["session"] for one in found] for found in words)}
        hold(len(isThere) == 1, f"a message and an address of one session are found alike: {words}")
        return [row["id"] for row in rows] == [stream], session in [one.get("lastSession") for one in callers], isThere.pop()

    def read(client, status):
        for path in reads:
            answer = client.get(path, headers=after)
            hold(answer.status == status, f"{path} of an ended session answered {answer}, not {status}")

    def readings():
        return sum(entry["type"] == "access.read/1" and entry["actor"] == f"operator/{john.name}" for entry in desk.entries())

    before = readings()
    read(john, 200)
    hold(readings() >= before + 3, "reading what has ended is recorded")
    hold(found(john) == (True, True, True), f"john finds what has ended: {found(john)}")
    hold(stranger.get(reads[1]).status == 403, "a strange caller reads nothing of it")
    for path in ("seal", "unseal"):
        hold(john.post(f"/v1/sessions/{session}/{path}", {"reason": "x"}).status == 403, f"an operator may not {path}")
    sealed = mary.post(f"/v1/sessions/{session}/seal", {"reason": "the caller is a colleague"})
    hold(sealed.ok, f"sealing: {sealed}")
    after["Daybook-After"] = sealed.headers["Daybook-Position"]
    read(john, 403)
    hold(found(john) == (False, False, False), f"john finds nothing sealed: {found(john)}")
    read(amina, 200)
    read(mary, 200)
    unsealed = mary.post(f"/v1/sessions/{session}/unseal", {"reason": "over"})
    hold(unsealed.ok, f"unsealing: {unsealed}")
    after["Daybook-After"] = unsealed.headers["Daybook-Position"]
    read(john, 200)
    hold(found(john) == (True, True, True), f"john finds it again: {found(john)}")
    print("ended: found and read by a colleague, recorded; sealed and unsealed by a supervisor")


def linked(desk, folder):
    """A one-use link's token is good for its session, not for the next one of the same number."""
    lee = desk.staff("lee")
    phone = desk.caller(lee)
    first = lee.post("/v1/sessions", {"phone": phone.phone, "channel": "video"}).json["session"]
    made = lee.post(f"/v1/sessions/{first}/links", {}).json
    used = desk.client().post("/v1/links/use", {"link": made["path"], "code": made["code"]}, key=False)
    hold(used.ok, f"using the link: {used}")
    guest = desk.client(used.json["token"])
    hold(guest.get(f"/v1/sessions/{first}").ok, "the guest is in")
    hold(lee.post(f"/v1/sessions/{first}/close", {"disposition": "handled"}).ok, "the session is closed")
    _, session = desk.chat(phone)
    hold(lee.post(f"/v1/sessions/{session}/claim").ok, "lee claims the next one")
    stream = film.film(phone, session)
    asked = lee.post(f"/v1/sessions/{session}/requests", {"ask": "send_location"}).json["request"]
    names = {"sessions": session, "streams": stream, "requests": asked, "message": asked,
             "incidents": lee.get(f"/v1/sessions/{session}").json["session"]["incident"]}
    private = Private(desk, names, session, session)
    private.routes("a guest of an earlier session", guest, isRecorded=False)


def hand_over(owner, colleague, session, reason="the shift ends"):
    offer = owner.post(f"/v1/sessions/{session}/offer", {"to": colleague.name, "reason": reason})
    hold(offer.status == 201, f"handing over: {offer}")
    answer = colleague.post(f"/v1/sessions/{session}/offer/answer", {"answer": "accepted"})
    hold(answer.ok, f"accepting: {answer}")


def close(owner, session, note=None):
    closed = owner.post(f"/v1/sessions/{session}/close", {"disposition": "handled", **({"note": note} if note else {})})
    hold(closed.ok, f"closing: {closed}")
    return {"Daybook-After": closed.headers["Daybook-Position"]}


def shut_out(phone, owner, session, giver, words):
    """A phone hears nothing, says nothing, and its session's owner sees by whose word it came, and ends it."""
    talk = f"/v1/sessions/{session}"
    hold(phone.get(f"{talk}/transcript").status == 404, f"{words} reads")
    hold(phone.post(f"{talk}/messages", {"text": "false alarm"}).status == 404, f"{words} writes")
    chat = phone.socket("/chat")
    chat.send_json({"Type": "start_session"})
    answered = chat.receive_json()
    hold(answered["Status"] != "open", f"{words} goes on in the chat: {answered}")
    chat.drop()
    shown = {one["device"]: one for one in owner.get(talk).json["letIn"]}.get(phone.device)
    hold(shown and shown["by"] == giver.name and not shown["isAdmitted"], f"of {words} the owner is shown {shown}")
    ended = owner.request("DELETE", f"/v1/devices/{phone.device}?reason=unknown")
    hold(ended.status == 204, f"the owner ends {words}: {ended}")
    hold(phone.get("/v1/me").status == 401, f"{words} was ended and is in")


def agreed_to(desk, amina, john):
    """Two phones by the code of who lost the session: the word of the one lets the other in no further than itself."""
    for agrees_late in (False, True):
        number = f"+44770090099{int(agrees_late)}"
        session = amina.post("/v1/sessions", {"phone": number, "channel": "chat"}).json["session"]
        first, second = (desk.caller(amina, phone=number) for _ in range(2))
        if not agrees_late:
            hold(first.post(f"/v1/devices/{second.device}/admit", {}).ok, "a phone agrees to another")
        hand_over(amina, john, session)
        caller = desk.guest(john, session)
        hold(caller.post(f"/v1/sessions/{session}/messages", {"text": "he has a knife"}).ok, "the caller speaks")
        if agrees_late:
            hold(first.post(f"/v1/devices/{second.device}/admit", {}).status == 403, "a phone that is shut out agrees to another")
        for phone in (second, first):
            shut_out(phone, john, session, amina, "a phone by the word of who lost the session")
        hold(caller.get(f"/v1/sessions/{session}/transcript").ok, "the caller reads")
        close(john, session)
    print("let in: a phone is as good as the one that agreed to it")


def coded_before(desk, amina, john):
    """An operator's own phone, registered for a number before it ever called."""
    number = "+447700900992"
    early = desk.caller(john, phone=number)
    session = amina.post("/v1/sessions", {"phone": number, "channel": "chat"}).json["session"]
    caller = desk.guest(amina, session)
    hold(caller.post(f"/v1/sessions/{session}/messages", {"text": "he is in the next room"}).ok, "the caller speaks")
    shut_out(early, amina, session, john, "a phone by a code from before the call")
    close(amina, session)
    print("let in: who gave a code beforehand stands behind the phone")


def filmed_by_another(desk, amina, john):
    """A guest who is shut out goes on with what it films, and with nothing else."""
    phone = desk.caller(amina)
    _, session = desk.chat(phone)
    hold(amina.post(f"/v1/sessions/{session}/claim").ok, "claiming")
    hold(phone.post(f"/v1/sessions/{session}/messages", {"text": "help"}).ok, "the caller speaks")
    guest, stream = desk.guest(amina, session), film.begin(phone, session)
    own = film.begin(guest, session)
    camera, _ = film.connect(phone, stream)
    film.send(camera, film.recorded())
    hand_over(amina, john, session)
    hold(guest.get(f"/v1/sessions/{session}/transcript").status == 404, "the guest reads")
    hold(guest.get(f"/v1/streams/{stream}").status == 404, "the guest reads of the caller's stream")
    sent = guest.request("PUT", f"/v1/streams/{stream}/parts/7?offset=0", film.recorded())
    hold(sent.status == 403, f"the guest sends into the caller's stream: {sent}")
    try:
        film.connect(guest, stream)
    except Exception:
        pass  # refused
    else:
        hold(False, "the guest films into the caller's stream")
    hold(guest.post(f"/v1/streams/{stream}/stop", {"reason": "x"}).status == 403, "the guest stops the caller's stream")
    hold(guest.post(f"/v1/streams/{own}/stop", {"reason": "x"}).ok, "the guest stops its own stream")
    hold(john.get(f"/v1/streams/{stream}").json["state"] == "live", "the caller's stream goes on")
    camera.drop()
    close(john, session)
    print("let in: nobody films into another phone's recording")


def written(desk, amina, john):
    """What is written to a colleague about a caller: no caller is told, and an erasure takes it along."""
    phone = desk.caller(amina)
    _, session = desk.chat(phone)
    hold(amina.post(f"/v1/sessions/{session}/claim").ok, "claiming")
    topic = phone.socket("/v1/ws")
    topic.send_json({"type": "subscribe", "topic": "me"})
    topic.receive_json()
    offered = amina.post(f"/v1/sessions/{session}/offer", {"to": john.name, "reason": f"{NAME}, drunk again"})
    after = {"Daybook-After": offered.headers["Daybook-Position"]}
    shown = {one["id"]: one for one in john.get("/v1/sessions", headers=after).json["items"]}[session]["offer"]
    hold(shown["reason"] == f"{NAME}, drunk again", f"the colleague is shown {shown}")
    after = close(amina, session, f"{NAME}, as ever")
    told = []
    topic.wait_for(lambda frame: told.append(frame) or frame.get("kind") == "session.closed/1")
    hold(not [frame for frame in told if "offer" in frame.get("kind", "")], f"the caller's page is told of the offer: {told}")
    page = phone.get(f"/v1/sessions/{session}", headers=after)
    timeline = phone.get(f"/v1/incidents/{page.json['session']['incident']}/timeline", headers=after)
    hold(page.ok and timeline.ok, f"the caller reads: {page} {timeline}")
    hold(NAME.encode() not in page.body + timeline.body, "the caller is told what operators wrote")
    shown = amina.get(f"/v1/sessions/{session}", headers=after).json["session"]
    hold(shown["note"] == f"{NAME}, as ever", f"the operator is shown {shown}")
    erased = desk.admin.post(f"/v1/persons/{shown['caller']}/erase", {"reason": "asked for"})
    hold(erased.ok, f"erasing: {erased}")
    print("written: for colleagues, sealed, and gone with the person")


class Private:
    def __init__(self, desk, names, session, other_session):
        self.desk, self.names, self.session, self.other = desk, names, session, other_session
        own = (entry["actor"] for entry in desk.entries() if entry["subject"] == f"session/{session}")
        self.device = next(actor for actor in own if actor.startswith("device/")).split("/")[1]
        with open(os.path.join(ROOT, "Documentation", "openapi.yaml")) as file:
            self.paths = yaml.safe_load(file)["paths"]

    def refused(self):
        return sum(b'"type":"access.refused/2"' in line for line in self.desk.export())

    def everything(self):
        """All events but those about access: nothing of it may come from who is refused."""
        return sum(not entry["type"].startswith("access.") for entry in self.desk.entries())

    def named(self):
        """The operations that name something of the private session."""
        for path, item in self.paths.items():
            found = re.match(r"/v1/(\w+)/\{id\}", path)
            if found and found[1] in self.names and not path.endswith(SOCKETS):
                for method in METHODS:
                    if method in item:
                        yield method, path, path.replace("{id}", self.names[found[1]]), item[method]

    def routes(self, who, client, isRecorded=True):
        tried, before, recorded = 0, self.everything(), self.refused()
        for method, described, path, operation in self.named():
            target = path.replace("{part}", "0").replace("{message}", self.names["message"]) + query(operation)
            answer = client.request(method.upper(), target, self.body(operation))
            tried += 1
            words = f"{method.upper()} {described} as {who} answered {answer}"
            hold(answer.status in (401, 403, 404, 409), words)
            hold(b"secret word" not in answer.body and b"+4477" not in answer.body, f"{words}, with what is private")
            if not isRecorded:
                continue
            known, recorded = recorded, self.refused()
            if described not in CLAIMS:
                hold(answer.status == 403, words)
                hold(recorded == known + 1, f"{words}; access.refused was written {recorded - known} times")
        hold(self.everything() == before, f"{who} changed something")
        print(f"{who}: {tried} operations refused{' and recorded' if isRecorded else ''}")

    def body(self, operation):
        content = operation.get("requestBody", {}).get("content", {})
        if "application/json" in content:
            return fill(content["application/json"].get("example", {}), {**self.names, "session": self.other, "incident": self.names["incidents"]})
        if "image/png" in content:
            return PICTURE
        return b"\x1a\x45\xdf\xa3" if content else None

    def sockets(self, who, client):
        stream = self.names["streams"]
        for path in (f"/v1/streams/{stream}/ingest", f"/v1/streams/{stream}/watch"):
            recorded = self.refused()
            try:
                client.socket(path)
                raise centre.Failed(f"{path} opened for {who}")
            except ConnectionRefusedError as refusal:
                hold("403" in str(refusal), f"{path} as {who}: {refusal}")
            hold(self.refused() == recorded + 1, f"{path} as {who} is recorded")
        self.topics(who, client)
        self.chat(who, client)

    def topics(self, who, client):
        socket = client.socket("/v1/ws")
        for topic in (f"session/{self.session}", f"incident/{self.names['incidents']}", f"stream/{self.names['streams']}"):
            recorded = self.refused()
            socket.send_json({"type": "subscribe", "topic": topic})
            frame = socket.wait_for(lambda frame: frame.get("topic") == topic)
            hold(frame["type"] == "error", f"{topic} as {who}: {frame}")
            hold(self.refused() == recorded + 1, f"{topic} as {who} is recorded")
        socket.drop()

    def chat(self, who, client):
        """A phone's chat socket takes no other session's id."""
        socket, recorded = client.socket("/chat"), self.refused()
        socket.send_json({"IncidentID": self.session, "Type": "message", "Message": "let me in", "Timestamp": "1", "TempMessageID": "9"})
        frame = socket.receive_json()
        hold(frame is None or frame.get("Status") == "failed", f"/chat as {who}: {frame}")
        hold(self.refused() == recorded + 1, f"/chat as {who}: recorded {self.refused() - recorded} times; {frame}")
        socket.drop()

    def lists(self, who, client):
        """Lists leave out what is private, and the feed does not have it."""
        for path in ("/v1/sessions", "/v1/incidents", "/v1/streams", "/v1/events?follow=false", "/v1/callers?prefix=%2B4477", "/v1/search?q=secret", "/v1/search?q=%2B4477", "/v1/alerts"):
            answer = client.get(path)
            hold(answer.ok or answer.status == 403, f"{path} as {who}: {answer}")
            hold(b"secret word" not in answer.body, f"{path} as {who} tells what was said")
            # The queue has the id of a private session, and no more of it.
            hidden = [self.names["streams"], self.names["message"], self.names["requests"]]
            if not path.startswith("/v1/sessions"):
                hidden.append(self.session)
            if not path.startswith("/v1/events"):  # that a phone was registered is no secret at the desk
                hidden.append(self.device)
            told = [line[:300] for line in answer.body.split(b"\n") for one in hidden if one.encode() in line]
            hold(not told, f"{path} as {who} tells: {told}")


def query(operation):
    needed = {one["name"]: one.get("example", "0") for one in operation.get("parameters", []) if one.get("in") == "query" and one.get("required")}
    return "?" + urllib.parse.urlencode(needed) if needed else ""


def fill(value, names):
    if isinstance(value, str):
        return re.sub(r"\{(\w+)\}", lambda found: names.get(found[1], names["session"]), value)
    if isinstance(value, list):
        return [fill(one, names) for one in value]
    if isinstance(value, dict):
        return {name: fill(one, names) for name, one in value.items()}
    return value


if __name__ == "__main__":
    centre.run(main, centre.arguments(__doc__).parse_args())
