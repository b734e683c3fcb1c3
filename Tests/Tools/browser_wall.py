#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The supervisors' wall in a real browser: twenty open sessions on one screen, some of them with video. A session that is given back moves to the front, a message costs the page no
request, two sessions that an operator takes for one event are linked, and one is handed over to another operator, who takes it in the console.

  browser_wall.py --daybook PATH [--screenshots FOLDER] [--axe axe.min.js]

Ends with 77 where no Chromium is installed.
"""

import json
import os
import threading

import film
from browser_emergency import open_browser, sign_in
from centre import PASSWORD, Centre, arguments, hold, run
from daybook import until
from story import tell, watched

SESSIONS = 20
FILMS = 4
SIZES = {"wide": (1440, 900), "narrow": (1024, 768), "phone": (390, 844)}


def main(options, folder):
    # What callers film is seen before an operator has taken them.
    desk = Centre(options.daybook, folder, options=["--caller-video", "anytime", "--text-sessions", "16"]).open()
    with open_browser(folder) as browser:
        browser.ignores_policy = bool(options.axe)
        story = Wall(options, desk, browser)
        with watched(story.pages, folder):
            tell(story.sees_all, story.goes_by_keyboard, story.costs_no_request, story.moves_to_the_front, story.is_new, story.shows_an_end, story.links, story.hands_over, story.filters, story.looks_on, story.reads_german, story.is_for_supervisors)
        story.ends()
        hold(not story.faults, f"axe: {story.faults}")
    desk.stop()
    desk.verify()


class Camera:
    """A caller's camera: the same seconds again and again, each time as a further part of the stream."""

    def __init__(self, caller, session):
        self.caller, self.stream = caller, film.begin(caller, session)
        self.socket, _ = film.connect(caller, self.stream)
        self.leave = threading.Event()
        self.thread = threading.Thread(target=self._send, daemon=True)
        self.thread.start()

    def _send(self):
        recorded, part = film.recorded(), 0
        while not self.leave.is_set():
            film.send(self.socket, recorded, part=part)
            part += 1
            self.leave.wait(1)

    def stop(self):
        self.leave.set()
        self.thread.join()
        self.socket.close()
        stopped = self.caller.post(f"/v1/streams/{self.stream}/stop", {})
        hold(stopped.ok, f"stopping the stream: {stopped}")


