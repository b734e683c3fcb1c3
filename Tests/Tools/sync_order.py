#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""No receipt leaves before its commit is synced: seen from below, in the system calls of the gateway.

  sync_order.py --daybook PATH [--messages 200]

Runs the gateway under `strace -f`. For every receipt written to a socket, over HTTP and in the chat's frames, the pages
with its entry were written to log/data.mdb, then synced, then the commit's meta page was written through a descriptor
opened with O_DSYNC, and each of these calls had returned before the socket's write began. For every chunk of video the
same holds of the recording's bytes and its sync before the log's write of `stream.chunk_archived`.
"""
import os
import re
import shutil
import stat
import subprocess
import threading

from centre import Centre, arguments, hold, run, skip
from daybook import until
from film import film

CALLS = "openat,write,pwrite64,writev,pwritev,sendto,sendmsg,fsync,fdatasync,msync,close"
LINE = re.compile(r"^(\d+) +(.*)$")
CALL = re.compile(r"^(\w+)\((\d+)<([^>]*)>(.*)$", re.S)
RESUMED = re.compile(r"^<\.\.\. (\w+) resumed>(.*)$", re.S)
RECEIPT = re.compile(r"daybook-position: (\d+)\\r\\n", re.I)
DELIVERED = re.compile(r'\\"MessageID\\":\\"([0-9a-f-]{36})\\",\\"Status\\":\\"delivered\\"')
ENTRY = re.compile(r'\\"position\\":\\"(\d+)\\"')


class Step:
    """One system call: where in the trace it began and where it returned."""

    def __init__(self, name, place, path, text, began):
        self.name, self.file, self.path, self.text = name, place, path, text
        self.began, self.ended, self.result = began, None, None


def steps(path):
    """The calls of a trace; the file's order is that of beginnings and returns."""
    open_calls, found, durable = {}, [], set()
    with open(path, encoding="utf-8", errors="replace") as file:
        for number, line in enumerate(file):
            matched = LINE.match(line.rstrip("\n"))
            if not matched:
                continue
            thread, text = matched.groups()
            resumed = RESUMED.match(text)
            if resumed:
                step = open_calls.pop(thread, None)
                if step:
                    finish(step, resumed[2], number, durable)
                continue
            if text.startswith("openat("):
                step = Step("openat", None, None, text, number)
            else:
                call = CALL.match(text)
                if not call:
                    continue
                step = Step(call[1], int(call[2]), call[3], call[4], number)
                found.append(step)
            if text.endswith("<unfinished ...>"):
                open_calls[thread] = step
            else:
                finish(step, "", number, durable)
            # O_DSYNC belongs to the descriptor: what counts is what was open when the write began.
            step.durable = step.file in durable
            if step.name == "close":
                durable.discard(step.file)
    return found


def finish(step, rest, number, durable):
    text = step.text.removesuffix("<unfinished ...>").rstrip() + rest
    # The end of the line: what was written may hold anything.
    result = re.search(r"\) += (-?\d+)(?:<[^>]*>)?[^)]*$", text)
    step.ended, step.result = number, int(result[1]) if result else None
    if step.name == "openat" and step.result is not None and step.result >= 0:
        (durable.add if "O_DSYNC" in text or "O_SYNC" in text else durable.discard)(step.result)
    if rest:
        step.text = text


class Log:
    """The commits of log/data.mdb, as the trace shows them."""

    def __init__(self, calls):
        self.first_write, self.syncs, self.metas = {}, [], []
        for step in calls:
            if step.path is None or not step.path.endswith("/log/data.mdb"):
                continue
            if step.name in ("fdatasync", "fsync", "msync"):
                if step.result == 0:
                    self.syncs.append(step)
            elif step.name in ("pwrite64", "pwritev", "write", "writev"):
                if step.durable:
                    self.metas.append(step)
                for position in ENTRY.findall(step.text):
                    self.first_write.setdefault(int(position), step)

    def durable_from(self, position):
        """Where in the trace the commit of a position had ended; nothing if it never did."""
        written = self.first_write.get(position)
        if written is None or written.ended is None:
            return None
        sync = next((s for s in self.syncs if s.began > written.ended), None)
        if sync is None:
            return None
        if not self.metas:
            return sync.ended
        meta = next((s for s in self.metas if s.began > sync.ended), None)
        return meta.ended if meta else None


def check_receipts(calls, log, positions_of_messages):
    """Every receipt's socket write begins after its commit."""
    over_http = in_frames = 0
    for step in calls:
        if step.name not in ("write", "writev", "sendto", "sendmsg") or not re.match(r"socket:|TCP", step.path or ""):
            continue
        told = [int(position) for position in RECEIPT.findall(step.text)]
        over_http += len(told)
        messages = DELIVERED.findall(step.text)
        in_frames += len(messages)
        told += [positions_of_messages[message] for message in messages]
        for position in told:
            durable = log.durable_from(position)
            hold(durable is not None, f"position {position} was told and never synced")
            hold(durable < step.began,
                 f"position {position} was told at line {step.began} of the trace, synced at line {durable}")
    return over_http, in_frames


