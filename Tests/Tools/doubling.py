#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds are linear: processor time of rebuilding each read model, of verify, trends and of a timeline, at twice the events.

  doubling.py --daybook PATH --history PATH-OF-daybook-history [--events 50000] [--doublings 3] [--ratio 2.6] [--rounds 1] [--seed 1]

Prints a line for each: the least seconds of all rounds at each size, and the ratio at each doubling: what others take of a processor only
makes a time longer. A round does one thing at all sizes, one after the other. Anything above the ratio fails, unless the longer time is so
short that starting the program is most of it; where that is so of more than half of the lines, all is done again with four times the
events. Making the ledgers is the tests' own work: it is printed and holds nobody.
"""
import json
import os
import resource
import shutil
import subprocess

from centre import arguments, chosen, hold, run, seed, timely
from read_models import NAMES, serving

# Below so many seconds of processor time a ratio says nothing about the work.
SHORTEST = 0.4
# The things that are measured: each read model, verify, trends and a timeline.
WHOLE = len(NAMES) + 3


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
    """A ledger of so many events, with its read models."""

    def __init__(self, options, folder, events, number):
        self.daybook, self.ledger = options.daybook, os.path.join(folder, str(events))
        self.making = once([options.history, self.ledger, str(events), str(number)])
        once([self.daybook, "rebuild", "--data", self.ledger])
        hold(set(serving(self.ledger)) == set(NAMES), f"the program builds {sorted(serving(self.ledger))}, looked at are {sorted(NAMES)}")
        found = incident(self.daybook, self.ledger)
        hold(found, "the history has no incident")
        self.as_of = ("timeline", found[0], "--as-of", str(events // 2))

    def things(self):
        """What is measured, by name: the words of the command."""
        # A made-up ledger names files that nobody wrote, and nobody signed it: verify may say that it is unproved.
        absent = [word for part in ("keys", "media", "blobs") for word in ("--without", part)]
        return {**{f"rebuild {name}": ("rebuild", name) for name in NAMES},
                "verify": ("verify", *absent), "trends": ("trends", "--csv"), "timeline as of": self.as_of}

    def take(self, what):
        accepted = (0, 3) if what == "verify" else (0,)
        return once([self.daybook, *self.things()[what], "--data", self.ledger], accepted)


def row(what, times, ratios):
    print(f"{what:28}" + "".join(f"{value:10.2f}" for value in times) + "   " + " ".join(f"{ratio:.2f}" for ratio in ratios), flush=True)


def growth(what, rounds):
    """Prints the least of the rounds, and returns the ratios that tell something."""
    times = [min(column) for column in zip(*rounds)]
    ratios = [late / early for early, late in zip(times, times[1:])]
    row(what, times, ratios)
    return [ratio for ratio, late in zip(ratios, times[1:]) if late >= SHORTEST]


def main(options, folder):
    number, events = chosen(options), options.events
    while 2 * (shown := measure(options, folder, events, number)) < WHOLE:
        print(f"only {shown} of {WHOLE} took {SHORTEST} s at any size: again with four times the events", flush=True)
        events *= 4


def measure(options, folder, first, number):
    """How many things took long enough to say something; each of these is linear."""
    sizes = [first << doubling for doubling in range(options.doublings + 1)]
    ledgers = [Made(options, folder, events, number) for events in sizes]
    things = list(ledgers[0].things())
    rounds = {what: [] for what in things}
    for _ in range(options.rounds):
        for what in things:
            rounds[what].append([ledger.take(what) for ledger in ledgers])
    print(f"{'':28}" + "".join(f"{size:>10}" for size in sizes) + "   ratios")
    making = [ledger.making for ledger in ledgers]
    row("(making them, once)", making, [late / early for early, late in zip(making, making[1:])])
    told = {what: growth(what, rounds[what]) for what in things}
    steep = [f"{what}: {ratio:.2f}" for what in things for ratio in told[what] if ratio > options.ratio]
    timely(not steep, f"not linear: {', '.join(steep)}")
    counted = [ratio for what in things for ratio in told[what]]
    shown = sum(1 for what in things if told[what])
    if counted:
        print(f"no ratio of {shown} of {len(things)} above {max(counted):.2f} at {len(sizes) - 1} doublings up to {sizes[-1]} events")
    for ledger in ledgers:
        shutil.rmtree(ledger.ledger)
    return shown


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--history", required=True, help="the executable daybook-history")
    parser.add_argument("--events", type=int, default=50_000)
    parser.add_argument("--doublings", type=int, default=3)
    parser.add_argument("--ratio", type=float, default=2.6)
    parser.add_argument("--rounds", type=int, default=1)
    seed(parser)
    run(main, parser.parse_args())
