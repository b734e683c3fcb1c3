# SPDX-License-Identifier: Apache-2.0
"""A sender of video for the tests: as `Documentation/asyncapi.yaml` has it, over a WebSocket of its own, apart from the server's code.

Usage: sender.py PORT TOKEN STREAM FILE PART [FROM [COUNT [PIECE [SECONDS [PID]]]]]

Sends COUNT bytes of FILE from FROM on (or from where the server says, for FROM = "resume") as pieces of PIECE
bytes of PART, spread over SECONDS, kills the process PID if one is given; ends the part when all of it was sent. Prints one JSON object: the answers, the last `through`, and the
close code. A text beginning with `{` in place of FILE is sent as a frame behind the settings.
"""
import json, os, signal, struct, sys, time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "WebSocket"))
from peer import Peer  # noqa: E402

SETTINGS = {
    "type": "settings", "width": 320, "height": 180, "framesPerSecond": 25,
    "kilobitsPerSecond": 750, "quality": "low", "camera": "rear", "codec": "vp9",
}


def main(port, token, stream, file, part, start="resume", count="-1", piece="8196", seconds="0", pid="0"):
    peer = Peer(int(port))
    status, _, body = peer.upgrade(f"/v1/streams/{stream}/ingest", [f"Authorization: Bearer {token}"])
    if status != 101:
        print(json.dumps({"answers": [], "through": 0, "sent": 0, "closed": 0, "status": status,
                          "problem": json.loads(body).get("type")}))
        return
    answers = []

    def take():
        """Takes one frame of the server; its close code when it closes."""
        opcode, payload, _ = peer.receive()
        if opcode == 9:
            peer.send(10, payload)
        elif opcode == 1:
            answers.append(json.loads(payload))
        elif opcode == 8:
            return struct.unpack(">H", payload[:2])[0] if payload else 1005
        return None

    def until(wanted):
        """Takes frames until one fits, or the server closes."""
        while True:
            try:
                closed = take()
            except (EOFError, OSError):
                closed = 1006
            if closed:
                return closed
            if answers and wanted(answers[-1]):
                return None

    peer.send(1, json.dumps(SETTINGS).encode())
    closed = until(lambda answer: answer["type"] == "resume")
    sent = 0
    if file.startswith("{"):
        peer.send(1, file.encode())
        closed = until(lambda answer: False)
    else:
        data = open(file, "rb").read()
        at = answers[-1]["offset"] if start == "resume" else int(start)
        end = len(data) if int(count) < 0 else min(len(data), at + int(count))
        pieces = max(1, (end - at + int(piece) - 1) // int(piece))
        began = time.monotonic()
        for number in range(pieces):
            bytes_ = data[at:min(end, at + int(piece))]
            try:
                peer.send(2, struct.pack(">IQ", int(part), at) + bytes_)
            except OSError:
                break
            at += len(bytes_)
            sent += len(bytes_)
            pause = began + float(seconds) * (number + 1) / pieces - time.monotonic()
            if pause > 0:
                time.sleep(pause)
        if not closed and end < len(data):
            if not any(answer["type"] == "archived" for answer in answers):
                closed = until(lambda answer: answer["type"] == "archived")
            if int(pid):
                os.kill(int(pid), signal.SIGKILL)
                closed = until(lambda answer: False)
        elif not closed:
            peer.send(1, json.dumps({"type": "end", "part": int(part)}).encode())
            closed = until(lambda a: a["type"] == "archived" and a["part"] == int(part) and (a["through"] == at or a.get("ended")))
    if not closed:
        peer.send(8, struct.pack(">H", 1000))
        closed = until(lambda answer: False)
    through = max([a["through"] for a in answers if a["type"] == "archived" and a["part"] == int(part)] or [0])
    print(json.dumps({"answers": answers, "through": through, "sent": sent, "closed": closed}))


main(*sys.argv[1:])
