#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A real Exim on the loopback for the outside tests: takes mail with and without TLS, keeps it in a Maildir, refuses and delays as asked.

Run alone, it tests itself.

What it answers: RCPT to `perm…` 550, to `temp…` 451, to `auth…` 530 without AUTH; a subject with DEFERDATA 451, with REJECTDATA 554 after DATA; the
rest by `MailServer.flag`.
"""

import email
import email.policy
import os
import re
import shutil
import smtplib
import socket
import ssl
import subprocess
import threading
import time

from centre import DEADLINE, Failed, hold, kept_port
from daybook import until
from server_process import ServerProcess, WorkThread, demand, give, make_folder, server_user, tail, tested_by_itself

CONFIGURATION = r"""
exim_user = USER
exim_group = GROUP
keep_environment =
primary_hostname = mail.test
host_lookup =
rfc1413_query_timeout = 0s
spool_directory = FOLDER/spool
log_file_path = FOLDER/log/%slog
pid_file_path = FOLDER/exim.pid
notifier_socket =
local_interfaces = 127.0.0.1
daemon_smtp_ports = PORT_PLAIN : PORT_TLS
tls_on_connect_ports = PORT_TLS
daemon_startup_retries = 0
tls_advertise_hosts = *
tls_certificate = FOLDER/certificate.pem
tls_privatekey = FOLDER/key.pem
smtputf8_advertise_hosts = *
message_size_limit = 10M
check_spool_space = 0
check_spool_inodes = 0
check_log_space = 0
check_log_inodes = 0
smtp_accept_max = 500
smtp_accept_max_per_connection = 0
smtp_accept_queue_per_connection = 0
deliver_drop_privilege = true
acl_smtp_connect = conn
acl_smtp_rcpt = rcpt
acl_smtp_data = data

begin acl
conn:
defer condition = ${if exists{FOLDER/flag.421}}
message = 421 4.3.2 not now
accept delay = ${if exists{FOLDER/flag.slow}{2s}{0s}}

rcpt:
defer condition = ${if exists{FOLDER/flag.451}}
message = 451 4.7.1 greylisted
deny local_parts = ^perm
message = 550 5.1.1 no such user
defer local_parts = ^temp
message = 451 4.3.2 try again
deny !authenticated = *
local_parts = ^auth
message = 530 5.7.0 authentication required
accept

data:
defer condition = ${if match{$rh_Subject:}{DEFERDATA}}
message = 451 4.3.0 not now
deny condition = ${if match{$rh_Subject:}{REJECTDATA}}
message = 554 5.6.0 refused content
accept

begin routers
all:
driver = accept
transport = box

begin transports
box:
driver = appendfile
maildir_format
create_directory
directory = FOLDER/box
envelope_to_add
return_path_add

