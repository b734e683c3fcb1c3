#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What whoever runs a gateway has: settings from a file, notices to a service manager, logs, numbers, a doctor."""

import json
import os
import re
import resource
import select
import shutil
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request

import centre
import film
from centre import Centre, hold
from daybook import DEADLINE, Client, until

PACKAGING = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Packaging")
# Somebody who is not root, and owns nothing.
NOBODY = 65534

# Every one of these must be told, and described.
NUMBERS = """daybook_archive_recordings daybook_archive_unfinished_bytes daybook_build_info daybook_free_bytes daybook_inspection_children
    daybook_inspection_waiting daybook_log_bytes daybook_log_events daybook_log_read_only daybook_read_model_behind daybook_sandboxed
    daybook_stills_waiting process_cpu_seconds_total process_max_fds process_open_fds process_resident_memory_bytes process_start_time_seconds""".split()


def main(options, folder):
    where = os.path.join(folder, "ledger")
    port, metrics, other = centre.kept_port(), centre.kept_port(), centre.kept_port()
    with open(os.path.join(folder, "daybook.conf"), "w") as file:
        file.write(f"""# what a site sets
data = {where}
listen = 127.0.0.1:{other}
metrics = "127.0.0.1:{metrics}"
origin = from-the-file.example/main
log-level = error
""")
    lives_within_its_unit(options, folder)
    lets_the_service_read_its_settings(folder)
    leaves_files_to_their_owner(options, folder)
    goes_on_without_descriptors(options, folder)
    ends_when_nobody_reads_its_notices(options, folder)
    refuses_what_it_does_not_know(options, folder)
    reads_settings_as_they_are_written(options, folder)
    takes_every_option_as_a_setting(options, folder)
    manager = Manager(folder)
    log = os.path.join(folder, "gateway.log")
    # The option comes before the variable, the variable before the file.
    process = serve(options, folder, log, ["--listen", f"127.0.0.1:{port}"], {
        "DAYBOOK_LISTEN": "127.0.0.1:1", "DAYBOOK_LOG_LEVEL": "info", "NOTIFY_SOCKET": manager.path, "WATCHDOG_USEC": "1000000"})
    try:
        manager.hears("READY=1")
        manager.hears("WATCHDOG=1")
        ledger = json.loads(ask(f"http://127.0.0.1:{port}/v1/ledger")[1])
        hold(ledger["origin"] == "from-the-file.example/main", f"the origin is {ledger['origin']}")
        shows_its_numbers(port, metrics)
        looks_well(options, folder, where)
        ask(f"http://127.0.0.1:{port}/v1/sessions", token="dbk_secret_of_somebody")
        # A socket holds some ten datagrams, and a gateway waits for nobody who does not read.
        manager.all()
        process.send_signal(signal.SIGTERM)
        manager.hears("STOPPING=1")
        hold(process.wait(DEADLINE) == 0, f"it ended with {process.returncode}")
    finally:
        if process.poll() is None:
            process.kill()
    writes_lines(log)
    serves_only_with_every_listener(options, folder, where, metrics)


def refuses_what_it_does_not_know(options, folder):
    path = os.path.join(folder, "wrong.conf")
    for text, words in (("lisen = 127.0.0.1:1\n", "line 1: there is no setting lisen"), ("data = a\ndata = b\n", "line 2: data stands there already"),
                        ("\nlisten\n", "line 2: write name = value")):
        with open(path, "w") as file:
            file.write(text)
        done = subprocess.run([options.daybook, "serve", "--config", path], capture_output=True, text=True, timeout=DEADLINE)
        hold(done.returncode == 2 and words in done.stderr, f"{text!r}: {done.returncode} {done.stderr}")


