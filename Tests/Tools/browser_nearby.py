#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cameras near where something happens, in a real browser: the console names them beside a caller's place, the guards' board at an alarm and the rescuers' page at a report; each leads to the
camera at that moment, and nothing stands where there is none. An operator keeps what a camera showed for the incident, whose
page then lists it.

  browser_nearby.py --daybook PATH [--screenshots FOLDER] [--axe axe.min.js]

Ends with 77 where no Chromium is installed.
"""

import os

from browser_emergency import open_browser, sign_in
from cameras import MjpegCamera
from centre import PASSWORD, Centre, arguments, hold, run
from daybook import new_id
from story import tell, watched

GATE, FAR = (51.6565, -0.3903), (51.70, -0.3903)
SIZE = {"width": 640, "height": 480}
DIALOG = "dialog.question"
NEARBY = ".cameras-nearby:not([hidden])"


def main(options, folder):
    desk = Centre(options.daybook, folder, options=["--camera-networks", "127.0.0.0/8", "--time-zone", "UTC"]).open()
    with open_browser(folder) as browser:
        browser.ignores_policy = bool(options.axe)
        nearby = Nearby(options, desk, browser)
        with watched(nearby.pages, folder):
            tell(nearby.beside_a_caller, nearby.at_an_alarm, nearby.at_a_report, nearby.keeps_footage)
        hold(not nearby.faults, f"axe: {nearby.faults}")
    nearby.camera.stop()
    desk.stop()
    desk.verify()


class Nearby:
    def __init__(self, options, desk, browser):
        self.options, self.desk, self.browser = options, desk, browser
        self.sue, self.gil, self.john = desk.staff("sue", "supervisor"), desk.staff("gil", "guard"), desk.staff("john")
        self.address = f"http://127.0.0.1:{desk.port}"
        self.camera = MjpegCamera(rate=10)
        self.ids = {name: self.sets(number, name, at, **more) for number, name, at, more in (
            (1, "Gate", GATE, {}), (2, "Yard", (GATE[0] + 0.001, GATE[1]), {}), (3, "Lake", FAR, {}), (4, "Vault", GATE, {"viewers": [{"role": "admin", "fromMinute": 0, "untilMinute": 1440}]}))}
        self.pages = []
        self.axe, self.faults = options.axe and open(options.axe).read(), []
        if options.screenshots:
            os.makedirs(options.screenshots, exist_ok=True)

    def sets(self, number, name, at, **more):
        made = new_id()
        viewers = [{"role": role, "fromMinute": 0, "untilMinute": 1440} for role in ("guard", "operator", "supervisor")]
        body = {"site": "Watford", "number": number, "name": name, "floor": 0, "latitude": at[0], "longitude": at[1], "source": "mjpeg", "address": self.camera.address, **SIZE, "framesPerSecond": 10,
                "kilobitsPerSecond": 500, "keptDays": 7, "keptBytes": 1 << 30, "frame": {"x": 0, "y": 0, **SIZE}, "neighbours": {}, "viewers": viewers, "isOn": True, **more}
        answer = self.desk.admin.put(f"/v1/cameras/{made}", body)
        hold(answer.ok, f"setting {name} up: {answer}")
        return made

    def looked_at(self, name, page):
        """Pictures in light and dark, wide and on a phone; with `--axe` what that program says of each."""
        for size, (width, height) in (("wide", (1440, 900)), ("phone", (390, 844))) if self.options.screenshots or self.axe else ():
            page.resize(width, height)
            page.evaluate(f"document.querySelector('{NEARBY}')?.scrollIntoView({{block: 'nearest'}}); 1")
            for isDark in (False, True):
                page.dark(isDark)
                theme = "dark" if isDark else "light"
                if self.options.screenshots:
                    page.screenshot(os.path.join(self.options.screenshots, f"nearby-{name}-{size}-{theme}.png"))
                if self.axe:
                    self.faults += [f"{name}, {size}, {theme}: {fault}" for fault in page.axe(self.axe)]
        page.dark(False)
        page.resize(1440, 900)

    def opens(self, path, login):
        page = self.browser.context().page(f"{self.address}{path}", width=1440, height=900)
        self.pages.append(page)
        page.type("[name=login]", login)
        page.type("[name=password]", PASSWORD)
        page.press("Sign in", within=".door")
        page.wait_for("'ready' in document.documentElement.dataset", what="the page is there")
        return page

    def names(self, page):
        """Both that are near stand there, with how far they are, and lead to that moment; the far one and the one that is not theirs do not."""
        page.has("Cameras nearby", NEARBY)
        links = page.evaluate(f"[...document.querySelectorAll('{NEARBY} a')].map((e) => [e.innerText.replace(/\\s+/g, ' '), e.getAttribute('href')])")
        hold([words.rsplit(" ", 1)[0] for words, _ in links] == ["1 · Gate · 0 m", "2 · Yard · 111 m"], f"{links}")
        for (_, href), name in zip(links, ("Gate", "Yard")):
            hold(href.startswith(f"/cameras?camera={self.ids[name]}&at=20"), href)

    def closes(self, page):
        page.close()
        self.pages.remove(page)

    def reports(self, phone, session, at):
        phone.post(f"/v1/sessions/{session}/consents", {"scope": "location", "decision": "granted", "textVersion": "2026-01"})
        sent = phone.post(f"/v1/sessions/{session}/locations", {"fix": {"latitude": at[0], "longitude": at[1], "accuracyMetres": 12}, "method": "gps"})
        hold(sent.ok, f"a place: {sent}")

    # MARK: The story

    def beside_a_caller(self):
        phone = self.desk.caller(self.sue)
        _, self.session = self.desk.chat(phone)
        self.reports(phone, self.session, GATE)
        page = sign_in(self.browser.context(), self.address, "john", width=1440, height=900)
        self.pages.append(page)
        page.press("Take it", within="#queue .pending")
        self.names(page)
        self.looked_at("console", page)
        self.reports(phone, self.session, (GATE[0] + 0.02, GATE[1]))
        page.wait_for(f"!document.querySelector('{NEARBY}')", what="none is near the next place")
        self.closes(page)

    def at_an_alarm(self):
        raised = self.gil.post("/v1/guard-alarms", {"fix": {"latitude": GATE[0], "longitude": GATE[1], "accuracyMetres": 8}})
        hold(raised.ok, f"an alarm: {raised}")
        page = self.opens("/patrols", "john")
        self.names(page)
        self.looked_at("alarm", page)
        self.closes(page)

    def at_a_report(self):
        made = self.sue.post("/v1/reports", {"fix": {"latitude": GATE[0], "longitude": GATE[1]}, "species": "hedgehog", "sizeClass": "small", "condition": "injured"})
        hold(made.ok, f"a report: {made}")
        page = self.opens(f"/rescue/{made.json['report']}", "john")
        self.names(page)
        self.looked_at("report", page)
        self.closes(page)

    def keeps_footage(self):
        """What was shown is kept from a minute before until a minute after, as far as that was; an end before the beginning is refused."""
        self.camera.waits(len(self.camera.sent) + 100)
        page = self.opens(f"/cameras?camera={self.ids['Gate']}", "john")
        page.wait_for("document.querySelector('.large .player-screen')?.dataset.state === 'live'", what="Gate is live")
        hold(page.evaluate("[...document.querySelectorAll('.large button')].find((e) => e.innerText === 'Keep for an incident')?.checkVisibility() ?? false") is False, "nothing is kept of the live picture")
        page.click(".day [aria-label=Pause]")
        page.press("Keep for an incident", within=".large")
        page.has("Keep footage of 1 · Gate for an incident?", DIALOG)
        self.looked_at("keep", page)
        day, begin, end = (page.evaluate(f"document.querySelector('{DIALOG} [name={name}]').value") for name in ("untilDay", "fromTime", "untilTime"))
        page.evaluate(f"document.querySelector('{DIALOG} [name=untilDay]').value = '2020-01-01'; 1")
        page.press("Keep it", within=f"{DIALOG} .actions")
        page.has("It has to begin before it ends.", DIALOG)
        page.evaluate(f"document.querySelector('{DIALOG} [name=untilDay]').value = {day!r}; 1")
        page.press("Keep it", within=f"{DIALOG} .actions")
        page.wait_for(f"!document.querySelector('{DIALOG}')", what="it is kept")
        page.noticed(f"1 · Gate from {begin} until {end} is kept for ")
        self.closes(page)
        page = sign_in(self.browser.context(), self.address, "john", width=1440, height=900)
        self.pages.append(page)
        page.click("#queue .ticket")
        page.press("Details", within="#main")
        page.has("Kept footage of cameras", ".kept-footage")
        page.has("Gate", ".kept-footage")
        hold(page.evaluate("document.querySelector('.kept-footage a').getAttribute('href')").startswith(f"/cameras?camera={self.ids['Gate']}&at=20"), "it leads there")
        self.looked_at("kept", page)
        self.closes(page)


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--screenshots", help="a folder for pictures of the pages")
    parser.add_argument("--axe", help="axe-core, to be asked about each of them")
    run(main, parser.parse_args())
