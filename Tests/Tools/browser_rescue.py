#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rescuers in a real browser: a passer-by's report reaches them, with its proof of work and a photo; one takes it, heads out, is on scene without a network, and rescues the animal; of
another report a colleague was faster, which is told with the way out. Past missions, duty, the desk's view, German.

  browser_rescue.py --daybook PATH [--screenshots FOLDER] [--axe axe.min.js]

Ends with 77 where no Chromium is installed.
"""

import json
import os

from browser_emergency import open_browser
from browser_pictures import PICTURES, choose
from centre import PASSWORD, Centre, arguments, hold, run
from daybook import new_id, until
from passer_by import add_photo, submit
from story import tell, watched

DIALOG = "dialog.question"
PHONE = {"width": 390, "height": 844, "touch": True}
PIER, COVE = (36.60210, -121.89010), (36.62250, -121.92040)
BASE = {"latitude": 36.60000, "longitude": -121.89500}
NOTES, CONTACT = "Beside the pier, a line around its neck", "Jane, +1 831 555 0142"
MOVED = "It moved behind the rocks"


def main(options, folder):
    desk = Centre(options.daybook, folder, options=["--site-name", "Monterey Rescue", "--country", "US"]).open()
    with open_browser(folder) as browser:
        browser.ignores_policy = bool(options.axe)
        rescue = Rescue(options, desk, browser)
        with watched(rescue.pages, folder):
            tell(rescue.signs_in_at_home, rescue.is_told_of_a_report, rescue.sees_it_on_top, rescue.takes_it, rescue.heads_out, rescue.is_on_scene_without_network, rescue.sends_what_waited, rescue.rescues_with_a_photo,
                 rescue.reads_the_past, rescue.colleague_is_faster, rescue.stands_down, rescue.goes_off_duty, rescue.desk_looks, rescue.strangers_see_less, rescue.reads_german, rescue.is_recorded)
        hold(not rescue.faults, f"axe: {rescue.faults}")
    desk.stop()
    desk.verify("--decode")


class Rescue:
    """`phone` is rita's page; rolf is her colleague, who works without one."""

    def __init__(self, options, desk, browser):
        self.options, self.desk, self.browser = options, desk, browser
        self.sue, self.rita, self.rolf = desk.staff("sue", "supervisor"), desk.staff("rita", "rescuer"), desk.staff("rolf", "rescuer")
        self.address = f"http://127.0.0.1:{desk.port}"
        self.phone = browser.context().page(f"{self.address}/rescue", **PHONE)
        self.pages = [self.phone]
        self.axe, self.faults = options.axe and open(options.axe).read(), []
        if options.screenshots:
            os.makedirs(options.screenshots, exist_ok=True)
        self.agency = new_id()
        made = self.sue.put(f"/v1/agencies/{self.agency}", {"name": "Bay Rescue", "types": [], "base": BASE, "takesReports": True, "phone": "+18315550100"})
        hold(made.ok, f"setting up the agency: {made}")
        added = self.sue.put(f"/v1/agencies/{self.agency}/members", {"members": [self.rita.name, self.rolf.name]})
        hold(added.ok, f"adding its members: {added}")

    # MARK: Ways

    def looked_at(self, name, page=None):
        """Pictures in light and dark; with `--axe` what that program says of both."""
        page = page or self.phone
        for isDark in (False, True) if self.options.screenshots or self.axe else ():
            page.dark(isDark)
            theme = "dark" if isDark else "light"
            if self.options.screenshots:
                page.screenshot(os.path.join(self.options.screenshots, f"{name}-{theme}.png"))
            if self.axe:
                self.faults += [f"{name}, {theme}: {fault}" for fault in page.axe(self.axe)]
        page.dark(False)

    def ready(self, page):
        page.wait_for("'ready' in document.documentElement.dataset", what="the page is there")

    def signs_in(self, page, login):
        page.type("[name=login]", login)
        page.type("[name=password]", PASSWORD)
        page.press("Sign in", within=".door")
        self.ready(page)

    def fits(self, what, page=None):
        """Nothing is wider than the screen, and whatever is to be pressed is as high as a finger needs."""
        page = page or self.phone
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        hold(wide <= 0, f"{what} is {wide} px wider than the screen")
        low = page.evaluate("[...document.querySelectorAll('main :is(button, select, summary, a.button)')].filter((e) => e.checkVisibility() && e.getBoundingClientRect().height < 44).map((e) => e.outerHTML.slice(0, 80))")
        hold(not low, f"{what}: lower than 44 px: {low}")

    def submits(self, place, species="sea-lion", condition="entangled", photo="street.jpg"):
        """A passer-by, whom nobody knows: the number is found, the report is sent, a photo follows."""
        stranger = self.desk.client()
        body = {"fix": {"latitude": place[0], "longitude": place[1], "accuracyMetres": 25}, "species": species, "sizeClass": "small", "condition": condition, "notes": NOTES, "contact": CONTACT}
        sent = submit(stranger, body)
        hold(sent.status == 201, f"submitting the report: {sent}")
        if photo:
            added = add_photo(stranger, sent.json["token"], 1, os.path.join(PICTURES, photo))
            hold(added.status == 201, f"adding its photo: {added}")
        return sent.json["report"]

    def status(self, report):
        return self.rita.get(f"/v1/reports/{report}").json["status"]

    def becomes(self, report, status):
        until(lambda: self.status(report) == status, f"the report is {status}")

    def pauses(self, seconds):
        """As long as a person looks before pressing: what has just come in another's place counts for nothing, since the press may have been meant for that."""
        self.phone.evaluate(f"new Promise((resolve) => setTimeout(resolve, {seconds * 1000}))")

    def step(self, words):
        """The big button says this, and nothing else is one; it is pressed once it counts."""
        self.phone.has(words, ".act")
        self.pauses(1.3)
        self.phone.press(words, within=".act")

    def asks(self, words):
        self.phone.wait_for(f"document.querySelector('{DIALOG}')?.open", what="it asks first")
        self.phone.has(words, DIALOG)

    def answers(self, words):
        self.phone.press(words, within=f"{DIALOG} .actions")
        self.phone.wait_for(f"!document.querySelector('{DIALOG}')", what=f"{words} is done")

    def is_drawn(self, selector):
        """A map has its sheets, also where it came to be without a network."""
        self.phone.wait_for(f"(() => {{ const bar = document.querySelector('{selector}').shadowRoot.querySelector('.bar'); return bar.checkVisibility() && getComputedStyle(bar).display === 'grid'; }})()", what=f"{selector} is drawn")

    def chooses(self, selector, value):
        self.phone.evaluate(f"(() => {{ const e = document.querySelector({json.dumps(selector)}); e.value = {json.dumps(value)}; e.dispatchEvent(new Event('change', {{ bubbles: true }})); }})()")

    # MARK: A rescue

    def signs_in_at_home(self):
        self.looked_at("rescue-door")
        self.signs_in(self.phone, "rita")
        hold(self.phone.evaluate("document.querySelector('.brand').getAttribute('href')") == "/rescue", "the page is a rescuer's home")
        for words in ("No animal needs help now.", "On duty", "No way is set"):
            self.phone.has(words, "#main")
        self.fits("the empty list")
        self.looked_at("rescue-empty")

    def is_told_of_a_report(self):
        """It appears by itself, without a press."""
        self.phone.evaluate("window.isSame = true")
        self.first = self.submits(PIER)
        self.phone.has("Sea lion, small", ".calling")
        hold(self.phone.evaluate("window.isSame"), "without a reload")

    def sees_it_on_top(self):
        for words in ("1 report waits for you", "entangled", "new", "mi away", "for you, Bay Rescue", "I take it"):
            self.phone.has(words, ".calling")
        self.phone.wait_for("document.querySelector('.calling .thumb img')?.naturalWidth > 0", what="its picture is shown")
        self.phone.wait_for("document.title.startsWith('(1)')", what="the title counts it")
        self.phone.wait_for("document.querySelector('.overview')?.dataset.with", what="the map is there")
        self.fits("the list")
        self.looked_at("rescue-list")
        self.phone.evaluate("scrollTo(0, document.body.scrollHeight)")
        self.looked_at("rescue-list-map")
        self.phone.evaluate("scrollTo(0, 0)")

    def takes_it(self):
        """Two presses of an uneasy finger are one step."""
        self.phone.press("I take it", within=".calling")
        # A press just after the list has changed counts for nothing: then it is pressed again.
        until(lambda: self.phone.evaluate("(document.querySelector('.calling .big')?.click(), location.pathname)") != "/rescue", "the report is opened")
        self.phone.evaluate("document.querySelector('.act .step')?.click()")
        self.phone.has("Heading out", ".act")
        hold(self.phone.evaluate("location.pathname") == f"/rescue/{self.first}", "the report has its own address")
        self.becomes(self.first, "acknowledged")
        for words, place in ((NOTES, ".about"), ("+1 831 555 0142", ".about a"), ("you have it", ".head"), ("Plus Code", ".place"), ("36.602100, -121.890100", ".place"), ("Taken by you", ".history"), ("Assigned to Bay Rescue", ".history")):
            self.phone.has(words, place)
        hold(self.phone.evaluate("document.querySelector('.ways a[href^=\"geo:\"]').getAttribute('href')") == "geo:36.602100,-121.890100?q=36.602100,-121.890100", "the phone's maps can be opened")
        self.phone.wait_for("document.querySelector('.pictures img')?.naturalWidth > 0", what="the photo is shown")
        self.fits("the report")
        self.looked_at("rescue-taken")
        self.phone.click(".pictures .picture")
        self.phone.wait_for("document.querySelector('.large-picture')?.open", what="the photo is large")
        self.looked_at("rescue-photo")
        self.phone.press("Close", within=".large-picture")
        self.phone.evaluate("scrollTo(0, document.body.scrollHeight)")
        self.looked_at("rescue-taken-below")

    def heads_out(self):
        self.phone.evaluate("window.open = (address) => { window.opened = address; return null; }")
        self.step("Heading out")
        self.becomes(self.first, "heading_out")
        opened = self.phone.evaluate("window.opened")
        hold(opened == "https://www.openstreetmap.org/directions?to=36.602100%2C-121.890100", f"directions are opened: {opened}")
        self.phone.has("heading out", ".head")

    def is_on_scene_without_network(self):
        """Whatever is done waits, and says so; list and report stay readable."""
        self.phone.sleep(True)
        self.phone.has("No network since", "connection-bar")
        self.step("On scene")
        self.phone.has("Not sent yet: “On scene” waits on this device", ".act")
        self.phone.type(".update textarea", MOVED)
        self.phone.press("Send the update", within=".update")
        choose(self.phone, ".photos", os.path.join(PICTURES, "street.png"))
        for words in ("“On scene”", MOVED, "Photo", "waits to be sent"):
            self.phone.has(words, ".history")
        self.phone.evaluate("document.querySelector('.pictures').scrollIntoView({ block: 'center' })")
        self.phone.wait_for("document.querySelector('.pictures figure img')?.naturalWidth > 0", what="the photo that waits is shown")
        self.phone.has(NOTES, ".about")
        self.looked_at("rescue-away")
        self.phone.press("All reports", within=".head")
        self.phone.has("waits to be sent", ".under-way")
        self.phone.has("Could not be read again", "#main")
        self.is_drawn(".overview")
        self.looked_at("rescue-away-list")
        hold(self.status(self.first) == "heading_out", "nothing was sent")

    def sends_what_waited(self):
        self.phone.sleep(False)
        self.becomes(self.first, "on_scene")
        until(lambda: [one["text"] for one in self.rita.get(f"/v1/reports/{self.first}").json["updates"]] == [MOVED], "the update came")
        until(lambda: len(self.rita.get(f"/v1/reports/{self.first}").json["pictures"]) == 2, "the photo came")
        self.phone.press("Sea lion", within=".under-way")
        self.phone.has(MOVED, ".history")
        self.phone.wait_for("!document.querySelector('.waits') && document.querySelectorAll('.pictures .picture').length === 2", what="nothing waits")

    def rescues_with_a_photo(self):
        self.phone.has("How did it end?", ".act")
        outcomes = self.phone.evaluate("[...document.querySelectorAll('.outcomes button')].map((e) => e.innerText).join()")
        hold(outcomes == "Rescued,Released,Dead,Not found", f"it can end so: {outcomes}")
        choose(self.phone, ".photos", os.path.join(PICTURES, "street.webp"))
        until(lambda: len(self.rita.get(f"/v1/reports/{self.first}").json["pictures"]) == 3, "the photo came")
        self.fits("the outcomes")
        self.looked_at("rescue-outcomes")
        self.step("Rescued")
        self.asks("The animal was rescued?")
        self.phone.type(f"{DIALOG} [name=note]", "Brought to the centre")
        self.looked_at("rescue-question")
        self.answers("Rescued")
        self.becomes(self.first, "rescued")
        self.phone.has("This mission is over: rescued.", ".act")
        self.phone.has("Brought to the centre", ".history")
        self.looked_at("rescue-over")

    def reads_the_past(self):
        self.phone.press("All reports", within=".head")
        self.phone.has("No animal needs help now.", "#main")
        self.phone.press("Past", within=".tabs")
        self.phone.has("Sea lion, small", ".past")
        self.chooses(".filters [name=status]", "deceased")
        self.phone.has("There is no such mission.", ".past")
        self.chooses(".filters [name=status]", "rescued")
        self.chooses(".filters [name=species]", "sea-lion")
        self.chooses(".filters [name=month]", self.phone.evaluate("document.querySelector('.filters [name=month]').options[1].value"))
        self.phone.has("Sea lion, small", ".past li")
        self.fits("the past")
        self.looked_at("rescue-past")
        self.phone.press("Active", within=".tabs")

    # MARK: What goes otherwise

    def colleague_is_faster(self):
        """Pressed without a network, and refused later: told plainly, with the way out."""
        self.second = self.submits(COVE, "harbor-seal", "injured")
        self.phone.has("Harbor seal, small", ".calling")
        self.phone.sleep(True)
        self.pauses(0.6)
        self.phone.press("I take it", within=".calling")
        self.phone.has("Not sent yet", ".act")
        self.phone.has("36.622500, -121.920400", ".place")
        self.is_drawn(".place place-map")
        taken = self.rolf.post(f"/v1/reports/{self.second}/status", {"to": "acknowledged"})
        hold(taken.ok, f"rolf takes it: {taken}")
        self.phone.sleep(False)
        self.phone.has("“I take it” of", ".report .refusal")
        self.phone.has("Somebody was faster", ".report .refusal")
        self.phone.has("a colleague has it", ".head")
        self.phone.has("Heading out", ".act")
        self.looked_at("rescue-refused")
        self.phone.press("All reports", within=".head")
        self.phone.has("Somebody was faster", ".active .refusal")
        self.phone.press("Dismiss", within=".active .refusal")
        self.phone.wait_for("!document.querySelector('.active .refusal')", what="it is put away")
        self.third = self.submits(COVE, "seabird", "dead", photo=None)
        self.phone.has("Seabird", ".calling")
        self.looked_at("rescue-several")

    def stands_down(self):
        """The link of a notification leads to the report itself."""
        self.phone.go(f"{self.address}/rescue/{self.third}")
        self.ready(self.phone)
        self.phone.has("I take it", ".act")
        self.phone.click("details summary")
        self.phone.press("Stand down", within="details")
        self.asks("Stand down?")
        self.answers("Stand down")
        self.becomes(self.third, "stood_down")
        self.phone.has("This mission is over: stood down.", ".act")
        self.phone.press("All reports", within=".head")

    def goes_off_duty(self):
        self.phone.press("Go off duty", within=".duty-line")
        self.asks("New reports are not sent to you until then.")
        self.looked_at("rescue-off-duty-question")
        self.answers("Go off duty")
        self.phone.has("Off duty", ".duty-line")
        hold("offDutyUntil" in self.rita.get("/v1/reach").json, "the centre knows")
        self.looked_at("rescue-off-duty")
        self.phone.press("Go on duty", within=".duty-line")
        self.phone.has("On duty", ".duty-line")
        hold("offDutyUntil" not in self.rita.get("/v1/reach").json, "the centre knows")

    def desk_looks(self):
        """A supervisor sees all of them on a large screen, and may take steps."""
        page = self.browser.context().page(f"{self.address}/rescue")
        self.pages.append(page)
        self.signs_in(page, "sue")
        page.has("Rolf has it", ".under-way")
        page.wait_for("document.querySelector('.under-way .thumb img')?.naturalWidth > 0", what="its picture is shown")
        self.fits("the desk's list", page)
        self.looked_at("rescue-desk", page)
        page.press("Harbor seal", within=".under-way")
        page.has("Taken by Rolf", ".history")
        page.wait_for("document.querySelector('.pictures img')?.naturalWidth > 0", what="the photo is shown")
        self.fits("the desk's report", page)
        self.looked_at("rescue-desk-report", page)

    def strangers_see_less(self):
        """A rescuer of no agency sees no report."""
        self.desk.staff("nora", "rescuer")
        page = self.browser.context().page(f"{self.address}/rescue/{self.second}", **PHONE)
        self.pages.append(page)
        self.signs_in(page, "nora")
        page.has("There is no such report, or it is not for your agency any more.", "#main")
        self.looked_at("rescue-gone", page)
        page.press("All reports", within=".head")
        page.has("No animal needs help now.", "#main")

    def reads_german(self):
        self.phone.evaluate("localStorage.setItem('language', 'de')")
        self.phone.reload()
        self.ready(self.phone)
        for words in ("Seehund, klein", "verletzt", "übernommen", "jemand aus Ihrem Team hat sie", "Im Dienst"):
            self.phone.has(words, "#main")
        self.fits("the German list")
        self.looked_at("rescue-german")
        self.phone.press("Seehund", within=".under-way")
        self.phone.has("Ich fahre los", ".act")
        self.phone.has("Übernommen durch jemanden aus Ihrem Team", ".history")
        self.fits("the German report")
        self.looked_at("rescue-german-report")

    def is_recorded(self):
        entries = self.desk.entries()
        steps = [entry["data"]["to"] for entry in entries if entry["type"] == "report.status_changed/1"]
        hold(steps == ["acknowledged", "heading_out", "on_scene", "rescued", "acknowledged", "stood_down"], f"each step is there once: {steps}")
        kinds = [entry["type"].split("/")[0] for entry in entries]
        for kind, count in (("report.submitted", 3), ("report.update_added", 1), ("report.photo_added", 4)):
            hold(kinds.count(kind) == count, f"{kind} is there {kinds.count(kind)} times")


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--screenshots", help="where pictures of the pages go")
    parser.add_argument("--axe", help="axe.min.js, to look for what keeps people out")
    run(main, parser.parse_args())
