#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Bad input gets a problem with a stable type, and leaves nothing in the log but the note that it was refused.

  bad_input.py --daybook PATH
"""
import http.client
import json
import os
import struct

import film
from centre import Centre, arguments, hold, run
from daybook import DEADLINE, new_id

# What a refusal may leave behind: who was turned away, and a sender's message that was not taken.
NOTES_OF_REFUSAL = {"access.refused/2", "chat.message_rejected/1", "patrol.check_in_refused/1"}
# What the gateway makes of a stream by itself, in its own time: it was looked at, its sender is gone, its session has ended.
OF_STREAMS = {"stream.chunks_inspected/1", "stream.interrupted/1", "stream.stopped/1", "stream.finalized/1"}


class Cases:
    """What was sent, what came back, and what the log gained since the last look."""

    def __init__(self, centre):
        self.centre, self.count, self.notes = centre, 0, set()
        self.begin()

    def begin(self):
        """From here on the log may gain nothing but notes of refusals."""
        self.entries, self.notes = self.centre.export(), set()

    def case(self, name, answer, status, slug, notes=frozenset()):
        """Checks one answer; `notes` are the kinds that may be recorded of it."""
        kind = answer.headers["Content-Type"]
        hold(kind == "application/problem+json", f"{name}: answered {answer.status} as {kind}: {answer.body[:300]}")
        problem = json.loads(answer.body)
        hold((answer.status, problem["status"], problem["type"]) == (status, status, f"urn:daybook:problem:{slug}"),
             f"{name}: answered {problem}, expected {status} {slug}")
        hold(problem.get("title"), f"{name}: no title")
        self.done(name, notes)

    def done(self, name, notes=frozenset()):
        hold(set(notes) <= NOTES_OF_REFUSAL, f"{name}: {notes} are no notes of a refusal")
        self.notes |= set(notes)
        self.count += 1
        print(f"ok  {name}", flush=True)

    def settle(self):
        """Compares the export with the one before these cases; gives the entries that it gained."""
        before, self.entries = self.entries, self.centre.export()
        hold(self.entries[: len(before)] == before, "entries changed")
        gained = [json.loads(line) for line in self.entries[len(before):]]
        # Strangers are counted, and told of once a minute: not when they were turned away.
        gained = [entry for entry in gained if entry["actor"] != "stranger/unknown"]
        kinds = {entry["type"] for entry in gained} - OF_STREAMS
        hold(kinds <= self.notes, f"the log gained {sorted(kinds - self.notes)}")
        return gained


def raw(centre, method, path, body, headers):
    """A request as it is, even where a client would not send it so."""
    connection = http.client.HTTPConnection("127.0.0.1", centre.port, timeout=DEADLINE)
    connection.request(method, path, body, headers)
    response = connection.getresponse()
    answer = type("Answer", (), {})()
    answer.status, answer.headers, answer.body = response.status, response.headers, response.read()
    connection.close()
    return answer


def requests(cases, centre, desk, caller, other, session):
    """What is wrong with a request itself."""
    messages = f"/v1/sessions/{session}/messages"
    as_json = {"Authorization": f"Bearer {caller.token}", "Content-Type": "application/json"}
    refused = {"access.refused/2"}
    cases.case("malformed JSON", raw(centre, "POST", messages, b'{"text": "a', as_json), 400, "malformed-json")
    cases.case("JSON of another shape", caller.post(messages, {"words": 1}), 400, "malformed-json")
    cases.case("not JSON at all", raw(centre, "POST", messages, b"text=a", dict(
        as_json, **{"Content-Type": "application/x-www-form-urlencoded"})), 415, "unsupported-media-type")
    cases.case("no token", centre.client().post(messages, {"text": "a"}), 401, "unauthorized", refused)
    cases.case("a wrong token", centre.client("nobody").post(messages, {"text": "a"}), 401, "session-expired", refused)
    cases.case("another number's token", other.post(messages, {"text": "a"}), 403, "session-of-other-caller",
               refused | {"chat.message_rejected/1"})
    cases.case("an oversized body", caller.post(messages, {"text": "a" * 300_000}), 413, "body-too-large")
    cases.case("an unknown route", caller.get("/v1/no-such-thing"), 404, "unknown-route")
    cases.case("a wrong method", caller.delete(messages), 405, "method-not-allowed")
    cases.case("an id that is none", desk.post("/v1/sessions/1/claim"), 404, "not-found")
    cases.case("a session that is none", desk.post(f"/v1/sessions/{new_id()}/claim"), 404, "not-found")
    cases.case("a query that makes no sense", desk.get(f"/v1/incidents/{session}/timeline?limit=none"), 400,
               "malformed-request")
    cases.case("a role that may not", caller.post(f"/v1/sessions/{session}/claim"), 403, "forbidden", refused)
    pictures = f"/v1/sessions/{session}/pictures"
    png = {"Content-Type": "image/png"}
    cases.case("a picture that is none", caller.post(pictures, b"<svg onload='alert(1)'/>", headers=png), 415,
               "unsupported-media-type")
    cases.case("a picture that is cut off", caller.post(pictures, PNG[:20], headers=png), 422, "picture-unacceptable")
    cases.case("a picture of a size that is none", caller.post(pictures, PNG[:16] + bytes(8) + PNG[24:], headers=png), 422,
               "picture-unacceptable")
    cases.case("a picture that is too large", caller.post(pictures, PNG + bytes(8 << 20), headers=png), 413, "body-too-large")
    cases.case("a picture with another number's token", other.post(pictures, PNG, headers=png), 403,
               "session-of-other-caller", refused)
    cases.case("a picture that is not there", caller.get(f"{pictures}/{new_id()}"), 404, "not-found")
    cases.case("a text that is too long", caller.post(messages, {"text": "a" * 20_000}), 422, "field-too-long",
               {"chat.message_rejected/1"})


def conflicts(cases, desk, second, caller, session):
    """What no longer holds, or holds for somebody else."""
    messages, key = f"/v1/sessions/{session}/messages", new_id()
    first = caller.post(messages, {"text": "once", "temporaryID": "once"}, key=key)
    hold(first.status == 201, f"a message: {first}")
    hold(desk.post(f"/v1/sessions/{session}/claim").ok, "the claim was refused")
    cases.begin()
    again = caller.post(messages, {"text": "once", "temporaryID": "once"}, key=key)
    same = [again.json[name] == first.json[name] for name in ("message", "position", "revision", "time")]
    hold(again.ok and all(same) and again.json["repeated"], f"the same command again: {again}, first {first}")
    cases.done("the same command again: the same receipt")
    cases.case("a key with other content", caller.post(messages, {"text": "twice"}, key=key), 422,
               "idempotency-key-reused")
    cases.case("a malformed If-Match", caller.post(messages, {"text": "twice"}, headers={"If-Match": 'W/"7"'}), 400,
               "malformed-request")
    stale(cases, desk, caller, session)
    pictures(cases, desk, second, caller, session)
    cases.case("a claim that another has", second.post(f"/v1/sessions/{session}/claim"), 409,
               "session-claimed-by-other")
    cases.settle()
    hold(desk.post(f"/v1/sessions/{session}/close", {"disposition": "handled"}).ok, "the closing was refused")
    cases.begin()
    cases.case("a message to what is closed", caller.post(messages, {"text": "late"}), 410, "chat-ended",
               {"chat.message_rejected/1"})
    cases.case("a claim of what is closed", desk.post(f"/v1/sessions/{session}/claim"), 410, "session-closed")


def pictures(cases, desk, second, caller, session):
    """The pictures of a session that another operator has: nothing to see, nothing to send, and both are recorded."""
    path, refused = f"/v1/sessions/{session}/pictures", {"access.refused/2"}
    cases.settle()
    sent = caller.post(path, PNG)
    hold(sent.status == 201 and desk.get(f"{path}/{sent.json['message']}").body == PNG, f"a picture: {sent}")
    cases.begin()
    cases.case("a picture of another operator's session", second.get(f"{path}/{sent.json['message']}"), 403,
               "session-private", refused)
    cases.case("a picture into another operator's session", second.post(path, PNG), 403, "session-not-owned", refused)
    gained = [entry["data"]["reason"] for entry in cases.settle() if entry["type"] == "access.refused/2"]
    hold(gained == ["ownership", "ownership"], f"the refusals say {gained}")


def stale(cases, desk, caller, session):
    """A command decided on what is no longer so: refused with both revisions, done once it names the present one."""
    place, address = f"/v1/incidents/{session}", {"address": "94 Broad Street"}
    cases.settle()
    seen = desk.get(f"/v1/sessions/{session}").headers["ETag"]
    hold(caller.post(f"/v1/sessions/{session}/messages", {"text": "meanwhile"}).ok, "a message was refused")
    tag = desk.get(place).headers["ETag"]
    moved = desk.put(f"{place}/address", address, headers={"If-Match": tag})
    hold(moved.ok and tag, f"an address at revision {tag}: {moved}")
    cases.begin()
    for name, answer, expected in [
        ("a stale revision of a session", desk.post(f"/v1/sessions/{session}/close", headers={"If-Match": seen}), seen),
        ("a stale revision of an incident", desk.put(f"{place}/address", address, headers={"If-Match": tag}), tag),
    ]:
        cases.case(name, answer, 412, "stale-revision")
        told = answer.json
        hold(f'"{told["expected"]}"' == expected and int(told["actual"]) > int(told["expected"])
             and told["subject"] in told["detail"], f"{name}: {told}")


def video(cases, caller, other, session):
    """Video that is broken, that lies, or that is somebody else's."""
    stream = film.begin(caller, session)
    data, refused = film.recorded(), {"access.refused/2"}
    parts = f"/v1/streams/{stream}/parts"
    cases.begin()
    cases.case("video with another number's token",
               other.put(f"{parts}/0?offset=0", data[:65_536]), 403, "device-of-other-number", refused)
    cases.case("broken WebM", caller.put(f"{parts}/0?offset=0", BROKEN), 422, "media-refused", refused)
    cases.case("a container that lies", caller.put(f"{parts}/1?offset=0&end=true", lying(data)), 422, "media-refused",
               refused)
    over_a_socket(cases, caller, stream, "broken WebM over a socket", BROKEN, 2, "media-refused")
    over_a_socket(cases, caller, stream, "a container that lies, over a socket", lying(data)[:65_536], 3, "media-refused")
    cases.case("more video at once than is taken", raw(cases.centre, "PUT", f"{parts}/4?offset=0", b"", {
        "Authorization": f"Bearer {caller.token}", "Content-Length": str(1 << 30)}), 413, "body-too-large")
    noted(cases.settle(), stream)


