#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A real Kannel on the loopback for the outside tests: bearerbox and smsbox, with this program as the SMS centre behind them. Run alone, it tests itself.

The centre `fake` takes every message, and Kannel makes its reports. The centre `http` (`with_http`), for recipients with `http_prefix`, answers as `answer`
says and reports what `report` says. Its port would listen on every interface, so bearerbox then runs in a network namespace of its own, which has a
loopback alone.
"""

import contextlib
import http.client
import http.server
import os
import re
import shutil
import socket
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

from centre import DEADLINE, hold, kept_port
from daybook import until
from server_process import ServerProcess, WorkThread, demand, give, make_folder, tail, tested_by_itself

BEARERBOX = """
group = core
admin-port = {admin_port}
admin-interface = 127.0.0.1
admin-password = adm
status-password = st
smsbox-port = {box_port}
smsbox-interface = 127.0.0.1
box-deny-ip = "*.*.*.*"
box-allow-ip = "127.0.0.1"
log-file = "{folder}/bearerbox.log"
log-level = 0
access-log = "{folder}/access.log"
store-type = file
store-location = "{folder}/store/kannel.store"
store-dump-freq = 1
dlr-storage = internal
sms-resend-freq = 1
sms-outgoing-queue-limit = {queue}

group = smsc
smsc = fake
smsc-id = fake1
host = 127.0.0.1
our-host = 127.0.0.1
port = {fake_port}
connect-allow-ip = 127.0.0.1
"""

HTTP_CENTRE = """denied-prefix = "{http_prefix}"

group = smsc
smsc = http
smsc-id = http1
system-type = generic
port = {http_port}
connect-allow-ip = 127.0.0.1
smsc-username = u
smsc-password = p
allowed-prefix = "{http_prefix}"
send-url = "http://127.0.0.1:{answer_port}/?to=%p&from=%P&text=%b&coding=%c&udh=%u"
status-success-regex = "^ok"
status-permfail-regex = "^bad"
status-tempfail-regex = "^later"
generic-foreign-id-regex = "id=([a-z0-9]+)"
"""

SMSBOX = """
group = smsbox
bearerbox-host = 127.0.0.1
sendsms-port = {port}
sendsms-interface = 127.0.0.1
log-file = "{folder}/smsbox.log"
http-request-retry = 3
http-queue-delay = 1
mo-recode = true
black-list-regex = "{black_listed}"

