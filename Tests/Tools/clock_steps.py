#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A gateway whose clock is wrong: at its start, while it runs, and after a restart of the machine.

  clock_steps.py --daybook PATH

The clocks of the real `daybook serve` are moved through a library that is loaded before libc. `step` sets the wall
clock as a bad battery or a time server does; `passes` lets time go by, on both clocks. Needs a C compiler.
"""
import datetime
import mmap
import os
import re
import shutil
import struct
import subprocess
import time

from centre import PASSWORD, Centre, arguments, check_order, hold, run, skip
from daybook import until

SHIM = r"""
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile int64_t *moved; /* seconds: the wall clock, time since boot */

__attribute__((constructor)) static void begin(void) {
    int file = open(getenv("CLOCKS"), O_RDONLY);
    void *map = mmap(0, 16, PROT_READ, MAP_SHARED, file, 0);
    if (map != MAP_FAILED) moved = map;
    close(file);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    int result = syscall(SYS_clock_gettime, clock, now);
    if (result == 0 && moved && clock == CLOCK_REALTIME) now->tv_sec += moved[0];
    if (result == 0 && moved && clock == CLOCK_BOOTTIME) now->tv_sec += moved[1];
    return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    struct timespec time;
    int result = clock_gettime(CLOCK_REALTIME, &time);
    now->tv_sec = time.tv_sec;
    now->tv_usec = time.tv_nsec / 1000;
    return result;
}

time_t time(time_t *now) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    if (now) *now = time.tv_sec;
    return time.tv_sec;
}
"""
HOUR, DAY = 3_600, 86_400
YEARS = 3_652 * DAY
# So long that no session ends by it while something is looked at, and shorter than an alert is remembered.
START_LIMIT = 500


class Clocks:
    """Both clocks of the gateway's machine."""

    def __init__(self, folder):
        compiler = shutil.which("cc") or shutil.which("clang") or shutil.which("gcc")
        if not compiler:
            skip("there is no C compiler")
        source, self.library = os.path.join(folder, "clocks.c"), os.path.join(folder, "clocks.so")
        with open(source, "w") as file:
            file.write(SHIM)
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", self.library, source], check=True)
        self.path = os.path.join(folder, "clocks")
        with open(self.path, "wb") as file:
            file.write(bytes(16))
        with open(self.path, "r+b") as file:
            self.memory = mmap.mmap(file.fileno(), 16)
        self.wall, self.passed = 0, 0
        self.environment = {"LD_PRELOAD": self.library, "CLOCKS": self.path}

    def step(self, seconds):
        self.wall += seconds
        self._tell()

    def passes(self, seconds):
        self.wall += seconds
        self.passed += seconds
        self._tell()

    def _tell(self):
        self.memory[:16] = struct.pack("=qq", self.wall, self.passed)

    @property
    def right(self):
        """What a right clock would show."""
        return time.time() + self.passed


