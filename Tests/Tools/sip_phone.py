# SPDX-License-Identifier: Apache-2.0
"""A small SIP telephone for the outside tests, standard library only: RFC 3261 as far as text needs it, over UDP, TCP and TLS.

It answers requests with `status`, or not at all, sends what it is told as often as it is told, and keeps what came.
"""

import secrets
import select
import socket
import ssl
import threading
import time

from centre import kept_port
from daybook import DEADLINE

COMPACT = {"v": "via", "f": "from", "t": "to", "i": "call-id", "m": "contact", "c": "content-type", "l": "content-length", "s": "subject", "k": "supported"}
# Timer E of RFC 3261 §17.1.2.2: T1, doubling to T2.
T1, T2 = 0.5, 4


def sip_port(hosts=("127.0.0.1",)):
    """A port that is free in UDP and TCP, and kept for a gateway."""
    while True:
        port = kept_port()
        try:
            for host in hosts:
                with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
                    probe.bind((host, port))
            return port
        except OSError:
            continue


class Message:
    """A request or an answer: its first line, its header fields in their order, and its body."""

    def __init__(self, start, fields, body=b""):
        self.start, self.fields, self.body = start, list(fields), body

    @classmethod
    def parse(cls, data):
        head, _, body = data.partition(b"\r\n\r\n")
        start, *lines = head.decode("utf-8", "replace").replace("\r\n ", " ").replace("\r\n\t", " ").split("\r\n")
        return cls(start, [(name.strip(), value.strip()) for name, _, value in (line.partition(":") for line in lines)], body)

    @property
    def bytes(self):
        lines = [self.start, *(f"{name}: {value}" for name, value in self.fields if name.lower() != "content-length"), f"Content-Length: {len(self.body)}"]
        return "\r\n".join(lines).encode() + b"\r\n\r\n" + self.body

    def all(self, name):
        return [value for one, value in self.fields if COMPACT.get(one.lower(), one.lower()) == name.lower()]

    def __getitem__(self, name):
        return next(iter(self.all(name)), "")

    @property
    def status(self):
        """Of an answer; `None` of a request."""
        return int(self.start.split(" ")[1]) if self.start.startswith("SIP/") else None

    @property
    def method(self):
        return self["CSeq"].split()[-1]

    @property
    def text(self):
        return self.body.decode()

    @property
    def key(self):
        """What an answer and its request have in common (RFC 3261 §17.1.3)."""
        return self["Via"].partition("branch=")[2].split(";")[0].split(",")[0], self.method

    def __repr__(self):
        return f"{self.start} {self.body[:200]!r}"


class Transaction:
    """A request that the telephone made: it is sent as often as `send` is called, or by `deliver` until it is answered."""

    def __init__(self, phone, request):
        self.phone, self.request, self.answers = phone, request, []

    def send(self):
        self.phone.send_bytes(self.request.bytes)
        return self

    def moves_to(self, phone):
        """From now on it is sent, and answered, by another telephone: one that connects anew."""
        with phone.changed:
            self.phone = phone
            phone.transactions[self.request.key] = self
        return self

    def waits_for(self, count=1, within=DEADLINE, least=200):
        """The answers of at least this status, once there are so many."""
        with self.phone.changed:
            if not self.phone.changed.wait_for(lambda: len(self._of(least)) >= count, within):
                raise TimeoutError(f"{count} answers to {self.request.start}: there are {self.answers}")
            return self._of(least)

    def _of(self, least):
        return [answer for answer in self.answers if answer.status >= least]

    def deliver(self, within=DEADLINE):
        """The final answer; by UDP the request is repeated until it is there, also while nobody listens."""
        end, pause = time.monotonic() + within, T1
        self.send()
        while self.phone.is_datagram and time.monotonic() < end:
            try:
                return self.waits_for(within=min(pause, max(0, end - time.monotonic())))[0]
            except TimeoutError:
                self.send()
                pause = min(2 * pause, T2)
        return self.waits_for(within=max(0, end - time.monotonic()))[0]


