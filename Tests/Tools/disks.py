#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Disks of recordings and pictures: one that is not mounted, a file on it that is gone, one that cannot be deleted, and one without an inode.

What is not mounted is neither lost nor deleted, and nothing is written in its place; an erasure waits for what stays. Everything mends
itself, without a restart.

  disks.py --daybook PATH
"""

import os
import shutil
import subprocess

import centre
import film
from centre import hold
from daybook import until
from private_session import PICTURE
from sides import made
from unheard import part

PARTS = {"media": "archive folder", "blobs": "blob folder"}


class Contact:
    """Somebody who filmed and sent a picture, in a session that is over."""

    def __init__(self, place, desk):
        self.caller = place.caller(desk)
        chat, self.session = place.chat(self.caller)
        hold(desk.post(f"/v1/sessions/{self.session}/claim").ok, "the claim was refused")
        self.stream = film.film(self.caller, self.session)
        self.picture = made(self.caller.post(f"/v1/sessions/{self.session}/pictures", PICTURE))["message"]
        self.person = desk.get(f"/v1/sessions/{self.session}").json["session"]["caller"]
        chat.drop()
        hold(desk.post(f"/v1/sessions/{self.session}/close", {"disposition": "handled"}).ok, "closing")

    def shown(self, desk):
        """How recording and picture are answered."""
        return (desk.get(f"/v1/streams/{self.stream}/media").status, desk.get(f"/v1/sessions/{self.session}/pictures/{self.picture}").status)


def main(options, folder):
    place = centre.Centre(options.daybook, folder).open()
    desk = place.staff("amina")
    gone, kept, damaged = (Contact(place, desk) for _ in range(3))
    live = place.caller(desk)
    _, session = place.chat(live)
    hold(desk.post(f"/v1/sessions/{session}/claim").ok, "the claim was refused")
    until(lambda: all(desk.get(f"/v1/streams/{one.stream}").json["state"] == "finalized" for one in (gone, kept, damaged)), "three finished recordings")
    names_what_is_wrong_with_a_file(place, desk, damaged)
    filmed = waits_for_a_disk(place, desk, gone, kept, live, session)
    waits_for_a_file(place, desk, kept)
    # Within the minute of the erased one's, by the same operator: a name is never given twice.
    hold(desk.get(f"/v1/streams/{filmed}/media").status == 200, "who films behind an erasure loses the recording with it")
    place.stop()
    place.verify()
    waits_for_a_volume(options, folder)
    without_inodes(options, folder)


def fault(place, name):
    """The status of readyz and the fault of a part; `None` while it is well."""
    status, found = part(place, name)
    return (status, found["fault"]) if found and found.get("fault") else None


def recording(place, stream):
    return next(os.path.join(place.folder, "media", entry["data"]["file"]) for entry in place.entries()
                if entry["type"].startswith("stream.started") and entry["subject"].endswith(stream))


def names_what_is_wrong_with_a_file(place, desk, damaged):
    path, media = recording(place, damaged.stream), f"/v1/streams/{damaged.stream}/media"
    size = os.path.getsize(path)
    os.rename(path, path + ".aside")
    answers = [desk.get(media), desk.get(media + "?from=0&to=2000"), desk.get(media, headers={"Range": "bytes=0-99"})]
    hold([one.status for one in answers] == [404] * 3, f"a recording that is gone: {answers}")
    os.mkdir(path)
    hold(desk.get(media).status == 503, f"a folder in its place: {desk.get(media)}")
    os.rmdir(path)
    shutil.copy(path + ".aside", path)
    os.truncate(path, size // 2)
    short = desk.get(media)
    hold(short.status == 503 and f"byte {size // 2} of the {size}" in short.json["detail"], f"a recording that is cut off: {short}")
    os.rename(path + ".aside", path)
    hold(len(desk.get(media).body) == size, "the recording is not there again")
    print("a recording that is gone, a folder, cut off: 404, 503, 503, and shown once it is back")


def files(folder):
    return [os.path.join(where, name) for where, _, names in os.walk(folder) for name in names]


def waits_for_a_disk(place, desk, gone, kept, live, session):
    file = recording(place, gone.stream)
    place.stop()
    for name in PARTS:
        os.rename(f"{place.folder}/{name}", f"{place.folder}/{name}.disk")
        os.mkdir(f"{place.folder}/{name}")
    place.start()
    for name, shown in PARTS.items():
        status, words = until(lambda: fault(place, shown), f"the fault of {name}")
        hold(status == 503 and "mount" in words, f"{name}: {status} {words}")
    look = place.daybook("doctor")
    hold(look.returncode == 1 and b"fail mounts" in look.stdout, f"the doctor says {look.returncode} {look.stdout}")
    hold(live.post(f"/v1/sessions/{session}/messages", {"text": "still here"}).ok, "a message was not taken")
    hold(kept.shown(desk) == (503, 503), f"what is on the disks is answered {kept.shown(desk)}")
    consent = {"scope": "video", "decision": "granted", "textVersion": "2026-01"}
    hold(live.post(f"/v1/sessions/{session}/consents", consent).ok, "consent was refused")
    video = live.post(f"/v1/sessions/{session}/streams", dict(film.SETTINGS, transport="websocket"))
    picture = live.post(f"/v1/sessions/{session}/pictures", PICTURE)
    hold((video.status, picture.status) == (503, 503), f"video and picture: {video} {picture}")
    erased = place.admin.post(f"/v1/persons/{gone.person}/erase", {"reason": "asked"})
    hold(erased.status == 202 and len(erased.json["left"]) >= 2, f"an erasure whose files are not mounted: {erased}")
    lost = [entry["type"] for entry in place.entries() if entry["type"].startswith("stream.failed") or "recording_failed" in entry["type"]]
    hold(not lost, f"what is not mounted was declared lost: {lost}")
    hold(not [name for part_name in PARTS for name in files(f"{place.folder}/{part_name}")], "something was written in the disk's place")
    print(f"not mounted: readyz and doctor say so, messages go on, video and pictures 503, an erasure owes {len(erased.json['left'])} files, nothing is written")
    for name in PARTS:
        os.rmdir(f"{place.folder}/{name}")
        os.rename(f"{place.folder}/{name}.disk", f"{place.folder}/{name}")
    until(lambda: place.client().get("/readyz").status == 200, "readyz to be well")
    until(lambda: not os.path.exists(file), "the recording of who was erased to go")
    hold(kept.shown(desk) == (200, 200), f"what is on the disks is answered {kept.shown(desk)}")
    filmed = film.film(live, session)
    print("mounted again: well, shown, filmed on, and who was erased is gone, without a restart")
    return filmed


def waits_for_a_file(place, desk, kept):
    """As after a backup that brought it back: what is in the way of a deletion keeps nobody from starting."""
    path = recording(place, kept.stream)
    shutil.copy(path, path + ".backup")
    erased = place.admin.post(f"/v1/persons/{kept.person}/erase", {"reason": "asked"})
    hold(erased.status == 200 and not os.path.exists(path), f"an erasure: {erased}")
    place.stop()
    name = os.path.basename(path)
    os.mkdir(path)
    shutil.copy(path + ".backup", os.path.join(path, name))
    place.start()
    status, words = until(lambda: fault(place, "erasures"), "the fault of the erasure")
    hold(status == 200 and name in words, f"an undeletable recording: {status} {words}")
    hold(desk.get("/v1/me").ok and not part(place, "erasures")[1]["isNeeded"], "nobody is served")
    hold("erasures" in place.client().get("/readyz").json["warnings"], "readyz does not warn")
    shutil.rmtree(path)
    os.rename(path + ".backup", path)
    until(lambda: not os.path.exists(path), "the recording to go")
    until(lambda: not fault(place, "erasures"), "the erasure to be finished")
    print(f"a recording that cannot be deleted: the gateway serves, readyz names it ({words[:70]}…), and it goes once it can")
    cannot_be_touched(place, path, name)


def cannot_be_touched(place, path, name):
    """The same by the file system's own word, where it knows one."""
    place.stop()
    with open(path, "w") as file:
        file.write("brought back")
    if subprocess.run(["chattr", "+i", path], capture_output=True).returncode != 0:
        os.remove(path)
        place.start()
        return print("chattr +i: not on this file system")
    try:
        place.start()
        until(lambda: name in (fault(place, "erasures") or (0, ""))[1], "the fault of the erasure")
    finally:
        subprocess.run(["chattr", "-i", path], check=True)
    until(lambda: not os.path.exists(path), "the recording to go")
    print("chattr +i: the same")


