# SPDX-License-Identifier: Apache-2.0
"""A small client of the gateway's public interfaces, standard library only: for the demo and the outside tests."""

import base64
import http.client
import json
import os
import re
import secrets
import select
import signal
import socket
import struct
import subprocess
import threading
import time
import uuid

# The one deadline, in seconds, of all waiting in the outside programs: who waits, waits for the event itself, and this only ends what would never come.
DEADLINE = 60


def until(holds, what, deadline=DEADLINE, pause=0.05):
    """Asks `holds` until it returns something true, and returns that; raises with `what` and its last answer once `deadline` seconds are over."""
    end = time.monotonic() + deadline
    while True:
        # Asked once more after the end: a process that was not run for a while has not looked yet.
        is_last = time.monotonic() >= end
        last = holds()
        if last:
            return last
        if is_last:
            raise TimeoutError(f"after {deadline} s not yet: {what}; last: {last!r}"[:2000])
        time.sleep(pause)


def new_id():
    """A UUID of version 7, as commands are named."""
    value = (int(time.time() * 1000) << 80) | (7 << 76) | (secrets.randbits(12) << 64)
    value |= (2 << 62) | secrets.randbits(62)
    return str(uuid.UUID(int=value))


class Answer:
    """What the gateway answered."""

    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def ok(self):
        return 200 <= self.status < 300

    @property
    def wait(self):
        """The seconds after which the gateway asks to come back: after too many requests, and while a read model has not come so far; else `None`."""
        is_behind = self.status == 503 and (b":read-model-behind" in self.body or b":read-model-building" in self.body)
        return float(self.headers.get("Retry-After", 1)) if self.status == 429 or is_behind else None

    def __repr__(self):
        return f"{self.status} {self.body[:400]!r}"


class Newest:
    """The newest position that any client of a gateway was told of its own commands; they may be of several threads."""

    def __init__(self):
        self.position, self.lock = None, threading.Lock()

    def take(self, position):
        with self.lock:
            self.position = max(position, self.position or 0)


class Client:
    """One caller, guard or operator: a token and a keep-alive connection; `tls` is an `ssl.SSLContext`.

    Clients that share `newest` read what any of them wrote, however late read models are.
    """

    def __init__(self, host, port, token=None, tls=None, newest=None):
        self.host, self.port, self.token, self.tls = host, port, token, tls
        self.newest = newest or Newest()
        self.connection = None

    def signed_in(self, token):
        return Client(self.host, self.port, token, self.tls, self.newest)

    def _connect(self, timeout):
        if self.tls:
            return http.client.HTTPSConnection(self.host, self.port, timeout=timeout, context=self.tls)
        return http.client.HTTPConnection(self.host, self.port, timeout=timeout)

    def request(self, method, path, body=None, headers=None, key=None, timeout=DEADLINE, patiently=True):
        """One request; `patiently` asks again, until the deadline, where the gateway says when."""
        headers = dict(headers or {})
        if self.token:
            headers.setdefault("Authorization", f"Bearer {self.token}")
        if key is not False and method in ("POST", "PUT", "DELETE"):
            headers.setdefault("Idempotency-Key", key or new_id())
        if isinstance(body, (dict, list)):
            body = json.dumps(body).encode()
            headers.setdefault("Content-Type", "application/json")
        if method == "GET" and self.newest.position is not None:
            headers.setdefault("Daybook-After", str(self.newest.position))
        end = time.monotonic() + DEADLINE
        answer = self._answer(method, path, body, headers, timeout)
        while patiently and answer.wait is not None and time.monotonic() + answer.wait < end:
            time.sleep(answer.wait)
            answer = self._answer(method, path, body, headers, timeout)
        if method != "GET" and answer.ok and "Daybook-Position" in answer.headers:
            self.newest.take(int(answer.headers["Daybook-Position"]))
        return answer

    def _answer(self, method, path, body, headers, timeout):
        for attempt in (0, 1):
            if self.connection is None:
                self.connection = self._connect(timeout)
                fresh = True
            else:
                fresh = False
            try:
                self.connection.request(method, path, body, headers)
                response = self.connection.getresponse()
                return Answer(response.status, response.headers, response.read())
            except (http.client.HTTPException, OSError):
                self.connection.close()
                self.connection = None
                if fresh or attempt:
                    raise

    def get(self, path, **options):
        return self.request("GET", path, **options)

    def post(self, path, body=None, **options):
        return self.request("POST", path, {} if body is None else body, **options)

    def put(self, path, body=None, **options):
        return self.request("PUT", path, body, **options)

    def delete(self, path, **options):
        return self.request("DELETE", path, **options)

    def socket(self, path, bearer=True):
        return WebSocket(self.host, self.port, path, self.token if bearer else None, tls=self.tls)


