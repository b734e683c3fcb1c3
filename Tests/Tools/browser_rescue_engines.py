#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The pages of a rescue in Firefox or WebKitGTK, the engine of Safari, in English and in German: each opens under its heading, its main button does once what it says, and no page complains.

  browser_rescue_engines.py --daybook PATH --browser firefox|webkit [--screenshots FOLDER]

Ends with 77 where that browser is not installed.
"""

import contextlib
import os

import centre
from browser_map import LEAFLET
from centre import PASSWORD, Centre, hold
from daybook import new_id
from firefox import Firefox
from page import CannotStart
from story import tell, watched
from webkit import WebKit

AGENCY = {"name": "Bay Rescue", "phone": "+18315550100", "types": [], "base": {"latitude": 36.6, "longitude": -121.895}, "takesReports": True, "isRetired": False}
PLACE = "36.60210, -121.89010"
WORDS = {
    "en": {
        "report": "Report an animal", "animal": ("Harbor seal", "Shorter than 1 m", "Hurt or ill"), "coordinates": ("Type coordinates", "Use these coordinates"), "send": "Send the report", "sent": "Bay Rescue has your report",
        "follow": "Follow the rescue", "status": "Your report", "arrived": "Your report has arrived.", "again": "Report another animal", "rescue": "Rescue", "take": "I take it", "taken": "Heading out",
        "admin": "Administration", "add": "Add an agency", "draw": "Draw an area", "drawing": "Press the map for each corner",
        "/rescues": "Animals that need help", "/rescues/gallery": "Rescued animals", "/agencies": "Rescue agencies", "/guide": "What to do when you find an animal", "/donate": "Donate to a rescue agency",
    },
    "de": {
        "report": "Tier melden", "animal": ("Seehund", "Kürzer als 1 m", "Verletzt oder krank"), "coordinates": ("Koordinaten schreiben", "Diese Koordinaten nehmen"), "send": "Meldung senden", "sent": "Bay Rescue hat Ihre Meldung",
        "follow": "Die Rettung verfolgen", "status": "Ihre Meldung", "arrived": "Ihre Meldung ist angekommen.", "again": "Noch ein Tier melden", "rescue": "Rettung", "take": "Ich übernehme", "taken": "Ich fahre los",
        "admin": "Verwaltung", "add": "Rettungsstelle anlegen", "draw": "Fläche zeichnen", "drawing": "Drücken Sie für jede Ecke auf die Karte",
        "/rescues": "Tiere, die Hilfe brauchen", "/rescues/gallery": "Gerettete Tiere", "/agencies": "Rettungsstellen", "/guide": "Ein Tier gefunden: was tun?", "/donate": "An eine Rettungsstelle spenden",
    },
}
# From when a page is open on; a page that fails before is never ready.
LISTENING = """(() => { window.broken = []; const note = (words) => window.broken.push(words);
    // That a size is told a frame later is no fault.
    addEventListener("error", ({ message }) => message.startsWith("ResizeObserver loop") || note(message)); addEventListener("unhandledrejection", (event) => note(String(event.reason)));
    addEventListener("securitypolicyviolation", (event) => note(`policy: ${event.violatedDirective} ${event.blockedURI}`)); console.error = (...all) => note(all.join(" ")); return true; })()"""


def main(options, folder):
    isWebKit = options.browser == "webkit"
    # Over TLS, for WebKit keeps no secure cookie without it, not even on the loopback.
    desk = Centre(options.daybook, folder, options=["--site-name", "Monterey Rescue", "--country", "US"], with_tls=isWebKit).open()
    rita, agency = desk.staff("rita", "rescuer"), new_id()
    for path, body in (("", AGENCY), ("/members", {"members": [rita.name]})):
        made = desk.admin.put(f"/v1/agencies/{agency}{path}", body)
        hold(made.ok, f"setting up the agency: {made}")
    try:
        browser = (WebKit if isWebKit else Firefox).launch(folder)
    except CannotStart as reason:
        centre.skip(str(reason))
    with browser:
        address = f"{'https' if isWebKit else 'http'}://127.0.0.1:{desk.port}"
        page = browser.page(f"{address}/report") if isWebKit else browser.context().page(f"{address}/report")
        with watched([page], folder):
            print(page.evaluate("navigator.userAgent"))
            for language in WORDS:
                engine = Engine(options, page, address, language)
                print(f"{language}:")
                tell(engine.reports, engine.follows, engine.rescues, engine.draws, engine.looks)
    desk.stop()
    desk.verify("--decode")


class Engine:
    """One person after another at the same browser, in one language."""

    def __init__(self, options, page, address, language):
        self.options, self.page, self.address, self.language, self.words = options, page, address, language, WORDS[language]

    @contextlib.contextmanager
    def at(self, path, heading):
        """What is done on a page leaves no complaint."""
        self.page.go(self.address + path)
        self.page.evaluate(f"localStorage.setItem('language', '{self.language}')")
        self.page.go(self.address + path)
        self.is_there(heading)
        yield
        hold(self.page.evaluate("window.broken") == [], f"{path} complains: {self.page.evaluate('window.broken')}")

    def is_there(self, heading):
        self.page.evaluate(LISTENING)
        self.page.has(self.words[heading], "h1")
        hold(self.page.evaluate("document.documentElement.lang") == self.language, f"the page is in {self.language}")

    def ready(self):
        self.page.wait_for("'ready' in document.documentElement.dataset", what="the page is there")

    def shot(self, name):
        if self.options.screenshots:
            os.makedirs(self.options.screenshots, exist_ok=True)
            self.page.screenshot(os.path.join(self.options.screenshots, f"{self.options.browser}-{name}-{self.language}.png"))

    def signs_in(self, login):
        self.page.type("[name=login]", login)
        self.page.type("[name=password]", PASSWORD)
        self.page.click(".door button.primary")
        self.ready()

    # MARK: The pages

    def reports(self):
        with self.at("/report", "report"):
            self.ready()
            for words in self.words["animal"]:
                self.page.press(words)
            kind, take = self.words["coordinates"]
            self.page.click("#ask-place summary")
            self.page.has(kind, "#ask-place summary")
            self.page.type("#coordinates", PLACE)
            self.page.press(take)
            self.page.wait_for("document.querySelector('pin-map')?.dataset.with", what="the map is there")
            self.shot("report")
            self.page.press(self.words["send"])
            self.page.has(self.words["sent"], "#sent")
            hold(self.page.evaluate("document.querySelector('#sent').checkVisibility() && !document.querySelector('#form').checkVisibility()"), "what was sent stands in the form's place")
            self.shot("report-sent")

    def follows(self):
        self.page.press(self.words["follow"])
        self.page.wait_for("location.pathname.startsWith('/r/')")
        with self.at(self.page.evaluate("location.pathname"), "status"):
            self.ready()
            self.page.has(self.words["arrived"], "#now")
            self.shot("status")
        self.page.press(self.words["again"])
        self.page.wait_for("location.pathname === '/report'")

    def rescues(self):
        with self.at("/rescue", "rescue"):
            self.signs_in("rita")
            self.page.has(self.words["take"], ".calling")
            self.page.wait_for("document.querySelector('.overview')?.dataset.with", what="the map is there")
            self.shot("rescue")
            # What has just come under the finger counts for nothing.
            self.page.evaluate("new Promise((resolve) => setTimeout(() => resolve(true), 600))")
            self.page.press(self.words["take"], within=".calling")
            self.page.has(self.words["taken"], ".act")
            self.shot("rescue-taken")

    def draws(self):
        """Where nobody signed out, the page says who may work there, and lets the administrator in."""
        with self.at("/admin/agencies", "admin"):
            self.signs_in("admin")
            self.page.has("Bay Rescue", ".part table")
            self.shot("agencies")
            self.page.press(self.words["add"], within=".part")
            self.page.wait_for(f"document.querySelector('area-map')?.dataset.with === 'leaflet' || {str(not os.path.exists(LEAFLET)).lower()}", what="the map is there")
            if os.path.exists(LEAFLET):
                self.page.press(self.words["draw"], within=".tools")
                self.page.has(self.words["drawing"], ".part")
            self.shot("agency")
        # The next person finds the door.
        self.page.click("#who + button")
        self.page.wait_for("document.querySelector('.door') !== null", what="the door is shown again")

    def looks(self):
        """The pages for everybody, each of which leads to the report."""
        for path in (path for path in self.words if path.startswith("/")):
            with self.at(f"{path}?lang={self.language}", path):
                self.shot(f"public-{path.strip('/').replace('/', '-')}")
            self.page.click(".parts .primary")
            self.page.wait_for("location.pathname === '/report' && 'ready' in document.documentElement.dataset", what="it leads to the report")


if __name__ == "__main__":
    parser = centre.arguments(__doc__)
    parser.add_argument("--browser", choices=("firefox", "webkit"), required=True)
    parser.add_argument("--screenshots", help="a folder for pictures of the pages, to be looked at")
    centre.run(main, parser.parse_args())
