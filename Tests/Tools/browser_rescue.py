#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rescuers in a real browser: one shares where the team is; a passer-by's report reaches them, with its proof of work and a photo; one takes it, heads out, takes a step back, is on scene
without a network, also after a reload, and rescues the animal, which is opened again; of another report a colleague was faster, which is told with the way out; two reports are of the
same animal. Past missions as files, duty, the desk's view with what the public sees and the incident, German.

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
# 110 m north of the cove.
BESIDE_COVE = (COVE[0] + 0.001, COVE[1])
BASE = {"latitude": 36.60000, "longitude": -121.89500}
NOTES, CONTACT = "Beside the pier, a line around its neck", "Jane, +1 831 555 0142"
MOVED = "It moved behind the rocks"


def main(options, folder):
    desk = Centre(options.daybook, folder, options=["--site-name", "Monterey Rescue", "--country", "US"]).open()
    with open_browser(folder) as browser:
        browser.ignores_policy = bool(options.axe)
        rescue = Rescue(options, desk, browser)
        with watched(rescue.pages, folder):
            tell(rescue.signs_in_at_home, rescue.shares_the_place, rescue.is_told_of_a_report, rescue.sees_it_on_top, rescue.takes_it, rescue.heads_out, rescue.takes_a_step_back, rescue.is_on_scene_without_network,
                 rescue.sends_what_waited, rescue.reloads_without_network, rescue.rescues_with_a_photo, rescue.shows_a_photo_to_the_public, rescue.opens_it_again, rescue.reads_the_past, rescue.colleague_is_faster,
                 rescue.finds_the_same_animal, rescue.stands_down, rescue.goes_off_duty, rescue.desk_looks, rescue.desk_decides, rescue.strangers_see_less, rescue.reads_german, rescue.is_recorded)
        hold(not rescue.faults, f"axe: {rescue.faults}")
    desk.stop()
    desk.verify("--decode")


class Rescuer:
    """`phone` is a rescuer's page."""

    def __init__(self, options, desk, browser):
        self.options, self.desk, self.browser = options, desk, browser
        self.address = f"http://127.0.0.1:{desk.port}"
        self.phone = browser.context().page(f"{self.address}/rescue", **PHONE)
        self.pages = [self.phone]
        self.axe, self.faults = options.axe and open(options.axe).read(), []
        if options.screenshots:
            os.makedirs(options.screenshots, exist_ok=True)

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


