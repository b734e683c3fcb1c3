#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The codes of patrol points in two real browser windows: a supervisor prints labels, a guard scans them with the camera of a phone, also without a network, or types them; a label
that was lost is renewed, and its old code is refused; the list of exceptions tells it, and the same as a file.

  browser_patrol_codes.py --daybook PATH [--screenshots FOLDER] [--axe axe.min.js]

Ends with 77 where no Chromium is installed.
"""

import base64
import json
import os
import re

from browser_emergency import open_browser
from browser_patrol import DIALOG, GATE, LONG, YARD, Patrol
from centre import Centre, arguments, hold, run
from label_camera import modules_of, shows
from story import tell, watched

ROOF = (51.65750, -0.39030)
# The least that a printed code measures without its margin, in pixels of 1/96 inch.
LEAST = 35 / 25.4 * 96
OTHER = "https://example.org/menu"


def main(options, folder):
    desk = Centre(options.daybook, folder, options=["--site-name", "Watford Rescue", "--country", "GB"]).open()
    camera = os.path.join(folder, "camera.y4m")
    shows(camera)
    with open_browser(folder, camera=camera) as browser:
        browser.ignores_policy = bool(options.axe)
        codes = Codes(options, desk, browser, camera)
        with watched(codes.pages, folder):
            tell(codes.supervisor_signs_in, codes.sets_up_points, codes.sets_up_a_tour, codes.shows_the_code, codes.prints_the_labels, codes.plans_starts, codes.guard_starts, codes.is_shown_another_code, codes.leaves_the_camera,
                 codes.has_no_camera, codes.scans, codes.types, codes.scans_without_network, codes.renews_the_code, codes.scans_the_old_label, codes.scans_the_new_label, codes.lists_exceptions, codes.reads_german, codes.auditor_reads,
                 codes.is_recorded)
        hold(not codes.faults, f"axe: {codes.faults}")
    desk.stop()
    desk.verify()


class Codes(Patrol):
    def __init__(self, options, desk, browser, camera):
        super().__init__(options, desk, browser)
        self.camera, self.labels = camera, {}
        # What became of the cameras that the page opened, and how it shook.
        self.phone.before("""(() => { window.streams = []; window.shakes = []; navigator.vibrate = (pattern) => window.shakes.push(pattern);
            const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
            navigator.mediaDevices.getUserMedia = async (wanted) => { const stream = await open(wanted); window.wanted = wanted; window.streams.push(stream); return stream; }; })()""")
        self.phone.reload()

    # MARK: Ways

    def looks_at(self, modules):
        """The phone's camera is held before a label from its next opening on."""
        shows(self.camera, modules)

    def scans_label(self, words):
        """Scans what the camera looks at, and is told this."""
        self.phone.press("Scan the code", within=".check-in")
        self.phone.has(words, ".check-in")
        self.camera_is_off()

    def camera_is_off(self):
        self.phone.wait_for("document.querySelector('.scan').hidden && window.streams.every((stream) => stream.getTracks().every((track) => track.readyState === 'ended'))", what="the panel is closed and each camera is off")

    def walks_to(self, latitude, longitude, accuracy=12):
        """The phone is there, and has measured it."""
        self.phone.place(latitude, longitude, accuracy)
        self.phone.wait_for(f"new Promise((tell) => navigator.geolocation.getCurrentPosition(({{ coords }}) => tell(coords.latitude === {latitude}), () => tell(false), {{maximumAge: 0}}))", what="the phone knows where it is")

    def check_ins(self):
        return self.sue.get("/v1/check-ins").json["items"]

    def picture(self, within):
        """The modules of a picture on the board."""
        return modules_of(*self.board.evaluate(f"(() => {{ const svg = document.querySelector({json.dumps(within + ' .qr')}); return [svg.getAttribute('viewBox'), svg.querySelector('path').getAttribute('d')]; }})()"))

    # MARK: Setting up

    def sets_up_a_tour(self):
        """A third point hangs at another site; all are on a tour with time enough on any machine."""
        made = self.sue.post("/v1/patrol-points", {"site": "Harbour", "name": "Roof", "latitude": ROOF[0], "longitude": ROOF[1], "radiusMetres": 50})
        hold(made.ok, f"a third point: {made}")
        self.points = {point["name"]: point["id"] for point in self.sue.get("/v1/patrol-points").json["items"]}
        points = [{"point": self.points[name], "fromSeconds": 0, "untilSeconds": LONG} for name in ("Gate", "Roof", "Yard")]
        made = self.sue.post("/v1/tours", {"site": "Watford", "name": "Night tour", "isOrdered": False, "graceSeconds": LONG, "points": points})
        hold(made.ok, f"a tour: {made}")

    def shows_the_code(self):
        """A point's code stands there as a picture, in four groups, and as a file."""
        self.part("Board")
        self.part("Points and tours")
        for name in ("Gate", "Yard", "Roof"):
            self.opens_code(name)
            groups = self.board.evaluate("[...document.querySelectorAll('.code-card .tag span')].map((one) => one.innerText)")
            self.labels[name] = {"modules": self.picture(".code-card"), "tag": " ".join(groups), "code": self.board.text(".code-card .told")}
        code = self.labels["Gate"]["code"]
        hold(re.fullmatch(r"DAYBOOK-PATROL:[0-9A-HJKMNP-TV-Z]{26}\.[0-9A-HJKMNP-TV-Z]{16}", code), f"the code is {code}")
        hold(self.labels["Gate"]["tag"].replace(" ", "") == code[-16:] and len(self.labels["Gate"]["tag"]) == 19, f"the tag is {self.labels['Gate']['tag']}")
        self.looked_at("code", self.board)
        self.fits(self.board, "a code")
        self.board.evaluate("(() => { window.files = []; const make = URL.createObjectURL; URL.createObjectURL = (blob) => { window.files.push(blob); return make(blob); }; })()")
        self.board.press("Download as SVG", within=".code-card")
        file = self.board.wait_for("window.files[0]?.text()", what="the picture as a file")
        hold(file.startswith("<svg xmlns=\"http://www.w3.org/2000/svg\"") and 'width="50mm"' in file, f"the file begins {file[:200]}")
        hold(modules_of(*(re.search(pattern, file)[1] for pattern in (r'viewBox="([^"]+)"', r' d="([^"]+)"'))) == self.labels["Roof"]["modules"], "the file has the same picture")

    def opens_code(self, name):
        self.board.evaluate(f"[...document.querySelectorAll('.part tbody tr')].find((row) => row.cells[0].innerText === {json.dumps(name)}).dataset.at = {json.dumps(name)}")
        self.board.press("Code", within=f".part tr[data-at={name}]")
        self.board.has(f"Code of {name}", ".code-card")

    def prints_the_labels(self):
        """Nothing but the labels is printed, of the site that was chosen, on one page."""
        self.board.press("Print all labels", within=".part")
        self.board.wait_for("document.querySelectorAll('.patrol-label').length === 3", what="three labels")
        self.looked_at("labels", self.board)
        hold(self.picture(".patrol-label:nth-child(2)") == self.labels["Gate"]["modules"], "a label has the picture of its point")
        self.board.send("Emulation.setEmulatedMedia", {"media": "print"})
        shown = self.board.evaluate("""[...document.querySelectorAll('body *')].filter((e) => !e.closest('.labels') && !e.querySelector('.labels') && e.checkVisibility() && e.getClientRects().length && e.innerText?.trim()).map((e) => e.outerHTML.slice(0, 80))""")
        hold(not shown, f"this is printed as well: {shown}")
        wide = self.board.evaluate("(() => { const svg = document.querySelector('.patrol-label .qr'); const all = svg.viewBox.baseVal.width; return svg.getBoundingClientRect().width * (all - 8) / all; })()")
        hold(wide >= LEAST, f"a printed code is {wide} pixels wide")
        cut = self.board.evaluate("[...document.querySelectorAll('.patrol-label, .patrol-label .tag')].filter((e) => e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1).map((e) => e.innerText)")
        hold(not cut, f"labels are cut off: {cut}")
        self.prints("labels-all", 1)
        if self.options.screenshots:
            self.board.screenshot(os.path.join(self.options.screenshots, "labels-print.png"))
        self.board.send("Emulation.setEmulatedMedia", {"media": ""})
        for _ in range(6):
            self.board.evaluate("document.querySelector('.labels').append(...[...document.querySelectorAll('.patrol-label')].slice(0, 1).map((one) => one.cloneNode(true)))")
        self.prints("labels-nine", 2)
        self.board.evaluate("(() => { const e = document.querySelector('.part [name=site]'); e.value = 'Harbour'; e.dispatchEvent(new Event('change', {bubbles: true})); })()")
        self.board.wait_for("document.querySelectorAll('.patrol-label').length === 1 && document.querySelector('.patrol-label').innerText.includes('Roof') && location.search === '?site=Harbour'", what="the labels of one site")
        self.part("Board")
        hold(not self.board.evaluate("'sheet' in document.documentElement.dataset"), "other parts are printed as they are")

    def prints(self, name, pages):
        file = base64.b64decode(self.board.send("Page.printToPDF", {"preferCSSPageSize": True, "printBackground": True})["data"])
        if self.options.screenshots:
            with open(os.path.join(self.options.screenshots, f"{name}.pdf"), "wb") as out:
                out.write(file)
        found = len(re.findall(rb"/Type\s*/Page\b(?!s)", file))
        hold(found == pages, f"{name}: {found} pages instead of {pages}")

    # MARK: Scanning

    def guard_starts(self):
        self.signs_in(self.phone, "gil")
        self.phone.press("Start Night tour", within="#main")
        self.phone.has("Gate", ".next")
        self.looked_at("phone-check-in", self.phone)
        self.fits(self.phone, "the check-in")

    def is_shown_another_code(self):
        """Another code is told on the phone, and nothing is sent; Escape leaves the camera."""
        drawn = self.board.evaluate(f"import('/web/core/qr.js').then(({{ qrCode }}) => qrCode({json.dumps(OTHER)}))")
        margin = [[False] * (len(drawn) + 8)] * 4
        self.looks_at(margin + [[False] * 4 + row + [False] * 4 for row in drawn] + margin)
        self.phone.press("Scan the code", within=".check-in")
        self.phone.has("This is another code", ".scan")
        hold(self.phone.evaluate("window.wanted.video.facingMode.ideal") == "environment", "the camera at the back is asked for")
        self.phone.wait_for("document.querySelector('.scan video').videoWidth > 0", what="a picture")
        self.is_clear(".scan")
        self.looked_at("phone-scan", self.phone)
        hold(not any("/v1/check-ins" in address for address in self.phone.sent) and not self.phone.evaluate("window.shakes.length"), "nothing was sent")
        self.phone.key("Escape")
        self.camera_is_off()
        hold(self.phone.evaluate("document.activeElement.innerText") == "Scan the code", "the keyboard is where it was")

    def leaves_the_camera(self):
        """A page that is hidden has no camera open; who would rather type has it off as well."""
        self.looks_at(None)
        self.phone.press("Scan the code", within=".check-in")
        self.phone.has("Hold the phone", ".scan")
        self.phone.evaluate("(() => { Object.defineProperty(document, 'visibilityState', {value: 'hidden', configurable: true}); document.dispatchEvent(new Event('visibilitychange')); delete document.visibilityState; })()")
        self.camera_is_off()
        self.phone.press("Scan the code", within=".check-in")
        self.phone.has("Hold the phone", ".scan")
        self.phone.press("Type the code instead", within=".scan")
        self.camera_is_off()
        hold(self.phone.evaluate("document.activeElement.name") == "code", "the keyboard is in the field")
        hold(self.phone.evaluate("document.querySelector('[name=point]').selectedOptions[0].text") == "Gate", "the next point is chosen")
        self.looked_at("phone-type", self.phone)
        self.fits(self.phone, "the form")

    def has_no_camera(self):
        """A camera that is refused, or missing, is told with what to do."""
        for name, words in (("NotAllowedError", "may not use the camera"), ("NotFoundError", "no camera for this page"), ("NotReadableError", "does not give a picture")):
            self.phone.evaluate(f"(() => {{ const open = navigator.mediaDevices.getUserMedia; navigator.mediaDevices.getUserMedia = async () => {{ navigator.mediaDevices.getUserMedia = open; throw new DOMException('', '{name}'); }}; }})()")
            self.phone.press("Scan the code", within=".check-in")
            self.phone.has(words, ".scan")
            hold(self.phone.evaluate("document.activeElement.innerText") == "Type the code instead", "typing is at hand")
            self.looked_at(f"phone-{name}", self.phone)
            self.phone.press("Cancel", within=".scan")
            self.camera_is_off()

    def scans(self):
        """A label that was read is checked in at once, with the distance."""
        self.walks_to(GATE[0] + 0.0001, GATE[1], accuracy=8)
        self.looks_at(self.labels["Gate"]["modules"])
        self.scans_label("Gate: you are checked in, in time. 11 m from the point, ±8 m.")
        hold(self.phone.evaluate("window.shakes") == [60], f"it shook {self.phone.evaluate('window.shakes')}")
        self.looked_at("phone-scanned", self.phone)

    def types(self):
        """The 16 characters of a point that was chosen, as people type them; what is wrong with them is told here."""
        self.walks_to(*ROOF)
        self.phone.press("Type the code instead", within=".check-in")
        tag = self.labels["Roof"]["tag"]
        self.phone.evaluate(f"(() => {{ const e = document.querySelector('[name=point]'); e.value = {json.dumps(self.points['Roof'])}; e.dispatchEvent(new Event('change', {{bubbles: true}})); }})()")
        for typed, words in (("hello", "5 of 16 characters stand there."), (tag[:-1] + "U", "no U."), (OTHER, "This is another code")):
            self.types_code(typed, words)
        self.looked_at("phone-typed-wrong", self.phone)
        self.types_code(tag.lower().replace("0", "o").replace("1", "l").replace(" ", "-"), "Roof: you are checked in, in time. 0 m from the point, ±12 m.")

    def scans_without_network(self):
        """Without a network a label is read all the same, and counts from when it was."""
        self.walks_to(*YARD)
        self.looks_at(self.labels["Yard"]["modules"])
        self.phone.sleep(True)
        self.phone.has("No network since", "connection-bar")
        self.scans_label("1 check-in waits here.")
        self.looked_at("phone-scanned-kept", self.phone)
        self.phone.sleep(False)
        self.phone.has("was sent, and counts as in time. 0 m from the point, ±12 m.", ".check-in .outcome")
        self.phone.has("Night tour was done", "#main")
        scan = self.check_ins()[0]
        hold(scan["offline"] and scan["occurredAt"] < scan["at"] and scan["point"] == self.points["Yard"] and "refusal" not in scan, f"the check-in is {scan}")

    # MARK: A lost label

    def renews_the_code(self):
        """A label that was lost is refused from then on, once that is confirmed."""
        self.part("Points and tours")
        self.opens_code("Gate")
        self.board.press("Renew the code", within=".code-card")
        self.asks(self.board, "Renew the code of Gate?", "printed before is refused")
        self.looked_at("code-renew", self.board)
        self.board.press("Cancel", within=f"{DIALOG} .actions")
        self.board.wait_for(f"!document.querySelector('{DIALOG}')", what="the question is gone")
        hold(self.board.text(".code-card .told") == self.labels["Gate"]["code"], "nothing was renewed")
        self.board.press("Renew the code", within=".code-card")
        self.presses(self.board, "Renew the code")
        self.board.has("This is the new code.", ".code-card")
        hold(self.board.text(".code-card .told") != self.labels["Gate"]["code"], "the code is another one")
        self.labels["new"] = {"modules": self.picture(".code-card")}
        self.looked_at("code-renewed", self.board)

    def scans_the_old_label(self):
        self.walks_to(*GATE)
        self.looks_at(self.labels["Gate"]["modules"])
        self.scans_label("This label is an old one")
        self.looked_at("phone-old-label", self.phone)
        hold(self.check_ins()[0]["refusal"] == "code_renewed", f"the check-in is {self.check_ins()[0]}")

    def scans_the_new_label(self):
        """The new label counts, also in a browser that runs no modules in workers. Somebody was at this point just before, which is another thing."""
        older = self.phone.before("window.Worker = class { constructor() { setTimeout(() => this.onerror()); } postMessage() {} }")
        self.phone.reload()
        self.ready(self.phone)
        self.looks_at(self.labels["new"]["modules"])
        self.scans_label("checked in")
        hold(self.check_ins()[0].get("refusal", "duplicate") == "duplicate", f"the check-in is {self.check_ins()[0]}")
        self.phone.send("Page.removeScriptToEvaluateOnNewDocument", {"identifier": older})

    # MARK: Starts

    def plans_starts(self):
        """A tour begins at times of day on days of the week; the form says what is none, and the table tells them."""
        self.part("Points and tours")
        self.board.has("Night tour", ".part")
        self.board.evaluate("[...document.querySelectorAll('.part tbody tr')].find((row) => row.cells[0].innerText.startsWith('Night tour')).dataset.at = 'tour'")
        self.board.press("Change", within=".part tr[data-at=tour]")
        for wrong, words in (("25:00", "Write times of day such as 22:00"), ("at ten", "Write times of day such as 22:00")):
            self.writes("starts", wrong)
            self.board.press("Save", within=f"{DIALOG} .actions")
            self.board.has(words, f"{DIALOG} [role=alert]")
        self.writes("starts", "22:00, 2:30")
        self.board.click(f"{DIALOG} [name=weekday][value='7']")
        self.looked_at("tour-starts", self.board)
        self.presses(self.board, "Save")
        self.board.has("begins at 02:30, 22:00 (Mon, Tue, Wed, Thu, Fri, Sat)", ".part")
        tour = self.sue.get("/v1/tours").json["items"][0]
        hold(tour["schedule"] == {"minutesOfDay": [150, 1320], "weekdays": [1, 2, 3, 4, 5, 6]}, f"the tour is {tour}")

    # MARK: Exceptions

    def lists_exceptions(self):
        """What did not go as planned stands in a table and in a file; kinds, sites and periods are chosen, and stand in the address."""
        self.part("Exceptions")
        self.board.has("the label was an old one", ".part tbody")
        row = self.board.evaluate("[...document.querySelectorAll('.part tbody tr')].find((row) => row.innerText.includes('old one')).innerText")
        hold("refused" in row and "Gil" in row and "Gate" in row, f"its line is {row}")
        self.looked_at("exceptions", self.board)
        self.fits(self.board, "the exceptions")
        text = self.board.evaluate("(async () => { const link = document.querySelector('.part a[download]'); return [link.download, await (await fetch(link.href)).text()]; })()")
        hold(re.fullmatch(r"patrol-exceptions-[\d-]+\.csv", text[0]) and "code_renewed" in text[1] and "Gate" in text[1], f"the file is {text}")
        self.board.click(".part [name=kind][value=missed]")
        self.board.has("There is none of these in this period.", ".part")
        self.board.click(".part [name=kind][value=refused]")
        self.board.has("the label was an old one", ".part tbody")
        self.board.reload()
        self.ready(self.board)
        self.board.has("the label was an old one", ".part tbody")
        hold(self.board.evaluate("[...document.querySelectorAll('[name=kind]:checked')].map((e) => e.value).join()") == "missed,refused", "what was chosen stands in the address")
        self.chooses_period("night")
        self.board.wait_for("new URLSearchParams(location.search).get('period') === 'night' && !document.querySelector('.part > .notice:not([hidden])')", what="the last night is shown")
        self.chooses_period("own")
        self.board.evaluate("(() => { const e = document.querySelector('.part [name=until]'); e.value = '2020-01-01T00:00'; e.dispatchEvent(new Event('change', {bubbles: true})); })()")
        self.board.has("The period ends before it begins.", ".part [role=alert]")
        self.board.evaluate("(() => { const e = document.querySelector('.part [name=from]'); e.value = '2019-01-01T00:00'; e.dispatchEvent(new Event('change', {bubbles: true})); })()")
        self.board.has("Nothing went otherwise than planned in this period.", ".part")
        self.looked_at("exceptions-empty", self.board)

    def chooses_period(self, name):
        self.board.evaluate(f"(() => {{ const e = document.querySelector('.part [name=period]'); e.value = '{name}'; e.dispatchEvent(new Event('change', {{bubbles: true}})); }})()")

    # MARK: The pages as a whole

    def reads_german(self):
        self.board.go(f"{self.address}/patrols/exceptions?period=week")
        for page, words in ((self.board, "das Schild war veraltet"), (self.phone, "Code scannen")):
            page.evaluate("localStorage.setItem('language', 'de')")
            page.reload()
            self.ready(page)
            page.has(words)
        self.looks_at(None)
        self.phone.press("Code scannen", within=".check-in")
        self.phone.has("Halten Sie das Telefon", ".scan")
        self.fits(self.phone, "the camera in German")
        self.looked_at("phone-scan-german", self.phone)
        self.phone.press("Abbrechen", within=".scan")
        self.looked_at("exceptions-german", self.board)
        self.board.resize(390, 844, touch=True)
        self.fits(self.board, "the exceptions on a phone")
        self.looked_at("exceptions-phone", self.board)
        self.board.press("Punkte und Touren", within=".tabs")
        self.board.press("Code", within=".part tbody tr")
        self.board.has("Code erneuern", ".code-card")
        self.fits(self.board, "a code on a phone")
        self.looked_at("code-phone", self.board)
        self.board.press("Schilder", within=".tabs")
        self.board.has("Roof", ".labels")
        self.fits(self.board, "the labels on a phone")
        self.board.resize(1440, 900)
        for page in (self.board, self.phone):
            page.evaluate("localStorage.removeItem('language')")

    def auditor_reads(self):
        """Who audits has the exceptions alone, and no alarms."""
        self.desk.staff("ann", "auditor")
        page = self.browser.context().page(f"{self.address}/patrols")
        self.pages.append(page)
        self.signs_in(page, "ann")
        tabs = page.evaluate("[...document.querySelectorAll('.tabs a')].map((e) => e.innerText)")
        hold(tabs == ["Exceptions"], f"ann has {tabs}")
        page.has("the label was an old one", ".part tbody")
        hold(not any("/v1/guard-alarms" in address for address in page.sent), "alarms are not asked for")
        self.looked_at("exceptions-auditor", page)

    def is_recorded(self):
        kinds = [entry["type"].split("/")[0] for entry in self.desk.entries()]
        hold(kinds.count("patrol.checked_in") >= 3 and "patrol.check_in_refused" in kinds, f"three check-ins and a refused one: {[kind for kind in kinds if kind.startswith('patrol.')]}")


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--screenshots", help="where pictures of the pages go")
    parser.add_argument("--axe", help="axe.min.js, to look for what keeps people out")
    run(main, parser.parse_args())
