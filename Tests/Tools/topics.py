#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Live topics over a real socket: `WS /v1/ws` of a running gateway.

  topics.py SCENARIO PORT NAME=VALUE…

Values are tokens and ids, as the scenario names them. Exits with 1 where a promise of the socket does not hold.
"""
import json
import sys

from daybook import Client


class Page:
    """A live page: its socket, and what it was told."""

    def __init__(self, port, token):
        self.desk = Client("127.0.0.1", int(port), token)
        self.socket = self.desk.socket("/v1/ws")

    def subscribe(self, topic, after=None):
        frame = {"type": "subscribe", "topic": topic}
        if after is not None:
            frame["after"] = after
        self.socket.send_json(frame)
        return self.next(topic, "subscribed", "error")

    def unsubscribe(self, topic):
        self.socket.send_json({"type": "unsubscribe", "topic": topic})
        return self.next(topic, "unsubscribed")

    def next(self, topic, *kinds):
        """The next frame of a topic; positions in between are dropped unless they are asked for."""
        while True:
            frame = self.socket.receive_json()
            assert frame is not None, f"closed: {self.socket.closed} {self.socket.reason}"
            if frame["type"] == "position" and "position" not in kinds:
                continue
            assert frame.get("topic") == topic and frame["type"] in kinds, frame
            return frame

    def events(self, topic, count):
        return [self.next(topic, "event") for _ in range(count)]


def say(caller, session, count, text="help"):
    for number in range(count):
        answer = caller.post(f"/v1/sessions/{session}/messages", {"text": f"{text} {number}"})
        assert answer.ok, answer


def written(auditor, subject, after):
    """What the feed has of a subject behind a position, as lines."""
    feed = auditor.get(f"/v1/events?follow=false&subject={subject}&after={after}")
    assert feed.ok, feed
    return [line for line in feed.body.decode().split("\n") if line]


def problem(frame):
    assert frame["type"] == "error", frame
    return frame["problem"]["type"].removeprefix("urn:daybook:problem:"), frame["problem"]["status"]


def resume(port, operator, caller, auditor, session):
    """A break in the middle: what follows the last position comes, without gap or double; so for one who slept long."""
    talker, reader = Client("127.0.0.1", int(port), caller), Client("127.0.0.1", int(port), auditor)
    topic = f"session/{session}"
    page = Page(port, operator)
    start = page.subscribe(topic)["position"]
    say(talker, session, 3)
    seen = page.events(topic, 3)
    page.socket.drop()

    # Long enough for several pages; then more while the page catches up.
    say(talker, session, 40, "while asleep")
    woken = Page(port, operator)
    assert woken.subscribe(topic, after=seen[-1]["position"])["position"] == seen[-1]["position"]
    say(talker, session, 5, "meanwhile")
    seen += woken.events(topic, 45)
    lines = written(reader, topic, start)
    assert [json.dumps(f["entry"], separators=(",", ":"), ensure_ascii=False) for f in seen] == lines, (len(seen), len(lines))
    assert [f["position"] for f in seen] == [json.loads(line)["position"] for line in lines]
    assert all(f["kind"] == "chat.message_sent/1" and f["subject"] == topic for f in seen), seen[0]

    # The same from the beginning, by a page that holds a few entries at a time; and the desk has them too.
    whole = Page(port, operator)
    whole.subscribe(topic, after="0")
    lines = written(reader, topic, 0)
    assert [f["entry"] for f in whole.events(topic, len(lines))] == [json.loads(line) for line in lines]
    whole.unsubscribe(topic)
    whole.subscribe("desk", after=start)
    told = whole.events("desk", len(seen))
    assert [f["position"] for f in told] == [f["position"] for f in seen]


def privacy(port, owner, other, supervisor, session, incident, stream):
    """A claim by somebody else ends the topic at once; the desk still learns whose the session is."""
    topic, holder = f"session/{session}", Client("127.0.0.1", int(port), owner)
    page = Page(port, other)
    page.subscribe(topic)
    desk = Page(port, other)
    desk.subscribe("desk")
    claim = holder.post(f"/v1/sessions/{session}/claim")
    assert claim.ok, claim
    assert problem(page.next(topic, "error")) == ("session-private", 403)
    notice = desk.next("desk", "event")
    assert notice["kind"] == "session.claimed/1" and notice["subject"] == topic, notice
    assert notice["isPrivate"] is True and "entry" not in notice and notice["owner"] == claim_owner(holder), notice

    # Refused from now on, on this socket and on new ones, by whichever name.
    for name in (topic, f"incident/{incident}", f"incident/{session}", f"stream/{stream}"):
        told = problem(page.subscribe(name))
        assert told == ("session-private", 403), (name, told)
    assert problem(Page(port, other).subscribe(topic)) == ("session-private", 403)
    for token in (owner, supervisor):
        mine = Page(port, token)
        for name in (topic, f"incident/{session}", f"stream/{stream}"):
            assert mine.subscribe(name)["type"] == "subscribed", name

    # What is said inside stays inside; the end is for all.
    answer = holder.post(f"/v1/sessions/{session}/messages", {"text": "stay on the line"})
    assert answer.ok, answer
    assert holder.post(f"/v1/sessions/{session}/close", {"disposition": "handled"}).ok
    frame = desk.next("desk", "event")
    assert frame["kind"] == "session.closed/1" and "entry" in frame, frame


def claim_owner(client):
    return client.get("/v1/me").json["actor"].split("/")[1]


def alerts(port, operator, supervisor, session, other):
    """Whom waiting chats alert (ruling 19), told on the desk as it changes: operators below their limit, otherwise supervisors."""
    desk = Client("127.0.0.1", int(port), operator)
    pages = {"operator": Page(port, operator), "supervisor": Page(port, supervisor)}

    def told(expected):
        """Reads each page's frames up to the one by which it has heard who is alerted now."""
        for name, page in pages.items():
            while page.next("desk", "event", "position")["alerting"] is not expected[name]:
                pass

    for name, page in pages.items():
        assert page.subscribe("desk")["alerting"] is (name == "operator"), name
    listed = desk.get("/v1/sessions?pending=true")
    assert listed.json["alerting"] is True and len(listed.json["items"]) == 2, listed.json
    # One session is an operator's limit: from now on the other chat is the supervisor's to hear, and still seen by all.
    assert desk.post(f"/v1/sessions/{session}/claim").ok
    told({"operator": False, "supervisor": True})
    listed = desk.get("/v1/sessions?pending=true")
    assert listed.json["alerting"] is False and [row["id"] for row in listed.json["items"]] == [other], listed.json
    assert desk.post(f"/v1/sessions/{session}/close").ok
    told({"operator": True, "supervisor": False})
    # Who signs out is there no more; nothing happens to a session, and the supervisor hears it all the same.
    assert desk.post("/v1/auth/logout").ok
    del pages["operator"]
    told({"supervisor": True})


