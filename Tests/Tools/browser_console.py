#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the operators' console does when something comes in between, in a real browser: another command, or another's deed, while a dialog asks; a sign-out
before an answer; a clock that is wrong; a look elsewhere while something is half written; a number as people write it; storage that is blocked or full.

Ends with 77 where no Chromium is installed.
"""

import os
import signal
import time

import centre
from browser_emergency import details, open_browser, said, sign_in, sign_out, state_of
from browser_link import command
from centre import PASSWORD, Centre, hold
from story import tell, watched

BLOCKED = """for (const name of ["localStorage", "sessionStorage", "indexedDB"])
    Object.defineProperty(window, name, { get() { throw new DOMException("storage is blocked", "SecurityError"); } });
    window.BroadcastChannel = class { constructor() { throw new DOMException("storage is blocked", "SecurityError"); } };"""
FILLED = """(() => { let count = 0;
    for (let size = 1 << 20; size > 0; size >>= 1) try { for (;;) localStorage.setItem(`filler${count++}`, "x".repeat(size)); } catch {}
    return count; })()"""


def has_looked(page):
    """Waits until the page has looked whether somebody is there, which it does every second: a timer of the same page that is due later comes later."""
    page.evaluate("new Promise((done) => setTimeout(done, 1100))")


def main(options, folder):
    desk = Centre(options.daybook, folder).open()
    with open_browser(folder) as browser:
        console = Console(desk, browser)
        with watched(console.pages, folder):
            tell(console.asks_about_one, console.asks_no_more, console.keeps_drafts, console.reads_numbers, console.calls_what_is_written, console.goes_back, console.asks_before_it_goes, console.marks_what_is_new, console.is_loud, console.sees_a_frozen_gateway, console.locks, console.knows_earlier_contacts, console.says_what_it_is, console.goes_by_the_ledger, console.knows_not_what_arrived,
                 console.says_so_before_it_runs, console.works_without_storage, console.works_with_full_storage)
    desk.verify()


class Console:
    def __init__(self, desk, browser):
        self.desk, self.browser = desk, browser
        self.address = f"http://127.0.0.1:{desk.port}"
        self.amina, self.john = desk.staff("amina"), desk.staff("john")
        self.page = sign_in(browser.context(), self.address, "amina")
        self.pages = [self.page]

    def begins(self, page=None):
        """A caller who writes, taken on the page: the caller's chat, and the session."""
        page = page or self.page
        chat, session = self.desk.chat(self.desk.caller(self.john))
        page.press("Take it", within=f"#queue .pending:has([data-key='claim-{session}'])")
        page.has("yours", "#main")
        return chat, session

    def ends(self, page=None):
        page = page or self.page
        page.key("x", alt=True)
        page.press("Close the session", within="#leave-dialog")
        page.has("No session is open", "#main")

    def says(self, text, page=None):
        page = page or self.page
        page.type("#main .write textarea", text)
        page.key("Enter")

    def asks(self):
        """The question how a session is left stands on the screen, with a note in it."""
        self.page.key("x", alt=True)
        self.page.wait_for("document.querySelector('#leave-dialog').open")
        self.page.type("#leave-dialog textarea", "a false alarm")

    def closed_elsewhere(self, session):
        hold(self.desk.admin.post(f"/v1/sessions/{session}/close", {"disposition": "handled"}).ok, "it is closed elsewhere")

    def shown(self, session):
        return self.desk.admin.get(f"/v1/sessions/{session}").json["session"]

    # MARK: What comes in between

    def asks_about_one(self):
        """While a dialog asks, no command changes what lies under it; what it closes is what it asked about."""
        one, first = self.begins()
        other, second = self.desk.chat(self.desk.caller(self.john))
        self.page.wait_for(f"document.querySelector('[data-key=\"claim-{second}\"]') !== null", what="it waits in the queue")
        self.asks()
        for key in ("t", "f", "v"):
            self.page.key(key, alt=True)
        self.page.press("Close the session", within="#leave-dialog")
        self.page.has("No session is open", "#main")
        hold(self.shown(first)["state"] == "closed" and self.shown(first)["note"] == "a false alarm", "the one that was asked about is closed")
        hold(self.shown(second)["state"] == "open" and "owner" not in self.shown(second), "nobody took or closed the other")
        hold(not self.desk.admin.get(f"/v1/sessions/{first}").json["requests"], "the caller was asked for nothing")
        self.closed_elsewhere(second)
        one.drop()
        other.drop()

    def asks_no_more(self):
        """A dialog goes, and says why, when its session is over or another's."""
        chat, session = self.begins()
        self.asks()
        self.closed_elsewhere(session)
        self.page.wait_for("!document.querySelector('#leave-dialog').open", what="the question is withdrawn")
        self.page.noticed("Nothing was closed.")
        self.page.press("Back", within="#main")
        self.page.has("No session is open", "#main")
        chat.drop()

    def keeps_drafts(self):
        """What is half written is there after a look elsewhere and a reload; sent, or signed out, it is not kept."""
        chat, session = self.begins()
        field, draft = "document.querySelector('#main .write textarea').value", "Go out by the north stairs, the so"
        self.page.type("#main .write textarea", draft)
        self.page.key("f", alt=True)
        self.page.press("Open", within="#queue")
        self.page.wait_for(f"{field} === {draft!r}", what="it is there after a look elsewhere")
        self.page.reload()
        self.page.wait_for(f"{field} === {draft!r}", what="it is there after a reload")
        self.page.has("yours", "#main")
        self.says("Go out by the north stairs")
        state_of(self.page, "#main chat-log", "Go out by the north stairs", "taken")
        is_kept = "Object.keys(localStorage).some((name) => name.startsWith('unsent/'))"
        self.page.wait_for(f"{field} === '' && !{is_kept}", what="nothing is kept of what was sent")
        self.page.type("#main .write textarea", "and do not")
        self.page.wait_for(is_kept, what="the next is kept")
        self.signs_out()
        hold(not self.page.evaluate(is_kept), "nothing is kept of who signed out")
        self.signs_in("amina")
        # Finding the open session again moves the keyboard to it, which must not come after the next step's key.
        self.page.has("yours", "#main")
        self.closed_elsewhere(session)
        chat.drop()

    def reads_numbers(self):
        """A number is read as people write it; one without a country code is not called."""
        command(self.page, "0044 7700 900999")
        self.page.has("Call +447700900999", "#command ul")
        command(self.page, "+44 (0)7700 900999")
        self.page.has("Call +447700900999", "#command ul")
        command(self.page, "07700 900999")
        self.page.has("country code", "#command ul")
        hold("Call" not in self.page.text("#command ul"), "no such number is called")
        self.page.key("Enter")
        self.page.noticed("Write the number with + and its country code")
        phone = self.browser.context().page(f"{self.address}/call")
        for text, is_number in (("07700 900999", False), ("0044 (0)7700 900999", True)):
            phone.type("#register [name=phone]", text)
            phone.type("#register [name=code]", "AAAAAAAA")
            phone.press("Register this phone")
            phone.wait_for(f"!document.querySelector('#register-fault').hidden && document.querySelector('#register-fault').textContent.includes('country code') === {'false' if is_number else 'true'}",
                           what=f"{text} is {'a' if is_number else 'no'} number for the caller's page")
        phone.close()

    def calls_what_is_written(self):
        """Enter calls the number that stands in the line, whatever was found for the beginning of it; with nothing written it takes nobody."""
        page, known, other = self.page, "+447700900777", "+447700900778"
        session = self.john.post("/v1/sessions", {"phone": known, "channel": "video"}).json["session"]
        hold(self.john.post(f"/v1/sessions/{session}/close", {"disposition": "handled"}).ok, "somebody is known")
        command(page, known[:6])
        page.has(known, "#command ul")
        page.key("Enter")
        hold(page.evaluate("document.activeElement.matches('#command input')"), "the beginning of a number calls nobody by Enter alone")
        # The answer to what is typed next never comes: what was found before is not offered any more.
        page.evaluate("""(() => { const real = window.fetch; window.putBack = () => { window.fetch = real; };
            window.fetch = (path, options) => String(path).startsWith('/v1/callers') ? new Promise(() => {}) : real(path, options); })()""")
        page.type("#command input", other)
        page.key("Enter")
        page.has("waiting for the caller", "#main")
        page.has(other, "#main h1")
        page.evaluate("window.putBack()")
        self.ends()
        chat, session = self.desk.chat(self.desk.caller(self.john))
        page.wait_for(f"document.querySelector('[data-key=\"claim-{session}\"]') !== null", what="it waits in the queue")
        page.key("/")
        page.has("Take the one who has waited longest", "#command ul")
        page.key("Enter")
        command(page, "ambulance")
        page.has("No command is called so", "#command ul")
        page.key("Enter")
        hold("owner" not in self.shown(session), "nobody was taken")
        page.key("Escape")
        self.closed_elsewhere(session)
        chat.drop()

    def goes_back(self):
        """The address holds what is shown: a reload leads to the same, and Back to what was before; out of one's own session it asks."""
        page = self.page
        chat, session = self.begins()
        page.wait_for(f"location.search === '?session={session}'", what="the address holds the session")
        page.key("f", alt=True)
        page.has("Footage", "#main h1")
        page.wait_for("location.search === '?footage'", what="the address holds the search")
        page.evaluate("history.back()")
        page.has("yours", "#main")
        page.reload()
        page.has("yours", "#main")
        page.evaluate("history.back()")
        page.wait_for("document.querySelector('#leave-dialog').open", what="Back asks how the session is left")
        page.press("Stay", within="#leave-dialog")
        page.wait_for(f"location.search === '?session={session}' && document.querySelector('#main').innerText.includes('yours')", what="who stays, stays")
        self.ends()
        page.wait_for("location.search === ''", what="the address holds nothing that is over")
        self.page.go(f"{self.address}/console?session={session}")
        page.has("closed", "#session-state")
        page.press("Back", within="#main")
        page.has("No session is open", "#main")
        chat.drop()

    def asks_before_it_goes(self):
        """With an open session the browser asks before the page goes, and the centre is told that it went; with none neither is done."""
        page = self.page
        # What a document sends as it goes the browser tells nobody: the next one is told.
        noted = """(() => { const send = navigator.sendBeacon.bind(navigator); sessionStorage.setItem("left", "[]");
            navigator.sendBeacon = (path) => { sessionStorage.setItem("left", JSON.stringify([path, send(path)])); return true; }; })()"""
        asked = page.was_asked
        page.evaluate(noted)
        page.reload()
        told = page.evaluate("sessionStorage.getItem('left')")
        hold(page.was_asked == asked and told == "[]", f"who has no session is not asked: {page.was_asked - asked} {told}")
        chat, session = self.begins()
        page.evaluate(noted)
        page.reload()
        page.has("yours", "#main")
        hold(page.was_asked == asked + 1, f"the browser asked {page.was_asked - asked} times")
        told = page.evaluate("sessionStorage.getItem('left')")
        hold(told == '["/v1/me/desk-left",true]', f"the centre was told: {told}")
        self.ends()
        chat.drop()

    def marks_what_is_new(self):
        """The caller's tab turns yellow, says so in words and counts while the operator looks elsewhere; opened it does that no more."""
        page = self.page
        chat, session = self.begins()
        page.wait_for("document.querySelector('#callers button[aria-current=true]') !== null", what="the tab of who is shown")
        page.key("f", alt=True)
        page.has("Footage", "#main h1")
        for number, text in enumerate(("the roof is coming down", "hurry")):
            chat.send_json({"Type": "message", "IncidentID": session, "TempMessageID": f"new {number}", "Message": text})
        page.has("new messages", "#callers button.new")
        hold(page.text("#callers .count") == "2", f"it counts {page.text('#callers .count')}")
        page.click("#callers button")
        page.has("the roof is coming down", "#main chat-log")
        page.wait_for("document.querySelector('#callers button:not(.new)[aria-current=true]') !== null", what="opened it is yellow no more")
        self.ends()
        page.wait_for("document.querySelector('#callers').hidden", what="without callers there is no tab")
        chat.drop()

    def is_loud(self):
        """What a caller chose by one press is not overlooked, neither as it comes nor read again."""
        page = self.page
        chat, session = self.begins()
        chat.send_json({"Type": "message", "IncidentID": session, "TempMessageID": "quick", "Message": "I need the fire brigade", "QuickResponse": "fire"})
        page.has("Fire", "#main chat-log .loud .badge")
        page.reload()
        page.has("I need the fire brigade", "#main chat-log .loud")
        self.ends()
        chat.drop()

    def sees_a_frozen_gateway(self):
        """One that stands still keeps its sockets open: that nothing comes from it is said over the whole page behind seven seconds of silence."""
        page = self.page
        os.kill(self.desk.gateway.process.pid, signal.SIGSTOP)
        begun = time.monotonic()
        try:
            page.wait_for("!document.querySelector('#connection-bar').hidden", what="the bar")
            seconds = time.monotonic() - begun
            hold("Not connected since" in page.text("#connection-bar"), "it says since when")
            width = page.evaluate("document.querySelector('#connection-bar').getBoundingClientRect().width / innerWidth")
            hold(width == 1, f"the bar has {width} of the width")
        finally:
            os.kill(self.desk.gateway.process.pid, signal.SIGCONT)
        print(f"a gateway that stands still was seen after {seconds:.1f} s")
        page.wait_for("document.querySelector('#connection-bar').hidden", what="the bar goes when it answers")

    def locks(self):
        """Who has an open session is not signed out for five minutes without a key: after fifteen the page is locked, and opened by the password."""
        page = self.page
        chat, session = self.begins()
        page.evaluate("""(() => { window.tones = 0; const make = AudioContext.prototype.createOscillator; AudioContext.prototype.createOscillator = function () { window.tones++; return make.call(this); };
            const passed = performance.now.bind(performance); window.ahead = 0; performance.now = () => passed() + window.ahead * 1000; })()""")
        page.evaluate("window.ahead = 700")
        has_looked(page)
        hold(page.evaluate("!document.querySelector('#idle-dialog').open && !document.querySelector('#desk').hidden"), "who has a session is left to work")
        page.evaluate("window.ahead = 850")
        page.has("The page is locked in", "#idle-dialog")
        page.wait_for("window.tones > 0", what="the question rings")
        page.evaluate("window.ahead += 61")
        page.wait_for("document.querySelector('#lock-dialog').open", what="the page is locked")
        page.key("Escape")
        page.type("#lock-form [name=password]", "wrong horse battery staple")
        page.press("Unlock", within="#lock-dialog")
        page.wait_for("document.querySelector('#lock-dialog').open && !document.querySelector('#lock-fault').hidden", what="a wrong password opens nothing")
        page.type("#lock-form [name=password]", PASSWORD)
        page.press("Unlock", within="#lock-dialog")
        page.wait_for("!document.querySelector('#lock-dialog').open", what="the page is open again")
        hold("yours" in page.text("#main") and self.shown(session)["owner"] == self.amina.name, "the session went on")
        page.reload()
        page.has("yours", "#main")
        self.ends()
        chat.drop()

    def knows_earlier_contacts(self):
        """What the same number told before is found in the details, and looked at from there."""
        page, caller = self.page, self.desk.caller(self.john)
        before, first = self.desk.chat(caller)
        words = {"text": "smoke in the cellar", "temporaryID": "smoke"}
        hold(caller.post(f"/v1/sessions/{first}/messages", words).status == 201, "the caller writes")
        self.closed_elsewhere(first)
        before.drop()
        now, session = self.desk.chat(caller)
        page.press("Take it", within=f"#queue .pending:has([data-key='claim-{session}'])")
        page.has("yours", "#main")
        details(page)
        page.has("“smoke in the cellar”", "#main .known")
        page.press("Look", within="#main .known")
        page.has("closed", "#session-state")
        said(page, "#main chat-log", "smoke in the cellar")
        page.evaluate("history.back()")
        page.has("yours", "#main")
        self.ends()
        now.drop()

    def says_what_it_is(self):
        """What an incident is, and how urgent, stands on its card and above the session; notes are the centre's own."""
        page = self.page
        chat, session = self.begins()
        details(page)
        page.type("#main [name=type]", "Road traffic collision")
        page.evaluate("(() => { const field = document.querySelector('#main [name=priority]'); field.value = '1'; field.dispatchEvent(new Event('input', { bubbles: true })); })()")
        page.press("Save what it is", within="#main .known")
        page.has("P1 · road traffic collision", "#queue .mine")
        page.has("P1 · road traffic collision", "#main .head")
        page.has("said by Amina", "#main .known")
        page.type("#main [name=incident-note]", "The house is empty")
        page.press("Add the note", within="#main .known")
        page.has("The house is empty Amina", "#main .known")
        page.reload()
        details(page)
        page.has("The house is empty", "#main .known")
        page.has("P1 · road traffic collision", "#main .head")
        self.ends()
        chat.drop()

    def goes_by_the_ledger(self):
        """On a computer whose clock is an hour slow, what is said shows the ledger's time."""
        chat, session = self.begins()
        self.says("I hear you")
        state_of(self.page, "#main chat-log", "I hear you", "taken")
        self.page.evaluate("""(() => { const D = Date, slow = 3_600_000;
            window.Date = class extends D { constructor(...given) { given.length ? super(...given) : super(D.now() - slow); } static now() { return D.now() - slow; } }; })()""")
        self.page.evaluate("import('/web/core/time.js').then(({ noteTime }) => fetch('/v1/me').then(({ headers }) => noteTime(headers, performance.now())))")
        chat.send_json({"IncidentID": session, "Type": "message", "Message": "There is smoke", "Timestamp": "1", "TempMessageID": "1"})
        said(self.page, "#main chat-log", "There is smoke")
        self.says("Leave the house")
        state_of(self.page, "#main chat-log", "Leave the house", "taken")
        wrong = self.page.evaluate("[...document.querySelectorAll('#main chat-log time')].filter((e) => Math.abs(new Date(e.dateTime) - Date.now() - 3_600_000) > 60_000).map((e) => e.title)")
        hold(not wrong, f"these times are the computer's: {wrong}")
        self.page.reload()
        self.page.has("yours", "#main")
        self.ends()
        chat.drop()

    def knows_not_what_arrived(self):
        """A message that was posted without an answer may have arrived: it is not said that it did not."""
        chat, session = self.begins()
        self.says("I hear you")
        state_of(self.page, "#main chat-log", "I hear you", "taken")
        os.kill(self.desk.gateway.process.pid, signal.SIGSTOP)
        try:
            self.says("Do not open the door")
            self.page.wait_for("Object.values(localStorage).some((value) => value.includes('Do not open the door') && JSON.parse(value).isPosted)", what="it is known to be posted")
            sign_out(self.page)
            # Until then an answer would still be heard.
            self.page.wait_for("!document.querySelector('#sign-in').hidden", what="the page listens no more")
        finally:
            os.kill(self.desk.gateway.process.pid, signal.SIGCONT)
        self.page.has("You are signed out.", "#sign-in-fault")
        self.signs_in("john")
        self.page.noticed("1 message of somebody else who was signed in here may not have arrived.")
        self.signs_out()
        self.signs_in("amina")
        self.closed_elsewhere(session)
        chat.drop()

    def signs_out(self):
        sign_out(self.page)
        self.page.has("You are signed out.", "#sign-in-fault")

    def signs_in(self, login):
        self.page.type("#sign-in-form [name=login]", login)
        self.page.type("#sign-in-form [name=password]", PASSWORD)
        self.page.press("Sign in", within="#sign-in-form")
        self.page.wait_for("!document.querySelector('#desk').hidden && document.querySelector('#feed-state').textContent === 'live'")

    # MARK: Storage

    def says_so_before_it_runs(self):
        """Where the script does not run, the page says what to do; where it does, those words are gone."""
        page = self.browser.context().page("about:blank")
        page.send("Network.setBlockedURLs", {"urls": ["*/console.js"]})
        page.go(f"{self.address}/console")
        page.has("by telephone", "#not-running")
        page.close()
        hold(self.page.evaluate("document.querySelector('#not-running')") is None, "the words are gone once it runs")

    def works_without_storage(self):
        """A browser that lets pages keep nothing: the console works as long as the page is open."""
        page = self.browser.context().page("about:blank")
        self.pages.append(page)
        page.before(BLOCKED)
        page.go(f"{self.address}/console")
        page.type("#sign-in-form [name=login]", "john")
        page.type("#sign-in-form [name=password]", PASSWORD)
        page.press("Sign in", within="#sign-in-form")
        page.wait_for("document.querySelector('#feed-state').textContent === 'live'")
        chat, _ = self.begins(page)
        self.says("I hear you", page)
        state_of(page, "#main chat-log", "I hear you", "taken")
        self.ends(page)
        chat.drop()
        sign_out(page)
        page.has("You are signed out.", "#sign-in-fault")

    def works_with_full_storage(self):
        """Where nothing more can be kept, what is written is sent all the same, also later."""
        chat, _ = self.begins()
        hold(self.page.evaluate(FILLED) > 1, "the storage is full")
        self.says("Leave the house")
        state_of(self.page, "#main chat-log", "Leave the house", "taken")
        self.page.sleep(True)
        self.says("By the north stairs")
        self.page.has("Waiting to be sent", "#main chat-log")
        self.page.sleep(False)
        state_of(self.page, "#main chat-log", "By the north stairs", "taken")
        self.page.evaluate("localStorage.clear()")
        self.ends()
        chat.drop()


if __name__ == "__main__":
    centre.run(main, centre.arguments(__doc__).parse_args())
