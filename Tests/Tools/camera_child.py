#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`daybook-camera` with cameras of the tests (`cameras.py`): MJPEG and RTSP become WebM that ffmpeg reads, with a cluster a second and each picture in its place; what is wrong with a
camera is told in a word; it stops when its input ends, keeps the password to itself, follows no redirect, and does not grow.

  camera_child.py --camera PATH-OF-daybook-camera
"""

import argparse
import concurrent.futures
import contextlib
import functools
import itertools
import os
import re
import signal
import socket
import subprocess
import threading
import time

from cameras import COUNT, MjpegCamera, RtspCamera, has_rtsp_server, read_number
from centre import Skipped, hold, make_certificate, run
from daybook import DEADLINE

USER, PASSWORD = "viewer", "correct-horse-battery"
RATE = 10
WORDS = ("online", "clock", "frozen", "moving", "undecodable", "fault")
CLUSTER, TIMESTAMP, SIMPLE_BLOCK, SEGMENT = 0x1F43B675, 0xE7, 0xA3, 0x18538067
# How much more a process may have after so many pictures again.
GROWTH_MOST = 16 << 20
PICTURES_WITHOUT_READER = 200


class WebM:
    """Clusters as they come: of each its time, and its blocks as (milliseconds, is key, monotonic time of arrival)."""

    def __init__(self):
        self.bytes, self.at, self.clusters = bytearray(), 0, []

    def push(self, data):
        self.bytes += data
        now = time.monotonic()
        while (element := self._element()) is not None:
            name, start, size = element
            # What has parts is of unknown length in a live stream: its parts follow as if they were beside it.
            if name in (SEGMENT, CLUSTER):
                if name == CLUSTER:
                    self.clusters.append([None, []])
                self.at = start
                continue
            if start + size > len(self.bytes):
                return
            if name == TIMESTAMP:
                self.clusters[-1][0] = int.from_bytes(self.bytes[start:start + size], "big")
            elif name == SIMPLE_BLOCK:
                relative = int.from_bytes(self.bytes[start + 1:start + 3], "big", signed=True)
                self.clusters[-1][1].append((self.clusters[-1][0] + relative, self.bytes[start + 3] & 0x80 != 0, now))
            self.at = start + size

    def _element(self):
        head = self.bytes[self.at:self.at + 12]
        if len(head) < 12:
            return None
        name_length = 9 - head[0].bit_length()
        size_length = 9 - head[name_length].bit_length()
        end = name_length + size_length
        size = int.from_bytes(head[name_length:end], "big") & (1 << 7 * size_length) - 1
        return int.from_bytes(head[:name_length], "big"), self.at + end, size

    @property
    def blocks(self):
        return [block for _, blocks in self.clusters for block in blocks]


class Child:
    """The program, and what it writes."""

    def __init__(self, binary, reads=True, settings=None, **changed):
        # A thread of a gateway may have blocked all signals, which a child inherits.
        blocks = functools.partial(signal.pthread_sigmask, signal.SIG_BLOCK, signal.valid_signals())
        self.process = subprocess.Popen([binary], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0, preexec_fn=blocks)
        self.webm, self.lines, self.news = WebM(), [], threading.Condition()
        wanted = {"kind": "mjpeg", "width": 320, "height": 240, "rate": RATE, "kilobits": 500, **changed}
        text = settings if settings is not None else "".join(f"{key} {value}\n" for key, value in wanted.items() if value is not None) + "\n"
        self.threads = [threading.Thread(target=self._reads_lines, daemon=True)]
        if reads:
            self.threads.append(threading.Thread(target=self._reads_webm, daemon=True))
        for thread in self.threads:
            thread.start()
        self.process.stdin.write(text.encode())

    def _reads_lines(self):
        for line in iter(self.process.stderr.readline, b""):
            with self.news:
                self.lines.append(line.decode().rstrip("\n"))
                self.news.notify_all()

    def _reads_webm(self):
        while data := os.read(self.process.stdout.fileno(), 1 << 16):
            with self.news:
                self.webm.push(data)
                self.news.notify_all()

    def waits(self, holds, what):
        """Waits until `holds` returns something true, and returns that."""
        with self.news:
            found = self.news.wait_for(holds, DEADLINE)
            hold(found, f"not yet: {what}; lines {self.lines}, {len(self.webm.blocks)} pictures")
            return found

    def tells(self, word, after=0):
        """Waits for a line that begins so; the number of lines to it."""
        return self.waits(lambda: next((index + 1 for index, line in enumerate(self.lines) if index >= after and line.split(" ")[0] == word), 0), word)

    def has(self, pictures=1):
        """Waits for so many more pictures."""
        wanted = len(self.webm.blocks) + pictures
        self.waits(lambda: len(self.webm.blocks) >= wanted, f"{wanted} pictures")

    def ends(self):
        """Waits for its end; the exit code."""
        code = self.process.wait(DEADLINE)
        for thread in self.threads:
            thread.join(DEADLINE)
        hold(all(re.fullmatch(f"({'|'.join(WORDS)})( [ -~]+)?", line) and len(line) <= 200 for line in self.lines), f"these lines are not as agreed: {self.lines}")
        hold(not any(PASSWORD in line or USER in line for line in self.lines), f"the password or user is told: {self.lines}")
        return code

    def stops(self):
        self.process.stdin.close()
        code = self.ends()
        hold(code == 0 and not self.faults, f"after the end of its input it ended with {code}: {self.lines}")
        return self

    @property
    def faults(self):
        return [line for line in self.lines if line.startswith("fault")]

    def fails(self, word, code=1):
        """Waits until it ends by a fault."""
        ended = self.ends()
        hold(ended == code and [line.split(" ")[1] for line in self.faults] == [word] and self.lines[-1] == self.faults[0],
             f"it ended with {ended} and {self.lines}; wanted are {code} and a last line of fault {word}")
        return self

    def memory(self):
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as file:
            return int(re.search(r"VmRSS:\s+(\d+)", file.read())[1]) << 10


class CameraChild:
    def __init__(self, binary, folder):
        self.binary, self.folder = binary, folder

    def child(self, camera=None, **changed):
        if camera is not None:
            changed = {"kind": "rtsp" if isinstance(camera, RtspCamera) else "mjpeg", "address": camera.address, **changed}
        return Child(self.binary, **changed)

    # MARK: What is archived

    def pictures(self, child, width, height, crop=None):
        """The pictures of its WebM, decoded by ffmpeg, as grey bytes."""
        command = ["ffmpeg", "-v", "error", "-i", "-", *(["-vf", f"crop={crop}"] if crop else []), "-fps_mode", "passthrough", "-enc_time_base", "1:1000", "-pix_fmt", "gray", "-f", "rawvideo", "-"]
        done = subprocess.run(command, input=bytes(child.webm.bytes), capture_output=True, check=True)
        hold(not done.stderr, f"ffmpeg reads the WebM with {done.stderr[:500]}")
        size = width * height
        return [done.stdout[at:at + size] for at in range(0, len(done.stdout), size)]

    def holds_clusters(self, child):
        """A cluster has the pictures of one second, and begins with its one key frame."""
        for stamp, blocks in child.webm.clusters:
            times = [milliseconds for milliseconds, _, _ in blocks]
            hold([is_key for _, is_key, _ in blocks] == [True] + [False] * (len(blocks) - 1), f"the cluster at {stamp} has key frames {blocks}")
            hold(times[0] == stamp and len({milliseconds // 1000 for milliseconds in times}) == 1, f"the cluster at {stamp} has pictures at {times}")
        times = [milliseconds for milliseconds, _, _ in child.webm.blocks]
        hold(times[0] == 0 and times == sorted(set(times)), f"pictures are at {times}")

    def holds_numbers(self, child, pictures, width, height):
        """Each picture shows a number, and later ones higher numbers; none comes twice."""
        numbers = [read_number(picture, width, height) for picture in pictures]
        hold(None not in numbers and len(numbers) == len(child.webm.blocks), f"{len(child.webm.blocks)} pictures show {numbers}")
        steps = [(later - sooner) % COUNT for sooner, later in zip(numbers, numbers[1:])]
        hold(all(0 < step < COUNT // 2 for step in steps), f"pictures show {numbers}")
        # Of 25 a second about 10 are kept. A picture is taken up to a quarter of a period before it is due, and the next is due a period after it or later: n intervals last n - 1.25 periods at least, so
        # 11 may lie within a second, and 12 may not.
        hold(all(len(blocks) <= RATE + 2 for _, blocks in child.webm.clusters), f"pictures are at {child.webm.blocks}")

    def mjpeg_is_archived_within_borders(self):
        before = time.time()
        with of(MjpegCamera(640, 480, user=USER, password=PASSWORD)) as camera:
            child = self.child(camera, width=640, height=360, user=USER, password=PASSWORD)
            child.waits(lambda: len(child.webm.clusters) > 3, "four clusters")
            child.stops()
        hold(child.lines[0] == "online 640x480 jpeg", f"the source is told as {child.lines}")
        clock = int(re.fullmatch(r"clock (\d+)", child.lines[1])[1]) / 1e6
        hold(before <= clock <= time.time(), f"the first picture is told to be of {clock}, the test began at {before}")
        self.holds_clusters(child)
        self.holds_numbers(child, self.pictures(child, 480, 360, "480:360:80:0"), 480, 360)
        hold(max(max(picture) for picture in self.pictures(child, 60, 360, "60:360:0:0")) < 40, "the border is not black")

    def rtsp_is_archived(self):
        with of(RtspCamera(1280, 720, user=USER, password=PASSWORD, digest=True)) as camera:
            child = self.child(camera, width=640, height=360, user=USER, password=PASSWORD)
            child.waits(lambda: len(child.webm.clusters) > 3, "four clusters")
            self.keeps_the_password_to_itself(child)
            child.stops()
        hold(child.lines[0] == "online 1280x720 h264", f"the source is told as {child.lines}")
        self.holds_clusters(child)
        self.holds_numbers(child, self.pictures(child, 640, 360), 640, 360)

    @staticmethod
    def keeps_the_password_to_itself(child):
        for name in ("cmdline", "environ"):
            with contextlib.suppress(PermissionError), open(f"/proc/{child.process.pid}/{name}", "rb") as file:
                hold(PASSWORD.encode() not in file.read(), f"the password stands in /proc/PID/{name}")

    def a_gap_stays_a_gap(self):
        with of(MjpegCamera()) as camera:
            child = self.child(camera)
            child.has(3)
            camera.slow(0.5)
            child.has(3)
            child.stops()
        times = [milliseconds for milliseconds, _, _ in child.webm.blocks]
        # Two pictures of that source lie two seconds apart, or more.
        hold(max(later - sooner for sooner, later in zip(times, times[1:])) > 1500, f"pictures are at {times}")
        self.holds_clusters(child)

    # MARK: What is refused

    def wrong_settings_are_refused(self):
        lines = ["kind mjpeg", "address http://127.0.0.1:9/", "width 320", "height 240", "rate 10", "kilobits 500"]
        wrong = ["kind hls", "address rtsp://127.0.0.1/", f"address http://{USER}:{PASSWORD}@127.0.0.1/", "address http:///x", "address", "width 321", "width 4000", "height 14", "height x", "rate 0",
                 "rate 31", "kilobits 9000", "kilobits 5e2", "pipeline fakesrc", "ca /nowhere.pem", "user \x1b[1m"]
        texts = ["".join(f"{one}\n" for one in [*[line for line in lines if line.split()[0] != bad.split()[0]], bad]) + "\n" for bad in wrong]
        texts += ["".join(f"{one}\n" for one in lines if one != missing) + "\n" for missing in lines]
        texts += ["\n", "x" * 20_000]
        for text in texts:
            self.child(settings=text).fails("settings", 2)
        unfinished = self.child(settings="".join(f"{one}\n" for one in lines))
        unfinished.process.stdin.close()
        unfinished.fails("settings", 2)

    def wrong_passwords_are_told(self):
        for kind, digest in itertools.product((MjpegCamera, RtspCamera), (False, True)):
            with of(kind(320, 240, user=USER, password=PASSWORD, digest=digest)) as camera:
                child = self.child(camera, user=USER, password=PASSWORD)
                child.has(3)
                child.stops()
                self.child(camera, user=USER, password=PASSWORD[::-1]).fails("password")
                self.child(camera).fails("password")

    def what_is_no_camera_is_told(self):
        with of(MjpegCamera()) as camera:
            self.child(camera, address=camera.address + "x").fails("path")
            self.child(address=camera.address.replace("video", "page")).fails("type")
            # A server of another protocol.
            self.child(kind="rtsp", address=camera.address.replace("http", "rtsp")).fails("type")
        for kind, scheme in (("mjpeg", "http"), ("rtsp", "rtsp")):
            with socket.create_server(("127.0.0.1", 0)) as free:
                port = free.getsockname()[1]
            self.child(kind=kind, address=f"{scheme}://127.0.0.1:{port}/").fails("address")
            self.child(kind=kind, address=f"{scheme}://camera.invalid/").fails("address")
        with of(MjpegCamera(4112, 32)) as camera:
            self.child(camera).fails("type")
        with of(RtspCamera(320, 240)) as camera:
            self.child(camera, address=camera.address + "x").fails("path")

    def no_redirect_is_followed(self):
        with of(MjpegCamera()) as other, of(Redirecting(other.port)) as rtsp:
            with of(MjpegCamera(elsewhere=other.address)) as camera:
                self.child(address=camera.address.replace("video", "away")).fails("path")
            self.child(kind="rtsp", address=rtsp.address).fails("path")
            hold(rtsp.has_redirected, "the RTSP server was not asked for its stream")
            hold(not other.requests, f"the other server was asked for {other.requests}")

    def certificates_are_checked(self):
        certificate, key = make_certificate(self.folder)
        for kind in (MjpegCamera, RtspCamera):
            with of(kind(320, 240, certificate=(certificate, key))) as camera:
                self.child(camera).fails("address")
                child = self.child(camera, ca=certificate)
                child.has(3)
                child.stops()

    # MARK: What happens in between

    def garbage_is_counted(self):
        for kind, codec in ((MjpegCamera, "jpeg"), (RtspCamera, "h264")):
            with of(kind(320, 240)) as camera:
                child = self.child(camera)
                child.has(3)
                camera.garbage()
                after = child.tells("undecodable")
                camera.play()
                child.has(10)
                child.stops()
                counts = [int(line.split(" ")[1]) for line in child.lines if line.startswith("undecodable")]
                hold(after > 2 and min(counts) > 0, f"{codec}: {child.lines}")
                self.holds_clusters(child)

    def garbage_alone_is_a_fault(self):
        with of(MjpegCamera(320, 240)) as camera:
            camera.garbage()
            child = self.child(camera).fails("type")
            hold(not child.webm.blocks and child.lines[0].startswith("undecodable"), f"of garbage became {child.lines}")

    def silence_is_a_fault(self):
        with of(MjpegCamera(320, 240)) as mute, of(RtspCamera(320, 240)) as falling, socket.create_server(("127.0.0.1", 0)) as dumb:
            mute.hush()
            children = [self.child(mute), self.child(falling), self.child(address=f"http://127.0.0.1:{dumb.getsockname()[1]}/")]
            children[1].has(3)
            falling.hush()
            for child in children:
                child.fails("silent")

    def frozen_and_moving_are_told(self):
        with of(MjpegCamera(320, 240)) as first, of(RtspCamera(320, 240)) as second:
            pairs = [(camera, self.child(camera, width=322)) for camera in (first, second)]
            for camera, child in pairs:
                child.has(3)
                camera.freeze()
            for camera, child in pairs:
                after = child.tells("frozen")
                child.has(3)
                camera.play()
                child.tells("moving", after)
                child.stops()
                hold([line.split(" ")[0] for line in child.lines] == ["online", "clock", "frozen", "moving"], f"it told {child.lines}")

    def a_camera_that_goes_is_told(self):
        for kind in (MjpegCamera, RtspCamera):
            with of(kind(320, 240)) as camera:
                child = self.child(camera)
                child.has(3)
                camera.stop()
                child.fails("ended")
                camera.start()
                again = self.child(camera)
                again.has(3)
                again.stops()

    def it_stops_while_it_waits(self):
        with socket.create_server(("127.0.0.1", 0)) as dumb:
            for kind, scheme in (("mjpeg", "http"), ("rtsp", "rtsp")):
                child = self.child(kind=kind, address=f"{scheme}://127.0.0.1:{dumb.getsockname()[1]}/")
                with dumb.accept()[0] as connection:
                    connection.recv(1)
                    child.stops()

    def it_ends_with_its_gateway(self):
        """All pipes of a gateway that is killed break, the one for the video maybe first."""
        for kind in (MjpegCamera, RtspCamera):
            with of(kind(320, 240)) as camera:
                child = self.child(camera, reads=False)
                child.tells("clock")
                child.process.stdout.close()
                child.tells("fault")
                child.process.stdin.close()
                code = child.process.wait(DEADLINE)
                hold(code == 1, f"without a reader of its video it ended with {code}: {child.lines}")

    def a_slow_reader_costs_no_memory(self):
        with of(MjpegCamera(rate=100)) as camera:
            child = self.child(camera, reads=False, width=640, height=480, rate=30, kilobits=8000)
            child.tells("clock")
            seen = []
            for _ in range(2):
                camera.waits(len(camera.sent) + PICTURES_WITHOUT_READER)
                seen.append(child.memory())
            # Standard output is full: it cannot flush, and ends all the same.
            child.stops()
        hold(seen[1] - seen[0] < GROWTH_MOST, f"memory went from {seen[0]} to {seen[1]} bytes while nobody read")


class Redirecting:
    """An RTSP server that sends whoever asks for a stream to another port."""

    def __init__(self, port):
        self.has_redirected, self.elsewhere = False, f"rtsp://127.0.0.1:{port}/video"
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.address = f"rtsp://127.0.0.1:{self.socket.getsockname()[1]}/video"
        threading.Thread(target=self._answers, daemon=True).start()

    def _answers(self):
        connection, _ = self.socket.accept()
        with connection, connection.makefile("rb") as lines:
            while request := lines.readline():
                fields = dict(line.decode().rstrip().split(": ", 1) for line in iter(lines.readline, b"\r\n"))
                self.has_redirected = self.has_redirected or request.startswith(b"DESCRIBE")
                head = f"302 Found\r\nLocation: {self.elsewhere}" if request.startswith(b"DESCRIBE") else "200 OK\r\nPublic: DESCRIBE, SETUP, PLAY, TEARDOWN"
                connection.sendall(f"RTSP/1.0 {head}\r\nCSeq: {fields['CSeq']}\r\n\r\n".encode())

    def stop(self):
        self.socket.close()


@contextlib.contextmanager
def of(camera):
    try:
        yield camera
    finally:
        camera.stop()


def main(options, folder):
    if not has_rtsp_server():
        raise Skipped("python3-gi or gir1.2-gst-rtsp-server-1.0 is not installed")
    story = CameraChild(options.camera, folder)
    # Those that wait for seconds of the program go first; they wait beside each other.
    steps = (story.silence_is_a_fault, story.garbage_alone_is_a_fault, story.frozen_and_moving_are_told, story.a_slow_reader_costs_no_memory, story.mjpeg_is_archived_within_borders,
             story.rtsp_is_archived, story.a_gap_stays_a_gap, story.wrong_settings_are_refused, story.wrong_passwords_are_told, story.what_is_no_camera_is_told, story.no_redirect_is_followed,
             story.certificates_are_checked, story.garbage_is_counted, story.a_camera_that_goes_is_told, story.it_stops_while_it_waits, story.it_ends_with_its_gateway)
    with concurrent.futures.ThreadPoolExecutor(4) as workers:
        results = [(step, workers.submit(step)) for step in steps]
        for number, (step, result) in enumerate(results, 1):
            print(f"{number}. {step.__name__.replace('_', ' ')}", flush=True)
            result.result()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--camera", required=True, help="the executable daybook-camera")
    parser.add_argument("--folder", help="where to work; kept afterwards (default: a temporary folder)")
    # All programs of this folder are given it.
    parser.add_argument("--daybook", help=argparse.SUPPRESS)
    run(main, parser.parse_args())
