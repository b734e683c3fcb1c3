#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Recordings move from disk to disk, and a ledger is backed up and restored, while several callers film.

A folder on another file system is added by command, the ledger's own one emptied by route, then the new one emptied and removed, and its disk taken
out: every recording is downloaded before, meanwhile and after, and is the same each time; no request fails. A backup is made while all film; somebody is
erased afterwards; what is restored has the backup's root, the other recordings, and nothing of the person who was erased. A restore into a folder in use,
of a backup with a changed byte, or without a list of erasures is refused and leaves nothing.

  storage.py --daybook PATH [--streams 20] [--recorded browser-640x360]

As root the other file system is a tmpfs; without the right to mount, another folder.
"""

import contextlib
import glob
import json
import os
import subprocess
import threading
import time

import centre
import film
from backups import Backups, digest, media, restored
from centre import Centre, hold
from daybook import until
from many_streams import Phone
from sides import together

OWN = "media"
GIB = 1 << 30


def main(options, folder):
    with other_file_system(folder) as other:
        place = Centre(options.daybook, folder, ["--media-reserve", "0"]).open()
        desk = place.staff("amina", role="supervisor")
        gone, kept, late = (Contact(place, desk, name) for name in ("gone", "kept", "late"))
        recorded = Recorded(options.recorded)
        phones = [Camera(place, desk, recorded) for _ in range(options.streams)]
        finished(desk, gone, kept, late)
        watcher = Watcher(place, desk, kept, [kept.stream, late.stream], [phone.stream for phone in phones])
        kept.digest = watcher.digests[kept.stream]
        for phone in phones:
            phone.films()
        until(lambda: all(phone.delays for phone in phones), "something of every film is archived")
        watcher.begin()
        backups = Backups(place, os.path.join(folder, "backups"))
        backups.first(phones, [gone, kept, late])
        erased = place.admin.post(f"/v1/persons/{gone.person}/erase", {"reason": "asked"})
        hold(erased.status == 200 and erased.json["recordingsDeleted"] == 1, f"erasing: {erased}")
        gone.shown = place.admin.get(f"/v1/persons/{gone.person}").json
        hold(gone.person in backups.erasures(), "the list beside the backup does not name who was erased")
        # Both take their time, and neither waits for the other.
        volumes, streams = Volumes(place, desk, other, watcher, recorded), [phone.stream for phone in phones]
        left, _ = together([lambda: volumes.move(phones, backups), lambda: restored(backups, options, folder, gone, kept, streams)])
        watcher.end()
        end(desk, left)
        watcher.compare(desk)
        place.stop()
        place.verify("--decode")
        print(watcher.report())


# MARK: Who films


class Recorded:
    """Recorded video, with the pieces and times in which a browser gave it."""

    def __init__(self, name):
        self.data = film.recorded(name)
        with open(os.path.join(film.MEDIA, name + ".pieces.json")) as file:
            self.pieces = json.load(file)


class Contact:
    """Somebody who wrote and filmed, in a session that is over."""

    def __init__(self, place, desk, name):
        self.words = f"words of {name}"
        caller = place.caller(desk)
        _, self.session = place.chat(caller)
        hold(desk.post(f"/v1/sessions/{self.session}/claim").ok, "claiming")
        hold(caller.post(f"/v1/sessions/{self.session}/messages", {"text": self.words}).ok, "writing")
        self.stream = film.film(caller, self.session)
        self.phone = caller.phone
        self.person = desk.get(f"/v1/sessions/{self.session}").json["session"]["caller"]
        hold(desk.post(f"/v1/sessions/{self.session}/close", {"disposition": "handled"}).ok, "closing")


class Camera(Phone):
    """A caller who films until `ends`."""

    def __init__(self, place, desk, recorded):
        super().__init__(place, desk, recorded.data, recorded.pieces)
        self.over = threading.Event()

    def films(self):
        self.begin(None, 0)

    def _send(self):
        try:
            part = 0
            while not self.over.is_set():
                self._send_part(part)
                part += 1
        except OSError as error:
            self.faults.append(error)
        self.is_sending = False

    def _pause(self, seconds):
        """Until the camera has the next piece; what is left of a part when filming ends is sent at once."""
        self.over.wait(seconds)

    def end(self):
        self.over.set()
        super().end()


def end(desk, phones):
    """Ends films, and waits until their recordings are finished."""
    for phone in phones:
        phone.end()
    faults = [phone.faults for phone in phones if phone.faults]
    hold(not faults, f"a stream broke: {faults}")
    finished(desk, *phones)


def finished(desk, *filmed):
    """Waits until recordings have their last form."""
    until(lambda: all(desk.get(f"/v1/streams/{one.stream}").json["state"] == "finalized" for one in filmed), f"{len(filmed)} finished recordings")


# MARK: Who asks meanwhile


class Watcher:
    """Somebody who reads and downloads all the while: no request may fail, and each finished recording is the same each time."""

    def __init__(self, place, desk, contact, finished, live):
        self.desk, self.contact, self.live = place.client(desk.token), contact, list(live)
        self.digests = {stream: digest(media(self.desk, stream)) for stream in finished}
        self.times, self.faults, self.over = [], [], threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)

    def begin(self):
        self.thread.start()

    def takes(self, desk, phones):
        """From now on these recordings, which are finished, too."""
        self.digests |= {phone.stream: digest(media(desk, phone.stream)) for phone in phones}
        self.live = [stream for stream in self.live if stream not in self.digests]

    def _run(self):
        number = 0
        while not self.over.wait(0.02):
            streams, live = list(self.digests), self.live
            turns = [lambda: self._ask("GET", f"/v1/sessions/{self.contact.session}"), lambda: self._download(streams[number // 3 % len(streams)]),
                     lambda: self._ask("GET", f"/v1/streams/{live[number // 3 % len(live)]}/media", {"Range": "bytes=0-99"})]
            try:
                turns[number % 3]()
            except OSError as error:
                self.faults.append(str(error))
            number += 1

    def _ask(self, method, path, headers=None):
        begun = time.monotonic()
        answer = self.desk.request(method, path, headers=headers)
        self.times.append(time.monotonic() - begun)
        if not answer.ok:
            self.faults.append(f"{method} {path}: {answer}")
        return answer

    def _download(self, stream):
        answer = self._ask("GET", f"/v1/streams/{stream}/media")
        if answer.ok and digest(answer.body) != self.digests[stream]:
            self.faults.append(f"the recording {stream} is another, of {len(answer.body)} bytes")

    def compare(self, desk):
        """Every finished recording, once more."""
        changed = [stream for stream, known in self.digests.items() if digest(media(desk, stream)) != known]
        hold(not changed, f"these recordings changed: {changed}")

    def end(self):
        self.over.set()
        self.thread.join(centre.DEADLINE)
        hold(not self.faults, f"{len(self.faults)} requests failed: {self.faults[:5]}")

    def report(self):
        ordered = sorted(self.times)
        at = lambda share: ordered[min(len(ordered) - 1, int(len(ordered) * share))] * 1000
        return f"{len(ordered)} requests meanwhile: p50 {at(0.5):.0f} ms, p95 {at(0.95):.0f} ms; {len(self.digests)} recordings are the same before, meanwhile and after"


# MARK: Folders of recordings


@contextlib.contextmanager
def other_file_system(folder):
    """A folder on another file system, with more room than this one has; where nothing may be mounted, another folder."""
    path = os.path.join(folder, "second")
    os.makedirs(path)
    facts = os.statvfs(folder)
    size = facts.f_bavail * facts.f_frsize + 64 * GIB
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "none", path], capture_output=True).returncode == 0
    if not mounted:
        print("nothing may be mounted here: the second folder is on the same file system")
    try:
        yield path
    finally:
        if os.path.ismount(path):
            subprocess.run(["umount", "-l", path], check=True)  # also under a gateway that hangs


def files(folder):
    """The recordings below a folder, by their names."""
    return {os.path.relpath(path, folder) for path in glob.glob(os.path.join(folder, "**", "*.webm"), recursive=True)}


class Volumes:
    """The ledger's own folder of recordings and another one."""

    def __init__(self, place, desk, other, watcher, recorded):
        self.place, self.desk, self.other, self.watcher, self.recorded = place, desk, other, watcher, recorded
        self.own, self.admin = os.path.join(place.folder, OWN), place.client(place.admin.token)

    def command(self, *words, refused=None):
        """`daybook volume`, beside the gateway; `refused` is a word of the refusal."""
        done = self.place.daybook("volume", *words)
        if refused:
            hold(done.returncode != 0 and refused in done.stderr.decode(), f"volume {words} ended with {done.returncode}: {done.stderr!r}")
        else:
            hold(done.returncode == 0, f"volume {words} ended with {done.returncode}: {done.stderr!r}")
        return done.stdout

    def by_route(self, action, path, status=200):
        answer = self.admin.post("/v1/volumes", {"path": path, "action": action}, key=False)
        hold(answer.status == status, f"{action} {path}: {answer}")
        if status == 409:
            hold(answer.json["type"].endswith(":volume-unusable") and answer.json["detail"], f"{action} {path} is refused by {answer.json}")
        return answer.json

    def listed(self):
        answer = self.admin.get("/v1/volumes")
        hold(answer.status == 200, f"the list: {answer}")
        return {volume["path"]: volume for volume in answer.json["volumes"]}

    def names(self, *streams):
        """The files of recordings, by their names below a folder of recordings."""
        found = {entry["subject"].split("/")[1]: entry["data"]["file"] for entry in self.place.entries() if entry["type"].startswith("stream.started")}
        return {found[stream] for stream in streams}

    def of(self, phones):
        return self.names(*(phone.stream for phone in phones))

    def move(self, phones, backups):
        """Everything that is done with the folders; those who still film afterwards."""
        self.refuses()
        self.adds()
        newer, left = self.drains_own(phones)
        backups.second()
        self.drains_other(newer)
        return left

    def refuses(self):
        """What cannot be done is said in words, and changes nothing."""
        before = self.listed()
        hold(list(before) == [OWN] and before[OWN]["here"] and not before[OWN]["draining"], f"the volumes at first: {before}")
        for action, path in (("remove", OWN), ("drain", OWN), ("add", os.path.join(self.other, "missing")), ("add", self.place.folder), ("use", "/elsewhere")):
            self.by_route(action, path, status=409)
        self.by_route("burn", OWN, status=400)
        self.command("drain", OWN, refused="last")
        hold(self.desk.get("/v1/volumes").status == 403, "a supervisor reads the list")
        hold(self.desk.post("/v1/volumes", {"path": self.other, "action": "add"}).status == 403, "a supervisor adds a folder")
        hold(list(self.listed()) == [OWN], "a refusal changed the list")

    def adds(self):
        self.command("add", self.other)
        listed = until(lambda: (found := self.listed()).get(self.other, {}).get("here") and found, "the new folder is on the list")
        told = {volume["path"]: volume for volume in json.loads(self.command("list", "--json"))["volumes"]}
        hold(list(told) == list(listed) == [OWN, self.other], f"the command lists {told}, the route {listed}")
        if os.path.ismount(self.other):
            stream = Contact(self.place, self.desk, "more room").stream
            hold(self.names(stream) <= files(self.other), "a new recording is not where most room is")
            print("a folder on another file system is added by command: the next recording lies there")

    def drains_own(self, phones):
        """Empties `media` while others film on: who began there ends there, who begins now is on the other."""
        live = self.of(phones)
        hold(live <= files(self.own), "who films does not film in the ledger's own folder")
        begun = time.monotonic()
        self.by_route("drain", OWN)
        together([lambda: until(lambda: files(self.own) == live, "finished recordings leave the ledger's own folder"), self.place.verify])
        print(f"media is emptied by route: its finished recordings moved in {time.monotonic() - begun:.1f} s, while {len(live)} are filmed there; verify is sound beside it")
        half = max(1, len(phones) // 2)
        ended, left = phones[:half], phones[half:]
        newer = [Camera(self.place, self.desk, self.recorded) for _ in ended]
        for phone in newer:
            phone.films()
        hold(self.of(newer) <= files(self.other), "a new recording lies in a folder that is being emptied")
        end(self.desk, ended)
        self.watcher.takes(self.desk, ended)
        still = self.of(left)
        until(lambda: files(self.own) == still, "recordings that ended leave the ledger's own folder")
        self.place.verify()
        print(f"{len(ended)} ended their films, which moved then; {len(newer)} others film on the new folder")
        return newer, left

    def drains_other(self, newer):
        """Empties the other one, removes it, and takes its disk out."""
        self.by_route("remove", self.other, status=409)
        self.command("use", OWN)
        until(lambda: not self.listed()[OWN]["draining"], "the ledger's own folder is used again")
        self.by_route("drain", self.other)
        live = self.of(newer)
        until(lambda: files(self.other) == live, "finished recordings leave the other folder")
        self.command("remove", self.other, refused="still has")
        end(self.desk, newer)
        self.watcher.takes(self.desk, newer)
        until(lambda: not files(self.other) and self.listed()[self.other]["files"] == 0, "the other folder is empty")
        self.command("remove", self.other)
        until(lambda: list(self.listed()) == [OWN], "the other folder is off the list")
        if os.path.ismount(self.other):
            until(lambda: subprocess.run(["umount", self.other], capture_output=True).returncode == 0, "its disk can be taken out")
        self.place.verify()
        print("the other folder is emptied, removed, and its disk taken out; verify is sound beside it")


if __name__ == "__main__":
    parser = centre.arguments(__doc__)
    parser.add_argument("--streams", type=int, default=20, help="how many callers film at once")
    parser.add_argument("--recorded", default="browser-640x360", help="the recorded video, of fixtures/media")
    centre.run(main, parser.parse_args())