def reads_settings_as_they_are_written(options, folder):
    """Ends of lines as any editor makes them, and comments behind values."""
    path, place = os.path.join(folder, "written.conf"), os.path.join(folder, "commented")
    for text, words in (("log-level = error\r\nlisen = 127.0.0.1:1\r\n", "line 2: there is no setting lisen"),
                        ("\ufefflog-level = error\rend = 1", "line 2: there is no setting end"),
                        ("data = # nothing\n", "line 1: data has no value"), ('data = "a" b\n', "line 1: data has no value"), ("data = 'a\n", "line 1: data has no value"),
                        ("log-level = loud # very\n", "--log-level is one of")):
        with open(path, "w", newline="") as file:
            file.write(text)
        done = subprocess.run([options.daybook, "serve", "--config", path, "--data", place], capture_output=True, text=True, timeout=DEADLINE)
        hold(done.returncode == 2 and words in done.stderr and "very" not in done.stderr, f"{text!r}: {done.returncode} {done.stderr}")
    with open(path, "w", newline="") as file:
        file.write(f"data = {place} # the ledger\r\nlisten = '127.0.0.1:0' # any\r\norigin = \"written.example/main\" # behind\r\n")
    process = subprocess.Popen([options.daybook, "serve", "--config", path], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        while "daybook serves" not in (line := process.stdout.readline()):
            hold(line, "it ended before it served")
        hold(json.load(open(os.path.join(place, "daybook.json")))["origin"] == "written.example/main", "the origin is another")
    finally:
        process.kill()
        process.wait()
    print("settings with Windows' ends of lines and comments behind values are read as they are meant")


def lives_within_its_unit(options, folder):
    """Every system call of a whole life is one that the unit allows."""
    probe = shutil.which("strace") and subprocess.run(["strace", "-D", "-e", "trace=none", "true"], capture_output=True, text=True)
    if not probe or probe.returncode or "ptrace" in probe.stderr:
        return print("nobody may trace here: the unit's system calls were not looked at")
    own = os.path.join(folder, "unit")
    os.makedirs(own)
    script, trace = os.path.join(own, "traced"), os.path.join(own, "trace")
    with open(script, "w") as file:
        file.write(f"#!/bin/sh\nexec strace -D -f -qq -e signal=none -o '{trace}' '{os.path.abspath(options.daybook)}' \"$@\"\n")
    os.chmod(script, 0o755)
    place = Centre(options.daybook, own, ["--media-reserve", "0"], serve=script).open()
    caller = place.caller(place.staff("amina"))
    _, session = place.chat(caller)
    film.film(caller, session)
    place.stop()
    with open(trace) as file:
        # SQLite gives files away where root runs it, and nowhere else.
        calls = set(re.findall(r"^\d+ +(\w+)\(", file.read(), re.M)) - {"fchown"}
    allowed = allowed_by_unit()
    hold({"execve", "openat", "fsync"} <= calls, f"only {sorted(calls)} were seen")
    hold(calls <= allowed, f"the unit does not allow {sorted(calls - allowed)}")
    print(f"{len(calls)} system calls of a life with video, each of them allowed by the unit")


def allowed_by_unit():
    sets, allowed = {}, set()
    with open(os.path.join(PACKAGING, "system-calls.txt")) as file:
        for line in file:
            if line.startswith("@"):
                sets[line.strip()] = names = set()
            elif line.startswith(" "):
                names.update(line.split())
    with open(os.path.join(PACKAGING, "daybook.service")) as file:
        filters = re.findall(r"^SystemCallFilter=(~?)(.*)$", file.read(), re.M)
    for refused, words in filters:
        named = {call for word in words.split() for call in (sets[word] if word.startswith("@") else {word})}
        allowed = allowed - named if refused else allowed | named
    return allowed


def lets_the_service_read_its_settings(folder):
    """What the unit says is done as it says; another user then reads the settings, and not the master key."""
    if not can_be_nobody("true"):
        return print("not root, or nobody else may run a program here: the unit's instructions were not followed")
    place = os.path.join(folder, "etc")
    os.chmod(folder, 0o755)
    with open(os.path.join(PACKAGING, "daybook.service")) as file:
        steps = [line[1:].strip() for line in file if re.match(r"#   (install|\()", line)]
    hold(len(steps) == 3, f"the unit's steps are {steps}")
    for step in steps:
        subprocess.run(step.replace("/etc/daybook", place), shell=True, check=True, cwd=PACKAGING)
    for name, is_read in (("daybook.conf", True), ("master-key", False)):
        done = subprocess.run([*as_nobody(), "cat", os.path.join(place, name)], capture_output=True)
        hold((done.returncode == 0) == is_read, f"{name}: {done}")
    print("the unit's instructions leave settings that its user reads, and a master key that it does not")


def can_be_nobody(*words):
    """Whether another user can run a program; not so where `/` is closed to all but its owner."""
    return not os.getuid() and shutil.which("setpriv") and subprocess.run([*as_nobody(), *words], capture_output=True).returncode == 0


def as_nobody():
    return ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]


