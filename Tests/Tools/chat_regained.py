#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An operator loses a session to another and claims it again, with one and the same chat socket.

  chat_regained.py PORT AMINA_TOKEN JOHN_TOKEN CALLER_TOKEN SESSION

Exits with 1 where the socket does not tell of the loss, or is deaf after the session is theirs again.
"""
import json
import sys

from chat_replay import Listener
from daybook import Client


def act(client, session, what, **body):
    answer = client.post(f"/v1/sessions/{session}/{what}", body)
    assert answer.ok, (what, answer)


def hears(chat, text):
    # What was not reported delivered before the loss is told again.
    while json.loads(chat.wait_for("message"))["Message"] != text:
        pass


def main(port, amina, john, caller, session):
    amina, john, caller = (Client("127.0.0.1", port, token) for token in (amina, john, caller))
    act(amina, session, "claim")
    chat = Listener(amina)
    start = json.dumps({"Type": "start_session", "IncidentID": session})
    chat.send_text(start)
    chat.wait_for("session", "open")
    act(caller, session, "messages", text="help")
    hears(chat, "help")
    act(amina, session, "release")
    act(john, session, "claim")
    lost = json.loads(chat.wait_for("session", "lost"))
    assert lost["IncidentID"] == session, lost
    act(caller, session, "messages", text="said to john")
    act(john, session, "release")
    act(amina, session, "claim")
    chat.send_text(start)
    chat.wait_for("session", "open")
    hears(chat, "said to john")
    act(caller, session, "messages", text="I am dying")
    hears(chat, "I am dying")


if __name__ == "__main__":
    main(int(sys.argv[1]), *sys.argv[2:])