begin authenticators
plain:
driver = plaintext
public_name = PLAIN
server_prompts = :
server_set_id = $auth2
server_condition = ${if and{{eq{$auth2}{NAME}}{eq{$auth3}{PASSWORD}}}}
server_advertise_condition = ${if def:tls_in_cipher}
login:
driver = plaintext
public_name = LOGIN
server_prompts = Username:: : Password::
server_set_id = $auth1
server_condition = ${if and{{eq{$auth1}{NAME}}{eq{$auth2}{PASSWORD}}}}
server_advertise_condition = ${if def:tls_in_cipher}
"""


class _Utf8Headers(email.policy.EmailPolicy):
    """The default policy, which also reads headers in raw UTF-8 (RFC 6532)."""

    def header_source_parse(self, sourcelines):
        name, value = super().header_source_parse(sourcelines)
        return name, value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


class MailServer:
    """Exim on two free ports of 127.0.0.1: `port` (plain, STARTTLS) and `tls_port` (TLS from the start); AUTH PLAIN and LOGIN under TLS for `name`, `password`.

    `certificate` is the path of its certificate, to trust; it names `localhost` alone, so a client that checks for 127.0.0.1 or another name must refuse it.
    As a context manager it starts and at the end is gone with its folder.
    """

    name, password = "gw", "s3cret"

    def __init__(self):
        demand("exim4", "openssl", "setpriv")
        self.folder = make_folder("mail")
        self.port, self.tls_port = kept_port(), kept_port()
        self.certificate = f"{self.folder}/certificate.pem"
        self.thread, self.process, self.files = WorkThread(), None, {}
        for name in ("spool", "log"):
            os.mkdir(f"{self.folder}/{name}")
            give(f"{self.folder}/{name}")
        self._make_certificate()
        self._write_configuration()

    def __enter__(self):
        try:
            return self.start()
        except BaseException:
            self.close()
            raise

    def __exit__(self, *_):
        self.close()

    def start(self):
        """Starts Exim on the same ports and over the same spool, and waits for the greeting of both ports; mail taken before a kill is then delivered."""
        assert self.process is None, "the mail server runs"
        until(self._has_started, "Exim's greeting")
        until(lambda: self._greets(self.tls_port, ssl.create_default_context(cafile=self.certificate)), "Exim's greeting over TLS")
        return self

    def _has_started(self):
        """A child that is being killed may hold the port for a moment: then Exim ends at once, and is started again."""
        self.process = self.process or ServerProcess(self.thread, ["exim4", "-C", f"{self.folder}/exim.conf", "-bdf", "-q1m"], self.folder, f"{self.folder}/output")
        try:
            return self._greets(self.port)
        except Failed:
            self.process = None
            return False

    def kill(self):
        """SIGKILL for Exim and all of its children."""
        self.process.kill()
        self.process = None

    def stop(self):
        """SIGTERM; connections that are open are served to their end by children, which then are killed."""
        self.process.stop()
        self.process = None

    def close(self):
        if self.process:
            self.kill()
        self.thread.end()
        shutil.rmtree(self.folder, ignore_errors=True)

    def flag(self, name, on=True):
        """Changes the behaviour at once: `421` refuses connections, `451` defers each recipient, `slow` greets 2 s late."""
        assert name in ("421", "451", "slow"), name
        path = f"{self.folder}/flag.{name}"
        if on:
            open(path, "w").close()
        elif os.path.exists(path):
            os.remove(path)

    def messages(self):
        """The delivered messages in the order of their delivery, one a recipient, as `EmailMessage` with more attributes: `recipient` and `sender` of the
        envelope, `id`, which Exim gave to what it took in one DATA, `source`, the bytes as kept (lines end with LF, three headers added), and `at`: when they
        were written, in seconds since 1970.

        Exim killed between filing a message and noting that files it again; such a copy is left out, so that a double is always the client's.
        """
        new = f"{self.folder}/box/new"
        names = os.listdir(new) if os.path.isdir(new) else []
        for name in names:
            if name not in self.files:
                self.files[name] = self._read(f"{new}/{name}")
        found = {}
        for message in (self.files[name] for name in sorted(names, key=_maildir_order)):
            found.setdefault((message.id, message.recipient), message)
        return list(found.values())

    def wait_for(self, count, seconds=DEADLINE):
        """The messages, once there are `count` or more."""
        try:
            return until(lambda: len(found := self.messages()) >= count and found, f"{count} messages", seconds)
        except TimeoutError as error:
            raise TimeoutError(f"{error}; there are {len(self.messages())}; log:\n{self.log()[-2000:]}") from None

    def log(self):
        """Exim's main log: `<=` taken (with `X=TLS…`, `A=plain:gw`), `=>` delivered, refusals."""
        return tail(f"{self.folder}/log/mainlog", 1 << 24)

    def _read(self, path):
        with open(path, "rb") as file:
            source, written = file.read(), os.fstat(file.fileno()).st_mtime
        message = email.message_from_bytes(source, policy=_Utf8Headers())
        message.source, message.at, message.id = source, written, re.search(rb"\bid (\w{6}-\w{6}-\w{2})", source)[1].decode()
        message.recipient, message.sender = (str(message[name]).strip().strip("<>") for name in ("Envelope-to", "Return-path"))
        return message

    def _greets(self, port, tls=None):
        self.process.alive()
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=DEADLINE) as connection:
                wrapped = tls.wrap_socket(connection, server_hostname="localhost") if tls else connection
                with wrapped, wrapped.makefile("rb") as lines:
                    return lines.readline()[:4] in (b"220 ", b"421 ")
        except OSError:
            return False

    def _make_certificate(self):
        key = f"{self.folder}/key.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "30",
                        "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", self.certificate], check=True, capture_output=True)
        give(key)
        os.chmod(self.certificate, 0o644)
        os.chmod(self.folder, 0o755)

    def _write_configuration(self):
        user = server_user()
        values = {"USER": user.pw_name, "GROUP": str(user.pw_gid), "FOLDER": self.folder, "PORT_PLAIN": str(self.port), "PORT_TLS": str(self.tls_port),
                  "NAME": self.name, "PASSWORD": self.password}
        with open(f"{self.folder}/exim.conf", "w") as file:
            file.write(re.sub(r"\b(USER|GROUP|FOLDER|PORT_PLAIN|PORT_TLS|NAME|PASSWORD)\b", lambda found: values[found[1]], CONFIGURATION))


