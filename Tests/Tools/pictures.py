#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Takes the README's pictures: plays the demo, then one more emergency in a browser, and photographs the pages of those who are at work in it.

  pictures.py --daybook PATH [--out FOLDER]

Run by `make pictures`. Film, photos and the plan of the town are made of the drawings in fixtures/scenes. Two runs differ in times, in identifiers and in where people walk. Ends with 77 where no Chromium is installed.
"""

import base64
import contextlib
import io
import json
import os

import centre
from browser_emergency import open_browser, said
from centre import hold
from demo import POST_OFFICE, Play, expect, now
from demo_cameras import Cameras
from demo_town import CALLS, Town
from passer_by import add_photo, submit
from scenes import draw_photo, draw_town, draw_walks, films_street
from story import tell, watched

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
DESK, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844, "scale": 2, "touch": True}
# WebP of this quality is a fifth of a PNG, and no letter looks less sharp.
QUALITY = 80
BYTES_MAX, TOTAL_BYTES_MAX = 120_000, 600_000

TOLD = ["Two cars have crashed outside the post office.", "One driver is bleeding from the head.", "He is awake and talks to me."]
ANSWERS = ["Help is on its way to you. Can you show me?", "Keep him seated. The ambulance is with you in four minutes."]
# Where the pictures of each camera stand on the wall: left, top, width, height.
WALL = {1: (0, 0, 880, 660), 2: (900, 0, 430, 322), 11: (900, 338, 430, 322)}
ADDRESS = "Post office, Valley Road, Watford"

VIDEO = "document.querySelector('#main .player-screen > video')"
# A map is whole once each of its tiles has come.
IS_MAP_DRAWN = """(() => { const root = document.querySelector('%s')?.shadowRoot, tiles = [...(root?.querySelectorAll('.leaflet-tile') ?? [])];
    return tiles.length > 0 && tiles.every((one) => one.matches('.leaflet-tile-loaded')); })()"""


def main(options, folder):
    os.makedirs(options.out, exist_ok=True)
    with open_browser(folder) as browser:
        play = DrawnPlay(os.path.abspath(options.daybook), os.path.join(folder, "ledger"), browser)
        try:
            draw_town(browser, os.path.join(folder, "ledger", "maps", "town.mbtiles"), POST_OFFICE)
            with contextlib.redirect_stdout(io.StringIO()):
                for act in (play.open, play.hire, play.set_up_cameras, play.chat, play.claim, play.locate, play.film, play.second_call, play.field, play.alarm, play.close):
                    act()
            pictures = Pictures(options, play, browser)
            with watched(pictures.pages, folder):
                tell(pictures.emergency, pictures.replay, pictures.rescue, pictures.patrol, pictures.cameras)
        finally:
            if hasattr(play, "gateway") and play.gateway.process:
                play.gateway.stop()
            if hasattr(play, "cameras"):
                play.cameras.end()
    hold(max(pictures.sizes) <= BYTES_MAX and sum(pictures.sizes) <= TOTAL_BYTES_MAX, f"the pictures have {pictures.sizes} bytes")


class DrawnPlay(Play):
    """The demo, in which cameras film drawings."""

    def __init__(self, program, folder, browser):
        super().__init__(program, folder)
        self.browser = browser

    def set_up_cameras(self):
        self.cameras = Cameras(POST_OFFICE, draw_walks(self.browser))
        expect(self.cameras.set_up(self.people["admin"]), 200)
        self.filmed_from = now()


class Pictures:
    """`pages` are those that are open, `sizes` the bytes of each picture taken."""

    def __init__(self, options, play, browser):
        self.options, self.play, self.browser, self.pages, self.sizes = options, play, browser, [], []
        staff = play.people
        self.town = Town(play.door, staff["admin"], staff["sue"], staff["gita"], staff["rosa"], play.employ, play.register)
        self.people = play.door.signed_in(None).get("/v1/demo").json["items"]

    # MARK: Ways

    def enter(self, name, size, path="", place=None):
        """The page of somebody, at the host that the start page gives them; a phone goes by its number. `path` is another page of theirs than the first."""
        person = next(one for one in self.people if name in (one.get("login"), one.get("phone")))
        phones = [one["phone"] for one in self.people if one.get("phone")]
        host = f"caller{phones.index(name) + 1}" if name in phones else name
        address = self.play.address.replace("127.0.0.1", f"{host}.localhost")
        page = self.browser.context().page("about:blank", **size)
        self.pages.append(page)
        if place:
            page.place(*place)
        page.go(f"{address}/demo#person={person['person']}&language=en&theme=light")
        page.wait_for(f"location.pathname === {person['home']!r} && document.readyState === 'complete'", what=f"{name} is at work")
        if path:
            page.go(address + path)
        return page

    def ready(self, page):
        page.wait_for("'ready' in document.documentElement.dataset", what="the page is there")

    def keep(self, name, page):
        """Photographs a page on which nothing passes by any more."""
        page.wait_for("document.querySelector('.toasts > .notice') === null", what="notices are gone")
        page.wait_for("[...document.images].filter((one) => one.checkVisibility()).every((one) => one.complete && one.naturalWidth > 0)", what="all pictures are there")
        page.evaluate("document.fonts.ready.then(() => document.activeElement?.blur())")
        page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")
        picture = base64.b64decode(page.send("Page.captureScreenshot", {"format": "webp", "quality": QUALITY})["data"])
        with open(os.path.join(self.options.out, f"{name}.webp"), "wb") as file:
            file.write(picture)
        self.sizes.append(len(picture))
        print(f"  {name}: {len(picture):,} bytes", flush=True)

    def scale(self, page, selector, sign, times):
        """Presses a button of a map until the names of streets are on it, and waits until it is whole."""
        button = f"[...(document.querySelector('{selector}')?.shadowRoot.querySelectorAll('button') ?? [])].find((one) => one.textContent === '{sign}')"
        page.wait_for(f"Boolean({button})", what="a map")
        for _ in range(times):
            page.evaluate(f"{button}.click()")
        page.wait_for(IS_MAP_DRAWN % selector, what="the map is drawn")

    def leave(self, page):
        hold(not page.complaints, f"a page complained: {page.complaints}")
        self.pages.remove(page)
        page.close()

    def waits(self, phone, texts):
        """A caller of the town writes, and waits; the chat's socket."""
        chat = phone.socket("/chat", bearer=False)
        chat.send_json({"Type": "start_session", "Token": phone.token})
        session = chat.wait_for(lambda frame: frame.get("IncidentID"))["IncidentID"]
        for text in texts:
            expect(phone.post(f"/v1/sessions/{session}/messages", {"text": text}), 201)
        return chat

    # MARK: The emergency

    def emergency(self):
        """Somebody asks for help; amina takes it, and has video, place and chat; two others wait."""
        self.amina = self.enter("amina", DESK)
        self.amina.wait_for("document.querySelector('#feed-state').textContent === 'live'")
        self.caller = self.enter(self.phone, PHONE, place=POST_OFFICE)
        self.caller.wait_for("!document.querySelector('#home').hidden")
        self.caller.evaluate(films_street())
        self.caller.press("Chat with the emergency centre")
        self.caller.press("Yes, I need help")
        self.writes(TOLD[0])
        self.amina.press("Take it", within="#queue .pending")
        said(self.amina, "#main chat-log", TOLD[0])
        self.answers(ANSWERS[0])
        said(self.caller, "#log", ANSWERS[0])
        for text in TOLD[1:]:
            self.writes(text)
            said(self.amina, "#main chat-log", text)
        self.amina.press("Ask for the place", within="#main")
        self.caller.press("Send my location", within="#asked")
        self.amina.has("51.656500", "#main place-map")
        self.amina.press("Ask for video", within="#main")
        self.caller.press("Show video", within="#asked")
        self.caller.has("LIVE", "#film-state")
        # Their sockets stay open as long as they wait.
        self.others = [self.waits(phone, texts) for phone, (_, texts) in zip(self.town.phones, CALLS[1:3])]
        self.answers(ANSWERS[1])
        self.caller.has(ANSWERS[1], "#film-captions")
        self.keep("caller", self.caller)
        self.amina.wait_for(f"{VIDEO}.currentTime > 5 && {VIDEO}.readyState >= 2", what="five seconds of video")
        self.scale(self.amina, "#main place-map", "−", 2)
        self.amina.wait_for("document.querySelectorAll('#queue .pending').length === 2", what="two wait")
        self.keep("console", self.amina)
        self.closes()

    @property
    def phone(self):
        return next(one["phone"] for one in self.people if one.get("phone"))

    def writes(self, text):
        self.caller.type("#write textarea", text)
        self.caller.key("Enter")

    def answers(self, text):
        self.amina.type("#main textarea", text)
        self.amina.key("Enter")
        self.amina.has(text, "#main chat-log")

    def closes(self):
        """The caller stops filming, the incident gets its address, and the session is closed."""
        items = self.play.people["amina"].get("/v1/sessions?state=open").json["items"]
        session = next(one for one in items if one.get("owner"))
        self.incident = self.play.people["amina"].get(f"/v1/sessions/{session['id']}").json["session"]["incident"]
        expect(self.play.people["amina"].put(f"/v1/incidents/{self.incident}/address", {"address": ADDRESS}), 200)
        self.caller.click("#film-stop")
        self.amina.has("Video ended", "#main .player-over")
        self.amina.key("x", alt=True)
        self.amina.press("Close the session", within="#leave-dialog")
        self.amina.has("No session is open", "#main")
        self.leave(self.caller)
        self.leave(self.amina)
        # Asking for the proof of the last entry has a checkpoint signed that covers everything before it.
        arne = self.play.people["arne"]
        last = json.loads(arne.get("/v1/events?follow=false").body.splitlines()[-1])
        expect(arne.get(f"/v1/events/{last['position']}/proof"), 200)

    def replay(self):
        page = self.enter("arne", DESK, f"/replay/{self.incident}")
        self.ready(page)
        page.wait_for("document.querySelector('.lines li') !== null", what="the incident's entries")
        # Lines that are not seen are not drawn: the list is scrolled until this one is.
        page.wait_for(f"""(() => {{ const found = [...document.querySelectorAll('.lines li .line')].find((e) => e.textContent.includes({json.dumps(ANSWERS[1])}));
            if (found) return found.click(), true;
            const box = document.querySelector('.lines-box');
            box.scrollTop = box.scrollTop + box.clientHeight >= box.scrollHeight - 1 ? 0 : box.scrollTop + box.clientHeight;
            return false; }})()""", what="the line of the last answer")
        page.wait_for("(() => { const video = document.querySelector('.video video'); return video && video.readyState >= 2 && !video.seeking; })()", what="the picture of that moment")
        self.scale(page, "place-map", "−", 2)
        self.keep("replay", page)
        self.leave(page)

    # MARK: In the field

    def rescue(self):
        """A passer-by reports a seal, with a photo, while rosa is on her way to the dog."""
        stranger, rosa = self.play.door.signed_in(None), self.play.people["rosa"]
        photos = {name: os.path.join(os.path.dirname(self.play.log), f"{name}.jpg") for name in ("seal", "dog")}
        for name, path in photos.items():
            draw_photo(self.browser, name, path)
        with open(photos["dog"], "rb") as file:
            expect(rosa.post(f"/v1/reports/{self.play.report}/photos", file.read(), headers={"Content-Type": "image/jpeg"}), 200, 201)
        report = {"fix": {"latitude": 51.6543, "longitude": -0.3869, "accuracyMetres": 12}, "species": "harbor-seal", "sizeClass": "small", "condition": "entangled",
                  "notes": "On the bank of the old dock, a net around its neck"}
        sent = expect(submit(stranger, report), 201).json
        expect(add_photo(stranger, sent["token"], 1, photos["seal"]), 201)
        page = self.enter("rosa", DESK)
        self.ready(page)
        page.wait_for("document.querySelectorAll('.thumb img[src]').length === 2", what="photos are shown")
        self.scale(page, ".overview", "+", 3)
        self.keep("rescue", page)
        self.leave(page)

    def patrol(self):
        """The guard has been at the first place of the round."""
        tour, points = self.town.tour()
        gita = self.play.people["gita"]
        expect(gita.post(f"/v1/tours/{tour}/rounds"), 200, 201)
        expect(gita.post("/v1/check-ins", points[0][1]), 201)
        page = self.enter("gita", PHONE, place=POST_OFFICE)
        self.ready(page)
        page.has("Loading bay", ".next")
        self.keep("patrol", page)
        self.leave(page)

    def cameras(self):
        """All cameras on one floor, one of them larger than the others, so that the wall is full."""
        for number, frame in WALL.items():
            settings = {**self.play.cameras.settings(number), "floor": 0, "frame": dict(zip(("x", "y", "width", "height"), frame))}
            expect(self.play.people["admin"].put(f"/v1/cameras/{self.play.cameras.ids[number]}", settings), 200)
        page = self.enter("gita", DESK, "/cameras")
        self.ready(page)
        page.wait_for("(() => { const tiles = [...document.querySelectorAll('.camera-tile')]; return tiles.length === 3 && tiles.every((one) => one.dataset.state === 'live' && one.querySelector('video').videoWidth > 0); })()",
                      what="the cameras are live")
        self.keep("cameras", page)
        self.leave(page)


if __name__ == "__main__":
    parser = centre.arguments(__doc__)
    parser.add_argument("--out", default=os.path.join(ROOT, "Documentation", "pictures"), help="where the pictures go")
    centre.run(main, parser.parse_args())
