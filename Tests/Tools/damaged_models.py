#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A read model that somebody damages stops no other: they go on, readyz says which, it mends itself.

  damaged_models.py --daybook PATH [--models conversations,registry]

One page of each read model is overwritten, and each file of `read/` is removed while a shell has it open.
"""
import glob
import os
import sqlite3
import time

from centre import Centre, arguments, hold, run
from daybook import until
from read_models import NAMES, serving, transcript


class Desk:
    """An operator with a chat: says something, and looks at what every model makes of it."""

    def __init__(self, centre):
        self.centre = centre
        self.desk = centre.staff("amina")
        self.caller = centre.caller(self.desk)
        chat, self.session = centre.chat(self.caller)
        chat.close()
        hold(self.desk.post(f"/v1/sessions/{self.session}/claim").ok, "the claim was refused")
        self.sent = []

    def say(self):
        answer = self.caller.post(f"/v1/sessions/{self.session}/messages", {"text": f"message {len(self.sent)}"})
        hold(answer.ok, f"a message: {answer}")
        self.sent.append(answer.json["message"])
        return int(answer.headers["Daybook-Position"])

    def states(self):
        return {model["name"]: model for model in self.centre.admin.get("/readyz").json["readModels"]}

    def failures(self):
        """How often each model stood still, by readyz."""
        return {name: state["failures"] for name, state in self.states().items()}

    def named(self, harmed, before, what):
        """readyz says that this model stood still since then, and no other."""
        until(lambda: self.failures()[harmed] > before[harmed], f"{harmed}: readyz says that {what}")
        others = {name for name, count in self.failures().items() if count > before[name]} - {harmed}
        hold(not others, f"{harmed}: {what}, and readyz says that {others} stood still, too")

    def say_and_wait(self, harmed):
        """Says something; waits until every model but the harmed one has it, and returns how long that took."""
        position, begun = self.say(), time.monotonic()
        until(lambda: all(state["reached"] > position for name, state in self.states().items() if name != harmed), f"{harmed} was harmed, and the others go on", pause=0.01)
        return time.monotonic() - begun

    def mended(self):
        """Every model answers again and has everything."""
        until(lambda: self.desk.get("/readyz").ok, "ready")
        last = self.say()
        until(lambda: all(state["reached"] > last for state in self.states().values()), "every model level")
        told = transcript(self.desk, self.session)
        hold(told == self.sent, f"the transcript has {len(told)} messages, sent were {len(self.sent)}")


def overwrite(path):
    """Fills the root pages of the projector's tables with what is no page; the tables that hold progress stay."""
    database = sqlite3.connect(path)
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    size = database.execute("PRAGMA page_size").fetchone()[0]
    page = database.execute("SELECT rootpage FROM sqlite_master WHERE type = 'table' AND rootpage > 0 "
                            "AND name <> 'progress' ORDER BY rowid LIMIT 1").fetchone()[0]
    database.close()
    with open(path, "r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xa5" * size)


def hold_open(path):
    """A shell in the middle of a query."""
    shell = sqlite3.connect(f"file:{path}?mode=ro", uri=True, isolation_level=None)
    shell.execute("BEGIN")
    shell.execute("SELECT next FROM progress").fetchone()
    return shell


def main(options, folder):
    centre = Centre(options.daybook, folder).open()
    desk = Desk(centre)
    for _ in range(20):
        desk.say()
    desk.mended()
    slowest = 0.0

    names = options.models.split(",") if options.models else NAMES
    removed = 0
    for name in names:
        for suffix in ("", "-wal", "-shm", "link"):
            link = serving(centre.folder)[name]
            real = os.path.realpath(link)
            shell = hold_open(real)
            before = desk.failures()
            os.unlink(link if suffix == "link" else real + suffix)
            removed += 1
            slowest = max(slowest, desk.say_and_wait(name))
            desk.named(name, before, f"{suffix or 'the file'} is gone")
            desk.mended()
            shell.close()

    overwritten = 0
    for name in names:
        centre.stop()
        overwrite(serving(centre.folder)[name])
        centre.start()
        overwritten += 1
        slowest = max(slowest, desk.say_and_wait(name))
        desk.named(name, dict.fromkeys(NAMES, 0), "a page of it is damaged")
        desk.mended()

    centre.stop()
    checked = centre.daybook("rebuild", "--check")
    hold(checked.returncode == 0, f"rebuild --check: {checked.stdout.decode()}{checked.stderr.decode()}")
    left = [path for path in glob.glob(os.path.join(centre.folder, "read", "*")) if "building" in path or path.endswith("-journal")]
    hold(not left, f"files of builds that are over: {left}")
    centre.verify()
    print(f"{removed} files removed under a shell, {overwritten} models with a page overwritten: the others had the next "
          f"message after {slowest:.2f} s at most, and each mended itself; {len(desk.sent)} messages, none missing")


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--models", help="only these, with commas")
    run(main, parser.parse_args())
