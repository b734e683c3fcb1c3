#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Alerts leave by a real mail server (Exim) and a real message centre (Kannel), on the loopback: what arrives is what was said, parts that failed go again, answers come
back, and nothing is lost by servers that are stopped, nor by a gateway that is killed.

  delivery.py --daybook PATH [--alerts 24] [--people 6] [--kills 0] [--seed 1]

An alert is doubled only where its attempt was under way at a kill, and such an attempt is recorded as unknown. Ends with 77 where Exim or Kannel is not installed.
"""

import random
import time

from centre import Centre, arguments, chosen, hold, run, seed
from daybook import until
from mail_server import MailServer
from sms_centre import SmsCentre

# Numbers that the regulator keeps for films and books: nobody has them.
NUMBERS = [f"+44770090{number:04d}" for number in range(300, 700)]
GSM_TEXT = "".join("abcdefghij"[place % 10] for place in range(116)) + "€"
EMOJI_ON_BORDER = "u" * 66 + "🚨 harbour"
DOTS = "first\n.\n..x\n\nlast line without an end."


def main(options, folder):
    chance = random.Random(chosen(options))
    with MailServer() as mail:
        centre = Centre(options.daybook, folder, options=["--site-name", "Watford Rescue", "--push-roots", mail.certificate]).open()
        delivery = Delivery(centre, mail)
        delivery.sets_up_mail()
        key = delivery.sets_up_sms(1)
        with SmsCentre(incoming=key) as sms:
            delivery.sms = sms
            delivery.sets_up_sms(sms.port)
            for step in (delivery.tests, delivery.says_what_was_said, delivery.goes_on_with_the_part_that_failed, delivery.says_which_part_failed, delivery.hears_answers):
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

    def sets_up_mail(self, port=None):
        body = {"isOn": True, "host": "localhost", "port": port or self.mail.port, "security": "starttls", "user": self.mail.name, "password": self.mail.password,
                "from": "centre@watford.example", "perMinute": 6000}
        answer = self.admin.put("/v1/senders/email", body)
        hold(answer.ok, f"setting up mail: {answer}")

    def sets_up_sms(self, port):
        """Returns the address for answers, without the placeholders that the message centre fills in."""
        body = {"isOn": True, "host": "127.0.0.1", "port": port, "security": "none", "user": SmsCentre.name, "password": SmsCentre.password, "from": "8888", "perMinute": 6000,
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
            until(lambda: self.sender(channel)["lastAttempts"][0]["state"] == "sent", f"the test of {channel} is shown as sent")
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

    def goes_on_with_the_part_that_failed(self):
        self.mail.kill()
        alert = self.queued("Come to the pier", sms=NUMBERS[10], email="pier@example.org")
        self.becomes(alert, "partly_sent")
        until(lambda: self.texts_to(NUMBERS[10]), "the SMS goes without the e-mail")
        until(lambda: any(one["alert"] == alert and one["error"] for one in self.sender("email")["lastAttempts"]), "why the e-mail failed is shown")
        self.mail.start()
        self.becomes(alert, "sent")
        # Exim files a message after it took it.
        until(lambda: self.mails_of(alert), "the e-mail")
        hold(len(self.mails_of(alert)) == 1 and len(self.texts_to(NUMBERS[10])) == 1, "each part went once")

    def says_which_part_failed(self):
        alert = self.queued("To nobody by e-mail", sms=NUMBERS[11], email="perm@example.org")
        self.becomes(alert, "sent_in_part")
        hold(any("550" in one.get("error", "") for one in self.sender("email")["lastAttempts"]), "the mail server's refusal is shown")

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
        """Alerts while both servers and the gateway are killed; measured is how long each took."""
        begun = time.monotonic()
        asked = {}
        # What an SMS whose answer was lost came to is known after two minutes: too long for every run.
        victims = [self.mail] + ([self.sms] + [None] * kills if kills else [])
        chance.shuffle(victims)
        moments = sorted(chance.sample(range(1, alerts), len(victims)))
        for number in range(alerts):
            person = NUMBERS[20 + number % people]
            text = f"message {number} of many"
            asked[self.queued(text, sms=person, email=f"many{number % people}@example.org")] = (person, text)
            if moments and number == moments[0]:
                moments.pop(0)
                self.kills(victims.pop())
        left = lambda: [one for one in self.desk.get("/v1/alerts?limit=500").json["items"] if one["id"] in asked and one["state"] != "sent"]
        until(lambda: not left(), f"all are sent; left: {left()[:3]}", deadline=600)
        hold(len([one for one in self.desk.get("/v1/alerts?limit=500").json["items"] if one["id"] in asked]) == alerts, "every alert that was acknowledged is there")
        unknown = {(entry["subject"], entry["data"]["channel"]) for entry in self.events("alert.failed/1") if entry["data"]["permanence"] == "unknown"}
        doubled = 0
        for alert, (person, text) in asked.items():
            for channel, count in (("email", len(self.mails_of(alert))), ("sms", len([one for one in self.texts_to(person) if text + "\n" in one + "\n"]))):
                hold(count >= 1, f"{text} by {channel} did not arrive")
                hold(count == 1 or (f"alert/{alert}", channel) in unknown, f"{text} by {channel} came {count} times, and no attempt of it is unknown")
                doubled += count > 1
        for person in {person for person, _ in asked.values()}:
            order = [int(text.split("message ")[1].split()[0]) for text in self.texts_to(person) if "message " in text]
            first = list(dict.fromkeys(order))
            hold(first == sorted(first), f"the SMS to {person} came as {order}")
        print(f"{alerts} alerts to {people} people: all there after {time.monotonic() - begun:.1f} s, {doubled} parts doubled, {len(unknown)} attempts unknown", flush=True)

    def kills(self, victim):
        if victim is None:
            self.centre.gateway.kill()
            self.centre.start()
        else:
            victim.kill()
            victim.start()


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--alerts", type=int, default=24)
    parser.add_argument("--people", type=int, default=6)
    parser.add_argument("--kills", type=int, default=0, help="of the gateway; with any, the message centre is killed, too")
    seed(parser)
    options = parser.parse_args()
    run(main, options)
