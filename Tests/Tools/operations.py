#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What whoever runs a gateway has: settings from a file, notices to a service manager, logs, numbers, a doctor."""

import json
import os
import re
import select
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request

import centre
from centre import hold

# Every one of these must be told, and described.
NUMBERS = """daybook_archive_recordings daybook_archive_unfinished_bytes daybook_build_info daybook_free_bytes daybook_inspection_children
    daybook_inspection_waiting daybook_log_bytes daybook_log_events daybook_log_read_only daybook_read_model_behind daybook_sandboxed
    daybook_stills_waiting process_cpu_seconds_total process_max_fds process_open_fds process_resident_memory_bytes process_start_time_seconds""".split()


def main(options, folder):
    where = os.path.join(folder, "ledger")
    port, metrics, other = centre.free_port(), centre.free_port(), centre.free_port()
    with open(os.path.join(folder, "daybook.conf"), "w") as file:
        file.write(f"""# what a site sets
data = {where}
listen = 127.0.0.1:{other}
metrics = "127.0.0.1:{metrics}"
origin = from-the-file.example/main
log-level = error
""")
    refuses_what_it_does_not_know(options, folder)
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
        process.send_signal(signal.SIGTERM)
        manager.hears("STOPPING=1")
        hold(process.wait(30) == 0, f"it ended with {process.returncode}")
    finally:
        if process.poll() is None:
            process.kill()
    writes_lines(log)


def refuses_what_it_does_not_know(options, folder):
    path = os.path.join(folder, "wrong.conf")
    for text, words in (("lisen = 127.0.0.1:1\n", "line 1: there is no setting lisen"), ("data = a\ndata = b\n", "line 2: data stands there already"),
                        ("\nlisten\n", "line 2: write name = value")):
        with open(path, "w") as file:
            file.write(text)
        done = subprocess.run([options.daybook, "serve", "--config", path], capture_output=True, text=True, timeout=60)
        hold(done.returncode == 2 and words in done.stderr, f"{text!r}: {done.returncode} {done.stderr}")


def takes_every_option_as_a_setting(options, folder):
    """Every option of `serve` stands in the file, too, but those that belong to one start only."""
    help = subprocess.run([options.daybook, "serve", "--help"], capture_output=True, text=True, timeout=60, check=True).stdout
    names = set(re.findall(r"^ +(?:-h, )?--([a-z-]+)", help, re.M)) - {"help", "version", "config", "new-origin"}
    hold(len(names) > 20, f"only {names} were found in the help")
    path = os.path.join(folder, "every.conf")
    for name in sorted(names):
        with open(path, "w") as file:
            file.write(f"{name} = 1\nend = 1\n")
        done = subprocess.run([options.daybook, "serve", "--config", path], capture_output=True, text=True, timeout=60)
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
        self.path = f"/tmp/daybook-{os.getpid()}.notify"
        self.socket, self.heard = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM), []
        self.socket.bind(self.path)

    def hears(self, words):
        until = time.monotonic() + 60
        while words not in self.heard:
            ready, _, _ = select.select([self.socket], [], [], max(0, until - time.monotonic()))
            hold(ready, f"the service manager never heard {words}, but {self.heard}")
            self.heard.append(self.socket.recv(4096).decode())
        self.heard = [one for one in self.heard if one != words]


def ask(url, token=None):
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {token}"} if token else {})
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def shows_its_numbers(port, metrics):
    hold(ask(f"http://127.0.0.1:{port}/metrics")[0] == 401, "the public port shows its numbers to everybody")
    until = time.monotonic() + 30
    while True:
        status, text = ask(f"http://127.0.0.1:{metrics}/metrics")
        hold(status == 200, f"the numbers answer {status}")
        missing = [name for name in NUMBERS if not re.search(rf"^{name}[ {{]", text, re.M)]
        if not missing or time.monotonic() > until:
            break
        time.sleep(0.5)
    hold(not missing, f"not told: {missing}")
    typed, described = (set(re.findall(rf"^# {word} (\S+)", text, re.M)) for word in ("TYPE", "HELP"))
    hold(typed == described, f"without HELP: {sorted(typed - described)}")
    print(f"{len(typed)} metrics, each with HELP and TYPE, {len(text.splitlines())} lines")


def looks_well(options, folder, where):
    done = subprocess.run([options.daybook, "doctor", "--data", where, "--json"], capture_output=True, text=True, timeout=60)
    findings = {one["what"]: one for one in json.loads(done.stdout)}
    hold(done.returncode == 0, f"doctor ended with {done.returncode}: {done.stdout}")
    for what in ("ledger", "master key", "permissions", "room", "video", "sync", "map", "descriptors", "sandbox", "certificate"):
        hold(findings[what]["level"] in ("ok", "warn") and findings[what]["detail"], f"{what}: {findings.get(what)}")
    os.chmod(os.path.join(where, "accounts.db"), 0o644)
    ill = subprocess.run([options.daybook, "doctor", "--data", where], capture_output=True, text=True, timeout=60)
    hold(ill.returncode == 1 and "fail permissions" in ill.stdout, f"doctor ended with {ill.returncode}: {ill.stdout}")
    os.chmod(os.path.join(where, "accounts.db"), 0o600)
    nowhere = subprocess.run([options.daybook, "doctor", "--data", where + "-not"], capture_output=True, text=True, timeout=60)
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