def together(port, operator, caller, second, session, other, incident):
    """An incident tells of its sessions, and of one that is linked while it is followed."""
    topic, desk = f"incident/{incident}", Client("127.0.0.1", int(port), operator)
    page = Page(port, operator)
    page.subscribe(topic)
    say(Client("127.0.0.1", int(port), caller), session, 1)
    assert page.next(topic, "event")["subject"] == f"session/{session}"
    assert desk.post(f"/v1/incidents/{incident}/sessions", {"session": other}).ok
    say(Client("127.0.0.1", int(port), second), other, 1)
    linked, said = page.events(topic, 2)
    assert linked["kind"] == "incident.session_linked/1" and linked["subject"] == topic, linked
    assert said["subject"] == f"session/{other}" and said["kind"] == "chat.message_sent/1", said


def handing(port, owner, colleague, third, session, to):
    """An offer is told whole to whom it is made, and to no other colleague; whose the session is then, the whole desk hears."""
    pages = {name: Page(port, token) for name, token in (("owner", owner), ("colleague", colleague), ("third", third))}
    for page in pages.values():
        page.subscribe("desk")
    desk, topic = pages["owner"].desk, f"session/{session}"
    assert desk.post(f"/v1/sessions/{session}/claim").ok
    assert desk.post(f"/v1/sessions/{session}/offer", {"to": to, "reason": "my shift ends"}).status == 201
    assert pages["colleague"].desk.post(f"/v1/sessions/{session}/offer/answer", {"answer": "accepted"}).ok
    told = {name: page.events("desk", 2 if name == "third" else 3) for name, page in pages.items()}
    kinds = {name: [event["kind"].split("/")[0] for event in events] for name, events in told.items()}
    assert all(event["subject"] == topic for events in told.values() for event in events), told
    assert kinds["owner"] == kinds["colleague"] == ["session.claimed", "session.offered", "session.transferred"], kinds
    assert kinds["third"] == ["session.claimed", "session.transferred"], kinds
    offer = told["colleague"][1]["entry"]["data"]
    # Why stands sealed in the entry; the list of sessions opens it to the colleague.
    assert offer["to"] == to and set(offer["reason"]) == {"sealed"}, offer
    assert "entry" not in told["third"][1] and told["third"][1]["owner"] == to, told["third"]
    # It is the colleague's from here on, with all that is in it.
    assert told["colleague"][2]["entry"]["data"]["to"] == to and "entry" not in told["owner"][2], told


