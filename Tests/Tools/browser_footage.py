#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The source document's screen "Find a video footage": Sam Smith looks for "94 Birmingham" on 25 March 2015, and finds what he and John Doe had filmed (ruling 33).

The gateway runs on clocks that are moved, as in clock_steps.py; the browser has today's. Ends with 77 where there is no Chromium or no C compiler.
"""

import datetime
import os
import time

import centre
import film
from browser_emergency import open_browser, sign_in
from centre import PASSWORD, Centre, hold
from clock_steps import Clocks
from daybook import until
from story import tell, watched

LONDON = ["--time-zone", "Europe/London"]
DAY = "Wednesday, March 25, 2015"
# When, who and where: the rows of the source's screen, then what is nearly like them.
ROWS = [
    ("2015-03-25T18:28:00", "sam", "94 Westminster Road, Selly Oak, Birmingham, B29 7RS"),
    ("2015-03-25T22:20:00", "john", "94 Broad Street, Birmingham, B15 1AU"),
]
OTHERS = [
    ("2015-03-25T22:40:00", "john", "12 Broad Street, Birmingham, B15 1AU"),
    ("2015-03-26T00:10:00", "john", "94 Broad Street, Birmingham, B15 1AU"),
]
NAMES = {"sam": "Sam Smith", "john": "John Doe"}


def main(options, folder):
    if options.screenshots:
        os.makedirs(options.screenshots, exist_ok=True)
    play = Play(options, folder)
    with open_browser(folder) as browser:
        play.open(browser)
        with watched(play.pages, folder):
            tell(play.records, play.finds_as_on_the_screen, play.plays_what_john_filmed, play.finds_by_summer_time)
    play.desk.verify("--decode")


class Play:
    def __init__(self, options, folder):
        self.options, self.pages = options, []
        self.clocks = Clocks(folder)
        self.desk = Centre(options.daybook, folder, LONDON)
        self.desk.gateway.environment |= self.clocks.environment
        self.clocks.step(seconds("2015-03-25T18:00:00") - int(time.time()))

    def open(self, browser):
        self.browser = browser
        self.desk.open()
        self.users = {login: self.desk.staff(login, name=name).name for login, name in NAMES.items()}

    def passes_until(self, text, more=0):
        """Time passes until a moment in UTC, and some seconds."""
        self.clocks.passes(max(0, seconds(text) + more - int(time.time()) - self.clocks.wall))

    def signed_in(self, login):
        """Anew each time, for five minutes of silence sign out."""
        answer = self.desk.client().post("/v1/auth/login", {"login": login, "password": PASSWORD}, key=False)
        hold(answer.ok, f"signing in as {login}: {answer}")
        return self.desk.client(answer.json["token"])

    def records(self):
        """Callers film in sessions of Sam Smith and of John Doe, each of whom writes down the address."""
        for row in [*ROWS, *OTHERS]:
            self.records_one(*row)
        self.passes_until("2015-04-21T13:07:00")

    def records_one(self, moment, login, address):
        """However slow the machine, it begins in its minute: until then there are some more, and fewer than sign somebody out."""
        self.passes_until(moment, -180)
        operator = self.signed_in(login)
        caller = self.desk.caller(operator)
        chat, session = self.desk.chat(caller)
        hold(operator.post(f"/v1/sessions/{session}/claim").ok, f"{login} takes the session")
        self.passes_until(moment)
        film.film(caller, session)
        incident = self.desk.shown(operator, session)["incident"]
        hold(operator.put(f"/v1/incidents/{incident}/address", {"address": address}).ok, "the address is written down")
        hold(operator.post(f"/v1/sessions/{session}/close", {"disposition": "handled"}).ok, "the session is closed")
        chat.drop()

    def finds_as_on_the_screen(self):
        self.sam = sign_in(self.browser.context(), f"http://127.0.0.1:{self.desk.port}", "sam")
        self.pages.append(self.sam)
        self.sam.has("sam · operator", ".top")
        self.sam.press("Footage", within=".top")
        self.asks("94 Birmingham", "2015-03-25")
        wanted = [[DAY, moment[11:16], address, NAMES[login]] for moment, login, address in ROWS]
        hold(self.found(2) == wanted, f"found are {self.found(2)}")
        clocks = self.sam.evaluate("[...document.querySelectorAll('#main tbody td:nth-child(3)')].map((e) => e.innerText)")
        hold(all(clock.endswith(" GMT") for clock in clocks), f"the times are {clocks}")
        hold(self.sam.evaluate("[...document.querySelectorAll('#main tbody time')].every((e) => /^2015-03-25T.*Z$/.test(e.dateTime))"), "programs read UTC")
        hold("2015-03-25" not in self.sam.text("#main .table").replace("2015-03-25-", ""), "no date stands in digits, but in the names of files")
        self.both_themes("footage-source")

    def plays_what_john_filmed(self):
        self.sam.click("#main tbody tr:first-child button")
        video = "document.querySelector('#main .player-screen > video')"
        self.sam.wait_for(f"{video}.duration > 5 && {video}.currentTime > 0.5 && !{video}.error", what="it plays")
        hold("John Doe" in self.sam.text("#main tbody tr.chosen"), "it is John Doe's")
        stream = self.sam.evaluate("document.querySelector('#main tbody tr.chosen a').pathname").split("/")[3]
        reading = {"reader": f"operator/{self.users['sam']}", "resource": f"stream/{stream}", "purpose": "video.recorded", "fields": ["video"]}
        until(lambda: [entry for entry in self.desk.entries() if entry["type"] == "access.read/1" and entry["data"] == reading], "the ledger says that Sam Smith saw it", pause=0.5)

    def finds_by_summer_time(self):
        """On the next day another one is found; in summer the clock has another name."""
        self.asks("94 Birmingham", "2015-03-26")
        self.found(1)
        self.sam.has("Thursday, March 26, 2015", "#main tbody")
        self.records_one("2015-04-21T13:11:00", "john", "1 Digbeth, Birmingham")
        self.asks("Digbeth", "2015-04-21")
        self.found(1)
        self.sam.has("Tuesday, April 21, 2015", "#main tbody")
        self.sam.has("14:11", "#main tbody")
        self.sam.has(" BST", "#main tbody")

    # MARK: Looking

    def asks(self, address, day):
        self.sam.type("#main [name=address]", address)
        self.sam.evaluate(f"for (const name of ['fromDate', 'toDate']) document.querySelector(`#main [name=${{name}}]`).value = '{day}'")
        self.sam.press("Find", within="#main")

    def found(self, count):
        """The rows, the oldest first as on the source's screen: date, hour and minute, address, operator."""
        rows = "[...document.querySelectorAll('#main tbody tr')].map((row) => [...row.cells].slice(1, 5).map((cell) => cell.innerText)).reverse()"
        return [[day, clock[:5], *rest] for day, clock, *rest in self.sam.wait_for(f"{rows}.length === {count} && {rows}", what=f"{count} recordings")]

    def both_themes(self, name):
        for is_dark in (False, True) if self.options.screenshots else ():
            self.sam.dark(is_dark)
            self.sam.screenshot(os.path.join(self.options.screenshots, f"{name}-{'dark' if is_dark else 'light'}.png"))


def seconds(text):
    return int(datetime.datetime.fromisoformat(f"{text}+00:00").timestamp())


if __name__ == "__main__":
    parser = centre.arguments(__doc__)
    parser.add_argument("--screenshots", help="a folder for pictures of the pages, to be looked at")
    centre.run(main, parser.parse_args())
