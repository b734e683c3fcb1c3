#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Damage by foreign means (py-lmdb, sqlite3, files moved), and what `daybook verify` says of it with and without the master key.

  damage.py --daybook PATH [--few]

Each kind is done to a fresh copy of one whole ledger. Every verdict is compared, and no file of the folder may be changed by looking.
Kinds that rewrite history are served afterwards, and ended as a service manager does: nothing may be signed. `--few` takes every fourth kind.
"""
import glob
import hashlib
import json
import os
import re
import shutil
import signal
import sqlite3
import stat
import struct
import subprocess
import sys
import tempfile
import time

try:
    import lmdb
except ImportError:
    # Debian's python3-lmdb belongs to Debian's python.
    if os.path.realpath(sys.executable) == os.path.realpath("/usr/bin/python3"):
        print("skipped: python3-lmdb is not installed")
        sys.exit(77)
    os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])

import film
from centre import Centre, Failed, arguments, hold, run
from daybook import DEADLINE, Client, new_id, until

PICTURES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "fixtures", "pictures")
SOUND, DAMAGE, UNPROVED = 0, 1, 3


# A ledger with everything in it that can be lost.

def make(options, folder):
    centre = Centre(options.daybook, folder).open()
    desk, lead = centre.staff("amina"), centre.staff("sue", "supervisor")
    caller, other = centre.caller(desk), centre.caller(desk)
    for phone in (caller, other):
        _, session = centre.chat(phone)
        hold(phone.post(f"/v1/sessions/{session}/messages", {"text": "a seal on the beach"}).ok, "the message was refused")
        hold(desk.post(f"/v1/sessions/{session}/claim").ok, "the claim was refused")
        stream = film.film(phone, session)
        with open(os.path.join(PICTURES, "street.jpg"), "rb") as file:
            sent = phone.post(f"/v1/sessions/{session}/pictures", file.read(), headers={"Content-Type": "image/jpeg"})
        hold(sent.ok, f"a picture: {sent}")
        inspected(desk, stream)
        hold(lead.get(f"/v1/sessions/{session}/transcript").ok, "a supervisor reads it, which is recorded")
        closed = desk.post(f"/v1/sessions/{session}/close", {"disposition": "handled"})
        hold(closed.ok, f"closing: {closed}")
        if phone is caller:
            held = lead.post("/v1/holds", {"scope": f"session/{session}", "reason": "trial", "authority": "court"})
            hold(held.ok, f"a hold: {held}")
    centre.stop()
    person = [entry["data"]["caller"] for entry in centre.entries() if entry["type"] == "session.created/1"][-1]
    kept = saved_files(centre)
    erased = centre.daybook("erase", person, "--reason", "asked", "--yes", "--master-key", key_of(centre.folder))
    hold(erased.returncode == 0, f"erase ended with {erased.returncode}: {erased.stderr}")
    centre.start()
    hold(desk.get("/v1/me").ok, "served again")
    centre.stop()
    return centre.folder, kept


def inspected(desk, stream):
    """Waits until every chunk was looked at, and its stills are kept."""
    def is_done():
        told = desk.get(f"/v1/streams/{stream}").json
        return told["state"] == "finalized" and told["inspectedChunks"] == told["chunks"]

    until(is_done, "the whole recording was looked at")


def saved_files(centre):
    """Recordings and sealed files, before somebody was erased."""
    kept = {}
    for path in glob.glob(centre.folder + "/media/**", recursive=True) + glob.glob(centre.folder + "/blobs/**", recursive=True):
        if os.path.isfile(path):
            with open(path, "rb") as file:
                kept[os.path.relpath(path, centre.folder)] = file.read()
    return kept


def key_of(folder):
    return os.path.join(os.path.dirname(folder), "ledger.master-key")


# Means.

class Log:
    """The log, opened by another program."""

    def __init__(self, folder, part="log"):
        self.environment = lmdb.open(os.path.join(folder, part), max_dbs=16, map_size=1 << 30)
        # A table opened within a transaction is known to that one alone.
        names = ("entries", "checkpoints") if part == "log" else ()
        self.tables = {name: self.environment.open_db(name.encode(), integerkey=True, create=False) for name in names}
        if names:
            self.tables["facts"] = self.environment.open_db(b"facts", create=False)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.environment.close()

    def table(self, name):
        return self.tables[name]

    def entries(self):
        with self.environment.begin() as transaction:
            return [bytes(value) for _, value in transaction.cursor(db=self.table("entries"))]

    def put(self, entries):
        table = self.table("entries")
        with self.environment.begin(write=True) as transaction:
            transaction.drop(table, delete=False)
            for place, entry in enumerate(entries):
                transaction.put(struct.pack("=Q", place), entry, db=table)

    def strip(self, keep=0):
        table = self.table("checkpoints")
        with self.environment.begin(write=True) as transaction:
            keys = [key for key, _ in transaction.cursor(db=table)]
            for key in keys[keep:]:
                transaction.delete(key, db=table)


def change(folder, edit, strip=False):
    with Log(folder) as log:
        entries = log.entries()
        log.put(edit(entries))
        if strip:
            log.strip()


def strip(folder):
    with Log(folder) as log:
        log.strip()


def edited(entries, place=None):
    place = len(entries) // 3 if place is None else place
    before = entries[place]
    entries[place] = before.replace(b'"org":"main"', b'"org":"pain"')
    hold(entries[place] != before, "nothing was edited")
    return entries


def swapped(entries):
    place = len(entries) // 2
    entries[place], entries[place + 1] = entries[place + 1], entries[place]
    return entries


def renumbered(entries):
    """One entry fewer, with positions that follow each other again."""
    del entries[len(entries) // 2]
    for place, entry in enumerate(entries):
        told = json.loads(entry)["position"]
        entries[place] = entry.replace(f'"position":"{told}"'.encode(), f'"position":"{place}"'.encode())
    return entries


def follow(entries, template, **other):
    """An entry behind the last one, well formed in every way."""
    event, last = json.loads(template), json.loads(entries[-1])
    event.update(other, position=str(len(entries)), time=last["time"], id=new_id(), commandid=new_id())
    event.pop("commandhash", None)
    before = [json.loads(entry)["revision"] for entry in entries if json.loads(entry)["subject"] == event["subject"]]
    event["revision"] = str(max(map(int, before)) + 1) if before else "0"
    return json.dumps(event, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def append(make):
    """Puts an entry behind the newest checkpoint, where no signature covers it yet."""
    def apply(folder):
        with Log(folder) as log:
            entries = log.entries()
            added = make(entries)
            with log.environment.begin(write=True) as transaction:
                transaction.put(struct.pack("=Q", len(entries)), added, db=log.table("entries"))
    return on(apply)


def erasure(entries):
    return next(entry for entry in entries if b'"type":"person.erased/1"' in entry)


def erased_again(entries):
    """Of the person who was erased: nothing is left to delete, so that only who wrote it is wrong."""
    return follow(entries, erasure(entries))


def erased_of_held(entries):
    told = [json.loads(entry) for entry in entries]
    held = next(event for event in told if event["type"] == "hold.placed/1")["data"]["persons"][0]
    return follow(entries, erasure(entries), subject=f"person/{held}", data={"person": held, "reason": "asked"})


def erased_of_other(entries):
    """Of somebody whom no hold keeps: a user, or a guard, with a key."""
    told = [json.loads(entry) for entry in entries]
    gone = {event["data"]["person"] for event in told if event["type"] == "person.erased/1"}
    held = {person for event in told if event["type"] == "hold.placed/1" for person in event["data"]["persons"]}
    sealed = {part[:36] for entry in entries for part in entry.decode().split('{"sealed":"')[1:]}
    free = sorted(sealed - gone - held)
    hold(free, "everybody is erased or held")
    return follow(entries, erasure(entries), subject=f"person/{free[0]}", data={"person": free[0], "reason": "asked"})


def erased_by_row(folder, held=False):
    """A row of the registry calls somebody erased whose data is there: whom nobody holds, or whom a hold keeps that the index no longer names."""
    with Log(folder) as log:
        entries = log.entries()
    event = json.loads((erased_of_held if held else erased_of_other)(entries))
    sql(folder, "registry", f"INSERT INTO erased VALUES ('{event['data']['person']}', 1, 0, NULL, 'asked')")
    if held:
        with Log(folder, "index") as index:
            names = index.environment.open_db(b"names", create=False)
            places = index.environment.open_db(b"categories", create=False, integerkey=True, dupsort=True, integerdup=True, dupfixed=True)
            with index.environment.begin(write=True) as transaction:
                number = struct.unpack("=I", transaction.get(b"holds", db=names))[0]
                hold(transaction.delete(struct.pack("=Q", number), db=places), "the index named no hold")


def rewritten_as_erasure(entries):
    """A signed entry, the only one of its subject, becomes the erasure of somebody whom no hold keeps."""
    told = [json.loads(entry) for entry in entries]
    place = next(place for place, event in enumerate(told) if event["type"].startswith("access."))
    event = json.loads(erased_of_other(list(entries)))
    event.update({name: told[place][name] for name in ("id", "commandid", "position", "time") if name in told[place]})
    event["revision"] = "0"
    event.pop("commandhash", None)
    entries[place] = json.dumps(event, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    return entries


def policies_taken_back(folder):
    """As if no policy had ever been enabled, in all tables of the index that would tell."""
    with Log(folder, "index") as index:
        subjects = index.environment.open_db(b"subjects", create=False)
        revisions = index.environment.open_db(b"revisions", create=False, integerkey=True, dupsort=True, dupfixed=True)
        commands = index.environment.open_db(b"commands", create=False)
        with index.environment.begin(write=True) as transaction:
            for key, value in [(bytes(key), bytes(value)) for key, value in transaction.cursor(db=subjects)]:
                if key.startswith(b"policy/"):
                    number = struct.unpack("=IQQ", value)[0]
                    transaction.delete(struct.pack("=Q", number), db=revisions)
                    transaction.put(key, struct.pack("=IQQ", number, 2**64 - 1, 0), db=subjects)
            for key in [bytes(key) for key, _ in transaction.cursor(db=commands)]:
                if b"policy" in key:
                    transaction.delete(key, db=commands)


def clock_ahead(folder, moment):
    path = os.path.join(folder, "clock")
    with open(path) as file:
        told = json.load(file)
    told["mark"]["time"] = moment
    with open(path, "w") as file:
        json.dump(told, file)


def unsealed(folder):
    with Log(folder) as log:
        with log.environment.begin(write=True) as transaction:
            hold(transaction.delete(b"seal", db=log.table("facts")), "the last commit had no seal")


def remove(folder, *names):
    for name in names:
        for path in glob.glob(os.path.join(folder, name)):
            shutil.rmtree(path) if os.path.isdir(path) and not os.path.islink(path) else os.remove(path)


def files(folder, pattern):
    found = [path for path in glob.glob(os.path.join(folder, pattern), recursive=True) if os.path.isfile(path)]
    hold(found, f"there is no {pattern}")
    return sorted(found)


def alter(path, at=None, bytes_left=None, more=b""):
    with open(path, "rb") as file:
        data = bytearray(file.read())
    if at is not None:
        data[int(at * len(data))] ^= 1
    if bytes_left is not None:
        data = data[:int(bytes_left * len(data))]
    os.chmod(path, 0o600)
    with open(path, "wb") as file:
        file.write(bytes(data) + more)


def sql(folder, model, *statements):
    path = os.path.realpath(glob.glob(os.path.join(folder, f"read/{model}-[0-9]*.sqlite"))[0])
    database = sqlite3.connect(path)
    for statement in statements:
        database.execute(statement)
    database.commit()
    database.close()


def accounts(folder, *statements):
    database = sqlite3.connect(os.path.join(folder, "accounts.db"))
    # The triggers ask for it; who has no key makes no codes.
    database.create_function("row_code", -1, lambda *_: None)
    for statement in statements:
        hold(database.execute(statement).rowcount != 0, f"nothing was changed by {statement}")
    database.commit()
    database.close()


def forge(edit=edited, gone=("checkpoint", "index", "read", "daybook.json")):
    def apply(folder, kept):
        change(folder, edit, strip=True)
        remove(folder, *gone)
    return apply


def on(action):
    """An action that needs nothing of what was kept."""
    return lambda folder, kept: action(folder)


def put_back(prefix):
    def apply(folder, kept):
        back = [name for name in kept if name.startswith(prefix) and not os.path.exists(os.path.join(folder, name))]
        hold(back, f"nothing of the erased person was kept under {prefix}")
        for name in back:
            os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
            with open(os.path.join(folder, name), "wb") as file:
                file.write(kept[name])
    return apply


def named(folder, kind):
    """Digests of files that events of a kind name."""
    found = []
    with Log(folder) as log:
        for entry in log.entries():
            event = json.loads(entry)
            if event["type"] == kind:
                found.append(event["data"].get("thumbnail") or event["data"].get("blob"))
    paths = [os.path.join(folder, "blobs", digest[:2], digest) for digest in found if digest]
    paths = [path for path in paths if os.path.exists(path)]
    hold(paths, f"no file of {kind}")
    return paths


def other_identity(folder):
    path = os.path.join(folder, "daybook.json")
    with open(path) as file:
        told = json.load(file)
    told["origin"] = "elsewhere.example/main"
    with open(path, "w") as file:
        json.dump(told, file)


# name, how, verdict without keys (None: whichever), verdict with the master key, words that must be said (in one of the two), and whether it is served:
# then nothing may be signed, and a way out must be named, unless ("quiet") the index still has the tree that was signed, or ("mended") the gateway makes
# anew what was changed, and the ledger is sound behind it: what was due may be recorded and signed then, at today's time. Nothing is ever deleted.
KINDS = [
    ("nothing", on(lambda f: None), SOUND, SOUND, "proved by a checkpoint", False),
    ("an entry edited", on(lambda f: change(f, edited)), DAMAGE, DAMAGE, "are not those that were signed", "quiet"),
    ("an entry removed", on(lambda f: change(f, renumbered)), DAMAGE, DAMAGE, "revision", True),
    ("entries swapped", on(lambda f: change(f, swapped)), DAMAGE, DAMAGE, "says that its position", "quiet"),
    ("the tail cut off", on(lambda f: change(f, lambda e: e[:-5])), DAMAGE, DAMAGE, "are lost", True),
    ("everything cut off", on(lambda f: change(f, lambda e: [])), DAMAGE, DAMAGE, "are lost", True),
    ("forged, nothing left to compare", forge(), DAMAGE, DAMAGE, "were signed", True),
    ("forged, daybook.json kept", forge(gone=("checkpoint", "index", "read")), UNPROVED, DAMAGE, "were signed", True),
    ("cut off, daybook.json kept", forge(lambda e: e[:-1], ("checkpoint", "index", "read")), DAMAGE, DAMAGE, "were signed", True),
    ("forged, keys of the ledger gone, too", forge(gone=("checkpoint", "index", "read", "daybook.json", "origin.key")), UNPROVED, UNPROVED, "Unproved", True),
    ("an entry appended that nobody signed", append(erased_again), DAMAGE, DAMAGE, "nobody vouches for positions", True),
    ("an erasure appended", append(erased_of_other), DAMAGE, DAMAGE, "nobody vouches for positions", True),
    ("an erasure of a held person appended", append(erased_of_held), DAMAGE, DAMAGE, "nobody vouches for positions", True),
    ("a row that calls somebody erased", on(erased_by_row), DAMAGE, DAMAGE, "table erased", "quiet"),
    ("the same of a held person, the hold gone from the index", on(lambda f: erased_by_row(f, held=True)), DAMAGE, DAMAGE, "table categories", "quiet"),
    ("an entry rewritten as an erasure", on(lambda f: (change(f, rewritten_as_erasure), remove(f, "read"))), DAMAGE, DAMAGE, "are not those that were signed", "quiet"),
    ("policies taken back in the index", on(policies_taken_back), DAMAGE, DAMAGE, "table subjects", "mended"),
    ("the clock's mark put ahead", on(lambda f: clock_ahead(f, "2040-01-01T00:00:00Z")), SOUND, SOUND, "proved by a checkpoint", "mended"),
    ("the clock's mark at the end of time", on(lambda f: clock_ahead(f, "9999-12-31T23:59:59.999999Z")), SOUND, SOUND, "proved by a checkpoint", "mended"),
    ("the seal of the last commit removed", on(unsealed), SOUND, DAMAGE, "the seal of its last commit is gone", True),
    ("emptied, papers of the ledger gone, too", forge(lambda e: [], ("checkpoint", "index", "read", "daybook.json", "origin.key")), DAMAGE, DAMAGE, "files lie in media", False),
    ("the seal of the last commit overwritten", on(lambda f: fact(f, b"seal", b"xx")), DAMAGE, DAMAGE, "the seal of its last commit cannot be read", True),
    ("an entry appended, and the seal removed", lambda f, kept: (append(erased_again)(f, kept), unsealed(f)), SOUND, DAMAGE, "nobody vouches for positions", True),
    ("a fact that nobody knows", on(lambda f: fact(f, b"zzz", b"1")), SOUND, SOUND, "it has the fact zzz", False),
    ("a table in the log that nobody knows", on(lambda f: table(f, "log")), SOUND, SOUND, "it has the table forged", False),
    ("a table in the index that nobody knows", on(lambda f: table(f, "index")), SOUND, SOUND, "it has the table forged", False),
    ("the format of the log changed", on(lambda f: fact(f, b"format", b"daybook-log/9")), DAMAGE, DAMAGE, "written as daybook-log/9", False),
    ("checkpoints of the log removed", on(strip), DAMAGE, DAMAGE, "the log has none", True),
    ("all checkpoints removed", on(lambda f: (strip(f), remove(f, "checkpoint"))), UNPROVED, DAMAGE, "the log has none", True),
    ("the file checkpoint removed", on(lambda f: remove(f, "checkpoint")), DAMAGE, DAMAGE, "file checkpoint is missing", True),
    ("the file checkpoint changed", on(lambda f: alter(f + "/checkpoint", at=0.9)), DAMAGE, DAMAGE, "checkpoint", True),
    ("a folder for the file checkpoint", on(lambda f: (os.remove(f + "/checkpoint"), os.mkdir(f + "/checkpoint"))), DAMAGE, DAMAGE, "it is a folder", False),
    ("push.key removed", on(lambda f: remove(f, "push.key")), SOUND, SOUND, "every subscription of a phone", False),
    ("clock removed", on(lambda f: remove(f, "clock")), SOUND, SOUND, "a clock that was set", False),
    ("marked removed", on(lambda f: remove(f, "marked")), SOUND, SOUND, "it is gone, which named media and blobs", False),
    ("marked emptied", on(lambda f: alter(f + "/marked", bytes_left=0)), SOUND, SOUND, "it does not name media and blobs", False),
    ("daybook.json removed", on(lambda f: remove(f, "daybook.json")), DAMAGE, DAMAGE, "daybook.json", True),
    ("daybook.json of another", on(other_identity), DAMAGE, DAMAGE, "elsewhere.example", False),
    ("origin.key removed", on(lambda f: remove(f, "origin.key")), DAMAGE, DAMAGE, "what was signed last", False),
    ("origin.key changed", on(lambda f: alter(f + "/origin.key", at=0.5)), SOUND, DAMAGE, "does not open it", False),
    ("keys removed", on(lambda f: remove(f, "keys")), DAMAGE, DAMAGE, "cannot be read any more", False),
    ("keys zeroed", on(lambda f: open(f + "/keys", "r+b").write(bytes(os.path.getsize(f + "/keys")))), DAMAGE, DAMAGE, "no file of person keys", False),
    ("a pipe for keys", on(lambda f: pipe(f + "/keys")), DAMAGE, DAMAGE, "neither a file nor a folder", False),
    ("a pipe for a recording", on(lambda f: pipe(files(f, "media/**/*.webm")[0])), DAMAGE, DAMAGE, "cannot be read", False),
    ("tiles that lead to themselves for ever", on(lambda f: alter_tiles(f)), DAMAGE, DAMAGE, "index", False),
    ("a slot of keys changed", on(lambda f: alter(f + "/keys", at=0.3)), DAMAGE, DAMAGE, "keys", False),
    ("keys cut off", on(lambda f: alter(f + "/keys", bytes_left=0.4)), DAMAGE, DAMAGE, "there is no key for person", False),
    ("an account added", on(lambda f: accounts(f, "INSERT INTO users SELECT '9', 'eve', org, 'admin', password, 0, 0, created, 0, NULL FROM users LIMIT 1")),
     DAMAGE, DAMAGE, "no event made it", False),
    ("an account promoted", on(lambda f: accounts(f, "UPDATE users SET role = 'admin' WHERE role = 'operator'")), DAMAGE, DAMAGE, "its events say operator", False),
    ("an account of another organisation", on(lambda f: accounts(f, "UPDATE users SET org = 'other'")), DAMAGE, DAMAGE, "its events say main", False),
    ("an account removed", on(lambda f: accounts(f, "DELETE FROM tokens", "DELETE FROM places", "DELETE FROM users WHERE role = 'operator'")),
     DAMAGE, DAMAGE, "accounts never go", False),
    ("a phone of another person", on(lambda f: accounts(f, "UPDATE devices SET person = '01890000-0000-7000-8000-000000000000'")),
     DAMAGE, DAMAGE, "it was registered for", False),
    ("a phone with a role", on(lambda f: accounts(f, "UPDATE devices SET role = 'admin'")), DAMAGE, DAMAGE, "which no phone is given", False),
    ("the number of a phone changed", on(lambda f: accounts(f, "UPDATE devices SET phone = '+447700900999'")), SOUND, DAMAGE, "its number is not the one", False),
    ("a token planted", on(lambda f: accounts(f, "INSERT INTO tokens SELECT 'planted', x'01', user, device, '', created, expires * 2, NULL, used, NULL, NULL, code FROM tokens LIMIT 1")),
     SOUND, DAMAGE, "1 rows of tokens carry no code", False),
    ("a password planted", on(lambda f: accounts(f, "UPDATE users SET password = (SELECT password FROM users ORDER BY created DESC LIMIT 1) WHERE role = 'admin'")),
     SOUND, DAMAGE, "rows of users carry no code", False),
    ("pages of accounts.db overwritten", on(lambda f: (accounts(f, "UPDATE users SET role = role"), alter(f + "/accounts.db", at=0.0))), DAMAGE, DAMAGE, "it cannot be read", False),
    ("a trigger of accounts", on(lambda f: accounts(f, "CREATE TRIGGER t AFTER INSERT ON tokens BEGIN UPDATE users SET role = 'admin'; END")), DAMAGE, DAMAGE, "it has the trigger t", False),
    ("a view of accounts", on(lambda f: accounts(f, "ALTER TABLE users RENAME TO u", "CREATE VIEW users AS SELECT * FROM u")), DAMAGE, DAMAGE, "not as this program makes it", False),
    ("a journal beside accounts.db", on(lambda f: open(f + "/accounts.db-journal", "wb").write(b"journal")), DAMAGE, DAMAGE, "lies beside it", False),
    ("a link for accounts.db", on(lambda f: (os.rename(f + "/accounts.db", f + "/x.db"), os.symlink("x.db", f + "/accounts.db"))), DAMAGE, DAMAGE, "accounts.db is a link", False),
    ("a journal beside a read model", on(lambda f: open(os.path.realpath(glob.glob(f + "/read/operator-desk-[0-9]*.sqlite")[0]) + "-journal", "wb").write(b"journal")),
     DAMAGE, DAMAGE, "lies beside it", False),
    ("a phone removed", on(lambda f: accounts(f, "DELETE FROM tokens WHERE device IS NOT NULL", "DELETE FROM devices")), DAMAGE, DAMAGE, "nobody ended it", False),
    ("accounts.db removed", on(lambda f: remove(f, "accounts.db*")), DAMAGE, DAMAGE, "it is gone, and by the log", False),
    ("media removed", on(lambda f: remove(f, "media")), DAMAGE, DAMAGE, "missing", False),
    ("a recording removed", on(lambda f: os.remove(files(f, "media/**/*.webm")[0])), DAMAGE, DAMAGE, "missing", False),
    ("a recording changed", on(lambda f: alter(files(f, "media/**/*.webm")[0], at=0.5)), DAMAGE, DAMAGE, "not what was archived", False),
    ("a recording cut off", on(lambda f: alter(files(f, "media/**/*.webm")[0], bytes_left=0.6)), DAMAGE, DAMAGE, "cut off", False),
    ("a recording grown", on(lambda f: alter(files(f, "media/**/*.webm")[0], more=b"more")), DAMAGE, DAMAGE, "was finalised with", False),
    ("a foreign recording", on(lambda f: shutil.copy(files(f, "media/**/*.webm")[0], f + "/media/foreign.webm")), SOUND, SOUND, "no event names it", False),
    ("an erased person's recording put back", put_back("media/"), DAMAGE, DAMAGE, "it is still there", False),
    ("blobs removed", on(lambda f: remove(f, "blobs")), DAMAGE, DAMAGE, "missing", False),
    ("a picture removed", on(lambda f: os.remove(named(f, "chat.attachment_added/1")[0])), DAMAGE, DAMAGE, "missing", False),
    ("a picture changed", on(lambda f: alter(named(f, "chat.attachment_added/1")[0], at=0.5)), DAMAGE, DAMAGE, "not what was stored", False),
    ("stills removed", on(lambda f: [os.remove(p) for p in named(f, "stream.chunks_inspected/1")]), DAMAGE, DAMAGE, "missing", False),
    ("a still changed", on(lambda f: alter(named(f, "stream.chunks_inspected/1")[0], at=0.5)), DAMAGE, DAMAGE, "not what was stored", False),
    ("a foreign picture", on(lambda f: shutil.copy(files(f, "blobs/*/*")[0], f + "/blobs/foreign")), SOUND, SOUND, "no event names it", False),
    ("an erased person's pictures put back", put_back("blobs/"), DAMAGE, DAMAGE, "it is still there", False),
    ("the index edited", on(lambda f: alter_index(f)), DAMAGE, DAMAGE, "index", False),
    ("the index cut off", on(lambda f: alter(f + "/index/data.mdb", bytes_left=0.5)), DAMAGE, DAMAGE, "index", False),
    ("the index removed", on(lambda f: remove(f, "index")), SOUND, SOUND, "there is none", False),
    ("the log's file cut off", on(lambda f: alter(f + "/log/data.mdb", bytes_left=0.5)), DAMAGE, DAMAGE, "log/data.mdb", False),
    ("a row of a read model edited", on(lambda f: sql(f, "operator-desk", "UPDATE session SET state = 'lost'")), DAMAGE, DAMAGE, "table session", False),
    ("a row of the access log removed", on(lambda f: sql(f, "registry", "DELETE FROM access")), DAMAGE, DAMAGE, "table access", False),
    ("a row added to the conversations", on(lambda f: sql(f, "conversations", "UPDATE message SET position = position + 100000")), DAMAGE, DAMAGE, "table message", False),
    ("a trigger in a read model", on(lambda f: sql(f, "operator-desk", "CREATE TRIGGER t AFTER INSERT ON session BEGIN DELETE FROM session; END")), DAMAGE, DAMAGE, "sqlite_master", False),
    ("a table in a read model", on(lambda f: sql(f, "recordings", "CREATE TABLE foreign_one (x)")), DAMAGE, DAMAGE, "sqlite_master", False),
    ("an index of a read model dropped", on(lambda f: sql(f, "recordings", "DROP INDEX stream_by_number")), DAMAGE, DAMAGE, "sqlite_master", False),
    ("a full text emptied", on(lambda f: sql(f, "recordings", "DELETE FROM recording_search")), SOUND, DAMAGE, "recording_search", False),
    ("a full text's rows changed behind it", on(lambda f: sql(f, "recordings", "UPDATE recording_search_content SET c0 = 'other'")), DAMAGE, DAMAGE, "full text", False),
    ("pages of a read model overwritten", on(lambda f: alter_pages(f)), DAMAGE, DAMAGE, "read model", False),
    ("read models removed", on(lambda f: remove(f, "read")), SOUND, SOUND, "there are no read models", False),
    ("read models copied as files", on(lambda f: follow_links(f)), SOUND, SOUND, "followed the links", False),
]


def alter_index(folder):
    with Log(folder, "index") as index:
        table = index.environment.open_db(b"tiles", create=False)
        with index.environment.begin(write=True) as transaction:
            key, value = next(iter(transaction.cursor(db=table)))
            transaction.put(bytes(key), bytes([value[0] ^ 1]) + bytes(value)[1:], db=table)


def alter_tiles(folder):
    """A tile far behind what the index holds: as a forged tree of pages would give without end."""
    with Log(folder, "index") as index:
        table = index.environment.open_db(b"tiles", create=False)
        with index.environment.begin(write=True) as transaction:
            key, value = next(iter(transaction.cursor(db=table)))
            key, value = bytes(key), bytes(value)
            far = struct.pack("=Q", 1 << 40) if len(key) == 8 else b"\xff" * len(key)
            transaction.put(far, value, db=table)


def fact(folder, name, value):
    with Log(folder) as log:
        table = log.environment.open_db(b"facts", create=False)
        with log.environment.begin(write=True) as transaction:
            transaction.put(name, value, db=table)


def table(folder, part):
    """A table of somebody else's beside those of the log or the index."""
    environment = lmdb.open(os.path.join(folder, part), max_dbs=16, map_size=1 << 30)
    forged = environment.open_db(b"forged")
    with environment.begin(write=True) as transaction:
        transaction.put(b"a", b"b", db=forged)
    environment.close()


