#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What people are told, in a real browser: that an operator had to leave while the caller films; that another phone has one's number; that a
place waits to be sent; how long one has to wait with a further code; that the centre takes no chat. And what one phone's several pages do not lose, and
that a question arrives although the centre's clock is held back.

Ends with 77 where no Chromium is installed.
"""

import http.server
import os
import threading

import centre
from browser_emergency import PHONE, open_browser, register, sign_in, state_of
from browser_link import plays
from centre import Centre, hold
from clock_steps import HOUR, Clocks
from daybook import until
from story import tell, watched

SIZE = {"width": 390, "height": 844, "touch": True}


def main(options, folder):
    desk = Centre(options.daybook, folder).open()
    with open_browser(folder) as browser:
        told = Told(desk, browser)
        with watched(told.pages, folder):
            tell(told.operator_leaves, told.waits_since_then, told.place_waits, told.code_for_another, told.another_phone, told.own_phone, told.codes_in_a_row)
            phone = Phone(told)
            tell(phone.refused, phone.answers, phone.opens_behind_a_proxy, phone.writes_in_two_pages, phone.is_revoked)
        held = []
        with watched(held, folder):
            clock_is_held(options, os.path.join(folder, "held"), browser, held)
    desk.verify()


def clock_is_held(options, folder, browser, pages):
    """The ledger does not follow its clock for now: callers are asked all the same, and the console says so."""
    os.makedirs(folder)
    clocks = Clocks(folder)
    desk = Centre(options.daybook, folder)
    desk.gateway.environment = dict(os.environ, **clocks.environment)
    desk.open()
    operator = desk.staff("amina")
    amina = sign_in(browser.context(), f"http://127.0.0.1:{desk.port}", "amina")
    pages.append(amina)
    caller = register(browser.context(), f"http://127.0.0.1:{desk.port}", amina, **SIZE)
    pages.append(caller)
    clocks.step(2 * HOUR)
    session = begins(caller, operator)
    hold(operator.post(f"/v1/sessions/{session}/requests", {"ask": "start_video"}).ok, "the caller is asked")
    caller.has("Show video?", "#asked")
    amina.has("clock not followed", ".top")
    desk.verify()


def begins(caller, operator):
    """A caller's chat, taken by an operator; its session."""
    caller.press("Chat with the emergency centre")
    caller.press("Yes, I need help")
    caller.type("#write textarea", "Help")
    caller.key("Enter")
    state_of(caller, "#log", "Help", "taken")
    session = operator.get("/v1/sessions?state=open").json["items"][0]["id"]
    hold(operator.post(f"/v1/sessions/{session}/claim").ok, "it is taken")
    return session


