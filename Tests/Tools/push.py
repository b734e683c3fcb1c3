#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A phone is told by Web Push what the centre asks, over a gateway that is killed at any moment: nothing twice, nothing lost.

  push.py --daybook PATH [--rounds N]

The receiving end has its own cryptography. A push whose attempt was cut off by the kill has an unknown end; it is made again while what it tells of is
still open, and only then.
"""

import datetime
import os
import random
import shutil
import time

import centre
from centre import Centre, hold
from clock_steps import Clocks
from daybook import until
from push_endpoint import PushEndpoint

# The two minutes of the source document, which pass on the clocks alone; and how long the push service asks to wait.
START_LIMIT, BUSY_SECONDS = 120, 30


def main(options, folder):
    play = Play(options, folder)
    for step in (play.opening, play.request, play.busy, play.killed_while_open, play.killed_and_over, play.killed_at_random, play.rebuilt, play.gone, play.ledger):
        begun = time.monotonic()
        step()
        hold(not play.endpoint.faults, f"the push service found: {play.endpoint.faults}")
        print(f"{step.__name__}: {time.monotonic() - begun:.1f} s", flush=True)


class Play:
    def __init__(self, options, folder):
        self.options, self.endpoint = options, PushEndpoint()
        self.desk = Centre(options.daybook, folder, options=[
            "--push-reach", "machine", "--push-contact", "mailto:centre@example.org", "--start-limit", str(START_LIMIT)])
        self.clocks = Clocks(folder)
        self.desk.gateway.environment.update(self.clocks.environment)
        self.desk.open()
        self.operator = self.desk.staff("amina")
        self.caller = self.desk.caller(self.operator)
        self.endpoint.key = self.caller.get("/v1/push/key").json["key"]
        self.subscribe()
        #: How many pushes came so far that are accounted for.
        self.count = 0

    def subscribe(self):
        answer = self.caller.put("/v1/devices/me/push", self.endpoint.subscription())
        hold(answer.status == 200, f"subscribing: {answer}")

    def next(self):
        """The next push; nothing else may have come before it."""
        self.count += 1
        return self.endpoint.wait_for(self.count)

    def open(self):
        opened = self.operator.post("/v1/sessions", {"phone": self.caller.phone})
        hold(opened.status == 201, f"opening a session: {opened}")
        self.session = opened.json["session"]

    def ask(self, ask):
        asked = self.operator.post(f"/v1/sessions/{self.session}/requests", {"ask": ask})
        hold(asked.status == 201, f"asking: {asked}")
        return asked.json["request"]

    def decline(self, request):
        declined = self.caller.post(f"/v1/requests/{request}/answer", {"session": self.session, "answer": "declined"})
        hold(declined.ok, f"declining: {declined}")

    def place(self):
        """Something starts, and the session lasts."""
        placed = self.caller.post(f"/v1/sessions/{self.session}/locations", {"fix": {"latitude": 51.6, "longitude": -0.39}, "method": "gps"})
        hold(placed.ok, f"sending a place: {placed}")

    def restart(self):
        self.desk.gateway.kill()
        self.desk.start()

    def kinds(self, kind):
        return [entry for entry in self.desk.entries() if entry["type"] == kind]

    def until(self, kind, count):
        """Waits until so many events of a kind are in the ledger."""
        return until(lambda: found if len(found := self.kinds(kind)) >= count else None, f"{count} {kind} stand in the ledger")

    # MARK: What is told

    def opening(self):
        self.open()
        push = self.next()
        data = push["message"]["data"]
        hold(set(push["message"]) == {"data"} and set(data) == {"message_type", "session_created_timestamp", "session_time_limit"}, f"the message is {push['message']}")
        hours, minutes, seconds = map(int, data["session_time_limit"].split(":"))
        limit = 3600 * hours + 60 * minutes + seconds
        hold(data["message_type"] == "video_call" and 0 < limit <= START_LIMIT, f"the message is {data}")
        recorded = next(entry["time"] for entry in self.kinds("session.created/1") if entry["subject"] == f"session/{self.session}")
        created, recorded = (datetime.datetime.fromisoformat(text.replace("Z", "+00:00")) for text in (data["session_created_timestamp"], recorded))
        hold(abs(created - recorded) < datetime.timedelta(seconds=1), f"created {created}, recorded {recorded}")
        hold(0 < push["ttl"] <= START_LIMIT, f"TTL is {push['ttl']}")
        self.place()

    def request(self):
        for ask, kind in (("start_video", "video_call"), ("send_location", "location")):
            request = self.ask(ask)
            push = self.next()
            hold(push["message"]["data"]["message_type"] == kind, f"{ask} is told as {push['message']}")
            hold(0 < push["ttl"] <= START_LIMIT, f"TTL is {push['ttl']}")
            self.decline(request)

    def busy(self):
        """The push service asks to wait, the gateway is killed meanwhile; the push goes out later, once."""
        self.endpoint.say((429, BUSY_SECONDS))
        request = self.ask("start_video")
        self.next()
        failed = self.until("alert.failed/1", 1)[-1]["data"]
        hold(failed["permanence"] == "temporary" and failed["retryAfterSeconds"] == BUSY_SECONDS, f"the ledger has {failed}")
        self.restart()
        self.endpoint.say(201)
        self.clocks.passes(BUSY_SECONDS)
        self.next()
        self.decline(request)

    # MARK: Killed

    def killed_while_open(self):
        """Killed during an attempt: nobody knows whether it arrived, so it is made again."""
        self.endpoint.say("hang")
        request = self.ask("start_video")
        self.next()
        self.desk.gateway.kill()
        self.endpoint.say(201)
        self.desk.start()
        self.next()
        unknown = [entry for entry in self.until("alert.failed/1", 2) if entry["data"]["permanence"] == "unknown"]
        hold(len(unknown) == 1, f"one attempt has an unknown end: {unknown}")
        self.decline(request)

    def killed_and_over(self):
        """The same, but what it tells of is over when the gateway is back: it is not made again."""
        closed = self.operator.post(f"/v1/sessions/{self.session}/close", {"disposition": "handled"})
        hold(closed.ok, f"closing: {closed}")
        before = len(self.kinds("alert.failed/1"))
        self.endpoint.say("hang")
        self.open()
        self.next()
        self.desk.gateway.kill()
        self.endpoint.say(201)
        self.clocks.passes(START_LIMIT)
        self.desk.start()
        ends = [entry["data"]["permanence"] for entry in self.until("alert.failed/1", before + 2)[before:]]
        hold(ends == ["unknown", "permanent"], f"the ends are {ends}")
        self.open()
        self.next()
        self.place()

    def killed_at_random(self):
        """Killed at any moment behind a request: each is told, and again only where the end of an attempt is unknown."""
        chance = random.Random(7)
        before, base = self.count, len(self.kinds("alert.sent/1"))
        attempts = len(self.kinds("alert.delivery_attempted/1"))
        for number in range(self.options.rounds):
            request = self.ask(("start_video", "send_location")[number % 2])
            time.sleep(chance.uniform(0, 0.05))
            self.restart()
            self.until("alert.sent/1", base + number + 1)
            self.decline(request)
        sent = len(self.kinds("alert.sent/1")) - base
        tried = len(self.kinds("alert.delivery_attempted/1")) - attempts
        self.count = len(self.endpoint.received)
        came = self.count - before
        hold(sent == self.options.rounds and sent <= came <= tried, f"{self.options.rounds} requests, {sent} sent, {came} came, {tried} attempts")
        print(f"  {self.options.rounds} kills: {came} pushes came for {sent} requests in {tried} attempts")

    def rebuilt(self):
        """Read models that are built again send nothing again: the next push that comes is the next request's."""
        self.desk.stop()
        shutil.rmtree(os.path.join(self.desk.folder, "read"))
        self.desk.start()
        request = self.ask("send_location")
        hold(self.next()["message"]["data"]["message_type"] == "location", "the next push is the new one")
        self.decline(request)
        queued = len(self.kinds("alert.queued/1"))
        hold(len({entry["causationid"] for entry in self.kinds("alert.queued/1")}) == queued, "each event was told once")

    def gone(self):
        """The push service does not know the phone any more: that is recorded, and nothing more is sent."""
        self.endpoint.say(410)
        request = self.ask("start_video")
        self.next()
        expired = self.until("push.expired/1", 1)[0]
        hold(expired["data"]["status"] == 410, f"the ledger has {expired}")
        self.decline(request)
        request = self.ask("send_location")
        self.endpoint.say(201)
        # What waits is told as soon as there is somebody to tell; what is over is not.
        self.subscribe()
        hold(self.next()["message"]["data"]["message_type"] == "location", "the next push is the new one")
        self.decline(request)

    def ledger(self):
        self.desk.stop()
        hold(len(self.endpoint.received) == self.count, f"{len(self.endpoint.received)} pushes came, {self.count} are accounted for")
        export = b"\n".join(self.desk.export())
        for secret in (self.endpoint.path.encode(), self.endpoint.subscription()["keys"]["auth"].encode()):
            hold(secret not in export, "the ledger holds a secret of the phone")
        self.desk.verify("--decode")


if __name__ == "__main__":
    parser = centre.arguments(__doc__)
    parser.add_argument("--rounds", type=int, default=12, help="requests with a kill behind each")
    centre.run(main, parser.parse_args())
