#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the caller's page does where things are not as they should be, in a real browser: no network when it is first needed, a camera that dies or may not
be used, an answer that is lost, storage that is blocked or full, a clock that is wrong, a second tab, half a message, half a character.

Ends with 77 where no Chromium is installed.
"""

import re
import signal
import time

import centre
from browser_console import BLOCKED, FILLED
from browser_emergency import PHONE, open_browser, register, said, sign_in, state_of
from browser_link import open_link
from centre import Centre, hold
from daybook import until
from story import tell, watched

SIZE = {"width": 390, "height": 844, "touch": True}
# More passes than a touch is remembered.
STALE = "void (() => { const passed = performance.now.bind(performance); performance.now = () => passed() + 6000; })()"
# The camera is refused from now on, until `window.isRefused` says otherwise.
REFUSED = """void (() => { const devices = navigator.mediaDevices, open = devices.getUserMedia.bind(devices); window.isRefused = true;
    devices.getUserMedia = async (wanted) => { if (window.isRefused) throw new DOMException('no', 'NotAllowedError'); return open(wanted); }; })()"""
# The first answer of a command is lost on its way; the keys under which it was sent are kept.
LOST = """void (() => { const ask = window.fetch; window.keys = [];
    window.fetch = async (address, options) => { const answer = await ask(address, options);
        if (!String(address).endsWith(%r)) return answer;
        window.keys.push(options.headers['Idempotency-Key']);
        if (window.keys.length === 1) throw new TypeError('network'); return answer; }; })()"""
# The number to dial: the page's first link, on top, large enough for a thumb, and covered by nothing.
NUMBER = """(() => { const link = document.querySelector('a'), place = link.getBoundingClientRect();
    return link.href === 'tel:112' && place.height >= 44 && place.width >= 44 && place.top >= 0 && place.bottom < 100
        && document.elementFromPoint(place.x + place.width / 2, place.y + place.height / 2) === link; })()"""
# The phone's clock is so many milliseconds off.
OFF = """window.Date = class extends Date { constructor(...given) { given.length ? super(...given) : super(Date.now() + %d); } static now() { return super.now() + %d; } };"""
CAMERA = "document.querySelector('#preview').srcObject"


def main(options, folder):
    desk = Centre(options.daybook, folder).open()
    with open_browser(folder) as browser:
        browser.is_patient = False
        play = Play(desk, browser)
        with watched(play.pages, folder):
            tell(play.says_so_before_it_runs, play.a_file_does_not_come, play.video_without_a_network, play.chat_without_a_network, play.place_without_a_network, play.half_written, play.half_a_character, play.second_tab, play.clock, play.clock_is_wrong, play.gateway_is_frozen,
                 play.asked_while_writing, play.camera_refused, play.operator_writes, play.camera_dies, play.camera_is_gone, play.yes_is_late, play.what_happened_stands, play.answer_is_lost, play.link_answer_is_lost, play.full_storage, play.blocked_storage, play.in_german)
    desk.verify()


class Play:
    def __init__(self, desk, browser):
        self.desk, self.browser = desk, browser
        self.operator = desk.staff("amina")
        self.address = f"http://127.0.0.1:{desk.port}"
        self.amina = sign_in(browser.context(), self.address, "amina")
        self.phone = browser.context()
        self.caller = register(self.phone, self.address, self.amina, **SIZE)
        self.pages = [self.amina, self.caller]

    def kinds(self, kind):
        return [entry for entry in self.desk.entries() if entry["type"] == kind]

    def said(self, session):
        return [message["text"] for message in self.operator.get(f"/v1/sessions/{session}/transcript").json["messages"]]

    def writes(self, text, page=None):
        page = page or self.caller
        page.type("#write textarea", text)
        page.key("Enter")

    def has_number(self, page, where):
        page.wait_for(NUMBER, what=f"the number to dial is first {where}")

    def says_so_before_it_runs(self):
        page = self.phone.page("about:blank", **SIZE)
        page.send("Emulation.setScriptExecutionDisabled", {"value": True})
        page.send("Page.navigate", {"url": f"{self.address}/call"})
        page.wait_for("document.querySelector('#not-running')?.checkVisibility()")
        hold("112" in page.text("#not-running"), "the page says whom to telephone")
        self.has_number(page, "without any script")
        page.close()
        hold(self.caller.evaluate("document.querySelector('#not-running') === null"), "a page that runs does not say so")
        self.has_number(self.caller, "at the beginning")

    def a_file_does_not_come(self):
        """Whichever it is, the page says so and has the number; opened again it works."""
        page = self.browser.context().page("about:blank", **SIZE)
        for file in ("call/call.js", "core/dom.js", "media/quality.js", "call/opening.js"):
            page.send("Network.setBlockedURLs", {"urlPatterns": [{"urlPattern": f"*://*:*/web/{file}", "block": True}]})
            page.go(f"{self.address}/call")
            if file == "call/opening.js":
                break
            page.has("This page could not be opened", "#not-running")
            self.has_number(page, f"without {file}")
        page.wait_for("!document.querySelector('#register').hidden", what="without what only tells, the page works")
        self.has_number(page, "where a phone is registered")
        page.send("Network.setBlockedURLs", {"urlPatterns": []})
        page.close()

    def registered(self, number):
        """The page of another phone, by a code that nobody has to read."""
        code = self.operator.post("/v1/devices/codes", {"phone": number, "reason": "x"}).json["code"]
        page = self.browser.context().page(f"{self.address}/call", **SIZE)
        page.type("#register [name=phone]", number)
        page.type("#register [name=code]", code)
        page.press("Register this phone")
        page.has(number, "#number")
        return page

    # MARK: No network when it is first needed

    def waits_for_video(self):
        self.caller.wait_for("document.querySelector('#wish-video').checkVisibility()", what="the caller is told that the video has not started")

    def video_without_a_network(self):
        """What nobody asked for becomes a wish once there is a network, of which the caller may let go. Where an operator has called meanwhile, a camera does not go on by itself long
        after the touch: it is asked once more."""
        self.caller.wait_for("navigator.serviceWorker.ready.then((r) => Boolean(r.active && navigator.serviceWorker.controller))", what="the worker has the page")
        self.wants_video_without_a_network()
        self.caller.sleep(False)
        self.caller.has("The emergency centre has your wish to show video.", "#wish-video")
        hold(not self.caller.evaluate(f"Boolean({CAMERA})"), "the camera is off")
        self.caller.press("Do not show video", within="#wish-video")
        self.caller.wait_for("document.querySelector('#wish-video').hidden")
        self.is_closed()
        self.wants_video_without_a_network()
        hold(self.operator.post("/v1/sessions", {"phone": PHONE, "channel": "video"}).ok, "the operator calls")
        self.caller.evaluate(STALE)
        self.caller.sleep(False)
        self.caller.wait_for("!document.querySelector('#video-again').hidden", what="it is asked once more")
        hold(not self.caller.evaluate(f"Boolean({CAMERA})"), "the camera is off")
        self.caller.press("Not now", within="#video-again")
        self.caller.wait_for("document.querySelector('#wish-video').hidden")
        hold(not self.kinds("stream.started/1"), "nothing was filmed")
        self.is_closed()

    def wants_video_without_a_network(self):
        self.caller.sleep(True)
        self.caller.press("Show video")
        self.caller.press("Yes, I need help")
        self.waits_for_video()

    def is_closed(self):
        self.session = self.kinds("session.created/1")[-1]["subject"].split("/")[1]
        self.operator.post(f"/v1/sessions/{self.session}/claim")
        hold(self.operator.post(f"/v1/sessions/{self.session}/close", {"disposition": "handled"}).ok, "it is closed")
        self.caller.wait_for("!document.querySelector('#home-session .contact') && !document.querySelector('#chat-button').hidden")

    def chat_without_a_network(self):
        """The newest press counts, and the chat is there at once: what is written in it is sent when the network is back."""
        self.wants_video_without_a_network()
        self.caller.press("Chat with the emergency centre")
        self.caller.wait_for("!document.querySelector('#chat').hidden && document.querySelector('#wish-video').hidden", what="the chat is there")
        self.has_number(self.caller, "in the chat")
        self.writes("We are in the cellar")
        self.caller.has("Waiting to be sent", "#log")
        # Nobody waits for a page without being told whom to call.
        self.caller.wait_for("document.querySelector('#no-answer').checkVisibility()", what="the caller is told that nobody answers")
        hold(self.caller.evaluate("document.querySelector('#no-answer a').href") == "tel:112", "there is a way out")
        self.caller.press("Keep trying", within="#no-answer")
        hold(not self.caller.evaluate("document.querySelector('#no-answer').checkVisibility()"), "who goes on trying is not told again and again")
        # A phone that is short of memory loads the page anew.
        self.caller.reload()
        self.has_number(self.caller, "in a page that opens without a network")
        self.caller.has("We are in the cellar", "#log")
        self.caller.sleep(False)
        state_of(self.caller, "#log", "We are in the cellar", "taken")
        hold(self.kinds("chat.message_sent/1")[-1]["subject"] != f"session/{self.session}", "it is said in the contact that began with it")
        hold(not self.caller.evaluate(f"Boolean({CAMERA}) || !document.querySelector('#video-again').hidden"), "the video is not wanted any more")
        self.amina.press("Take it", within="#queue")
        said(self.amina, "#main chat-log", "We are in the cellar")
        hold(not self.caller.evaluate("document.querySelector('#no-answer').checkVisibility()"), "it answers")
        self.session = self.operator.get("/v1/sessions?state=open").json["items"][0]["id"]

    def place_without_a_network(self):
        """It is looked up when it is asked for, and sent when it can be: also one from before there was any contact."""
        page = self.registered("+447712345683")
        page.place(51.6565, -0.3903)
        page.sleep(True)
        page.press("Send my location")
        page.press("Yes, I need help")
        page.wait_for("document.querySelector('#place-waits').checkVisibility()", what="the location is waiting to be sent")
        kept = "JSON.parse(localStorage.getItem('place')).body.fix.measuredAt"
        measured = page.evaluate(kept)
        hold(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", measured), f"it is kept with the time at which it was measured: {measured}")
        page.place(10, 10)
        page.wait_for("document.querySelector('#no-answer').checkVisibility()", what="the caller is told that nobody answers")
        self.has_number(page, "where nothing answers")
        hold(page.evaluate(kept) == measured, "that stays what it was")
        page.sleep(False)
        page.noticed("Your location was sent")
        page.wait_for("document.querySelector('#place-waits').hidden && !document.querySelector('#no-answer').checkVisibility()")
        session = self.kinds("location.reported/1")[0]["subject"].split("/")[1]
        fixes = [place["fix"]["latitude"] for place in self.desk.admin.get(f"/v1/sessions/{session}").json["locations"]]
        hold(fixes == [51.6565], f"it is where the caller pressed: {fixes}")
        hold(self.desk.admin.post(f"/v1/sessions/{session}/close", {"disposition": "handled"}).ok, "it is closed")
        page.close()

    # MARK: The chat

    def half_written(self):
        """It outlasts a look elsewhere, and the page; what was sent does not come back."""
        field = "document.querySelector('#write textarea').value"
        self.caller.type("#write textarea", "They are on the second fl")
        self.caller.press("Back", within="#chat")
        self.caller.press("Continue the chat")
        hold(self.caller.evaluate(field) == "They are on the second fl", "it is there behind a look elsewhere")
        self.caller.reload()
        self.caller.wait_for(f"{field} === 'They are on the second fl'", what="it is there behind a reload")
        self.writes("They are on the second floor")
        state_of(self.caller, "#log", "They are on the second floor", "taken")
        self.caller.reload()
        state_of(self.caller, "#log", "They are on the second floor", "taken")
        hold(self.caller.evaluate(field) == "", "what was sent is not half written")

    def half_a_character(self):
        self.caller.evaluate("void (() => { const form = document.querySelector('#write'); form.querySelector('textarea').value = 'a\\ud83d'; form.requestSubmit(); })()")
        self.writes("They have a knife")
        state_of(self.caller, "#log", "They have a knife", "taken")
        state_of(self.caller, "#log", "a\ufffd", "taken")
        hold(self.said(self.session)[-2:] == ["a\ufffd", "They have a knife"], "what can be sent of it is sent, and what stands behind it")

    def second_tab(self):
        """What the caller says in one tab stands in the other."""
        other = self.phone.page(f"{self.address}/call", **SIZE)
        self.pages.append(other)
        other.wait_for("!document.querySelector('#chat').hidden && document.querySelector('#chat-notices').textContent === ''", what="the second tab's chat is open")
        self.writes("from tab two", other)
        state_of(other, "#log", "from tab two", "taken")
        state_of(self.caller, "#log", "from tab two", "taken")
        order = "[...document.querySelectorAll('#log .bubble')].map((one) => one.textContent).join('|')"
        hold(self.caller.evaluate(order) == other.evaluate(order), "both show the same")
        hold(self.caller.evaluate(order).count("from tab two") == 1, "once")
        other.close()
        self.pages.remove(other)

    def clock(self):
        """The phone's clock is two hours fast and is put right while there is no network: order and times are the ledger's."""
        self.caller.evaluate("void (() => { const Real = Date; window.off = 7_200_000; window.Date = class extends Real { constructor(...given) { given.length ? super(...given) : super(Real.now() + off); }"
                             " static now() { return Real.now() + off; } }; })()")
        # What the page asks for now tells it the time.
        self.caller.press("Back", within="#chat")
        self.caller.press("Continue the chat")
        self.writes("by a fast clock")
        state_of(self.caller, "#log", "by a fast clock", "taken")
        self.is_told_at("by a fast clock", "it has the ledger's time")
        self.caller.sleep(True)
        self.writes("1 first")
        self.caller.has("Waiting to be sent", "#log")
        self.is_told_at("1 first", "what waits has the ledger's time as far as it is known")
        self.caller.evaluate("void (window.off = 0)")
        self.writes("2 second")
        self.caller.reload()
        self.caller.has("No network", "#connection")
        self.caller.sleep(False)
        for text in ("1 first", "2 second"):
            state_of(self.caller, "#log", text, "taken")
        hold(self.said(self.session)[-2:] == ["1 first", "2 second"], f"they were sent in order: {self.said(self.session)}")

    def is_told_at(self, text, what):
        age = f"Math.abs(Date.now() - window.off - Date.parse([...document.querySelectorAll('#log li')].find((one) => one.querySelector('.bubble')?.textContent === {text!r})?.querySelector('time').dateTime))"
        self.caller.wait_for(f"{age} < 60_000", what=what)

    def clock_is_wrong(self):
        """A question is shown, and its time counted, by the centre's clock: whichever way the phone's is wrong."""
        for off in (150_000, -150_000):
            page = self.phone.page("about:blank", **SIZE)
            self.pages.append(page)
            page.before(OFF % (off, off))
            page.go(f"{self.address}/call")
            hold(abs(page.evaluate("Date.now()") - off - time.time() * 1000) < 60_000, "the clock is wrong")
            page.wait_for("!document.querySelector('#chat').hidden && document.querySelector('#chat-notices').textContent === ''", what="the chat is open")
            self.amina.press("Ask for the place", within="#main")
            page.has("Send your location?", "#asked")
            page.press("Not now", within="#asked")
            page.wait_for("document.querySelector('#asked').hidden")
            until(lambda: self.answer() == "declined", "it is answered")
            page.close()
            self.pages.remove(page)

    def gateway_is_frozen(self):
        """A network that takes everything and answers nothing: the page opens as it was kept, and what is written is sent when it answers."""
        self.caller.wait_for("navigator.serviceWorker.ready.then((r) => Boolean(r.active && navigator.serviceWorker.controller))", what="the worker has the page")
        for page in self.pages:
            page.is_gateway_away = True
        self.desk.gateway.process.send_signal(signal.SIGSTOP)
        try:
            self.caller.reload()
            self.has_number(self.caller, "though nothing answers")
            self.caller.wait_for("!document.querySelector('#home').hidden || !document.querySelector('#chat').hidden", what="the page is there")
        finally:
            self.desk.gateway.process.send_signal(signal.SIGCONT)
        self.caller.wait_for("!document.querySelector('#chat').hidden", what="the chat is there again")
        self.caller.wait_for("document.querySelector('#connection').hidden")

    # MARK: The camera

    def answer(self):
        return self.operator.get(f"/v1/sessions/{self.session}").json["requests"][-1].get("answer")

    def asked_while_writing(self):
        """A question takes no key away from whoever is writing, and a finger that was there before the card answers nothing."""
        self.caller.type("#write textarea", "They are com")
        self.caller.evaluate("""void (() => { window.early = null;
            new MutationObserver(() => { const card = document.querySelector('#asked'); if (card.hidden || window.early) return;
                window.early = document.activeElement.name; card.querySelector('[value=accepted]').click(); })
                .observe(document.querySelector('#asked'), { attributes: true }); })()""")
        self.amina.press("Ask for video", within="#main")
        self.caller.wait_for("document.querySelector('#asked').checkVisibility() && !document.querySelector('#asked button').disabled")
        hold(self.caller.evaluate("window.early") == "text", "the keyboard stays with what is written")
        for key in ("i", "n", "g", " ", "i", "n"):
            self.caller.key(key)
        hold(self.caller.evaluate("document.querySelector('#write textarea').value") == "They are coming in", "what is typed is written")
        self.caller.key("Enter")
        state_of(self.caller, "#log", "They are coming in", "taken")
        hold(self.caller.evaluate(f"!document.querySelector('#asked').hidden && !{CAMERA}") and self.answer() is None, f"nothing is answered: {self.answer()}")
        # It comes along to wherever the caller goes.
        self.caller.press("Back", within="#chat")
        self.caller.press("Not now", within="#asked")
        self.amina.has("declined", "#main .asked")
        self.caller.press("Continue the chat")

    def camera_refused(self):
        """Nobody is told that video comes which does not; the caller says so by a button, or tries again."""
        self.caller.evaluate(REFUSED)
        for isUsable in (False, True):
            self.amina.press("Ask for video", within="#main")
            self.caller.has("Show video?", "#asked")
            self.caller.press("Show video", within="#asked")
            self.caller.has("Allow this page to use the camera", "#no-camera")
            hold(self.answer() is None, f"it is not answered: {self.answer()}")
            if isUsable:
                self.caller.evaluate("void (window.isRefused = false)")
                self.caller.press("Try again", within="#no-camera")
                self.caller.has("LIVE", "#film-state")
                self.has_number(self.caller, "while filming")
                hold(self.answer() == "accepted", f"the answer is {self.answer()}")
            else:
                self.caller.press("Tell the operator", within="#no-camera")
                said(self.amina, "#main chat-log", "My camera cannot be used.")
                hold(self.answer() == "declined", f"the answer is {self.answer()}")

    def operator_writes(self):
        """What the operator writes stands over the picture: reading it stops no video, and marks nothing as seen."""
        self.amina.type("#main textarea", "Show me the door")
        self.amina.key("Enter")
        self.caller.has("Show me the door", "#film-captions")
        hold(self.caller.evaluate("document.querySelector('#unread').textContent") == "1", "it counts as unread")
        hold(self.caller.text("#film-state") == "LIVE" and not self.kinds("stream.stopped/1"), "the video goes on")
        state_of(self.amina, "#main chat-log", "Show me the door", "delivered")
        hold(self.amina.evaluate("document.querySelector('#main chat-log li.mine:last-of-type [data-state=seen]') === null"), "nobody knows who looked")

    def camera_dies(self):
        """A camera that ended is opened anew, and the stream goes on."""
        self.caller.wait_for(f"(window.first = {CAMERA}) && document.querySelector('#film-state').textContent === 'LIVE'")
        self.caller.evaluate("window.first.getTracks()[0].stop()")
        self.caller.wait_for(f"{CAMERA} && {CAMERA} !== window.first", what="the camera is opened anew")
        self.caller.wait_for("document.querySelector('#film-state').textContent === 'LIVE'")
        hold(len(self.kinds("stream.started/1")) == 1, "it is one stream")

    def camera_is_gone(self):
        """Where it cannot be opened, the page says at once that nothing is live, and the stream ends with the reason."""
        self.caller.evaluate(f"void (window.isRefused = true, {CAMERA}.getTracks()[0].stop())")
        self.caller.has("No picture from your camera", "#film-state")
        self.caller.noticed("the video has stopped")
        self.caller.wait_for("!document.querySelector('#chat').hidden")
        until(lambda: self.kinds("stream.stopped/1"), "the stream is stopped")
        self.amina.has("The video ended: the camera gave no picture any more", "#main chat-log")
        hold("no picture" in self.kinds("stream.stopped/1")[0]["data"]["reason"], "the ledger says why")

    def yes_is_late(self):
        """While the centre does not hear the answer, no camera is on; once it does, the caller is asked again."""
        self.caller.evaluate("void (window.isRefused = false)")
        self.amina.press("Ask for video", within="#main")
        self.caller.has("Show video?", "#asked")
        self.caller.send("Network.setBlockedURLs", {"urlPatterns": [{"urlPattern": "*://*:*/v1/requests/*", "block": True}]})
        self.caller.press("Show video", within="#asked")
        self.caller.wait_for(f"Boolean({CAMERA})", what="the camera is open")
        self.caller.wait_for(f"!{CAMERA} && !document.querySelector('#wish-video').hidden", what="the camera is off again, and the page says why")
        hold(self.answer() is None, "nothing is told")
        self.caller.send("Network.setBlockedURLs", {"urlPatterns": []})
        self.caller.press("Show video", within="#video-again")
        self.caller.has("LIVE", "#film-state")
        hold(self.answer() == "accepted", f"the answer is {self.answer()}")
        self.caller.click("#film-chat")
        self.caller.wait_for(f"!{CAMERA}")

    def what_happened_stands(self):
        """Asked, agreed, filmed, stopped, and who is there: between the messages, each once, in its place; also in a page that opens anew."""
        wanted = ["An operator is with you.", "The operator asked for your location. You said not now.", "The operator asked to see video. You said not now.", "The operator asked to see video. You agreed.", "Your video started.",
                  "Your video ended, because your camera gave no picture.", "Your video ended, because you opened the chat."]
        notes = "[...document.querySelectorAll('#log li.note')].map((one) => one.textContent.split(' · ')[0])"
        for _ in range(2):
            self.caller.has("because you opened the chat", "#log")
            shown = self.caller.evaluate(notes)
            hold(set(shown) == set(wanted), f"what happened is told: {shown}")
            hold(len(shown) == 11 and shown[0] == wanted[0] and shown[-1] == wanted[-1], f"each once, in order: {shown}")
            times = self.caller.evaluate("[...document.querySelectorAll('#log li time')].map((one) => Date.parse(one.dateTime))")
            hold(times == sorted(times), f"they stand where they belong: {times}")
            hold(self.caller.text("#chat-with") == "An operator is with you", "who is there stands above")
            self.caller.reload()

    # MARK: An answer that is lost

    def answer_is_lost(self):
        """The code is sent again under the same key; where even that is in vain, pressing once more is the same command."""
        code = self.operator.post("/v1/devices/codes", {"phone": "+447712345679", "reason": "x"}).json["code"]
        page = self.browser.context().page(f"{self.address}/call", **SIZE)
        page.evaluate(LOST % "/v1/devices")
        page.type("#register [name=phone]", "+44 7712 345679")
        page.type("#register [name=code]", code)
        page.press("Register this phone")
        page.wait_for("window.keys.length >= 2", what="it is sent again")
        hold(page.evaluate("new Set(window.keys).size") == 1, "it is the same command")
        page.has("+447712345679", "#number")
        page.close()

    def link_answer_is_lost(self):
        link = self.operator.post(f"/v1/sessions/{self.session}/links", {})
        hold(link.ok, f"a link is made: {link}")
        page = open_link(self.browser, self.address, link.json["path"], [])
        self.has_number(page, "where a link asks for its code")
        page.evaluate(LOST % "/v1/links/use")
        page.type("#join [name=code]", link.json["code"])
        page.press("Join", within="#join")
        page.wait_for("window.keys.length >= 2", what="it is sent again")
        hold(page.evaluate("new Set(window.keys).size") == 1, "it is the same command")
        page.has("You are in contact with the emergency centre", "#home-session")
        page.close()

    # MARK: Storage

    def full_storage(self):
        """What cannot be kept is sent all the same."""
        self.caller.evaluate(FILLED)
        self.writes("I am in the cellar")
        state_of(self.caller, "#log", "I am in the cellar", "taken")
        self.caller.evaluate("void Object.keys(localStorage).filter((name) => name.startsWith('filler')).forEach((name) => localStorage.removeItem(name))")

    def blocked_storage(self):
        """Where the browser keeps nothing, a phone is registered, writes and films as long as the page is open."""
        page = self.browser.context().page("about:blank", **SIZE)
        self.pages.append(page)
        page.before(BLOCKED)
        page.go(f"{self.address}/call")
        code = self.operator.post("/v1/devices/codes", {"phone": "+447712345681", "reason": "x"}).json["code"]
        page.type("#register [name=phone]", "+44 7712 345681")
        page.type("#register [name=code]", code)
        page.press("Register this phone")
        page.press("Chat with the emergency centre")
        page.press("Yes, I need help")
        self.writes("Nothing is kept here", page)
        state_of(page, "#log", "Nothing is kept here", "taken")
        page.press("Show video", within="#chat header")
        page.has("LIVE", "#film-state")
        page.click("#film-stop")

    def in_german(self):
        """Chosen on the first screen, also without a network; what a button says to the operator is said in English, too."""
        page = self.browser.context().page(f"{self.address}/call", **SIZE)
        self.pages.append(page)
        page.evaluate("void (() => { const select = document.querySelector('#register .language-place select'); select.value = 'de'; select.dispatchEvent(new Event('change')); })()")
        page.has("Dieses Telefon anmelden", "#register")
        hold(page.evaluate("document.documentElement.lang") == "de", "the page says in which language it is")
        self.has_number(page, "in German")
        code = self.operator.post("/v1/devices/codes", {"phone": "+447712345684", "reason": "x"}).json["code"]
        page.type("#register [name=phone]", "+44 7712 345684")
        page.type("#register [name=code]", code)
        page.press("Dieses Telefon anmelden")
        page.has("+447712345684", "#number")
        page.wait_for("navigator.serviceWorker.ready.then((r) => Boolean(r.active && navigator.serviceWorker.controller))", what="the worker has the page")
        page.sleep(True)
        page.reload()
        page.press("Mit der Leitstelle chatten")
        page.press("Ja, ich brauche Hilfe")
        page.press("Rettungswagen nötig", within="#services")
        page.has("Wird noch gesendet", "#log")
        page.sleep(False)
        state_of(page, "#log", "Rettungswagen nötig", "taken")
        page.press("Ich kann nicht sprechen", within="#quick")
        state_of(page, "#log", "Ich kann nicht sprechen (I cannot speak)", "taken")
        session = self.kinds("session.created/1")[-1]["subject"].split("/")[1]
        consents = {one["textVersion"] for one in self.desk.admin.get(f"/v1/sessions/{session}").json["consents"]}
        hold(consents == {"hoax-2026-11-23-de"}, f"the ledger has which words were agreed to: {consents}")


if __name__ == "__main__":
    centre.run(main, centre.arguments(__doc__).parse_args())
