#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What other systems hear: webhooks are signed as Standard Webhooks says and lose nothing over a receiver that is away and a gateway that is killed; browsers of the staff
are pushed; the CAP feed follows call-outs.

  partners.py --daybook PATH [--events 20] [--kills 1] [--seed 1] [--schema CAP-v1.2-schema.xsd]

Where Python has the package `standardwebhooks` (PyPI), it checks the signatures; otherwise they are put together from the standard's own steps. With --schema each CAP document is
checked against OASIS's schema by xmllint.
"""

import base64
import hashlib
import hmac
import json
import os
import random
import subprocess
import threading
import time
import xml.etree.ElementTree as ET
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from centre import Centre, arguments, chosen, hold, run, seed
from daybook import until
from push_endpoint import PushEndpoint

try:
    from standardwebhooks.webhooks import Webhook as Library
except ImportError:
    Library = None

ATOM, CAP = "{http://www.w3.org/2005/Atom}", "{urn:oasis:names:tc:emergency:cap:1.2}"


def main(options, folder):
    chance = random.Random(chosen(options))
    centre = Centre(options.daybook, folder, options=["--push-reach", "machine", "--push-contact", "mailto:centre@example.org"]).open()
    partners = Partners(centre, options, folder)
    for step in (partners.tells_in_order, partners.goes_on_when_the_receiver_is_back, partners.changes_its_secret, partners.refuses_what_is_no_address, partners.pushes_to_browsers, partners.feeds_cap):
        print(step.__name__.replace("_", " "), flush=True)
        step()
    partners.loses_nothing(options.events, options.kills, chance)
    centre.stop()
    centre.verify()


class Receiver:
    """A system that is told: keeps what came, and answers as it is told."""

    def __init__(self):
        self.lock, self.taken, self.tries, self.answer, self.secrets = threading.Lock(), [], 0, 200, []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                with receiver.lock:
                    receiver.tries += 1
                    answer = receiver.answer
                    if answer == 200:
                        receiver.taken.append((dict(self.headers.items()), body))
                self.send_response(answer)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}/hook"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def messages(self):
        with self.lock:
            return list(self.taken)

    def ids(self):
        return [headers["webhook-id"] for headers, _ in self.messages()]


def check(secret, headers, body):
    """Fails unless a message is signed by a secret, by the standard's library or by its steps."""
    if Library:
        return Library(secret).verify(body, headers)
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    right = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    hold(right in headers["webhook-signature"].split(" "), f"the signature {headers['webhook-signature']} is none of {secret[:9]}…")
    hold(abs(time.time() - int(headers["webhook-timestamp"])) < 300, "the time of the signature is old")
    return json.loads(body)


