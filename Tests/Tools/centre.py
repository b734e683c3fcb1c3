# SPDX-License-Identifier: Apache-2.0
"""An emergency centre for the outside tests: a real gateway on a folder of its own, with people in it."""

import argparse
import json
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import traceback

from daybook import DEADLINE, Client, Gateway, Newest, until

PASSWORD = "correct horse battery staple"
# A program that could not look ends so; the test that ran it says why.
SKIPPED = 77
# Other tests run beside this program.
IS_SHARED = "DAYBOOK_MACHINE_IS_SHARED" in os.environ


class Failed(Exception):
    """What was promised does not hold."""


class Skipped(Exception):
    """What would show it is not on this machine."""


def hold(condition, words):
    """Fails with `words` where `condition` does not hold."""
    if not condition:
        raise Failed(words)


def timely(condition, words):
    """Holds a time, where the machine does nothing else; beside other tests it is only told, since what they take is nobody's fault."""
    if IS_SHARED and not condition:
        print(f"slow, on a machine that does other things: {words}")
    else:
        hold(condition, words)


def arguments(description):
    """The options that every program takes."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--daybook", required=True, help="the executable")
    parser.add_argument("--folder", help="where to work; kept afterwards (default: a temporary folder)")
    return parser


def seed(parser):
    """Adds the option of a program in which chance plays; the same seed does the same again."""
    parser.add_argument("--seed", default="1", help="of all chance: a whole number, or random (default: 1)")


def chosen(options):
    """The seed to begin with; it is printed, so that what failed can be repeated."""
    number = int.from_bytes(os.urandom(4), "big") if options.seed == "random" else int(options.seed)
    print(f"seed {number}: repeat with --seed {number}", flush=True)
    return number


def run(main, options):
    """Runs a program's body in its folder and ends the process: 0 holds, 1 does not."""
    folder = os.path.abspath(options.folder or tempfile.mkdtemp(prefix="daybook-"))
    os.makedirs(folder, exist_ok=True)
    code = 1
    # A parent may have blocked it, as Foundation's Process does; the processes started here end by it.
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    signal.signal(signal.SIGTERM, _told_to_end)
    try:
        main(options, folder)
        code = 0
    except Failed as failed:
        print(f"FAILED: {failed}", file=sys.stderr)
    except Skipped as skipped:
        print(f"skipped: {skipped}")
        code = SKIPPED
    except Exception:
        traceback.print_exc()
    finally:
        Centre.stop_all()
        if not options.folder and code != 1:
            shutil.rmtree(folder, ignore_errors=True)
        elif code == 1:
            print(f"kept for a look: {folder}", file=sys.stderr)
    _end(code)


def _end(code):
    # Threads that still wait for a gateway that is gone have nothing more to say.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def _told_to_end(number, frame):
    # Only once: what is open closes on the way out.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.alarm(DEADLINE)  # by which the process ends where even closing takes too long
    place = "".join(traceback.format_stack(frame, limit=6))
    raise Failed(f"it took too long and was ended here:\n{place}")


def skip(reason):
    """Ends the program: it cannot be shown here."""
    raise Skipped(reason)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def kept_port():
    """A free port that nobody else is given while this program runs: it stays bound here, which lets a gateway listen that may share an address."""
    holder = socket.socket()
    holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    holder.bind(("127.0.0.1", 0))
    _kept_ports.append(holder)
    return holder.getsockname()[1]


_kept_ports = []


def make_certificate(folder):
    """A certificate of its own authority for the loopback, and its key."""
    certificate, key = os.path.join(folder, "certificate.pem"), os.path.join(folder, "key.pem")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1",
                    "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost", "-keyout", key, "-out", certificate], check=True, capture_output=True)
    return certificate, key


