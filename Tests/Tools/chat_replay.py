#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Play the source document's chat frames, as literal files, against a gateway, from both sides.

  chat_replay.py PORT CALLER_TOKEN OPERATOR_TOKEN FIXTURES

Only the example ids in the files are replaced by real ones. Exits with 1 where a frame is not
spelt as the file has it, or a promise of the protocol does not hold.
"""
import json
import os
import queue
import socket
import sys
import threading

from daybook import DEADLINE, Client


class Listener:
    """A socket that is always read, as an app does: pings are answered while the script is elsewhere."""

    def __init__(self, client, path="/chat"):
        self.socket = client.socket(path)
        self.frames = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        try:
            while True:
                text = self.socket.receive(timeout=None)
                self.frames.put(text)
                if text is None:
                    return
        except (OSError, ValueError):
            self.frames.put(None)

    def receive(self, timeout=DEADLINE):
        return self.frames.get(timeout=timeout)

    def send_text(self, text):
        self.socket.send_text(text)

    def drop(self):
        # Another thread reads: closing alone would not reach the gateway.
        self.socket.socket.shutdown(socket.SHUT_RDWR)
        self.socket.drop()

    @property
    def end(self):
        return getattr(self.socket, "closed", None), getattr(self.socket, "reason", "")

    def wait_for(self, kind, status=None):
        """The next frame of a kind and status, as it came; others are dropped."""
        while True:
            text = self.receive()
            assert text is not None, f"closed: {self.end}"
            frame = json.loads(text)
            if frame["Type"] == kind and (status is None or frame["Status"] == status):
                return text

EXAMPLE_IDS = {"abcd1234567890": "session", "session1234567890": "session",
               "message1234567890": "message", "temp1234567890": "temporary"}


class Frames:
    """The files, with the example ids replaced."""

    def __init__(self, folder):
        self.folder, self.ids = folder, {"temporary": "temp1234567890"}

    def text(self, name, **changes):
        with open(os.path.join(self.folder, name + ".json"), encoding="utf-8") as file:
            text = file.read()
        for example, kind in EXAMPLE_IDS.items():
            if kind in self.ids:
                text = text.replace(example, self.ids[kind])
        for old, new in changes.items():
            text = text.replace(old, new)
        return text

    def expect(self, name, received, loose=()):
        """Checks names, order and values of a frame against its file."""
        wanted = json.loads(self.text(name))
        got = json.loads(received)
        assert list(got) == list(wanted), f"{name}: members {list(got)}, wanted {list(wanted)}"
        for member, value in wanted.items():
            if member not in loose:
                assert got[member] == value, f"{name}: {member} is {got[member]!r}, wanted {value!r}"
        return got


def next_of(sock, frames, name, loose=()):
    """The next frame, which must be the one in the file."""
    text = sock.receive()
    assert text is not None, f"closed while waiting for {name}: {sock.end}"
    return frames.expect(name, text, loose)


def main(port, caller_token, operator_token, folder):
    frames = Frames(folder)
    caller_client = Client("127.0.0.1", port, caller_token)
    desk = Client("127.0.0.1", port, operator_token)

    # The caller begins; the answer has the session's id.
    # The source document speaks to the server itself.
    caller = Listener(caller_client, "/")
    caller.send_text(frames.text("start_session"))
    opened = next_of(caller, frames, "session_open", loose=("IncidentID",))
    frames.ids["session"] = opened["IncidentID"]

    # Typing makes the chat wait for an operator before a word is sent.
    caller.send_text(frames.text("session_active"))
    caller.send_text(frames.text("message"))
    delivered = next_of(caller, frames, "message_delivered", loose=("MessageID",))
    frames.ids["message"] = delivered["MessageID"]
    pending = desk.get("/v1/sessions?pending=true").json["items"]
    assert frames.ids["session"] in [item["id"] for item in pending], "the chat does not wait"

    # Sent again, as an app does that missed the answer: the same message.
    caller.send_text(frames.text("message"))
    next_of(caller, frames, "message_delivered")

    # The operator takes the session and opens the chat: the message comes, the caller learns of it.
    claim = desk.post(f"/v1/sessions/{frames.ids['session']}/claim")
    assert claim.ok, claim
    console = Listener(desk)
    console.send_text(frames.text("start_session").replace(
        '"Type"', f'"IncidentID": "{frames.ids["session"]}", "Type"'))
    next_of(console, frames, "session_open")
    next_of(console, frames, "message")
    next_of(caller, frames, "message_seen")

    # The other side types, writes, and gets its own reports.
    console.send_text(frames.text("session_active"))
    next_of(caller, frames, "session_active")
    frames.ids["temporary"] = "desk-1"
    console.send_text(frames.text("message", **{"need ambulance": "it is on its way"}))
    report = next_of(console, frames, "message_delivered", loose=("MessageID",))
    arrived = json.loads(caller.receive())
    assert arrived["Message"] == "it is on its way" and arrived["TempMessageID"] == "desk-1", arrived
    assert arrived["Timestamp"] == "437647234", arrived
    frames.ids["message"] = report["MessageID"]
    next_of(console, frames, "message_seen")

    # The app is closed and opened again: the same session, and what came meanwhile.
    caller.drop()
    frames.ids["temporary"] = "desk-2"
    console.send_text(frames.text("message", **{"need ambulance": "stay with him"}))
    next_of(console, frames, "message_delivered", loose=("MessageID",))
    again = Listener(Client("127.0.0.1", port))
    again.send_text(frames.text("start_session").replace(
        '"Type"', f'"Token": "{caller_token}", "Type"'))
    next_of(again, frames, "session_open")
    missed = json.loads(again.wait_for("message"))
    assert missed["Message"] == "stay with him", missed

    # What cannot be read, and what belongs to nobody, fails in words.
    again.send_text("{")
    frames.expect("message_failed", again.wait_for("message_report", "failed"),
                  loose=("IncidentID", "TempMessageID", "Error"))
    # A closed session takes no message.
    assert desk.post(f"/v1/sessions/{frames.ids['session']}/close", {"disposition": "handled"}).ok
    frames.ids["temporary"] = "too-late"
    again.send_text(frames.text("message"))
    failed = frames.expect("message_failed", again.wait_for("message_report", "failed"),
                           loose=("Error",))
    assert failed["Error"], failed

    # A token that is none: the frame of the source, then the end.
    stranger = Listener(Client("127.0.0.1", port))
    stranger.send_text('{"Type": "start_session", "Token": "nobody"}')
    next_of(stranger, frames, "session_failed")
    assert stranger.receive() is None and stranger.end[0] == 1008, stranger.end
    print(json.dumps({"session": frames.ids["session"]}))


if __name__ == "__main__":
    main(int(sys.argv[1]), *sys.argv[2:])