group = sendsms-user
username = {name}
password = {password}
max-messages = 10
concatenation = true
"""

INCOMING = """
group = sms-service
keyword = default
get-url = "{incoming}from=%p&to=%P&text=%b&id=%I&smsc=%i&time=%t"
max-messages = 0
catch-all = true
"""

GSM = set("@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà")
GSM_EXTENDED = set("[]{}^~|\\€")
REPORTS = {"delivered": 1, "failed": 2, "buffered": 4}


def septets(text):
    """The length of a text in the GSM alphabet (3GPP TS 23.038); nothing where it has other letters."""
    return sum(1 + (letter in GSM_EXTENDED) for letter in text) if set(text) <= GSM | GSM_EXTENDED else None


class SmsCentre:
    """Kannel with its `sendsms` on 127.0.0.1:`port` for `name` and `password`; `incoming` is the URL that incoming messages are sent to, with its
    own query or none.

    A message to `black_listed` is answered 400. `queue` messages wait while a centre is away, further ones are answered 503.

    `bearerbox_log`, `smsbox_log` and `access_log` are paths. As a context manager it starts and at the end is gone with its folder.
    """

    name, password, http_prefix, black_listed = "gw", "s3cret", "+4477009009", "+447700900799"

    def __init__(self, incoming=None, with_http=False, queue=1_000_000):
        demand("bearerbox", "smsbox", "setpriv")
        self.with_http, self.outside, self.inside = with_http, WorkThread(), WorkThread(own_network=with_http)
        self.port, self.admin_port, self.box_port, self.fake_port, self.http_port = (kept_port() for _ in range(5))
        self.bearerbox = self.smsbox = self.peer = self.bridge = None
        self.changed, self.found, self.parts, self.answers, self.asked = threading.Condition(), [], {}, {}, []
        self.answering = self.inside.run(_answering_server, self) if with_http else None
        self.folder = make_folder("sms")
        self.bearerbox_log, self.smsbox_log, self.access_log = (f"{self.folder}/{name}.log" for name in ("bearerbox", "smsbox", "access"))
        os.mkdir(f"{self.folder}/store")
        give(f"{self.folder}/store")
        self._write_configuration(incoming, queue)

    def __enter__(self):
        try:
            return self.start()
        except BaseException:
            self.close()
            raise

    def __exit__(self, *_):
        self.close()

    # Starting and ending

    def start(self):
        """Starts both boxes on the same ports and over the same store, connects the fake centre, and waits until all of them are ready."""
        assert self.bearerbox is None and self.smsbox is None, "the SMS centre runs"
        self.bearerbox = ServerProcess(self.inside, ["bearerbox", "-v", "4", f"{self.folder}/kannel.conf"], self.folder, f"{self.folder}/bearerbox.output")
        until(lambda: self.bearerbox.alive() and self.status(), "bearerbox's status")
        self.connect()
        if self.with_http:
            self.bridge = _Bridge(self.box_port, self._connect_inside)
        until(lambda: self.bearerbox.alive() and self._has_smsbox() and self._is_ready(), "smsbox at bearerbox, and sendsms")
        return self

    def kill(self):
        """SIGKILL for both boxes. What was answered 202 is in the store; reports still due are lost (`dlr-storage = internal`). A message that
        was under way to a centre may come twice."""
        self._end(ServerProcess.kill)

    def stop(self):
        """SIGTERM for smsbox, then for bearerbox."""
        self._end(ServerProcess.stop)

    def close(self):
        self.kill()
        if self.answering:
            self.answering.shutdown()
            self.answering.server_close()
        self.inside.end()
        self.outside.end()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _end(self, way):
        for box in (self.smsbox, self.bearerbox):
            if box:
                way(box)
        self.smsbox = self.bearerbox = None
        if self.bridge:
            self.bridge.close()
            self.bridge = None
        self.disconnect()

    def status(self):
        """Kannel's own status as text (queues, store, centres, boxes); nothing while bearerbox does not answer."""
        try:
            return self._get_inside(self.admin_port, "/status.txt?password=st")
        except OSError:
            return None

    def log(self):
        """The last of both boxes' logs."""
        return "".join(f"{path}:\n{tail(path)}\n" for path in (self.bearerbox_log, self.smsbox_log))

    def _has_smsbox(self):
        """Starts smsbox, and again where it has ended: it opens its port before it is connected, and a message in between ends it (`conn != NULL`)."""
        if self.smsbox is None or self.smsbox.process.poll() is not None:
            command = ["smsbox", "-v", "4", f"{self.folder}/kannel.conf"]
            self.smsbox = ServerProcess(self.outside, command, self.folder, f"{self.folder}/smsbox.output")
        return True

    def _is_ready(self):
        status = self.status() or ""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/cgi-bin/sendsms", timeout=DEADLINE):
                return False
        except urllib.error.HTTPError as error:
            return error.code == 403 and "smsbox:" in status
        except OSError:
            return False

    # The centre's end

    def messages(self):
        """The messages that centres took, in order, whole: `to`, `from`, `text`, `parts` (a count), `coding` (0 GSM, 2 UCS-2), `centre` (`fake`, `http`), `ids`
        (of the centre `http`, one a part), `cut`: whether a part ended in the middle of a surrogate pair, and `at`: when the last part came, in seconds since 1970."""
        with self.changed:
            return [dict(message) for message in self.found]

    def wait_for(self, count, seconds=DEADLINE):
        """The messages, once there are `count` or more."""
        with self.changed:
            if not self.changed.wait_for(lambda: len(self.found) >= count, seconds):
                found = f"{len(self.found)} and parts of {len(self.parts)}"
                raise TimeoutError(f"after {seconds} s not yet {count} messages, but {found}; {self.status()}{self.log()}")
        return self.messages()

    def connect(self):
        """The fake centre comes (back); returns once Kannel has it online."""
        assert self.peer is None, "the fake centre is connected"
        self.peer = until(self._connect_peer, "bearerbox's port for the fake centre")
        threading.Thread(target=self._read_lines, args=(self.peer,), daemon=True).start()
        until(lambda: re.search(r"fake1.*\(online", self.status() or ""), "the fake centre online")

    def disconnect(self):
        """The fake centre goes; Kannel queues what is sent meanwhile."""
        if self.peer:
            with contextlib.suppress(OSError):
                self.peer.shutdown(socket.SHUT_RDWR)
            self.peer = None
            if self.bearerbox:
                until(lambda: not re.search(r"fake1.*\(online", self.status() or ""), "the fake centre away")

    def reply(self, from_number, text, to="8888"):
        """An incoming SMS, whole whatever its length. Kannel's line for a GSM text cannot hold a line feed: with one, the SMS comes as UCS-2."""
        is_gsm = septets(text) is not None and not set(text) & set("\r\n")
        line = f"text {text}" if is_gsm else f"ucs2 {urllib.parse.quote_from_bytes(text.encode('utf-16-be'), safe='')}"
        self.peer.sendall(f"{from_number} {to} {line}\n".encode())

    def answer(self, recipient, kind):
        """What the centre `http` answers for a recipient from now on: `ok` (as by default), `bad` (for ever) or `later` (asked again after some seconds)."""
        assert kind in ("ok", "bad", "later"), kind
        assert recipient.startswith(self.http_prefix), f"{recipient} is none of the centre http"
        self.answers[recipient] = kind

    def report(self, id, kind):
        """The centre `http` reports how a part ended: `delivered`, `failed` or `buffered`. `id` is one of a message's `ids`."""
        query = urllib.parse.urlencode({"username": "u", "password": "p", "dlr-mask": REPORTS[kind], "dlr-mid": id, "from": "centre", "to": "1"})
        self._get_inside(self.http_port, f"/?{query}")

    def _connect_peer(self):
        try:
            return self._connect_inside(self.fake_port)
        except OSError:
            return None

    def _read_lines(self, peer):
        """Takes what Kannel sends to the fake centre, a line a message; but a text's own line feeds come bare, so a line of another form goes on with
        the text before. Recipients have 7 to 15 digits."""
        data, last = b"", None
        with contextlib.suppress(OSError), peer:
            peer.settimeout(None)
            while more := peer.recv(1 << 20):
                data += more
                if not data.endswith(b"\n"):
                    continue
                # Kannel writes a message at once: nobody sees the first line of a text without the others.
                with self.changed:
                    for line in data[:-1].split(b"\n"):
                        last = self._take_line(line, last)
                data = b""

    def _take_line(self, line, last):
        found = re.fullmatch(rb"(\S+) (\+?\d{7,15}) (text|ucs-2|data|udh) (.*)", line, re.DOTALL)
        if not found:
            if last:
                last["text"] += "\n" + line.decode()
            return last
        sender, recipient, kind, rest = found.groups()
        header = b""
        if kind == b"udh":
            header, _, rest = (_unquote(part) for part in rest.split(b" "))
        elif kind != b"text":
            rest = _unquote(rest)
        return self._take("fake", sender.decode(), recipient.decode(), header, rest, {b"text": 0, b"ucs-2": 2}.get(kind))

    def _take(self, centre, sender, recipient, header, data, coding, id=None):
        """Keeps a part, and the message once it is whole; a part that comes again replaces its like. The fake centre's lines do not say which
        coding a part has."""
        reference, count, number = _concatenation(header)
        with self.changed:
            key = centre, sender, recipient, reference, count
            parts = self.parts.setdefault(key, {})
            parts[number] = data, id
            if len(parts) < count:
                return None
            del self.parts[key]
            pieces = [parts[number][0] for number in sorted(parts)]
            coding = _coding(pieces) if coding is None else coding
            text = b"".join(pieces).decode("utf-16-be" if coding == 2 else "utf-8", "replace")
            message = {"to": recipient, "from": sender, "text": text, "parts": count, "coding": coding,
                       "centre": centre, "ids": [parts[number][1] for number in sorted(parts) if parts[number][1]],
                       "cut": coding == 2 and any(0xD8 <= piece[-2] < 0xDC for piece in pieces[:-1]), "at": time.time()}
            self.found.append(message)
            self.changed.notify_all()
            return message

    def _answer_http(self, query):
        value = {name: values[-1] for name, values in urllib.parse.parse_qs(query, keep_blank_values=True, encoding="latin-1").items()}
        recipient = value["to"]
        with self.changed:
            kind = self.answers.get(recipient, "ok")
            self.asked.append((recipient, kind))
            id = f"m{len(self.asked)}"
            self.changed.notify_all()
        if kind == "ok":
            header, data = (value[name].encode("latin-1") for name in ("udh", "text"))
            self._take("http", value["from"], recipient, header, data, 2 if value["coding"] == "2" else 0, id)
        return {"ok": f"ok id={id}", "bad": "bad number", "later": "later"}[kind]

    def _connect_inside(self, port):
        return self.inside.run(socket.create_connection, ("127.0.0.1", port), DEADLINE)

    def _get_inside(self, port, path):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=DEADLINE)
        connection.sock = self._connect_inside(port)
        with contextlib.closing(connection):
            try:
                connection.request("GET", path)
                return connection.getresponse().read().decode(errors="replace")
            except http.client.HTTPException as error:
                raise ConnectionResetError(str(error)) from error

    def _write_configuration(self, incoming, queue):
        values = {"folder": self.folder, "admin_port": self.admin_port, "box_port": self.box_port, "fake_port": self.fake_port, "http_port": self.http_port,
                  "port": self.port, "name": self.name, "password": self.password, "http_prefix": self.http_prefix, "queue": queue, "black_listed": self.black_listed[1:],
                  "answer_port": self.answering and self.answering.server_port, "incoming": incoming and incoming + ("&" if "?" in incoming else "?")}
        with open(f"{self.folder}/kannel.conf", "w") as file:
            file.write((BEARERBOX + (HTTP_CENTRE if self.with_http else "") + SMSBOX + (INCOMING if incoming else "")).format(**values))


