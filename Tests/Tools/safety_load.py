#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Many citizens call for help at the same moment, and each contact gets one SMS and one e-mail, by a real message centre (Kannel) and a real mail server (Exim) on the loopback; the citizen's phone gets one push that says so.

  safety_load.py --daybook PATH [--citizens 100] [--contacts 3] [--late]

Before them a few citizens call one after another, as the baseline. Printed are p50, p99 and maximum of the time from the request to its receipt, to each SMS at the message centre, to each
e-mail in the mailbox, to the last message of an alert, and to the push with the result; a measurement, no gate.

With --late, phones that had no network send the call of an hour ago twice, half of them with a clock that is three hours fast; and the gateway is killed after it recorded a call and before
it sent the messages. Each contact gets one message then, too, with the time and the place of the call.

The program fails where a contact gets a message twice or never, where a message has the wrong words, time or place, where a citizen gets no push or two, and where `daybook verify` finds a fault. Ends with 77 where Exim or
Kannel is not installed.
"""

import concurrent.futures
import datetime
import re
import threading
import time
import uuid
import zoneinfo

from centre import Centre, arguments, hold, run
from daybook import new_id, until
from delivery import Delivery
from mail_server import MailServer
from push_endpoint import PushEndpoint
from sms_centre import SmsCentre
from talker import percentile

ZONE = "Europe/Berlin"
ALONE, LATE = 8, 10
HOUR, FAST_CLOCK = 3_600, 3 * 3_600
# Every so many citizens have a phone that does not know where it is.
NO_PLACE_EVERY = 10
# Steps of a Plus Code of ten digits in a degree, and its digits.
STEPS, DIGITS = 8_000, "23456789CFGHJMPQRVWX"
WORDS = {"en": ("needs help", "measured", "The place is not known"), "de": ("braucht Hilfe", "gemessen", "Der Ort ist nicht bekannt")}


def main(options, folder):
    with MailServer() as mail:
        centre = Centre(options.daybook, folder, options=["--site-name", "Watford Rescue", "--country", "GB", "--time-zone", ZONE, "--push-roots", mail.certificate, "--push-reach", "machine"])
        centre.gateway.options += ["--public-address", f"http://127.0.0.1:{centre.port}"]
        centre.open()
        with SmsCentre() as sms:
            town = Town(centre, mail, sms, options.contacts)
            print(f"{options.citizens} citizens with {options.contacts} contacts each", flush=True)
            alone, crowd = town.settles(ALONE), town.settles(options.citizens)
            for alert in alone:
                town.raises([alert])
                town.arrives([alert])
            town.measured("one after another", alone)
            town.raises(crowd)
            town.arrives(crowd)
            town.measured("at once", crowd)
            if options.late:
                town.sends_late()
                town.outlives_a_kill()
            town.is_quiet()
            centre.stop()
            town.each_came_once()
        town.ledger_has_each_once()
        centre.verify("--decode")


class Alert:
    """One citizen's only call for help. `clock` is by how many seconds the phone's clock is fast, `age` how many seconds ago the call was made."""

    def __init__(self, number, client, contacts, age=0, clock=0):
        self.name, self.client, self.contacts = f"Citizen {number:04}", client, contacts
        self.age, self.clock = age, clock
        # The middle of a cell of the Plus Code, so that no rounding leads to the next one.
        self.row, self.column = int((51.65 + 90) * STEPS) + 40 * number, int((-0.39 + 180) * STEPS) + 7 * number
        self.has_place = number % NO_PLACE_EVERY != 0
        self.begun = self.received = None

    def is_made(self):
        """The citizen swipes: from now on time, id and place are those of the call."""
        self.at = round(time.time() - self.age + self.clock, 3)
        # The phone makes the id by its own clock.
        self.id, self.key = (str(uuid.UUID(int=(int(self.at * 1000) << 80) | (uuid.UUID(new_id()).int & ((1 << 80) - 1)))) for _ in range(2))
        self.measured_at = self.at - 120
        self.body = {"trigger": "swipe"}
        if self.has_place:
            self.body["fix"] = {"latitude": self.latitude, "longitude": self.longitude, "accuracyMetres": 12, "measuredAt": rfc(self.measured_at)}

    @property
    def latitude(self):
        return round((self.row + 0.5) / STEPS - 90, 7)

    @property
    def longitude(self):
        return round((self.column + 0.5) / STEPS - 180, 7)

    @property
    def plus_code(self):
        code = "".join(DIGITS[self.row // 20**place % 20] + DIGITS[self.column // 20**place % 20] for place in range(4, -1, -1))
        return f"{code[:8]}+{code[8:]}"

    def is_sent(self, client, key):
        begun = time.time()
        answer = client.put(f"/v1/me/sos/{self.id}", self.body, key=key, headers={"Daybook-Occurred-At": rfc(self.at)})
        hold(answer.ok, f"the call of {self.name}: {answer}")
        if self.begun is None:
            self.begun, self.received = begun, time.time()

    def says(self, text, language):
        """Why a message is not the one of this call; nothing where it is."""
        verb, measured, unknown = WORDS[language]
        # The gateway writes no time that has not come.
        moments = [self.at] if self.at <= self.received else [self.begun, self.received]
        wanted = [[f"{self.name} {verb}. {minute(moment)}" for moment in moments], ["/a/"]]
        if self.has_place:
            wanted += [[f"{self.latitude:.5f}, {self.longitude:.5f}"], ["12 m"], [self.plus_code], [f"{measured} {minute(min(self.measured_at, self.received))}"]]
        else:
            wanted.append([unknown])
        missing = [any_of for any_of in wanted if not any(words in text for words in any_of)]
        return f"{missing} is not in {text!r}" if missing else ""


class Town:
    """Citizens, each with contacts of their own, and what came to those."""

    def __init__(self, centre, mail, sms, contacts):
        self.centre, self.mail, self.sms, self.contacts = centre, mail, sms, contacts
        self.delivery, self.alerts = Delivery(centre, mail), []
        # One push service for all phones: the message says whose it is.
        self.pushes = PushEndpoint()
        centre.stays_signed_in(self.delivery.desk)
        self.turns(is_on=True)

    def turns(self, is_on):
        self.delivery.sets_up_mail(is_on=is_on)
        self.delivery.sets_up_sms(self.sms.port, is_on=is_on)

    def settles(self, count, **more):
        """So many more citizens with a registered phone, a name and contacts; returns the call that each of them will make."""
        return [self.citizen(**more) for _ in range(count)]

    def citizen(self, **more):
        number = len(self.alerts) + 1
        client = self.centre.caller(self.delivery.desk)
        contacts = [self.contact(number * self.contacts + place) for place in range(self.contacts)]
        alert = Alert(number, client, contacts, **more)
        for path, body in [("safety", {"name": alert.name}), *((f"contacts/{new_id()}", contact) for contact in contacts)]:
            answer = client.put(f"/v1/me/{path}", body)
            hold(answer.ok, f"setting {path} of {alert.name}: {answer}")
        self.pushes.key = client.get("/v1/push/key").json["key"]
        subscribed = client.put("/v1/devices/me/push", self.pushes.subscription())
        hold(subscribed.ok, f"the phone of {alert.name} takes pushes: {subscribed}")
        self.alerts.append(alert)
        return alert

    def contact(self, number):
        """Each with a number that is kept for films (NPA 555-01XX), in English or German."""
        return {"name": f"Contact {number}", "mobile": f"+1{201 + number // 100}55501{number % 100:02}", "email": f"contact{number}@example.org", "language": ("en", "de")[number % 2]}

    # MARK: Calls

    def raises(self, alerts, times=1):
        """All phones send at the same moment, each by connections of its own; with more `times` as a phone that did not get the answer."""
        for alert in alerts:
            alert.is_made()
        self.sends(alerts * times)

    def sends(self, alerts):
        start = threading.Barrier(len(alerts))

        def send(alert):
            client = self.centre.client(alert.client.token)
            start.wait()
            alert.is_sent(client, alert.key)

        with concurrent.futures.ThreadPoolExecutor(len(alerts)) as phones:
            list(phones.map(send, alerts))

    def sends_late(self):
        late = self.settles(LATE // 2, age=HOUR) + self.settles(LATE // 2, age=HOUR, clock=FAST_CLOCK)
        self.raises(late, times=2)
        # A page that was opened again sends the same call under another key.
        for alert in late:
            alert.is_sent(alert.client, new_id())
        self.arrives(late)
        print(f"{len(late)} calls of an hour ago, each sent three times, arrived", flush=True)

    def outlives_a_kill(self):
        """The senders are off while the gateway is killed, so that it is between the queue and the messages."""
        [alert] = self.settles(1)
        self.turns(is_on=False)
        self.raises([alert])
        self.centre.gateway.kill()
        self.centre.start()
        self.sends([alert])
        hold(not self.came(alert.contacts[0]), "nothing came while the senders were off")
        self.turns(is_on=True)
        self.arrives([alert])
        print("the messages of a call went out after kill -9", flush=True)

    # MARK: What came

    def received(self):
        """What came, by recipient: when, and the words."""
        found = {}
        for one in self.sms.messages():
            hold(not one["cut"], f"a character was torn between two parts: {one}")
            found.setdefault("+" + one["to"].lstrip("+"), []).append((one["at"], one["text"]))
        for one in self.mail.messages():
            found.setdefault(one.recipient, []).append((one.at, f"{one['Subject']}\n{one.get_content()}"))
        return found

    def came(self, contact):
        received = self.received()
        return [message for way in ("mobile", "email") for message in received.get(contact[way], [])]

    def arrives(self, alerts):
        """Each contact of these calls has an SMS and an e-mail; the deadline is that of the next message."""
        left = {contact[way] for alert in alerts for contact in alert.contacts for way in ("mobile", "email")}
        while left:
            left -= until(lambda: left & self.received().keys(), f"the next of {len(left)} messages, such as to {min(left)}", pause=0.2)
        until(lambda: {alert.id for alert in alerts} <= self.pushed().keys(), f"the pushes to {len(alerts)} citizens", pause=0.2)

    def pushed(self):
        """The pushes that came, by call: when, and the title."""
        found, began = {}, time.time() - time.monotonic()
        for one in list(self.pushes.received):
            data = (one["message"] or {}).get("data", {})
            found.setdefault(data.get("sos"), []).append((began + one["at"], data.get("title")))
        return found

    def is_quiet(self):
        """Nothing is on its way any more: what has not come twice by now does not."""
        for alert in self.alerts:
            shown = lambda: alert.client.get(f"/v1/me/sos/{alert.id}").json
            states = lambda: [part["state"] for contact in shown()["contacts"] for part in contact["parts"]]
            until(lambda: set(states()) <= {"sent", "delivered"}, f"all parts of {alert.name}'s call were sent")
            hold(len(states()) == 2 * self.contacts, f"the call of {alert.name} has parts {states()}")
            alert.shown = shown()
        until(lambda: re.search(r"sent \d+ \(0 queued\), store size 0", self.sms.status() or ""), "the message centre has sent all")
        until(lambda: self.mail.log().count(" <= ") == len(self.mail.messages()), "the mail server has filed all")

    def each_came_once(self):
        received, links = self.received(), set()
        for alert in self.alerts:
            for contact in alert.contacts:
                texts = []
                for way in ("mobile", "email"):
                    messages = received.pop(contact[way], [])
                    hold(len(messages) == 1, f"{contact[way]} got {len(messages)} messages of {alert.name}: {messages}")
                    texts.append(messages[0][1])
                    fault = alert.says(texts[-1], contact["language"])
                    hold(not fault, f"the message to {contact[way]}: {fault}")
                found = {re.search(r"/a/([\w-]+)", text)[1] for text in texts}
                hold(len(found) == 1 and not found & links, f"{contact['name']} has a link of its own, the same by both ways: {texts}")
                links |= found
        hold(not received, f"somebody else got messages: {received}")
        titles = {id: [title for _, title in all] for id, all in self.pushed().items()}
        hold(titles == {alert.id: ["All messages sent"] for alert in self.alerts}, f"each citizen is told once that all messages went out: {titles}")
        hold(not self.pushes.faults, f"the push service found: {self.pushes.faults}")

    def ledger_has_each_once(self):
        entries, calls = self.centre.entries(), {f"sos/{alert.id}": alert for alert in self.alerts}
        raised = [entry["subject"] for entry in entries if entry["type"].startswith("sos.raised/")]
        hold(sorted(raised) == sorted(calls), f"{len(raised)} calls are recorded, {len(calls)} were made")
        queued = [entry["data"]["cause"] for entry in entries if entry["type"] == "alert.queued/1" and entry["data"]["template"] == "sos"]
        hold(sorted(queued) == sorted(list(calls) * self.contacts), f"{len(queued)} alerts are queued for {len(calls)} calls")
        for alert in self.alerts:
            shown, fix = alert.shown, alert.shown.get("fix") or {}
            hold(abs(seconds(shown["occurredAt"]) - alert.at) < 0.001, f"{alert.name} called at {rfc(alert.at)}, shown is {shown}")
            place = (alert.latitude, alert.longitude) if alert.has_place else (None, None)
            hold((fix.get("latitude"), fix.get("longitude")) == place, f"{alert.name} was at {place}, shown is {shown}")
        failed = sum(entry["type"] == "alert.failed/1" for entry in entries)
        print(f"{len(calls)} calls, {len(queued)} alerts, {2 * len(queued)} messages, each once; {failed} attempts failed and were made again", flush=True)

    # MARK: Times

    def measured(self, name, alerts):
        received = self.received()
        arrivals = {way: [[received[contact[way]][0][0] - alert.begun for contact in alert.contacts] for alert in alerts] for way in ("mobile", "email")}
        times = {"receipt": [alert.received - alert.begun for alert in alerts]}
        times |= {label: sum(arrivals[way], []) for label, way in (("SMS at the centre", "mobile"), ("e-mail in the mailbox", "email"))}
        times["last message of an alert"] = [max(texts + mails) for texts, mails in zip(arrivals["mobile"], arrivals["email"])]
        pushed = self.pushed()
        times["push to the citizen"] = [pushed[alert.id][0][0] - alert.begun for alert in alerts]
        for label, values in times.items():
            values = sorted(1_000 * value for value in values)
            print(f"{name}, {label}: {len(values)}, p50 {percentile(values, 50):.0f} ms, p99 {percentile(values, 99):.0f} ms, max {values[-1]:.0f} ms", flush=True)


def rfc(moment):
    return datetime.datetime.fromtimestamp(moment, datetime.timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def seconds(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


def minute(moment):
    """By the site's clock, as messages have it."""
    return datetime.datetime.fromtimestamp(moment, zoneinfo.ZoneInfo(ZONE)).strftime("%Y-%m-%d %H:%M")


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--citizens", type=int, default=100)
    parser.add_argument("--contacts", type=int, default=3, help="of each citizen: one to ten")
    parser.add_argument("--late", action="store_true", help="also calls that come an hour late, and a kill of the gateway")
    run(main, parser.parse_args())