def manners(port, operator, caller, guard, reporter, session, nothing):
    """What makes no sense is answered on the topic, and the socket goes on."""
    page = Page(port, operator)
    for text in ("{", "[]", '{"type":"subscribe"}', '{"type":"subscribe","topic":"weather"}',
                 '{"type":"shout","topic":"desk"}', '{"type":"subscribe","topic":"desk","after":"soon"}'):
        page.socket.send_text(text)
        frame = page.socket.receive_json()
        assert problem(frame) == ("malformed-json", 400) and "topic" not in frame, frame
    assert problem(page.subscribe("desk", after="99999999")) == ("malformed-request", 400)
    assert problem(page.subscribe(f"session/{nothing}")) == ("not-found", 404)
    assert page.subscribe("desk")["type"] == "subscribed"
    assert problem(page.subscribe("desk")) == ("topic-open", 409)
    assert page.subscribe(f"session/{session}")["type"] == "subscribed"
    assert problem(page.subscribe(f"incident/{session}")) == ("too-many-topics", 429)
    page.unsubscribe("desk")
    assert page.subscribe(f"incident/{session}")["type"] == "subscribed"
    # Positions come while nothing happens, for each topic.
    quiet = {f"session/{session}", f"incident/{session}"}
    while quiet:
        frame = page.socket.receive_json()
        assert frame["type"] == "position", frame
        quiet.discard(frame["topic"])

    own = Page(port, caller)
    assert problem(own.subscribe("desk")) == ("forbidden", 403)
    assert own.subscribe(f"session/{session}")["type"] == "subscribed"
    guards = Page(port, guard)
    for topic in ("desk", "me", "reports", f"session/{session}", f"incident/{session}"):
        assert problem(guards.subscribe(topic)) == ("forbidden", 403), topic
    assert guards.subscribe("channels")["type"] == "subscribed"
    for token, status in ((reporter, "403"), (None, "401")):
        try:
            Client("127.0.0.1", int(port), token).socket("/v1/ws")
            raise AssertionError(f"{token} may not open the socket")
        except ConnectionRefusedError as refused:
            assert f"answered {status}" in str(refused), refused
    page.socket.send_bytes(b"what")
    while page.socket.receive() is not None:
        pass
    assert page.socket.closed == 1003, page.socket.closed


def own(port, operator, caller, other, phone):
    """A caller who has no session learns that an operator opens one, also after a break; nobody else does."""
    desk, page, neighbour = Client("127.0.0.1", int(port), operator), Page(port, caller), Page(port, other)
    assert problem(Page(port, operator).subscribe("me")) == ("forbidden", 403)
    page.subscribe("me")
    neighbour.subscribe("me")
    told = None
    for number in range(2):
        opened = desk.post("/v1/sessions", {"phone": phone, "channel": "video"})
        assert opened.ok, opened
        topic = f"session/{opened.json['session']}"
        assert desk.post(f"/v1/sessions/{opened.json['session']}/requests", {"ask": "start_video"}).ok
        if number:
            page = Page(port, caller)
            page.subscribe("me", after=told)
        for kind in ("session.created/1", "session.claimed/1", "session.request_sent/1"):
            frame = page.next("me", "event")
            assert (frame["kind"], frame["subject"]) == (kind, topic) and frame["entry"], frame
        assert desk.post(f"/v1/sessions/{opened.json['session']}/close", {"disposition": "handled"}).ok
        # With the session its unanswered request is over.
        for kind in ("session.closed/1", "session.request_answered/1"):
            frame = page.next("me", "event")
            assert frame["kind"] == kind, frame
        told = frame["position"]
        page.socket.drop()
    begun = Client("127.0.0.1", int(port), other).socket("/chat")
    begun.send_json({"Type": "start_session"})
    mine = begun.wait_for(lambda frame: frame["Type"] == "session")["IncidentID"]
    frame = neighbour.next("me", "event")
    assert (frame["kind"], frame["subject"]) == ("session.created/1", f"session/{mine}"), frame


def signed_out(port, operator, idle):
    """Who is signed out is told nothing more, on a busy socket and on a silent one."""
    page, silent = Page(port, operator), Page(port, idle)
    # The sign-in may end as soon as the subscription is on record, before the page is told.
    page.socket.send_json({"type": "subscribe", "topic": "desk"})
    for one in (page, silent):
        while (frame := one.socket.receive_json()) is not None:
            assert frame["type"] in ("position", "subscribed"), frame
        assert one.socket.closed == 1008, (one.socket.closed, one.socket.reason)


if __name__ == "__main__":
    names = dict(pair.split("=", 1) for pair in sys.argv[3:])
    {"resume": resume, "privacy": privacy, "alerts": alerts, "together": together, "handing": handing, "manners": manners, "signed-out": signed_out, "own": own}[sys.argv[1]](
        sys.argv[2], **names)