def _unquote(data):
    return urllib.parse.unquote_to_bytes(data.replace(b"+", b" "))


def _concatenation(header):
    """Reference, count and number of a part by its user data header (3GPP TS 23.040 §9.2.3.24); a whole message is the only part of one."""
    place = 1
    while place + 2 <= len(header):
        kind, length = header[place], header[place + 1]
        value = header[place + 2:place + 2 + length]
        if kind == 0 and length == 3:
            return tuple(value)
        if kind == 8 and length == 4:
            return int.from_bytes(value[:2], "big"), value[2], value[3]
        place += 2 + length
    return None, 1, 1


def _coding(pieces):
    """0 where all parts are UTF-8 of the GSM alphabet and all but the last are full by its count, else 2."""
    try:
        lengths = [septets(piece.decode()) for piece in pieces]
    except UnicodeDecodeError:
        return 2
    return 0 if None not in lengths and all(length in (152, 153) for length in lengths[:-1]) else 2


def _answering_server(centre):
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            body = centre._answer_http(urllib.parse.urlsplit(self.path).query).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    return _serve(Handler)


def _serve(handler):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    return server


class _Bridge:
    """Carries smsbox's connections to bearerbox into its network namespace; closes them all at `close`, as a bearerbox that ended would."""

    def __init__(self, port, connect):
        self.port, self.connect, self.lock, self.open = port, connect, threading.Lock(), set()
        self.listener = socket.create_server(("127.0.0.1", port))
        self.open.add(self.listener)
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        with self.lock:
            for end in self.open:
                with contextlib.suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
                end.close()
            self.open.clear()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                near, _ = self.listener.accept()
                try:
                    far = self.connect(self.port)
                except OSError:
                    near.close()
                    continue
                far.settimeout(None)
                with self.lock:
                    self.open |= {near, far}
                for source, target in ((near, far), (far, near)):
                    threading.Thread(target=self._carry, args=(source, target), daemon=True).start()

    def _carry(self, source, target):
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                target.sendall(data)
        for end in (source, target):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


