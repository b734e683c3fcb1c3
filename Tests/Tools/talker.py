# SPDX-License-Identifier: Apache-2.0
"""An operator who writes all the time, in a process of its own, and what a gateway takes meanwhile: for programs that make it hard to be heard."""

import http.client
import multiprocessing
import os
import re
import time

from centre import hold, timely
from daybook import DEADLINE, Client

PAUSE_SECONDS = 0.02
# By when 99 of 100 messages are recorded, or within how many times what they take on the same machine when it is quiet.
P99_MILLISECONDS, P99_TIMES = 50, 4


class Talker:
    """Writes to a session and notes when each message was sent and how long its receipt took. With `outlives` it goes on over kills of the gateway; a message that found none does
    not count."""

    def __init__(self, client, session, outlives=False):
        fork = multiprocessing.get_context("fork")  # so that nothing of the crowd's own work is in the times
        self.outlives, self.end, (self.inbox, outbox) = outlives, fork.Event(), fork.Pipe(duplex=False)
        own = Client(client.host, client.port, client.token, client.tls)
        self.process = fork.Process(target=self._write, args=(own, session, outbox), daemon=True)
        self.process.start()
        outbox.close()

    def _write(self, client, session, outbox):
        times, number, failed, heard = [], 0, None, time.monotonic()
        while not self.end.wait(PAUSE_SECONDS) and failed is None:
            number += 1
            began = time.monotonic()
            try:
                answer = client.post(f"/v1/sessions/{session}/messages", {"text": f"all is well {number}"})
            except (OSError, http.client.HTTPException) as fault:
                if self.outlives and time.monotonic() < heard + DEADLINE:
                    continue
                failed = f"message {number}: {fault}"
                break
            heard = time.monotonic()
            times.append((began, heard - began))
            if not answer.ok:
                failed = f"message {number}: {answer}"
        outbox.send((times, failed))

    def finish(self):
        """Ends it: the times of all messages, and what failed."""
        self.end.set()
        times, failed = self.inbox.recv()
        self.process.join()
        return times, failed


def between(times, begin, end):
    """The milliseconds of the messages that were sent in a span."""
    return sorted(1_000 * took for began, took in times if begin <= began < end)


def percentile(sorted_times, percent):
    return sorted_times[min(len(sorted_times) - 1, len(sorted_times) * percent // 100)] if sorted_times else float("nan")


def described(sorted_times):
    return f"{len(sorted_times)} messages, p50 {percentile(sorted_times, 50):.1f} ms, p99 {percentile(sorted_times, 99):.1f} ms"


class Process:
    """What a process takes, by what the kernel counts."""

    def __init__(self, pid):
        self.pid = pid

    def resident(self):
        with open(f"/proc/{self.pid}/status") as file:
            return int(re.search(r"VmRSS:\s+(\d+)", file.read())[1]) // 1024

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    def seconds(self):
        """Processor time that its threads had, and time in which they could run and others ran."""
        had, waited = 0, 0
        for task in os.listdir(f"/proc/{self.pid}/task"):
            try:
                with open(f"/proc/{self.pid}/task/{task}/schedstat") as file:
                    ran, delayed, _ = file.read().split()
            except OSError:
                continue  # it has ended
            had, waited = had + int(ran), waited + int(delayed)
        return had / 1e9, waited / 1e9


def compared(quiet, crowded):
    """The times with a crowd beside those without, as words, and how many times the p99 is."""
    ratio = percentile(crowded, 99) / percentile(quiet, 99)
    return f"quiet: {described(quiet)}; meanwhile: {described(crowded)}: p99 {ratio:.2f} times", ratio


def undisturbed(quiet, crowded):
    """Holds the times with a crowd beside those without."""
    hold(quiet and crowded, f"{len(quiet)} messages before and {len(crowded)} meanwhile say nothing")
    p99, allowed = percentile(crowded, 99), max(P99_MILLISECONDS, P99_TIMES * percentile(quiet, 99))
    timely(p99 <= allowed, f"p99 {p99:.1f} ms, allowed are {allowed:.1f}")


def numbers(admin, name):
    """The values of a metric by its labels."""
    answer = admin.get("/metrics")
    found = re.findall(rf"^{name}(?:\{{(.*)\}})? (\S+)$", answer.body.decode(), re.M)
    return {labels: float(value) for labels, value in found}
