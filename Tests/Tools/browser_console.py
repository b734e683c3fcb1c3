#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the operators' console does with a browser or a device that is not as it should be, in a real browser: storage that is blocked or full.

Ends with 77 where no Chromium is installed.
"""

import centre
from browser_emergency import open_browser, sign_in, state_of
from centre import PASSWORD, Centre, hold
from story import tell, watched

BLOCKED = """for (const name of ["localStorage", "sessionStorage", "indexedDB"])
    Object.defineProperty(window, name, { get() { throw new DOMException("storage is blocked", "SecurityError"); } });
    window.BroadcastChannel = class { constructor() { throw new DOMException("storage is blocked", "SecurityError"); } };"""
FILLED = """(() => { let count = 0;
    for (let size = 1 << 20; size > 0; size >>= 1) try { for (;;) localStorage.setItem(`filler${count++}`, "x".repeat(size)); } catch {}
    return count; })()"""


def main(options, folder):
    desk = Centre(options.daybook, folder).open()
    with open_browser(folder) as browser:
        console = Console(desk, browser)
        with watched(console.pages, folder):
            tell(console.says_so_before_it_runs, console.works_without_storage, console.works_with_full_storage)
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
        page.send("Page.addScriptToEvaluateOnNewDocument", {"source": BLOCKED})
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
        page.click("#sign-out-button")
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
