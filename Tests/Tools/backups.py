# SPDX-License-Identifier: Apache-2.0
"""Backups of a gateway that serves, and what is restored from them; for storage.py."""

import base64
import contextlib
import glob
import hashlib
import json
import os
import shutil
import subprocess
import time

from centre import PASSWORD, Centre, hold
from daybook import until
from tlog_read import RightEdge, leaf_hash


def digest(data):
    return hashlib.sha256(data).hexdigest()


def media(client, stream, bytes_min=100_000):
    """A recording as it is downloaded."""
    answer = client.get(f"/v1/streams/{stream}/media")
    hold(answer.status == 200 and len(answer.body) >= bytes_min, f"the recording {stream}: {answer.status} {answer.body[:200]!r}")
    return answer.body


class Backups:
    """The folder of a ledger's backups."""

    def __init__(self, place, folder):
        self.place, self.folder, self.made = place, folder, []

    def make(self):
        """A backup beside the gateway: its folder, what it says of itself, and how long it took."""
        begun = time.monotonic()
        done = self.place.daybook("backup", "--to", self.folder, "--json")
        seconds = time.monotonic() - begun
        hold(done.returncode == 0, f"a backup ended with {done.returncode}: {done.stderr!r}")
        made = [path for path in glob.glob(os.path.join(self.folder, "2*")) if path not in self.made]
        hold(len(made) == 1, f"a backup made {made}")
        self.made += made
        with open(os.path.join(made[0], "backup.json")) as file:
            told = json.load(file)
        hold(json.loads(done.stdout) == told, f"the command says {done.stdout}, backup.json {told}")
        return made[0], told, seconds

    def first(self, phones, contacts):
        at, told, seconds = self.make()
        hold(all(phone.is_sending for phone in phones), "somebody does not film any more")
        hold(told["files"] >= len(phones) + len(contacts), f"a backup of {len(phones)} films under way and {len(contacts)} others has {told['files']} files")
        hold(os.stat(at).st_mode & 0o077 == 0, "others may read a backup, which has the people's keys")
        with open(os.path.join(self.place.folder, "backups.json")) as file:
            hold(self.folder in file.read(), "backups.json does not list the folder")
        print(f"backup while {len(phones)} film: {told['entries']} entries, {told['files']} files of {told['bytes'] / 1e6:.1f} MB, in {seconds:.1f} s")
        report = verified(self.place, os.path.join(at, "ledger"))
        hold((report["root"], int(report["size"])) == (told["root"], told["entries"]), f"the backup is {report['size']} entries with {report['root']}, and says {told}")
        hold(root_of(self.place, os.path.join(at, "ledger"), told["entries"]) in spelt(told["root"]), "the root of the backup's entries is another")

    def second(self):
        _, told, seconds = self.make()
        hold(told["filesShared"] > 0, f"nothing is shared with the backup before: {told}")
        print(f"a second backup: {told['files']} files of {told['bytes'] / 1e6:.1f} MB, {told['filesShared']} shared, in {seconds:.1f} s")

    def erasures(self):
        with open(self.list) as file:
            return file.read()

    @property
    def list(self):
        found = glob.glob(os.path.join(self.folder, "erasures-*.jsonl"))
        hold(len(found) == 1, f"the lists of erasures are {found}")
        return found[0]


def verified(place, folder):
    """What `daybook verify` says of a folder that is sound."""
    done = subprocess.run([place.program, "verify", "--json", "--story", "--data", folder, "--master-key", place.folder + ".master-key"], stdin=subprocess.DEVNULL, capture_output=True)
    hold(done.returncode == 0, f"daybook verify of {folder} ended with {done.returncode}: {done.stdout[-3000:].decode()}{done.stderr[-800:].decode()}")
    return json.loads(done.stdout)["report"]


def root_of(place, folder, count):
    """The root over a ledger's first entries, computed here from its export."""
    done = subprocess.run([place.program, "export", "--data", folder], stdin=subprocess.DEVNULL, capture_output=True)
    hold(done.returncode == 0, f"daybook export of {folder}: {done.stderr!r}")
    lines, edge = done.stdout[:-1].split(b"\n"), RightEdge()
    hold(len(lines) >= count, f"{folder} has {len(lines)} entries, of {count}")
    for line in lines[:count]:
        edge.add(leaf_hash(line))
    return edge.root()


def spelt(root):
    """The bytes that a root's text may stand for."""
    found = []
    with contextlib.suppress(ValueError):
        found.append(bytes.fromhex(root))
    with contextlib.suppress(ValueError):
        found.append(base64.b64decode(root, validate=True))
    return found