class Desk:
    """A gateway on moved clocks, and what is looked at."""

    def __init__(self, program, folder):
        self.clocks = Clocks(folder)
        self.centre = Centre(program, folder, ["--start-limit", str(START_LIMIT)])
        self.centre.gateway.environment = dict(os.environ, **self.clocks.environment)
        self.centre.open()
        self.centre.staff("sam")
        self.sign_in()
        self.phones, self.contact = 0, None

    def sign_in(self):
        """Anew, for five minutes of silence sign out."""
        self.sam, self.admin = (self.signed_in(login) for login in ("sam", "admin"))

    def signed_in(self, login):
        answer = self.centre.client().post("/v1/auth/login", {"login": login, "password": PASSWORD}, key=False)
        hold(answer.ok, f"signing in as {login}: {answer}")
        return self.centre.client(answer.json["token"])

    def passes(self, seconds):
        """Lets time go by while people are at work."""
        if seconds > HOUR:
            self.clocks.passes(seconds)
            return self.sign_in()
        while seconds > 0:
            self.clocks.passes(min(seconds, 240))
            hold(self.sam.get("/v1/me").ok and self.admin.get("/v1/me").ok, "somebody at work was signed out")
            seconds -= 240

    def restart(self, between=lambda: None):
        self.centre.stop()
        between()
        self.centre.start()

    def another_boot(self):
        """As if the machine had restarted: nothing tells how long it was off. The mark is sealed, so it is taken away."""
        os.remove(os.path.join(self.centre.folder, "clock"))

    def clock(self):
        ready = self.admin.get("/readyz")
        hold(ready.status in (200, 503), f"readyz answered {ready}")
        return ready.json["clock"]

    def held(self, by):
        clock = self.clock()
        hold(not clock["isFollowed"] and abs(clock["leadSeconds"] - by) < 60, f"readyz says {clock}")

    def followed(self, lead=0):
        clock = self.clock()
        hold(clock["isFollowed"] and abs(clock["leadSeconds"] - lead) < 60, f"readyz says {clock}")

    def console(self, *words):
        return self.centre.daybook(*words, env=self.centre.gateway.environment)

    def session(self):
        """A session that an operator opens and nobody starts."""
        self.phones += 1
        made = self.sam.post("/v1/sessions", {"phone": f"+4477990000{self.phones:02}"})
        hold(made.status == 201, f"opening a session: {made}")
        session = made.json["session"]
        self.contact = self.contact or self.sam.get(f"/v1/sessions/{session}").json["session"]["caller"]
        return session

    def alarm(self, session):
        """Queues the same alert; gives its id."""
        body = {"cause": f"session/{session}", "contact": self.contact, "severity": "critical", "template": "drowning",
                "sms": "+447700900123", "deduplicationKey": "drowning"}
        made = self.sam.post("/v1/alerts", body)
        hold(made.ok, f"an alert: {made}")
        return made.json["alert"]

    def record(self):
        """Something that is recorded now, and that nothing else here is about."""
        self.signed_in("sam")

    def newest(self):
        """The time of the newest event, in seconds since 1970."""
        return seconds(self.centre.entries()[-1]["time"])

    def expires(self, session):
        """Waits until the session is over by its start limit."""
        def is_over():
            state = self.sam.get(f"/v1/sessions/{session}")
            return state.ok and state.json["session"]["state"] == "expired"

        until(is_over, f"session {session} ends by its start limit")


