#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Opens chats until the gateway refuses one, and looks at what goes on then.

  chat_openings.py PORT BUDGET CALLER_TOKEN OTHER_CALLER_TOKEN

The gateway lets each of them open BUDGET chats, and hardly one more. Exits with 1 where another number is taken, an open chat is counted again, or suffers.
"""
import json
import sys

from chat_replay import Listener
from daybook import Client, new_id

START = json.dumps({"Type": "start_session"})


def opened(chat):
    chat.send_text(START)
    return json.loads(chat.wait_for("session"))


def main(port, budget, caller, other):
    caller, other = (Client("127.0.0.1", port, token) for token in (caller, other))
    first = Listener(caller)
    session = opened(first)["IncidentID"]
    for _ in range(2 * budget):
        again = opened(first)
        assert again["Status"] == "open", ("a chat that is open was counted again", again)
    # What nobody ever made is no chat that opens, and is answered as it is without a budget.
    for _ in range(2 * budget):
        first.send_text(json.dumps({"Type": "message", "IncidentID": new_id(), "Message": "?", "Timestamp": "1", "TempMessageID": "9"}))
        report = json.loads(first.wait_for("message_report"))
        assert report["Error"].startswith("There is no such chat."), report
    others = [Listener(caller) for _ in range(budget)]
    states = [opened(chat)["Status"] for chat in others]
    assert states == ["open"] * (budget - 1) + ["failed"], states
    # Neither by another frame; where it is open, the chat goes on.
    others[-1].send_text(json.dumps({"Type": "message", "IncidentID": session, "Message": "let me in", "Timestamp": "1", "TempMessageID": "1"}))
    report = json.loads(others[-1].wait_for("message_report"))
    assert report["Status"] == "failed" and "open fewer chats" in report["Error"], report
    first.send_text(json.dumps({"Type": "message", "IncidentID": session, "Message": "help", "Timestamp": "1", "TempMessageID": "2"}))
    first.wait_for("message_report", "delivered")
    assert opened(Listener(other))["Status"] == "open", "another pays for it"


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:])
