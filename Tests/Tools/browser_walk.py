#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The whole of an operator's work, and a caller's, by the keyboard alone: at every stop the focus is on something, in view, not covered, and
has a ring; it is never caught. With `--axe`, what that program finds on every screen and dialog, light and dark, desk and phone; with `--shots`
a picture of each, to be looked at.

Ends with 77 where no Chromium is installed.
"""

import os

import centre
from browser_emergency import PHONE, open_browser, said
from centre import PASSWORD, Centre, hold
from daybook import until
from story import tell, watched

STOPS_MOST = 80
SIZES = {"desk": (1440, 900), "phone": (360, 780)}

# What the focus is on, as somebody sees it.
FOCUS = """(() => { let e = document.activeElement; while (e?.shadowRoot?.activeElement) e = e.shadowRoot.activeElement;
    if (!e || e === document.body || e === document.documentElement) return null;
    const r = e.getBoundingClientRect(), s = getComputedStyle(e), inner = e.tagName === 'MAIN' || e.tagName === 'CHAT-LOG';
    const x = Math.min(Math.max(r.x + r.width / 2, 1), innerWidth - 1), y = Math.min(Math.max(r.y + r.height / 2, 1), innerHeight - 1);
    const top = e.getRootNode().elementFromPoint(x, y);
    return { name: (e.id ? '#' + e.id + ' ' : '') + (e.getAttribute('aria-label') ?? e.labels?.[0]?.innerText ?? e.innerText ?? e.name ?? '').trim().slice(0, 60) + ' <' + e.tagName.toLowerCase() + '>',
        isSeen: r.width > 0 && r.height > 0 && r.bottom > 0 && r.right > 0 && r.top < innerHeight && r.left < innerWidth,
        isCovered: !inner && !(top && (e === top || e.contains(top) || top.contains(e))),
        hasRing: s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 2 && !/rgba\\(.*, 0\\)|transparent/.test(s.outlineColor) }; })()"""


def main(options, folder):
    desk = Centre(options.daybook, folder).open()
    desk.staff("amina")
    desk.staff("john")
    for place in filter(None, [options.shots]):
        os.makedirs(place, exist_ok=True)
    with open_browser(folder) as browser:
        browser.ignores_policy = bool(options.axe)
        walk = Walk(options, desk, browser, os.path.join(folder, "demo"))
        with watched(walk.pages, folder):
            tell(walk.signs_in, walk.gives_code, walk.registers, walk.begins_chat, walk.claims, walk.chats, walk.shows_video, walk.looks_back, walk.links,
                 walk.to_chat, walk.other_dialogs, walk.leaves, walk.ended, walk.calls, walk.footage, walk.joins, walk.signs_out, walk.visits_demo)
        print(f"{len(walk.stops)} different stops, each with a ring; {walk.looked} screens looked at")
        hold(not walk.faults, "\n".join(walk.faults))
    desk.verify()


class Walk:
    def __init__(self, options, desk, browser, demo):
        self.options, self.desk, self.browser, self.demo = options, desk, browser, demo
        self.address = f"http://127.0.0.1:{desk.port}"
        self.axe, self.faults, self.stops, self.looked = options.axe and open(options.axe).read(), [], set(), 0
        self.amina = browser.context().page(f"{self.address}/console")
        self.phone = browser.context()
        self.pages = [self.amina]

    # MARK: The keyboard

    def key(self, page, name, alt=False, shift=False):
        codes = {"Enter": 13, "Escape": 27, "Tab": 9, "ArrowDown": 40, "ArrowUp": 38, "ArrowLeft": 37, "ArrowRight": 39, "Home": 36, "End": 35, " ": 32}
        code = codes.get(name) or ord(name.upper())
        event = {"key": name, "windowsVirtualKeyCode": code, "modifiers": (1 if alt else 0) + (8 if shift else 0)}
        text = {"Enter": "\r"}.get(name, name if len(name) == 1 and not alt else None)
        page.send("Input.dispatchKeyEvent", {"type": "keyDown", **event, **({"text": text} if text else {})})
        page.send("Input.dispatchKeyEvent", {"type": "keyUp", **event})

    def write(self, page, text):
        page.send("Input.insertText", {"text": text})

    def at(self, page, what=""):
        """Where the focus is; it must be seen there."""
        focus = page.wait_for(FOCUS, what=f"the focus is on something {what}")
        hold(focus["isSeen"] and not focus["isCovered"], f"the focus cannot be seen {what}: {focus}")
        hold(focus["hasRing"], f"the focus has no ring {what}: {focus}")
        self.stops.add(focus["name"])
        return focus["name"]

    def tab_to(self, page, words, back=False):
        """Goes on by the tab key until the focus is on what has these words."""
        seen = []
        for _ in range(STOPS_MOST):
            self.key(page, "Tab", shift=back)
            if page.evaluate(FOCUS) is None:
                continue  # behind the last stop the browser's own controls come
            seen.append(self.at(page, f"behind {seen[-1:]}"))
            if words in seen[-1]:
                return seen[-1]
        raise centre.Failed(f"the tab key does not lead to {words!r}; it stops at {list(dict.fromkeys(seen))}")

    def press(self, page, words, back=False):
        self.tab_to(page, words, back)
        self.key(page, "Enter")

    def command(self, page, text, offer):
        self.key(page, "/")
        page.wait_for("document.activeElement.matches('#command input')")
        self.at(page)
        self.write(page, text)
        page.has(offer, "#command ul")

    # MARK: Looking

    def look(self, page, name, sizes=("desk", "phone")):
        """Pictures and faults of a screen as it is now, in both themes and sizes."""
        if not (self.axe or self.options.shots):
            return
        size = page.evaluate("[innerWidth, innerHeight]")
        for shape in sizes:
            page.resize(*SIZES[shape])
            for isDark in (False, True):
                page.dark(isDark)
                page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn(true))))")
                title = f"{name}-{shape}-{'dark' if isDark else 'light'}"
                self.looked += 1
                if self.options.shots:
                    page.screenshot(os.path.join(self.options.shots, f"{title}.png"))
                if self.axe:
                    self.faults += [f"{title}: {fault}" for fault in page.axe(self.axe)]
                wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
                if wide > 0:
                    self.faults.append(f"{title}: the page is {wide} pixels wider than the screen")
        page.resize(*size)
        page.dark(False)

    # MARK: The story

    def signs_in(self):
        page = self.amina
        page.wait_for("!document.querySelector('#sign-in').hidden")
        self.look(page, "console-sign-in")
        page.wait_for("document.activeElement.name === 'login'", what="the first field has the focus")
        self.write(page, "amina")
        self.tab_to(page, "Password")
        self.write(page, PASSWORD)
        self.key(page, "Enter")
        page.has("No session is open", "#main")
        page.wait_for("document.querySelector('#feed-state').textContent === 'live'")
        self.at(page, "after signing in")
        self.look(page, "console-empty")
        # All around once: nothing catches the focus.
        self.tab_to(page, "Sign out")
        self.tab_to(page, "Skip to the session", back=True)

    def gives_code(self):
        page = self.amina
        self.command(page, f"code {PHONE}", f"Code for {PHONE}")
        self.key(page, "Enter")
        page.wait_for("document.querySelector('#why-dialog').open")
        self.at(page, "in the dialog that asks why")
        self.tab_to(page, "Give the code")
        self.key(page, "Enter")
        self.code = page.wait_for("document.querySelector('#code-dialog').open && document.querySelector('#code-value').textContent")
        self.at(page, "in the dialog of the code")
        self.look(page, "console-code")
        self.key(page, "Escape")
        self.at(page, "after the dialog")

    def registers(self):
        page = self.caller = self.phone.page(f"{self.address}/call", width=360, height=780)
        self.pages.append(page)
        page.place(51.6565, -0.3903)
        self.look(page, "call-register", ["phone"])
        self.tab_to(page, "Your phone number")
        self.write(page, PHONE)
        self.tab_to(page, "Code")
        self.write(page, self.code)
        self.key(page, "Enter")
        page.has(PHONE, "#number")
        self.at(page, "after registering")
        self.look(page, "call-home", ["phone", "desk"])

    def begins_chat(self):
        page = self.caller
        self.press(page, "Chat with the emergency centre")
        page.wait_for("document.querySelector('#intent').open")
        self.at(page, "in the warning")
        self.look(page, "call-intent", ["phone"])
        self.press(page, "Yes, I need help")
        page.wait_for("!document.querySelector('#chat').hidden")
        page.wait_for("document.activeElement.tagName === 'TEXTAREA'")
        self.at(page, "in the chat")
        self.press(page, "Ambulance needed", back=True)
        page.has("At the centre", "#log")
        self.look(page, "call-waiting", ["phone"])

    def claims(self):
        page = self.amina
        page.has("Take it", "#queue")
        self.look(page, "console-waiting")
        self.press(page, "Take it")
        page.has("yours", "#main")
        said(page, "#main chat-log", "Ambulance needed")
        self.at(page, "after claiming")

    def chats(self):
        page, caller = self.amina, self.caller
        self.key(page, "m", alt=True)
        page.wait_for("document.activeElement.tagName === 'TEXTAREA'")
        self.at(page, "in the message")
        self.write(page, "Where are you?")
        self.key(page, "Enter")
        said(caller, "#log", "Where are you?")
        self.tab_to(caller, "Message")
        self.write(caller, "94 Broad Street, on the second floor, behind the stairs")
        self.tab_to(caller, "Send")
        self.key(caller, "Enter")
        said(page, "#main chat-log", "94 Broad Street, on the second floor, behind the stairs")
        self.key(page, "1", alt=True)
        said(caller, "#log", "Help is on its way.")
        self.press(caller, "My location", back=True)
        page.has("51.656500", "#main place-map")
        self.look(caller, "call-chat")
        self.look(page, "console-chat")

    def shows_video(self):
        page, caller = self.amina, self.caller
        self.key(page, "v", alt=True)
        caller.wait_for("document.querySelector('#asked').checkVisibility() && !document.querySelector('#asked button').disabled")
        self.at(caller, "beside the question")
        self.look(caller, "call-asked", ["phone"])
        self.press(caller, "#asked-yes")
        caller.has("LIVE", "#film-state")
        self.at(caller, "while filming")
        page.wait_for("document.querySelector('#main .player-screen > video')?.currentTime > 6", what="six seconds of video")
        self.look(caller, "call-video", ["phone", "desk"])
        self.look(page, "console-live")

    def looks_back(self):
        page = self.amina
        self.tab_to(page, "Place in the video")
        self.key(page, "ArrowLeft")
        page.has("EARLIER", "#main .player-state")
        page.wait_for("!document.querySelector('#main .player-corner').hidden")
        behind = page.evaluate("document.querySelector('#main .player-bar input').getAttribute('aria-valuetext')")
        hold("behind live" in behind, f"the bar says how far back one key goes: {behind}")
        self.look(page, "console-looking-back")
        self.tab_to(page, "Back to live")
        self.key(page, "l", alt=True)
        page.wait_for("document.querySelector('#main .player-corner').hidden")
        self.at(page, "back at live")

    def links(self):
        page = self.amina
        self.key(page, "k", alt=True)
        page.wait_for("document.querySelector('#link-dialog').open")
        self.at(page, "in the dialog of the link")
        self.look(page, "console-link")
        self.path = page.text("#link-url").partition("/")[2]
        self.spoken = page.text("#link-code")
        self.press(page, "Done")
        page.wait_for("!document.querySelector('#link-dialog').open")
        self.at(page, "after the dialog of the link")

    def to_chat(self):
        caller = self.caller
        self.press(caller, "Chat")
        caller.wait_for("!document.querySelector('#chat').hidden")
        self.at(caller, "from video to chat")
        self.press(caller, "Back", back=True)
        caller.wait_for("!document.querySelector('#home').hidden")
        self.at(caller, "at the beginning")
        self.look(caller, "call-contact", ["phone"])
        self.press(caller, "Continue the chat")
        caller.wait_for("!document.querySelector('#chat').hidden")

    def other_dialogs(self):
        """Those that time brings, and the one for two incidents."""
        page = self.amina
        page.evaluate("(() => { document.querySelector('#idle-left').textContent = '48 s'; document.querySelector('#idle-dialog').showModal(); })()")
        self.at(page, "in the question whether somebody is there")
        self.look(page, "console-idle")
        self.key(page, "Enter")
        page.wait_for("!document.querySelector('#idle-dialog').open")
        others = [self.desk.chat(self.desk.caller(self.desk.admin))[1] for _ in range(2)]
        incident = self.desk.shown(self.desk.admin, others[0])["incident"]
        hold(self.desk.admin.post(f"/v1/incidents/{incident}/sessions", {"session": others[1]}).ok, "two are linked")
        self.command(page, f"merge {incident}", "part of the incident that is shown")
        self.key(page, "Enter")
        page.wait_for("document.querySelector('#merge-dialog').open")
        self.at(page, "in the question about two incidents")
        self.look(page, "console-merge")
        self.press(page, "Make them one")
        self.at(page, "after merging")
        self.key(page, "i", alt=True)
        page.has(f"merged: …{incident[-8:]}", "#main .known")
        self.at(page, "in the details")
        self.look(page, "console-incident")
        self.press(page, "Take apart")
        page.wait_for("document.querySelector('#merge-dialog').open")
        self.press(page, "Take them apart")
        page.wait_for("!document.querySelector('#main .known').innerText.includes('merged: …')")
        self.at(page, "after taking apart")
        self.key(page, "i", alt=True)
        page.wait_for("document.querySelector('#main .known').hidden")
        for other in others:
            hold(self.desk.admin.post(f"/v1/sessions/{other}/close", {"disposition": "handled"}).ok, "the others are closed")
        page.has("Nobody waits", "#queue")

    def leaves(self):
        page = self.amina
        self.press(page, "Close …")
        page.wait_for("document.querySelector('#leave-dialog').open")
        self.at(page, "in the dialog of leaving")
        self.look(page, "console-leave")
        self.key(page, "Escape")
        page.wait_for("!document.querySelector('#leave-dialog').open")
        self.at(page, "after staying")
        self.key(page, "x", alt=True)
        page.wait_for("document.querySelector('#leave-dialog').open")
        self.tab_to(page, "How it ended")
        self.key(page, "ArrowDown")
        self.tab_to(page, "Note")
        self.write(page, "taken over by the ambulance")
        self.press(page, "Close the session")
        page.has("No session is open", "#main")
        self.at(page, "after closing")

    def ended(self):
        caller = self.caller
        caller.has("This chat has ended")
        self.look(caller, "call-ended", ["phone"])
        self.press(caller, "Back to the beginning")
        caller.wait_for("!document.querySelector('#home').hidden")
        self.at(caller, "at the beginning again")
        self.tab_to(caller, "My earlier chats")
        self.key(caller, "Enter")
        caller.has("You: Ambulance needed", "#history")
        self.look(caller, "call-history", ["phone"])

    def calls(self):
        page = self.amina
        self.command(page, PHONE[:6], PHONE)
        self.look(page, "console-command")
        # The beginning of a number calls nobody by itself: who is meant is chosen.
        self.key(page, "ArrowDown")
        self.key(page, "Enter")
        page.has("waiting for the caller", "#main")
        self.caller.wait_for("document.querySelector('#asked').checkVisibility() && !document.querySelector('#asked button').disabled")
        self.press(self.caller, "#asked-no")
        self.at(self.caller, "after declining")
        self.look(self.caller, "call-called", ["phone"])
        page.has("declined", "#main .asked")
        self.look(page, "console-called")
        self.key(page, "k", alt=True)
        page.wait_for("document.querySelector('#link-dialog').open")
        self.path, self.spoken = page.text("#link-url").partition("/")[2], page.text("#link-code")
        self.key(page, "Escape")
        page.wait_for("!document.querySelector('#link-dialog').open")

    def joins(self):
        """A browser without registration, by the link."""
        page = self.browser.context().page(f"{self.address}/{self.path}", width=360, height=780)
        self.pages.append(page)
        page.wait_for("document.activeElement.name === 'code'", what="the code's field has the focus")
        self.at(page, "at the code")
        self.look(page, "call-join", ["phone", "desk"])
        self.write(page, "AAA AAA" if self.spoken != "AAA AAA" else "BBB BBB")
        self.key(page, "Enter")
        page.has("tries are left", "#join-fault")
        self.at(page, "after a wrong code")
        self.look(page, "call-join-wrong", ["phone"])
        self.write(page, self.spoken)
        self.key(page, "Enter")
        page.wait_for("!document.querySelector('#home').hidden")
        self.at(page, "after joining")
        self.key(self.amina, "x", alt=True)
        self.press(self.amina, "Close the session")
        page.has("The contact has ended", "#join-words")
        self.look(page, "call-join-over", ["phone"])

    def footage(self):
        page = self.amina
        self.key(page, "f", alt=True)
        page.has("Footage", "#main h1")
        page.has(".webm", "#main tbody")
        self.at(page, "in the search")
        self.press(page, "Play")
        page.wait_for("document.querySelector('#main .player-screen > video').currentTime > 1")
        self.at(page, "at the recording")
        self.look(page, "console-footage")
        self.command(page, "session", "Back to the open session")
        self.key(page, "Enter")
        page.has("yours", "#main")
        self.at(page, "back in the session")

    def signs_out(self):
        page = self.amina
        page.has("No session is open", "#main")
        self.tab_to(page, "Sign out", back=True)
        self.key(page, "Enter")
        page.wait_for("!document.querySelector('#sign-in').hidden")
        self.at(page, "after signing out")

    def visits_demo(self):
        """A demo's start page opens people in tabs of their own, all at once, each by one press and without a password."""
        os.makedirs(self.demo)
        demo = Centre(self.options.daybook, self.demo, ["--demo"]).open()
        demo.caller(demo.staff("amina"))
        visitor, host = self.browser.context(), f"localhost:{demo.port}"
        page = visitor.page(f"http://127.0.0.1:{demo.port}/demo")
        self.pages.append(page)
        page.wait_for("document.documentElement.dataset.ready !== undefined", what="the people are there")
        self.look(page, "demo")
        tabs = lambda: [one["url"] for one in self.browser.send("Target.getTargets")["targetInfos"] if one["type"] == "page"]
        for words, address in (("Open as Caller 1", f"http://caller1.{host}/call"), ("Open as Amina", f"http://amina.{host}/console")):
            self.press(page, words)
            until(lambda: address in tabs(), f"a tab is at {address}")
        for address, words in ((f"http://amina.{host}/console", "No session is open"), (f"http://caller1.{host}/call", "This phone:")):
            self.pages.append(visitor.page(address))
            self.pages[-1].has(words)
        # At one address a browser is one person at a time.
        self.tab_to(page, "Open people in this tab", back=True)
        self.key(page, " ")
        page.wait_for("!document.querySelector('.people a')", what="people open in this tab")
        self.press(page, "Open as Amina")
        page.has("No session is open")
        demo.stop()
        demo.verify()


if __name__ == "__main__":
    parser = centre.arguments(__doc__)
    parser.add_argument("--axe", help="axe.min.js, to look for what keeps people out")
    parser.add_argument("--shots", help="a folder for pictures of every screen, to be looked at")
    centre.run(main, parser.parse_args())