class WebSocket:
    """A client side of RFC 6455: whole messages, masked, answering pings."""

    def __init__(self, host, port, path, token=None, timeout=DEADLINE, tls=None):
        self.socket = socket.create_connection((host, port), timeout=timeout)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if tls:
            self.socket = tls.wrap_socket(self.socket, server_hostname=host)
        self.buffer, self.parts, self.kind, self.pongs = b"", b"", None, 0
        lines = [
            f"GET {path} HTTP/1.1", f"Host: {host}:{port}", "Upgrade: websocket", "Connection: Upgrade",
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}", "Sec-WebSocket-Version: 13",
        ]
        if token:
            lines.append(f"Authorization: Bearer {token}")
        self.socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        head = self._until(b"\r\n\r\n")
        self.status = int(head.split(b" ")[1])
        if self.status != 101:
            length = re.search(rb"(?i)content-length: *(\d+)", head)
            self.refusal = self._exactly(int(length[1])) if length else b""
            raise ConnectionRefusedError(f"{path} answered {self.status}: {self.refusal[:300]!r}")

    def _until(self, mark):
        while mark not in self.buffer:
            self._more()
        head, self.buffer = self.buffer.split(mark, 1)
        return head

    def _exactly(self, count):
        while len(self.buffer) < count:
            self._more()
        part, self.buffer = self.buffer[:count], self.buffer[count:]
        return part

    def _more(self):
        received = self.socket.recv(65536)
        if not received:
            raise ConnectionResetError("the gateway closed the connection")
        self.buffer += received

    def _frame(self, opcode, payload):
        mask = os.urandom(4)
        size = len(payload)
        if size < 126:
            head = struct.pack("!BB", 0x80 | opcode, 0x80 | size)
        elif size < 65536:
            head = struct.pack("!BBH", 0x80 | opcode, 0x80 | 126, size)
        else:
            head = struct.pack("!BBQ", 0x80 | opcode, 0x80 | 127, size)
        long_mask = (mask * (size // 4 + 1))[:size]
        masked = (int.from_bytes(payload, "big") ^ int.from_bytes(long_mask, "big")).to_bytes(size, "big")
        self.socket.sendall(head + mask + masked)

    def send_text(self, text):
        self._frame(1, text.encode())

    def send_json(self, value):
        self.send_text(json.dumps(value))

    def send_bytes(self, data):
        self._frame(2, data)

    def ping(self):
        """Asks whether the gateway is there: `pongs` counts its answers, which whoever receives takes."""
        self._frame(9, b"")

    def receive(self, timeout=DEADLINE):
        """The next whole message: text or bytes; None when the gateway closed. Pings do not prolong the wait."""
        end = None if timeout is None else time.monotonic() + timeout
        while True:
            while (frame := self._whole_frame()) is None:
                self.socket.settimeout(None if end is None else max(0.01, end - time.monotonic()))
                self._more()
            first, payload = frame
            opcode = first & 15
            if opcode == 8:
                self.closed = struct.unpack("!H", payload[:2])[0] if len(payload) >= 2 else 1005
                self.reason = payload[2:].decode()
                return None
            if opcode == 9:
                self._frame(10, payload)
                continue
            if opcode == 10:
                self.pongs += 1
                continue
            self.kind = opcode or self.kind
            self.parts += payload
            if first & 128:
                parts, self.parts = self.parts, b""
                return parts.decode() if self.kind == 1 else parts

    def _whole_frame(self):
        """The first byte and the payload of the next frame; nothing while some of it has not come, of which a wait that ends loses nothing."""
        size, start = self.buffer[1] & 127 if len(self.buffer) > 1 else 0, 2
        if size == 126:
            start = 4
        elif size == 127:
            start = 10
        if len(self.buffer) < start:
            return None
        size = int.from_bytes(self.buffer[2:start], "big") if start > 2 else size
        if len(self.buffer) < start + size:
            return None
        first, payload = self.buffer[0], self.buffer[start:start + size]
        self.buffer = self.buffer[start + size:]
        return first, payload

    def receive_json(self, timeout=DEADLINE):
        message = self.receive(timeout)
        return None if message is None else json.loads(message)

    def wait_for(self, wanted, timeout=DEADLINE):
        """The next JSON message for which `wanted` holds; others are dropped."""
        end = time.monotonic() + timeout
        while True:
            message = self.receive_json(max(0.01, end - time.monotonic()))
            if message is None:
                raise ConnectionResetError("the gateway closed the socket")
            if wanted(message):
                return message

    def close(self):
        try:
            self._frame(8, struct.pack("!H", 1000))
        except OSError:
            pass
        self.socket.close()

    def drop(self):
        """Breaks the connection without a word, as a lost network does."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()


class Gateway:
    """A `daybook serve` process on a free port of the loopback, started here and ended here."""

    def __init__(self, program, folder, options=(), environment=None, log=None):
        self.program, self.folder, self.options = program, folder, list(options)
        # Programs sign in often, with unoptimised builds: the lowest cost that is allowed.
        self.environment = {"DAYBOOK_PASSWORD_COST": "12", **os.environ, **(environment or {})}
        self.log = log
        self.process = None
        self.output = ""

    def start(self, timeout=DEADLINE):
        command = [self.program, "serve", "--data", self.folder, "--listen", "127.0.0.1:0", *self.options]
        errors = open(self.log, "ab") if self.log else subprocess.DEVNULL
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, env=self.environment
        )
        end, text = time.monotonic() + timeout, b""
        while time.monotonic() < end:
            ready, _, _ = select.select([self.process.stdout], [], [], 0.2)
            if ready:
                part = os.read(self.process.stdout.fileno(), 65536)
                if not part:
                    raise RuntimeError(f"daybook serve ended early: {text.decode()}")
                text += part
                found = re.search(rb"https?://127\.0\.0\.1:(\d+)", text)
                if found:
                    self.port = int(found[1])
                    self.output += text.decode()
                    return Client("127.0.0.1", self.port)
        raise RuntimeError(f"daybook serve did not say where it listens: {text.decode()}")

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self):
        self.process.terminate()
        return self.process.wait(DEADLINE)
