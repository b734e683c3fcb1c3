#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What goes wrong while nobody looks: a log that nobody reads or that cannot be written, keys that are lost, signatures that stop.

The gateway goes on where it can, refuses to start where going on would lose something, and says so where whoever runs it looks."""

import os
import re
import shutil
import signal
import subprocess
import time

import centre
import film
from centre import hold
from daybook import DEADLINE, Client, until

# Far more lines than the pipe holds that nobody reads.
REQUESTS = 600


def main(options, folder):
    goes_on_without_a_reader(options, folder)
    ends_with_a_word_while_it_opens(options, folder)
    place = centre.Centre(options.daybook, folder).open()
    desk = place.staff("amina")
    caller = place.caller(desk)
    channel, session = place.chat(caller)
    says_that_nothing_is_signed(place, caller, session)
    refuses_other_keys(options, place, caller, session)
    finds_what_a_start_would_refuse(options, place, folder)
    goes_on_with_imported_entries(options, place, folder)


def goes_on_without_a_reader(options, folder):
    def gone():
        reading, writing = os.pipe()
        os.close(reading)
        return writing

    unread = os.pipe()
    for name, sink in (("a full disk", os.open("/dev/full", os.O_WRONLY)), ("a reader who is gone", gone()), ("nobody who reads", unread[1]), ("no descriptor", None)):
        words = [options.daybook, "serve", "--data", os.path.join(folder, "lines", "ledger"), "--listen", "127.0.0.1:0", "--log-format", "json", "--log-level", "info"]
        if sink is None:
            words = ["/bin/sh", "-c", 'exec "$@" 2>&-', "sh", *words]
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=sink, text=True)
        try:
            client = Client("127.0.0.1", next(int(found[1]) for line in process.stdout if (found := re.search(r"serves.*http://127\.0\.0\.1:(\d+)", line))))
            for number in range(REQUESTS):
                status = client.get("/healthz", patiently=False).status
                # Who asks so often hears that, too; an answer it is.
                hold(status in (200, 429), f"{name}: request {number} was answered {status}")
            process.send_signal(signal.SIGTERM)
            hold(process.wait(DEADLINE) == 0, f"{name}: it ended with {process.returncode}")
        finally:
            if process.poll() is None:
                process.kill()
            process.stdout.close()
            if sink is not None:
                os.close(sink)
    print(f"a log of lines: {REQUESTS} requests each were answered before a full disk, a reader who is gone, nobody who reads, and no descriptor")


def ends_with_a_word_while_it_opens(options, folder):
    words = [options.daybook, "serve", "--data", os.path.join(folder, "opening", "ledger"), "--listen", "127.0.0.1:0", "--log-format", "json", "--log-level", "info"]
    told = rounds = 0

    def start(number):
        """Told to end while it opens; whether it says that nothing was served before."""
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            until(lambda: process.poll() is not None or catches(process.pid, number), "a start that listens to signals", pause=0.0005)
            # Held where it is, which is in the middle of opening, it can get no further before it is told.
            for one in (signal.SIGSTOP, number, signal.SIGCONT):
                process.send_signal(one)
            said, errors = process.communicate(timeout=DEADLINE)
        finally:
            if process.poll() is None:
                process.kill()
        hold(process.returncode == 0, f"told to end by {number.name} while it opened, it ended with {process.returncode}: {errors[-500:]}")
        return "told to end before anything was served" in errors and "serves" not in said

    # On a fast machine some serve already when they are told.
    end = time.monotonic() + DEADLINE
    while rounds < 10 or not told and time.monotonic() < end:
        told += start((signal.SIGTERM, signal.SIGINT)[rounds % 2])
        rounds += 1
    hold(told > 0, f"none of {rounds} starts said that it was told to end before anything was served")
    process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        hold(any("serves" in line for line in process.stdout), "what such a start left is not served")
        process.send_signal(signal.SIGTERM)
        hold(process.wait(DEADLINE) == 0, f"serving, it ended with {process.returncode}")
    finally:
        if process.poll() is None:
            process.kill()
        process.stdout.close()
    print(f"told to end while it opened: {rounds} starts ended with 0, {told} before anything was served; the next one serves")


def catches(pid, number):
    """Whether a process has come so far that it reads both signals by which it is told to end."""
    with open(f"/proc/{pid}/status") as file:
        caught = int(dict(line.split(":", 1) for line in file)["SigCgt"], 16)
    # A handler may still be this program's own, for an instant behind the start.
    return caught >> (number - 1) & 1 and sum(link(f"/proc/{pid}/fd/{name}") == "anon_inode:[signalfd]" for name in os.listdir(f"/proc/{pid}/fd")) >= 2


def link(path):
    try:
        return os.readlink(path)
    except OSError:
        return None  # closed meanwhile


def part(place, name):
    answer = place.admin.get("/readyz")
    return answer.status, next((one for one in answer.json["services"] if one["name"] == name), None)


def says_that_nothing_is_signed(place, caller, session):
    # Where the key is written before it takes its name.
    blocked = os.path.join(place.folder, ".origin.key.new")
    place.stop()
    os.mkdir(blocked)
    place.start()
    hold(caller.post(f"/v1/sessions/{session}/messages", {"text": "unsigned"}).ok, "an event was not taken")

    def fault():
        status, found = part(place, "signing")
        return (status, found["fault"]) if found and found.get("fault") else None

    status, words = until(fault, "the fault of signing")
    hold(status == 200, f"readyz sent people away: {status}")
    hold("the checkpoint could not be kept" in words, words)
    numbers = until(lambda: [
        line for line in place.admin.get("/metrics").body.decode().splitlines() if line.startswith("daybook_unsigned_events ") and float(line.split()[1]) > 0], "the unsigned events")
    with open(place.gateway.log, errors="replace") as file:
        hold("the ledger goes on with a fault" in file.read(), "no line of the log tells of it")
    os.rmdir(blocked)
    until(lambda: part(place, "signing")[1].get("fault") is None, "signing to be well again")
    print(f"signing: readyz named it ({words[:60]}…), {numbers[0]}, and it was well again by itself")


def refuses_other_keys(options, place, caller, session):
    keys = os.path.join(place.folder, "keys")
    place.stop()
    kept = keys + ".kept"
    os.rename(keys, kept)
    header = 128
    for name, content in (("gone", None), ("empty", b""), ("new", open(kept, "rb").read(header))):
        if content is not None:
            with open(keys, "wb") as file:
                file.write(content)
        done = subprocess.run([options.daybook, "serve", "--data", place.folder, "--listen", "127.0.0.1:0"], capture_output=True, text=True, timeout=DEADLINE)
        hold(done.returncode == 2 and "refusing to serve" in done.stderr, f"keys {name}: {done.returncode} {done.stderr[-300:]}")
        look = subprocess.run([options.daybook, "doctor", "--data", place.folder], capture_output=True, text=True, timeout=DEADLINE)
        hold(look.returncode == 1 and "fail keys" in look.stdout, f"keys {name}: the doctor says {look.returncode} {look.stdout}")
        if content is not None:
            os.remove(keys)
        hold(not os.path.exists(keys), "a file of keys was made")
    os.rename(kept, keys)
    place.start()
    hold(caller.post(f"/v1/sessions/{session}/messages", {"text": "and readable"}).ok, "who was known before cannot speak")
    print("keys: gone, empty and new ones were refused, by a start and by the doctor, and the right ones serve")


def finds_what_a_start_would_refuse(options, place, folder):
    place.stop()
    original, copy = place.folder, os.path.join(folder, "harmed", "ledger")
    harms = {
        "fail log": (lambda: os.remove(f"{copy}/log/data.mdb"), lambda: os.truncate(f"{copy}/checkpoint", 0)),
        "fail accounts": (lambda: os.remove(f"{copy}/accounts.db"), lambda: overwrite(f"{copy}/accounts.db", 512)),
        "fail push key": (lambda: os.truncate(f"{copy}/push.key", 0),),
        "fail folders": (lambda: (shutil.rmtree(f"{copy}/media", ignore_errors=True), open(f"{copy}/media", "w").close()),),
    }
    looks = 0
    for line, harmings in harms.items():
        for harm in (lambda: None, *harmings):
            shutil.rmtree(os.path.dirname(copy), ignore_errors=True)
            shutil.copytree(original, copy)
            shutil.copy(original + ".master-key", copy + ".master-key")
            harm()
            done = subprocess.run([options.daybook, "doctor", "--data", copy], capture_output=True, text=True, timeout=DEADLINE)
            found = line in done.stdout
            hold(found == (harm in harmings), f"{line}: {done.returncode} {done.stdout} {done.stderr}")
            looks += 1
    print(f"doctor: {looks} looks, each harm told before a start met it")


def goes_on_with_imported_entries(options, place, folder):
    """Entries come without keys, files and accounts: one start tells how to sign in, and all goes on."""
    entries, beside = os.path.join(folder, "entries"), os.path.join(folder, "imported")
    os.makedirs(beside)
    done = place.daybook("export", "-o", entries)
    hold(done.returncode == 0, f"export: {done}")
    other = centre.Centre(options.daybook, beside, options=["--new-origin"])
    done = subprocess.run([options.daybook, "import", entries, "--data", other.folder], capture_output=True, text=True, timeout=DEADLINE)
    hold(done.returncode == 0 and "--new-origin" in done.stderr and "password" in done.stderr, f"import says {done}")
    other.open()
    desk = other.staff("berta")
    caller = other.caller(desk)
    _, session = other.chat(caller)
    film.film(caller, session)
    hold(other.client().get("/readyz").status == 200, f"readyz: {other.client().get('/readyz')}")
    other.stop()
    print("imported entries: import says how, one start tells admin's password, and people call and film")


def overwrite(path, count):
    with open(path, "r+b") as file:
        file.write(bytes(count))


if __name__ == "__main__":
    centre.run(main, centre.arguments(__doc__).parse_args())
