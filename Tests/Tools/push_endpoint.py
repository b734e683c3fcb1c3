# SPDX-License-Identifier: Apache-2.0
"""A push service and the browser behind it, on the loopback: decrypts what arrives (RFC 8291, RFC 8188) and checks who sent it (RFC 8292).

Its cryptography is that of Python's `cryptography`, put together from the standards' own steps.
"""

import base64
import hashlib
import hmac
import json
import os
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

try:
    from cryptography.hazmat.primitives import hashes
except ImportError:
    # Debian's module is Debian's Python's: the program begins again with that.
    if os.path.realpath(sys.executable) == os.path.realpath("/usr/bin/python3"):
        print("skipped: python3-cryptography is not installed")
        sys.exit(77)
    os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from daybook import DEADLINE


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def from_base64url(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def derive(salt, secret, info, length):
    """HKDF with SHA-256 for up to 32 bytes (RFC 5869)."""
    extracted = hmac.new(salt, secret, hashlib.sha256).digest()
    return hmac.new(extracted, info + b"\x01", hashlib.sha256).digest()[:length]


class Browser:
    """The keys that a browser makes when it subscribes."""

    def __init__(self):
        self.key, self.secret = ec.generate_private_key(ec.SECP256R1()), os.urandom(16)
        self.public = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    def subscription(self, endpoint):
        return {"endpoint": endpoint, "expirationTime": None, "keys": {"p256dh": base64url(self.public), "auth": base64url(self.secret)}}

    def read(self, body):
        """The message in a body of one record."""
        salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
        sender, record = body[21:21 + length], body[21 + length:]
        assert len(sender) == 65 and len(record) <= size and len(body) <= 4096, "the body has another form"
        shared = self.key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender))
        secret = derive(self.secret, shared, b"WebPush: info\x00" + self.public + sender, 32)
        key = derive(salt, secret, b"Content-Encoding: aes128gcm\x00", 16)
        nonce = derive(salt, secret, b"Content-Encoding: nonce\x00", 12)
        plain = AESGCM(key).decrypt(nonce, record, None).rstrip(b"\x00")
        assert plain[-1:] == b"\x02", "the last record does not say that it is"
        return json.loads(plain[:-1])


def check_sender(authorization, audience, key):
    """Fails unless the proof of identity is signed by `key`, for us, and for less than a day."""
    assert authorization.startswith("vapid t="), authorization
    token, told = authorization[len("vapid t="):].split(",")
    assert told.strip() == f"k={key}", "another key than subscribed for"
    head, claims, signature = token.split(".")
    assert json.loads(from_base64url(head)) == {"typ": "JWT", "alg": "ES256"}, head
    raw = from_base64url(signature)
    assert len(raw) == 64, "an ES256 signature has 64 bytes"
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), from_base64url(key))
    pair = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    public.verify(pair, f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
    claims = json.loads(from_base64url(claims))
    assert claims["aud"] == audience, f"the proof is for {claims['aud']}"
    # The sender's clock may be ahead of ours by some minutes that a test lets pass.
    assert 0 < claims["exp"] - time.time() <= 86_400 + 3_600, "the proof lasts too long, or not at all"
    assert claims["sub"].startswith(("mailto:", "https://")), claims["sub"]


class PushEndpoint:
    """Answers as it is told (a status, `hang`, or a status with seconds to wait) and keeps what came, decrypted."""

    def __init__(self):
        self.browser, self.key = Browser(), None
        self.lock, self.received, self.faults, self.answer = threading.Condition(), [], [], 201
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                endpoint.take(self)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.origin = f"http://127.0.0.1:{self.server.server_port}"
        self.path = "/" + base64url(os.urandom(24))
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def address(self):
        return self.origin + self.path

    def subscription(self):
        return self.browser.subscription(self.address)

    def take(self, request):
        body = request.rfile.read(int(request.headers["Content-Length"]))
        headers = {name.lower(): value for name, value in request.headers.items()}
        try:
            assert request.path == self.path, "another path than subscribed for"
            assert headers["content-encoding"] == "aes128gcm" and headers["urgency"] == "high", headers
            check_sender(headers["authorization"], self.origin, self.key)
            message = self.browser.read(body)
        except Exception as fault:  # told by the main thread, whatever it is
            message = None
            self.faults.append(repr(fault))
        with self.lock:
            self.received.append({"message": message, "ttl": int(headers["ttl"]), "topic": headers["topic"], "at": time.monotonic()})
            answer = self.answer
            self.lock.notify_all()
            if answer == "hang":
                # Until told otherwise, or until whoever asked is gone.
                self.lock.wait_for(lambda: self.answer != "hang", DEADLINE)
                answer = self.answer
        status, wait = answer if isinstance(answer, tuple) else (answer, None)
        try:
            request.send_response(status)
            if wait is not None:
                request.send_header("Retry-After", str(wait))
            request.send_header("Location", f"/message/{len(self.received)}")
            request.send_header("Content-Length", "0")
            request.end_headers()
        except OSError:
            request.close_connection = True

    def say(self, answer):
        with self.lock:
            self.answer = answer
            self.lock.notify_all()

    def wait_for(self, count, timeout=DEADLINE):
        """Waits until so many requests came in all."""
        with self.lock:
            if not self.lock.wait_for(lambda: len(self.received) >= count, timeout):
                raise TimeoutError(f"{len(self.received)} pushes came in {timeout} s, not {count}")
            return self.received[count - 1]
