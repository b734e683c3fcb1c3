#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What is told of a caller whose network goes while she films, in a real browser: nothing that is old looks new, nothing that stands still is called live, who is
there can be read, and on a small phone with its keyboard open one sees what one writes.

  browser_outage.py --daybook PATH

Ends with 77 where no Chromium is installed.
"""

import time

from browser_emergency import open_browser, register, sign_in
from centre import PASSWORD, Centre, arguments, hold, run
from daybook import until
from story import tell, watched

#: From so many seconds on between writing and arriving a page tells both (web/core/time.js), and a little more.
LATE = 11
SMALL = {"width": 360, "height": 640}
#: The same phone with its keyboard open: the window is what is left.
WITH_KEYBOARD = {"width": 360, "height": 360}
CUT = "(() => { const e = document.querySelector('#chat-with'); return e.scrollWidth > e.clientWidth || e.scrollHeight > e.clientHeight + 1; })()"
FIELD_BELOW = "document.querySelector('#write textarea').getBoundingClientRect().bottom - innerHeight"
SEEN = """[...document.querySelectorAll('#log .bubble')].filter((e) => { const r = e.getBoundingClientRect(), l = document.querySelector('#log').getBoundingClientRect();
    return Math.min(r.bottom, l.bottom) - Math.max(r.top, l.top) > 12; }).length"""


def main(options, folder):
    desk = Centre(options.daybook, folder, options=["--emergency-number", "112"]).open()
    with open_browser(folder) as browser:
        outage = Outage(desk, browser)
        with watched(outage.pages, folder):
            tell(outage.is_taken, outage.writes_with_the_keyboard_open, outage.films, outage.loses_the_network, outage.writes_meanwhile, outage.is_back, outage.is_played_back)
    desk.verify()


class Outage:
    def __init__(self, desk, browser):
        self.desk, self.browser = desk, browser
        desk.staff("amina")
        self.address = f"http://127.0.0.1:{desk.port}"
        self.amina = sign_in(browser.context(), self.address, "amina")
        self.caller = register(browser.context(), self.address, self.amina, touch=True, **SMALL)
        self.pages = [self.amina, self.caller]

    def is_taken(self):
        """Who is there is never cut off."""
        self.caller.press("Chat with the emergency centre")
        self.caller.press("Yes, I need help")
        self.caller.press("Ambulance needed", within="#services")
        self.amina.press("Take it", within="#queue")
        self.amina.has("yours", "#main")
        self.caller.has("An operator is with you", "#chat-with")
        for size in (SMALL, {"width": 390, "height": 844}, {"width": 320, "height": 568}, WITH_KEYBOARD):
            self.caller.resize(**size)
            hold(not self.caller.evaluate(CUT), f"who is there is cut off at {size}")
        self.caller.resize(**SMALL)

    def writes_with_the_keyboard_open(self):
        """What was asked can be read while one answers, and a question pushes the field nowhere."""
        self.amina.type("#main textarea", "Where are you?")
        self.amina.key("Enter")
        self.caller.has("Where are you?", "#log")
        self.caller.resize(**WITH_KEYBOARD)
        self.caller.type("#write textarea", "I am on the sec")
        self.caller.wait_for(f"{SEEN} >= 1 && {FIELD_BELOW} <= 0", what="what was asked, and the field, can be seen")
        self.amina.press("Ask for the place", within="#main")
        self.caller.has("Send your location?", "#asked")
        self.caller.wait_for(f"{FIELD_BELOW} <= 0", what="the field stays on the screen")
        self.caller.press("Not now", within="#asked")
        self.caller.type("#write textarea", " ")
        self.caller.resize(**SMALL)

    def films(self):
        self.amina.press("Ask for video", within="#main")
        self.caller.press("Show video", within="#asked")
        self.caller.has("LIVE", "#film-state")
        self.amina.has("LIVE", "#main .player-state")
        self.amina.wait_for("document.querySelector('#main .player-screen > video').currentTime > 2", what="two seconds of video")

    def loses_the_network(self):
        """Neither page calls live what is not."""
        self.caller.sleep(True)
        self.caller.has("No network", "#connection")
        self.caller.wait_for("!document.querySelector('#film-state').textContent.includes('LIVE')", what="nothing is called live without a network")
        self.amina.has("NO PICTURE", "#main .player-state")
        said = self.amina.evaluate("document.querySelector('#main .player-controls').innerText")
        hold("live" not in said, f"under a picture that stands still there is {said!r}")

    def writes_meanwhile(self):
        self.caller.press("Chat", within="#video")
        self.ended = time.time()
        self.caller.type("#write textarea", "I am safe now")
        self.caller.press("Send", within="#write")
        self.caller.has("Waiting to be sent", "#log")
        until(lambda: time.time() > self.ended + LATE, "what was written has become late")

    def is_back(self):
        """What was written then says when, on both pages; a video ended when it did, wherever that is told."""
        self.back = time.time()
        self.caller.sleep(False)
        for page, log in ((self.amina, "#main chat-log"), (self.caller, "#log")):
            page.has("I am safe now", log)
            item = f"[...document.querySelectorAll('{log} li')].find((e) => e.querySelector('.bubble')?.textContent === 'I am safe now')"
            page.wait_for(f"/written .* · arrived /.test({item}.innerText)", what="it says when it was written, and when it arrived")
            written = page.evaluate(f"Date.parse({item}.querySelector('time').dateTime) / 1000")
            hold(int(self.ended) <= written < self.back, f"it was written {written - self.ended:.1f} s after the video, and the network was back {self.back - self.ended:.1f} s after it")
        self.amina.has("Video ended", "#main .player-over")
        self.amina.has("The video ended", "#main chat-log")
        note = self.amina.evaluate("Date.parse([...document.querySelectorAll('#main chat-log li.note')].find((e) => e.innerText.includes('The video ended')).querySelector('time').dateTime) / 1000")
        hold(note < self.back, f"by the chat the video ended {note - self.back:.1f} s after the network was back")
        self.amina.wait_for("/Video ended \\d\\d:\\d\\d:\\d\\d/.test(document.querySelector('#main .player-over').innerText)", what="the picture says when")
        clock = self.amina.evaluate("[...document.querySelectorAll('#main chat-log li.note')].find((e) => e.innerText.includes('The video ended')).querySelector('time').textContent")
        hold(clock in self.amina.text("#main .player-over"), f"the chat says {clock}, the picture {self.amina.text('#main .player-over')!r}")

    def is_played_back(self):
        """Played back, the outage has no picture, though what was filmed before came later."""
        entries = self.desk.entries()
        session = next(entry for entry in entries if entry["type"] == "session.created/1")["subject"].split("/")[1]
        incident = self.desk.admin.get(f"/v1/sessions/{session}").json["session"]["incident"]
        self.desk.staff("otto", role="auditor")
        auditor = self.browser.context().page(f"{self.address}/replay", width=1440, height=900)
        self.pages.append(auditor)
        auditor.type("[name=login]", "otto")
        auditor.type("[name=password]", PASSWORD)
        auditor.press("Sign in", within=".door")
        auditor.has("otto", "header")
        moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime((self.ended + self.back) / 2))
        auditor.go(f"{self.address}/replay/{incident}?t={moment}")
        auditor.wait_for("document.querySelector('.video')?.dataset.gap === 'true'", what="no picture is said to be of the outage")
        auditor.has("NO PICTURE", ".video")


if __name__ == "__main__":
    run(main, arguments(__doc__).parse_args())