def pipe(path):
    os.remove(path)
    os.mkfifo(path, 0o600)


def alter_pages(folder):
    path = os.path.realpath(glob.glob(os.path.join(folder, "read/operator-desk-[0-9]*.sqlite"))[0])
    with open(path, "r+b") as file:
        file.seek(4096)
        file.write(b"\xa5" * 4096 * 3)


def follow_links(folder):
    read = os.path.join(folder, "read")
    shutil.copytree(read, read + ".copy")
    shutil.rmtree(read)
    os.rename(read + ".copy", read)


# Looking.

def snapshot(folder):
    """Names, sizes, times and digests of all files."""
    found = {}
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)
            status = os.lstat(path)
            if stat.S_ISFIFO(status.st_mode):
                continue
            with open(path, "rb") as file:
                digest = hashlib.sha256(file.read()).hexdigest()
            found[os.path.relpath(path, folder)] = (status.st_size, status.st_mtime_ns, digest)
    return found


def verify(program, folder, *words):
    """Exit code and output; fails if a file was changed, made or removed."""
    before = snapshot(folder)
    done = subprocess.run([program, "verify", "--data", folder, *words], capture_output=True, text=True)
    after = snapshot(folder)
    differing = sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
    hold(not differing, f"verify changed {differing}")
    return done.returncode, done.stdout + done.stderr