# The self-test

class _Listener:
    """Takes incoming messages and reports, as the gateway will."""

    def __init__(self):
        self.changed, self.asked = threading.Condition(), []
        listener = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                parts = urllib.parse.urlsplit(self.path)
                with listener.changed:
                    listener.asked.append((parts.path, dict(urllib.parse.parse_qsl(parts.query, keep_blank_values=True))))
                    listener.changed.notify_all()
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = _serve(Handler)
        self.origin = f"http://127.0.0.1:{self.server.server_port}"

    def wait_for(self, wanted, what):
        with self.changed:
            hold(self.changed.wait_for(lambda: any(wanted(*one) for one in self.asked), DEADLINE), f"not told: {what}; but {self.asked}")
            return next(value for path, value in self.asked if wanted(path, value))

    def report(self, id, kind):
        return self.wait_for(lambda path, value: path == "/dlr" and value["id"] == id and value["type"] == str(kind), f"report {kind} of {id}")


class _Test:
    def __init__(self, centre, listener):
        self.centre, self.listener, self.count = centre, listener, 0

    def send(self, text, to="+447700900301", report=None, **more):
        query = {"username": self.centre.name, "password": self.centre.password, "from": "daybook", "to": to, "text": text, "charset": "UTF-8",
                 "coding": 0 if septets(text) is not None else 2, **more}
        if report:
            query |= {"dlr-mask": 31, "dlr-url": f"{self.listener.origin}/dlr?id={report}&type=%d&reply=%A&ph=%p"}
        with urllib.request.urlopen(f"http://127.0.0.1:{self.centre.port}/cgi-bin/sendsms?{urllib.parse.urlencode(query)}", timeout=DEADLINE) as answer:
            return answer.status, answer.read().decode()

    def arrives(self, text, parts, coding, cut=False, **more):
        status, body = self.send(text, **more)
        hold(status == 202, f"{status} {body}")
        self.count += 1
        message = self.centre.wait_for(self.count)[-1]
        told = {name: message[name] for name in ("text", "parts", "coding", "cut")}
        expected = {"text": text, "parts": parts, "coding": coding, "cut": cut}
        hold(told == expected, f"{told} came, not {expected}")
        return message

    def texts(self):
        message = self.arrives("x" * 160, 1, 0)
        hold((message["to"], message["from"]) == ("+447700900301", "daybook"), f"{message}")
        self.arrives("x" * 161, 2, 0)
        self.arrives("x" * 306, 2, 0)
        self.arrives("x" * 307, 3, 0)
        self.arrives("€", 1, 0)
        self.arrives("€" * 80, 1, 0)
        self.arrives("€" * 81, 2, 0)
        self.arrives("a[" * 76, 2, 0)
        self.arrives("two\nlines", 1, 0)
        self.arrives("two\nlines " * 20, 2, 0)
        self.arrives("Пожар 🚨", 1, 2)
        self.arrives("ж" * 70, 1, 2)
        self.arrives("ж" * 71, 2, 2)
        self.arrives("中" * 201, 3, 2)
        self.arrives("中文 é 🚨 ж " * 67, 10, 2, cut=True)
        return "GSM 160, 161, 306, 307; €; line feeds; UCS-2 70, 71, 201 units and 10 parts; emoji"

    def borders(self):
        self.arrives("ж" * 66 + "🚨" + "ж" * 10, 2, 2, cut=True)
        self.arrives("ж" * 66 + " 🚨" + "ж" * 10, 2, 2)
        self.arrives("ж" * 65 + "🚨" + "ж" * 10, 2, 2)
        return "an emoji at units 67–68 is cut by Kannel, each half in its part (joined by bytes it is whole); one blank before it avoids that"

    def incoming(self):
        for number, text in enumerate(("ACK 42", "é € [x] + & %41 = ?", "Да, иду 🚨", "two\nlines", "long " * 60)):
            self.centre.reply(f"+15551234{number}", text)
            value = self.listener.wait_for(lambda path, value: value.get("from") == f"+15551234{number}", text)
            told = tuple(value[name] for name in ("text", "to", "key", "smsc"))
            hold(told == (text, "8888", "K", "fake1") and value["id"] and value["time"], f"{value}, sent was {text!r}")
        return "GSM, special letters, UCS-2 with emoji, two lines, 300 letters arrive at the URL as sent"

    def reports(self):
        self.arrives("report", 1, 0, report="r1")
        self.listener.report("r1", 8)
        value = self.listener.report("r1", 1)
        hold(value["ph"] == "+447700900301", f"{value}")
        return "8 and 1 at dlr-url"

    def away(self):
        self.centre.disconnect()
        hold(self.send("later") == (202, "3: Queued for later delivery"), "queued")
        self.centre.connect()
        self.count += 1
        hold(self.centre.wait_for(self.count)[-1]["text"] == "later", "what was queued arrives")
        return "queued while the centre is away, delivered when it is back"

    def kills(self):
        self.centre.disconnect()
        sent = [f"kept {number}" for number in range(12)] + ["kept long " * 30]
        for text in sent:
            hold(self.send(text)[0] == 202, text)
        port = self.centre.port
        for _ in range(2):
            self.centre.kill()
            self.centre.start()
        self.centre.wait_for(self.count + len(sent))
        until(lambda: re.search(r"sent \d+ \(0 queued\), store size 0", self.centre.status()), "an empty store")
        found = [message["text"] for message in self.centre.messages()[self.count:]]
        hold(set(found) == set(sent) and port == self.centre.port, f"{found}")
        self.count += len(found)
        self.centre.parts.clear()
        self.arrives("after the kills", 1, 0)
        return f"{len(sent)} × 202, twice SIGKILL and start on the same port: none lost, {len(found) - len(sent)} doubled by Kannel"

    def refusals(self):
        for query, status in (({"password": "wrong"}, 403), ({"to": ""}, 400), ({"to": self.centre.black_listed}, 400)):
            try:
                hold(False, f"{self.send('x', **query)}")
            except urllib.error.HTTPError as error:
                hold(error.code == status, f"{query}: {error.code}")
        return "403 and 400"

    def failures(self):
        good, bad, late = (self.centre.http_prefix + ending for ending in ("01", "02", "03"))
        message = self.arrives("g é € 1", 1, 0, to=good, report="h1")
        hold(message["centre"] == "http", f"{message}")
        self.listener.report("h1", 8)
        self.centre.report(message["ids"][0], "delivered")
        self.listener.report("h1", 1)
        message = self.arrives("x" * 161, 2, 0, to=good, report="h2")
        for id in message["ids"]:
            self.centre.report(id, "failed")
        self.listener.report("h2", 2)
        self.arrives("Пожар 🚨 " * 12, 2, 2, to=good)
        self.centre.answer(bad, "bad")
        self.send("b", to=bad, report="h3")
        self.listener.report("h3", 16)
        self.centre.answer(late, "later")
        self.send("l", to=late)
        with self.centre.changed:
            hold(self.centre.changed.wait_for(lambda: self.centre.asked.count((late, "later")) >= 2, DEADLINE), "asked again")
        self.centre.answer(late, "ok")
        self.count += 1
        hold(self.centre.wait_for(self.count)[-1]["text"] == "l", "accepted at last")
        return "8 then 1; 2 for a part that failed; 16 for bad; later until ok; two parts, UCS-2"

    def loopback(self):
        """Which addresses the boxes listen on, here and in bearerbox's own network."""
        addresses = {where: _listening(process) for where, process in (("here", "self"), ("bearerbox", str(self.centre.bearerbox.process.pid)))}
        ours = {port for port in (self.centre.port, self.centre.admin_port, self.centre.box_port, self.centre.fake_port, self.centre.http_port)}
        open_here = {address for address, port in addresses["here"] if port in ours}
        hold(open_here == {"127.0.0.1"}, f"{open_here}")
        if self.centre.with_http:
            hold(("0.0.0.0", self.centre.http_port) in addresses["bearerbox"], "the http centre's port")
        return "every port here is on 127.0.0.1" + (", the http centre's 0.0.0.0 is another network's" if self.centre.with_http else "")


