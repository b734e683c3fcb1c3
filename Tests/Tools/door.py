#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The door's own ways: certificates that are read again on SIGHUP, a hang-up that ends nothing, peers of HTTP/2 who open, reset and
announce without end, and a start with too few descriptors.

  door.py --daybook PATH
"""
import os
import resource
import shutil
import signal
import socket
import ssl
import struct
import subprocess
import time

from centre import Centre, arguments, hold, make_certificate, run
from daybook import DEADLINE, until
from talker import numbers

STREAMS_MAX = 100
RESETS = 400
ANNOUNCEMENTS = 20_000
FRAMES = {"DATA": 0, "HEADERS": 1, "RST_STREAM": 3, "SETTINGS": 4, "PING": 6, "GOAWAY": 7}


class Peer:
    """A peer of HTTP/2 that speaks in frames, without a library that would keep it polite."""

    def __init__(self, centre):
        context = ssl.create_default_context(cafile=centre.tls_files[0])
        context.set_alpn_protocols(["h2"])
        self.socket = context.wrap_socket(socket.create_connection(("127.0.0.1", centre.port), timeout=DEADLINE), server_hostname="127.0.0.1")
        hold(self.socket.selected_alpn_protocol() == "h2", "the gateway does not speak HTTP/2")
        self.authority = f"127.0.0.1:{centre.port}".encode()
        self.buffer = b""
        self.socket.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
        self.send("SETTINGS")

    def send(self, kind, stream=0, payload=b"", flags=0):
        self.socket.sendall(struct.pack("!IBI", len(payload) << 8 | FRAMES[kind], flags, stream) + payload)

    def request(self, stream, method, path, ends):
        """HEADERS by HPACK (RFC 7541) without a table or Huffman."""
        def literal(index, value):
            return bytes([index, len(value)]) + value
        fields = literal(0x02, method) + b"\x87" + literal(0x04, path) + literal(0x01, self.authority)
        self.send("HEADERS", stream, fields, 4 | (1 if ends else 0))

    def frame(self):
        """The next frame: kind, flags, stream, payload; `None` once it is closed."""
        try:
            head = self._read(9)
            length, flags, stream = struct.unpack("!I", b"\0" + head[:3])[0], head[4], struct.unpack("!I", head[5:])[0]
            return head[3], flags, stream, self._read(length)
        except (ConnectionError, ssl.SSLError):
            return None

    def _read(self, count):
        while len(self.buffer) < count:
            piece = self.socket.recv(1 << 16)
            if not piece:
                raise ConnectionResetError("closed")
            self.buffer += piece
        taken, self.buffer = self.buffer[:count], self.buffer[count:]
        return taken

    def until(self, found):
        """Reads until a frame is found; it, or `None` where the connection ends before."""
        while True:
            frame = self.frame()
            if frame is None or found(*frame):
                return frame


def closed_by(centre, reason):
    return numbers(centre.admin, "daybook_connections_closed_total").get(f'reason="{reason}"', 0)


def limits_streams(centre):
    """More streams at once than announced are refused; those that are there are not."""
    peer = Peer(centre)
    for number in range(STREAMS_MAX):
        peer.request(1 + 2 * number, b"POST", b"/v1/auth/login", ends=False)
    peer.request(1 + 2 * STREAMS_MAX, b"GET", b"/healthz", ends=True)
    refused = peer.until(lambda kind, flags, stream, payload: kind in (FRAMES["RST_STREAM"], FRAMES["GOAWAY"]))
    hold(refused is not None, "nothing was refused")
    hold(refused[0] == FRAMES["GOAWAY"] or refused[2] == 1 + 2 * STREAMS_MAX, f"stream {refused[2]} was refused")
    print(f"stream {STREAMS_MAX + 1} of a connection at once: {'the connection ends' if refused[0] == FRAMES['GOAWAY'] else 'refused'}")
    peer.socket.close()


def ends_resets(centre):
    """Who opens and resets streams all the time is sent away."""
    peer, sent = Peer(centre), 0
    try:
        for number in range(RESETS):
            peer.request(1 + 2 * number, b"GET", b"/healthz", ends=True)
            peer.send("RST_STREAM", 1 + 2 * number, struct.pack("!I", 8))
            sent += 1
    except OSError:
        pass  # it is sent away already
    away = peer.until(lambda kind, *rest: kind == FRAMES["GOAWAY"])
    hold(away is None or away[3][4:8] == struct.pack("!I", 11), f"GOAWAY {away}")
    hold(sent < RESETS or peer.until(lambda *frame: False) is None, "it was not sent away")
    print(f"{RESETS} streams opened and reset: sent away")
    peer.socket.close()


def stands_announcements(centre):
    """Settings and pings without end, whose answers nobody reads: nobody else waits for them."""
    peer, sent = Peer(centre), 0
    try:
        for sent in range(ANNOUNCEMENTS):
            peer.send("SETTINGS", 0, struct.pack("!HI", 3, 100))
            peer.send("PING", 0, bytes(8))
    except OSError:
        pass  # it is sent away
    began = time.monotonic()
    hold(centre.admin.get("/v1/me").ok, "somebody else was not served")
    print(f"SETTINGS and PING without end: {'sent away' if sent + 1 < ANNOUNCEMENTS else 'still there'} after {sent + 1} of each; somebody else is answered after {1_000 * (time.monotonic() - began):.0f} ms")
    peer.socket.close()


def serial(centre):
    """The certificate that a new connection is shown."""
    return ssl.get_server_certificate(("127.0.0.1", centre.port))


def reads_certificates(centre, folder):
    first, pid = serial(centre), centre.gateway.process.pid
    hold(centre.admin.get("/v1/me").ok, "the admin")
    other = os.path.join(folder, "other")
    os.makedirs(other)
    for made, used in zip(make_certificate(other), centre.tls_files):
        shutil.copy(made, used)
    os.kill(pid, signal.SIGHUP)
    until(lambda: serial(centre) != first, "the second certificate is shown")
    hold(centre.admin.get("/v1/me").ok, "who was connected is not served any more")
    with open(centre.tls_files[0], "w") as file:
        file.write("no certificate")
    second = serial(centre)
    os.kill(pid, signal.SIGHUP)

    def faults():
        services = {service["name"]: service for service in centre.admin.get("/readyz").json["services"]}
        return [services[name]["fault"] for name in ("hang-up signal", "certificate") if services[name].get("fault")]

    until(faults, "readyz says that the file is no certificate")
    hold(serial(centre) == second, "a broken file took a good certificate's place")
    print("SIGHUP: the second certificate is shown to whoever comes, who was there stayed; a broken file is named, and the one before stays")


def survives_hang_up(folder):
    own = os.path.join(folder, "plain")
    os.makedirs(own)
    plain = Centre(options.daybook, own).open()
    for _ in range(20):
        plain.gateway.process.send_signal(signal.SIGHUP)
    hold(plain.client().get("/healthz").ok and plain.gateway.process.poll() is None, "SIGHUP ended it")
    print("SIGHUP without TLS ends nothing")
    plain.stop()


def refuses_too_few_descriptors(folder):
    def few():
        resource.setrlimit(resource.RLIMIT_NOFILE, (2_000, 2_000))
    ended = subprocess.run([options.daybook, "serve", "--data", os.path.join(folder, "few"), "--listen", "127.0.0.1:0"],
                           preexec_fn=few, capture_output=True, timeout=DEADLINE, text=True)
    hold(ended.returncode != 0 and "2000" in ended.stderr, f"with 2,000 descriptors it ended with {ended.returncode}: {ended.stderr[-400:]}")
    print(f"2,000 descriptors: {ended.stderr.strip().splitlines()[-1]}")


def main(_, folder):
    refuses_too_few_descriptors(folder)
    survives_hang_up(folder)
    centre = Centre(options.daybook, folder, with_tls=True).open()
    limits_streams(centre)
    ends_resets(centre)
    stands_announcements(centre)
    reads_certificates(centre, folder)
    centre.stop()
    centre.verify()


options = arguments(__doc__).parse_args()
run(main, options)