def waits_for_a_volume(options, folder):
    """A folder of recordings that was added at a start: while its disk is away its recordings wait, an erasure owes them, and all else goes on."""
    volume, work = os.path.join(folder, "volume"), os.path.join(folder, "volumes")
    os.mkdir(volume)
    os.mkdir(work)
    place = centre.Centre(options.daybook, work, ["--media", volume]).open()
    desk = place.staff("amina")
    drained = place.daybook("volume", "drain", "media")
    hold(drained.returncode == 0, f"draining media: {drained.stderr!r}")
    gone, kept = (Contact(place, desk) for _ in range(2))
    until(lambda: all(desk.get(f"/v1/streams/{one.stream}").json["state"] == "finalized" for one in (gone, kept)), "two finished recordings")
    hold(len(files(volume)) == 3 and not [name for name in files(f"{place.folder}/media") if name.endswith(".webm")], f"the volume has {files(volume)}")
    used = place.daybook("volume", "use", "media")
    hold(used.returncode == 0, f"using media again: {used.stderr!r}")
    os.rename(volume, volume + ".disk")
    os.mkdir(volume)
    until(lambda: kept.shown(desk) == (503, 200), "a recording on a volume that is away to hear 503")
    listed = {one["path"]: one for one in place.admin.get("/v1/volumes").json["volumes"]}
    hold(listed["media"]["here"] and not listed[volume]["here"] and "mount" in listed[volume]["fault"], f"the volumes: {listed}")
    refused = place.daybook("volume", "remove", volume)
    hold(refused.returncode != 0 and b"--lost" in refused.stderr, f"a volume that is away is removed: {refused}")
    erased = place.admin.post(f"/v1/persons/{gone.person}/erase", {"reason": "asked"})
    hold(erased.status == 202 and erased.json["left"], f"an erasure whose recording is away: {erased}")
    live = place.caller(desk)
    _, session = place.chat(live)
    filmed = film.film(live, session)
    hold(not files(volume), f"something was written in the place of the volume: {files(volume)}")
    os.rmdir(volume)
    os.rename(volume + ".disk", volume)
    until(lambda: len(files(volume)) == 2, "the recording of who was erased to go")
    hold(kept.shown(desk) == (200, 200) and desk.get(f"/v1/streams/{filmed}/media").status == 200, "recordings are not shown when the volume is back")
    place.stop()
    place.verify()
    print("a volume that is away: its recordings 503, others are made and shown, an erasure is owed and paid when it is back")