def _maildir_order(name):
    seconds, microseconds = re.match(r"(\d+)\.[HM](\d+)", name).groups()
    return int(seconds), int(microseconds), name


# The self-test

def _message(number, subject=None, recipient="ana@example.test", text="hello"):
    message = email.message.EmailMessage()
    message["From"], message["To"], message["Message-ID"] = "desk@daybook.test", recipient, f"<{number}@daybook.test>"
    message["Subject"] = subject or f"number {number}"
    message.set_content(text)
    return message


def _code(action):
    try:
        action()
    except smtplib.SMTPRecipientsRefused as error:
        return next(iter(error.recipients.values()))[0]
    except smtplib.SMTPResponseException as error:
        return error.smtp_code
    return 250


def _test_plain(server):
    with smtplib.SMTP("127.0.0.1", server.port, timeout=DEADLINE) as client:
        client.send_message(_message(1, "Straße gesperrt", text="größer\n.dot\n"), to_addrs=["ana@example.test", "bo@example.test"])
        first, second = server.wait_for(2)
        hold({first.recipient, second.recipient} == {"ana@example.test", "bo@example.test"} and first.sender == "desk@daybook.test", "the envelope")
        hold(first["Subject"] == "Straße gesperrt" and first.get_content() == "größer\n.dot\n", f"the text: {first.source!r}")
        hold(not client.has_extn("auth"), "no AUTH in plain text")
        codes = [_code(lambda: client.send_message(_message(0, subject, recipient))) for subject, recipient in (
            (None, "perm@x.test"), (None, "temp@x.test"), (None, "auth@x.test"), ("DEFERDATA", "a@x.test"), ("REJECTDATA", "a@x.test"))]
        hold(codes == [550, 451, 530, 451, 554], f"refusals: {codes}")
    return "envelope, Subject and text; 550, 451, 530 at RCPT, 451 and 554 after DATA"


def _test_tls(server):
    trust = ssl.create_default_context(cafile=server.certificate)
    for host, expected in (("localhost", None), ("127.0.0.1", ssl.SSLCertVerificationError)):
        for implicit in (False, True):
            try:
                client = (smtplib.SMTP_SSL(host, server.tls_port, context=trust, timeout=DEADLINE) if implicit
                          else smtplib.SMTP(host, server.port, timeout=DEADLINE))
                with client:
                    if not implicit:
                        client.starttls(context=trust)
                    hold(expected is None, f"the certificate must not hold for {host}")
                    hold(_code(lambda: client.login("gw", "wrong")) == 535, "a wrong password")
                    client.login(server.name, server.password)
                    client.send_message(_message(2 + implicit, recipient="auth@example.test"))
            except ssl.SSLCertVerificationError:
                hold(expected is not None, f"the certificate does not hold for {host}")
    server.wait_for(4)
    for method in ("LOGIN", "PLAIN"):
        with smtplib.SMTP_SSL("localhost", server.tls_port, context=trust, timeout=DEADLINE) as client:
            client.ehlo()
            client.user, client.password = server.name, server.password
            client.auth(method, getattr(client, f"auth_{method.lower()}"), initial_response_ok=method == "LOGIN")
    hold(server.log().count("A=plain:gw") == 2 and " X=TLS" in server.log(), "TLS and AUTH in the log")
    return "STARTTLS, implicit TLS, AUTH PLAIN with and without initial response, LOGIN, 535; the certificate is refused for 127.0.0.1"


