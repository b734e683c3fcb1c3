#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What one organisation's court holds, nobody erases: not its own administrator, not another organisation's, not the ledger's, not the console.

A person, a session and an incident are held in turn; every erasure is refused, no file and no word is gone; once two people have lifted the
hold, the same erasure is done.

  holds.py --daybook PATH
"""

import hashlib
import json
import os

import centre
import film
from centre import PASSWORD, Centre, hold
from daybook import until
from private_session import PICTURE
from sides import made, say, together


def main(options, folder):
    desk = Centre(options.daybook, folder).open()
    ours, boss, other = together([
        lambda: desk.staff("operator-north", organisation="north", by=desk.client(desk.admin.token)),
        lambda: desk.staff("admin-north", "org-admin", organisation="north", by=desk.client(desk.admin.token)),
        lambda: desk.staff("admin-south", "org-admin", organisation="south", by=desk.client(desk.admin.token)),
    ])
    administrators = {"the organisation's administrator": (boss, 409), "another organisation's": (other, 404), "the ledger's": (desk.admin, 409)}
    cases = [Case(desk, ours, kind) for kind in ("person", "session", "incident")]
    for case in cases:
        case.held = made(boss.post("/v1/holds", {"scope": f"{case.kind}/{case.names[case.kind]}", "reason": "trial", "authority": f"court of the {case.kind}"}))["hold"]
    finalised(desk, cases)
    before = kept(desk)
    hold(len(before) >= 2 * len(cases), f"there is hardly anything to be deleted: {sorted(before)}")
    for case in cases:
        for who, (client, status) in administrators.items():
            answer = client.post(f"/v1/persons/{case.names['person']}/erase", {"reason": "asked"})
            hold(answer.status == status, f"{case.kind} held, erasure by {who} answered {answer}")
            print(f"{case.kind} held: erasure by {who}, by route: {answer.status} {answer.json['type'].split(':')[-1]}")
        foreign = other.post(f"/v1/holds/{case.held}/lift", {"reason": "over", "approver": {"login": "admin-north", "password": PASSWORD}})
        hold(foreign.status in (403, 404), f"another organisation lifts the hold: {foreign}")
        case.is_whole(ours, boss)
    desk.stop()
    for case in cases:
        done = desk.daybook("erase", case.names["person"], "--reason", "asked", "--yes")
        hold(done.returncode > 0 and b"hold" in done.stderr, f"{case.kind} held, erasure from the console ended with {done.returncode}: {done.stdout!r} {done.stderr!r}")
        print(f"{case.kind} held: erasure from the console: exit {done.returncode}, {done.stderr.decode().strip().splitlines()[0][:120]}")
    # A recording's last thumbnail may have come meanwhile.
    after = kept(desk)
    lost = [name for name in before if after.get(name) != before[name]]
    hold(not lost, f"deleted or changed: {lost}")
    hold(not [entry for entry in desk.entries() if entry["type"].startswith("person.erased")], "an erasure was recorded")
    # Whom an administrator made today cannot be the second person beside them; whom the console made can.
    clerk = desk.daybook("user", "add", "clerk-north", "--role", "supervisor", "--organisation", "north", "--json")
    hold(clerk.returncode == 0, f"making the clerk: {clerk.stderr!r}")
    desk.start()
    desk.first_sign_in("clerk-north", json.loads(clerk.stdout)["temporaryPassword"])
    for case in cases:
        case.is_whole(ours, boss)
    lifted(desk, cases, boss, before)
    desk.stop()
    desk.verify()


def lifted(desk, cases, boss, before):
    """The same erasure once the hold is lifted: what refused it was the hold."""
    for case in cases:
        done = boss.post(f"/v1/holds/{case.held}/lift", {"reason": "over", "approver": {"login": "clerk-north", "password": PASSWORD}})
        hold(done.ok, f"lifting: {done}")
        answer = boss.post(f"/v1/persons/{case.names['person']}/erase", {"reason": "asked"})
        hold(answer.ok and answer.json["recordingsDeleted"] == 1, f"erasing after the hold: {answer}")
    gone = set(before) - set(kept(desk))
    hold(len([path for path in gone if path.endswith(".webm")]) == len(cases), f"recordings deleted: {sorted(gone)}")
    print(f"lifted by two people: {len(cases)} persons erased, {len(gone)} files gone")


class Case:
    """Somebody who called, wrote, sent a picture and filmed, and whose session has ended."""

    def __init__(self, desk, ours, kind):
        self.kind, self.words = kind, f"words of the {kind}"
        phone = desk.caller(ours)
        chat, session = desk.chat(phone)
        hold(ours.post(f"/v1/sessions/{session}/claim").ok, "claiming")
        say(chat, session, self.words)
        self.picture = made(phone.post(f"/v1/sessions/{session}/pictures", PICTURE))["message"]
        self.stream = film.film(phone, session)
        shown = ours.get(f"/v1/sessions/{session}").json["session"]
        self.names = {"session": session, "incident": shown["incident"], "person": shown["caller"]}
        hold(ours.post(f"/v1/sessions/{session}/close", {"disposition": "handled"}).ok, "closing")

    def is_whole(self, ours, boss):
        session = self.names["session"]
        transcript = boss.get(f"/v1/sessions/{session}/transcript")
        hold(self.words.encode() in transcript.body, f"{self.kind} held: the transcript is {transcript}")
        hold(ours.get(f"/v1/sessions/{session}/pictures/{self.picture}").body == PICTURE, f"{self.kind} held: the picture is gone")
        film_bytes = boss.get(f"/v1/streams/{self.stream}/media")
        hold(film_bytes.ok and len(film_bytes.body) > 100_000, f"{self.kind} held: the film answered {film_bytes.status}")


def finalised(desk, cases):
    """Waits until the recordings have their last form."""
    until(lambda: sum(entry["type"].startswith("stream.finalized") for entry in desk.entries()) == len(cases), "every recording is finalised")


def kept(desk):
    """The digest of each file of recordings and pictures that is whole."""
    files = {}
    for part in ("media", "blobs"):
        for place, _, names in os.walk(os.path.join(desk.folder, part)):
            for name in names:
                if name.startswith(".") and name.endswith(".new"):
                    continue  # it is being written
                path = os.path.join(place, name)
                with open(path, "rb") as file:
                    files[os.path.relpath(path, desk.folder)] = hashlib.sha256(file.read()).hexdigest()
    return files


if __name__ == "__main__":
    centre.run(main, centre.arguments(__doc__).parse_args())
