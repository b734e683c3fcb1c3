#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kill a real gateway in the middle of a chat, and check that nothing acknowledged is lost.

  chat_crash.py --daybook PATH

The same TempMessageID gives the same MessageID, the desk finds the session, the operator gets what
the caller wrote, and the start limit of another session, which ran out while nothing ran, fires.
"""
import json
import os
import re
import time

from centre import arguments, run
from daybook import Gateway, until

PHONE, OTHER = "+447712345678", "+447712345754"
PASSWORD = "correct horse battery"


def sign_up(client, admin, login, role):
    """An account that may act at once."""
    made = admin.post("/v1/users", {"login": login, "role": role})
    assert made.status == 201, made
    return change_password(client, login, made.json["temporaryPassword"], PASSWORD + " " + role)


def change_password(client, login, old, new):
    token = client.post("/v1/auth/login", {"login": login, "password": old})
    assert token.ok, token
    signed_in = client.signed_in(token.json["token"])
    refused = signed_in.get("/v1/sessions")
    assert refused.status == 403, refused
    changed = signed_in.post("/v1/auth/password", {"old": old, "new": new})
    assert changed.ok, changed
    return signed_in


def message(session, temporary, text):
    return {"IncidentID": session, "Type": "message", "Message": text, "Timestamp": "437647234",
            "TempMessageID": temporary}


def send(socket, session, temporary, text):
    socket.send_json(message(session, temporary, text))
    report = socket.wait_for(lambda frame: frame.get("TempMessageID") == temporary
                             and frame["Type"] == "message_report")
    assert report["Status"] == "delivered" and report["Error"] == "", report
    return report["MessageID"]


def main(options, folder):
    gateway = Gateway(options.daybook, os.path.join(folder, "ledger"), ["--log-level", "debug", "--start-limit", "4", "--origin", "crash.example/main"], log=os.path.join(folder, "log"))
    client = gateway.start()
    password = re.search(r"temporary password (\S+)", gateway.output)[1]
    admin = change_password(client, "admin", password, PASSWORD)
    desk = sign_up(client, admin, "amina", "operator")
    second = sign_up(client, admin, "ben", "operator")

    code = desk.post("/v1/devices/codes", {"phone": PHONE}).json["code"]
    device = client.post("/v1/devices", {"phone": PHONE, "code": code}, key=False)
    assert device.status == 201, device
    caller = client.signed_in(device.json["token"])
    chat = caller.socket("/chat")
    chat.send_json({"Type": "start_session"})
    session = chat.receive_json()["IncidentID"]
    first = send(chat, session, "temp1", "ambulance")
    limited = second.post("/v1/sessions", {"phone": OTHER})
    assert limited.status == 201 and limited.json["expiresAt"], limited
    # In flight when the process dies: its answer never comes.
    chat.send_json(message(session, "temp2", "man having heart attack"))
    gateway.kill()
    time.sleep(4)

    client = gateway.start()
    caller, desk = client.signed_in(caller.token), client.signed_in(desk.token)
    second, admin = client.signed_in(second.token), client.signed_in(admin.token)
    chat = caller.socket("/chat")
    chat.send_json({"Type": "start_session"})
    again = chat.wait_for(lambda frame: frame["Type"] == "session")
    assert again == {"IncidentID": session, "Type": "session", "Status": "open"}, again
    assert send(chat, session, "temp1", "ambulance") == first
    second_id = send(chat, session, "temp2", "man having heart attack")
    assert send(chat, session, "temp2", "man having heart attack") == second_id != first

    pending = desk.get("/v1/sessions?pending=true").json["items"]
    assert [item["id"] for item in pending] == [session], pending
    assert desk.post(f"/v1/sessions/{session}/claim").ok
    console = desk.socket("/chat")
    console.send_json({"Type": "start_session", "IncidentID": session})
    texts = [console.wait_for(lambda frame: frame["Type"] == "message")["Message"] for _ in "12"]
    assert texts == ["ambulance", "man having heart attack"], texts
    transcript = desk.get(f"/v1/sessions/{session}/transcript").json["messages"]
    assert [entry["id"] for entry in transcript] == [first, second_id], transcript

    until(lambda: second.get(f"/v1/sessions/{limited.json['session']}").json["session"]["state"] == "expired", "the start limit fires")
    lines = admin.get("/v1/events?follow=false&type=session.expired/1").body.split()
    assert len(lines) == 1, lines
    actor = json.loads(lines[0])["actor"]
    assert actor == "policy/start-limit", actor
    assert gateway.stop() == 0
    print("killed mid-chat: same ids for the same messages, session found, start limit fired once")


if __name__ == "__main__":
    run(main, arguments(__doc__).parse_args())