def other_bytes(cases, caller, session):
    """Other bytes than those that are archived at the same place."""
    stream, data = film.begin(caller, session), film.recorded()
    path = f"/v1/streams/{stream}/parts/0?offset=0"
    taken = caller.put(path, data)
    hold(taken.ok and taken.json["through"] > 4096, f"sound video: {taken}")
    cases.begin()
    other = data[:2048] + bytes([data[2048] ^ 1]) + data[2049:65_536]
    cases.case("other bytes at a known offset", caller.put(path, other), 409, "media-conflict",
               {"access.refused/2"})
    over_a_socket(cases, caller, stream, "other bytes at a known offset, over a socket", other, 0, "media-conflict")
    noted(cases.settle(), stream)


with open(os.path.join(os.path.dirname(__file__), "..", "..", "fixtures", "pictures", "street.png"), "rb") as picture:
    PNG = picture.read()
BROKEN = b"\x1a\x45\xdf\xa3" + b"\xff" * 4096


def over_a_socket(cases, caller, stream, name, bad, part, slug):
    """The same over the ingest socket: it says why, and closes."""
    socket, _ = film.connect(caller, stream)
    socket.send_bytes(struct.pack(">IQ", part, 0) + bad)
    socket.send_json({"type": "end", "part": part})
    told = socket.wait_for(lambda frame: frame["type"] == "refused")
    hold(told["problem"] == f"urn:daybook:problem:{slug}" and told["detail"], f"{name}: {told}")
    hold(socket.receive() is None and socket.closed == 1008, f"{name}: the socket closed with {socket.closed}")
    cases.done(name, {"access.refused/2"})


