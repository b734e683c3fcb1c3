#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A passer-by with a phone in portrait reports an animal without an account, in a real browser: six presses, photos made smaller and without EXIF, a pin put right by touch, no network
for a while with the page closed or loaded again meanwhile, and the private page that follows the rescue.

  browser_report.py --daybook PATH [--screenshots FOLDER] [--axe axe.min.js]

Ends with 77 where no Chromium is installed.
"""

import json
import os
import uuid

from browser_emergency import open_browser
from browser_pictures import PICTURES, bitmap
from centre import Centre, arguments, hold, run
from daybook import until
from story import tell, watched

BEACH = (36.8044, -121.7869)
AGENCY = {"name": "Marine Rescue", "phone": "+18315551234", "email": "help@rescue.example", "address": "7 Sandholdt Road", "website": "https://rescue.example/", "donationLink": "https://rescue.example/give",
          "types": [], "base": {"latitude": 36.80, "longitude": -121.79}, "takesReports": True, "isRetired": False}
SIDE_MOST = 2048
# Whatever can be pressed is as large as a finger.
SMALL = """[...document.querySelectorAll('button, a.button, summary, label.tile, label.button, label.check, input:not([type=radio], [type=checkbox], [type=file]), textarea')].filter((e) => e.checkVisibility())
    .map((e) => [e.innerText || e.id, e.getBoundingClientRect().height]).filter(([, height]) => height < 43.5).map(([name, height]) => `${name}: ${height} px`)"""
PIN = "document.querySelector('pin-map').shadowRoot.querySelector('.pin')"


def main(options, folder):
    desk = Centre(options.daybook, folder, options=["--site-name", "Watford Rescue", "--emergency-number", "911"]).open()
    with open_browser(folder) as browser:
        browser.ignores_policy = bool(options.axe)
        story = Report(options, folder, desk, browser)
        with watched(story.pages, folder):
            tell(story.is_closed, story.sends_by_six_presses, story.knows_whom_to_call, story.fills_the_form_in, story.puts_the_pin_right, story.is_told_of_a_bad_picture, story.comes_back_to_the_form,
                 story.opens_without_network, story.is_told_what_is_missing, story.sends_without_network, story.is_sent_by_the_next_page, story.follows_the_rescue, story.follows_without_network, story.has_no_such_link, story.reads_german, story.is_recorded)
        hold(not story.faults, f"axe: {story.faults}")
    desk.stop()
    desk.verify("--decode")


class Reporter:
    """A phone on which somebody reports."""

    def __init__(self, options, folder, desk, browser, language=None):
        self.options, self.folder, self.desk, self.browser = options, folder, desk, browser
        self.address = f"http://127.0.0.1:{desk.port}"
        self.context = browser.context(language=language)
        self.pages = []
        self.axe, self.faults = options.axe and open(options.axe).read(), []
        if options.screenshots:
            os.makedirs(options.screenshots, exist_ok=True)
        self.page = self.opens("/report")

    # MARK: Ways

    def opens(self, path):
        self.pages.append(self.context.page(self.address + path, width=390, height=844, touch=True))
        self.pages[-1].place(*BEACH)
        self.ready(self.pages[-1])
        return self.pages[-1]

    def ready(self, page):
        page.wait_for("'ready' in document.documentElement.dataset", what="the page is there")

    def looked_at(self, name):
        """It fits and can be pressed, on a phone; pictures in light and dark, with `--axe` what that program says of both."""
        wide = self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        hold(wide <= 0, f"{name} is {wide} px wider than the screen")
        small = self.page.evaluate(SMALL)
        hold(not small, f"{name} has what is too small for a finger: {small}")
        for isDark in (False, True) if self.options.screenshots or self.axe else ():
            self.page.dark(isDark)
            theme = "dark" if isDark else "light"
            if self.options.screenshots:
                self.page.screenshot(os.path.join(self.options.screenshots, f"{name}-{theme}.png"))
            if self.axe:
                self.faults += [f"{name}, {theme}: {fault}" for fault in self.page.axe(self.axe)]
        self.page.dark(False)

    def gives(self, field, *paths):
        """Gives files to a chooser, as the camera or a person does."""
        chooser = self.page.send("Runtime.evaluate", {"expression": f"document.querySelector('{field}')"})["result"]["objectId"]
        self.page.send("DOM.setFileInputFiles", {"files": [os.path.abspath(path) for path in paths], "objectId": chooser})

    def has_photos(self, count):
        self.page.wait_for(f"document.querySelectorAll('#thumbs img').length === {count} && document.querySelector('#photos-work').hidden", what=f"{count} photos are prepared")

    def goes_away(self):
        """The centre, for a page that its worker keeps."""
        self.page.wait_for("navigator.serviceWorker.ready.then((r) => Boolean(r.active && navigator.serviceWorker.controller))", what="the worker has the page")
        self.page.is_gateway_away = True
        self.desk.gateway.kill()

    def draft(self):
        return json.loads(self.page.evaluate("localStorage.getItem('report-draft')") or "{}")


class Report(Reporter):
    def __init__(self, *all):
        super().__init__(*all)
        self.rita = self.desk.staff("rita", "rescuer")

    def reports(self):
        answer = self.rita.get("/v1/reports?state=active")
        hold(answer.ok, f"the agency reads its reports: {answer}")
        return answer.json["items"]

    # MARK: The short way

    def is_closed(self):
        """Before there is an agency the page says so; once there is one it opens by itself."""
        self.page.has("No rescue team takes reports here at the moment. If people are in danger, call 911.", "#closed")
        hold(not self.page.evaluate("document.querySelector('#form').checkVisibility()"), "no form is shown for a report that nobody takes")
        self.looked_at("report-closed")
        agency = str(uuid.uuid4())
        agency = f"{agency[:14]}7{agency[15:]}"
        made = self.desk.admin.put(f"/v1/agencies/{agency}", AGENCY)
        hold(made.ok, f"an agency is set up: {made}")
        joined = self.desk.admin.put(f"/v1/agencies/{agency}/members", {"members": [self.rita.name]})
        hold(joined.ok, f"rita works for it: {joined}")
        self.page.evaluate("dispatchEvent(new Event('online'))")
        self.page.has("Which animal?", "#form")
        self.looked_at("report-form")

    def sends_by_six_presses(self):
        """Animal, size, condition, photo, place, send: nobody solves a puzzle."""
        presses = [lambda words=words: self.page.press(words) for words in ("Sea lion", "1 to 2 m", "Hurt or ill")]
        presses += [lambda: self.gives("#camera", os.path.join(PICTURES, "street.jpg")), lambda: (self.page.press("use my location"), self.page.has("The place is set, to 12 m.", "#place-told"))]
        presses += [lambda: (self.has_photos(1), self.page.press("Send the report"))]
        hold(len(presses) <= 6, "six presses at most")
        for press in presses:
            press()
        self.page.has("Marine Rescue has your report", "#sent")
        self.page.has("1 of 1 photos are at the centre.", "#sent")
        self.looked_at("report-sent")

    def knows_whom_to_call(self):
        links = self.page.evaluate("[...document.querySelectorAll('#sent a')].map((e) => e.getAttribute('href'))")
        self.first = links[-1]
        hold(self.first.startswith("/r/") and len(self.first) > 20, f"the private link is {self.first}")
        for link in ("tel:+18315551234", "mailto:help@rescue.example", "https://rescue.example/", "https://rescue.example/give"):
            hold(link in links, f"{link} is offered: {links}")
        [report] = self.reports()
        hold((report["species"], report["sizeClass"], report["condition"]) == ("sea-lion", "medium", "injured"), f"what arrived: {report}")
        hold(len(report["pictures"]) == 1 and report["isMine"], f"it is the agency's, with its photo: {report}")
        hold(report["publishesPhotos"] is False, "nobody said that the photo may be published")

    # MARK: The long way, without a network

    def fills_the_form_in(self):
        self.page.press("Report another animal")
        self.page.wait_for("document.querySelectorAll('#form input:checked').length === 1", what="the form is empty, but for the stage that nobody needs to say")
        for words in ("Dolphin", "Longer than 2 m", "Dead", "Some days"):
            self.page.press(words)
        self.page.type("#notes", "North of the pier, the tide is coming in")
        self.page.type("#contact", "+1 831 555 9876")
        bitmap(os.path.join(self.folder, "wide.bmp"), 3000, 40)
        self.gives("#album", os.path.join(PICTURES, "street.jpg"), os.path.join(self.folder, "wide.bmp"))
        self.has_photos(2)
        hold(not self.page.evaluate("document.querySelector('#publish').checked"), "what may be published is said anew")
        self.page.press("My photos may be shown to the public")
        self.looked_at("report-publish")

    def puts_the_pin_right(self):
        """The phone's place is rough; the pin is dragged by a finger, and moved by a button."""
        self.page.place(*BEACH, accuracy=400)
        self.page.press("use my location")
        self.page.has("This is only exact to 400 m.", "#place-told")
        self.page.wait_for("document.querySelector('pin-map')?.dataset.with", what="the map is there")
        if self.page.evaluate("document.querySelector('pin-map').dataset.with") == "leaflet":
            before = self.draft()["fix"]
            self.page.wait_for(f"{PIN}?.getBoundingClientRect().width >= 44", what="the pin is as large as a finger")
            self.page.evaluate("document.querySelector('pin-map').scrollIntoView({ block: 'center' })")
            self.drags(f"(() => {{ const r = {PIN}.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }})()", 80, 40)
            self.page.wait_for(f"JSON.parse(localStorage.getItem('report-draft')).fix.longitude > {before['longitude']}", what="the pin went east")
            hold(self.draft()["fix"]["latitude"] < before["latitude"], f"the pin went south: {self.draft()['fix']}")
            hold("measuredAt" not in self.draft()["fix"], "a place that was chosen was not measured")
        before = self.draft()["fix"]
        self.page.evaluate("[...document.querySelector('pin-map').shadowRoot.querySelectorAll('.bar button')].find((e) => e.ariaLabel === 'Move the pin east').click()")
        hold(self.draft()["fix"]["longitude"] > before["longitude"], "a button moves the pin, too")
        self.place = self.draft()["fix"]
        self.looked_at("report-place")

    def drags(self, where, right, down):
        x, y = self.page.evaluate(where)
        touch = lambda kind, *points: self.page.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})
        touch("touchStart", (x, y))
        for step in range(1, 9):
            touch("touchMove", (x + right * step / 8, y + down * step / 8))
        touch("touchEnd")

    def is_told_of_a_bad_picture(self):
        path = os.path.join(self.folder, "IMG_0001.heic")
        with open(path, "wb") as file:
            file.write(b"\0\0\0\x18ftypheic" + bytes(500))
        self.gives("#album", path)
        self.page.has("IMG_0001.heic cannot be read here as a picture", "#photos-faults")
        self.has_photos(2)
        self.looked_at("report-photos")

    def comes_back_to_the_form(self):
        """A phone may end the page while its camera is used; what was chosen is there again."""
        self.page.reload()
        self.ready(self.page)
        self.page.has("This is the report that you began on this phone.", "#draft")
        self.has_photos(2)
        chosen = self.page.evaluate("[...document.querySelectorAll('#form input:checked')].map((e) => e.value)")
        hold(chosen == ["dolphin", "large", "dead", "moderately_decomposed", "on"], f"what was chosen is {chosen}")
        hold(self.page.evaluate("document.querySelector('#notes').value").startswith("North of the pier"), "the notes are there")
        hold(self.draft()["fix"] == self.place, "the place is there")

    def opens_without_network(self):
        """From what the browser kept, with the report that was begun."""
        self.goes_away()
        self.page.reload()
        self.ready(self.page)
        self.page.has("This is the report that you began on this phone.", "#draft")
        self.has_photos(2)
        self.page.has("Dolphin", "#species")
        self.looked_at("report-without-network")
        self.desk.start()

    def is_told_what_is_missing(self):
        other = self.browser.context().page(self.address + "/report", width=390, height=844, touch=True)
        self.ready(other)
        other.press("Whale")
        other.press("Send the report")
        other.has("Still missing: how long it is, how it is, where it is.", "#fault")
        hold(other.evaluate("document.activeElement.name") == "size", "the keyboard is led to what is missing first")
        hold(not other.complaints, f"the page complained: {other.complaints}")
        other.close()

    def sends_without_network(self):
        """The report and its photos are kept, and the page may be closed."""
        self.page.sleep(True)
        self.page.press("Send the report")
        self.page.has("Your report is kept on this phone", "#sent")
        self.page.has("Photo 2\nwaiting to be sent", "#sent")
        self.looked_at("report-waits")
        hold(len(self.reports()) == 1, "nothing arrived yet")
        hold(not self.page.complaints, f"the page complained: {self.page.complaints}")
        self.pages.remove(self.page)
        self.page.close()

    def is_sent_by_the_next_page(self):
        """By itself, once, with both photos."""
        self.page = self.opens("/report")
        self.page.wait_for("[...document.querySelectorAll('#mine article')].length === 2 && document.querySelector('#waiting').hidden", what="nothing waits any more")
        self.page.has("Marine Rescue has your report", "#mine")
        self.looked_at("report-mine")
        found = self.reports()
        hold(len(found) == 2, f"each report is there once: {found}")
        report = next(one for one in found if one["species"] == "dolphin")
        hold((report["condition"], report["sizeClass"]) == ("moderately_decomposed", "large"), f"what arrived: {report}")
        hold((report["notes"], report["contact"]) == ("North of the pier, the tide is coming in", "+1 831 555 9876"), f"what was written: {report}")
        hold(all(abs(report["fix"][name] - self.place[name]) < 1e-6 for name in ("latitude", "longitude")), f"where: {report['fix']}, not {self.place}")
        hold(report["publishesPhotos"], "its photos may be published")
        self.report = report["id"]
        pictures = report["pictures"]
        hold(sorted((one["width"], one["mediaType"]) for one in pictures) == [(96, "image/jpeg"), (SIDE_MOST, "image/jpeg")], f"the photos are {pictures}")
        for one in pictures:
            answer = self.rita.get(f"/v1/reports/{self.report}/photos/{one['id']}")
            hold(answer.ok and answer.body[:2] == b"\xff\xd8", "a photo is a JPEG")
        left = self.page.evaluate("new Promise((done) => { const open = indexedDB.open('reports'); open.onsuccess = () => { const all = open.result.transaction('photos').objectStore('photos').count(); all.onsuccess = () => done(all.result); }; })")
        hold(left == 0, f"{left} photos are left on the phone")

    # MARK: Afterwards

    def moves(self, to):
        answer = self.rita.post(f"/v1/reports/{self.report}/status", {"to": to})
        hold(answer.ok, f"the report moves to {to}: {answer}")

    def follows_the_rescue(self):
        """The private page shows each step by itself, without names and place."""
        self.page.press("Follow the rescue", within="#mine article:first-child")
        self.page.wait_for("location.pathname.startsWith('/r/')")
        self.ready(self.page)
        self.page.has("Your report has arrived.", "#now")
        self.page.has("The team has 2 photos of yours.", "#now")
        hold(self.page.evaluate("document.querySelector('meta[name=robots]').content") == "noindex", "no search finds it")
        self.moves("acknowledged")
        self.page.has("The team has read your report.", "#now")
        for to in ("heading_out", "on_scene"):
            self.moves(to)
        self.page.evaluate("dispatchEvent(new Event('online'))")
        self.page.has("Rescuers are with the animal.", "#now")
        self.looked_at("rescue-on-scene")
        self.moves("deceased")
        self.page.evaluate("dispatchEvent(new Event('online'))")
        self.page.has("The animal has died.", "#now")
        self.page.has("This rescue is over.", "#now")
        steps = self.page.evaluate("[...document.querySelectorAll('#steps li > :first-child')].map((e) => e.innerText)")
        hold(len(steps) == 5 and steps[-1] == "Your report has arrived.", f"the steps are {steps}")
        said = self.page.text()
        hold("Rita" not in said and "pier" not in said, f"nobody's name and nothing written is told: {said}")
        self.page.resize(1440, 900)
        self.looked_at("rescue-over-wide")
        self.page.resize(390, 844, touch=True)

    def follows_without_network(self):
        """The page opens, says that it cannot read how the rescue goes, and does so once it can; no part of the private link is kept beside the page's files."""
        self.goes_away()
        self.page.reload()
        self.ready(self.page)
        self.page.has("The centre cannot be reached now.", "#away")
        self.looked_at("rescue-without-network")
        kept = self.page.evaluate("caches.keys().then((all) => Promise.all(all.map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => url)))).then((all) => all.flat())")
        hold(kept and not any(self.page.evaluate("location.pathname") in address for address in kept), f"what is kept: {kept}")
        self.desk.start()
        self.page.evaluate("dispatchEvent(new Event('online'))")
        self.page.has("The animal has died.", "#now")

    def has_no_such_link(self):
        path = self.page.evaluate("location.pathname")
        self.page.go(f"{self.address}{path[:-1]}{'b' if path[-1] == 'a' else 'a'}")
        self.page.has("No report is known here under this link.", "#unknown")
        hold(not self.page.evaluate("document.querySelector('#shown').checkVisibility()"), "nothing is told")
        self.looked_at("rescue-unknown")

    def reads_german(self):
        self.page.evaluate("localStorage.setItem('language', 'de')")
        for path, words in (("/report", "Welches Tier?"), (self.first, "Ihre Meldung ist angekommen.")):
            self.page.go(self.address + path)
            self.ready(self.page)
            self.page.has(words)
            self.looked_at(f"german-{path.split('/')[1]}")

    def is_recorded(self):
        kinds = [entry["type"].split("/")[0] for entry in self.desk.entries()]
        for kind, count in (("report.submitted", 2), ("report.assigned", 2), ("report.photo_added", 3)):
            hold(kinds.count(kind) == count, f"{kind} is there {kinds.count(kind)} times, not {count}: {sorted(set(kinds))}")
        shown = until(lambda: self.rita.get(f"/v1/reports/{self.report}").json, "the report is shown")
        hold([one["to"] for one in shown["history"]] == ["acknowledged", "heading_out", "on_scene", "deceased"], f"the history is {shown['history']}")


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--screenshots", help="where pictures of the pages go")
    parser.add_argument("--axe", help="axe.min.js, to look for what keeps people out")
    run(main, parser.parse_args())
