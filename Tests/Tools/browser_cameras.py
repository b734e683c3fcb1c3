#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The wall of cameras in a real browser, with cameras whose pictures carry numbers: a guard sees them live, opens one large, looks back, comes back to live, goes to the neighbour, sees both at
the same moment, and changes the floor by finger and by key; what cannot be looked at says why, and what the gateway's end takes away comes back by itself. An administrator makes a channel for the
team: a guard with a phone and an operator at the console write in it, and show each other pictures of cameras.

  browser_cameras.py --daybook PATH [--screenshots FOLDER] [--axe axe.min.js]

Ends with 77 where no Chromium is installed.
"""

import json
import os
import time

from browser_emergency import open_browser, sign_in
from cameras import COLUMNS, NUMBER_BITS, ROWS, MjpegCamera
from centre import PASSWORD, Centre, arguments, hold, run
from daybook import new_id, until
from story import tell, watched

SIZE = {"width": 640, "height": 480}
# Reads the number of a picture as `cameras.py` draws it; `null` where it shows none.
READ = f"""window.cameraNumber = (video) => {{
    if (!video?.videoWidth) return null;
    const [columns, rows] = [{COLUMNS}, {ROWS}], [width, height] = [columns * 16, rows * 16];
    const context = (window.readingCanvas ??= new OffscreenCanvas(width, height)).getContext('2d', {{ willReadFrequently: true }});
    context.drawImage(video, 0, 0, width, height);
    const {{ data }} = context.getImageData(0, 0, width, height);
    let code = 0;
    for (let row = 0; row < rows; row++) for (let column = 0; column < columns; column++)
        if (data[((row * 16 + 8) * width + column * 16 + 8) * 4] > 125) code |= 1 << (row * columns + column);
    const number = code >> 4;
    return ((number << 4) | ((number * 7 + 5) & 15)) === code && number < {1 << NUMBER_BITS} ? number : null;
}}; 1"""
LARGE = ".large .player-screen"
THEN = ".large .of-then"
LIVE = ".large .of-live"
CHAT = "#team-chat"
CHAT_BUTTON = ".team-chat-button"
# The width of the newest picture in the chat, once it is there.
NEWEST_PICTURE = "[...document.querySelectorAll('.channel-log .picture img')].at(-1)?.naturalWidth"


def main(options, folder):
    desk = Centre(options.daybook, folder, options=["--camera-networks", "127.0.0.0/8", "--time-zone", "UTC"]).open()
    with open_browser(folder) as browser:
        browser.ignores_policy = bool(options.axe)
        wall = Wall(options, desk, browser)
        with watched(wall.pages, folder):
            tell(wall.finds_none, wall.sees_them, wall.may_not_look, wall.pauses_and_stops, wall.sees_one_a_second, wall.opens_one, wall.looks_back, wall.sees_both, wall.opens_by_address, wall.goes_to_the_neighbour, wall.comes_back_to_live, wall.changes_the_floor,
                 wall.swipes, wall.loses_a_camera, wall.loses_the_gateway, wall.reads_german,
                 wall.makes_a_channel, wall.is_written_to, wall.writes_back, wall.rests_a_finger, wall.follows_the_link, wall.drags_a_picture, wall.writes_without_network, wall.goes_to_earlier_messages, wall.chooses_a_channel, wall.is_on_the_board)
        hold(not wall.faults, f"axe: {wall.faults}")
    for camera in wall.cameras:
        camera.stop()
    desk.stop()
    desk.verify()


class Wall:
    def __init__(self, options, desk, browser):
        self.options, self.desk, self.browser = options, desk, browser
        self.gil, self.john = desk.staff("gil", "guard"), desk.staff("john")
        self.cameras = [MjpegCamera(rate=10) for _ in range(2)]
        self.address = f"http://127.0.0.1:{desk.port}/cameras"
        self.page = browser.context().page(self.address, width=1024, height=768)
        self.pages = [self.page]
        self.axe, self.faults = options.axe and open(options.axe).read(), []
        if options.screenshots:
            os.makedirs(options.screenshots, exist_ok=True)

    # MARK: Ways

    def looked_at(self, name, page=None):
        """Pictures in light and dark; with `--axe` what that program says of both."""
        page = page or self.page
        for isDark in (False, True) if self.options.screenshots or self.axe else ():
            page.dark(isDark)
            theme = "dark" if isDark else "light"
            if self.options.screenshots:
                page.screenshot(os.path.join(self.options.screenshots, f"{name}-{theme}.png"))
            if self.axe:
                self.faults += [f"{name}, {theme}: {fault}" for fault in page.axe(self.axe)]
        page.dark(False)

    def signs_in(self, page, login="gil"):
        page.type("[name=login]", login)
        page.type("[name=password]", PASSWORD)
        page.press("Sign in", within=".door")
        page.wait_for("'ready' in document.documentElement.dataset", what="the page is there")
        page.evaluate(READ)

    def sets(self, number, name, floor, camera, frame=(0, 0), **more):
        """An administrator sets a camera up; its id."""
        body = {"site": "Watford", "number": number, "name": name, "floor": floor, "latitude": 51.6565, "longitude": -0.3903, "source": "mjpeg", "address": camera.address, **SIZE, "framesPerSecond": 10,
                "kilobitsPerSecond": 500, "keptDays": 7, "keptBytes": 1 << 30, "frame": {"x": frame[0], "y": frame[1], **SIZE}, "neighbours": {}, "viewers": [{"role": "guard", "fromMinute": 0, "untilMinute": 1440}],
                "isOn": True, **more}
        made = new_id()
        answer = self.desk.admin.put(f"/v1/cameras/{made}", body)
        hold(answer.ok, f"setting {name} up: {answer}")
        return made

    def is_live(self, selector, page=None):
        (page or self.page).wait_for(f"document.querySelector({json.dumps(selector)})?.dataset.state === 'live'", what=f"{selector} is live")

    def advances(self, selector, page=None):
        """The picture shows numbers, and always others."""
        page = page or self.page
        page.evaluate("window.seenNumbers = new Set(); 1")
        page.wait_for(f"(() => {{ const n = window.cameraNumber(document.querySelector({json.dumps(selector)})); if (n !== null) window.seenNumbers.add(n); return window.seenNumbers.size >= 5; }})()",
                      what=f"{selector} shows five numbers")

    def floor(self, words, page=None):
        (page or self.page).wait_for(f"document.querySelector('#floor')?.innerText === {json.dumps(words)}", what=f"{words} is shown")

    def title(self, words, page=None):
        (page or self.page).wait_for(f"document.querySelector('.large h2')?.innerText === {json.dumps(words)}", what=f"{words} is large")

    def back_by(self, page=None):
        """How long ago the picture was filmed that is looked back at, in seconds."""
        return (page or self.page).evaluate(f"Date.now() / 1000 - document.querySelector('{THEN}').currentTime")

    def tile(self, name):
        return f".camera-tile[data-camera='{self.ids[name]}']"

    def fits(self, page, what):
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        hold(wide <= 0, f"{what} is {wide} px wider than the screen")

    def swipes_over(self, page, selector, x, y):
        """A finger goes so far over an element."""
        at = page.evaluate(f"(() => {{ const r = document.querySelector({json.dumps(selector)}).getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }})()")
        points = [{"x": at[0] + x * (step / 4 - 0.5), "y": at[1] + y * (step / 4 - 0.5)} for step in range(5)]
        page.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": points[:1]})
        for point in points[1:]:
            page.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
        page.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    # MARK: The wall

    def finds_none(self):
        self.signs_in(self.page)
        self.page.has("No camera is set up yet", "#main")
        self.looked_at("empty")

    def sees_them(self):
        """What is set up meanwhile comes by itself; each picture is live, and goes on."""
        first, second = self.cameras
        self.ids = {
            "Gate": self.sets(1, "Gate", 0, first, (0, 0), neighbours={"right": 2}, notice="Locked from 22:00"),
            "Yard": self.sets(2, "Yard", 0, second, (660, 0), neighbours={"left": 1}),
            "Stairs": self.sets(11, "Stairs", 1, first),
        }
        self.floor("Floor 0")
        for name in ("Gate", "Yard"):
            self.is_live(self.tile(name))
            self.advances(f"{self.tile(name)} video")
        self.page.has("1 · Gate", self.tile("Gate"))
        self.page.has("Locked from 22:00", self.tile("Gate"))
        lefts = self.page.evaluate("[...document.querySelectorAll('.camera-tile')].map((e) => Math.round(e.getBoundingClientRect().left))")
        hold(lefts[0] < lefts[1] and self.page.evaluate("document.querySelector('.wall').matches('.placed')"), f"they stand as on the plan: {lefts}")
        self.looked_at("wall")

    def may_not_look(self):
        """A camera at another hour than that of its viewers says so, and is not asked for."""
        hour = time.gmtime().tm_hour
        viewers = [{"role": "guard", "fromMinute": (hour + 2) % 24 * 60, "untilMinute": (hour + 3) % 24 * 60}]
        self.ids["Vault"] = self.sets(12, "Vault", 1, self.cameras[0], (660, 0), viewers=viewers)
        self.page.key("ArrowUp")
        self.page.has("You may not look at this camera at this hour.", self.tile("Vault"))
        asked = self.gil.get(f"/v1/cameras/{self.ids['Vault']}/still")
        hold(asked.status == 403, f"a still of it: {asked}")
        self.page.key("ArrowDown")
        self.floor("Floor 0")

    def pauses_and_stops(self):
        gate = self.tile("Gate")
        self.page.click(f"{gate} [aria-label='Pause 1 · Gate']")
        self.page.has("PAUSED", gate)
        shown = self.page.evaluate(f"document.querySelector(\"{gate} video\").currentTime")
        self.page.click(f"{gate} [aria-label='Stop 1 · Gate']")
        self.page.has("STOPPED", gate)
        self.page.click(f"{gate} [aria-label='Play 1 · Gate']")
        self.is_live(gate)
        self.page.wait_for(f"document.querySelector(\"{gate} video\").currentTime > {shown}", what="it goes on at the picture of now")
        self.page.press("Stop all", within=".wall-bar")
        self.page.wait_for("[...document.querySelectorAll('.camera-tile')].every((e) => e.dataset.state === 'stopped')", what="all are stopped")
        self.page.press("Play all", within=".wall-bar")
        self.is_live(gate)

    def sees_one_a_second(self):
        """The picture goes on at either rate, and at each size."""
        for rate in ("second", "every"):
            self.page.evaluate(f"(() => {{ const e = document.querySelector('[name=rate]'); e.value = '{rate}'; e.dispatchEvent(new Event('change')); return 1; }})()")
            self.advances(f"{self.tile('Yard')} video")
        for size in ("s", "l", "m"):
            self.page.click(f"[data-size='{size}']")
            self.page.wait_for(f"document.querySelector('[data-size={size}]').ariaPressed === 'true'", what=f"size {size}")

    # MARK: One large

    def opens_one(self):
        self.page.click(f"{self.tile('Gate')} .tile-open")
        self.title("1 · Gate")
        self.is_live(LARGE)
        self.advances(LIVE)
        self.page.has("Locked from 22:00", ".large > .notice")
        self.looked_at("large")

    def looks_back(self):
        """Twenty seconds back: the earlier picture goes on, the live one stays in the corner; a pause holds it."""
        camera = self.cameras[0]
        # Three read it, ten pictures a second each.
        camera.waits(len(camera.sent) + 3 * 250)
        for _ in range(2):
            self.page.click("[aria-label='10 seconds back']")
        self.page.wait_for(f"document.querySelector('{LARGE}').matches('.back[data-stand=shown]')", what="an earlier picture is shown")
        hold(self.back_by() >= 15, f"it was filmed {self.back_by()} s ago")
        self.advances(THEN)
        self.advances(LIVE)
        self.page.has("AGO", LARGE)
        self.page.wait_for("document.querySelectorAll('.day-spans span').length > 0", what="the day's bar shows footage")
        self.page.click(".day [aria-label=Pause]")
        self.page.wait_for(f"document.querySelector('{THEN}').paused", what="it stands")
        self.looked_at("back")
        self.page.click(".day [aria-label=Play]")
        self.page.wait_for(f"!document.querySelector('{THEN}').paused", what="it goes on")

    def sees_both(self):
        """The others of the floor stand at the same moment."""
        self.page.press("Show the others at this moment", within=".large")
        other = ".in-step .camera-tile[data-stand=shown] video"
        self.advances(other)
        self.page.wait_for(f"Math.abs(document.querySelector('{other}').currentTime - document.querySelector('{THEN}').currentTime) < 1", what="they are in step")
        self.looked_at("in-step")

    def opens_by_address(self):
        """An address with an id opens that camera at that moment; one of a camera that the guard may not look at says so."""
        page = self.browser.context().page(self.address, width=1440, height=900)
        self.pages.append(page)
        self.signs_in(page)
        at = time.time() - 12
        page.go(f"{self.address}?camera={self.ids['Yard']}&at={time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime(at))}")
        self.title("2 · Yard", page)
        page.wait_for(f"document.querySelector('{LARGE}').matches('.back[data-stand=shown]')", what="that moment is shown")
        hold(page.evaluate(f"document.querySelector('{THEN}').currentTime") >= at - 2, "it is the moment of the address")
        self.looked_at("by-address", page)
        page.go(f"{self.address}?camera={self.ids['Yard']}")
        self.is_live(LARGE, page)
        page.go(f"{self.address}?camera={new_id()}")
        page.has("You may not look at the camera of this address, or there is none any more.", "#main")
        self.looked_at("by-address-none", page)
        page.close()
        self.pages.remove(page)

    def goes_to_the_neighbour(self):
        """By key to the right, at the same moment; where nobody stands it says so."""
        before = self.page.evaluate(f"document.querySelector('{THEN}').currentTime")
        self.page.evaluate("document.activeElement.blur(); 1")
        self.page.key("ArrowRight")
        self.title("2 · Yard")
        self.page.wait_for(f"document.querySelector('{LARGE}').matches('.back[data-stand=shown]')", what="the same moment is shown")
        hold(self.page.evaluate(f"document.querySelector('{THEN}').currentTime") >= before - 1 and self.back_by() > 5, "it is looked back at, still")
        self.page.key("ArrowRight")
        self.page.noticed("There is no camera right of this one.")
        self.page.key("ArrowLeft")
        self.title("1 · Gate")

    def comes_back_to_live(self):
        self.page.press("Back to live", within=".large")
        self.is_live(LARGE)
        self.advances(LIVE)
        self.page.key("Escape")
        self.floor("Floor 0")
        self.is_live(self.tile("Gate"))

    # MARK: Floors

    def changes_the_floor(self):
        """By key, by the drawer, and back by the browser's own way."""
        self.page.key("ArrowUp")
        self.floor("Floor 1")
        self.is_live(self.tile("Stairs"))
        self.page.key("ArrowUp")
        self.page.noticed("This is the highest floor with cameras.")
        self.page.press("Floors", within=".wall-bar")
        self.page.press("Floor 0", within=".drawer")
        self.floor("Floor 0")
        self.page.evaluate("history.back()")
        self.floor("Floor 1")
        self.page.key("ArrowDown")
        self.floor("Floor 0")

    def swipes(self):
        """A guard's phone: up and down change the floor, left and right lead to the neighbour, as the plan has it."""
        self.phone = self.browser.context().page(f"{self.address}?floor=1", width=390, height=844, touch=True)
        self.pages.append(self.phone)
        self.phone.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
        self.signs_in(self.phone)
        self.floor("Floor 1", self.phone)
        self.fits(self.phone, "the wall")
        self.swipes_over(self.phone, ".wall", 0, 200)
        self.floor("Floor 0", self.phone)
        self.is_live(self.tile("Gate"), self.phone)
        self.looked_at("phone-wall", self.phone)
        self.phone.click(f"{self.tile('Gate')} .tile-open")
        self.title("1 · Gate", self.phone)
        self.is_live(LARGE, self.phone)
        self.fits(self.phone, "one camera large")
        small = self.phone.evaluate("[...document.querySelectorAll('.cameras :is(button, input, select)')].filter((e) => e.checkVisibility() && e.getBoundingClientRect().height < 44).map((e) => e.outerHTML)")
        hold(not small, f"a finger does not meet {small}")
        self.looked_at("phone-large", self.phone)
        self.swipes_over(self.phone, LARGE, 200, 0)
        self.title("2 · Yard", self.phone)
        self.swipes_over(self.phone, LARGE, -200, 0)
        self.title("1 · Gate", self.phone)
        self.swipes_over(self.phone, LARGE, 0, -160)
        self.title("11 · Stairs", self.phone)
        self.phone.close()
        self.pages.remove(self.phone)

    # MARK: What goes wrong

    def loses_a_camera(self):
        """A camera that is away is called offline, with why and since when; it comes back by itself."""
        self.cameras[1].stop()
        yard = self.tile("Yard")
        self.page.wait_for(f"document.querySelector(\"{yard}\").dataset.state === 'offline'", what="it is offline")
        self.page.has("No picture since", yard)
        self.looked_at("offline")
        self.cameras[1].start()
        self.is_live(yard)
        self.advances(f"{yard} video")

    def loses_the_gateway(self):
        self.page.is_gateway_away = True
        self.desk.stop()
        gate = self.tile("Gate")
        self.page.has("NO CONNECTION", gate)
        self.looked_at("lost")
        self.desk.start()
        until(lambda: self.gil.get("/v1/me").ok, "the gateway is there again")
        self.is_live(gate)
        self.advances(f"{gate} video")
        self.page.is_gateway_away = False

    def reads_german(self):
        self.page.evaluate("localStorage.setItem('language', 'de')")
        self.page.reload()
        self.page.evaluate(READ)
        self.page.has("Stockwerk 0", "#main")
        self.page.click(f"{self.tile('Gate')} .tile-open")
        self.page.has("Zurück zur Wand", ".large")
        self.is_live(LARGE)
        self.looked_at("german")

    # MARK: The team's chat

    def makes_a_channel(self):
        """An administrator makes a channel beside the cameras; a member's page has the button without a reload."""
        origin = self.address.removesuffix("/cameras")
        self.phone = self.browser.context().page(self.address, width=390, height=844, touch=True)
        self.pages.append(self.phone)
        self.phone.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
        self.signs_in(self.phone)
        hold(not self.phone.evaluate(f"document.querySelector('{CHAT_BUTTON}').checkVisibility()"), "there is no channel yet")
        self.operator = self.browser.context()
        self.console = sign_in(self.operator, origin, "john")
        self.pages.append(self.console)
        admin = self.browser.context().page(f"{origin}/admin/cameras", width=1440, height=900)
        self.pages.append(admin)
        self.signs_in(admin, "admin")
        admin.has("There is no channel yet.", ".team-channels")
        admin.press("Add a channel", within=".team-channels")
        admin.type("dialog.question [name=name]", "Night shift")
        admin.evaluate("(() => { const e = document.querySelector('dialog.question [name=site]'); e.value = 'Watford'; return 1; })()")
        self.looked_at("channel-new", admin)
        admin.press("Save", within="dialog.question")
        admin.has("Night shift", ".team-channels table")
        admin.has("guard, operator, supervisor", ".team-channels table")
        self.looked_at("channels", admin)
        admin.close()
        self.pages.remove(admin)
        for page in (self.phone, self.console):
            page.wait_for(f"document.querySelector('{CHAT_BUTTON}').checkVisibility()", what="a member has the button")
        self.fits(self.phone, "the wall with the chat's button")

    def says(self, page, text):
        page.type(f"{CHAT} textarea", text)
        page.press("Send", within=f"{CHAT} form")

    def reads(self, page, text):
        page.wait_for(f"document.querySelector('.channel-log')?.innerText.includes({json.dumps(text)})", what=f"{text!r} is in the chat")

    def is_unread(self, page, count):
        page.wait_for(f"(document.querySelector('{CHAT_BUTTON} .unread')?.innerText ?? '0') === '{count}'", what=f"{count} are unread")

    def is_read_by(self, page, name):
        page.wait_for(f"[...document.querySelectorAll('.channel-log .mine .meta')].at(-1)?.innerText.includes('Read by 1: {name}')", what=f"{name} has read the newest of one's own")

    def is_sent(self, page):
        page.wait_for("[...document.querySelectorAll('.channel-log .mine .meta')].at(-1)?.innerText.match(/Not read yet|Read by/)", what="it is sent")

    def is_open(self, page):
        page.wait_for(f"document.querySelector('{CHAT} textarea')?.checkVisibility()", what="the channel is open")

    def is_touchable(self, page, what):
        small = page.evaluate(f"[...document.querySelectorAll('{CHAT} :is(button, textarea, a)')].filter((e) => e.checkVisibility() && e.getBoundingClientRect().height < 44).map((e) => e.outerHTML)")
        hold(not small, f"{what}: a finger does not meet {small}")

    def is_written_to(self):
        """The operator writes; the guard is told by a badge, reads, and the operator sees that."""
        self.console.click(CHAT_BUTTON)
        self.is_open(self.console)
        self.console.has("Nothing was written here yet.", CHAT)
        self.looked_at("chat-empty", self.console)
        self.says(self.console, "Who is at the gate?")
        self.reads(self.console, "Who is at the gate?")
        self.is_sent(self.console)
        self.is_unread(self.phone, 1)
        self.looked_at("chat-badge-phone", self.phone)
        self.phone.click(CHAT_BUTTON)
        self.reads(self.phone, "Who is at the gate?")
        self.reads(self.phone, "John")
        self.is_unread(self.phone, 0)
        self.is_read_by(self.console, "Gil")
        self.fits(self.phone, "the chat")

    def writes_back(self):
        """While it is closed the operator's console counts; a draft stays."""
        self.console.type(f"{CHAT} textarea", "Half writ")
        self.console.press("Close", within=CHAT)
        self.says(self.phone, "I am.")
        self.says(self.phone, "Nobody else is here, and the delivery has not come yet. I look around the yard once more, then I go on to the stairs.")
        self.is_sent(self.phone)
        self.is_unread(self.console, 2)
        self.looked_at("chat-badge-console", self.console)
        self.looked_at("chat-phone", self.phone)
        self.is_touchable(self.phone, "the chat")
        self.console.click(CHAT_BUTTON)
        self.reads(self.console, "I am.")
        self.is_unread(self.console, 0)
        hold(self.console.evaluate(f"document.querySelector('{CHAT} textarea').value") == "Half writ", "the draft stays")
        self.is_read_by(self.phone, "John")

    def rests_a_finger(self):
        """A finger that rests on a picture attaches it; it is sent with words, and arrives with its picture."""
        self.phone.press("Close", within=CHAT)
        gate = self.tile("Gate")
        self.is_live(gate, self.phone)
        at = self.phone._place(f"document.querySelector(\"{gate}\")", "the tile")
        self.phone.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [at]})
        self.phone.wait_for(f"document.querySelector('{CHAT} .moment-chip')?.checkVisibility()", what="the picture is attached")
        self.phone.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        self.phone.wait_for(f"document.querySelector('{CHAT} .moment-chip img').naturalWidth > 0", what="its still is shown")
        hold(self.phone.evaluate("document.querySelector('.large') === null"), "letting go opens nothing")
        self.looked_at("chat-attached-phone", self.phone)
        self.is_touchable(self.phone, "the attached picture")
        self.says(self.phone, "Look")
        self.is_sent(self.phone)
        for page in (self.phone, self.console):
            self.reads(page, "Look")
            page.wait_for(f"{NEWEST_PICTURE} > 0", what="the picture is in the chat")
        self.looked_at("chat-picture-phone", self.phone)
        self.looked_at("chat-picture-console", self.console)
        self.console.click(".channel-log .picture")
        self.console.wait_for("document.querySelector('.large-picture img')?.naturalWidth > 0", what="it is large")
        self.console.press("Close", within=".large-picture")

    def follows_the_link(self):
        """A press on the moment leads to the camera as it was then, also while it is large already."""
        self.phone.click(".channel-log a.moment-link")
        self.title("1 · Gate", self.phone)
        self.phone.wait_for(f"document.querySelector('{LARGE}').matches('.back[data-stand=shown]')", what="the moment is shown")
        self.phone.press("Back to live", within=".large")
        self.is_live(LARGE, self.phone)
        self.phone.click(CHAT_BUTTON)
        self.phone.click(".channel-log a.moment-link")
        self.phone.wait_for(f"document.querySelector('{LARGE}').matches('.back[data-stand=shown]')", what="the moment is shown again")
        self.looked_at("chat-followed-phone", self.phone)
        link = self.console.evaluate("document.querySelector('.channel-log a.moment-link').getAttribute('href')")
        hold(link.startswith("/cameras?") and self.ids["Gate"] in link, f"the console's link is {link}")

    def drags_a_picture(self):
        """With a mouse a tile is dragged to the drawer, and the picture that is looked back at; a button does the same."""
        self.page.evaluate("localStorage.setItem('language', 'en')")
        self.page.resize(1440, 900)
        self.page.go(self.address)
        self.page.evaluate(READ)
        self.is_live(self.tile("Yard"))
        self.page.click(CHAT_BUTTON)
        self.is_open(self.page)
        self.is_live(self.tile("Yard"))
        self.page.drag(f"{self.tile('Yard')} .tile-open", f"{CHAT} .channel-log")
        self.page.has("2 · Yard", f"{CHAT} .moment-chip")
        self.page.wait_for(f"document.querySelector('{CHAT} .moment-chip img').naturalWidth > 0", what="its still is shown")
        self.looked_at("chat-dragged")
        self.page.press("Send", within=f"{CHAT} form")
        self.is_sent(self.page)
        self.page.wait_for(f"{NEWEST_PICTURE} > 0", what="a picture without words is in the chat")
        self.console.wait_for("document.querySelectorAll('.channel-log .picture').length === 2", what="the operator has both")
        self.page.click(f"{self.tile('Gate')} .tile-open")
        self.is_live(LARGE)
        self.page.click("[aria-label='10 seconds back']")
        self.page.wait_for(f"document.querySelector('{LARGE}').matches('.back[data-stand=shown]')", what="an earlier picture is shown")
        shown = self.page.evaluate(f"document.querySelector('{THEN}').currentTime")
        self.page.press("Send to colleagues", within=".large")
        self.page.has("1 · Gate", f"{CHAT} .moment-chip")
        self.page.press("Send", within=f"{CHAT} form")
        self.is_sent(self.page)
        self.console.wait_for("document.querySelectorAll('.channel-log .picture').length === 3", what="the operator has the earlier one")
        link = self.console.evaluate("[...document.querySelectorAll('.channel-log a.moment-link')].at(-1).href")
        at = self.page.evaluate(f"Date.parse(new URL({json.dumps(link)}).searchParams.get('at')) / 1000")
        hold(shown <= at < shown + 5, f"it is the picture that was shown: {at - shown} s after")
        self.looked_at("chat-wide")
        # What comes from now on is not read here.
        self.page.press("Close", within=CHAT)

    def writes_without_network(self):
        """What cannot be sent says so, and is sent when the connection is back: once."""
        self.phone.click(CHAT_BUTTON)
        self.phone.gives_up_after(1)
        self.phone.sleep(True)
        self.says(self.phone, "On my way")
        self.phone.has("Not sent", ".channel-log .failed")
        self.looked_at("chat-unsent-phone", self.phone)
        self.phone.gives_up_after()
        self.phone.sleep(False)
        self.is_sent(self.phone)
        self.reads(self.console, "On my way")
        hold(self.console.evaluate("document.querySelector('.channel-log').innerText.split('On my way').length") == 2, "it stands there once")
        self.phone.is_gateway_away = False

    def goes_to_earlier_messages(self):
        """A long channel is read page by page, up to its first message; the guard's page of tours has the chat above its alarm button."""
        channel = self.john.get("/v1/channels").json["items"][0]["id"]
        for number in range(60):
            sent = self.john.post(f"/v1/channels/{channel}/messages", {"text": f"Check {number}"})
            hold(sent.ok, f"sending: {sent}")
        self.phone.go(self.address.replace("/cameras", "/patrol"))
        self.phone.wait_for(f"document.querySelector('{CHAT_BUTTON}')?.checkVisibility()", what="the chat is on the page of tours, too")
        self.is_unread(self.phone, 60)
        self.phone.click(CHAT_BUTTON)
        self.reads(self.phone, "Check 59")
        hold(self.phone.evaluate("(() => { const e = document.querySelector('.alarm'), r = e.getBoundingClientRect(); return e.contains(document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2)); })()"), "the alarm stays in reach")
        self.looked_at("chat-patrol", self.phone)
        self.phone.evaluate("document.querySelector('.channel-log').scrollTo(0, 0)")
        self.reads(self.phone, "Who is at the gate?")
        self.is_unread(self.phone, 0)

    def chooses_a_channel(self):
        """With a second channel there is a list: a picture is dragged onto one of it, or is held until one is chosen; what was attached in the other stays there."""
        made = self.desk.admin.put(f"/v1/channels/{new_id()}", {"name": "Day shift", "members": ["guard"], "isOpen": True})
        hold(made.ok, f"making a channel: {made}")
        self.page.click(CHAT_BUTTON)
        self.page.click(f"{CHAT} [aria-label='All channels']")
        self.page.has("Day shift", f"{CHAT} .channels")
        self.page.has("Watford", f"{CHAT} .channels")
        self.page.drag(f"{LARGE} > video", f"{CHAT} .channels li:nth-child(2) button")
        self.page.has("Day shift", f"{CHAT} h2")
        self.looked_at("chat-channel")
        self.page.has("1 · Gate", f"{CHAT} .moment-chip")
        self.page.click(f"{CHAT} [aria-label='All channels']")
        self.looked_at("chat-list")
        self.page.press("Send to colleagues", within=".large")
        self.page.has("Choose the channel that gets this picture.", CHAT)
        self.looked_at("chat-choose")
        self.page.press("Night shift", within=f"{CHAT} .channels")
        self.page.has("1 · Gate", f"{CHAT} form .moment-chip")
        self.page.click(f"{CHAT} form .moment-chip button")
        self.page.click(f"{CHAT} [aria-label='All channels']")
        self.page.press("Day shift", within=f"{CHAT} .channels")
        self.page.has("1 · Gate", f"{CHAT} form .moment-chip")
        self.page.evaluate(f"document.querySelector('{CHAT} textarea').focus(); 1")
        self.page.key("Escape")
        self.page.wait_for(f"document.activeElement.matches('{CHAT_BUTTON}')", what="Escape closes the drawer alone, and the keyboard is on its button")
        self.title("1 · Gate")

    def is_on_the_board(self):
        """The board of tours has the chat as well."""
        self.console.press("Close", within=CHAT)
        sent = self.gil.post(f"/v1/channels/{self.john.get('/v1/channels').json['items'][0]['id']}/messages", {"text": "Back at the gate"})
        hold(sent.ok, f"sending: {sent}")
        board = self.operator.page(self.address.replace("/cameras", "/patrols"))
        self.pages.append(board)
        for page in (self.console, board):
            self.is_unread(page, 1)
        board.click(CHAT_BUTTON)
        self.reads(board, "Back at the gate")
        self.looked_at("chat-board", board)
        for page in (self.console, board):
            self.is_unread(page, 0)


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--screenshots", help="a folder for pictures of the pages")
    parser.add_argument("--axe", help="axe-core, to be asked about each of them")
    run(main, parser.parse_args())