def serves_only_with_every_listener(options, folder, where, metrics):
    """A taken port of the numbers ends the start before anybody hears that it serves."""
    manager = Manager(folder)
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind(("127.0.0.1", metrics))
        taken.listen()
        words = [options.daybook, "serve", "--data", where, "--listen", "127.0.0.1:0", "--metrics", f"127.0.0.1:{metrics}"]
        done = subprocess.run(words, capture_output=True, text=True, timeout=DEADLINE, env=dict(os.environ, NOTIFY_SOCKET=manager.path))
    hold(done.returncode == 2 and f"cannot listen on 127.0.0.1:{metrics}" in done.stderr, f"a taken port: {done.returncode} {done.stderr}")
    hold("serves" not in done.stdout and "READY=1" not in manager.all(), f"it was said that it serves: {done.stdout} {manager.heard}")
    manager.close()
    print("a taken port of the numbers: the start is refused, and nobody heard that it serves")


def leaves_files_to_their_owner(options, folder):
    """What root does at the console does not keep the gateway's user out, and root serves nobody else's; what is root's is named, and is no missing file."""
    program = os.path.abspath(options.daybook)
    if not can_be_nobody("test", "-x", program):
        return print("not root, or nobody else may run daybook: the owners of files were not looked at")
    own = os.path.join(folder, "owned")
    os.makedirs(own)
    os.chown(own, NOBODY, NOBODY)
    os.chmod(folder, 0o755)
    where, key = os.path.join(own, "ledger"), os.path.join(own, "ledger.master-key")

    def starts():
        errors = open(os.path.join(folder, "owned.log"), "ab")
        process = subprocess.Popen([*as_nobody(), program, "serve", "--data", where, "--listen", "127.0.0.1:0", "--media-reserve", "0"],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, text=True)
        line = process.stdout.readline()
        while line and "daybook serves" not in line:
            line = process.stdout.readline()
        process.terminate()
        hold(process.wait(DEADLINE) == 0 and line, "it did not serve; see owned.log")

    starts()
    for words in (["user", "reset-password", "admin"], ["rebuild"]):
        done = subprocess.run([program, *words, "--data", where, "--master-key", key], capture_output=True, text=True, timeout=DEADLINE)
        hold(done.returncode == 0, f"{words}: {done}")
        rooted = [os.path.join(path, name) for path, _, names in os.walk(where) for name in names if os.lstat(os.path.join(path, name)).st_uid != NOBODY]
        hold(not rooted, f"after {words} root has {rooted}")
    starts()
    entries, imported = os.path.join(folder, "owned.ndjson"), os.path.join(own, "imported")
    for words in (["export", "--data", where, "-o", entries], ["import", "--data", imported, entries]):
        done = subprocess.run([program, *words], capture_output=True, text=True, timeout=DEADLINE)
        hold(done.returncode == 0, f"{words}: {done}")
    rooted = [place for place, owner in listing(own) if owner != NOBODY]
    hold(not rooted, f"after an import root has {rooted}")
    shutil.rmtree(imported)
    empty = os.path.join(own, "empty")
    os.makedirs(empty)
    os.chown(empty, NOBODY, NOBODY)
    for place in (where, empty):
        for words in ([], ["--new-origin"]):
            before = listing(own)
            done = subprocess.run([program, "serve", "--data", place, "--master-key", key, "--listen", "127.0.0.1:0", *words], capture_output=True, text=True, timeout=DEADLINE)
            hold(done.returncode == 2 and f"{place} belongs to user {NOBODY}" in done.stderr, f"root serves: {done}")
            hold(listing(own) == before, f"root's {words} left {listing(own)} of {before}")
    starts()
    os.chown(os.path.join(where, "origin.key"), 0, 0)
    for words in ([], ["--new-origin"]):
        done = subprocess.run([*as_nobody(), program, "serve", "--data", where, "--listen", "127.0.0.1:0", *words], capture_output=True, text=True, timeout=DEADLINE)
        hold(done.returncode and f"user {NOBODY} may not use {where}/origin.key" in done.stderr and "new origin" not in done.stderr, f"{done.returncode} {done.stderr}")
    done = subprocess.run([program, "doctor", "--data", where], capture_output=True, text=True, timeout=DEADLINE)
    hold(done.returncode == 1 and re.search("fail permissions +origin.key", done.stdout), f"doctor: {done.stdout}")
    os.chown(os.path.join(where, "origin.key"), NOBODY, NOBODY)
    starts()
    print("root at the console leaves every file to the ledger's user and does not serve it; one that is root's is named, not missing")


def listing(folder):
    """Every file and folder below, and whose it is."""
    return sorted((place, os.lstat(place).st_uid) for path, folders, names in os.walk(folder) for name in folders + names for place in [os.path.join(path, name)])


