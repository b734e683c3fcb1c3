#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cameras near where something happens, in a real browser: the console names them beside a caller's place, the guards' board at an alarm and the rescuers' page at a report; each leads to the
camera at that moment, and nothing stands where there is none. An operator keeps what a camera showed for the incident; an auditor, who may not look at the camera itself, sees the film of
two kept spans side by side in the incident's replay, in step with its clock, and none outside of them. An alarm that somebody took up is such an incident, too.

  browser_nearby.py --daybook PATH [--screenshots FOLDER] [--axe axe.min.js]

Ends with 77 where no Chromium is installed.
"""

import json
import os

from browser_cameras import READ
from browser_emergency import open_browser, sign_in
from camera_child import WebM
from camera_recording import numbers_of, seconds_of, text_of
from cameras import COUNT, MjpegCamera
from centre import PASSWORD, Centre, arguments, hold, run
from daybook import new_id, until
from story import tell, watched

GATE, FAR = (51.6565, -0.3903), (51.70, -0.3903)
SIZE = {"width": 640, "height": 480}
DIALOG = "dialog.question"
NEARBY = ".cameras-nearby:not([hidden])"
# So many pictures, of ten a second, the one on the screen may be from the replay's moment while it runs: further off it is put there anew.
OFF_MOST = 12
# How far a picture that stands still may be off, in seconds.
STILL = 0.015


def main(options, folder):
    desk = Centre(options.daybook, folder, options=["--camera-networks", "127.0.0.0/8", "--time-zone", "UTC"]).open()
    with open_browser(folder) as browser:
        browser.ignores_policy = bool(options.axe)
        nearby = Nearby(options, desk, browser)
        with watched(nearby.pages, folder):
            tell(nearby.beside_a_caller, nearby.at_an_alarm, nearby.at_a_report, nearby.keeps_footage, nearby.keeps_it_for_the_alarm, nearby.replays_it, nearby.replays_the_alarm, nearby.takes_it_home, nearby.plays_it_in_step, nearby.reads_german)
        hold(not nearby.faults, f"axe: {nearby.faults}")
    for camera in nearby.cameras.values():
        camera.stop()
    desk.stop()
    desk.verify()


class Nearby:
    def __init__(self, options, desk, browser):
        self.options, self.desk, self.browser = options, desk, browser
        self.sue, self.gil, self.john, self.audrey = desk.staff("sue", "supervisor"), desk.staff("gil", "guard"), desk.staff("john"), desk.staff("audrey", "auditor")
        self.address = f"http://127.0.0.1:{desk.port}"
        self.cameras = {name: MjpegCamera(rate=10) for name in ("Gate", "Yard", "Lake", "Vault")}
        self.ids = {name: self.sets(number, name, at, **more) for number, name, at, more in (
            (1, "Gate", GATE, {}), (2, "Yard", (GATE[0] + 0.001, GATE[1]), {}), (3, "Lake", FAR, {}), (4, "Vault", GATE, {"viewers": [{"role": "admin", "fromMinute": 0, "untilMinute": 1440}]}))}
        self.pages = []
        self.axe, self.faults = options.axe and open(options.axe).read(), []
        if options.screenshots:
            os.makedirs(options.screenshots, exist_ok=True)

    def sets(self, number, name, at, **more):
        made = new_id()
        viewers = [{"role": role, "fromMinute": 0, "untilMinute": 1440} for role in ("guard", "operator", "supervisor")]
        body = {"site": "Watford", "number": number, "name": name, "floor": 0, "latitude": at[0], "longitude": at[1], "source": "mjpeg", "address": self.cameras[name].address, **SIZE, "framesPerSecond": 10,
                "kilobitsPerSecond": 500, "keptDays": 7, "keptBytes": 1 << 30, "frame": {"x": 0, "y": 0, **SIZE}, "neighbours": {}, "viewers": viewers, "isOn": True, **more}
        answer = self.desk.admin.put(f"/v1/cameras/{made}", body)
        hold(answer.ok, f"setting {name} up: {answer}")
        return made

    def looked_at(self, name, page, place=NEARBY):
        """Pictures in light and dark, wide and on a phone; with `--axe` what that program says of each."""
        for size, (width, height) in (("wide", (1440, 900)), ("phone", (390, 844))) if self.options.screenshots or self.axe else ():
            page.resize(width, height)
            page.evaluate(f"document.querySelector('{place}')?.scrollIntoView({{block: 'center'}}); 1")
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
        page.press("I take it", within=".alarms")
        page.has("Replay", ".taken")
        self.alarm = raised.json["alarm"]
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
        self.cameras["Gate"].waits(120)
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
        self.incident = self.desk.shown(self.john, self.session)["incident"]
        links = page.evaluate("[...document.querySelectorAll('.kept-footage a')].map((e) => e.getAttribute('href'))")
        hold(links[0].startswith(f"/replay/{self.incident}?t=20") and links[1].startswith(f"/cameras?camera={self.ids['Gate']}&at=20"), f"it leads to {links}")
        self.looked_at("kept", page, ".kept-footage")
        self.closes(page)

    def keeps_it_for_the_alarm(self):
        page = self.opens(f"/cameras?camera={self.ids['Gate']}", "john")
        page.wait_for("document.querySelector('.large .player-screen')?.dataset.state === 'live'", what="Gate is live")
        page.click(".day [aria-label=Pause]")
        page.press("Keep for an incident", within=".large")
        page.has("Keep footage of 1 · Gate for an incident?", DIALOG)
        chosen = page.evaluate(f"(() => {{ const e = document.querySelector('{DIALOG} [name=incident]'); const o = [...e.options].find((o) => o.text.startsWith('Guard’s alarm, since ')); if (o) e.value = o.value; return e.value; }})()")
        hold(chosen == self.alarm, f"{chosen} is chosen, not the alarm {self.alarm}")
        page.press("Keep it", within=f"{DIALOG} .actions")
        page.wait_for(f"!document.querySelector('{DIALOG}')", what="it is kept")
        page.noticed(" is kept for Guard’s alarm.")
        self.closes(page)

    # MARK: The replay

    def replays_it(self):
        """Of a second camera a part of the same time is kept; where the moment lies in both spans both pictures are there, each that of the moment."""
        [gate] = self.kept()
        end = seconds_of(gate["until"])
        answer = self.john.post(f"/v1/incidents/{self.incident}/footage", {"camera": self.ids["Yard"], "from": text_of(end - 6), "until": text_of(end)})
        hold(answer.ok, f"keeping what the yard showed: {answer}")
        for camera in self.cameras.values():
            camera.stop()
        self.spans = {one["name"]: (seconds_of(one["from"]), seconds_of(one["until"])) for one in self.kept()}
        self.films = {one["name"]: until(lambda: self.film_of(one), f"the last minute of {one['name']} is over") for one in self.kept()}
        self.page = self.opens(f"/replay/{self.incident}?t={text_of(end - 3)}", "audrey")
        self.page.evaluate(READ)
        for name in ("Gate", "Yard"):
            self.page.has(f"{name} · Watford", self.tile(name))
            self.shows(name, end - 3)
        hold(self.page.evaluate("document.querySelector('.videos').dataset.count") == "2", "they stand side by side")
        self.looked_at("replay", self.page, ".stage")
        # Outside of a span, and of both.
        self.goes_to(end - 8)
        self.shows("Gate", end - 8)
        self.is_gone("Yard")
        self.goes_to(end + 2)
        self.is_gone("Gate")
        self.goes_to(end - 1)
        for name in ("Gate", "Yard"):
            self.shows(name, end - 1)

    def replays_the_alarm(self):
        """The alarm that was taken up leads to its replay, which shows the call for help and what was kept for it."""
        [kept] = self.kept(self.alarm)
        until(lambda: self.film_of(kept, self.alarm), "the last minute of what is kept for the alarm is over")
        board = self.opens("/patrols", "john")
        board.has("Replay", ".taken")
        path = board.evaluate("document.querySelector('.taken [data-key^=replay]').getAttribute('href')")
        self.closes(board)
        page = self.opens(f"{path}?t={text_of(seconds_of(kept['until']) - 1)}", "john")
        page.has("raised the alarm", ".actions")
        page.has("Gate · Watford", self.tile("Gate"))
        page.evaluate(READ)
        page.wait_for(f"window.cameraNumber(document.querySelector(`{self.tile('Gate')} video`)) !== null", what="the replay of the alarm shows Gate")
        self.looked_at("alarm-replay", page, ".stage")
        self.closes(page)

    def takes_it_home(self):
        page = self.page
        page.click(".kept-footage > summary")
        page.has("Gate · Watford", ".kept-footage")
        page.click(".kept-span:first-child summary")
        page.has("Film", ".kept-files")
        page.has("How they are checked", ".kept-footage")
        self.looked_at("downloads", page, ".kept-files")
        path = page.evaluate("document.querySelector('.kept-files a').getAttribute('href')")
        size = page.evaluate(f"fetch({json.dumps(path)}).then((answer) => answer.arrayBuffer()).then((data) => data.byteLength)")
        hold(size == len(self.films["Gate"][1]), f"the film has {size} bytes, not {len(self.films['Gate'][1])}")
        at = self.spans["Yard"][0]
        page.press("Play here", within=".kept-span:nth-child(2)")
        page.wait_for(f"Math.abs(document.querySelector('.lanes-range').value / 1000 - {at}) < 0.01", what="it goes to where the span begins")
        # Between its beginning and the first picture in it there may be none: the picture before is not kept.
        self.goes_to(at + 1)
        self.shows("Yard", at + 1)

    def plays_it_in_step(self):
        """As fast as asked, each picture is that of the replay's clock; where it is stopped it stands."""
        start = max(self.spans["Gate"][0], self.films["Gate"][0][0][0]) + 1
        for speed in (1, 4):
            self.goes_to(start)
            self.shows("Gate", start)
            self.page.evaluate(f"(() => {{ const e = document.querySelector('.control-row select'); e.value = '{speed}'; e.dispatchEvent(new Event('change')); }})()")
            self.page.click(".control-row [aria-label=Play]")
            for _ in range(5):
                before, number = self.page.wait_for(f"(() => {{ const at = Number(document.querySelector('.lanes-range').value) / 1000, number = window.cameraNumber(document.querySelector(`{self.tile('Gate')} video`));"
                                                   f" if (number === null || number === window.lastNumber) return null; window.lastNumber = number; return [at, number]; }})()", what="another picture")
                wanted = self.number_at("Gate", before)
                off = (number - wanted + COUNT // 2) % COUNT - COUNT // 2
                hold(abs(off) <= OFF_MOST * speed, f"at {speed} × the picture is {number} where {wanted} is wanted")
            self.page.click(".control-row [aria-label=Pause]")
            at = self.page.evaluate("Number(document.querySelector('.lanes-range').value) / 1000")
            hold(start < at < self.spans["Gate"][1], f"it ran from {start} to {at}")
            self.shows("Gate", at)

    def reads_german(self):
        page = self.page
        page.evaluate("localStorage.setItem('language', 'de')")
        page.resize(390, 844)
        page.reload()
        page.has("Behaltene Aufnahmen von Kameras (2)", ".kept-footage")
        page.click(".kept-footage > summary")
        page.has("Herunterladen", ".kept-footage")
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        hold(wide <= 0, f"the replay is {wide} px wider than a phone")
        if self.options.screenshots:
            page.screenshot(os.path.join(self.options.screenshots, "nearby-german.png"))
        self.closes(page)

    def kept(self, incident=None):
        return self.audrey.get(f"/v1/incidents/{incident or self.incident}/footage").json["items"]

    def film_of(self, kept, incident=None):
        """The pictures that were exported of a span, as their times and numbers, and the bytes; nothing before its end is exported."""
        path = f"/v1/incidents/{incident or self.incident}/footage/{kept['number']}"
        films, pictures = b"", []
        for file in self.audrey.get(f"{path}/files").json["items"]:
            film = self.audrey.get(f"{path}/export?hour={file['startedAt']}").body
            webm = WebM()
            webm.push(film)
            pictures += zip([seconds_of(file["startedAt"]) + milliseconds / 1000 for milliseconds, _, _ in webm.blocks], numbers_of(film))
            films = films or film
        return (pictures, films) if pictures and pictures[-1][0] >= seconds_of(kept["until"]) - 0.5 else None

    def number_at(self, name, moment):
        return max((at, number) for at, number in self.films[name][0] if at <= moment)[1]

    def tile(self, name):
        return f".stage .video[data-camera='{self.ids[name]}']"

    def goes_to(self, moment):
        self.page.evaluate(f"(() => {{ const e = document.querySelector('.lanes-range'); e.value = String({moment} * 1000); e.dispatchEvent(new Event('input')); }})()")

    def shows(self, name, moment):
        """The picture is the one that was there at a moment, to the number that it shows; where another one comes within what a browser may be off it may be either."""
        wanted = [self.number_at(name, moment + off) for off in (-STILL, STILL)]
        self.page.wait_for(f"{wanted}.includes(window.cameraNumber(document.querySelector(`{self.tile(name)} video`)))", what=f"{name} shows {wanted}, as at {text_of(moment)}")

    def is_gone(self, name):
        self.page.wait_for(f"!document.querySelector(`{self.tile(name)}`)", what=f"{name} is gone")


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--screenshots", help="a folder for pictures of the pages")
    parser.add_argument("--axe", help="axe-core, to be asked about each of them")
    run(main, parser.parse_args())
