#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks footage of a camera that was downloaded from an incident: with the files and the ledger's key alone, without the gateway.

  footage_proof.py PROOF FILM... --vkey KEY

PROOF is the JSON of `…/footage/{number}/proof`, each FILM is named as it says. Of every film, the SHA-256 of the whole and of each cluster are computed; the clusters' digests make the
digest in the entry of their minute; the entry is a leaf of the ledger's tree (RFC 6962) under the root of the checkpoint; the checkpoint is signed with KEY (C2SP signed-note).
KEY is `vkey` of GET /v1/ledger: have it from where you trust it, not from whom you check.

Exit: 0 everything holds, 1 something does not, 2 it could not be read or was asked wrongly.
"""

import argparse
import base64
import hashlib
import json
import os
import sys

from jcs import is_canonical
from tlog_read import Refuted, VerifierKey, leaf_hash, node_hash, open_note, parse_checkpoint

CLUSTER = bytes.fromhex("1f43b675")
# One millisecond (RFC 9559): the head stands in no entry, and another scale would move all pictures.
SCALE = bytes.fromhex("2ad7b1830f4240")


def demand(condition, words):
    if not condition:
        raise Refuted(words)


def root_of(leaf, index, size, path):
    """The root that a leaf and its siblings make (RFC 6962 section 2.1.1, checked as RFC 9162 section 2.1.3.2 says)."""
    demand(index < size, f"entry {index} is not among the {size} of the checkpoint")
    place, last, root = index, size - 1, leaf
    for sibling in path:
        demand(last > 0, f"entry {index}: its proof is too long")
        if place & 1 or place == last:
            root = node_hash(sibling, root)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            root = node_hash(root, sibling)
        place, last = place >> 1, last >> 1
    demand(last == 0, f"entry {index}: its proof is too short")
    return root


def minute_of(minute, camera, size, root):
    """What the ledger's entry says of a minute, once it is shown to be the ledger's."""
    text, position = minute["entry"].encode(), int(minute["position"])
    demand(is_canonical(text), f"entry {position} is not in its canonical form")
    entry = json.loads(text)
    demand(int(entry["position"]) == position, f"entry {position} says that it is {entry['position']}")
    demand((entry["type"], entry["subject"]) == ("camera.minute_archived/1", f"camera/{camera}"), f"entry {position} is {entry['type']} of {entry['subject']}")
    path = [base64.b64decode(one, validate=True) for one in minute["proof"]]
    demand(root_of(leaf_hash(text), position, size, path) == root, f"entry {position} is not in the ledger that the checkpoint signs")
    return entry["data"]


def check_film(film, file, camera, size, root):
    """What the entries of a film's minutes say, once the film is shown to be theirs."""
    name = file["name"]
    demand(len(film) == file["bytes"] and hashlib.sha256(film).hexdigest() == file["sha256"], f"{name} is not the film of this proof")
    demand(SCALE in film[:file["head"]] and CLUSTER not in film[:file["head"]], f"{name}: its head is not that of a film in milliseconds")
    end, minutes = file["head"], []
    for minute in file["minutes"]:
        says = minute_of(minute, camera, size, root)
        position, digests = minute["position"], []
        hour = f"cameras/{camera}/{file['hour'][:10]}/{file['hour'][11:13]}.webm"
        demand(says["file"] == hour, f"entry {position} is of {says['file']}, the film of {hour}")
        demand(not minutes or says["offset"] >= minutes[-1]["offset"] + minutes[-1]["length"], f"entry {position} is not after the one before it")
        for cluster in minute["clusters"]:
            data = film[end:end + cluster["length"]]
            demand(cluster["offset"] == end and data.startswith(CLUSTER), f"{name}: no cluster of entry {position} begins at byte {end}")
            digests.append(hashlib.sha256(data).hexdigest())
            demand(digests[-1] == cluster["sha256"], f"{name}: the cluster at byte {end} was changed")
            end += len(data)
        demand(hashlib.sha256("".join(digests).encode()).hexdigest() == says["digest"], f"{name}: its pictures from {says['firstAt']} on are not those that entry {position} names")
        demand((len(digests), sum(one["length"] for one in minute["clusters"])) == (says["clusters"], says["length"]), f"{name}: the minute of entry {position} is not whole")
        minutes.append(says)
    demand(end == len(film), f"{name}: {len(film) - end} bytes at its end belong to no entry")
    return minutes


def check(proof, films, vkey):
    """Fails with `Refuted` unless all films (bytes by name) are proved; what the entries of their minutes say, by name."""
    _, size, root = parse_checkpoint(open_note(proof["checkpoint"].encode(), VerifierKey(vkey)))
    files = {file["name"]: file for file in proof["files"]}
    strange = films.keys() - files.keys()
    demand(films and not strange, f"the proof is of {', '.join(files)}, not of {', '.join(strange) or 'no film'}")
    return {name: check_film(film, files[name], proof["camera"], size, root) for name, film in films.items()}


def read(path):
    with open(path, "rb") as file:
        return file.read()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("proof", help="the JSON of the proof")
    parser.add_argument("films", nargs="+", help="films of it, under their names")
    parser.add_argument("--vkey", required=True, help="the ledger's key, name+id+base64")
    options = parser.parse_args()
    try:
        proof = json.loads(read(options.proof))
        found = check(proof, {os.path.basename(path): read(path) for path in options.films}, options.vkey)
    except Refuted as refuted:
        print(f"NOT PROVED: {refuted}")
        return 1
    except (OSError, ValueError, KeyError, TypeError) as error:
        print(f"it could not be read: {error!r}", file=sys.stderr)
        return 2
    print(f"{proof['name']}, kept for incident {proof['incident']}: from {proof['from']} until {proof['until']}")
    for name, minutes in found.items():
        print(f"{name}: unchanged, from {minutes[0]['firstAt']} until {minutes[-1]['lastAt']}; entries: {len(minutes)}, pictures: {sum(one['frames'] for one in minutes)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