class Centre:
    """A gateway with an admin, staff and callers, who stay signed in over its restarts."""

    running = []

    def __init__(self, program, folder, options=(), serve=None, with_tls=False):
        self.program, self.folder = os.path.abspath(program), os.path.join(folder, "ledger")
        self.tls = None
        if with_tls:
            self.tls_files = certificate, key = make_certificate(folder)
            options = [*options, "--tls-certificate", certificate, "--tls-key", key]
            self.tls = ssl.create_default_context(cafile=certificate)
        # One port, so that clients find the gateway again after a restart.
        self.port, self.newest = kept_port(), Newest()
        listen = ["--listen", f"127.0.0.1:{self.port}", "--origin", "outside.example/main"]
        self.gateway = Gateway(
            serve or self.program, self.folder, [*listen, *options], log=os.path.join(folder, "gateway.log")
        )
        self.numbers, self.sockets, self.leave = 0, [], threading.Event()

    @classmethod
    def stop_all(cls):
        for centre in cls.running:
            if centre.gateway.process and centre.gateway.process.poll() is None:
                centre.gateway.kill()

    def open(self):
        """Starts the gateway for the first time and signs its admin in."""
        self.start()
        password = re.search(r"temporary password (\S+)", self.gateway.output)[1]
        self.admin = self.first_sign_in("admin", password)
        return self

    def start(self):
        Centre.running.append(self)
        client = self.gateway.start()
        hold(self.gateway.port == self.port, f"serves port {self.gateway.port}, asked for {self.port}")
        return client

    def stop(self):
        """Ends the gateway as a service manager does, with nobody connected who would not answer."""
        for chat in self.sockets:
            if chat.socket.fileno() >= 0:
                chat.drop()
        self.sockets = []
        code = self.gateway.stop()
        hold(code == 0, f"the gateway ended with {code}; see gateway.log")

    def client(self, token=None):
        return Client("127.0.0.1", self.port, token, self.tls, self.newest)

    def first_sign_in(self, login, old):
        """Signs in with a temporary password, and changes it; the client."""
        # Many newcomers of one address at once are asked to wait, and told how long.
        answer = self.client().post("/v1/auth/login", {"login": login, "password": old}, key=False)
        hold(answer.ok, f"signing in as {login}: {answer}")
        client = self.client(answer.json["token"])
        changed = client.post("/v1/auth/password", {"old": old, "new": PASSWORD})
        hold(changed.ok, f"changing the password of {login}: {changed}")
        if client.get("/v1/me").ok:
            return client
        again = self.client().post("/v1/auth/login", {"login": login, "password": PASSWORD}, key=False)
        hold(again.ok, f"signing in again as {login}: {again}")
        return self.client(again.json["token"])

    def staff(self, login, role="operator", organisation=None, by=None, name=None):
        """A signed-in member of the centre, or of another organisation; `client.name` is the user's id. `by` is an admin's client, for threads of their own; `name` is what people call them."""
        admin = by or self.admin
        body = {"login": login, "role": role, "name": name or login.title()}
        if organisation:
            body["organisation"] = organisation
        made = admin.post("/v1/users", body)
        hold(made.status == 201, f"making the account {login}: {made}")
        client = self.first_sign_in(login, made.json["temporaryPassword"])
        client.name = client.get("/v1/me").json["user"]
        return client

    def by_console(self, login, role="supervisor", organisation="main"):
        """Somebody whom the console made, while nothing is served: behind such an account stands nobody else, so they approve for everybody."""
        self.stop()
        added = self.daybook("user", "add", login, "--role", role, "--organisation", organisation, "--json")
        hold(added.returncode == 0, f"making {login}: {added.stderr!r}")
        self.start()
        return self.first_sign_in(login, json.loads(added.stdout)["temporaryPassword"])

    def caller(self, desk, role="caller", phone=None):
        """A registered phone, of a number of its own or another one of a number; `client.phone` is its number, `client.device` its id."""
        if not phone:
            self.numbers += 1
            phone = f"+4477{self.numbers:08}"
        code = desk.post("/v1/devices/codes", {"phone": phone, "role": role})
        hold(code.status == 201, f"a code for {phone}: {code}")
        device = self.client().post("/v1/devices", {"phone": phone, "code": code.json["code"]}, key=False)
        hold(device.status == 201, f"registering {phone}: {device}")
        client = self.client(device.json["token"])
        client.phone, client.device = phone, device.json["device"]
        return client

    def guest(self, desk, session):
        """A browser that came by a one-use link of `desk`'s; `client.device` is its id."""
        link = desk.post(f"/v1/sessions/{session}/links", {})
        hold(link.status == 201, f"a link for {session}: {link}")
        used = self.client().post("/v1/links/use", {"link": link.json["path"], "code": link.json["code"]}, key=False)
        hold(used.status == 201, f"using the link: {used}")
        client = self.client(used.json["token"])
        client.device = used.json["device"]
        return client

    def stays_signed_in(self, *clients):
        """Does something as these operators now and then, as people at a desk do; who is silent for five minutes is signed out."""
        def attend():
            while not self.leave.wait(DEADLINE / 2):
                for client in clients:
                    try:
                        self.client(client.token).get("/v1/me")
                    except OSError:
                        pass  # the gateway is away
        threading.Thread(target=attend, daemon=True).start()

    def chat(self, caller):
        """Begins a chat: the socket and the session's id."""
        chat = caller.socket("/chat")
        self.sockets.append(chat)
        chat.send_json({"Type": "start_session"})
        opened = chat.wait_for(lambda frame: frame["Type"] == "session")
        hold(opened["Status"] == "open", f"start_session answered {opened}")
        return chat, opened["IncidentID"]

    def shown(self, client, session):
        """A session as `client` reads it, once the read model has it: what opened it may be a socket, which tells no position."""
        return until(lambda: client.get(f"/v1/sessions/{session}").json.get("session"), f"session {session} is shown")

    def daybook(self, *words, **options):
        """Runs a subcommand on the ledger's folder."""
        command = [self.program, *words, "--data", self.folder]
        return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, **options)

    def export(self):
        """The entries, as `daybook export` writes them: a list of lines without their ends."""
        done = self.daybook("export")
        hold(done.returncode == 0, f"daybook export ended with {done.returncode}: {done.stderr[-800:]!r}")
        hold(done.stdout.endswith(b"\n"), "the export does not end with a line's end")
        return done.stdout[:-1].split(b"\n")

    def entries(self):
        return [json.loads(line) for line in self.export()]

    def verify(self, *words):
        """Fails unless `daybook verify` finds the ledger sound, and its story one that the rules allow."""
        done = self.daybook("verify", "--story", *words)
        hold(done.returncode == 0, f"daybook verify ended with {done.returncode}: {done.stdout[-3000:].decode()}"
             f"{done.stderr[-800:].decode()}")


def check_order(entries):
    """Positions are gapless from 0, revisions gapless in each subject, time never goes back."""
    revisions, last = {}, ""
    for place, entry in enumerate(entries):
        hold(entry["position"] == str(place), f"line {place} has position {entry['position']}")
        expected = revisions.get(entry["subject"], -1) + 1
        hold(entry["revision"] == str(expected),
             f"position {place}: {entry['subject']} has revision {entry['revision']}, expected {expected}")
        revisions[entry["subject"]] = expected
        hold(entry["time"] >= last, f"position {place}: time goes back from {last} to {entry['time']}")
        last = entry["time"]