class Phone:
    """A telephone at `host`, an address of the loopback, for a gateway on 127.0.0.1:`port`; `tls` is an `ssl.SSLContext`.

    `received` has the requests that came, each once; `copies` says how many there were of each in all. `status` answers them: 200, another one, or
    `None` for silence.
    """

    def __init__(self, port, number, transport="udp", host="127.0.0.1", tls=None, name=None):
        self.transport, self.number, self.name, self.host, self.status = transport, number, name, host, 200
        self.is_datagram = transport == "udp"
        self.received, self.copies, self.transactions, self.given = [], {}, {}, {}
        self.changed, self.lock, self.is_closed = threading.Condition(), threading.Lock(), False
        self.gateway = "127.0.0.1", port
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM if self.is_datagram else socket.SOCK_STREAM)
        self.socket.bind((host, 0))
        if not self.is_datagram:
            self.socket.settimeout(DEADLINE)
            self.socket.connect(self.gateway)
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if transport == "tls":
                self.socket = tls.wrap_socket(self.socket, server_hostname="127.0.0.1")
        self.port = self.socket.getsockname()[1]
        self.wake, self.woken = socket.socketpair()
        self.thread = threading.Thread(target=self._listen, daemon=True)
        self.thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """The telephone is gone: nothing listens at its address any more."""
        if not self.is_closed:
            self.is_closed = True
            self.wake.send(b"x")
            self.thread.join()
            for one in (self.socket, self.wake, self.woken):
                one.close()

    # MARK: What it sends

    @property
    def address(self):
        return f"sip:{self.number}@{self.host}:{self.port}"

    def request(self, method, body=b"", fields=(), to="sos", uri=None, call=None, sequence=1, branch=None, tag=None, to_tag=None):
        """A transaction that is not sent yet; `to` is the user part of the gateway's address, `uri` another Request-URI."""
        uri = uri or f"sip:{to}@127.0.0.1:{self.gateway[1]}"
        shown = f'"{self.name}" ' if self.name else ""
        request = Message(f"{method} {uri} SIP/2.0", [
            ("Via", f"SIP/2.0/{self.transport.upper()} {self.host}:{self.port};branch={branch or 'z9hG4bK' + secrets.token_hex(8)};rport"),
            ("Max-Forwards", "70"),
            ("From", f"{shown}<{self.address}>;tag={tag or secrets.token_hex(4)}"),
            ("To", f"<{uri}>" + (f";tag={to_tag}" if to_tag else "")),
            ("Call-ID", call or f"{secrets.token_hex(8)}@{self.host}"),
            ("CSeq", f"{sequence} {method}"),
            ("Contact", f"<{self.address};transport={self.transport}>"),
            *fields,
        ], body)
        transaction = Transaction(self, request)
        with self.changed:
            self.transactions[request.key] = transaction
        return transaction

    def message(self, body, kind="text/plain;charset=UTF-8", fields=(), method="MESSAGE", **more):
        """A MESSAGE (RFC 3428), or another request with such a body, that is not sent yet."""
        return self.request(method, body.encode() if isinstance(body, str) else body, [("Content-Type", kind), *fields], **more)

    def located(self, text, place, more=(), **options):
        """A MESSAGE of several parts, not sent yet: a text, a document of `pidf`, and pairs of a type and bytes."""
        boundary = secrets.token_hex(8)
        parts = [("text/plain;charset=UTF-8", "", text.encode()), ("application/pidf+xml", "Content-ID: <place@phone.example>\r\n", place.encode()),
                 *((kind, "Content-Transfer-Encoding: binary\r\n", data) for kind, data in more)]
        body = b"".join(f"--{boundary}\r\nContent-Type: {kind}\r\n{fields}\r\n".encode() + data + b"\r\n" for kind, fields, data in parts)
        return self.message(body + f"--{boundary}--\r\n".encode(), f"multipart/mixed;boundary={boundary}", [("Geolocation", "<cid:place@phone.example>")], **options)

    def cancel(self, invite):
        """The CANCEL of an INVITE, not sent yet: with its branch (RFC 3261 §9.1)."""
        return self._within(invite.request, "CANCEL", invite.request.key[0], invite.request["To"])

    def acknowledge(self, invite, answer):
        """Sends the ACK of a final answer: in the INVITE's transaction unless it was accepted."""
        branch = invite.request.key[0] if answer.status >= 300 else None
        return self._within(invite.request, "ACK", branch, answer["To"], answer).send()

    def hang_up(self, invite, answer):
        """The BYE of an accepted INVITE, not sent yet."""
        return self._within(invite.request, "BYE", None, answer["To"], answer, sequence=int(invite.request["CSeq"].split()[0]) + 1)

    def _within(self, first, method, branch, to, answer=None, sequence=None):
        contact = answer and answer["Contact"].partition("<")[2].partition(">")[0]
        made = self.request(method, uri=contact if contact and not branch else first.start.split(" ")[1], call=first["Call-ID"], branch=branch,
                            sequence=sequence or int(first["CSeq"].split()[0]), tag=first["From"].partition("tag=")[2])
        made.request.fields = [("To", to) if name == "To" else (name, value) for name, value in made.request.fields]
        return made

    def send_bytes(self, data, to=None):
        with self.lock:
            self.socket.settimeout(DEADLINE)
            if self.is_datagram:
                self.socket.sendto(data, to or self.gateway)
            else:
                self.socket.sendall(data)

    # MARK: What it gets

    def waits_for(self, wanted, within=DEADLINE):
        """The first request that came for which `wanted` holds."""
        with self.changed:
            found = self.changed.wait_for(lambda: next((one for one in self.received if wanted(one)), None), within)
            if not found:
                raise TimeoutError(f"no such request came to {self.address}; there are {self.received}")
            return found

    def waits_for_text(self, text, within=DEADLINE):
        return self.waits_for(lambda one: one.method == "MESSAGE" and text in one.text, within)

    def _listen(self):
        rest = b""
        while True:
            # What TLS has decrypted already is not seen by select.
            if not (self.transport == "tls" and self.socket.pending()):
                select.select([self.socket, self.woken], [], [])
            if self.is_closed:
                return
            try:
                # Not while it sends: a TLS connection is for one thread at a time.
                with self.lock:
                    self.socket.settimeout(0)
                    data, sender = self.socket.recvfrom(65_536) if self.is_datagram else (self.socket.recv(65_536), None)
            except (BlockingIOError, ssl.SSLWantReadError):
                continue
            except OSError:
                return
            if self.is_datagram:
                self._take(Message.parse(data), sender)
            elif not data:
                return
            else:
                rest = self._take_whole(rest + data)

    def _take_whole(self, data):
        """Takes the whole messages of a stream; returns the rest."""
        while True:
            data = data.lstrip(b"\r\n")
            head, mark, body = data.partition(b"\r\n\r\n")
            length = int(Message.parse(head)["Content-Length"] or 0) if mark else 0
            if not mark or len(body) < length:
                return data
            self._take(Message.parse(head + mark + body[:length]))
            data = body[length:]

    def _take(self, message, sender=None):
        with self.changed:
            if message.status is not None:
                if message.key in self.transactions:
                    self.transactions[message.key].answers.append(message)
            else:
                if message.key not in self.copies:
                    self.received.append(message)
                self.copies[message.key] = self.copies.get(message.key, 0) + 1
            self.changed.notify_all()
        if message.status is None and message.method != "ACK" and (self.status or message.key in self.given):
            answer = self.given.setdefault(message.key, self._answer(message))
            self.send_bytes(answer, sender)

    def _answer(self, request):
        fields = [("Via", via) for via in request.all("Via")]
        tag = "" if "tag=" in request["To"] else f";tag={secrets.token_hex(4)}"
        fields += [("From", request["From"]), ("To", request["To"] + tag), ("Call-ID", request["Call-ID"]), ("CSeq", request["CSeq"])]
        return Message(f"SIP/2.0 {self.status or 200} Told", fields).bytes


def pidf(latitude, longitude, radius=None):
    """A place (RFC 4119, RFC 5491): a point, or a circle with its radius in metres."""
    position = f'<gml:pos>{latitude} {longitude}</gml:pos>'
    system = 'srsName="urn:ogc:def:crs:EPSG::4326"'
    shape = (f'<gml:Point {system}>{position}</gml:Point>' if radius is None else
             f'<gs:Circle {system}>{position}<gs:radius uom="urn:ogc:def:uom:EPSG::9001">{radius}</gs:radius></gs:Circle>')
    return ('<?xml version="1.0" encoding="UTF-8"?>\r\n<presence xmlns="urn:ietf:params:xml:ns:pidf" xmlns:dm="urn:ietf:params:xml:ns:pidf:data-model" '
            'xmlns:gp="urn:ietf:params:xml:ns:pidf:geopriv10" xmlns:gml="http://www.opengis.net/gml" xmlns:gs="http://www.opengis.net/pidflo/1.0" '
            f'entity="pres:caller@phone.example"><dm:device id="d"><gp:geopriv><gp:location-info>{shape}</gp:location-info><gp:usage-rules/>'
            '<gp:method>GPS</gp:method></gp:geopriv></dm:device></presence>')