class Partners:
    def __init__(self, centre, options, folder):
        self.centre, self.options, self.folder, self.receiver = centre, options, folder, Receiver()
        self.admin, self.desk, self.chief = centre.admin, centre.staff("amina"), centre.staff("sue", "supervisor")
        chain = {"steps": [{"targets": [{"role": "supervisor"}], "waitSeconds": 600}]}
        hold(self.chief.put("/v1/chains/drill", chain).ok, "setting up a chain")

    def happens(self):
        """Something of which the webhook is told; its subject."""
        answer = self.desk.post("/v1/call-outs", {"chain": "drill", "severity": "info", "text": "+447700900123 is asked"})
        hold(answer.status == 201, f"calling out: {answer}")
        return f"call_out/{answer.json['callOut']}"

    def shown(self):
        return next(one for one in self.admin.get("/v1/webhooks").json["items"] if one["id"] == self.hook)

    def tells_in_order(self):
        kinds = self.admin.get("/v1/webhook-kinds").json["items"]
        hold("call_out.opened" in kinds and not any(kind.startswith(("access.", "webhook.", "user.")) for kind in kinds), f"the kinds are {kinds}")
        body = {"url": self.receiver.url, "kinds": ["call_out.opened"], "isOn": True}
        hold(self.desk.post("/v1/webhooks", body).status == 403, "an operator sets up a webhook")
        answer = self.admin.post("/v1/webhooks", body)
        hold(answer.status == 201, f"setting up a webhook: {answer}")
        self.hook, self.secret = answer.json["webhook"], answer.json["secret"]
        hold("whsec" not in json.dumps(self.admin.get("/v1/webhooks").json), "the list tells a secret")
        happened = [self.happens() for _ in range(3)]
        until(lambda: len(self.receiver.ids()) >= 3, "three events arrive")
        told = [check(self.secret, *message) for message in self.receiver.messages()]
        hold([one["data"]["subject"] for one in told] == happened, f"the order is {told}")
        hold(all(one["type"] == "call_out.opened" for one in told), f"told was {told}")
        hold(b"+447700" not in b"".join(body for _, body in self.receiver.messages()), "a number was told")
        until(lambda: self.shown()["delivered"] == 3, f"what it took is shown: {self.shown()}")
        test = self.admin.post(f"/v1/webhooks/{self.hook}/test")
        hold(test.ok, f"a test: {test}")
        check(self.secret, *self.receiver.messages()[-1])
        self.receiver.taken.pop()

    def goes_on_when_the_receiver_is_back(self):
        count, tries = len(self.receiver.ids()), self.receiver.tries
        self.receiver.answer = 500
        happened = [self.happens() for _ in range(2)]
        until(lambda: self.receiver.tries > tries + 1, "it is tried again")
        hold(self.shown()["fault"]["attempts"] >= 1, f"the fault is shown: {self.shown()}")
        hold(self.admin.post(f"/v1/webhooks/{self.hook}/test").status == 409, "a test that fails is told")
        self.receiver.answer = 200
        until(lambda: len(self.receiver.ids()) >= count + 2, "both arrive")
        told = [check(self.secret, *message)["data"]["subject"] for message in self.receiver.messages()[count:]]
        hold(told == happened, f"the order is {told}")

    def changes_its_secret(self):
        old, count = self.secret, len(self.receiver.ids())
        answer = self.admin.post(f"/v1/webhooks/{self.hook}/secret")
        hold(answer.ok, f"a new secret: {answer}")
        self.secret = answer.json["secret"]
        self.happens()
        until(lambda: len(self.receiver.ids()) > count, "it arrives")
        for secret in (old, self.secret):
            check(secret, *self.receiver.messages()[-1])
        body = {"url": self.receiver.url, "kinds": ["call_out.opened"], "isOn": False}
        hold(self.admin.put(f"/v1/webhooks/{self.hook}", body).ok, "switching it off")
        self.happens()
        hold(self.admin.put(f"/v1/webhooks/{self.hook}", body | {"isOn": True}).ok, "switching it on")
        last, count = self.happens(), len(self.receiver.ids())
        until(lambda: check(self.secret, *self.receiver.messages()[-1])["data"]["subject"] == last, "it goes on")
        hold(len(self.receiver.ids()) <= count + 1, "what happened while it was off is told")

    def refuses_what_is_no_address(self):
        for url in ("ftp://example.org/", "http://example.org/", "https://user:word@example.org/", "https://example.org/#a", "nothing"):
            answer = self.admin.post("/v1/webhooks", {"url": url, "kinds": ["call_out.opened"], "isOn": True})
            hold(answer.status == 400, f"{url}: {answer}")
        answer = self.admin.post("/v1/webhooks", {"url": self.receiver.url, "kinds": ["user.created"], "isOn": True})
        hold(answer.status == 422, f"a kind that nobody is told of: {answer}")

    def pushes_to_browsers(self):
        end = PushEndpoint()
        end.key = self.chief.get("/v1/push/key").json["key"]
        hold(self.chief.put("/v1/reach/browser", end.subscription()).ok, "subscribing")
        chain = {"steps": [{"targets": [{"role": "supervisor"}], "waitSeconds": 600}], "opensFor": ["guard_alarm"]}
        hold(self.chief.put("/v1/chains/fire", chain).ok, "setting up a chain")
        opened = self.desk.post("/v1/call-outs", {"chain": "fire", "severity": "critical", "text": "Hall 3 burns"})
        hold(opened.status == 201, f"calling out: {opened}")
        # The drills of before call her, too.
        burning = lambda: [one["message"] for one in end.received if "Hall 3 burns" in one["message"]["title"]]
        message = until(burning, "the push arrives")[0]
        hold(not end.faults and message["answer"] not in message["body"], f"the push says {message}, {end.faults}")
        answer = self.centre.client().post(f"/v1/answers/{message['answer']}")
        hold(answer.json["state"] == "answered", f"answering: {answer}")
        shown = next(one for one in self.chief.get("/v1/call-outs?limit=200").json["items"] if one["id"] == opened.json["callOut"])
        hold(shown["state"] == "acknowledged", f"the call-out is {shown}")

    def feeds_cap(self):
        guard = self.centre.staff("gita", "guard")
        alarm = guard.post("/v1/guard-alarms", {"fix": {"latitude": 52.48, "longitude": -1.89, "accuracyMetres": 12}})
        hold(alarm.status == 201, f"an alarm: {alarm}")
        until(lambda: any(one.get("cause", "").startswith("guard_alarm/") for one in self.chief.get("/v1/call-outs").json["items"]), "the alarm opens a call-out")
        session = self.desk.post("/v1/sessions", {"phone": "+447700900299"}).json["session"]
        about = self.desk.post("/v1/call-outs", {"chain": "fire", "severity": "info", "cause": f"session/{session}"})
        hold(about.status == 201, f"a call-out about a caller: {about}")
        feed = ET.fromstring(self.chief.get("/v1/cap").body)
        links = [entry.find(f"{ATOM}link").get("href") for entry in feed.findall(f"{ATOM}entry")]
        shown = {one["id"]: one for one in self.chief.get("/v1/call-outs?limit=200").json["items"]}
        hold({link.split("/")[-1].removesuffix("-end") for link in links} == set(shown) - {about.json["callOut"]}, f"the feed has {links}")
        for place, link in enumerate(links):
            answer = self.chief.get(link[link.index("/v1/cap"):])
            hold(answer.headers["content-type"] == "application/cap+xml", f"{answer.headers}")
            document = ET.fromstring(answer.body)
            hold(document.tag == f"{CAP}alert" and document.find(f"{CAP}scope").text == "Restricted", "the document")
            hold(b"Hall 3" not in answer.body and b"+447700" not in answer.body, "the words of who called stand in the feed")
            if self.options.schema:
                path = os.path.join(self.folder, f"cap-{place}.xml")
                with open(path, "wb") as file:
                    file.write(answer.body)
                subprocess.run(["xmllint", "--noout", "--nonet", "--schema", self.options.schema, path], check=True)

    def loses_nothing(self, events, kills, chance):
        """Call-outs are opened while the gateway is killed at random: each is told, in order, twice only under the same id."""
        count = len(self.receiver.ids())
        at = set(chance.sample(range(1, events), kills))
        happened = []
        for place in range(events):
            if place in at:
                self.centre.gateway.kill()
                self.centre.start()
            happened.append(self.happens())
        subjects = lambda: [check(self.secret, *message)["data"]["subject"] for message in self.receiver.messages()[count:]]
        until(lambda: happened[-1] in subjects(), "the last event arrives")
        seen, ids = [], {}
        for headers, body in self.receiver.messages()[count:]:
            subject = json.loads(body)["data"]["subject"]
            hold(ids.setdefault(headers["webhook-id"], subject) == subject, "one id for two events")
            if subject in happened and subject not in seen:
                seen.append(subject)
        hold(seen == happened, f"{len(seen)} of {len(happened)} events were told, in order: {seen[:3]}…")
        doubled = len(self.receiver.ids()) - len(set(self.receiver.ids()))
        hold(doubled <= kills, f"{doubled} were told twice over {kills} kills")
        print(f"{len(happened)} events over {kills} kills: all told in order, {doubled} twice")


if __name__ == "__main__":
    parser = arguments(__doc__)
    seed(parser)
    parser.add_argument("--events", type=int, default=20)
    parser.add_argument("--kills", type=int, default=1)
    parser.add_argument("--schema", help="OASIS's file")
    run(main, parser.parse_args())