def notes(folder):
    """The sizes of all checkpoints in the log, and the file beside it."""
    with Log(folder) as log:
        table = log.table("checkpoints")
        with log.environment.begin() as transaction:
            sizes = [struct.unpack("=Q", key)[0] for key, _ in transaction.cursor(db=table)]
    file = os.path.join(folder, "checkpoint")
    return sizes, open(file, "rb").read() if os.path.exists(file) else None


def belongings(folder):
    """What an erasure would delete."""
    return {name: told[2] for name, told in snapshot(folder).items() if name == "keys" or name.startswith(("media/", "blobs/"))}


def serve_once(program, folder, *words):
    """Serves until it is ready, or says that it is not, and ends it; or until it refuses to serve. What it said, and what of errors."""
    with tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen([program, "serve", "--data", folder, "--master-key", key_of(folder), "--listen", "127.0.0.1:0", *words],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, text=True)
        try:
            said = ""
            for line in process.stdout:
                said += line
                if found := re.search(r"serves.*http://127\.0\.0\.1:(\d+)", line):
                    client = Client("127.0.0.1", int(found[1]))
                    until(lambda: client.get("/readyz").status in (200, 503), "readyz answers")
                    # Who asks for these would be given what is newly signed.
                    for path in ("/v1/ledger", "/checkpoint"):
                        client.get(path)
                    process.send_signal(signal.SIGTERM)
            process.wait(DEADLINE)
        finally:
            process.kill()
            process.wait()
        errors.seek(0)
        return said, errors.read()