def noted(entries, stream):
    """Each way of sending was noted once in a minute, whatever was sent how often."""
    notes = [entry for entry in entries if entry["type"] == "access.refused/2" and entry["data"]["reason"] == "media"]
    attempts = {note["data"]["attempt"] for note in notes}
    hold(attempts == {"stream.upload", "stream.ingest"}, f"refused video was noted as {notes}")
    hold(all(note["data"]["resource"] == f"stream/{stream}" for note in notes), f"noted of another stream: {notes}")
    minutes = {(note["data"]["attempt"], note["commandid"].rsplit("~", 1)[1]) for note in notes}
    hold(len(notes) == len(minutes), f"noted more than once in a minute: {notes}")


def lying(data):
    """Sound WebM that says VP9, with frames that are none."""
    cluster = data.index(b"\x1f\x43\xb6\x75")
    block = data.index(b"\xa3", cluster + 12)
    size = data[block + 1: block + 9]
    # Past the block's size, track, time code and flags stands the frame: zeros are no VP9 header.
    width = 8 - size[0].bit_length() + 1
    start = block + 1 + width + 4
    return data[:start] + bytes(64) + data[start + 64:]


def frames(cases, caller, session):
    """The chat socket: it answers in the source's frames and stays open."""
    socket, _ = cases.centre.chat(caller)
    cases.begin()
    for name, text in [("a frame that is no JSON", "{"), ("a frame of no known type", '{"Type": "dance"}'),
                       ("a frame without an id", '{"Type": "message", "Message": "a", "TempMessageID": "t"}')]:
        socket.send_text(text)
        reply = socket.wait_for(lambda frame: frame.get("Status") == "failed")
        hold(reply["Type"] == "message_report" and reply["Error"] and reply["MessageID"] is None,
             f"{name}: {reply}")
        cases.done(name, {"chat.message_rejected/1"})
    socket.send_bytes(struct.pack("!I", 1))
    hold(socket.receive() is None and socket.closed in (1003, 1008), "a binary chat frame was taken")
    cases.done("a binary chat frame")


def main(options, folder):
    centre = Centre(options.daybook, folder).open()
    desk, second = centre.staff("amina"), centre.staff("ben")
    caller, other = centre.caller(desk), centre.caller(desk)
    chat, session = centre.chat(caller)
    chat.close()
    cases = Cases(centre)
    requests(cases, centre, desk, caller, other, session)
    cases.settle()
    video(cases, caller, other, session)
    cases.settle()
    conflicts(cases, desk, second, caller, session)
    cases.settle()
    frames(cases, caller, session)
    cases.settle()
    chat, session = centre.chat(other)
    chat.close()
    other_bytes(cases, other, session)
    centre.stop()
    centre.verify()
    print(f"{cases.count} kinds of bad input: each refused in words, nothing stored but the refusal")


if __name__ == "__main__":
    run(main, arguments(__doc__).parse_args())
