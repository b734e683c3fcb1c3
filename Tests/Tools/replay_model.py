#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The pages' model of an incident, folded from its timeline, says at every tenth event what the gateway says with `?asOf=`: of the demo's incident,
and of one in which callers and operators do what they like.

  replay_model.py --daybook PATH [--acts 150] [--seed 1]
  replay_model.py --daybook PATH --write fixtures/timelines/demo.json    makes the case anew on which the model's own tests stand

Ends with 77 where no Node is installed.
"""

import contextlib
import io
import json
import os
import random
import shutil
import subprocess

from bad_input import PNG
from centre import Centre, arguments, chosen, hold, run, seed, skip
from demo import Play

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
COMPARING = os.path.join(ROOT, "web", "test", "as-of.js")


def main(options, folder):
    if not shutil.which("node"):
        skip("no Node is installed; apt-get install nodejs")
    demo = of_demo(options.daybook, folder)
    if options.write:
        with open(options.write, "w") as file:
            json.dump(demo, file, separators=(",", ":"), sort_keys=True)
            file.write("\n")
    compare("demo", demo, folder)
    compare("lively", of_lively(options, folder), folder)


def compare(name, case, folder):
    path = os.path.join(folder, f"{name}.json")
    with open(path, "w") as file:
        json.dump(case, file)
    done = subprocess.run(["node", COMPARING, path], capture_output=True, text=True)
    hold(done.returncode == 0, f"{name}: {done.stdout}{done.stderr}")
    print(f"{name}: {done.stdout.strip()}", flush=True)


def of_demo(daybook, folder):
    """The demo's incident, as its auditor reads it."""
    play = Play(os.path.abspath(daybook), os.path.join(folder, "demo"))
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            for act in (play.open, play.hire, play.chat, play.claim, play.locate, play.film, play.second_call, play.field, play.close):
                act()
        return with_proofs(case_of(play.people["arne"], play.incident), play.people["arne"])
    finally:
        if hasattr(play, "gateway") and play.gateway.process:
            play.gateway.stop()


def case_of(reader, incident):
    """An incident's timeline, and what the gateway says of every tenth of its moments."""
    timeline = everything(reader, f"/v1/incidents/{incident}/timeline")
    positions = [entry["position"] for number, entry in enumerate(timeline, 1) if number % 10 == 0 or number == len(timeline)]
    return {"incident": incident, "timeline": timeline, "moments": [moment(reader, incident, position) for position in positions]}