class Wall:
    def __init__(self, options, desk, browser):
        self.options, self.desk, self.browser = options, desk, browser
        self.axe, self.faults = options.axe and open(options.axe).read(), []
        if options.screenshots:
            os.makedirs(options.screenshots, exist_ok=True)
        self.sue, self.otto = desk.staff("sue", "supervisor"), desk.staff("otto", "supervisor")
        self.amina, self.mia, self.john = (desk.staff(name) for name in ("amina", "mia", "john"))
        self.address = f"http://127.0.0.1:{desk.port}"
        self.callers, self.sessions = [], []
        for _ in range(SESSIONS):
            self.calls()
        # The first three wait; two operators have one each, a supervisor the rest, which are text alone.
        for number, session in enumerate(self.sessions[3:], start=3):
            owner = {3: self.amina, 4: self.mia}.get(number, self.otto)
            hold(owner.post(f"/v1/sessions/{session}/claim").ok, f"taking session {number}")
        incident = self.shown(5)["incident"]
        hold(self.sue.put(f"/v1/incidents/{incident}/classification", {"type": "water_rescue", "priority": 1}).ok, "it is urgent")
        self.films = [Camera(self.callers[number], self.sessions[number]) for number in (0, 1, 3, 4)]
        hold(len(self.films) == FILMS, "some of them film")
        self.page = self.opens("sue", language=None)
        self.pages = [self.page]

    def calls(self):
        """A further caller writes."""
        caller = self.desk.caller(self.desk.admin)
        _, session = self.desk.chat(caller)
        self.desk.shown(self.sue, session)
        self.callers.append(caller)
        self.sessions.append(session)
        self.writes(len(self.sessions) - 1, "Smoke in the stairwell")

    def writes(self, number, text):
        wrote = self.callers[number].post(f"/v1/sessions/{self.sessions[number]}/messages", {"text": text})
        hold(wrote.ok, f"a message: {wrote}")

    def shown(self, number):
        return self.sue.get(f"/v1/sessions/{self.sessions[number]}").json["session"]

    def opens(self, login, language):
        page = self.browser.context(language=language).page(f"{self.address}/wall", width=1440, height=900)
        page.type("[name=login]", login)
        page.type("[name=password]", PASSWORD)
        page.key("Enter")
        page.wait_for("'ready' in document.documentElement.dataset", what="the wall is there")
        return page

    def tile(self, number):
        return f".session-tile[data-session='{self.sessions[number]}']"

    def order(self):
        return self.page.evaluate("[...document.querySelectorAll('.session-tile')].map((e) => e.dataset.session)")

    def looked_at(self, name, page=None, sizes=("wide",)):
        """Pictures in light and dark; with `--axe` what that program says of each."""
        page = page or self.page
        if not (self.options.screenshots or self.axe):
            return
        for size in sizes:
            page.resize(*SIZES[size])
            for isDark in (False, True):
                page.dark(isDark)
                theme = "dark" if isDark else "light"
                if self.options.screenshots:
                    page.screenshot(os.path.join(self.options.screenshots, f"wall-{name}-{size}-{theme}.png"))
                if self.axe:
                    self.faults += [f"{name}, {size}, {theme}: {fault}" for fault in page.axe(self.axe)]
        page.dark(False)
        page.resize(*SIZES["wide"])

    # MARK: The story

    def sees_all(self):
        page = self.page
        page.has(f"{SESSIONS} sessions", "#counts")
        page.has("3 waiting", "#counts")
        page.has(f"{FILMS} with video", "#counts")
        page.wait_for(f"[...document.querySelectorAll('.session-tile img')].filter((e) => e.naturalWidth > 0).length === {FILMS}", what="a picture of each film")
        fits = page.evaluate("""(() => { const tiles = [...document.querySelectorAll('.session-tile')], { scrollHeight } = document.documentElement;
            const isWhole = (e) => { const { top, bottom, left, right } = e.getBoundingClientRect(); return top >= 0 && bottom <= innerHeight && left >= 0 && right <= innerWidth; };
            const isCut = (e) => e.scrollWidth > e.clientWidth;
            const words = tiles.flatMap((e) => [...e.querySelectorAll('.who, .clock, .owner, .chip, a, button')]).filter((e) => e.checkVisibility());
            return { scrollHeight, innerHeight, whole: tiles.filter(isWhole).length, columns: new Set(tiles.map((e) => e.offsetLeft)).size, rows: new Set(tiles.map((e) => e.offsetTop)).size,
                least: Math.min(...words.map((e) => parseFloat(getComputedStyle(e).fontSize))), cut: words.filter(isCut).map((e) => e.innerText) }; })()""")
        hold(fits["scrollHeight"] <= fits["innerHeight"] and fits["whole"] == SESSIONS, f"all are seen without scrolling: {fits}")
        hold((fits["columns"], fits["rows"]) == (5, 4), f"they stand in five columns and four rows: {fits}")
        hold(fits["least"] >= 12 and not fits["cut"], f"their words are whole and large enough: {fits}")
        hold(self.order()[:3] == self.sessions[:3], "those that wait come first, longest first")
        for number, words in ((0, (self.callers[0].phone, "Waits for an operator", "Live video", "1 unread")), (3, (self.callers[3].phone, "With Amina")), (5, ("With Otto", "P1 · water rescue", "Chat"))):
            for one in words:
                page.has(one, self.tile(number))
        # The picture is another one after a while, and the last one stays until then.
        page.evaluate(f"window.first = document.querySelector(`{self.tile(0)} img`).src; 1")
        page.wait_for(f"document.querySelector(`{self.tile(0)} img`).src !== window.first", what="the picture is renewed")
        self.looked_at("all", sizes=SIZES)

    def goes_by_keyboard(self):
        page = self.page
        reached = "document.activeElement.closest('.session-tile')?.dataset.session"
        page.evaluate("document.querySelector('.session-tile a').focus(); 1")
        for key, place in (("ArrowRight", 1), ("ArrowDown", 6), ("ArrowLeft", 5), ("ArrowUp", 0), ("End", SESSIONS - 1), ("Home", 0)):
            page.key(key)
            hold(page.evaluate(reached) == self.order()[place], f"{key} leads to tile {place}")
        hold(page.evaluate("[...document.querySelectorAll('.session-tile a')].filter((e) => e.tabIndex === 0).length") == 1, "Tab leads into one tile")
        page.evaluate("document.activeElement.blur(); 1")

    def asked(self):
        """What the page asked of the gateway, but for pictures and whether it is there."""
        return [one for one in list(self.page.sent) if "/v1/" in one and not one.endswith("/frame")]

    def costs_no_request(self):
        """A message, a place and a classification of other sessions are folded into what the page has."""
        before = self.asked()
        self.writes(7, "Second floor")
        self.page.has("2 unread", self.tile(7))
        incident = self.shown(8)["incident"]
        hold(self.sue.put(f"/v1/incidents/{incident}/classification", {"type": "fire", "priority": 2}).ok, "it is a fire")
        self.page.has("P2 · fire", self.tile(8))
        hold(self.otto.post(f"/v1/sessions/{self.sessions[7]}/mute", {"isMuted": True}).ok, "it is muted")
        self.page.has("muted", self.tile(7))
        hold(self.asked() == before, f"the page asked for {self.asked()[len(before):]}")

    def moves_to_the_front(self):
        """An operator gives a session back: its caller waits, and stands before all that an operator has."""
        before = self.asked()
        hold(self.otto.post(f"/v1/sessions/{self.sessions[19]}/release").ok, "it is given back")
        self.page.has("Waits again, left by Otto", self.tile(19))
        hold(self.order()[:4] == [*self.sessions[:3], self.sessions[19]], "it stands with those that wait")
        self.page.has("4 waiting", "#counts")
        # Taken again, it stands where it was.
        hold(self.otto.post(f"/v1/sessions/{self.sessions[19]}/claim").ok, "it is taken")
        self.page.has("With Otto", self.tile(19))
        self.page.wait_for(f"[...document.querySelectorAll('.session-tile')].at(-1).dataset.session === '{self.sessions[19]}'", what="it is the last")
        hold(self.asked() == before, f"the page asked for {self.asked()[len(before):]}")

    def is_new(self):
        """A new caller is read once, for the number is sealed in what the page is told."""
        before = self.asked()
        self.calls()
        self.page.has(self.callers[20].phone, self.tile(20))
        self.page.has("21 sessions", "#counts")
        hold([one.rsplit("/", 1)[1] for one in self.asked()[len(before):]] == [self.sessions[20]], f"the page asked for {self.asked()[len(before):]}")
        hold(self.sue.post(f"/v1/sessions/{self.sessions[20]}/close", {"disposition": "test"}).ok, "it is closed")
        self.page.wait_for(f"!document.querySelector(`{self.tile(20)}`)", what="it is gone")

    def shows_an_end(self):
        self.films.pop().stop()
        self.page.has("The video has ended", self.tile(4))
        hold(self.page.evaluate(f"document.querySelector(`{self.tile(4)} img`) === null"), "its last picture is taken for none of now")

    def links(self):
        """Amina takes Mia's caller and hers for one event; a supervisor agrees without waiting for Mia."""
        asked = self.amina.post(f"/v1/sessions/{self.sessions[3]}/link-proposals", {"with": self.sessions[4]})
        hold(asked.status == 201, f"a proposal: {asked}")
        self.page.has(f"Amina: the same event as {self.callers[3].phone}?", self.tile(4))
        self.page.has("1 link proposed", "#counts")
        self.looked_at("proposal")
        self.page.press("One incident", within=self.tile(4))
        self.page.noticed("One incident now.")
        for number in (3, 4):
            self.page.has("Event A · 2 callers", self.tile(number))
        hold(self.shown(3)["incident"] == self.shown(4)["incident"], "they are one incident")
        order = self.order()
        hold(abs(order.index(self.sessions[3]) - order.index(self.sessions[4])) == 1, "they stand side by side")

    def hands_over(self):
        """Otto's session goes to John, who is free and takes it in the console."""
        john = sign_in(self.browser.context(), self.address, "john")
        self.pages.append(john)
        self.page.press("Hand over", within=self.tile(10))
        choices = "[...document.querySelectorAll('.question optgroup')].map((e) => [e.label, [...e.querySelectorAll('option')].map((o) => o.innerText)])"
        self.page.wait_for("document.querySelector('.question option') !== null", what="it is asked to whom")
        groups = dict(self.page.evaluate(choices))
        hold("John" in groups["Free"] and "Amina, 1 session" in groups["Have sessions"], f"who is free stands first: {groups}")
        hold("Otto" not in json.dumps(groups) and "Sue" not in json.dumps(groups), f"its owner and who asks are not among them: {groups}")
        self.page.evaluate("(() => { const e = document.querySelector('.question select'); e.value = [...e.options].find((o) => o.innerText === 'John').value; })()")
        self.page.type(".question [name=reason]", "John speaks Italian")
        self.looked_at("hand-over")
        self.page.press("Ask to take it", within=".question")
        self.page.noticed("John is asked to take it")
        self.page.has("Asked: John", self.tile(10))
        john.has("John speaks Italian", "#queue")
        john.press("Accept", within="#queue")
        self.page.has("With John", self.tile(10))
        until(lambda: self.shown(10)["owner"] == self.john.name, "it is John's")
        john.has("yours", "#main")

    def filters(self):
        self.page.press("With video", within=".filters")
        self.page.wait_for(f"document.querySelectorAll('.session-tile').length === {len(self.films)}", what="those with video")
        self.page.press("Unattended", within=".filters")
        self.page.has("No open session is of this kind.", "#main")
        self.page.evaluate(f"(() => {{ const e = document.querySelector('.wall-bar select'); e.value = '{self.amina.name}'; e.dispatchEvent(new Event('change')); }})()")
        self.page.wait_for("document.querySelectorAll('.session-tile').length === 1", what="those of Amina")
        # What is shown stands in the address.
        self.page.reload()
        self.page.wait_for("'ready' in document.documentElement.dataset && document.querySelectorAll('.session-tile').length === 1", what="the same after a reload")
        self.page.press("All", within=".filters")
        self.page.wait_for(f"document.querySelectorAll('.session-tile').length === {SESSIONS}", what="all of them")

    def looks_on(self):
        """Enter on a tile opens the console at that session."""
        self.page.evaluate(f"document.querySelector(`{self.tile(11)} a`).focus(); 1")
        self.page.key("Enter")
        self.page.wait_for(f"location.pathname === '/console' && location.search === '?session={self.sessions[11]}'", what="the console is there")
        self.page.has(self.callers[11].phone, "#main")

    def reads_german(self):
        page = self.opens("sue", language="de-DE")
        self.pages.append(page)
        page.has("20 Sitzungen", "#counts")
        page.has("Bei Amina", self.tile(3))
        page.has("Ereignis A · 2 Anrufer", self.tile(3))
        hold(page.evaluate("document.documentElement.scrollHeight <= innerHeight"), "German words need no more room")
        self.looked_at("german", page)

    def is_for_supervisors(self):
        page = self.browser.context().page(f"{self.address}/wall")
        self.pages.append(page)
        page.type("[name=login]", "john")
        page.type("[name=password]", PASSWORD)
        page.press("Sign in", within=".door")
        page.has("look at all sessions", ".door")
        hold(page.evaluate("document.querySelector('.session-tile') === null"), "an operator sees none of it")

    def ends(self):
        for one in self.films:
            one.stop()


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--screenshots", help="a folder for pictures of the pages")
    parser.add_argument("--axe", help="axe-core, to be asked about each of them")
    run(main, parser.parse_args())