def served(program, folder):
    """Serves; answers whether anything was signed."""
    before = notes(folder)
    had = belongings(folder)
    _, errors = serve_once(program, folder)
    hold(belongings(folder) == had, "keys, recordings or pictures were deleted or changed")
    return notes(folder) != before, errors


def try_kind(options, place, whole, kept, kind):
    name, how, without, with_key, words, is_served = kind
    folder = os.path.join(place, "ledger")
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(whole, folder, symlinks=True)
    shutil.copy(key_of(whole), key_of(folder))
    how(folder, kept)
    texts = []
    for expected, extra in ((without, ()), (with_key, ("--master-key", key_of(folder)))):
        code, text = verify(options.daybook, folder, *extra)
        texts.append(text)
        hold(expected in (code, None), f"{name} {extra[:1]}: verify ended with {code}, expected {expected}:\n{text}")
        hold("proved by" not in text or "signed with" in text, f"{name}: proved by whom?\n{text}")
    hold(any(words in text for text in texts), f"{name}: nothing says {words!r}:\n{texts[1]}")
    if is_served and not options.unserved:
        signed, errors = served(options.daybook, folder)
        hold(not signed or is_served == "mended", f"{name}: it was signed; {errors}")
        if is_served == "mended":
            told = subprocess.run([options.daybook, "export", "--data", folder], capture_output=True, text=True)
            newest = max(json.loads(line)["time"] for line in told.stdout.splitlines())
            hold(newest[:10] <= time.strftime("%Y-%m-%d", time.gmtime()), f"{name}: something was recorded at {newest}")
        hold(is_served in ("quiet", "mended") or "--new-origin" in errors or "damaged" in errors, f"{name}: no way out is named: {errors}")
        code, text = verify(options.daybook, folder, "--master-key", key_of(folder))
        expected = SOUND if is_served == "mended" else with_key
        hold(code == expected, f"{name}, served: verify ended with {code}, expected {expected}:\n{text}")
    print(f"{'-' if without is None else without} {with_key}  {name}" + (f"; served, {'its end' if signed else 'nothing'} signed" if is_served and not options.unserved else ""))


