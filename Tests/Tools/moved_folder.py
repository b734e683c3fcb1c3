#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A ledger's folder that is not there any more while it is served: another ledger's stands in its place, a backup, or the empty folder of a mount point.

Not a byte is written into what is not the ledger's own, also when the gateway ends; whoever would change something hears 503; it all goes on when the
folder is back. A start where nothing of the ledger is there is refused. Moving a folder away does by its name what an unmount does.

  moved_folder.py --daybook PATH
"""

import hashlib
import os
import shutil
import subprocess
import time

import centre
from centre import PASSWORD, hold
from daybook import DEADLINE, until
from unheard import part


def main(options, folder):
    stands_where_another_ledger_is(options, made(folder, "other"))
    stands_where_a_backup_was_put(options, made(folder, "backup"))
    stands_where_nothing_is_mounted(options, made(folder, "mount"))


def made(folder, name):
    path = os.path.join(folder, name)
    os.mkdir(path)
    return path


def contents(folder):
    """Each file below a folder and each link, with the digest of its bytes."""
    found = {}
    for where, folders, names in os.walk(folder):
        for name in names + folders:
            path = os.path.join(where, name)
            if os.path.islink(path):
                found[os.path.relpath(path, folder)] = os.readlink(path)
            elif os.path.isfile(path):
                with open(path, "rb") as file:
                    found[os.path.relpath(path, folder)] = hashlib.sha256(file.read()).hexdigest()
            else:
                found[os.path.relpath(path, folder)] = "folder"
    return found


def unchanged(folder, before, words):
    after = contents(folder)
    changed = sorted(name for name in {*before, *after} if before.get(name) != after.get(name))
    hold(not changed, f"{words}: {changed}")


class Contact:
    """A ledger with somebody in a chat, and what everybody asks of it."""

    def __init__(self, options, folder):
        self.place = centre.Centre(options.daybook, folder).open()
        self.desk = self.place.staff("amina")
        self.caller = self.place.caller(self.desk)
        _, self.session = self.place.chat(self.caller)
        hold(self.desk.post(f"/v1/sessions/{self.session}/claim").ok, "the claim was refused")

    def says(self, text):
        return self.caller.post(f"/v1/sessions/{self.session}/messages", {"text": text})

    def refuses(self):
        """What has to be on disk hears 503, at once; who only reads is answered as far as files are open; `readyz` says why."""
        answers = {
            "a message": self.says("nobody has this"),
            "a phone's code": self.desk.post("/v1/devices/codes", {"phone": "+447790001234", "role": "caller"}),
            "a sign-in": self.place.client().post("/v1/auth/login", {"login": "amina", "password": PASSWORD}, key=False),
        }
        hold({one.status for one in answers.values()} == {503}, f"what is lost is answered {answers}")
        hold("another folder" in answers["a message"].json["detail"], f"a message hears {answers['a message']}")
        hold(self.desk.get("/v1/me").status in (200, 503), "who only reads is answered neither from what is open nor that it is not there")
        status, found = until(lambda: told(self.place), "readyz to say so")
        hold(status == 503 and found["fault"], f"readyz: {status} {found}")
        hold(self.place.client().get("/healthz").status == 503, "healthz is well")


def told(place):
    answer = place.admin.get("/readyz")
    if "services" not in answer.json:
        # Who asks is not known while no file may be opened by its name: then that is the answer.
        return (503, {"fault": answer.json["detail"]}) if answer.status == 503 and place.client().get("/healthz").status == 503 else None
    status, found = part(place, "storage")
    return (status, found) if found and found.get("fault") else None


def stays_away(contact, folder, before, words):
    """Looks a while, for what is done from time to time, and at the end of the process."""
    contact.refuses()
    # Marks of the clock, checkpoints, what watches the read models: each comes round within seconds.
    time.sleep(6)
    unchanged(folder, before, f"{words}, written by the gateway beside it")
    contact.place.stop()
    unchanged(folder, before, f"{words}, written by the gateway that ended")


def stands_where_another_ledger_is(options, folder):
    other = centre.Centre(options.daybook, made(folder, "b")).open()
    other.staff("zoe")
    # As a crash leaves it, with journals beside its databases.
    other.gateway.kill()
    contact = Contact(options, made(folder, "a"))
    away = os.path.join(folder, "away")
    os.rename(contact.place.folder, away)
    os.rename(other.folder, contact.place.folder)
    stays_away(contact, contact.place.folder, contents(contact.place.folder), "in another ledger's folder")
    os.rename(contact.place.folder, other.folder)
    os.rename(away, contact.place.folder)
    for place in (other, contact.place):
        place.start()
        hold(place.client().get("/healthz").status == 200, f"{place.folder} is not well")
        place.stop()
        place.verify()
    print("another ledger in its place: 503, nothing is written there, and both are sound")


def stands_where_a_backup_was_put(options, folder):
    contact = Contact(options, folder)
    place, backup, away = contact.place, os.path.join(folder, "backup"), os.path.join(folder, "away")
    place.stop()
    shutil.copytree(place.folder, backup, symlinks=True)
    place.start()
    hold(contact.says("behind the backup").status == 201, "a message was refused")
    os.rename(place.folder, away)
    shutil.copytree(backup, place.folder, symlinks=True)
    stays_away(contact, place.folder, contents(place.folder), "in the backup that was put back")
    place.start()
    hold(place.client().get("/healthz").status == 200, "the backup that was put back is not well")
    hold(contact.says("in the backup").status == 201, "the backup that was put back takes no message")
    place.stop()
    place.verify()
    print("a backup in its place: 503, nothing is written there, and a restart serves it")


def stands_where_nothing_is_mounted(options, folder):
    contact = Contact(options, folder)
    place, away = contact.place, os.path.join(folder, "away")
    os.rename(place.folder, away)
    os.mkdir(place.folder)
    contact.refuses()
    unchanged(place.folder, {}, "below the mount point")
    os.rmdir(place.folder)
    os.rename(away, place.folder)
    until(lambda: place.client().get("/readyz").status == 200, "readyz to be well")
    hold(contact.says("it is back").status == 201, "a message is refused when the folder is back")
    os.rename(place.folder, away)
    os.mkdir(place.folder)
    stays_away(contact, place.folder, {}, "below the mount point")
    refused(place, "there is no ledger")
    # What an earlier program left there.
    for name in ("origin.key", "checkpoint", "clock"):
        shutil.copy(os.path.join(away, name), place.folder)
    refused(place, "there was one")
    for name in ("checkpoint", "clock"):
        os.remove(os.path.join(place.folder, name))
    refused(place, "there was one")
    shutil.rmtree(place.folder)
    os.rename(away, place.folder)
    place.start()
    place.stop()
    place.verify()
    print("nothing mounted: 503, nothing is written there, it goes on when it is back, and no start begins a ledger there")


def refused(place, words):
    """A start ends by itself, with the reason."""
    command = [place.program, "serve", "--data", place.folder, "--listen", "127.0.0.1:0"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=DEADLINE)
    hold(done.returncode != 0 and words in (done.stdout + done.stderr).decode(), f"a start ended with {done.returncode}: {done.stdout} {done.stderr}")


if __name__ == "__main__":
    centre.run(main, centre.arguments(__doc__).parse_args())
