#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Read models are disposable: deleted, they come back equal; the plain sqlite3 shell reads them while they change.

  read_models.py --daybook PATH [--messages 300]

The digests are made here, in Python, of the tables' rows, apart from the program that writes them.
"""
import glob
import hashlib
import os
import re
import shutil
import sqlite3
import subprocess
import threading
import time

from centre import Centre, arguments, hold, run
from daybook import until

# Which the program keeps: held against the files that it makes.
NAMES = ["operator-desk", "conversations", "recordings", "incident-timeline", "reports", "alert-queue", "check-ins",
         "hourly-trends", "registry", "deadlines", "pushes", "telephony", "cameras", "channels"]
# So often the sqlite3 shell reads at least while messages come.
LOOKS = 5


def serving(folder):
    """The files that serve, by the projector's name, whatever its version is."""
    named = {path: re.fullmatch(r"(.+)-\d+\.sqlite", os.path.basename(path)) for path in glob.glob(os.path.join(folder, "read", "*.sqlite"))}
    return {name[1]: path for path, name in named.items() if name}


def digest(path):
    """SHA-256 over the rows of every table but those of SQLite and of full text search; and the progress."""
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    database.text_factory = bytes
    try:
        database.execute("BEGIN")
        tables = database.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall()
        virtual = [name for name, sql in tables if sql and sql.upper().startswith(b"CREATE VIRTUAL")]
        whole, position = hashlib.sha256(), None
        for name, _ in tables:
            if name.startswith(b"sqlite_") or any(name == v or name.startswith(v + b"_") for v in virtual):
                continue
            quoted = name.decode()
            if quoted == "progress":
                columns = [row[1].decode() for row in database.execute("PRAGMA table_info(progress)")]
                row = dict(zip(columns, database.execute("SELECT * FROM progress").fetchone()))
                position = row.get("next", row.get("position"))
                continue
            whole.update(name)
            for row in sorted(map(repr, database.execute(f'SELECT * FROM "{quoted}"'))):
                whole.update(row.encode())
        return whole.hexdigest(), position
    finally:
        database.close()


def digests(folder):
    files = serving(folder)
    hold(files, f"there is no read model in {folder}/read")
    return {name: digest(path) for name, path in files.items()}


def equal(before, after, when):
    hold(set(before) == set(after), f"{when}: {sorted(before)} became {sorted(after)}")
    for name, (value, position) in before.items():
        hold(after[name] == (value, position),
             f"{when}: {name} was {value} at {position}, now {after[name]}")


def write(caller, session, ending, sent):
    """A load of messages until told to end."""
    while not ending.is_set():
        answer = caller.post(f"/v1/sessions/{session}/messages", {"text": f"message {len(sent)}"})
        hold(answer.ok or answer.status == 503, f"a message during the load: {answer}")
        if answer.ok:
            sent.append(answer.json["message"])
        time.sleep(0.005)


def read_by_shell(folder, ending, counts):
    """What anyone can do with the sqlite3 shell, while the gateway writes."""
    while not ending.is_set():
        path = serving(folder).get("conversations")
        if not path:
            time.sleep(0.01)
            continue
        done = subprocess.run(["sqlite3", "-readonly", path, "PRAGMA integrity_check; SELECT count(*) FROM message"],
                              capture_output=True, text=True)
        counts.append((done.returncode, done.stdout.split(), done.stderr))


def under_load(centre, caller, session, act):
    """Calls `act(sent, counts)` while messages come and the shell reads; what was sent and what the shell saw."""
    ending, sent, counts, failures = threading.Event(), [], [], []

    def kept(work, *words):
        try:
            work(*words)
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=kept, args=(write, caller, session, ending, sent)),
               threading.Thread(target=kept, args=(read_by_shell, centre.folder, ending, counts))]
    for thread in threads:
        thread.start()
    try:
        act(sent, counts)
    finally:
        ending.set()
        for thread in threads:
            thread.join()
        if failures:
            raise failures[0]
    return sent, counts


def transcript(desk, session):
    """The ids of a session's messages, once the model that shows them is there again."""
    answer = None

    def is_there():
        nonlocal answer
        answer = desk.get(f"/v1/sessions/{session}/transcript")
        hold(answer.ok or answer.status == 503, f"the transcript: {answer}")
        return answer.ok

    until(is_there, "the transcript")
    return [message["id"] for message in answer.json["messages"]]


def restart(centre):
    """Starts the gateway, waits until it is ready, which is when every model serves, and ends it."""
    client = centre.start()
    until(lambda: client.get("/readyz").ok and len(serving(centre.folder)) >= len(NAMES), "ready with every read model")
    centre.stop()


def main(options, folder):
    centre = Centre(options.daybook, folder).open()
    desk = centre.staff("amina")
    caller = centre.caller(desk)
    chat, session = centre.chat(caller)
    chat.close()
    hold(desk.post(f"/v1/sessions/{session}/claim").ok, "the claim was refused")

    def load(sent, _):
        until(lambda: len(sent) >= options.messages, f"{options.messages} messages")

    def look(sent, counts):
        load(sent, counts)
        until(lambda: len(counts) >= LOOKS, f"{LOOKS} looks of the sqlite3 shell")

    sent, counts = under_load(centre, caller, session, look)
    seen = [words for code, words, _ in counts if code == 0]
    hold(len(seen) == len(counts), f"the sqlite3 shell failed: {[c for c in counts if c[0]][:2]}")
    hold(all(words[0] == "ok" for words in seen), "the sqlite3 shell found a damaged file")
    numbers = [int(words[1]) for words in seen]
    hold(numbers == sorted(numbers), f"rows went back under the shell: {numbers}")

    def delete_while_serving(sent, counts):
        for path in glob.glob(os.path.join(centre.folder, "read", "conversations-*")):
            os.unlink(path)
        load(sent, counts)

    def rebuild_while_serving(*_):
        for name in NAMES:
            rebuilt = centre.admin.post(f"/v1/read-models/{name}/rebuild", key=False)
            hold(rebuilt.ok, f"rebuilding {name} under load: {rebuilt}")

    for act in (rebuild_while_serving, delete_while_serving):
        more, _ = under_load(centre, caller, session, act)
        sent += more
        told = transcript(desk, session)
        hold(told == sent, f"{act.__name__}: the transcript has {len(told)} messages, sent were {len(sent)}")
    centre.stop()

    restart(centre)
    before = digests(centre.folder)
    hold(set(before) == set(NAMES), f"the program keeps {sorted(before)}, looked at are {sorted(NAMES)}")
    shutil.rmtree(os.path.join(centre.folder, "read"))
    restart(centre)
    equal(before, digests(centre.folder), "deleted while stopped")
    checked = centre.daybook("rebuild", "--check")
    hold(checked.returncode == 0, f"rebuild --check: {checked.stdout.decode()}{checked.stderr.decode()}")
    centre.verify()
    print(f"{len(before)} read models: equal after deleting; {len(sent)} messages, none missing after "
          f"rebuilding and deleting while serving; the sqlite3 shell looked {len(numbers)} times and saw {numbers[-1]} rows")


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--messages", type=int, default=300)
    run(main, parser.parse_args())