def seconds(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


def limits_hold(desk, session, alert, ahead=0):
    """Within its windows the same alert is the same and a session lives; behind them neither."""
    hold(desk.alarm(session) == alert, "within ten minutes the same alert was queued twice")
    state = desk.sam.get(f"/v1/sessions/{session}")
    hold(state.ok and state.json["session"]["state"] != "expired", f"a session ended before its limit: {state}")
    before = desk.clocks.right
    desk.record()
    now, after = desk.newest() - ahead, desk.clocks.right
    hold(before - 60 < now < after + 60, f"recorded time is {now - before} s off")
    desk.passes(START_LIMIT + 5)
    desk.expires(session)
    desk.passes(600)
    hold(desk.alarm(session) != alert, "an alert of eleven minutes ago swallowed a new one")
    # An alert about another session is another alert.
    session = desk.session()
    return session, desk.alarm(session)


def fast_at_start(desk, by, session, alert):
    """The gateway starts while the clock is fast; later it is put right."""
    desk.restart(lambda: desk.clocks.step(by))
    desk.held(by)
    doctor = desk.console("doctor")
    hold(doctor.returncode == 1 and re.search(rb"fail +clock", doctor.stdout), f"doctor says {doctor.stdout!r}")
    session, alert = limits_hold(desk, session, alert)
    desk.clocks.step(-by)
    desk.followed()
    return limits_hold(desk, session, alert)


def fast_while_serving(desk, by, session, alert):
    """The clock jumps and comes back under a running gateway."""
    desk.clocks.step(by)
    desk.held(by)
    session, alert = limits_hold(desk, session, alert)
    desk.clocks.step(-by)
    desk.followed()
    return limits_hold(desk, session, alert)


def an_hour(desk, session, alert):
    """Just below an hour is believed; when it was wrong, time goes on and loses a hundredth."""
    hour = HOUR - 10
    desk.restart(lambda: desk.clocks.step(hour))
    desk.followed()
    desk.sign_in()
    hold(desk.alarm(session) != alert, "an alert of an hour ago swallowed a new one")
    desk.expires(session)
    session = desk.session()
    alert = desk.alarm(session)
    desk.clocks.step(-hour)
    desk.followed(lead=-hour)
    session, alert = limits_hold(desk, session, alert, ahead=hour)
    desk.passes(101 * HOUR)
    desk.alarm(session)
    desk.followed()
    session = desk.session()
    return session, desk.alarm(session)


def confirmed(desk, session, alert):
    """The machine was off for a weekend and started anew: a person says that its clock is right."""
    def weekend():
        desk.clocks.passes(2 * DAY)
        desk.another_boot()

    desk.restart(weekend)
    desk.held(2 * DAY)
    desk.sign_in()
    hold(desk.sam.post("/v1/clock/confirm").status == 403, "an operator may confirm the clock")
    answer = desk.admin.post("/v1/clock/confirm")
    hold(answer.ok, f"confirming the clock: {answer}")
    desk.followed()
    hold(desk.admin.get("/v1/me").ok and desk.sam.get("/v1/me").ok, "confirming the clock signed people out")
    hold(desk.admin.post("/v1/clock/confirm").status == 409, "a clock that is followed was confirmed")
    hold(desk.alarm(session) != alert, "an alert of before the weekend swallowed a new one")

    # The same from the console, while nobody serves.
    def another():
        weekend()
        done = desk.console("clock", "confirm", "--yes")
        hold(done.returncode == 0, f"daybook clock confirm ended with {done.returncode}: {done.stderr!r}")

    desk.restart(another)
    desk.followed()
    hold(re.search(rb"ok +clock", desk.console("doctor").stdout), "doctor finds something wrong with a confirmed clock")


def check_record(desk):
    """Order, and what the ledger says of its clock."""
    entries = desk.centre.entries()
    check_order(entries)
    for before, after in zip(entries, entries[1:]):
        jump = seconds(after["time"]) - seconds(before["time"])
        hold(jump < 102 * HOUR, f"position {after['position']} is {jump} s after the one before it")
    times = {entry["time"] for entry in entries}
    hold(len(times) > len(entries) / 4, "recorded time stood still")
    stepped = [entry["data"] for entry in entries if entry["type"] == "clock.stepped/1"]
    unfollowed = [round(step["stepMicroseconds"] / 1e6 / DAY) for step in stepped if not step["followed"]]
    hold(unfollowed == [3_652, 40, 3_652, 2, 2], f"not followed, in days: {unfollowed}")
    who = [entry["actor"].split("/")[0] for entry in entries if entry["type"] == "clock.confirmed/1"]
    hold(len(who) == 2 and who[1] == "console", f"the clock was confirmed by {who}")
    return len(entries), len(stepped)


def main(options, folder):
    desk = Desk(options.daybook, folder)
    session = desk.session()
    alert = desk.alarm(session)
    session, alert = fast_at_start(desk, YEARS, session, alert)
    session, alert = fast_at_start(desk, 40 * DAY, session, alert)
    session, alert = fast_while_serving(desk, YEARS, session, alert)
    session, alert = an_hour(desk, session, alert)
    confirmed(desk, session, alert)
    desk.centre.stop()
    entries, steps = check_record(desk)
    desk.centre.verify()
    print(f"ten years, forty days and an hour fast, and back: {entries} events in order, {steps} steps recorded, "
          f"every alert and start limit at its time, confirmed by route and by console")


if __name__ == "__main__":
    run(main, arguments(__doc__).parse_args())