def restored(backups, options, folder, gone, kept, streams):
    """Restores the first backup elsewhere, after what has to be refused, and serves it."""
    at, place = backups.made[0], backups.place
    with open(os.path.join(at, "backup.json")) as file:
        told = json.load(file)
    refused(backups, folder)
    other = Centre(options.daybook, os.path.join(folder, "restored"), ["--media-reserve", "0"])
    begun = time.monotonic()
    done = restore(place, at, other.folder)
    hold(done.returncode == 0, f"a restore ended with {done.returncode}: {done.stderr!r}")
    hold(told["root"] in done.stdout.decode(), f"a restore does not tell the root: {done.stdout}")
    print(f"restored in {time.monotonic() - begun:.1f} s: {done.stdout.decode().splitlines()[0][-140:]}")
    hold(root_of(place, other.folder, told["entries"]) in spelt(told["root"]), "the restored ledger does not begin with the entries of the backup")
    verified(place, other.folder)
    shutil.copy(place.folder + ".master-key", other.folder + ".master-key")
    other.start()
    serves(other, gone, kept, streams)
    other.stop()
    verified(place, other.folder)
    print("restored: the root is the backup's, verify is sound before and after it is served, who was erased is not there, and the others are")


def restore(place, at, folder, *words):
    os.makedirs(os.path.dirname(folder), exist_ok=True)
    command = [place.program, "restore", at, "--data", folder, "--master-key", place.folder + ".master-key", *words]
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True)


def refused(backups, folder):
    """Restores that are refused, and leave nothing."""
    at, place, work = backups.made[0], backups.place, os.path.join(folder, "refused")
    used = os.path.join(work, "used")
    os.makedirs(used)
    with open(os.path.join(used, "letter"), "w") as file:
        file.write("mine")
    changed, alone = os.path.join(folder, "changed", "backup"), os.path.join(folder, "alone", "backup")
    for copy in (changed, alone):
        shutil.copytree(at, copy)
    log = os.path.join(changed, "ledger", "log", "data.mdb")
    with open(log, "rb") as file:
        data = file.read()
    hold(data.count(b'"stream.started/') > 0, "no entry is found in the log's file")
    with open(log, "wb") as file:
        file.write(data.replace(b'"stream.started/', b'"stream.sTarted/'))
    tries = {
        "into a folder in use": (at, used, [], "not empty"),
        "of a changed log": (changed, os.path.join(work, "changed"), ["--erasures", backups.list], ""),
        "without a list": (alone, os.path.join(work, "alone"), [], "--erasures"),
        "of no backup": (folder, os.path.join(work, "none"), [], "no backup"),
    }
    for name, (backup, target, words, reason) in tries.items():
        done = restore(place, backup, target, *words)
        hold(done.returncode != 0 and reason in done.stderr.decode(), f"a restore {name} ended with {done.returncode}: {done.stdout!r} {done.stderr!r}")
        left = sorted(os.path.relpath(os.path.join(where, one), work) for where, folders, names in os.walk(work) for one in folders + names)
        hold(left == ["used", "used/letter"], f"a restore {name} left {left}")
    print(f"refused, with nothing left: {', '.join(tries)}")


def serves(other, gone, kept, streams):
    """What the restored gateway shows."""
    answer = other.client().post("/v1/auth/login", {"login": "amina", "password": PASSWORD}, key=False)
    hold(answer.ok, f"amina signs in to the restored ledger: {answer}")
    desk = other.client(answer.json["token"])
    admin = other.client().post("/v1/auth/login", {"login": "admin", "password": PASSWORD}, key=False)
    admin = other.client(admin.json["token"])
    transcripts = {one: until(lambda: (found := desk.get(f"/v1/sessions/{one.session}/transcript")).ok and found, "a transcript").body for one in (gone, kept)}
    hold(kept.words.encode() in transcripts[kept], f"what {kept.person} wrote is not there: {transcripts[kept]}")
    hold(gone.words.encode() not in transcripts[gone], "what somebody wrote who was erased is there")
    shown = desk.get(f"/v1/sessions/{gone.session}")
    hold(gone.phone.encode() not in shown.body, f"the number of who was erased is there: {shown}")
    found = admin.get(f"/v1/persons/{gone.person}")
    hold(found.ok and found.json["isErased"] and found.json == gone.shown, f"of who was erased the restored ledger says {found}, the other {gone.shown}")
    film_gone = desk.get(f"/v1/streams/{gone.stream}/media")
    hold(film_gone.status in (404, 410), f"the recording of who was erased: {film_gone.status} {film_gone.body[:200]!r}")
    hold(digest(media(desk, kept.stream)) == kept.digest, "the recording of somebody else is another")
    # Who filmed when the backup was made has filmed so far in it.
    for stream in streams:
        media(desk, stream, bytes_min=1_000)
