#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kills the gateway at random moments under load: nothing acknowledged is lost, nothing is doubled, the ledger is sound.

  kill_rounds.py --daybook PATH [--rounds 200] [--callers 3] [--seed N|random]

Each client is a process of its own, over HTTP or over the chat socket. It writes what it was told into a file of its own,
synced before it goes on; what got no answer it repeats under the same Idempotency-Key or TempMessageID until it has one.
"""
import collections
import json
import os
import random
import signal
import subprocess
import sys
import time

from centre import Centre, arguments, check_order, chosen, hold, run, seed
from daybook import DEADLINE, Client, new_id, until


# --- A client, in its own process


class Notes:
    """What a client was told, on disk before it goes on."""

    def __init__(self, path):
        self.file = open(path, "a", encoding="utf-8")

    def write(self, **note):
        self.file.write(json.dumps(note) + "\n")
        self.file.flush()
        os.fsync(self.file.fileno())


class HTTPSender:
    """Sends messages as commands over HTTP."""

    def __init__(self, port, token, session):
        self.client, self.path = Client("127.0.0.1", port, token), f"/v1/sessions/{session}/messages"

    def send(self, name, text):
        """The message's id and position; nothing if the gateway wants the command again."""
        answer = self.client.post(self.path, {"text": text, "temporaryID": name}, key=name, patiently=False)
        if answer.status in (429, 503):
            time.sleep(float(answer.headers.get("Retry-After", 0.1)))
            return None
        if not answer.ok:
            raise SystemExit(f"{name}: {answer}")
        return {"message": answer.json["message"], "position": int(answer.headers["Daybook-Position"])}


class ChatSender:
    """Sends messages in the source document's frames."""

    def __init__(self, port, token, session):
        self.client, self.session, self.socket = Client("127.0.0.1", port, token), session, None

    def send(self, name, text):
        try:
            if self.socket is None:
                self.socket = self.client.socket("/chat")
            self.socket.send_json({"IncidentID": self.session, "Type": "message", "Message": text,
                                   "Timestamp": "437647234", "TempMessageID": name})
            report = self.socket.wait_for(
                lambda frame: frame["Type"] == "message_report" and frame.get("TempMessageID") == name)
        except (OSError, IndexError):
            self.socket = None
            raise
        if report["Status"] != "delivered":
            raise SystemExit(f"{name}: {report}")
        return {"message": report["MessageID"]}


def send_until_told(port, token, session, kind, path):
    """Sends one message after another until asked to end; each one until it is acknowledged."""
    ending = []
    signal.signal(signal.SIGTERM, lambda *_: ending.append(True))
    sender = {"http": HTTPSender, "chat": ChatSender}[kind](int(port), token, session)
    notes, number = Notes(path), 0
    while not ending:
        name, attempts, told = new_id(), 0, None
        while told is None:
            attempts += 1
            try:
                told = sender.send(name, f"message {number}")
            except (OSError, IndexError, ConnectionError):
                time.sleep(0.02)
            except Exception as error:  # http.client's, where the answer broke off
                if type(error).__module__ != "http.client":
                    raise
        notes.write(name=name, attempts=attempts, **told)
        number += 1


# --- The rounds


class Load:
    """The client processes, and what they wrote."""

    def __init__(self, centre, folder, callers):
        self.processes, self.paths = [], []
        desk = centre.staff("amina")
        for number in range(callers):
            caller = centre.caller(desk)
            chat, session = centre.chat(caller)
            chat.close()
            self._add(folder, centre.port, caller.token, session, "http", f"caller{number}.http")
            self._add(folder, centre.port, caller.token, session, "chat", f"caller{number}.chat")
            if number == 0:
                hold(desk.post(f"/v1/sessions/{session}/claim").ok, "the operator did not get the session")
                self._add(folder, centre.port, desk.token, session, "http", "operator.http")

    def _add(self, folder, port, token, session, kind, name):
        path = os.path.join(folder, name + ".told")
        self.paths.append(path)
        command = [sys.executable, os.path.abspath(__file__), "--client", str(port), token, session, kind, path]
        self.processes.append(subprocess.Popen(command, stdin=subprocess.DEVNULL))

    def check(self):
        for process in self.processes:
            hold(process.poll() is None, f"a client ended with {process.returncode}: {process.args[-2:]}")

    def end(self):
        self.check()
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            hold(process.wait(DEADLINE) == 0, f"a client ended with {process.returncode}")

    def told(self):
        notes = []
        for path in self.paths:
            with open(path, encoding="utf-8") as file:
                notes += [json.loads(line) for line in file if line.endswith("\n")]
        return notes

    def kill(self):
        for process in self.processes:
            if process.poll() is None:
                process.kill()


def kill_and_restart(centre, load, rounds, chance):
    for number in range(1, rounds + 1):
        # Anywhere between the first moments after a start and a full flow.
        time.sleep(chance.choice([chance.uniform(0, 0.1), chance.uniform(0, 1.2)]))
        load.check()
        centre.gateway.kill()
        centre.start()
        if number % 20 == 0:
            print(f"round {number}", flush=True)
    # The last gateway takes messages, too.
    before = len(load.told())
    until(lambda: len(load.told()) > max(before, rounds), f"more than {rounds} messages, and some after the last kill")


def check_messages(entries, told):
    """Every acknowledged message stands in the log once, as it was told; none stands twice."""
    check_order(entries)
    sent = collections.defaultdict(list)
    for entry in entries:
        if entry["type"] == "chat.message_sent/1":
            sent[entry["data"]["temporaryID"]].append(entry)
    for name, found in sent.items():
        hold(len(found) == 1, f"{name} stands {len(found)} times in the log")
    for note in told:
        found = sent.get(note["name"])
        hold(found, f"{note['name']} was acknowledged and is lost")
        hold(found[0]["data"]["message"] == note["message"], f"{note['name']} was told another id: {note}")
        hold(note.get("position", int(found[0]["position"])) == int(found[0]["position"]),
             f"{note['name']} was told position {note.get('position')}, it has {found[0]['position']}")
    unknown = set(sent) - {note["name"] for note in told}
    hold(not unknown, f"the log has messages that no client was told of: {sorted(unknown)[:5]}")
    commands = collections.Counter((e["actor"], e["commandid"], e["type"], e["subject"]) for e in entries
                                   if e["type"] == "chat.message_sent/1")
    hold(max(commands.values()) == 1, "a command stands twice")


def main(options, folder):
    number = chosen(options)
    centre = Centre(options.daybook, folder).open()
    load = Load(centre, folder, options.callers)
    try:
        kill_and_restart(centre, load, options.rounds, random.Random(number))
        load.end()
    finally:
        load.kill()
    told = load.told()
    entries = centre.entries()
    centre.stop()
    hold(len(told) > options.rounds, f"only {len(told)} messages were acknowledged: no load")
    check_messages(entries, told)
    centre.verify()
    repeated = [note for note in told if note["attempts"] > 1]
    print(f"{options.rounds} kills, {len(load.processes)} clients: {len(told)} acknowledged, {len(repeated)} of them "
          f"after repeating; 0 lost, 0 doubled; {len(entries)} entries, verify clean")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--client"]:
        send_until_told(*sys.argv[2:])
        sys.exit(0)
    parser = arguments(__doc__)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--callers", type=int, default=3)
    seed(parser)
    run(main, parser.parse_args())
