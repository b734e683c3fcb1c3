#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Flips one bit of a ledger's log at a time and holds daybook to its promise.

Never a crash or a hang; exit 0 only if the export is byte for byte what it was.

    flip.py DAYBOOK DIR [COUNT [SEED]]       DIR is copied, not touched
"""

import os
import random
import shutil
import subprocess
import sys
import tempfile


def run(daybook, folder, *arguments):
    return subprocess.run(
        [daybook, *arguments, "--data", folder], capture_output=True, timeout=120
    )


def main():
    daybook, source = sys.argv[1:3]
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 1000
    chance = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
    outcomes = {}
    with tempfile.TemporaryDirectory() as place:
        folder = os.path.join(place, "ledger")
        shutil.copytree(source, folder, ignore=shutil.ignore_patterns("media", "read"))
        log = os.path.join(folder, "log", "data.mdb")
        sound = open(log, "rb").read()
        export = run(daybook, folder, "export")
        assert export.returncode == 0, export.stderr
        for number in range(count):
            end = len(sound) if number % 2 else min(len(sound), 40_960)
            byte, bit = chance.randrange(end), chance.randrange(8)
            damaged = bytearray(sound)
            damaged[byte] ^= 1 << bit
            with open(log, "wb") as file:
                file.write(damaged)
            verdict = run(daybook, folder, "verify", "--without", "media").returncode
            again = run(daybook, folder, "export")
            assert verdict in (0, 1, 3) and again.returncode in (0, 1), (byte, bit, verdict, again)
            same = again.returncode == 0 and again.stdout == export.stdout
            assert verdict or same, f"byte {byte}, bit {bit}: not found"
            outcome = "found" if verdict else "sound, and the export is the same"
            outcomes[outcome] = outcomes.get(outcome, 0) + 1
    for outcome, times in sorted(outcomes.items()):
        print(f"{times:6}  {outcome}")


main()
