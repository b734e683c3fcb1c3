#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Flips one bit at a time of the log of a played demo, and holds `daybook verify` and `export` to promise 5.

  flip.py --daybook PATH [--count 1000] [--seed 1]

Never a crash or a hang; verify ends with 0 only if the export is byte for byte what it was.
"""

import os
import random
import shutil
import subprocess
import sys

from centre import arguments, chosen, hold, run, seed
from daybook import DEADLINE


def command(daybook, folder, *arguments):
    return subprocess.run([daybook, *arguments, "--data", folder], capture_output=True, timeout=DEADLINE)


def main(options, place):
    chance, daybook, outcomes = random.Random(chosen(options)), options.daybook, {}
    played, folder = os.path.join(place, "demo"), os.path.join(place, "ledger")
    demo = os.path.join(os.path.dirname(os.path.abspath(__file__)), "demo.py")
    subprocess.run([sys.executable, demo, "--daybook", daybook, "--folder", played], check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    shutil.copytree(played, folder, ignore=shutil.ignore_patterns("media", "read"))
    log = os.path.join(folder, "log", "data.mdb")
    with open(log, "rb") as file:
        sound = file.read()
    export = command(daybook, folder, "export")
    hold(export.returncode == 0, f"the sound log is not exported: {export.stderr}")
    for number in range(options.count):
        # Half of the flips in the first pages, where most of the structure lies.
        end = len(sound) if number % 2 else min(len(sound), 40_960)
        byte, bit = chance.randrange(end), chance.randrange(8)
        damaged = bytearray(sound)
        damaged[byte] ^= 1 << bit
        with open(log, "wb") as file:
            file.write(damaged)
        verdict = command(daybook, folder, "verify", "--without", "media").returncode
        again = command(daybook, folder, "export")
        hold(verdict in (0, 1, 3) and again.returncode in (0, 1), f"byte {byte}, bit {bit}: verify ended with {verdict}, export with {again.returncode}")
        same = again.returncode == 0 and again.stdout == export.stdout
        hold(verdict or same, f"byte {byte}, bit {bit}: not found")
        outcome = "found" if verdict else "sound, and the export is the same"
        outcomes[outcome] = outcomes.get(outcome, 0) + 1
    for outcome, times in sorted(outcomes.items()):
        print(f"{times:6}  {outcome}")


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--count", type=int, default=1_000)
    seed(parser)
    run(main, parser.parse_args())
