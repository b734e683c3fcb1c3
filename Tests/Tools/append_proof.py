#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An event appended through HTTP is one canonical line of the export, a leaf of the tile served over HTTP, and under the signed root.

  append_proof.py --daybook PATH [--messages 300]

The canonical form, the leaf hashes, the tiles, the root and the signature are all computed here, in Python.
"""
import base64
import hashlib
import json
import os
import subprocess
import sys

from centre import Centre, arguments, check_order, hold, run
from daybook import new_id
from jcs import is_canonical

READER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tlog_read.py")


def send(caller, session, count):
    """Sends messages over HTTP; the keys and the positions of their receipts."""
    receipts = {}
    for number in range(count):
        key = new_id()
        answer = caller.post(f"/v1/sessions/{session}/messages", {"text": f"message {number} é\u2028\U0001F691"}, key=key)
        hold(answer.status == 201, f"message {number}: {answer}")
        receipts[key] = int(answer.headers["Daybook-Position"])
    return receipts


def check_lines(lines, receipts):
    """Each receipt has one line, where it says; every line is canonical."""
    for place, line in enumerate(lines):
        hold(is_canonical(line), f"line {place} is not canonical: {line[:300]!r}")
        hold(len(line) <= 65_535, f"line {place} has {len(line)} bytes")
    entries = [json.loads(line) for line in lines]
    check_order(entries)
    for key, position in receipts.items():
        found = [entry for entry in entries if entry.get("commandid") == key]
        hold([int(entry["position"]) for entry in found] == [position],
             f"the command {key} got position {position}; the export has {found}")
        hold(found[0]["type"] == "chat.message_sent/1", f"position {position} is {found[0]['type']}")


def check_leaves(centre, lines, positions):
    """The leaf hash of each line stands in the hash tile that anyone may read."""
    size = int(centre.client().get("/v1/ledger").json["size"])
    for position in positions:
        hold(position < size, f"position {position} is not covered by the checkpoint of size {size}")
        tile, place = divmod(position, 256)
        width = min(256, size - tile * 256)
        hold(tile < 1000, "this program reads the first thousand tiles")
        answer = centre.client().get(f"/tile/0/{tile:03}" + ("" if width == 256 else f".p/{width}"))
        hold(answer.ok and len(answer.body) == width * 32, f"tile {tile} of width {width}: {answer.status}")
        leaf = hashlib.sha256(b"\0" + lines[position]).digest()
        hold(answer.body[place * 32:][:32] == leaf, f"the leaf of position {position} is not in its tile")


def check_root(centre, folder, line):
    """The reader written from the C2SP texts recomputes everything from the served entries."""
    ledger = centre.client().get("/v1/ledger").json
    with open(os.path.join(folder, "entry"), "wb") as file:
        file.write(line)
    command = [sys.executable, READER, f"http://127.0.0.1:{centre.port}", "--vkey", ledger["vkey"],
               "--token", centre.admin.token, "--origin", ledger["origin"], "--entry", file.name]
    done = subprocess.run(command, capture_output=True, text=True)
    hold(done.returncode == 0, f"tlog_read.py: {done.stdout}{done.stderr}")
    size, root, _ = done.stdout.splitlines()[-1].split()
    hold(int(size) >= int(ledger["size"]), f"the checkpoint went back to {size}")
    if size == ledger["size"]:
        hold(base64.b64decode(ledger["root"]).hex() == root, "/v1/ledger names another root than the checkpoint")
    return int(size), root


def main(options, folder):
    centre = Centre(options.daybook, folder).open()
    desk = centre.staff("amina")
    caller = centre.caller(desk)
    _, session = centre.chat(caller)
    receipts = send(caller, session, options.messages)
    # Asking for a proof of the newest receipt makes the checkpoint that covers it.
    newest = max(receipts.values())
    proof = centre.admin.get(f"/v1/events/{newest}/proof")
    hold(proof.ok, f"a proof of position {newest}: {proof}")
    lines = centre.export()
    check_lines(lines, receipts)
    check_leaves(centre, lines, receipts.values())
    size, root = check_root(centre, folder, lines[newest])
    centre.stop()
    centre.verify()
    print(f"{len(receipts)} messages over HTTP: each one canonical line of {len(lines)}, each leaf in its tile")
    print(f"root of {size} entries recomputed and signed: {root}")


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--messages", type=int, default=300)
    run(main, parser.parse_args())