def _test_utf8(server):
    with smtplib.SMTP("127.0.0.1", server.port, timeout=DEADLINE) as client:
        client.ehlo()
        body = ("From: desk@daybook.test\r\nTo: jürgen@example.test\r\nSubject: Überfall 🚨\r\n"
                "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n漢字 é\r\n")
        client.sendmail("desk@daybook.test", ["jürgen@example.test"], body.encode(), mail_options=["SMTPUTF8", "BODY=8BITMIME"])
    message = server.wait_for(5)[-1]
    told = message.recipient, message["Subject"], message.get_content()
    hold(told == ("jürgen@example.test", "Überfall 🚨", "漢字 é\n"), f"SMTPUTF8: {message.source!r}")
    return "SMTPUTF8 recipient, raw UTF-8 Subject, 8-bit text"


def _test_flags(server):
    server.flag("421")
    hold(_code(lambda: smtplib.SMTP("127.0.0.1", server.port, timeout=DEADLINE)) == 421, "421")
    server.flag("421", False)
    server.flag("451")
    with smtplib.SMTP("127.0.0.1", server.port, timeout=DEADLINE) as client:
        hold(_code(lambda: client.send_message(_message(0))) == 451, "451")
        server.flag("451", False)
        hold(_code(lambda: client.send_message(_message(6))) == 250, "no 451 more")
    server.flag("slow")
    begun = time.monotonic()
    smtplib.SMTP("127.0.0.1", server.port, timeout=DEADLINE).close()
    server.flag("slow", False)
    hold(time.monotonic() - begun >= 1.9, "slow")
    server.wait_for(6)
    return "421, 451 and slow on and off without a restart"


def _test_connection(server):
    before = len(server.messages())
    with smtplib.SMTP("127.0.0.1", server.port, timeout=DEADLINE) as client:
        for number in range(60):
            client.send_message(_message(f"c{number}"))
    hold(len(server.wait_for(before + 60)) == before + 60, "60 messages")
    return "60 messages on one connection, all delivered at once"


def _test_kills(server, rounds=4):
    before, taken, ended = len(server.messages()), [], threading.Event()

    def send():
        client, number = None, 0
        while not ended.is_set():
            try:
                client = client or smtplib.SMTP("127.0.0.1", server.port, timeout=DEADLINE)
                client.send_message(_message(f"k{number}"))
                taken.append(f"<k{number}@daybook.test>")
            except (OSError, smtplib.SMTPException):
                client = None
                ended.wait(0.01)
            number += 1

    sender = threading.Thread(target=send)
    sender.start()
    ports = server.port, server.tls_port
    try:
        for _ in range(rounds):
            goal = len(taken) + 10
            until(lambda: len(taken) >= goal, "10 more messages taken", pause=0.005)
            server.kill()
            server.start()
    finally:
        ended.set()
        sender.join()
    until(lambda: set(taken) <= {message["Message-ID"] for message in server.messages()}, "each message that was taken")
    found = [message["Message-ID"] for message in server.messages()[before:]]
    hold(len(found) == len(set(found)), "doubled")
    hold(ports == (server.port, server.tls_port), "the same ports")
    return (f"{rounds} × SIGKILL and start on the same ports: {len(taken)} messages taken, none lost, none doubled "
            f"({len(set(found) - set(taken))} more whose answer was lost, "
            f"{len(server.files) - len(server.messages())} copies of Exim's own left out)")


def _self_test():
    begun = time.monotonic()
    with MailServer() as server:
        print(f"started in {time.monotonic() - begun:.2f} s on {server.port}, {server.tls_port}")
        for test in (_test_plain, _test_tls, _test_utf8, _test_flags, _test_connection, _test_kills):
            print(f"ok {test.__name__[6:]}: {test(server)}", flush=True)
        begun = time.monotonic()
        server.stop()
        hold(_code_refused(server.port), "nobody listens after stop")
        print(f"ok stop: in {time.monotonic() - begun:.2f} s")
        folder = server.folder
    hold(not os.path.exists(folder), "the folder is gone")


def _code_refused(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) != 0


if __name__ == "__main__":
    tested_by_itself(_self_test)