def without_inodes(options, folder):
    """Bytes are free, and no file can be made: video is refused at its start, and who looks is told what is missing."""
    mounted = os.path.join(folder, "few")
    os.makedirs(mounted)
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8g,nr_inodes=600", "none", mounted], capture_output=True).returncode != 0:
        return print("without inodes: not shown, nothing may be mounted here")
    try:
        place = centre.Centre(options.daybook, mounted, ["--media-reserve", "0"]).open()
        desk = place.staff("amina")
        caller = place.caller(desk)
        _, session = place.chat(caller)
        try:
            for number in range(1_000):
                open(os.path.join(mounted, f"filler-{number}"), "w").close()
        except OSError:
            pass
        status, words = until(lambda: fault(place, "disk"), "readyz to tell of it")
        hold(status == 200 and "df -i" in words, f"without inodes: {status} {words}")
        refused = caller.post(f"/v1/sessions/{session}/streams", dict(film.SETTINGS, transport="websocket"))
        hold(refused.status == 507 and "inode" in refused.json["detail"], f"video without inodes: {refused}")
        hold(caller.post(f"/v1/sessions/{session}/messages", {"text": "still here"}).ok, "words need no inode")
        place.stop()
    finally:
        subprocess.run(["umount", "-l", mounted], check=True)  # also under a gateway that hangs
    print(f"no inode is left: {words[:80]}…; video hears 507, messages go on")


if __name__ == "__main__":
    centre.run(main, centre.arguments(__doc__).parse_args())
