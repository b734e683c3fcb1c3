#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A telephone texts by SIP, and an operator whose turn it is answers on the console: who writes and from where, answers that arrive, that fail and are sent again, a tab that turns yellow,
a place that moves, a sender who is muted, the end; then its replay.

  browser_telephone.py --daybook PATH [--screenshots FOLDER]

Ends with 77 where no Chromium is installed.
"""

from browser_emergency import open_browser, sign_in
from browser_link import shot
from centre import PASSWORD, Centre, arguments, hold, run
from sip_phone import Phone, pidf, sip_port
from story import tell, watched

NUMBER = "+493012345678"
FAILED = "#main chat-log .failed"
# Of an offer, what lies beside the screen or is cut off by what it stands in.
CUT = """[...document.querySelectorAll('#queue .offers, #queue .offers *')].filter((e) => { const r = e.getBoundingClientRect(); return r.left < 0 || r.top < 0 || r.right > innerWidth || r.bottom > innerHeight || e.scrollWidth > e.clientWidth + 1
    || (e.matches('button') && ![[r.left + 2, r.top + r.height / 2], [r.right - 2, r.top + r.height / 2], [r.left + r.width / 2, r.bottom - 2]].every(([x, y]) => e.contains(document.elementFromPoint(x, y)))); }).map((e) => e.textContent)"""


def main(options, folder):
    port = sip_port()
    desk = Centre(options.daybook, folder, options=["--sip", f"127.0.0.1:{port}", "--assign-texts", "300"]).open()
    desk.staff("amina")
    desk.staff("arne", role="auditor")
    phone = Phone(port, NUMBER, name="Ann")
    with open_browser(folder) as browser:
        page = sign_in(browser.context(), f"http://127.0.0.1:{desk.port}", "amina")
        story = Story(options, desk, page, phone, browser.context())
        with watched([page], folder):
            tell(story.is_taken, story.is_answered, story.is_busy, story.says_nothing, story.turns_yellow, story.moves, story.is_muted, story.is_closed, story.is_replayed)
    phone.close()
    desk.stop()
    desk.verify()


class Story:
    def __init__(self, options, desk, page, phone, other):
        self.options, self.desk, self.page, self.phone, self.other = options, desk, page, phone, other

    def says(self, text):
        self.page.type("#main .write textarea", text)
        self.page.key("Enter")

    def is_taken(self):
        """The operator reads who writes, how and from where; that the number is not verified is said."""
        self.phone.located("smoke on the stairs", pidf(52.516275, 13.377704)).deliver()
        self.is_offered()
        self.page.press("Accept", within="#queue .offers")
        self.page.has("smoke on the stairs", "#main chat-log")
        self.page.has(NUMBER, "#main h1")
        self.page.has("This caller has only a telephone.", "#main .head")
        self.page.has("Ann", "#callers")
        for place in ("#queue .mine", "#callers"):
            self.page.has("not verified", place)
        for words in (f"{NUMBER} (not verified)", "Ann", f"127.0.0.1:{self.phone.port}", "telephone text (SIP) over UDP", "13.377704", "52.516275"):
            self.page.has(words, ".caller-line")

    def is_offered(self):
        """Whose turn it is sees the offer whole, however large the screen is and wherever the page was scrolled to."""
        self.page.has("smoke on the stairs", "#queue .offers")
        self.page.has("not verified", "#queue .offers")
        for width, height in ((390, 844), (1440, 900)):
            self.page.resize(width, height)
            self.page.evaluate("document.querySelector('#queue').scrollTo(0, 9999), scrollTo(0, 9999)")
            shot(self.page, self.options.screenshots, f"telephone-offer-{width}")
            hold(self.page.evaluate(CUT) == [], f"at {width} wide this is cut off: {self.page.evaluate(CUT)}")

    def is_answered(self):
        """An answer goes to the telephone, and is said to have arrived there."""
        self.page.has("How the answer goes: by telephone", ".way")
        self.says("Is everybody out?")
        self.phone.waits_for_text("Is everybody out?")
        self.page.has("Arrived at the telephone", "#main chat-log")
        self.page.press("Help is on its way.", within=".quick")
        self.phone.waits_for_text("Help is on its way.")
        # Answered, too: what the telephone says from now on is for the next.
        self.page.wait_for("document.querySelectorAll('#main chat-log [data-state=delivered]').length === 2", what="both have arrived")

    def is_busy(self):
        """What a telephone refuses is red and says why; sent again it arrives."""
        self.phone.status = 486
        self.says("Shut the doors.")
        self.page.has("The telephone is busy (486).", FAILED)
        shot(self.page, self.options.screenshots, "telephone-busy")
        self.phone.status = 200
        self.page.press("Send again", within=FAILED)
        self.page.has("Arrived at the telephone, try 2", "#main chat-log")
        hold(self.page.evaluate(f"document.querySelector('{FAILED}') === null"), "nothing is red any more")
        hold([one.text for one in self.phone.received].count("Shut the doors.") == 2, f"the telephone was asked twice: {self.phone.received}")

    def says_nothing(self):
        """A telephone that is gone is told of, too."""
        self.phone.status = None
        self.says("Where are you now?")
        self.page.has("On its way to the telephone", "#main chat-log")
        self.page.has("The telephone did not answer.", FAILED)
        self.phone.status = 200

    def turns_yellow(self):
        """A message that nobody sees turns the tab yellow, in words and counted; opened it is no more."""
        self.page.key("f", alt=True)
        self.page.has("Footage", "#main h1")
        self.phone.message("second floor").deliver()
        self.page.has("new message", "#callers button.new")
        shot(self.page, self.options.screenshots, "telephone-new")
        self.page.click("#callers button")
        self.page.has("second floor", "#main chat-log")
        self.page.wait_for("document.querySelector('#callers .new') === null", what="opened it is yellow no more")

    def moves(self):
        """Another place of the caller's is shown at once."""
        self.phone.located("we are on the street now", pidf(52.517, 13.379)).deliver()
        self.page.has("13.379", ".caller-line")

    def is_muted(self):
        """Who is muted is recorded and shown, and alerts nobody."""
        self.page.press("Mute", within=".caller-line")
        self.page.press("Mute the sender", within="#mute-dialog")
        self.page.has("muted", "#callers")
        self.page.key("f", alt=True)
        self.page.has("Footage", "#main h1")
        self.phone.message("ha ha").deliver()
        self.page.has("muted", "#queue .mine")
        self.page.click("#callers button")
        self.page.has("ha ha", "#main chat-log")
        self.page.press("Unmute", within=".caller-line")
        self.page.wait_for("!document.querySelector('#callers').innerText.includes('muted')", what="unmuted")

    def is_closed(self):
        self.page.press("Close …")
        self.page.press("Close the session", within="#leave-dialog")
        self.page.has("No session is open", "#main")

    def is_replayed(self):
        """An auditor reads what the caller and the centre wrote, how it came and where the caller was."""
        created = next(entry for entry in self.desk.entries() if entry["type"].startswith("session.created/"))
        page = self.other.page(f"http://127.0.0.1:{self.desk.port}/replay/{created['data']['incident']}")
        page.type("[name=login]", "arne")
        page.type("[name=password]", PASSWORD)
        page.press("Sign in", within=".door")
        page.has("smoke on the stairs", "#main")
        page.has("texted by telephone (MESSAGE over UDP)", "#main")
        shot(page, self.options.screenshots, "telephone-replay")


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--screenshots", help="where pictures of the pages are put")
    run(main, parser.parse_args())