class Rescue(Rescuer):
    """`phone` is rita's; rolf is her colleague, who works without one."""

    def __init__(self, options, desk, browser):
        super().__init__(options, desk, browser)
        self.sue, self.rita, self.rolf = desk.staff("sue", "supervisor"), desk.staff("rita", "rescuer"), desk.staff("rolf", "rescuer")
        self.agency = new_id()
        made = self.sue.put(f"/v1/agencies/{self.agency}", {"name": "Bay Rescue", "types": [], "base": BASE, "takesReports": True, "phone": "+18315550100"})
        hold(made.ok, f"setting up the agency: {made}")
        added = self.sue.put(f"/v1/agencies/{self.agency}/members", {"members": [self.rita.name, self.rolf.name]})
        hold(added.ok, f"adding its members: {added}")

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

    def team_place(self):
        return self.rita.get("/v1/agencies/mine").json.get("place")

    def shares_the_place(self):
        """What the browser tells counts for the team, anew after 100 m, until it is turned off."""
        self.phone.place(BASE["latitude"], BASE["longitude"])
        self.phone.click(".sharing input")
        self.phone.has("Your place counts as the team’s since", ".sharing")
        hold(abs(self.team_place()["latitude"] - BASE["latitude"]) < 1e-6, f"the centre has the place: {self.team_place()}")
        self.fits("the shared place")
        self.looked_at("rescue-shares")
        self.phone.place(*PIER)
        until(lambda: abs(self.team_place()["latitude"] - PIER[0]) < 1e-6, "the team's place moved along")
        self.phone.click(".sharing input")
        until(lambda: self.team_place() is None, "the base counts again")
        self.phone.wait_for("!document.querySelector('.sharing').innerText.includes('since')", what="the page says so")

    def is_told_of_a_report(self):
        """It appears by itself, without a press, as soon as the centre has it: a page that nobody sees asks for nothing by itself."""
        self.phone.evaluate("window.isSame = true; Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })")
        self.first = self.submits(PIER)
        self.phone.has("Sea lion, small", ".calling")
        hold(self.phone.evaluate("delete document.visibilityState && window.isSame"), "without a reload")

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

    def takes_a_step_back(self):
        """A wrong press is taken back, with a question; both steps are told."""
        self.phone.press("Undo “heading out”", within=".act")
        self.asks("The report goes back to “taken”.")
        self.looked_at("rescue-undo-question")
        self.answers("Undo")
        self.becomes(self.first, "acknowledged")
        self.phone.has("Undone: back to “taken” by you", ".history")
        self.step("Heading out")
        self.becomes(self.first, "heading_out")

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
        # What is sent at once has one time; this waits.
        self.pauses(1.6)
        hold(self.status(self.first) == "heading_out", "nothing was sent")

    def sends_what_waited(self):
        self.phone.sleep(False)
        self.becomes(self.first, "on_scene")
        until(lambda: [one["text"] for one in self.rita.get(f"/v1/reports/{self.first}").json["updates"]] == [MOVED], "the update came")
        until(lambda: len(self.rita.get(f"/v1/reports/{self.first}").json["pictures"]) == 2, "the photo came")
        self.phone.press("Sea lion", within=".under-way")
        self.phone.has(MOVED, ".history")
        self.phone.wait_for("/On scene by you made [0-9:]+, arrived [0-9:]+/.test(document.querySelector('.history').innerText)", what="both times of what waited are told")
        self.phone.wait_for("!document.querySelector('.waits') && document.querySelectorAll('.pictures .picture').length === 2", what="nothing waits")

    def reloads_without_network(self):
        """A phone may end the page on the way: what was read last is there again, and what is written waits."""
        self.phone.wait_for("navigator.serviceWorker.ready.then((r) => Boolean(r.active && navigator.serviceWorker.controller))", what="the worker has the page")
        self.phone.is_gateway_away = True
        self.desk.gateway.kill()
        self.phone.reload()
        self.ready(self.phone)
        for words, place in (("What is shown may be old", ".report"), (NOTES, ".about"), ("not kept on this device", ".about"), (MOVED, ".history"), ("on scene", ".head"), ("36.602100, -121.890100", ".place")):
            self.phone.has(words, place)
        self.phone.type(".update textarea", "It is tired")
        self.phone.press("Send the update", within=".update")
        self.phone.has("waits to be sent", ".history")
        self.looked_at("rescue-reloaded-away")
        self.desk.start()
        until(lambda: len(self.rita.get(f"/v1/reports/{self.first}").json["updates"]) == 2, "the update came")
        self.phone.has("+1 831 555 0142", ".about a")

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

    def shows_a_photo_to_the_public(self):
        """One that a rescuer took; the reporter's is not the rescuers' to show."""
        switches = "document.querySelectorAll('.pictures input').length"
        self.phone.wait_for(f"{switches} === 2", what="there is a switch for each photo of the team")
        self.phone.click(".pictures input")
        shown = lambda: [one["isPublic"] for one in self.rita.get(f"/v1/reports/{self.first}").json["pictures"] if "by" in one]
        until(lambda: shown().count(True) == 1, "one photo is public")
        self.phone.wait_for("document.querySelectorAll('.pictures input:checked').length === 1", what="the switch is on")
        self.looked_at("rescue-public-photo")

    def opens_it_again(self):
        self.phone.press("Reopen", within=".act")
        self.asks("Reopen this mission?")
        self.answers("Reopen")
        self.becomes(self.first, "acknowledged")
        self.phone.has("Reopened by you", ".history")
        self.phone.has("Heading out", ".act")
        for to in ("heading_out", "on_scene", "rescued"):
            moved = self.rolf.post(f"/v1/reports/{self.first}/status", {"to": to})
            hold(moved.ok, f"rolf moves it to {to}: {moved}")
        self.phone.has("This mission is over: rescued.", ".act")

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
        links = self.phone.evaluate("[...document.querySelectorAll('.past a[download]')].map((e) => e.getAttribute('href'))")
        hold(links == ["/v1/reports.csv", "/v1/reports.geojson"], f"the files: {links}")
        for name in ("csv", "geojson"):
            text = self.phone.evaluate(f"fetch('/v1/reports.{name}').then(async (answer) => answer.ok && answer.text())")
            hold(text and self.first in text, f"the file {name} has the mission: {text}")
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

    def finds_the_same_animal(self):
        """A second report from close by is joined to the one that somebody is at, taken apart, and joined again."""
        self.fourth = self.submits(BESIDE_COVE, "harbor-seal", "injured", photo=None)
        self.phone.has("Harbor seal, small", ".calling")
        self.phone.press("Harbor seal", within=".calling")
        self.phone.has("Perhaps the same animal: Harbor seal, 360 ft away,", ".same")
        self.fits("a report of perhaps the same animal")
        self.looked_at("rescue-perhaps-same")
        self.joins()
        self.looked_at("rescue-same")
        self.phone.press("Not the same", within=".same")
        self.phone.has("Perhaps the same animal", ".same")
        self.phone.has("I take it", ".act")
        self.joins()
        self.phone.press("Open the main report", within=".same")
        self.phone.wait_for(f"location.pathname === '/rescue/{self.second}'")
        self.phone.has("Another report of this animal was joined to this one.", ".same")
        self.looked_at("rescue-main")
        self.phone.press("All reports", within=".head")
        self.phone.wait_for("!document.querySelector('.calling')?.innerText.includes('Harbor seal')", what="it has left the list")

    def joins(self):
        self.phone.press("Same animal", within=".same")
        self.asks("Are both reports of the same animal?")
        self.answers("Same animal")
        self.phone.has("This is another report of the same animal.", ".same")
        hold(self.rita.get(f"/v1/reports/{self.fourth}").json["duplicateOf"] == self.second, "the one that somebody is at stays")
        self.phone.wait_for("!document.querySelector('.act').checkVisibility()", what="no step is taken on it")

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
        """That also ends sharing the place."""
        self.phone.click(".sharing input")
        until(lambda: self.team_place(), "the place is shared again")
        self.phone.press("Go off duty", within=".duty-line")
        self.asks("New reports are not sent to you until then.")
        self.looked_at("rescue-off-duty-question")
        self.answers("Go off duty")
        self.phone.has("Off duty", ".duty-line")
        hold("offDutyUntil" in self.rita.get("/v1/reach").json, "the centre knows")
        self.phone.wait_for("!document.querySelector('.sharing').checkVisibility()", what="no place is shared")
        until(lambda: self.team_place() is None, "the base counts")
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
        page.evaluate("document.querySelector('.pictures').scrollIntoView({ block: 'center' })")
        page.wait_for("document.querySelector('.pictures img')?.naturalWidth > 0", what="the photo is shown")
        self.fits("the desk's report", page)
        self.looked_at("rescue-desk-report", page)

    def desk_decides(self):
        """What the public does not see, and to which incident of the centre the report belongs."""
        page = self.pages[-1]
        page.has("The reporter did not agree to publish it.", ".pictures")
        page.click(".public input")
        told = lambda: self.sue.get(f"/v1/reports/{self.second}").json
        until(lambda: told()["isHidden"], "the public does not see it")
        session = self.sue.post("/v1/sessions", {"phone": self.desk.caller(self.sue).phone})
        hold(session.ok, f"a contact begins: {session}")
        page.press("Belongs to an incident", within=".incident")
        page.wait_for(f"document.querySelector('{DIALOG} select')?.options.length === 1", what="the open incident can be chosen")
        self.looked_at("rescue-incident-question", page)
        page.press("It belongs to this one", within=f"{DIALOG} .actions")
        page.has("Belongs to the incident", ".incident")
        hold(told()["incident"], f"the centre knows: {told()}")
        page.wait_for(f"document.querySelector('.incident a')?.getAttribute('href') === '/console?session={session.json['session']}'", what="the console is one way from there")
        links = page.evaluate("[...document.querySelectorAll('.incident a')].map((e) => e.getAttribute('href'))")
        hold(links[1:] == [f"/replay/{told()['incident']}", f"/replay/{self.second}"], f"the timelines are others: {links}")
        page.evaluate("document.querySelector('.incident').scrollIntoView({ block: 'center' })")
        self.looked_at("rescue-incident", page)
        page.press("Does not belong to it", within=".incident")
        page.has("Belongs to no incident", ".incident")

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
        steps = [entry["data"]["to"] for entry in entries if entry["type"].startswith("report.status_changed/")]
        first = ["acknowledged", "heading_out", "acknowledged", "heading_out", "on_scene", "rescued", "acknowledged", "heading_out", "on_scene", "rescued"]
        hold(steps == [*first, "acknowledged", "stood_down"], f"each step is there once: {steps}")
        kinds = [entry["type"].split("/")[0] for entry in entries]
        for kind, count in (("report.submitted", 4), ("report.update_added", 2), ("report.photo_added", 4)):
            hold(kinds.count(kind) == count, f"{kind} is there {kinds.count(kind)} times")


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--screenshots", help="where pictures of the pages go")
    parser.add_argument("--axe", help="axe.min.js, to look for what keeps people out")
    run(main, parser.parse_args())
