#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the archive makes of a folder of recordings that somebody without a key wrote to: it signs no forged video, no altered file, and no word of bytes that it did not look at.

  recordings.py --daybook PATH

Forged: a cluster of another person's recording, with number, part and times of the open one, behind its last logged chunk. Altered: logged chunks of an
open recording, before it is stopped, and before a decoder looked at them. What was altered is put back at last, and taken up.
"""

import glob
import hashlib
import itertools
import json
import os
import struct

import film
from centre import Centre, arguments, hold, run
from daybook import until

TRAILER = 24


def main(options, folder):
    for kind in (forged, altered, unseen):
        kind(options, folder + "/" + kind.__name__)


def begun(options, folder, kill=False):
    """A ledger with one recording that is open, and nobody serves it."""
    os.makedirs(folder)
    centre = Centre(options.daybook, folder).open()
    desk = centre.staff("amina")
    phone = centre.caller(desk)
    _, session = centre.chat(phone)
    stream = film.begin(phone, session)
    socket, _ = film.connect(phone, stream)
    film.send(socket, film.recorded())
    return centre, desk, phone, stream, socket


def chunks_of(centre, stream):
    return [entry["data"] for entry in centre.entries() if entry["type"].startswith("stream.chunk_archived") and entry["subject"] == f"stream/{stream}"]


def since(centre, known, kind):
    return [entry["data"] for entry in centre.entries()[known:] if entry["type"].startswith(kind)]


def path_of(centre, chunks):
    return os.path.join(centre.folder, "media", chunks[0]["file"])


def verified(centre, *words):
    done = centre.daybook("verify", "--master-key", os.path.join(os.path.dirname(centre.folder), "ledger.master-key"), *words)
    return done.returncode, (done.stdout + done.stderr).decode()


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, data):
    with open(path, "r+b") as file:
        file.write(data)
        file.truncate()


def warned(centre, part, words):
    """Waits until /readyz warns of a part; an admin hears why."""
    def fault():
        told = centre.admin.get("/readyz").json
        faults = [service.get("fault") or "" for service in told["services"] if service["name"] == part]
        return faults[0] if part in told["warnings"] and any(words in fault for fault in faults) else None

    return until(fault, f"/readyz warns of {part}")


def blanked(path, chunks):
    data = bytearray(read(path))
    for chunk in chunks:
        end = chunk["offset"] + chunk["length"]
        record = struct.unpack(">I", data[end - 8:end - 4])[0]
        first, last = chunk["offset"] + 60, end - TRAILER - record - 20
        data[first:last] = bytes(last - first)
    write(path, data)


def cluster_of_another(data, source, number, last):
    """The bytes of a chunk as if it followed another recording's chunk of this number and time: every byte is right that can be without a key."""
    told = data[source["offset"]:source["offset"] + source["length"]]
    length = struct.unpack(">I", told[-8:-4])[0]
    begin = len(told) - TRAILER - length
    record = bytearray(told[begin:begin + length])
    hold(record[:4] == b"DBK1", "that is no record")
    shift = last + 100 - source["firstMilliseconds"]
    record[4:12] = struct.pack(">II", number, 1)
    record[30:54] = struct.pack(">qqq", *(value + shift for value in struct.unpack(">qqq", record[30:54])))
    cluster = bytearray(told[:begin]) + record
    place = cluster.index(b"\xe7", 12)
    size = cluster[place + 1] & 0x7f
    begun_at = int.from_bytes(cluster[place + 2:place + 2 + size], "big") + shift
    cluster[place + 2:place + 2 + size] = begun_at.to_bytes(size, "big")
    return bytes(cluster + hashlib.sha256(cluster).digest()[:16] + told[-8:])


