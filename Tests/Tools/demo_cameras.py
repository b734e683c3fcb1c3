# SPDX-License-Identifier: Apache-2.0
"""The cameras of a demo: three on this machine that film two floors of a post office, in whose pictures somebody walks to and fro."""

import collections
import subprocess

from cameras import MjpegCamera, each_jpeg
from daybook import new_id, until

SITE = "Watford"
WIDTH, HEIGHT, RATE, SECONDS = 640, 480, 10, 12

# Of each: what it is called, its floor, how far north and east of the middle of the town, its neighbours, what a guard is reminded of, and the colours of wall, ground, door and coat.
CAMERAS = {
    1: ("Main gate", 0, (0.0008, 0), {"right": 2}, "Locked from 22:00", ("0x8fa3b0", "0x5c6650", "0x31404a", "0xb5502d")),
    2: ("Loading bay", 0, (0.0012, 0.0009), {"left": 1}, None, ("0xb3a58c", "0x6e675c", "0x4c5f75", "0x2f5d8a")),
    11: ("Sorting room", 1, (0.001, 0.0004), {}, None, ("0xc9ccc4", "0x8a7864", "0x5b7a5f", "0x6b4a86")),
}
VIEWERS = [{"role": role, "fromMinute": 0, "untilMinute": 1440} for role in ("guard", "operator", "supervisor")]


class Cameras:
    """Each sends as long as the demo runs; `ids` has them by number. `pictures` are those of each, by number, where they are not the drawn ones."""

    def __init__(self, middle, pictures=None):
        self.middle, self.ids = middle, {number: new_id() for number in CAMERAS}
        self.sources = {number: MjpegCamera(rate=RATE, pictures=pictures[number] if pictures else _scene(*colours)) for number, (*_, colours) in CAMERAS.items()}
        for source in self.sources.values():
            # A demo counts no pictures, and may run for days.
            source.sent = collections.deque(maxlen=RATE)

    def set_up(self, admin):
        """Tells the gateway of them, and waits until it reads each."""
        answers = [admin.put(f"/v1/cameras/{self.ids[number]}", self.settings(number)) for number in CAMERAS]
        if all(answer.ok for answer in answers):
            until(lambda: all(camera["standing"] == "online" for camera in admin.get("/v1/cameras").json["items"]), "the cameras are online")
        return next((answer for answer in answers if not answer.ok), answers[0])

    def settings(self, number):
        """What the gateway is told of a camera."""
        name, floor, (north, east), neighbours, notice, _ = CAMERAS[number]
        size = {"width": WIDTH, "height": HEIGHT}
        beside = sum(other < number for other in CAMERAS if CAMERAS[other][1] == floor)
        return {
            "site": SITE, "number": number, "name": name, "floor": floor, "latitude": self.middle[0] + north, "longitude": self.middle[1] + east, "source": "mjpeg",
            "address": self.sources[number].address, **size, "framesPerSecond": RATE, "kilobitsPerSecond": 500, "keptDays": 7, "keptBytes": 1 << 30,
            "frame": {"x": beside * (WIDTH + 20), "y": 0, **size}, "neighbours": neighbours, "notice": notice, "viewers": VIEWERS, "isOn": True,
        }

    def end(self):
        for source in self.sources.values():
            source.stop()


def _scene(wall, ground, door, coat):
    """A wall with a door, before which somebody walks to and fro, as JPEG pictures."""
    length = f"r={RATE}:d={SECONDS}"
    inputs = [f"color={wall}:s={WIDTH}x{HEIGHT}:{length}", f"color={coat}:s=48x130:{length}", f"color=0xd9b48f:s=28x32:{length}"]
    across, step = f"60+470*abs(2*t/{SECONDS}-1)", "3*sin(9*t)"
    draw = (f"[0]drawbox=y=330:w=iw:h=150:c={ground}:t=fill,drawbox=x=270:y=150:w=100:h=180:c={door}:t=fill[place];"
            f"[place][1]overlay=x='{across}':y='250+{step}'[body];[body][2]overlay=x='10+{across}':y='216+{step}'")
    command = ["ffmpeg", "-v", "error", *(word for one in inputs for word in ("-f", "lavfi", "-i", one)), "-filter_complex", draw, "-pix_fmt", "yuvj420p", "-c:v", "mjpeg", "-q:v", "4", "-f", "mjpeg", "-"]
    return each_jpeg(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
