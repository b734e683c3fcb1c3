#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A caller who wants to show video unasked (ruling 35): the wish stands in the operators' queue with its place and what is left of its time, one press lets it begin by itself; of two who press
one gets it; what nobody takes is over; whoever has written need not ask.

Ends with 77 where no Chromium is installed.
"""

from browser_emergency import open_browser, register, sign_in
from centre import Centre, hold
from story import tell, watched

PHONES = ("+447700900301", "+447700900302")
WISH = "#wish-video"


def main(options, folder):
    desk = Centre(options.daybook, folder).open()
    for login in ("amina", "john"):
        desk.staff(login)
    address = f"http://127.0.0.1:{desk.port}"
    with open_browser(folder) as browser:
        consoles = [sign_in(browser.context(), address, login) for login in ("amina", "john")]
        callers = [register(browser.context(), address, consoles[0], phone=phone, width=390, height=844, touch=True) for phone in PHONES]
        pages = [*consoles, *callers]
        with watched(pages, folder):
            wishes = Wishes(options, desk, consoles, callers)
            tell(wishes.waits, wishes.begins_by_itself, wishes.writer_need_not_wait, wishes.nobody_comes)
    desk.verify()


class Wishes:
    def __init__(self, options, desk, consoles, callers):
        self.options, self.desk = options, desk
        self.amina, self.john = consoles
        self.first, self.second = callers

    def kinds(self, kind):
        return [entry for entry in self.desk.entries() if entry["type"] == kind]

    def shot(self, name, page):
        if self.options.screenshots:
            page.screenshot(f"{self.options.screenshots}/{name}.png")

    def wish(self, caller):
        caller.press("Show video", within="#home")
        caller.press("Yes, I need help")
        caller.has("The emergency centre has your wish to show video.", WISH)

    def waits(self):
        """No camera goes on; the queue shows who waits, where, and for how long."""
        self.first.place(51.6565, -0.3903)
        self.wish(self.first)
        hold(not self.kinds("stream.started/1"), "nothing is filmed yet")
        self.first.click("#place-button")
        for console in (self.amina, self.john):
            console.has("wants to show video", "#queue .pending")
            console.has("51.65650, -0.39030", "#queue .pending .where")
            console.wait_for("/^[12]:[0-5][0-9]$/.test(document.querySelector('#queue .pending .countdown')?.textContent)", what="the time that is left stands there")
        self.shot("wish-queue", self.amina)
        self.shot("wish-caller", self.first)

    def begins_by_itself(self):
        """Two press at once: one gets it, the other is told who, and the phone films without another touch."""
        press = "document.querySelector('#queue .pending .acts .primary').click()"
        for console in (self.amina, self.john):
            console.evaluate(press)
        self.first.has("LIVE", "#film-state")
        hold(len(self.kinds("session.claimed/1")) == 1, "one has it")
        hold(len(self.kinds("stream.started/1")) == 1, "one stream began")
        self.first.press("Stop video")

    def writer_need_not_wait(self):
        """Who has written films at once, also before somebody came."""
        self.second.press("Chat with the emergency centre", within="#home")
        self.second.press("Yes, I need help")
        self.second.type("#write textarea", "There is smoke in the hall")
        self.second.key("Enter")
        self.amina.has("There is smoke in the hall", "#queue")
        self.second.press("Show video", within="#chat header")
        self.second.has("LIVE", "#film-state")
        self.second.press("Stop video")

    def nobody_comes(self):
        """What nobody takes in time is over: caller and operators read it, and the caller may ask once more."""
        for console in (self.amina, self.john):
            console.is_gateway_away = True
        for caller in (self.first, self.second):
            caller.is_gateway_away = True
        for entry in self.kinds("session.created/1"):
            session = entry["subject"].split("/")[1]
            closed = self.desk.admin.post(f"/v1/sessions/{session}/close", {"disposition": "handled"})
            hold(closed.ok, f"closing {session}: {closed}")
        self.desk.gateway.kill()
        self.desk.gateway.options = [*self.desk.gateway.options, "--start-limit", "2"]
        self.desk.start()
        self.first.wait_for("document.querySelector('#home').checkVisibility() && document.querySelector('#connection').hidden", what="the phone is back at the start")
        self.wish(self.first)
        self.first.noticed("Nobody could take your video in time.")
        self.amina.wait_for("document.querySelectorAll('#queue .pending').length === 0", what="nobody waits any more")
        hold(len(self.kinds("session.expired/1")) == 1, "the wish ended the session in which nothing else was")


if __name__ == "__main__":
    from centre import arguments, run
    parser = arguments(__doc__)
    parser.add_argument("--screenshots", help="where pictures of the pages go")
    run(main, parser.parse_args())
