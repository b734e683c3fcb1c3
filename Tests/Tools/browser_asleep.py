#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pages that sleep: the network of a console, then of a caller's page, is gone while things happen; both catch up without a reload,
missing nothing and doubling nothing. And how soon another operator's claim is seen, over 50 claims, without anything being asked again and again.

Ends with 77 where no Chromium is installed.
"""

import time

import centre
from browser_emergency import open_browser, register, said, sign_in
from browser_speed import percentiles
from centre import Centre, hold
from daybook import until
from story import tell, watched


def main(options, folder):
    desk = Centre(options.daybook, folder).open()
    john_client = desk.staff("john")
    desk.staff("amina")
    with open_browser(folder) as browser:
        sleep = Sleep(options, desk, browser, john_client)
        with watched(sleep.pages, folder):
            tell(sleep.begins, sleep.console_sleeps, sleep.caller_sleeps, sleep.is_not_asked, sleep.claims)
    desk.verify()


class Sleep:
    def __init__(self, options, desk, browser, john):
        self.options, self.desk, self.john_client = options, desk, john
        address = f"http://127.0.0.1:{desk.port}"
        self.amina = sign_in(browser.context(), address, "amina")
        self.john = sign_in(browser.context(), address, "john")
        self.caller = register(browser.context(), address, self.amina, width=390, height=844, touch=True)
        self.caller.place(51.6565, -0.3903)
        self.pages = [self.amina, self.john, self.caller]

    def begins(self):
        self.caller.press("Chat with the emergency centre")
        self.caller.press("Yes, I need help")
        self.amina.press("Take it", within="#queue")
        self.amina.has("yours", "#main")
        self.say(self.caller, "#write textarea", "before")
        said(self.amina, "#main chat-log", "before")

    def console_sleeps(self):
        """Messages, a new chat, and another's claim, while the console cannot be reached."""
        self.mark(self.amina)
        self.amina.sleep(True)
        self.amina.has("reconnecting", "#feed-state")
        for number in range(3):
            self.say(self.caller, "#write textarea", f"asleep {number}")
        other = self.desk.caller(self.john_client)
        _, taken = self.desk.chat(other)
        _, waiting = self.desk.chat(self.desk.caller(self.john_client))
        self.john.has("Take it", "#queue")
        claim = self.john_client.post(f"/v1/sessions/{taken}/claim")
        hold(claim.ok, f"john's claim: {claim}")
        time.sleep(self.options.asleep)
        hold("asleep" not in self.amina.text("#main chat-log"), "nothing reaches who sleeps")
        self.amina.sleep(False)
        begun = time.monotonic()
        said(self.amina, "#main chat-log", "asleep 2")
        self.amina.has("Operator John", "#queue")
        self.amina.has("Take it", "#queue")
        print(f"  the console was level {time.monotonic() - begun:.2f} s after it woke")
        self.same(self.amina, "#main chat-log", ["before", "asleep 0", "asleep 1", "asleep 2"])
        hold(self.amina.evaluate("document.querySelectorAll('#queue .pending').length") == 1, "one chat waits")
        self.not_reloaded(self.amina)
        hold(self.john_client.post(f"/v1/sessions/{taken}/close", {"disposition": "handled"}).ok, "john closes")
        self.amina.wait_for("!document.querySelector('#queue').innerText.includes('Operator')")
        hold(self.desk.admin.post(f"/v1/sessions/{waiting}/close", {"disposition": "handled"}).ok, "the other chat is closed")
        self.amina.has("Nobody waits", "#queue")

    def caller_sleeps(self):
        """Messages and a question of the operator, while the caller's page cannot be reached."""
        self.mark(self.caller)
        self.caller.sleep(True)
        self.caller.has("No network", "#connection")
        for number in range(2):
            self.say(self.amina, "#main textarea", f"are you there? {number}")
        self.amina.press("Ask for the place", within="#main")
        self.amina.has("sent", "#main .asked")
        self.caller.type("#write textarea", "I am here")
        self.caller.key("Enter")
        time.sleep(self.options.asleep)
        self.caller.sleep(False)
        begun = time.monotonic()
        self.caller.has("Send your location?", "#asked")
        said(self.caller, "#log", "are you there? 1")
        said(self.amina, "#main chat-log", "I am here")
        print(f"  the caller's page was level {time.monotonic() - begun:.2f} s after it woke")
        self.caller.press("Send my location", within="#asked")
        self.amina.has("51.656500, -0.390300", "#main place-map")
        sent = ["before", "asleep 0", "asleep 1", "asleep 2"]
        self.same(self.amina, "#main chat-log", [*sent, "are you there? 0", "are you there? 1", "I am here"])
        there = sorted(self.bubbles(self.caller, "#log"))
        hold(there == sorted([*sent, "are you there? 0", "are you there? 1", "I am here"]), f"each message stands there once: {there}")
        self.not_reloaded(self.caller)
        messages = [entry for entry in self.desk.entries() if entry["type"] == "chat.message_sent/1"]
        hold(len(messages) == 7, f"{len(messages)} messages are in the ledger")

    def is_not_asked(self):
        """While nothing happens, the console hears where its topics stand, and asks for nothing."""
        def is_quiet():
            asked, heard = len(self.amina.sent), self.amina.heard
            until(lambda: self.amina.heard >= heard + 3, "the topics are told")
            return not any("/v1/sessions" in address for address in self.amina.sent[asked:])

        # What was under way before may still be asked for.
        until(is_quiet, "the console asks for nothing")

    def claims(self):
        """From the other's claim until this console's queue shows it."""
        owner = "John"
        self.amina.evaluate(f"""(() => {{ const queue = document.querySelector('#queue'); window.seenAt = 0;
            new MutationObserver(() => {{ if (!window.seenAt && queue.innerText.includes('Operator {owner}')) window.seenAt = Date.now(); }})
                .observe(queue, {{ childList: true, subtree: true, characterData: true }}); }})()""")
        delays, answers, caller = [], [], self.desk.caller(self.john_client)
        for _ in range(self.options.claims):
            chat, session = self.desk.chat(caller)
            self.amina.wait_for("document.querySelectorAll('#queue .pending').length === 1")
            self.amina.evaluate("window.seenAt = 0")
            claimed = self.john.evaluate(f"""(async () => {{ const at = Date.now();
                const answer = await fetch('/v1/sessions/{session}/claim', {{ method: 'POST', body: '{{}}', headers: {{ 'Content-Type': 'application/json', 'Idempotency-Key': crypto.randomUUID() }} }});
                return [at, Date.now(), answer.status]; }})()""")
            hold(claimed[2] == 200, f"the claim answered {claimed[2]}")
            seen = self.amina.wait_for("window.seenAt")
            delays.append(seen - claimed[0])
            answers.append(seen - claimed[1])
            hold(self.john_client.post(f"/v1/sessions/{session}/close", {"disposition": "handled"}).ok, "john closes")
            chat.drop()
            self.amina.wait_for("!document.querySelector('#queue').innerText.includes('Operator') && document.querySelectorAll('#queue .pending').length === 0")
        print("another's claim, from asking for it to this console's queue:", percentiles(delays))
        print("  from its answer:", percentiles(answers))

    # MARK: Looking

    def say(self, page, selector, text):
        page.type(selector, text)
        page.key("Enter")

    def bubbles(self, page, selector):
        return page.evaluate(f"[...document.querySelectorAll('{selector} .bubble')].map((e) => e.textContent)")

    def same(self, page, selector, texts):
        hold(self.bubbles(page, selector) == texts, f"the chat shows {self.bubbles(page, selector)}, not {texts}")

    def mark(self, page):
        page.evaluate("window.isTheSameDocument = true")

    def not_reloaded(self, page):
        hold(page.evaluate("window.isTheSameDocument"), "the page was not loaded again")


if __name__ == "__main__":
    parser = centre.arguments(__doc__)
    parser.add_argument("--asleep", type=float, default=0, help="seconds that each page sleeps longer than it takes it to notice")
    parser.add_argument("--claims", type=int, default=50)
    centre.run(main, parser.parse_args())
