#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Texts by telephone, with a small SIP telephone of the tests (`sip_phone.py`): what comes in by UDP, TCP and TLS stands once in the export, whoever repeats it; answers reach the
telephone, and those that do not are shown as failed; nobody is named who is not; nothing acknowledged is lost over kill -9, and nothing is there twice.

  text_by_telephone.py --daybook PATH [--rounds 2] [--texts 12]
"""

import collections
import json
import os
import re
import threading
import urllib.parse

from centre import Centre, Failed, arguments, hold, run
from daybook import until
from sip_phone import Phone, pidf, sip_port

# A telephone that does not answer has so long (source 1).
ANSWER_MILLISECONDS = 4000
PICTURE = os.path.join(os.path.dirname(__file__), "..", "..", "fixtures", "pictures", "street.png")


def main(options, folder):
    port, tls_port = sip_port(), sip_port()
    centre = Centre(options.daybook, folder, with_tls=True, options=["--sip", f"127.0.0.1:{port}", "--sip-tls", f"127.0.0.1:{tls_port}", "--start-limit", "3600"]).open()
    story = TextByTelephone(centre, port, tls_port)
    for step in (story.a_text_arrives_once, story.a_repeated_datagram_is_one_event, story.a_place_comes_by_tcp, story.pictures_come_by_tcp, story.answers_go_by_the_callers_connection,
                 story.a_registered_phone_is_known_by_its_token, story.unknown_tokens_are_answered_alike, story.trunks_alone_assert_numbers, story.answers_arrive,
                 story.a_phone_that_is_gone_is_told_and_asked_again, story.what_is_no_sip_is_counted_and_kept_once, story.a_call_is_refused_but_its_place_kept):
        print(step.__name__.replace("_", " "), flush=True)
        step()
    for number in range(options.rounds):
        print(f"kill {number + 1}", flush=True)
        story.a_kill_loses_and_doubles_nothing(options.texts)
    story.a_kill_between_an_answer_and_its_end()
    story.each_text_is_there_once()
    centre.stop()
    centre.verify()


class TextByTelephone:
    def __init__(self, centre, port, tls_port):
        self.centre, self.port, self.tls_port = centre, port, tls_port
        self.admin, self.desk = centre.admin, centre.staff("amina")
        # Of each session, the texts that were answered with 200, in their order.
        self.said = collections.defaultdict(list)
        self.count = 0

    # MARK: What is asked and seen

    def phone(self, transport="udp", **more):
        """A telephone with a number of nobody and an address of its own: limits are by address."""
        self.count += 1
        port = self.tls_port if transport == "tls" else self.port
        return Phone(port, f"+4477009{self.count:05}", transport, **{"host": f"127.0.1.{self.count}", "tls": self.centre.tls, **more})

    def received(self):
        """The messages in the ledger; what is asked from now on has read so far."""
        entries = self.centre.entries()
        self.desk.newest.take(int(entries[-1]["position"]))
        return [entry for entry in entries if entry["type"] == "sip.message_received/1"]

    def arrives(self, send, text=None):
        """Does something after which one more message is in the ledger; the session it came into."""
        before = len(self.received())
        send()
        now = self.received()
        hold(len(now) == before + 1, f"{len(now) - before} messages stand in the export, there should be one more")
        session = now[-1]["subject"].removeprefix("session/")
        if text:
            self.said[session].append(text)
        return session

    def texts(self, phone, text, **more):
        """Sends a text, which is taken; its session."""
        def sends():
            answer = phone.message(text, **more).deliver()
            hold(answer.status == 200, f"{text} was answered {answer}")
        return self.arrives(sends, text)

    def claims(self, session):
        answer = self.desk.post(f"/v1/sessions/{session}/claim")
        hold(answer.ok, f"claiming {session}: {answer}")
        return session

    def closes(self, session):
        answer = self.desk.post(f"/v1/sessions/{session}/close", {"disposition": "handled"})
        hold(answer.ok, f"closing {session}: {answer}")

    def transcript(self, session):
        return self.desk.get(f"/v1/sessions/{session}/transcript").json["messages"]

    def telephone(self, session):
        return self.desk.get(f"/v1/sessions/{session}").json.get("telephone")

    def shows(self, session, **wanted):
        """The session's telephone has these members, `None` for those that it must not have."""
        seen = self.telephone(session) or {}
        hold(all(seen.get(name) == value for name, value in wanted.items()), f"the telephone is shown as {seen}, wanted are {wanted}")

    def replies(self, session, text):
        """Writes to the caller as the operator's page does; the message's id."""
        chat = self.desk.socket("/chat")
        chat.send_json({"Type": "start_session", "IncidentID": session})
        self.count += 1
        chat.send_json({"IncidentID": session, "Type": "message", "Message": text, "Timestamp": "1", "TempMessageID": f"reply{self.count}"})
        report = chat.wait_for(lambda frame: frame["Type"] == "message_report" and frame["TempMessageID"] == f"reply{self.count}")
        chat.close()
        return report["MessageID"]

    def becomes(self, session, message, state, attempt=1, **wanted):
        """Waits until a reply is in a state; its row."""
        def row():
            found = next((one for one in (self.telephone(session) or {}).get("replies", []) if one["message"] == message), {})
            return found if (found.get("state"), found.get("attempt")) == (state, attempt) else None
        found = until(row, f"reply {message} is {state} at attempt {attempt}")
        hold(all(found.get(name) == value for name, value in wanted.items()), f"the reply is shown as {found}, wanted is {wanted}")
        return found

    def events(self, kind, session):
        return [entry["data"] for entry in self.centre.entries() if entry["type"] == kind and entry["subject"] == f"session/{session}"]

    # MARK: What comes

    def a_text_arrives_once(self):
        with self.phone(name="Ann") as phone:
            session = self.claims(self.texts(phone, "man having heart attack"))
            self.shows(session, number=phone.number, isVerified=False, trunk=None, name="Ann", transport="udp", method="MESSAGE", address=f"{phone.host}:{phone.port}")
            message, = self.transcript(session)
            hold((message["text"], message["channel"], message["from"]) == ("man having heart attack", "sip", "caller"), f"the transcript has {message}")
            again = self.texts(phone, "Straße 5, 🚒", uri="urn:service:sos")
            hold(again == session, "the second text of a person is in another session")
            hold([one["text"] for one in self.transcript(session)] == self.said[session], f"the transcript has {self.transcript(session)}")
            hold(phone.message("", uri="urn:service:sos").deliver().status == 200, "an empty text is not answered")
            hold(len(self.transcript(session)) == 2, "an empty text is in the transcript")
            self.closes(session)

    def a_repeated_datagram_is_one_event(self):
        with self.phone() as phone:
            transaction = phone.message("once")

            def sends():
                # What is repeated before there is an answer has none of its own (RFC 3261 §17.2.2).
                transaction.send().send()
                answers = transaction.waits_for()
                while len(answers) < 3:
                    answers = transaction.send().waits_for(len(answers) + 1)
                hold([answer.bytes for answer in answers] == 3 * [answers[0].bytes] and answers[0].status == 200, f"three datagrams are answered {answers}")
            session = self.claims(self.arrives(sends, "once"))
            hold(len(self.transcript(session)) == 1, f"the transcript has {self.transcript(session)}")
            self.closes(session)

    def a_place_comes_by_tcp(self):
        with self.phone("tcp") as phone:
            session = self.arrives(lambda: self.taken(phone.located("I am here", pidf(52.5163, 13.3777, 25))), "I am here")
            self.claims(session)
            self.stands_at(session, 52.5163, 13.3777, 25)
            hold(self.arrives(lambda: self.taken(phone.message(pidf(52.5170, 13.3780), "application/pidf+xml"))) == session, "a place alone is in another session")
            self.stands_at(session, 52.5170, 13.3780, None)
            hold(len(self.transcript(session)) == 1, "a place alone is a message")
            wrong = phone.located("where am I", pidf(152, 13))
            self.arrives(lambda: self.taken(wrong), "where am I")
            hold("100" in wrong.answers[-1]["Geolocation-Error"], f"a place beyond the Earth is answered {wrong.answers}")
            last = self.last_place(session)
            hold(last.get("unavailable") == "unreadable" and "fix" not in last, f"a place beyond the Earth is shown as {last}")
            self.closes(session)

    def last_place(self, session):
        return max(self.desk.get(f"/v1/sessions/{session}").json["locations"], key=lambda one: int(one["position"]))

    def stands_at(self, session, latitude, longitude, accuracy):
        last = self.last_place(session)
        seen = tuple(last["fix"].get(name) for name in ("latitude", "longitude", "accuracyMetres"))
        hold(seen == (latitude, longitude, accuracy), f"the caller is shown at {last}")

    @staticmethod
    def taken(transaction):
        answer = transaction.deliver()
        hold(answer.status == 200, f"{transaction.request!r} was answered {answer}")

    def pictures_come_by_tcp(self):
        with open(PICTURE, "rb") as file:
            picture = file.read()
        with self.phone("tcp") as phone:
            session = self.claims(self.arrives(lambda: self.taken(phone.message(picture, "image/png"))))
            both = phone.located("and here", pidf(51.5, -0.1), [("image/png", picture)])
            hold(self.arrives(lambda: self.taken(both), "and here") == session, "the second picture is in another session")
            messages = self.transcript(session)
            hold([one["kind"] for one in messages] == ["picture", "text", "picture"], f"the transcript has {messages}")
            # On another connection it is another transaction, and the same message.
            with Phone(self.port, phone.number, "tcp", host=phone.host) as anew:
                before = len(self.received())
                hold(both.moves_to(anew).send().waits_for(2)[1].status == 200, f"a picture that comes again is answered {both.answers}")
                hold(len(self.received()) == before, "a picture that comes again is another one")
            for message in messages[::2]:
                shown = self.desk.get(f"/v1/sessions/{session}/pictures/{message['id']}")
                hold(shown.body == picture, f"a picture of {len(picture)} bytes comes back as {len(shown.body)}")
            hold(phone.message(b"PK", "application/zip").deliver().status == 415, "a file that is no picture is taken")
            self.closes(session)

    def answers_go_by_the_callers_connection(self):
        """A telephone behind a firewall can be reached by no other; when it has ended, the answer fails."""
        for transport in ("tcp", "tls"):
            with self.phone(transport) as phone:
                session = self.claims(self.texts(phone, f"in private by {transport}"))
                self.shows(session, transport=transport, isVerified=False)
                text = "on the same connection" + 2000 * "."
                message = self.replies(session, text)
                phone.waits_for_text(text)
                self.becomes(session, message, "delivered")
            message = self.replies(session, "still there?")
            self.becomes(session, message, "failed")
            self.closes(session)

    # MARK: Who sends

    def a_registered_phone_is_known_by_its_token(self):
        device = self.centre.caller(self.desk)
        token = urllib.parse.quote(device.token, safe="")
        with self.phone() as phone:
            refused = phone.message("not my number", to=token).deliver()
            hold(refused.status == 403, f"a token with the number of somebody else is answered {refused}")
            phone.number = device.phone
            session = self.claims(self.texts(phone, "it is me", to=token))
            self.shows(session, number=device.phone, isVerified=True, trunk=None)
            shown = self.desk.get(f"/v1/sessions/{session}").json["session"]
            hold((shown.get("phone"), shown.get("device")) == (device.phone, device.device), f"the session is {shown}")
            hold(not [line for line in self.centre.export() if device.token.encode() in line], "the token stands in the export")
            # The page of the same person comes into the same session.
            chat, own = self.centre.chat(device)
            hold(own == session, "page and telephone of one person are in two sessions")
            chat.drop()
            self.closes(session)

    def unknown_tokens_are_answered_alike(self):
        closed = self.centre.caller(self.desk)
        revoked = self.admin.delete(f"/v1/devices/{closed.device}?reason=lost")
        hold(revoked.ok, f"revoking a phone: {revoked}")
        tokens = [closed.token, closed.token[:-1], closed.token[::-1], "x", "%00", "sosx", "'" * 40]
        before, answers = len(self.received()), []
        with self.phone() as phone:
            phone.number = closed.phone
            for token in tokens:
                answer = phone.message("let me in", to=urllib.parse.quote(token, safe="%'")).deliver()
                answers.append((answer.start, sorted(name for name, _ in answer.fields), answer.body))
        hold(all(answer == answers[0] for answer in answers) and " 404 " in answers[0][0], f"tokens that are none are answered {answers}")
        hold(len(self.received()) == before, "what came to a token that is none is in the ledger")

    def trunks_alone_assert_numbers(self):
        claimed = "+447700900999"
        asserted = [("P-Asserted-Identity", f'"Bank" <sip:{claimed}@trunk.example;user=phone>')]
        with self.phone() as phone:
            session = self.claims(self.texts(phone, "a forged number", fields=asserted))
            self.shows(session, number=phone.number, isVerified=False, trunk=None)
            self.closes(session)
            for is_on in (True, False):
                set_up = self.admin.put("/v1/trunks/telekom", {"name": "Telekom", "host": phone.host, "isOn": is_on})
                hold(set_up.ok, f"naming a trunk: {set_up}")
                # Its sockets hear of it when the read model has it.
                session = until(lambda: self.arrives_as(phone, asserted, claimed if is_on else phone.number), f"the trunk is {'named' if is_on else 'off'}")
                self.claims(session)
                self.shows(session, isVerified=is_on, trunk="Telekom" if is_on else None)
                self.closes(session)

    def arrives_as(self, phone, fields, number):
        """Texts as a trunk; the session where the text is of `number`."""
        session = self.texts(phone, f"as {number}", fields=fields)
        self.claims(session)
        seen = self.telephone(session)["number"]
        hold(seen in (phone.number, number), f"the number is shown as {seen}")
        if seen == number:
            return session
        self.closes(session)
        return None

    # MARK: What goes back

    def answers_arrive(self):
        with self.phone() as phone:
            session = self.claims(self.texts(phone, "anybody there?"))
            message = self.replies(session, "Wir kommen, größer 🚒")
            request = phone.waits_for_text("Wir kommen, größer 🚒")
            hold(request.start.split()[1].startswith(f"sip:{phone.number}@{phone.host}:{phone.port}"), f"the answer goes to {request.start}")
            self.becomes(session, message, "delivered")
            posted = self.desk.post(f"/v1/sessions/{session}/messages", {"text": "by HTTP", "temporaryID": "http1"})
            hold(posted.status == 201, f"writing by HTTP: {posted}")
            phone.waits_for_text("by HTTP")
            self.becomes(session, posted.json["message"], "delivered")
            phone.status = 486
            message = self.replies(session, "are you busy?")
            self.becomes(session, message, "failed", status=486)
            phone.status = 200
            long = "x" * 2000
            message = self.replies(session, long)
            self.becomes(session, message, "failed")
            hold(len(phone.received) == 3, f"the telephone got {phone.received}")
            self.closes(session)

    def a_phone_that_is_gone_is_told_and_asked_again(self):
        with self.phone() as phone:
            session = self.claims(self.texts(phone, "I must go"))
            phone.status = None
            message = self.replies(session, "still there?")
            phone.waits_for_text("still there?")
            self.becomes(session, message, "failed")
            ended, = self.events("sip.reply_timed_out/1", session)
            hold((ended["timeoutMilliseconds"], ended["attempt"]) == (ANSWER_MILLISECONDS, 1), f"the end of the attempt is {ended}")
            phone.status = 200
            again = self.desk.post(f"/v1/sessions/{session}/messages/{message}/send-again", {})
            hold(again.ok and again.json["attempt"] == 2, f"sending again: {again}")
            self.becomes(session, message, "delivered", attempt=2)
            calls = {one["Call-ID"] for one in phone.received}
            hold(len(calls) == len(phone.received) == 2, f"the telephone got {phone.received}")
            # The message is no second one to the operator.
            hold([one["text"] for one in self.transcript(session)] == ["I must go", "still there?"], f"the transcript has {self.transcript(session)}")
            refused = self.desk.post(f"/v1/sessions/{session}/messages/{message}/send-again", {})
            hold(refused.status == 409, f"sending what was delivered again: {refused}")
            self.closes(session)

    # MARK: What is wrong

    def what_is_no_sip_is_counted_and_kept_once(self):
        before, kept = self.malformed(), len([one for one in self.centre.entries() if one["type"] == "sip.malformed_received/1"])
        with self.phone() as phone:
            for number in range(5):
                phone.send_bytes(b"MESSAGE sip:sos@127.0.0.1 SIP/2.0\r\nContent-Length: -%d\r\n\r\n" % number)
            phone.send_bytes(os.urandom(200))
            until(lambda: self.malformed() - before == 6, "six malformed messages are counted")
            hold(phone.request("OPTIONS").deliver().status == 200, "OPTIONS is not answered after malformed messages")
        found = [one for one in self.centre.entries() if one["type"] == "sip.malformed_received/1"]
        # The first of a sender and minute: a minute may have ended in between.
        hold(len(found) - kept in (1, 2), f"{len(found) - kept} malformed messages of one sender and minute are kept")
        hold(phone.host not in json.dumps([one["data"] for one in found]), "the address of a sender lies open")

    def malformed(self):
        text = self.admin.get("/metrics").body.decode()
        return int(float(re.search(r"^daybook_sip_malformed\S* (\S+)", text, re.MULTILINE)[1]))

    def a_call_is_refused_but_its_place_kept(self):
        with self.phone("tcp") as phone:
            before = len(self.received())
            offer = "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 4000 RTP/AVP 0\r\n"
            invite = phone.message(offer, "application/sdp", method="INVITE")
            answer = invite.deliver()
            hold(answer.status == 488 and "304" in answer["Warning"], f"a call is answered {answer.fields}")
            hold(len(self.received()) == before, "a call without a place is in the ledger")
            phone.acknowledge(invite, answer)
            late = phone.cancel(invite).deliver()
            hold(late.status in (200, 481), f"a CANCEL after the answer is answered {late}")
            hold(phone.request("BYE", to_tag="none").deliver().status == 481, "a BYE of no call is not refused")
            located = phone.located("I cannot speak", pidf(52.5, 13.4, 10), method="INVITE")
            session = self.claims(self.arrives(lambda: hold(located.deliver().status == 488, f"a call with a place is answered {located.answers}"), "I cannot speak"))
            phone.acknowledge(located, located.answers[-1])
            self.stands_at(session, 52.5, 13.4, 10)
            self.shows(session, method="INVITE", transport="tcp")
            self.closes(session)
            abilities = phone.request("OPTIONS").deliver()
            hold(abilities.status == 200 and "MESSAGE" in abilities["Allow"] and "image/jpeg" in abilities["Accept"], f"OPTIONS is answered {abilities.fields}")
            hold(phone.request("SUBSCRIBE").deliver().status in (405, 501), "SUBSCRIBE is taken")

    # MARK: Kills

    def a_kill_loses_and_doubles_nothing(self, texts):
        """Telephones text while the gateway is killed: each repeats its text until it is answered, and one after it was."""
        self.count += 1
        first = self.count
        phones = [self.phone() for _ in range(texts)]
        transactions = [phone.message(f"over a kill {first}.{number}") for number, phone in enumerate(phones)]
        answered = phones[0].message(f"answered before {first}")
        self.taken(answered)
        place = phones[1].message(pidf(52.5, 13.4), "application/pidf+xml")
        self.taken(place)
        faults = []

        def delivers(transaction):
            try:
                answer = transaction.deliver()
                hold(answer.status == 200, f"{transaction.request!r} was answered {answer}")
            except (Failed, TimeoutError) as error:
                faults.append(error)
        threads = [threading.Thread(target=delivers, args=[transaction]) for transaction in transactions]
        for thread in threads[:texts // 2]:
            thread.start()
        transactions[0].waits_for()
        self.centre.gateway.kill()
        for thread in threads[texts // 2:]:
            thread.start()
        self.centre.start()
        for thread in threads:
            thread.join()
        hold(not faults, f"over a kill: {faults[:2]}")
        # What was acknowledged before the kill comes once more.
        for transaction in (answered, place, *transactions):
            heard = len(transaction.answers)
            transaction.send()
            hold(transaction.waits_for(heard + 1)[-1].status == 200, f"a repetition is answered {transaction.answers}")
        for phone in phones:
            phone.close()
        received, sessions = collections.Counter(), {}
        for entry in self.received():
            received[entry["subject"]] += 1
        for session in received:
            if session.removeprefix("session/") in self.said:
                continue
            messages = self.read(session.removeprefix("session/"))
            for message in messages:
                sessions.setdefault(message["text"], []).append(session)
        wanted = [f"over a kill {first}.{number}" for number in range(texts)] + [f"answered before {first}"]
        times = {text: len(sessions.get(text, [])) for text in wanted}
        hold(set(times.values()) == {1}, f"each text should be there once: {times}")
        places = self.events("location.reported/1", sessions[wanted[1]][0].removeprefix("session/"))
        hold(len(places) == 1, f"the place is there {len(places)} times")
        for text in wanted:
            self.said[sessions[text][0].removeprefix("session/")].append(text)

    def read(self, session):
        """The transcript of a session that waits; it is closed afterwards."""
        self.claims(session)
        messages = self.transcript(session)
        self.closes(session)
        return messages

    def a_kill_between_an_answer_and_its_end(self):
        """An attempt that a kill left without an end failed; it is not made again by itself."""
        with self.phone() as phone:
            session = self.claims(self.texts(phone, "and then?"))
            phone.status = None
            message = self.replies(session, "wait there")
            phone.waits_for_text("wait there")
            self.centre.gateway.kill()
            self.centre.start()
            self.becomes(session, message, "failed")
            phone.status = 200
            again = self.desk.post(f"/v1/sessions/{session}/messages/{message}/send-again", {})
            hold(again.ok, f"sending again: {again}")
            self.becomes(session, message, "delivered", attempt=2)
            calls = [one["Call-ID"] for one in phone.received]
            hold(len(calls) == len(set(calls)) == 2, f"the telephone got {phone.received}")
            self.closes(session)

    def each_text_is_there_once(self):
        """Of all that was said, nothing is missing and nothing doubled."""
        entries = self.centre.entries()
        heard = collections.Counter(entry["subject"].removeprefix("session/") for entry in entries
                                    if entry["type"] == "chat.message_sent/1" and entry["data"]["from"] == "caller")
        said = {session: len(texts) for session, texts in self.said.items()}
        hold({session: heard[session] for session in said} == said, f"texts by session are {heard}, said were {said}")


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--rounds", type=int, default=2, help="kills of the gateway while telephones text")
    parser.add_argument("--texts", type=int, default=12, help="of each round")
    run(main, parser.parse_args())
