#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Less than 1 GiB is free where the ledger lies: whoever has a desk stays there, what is over by its time ends, and the gateway stays in service.

  little_room.py --daybook PATH

Needs to mount a small disk, and a C compiler for the clocks.
"""

import os
import subprocess

import centre
from centre import PASSWORD, hold, skip
from clock_steps import Clocks
from daybook import until

MIB = 1 << 20


def main(options, folder):
    mounted = os.path.join(folder, "small")
    os.makedirs(mounted)
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4g", "none", mounted], capture_output=True).returncode != 0:
        skip("nothing may be mounted here")
    try:
        clocks = Clocks(folder)
        place = centre.Centre(options.daybook, mounted, ["--media-reserve", "0"])
        place.gateway.environment.update(clocks.environment)
        place.open()
        stays_at_the_desk(place, clocks, mounted)
        place.stop()
        place.verify()
    finally:
        subprocess.run(["umount", "-l", mounted], check=True)  # also under a gateway that hangs


def leave(mounted, free):
    """Makes the disk smaller, until so many bytes are free."""
    facts = os.statvfs(mounted)
    used = (facts.f_blocks - facts.f_bfree) * facts.f_frsize
    subprocess.run(["mount", "-o", f"remount,size={used + free}", mounted], check=True)


def signed_in(place, login):
    answer = place.client().post("/v1/auth/login", {"login": login, "password": PASSWORD}, key=False)
    hold(answer.ok, f"{login} cannot sign in: {answer}")
    return place.client(answer.json["token"])


def recorded(place, kind):
    return any(entry["type"].startswith(kind) for entry in place.entries())


def stays_at_the_desk(place, clocks, mounted):
    bob = place.staff("bob")
    dan = place.staff("dan")
    caller = place.caller(bob)
    _, session = place.chat(caller)
    path = f"/v1/sessions/{session}"
    hold(bob.post(f"{path}/claim").ok, "the claim was refused")
    opened = dan.post("/v1/sessions", {"phone": "+447790000001"})
    hold(opened.status == 201, f"a session that nobody starts: {opened}")
    leave(mounted, 900 * MIB)
    until(lambda: "disk" in place.client().get("/readyz").json["warnings"], "the warning")
    # Bob was silent, and the start limit ran out meanwhile.
    clocks.passes(310)
    until(lambda: bob.get("/v1/me").status == 401, "bob to be signed out")
    until(lambda: recorded(place, "session.unattended"), "a session of who is silent to be left alone")
    until(lambda: recorded(place, "session.expired"), "the session that nobody started to end")
    bob = signed_in(place, "bob")
    hold(bob.get(path).status == 200, f"bob reads his session: {bob.get(path)}")
    seen = []
    for _ in range(14):
        clocks.passes(10)
        hold(bob.get("/v1/me").ok, "bob is there, and is signed out")
        seen.append(place.client().get("/readyz").status)
    hold(set(seen) == {200}, f"readyz answered {seen}")
    taken = signed_in(place, "dan").post(f"{path}/take-over")
    hold(not taken.ok, f"dan takes over from bob, who is there: {taken}")
    hold(bob.get(path).status == 200, "bob lost his session")
    place.admin = signed_in(place, "admin")
    ill = [one for one in place.admin.get("/readyz").json["services"] if not one["isWell"] and one["isNeeded"]]
    hold(not ill, f"parts that are needed: {ill}")
    refused = caller.post(f"{path}/messages", {"text": "no room for this"})
    hold(refused.status == 507, f"a message: {refused}")
    until(lambda: recorded(place, "session.resumed"), "bob to be known to be back")
    print("900 MiB free: who has a desk comes back to it and keeps it, what is over ends, readyz stays 200")


if __name__ == "__main__":
    centre.run(main, centre.arguments(__doc__).parse_args())
