#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Many operators claim one session at once: one gets it, the others are told who.

  claims.py --daybook PATH [--operators 100]
"""
import threading

from centre import Centre, arguments, hold, run


def staff(centre, count):
    """Signs operators in; those who wait for the rest stay signed in."""
    operators = []
    for number in range(count):
        operators.append(centre.staff(f"operator{number}"))
        centre.stays_signed_in(operators[-1])
    return operators


def claim_together(operators, session):
    """Claims at the same moment, each over a connection that is open already."""
    answers, start = [None] * len(operators), threading.Barrier(len(operators))

    def claim(place):
        operators[place].get("/v1/me")
        start.wait()
        answers[place] = operators[place].post(f"/v1/sessions/{session}/claim")

    threads = [threading.Thread(target=claim, args=(place,)) for place in range(len(operators))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def main(options, folder):
    centre = Centre(options.daybook, folder).open()
    operators = staff(centre, options.operators)
    _, session = centre.chat(centre.caller(operators[0]))
    answers = claim_together(operators, session)

    winners = [operator for operator, answer in zip(operators, answers) if answer and answer.ok]
    hold(len(winners) == 1, f"{len(winners)} claims were granted")
    owner = winners[0].name
    refusals = [answer for answer in answers if not answer.ok]
    for answer in refusals:
        hold(answer.status == 409 and answer.headers["Content-Type"] == "application/problem+json",
             f"a refusal is {answer}")
        hold(answer.json["type"] == "urn:daybook:problem:session-claimed-by-other", f"a refusal is {answer}")
        hold(answer.json["owner"] == owner, f"a refusal names {answer.json['owner']}, the owner is {owner}")
        hold(answer.json["session"] == session, f"a refusal names session {answer.json['session']}")

    claims = [entry for entry in centre.entries() if entry["type"] == "session.claimed/1"]
    hold([entry["data"]["owner"] for entry in claims] == [owner], f"the log has the claims {claims}")
    centre.stop()
    centre.verify()
    print(f"{len(answers)} concurrent claims: 1 granted, {len(refusals)} refused naming {owner}; 1 claim in the log")


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--operators", type=int, default=100)
    run(main, parser.parse_args())
