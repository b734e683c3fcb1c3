#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cameras of the tests, on loopback: RTSP (H.264 as it was encoded, by GStreamer's server in a process of its own) and MJPEG over HTTP. Their pictures carry numbers.

  cameras.py mjpeg|rtsp [--size 640x480] [--rate 25] [--user NAME --password WORD]     prints its address and runs until its input ends; lines of input are
                                                                                       freeze, garbage, hush, slow RATE, play, stop or start
"""

import argparse
import base64
import functools
import hashlib
import http.server
import os
import re
import socket
import ssl
import subprocess
import sys
import threading
import time

# A number's bits, and four that tell whether it was read well, are black and white blocks in this many columns and rows.
COLUMNS, ROWS = 8, 2
NUMBER_BITS = 12
COUNT = 100
# What Debian's python3-gi belongs to.
DEBIAN_PYTHON = "/usr/bin/python3"


# MARK: Pictures

def _code(number):
    return number << 4 | (number * 7 + 5) & 15


def _numbered(number, width, height):
    """A grey picture that shows a number."""
    bits, picture = _code(number), bytearray()
    for row in range(ROWS):
        blocks = [235 if bits >> (row * COLUMNS + column) & 1 else 16 for column in range(COLUMNS)]
        picture += bytes(blocks[x * COLUMNS // width] for x in range(width)) * (height // ROWS)
    return bytes(picture)


def read_number(picture, width, height):
    """The number on a grey picture of 8 bits a pixel without borders; None if it shows none."""
    code = 0
    for row in range(ROWS):
        for column in range(COLUMNS):
            x, y = (2 * column + 1) * width // (2 * COLUMNS), (2 * row + 1) * height // (2 * ROWS)
            code |= (picture[y * width + x] > 125) << (row * COLUMNS + column)
    number = code >> 4
    return number if _code(number) == code else None


def _encode(options, width, height, rate):
    """What ffmpeg makes of the numbered pictures from 0, as bytes."""
    raw = b"".join(_numbered(number, width, height) for number in range(COUNT))
    command = ["ffmpeg", "-v", "error", "-f", "rawvideo", "-pix_fmt", "gray", "-s", f"{width}x{height}", "-r", str(rate), "-i", "-", "-pix_fmt", "yuvj420p" if "mjpeg" in options else "yuv420p",
               *options, "-"]
    return subprocess.run(command, input=raw, stdout=subprocess.PIPE, check=True).stdout


@functools.lru_cache
def jpegs(width, height):
    """The numbered pictures as JPEG."""
    return each_jpeg(_encode(["-c:v", "mjpeg", "-q:v", "4", "-f", "mjpeg"], width, height, 25))


def each_jpeg(data):
    """The pictures of what ffmpeg wrote as one."""
    return [b"\xff\xd8" + one for one in data.split(b"\xff\xd8")[1:]]


def access_units(width, height, rate):
    """The numbered pictures as H.264 with a key frame a second, each with its delimiter in front."""
    start = b"\0\0\0\1\x09"
    data = _encode(["-c:v", "libx264", "-preset", "veryfast", "-g", str(rate), "-bf", "0", "-x264-params", "aud=1:scenecut=0:repeat-headers=1", "-f", "h264"], width, height, rate)
    return [start + one for one in data.split(start)[1:]]


class Pictures:
    """Which picture comes next, as the test wants it."""

    def __init__(self, encoded, rate, key_distance):
        self.encoded, self.rate, self.key_distance = encoded, rate, key_distance
        self.mode, self.next, self.usual_rate = "play", 0, rate

    def do(self, words):
        """Takes freeze, garbage, hush, slow RATE or play."""
        self.mode = words[0]
        if self.mode == "slow":
            self.mode, self.rate = "play", float(words[1])
        elif self.mode == "play":
            self.rate = self.usual_rate
            # Pictures between key frames do not stand alone.
            self.next = self.next // self.key_distance * self.key_distance
        elif self.mode == "freeze":
            self.next = self.next // self.key_distance * self.key_distance

    def take(self):
        """The number and the bytes of a picture; None and bytes of none; None and None while it is silent."""
        if self.mode == "hush":
            return None, None
        number = self.next % len(self.encoded)
        if self.mode == "garbage":
            # What looks like a picture's beginning, and nothing after it.
            return None, self.encoded[number][:6] + os.urandom(1200).replace(b"\0", b"\1")
        if self.mode == "play":
            self.next += 1
        return number, self.encoded[number]


# MARK: MJPEG

class MjpegCamera:
    """Pictures of JPEG as parts of one HTTP answer.

    Beside its stream at /video it has /page, which is none, and /away, which redirects to `elsewhere`. `sent` has number and monotonic time of each picture; they are the
    numbered ones where no others are given.
    """

    def __init__(self, width=640, height=480, rate=25, user=None, password=None, digest=False, elsewhere=None, certificate=None, pictures=None):
        self.pictures = Pictures(pictures or jpegs(width, height), rate, 1)
        self.certificate = certificate
        self.user, self.password, self.digest, self.elsewhere = user, password, digest, elsewhere
        self.sent, self.requests, self.port, self.server = [], [], 0, None
        self.connections, self.has_changed, self.news = set(), threading.Event(), threading.Condition()
        self.start()

    @property
    def address(self):
        return f"http{'s' if self.certificate else ''}://127.0.0.1:{self.port}/video"

    def waits(self, count, deadline=60):
        """Waits until so many pictures were sent."""
        with self.news:
            if not self.news.wait_for(lambda: len(self.sent) >= count, deadline):
                raise TimeoutError(f"{count} pictures were not sent")

    def start(self):
        camera = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                camera._answer(self)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
        self.server.daemon_threads = True
        if self.certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*self.certificate)
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def stop(self):
        """Closes all connections and the port."""
        self.server.shutdown()
        self.server.server_close()
        for connection in list(self.connections):
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def freeze(self):
        self._do("freeze")

    def garbage(self):
        self._do("garbage")

    def hush(self):
        self._do("hush")

    def slow(self, rate):
        self._do("slow", rate)

    def play(self):
        self._do("play")

    def _do(self, *words):
        self.pictures.do(words)
        self.has_changed.set()

    def _answer(self, request):
        self.requests.append((request.path, request.headers.get("Authorization")))
        if self.user and not self._is_allowed(request):
            return self._ends(request, 401, [("WWW-Authenticate", 'Digest realm="camera", nonce="once", algorithm=MD5, qop="auth"' if self.digest else 'Basic realm="camera"')])
        if request.path == "/away":
            return self._ends(request, 302, [("Location", self.elsewhere)])
        if request.path == "/page":
            return self._ends(request, 200, [("Content-Type", "text/html")], b"<!doctype html><title>No camera</title>" * 100)
        if request.path != "/video":
            return self._ends(request, 404, [])
        request.send_response(200)
        request.send_header("Content-Type", "multipart/x-mixed-replace; boundary=picture")
        request.end_headers()
        self.connections.add(request.connection)
        try:
            self._streams(request.wfile)
        except OSError:
            pass
        finally:
            self.connections.discard(request.connection)

    def _is_allowed(self, request):
        """Whether the request has the password, or its digest (RFC 7616 §3.4.1)."""
        given = request.headers.get("Authorization", "")
        if not self.digest:
            return given == "Basic " + base64.b64encode(f"{self.user}:{self.password}".encode()).decode()
        fields = {name: quoted or plain for name, quoted, plain in re.findall(r'(\w+)=(?:"([^"]*)"|([^\s,]+))', given)}
        hashed = [hashlib.md5(text.encode()).hexdigest() for text in (f"{self.user}:camera:{self.password}", f"GET:{request.path}")]
        wanted = ":".join([hashed[0], "once", fields.get("nc", ""), fields.get("cnonce", ""), "auth", hashed[1]])
        return fields.get("response") == hashlib.md5(wanted.encode()).hexdigest()

    @staticmethod
    def _ends(request, code, fields, body=b""):
        request.send_response(code)
        for name, value in [*fields, ("Content-Length", str(len(body)))]:
            request.send_header(name, value)
        request.end_headers()
        request.wfile.write(body)

    def _streams(self, file):
        due = time.monotonic()
        while True:
            number, data = self.pictures.take()
            if data is not None:
                file.write(b"--picture\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n%b\r\n" % (len(data), data))
                file.flush()
                with self.news:
                    self.sent.append((number, time.monotonic()))
                    self.news.notify_all()
            due = max(due + 1 / self.pictures.rate, time.monotonic() - 1)
            while (rest := due - time.monotonic()) > 0:
                if self.has_changed.wait(rest):
                    self.has_changed.clear()
                    due = min(due, time.monotonic() + 1 / self.pictures.rate)


# MARK: RTSP

def has_rtsp_server():
    """Whether what `RtspCamera` runs on is installed."""
    return subprocess.run([DEBIAN_PYTHON, "-c", "import gi; gi.require_version('GstRtspServer', '1.0')"], capture_output=True).returncode == 0


class RtspCamera:
    """H.264 by GStreamer's RTSP server, in a process of its own."""

    def __init__(self, width=1280, height=720, rate=25, user=None, password=None, digest=False, certificate=None):
        self.is_private = certificate is not None
        self.options = ["--size", f"{width}x{height}", "--rate", str(rate), *(["--user", user, "--password", password] if user else []), *(["--digest"] if digest else []),
                        *(["--certificate", *certificate] if certificate else [])]
        self.port, self.process, self.sent = 0, None, []
        self.start()

    @property
    def address(self):
        return f"rtsp{'s' if self.is_private else ''}://127.0.0.1:{self.port}/video"

    def start(self):
        command = [DEBIAN_PYTHON, os.path.abspath(__file__), "rtsp", "--port", str(self.port), "--tells", *self.options]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError("the RTSP camera did not start")
        self.port = int(line.rsplit(":", 1)[1].split("/")[0])
        threading.Thread(target=self._reads, args=(self.process.stdout,), daemon=True).start()
        return self

    def _reads(self, lines):
        for line in lines:
            number, moment = line.split()
            self.sent.append((int(number), float(moment)))

    def stop(self):
        """Ends the server as a power cut does."""
        self.process.kill()
        self.process.wait()

    def freeze(self):
        self._do("freeze")

    def garbage(self):
        self._do("garbage")

    def hush(self):
        self._do("hush")

    def slow(self, rate):
        self._do(f"slow {rate}")

    def play(self):
        self._do("play")

    def _do(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()


class RtspServer:
    """What runs in that process."""

    def __init__(self, options, width, height):
        import gi
        gi.require_version("Gst", "1.0")
        gi.require_version("GstRtsp", "1.0")
        gi.require_version("GstRtspServer", "1.0")
        from gi.repository import Gio, GLib, Gst, GstRtsp, GstRtspServer
        self.Gio, self.GLib, self.Gst, self.GstRtsp, self.GstRtspServer = Gio, GLib, Gst, GstRtsp, GstRtspServer
        Gst.init(None)
        self.pictures = Pictures(access_units(width, height, options.rate), options.rate, options.rate)
        self.tells, self.source, self.began, self.turn = options.tells, None, 0, 0
        self.server = GstRtspServer.RTSPServer.new()
        self.server.set_address("127.0.0.1")
        self.server.set_service(str(options.port))
        factory = GstRtspServer.RTSPMediaFactory.new()
        # Its first stream is sound.
        factory.set_launch("( audiotestsrc is-live=true wave=silence ! alawenc ! rtppcmapay name=pay0"
                           "  appsrc name=pictures is-live=true format=time caps=video/x-h264,stream-format=byte-stream,alignment=au ! rtph264pay name=pay1 pt=96 config-interval=-1 )")
        factory.set_shared(True)
        factory.set_protocols(GstRtsp.RTSPLowerTrans.TCP)
        factory.connect("media-configure", self.configures)
        self.server.get_mount_points().add_factory("/video", factory)
        if options.user or options.certificate:
            self.protects(factory, options)
        if self.server.attach(None) == 0:
            raise SystemExit("the port is taken")

    def protects(self, factory, options):
        auth, token = self.GstRtspServer.RTSPAuth.new(), self.GstRtspServer.RTSPToken.new()
        self.server.set_auth(auth)
        if options.certificate:
            auth.set_tls_certificate(self.Gio.TlsCertificate.new_from_files(*options.certificate))
        token.set_string("media.factory.role", "viewer")
        permissions = self.GstRtspServer.RTSPPermissions.new()
        permissions.add_role("viewer")
        for right in ("access", "construct"):
            permissions.add_permission_for_role("viewer", f"media.factory.{right}", True)
        factory.set_permissions(permissions)
        if not options.user:
            auth.set_default_token(token)
        elif options.digest:
            auth.set_supported_methods(self.GstRtsp.RTSPAuthMethod.DIGEST)
            auth.add_digest(options.user, options.password, token)
        else:
            auth.add_basic(self.GstRtspServer.RTSPAuth.make_basic(options.user, options.password), token)

    def configures(self, _, media):
        self.source = media.get_element().get_by_name("pictures")
        self.began, self.turn = time.monotonic(), self.turn + 1
        self.pictures.do(["play"])
        self.pushes(self.turn, self.began)

    def pushes(self, turn, due):
        """Pushes a picture, and again when the next is due."""
        if turn != self.turn:
            return False
        number, data = self.pictures.take()
        if data is not None:
            buffer = self.Gst.Buffer.new_wrapped(data)
            buffer.pts = buffer.dts = int((time.monotonic() - self.began) * self.Gst.SECOND)
            if self.source.emit("push-buffer", buffer) != self.Gst.FlowReturn.OK:
                return False
            if self.tells and number is not None:
                print(number, time.monotonic(), flush=True)
        due = max(due + 1 / self.pictures.rate, time.monotonic() - 1)
        self.GLib.timeout_add(max(0, int((due - time.monotonic()) * 1000)), self.pushes, turn, due)
        return False

    def run(self):
        loop = self.GLib.MainLoop()
        print(f"rtsp://127.0.0.1:{self.server.get_bound_port()}/video", flush=True)

        def reads(channel, _):
            line = channel.readline()
            if not line:
                loop.quit()
                return False
            self.pictures.do(line.split())
            return True
        self.GLib.io_add_watch(sys.stdin, self.GLib.IO_IN | self.GLib.IO_HUP, reads)
        loop.run()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=["mjpeg", "rtsp"])
    parser.add_argument("--size", default="640x480")
    parser.add_argument("--rate", type=int, default=25)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--user")
    parser.add_argument("--password", default="")
    parser.add_argument("--digest", action="store_true", help="ask for a digest instead of the password")
    parser.add_argument("--certificate", nargs=2, metavar=("CERTIFICATE", "KEY"), help="speak TLS")
    parser.add_argument("--tells", action="store_true", help="of RTSP: print each picture's number and time")
    options = parser.parse_args()
    width, height = map(int, options.size.split("x"))
    if options.kind == "rtsp":
        RtspServer(options, width, height).run()
        return
    camera = MjpegCamera(width, height, options.rate, options.user, options.password, options.digest, certificate=options.certificate)
    print(camera.address, flush=True)
    for line in sys.stdin:
        words = line.split()
        getattr(camera, words[0])(*words[1:])


if __name__ == "__main__":
    main()
