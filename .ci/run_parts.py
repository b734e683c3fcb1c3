# SPDX-License-Identifier: Apache-2.0
"""Runs commands one by one or beside each other, keeps what they printed, and says how each ended: for .ci/tests and .ci/campaign."""

import concurrent.futures
import dataclasses
import os
import shutil
import signal
import subprocess
import threading
import time

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), ".."))
# What a failed part printed and left, until the next run.
FAILED = os.path.join(ROOT, ".build", "failed")
# The exit status of an outside program that this machine cannot run.
SKIPPED = 77

BUILD_FLAGS = ["-debug-info-format", "none"]


@dataclasses.dataclass
class Outcome:
    """How a part ended."""

    name: str
    result: str  # passed, failed, skipped
    seconds: float = 0
    words: str = ""
    # Tests that it counts for.
    count: int = 1


class Commands:
    """The processes that were started here; all of them end with this process."""

    def __init__(self):
        self.running, self.lock = set(), threading.Lock()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._end)

    def run(self, command, printed, seconds_max, environment=None):
        """Runs a command in the root; returns its exit status, or None if it took too long and was ended."""
        os.makedirs(os.path.dirname(printed), exist_ok=True)
        with open(printed, "wb") as output:
            process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                                       start_new_session=True, env={**self.environment(), **(environment or {})})
            with self.lock:
                self.running.add(process)
            try:
                return process.wait(seconds_max)
            except subprocess.TimeoutExpired:
                process.terminate()  # upon which it ends what it started
                try:
                    process.wait(45)
                except subprocess.TimeoutExpired:
                    pass
                return None
            finally:
                self._kill(process)
                with self.lock:
                    self.running.discard(process)

    @staticmethod
    def environment():
        # The backtracer of Swift keeps a process that is meant to crash from ending.
        return {name: value for name, value in os.environ.items() if name != "SWIFT_BACKTRACE"}

    @staticmethod
    def _kill(process):
        """Ends whatever a command left: its session, since what `swift test` starts has a process group of its own."""
        for name in os.listdir("/proc"):
            if name.isdigit():
                try:
                    if os.getsid(int(name)) == process.pid:
                        os.kill(int(name), signal.SIGKILL)
                except ProcessLookupError:
                    pass
        process.wait()

    def _end(self, number, _):
        for process in list(self.running):
            self._kill(process)
        os._exit(128 + number)


class Programs:
    """Runs outside programs, each in a folder of its own, and keeps the folder of one that failed."""

    def __init__(self, commands, products, is_campaign, seconds_max, environment):
        self.commands, self.products, self.is_campaign = commands, products, is_campaign
        self.seconds_max, self.environment = seconds_max, environment

    def run(self, program, more=()):
        folder = os.path.join(ROOT, ".build", "outside", program.name)
        shutil.rmtree(folder, ignore_errors=True)
        work, printed = os.path.join(folder, "work"), os.path.join(folder, "printed")
        began = time.monotonic()
        command = program.command(self.products, work, self.is_campaign, more)
        code = self.commands.run(command, printed, self.seconds_max, self.environment)
        seconds = time.monotonic() - began
        text = read(printed)
        if code == 0:
            outcome = Outcome(program.name, "passed", seconds, text)
        elif code == SKIPPED:
            outcome = Outcome(program.name, "skipped", seconds, (text.strip().splitlines() or [""])[-1])
        else:
            ended = f"ended with {code}" if code is not None else f"did not end in {self.seconds_max} s"
            outcome = Outcome(program.name, "failed", seconds, f"{' '.join(command)}\n{ended}:\n{text}")
            keep(program.name, folder)
        shutil.rmtree(folder, ignore_errors=True)
        return outcome

    def run_all(self, programs, width, told):
        """Runs programs beside each other, and tells each outcome when it is there."""
        with concurrent.futures.ThreadPoolExecutor(width) as pool:
            outcomes = []
            for ended in concurrent.futures.as_completed([pool.submit(self.run, program) for program in programs]):
                outcomes.append(ended.result())
                told(outcomes[-1])
        return outcomes


def keep(name, folder):
    """Moves the folder of a failed part to FAILED; a second one of the same name gets a number."""
    place, number = os.path.join(FAILED, name), 1
    while os.path.exists(place):
        number += 1
        place = os.path.join(FAILED, f"{name}-{number}")
    os.makedirs(FAILED, exist_ok=True)
    if folder:
        shutil.move(folder, place)
    else:
        os.makedirs(place)
    return place


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def products(configuration):
    """The paths of the executables of a build, by name."""
    folder = subprocess.run(["swift", "build", "-c", configuration, "--show-bin-path", *(BUILD_FLAGS if configuration == "debug" else [])],
                            cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()
    return {name: os.path.join(folder, name) for name in ("daybook", "daybook-camera", "daybook-media", "daybook-history")}