def _listening(process):
    found = set()
    with open(f"/proc/{process}/net/tcp") as file:
        for line in list(file)[1:]:
            fields = line.split()
            if fields[3] == "0A":
                address, port = fields[1].split(":")
                found.add((socket.inet_ntoa(bytes.fromhex(address)[::-1]), int(port, 16)))
    return found


def _self_test():
    listener = _Listener()
    for with_http in (False, True):
        begun = time.monotonic()
        with SmsCentre(f"{listener.origin}/v1/sms/incoming?key=K", with_http) as centre:
            print(f"started {'with' if with_http else 'without'} the http centre in {time.monotonic() - begun:.2f} s on {centre.port}", flush=True)
            test = _Test(centre, listener)
            tests = [test.texts, test.borders, test.incoming, test.reports, test.away, test.kills, test.refusals, test.loopback]
            for one in [test.failures, test.incoming, test.reports, test.kills, test.failures, test.loopback] if with_http else tests:
                listener.asked.clear()
                begun = time.monotonic()
                said = one()
                print(f"ok {one.__name__}, {time.monotonic() - begun:.1f} s: {said}", flush=True)
            hold(len(centre.messages()) == test.count and not centre.parts, "no more messages than were sent")
            begun = time.monotonic()
            centre.stop()
            print(f"ok stop: in {time.monotonic() - begun:.2f} s")
        hold(not os.path.exists(centre.folder), "the folder is gone")


if __name__ == "__main__":
    tested_by_itself(_self_test)
