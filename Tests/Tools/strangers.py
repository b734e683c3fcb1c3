#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Strangers who invent ids write no history, and hardly anybody waits for them: 99 of 100 messages of an operator are recorded within the time that
talker.py allows.

  strangers.py --daybook PATH [--requests 10000] [--threads 8]

Asks for so many sessions that do not exist, with a token that is none, while an operator and a caller chat; tells the events, the bytes
of log and index that it cost, and how long a message took meanwhile.
"""
import http.client
import json
import os
import threading
import time

from centre import Centre, arguments, hold, run
from daybook import DEADLINE, new_id
from talker import Process, Talker, between, compared, undisturbed


def size_of(folder):
    return sum(os.stat(os.path.join(folder, name, "data.mdb")).st_blocks * 512 for name in ("log", "index"))


def invent(port, count, answers):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=DEADLINE)
    for _ in range(count):
        connection.request("GET", f"/v1/sessions/{new_id()}", headers={"Authorization": "Bearer not-a-token"})
        response = connection.getresponse()
        response.read()
        answers[response.status] = answers.get(response.status, 0) + 1
        if response.status == 429:
            time.sleep(0.02)


def main(options, folder):
    centre = Centre(options.daybook, folder).open()
    desk = centre.staff("amina")
    caller = centre.caller(desk)
    chat, session = centre.chat(caller)
    chat.close()
    hold(desk.post(f"/v1/sessions/{session}/claim").ok, "the claim")
    before, bytes_before = len(centre.export()), size_of(centre.folder)
    gateway, speaker, quiet_begins = Process(centre.gateway.process.pid), Talker(desk, session), time.monotonic()
    time.sleep(options.quiet)
    taken = (gateway.resident(), gateway.descriptors())
    each, tallies = options.requests // options.threads, [{} for _ in range(options.threads)]
    strangers = [threading.Thread(target=invent, args=(centre.port, each, tally)) for tally in tallies]
    begin = time.monotonic()
    for thread in strangers:
        thread.start()
    for thread in strangers:
        thread.join()
    took = time.monotonic() - begin
    taken_after = (gateway.resident(), gateway.descriptors())
    times, failed = speaker.finish()
    hold(failed is None, f"the operator was not served: {failed}")
    answers = {status: sum(tally.get(status, 0) for tally in tallies) for status in {one for tally in tallies for one in tally}}
    centre.stop()
    gained = [json.loads(line) for line in centre.export()[before:]]
    refusals = [entry for entry in gained if entry["type"].startswith("access.refused")]
    strangers = [entry for entry in refusals if entry["actor"] == "stranger/unknown"]
    minutes = took // 60 + 2
    hold(set(answers) <= {401, 429}, f"strangers were answered {answers}")
    hold(len(strangers) <= 2 * minutes, f"{len(strangers)} events of strangers in {took:.0f} s")
    hold(sum(entry["data"]["count"] for entry in strangers) == answers.get(401, 0), f"they count {[entry['data'] for entry in strangers]} of {answers}")
    hold(not any("resource" in entry["data"] for entry in strangers), "a stranger named a thing")
    centre.verify()
    print(f"{sum(answers.values())} invented ids in {took:.1f} s ({answers}): {len(strangers)} events, log and index grew by "
          f"{(size_of(centre.folder) - bytes_before) / 1024:.0f} KiB with {len(times)} messages; memory {taken[0]} MiB before, {taken_after[0]} after, descriptors {taken[1]} and {taken_after[1]}")
    quiet, crowded = between(times, quiet_begins, begin), between(times, begin, begin + took)
    print(f"an operator's message, {compared(quiet, crowded)[0]}")
    undisturbed(quiet, crowded)


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--threads", type=int, default=8)
    parser.add_argument("--quiet", type=float, default=4, help="seconds without them, to compare with")
    run(main, parser.parse_args())
