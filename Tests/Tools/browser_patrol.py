#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Guards' tours in two real browser windows: a supervisor sets up points and a tour, a guard walks it with a phone in portrait, is late, without a network and out of reach; the
board shows what is late and missed, and what was done about it; alarms reach the board over a network that was away, and somebody takes them up.

  browser_patrol.py --daybook PATH [--screenshots FOLDER] [--axe axe.min.js]

Ends with 77 where no Chromium is installed.
"""

import json
import os

from browser_emergency import open_browser
from centre import PASSWORD, Centre, arguments, hold, run
from story import tell, watched

DIALOG = "dialog.question"
GATE, YARD = (51.65650, -0.39030), (51.66650, -0.39030)
LONG = 3600
LONG_NAME = "Donaudampfschifffahrtsgesellschaftskapitänsaufenthaltsraum"


def main(options, folder):
    desk = Centre(options.daybook, folder, options=["--site-name", "Watford Rescue", "--country", "GB"]).open()
    with open_browser(folder) as browser:
        browser.ignores_policy = bool(options.axe)
        patrol = Patrol(options, desk, browser)
        with watched(patrol.pages, folder):
            tell(patrol.supervisor_signs_in, patrol.sets_up_points, patrol.sets_up_a_tour, patrol.guard_starts, patrol.is_refused, patrol.checks_in, patrol.second_is_late, patrol.notes_why,
                 patrol.checks_in_without_network, patrol.misses_all, patrol.sends_somebody, patrol.raises_the_alarm_by_holding, patrol.raises_the_alarm_without_network, patrol.takes_the_alarms, patrol.replays_the_rounds,
                 patrol.retires_the_tour, patrol.has_long_names, patrol.reads_german, patrol.others_see_less, patrol.is_recorded)
        hold(not patrol.faults, f"axe: {patrol.faults}")
    desk.stop()
    desk.verify()


class Patrol:
    def __init__(self, options, desk, browser):
        self.options, self.desk, self.browser = options, desk, browser
        self.sue, self.gil, self.bela = desk.staff("sue", "supervisor"), desk.staff("gil", "guard"), desk.staff("bela", "guard")
        self.amina = desk.staff("amina")
        self.address = f"http://127.0.0.1:{desk.port}"
        self.board = browser.context().page(f"{self.address}/patrols")
        self.phone = browser.context().page(f"{self.address}/patrol", width=390, height=844, touch=True)
        self.phone.place(*GATE)
        self.pages = [self.board, self.phone]
        self.codes, self.points = {}, {}
        self.axe, self.faults = options.axe and open(options.axe).read(), []
        if options.screenshots:
            os.makedirs(options.screenshots, exist_ok=True)

    # MARK: Ways

    def looked_at(self, name, page):
        """Pictures in light and dark; with `--axe` what that program says of both."""
        for isDark in (False, True) if self.options.screenshots or self.axe else ():
            page.dark(isDark)
            theme = "dark" if isDark else "light"
            if self.options.screenshots:
                page.screenshot(os.path.join(self.options.screenshots, f"{name}-{theme}.png"))
            if self.axe:
                self.faults += [f"{name}, {theme}: {fault}" for fault in page.axe(self.axe)]
        page.dark(False)

    def signs_in(self, page, login):
        page.type("[name=login]", login)
        page.type("[name=password]", PASSWORD)
        page.press("Sign in", within=".door")
        self.ready(page)

    def ready(self, page):
        page.wait_for("'ready' in document.documentElement.dataset", what="the page is there")

    def part(self, words):
        self.board.press(words, within=".tabs")
        self.board.wait_for(f"document.querySelector('.tabs [aria-current]')?.innerText === {json.dumps(words)} && !document.querySelector('.part > [role=status].soft')", what=f"{words} is shown")

    def asks(self, page, *words):
        """A question stands there that says this."""
        page.wait_for(f"document.querySelector('{DIALOG}')?.open", what="it asks first")
        for one in words:
            page.has(one, DIALOG)

    def presses(self, page, words):
        page.press(words, within=f"{DIALOG} .actions")
        page.wait_for(f"!document.querySelector('{DIALOG}')", what=f"{words} is done")

    def writes(self, name, text):
        self.board.type(f"{DIALOG} [name={name}]", text)

    def chooses(self, name, words):
        """Chooses the option with these words."""
        at = f"document.querySelector('{DIALOG} [name={name}]')"
        chosen = self.board.evaluate(f"(() => {{ const e = {at}; const o = [...e.options].find((o) => o.text.includes({json.dumps(words)})); if (o) e.value = o.value; return Boolean(o); }})()")
        hold(chosen, f"{words} can be chosen")

    def types_code(self, code, words):
        """Checks in by a code that is typed, and is told this where it can be seen."""
        self.opens_form()
        self.phone.type("[name=code]", code)
        self.phone.press("Check in", within=".check-in")
        self.phone.has(words, ".check-in")
        self.is_clear(".check-in > .notice:not([hidden])")

    def opens_form(self):
        if not self.phone.evaluate("document.querySelector('[name=code]').checkVisibility()"):
            self.phone.press("Type the code instead", within=".check-in")

    def is_clear(self, selector):
        """It stands above the alarm bar."""
        self.phone.wait_for(f"document.querySelector('{selector}').getBoundingClientRect().bottom <= document.querySelector('.alarm-bar').getBoundingClientRect().top",
                            what=f"{selector} is above the alarm bar")

    def fits(self, page, what):
        # A phone draws a page that is too wide smaller, and its `innerWidth` grows with it.
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        hold(wide <= 0, f"{what} is {wide} px wider than the screen")

    def takes_long_names(self, *selectors):
        """A name that is wider than the screen breaks within it."""
        for one in selectors:
            self.phone.evaluate(f"(() => {{ const e = document.querySelector('{one}'); e.dataset.was = e.textContent; e.textContent = '{LONG_NAME}'; }})()")
        self.fits(self.phone, "a long name")
        self.looked_at("phone-long-point", self.phone)
        for one in selectors:
            self.phone.evaluate(f"(() => {{ const e = document.querySelector('{one}'); if (e.dataset.was) e.textContent = e.dataset.was; }})()")

    def change_tour(self, windows, grace):
        """The tour with windows in seconds, which no form has."""
        points = [{"point": self.points[name], "fromSeconds": 0, "untilSeconds": until} for name, until in windows]
        body = {"id": self.tour, "site": "Watford", "name": "Night tour", "isOrdered": True, "graceSeconds": grace, "points": points}
        changed = self.sue.post("/v1/tours", body)
        hold(changed.ok, f"changing the tour: {changed}")

    # MARK: Setting up

    def supervisor_signs_in(self):
        """Before anything is set up, the board says that nothing goes on."""
        self.signs_in(self.board, "sue")
        for words in ("Nothing is late.", "No guard is on a round.", "No round has ended today."):
            self.board.has(words, ".part")
        self.looked_at("board-empty", self.board)

    def sets_up_points(self):
        """A place that is none is refused in the form; the code of each new point is told, to be written on its label."""
        self.part("Points and tours")
        self.board.has("There is no point yet.", ".part")
        for name, place in (("Gate", GATE), ("Yard", YARD)):
            self.board.press("Add a point", within=".part")
            self.asks(self.board, "Degrees north, then east")
            self.writes("site", "Watford")
            self.writes("name", name)
            self.writes("place", "51 north")
            self.board.press("Save", within=f"{DIALOG} .actions")
            self.board.has("Write the coordinates as two numbers", f"{DIALOG} [role=alert]")
            self.writes("place", f"{place[0]:.5f}, {place[1]:.5f}")
            self.presses(self.board, "Save")
            self.board.has(f"Code of {name}", ".told-once")
            self.codes[name] = self.board.text(".told-once .told")
            hold(self.codes[name].lower().startswith("daybook-patrol:"), f"the code of {name} is {self.codes[name]}")
            self.board.has(f"{place[0]:.5f}, {place[1]:.5f}", ".part table")
        self.points = {point["name"]: point["id"] for point in self.sue.get("/v1/patrol-points").json["items"]}
        self.looked_at("points", self.board)
        self.board.press("Dismiss", within=".told-once")

    def sets_up_a_tour(self):
        """Points are added, moved and given their windows; the form says what is wrong with one."""
        self.board.press("Add a tour", within=".part")
        self.writes("site", "Watford")
        self.writes("name", "Night tour")
        self.board.press("Save", within=f"{DIALOG} .actions")
        self.board.has("A tour has at least one point.", f"{DIALOG} [role=alert]")
        for _ in ("Gate", "Yard"):
            self.board.press("Add to the tour", within=DIALOG)
        order = f"[...document.querySelectorAll('{DIALOG} .tour-points .name')].map((e) => e.innerText).join()"
        hold(self.board.evaluate(order) == "1. Gate,2. Yard", f"the tour has {self.board.evaluate(order)}")
        self.board.click(f"{DIALOG} [aria-label='Move Yard up']")
        hold(self.board.evaluate(order) == "1. Yard,2. Gate", f"after moving it has {self.board.evaluate(order)}")
        self.board.click(f"{DIALOG} [aria-label='Move Yard down']")
        self.board.type(f"{DIALOG} .tour-points > :nth-child(2) [data-window=until]", "5")
        self.board.press("Save", within=f"{DIALOG} .actions")
        self.board.has("The window of Yard ends before it begins.", f"{DIALOG} [role=alert]")
        self.board.type(f"{DIALOG} .tour-points > :nth-child(2) [data-window=until]", "30")
        self.looked_at("tour-form", self.board)
        for leaves in (lambda: self.board.press("Cancel", within=f"{DIALOG} .actions"), lambda: self.board.key("Escape")):
            leaves()
            self.board.wait_for(f"document.querySelectorAll('{DIALOG}').length === 2", what="it asks before it throws the tour away")
            self.board.has("Discard what you filled in?", f"{DIALOG}:last-of-type")
            self.board.press("Cancel", within=f"{DIALOG}:last-of-type .actions")
            self.board.wait_for(f"document.querySelectorAll('{DIALOG}').length === 1", what="the form is still there")
        self.presses(self.board, "Save")
        self.board.has("Night tour", ".part")
        self.board.has("15 to 30 min", ".part")
        self.looked_at("tours", self.board)
        tour = self.sue.get("/v1/tours").json["items"][0]
        hold([point["untilSeconds"] for point in tour["points"]] == [900, 1800] and tour["isOrdered"], f"the tour is {tour}")
        self.tour = tour["id"]
        # The first point has time enough on any machine, the second is late soon and not missed.
        self.change_tour([("Gate", LONG), ("Yard", 3)], LONG)
        self.part("Board")

    # MARK: A round

    def guard_starts(self):
        """A guard's home is the tour; one tour is one button."""
        self.looked_at("phone-door", self.phone)
        self.signs_in(self.phone, "gil")
        self.phone.has("Today’s tour", "#main")
        self.fits(self.phone, "the choice")
        self.looked_at("phone-start", self.phone)
        self.phone.press("Start Night tour", within="#main")
        self.phone.has("Gate", ".next")
        self.board.has("Gil", ".part .open")
        self.fits(self.phone, "the round")
        self.takes_long_names(".next h2", ".points strong")
        tops = self.phone.evaluate("['.next', '.check-in', '.points', '[data-key=stop]'].map((one) => document.querySelector(one).getBoundingClientRect().top)")
        hold(tops == sorted(tops), f"next point, check-in, list, stop stand at {tops}")
        self.opens_form()
        # As with a keyboard.
        self.phone.resize(390, 420, touch=True)
        self.phone.evaluate("document.activeElement.blur(); scrollTo(0, 0); document.querySelector('[name=code]').focus()")
        self.is_clear("[name=code]")
        self.looked_at("phone-keyboard", self.phone)
        self.phone.resize(390, 844, touch=True)

    def is_refused(self):
        """What does not count is told in words, with what to do."""
        self.types_code("hello", "5 of 16 characters stand there.")
        gate = self.codes["Gate"]
        self.types_code(gate[:-1] + ("0" if gate[-1] != "0" else "1"), "The code is not the one of this point.")
        self.types_code(self.codes["Yard"], "Your phone says that you are too far from this point.")
        self.looked_at("phone-refused", self.phone)

    def checks_in(self):
        """A code is read as people type it."""
        code = self.codes["Gate"]
        self.types_code(f"{code[0].upper()}{code[1:30]} {code[30:]} ", "Gate: you are checked in, in time.")
        self.phone.has("Yard", ".next")
        hold(self.phone.evaluate("document.querySelector('[name=code]').value") == "", "the field is empty for the next one")
        self.looked_at("phone-round", self.phone)
        self.types_code(code, "You checked in at this point just before.")

    def second_is_late(self):
        self.phone.has("Late since", ".next")
        self.board.has("Yard", ".part .late")
        self.board.has("Gil, Night tour: to be there by", ".part .late")
        hold("late" in self.board.text(".part .late .chip"), f"it stands as {self.board.text('.part .late .chip')}")
        self.looked_at("board-late", self.board)
        self.looked_at("phone-late", self.phone)

    def notes_why(self):
        self.board.press("Note why", within=".part .late")
        self.asks(self.board, "Why was nobody at Yard?")
        self.writes("note", "The yard is locked")
        self.presses(self.board, "Note it")
        self.board.has("Noted: The yard is locked", ".part .late")
        self.board.has("Sue,", ".part .late .handled")

    def checks_in_without_network(self):
        """Without a network a check-in is kept, and counts from when it was made."""
        self.phone.place(*YARD)
        self.phone.sleep(True)
        self.phone.has("No network since", "connection-bar")
        self.types_code(self.codes["Yard"], "1 check-in waits here.")
        self.looked_at("phone-kept", self.phone)
        self.phone.sleep(False)
        self.phone.has("was sent, and counts as late.", ".check-in .outcome")
        self.phone.has("Yard,", ".check-in .outcome")
        self.phone.has("Night tour was done", "#main")
        self.phone.has("1 there late", "#main")
        self.board.has("Nothing is late.", ".part .late")
        self.board.has("1 there late", ".part .finished")
        scan = self.sue.get("/v1/check-ins").json["items"][0]
        hold(scan["offline"] and "occurredAt" in scan, f"the scan says that it was kept: {scan}")
        self.looked_at("phone-done", self.phone)
        self.phone.press("Dismiss", within=".check-in .outcome")
        self.phone.wait_for("!document.querySelector('.outcome')", what="the outcome is put away")

    def misses_all(self):
        """Nobody is there in time: each point is missed, and the round is over."""
        self.change_tour([("Gate", 1), ("Yard", 1)], 1)
        self.phone.press("Start Night tour", within="#main")
        self.phone.has("The time for Night tour ran out", "#main")
        self.board.wait_for("document.querySelectorAll('.part .late li.missed').length === 2", what="both points stand there as missed")
        self.board.has("time ran out", ".part .finished")

    def sends_somebody(self):
        self.board.press("Send", within=".part .late")
        self.asks(self.board, "Tell them yourself")
        hold(self.board.evaluate(f"document.querySelector('{DIALOG} [name=send]').value") == "", "nobody is chosen yet")
        self.chooses("send", "Bela")
        self.looked_at("board-send", self.board)
        self.presses(self.board, "Record it")
        self.board.has("Bela was sent.", ".part .late")
        hold(self.board.evaluate("document.querySelector('.part .late li:last-child').matches('.is-handled')"), "what somebody looks after stands last")
        self.looked_at("board-missed", self.board)
        self.board.resize(1024, 768)
        self.fits(self.board, "the board")
        self.looked_at("board-small", self.board)
        self.board.resize(1440, 900)

    # MARK: Alarms

    def raises_the_alarm_by_holding(self):
        """A touch raises none; the button is held."""
        self.phone.click(".alarm")
        self.phone.has("Nothing was sent.", ".alarm-bar")
        hold(not self.sue.get("/v1/guard-alarms").json["items"], "no alarm was raised by a touch")
        self.board.evaluate("""(() => { window.tones = 0; const make = AudioContext.prototype.createOscillator; AudioContext.prototype.createOscillator = function () { window.tones++; return make.call(this); }; })()""")
        box = self.phone.evaluate("(() => { const r = document.querySelector('.alarm').getBoundingClientRect(); return {x: r.x + r.width / 2, y: r.y + r.height / 2}; })()")
        mouse = {**box, "button": "left", "clickCount": 1}
        self.phone.send("Input.dispatchMouseEvent", {"type": "mousePressed", **mouse})
        self.phone.has("The centre has your alarm.", ".alarm-bar")
        self.phone.send("Input.dispatchMouseEvent", {"type": "mouseReleased", **mouse})
        self.phone.click(".alarm")
        self.phone.has("No other alarm was sent.", ".alarm-bar")
        self.phone.has("The centre has your alarm.", ".alarm-bar")
        self.looked_at("phone-alarm", self.phone)
        self.phone.reload()
        self.ready(self.phone)
        self.phone.has("The centre has your alarm.", ".alarm-bar")
        self.board.has("Alarm of Gil", ".alarms")
        self.board.has(f"{YARD[0]:.5f}, {YARD[1]:.5f}", ".alarms")
        hold(self.board.evaluate("document.title") == "(1) Alarm · Board · Patrols", f"the window's title is {self.board.evaluate('document.title')}")
        self.board.wait_for("window.tones > 0", what="it sounds")
        hold(self.board.text(".sound") == "Sound on", f"the sound's button says {self.board.text('.sound')}")
        self.board.resize(1440, 420)
        self.board.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        box = self.board.evaluate("(() => { const r = document.querySelector('.alarms').getBoundingClientRect(); return [scrollY, r.top, r.bottom, innerHeight]; })()")
        hold(box[0] > 0 and box[1] >= -1 and box[2] <= box[3], f"the alarms are to be seen at the end of the page: {box}")
        self.board.resize(1440, 900)
        self.looked_at("board-alarm", self.board)

    def raises_the_alarm_without_network(self):
        """By keys, and without a network: the page says that the centre does not have it, and sends it when it can."""
        self.phone.sleep(True)
        self.phone.evaluate("document.querySelector('.alarm').focus()")
        self.phone.key("Enter")
        self.phone.has("Press once more", ".alarm-bar")
        self.phone.key("Enter")
        self.phone.has("The centre does not have your alarm yet.", ".alarm-bar")
        self.looked_at("phone-alarm-waits", self.phone)
        self.phone.sleep(False)
        self.phone.has("The centre has your alarm.", ".alarm-bar")
        self.board.has("called 2 times", ".alarms")
        hold(self.board.evaluate("document.querySelectorAll('.alarms li').length") == 1, "who calls twice has one alarm")
        hold(self.phone.evaluate("Object.keys(localStorage).filter((name) => name.startsWith('patrol-')).length") == 0, "nothing waits on the phone any more")

    def takes_the_alarms(self):
        """One press takes an alarm up; who comes second is told who was first. The alarms stand above each part."""
        self.part("Points and tours")
        open = self.amina.get("/v1/guard-alarms").json["items"]
        self.board.press("I take it", within=".alarms")
        self.board.noticed("You took up the alarm of Gil.")
        self.board.wait_for("document.querySelector('.alarms').hidden", what="no alarm is left")
        late = self.amina.post(f"/v1/guard-alarms/{open[0]['id']}/answer")
        hold(late.status == 409 and late.json["by"] == self.sue.name, f"who comes second is told who was first: {late}")
        # Where help goes to is still told, and the guard hears of it.
        self.board.has("took up the alarm of Gil", ".taken")
        self.looked_at("board-alarm-taken", self.board)
        self.phone.has("Somebody at the centre took up your alarm", ".alarm-bar")
        self.looked_at("phone-alarm-taken", self.phone)

    # MARK: Afterwards

    def replays_the_rounds(self):
        """A round is played back from the board, moment by moment, with the check-ins that were refused; `daybook timeline` tells the same."""
        rounds = self.sue.get("/v1/rounds").json["items"]
        page = self.browser.context().page(f"{self.address}/replay/{rounds[1]['id']}")
        self.pages.append(page)
        self.signs_in(page, "sue")
        page.has("Night tour, gil", ".round-then")
        states = "[...document.querySelectorAll('.round-then tbody tr')].map((row) => row.querySelector('.chip').innerText.replace(/\\W+/, ''))"
        hold(page.evaluate(states) == ["due", "due"], f"at first the points stand as {page.evaluate(states)}")
        for words in ("set out on a round of 2 points", "a check-in was not accepted", "checked in at point Gate", "reached point Gate in time", "point Yard is late", "noted of point Yard: The yard is locked", "reached point Yard late"):
            page.wait_for(f"[...document.querySelectorAll('.lines .line')].some((line) => line.title.includes({json.dumps(words)}))", what=f"the lines say: {words}")
        page.key("End")
        page.wait_for(f"({states}).join() === 'in time,there late'", what="at the end both points were reached")
        page.has("The yard is locked", ".round-then")
        self.looked_at("replay-round", page)
        page.resize(390, 844)
        self.fits(page, "the replay on a phone")
        page.resize(1440, 900)
        page.evaluate("localStorage.setItem('language', 'de')")
        page.reload()
        self.ready(page)
        page.has("Was veranlasst wurde", ".round-then")
        self.looked_at("replay-round-german", page)
        page.evaluate("localStorage.removeItem('language')")
        page.go(f"{self.address}/replay")
        page.has("Guards’ rounds", ".incidents")
        self.looked_at("replay-list", page)
        told = self.desk.daybook("timeline", rounds[1]["id"]).stdout.decode()
        for words in ("round started", "patrol checked in", "patrol check in refused", "round point reached"):
            hold(words in told, f"daybook timeline does not tell {words}: {told}")

    # MARK: The pages as a whole

    def retires_the_tour(self):
        self.board.press("Retire", within=".part")
        self.asks(self.board, "No guard can start this tour any more.")
        self.looked_at("tour-retire", self.board)
        self.board.press("Cancel", within=DIALOG)
        self.board.wait_for(f"!document.querySelector('{DIALOG}')", what="the question is gone")
        hold(len(self.sue.get("/v1/tours").json["items"]) == 1, "nothing was retired")
        self.board.press("Retire", within=".part")
        self.presses(self.board, "Retire")
        self.board.has("There is no tour yet.", ".part")
        self.phone.evaluate("dispatchEvent(new Event('online'))")
        self.phone.has("There is no tour here yet.", "#main")

    def has_long_names(self):
        """A name that is longer than the screen is wide stays within it."""
        body = {"site": "Watford", "name": f"{LONG_NAME} und Umgebung", "isOrdered": True, "graceSeconds": LONG, "points": [{"point": self.points["Gate"], "fromSeconds": 0, "untilSeconds": LONG}]}
        made = self.sue.post("/v1/tours", body)
        hold(made.ok, f"a tour with a long name: {made}")
        self.phone.resize(320, 700, touch=True)
        self.phone.evaluate("dispatchEvent(new Event('online'))")
        self.phone.has("und Umgebung", "#main .start")
        self.fits(self.phone, "a long name")
        room = self.phone.evaluate("(() => { const [b, w] = ['.start', '.start .words'].map((one) => document.querySelector(one).getBoundingClientRect()); return [w.top - b.top, w.left - b.left, b.right - w.right]; })()")
        hold(min(room) >= 8, f"the long name has {room} px around it in its button")
        hold(self.phone.evaluate("(() => { const h = document.querySelector('.top h1'); return h.scrollWidth <= h.clientWidth; })()"), "the page's title is not cut")
        self.looked_at("phone-long-name", self.phone)
        self.phone.resize(390, 844, touch=True)
        retired = self.sue.post("/v1/tours", {**body, "id": made.json["tour"], "isRetired": True})
        hold(retired.ok, f"retiring it: {retired}")

    def reads_german(self):
        self.part("Board")
        for page, name, words in ((self.board, "board", "Überfällig oder versäumt"), (self.phone, "phone", "Punkt bestätigen")):
            page.evaluate("localStorage.setItem('language', 'de')")
            page.reload()
            self.ready(page)
            page.has(words)
            self.fits(page, f"the {name} in German")
            self.looked_at(f"{name}-german", page)
        self.board.press("Punkte und Touren", within=".tabs")
        self.board.has("Es gibt noch keine Tour.", ".part")
        self.looked_at("tours-german", self.board)
        for page in self.pages:
            page.evaluate("localStorage.removeItem('language')")

    def others_see_less(self):
        """An operator has the board, and neither sends nor sets up."""
        page = self.browser.context().page(f"{self.address}/patrols")
        self.pages.append(page)
        self.signs_in(page, "amina")
        page.has("Late or missed", ".part")
        tabs = page.evaluate("[...document.querySelectorAll('.tabs a')].map((e) => e.innerText)")
        hold(tabs == ["Board"], f"amina has {tabs}")
        hold("Send" not in page.text(".part"), "an operator sends nobody")
        self.looked_at("board-operator", page)

    def is_recorded(self):
        kinds = [entry["type"].split("/")[0] for entry in self.desk.entries()]
        for kind in ("round.started", "round.point_reached", "round.point_overdue", "round.point_missed", "round.point_handled", "round.finished", "guard.alarm_raised", "guard.alarm_answered"):
            hold(kind in kinds, f"the ledger has no {kind}: {sorted(set(kinds))}")
        hold(kinds.count("guard.alarm_raised") == 2, f"each alarm is there once: {kinds.count('guard.alarm_raised')}")
        hold(kinds.count("patrol.checked_in") == 2, f"each check-in is there once: {kinds.count('patrol.checked_in')}")


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--screenshots", help="where pictures of the pages go")
    parser.add_argument("--axe", help="axe.min.js, to look for what keeps people out")
    run(main, parser.parse_args())
