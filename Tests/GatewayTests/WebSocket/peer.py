# SPDX-License-Identifier: Apache-2.0
"""A WebSocket client of RFC 6455, written apart from the server, for its tests.

Usage: peer.py SCENARIO PORT [CA_FILE]. Prints what it saw; exits with 1 when it did not fit.
"""
import base64, hashlib, json, os, socket, ssl, struct, sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Tools"))
from daybook import DEADLINE  # noqa: E402

HOST = "127.0.0.1"


class Peer:
    def __init__(self, port, ca=None, alpn=None):
        raw = socket.create_connection((HOST, port), timeout=DEADLINE)
        if ca:
            context = ssl.create_default_context(cafile=ca)
            if alpn:
                context.set_alpn_protocols(alpn)
            raw = context.wrap_socket(raw, server_hostname="localhost")
        self.socket, self.pending = raw, b""

    def read(self, count):
        while len(self.pending) < count:
            more = self.socket.recv(65536)
            if not more:
                raise EOFError
            self.pending += more
        taken, self.pending = self.pending[:count], self.pending[count:]
        return taken

    def head(self):
        """The status, the fields and the body of an answer."""
        text = b""
        while not text.endswith(b"\r\n\r\n"):
            text += self.read(1)
        lines = text.decode().split("\r\n")
        fields = dict(line.lower().split(": ", 1) for line in lines[1:] if line)
        body = self.read(int(fields.get("content-length", 0)))
        return int(lines[0].split()[1]), fields, body

    def ask(self, path, fields=(), method="GET"):
        lines = [f"{method} {path} HTTP/1.1", "Host: localhost", *fields]
        self.socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())

    def upgrade(self, path="/echo", fields=()):
        key = base64.b64encode(os.urandom(16)).decode()
        self.ask(path, ["Upgrade: websocket", "Connection: keep-alive, Upgrade",
                        f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13", *fields])
        status, found, body = self.head()
        if status == 101:
            digest = hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()
            assert found["sec-websocket-accept"] == base64.b64encode(digest).decode().lower(), found
        return status, found, body

    def frame(self, opcode, payload=b"", final=True, masked=True, reserved=0):
        length = len(payload)
        short = length if length < 126 else 126 if length < 65536 else 127
        head = bytes([(0x80 if final else 0) | reserved | opcode, (0x80 if masked else 0) | short])
        head += b"" if short < 126 else struct.pack(">H" if short == 126 else ">Q", length)
        if masked:
            mask = os.urandom(4)
            word = int.from_bytes((mask * (length // 4 + 1))[:length], "big")
            payload = (int.from_bytes(payload, "big") ^ word).to_bytes(length, "big")
            head += mask
        return head + payload

    def send(self, *args, **kwargs):
        self.socket.sendall(self.frame(*args, **kwargs))

    def receive(self):
        first, second = self.read(2)
        assert second < 128, "a server must not mask"
        length = second
        if second == 126:
            length, = struct.unpack(">H", self.read(2))
        elif second == 127:
            length, = struct.unpack(">Q", self.read(8))
        assert first & 0x70 == 0
        return first & 0x0F, self.read(length), bool(first & 0x80)

    def closing(self):
        """The code and reason of the server's close frame; answers it and awaits the end."""
        while True:
            opcode, payload, _ = self.receive()
            if opcode == 8:
                break
        self.send(8, payload[:2])
        try:
            while self.socket.recv(4096):
                pass
        except ConnectionError:
            pass
        return [struct.unpack(">H", payload[:2])[0], payload[2:].decode()]


def opened(port, ca, path="/echo", fields=()):
    peer = Peer(port, ca, ["http/1.1"] if ca else None)
    status, found, body = peer.upgrade(path, fields)
    assert status == 101, (status, found, body)
    return peer


def echo(port, ca):
    peer = opened(port, ca)
    for opcode, payload in [(1, "grüße 🌍".encode()), (1, b""), (2, os.urandom(125)),
                            (2, os.urandom(126)), (2, os.urandom(65535)), (2, os.urandom(65536)),
                            (2, os.urandom(3_000_000))]:
        peer.send(opcode, payload)
        assert peer.receive() == (opcode, payload, True), (opcode, len(payload))
    peer.send(8, struct.pack(">H", 1000) + b"bye")
    opcode, payload, _ = peer.receive()
    assert (opcode, payload[:2]) == (8, struct.pack(">H", 1000))
    assert peer.socket.recv(1) == b""
    return "same"


def fragments(port, ca):
    peer = opened(port, ca)
    text = "ein Bär über Köln".encode()
    whole = peer.frame(1, text[:6], final=False) + peer.frame(9, b"still there?")
    whole += peer.frame(0, text[6:7], final=False) + peer.frame(0, text[7:])
    for byte in whole:
        peer.socket.sendall(bytes([byte]))
    assert peer.receive() == (10, b"still there?", True)
    assert peer.receive() == (1, text, True)
    return "joined"


def fault(kind):
    def scenario(port, ca):
        peer = opened(port, ca)
        {
            "big": lambda: peer.send(2, bytes(4 * 1024 * 1024 + 1)),
            "bigfragments": lambda: [peer.send(2, bytes(3_000_000), final=False),
                                     peer.send(0, bytes(3_000_000), final=False)],
            "utf8": lambda: peer.send(1, b"\xc3\x28"),
            "unmasked": lambda: peer.send(1, b"hello", masked=False),
            "reserved": lambda: peer.send(1, b"hello", reserved=0x40),
            "opcode": lambda: peer.send(3, b"hello"),
            "continuation": lambda: peer.send(0, b"hello"),
            "interleaved": lambda: [peer.send(1, b"a", final=False), peer.send(1, b"b")],
            "longping": lambda: peer.send(9, bytes(126)),
            "closecode": lambda: peer.send(8, struct.pack(">H", 1005)),
            "problem": lambda: peer.send(1, b"problem"),
            "crash": lambda: peer.send(1, b"crash"),
            "done": lambda: peer.send(1, b"done"),
        }[kind]()
        return peer.closing()
    return scenario


def refused(port, ca):
    seen = []
    for path in ["/private", "/nowhere"]:
        peer = Peer(port, ca)
        status, fields, body = peer.upgrade(path)
        assert peer.socket.recv(1) == b"", "a refusal closes the connection"
        seen.append([status, json.loads(body)["type"], fields.get("connection")])
    peer = Peer(port, ca)
    peer.ask("/echo")
    status, fields, body = peer.head()
    seen.append([status, json.loads(body)["type"], fields.get("upgrade")])
    return seen


def tokens(port, ca):
    token = sys.stdin.readline().strip()
    ways = [(f"Authorization: Bearer {token}", "/private"),
            (f"Cookie: daybook={token}", "/private"),
            (f"Sec-WebSocket-Protocol: daybook, bearer.{token}", "/private"),
            ("X: y", f"/private?access_token={token}")]
    seen = []
    for field, path in ways:
        peer = opened(port, ca, path, [field])
        seen.append(peer.receive()[1].decode())
    peer = Peer(port, ca)
    status, _, body = peer.upgrade("/private", [f"Cookie: daybook={token}",
                                                "Origin: https://elsewhere.example"])
    return seen + [status, json.loads(body)["type"]]


def reused(port, ca):
    """A proxy sends the upgrade on a connection that it has used before, even pipelined."""
    peer = Peer(port, ca)
    for _ in range(3):
        peer.ask("/plain")
        assert peer.head()[::2] == (200, b"plain")
    peer.ask("/plain")
    status = []
    original, peer.head = peer.head, lambda: (status.append(original()[0]), original())[1]
    assert peer.upgrade("/echo")[0] == 101
    peer.send(1, b"after")
    assert peer.receive() == (1, b"after", True)
    return status


def posted(port, ca):
    """Upgrade on a request that has a body must neither hang nor open anything."""
    peer = Peer(port, ca)
    peer.ask("/body", ["Upgrade: h2c", "Connection: Upgrade", "Content-Length: 5"], "POST")
    peer.socket.sendall(b"hello")
    status, fields, body = peer.head()
    assert peer.socket.recv(1) == b""
    return [status, body.decode()]


def pings(port, ca):
    """Answers pings until the server says that it has seen enough, then none: the server gives up."""
    peer = opened(port, ca, "/pinged")
    while True:
        opcode, payload, _ = peer.receive()
        if opcode == 1:
            break
        assert opcode == 9
        peer.send(10, payload)
    try:
        while peer.receive()[0] == 9:
            pass
    except (EOFError, ConnectionError):
        return "given up"


def feed(port, ca):
    peer = opened(port, ca, "/feed")
    for number in range(2000):
        assert peer.receive()[1] == b"%d " % number + b"x" * 1000
    peer.send(8, struct.pack(">H", 1000))
    return "in order"


def deaf(port, ca):
    """Takes nothing, although the server has much to say: the server gives up."""
    peer = opened(port, ca, "/flood")
    assert sys.stdin.readline() == "ended\n"
    return "given up"


def stopping(port, ca):
    return opened(port, ca, "/told").closing()


def http2(port, ca):
    """A WebSocket's route over HTTP/2: 426, without the fields that HTTP/2 forbids."""
    peer = Peer(port, ca, ["h2", "http/1.1"])
    assert peer.socket.selected_alpn_protocol() == "h2"

    def frame(kind, flags, stream, payload):
        head = len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big")
        peer.socket.sendall(head + payload)

    def literal(name, value):
        return b"\x00" + bytes([len(name)]) + name + bytes([len(value)]) + value

    peer.socket.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
    frame(4, 0, 0, b"")
    frame(1, 5, 1, literal(b":method", b"GET") + literal(b":scheme", b"https")
          + literal(b":path", b"/echo") + literal(b":authority", b"localhost"))
    while True:
        head = peer.read(9)
        payload = peer.read(int.from_bytes(head[:3], "big"))
        if head[3] == 3:
            return f"reset {payload.hex()}"
        if head[3] == 0:
            return json.loads(payload)["type"]


SCENARIOS = dict(echo=echo, fragments=fragments, refused=refused, tokens=tokens, reused=reused,
                 posted=posted, pings=pings, feed=feed, deaf=deaf, stopping=stopping, http2=http2)

if __name__ == "__main__":
    name, port = sys.argv[1], int(sys.argv[2])
    scenario = SCENARIOS.get(name) or fault(name)
    print(json.dumps(scenario(port, sys.argv[3] if len(sys.argv) > 3 else None)))
