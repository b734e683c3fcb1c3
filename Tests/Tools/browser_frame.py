#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What every page stands on, in a real browser: the site's number before any program runs, words in a language, a gateway that is frozen, a browser that lacks
what those of four years ago lack, a file that does not come; the chat's end, which stays in sight.

Ends with 77 where no Chromium is installed.
"""

import gzip
import contextlib
import os
import signal
import time

import centre
from browser_emergency import open_browser
from browser_old import OLD
from centre import Centre, hold
from daybook import until
from story import tell, watched

SITE = ["--emergency-number", "999", "--emergency-sms", "999", "--country", "GB", "--time-zone", "Europe/London", "--site-name", "O'Hara & <sons>"]
SEEN = "((e) => Boolean(e) && e.getClientRects().length > 0)(document.querySelector(%r))"
# A chat in a box of its own, and what is seen of it.
CHAT = """Promise.all([import('/web/ui/chat-log.js'), import('/web/core/dom.js')]).then(([, { h }]) => {
    window.box = h('div', { id: 'box' });
    box.style.cssText = 'position: fixed; inset: 0 auto auto 0; width: 360px; height: 400px; display: grid; background: white; z-index: 99';
    window.log = document.createElement('chat-log');
    box.append(log);
    document.body.append(box);
    window.says = (key, text, isMine = false) => log.show({ key, id: key, text, isMine, at: Date.now() });
    window.gap = () => Math.round(log.scrollHeight - log.scrollTop - log.clientHeight);
    window.painted = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 20))));
    return true; })"""


def main(options, folder):
    place = Centre(options.daybook, folder, options=SITE).open()
    with open_browser(folder) as browser:
        browser.is_patient = False
        play = Play(place, browser)
        with watched(play.pages, folder):
            tell(play.is_said_without_programs, play.reads_the_site, play.speaks_german, play.comes_packed, play.gives_up_in_time, play.shows_what_is_under_way, play.tells_a_caller, play.tells_who_looks_back,
                 play.serves_old_browsers,
                 play.says_so_when_a_file_is_missing, play.keeps_the_end_in_sight, play.tells_what_is_new, play.says_since_when)
    place.verify()


class Play:
    def __init__(self, place, browser):
        self.place, self.browser = place, browser
        self.address = f"http://127.0.0.1:{place.port}"
        self.context = browser.context()
        self.page = self.context.page(self.address)
        self.pages = [self.page]

    def holds(self, expression, what):
        hold(self.page.evaluate(expression) is True, what)

    # MARK: What the gateway wrote

    def is_said_without_programs(self):
        """The number stands in the page, as a link, where no program runs."""
        page = self.context.page("about:blank", width=390, height=844)
        page.send("Emulation.setScriptExecutionDisabled", {"value": True})
        page.send("Page.navigate", {"url": self.address + "/"})
        page.wait_for("document.querySelector('a[href=\"tel:999\"]')?.checkVisibility()")
        hold("999" in page.text() and "112" not in page.text(), f"the page says {page.text()}")
        page.wait_for("document.querySelector('a[href=\"sms:999\"]')?.checkVisibility()", what="it takes text messages")
        page.close()

    def reads_the_site(self):
        """Pages read what the gateway wrote, whatever it has in it, and numbers by it."""
        self.holds("""import('/web/core/site.js').then(({ site }) => site.name === "O'Hara & <sons>" && site.emergencyNumber === '999' && site.country === 'GB' && site.zone === 'Europe/London')""", "the site is read")
        self.holds("import('/web/core/phone.js').then(({ phoneOf }) => phoneOf('07712 345678') === '+447712345678' && phoneOf('7712345678') === null)", "a national number is one of the site's country")

    def speaks_german(self):
        """A language that was chosen on the device counts, and English where nothing was."""
        self.page.has("I need help")
        self.page.evaluate("localStorage.setItem('language', 'de')")
        self.page.reload()
        self.page.has("Ich brauche Hilfe")
        hold(self.page.evaluate("document.documentElement.lang") == "de", "the page says which language it is in")
        self.page.evaluate("localStorage.removeItem('language')")
        self.page.reload()
        self.page.has("I need help")

    def comes_packed(self):
        """What browsers take is gzip, and the same text; all modules are named in the page."""
        client = self.place.client()
        for path in ("/console", "/call", "/web/ui/base.css"):
            plain, packed = client.get(path), client.request("GET", path, headers={"Accept-Encoding": "gzip"})
            head = {name.lower(): value for name, value in packed.headers.items()}
            hold(head.get("content-encoding") == "gzip" and gzip.decompress(packed.body) == plain.body, f"{path} comes as {head}")
            print(f"{path}: {len(plain.body)} bytes, {len(packed.body)} as gzip")
        named = client.get("/console").body.decode().count('rel="modulepreload"')
        hold(named > 20, f"the console names {named} modules")

    # MARK: A gateway that is frozen

    def gives_up_in_time(self):
        """A query and a command end within 8 s, with words."""
        self.page.evaluate("import('/web/core/api.js').then((module) => void (window.door = module))")
        with self.frozen():
            took = self.page.evaluate("""(async ({ API, Unreachable }) => {
                const begun = performance.now(), api = new API();
                const ends = await Promise.all([api.get('/v1/me'), api.post('/v1/sessions', {})].map((one) => one.then(() => 'answered', (error) => error instanceof Unreachable && error.isLate ? error.message : String(error))));
                return [ends.join(), performance.now() - begun]; })(door)""")
        hold(took[0] == ",".join(["The emergency centre does not answer now."] * 2), f"they ended with {took[0]}")
        print(f"  they ended after {took[1]:.0f} ms")

    @contextlib.contextmanager
    def frozen(self):
        """The gateway's sockets stand, and nothing comes from it."""
        os.kill(self.place.gateway.process.pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(self.place.gateway.process.pid, signal.SIGCONT)

    def shows_what_is_under_way(self):
        """A button says that its command is under way, is not pressed twice, and is given back with words."""
        page = self.caller = self.context.page(f"{self.address}/call", width=390, height=844)
        self.pages.append(page)
        code = self.place.staff("amina").post("/v1/devices/codes", {"phone": "+447712345678", "reason": "x"}).json["code"]
        page.type("#register [name=phone]", "07712 345678")
        page.type("#register [name=code]", code)
        page.evaluate("(() => { const send = fetch; window.sent = 0; window.fetch = (...given) => { window.sent += String(given[0]).includes('/v1/devices') ? 1 : 0; return send(...given); }; })()")
        # The second press comes as soon as the button says that it is busy, however slow whoever looks on is.
        page.evaluate("""(() => { const button = document.querySelector('#register-form button'); window.isBusy = false;
            new MutationObserver(() => { if (button.getAttribute('aria-busy') !== 'true' || window.isBusy) return; window.isBusy = true; button.click(); }).observe(button, { attributes: true }); })()""")
        page.gives_up_after(2)
        with self.frozen():
            page.press("Register this phone")
            page.wait_for("window.isBusy", what="the button says that it is busy")
            page.has("does not answer now", "#register-fault")
            hold(page.evaluate("window.sent") == 1, f"it is asked {page.evaluate('window.sent')} times")
            hold(not page.evaluate("document.querySelector('#register-form button').hasAttribute('aria-busy')"), "the button is given back")
        page.gives_up_after()
        # The first press is done behind its answer's time, perhaps behind the second: neither takes anything from the phone.
        page.press("Register this phone")
        page.has("+447712345678", "#number")
        until(self.told_again, "both presses reached the gateway")
        page.reload()
        page.has("+447712345678", "#number")

    def told_again(self):
        """Whether a phone was told a second token."""
        return any(entry["type"].startswith("access.read/") and "registration" in str(entry) for entry in self.place.entries())

    def tells_a_caller(self):
        """Behind 8 s of silence the caller's page says so, and whom to telephone; with the next word it is as before."""
        bar = SEEN % "#connection strong"
        with self.frozen():
            begun = time.monotonic()
            self.caller.wait_for(bar, what="the silence is told")
            print(f"  the silence is told after {time.monotonic() - begun:.1f} s")
            self.caller.has("The emergency centre cannot be reached now", "#connection")
        self.caller.wait_for(f"!({bar})", what="the next word ends it")

    def tells_who_looks_back(self):
        """A page that follows nothing says so when it is asked for something, and asks on by itself."""
        page = self.context.page(f"{self.address}/replay")
        self.pages.append(page)
        page.type("[name=login]", "amina")
        page.type("[name=password]", centre.PASSWORD)
        page.press("Sign in", within="form")
        page.has("Which incident?")
        bar = "/^Not connected since \\d\\d:\\d\\d:\\d\\d\\./.test(document.querySelector('connection-bar').innerText)"
        with self.frozen():
            page.evaluate("void dispatchEvent(new Event('focus'))")
            page.wait_for(bar)
        page.wait_for("document.querySelector('connection-bar').hidden")

    # MARK: Browsers and files that are not as they should be

    def serves_old_browsers(self):
        """Both programs begin where the browser lacks what those of four years ago lack."""
        for path, shown in (("/call", "#register"), ("/console", "#sign-in-form")):
            page = self.browser.context().page("about:blank", width=390, height=844)
            page.before(OLD)
            self.pages.append(page)
            page.send("Page.navigate", {"url": self.address + path})
            page.wait_for(SEEN % shown, what=f"{path} begins in an old browser")
            hold(page.evaluate("window.isOfYearsAgo"), "it is an old browser")
            hold(page.evaluate("getComputedStyle(document.body).color !== getComputedStyle(document.documentElement).backgroundColor"), "its words are to be seen")

    def says_so_when_a_file_is_missing(self):
        """Where one file does not come the page is not blank, and a caller's says whom to telephone."""
        for path, needed in (("/call", "a[href^=tel]"), ("/console", "body")):
            page = self.context.page("about:blank", width=390, height=844)
            page.send("Network.setBlockedURLs", {"urls": ["*/web/core/dom.js"]})
            page.send("Network.setBypassServiceWorker", {"bypass": True})
            page.send("Page.navigate", {"url": self.address + path})
            page.wait_for("document.readyState === 'complete'")
            text = page.text()
            hold(len(text) > 40 and page.evaluate(SEEN % needed), f"{path} without a file says {text!r}")
            page.close()

    # MARK: The chat's end

    def keeps_the_end_in_sight(self):
        """Who stands at the end stays there: behind new messages, in a log that was hidden, or changes its size."""
        # A page of its own, which no other one covers: nothing is painted in one that is covered.
        self.page = self.browser.context().page(self.address)
        self.pages.append(self.page)
        self.page.evaluate(CHAT)
        self.page.evaluate("(box.hidden = true, Array.from({ length: 60 }, (_, n) => says('m' + n, 'Message ' + n)), painted())")
        self.page.evaluate("(box.hidden = false, painted())")
        self.page.wait_for("gap() < 2 && log.scrollTop > 1000", what="a chat that is opened shows its end")
        for change in ("box.style.height = '200px'", "box.style.height = '420px'", "box.style.width = '240px'", "says('new', 'One more')", "log.querySelector('li:last-child .bubble').style.minHeight = '300px'"):
            self.page.evaluate(f"({change}, painted())")
            self.page.wait_for("gap() < 2", what=f"the end is in sight behind {change}")

    def tells_what_is_new(self):
        """Who reads further up stays there, hears of what is new, and gets to it by one press."""
        self.page.evaluate("(log.scrollTop = 100, painted())")
        self.page.evaluate("(says('n1', 'New'), says('n2', 'Newer'), painted())")
        self.page.wait_for("Math.abs(log.scrollTop - 100) < 60 && log.querySelector('.newer').checkVisibility()", what="who reads stays, and is told")
        hold("new message" in self.page.text("chat-log .newer"), f"it says {self.page.text('chat-log .newer')}")
        self.page.evaluate("(box.style.width = '300px', painted())")
        hold(self.page.evaluate("gap() > 100"), "another size is no wish to see the end")
        self.page.click("chat-log .newer")
        self.page.wait_for("gap() < 2 && !log.querySelector('.newer').checkVisibility() && document.activeElement === log", what="the end is there, and the keyboard in the log")
        self.page.evaluate("(log.scrollTop = 100, painted())")
        self.page.evaluate("(says('own', 'Mine', true), painted())")
        self.page.wait_for("gap() < 2", what="who writes sees it")
        self.page.evaluate("box.remove()")

    def says_since_when(self):
        """The bar says since when nothing is reached; to a caller, that nothing is."""
        self.page.evaluate("""import('/web/ui/connection-bar.js').then(() => { for (const isCaller of [false, true]) {
            const bar = document.createElement('connection-bar'); bar.toggleAttribute('caller', isCaller); document.body.prepend(bar); bar.isLive = false; } })""")
        self.page.wait_for("/Not connected since \\d\\d:\\d\\d:\\d\\d\\./.test(document.querySelector('connection-bar:not([caller])').innerText)")
        self.page.wait_for("document.querySelector('connection-bar[caller]').innerText.startsWith('The emergency centre cannot be reached now.')")
        self.page.evaluate("void document.querySelectorAll('connection-bar').forEach((bar) => (bar.isLive = true))")
        self.page.wait_for("[...document.querySelectorAll('connection-bar')].every((bar) => !bar.checkVisibility())")


if __name__ == "__main__":
    centre.run(main, centre.arguments(__doc__).parse_args())
