#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long a command over HTTP takes to its receipt, at a steady rate; a measurement, no gate.

  latency.py --daybook PATH [--rate 500] [--seconds 20] [--callers 10]

Each command has a moment at which it is due; a late answer counts from that moment, not from when it was sent.
"""
import platform
import threading
import time

from centre import Centre, arguments, hold, run


def send(caller, session, dues, times):
    for due in dues:
        pause = due - time.monotonic()
        if pause > 0:
            time.sleep(pause)
        answer = caller.post(f"/v1/sessions/{session}/messages", {"text": "how long does this take"})
        hold(answer.status == 201, f"a message: {answer}")
        times.append(time.monotonic() - due)


def main(options, folder):
    centre = Centre(options.daybook, folder).open()
    desk = centre.staff("amina")
    callers = [centre.caller(desk) for _ in range(options.callers)]
    sessions = []
    for caller in callers:
        chat, session = centre.chat(caller)
        chat.close()
        sessions.append(session)
    times, begin = [[] for _ in callers], time.monotonic() + 0.5
    step, count = options.callers / options.rate, int(options.rate * options.seconds / options.callers)
    threads = [
        threading.Thread(target=send, args=(
            caller, session, [begin + place / options.rate + number * step for number in range(count)], times[place]))
        for place, (caller, session) in enumerate(zip(callers, sessions))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    took = time.monotonic() - begin
    answers = sorted(time for each in times for time in each)
    hold(len(answers) == count * len(callers), f"only {len(answers)} commands were answered")
    at = {percent: answers[min(len(answers) - 1, len(answers) * percent // 100)] * 1000 for percent in (50, 90, 99)}
    centre.stop()
    print(f"{len(answers)} commands at {len(answers) / took:.0f}/s of {options.rate}/s asked for: p50 {at[50]:.1f} ms, "
          f"p90 {at[90]:.1f} ms, p99 {at[99]:.1f} ms, longest {answers[-1] * 1000:.1f} ms ({platform.machine()}, Python client)")


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--rate", type=int, default=500)
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--callers", type=int, default=10)
    run(main, parser.parse_args())
