#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Alerts leave by a real mail server (Exim), a real message centre (Kannel) and a push service, on the loopback: what arrives is what was said, parts that failed go again, answers
come back, and nothing is lost by servers that refuse and are stopped, nor by a gateway that is killed.

  delivery.py --daybook PATH [--alerts 24] [--people 4] [--kills 0] [--seed 1]

The refusals are the servers' own: Exim answers 451 to all and 550 to one address, Kannel 503 when its queue is full and 400 to a number of its black list. An alert is doubled only
where its attempt was under way at a kill, and such an attempt is recorded as unknown. Told is how long the parts took, and a chat message beside them and before them; a measurement,
no gate. Ends with 77 where Exim or Kannel is not installed.
"""

import datetime
import random
import time

from centre import Centre, arguments, chosen, hold, run, seed
from daybook import until
from mail_server import MailServer
from push_endpoint import PushEndpoint
from sms_centre import SmsCentre
from talker import Talker, between, described, percentile

# Numbers that the regulator keeps for films and books: nobody has them.
NUMBERS = [f"+44770090{number:04d}" for number in range(300, 700)]
GSM_TEXT = "".join("abcdefghij"[place % 10] for place in range(116)) + "€"
EMOJI_ON_BORDER = "u" * 66 + "🚨 harbour"
DOTS = "first\n.\n..x\n\nlast line without an end."
# How long a chat message takes while nothing is delivered is looked at for so long.
QUIET_SECONDS = 1


def main(options, folder):
    chance = random.Random(chosen(options))
    with MailServer() as mail:
        centre = Centre(options.daybook, folder, options=["--site-name", "Watford Rescue", "--push-roots", mail.certificate, "--push-reach", "machine", "--start-limit", "3600"]).open()
        delivery = Delivery(centre, mail)
        delivery.sets_up_mail()
        key = delivery.sets_up_sms(1)
        # Half of those who are called out while its centre is away find no room.
        with SmsCentre(incoming=key, queue=min(options.people, options.alerts // 4) // 2) as sms:
            delivery.sms = sms
            delivery.sets_up_sms(sms.port)
            for step in (delivery.tests, delivery.says_what_was_said, delivery.says_which_part_failed, delivery.hears_answers):
                print(step.__name__.replace("_", " "), flush=True)
                step()
            delivery.loses_nothing(options.alerts, options.people, options.kills, chance)
        centre.stop()
        centre.verify()


class Delivery:
    def __init__(self, centre, mail):
        self.centre, self.mail, self.sms = centre, mail, None
        self.admin, self.desk = centre.admin, centre.staff("amina")
        self.session = self.desk.post("/v1/sessions", {"phone": "+447700900299"}).json["session"]
        self.base = f"http://127.0.0.1:{centre.port}"
        self.number = 0

    # MARK: Setting up

    def sets_up_mail(self, port=None, is_on=True):
        body = {"isOn": is_on, "host": "localhost", "port": port or self.mail.port, "security": "starttls", "user": self.mail.name, "password": self.mail.password,
                "from": "centre@watford.example", "perMinute": 6000}
        answer = self.admin.put("/v1/senders/email", body)
        hold(answer.ok, f"setting up mail: {answer}")

    def sets_up_sms(self, port, is_on=True):
        """Returns the address for answers, without the placeholders that the message centre fills in."""
        body = {"isOn": is_on, "host": "127.0.0.1", "port": port, "security": "none", "user": SmsCentre.name, "password": SmsCentre.password, "from": "8888", "perMinute": 6000,
                "reportsTo": self.base}
        answer = self.admin.put("/v1/senders/sms", body)
        hold(answer.ok, f"setting up SMS: {answer}")
        return self.sender("sms")["incoming"].split("&from=")[0] + "&"

    def sender(self, channel):
        return next(one for one in self.admin.get("/v1/senders").json["items"] if one["channel"] == channel)

    # MARK: What is asked and seen

    def alert(self, text, **more):
        self.number += 1
        body = {"cause": f"session/{self.session}", "severity": "critical", "template": "help", "text": text, "deduplicationKey": f"key-{self.number}", **more}
        return self.desk.post("/v1/alerts", body)

    def queued(self, text, **more):
        answer = self.alert(text, **more)
        hold(answer.status == 201, f"queueing an alert: {answer}")
        return answer.json["alert"]

    def shown(self, alert):
        return next((one for one in self.desk.get("/v1/alerts?limit=500").json["items"] if one["id"] == alert), {})

    def becomes(self, alert, state):
        until(lambda: self.shown(alert).get("state") == state, f"alert {alert} is {state}, it is {self.shown(alert)}")

    def mails_of(self, alert):
        return [message for message in self.mail.messages() if message["Message-ID"].startswith(f"<{alert}.")]

    def texts_to(self, number):
        return [one["text"] for one in self.sms.messages() if one["to"].lstrip("+") == number.lstrip("+")]

    def events(self, kind):
        return [entry for entry in self.centre.entries() if entry["type"] == kind]

    # MARK: Steps

    def tests(self):
        for channel, to in (("email", "ada@example.org"), ("sms", NUMBERS[-1])):
            answer = self.admin.post(f"/v1/senders/{channel}/test", {"to": to})
            hold(answer.status == 201, f"a test of {channel}: {answer}")
        self.mail.wait_for(1)
        self.sms.wait_for(1)
        for channel in ("email", "sms"):
            until(lambda: [one["state"] for one in self.sender(channel)["lastAttempts"]] == ["sent"], f"the test of {channel} is shown as sent")
        until(lambda: self.sender("sms")["lastAttempts"][0].get("report") == "delivered", "the message centre's report is shown")
        message = self.mail.messages()[0]
        hold(message.recipient == "ada@example.org" and message.sender == "centre@watford.example", f"the envelope: {message.recipient}, {message.sender}")
        hold("Watford Rescue" in message["Subject"] and message["Auto-Submitted"] == "auto-generated", f"the heads: {message.items()}")
        refused = self.desk.get("/v1/senders")
        hold(refused.status == 403, f"an operator reads the senders: {refused}")

    def says_what_was_said(self):
        for place, text in enumerate((GSM_TEXT, EMOJI_ON_BORDER, DOTS, "ä" * 300 + "€", "Привет 😀")):
            number = NUMBERS[place]
            alert = self.queued(text, sms=number, email=f"person{place}@example.org")
            self.becomes(alert, "sent")
            mail = until(lambda: self.mails_of(alert), "the e-mail")
            hold(len(mail) == 1 and text in mail[0].get_content().replace("\r\n", "\n"), f"the e-mail says {mail[0].get_content()!r}, asked was {text!r}")
            said = until(lambda: self.texts_to(number), "the SMS")
            wanted = text.replace("🚨", " 🚨") if text is EMOJI_ON_BORDER else text
            # "URGENT: " moves the border: whether a blank is needed depends on what stands before.
            hold(any(one in said[0] for one in (wanted, text)), f"the SMS says {said[0]!r}, asked was {text!r}")
            hold(not any(message.get("cut") for message in self.sms.messages()), "a character was torn between two parts")

    def says_which_part_failed(self):
        alert = self.queued("To nobody by e-mail", sms=NUMBERS[11], email="perm@example.org")
        self.becomes(alert, "sent_in_part")
        self.fails("email", "550")

    def hears_answers(self):
        number = NUMBERS[12]
        alert = self.queued("Can you come?", sms=number)
        self.becomes(alert, "sent")
        until(lambda: self.texts_to(number), "the SMS")
        self.sms.reply(number, "OK, on my way")
        until(lambda: self.shown(alert).get("acknowledgedAt"), "the answer is shown")
        hold(any(entry["data"]["answer"] == "acknowledged" for entry in self.events("alert.answered/1")), "it is recorded as acknowledged")
        self.sms.reply(number, "Stop")
        until(lambda: self.alert("Once more", sms=number).status == 409, "whoever answered STOP gets no more")
        self.sms.reply(number, "START")
        until(lambda: self.alert("And again", sms=number).status == 201, "until START")

    def loses_nothing(self, alerts, people, kills, chance):
        """People are called out in three ways: a half while all goes well, a quarter while both servers refuse and are away, a quarter while they and the gateway are killed."""
        staff = [self.enlists(number) for number in range(people)]
        talker, quiet = Talker(self.desk, self.session, outlives=True), time.monotonic()
        time.sleep(QUIET_SECONDS)
        begun, asked = time.monotonic(), {}
        shown = lambda: [one for one in self.desk.get("/v1/alerts?limit=500").json["items"] if one["cause"] in asked]
        left = lambda: [one for one in shown() if one["state"] in ("queued", "partly_sent")]

        def all_end():
            until(lambda: len(shown()) == len(asked), f"each of {len(asked)} call-outs has its alert", pause=0.2)
            until(lambda: not left(), "all are sent", deadline=600, pause=0.2)

        # What an SMS whose answer was lost came to is known after two minutes: too long for every run.
        victims = [self.mail, self.sms] + [None] * kills if kills else []
        chance.shuffle(victims)
        refusing = range(alerts // 2, alerts * 3 // 4)
        moments = chance.sample(range(refusing.stop, alerts), len(victims))
        for number in range(alerts):
            if number == refusing.start:
                all_end()
                self.mail.flag("451")
                self.sms.disconnect()
            if number == (refusing.start + refusing.stop) // 2:
                self.fails("email", "451")
                self.mail.flag("451", False)
                self.mail.kill()
            if number == refusing.stop:
                self.fails("email", "no connection")
                self.fails("sms", "503")
                until(lambda: {one["state"] for one in left()} == {"partly_sent"}, "the pushes go without the others")
                self.mail.start()
                self.sms.connect()
            text = f"message {number} of many"
            answer = self.desk.post("/v1/call-outs", {"chain": f"person{number % people}", "severity": "critical", "text": text})
            hold(answer.status == 201, f"calling out: {answer}")
            asked[f"call_out/{answer.json['callOut']}"] = number, text
            if number in moments:
                self.kills(victims.pop())
        all_end()
        ended = time.monotonic()
        times, failed = talker.finish()
        hold(not failed, f"a chat message beside the alerts: {failed}")
        self.nothing_is_lost(asked, staff, refusing.start)
        print(f"{alerts} alerts to {people} people: all there after {ended - begun:.1f} s", flush=True)
        before, beside = between(times, quiet, begun), between(times, begun, ended)
        print(f"a chat message before them: {described(before)}\na chat message beside them: {described(beside)}, "
              f"p50 {percentile(beside, 50) / percentile(before, 50):.2f} times, p99 {percentile(beside, 99) / percentile(before, 99):.2f} times", flush=True)

    def fails(self, channel, words):
        until(lambda: any(words in one.get("error", "") for one in self.sender(channel)["lastAttempts"]), f"why {channel} fails is shown: {words}")

    def enlists(self, number):
        """Somebody of the staff, whom a chain of their own calls in three ways. The first one's address and the second one's number are refused for good."""
        client, end = self.centre.staff(f"person{number}", "guard"), PushEndpoint()
        end.key = client.get("/v1/push/key").json["key"]
        address = f"{'perm' if number == 0 else 'many'}{number}@example.org"
        phone = SmsCentre.black_listed if number == 1 else NUMBERS[20 + number]
        chain = {"steps": [{"targets": [{"user": client.name}], "waitSeconds": 86_400}]}
        for who, path, body in ((client, "reach", {"phone": phone, "email": address}), (client, "reach/browser", end.subscription()), (self.admin, f"chains/person{number}", chain)):
            answer = who.put(f"/v1/{path}", body)
            hold(answer.ok, f"setting up {path}: {answer}")
        return phone, end

    def nothing_is_lost(self, asked, staff, undisturbed):
        """Each part came as often as it should, and the ledger says so."""
        queued, ends, took, unknown, doubled = {}, {}, {}, 0, 0
        for entry in self.centre.entries():
            if entry["type"] == "alert.queued/1" and entry["data"]["cause"] in asked:
                queued[entry["subject"]] = entry
            elif entry["type"] in ("alert.sent/1", "alert.reported/1", "alert.failed/1") and entry["subject"] in queued:
                tries = ends.setdefault((entry["subject"], entry["data"]["channel"]), [])
                # The report of a message may overtake the answer to its attempt.
                if not tries or "permanence" in tries[-1]["data"]:
                    tries.append(entry)
        hold(len(queued) == len(asked), f"{len(queued)} alerts of {len(asked)} call-outs")
        for alert, entry in queued.items():
            number, text = asked[entry["data"]["cause"]]
            person = number % len(staff)
            phone, end = staff[person]
            hold(not end.faults, f"the push service found: {end.faults}")
            came = {"email": lambda: len(self.mails_of(alert.removeprefix("alert/"))), "sms": lambda: sum(text in one for one in self.texts_to(phone)),
                    "browser": lambda: sum(text in one["message"]["title"] for one in end.received)}
            for channel, count in came.items():
                tries = [one["data"].get("permanence", "sent") for one in ends[alert, channel]]
                is_refused = (person, channel) in ((0, "email"), (1, "sms"))
                hold(tries[-1] == ("permanent" if is_refused else "sent"), f"the attempts of {text} by {channel} ended {tries}")
                count = count() if is_refused else until(count, f"{text} by {channel} arrives")
                hold(count == 0 or not is_refused, f"{text} by {channel} came, which was refused")
                hold(count <= 1 or "unknown" in tries, f"{text} by {channel} came {count} times, and no attempt of it is unknown")
                unknown, doubled = unknown + tries.count("unknown"), doubled + (count > 1)
                if not is_refused:
                    took.setdefault((number >= undisturbed, channel), []).append(1_000 * (moment(ends[alert, channel][-1]) - moment(entry)))
        for phone, _ in staff:
            order = [int(text.split("message ")[1].split()[0]) for text in self.texts_to(phone) if "message " in text]
            first = list(dict.fromkeys(order))
            hold(first == sorted(first), f"the SMS to {phone} came as {order}")
        print(f"{doubled} parts doubled, {unknown} attempts unknown", flush=True)
        for (is_disturbed, channel), times in sorted(took.items()):
            print(f"{channel}, from queued to sent {'over refusals and kills' if is_disturbed else 'undisturbed'}: {described(sorted(times))}", flush=True)

    def kills(self, victim):
        if victim is None:
            self.centre.gateway.kill()
            self.centre.start()
        else:
            victim.kill()
            victim.start()


def moment(entry):
    return datetime.datetime.fromisoformat(entry["time"].replace("Z", "+00:00")).timestamp()


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--alerts", type=int, default=24)
    parser.add_argument("--people", type=int, default=4, help="at least four: one whose mail is refused for good, one whose SMS is, others")
    parser.add_argument("--kills", type=int, default=0, help="of the gateway; with any, the message centre is killed, too")
    seed(parser)
    options = parser.parse_args()
    run(main, options)