class Told:
    def __init__(self, desk, browser):
        self.desk, self.browser = desk, browser
        self.operator, self.colleague = desk.staff("amina"), desk.staff("john")
        self.address = f"http://127.0.0.1:{desk.port}"
        self.amina, self.john = (sign_in(browser.context(), self.address, name) for name in ("amina", "john"))
        self.caller = register(browser.context(), self.address, self.amina, **SIZE)
        self.caller.place(51.6565, -0.3903)
        self.pages = [self.amina, self.john, self.caller]

    def kinds(self, kind):
        return [entry for entry in self.desk.entries() if entry["type"] == kind]

    def session(self):
        session = self.kinds("session.created/1")[0]["subject"].split("/")[1]
        return self.desk.admin.get(f"/v1/sessions/{session}").json["session"]

    def second_phone(self):
        page = register(self.browser.context(), self.address, self.john, **SIZE)
        self.pages.append(page)
        return page

    # MARK: The operator is not there any more

    def operator_leaves(self):
        self.caller.press("Show video")
        self.caller.press("Yes, I need help")
        self.amina.press("Take it", within="#queue")
        self.caller.has("LIVE", "#film-state")
        plays(self.amina)
        hold(self.desk.admin.post(f"/v1/users/{self.operator.name}/password", key=False).ok, "amina's password is reset")
        self.john.wait_for("document.title === '(1) Daybook console'", what="the caller counts as one who waits")
        row = self.john.text("#queue .pending")
        hold("video" in row and "left by its operator" in row, f"the row says {row!r}")
        self.caller.has("Your operator had to leave", "#film-left")
        self.amina.wait_for("!document.querySelector('#sign-in').hidden")

    def waits_since_then(self):
        since = self.session()["pendingSince"]
        self.caller.click("#film-chat")
        self.caller.has("Other operators are being called", "#chat-notices")
        self.caller.type("#write textarea", "Are you there?")
        self.caller.key("Enter")
        state_of(self.caller, "#log", "Are you there?", "taken")
        hold(self.session()["pendingSince"] == since, "who writes again has waited no shorter")
        self.john.press("Take it", within="#queue")
        self.caller.wait_for("document.querySelector('#chat-notices').textContent === ''", what="somebody is there again")

    # MARK: A place

    def place_waits(self):
        self.caller.sleep(True)
        self.caller.press("My location", within="#chat")
        self.caller.wait_for("document.querySelector('#place-waits').checkVisibility()", what="the location is waiting to be sent")
        hold(not self.kinds("location.reported/1"), "nothing has arrived")
        self.caller.sleep(False)
        self.caller.has("You sent your location, accurate to", "#log")
        self.caller.wait_for("document.querySelector('#place-waits').hidden && !localStorage.getItem('place')", what="nothing is kept any more")
        hold(len(self.kinds("location.reported/1")) == 1, "the place arrived once")
        self.caller.press("Back", within="#chat")

    # MARK: Another phone

    def code_for_another(self):
        hold(self.colleague.post("/v1/devices/codes", {"phone": PHONE, "reason": "he says so"}).status == 201, "a code is given")
        self.caller.has("A code for another phone", "#new-phones")
        # It outlasts the page.
        self.caller.reload()
        self.caller.press("Back", within="#chat")
        self.caller.has("A code for another phone", "#new-phones")
        self.caller.press("It is not mine: end it", within="#new-phones")
        self.caller.noticed("The code was ended.")
        self.caller.wait_for("document.querySelector('#new-phones').textContent === ''")

    def another_phone(self):
        page = self.second_phone()
        self.caller.has("Another phone has your number", "#new-phones")
        self.caller.has("John of the emergency centre", "#new-phones")
        self.caller.press("It is not mine: end it", within="#new-phones")
        self.caller.noticed("The other phone was ended.")
        hold("JSON" not in self.caller.text(), "an answer without a body is one")
        self.john.noticed("A phone of your caller's number was ended.")
        page.has("This phone is not registered any more", "#register")
        hold(page.evaluate("document.querySelector('#connection').hidden"), "nothing is kept here, and nobody says so")

    def own_phone(self):
        page = self.second_phone()
        self.caller.press("It is mine, and may see them", within="#new-phones")
        self.caller.wait_for("document.querySelector('#new-phones').textContent === ''")
        page.reload()
        page.has("You are in contact with the emergency centre", "#home-session")
        # The caller was warned in this contact.
        page.press("Continue the chat")
        page.wait_for("!document.querySelector('#chat').hidden && !document.querySelector('#intent').open", what="nothing is asked twice")

    # MARK: Codes

    def codes_in_a_row(self):
        page = self.browser.context().page(f"{self.address}/call", **SIZE)
        self.pages.append(page)

        def is_held():
            page.type("#register [name=phone]", "+44 7712 345999")
            page.type("#register [name=code]", "UUUUUU")
            page.press("Register this phone")
            page.wait_for("!document.querySelector('#register-fault').hidden")
            return page.evaluate("document.querySelector('#register-form button').disabled")

        until(is_held, "codes cannot be tried for ever")
        page.has("too many codes", "#register-fault")
        page.has("Try again in", "#register-form button")