def goes_on_without_descriptors(options, folder):
    """With hardly a descriptor left it answers whoever is there, and takes others when there are some again."""
    own = os.path.join(folder, "few")
    os.makedirs(own)
    place = Centre(options.daybook, own, ["--media-reserve", "0"]).open()
    process = place.gateway.process
    hold(place.admin.get("/v1/me").ok, "the admin")
    before = resource.prlimit(process.pid, resource.RLIMIT_NOFILE)
    count = len(os.listdir(f"/proc/{process.pid}/fd"))
    for spare in (3, 0, 8):
        resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (count + spare, before[1]))
        waiting = [socket.create_connection(("127.0.0.1", place.port), timeout=DEADLINE) for _ in range(40)]
        for _ in range(40):
            answer = place.admin.get("/v1/me")
            hold(answer.ok and process.poll() is None, f"it ended with {process.poll()}, or answers {answer}")
        print(f"{spare} descriptors left, 40 who come: the one who was there is answered")
        for one in waiting:
            one.close()
    resource.prlimit(process.pid, resource.RLIMIT_NOFILE, before)
    hold(Client("127.0.0.1", place.port).get("/healthz").ok, "nobody is let in any more")
    place.stop()


def ends_when_nobody_reads_its_notices(options, folder):
    """A service manager that does not read keeps nothing from ending."""
    own = os.path.join(folder, "unread")
    os.makedirs(own)
    manager, sender = Manager(own), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    place = Centre(options.daybook, own)
    place.gateway.environment.update(NOTIFY_SOCKET=manager.path, WATCHDOG_USEC="1000000")
    place.open()
    sender.setblocking(False)
    try:
        while True:
            sender.sendto(b"X=1", manager.path)
    except BlockingIOError:
        pass
    # It tells at least that it ends.
    place.stop()
    manager.socket.close()
    os.unlink(manager.path)
    print("a service manager that reads nothing is left where it is")


def takes_every_option_as_a_setting(options, folder):
    """Every option of `serve` stands in the file, too, but those that belong to one start only."""
    help = subprocess.run([options.daybook, "serve", "--help"], capture_output=True, text=True, timeout=DEADLINE, check=True).stdout
    names = set(re.findall(r"^ +(?:-h, )?--([a-z-]+)", help, re.M)) - {"help", "version", "config", "new-origin", "adopt-accounts", "first", "carry-out-erasures"}
    hold(len(names) > 20, f"only {names} were found in the help")
    path = os.path.join(folder, "every.conf")
    for name in sorted(names):
        with open(path, "w") as file:
            file.write(f"{name} = 1\nend = 1\n")
        done = subprocess.run([options.daybook, "serve", "--config", path], capture_output=True, text=True, timeout=DEADLINE)
        hold("line 2: there is no setting end" in done.stderr, f"{name}: {done.stderr}")


def serve(options, folder, log, words, variables):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("DAYBOOK_")}
    with open(log, "ab") as errors:
        return subprocess.Popen([options.daybook, "serve", "--config", os.path.join(folder, "daybook.conf"), *words], stdin=subprocess.DEVNULL,
                                stdout=subprocess.DEVNULL, stderr=errors, env=dict(environment, **variables))


class Manager:
    """The end of a service manager: a socket that takes datagrams."""

    def __init__(self, folder):
        # The path of a socket must be short.
        self.path = f"/tmp/daybook-{os.getpid()}-{id(self)}.notify"
        self.socket, self.heard = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM), []
        self.socket.bind(self.path)

    def hears(self, words):
        end = time.monotonic() + DEADLINE
        while words not in self.heard:
            ready, _, _ = select.select([self.socket], [], [], max(0, end - time.monotonic()))
            hold(ready, f"the service manager never heard {words}, but {self.heard}")
            self.heard.append(self.socket.recv(4096).decode())
        self.heard = [one for one in self.heard if one != words]

    def all(self):
        """What was said by now."""
        while select.select([self.socket], [], [], 0)[0]:
            self.heard.append(self.socket.recv(4096).decode())
        return self.heard

    def close(self):
        self.socket.close()
        os.unlink(self.path)