def with_proofs(case, reader):
    """The same, with what proves that some of its entries stand in the log."""
    # The last one first: the checkpoint that it needs covers the others, too.
    positions = [case["timeline"][number]["position"] for number in (-1, 0, len(case["timeline"]) // 2)]
    proofs = [{"proof": answer(reader, f"/v1/events/{one}/proof"), "entry": reader.get(f"/v1/events/{one}").body.decode()} for one in positions]
    return {**case, "proofs": proofs, "key": answer(reader, "/v1/ledger")["vkey"]}


def everything(reader, path):
    items, after = [], None
    while True:
        page = answer(reader, f"{path}?limit=500{f'&after={after}' if after else ''}")
        items += page["items"]
        after = page.get("next")
        if not after:
            return items


def answer(reader, path):
    given = reader.get(path)
    hold(given.status == 200, f"GET {path} answered {given}")
    return given.json


def moment(reader, incident, position):
    at = f"asOf={position}"
    sessions = answer(reader, f"/v1/incidents/{incident}?{at}")["sessions"]
    return {
        "position": position,
        "sessions": [{"detail": answer(reader, f"/v1/sessions/{one['id']}?{at}"), "transcript": answer(reader, f"/v1/sessions/{one['id']}/transcript?{at}")} for one in sessions],
        "streams": answer(reader, f"/v1/incidents/{incident}/streams?{at}")["items"],
    }


# MARK: An incident in which people do what they like


def of_lively(options, folder):
    """Two callers of one event and two operators, who do one thing after another, by chance."""
    desk = Centre(options.daybook, folder).open()
    lively = Lively(desk, random.Random(chosen(options)))
    for _ in range(options.acts):
        lively.act()
    case = case_of(desk.staff("arne", "auditor"), lively.incident)
    desk.stop()
    desk.verify()
    return case


class Lively:
    """Who is there, and what each may do at any time; what is refused leaves no trace in the incident, or the one it has."""

    def __init__(self, desk, chance):
        self.desk, self.chance = desk, chance
        self.operators = [desk.staff("amina"), desk.staff("john")]
        self.supervisor = desk.staff("sue", "supervisor")
        self.callers = [desk.caller(self.operators[0]) for _ in range(2)]
        self.chats, self.sessions = zip(*map(desk.chat, self.callers))
        self.written, self.asked = [], []
        self.incident = answer(self.supervisor, f"/v1/sessions/{self.sessions[0]}")["session"]["incident"]
        linked = self.supervisor.post(f"/v1/incidents/{self.incident}/sessions", {"session": self.sessions[1], "reason": "same event"})
        hold(linked.ok, f"linking answered {linked}")

    def act(self):
        who = self.chance.randrange(2)
        deed = self.chance.choices((self.write, self.claim, self.release, self.ask, self.reply, self.agree, self.locate, self.signal, self.seal, self.name),
                                   (10, 4, 2, 3, 3, 1, 2, 3, 1, 1))[0]
        deed(who, f"/v1/sessions/{self.sessions[who]}")

    def write(self, who, session):
        side = self.callers[who] if self.chance.random() < 0.6 else self.chance.choice(self.operators)
        if self.chance.random() < 0.1:
            side.post(f"{session}/pictures", PNG, headers={"Content-Type": "image/png"})
        elif (sent := side.post(f"{session}/messages", {"text": self.chance.choice(["help", "line\none", "\\n ~ = é🚑", "x" * 40])})).ok:
            self.written.append((who, sent.json["message"]))

    def claim(self, who, session):
        self.chance.choice(self.operators).post(f"{session}/claim")

    def release(self, who, session):
        self.chance.choice([*self.operators, self.supervisor]).post(f"{session}/release")

    def ask(self, who, session):
        for operator in self.operators:
            asked = operator.post(f"{session}/requests", {"ask": self.chance.choice(["start_video", "send_location"])})
            if asked.ok:
                return self.asked.append((who, asked.json["request"]))

    def reply(self, who, session):
        if not self.asked:
            return
        caller, request = self.asked.pop(self.chance.randrange(len(self.asked)))
        body = {"session": self.sessions[caller]}
        self.callers[caller].post(f"/v1/requests/{request}/opened", body)
        if self.chance.random() < 0.8:
            self.callers[caller].post(f"/v1/requests/{request}/answer", {**body, "answer": self.chance.choice(["accepted", "declined"])})

    def agree(self, who, session):
        consent = {"scope": self.chance.choice(["video", "location"]), "decision": self.chance.choice(["granted", "refused"]), "textVersion": "1"}
        self.callers[who].post(f"{session}/consents", consent)

    def locate(self, who, session):
        fix = {"latitude": 51 + self.chance.random(), "longitude": -self.chance.random(), "accuracyMetres": self.chance.randrange(5, 200)}
        body = {"fix": fix, "method": "gps"} if self.chance.random() < 0.7 else {"unavailable": "denied"}
        self.callers[who].post(f"{session}/locations", body)

    def signal(self, who, session):
        """The caller types, or has the chat open, or has seen a message: of either session, which is then refused."""
        frame = {"IncidentID": self.sessions[who], "Type": "session", "Status": "active"}
        if self.written and self.chance.random() < 0.6:
            frame = {"IncidentID": self.sessions[who], "Type": "message_report", "MessageID": self.chance.choice(self.written)[1], "Status": self.chance.choice(["delivered", "seen"])}
        self.chats[who].send_json(frame)

    def seal(self, who, session):
        self.supervisor.post(f"{session}/{self.chance.choice(['seal', 'unseal'])}", {"reason": "by chance"})

    def name(self, who, session):
        self.supervisor.put(f"/v1/incidents/{self.incident}/address", {"address": f"Valley Road {self.chance.randrange(99)}"})


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--write", help="where the demo's case is written to")
    parser.add_argument("--acts", type=int, default=150)
    seed(parser)
    run(main, parser.parse_args())