def check_chunks(calls, log, entries):
    """The log's write of a chunk begins after the sync of the recording's bytes."""
    files, chunks = {}, [entry for entry in entries if entry["type"] == "stream.chunk_archived/1"]
    for step in calls:
        if step.path and step.path.endswith(".webm"):
            files.setdefault(os.path.basename(step.path), []).append(step)
    for entry in chunks:
        data, position = entry["data"], int(entry["position"])
        steps = files.get(os.path.basename(data["file"]), [])
        first, end = int(data["offset"]), int(data["offset"]) + int(data["length"])
        # A write's place is its last argument; appended bytes have none and are found by order alone.
        writes = [s for s in steps if s.name in ("pwrite64", "pwritev") and s.ended is not None
                  and overlaps(s, first, end)]
        logged = log.first_write.get(position)
        hold(logged is not None, f"position {position} was never written")
        before = [s for s in writes if s.ended < logged.began] or [
            s for s in steps if s.name in ("write", "writev") and s.ended is not None and s.ended < logged.began]
        hold(before, f"position {position}: the bytes of the chunk were not written before the event")
        synced = [s for s in steps if s.name in ("fsync", "fdatasync") and s.result == 0
                  and s.began > before[-1].ended and s.ended < logged.began]
        hold(synced, f"position {position}: the chunk's bytes were not synced before the event's write")
    return len(chunks)


def overlaps(step, first, end):
    place = re.search(r", (\d+)\) += (\d+)$", step.text)
    return bool(place) and int(place[1]) < end and int(place[1]) + int(place[2]) > first


def traced(program, folder):
    """A program that runs the gateway as itself, with strace beside it as a grandchild."""
    probe = subprocess.run(["strace", "-D", "-e", "trace=none", "true"], capture_output=True, text=True)
    if probe.returncode or "ptrace" in probe.stderr:
        skip(f"this kernel lets nobody trace: {probe.stderr.strip()}")
    script, trace = os.path.join(folder, "traced"), os.path.join(folder, "trace")
    with open(script, "w", encoding="utf-8") as file:
        file.write(f"#!/bin/sh\nexec strace -D -f -y -q -s 1000000 -e signal=none -e trace={CALLS} "
                   f"-o '{trace}' '{os.path.abspath(program)}' \"$@\"\n")
    os.chmod(script, os.stat(script).st_mode | stat.S_IXUSR)
    return script, trace


def has_ended(trace, pid):
    """Whether the trace is whole: strace is nobody's child here, and ends a little after what it traces."""
    with open(trace, "rb") as file:
        file.seek(max(0, os.path.getsize(trace) - 4096))
        return re.search(rb"^%d +\+\+\+ exited with" % pid, file.read(), re.M)


def write_both_ways(caller, chat, session, count):
    """Half of the messages over HTTP, half in frames, at the same time."""

    def over_http():
        for number in range(count // 2):
            answer = caller.post(f"/v1/sessions/{session}/messages", {"text": f"http {number}"})
            hold(answer.status == 201, f"a message: {answer}")

    thread = threading.Thread(target=over_http)
    thread.start()
    for number in range(count - count // 2):
        chat.send_json({"IncidentID": session, "Type": "message", "Message": f"chat {number}",
                        "Timestamp": "437647234", "TempMessageID": f"chat-{number}"})
        report = chat.wait_for(lambda f: f["Type"] == "message_report" and f.get("TempMessageID") == f"chat-{number}")
        hold(report["Status"] == "delivered", f"a message: {report}")
    thread.join()


def main(options, folder):
    if not shutil.which("strace"):
        skip("strace is not installed: apt-get install strace")
    script, trace = traced(options.daybook, folder)
    centre = Centre(options.daybook, folder, serve=script).open()
    desk = centre.staff("amina")
    caller = centre.caller(desk)
    chat, session = centre.chat(caller)
    write_both_ways(caller, chat, session, options.messages)
    film(caller, session)
    chat.close()
    centre.stop()
    until(lambda: has_ended(trace, centre.gateway.process.pid), "strace has written the gateway's end")
    entries = centre.entries()
    positions = {entry["data"]["message"]: int(entry["position"]) for entry in entries
                 if entry["type"] == "chat.message_sent/1"}
    calls = steps(trace)
    log = Log(calls)
    over_http, in_frames = check_receipts(calls, log, positions)
    hold(over_http >= options.messages // 2 and in_frames >= options.messages // 2,
         f"only {over_http} receipts over HTTP and {in_frames} in frames were seen in the trace")
    chunks = check_chunks(calls, log, entries)
    hold(chunks > 0, "no chunk was archived")
    print(f"{over_http} receipts over HTTP and {in_frames} in chat frames: each written after its commit was synced "
          f"({len(log.syncs)} syncs, {len(log.metas)} meta pages); {chunks} chunks logged after their file's sync")


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--messages", type=int, default=200)
    run(main, parser.parse_args())