class Phone:
    """One phone with several pages, at a centre that is not always there."""

    NUMBER = "+447712345600"

    def __init__(self, told):
        self.told, self.desk = told, told.desk
        self.operator = self.desk.staff("sue")
        self.context = told.browser.context()
        self.page = register(self.context, told.address, told.john, phone=self.NUMBER, **SIZE)
        told.pages.append(self.page)

    def opened(self):
        page = self.context.page(f"{self.told.address}/call", **SIZE)
        self.told.pages.append(page)
        return page

    def closed(self, page):
        self.told.pages.remove(page)
        page.close()

    def gateway_ends(self):
        for page in self.told.pages:
            page.is_gateway_away = True
        self.desk.gateway.kill()

    def refused(self):
        """As where the centre's disk is full."""
        self.page.evaluate("""void (window.WebSocket = class extends WebSocket {
            send(text) { if (JSON.parse(text).Type === 'start_session') this.onmessage({ data: '{"Type":"session","Status":"failed"}' }); else super.send(text); } })""")
        self.page.press("Chat with the emergency centre")
        self.page.press("Yes, I need help")
        self.page.has("The emergency centre cannot take chats, video or locations now. Call instead.")
        self.page.reload()

    def answers(self):
        """What is answered while the gateway is away is not lost."""
        self.page.wait_for("document.querySelector('#connection').hidden")
        self.session = begins(self.page, self.operator)
        hold(self.operator.post(f"/v1/sessions/{self.session}/requests", {"ask": "start_video"}).ok, "the caller is asked")
        self.page.has("Show video?", "#asked")
        self.gateway_ends()
        self.page.press("Not now", within="#asked")
        self.page.noticed("Your answer is kept, and sent when it is back.")
        self.desk.start()
        until(lambda: self.operator.get(f"/v1/sessions/{self.session}").json["requests"][0].get("answer") == "declined", "the answer arrives")

    def opens_behind_a_proxy(self):
        """A proxy that answers for a gateway that is away keeps nobody from opening the page."""
        self.page.wait_for("navigator.serviceWorker.ready.then((r) => Boolean(r.active && navigator.serviceWorker.controller))", what="the worker has the page")
        self.gateway_ends()
        proxy = Proxy(("127.0.0.1", self.desk.port), BadGateway)
        threading.Thread(target=proxy.serve_forever, daemon=True).start()
        self.page.reload()
        self.page.has("The emergency centre cannot be reached now", "#connection")
        proxy.shutdown()
        proxy.server_close()
        self.desk.start()
        self.page.wait_for("document.querySelector('#connection').hidden")

    def writes_in_two_pages(self):
        """What is written in each without a network is sent by the page behind them."""
        other = self.opened()
        for page in (self.page, other):
            page.wait_for("!document.querySelector('#chat').hidden && document.querySelector('#chat-notices').textContent === ''", what="the chat is open")
        for page, text in ((self.page, "He is behind the house"), (other, "He has a knife")):
            page.sleep(True)
            page.type("#write textarea", text)
            page.key("Enter")
            page.wait_for(f"Object.values(localStorage).some((value) => value.includes({text!r}))")
        for page in (self.page, other):
            self.closed(page)
        self.page = self.opened()
        self.page.wait_for("!document.querySelector('#chat').hidden")
        for text in ("He is behind the house", "He has a knife"):
            state_of(self.page, "#log", text, "taken")
        self.page.wait_for("!Object.keys(localStorage).some((key) => key.startsWith('unsent'))", what="nothing is kept any more")

    def is_revoked(self):
        """Every page of the phone ends, whichever hears it first."""
        other = self.opened()
        other.wait_for("document.querySelector('#number').textContent.includes('+44')")
        device = self.desk.admin.get(f"/v1/devices?phone=%2B{self.NUMBER[1:]}").json["items"][0]["device"]
        hold(self.desk.admin.delete(f"/v1/devices/{device}?reason=stolen").ok, "the phone is revoked")
        for page in (self.page, other):
            page.has("This phone is not registered any more", "#register")


class Proxy(http.server.ThreadingHTTPServer):
    allow_reuse_address = daemon_threads = True


class BadGateway(http.server.BaseHTTPRequestHandler):
    """Answers for a gateway that is away."""

    def do_GET(self):
        self.send_error(502)

    do_POST = do_GET

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    centre.run(main, centre.arguments(__doc__).parse_args())
