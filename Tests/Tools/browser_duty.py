#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Duty and call-outs in real browsers, beside a real mail server (Exim) and message centre (Kannel): a supervisor sets up a rota and a chain, those on duty say how they are told, a
colleague calls out. Whoever is called opens the link of the message: opening answers nothing, one press answers, and the colleague's page shows it at once.

  browser_duty.py --daybook PATH [--screenshots FOLDER] [--axe axe.min.js]

Ends with 77 where Chromium, Exim or Kannel is not installed.
"""

import datetime
import json
import os
import re

from browser_emergency import open_browser
from browser_push import SUBSCRIBING
from centre import PASSWORD, Centre, arguments, hold, run
from daybook import until
from mail_server import MailServer
from push_endpoint import PushEndpoint
from sms_centre import SmsCentre
from story import tell, watched

DIALOG = "dialog.question"
NUMBER, SHOWN_NUMBER = "07700 900123", "+447700900123"
MAIL = "{}@watford.example"
WORDS = "Smoke in hall 3"
SHOWN = "navigator.serviceWorker.getRegistration('/web/pages/duty/').then((r) => r.getNotifications()).then((all) => all.map(({ title, actions }) => [title, ...actions.map((one) => one.title)]))"


def main(options, folder):
    with MailServer() as mail, SmsCentre() as sms:
        desk = Centre(options.daybook, folder, options=["--site-name", "Watford Rescue", "--country", "GB", "--push-roots", mail.certificate, "--push-reach", "machine"])
        address = f"http://127.0.0.1:{desk.port}"
        desk.gateway.options += ["--public-address", address]
        desk.open()
        given = {"isOn": True, "user": SmsCentre.name, "password": SmsCentre.password}
        hold(desk.admin.put("/v1/senders/sms", {**given, "host": "127.0.0.1", "port": sms.port, "security": "none", "from": "8888", "reportsTo": address}).ok, "SMS is set up")
        hold(desk.admin.put("/v1/senders/email", {**given, "host": "localhost", "port": mail.port, "security": "starttls", "from": MAIL.format("centre")}).ok, "e-mail is set up")
        with open_browser(folder) as browser:
            browser.ignores_policy = bool(options.axe)
            duty = Duty(options, desk, browser, address, mail, sms)
            with watched(duty.pages, folder):
                tell(duty.sets_up_a_rota, duty.sets_up_a_chain, duty.says_how_to_be_told, duty.tests_it, duty.guard_says_it_too, duty.colleague_calls_out, duty.opening_changes_nothing, duty.answers,
                     duty.goes_on_to_the_next_step, duty.cancels, duty.uses_a_phone, duty.reads_german)
            hold(not duty.faults, f"axe: {duty.faults}")
        desk.stop()
        desk.verify("--decode")


class Duty:
    def __init__(self, options, desk, browser, address, mail, sms):
        self.options, self.desk, self.browser, self.address, self.mail, self.sms = options, desk, browser, address, mail, sms
        self.endpoint = PushEndpoint()
        for login, role in (("sue", "supervisor"), ("amina", "operator"), ("john", "operator"), ("gil", "guard")):
            desk.staff(login, role)
        # Handovers lie six hours from now, so that none comes meanwhile; the first of the day hands over to amina.
        soon = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=6)
        self.handovers = sorted(f"{(soon.hour + more) % 24:02}:{soon.minute:02}" for more in (0, 12))
        self.begins_on = (soon - datetime.timedelta(days=2)).date().isoformat()
        self.called, self.other = ("john", "amina") if soon.hour < 12 else ("amina", "john")
        self.pages, self.axe, self.faults = [], options.axe and open(options.axe).read(), []
        if options.screenshots:
            os.makedirs(options.screenshots, exist_ok=True)

    # MARK: Ways

    def opens(self, login, path, context=None, **size):
        page = (context or self.browser.context()).page(f"{self.address}{path}", **size)
        self.pages.append(page)
        page.type("[name=login]", login)
        page.type("[name=password]", PASSWORD)
        page.press("Sign in", within=".door")
        self.ready(page)
        return page

    def ready(self, page):
        page.wait_for("'ready' in document.documentElement.dataset", what="the page is there")

    def looked_at(self, name, page):
        """Pictures in light and dark; with `--axe` what that program says of both."""
        for isDark in (False, True) if self.options.screenshots or self.axe else ():
            page.dark(isDark)
            theme = "dark" if isDark else "light"
            if self.options.screenshots:
                page.screenshot(os.path.join(self.options.screenshots, f"duty-{name}-{theme}.png"))
            if self.axe:
                self.faults += [f"{name}, {theme}: {fault}" for fault in page.axe(self.axe)]
        page.dark(False)

    def asked(self, page, button, within="#main"):
        page.press(button, within=within)
        page.wait_for(f"document.querySelector('{DIALOG}')?.open", what=f"{button} asks")

    def writes(self, page, **values):
        for name, text in values.items():
            page.type(f"{DIALOG} [name={name}]", text)

    def sets(self, page, name, value):
        """What is no text: a date, or one of several."""
        page.evaluate(f"document.querySelector('{DIALOG} [name={name}]').value = {json.dumps(value)}")

    def presses(self, page, words):
        page.press(words, within=f"{DIALOG} .actions")
        page.wait_for(f"!document.querySelector('{DIALOG}')", what=f"{words} is done")

    def kinds(self, kind):
        return [entry for entry in self.desk.entries() if entry["type"] == kind]

    def mail_to(self, login, what):
        """The newest e-mail to somebody that has some words."""
        found = lambda: next((one for one in reversed(self.mail.messages()) if one.recipient == MAIL.format(login) and what in one.get_content()), None)
        return until(found, f"an e-mail to {login} with {what!r}").get_content()

    def sms_with(self, words):
        return until(lambda: next((one for one in self.sms.messages() if one["to"].lstrip("+") == SHOWN_NUMBER[1:] and words in one["text"]), None), f"an SMS with {words!r}")["text"]

    def pushed(self, count):
        """What the push service was given, handed to the browser: its own push service is its maker's."""
        message = self.endpoint.wait_for(count)["message"]
        hold(not self.endpoint.faults, f"the push service found: {self.endpoint.faults}")
        scope = f"{self.address}/web/pages/duty/"
        until(lambda: scope in self.duty.registrations, "the service worker is known")
        self.duty.send("ServiceWorker.deliverPushMessage", {"origin": self.address, "registrationId": self.duty.registrations[scope], "data": json.dumps(message)})
        self.duty.wait_for(f"({SHOWN}).then((all) => all.some(([title]) => title === {json.dumps(message['title'])}))", what="the notification is shown")
        return self.duty.evaluate(SHOWN)

    # MARK: Setting up

    def sets_up_a_rota(self):
        """Two people, a shift of twelve hours each."""
        self.board = page = self.opens("sue", "/admin/rotas")
        page.has("There is no rota yet.", ".part")
        self.asked(page, "Add a rota")
        self.writes(page, name="day-and-night", handovers=", ".join(self.handovers), timeZone="UTC")
        self.sets(page, "startsOn", self.begins_on)
        for name in ("Amina", "John"):
            page.evaluate(f"(() => {{ const e = document.querySelector('{DIALOG} fieldset select'); e.value = [...e.options].find((one) => one.text.includes('{name}')).value; }})()")
            page.press("Add", within=f"{DIALOG} fieldset")
            page.has(name, f"{DIALOG} .ordered")
        self.looked_at("rota-form", page)
        self.presses(page, "Save")
        page.wait_for(f"[...document.querySelectorAll('.part tbody td')].slice(3, 6).map((e) => e.innerText).filter((one) => /^(Amina|John)$/.test(one)).join() === '{self.called.title()},{self.other.title()}'",
                      what=f"{self.called} is on duty, {self.other} is next")
        self.looked_at("rotas", page)

    def sets_up_a_chain(self):
        """First who is on duty, then a guard by name."""
        page = self.board
        page.press("Chains", within=".tabs")
        page.has("There is no chain yet.", ".part")
        self.asked(page, "Add a chain")
        self.writes(page, name="fire")
        for number, words in ((1, "rota day-and-night"), (2, "Gil")):
            page.press("Add a step", within=DIALOG)
            page.wait_for(f"document.querySelectorAll('{DIALOG} .ordered > li').length === {number}")
            page.press(words, within=f"{DIALOG} .ordered > li:last-child .picker-boxes")
            page.has(words, f"{DIALOG} .ordered > li:last-child summary")
        self.looked_at("chain-form", page)
        self.presses(page, "Save")
        for words in ("fire", "rota day-and-night", "Gil", "waits 5 min", "only by hand"):
            page.has(words, ".part table")
        self.looked_at("chains", page)

    # MARK: Being told

    def says_how_to_be_told(self):
        self.duty = page = self.opens(self.called, "/duty", self.browser.profile_context())
        page.has("No way is set", ".side")
        page.has(self.other.title(), "#main table")
        self.looked_at("nothing", page)
        self.asked(page, "Change", ".side")
        self.writes(page, phone=NUMBER, email=MAIL.format(self.called))
        self.looked_at("ways-form", page)
        self.presses(page, "Save")
        page.has(MAIL.format(self.called), ".side")
        page.send("ServiceWorker.enable")
        page.evaluate(SUBSCRIBING % (json.dumps(self.endpoint.subscription()), "false"))
        page.press("Turn on notifications", within=".side")
        page.has("This browser shows notifications", ".side")
        self.endpoint.key = page.evaluate("window.subscribedFor.applicationServerKey")

    def tests_it(self):
        self.duty.press("Test", within=".side")
        self.duty.noticed("A test is on its way")
        hold("Watford Rescue" in self.sms_with("This is a test"), "the SMS says whose test it is")
        self.mail_to(self.called, "This is a test")
        hold(self.pushed(1)[0][0] == "Watford Rescue: test message", "the notification is the test")
        self.looked_at("ways", self.duty)

    def guard_says_it_too(self):
        self.guard = page = self.opens("gil", "/duty", width=390, height=844, touch=True)
        self.asked(page, "Change", ".side")
        self.writes(page, email=MAIL.format("gil"))
        self.presses(page, "Save")
        page.has(MAIL.format("gil"), ".side")
        hold(not page.evaluate("document.querySelector('#main .calls').checkVisibility()"), "what a guard may not read is not shown")
        self.looked_at("guard", page)

    # MARK: Calling out

    def calls_out(self, words):
        page = self.colleague
        self.asked(page, "Call out", ".calls")
        self.sets(page, "severity", "critical")
        self.writes(page, text=words)
        self.looked_at("call-form", page)
        self.presses(page, "Call out")
        for one in ("fire", "urgent", words, "Step 1 of 2", self.called.title(), "Called out"):
            page.has(one, ".call-out")
        page.wait_for("/^[45]:\\d\\d$/.test(document.querySelector('.call-out .countdown').textContent)", what="five minutes are counted down")
        # The page of who is called shows it by itself, and the message comes.
        self.duty.has(words, ".call-out")
        return self.sms_with(words)

    def colleague_calls_out(self):
        self.colleague = self.opens(self.other, "/duty")
        for page in (self.colleague, self.duty):
            page.evaluate("window.isSame = true")
        text = self.calls_out(WORDS)
        self.looked_at("called", self.duty)
        self.looked_at("open", self.colleague)
        links = [re.search(rf"{re.escape(self.address)}(/a/[\w-]+)", text)[1] for text in (text, self.mail_to(self.called, WORDS))]
        hold(links[0] == links[1], f"the same link on each way: {links}")
        shown = self.pushed(2)
        hold(any(WORDS in title and "I have it" in actions for title, *actions in shown), f"the notification says it, and takes an answer: {shown}")
        self.link = links[0]

    def opening_changes_nothing(self):
        """Programs of mail servers open links: only a press answers."""
        self.stranger = page = self.browser.context().page(f"{self.address}{self.link}", width=390, height=844, touch=True)
        self.pages.append(page)
        self.ready(page)
        for words in ("Watford Rescue", "Urgent", "I have it"):
            page.has(words)
        self.looked_at("link", page)
        hold(not self.kinds("call_out.ended/1") and not self.kinds("alert.answered/1"), "nothing is recorded as an answer")
        hold(self.desk.admin.get("/v1/call-outs?open=true").json["items"][0]["state"] == "open", "it is open")
        hold("Step 1 of 2" in self.colleague.text(".call-out"), "the colleague's page shows it as open")

    def answers(self):
        self.stranger.press("I have it")
        self.stranger.has("Thank you: the centre knows that you have it.")
        self.looked_at("thanks", self.stranger)
        for page in (self.colleague, self.duty):
            page.has("Nobody is being called out.", ".calls")
            page.has("answered", "[aria-labelledby=past-title]")
            hold(page.evaluate("window.isSame === true"), "without a reload")
        self.colleague.has(self.called.title(), "[aria-labelledby=past-title]")
        self.looked_at("answered", self.colleague)
        self.stranger.reload()
        self.stranger.has("This message was answered")
        self.looked_at("link-answered", self.stranger)

    def goes_on_to_the_next_step(self):
        self.calls_out("Water in the cellar")
        hold(not [one for one in self.mail.messages() if one.recipient == MAIL.format("gil")], "the guard was told nothing yet")
        self.colleague.press("Next step now", within=".call-out")
        self.colleague.has("Step 2 of 2", ".call-out")
        self.second = re.search(r"(/a/[\w-]+)", self.mail_to("gil", "Water in the cellar"))[1]
        self.looked_at("second-step", self.colleague)

    def cancels(self):
        self.asked(self.colleague, "Call off", ".call-out")
        self.writes(self.colleague, reason="It was the cleaner.")
        self.looked_at("cancel-form", self.colleague)
        self.presses(self.colleague, "Call off")
        self.colleague.has("called off", "[aria-labelledby=past-title]")
        self.duty.has("Nobody is being called out.", ".calls")
        self.stranger.go(f"{self.address}{self.second}")
        self.stranger.has("This is over.")
        self.looked_at("link-over", self.stranger)
        ends = [entry["data"]["end"] for entry in self.kinds("call_out.ended/1")]
        hold(ends == ["acknowledged", "cancelled"], f"the log has {ends}")

    # MARK: Other readers

    def uses_a_phone(self):
        self.colleague.resize(390, 844, touch=True)
        wide = self.colleague.evaluate("document.documentElement.scrollWidth - innerWidth")
        hold(wide <= 0, f"the page is {wide} px wider than the screen")
        self.looked_at("phone", self.colleague)
        self.colleague.resize(1440, 900)

    def reads_german(self):
        for page in (self.colleague, self.stranger):
            page.evaluate("localStorage.setItem('language', 'de')")
            page.reload()
            self.ready(page)
        self.colleague.has("aufgehoben", "[aria-labelledby=past-title]")
        self.looked_at("german", self.colleague)


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--screenshots")
    parser.add_argument("--axe", help="axe.min.js, to look for what keeps people out")
    run(main, parser.parse_args())