def begin_anew(options, place, whole):
    """A forgery that somebody decides to live with: another key, which says for good where it began."""
    folder = os.path.join(place, "ledger")
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(whole, folder, symlinks=True)
    forge()(folder, {})
    with Log(folder) as log:
        size = len(log.entries())
    said, errors = serve_once(options.daybook, folder, "--new-origin")
    hold("A new origin" in said, f"serve --new-origin said {said!r}, {errors!r}")
    code, text = verify(options.daybook, folder, "--master-key", key_of(folder))
    hold(code == SOUND and f"how positions 0..<{size} came" in text, f"after --new-origin verify ended with {code}:\n{text}")
    said, errors = serve_once(options.daybook, folder, "--new-origin")
    hold("serves" not in said and "no new origin" in errors, f"a second --new-origin: {said} {errors}")
    found_again(options, folder, whole)
    print(f"0    a new origin at {size}, said by serve and verify; a second one refused")


def found_again(options, folder, whole):
    """Who kept a checkpoint from before a new key compares it still, with the old key or without."""
    shutil.rmtree(folder)
    shutil.copytree(whole, folder, symlinks=True)
    kept = os.path.join(whole, "checkpoint")
    keys = [json.load(open(os.path.join(whole, "daybook.json")))["vkey"]]
    strip(folder)
    remove(folder, "checkpoint")
    serve_once(options.daybook, folder, "--new-origin")
    keys.append(json.load(open(os.path.join(folder, "daybook.json")))["vkey"])
    code, text = verify(options.daybook, folder, "--against", kept)
    hold(code == SOUND and "only its root was compared" in text, f"a checkpoint from before the new key: {code}:\n{text}")
    code, text = verify(options.daybook, folder, "--against", kept, "--vkey", keys[0], "--vkey", keys[1])
    hold(code == SOUND and "only its root was compared" not in text, f"the same with both keys: {code}:\n{text}")
    change(folder, edited)
    code, text = verify(options.daybook, folder, "--against", kept, "--vkey", keys[0], "--vkey", keys[1])
    hold(code == DAMAGE, f"an entry edited under both keys: {code}:\n{text}")


def main(options, folder):
    whole, kept = make(options, folder)
    place = os.path.join(folder, "copy")
    os.makedirs(place)
    kinds = KINDS[::4] if options.few else KINDS
    wrong = []
    for kind in kinds:
        try:
            try_kind(options, place, whole, kept, kind)
        except Failed as failed:
            wrong.append(kind[0])
            print(f"FAILED {failed}")
    begin_anew(options, place, whole)
    hold(not wrong, f"{len(wrong)} of {len(kinds)} kinds: {wrong}")
    print(f"{len(kinds)} kinds, each with and without keys: every verdict as promised, no file changed")


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--few", action="store_true")
    parser.add_argument("--unserved", action="store_true", help="do not serve what was forged")
    run(main, parser.parse_args())
