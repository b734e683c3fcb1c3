#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What an operator has before them, in a real browser, of a phone that films upright and of one that films wide: a queue by which to choose, a picture that has
the room, the map beside or below it, a field to write in that is always on the screen, and the last picture of a video that has ended.

Prints which share of the console's area the picture has at each size. Ends with 77 where no Chromium is installed.
"""

import os

import centre
from browser_emergency import open_browser, register, said, sign_in
from centre import Centre, hold
from story import tell, watched

SIZES = [(1440, 900), (1920, 1080), (1280, 720), (1024, 768), (390, 844)]
#: Below this width the parts stand beneath each other, and the page scrolls.
NARROW = 760
#: By shape: the camera's pictures, and which share of 1440 × 900 they have at least.
SHAPES = {"wide": (640, 360, 0.35), "upright": (360, 640, 0.20)}

# A camera of a certain shape: a canvas that is drawn anew, so that there is always a picture.
CAMERA = """navigator.mediaDevices.getUserMedia = async () => {
    const canvas = Object.assign(document.createElement('canvas'), { width: WIDTH, height: HEIGHT }), context = canvas.getContext('2d');
    let count = 0;
    setInterval(() => { context.fillStyle = `hsl(${count % 360} 60% 50%)`; context.fillRect(0, 0, WIDTH, HEIGHT); context.fillStyle = '#fff'; context.font = '60px sans-serif'; context.fillText(String(count++), 40, 90); }, 100);
    return canvas.captureStream(10); };"""

# How large the picture is on the screen: what of its element the video fills without being distorted.
PICTURE = """(() => { const v = document.querySelector('#main .player-screen > video'), r = v.getBoundingClientRect();
    if (!v.videoWidth || !r.width) return null;
    const scale = Math.min(r.width / v.videoWidth, r.height / v.videoHeight);
    return { share: v.videoWidth * scale * v.videoHeight * scale / (innerWidth * innerHeight), width: Math.round(v.videoWidth * scale), height: Math.round(v.videoHeight * scale) }; })()"""
OVERFLOW = f"Math.max(innerWidth <= {NARROW} ? 0 : document.documentElement.scrollHeight - innerHeight, document.documentElement.scrollWidth - innerWidth)"

# Which parts of the page lie over each other, and which part is the largest. Of each row no two may touch the same place.
PARTS = """(() => {
    const rows = [['.top', '#queue', '#main .head', '#main .stage', '#main .talk'], ['#main .player-screen', '#main .player-controls', '#main .where-is', '#main .tiles'],
        ['#main .talk > .pane-title', '#main .talk > .told', '#main .talk > chat-log', '#main .talk > form'], ['#main .head > *'], ['#main .player-controls > *'], ['#queue .ticket']];
    const seen = (one) => one.checkVisibility() && one.getBoundingClientRect().width > 0 && one.getBoundingClientRect().height > 0;
    const box = (element) => ({ name: `${element.localName}.${element.className}`, ...element.getBoundingClientRect().toJSON() });
    const over = (one, other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;
    const overlaps = rows.flatMap((row) => {
        const parts = row.flatMap((name) => [...document.querySelectorAll(name)]).filter(seen).map(box);
        return parts.flatMap((one, number) => parts.slice(number + 1).filter((other) => over(one, other)).map((other) => `${one.name} and ${other.name}`));
    });
    const areas = ['#queue', '#main .player-screen', '#main .where-is', '#main .talk'].map((name) => document.querySelector(name)).filter((one) => one && seen(one)).map(box)
        .map(({ name, width, height }) => [Math.round(width * height), name]);
    const high = (name) => document.querySelector(name).getBoundingClientRect().height;
    return { overlaps, largest: areas.sort(([one], [other]) => other - one)[0][1], room: high('#main .stage-box') - high('#main .player-controls') }; })()"""


def main(options, folder):
    desk = Centre(options.daybook, folder).open()
    desk.staff("amina")
    if options.shots:
        os.makedirs(options.shots, exist_ok=True)
    with open_browser(folder) as browser:
        pages = []
        with watched(pages, folder):
            for number, shape in enumerate(SHAPES):
                stage = Stage(options, desk, browser, pages, shape, f"+44770090060{number}")
                tell(stage.queue, stage.video, stage.map, stage.ends, stage.points, stage.closes)
    desk.verify()


class Stage:
    def __init__(self, options, desk, browser, pages, shape, phone):
        self.options, self.desk, self.shape, self.phone = options, desk, shape, phone
        self.address = f"http://127.0.0.1:{desk.port}"
        self.amina = sign_in(browser.context(), self.address, "amina")
        self.caller = register(browser.context(), self.address, self.amina, phone=phone, width=390, height=844, touch=True)
        self.caller.place(51.6565, -0.3903)
        width, height, self.least = SHAPES[shape]
        self.caller.evaluate(CAMERA.replace("WIDTH", str(width)).replace("HEIGHT", str(height)) + " 1")
        pages[:] = [self.amina, self.caller]

    def shots(self, name):
        """Pictures of what is shown now, light and dark, to be looked at."""
        if not self.options.shots:
            return
        for isDark in (True, False):
            self.amina.dark(isDark)
            self.amina.screenshot(os.path.join(self.options.shots, f"{self.shape}-{name}-{'dark' if isDark else 'light'}.png"))

    def queue(self):
        """Before anything is pressed an operator reads who needs what, and where."""
        amina, caller = self.amina, self.caller
        amina.evaluate("""(() => { window.tones = 0; const make = AudioContext.prototype.createOscillator; AudioContext.prototype.createOscillator = function () { window.tones++; return make.call(this); }; })()""")
        amina.has("Sound on", "#sound-button")
        caller.press("Chat with the emergency centre")
        caller.press("Yes, I need help")
        for words in ("Two people are hurt", "One is trapped"):
            caller.type("#write textarea", words)
            caller.key("Enter")
            amina.has(words, "#queue .pending")
        amina.has("Two people are hurt", "#queue .pending")
        amina.wait_for("document.title === '(1) Daybook console'", what="the title counts who waits")
        amina.wait_for("window.tones > 0", what="it sounds")
        self.shots("queue")
        amina.press("Take it", within="#queue .pending")
        said(amina, "#main chat-log", "One is trapped")

    def video(self):
        amina, caller = self.amina, self.caller
        amina.press("Ask for video", within="#main")
        caller.press("Show video", within="#asked")
        amina.wait_for(f"{PICTURE} !== null", what="a picture")
        self.measures("video")

    def measures(self, name):
        for width, height in SIZES:
            self.fits(name, width, height)
        self.amina.resize(*SIZES[0])

    def fits(self, name, width, height):
        """At one size: nothing lies outside or over another, the picture is the largest, and what one works with is on the screen."""
        amina = self.amina
        amina.resize(width, height)
        amina.wait_for(f"innerWidth === {width} && {OVERFLOW} <= 0", what=f"nothing lies outside {width} × {height}")
        picture = amina.wait_for(PICTURE)
        parts = amina.evaluate(PARTS)
        print(f"{self.shape}, {name}, {width} × {height}: picture {picture['width']} × {picture['height']}, {100 * picture['share']:.1f} %, largest {parts['largest']}", flush=True)
        self.shots(f"{name}-{width}")
        hold(not parts["overlaps"], f"at {width} × {height} these lie over each other: {parts['overlaps']}")
        if (width, height) == SIZES[0]:
            hold(picture["share"] >= self.least, f"the picture has {picture['share']:.3f} of the console, not {self.least}")
        row = amina.evaluate("document.querySelector('#main .write .quick').clientHeight")
        hold(row < 60, f"the ready sentences stand in one row, not {row} high")
        if width <= NARROW:
            return
        # What is upright has the height, and cannot be wider for it.
        hold("player-screen" in parts["largest"] or picture["height"] >= parts["room"] - 2, f"the picture is the largest at {width} × {height}, not {parts['largest']}, or has the height")
        below = amina.evaluate("document.querySelector('#main .write .primary').getBoundingClientRect().bottom - innerHeight")
        hold(below <= 0, f"the button to send lies {below} below the screen at {width} × {height}")

    def map(self):
        """With a place the map stands beside an upright picture and below a wide one; either can have all the room."""
        amina, caller = self.amina, self.caller
        amina.press("Ask for the place", within="#main")
        caller.press("Send my location", within="#asked")
        amina.has("51.656500", "#main place-map")
        self.measures("both")
        beside = amina.evaluate("""(() => { const screen = document.querySelector('#main .player-screen').getBoundingClientRect(), map = document.querySelector('#main place-map').getBoundingClientRect();
            return { isBeside: map.left >= screen.right - 1, isBelow: map.top >= screen.bottom - 1, width: map.width, height: map.height }; })()""")
        hold(beside["isBeside" if self.shape == "upright" else "isBelow"], f"the map stands {beside}")
        hold(beside["width"] > 200 and beside["height"] > 100, f"the map is {beside}")
        amina.press("Map", within="#main .choice")
        amina.wait_for("!document.querySelector('#main .player-screen').checkVisibility()", what="the map has the room")
        self.shots("map")
        amina.press("Video", within="#main .choice")
        amina.wait_for("!document.querySelector('#main place-map').checkVisibility() && document.querySelector('#main .player-screen').checkVisibility()", what="the picture has the room")
        amina.press("Both", within="#main .choice")

    def ends(self):
        """The last picture stays, and it is said when and why it is the last; the caller can be asked again, and the recording looked at from its start."""
        amina, caller = self.amina, self.caller
        amina.wait_for("document.querySelector('#main .player-screen > video').currentTime > 3", what="three seconds of video")
        caller.press("Stop video")
        amina.has("Video ended", "#main .player-over")
        amina.has("the caller stopped it", "#main .player-over")
        hold(amina.evaluate("/Video ended \\d\\d:\\d\\d:\\d\\d/.test(document.querySelector('#main .player-over').innerText)"), "it is said when")
        at = amina.evaluate("document.querySelector('#main .player-screen > video').currentTime")
        hold(at > 2 and amina.evaluate(f"{PICTURE} !== null"), f"the last picture stays, not the one at {at} s")
        hold("live" not in amina.text("#main .player-controls"), "nothing is called live that has ended")
        self.shots("ended")
        amina.press("Ask again", within="#main .player-over")
        caller.has("Show video?", "#asked")
        caller.press("Not now", within="#asked")
        amina.press("Watch from start", within="#main .player-over")
        amina.wait_for("document.querySelector('#main .player-over').hidden && document.querySelector('#main .player-screen > video').currentTime < 2", what="the recording begins")
        amina.has("RECORDED", "#main .player-state")

    def points(self):
        """A pointer that rests on the bar shows what was filmed then, and when."""
        amina, still = self.amina, "document.querySelector('#main .player-hint img')"
        bar = amina.evaluate("(() => { const r = document.querySelector('#main .player-bar input').getBoundingClientRect(); return { x: r.left + r.width / 2, y: r.top + r.height / 2 }; })()")
        amina.send("Input.dispatchMouseEvent", {"type": "mouseMoved", **bar})
        amina.wait_for(f"{still}.checkVisibility() && {still}.naturalWidth > 0", what="a still of the moment")
        size = amina.evaluate(f"[{still}.naturalWidth, {still}.naturalHeight]")
        hold((size[0] < size[1]) == (self.shape == "upright"), f"the still is {size}")
        hold(amina.evaluate("/^\\d\\d:\\d\\d:\\d\\d$/.test(document.querySelector('#main .player-hint').innerText.trim())"), "the still has its time of day")
        self.shots("hint")
        amina.send("Input.dispatchMouseEvent", {"type": "mouseMoved", "x": 5, "y": 5})
        amina.wait_for("document.querySelector('#main .player-hint').hidden", what="the still goes with the pointer")

    def closes(self):
        self.amina.key("x", alt=True)
        self.amina.press("Close the session", within="#leave-dialog")
        self.amina.has("No session is open", "#main")
        self.amina.click("#sign-out-button")
        self.amina.has("You are signed out.", "#sign-in-fault")


if __name__ == "__main__":
    parser = centre.arguments(__doc__)
    parser.add_argument("--shots", help="a folder for pictures of the page, to be looked at")
    centre.run(main, parser.parse_args())
