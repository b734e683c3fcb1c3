#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Many cameras side by side in a real browser: each tile of the wall plays, and goes on. Pictures a second, delays by the numbers on the pictures, memory and shares of the processor are printed.

  camera_wall.py --daybook PATH [--browser chromium|firefox] [--tiles 16] [--seconds 180] [--rate 10]

Ends with 77 where that browser is not installed.
"""

import bisect
import collections
import contextlib
import glob
import json
import math
import os
import statistics
import time

from browser_cameras import READ
from cameras import MjpegCamera
from centre import PASSWORD, Centre, arguments, hold, run, skip
from chromium import Chromium
from daybook import DEADLINE, new_id
from firefox import Firefox
from page import CannotStart
from story import watched

WIDTH, HEIGHT, GAP = 320, 180, 20
KILOBITS = 200
PART_SECONDS = 30
# Counts the pictures of each tile, and reads the numbers of the first and the last: to read all would be work that no guard's browser has.
COUNT = """window.wall = [...document.querySelectorAll(".camera-tile")].map((tile, place, { length }) => {
    const video = tile.querySelector("video"), one = { tile, video, shown: 0, at: NaN, numbers: [], states: [], state: tile.dataset.state };
    const next = () => video.requestVideoFrameCallback((_, { mediaTime, expectedDisplayTime }) => {
        next();
        // Firefox tells a picture again when it is drawn again.
        if (mediaTime === one.at) return;
        one.at = mediaTime;
        one.shown++;
        if (place === 0 || place === length - 1) one.numbers.push([(performance.timeOrigin + expectedDisplayTime) / 1000, window.cameraNumber(video)]);
    });
    next();
    new MutationObserver(() => one.state !== tile.dataset.state && one.states.push(one.state = tile.dataset.state)).observe(tile, { attributeFilter: ["data-state"] });
    return one;
}); 1"""
TAKE = """JSON.stringify(window.wall.map(({ tile, video, shown, numbers, states }) => ({
    camera: tile.dataset.camera, shown, dropped: video.getVideoPlaybackQuality().droppedVideoFrames, numbers: numbers.splice(0), states: states.splice(0) })))"""


def main(options, folder):
    sources = [MjpegCamera(WIDTH, HEIGHT, options.rate) for _ in range(options.tiles)]
    centre = Centre(options.daybook, folder, options=["--camera-networks", "127.0.0.0/8", "--time-zone", "UTC"]).open()
    try:
        browser = {"chromium": Chromium, "firefox": Firefox}[options.browser].launch(folder)
    except CannotStart as reason:
        skip(str(reason))
    with browser:
        wall = CameraWall(options, centre, browser, sources)
        with watched([wall.page], folder):
            wall.signs_in()
            wall.all_play()
            wall.all_go_on()
    for source in sources:
        source.stop()
    centre.stop()
    centre.verify()


def processes():
    """Of each process: its parent, its seconds of processor, and its bytes of memory, of shared ones its part."""
    found = {}
    for path in glob.glob("/proc/[0-9]*"):
        with contextlib.suppress(OSError):
            with open(f"{path}/stat", encoding="utf-8", errors="replace") as file:
                fields = file.read().rpartition(")")[2].split()
            with open(f"{path}/smaps_rollup", encoding="ascii") as file:
                memory = next((int(line.split()[1]) << 10 for line in file if line.startswith("Pss:")), 0)
            found[int(os.path.basename(path))] = int(fields[1]), (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), memory
    return found


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


class CameraWall:
    def __init__(self, options, centre, browser, sources):
        self.options, self.centre, self.browser = options, centre, browser
        centre.staff("gil", "guard")
        columns = math.ceil(math.sqrt(options.tiles))
        self.sources = {self.sets(number, columns, source): source for number, source in enumerate(sources)}
        self.page = browser.context().page(f"http://127.0.0.1:{centre.port}/cameras", width=1440, height=900)

    def sets(self, number, columns, source):
        """An administrator sets a camera up; its id."""
        made, frame = new_id(), {"x": number % columns * (WIDTH + GAP), "y": number // columns * (HEIGHT + GAP), "width": WIDTH, "height": HEIGHT}
        answer = self.centre.admin.put(f"/v1/cameras/{made}", {
            "site": "Plant", "number": number + 1, "name": f"Camera {number + 1}", "floor": 0, "latitude": 52.5, "longitude": 13.4, "source": "mjpeg", "address": source.address, "width": WIDTH, "height": HEIGHT,
            "framesPerSecond": self.options.rate, "kilobitsPerSecond": KILOBITS, "keptDays": 1, "keptBytes": 1 << 30, "frame": frame, "neighbours": {},
            "viewers": [{"role": "guard", "fromMinute": 0, "untilMinute": 1440}], "isOn": True})
        hold(answer.ok, f"setting a camera up: {answer}")
        return made

    def groups(self):
        """The processes of the gateway, of its cameras' readers and of the browser."""
        found, gateway, browser = processes(), self.centre.gateway.process.pid, self.browser.process.pid

        def is_below(pid, root):
            while pid in found and pid != root:
                pid = found[pid][0]
            return pid == root
        groups = {"gateway": lambda pid: pid == gateway, "daybook-camera": lambda pid: pid != gateway and is_below(pid, gateway), self.options.browser: lambda pid: is_below(pid, browser)}
        return {name: {pid: use[1:] for pid, use in found.items() if belongs(pid)} for name, belongs in groups.items()}

    # MARK: What the guard does

    def signs_in(self):
        if self.options.browser == "chromium":
            # Each frame of a socket would be told here.
            self.page.send("Network.disable")
        self.page.type("[name=login]", "gil")
        self.page.type("[name=password]", PASSWORD)
        self.page.press("Sign in", within=".door")
        self.page.wait_for("'ready' in document.documentElement.dataset", what="the page is there")
        self.page.click("[data-size=s]")

    def all_play(self):
        start = time.monotonic()
        count = self.options.tiles
        self.page.wait_for(f"document.querySelectorAll('.camera-tile[data-state=live]').length === {count}", what=f"{count} tiles are live")
        hold(self.page.evaluate("[...document.querySelectorAll('.camera-tile')].every((one) => one.getBoundingClientRect().bottom <= innerHeight)"), "some tiles lie below the window")
        self.page.evaluate(READ)
        self.page.evaluate(COUNT)
        self.all_show_another("each tile shows a picture")
        print(f"{self.options.browser}: {count} tiles, {WIDTH}x{HEIGHT} at {self.options.rate} a second, play after {time.monotonic() - start:.1f} s more", flush=True)

    def all_show_another(self, what):
        self.page.evaluate("window.wall.forEach((one) => { one.known = one.shown; }); 1")
        self.page.wait_for("window.wall.every(({ tile, shown, known }) => tile.dataset.state === 'live' && shown > known)", what=what)

    def all_go_on(self):
        begun, before, memory = time.monotonic(), self.groups(), collections.defaultdict(list)
        first = json.loads(self.page.evaluate(TAKE))
        parts = []
        for _ in range(max(1, round(self.options.seconds / PART_SECONDS))):
            source = next(iter(self.sources.values()))
            source.waits(len(source.sent) + round(min(PART_SECONDS, self.options.seconds) * self.options.rate), PART_SECONDS + DEADLINE)
            self.all_show_another("each tile goes on")
            parts.append(json.loads(self.page.evaluate(TAKE)))
            after = self.groups()
            for name, own in after.items():
                memory[name].append(sum(size for _, size in own.values()) >> 20)
        self.tells(time.monotonic() - begun, before, after, memory, first, parts)

    # MARK: What is told

    def tells(self, seconds, before, after, memory, first, parts):
        pairs = list(zip(first, parts[-1]))
        rates = [(last["shown"] - one["shown"]) / seconds for one, last in pairs]
        print(f"  pictures a second over {seconds:.0f} s: {statistics.mean(rates):.2f}; of each tile {' '.join(f'{rate:.2f}' for rate in rates)}")
        shown, dropped = sum(last["shown"] - one["shown"] for one, last in pairs), sum(last["dropped"] - one["dropped"] for one, last in pairs)
        print(f"  {shown} pictures shown, {dropped} dropped")
        for place, tiles in enumerate(zip(*parts)):
            if states := [state for tile in tiles for state in tile["states"]]:
                print(f"  tile {place + 1} was meanwhile {', '.join(states)}")
        for name, values in memory.items():
            print(f"  memory of {name} in MiB, each half minute: {' '.join(map(str, values))}")
        shares = {name: sum(use[0] - before[name].get(pid, (0,))[0] for pid, use in own.items()) / seconds * 100 for name, own in after.items()}
        print(f"  of a processor: {', '.join(f'{name} {share:.0f} %' for name, share in shares.items())}")
        delays = [delay for part in parts for tile in part for delay in self.delays(tile)]
        hold(delays, "no number is to be read")
        print(f"  a picture is on the screen {percentile(delays, 0.5):.2f} s after it was sent (p50), {percentile(delays, 0.99):.2f} s (p99), of {len(delays)}", flush=True)

    def delays(self, tile):
        """How old the pictures of a tile were that showed numbers."""
        sent, offset = collections.defaultdict(list), time.time() - time.monotonic()
        for number, moment in self.sources[tile["camera"]].sent[:]:
            sent[number].append(moment + offset)
        for moment, number in tile["numbers"]:
            if place := bisect.bisect(sent[number], moment):
                yield moment - sent[number][place - 1]


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--browser", choices=["chromium", "firefox"], default="chromium")
    parser.add_argument("--tiles", type=int, default=16)
    parser.add_argument("--seconds", type=float, default=180, help="to look")
    parser.add_argument("--rate", type=int, default=10, help="pictures of each camera a second")
    run(main, parser.parse_args())