def ask(url, token=None):
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {token}"} if token else {})
    try:
        with urllib.request.urlopen(request, timeout=DEADLINE) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def shows_its_numbers(port, metrics):
    hold(ask(f"http://127.0.0.1:{port}/metrics")[0] == 401, "the public port shows its numbers to everybody")

    def told():
        status, text = ask(f"http://127.0.0.1:{metrics}/metrics")
        hold(status == 200, f"the numbers answer {status}")
        return text if all(re.search(rf"^{name}[ {{]", text, re.M) for name in NUMBERS) else None

    text = until(told, f"all are told of {NUMBERS}")
    typed, described = (set(re.findall(rf"^# {word} (\S+)", text, re.M)) for word in ("TYPE", "HELP"))
    hold(typed == described, f"without HELP: {sorted(typed - described)}")
    print(f"{len(typed)} metrics, each with HELP and TYPE, {len(text.splitlines())} lines")


def looks_well(options, folder, where):
    done = subprocess.run([options.daybook, "doctor", "--data", where, "--json"], capture_output=True, text=True, timeout=DEADLINE)
    findings = {one["what"]: one for one in json.loads(done.stdout)}
    hold(done.returncode == 0, f"doctor ended with {done.returncode}: {done.stdout}")
    for what in ("ledger", "master key", "permissions", "room", "video", "sync", "map", "descriptors", "sandbox", "certificate", "site"):
        hold(findings[what]["level"] in ("ok", "warn") and findings[what]["detail"], f"{what}: {findings.get(what)}")
    os.chmod(os.path.join(where, "accounts.db"), 0o644)
    ill = subprocess.run([options.daybook, "doctor", "--data", where], capture_output=True, text=True, timeout=DEADLINE)
    hold(ill.returncode == 1 and "fail permissions" in ill.stdout, f"doctor ended with {ill.returncode}: {ill.stdout}")
    os.chmod(os.path.join(where, "accounts.db"), 0o600)
    certificate, key = centre.make_certificate(folder)
    other = os.path.join(folder, "other")
    os.makedirs(other)
    path = os.path.join(folder, "refused.conf")
    for text, words in (("listen = 0.0.0.0:8080", "plain HTTP"), ("origin = another.example/main", "is the ledger from-the-file.example/main"),
                        ("emergency-number = 11x", "--emergency-number cannot be 11x"), ("emergency-sms = us", "--emergency-sms cannot be us"), ("country = UK", "--country cannot be UK"),
                        ("time-zone = Europe/Nowhere", "there is no time zone"), ("time-zone = GMT+2", "there is no time zone"), ("site-name = \"" + "x" * 81 + "\"", "--site-name cannot be"),
                        ("trusted-proxy = nobody", "nobody"), ("listen = 127.0.0.1:8080\nmetrics = 127.0.0.1:8080", "127.0.0.1:8080"),
                        (f"tls-certificate = {certificate}\ntls-key = {centre.make_certificate(other)[1]}", os.path.join(other, "key.pem")),
                        (f"tls-certificate = {certificate}\ntls-key = {folder}/missing.pem", "missing.pem: No such file"),
                        (f"push-roots = {folder}/roots.pem", "roots.pem: No such file"), (f"push-roots = {path}", "(--push-roots)"), ("push-contact = me", "me is no contact")):
        with open(path, "w") as file:
            file.write(text)
        done = subprocess.run([options.daybook, "doctor", "--data", where, "--config", path], capture_output=True, text=True, timeout=DEADLINE)
        hold(done.returncode in (1, 2) and words in done.stdout + done.stderr, f"doctor with {text!r} ended with {done.returncode}: {done.stdout}{done.stderr}")
        done = subprocess.run([options.daybook, "serve", "--data", where, "--config", path], capture_output=True, text=True, timeout=DEADLINE)
        hold(done.returncode == 2 and words in done.stderr, f"serve with {text!r} ended with {done.returncode}: {done.stderr}")
    nowhere = subprocess.run([options.daybook, "doctor", "--data", where + "-not"], capture_output=True, text=True, timeout=DEADLINE)
    hold(nowhere.returncode == 1, f"doctor of nothing ended with {nowhere.returncode}")


def writes_lines(log):
    with open(log) as file:
        lines = [json.loads(line) for line in file]
    hold(lines, "nothing was logged")
    for line in lines:
        hold({"time", "level", "category", "message"} <= line.keys() <= {"time", "level", "category", "message", "facts"}, f"a line has {sorted(line)}")
        hold(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z", line["time"]), f"a line's time is {line['time']}")
    categories = {line["category"] for line in lines}
    hold({"access", "security"} <= categories <= {"access", "security", "service"}, f"categories: {categories}")
    hold("dbk_secret" not in json.dumps(lines), "a token was logged")
    print(f"{len(lines)} lines of log, each a JSON object, of {sorted(categories)}")


if __name__ == "__main__":
    centre.run(main, centre.arguments(__doc__).parse_args())
