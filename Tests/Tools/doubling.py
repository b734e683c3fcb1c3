#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds are linear: processor time of rebuilding each read model, of verify, trends and of a timeline, at twice the events.

  doubling.py --daybook PATH --history PATH-OF-daybook-history [--events 50000] [--doublings 3] [--ratio 2.2] [--rounds 1] [--seed 1]

Prints a line for each: the seconds at each size, and the ratio at each doubling. The least of so many rounds counts: what others do on
the same cores only makes a program longer, also in processor time. Anything above the ratio fails, unless the longer time is so short
that starting the program is most of it; where that is so of more than half of the lines, nothing was shown, and that fails, too.
"""
import json
import os
import resource
import subprocess

from centre import arguments, hold, run
from read_models import NAMES, serving

# Below so many seconds of processor time a ratio says nothing about the work.
SHORTEST = 0.4


def once(command, accepted=(0,)):
    """The processor time of a program, with all of its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True)
    hold(done.returncode in accepted, f"{' '.join(command)} ended with {done.returncode}: "
         f"{done.stdout[-600:].decode()}{done.stderr[-600:].decode()}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def incident(daybook, ledger):
    """Some incident of the ledger, to ask for as it was half way."""
    export = subprocess.Popen([daybook, "export", "--data", ledger], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        for line in export.stdout:
            entry = json.loads(line)
            if entry["subject"].startswith("incident/"):
                return entry["subject"].split("/")[1], entry["position"]
    finally:
        export.kill()
        export.wait()
    return None


class Made:
    """A ledger of so many events, with its read models, and the least that each thing took on it."""

    def __init__(self, options, folder, events):
        self.options, self.ledger = options, os.path.join(folder, str(events))
        self.least = {"history": once([options.history, self.ledger, str(events), str(options.seed)])}
        once([options.daybook, "rebuild", "--data", self.ledger])
        hold(set(serving(self.ledger)) == set(NAMES), f"the program builds {sorted(serving(self.ledger))}, looked at are {sorted(NAMES)}")
        found = incident(options.daybook, self.ledger)
        hold(found, "the history has no incident")
        self.as_of = ("timeline", found[0], "--as-of", str(events // 2))

    def measure(self):
        """Does each thing once."""
        for name in NAMES:
            self.take(f"rebuild {name}", "rebuild", name)
        # A made-up ledger names files that nobody wrote, and nobody signed it: verify may say that it is unproved.
        absent = [word for part in ("keys", "media", "blobs") for word in ("--without", part)]
        self.take("verify", "verify", *absent, accepted=(0, 3))
        self.take("trends", "trends", "--csv")
        self.take("timeline as of", *self.as_of)

    def take(self, what, *words, accepted=(0,)):
        took = once([self.options.daybook, *words, "--data", self.ledger], accepted)
        self.least[what] = min(took, self.least.get(what, took))


def main(options, folder):
    sizes = [options.events << doubling for doubling in range(options.doublings + 1)]
    ledgers = [Made(options, folder, events) for events in sizes]
    # All sizes in each round: minutes in which others have the machine make no one size longer than the next.
    for _ in range(options.rounds):
        for ledger in ledgers:
            ledger.measure()
    tables = [ledger.least for ledger in ledgers]
    steep, told = [], []
    print(f"{'':28}" + "".join(f"{size:>10}" for size in sizes) + "   ratios")
    for what in tables[0]:
        times = [table[what] for table in tables]
        ratios = [late / early if early else 0 for early, late in zip(times, times[1:])]
        counted = [ratio for ratio, late in zip(ratios, times[1:]) if late >= SHORTEST]
        print(f"{what:28}" + "".join(f"{value:10.2f}" for value in times) + "   " + " ".join(f"{ratio:.2f}" for ratio in ratios))
        told += [max(counted)] if counted else []
        steep += [f"{what}: {ratio:.2f}" for ratio in counted if ratio > options.ratio]
    hold(not steep, f"not linear: {', '.join(steep)}")
    hold(2 * len(told) >= len(tables[0]), f"only {len(told)} of {len(tables[0])} took {SHORTEST} s at any size: take more --events or --doublings")
    print(f"linear: no ratio of {len(told)} of {len(tables[0])} above {max(told):.2f} at {len(sizes) - 1} doublings up to {sizes[-1]} events")


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--history", required=True, help="the executable daybook-history")
    parser.add_argument("--events", type=int, default=50_000)
    parser.add_argument("--doublings", type=int, default=3)
    parser.add_argument("--ratio", type=float, default=2.2)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    run(main, parser.parse_args())