def forged(options, folder):
    centre, desk, _, stream, socket = begun(options, folder)
    phone = centre.caller(desk)
    _, session = centre.chat(phone)
    other = film.film(phone, session)
    socket.drop()
    centre.stop()
    chunks, sources = chunks_of(centre, stream), chunks_of(centre, other)
    code, text = verified(centre)
    hold(code == 0, f"before: {text}")
    path = path_of(centre, chunks)
    source = next(chunk for chunk in sources if chunk["keyFrame"] and chunk["firstMilliseconds"] > 300)
    cluster = cluster_of_another(read(path_of(centre, sources)), source, len(chunks), chunks[-1]["lastMilliseconds"])
    whole = read(path)
    write(path, whole + cluster)
    code, text = verified(centre)
    hold(code == 1 and "carry no seal of this archive" in text, f"forged bytes, verify ended with {code}:\n{text}")
    code, text = centre.daybook("verify").returncode, centre.daybook("verify").stdout.decode()
    hold(f"behind byte {len(whole)}" in text, f"without a key nothing names the bytes; {code}:\n{text}")
    centre.start()
    fault = warned(centre, "unfinished recordings", "set aside")
    centre.stop()
    hold(chunks_of(centre, stream) == chunks, "forged chunks are in the log")
    hold(read(path) == whole, "the recording has other bytes than before")
    aside = glob.glob(path + ".set-aside-*")
    hold([read(name) for name in aside] == [cluster], f"what was forged is not kept: {aside}")
    said = [entry["data"] for entry in centre.entries() if entry["type"].startswith("stream.recording_failed")]
    hold([event["reasonCode"] for event in said] == ["unsealed"], f"the ledger says {said}")
    code, text = verified(centre, "--decode", "--story")
    hold(code == 0, f"after: {text}")
    print(f"{len(cluster)} forged bytes behind chunk {len(chunks) - 1}: named by verify, set aside, not logged; /readyz: {fault[:160]}")


def altered(options, folder):
    centre, _, phone, stream, socket = begun(options, folder)
    last = chunks_of(centre, stream)[-1]["number"]
    until(lambda: inspected(centre, 0) >= last, "the whole recording was looked at")
    socket.drop()
    centre.stop()
    known, chunks = len(centre.entries()), chunks_of(centre, stream)
    path = path_of(centre, chunks)
    whole = read(path)
    blanked(path, chunks[3:6])
    centre.start()
    stopped = phone.post(f"/v1/streams/{stream}/stop", {})
    hold(stopped.ok, f"stopping: {stopped}")
    fault = warned(centre, "unfinished recordings", "chunk 3")
    centre.stop()
    hold(not since(centre, known, "stream.finalized"), "the altered file was finalised")
    said = since(centre, known, "stream.recording_failed")
    hold(said and all(event["reasonCode"] == "damaged" for event in said), f"the ledger says {said}")
    code, text = verified(centre)
    hold(code == 1 and "chunk 3," in text, f"altered, verify ended with {code}:\n{text}")
    write(path, whole)
    centre.start()
    finalised(centre, known)
    centre.stop()
    code, text = verified(centre, "--decode", "--story")
    hold(code == 0, f"put back: {text}")
    print(f"chunks 3 to 5 altered, then stopped: not finalised before they were put back; /readyz: {fault[:160]}")


def finalised(centre, known):
    final = until(lambda: since(centre, known, "stream.finalized"), "the recording that was put back is finalised")
    file = read(os.path.join(centre.folder, "media", final[0]["file"]))
    hold(hashlib.sha256(file).hexdigest() in json.dumps(final[0]), f"another digest than the file's: {final}")


def inspected(centre, known):
    """The last chunk that was looked at since then."""
    return max([event["lastChunk"] for event in since(centre, known, "stream.chunks_inspected")], default=-1)


def killed_before_it_looked(options, folder):
    """A ledger whose gateway was killed while chunks were left to look at, the stream, and these chunks; nothing where the decoder was quicker."""
    centre, _, _, stream, socket = begun(options, folder)
    centre.gateway.kill()
    socket.drop()
    centre.sockets = []
    seen = inspected(centre, 0)
    left = [chunk for chunk in chunks_of(centre, stream) if chunk["number"] > seen]
    return (centre, stream, left) if len(left) > 2 else None


def unseen(options, folder):
    tries = itertools.count()
    centre, stream, left = until(lambda: killed_before_it_looked(options, os.path.join(folder, str(next(tries)))), "chunks are left to look at")
    known, chunks = len(centre.entries()), chunks_of(centre, stream)
    path = path_of(centre, chunks)
    whole = read(path)
    # The last one is held against its digest before anything is written behind it.
    blanked(path, left[:-1])
    centre.start()
    fault = warned(centre, "inspector", f"chunk {left[0]['number']} ")
    centre.stop()
    words = since(centre, known, "stream.chunks_inspected")
    hold(not words, f"said of bytes that nobody archived: {words}")
    write(path, whole)
    centre.start()
    until(lambda: inspected(centre, known) >= chunks[-1]["number"], "what was put back is looked at")
    centre.stop()
    words = since(centre, known, "stream.chunks_inspected")
    hold(words and all(event["outcome"] == "decoded" for event in words), f"put back, it says {words}")
    print(f"{len(left) - 1} chunks altered before a decoder saw them: nothing was said of them; /readyz: {fault[:160]}")


if __name__ == "__main__":
    run(main, arguments(__doc__).parse_args())
