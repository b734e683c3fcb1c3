#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Duty and call-outs in a real browser, beside a real mail server (Exim) and message centre (Kannel): a supervisor sets up a rota and a chain, those on duty say how they are told, and
a colleague calls them out. Opening the link of a message answers nothing, one press on its button answers, and the colleague's page shows that at once.

  browser_duty.py --daybook PATH [--screenshots FOLDER] [--axe axe.min.js]

Ends with 77 where Chromium, Exim or Kannel is not installed.
"""

import datetime
import json
import re
from collections import Counter

from browser_admin import DIALOG, PHONE, Administrator
from browser_emergency import open_browser
from browser_push import SUBSCRIBING
from centre import PASSWORD, Centre, arguments, hold, run
from daybook import until
from mail_server import MailServer
from push_endpoint import PushEndpoint
from sms_centre import SmsCentre
from story import tell, watched

NUMBER, WHOLE_NUMBER, MAIL = "07700 900123", "447700900123", "{}@watford.example"
SMOKE, WATER = "Smoke in hall 3", "Water in the cellar"
SHOWN = "navigator.serviceWorker.getRegistration('/web/pages/duty/').then((r) => r.getNotifications()).then((all) => all.map(({ title, actions }) => [title, ...actions.map((one) => one.title)]))"


def main(options, folder):
    with MailServer() as mail, SmsCentre() as sms:
        desk = Centre(options.daybook, folder, options=["--site-name", "Watford Rescue", "--country", "GB", "--push-roots", mail.certificate, "--push-reach", "machine"])
        address = f"http://127.0.0.1:{desk.port}"
        desk.gateway.options += ["--public-address", address]
        desk.open()
        same = {"isOn": True, "user": SmsCentre.name, "password": SmsCentre.password}
        hold(desk.admin.put("/v1/senders/sms", {**same, "host": "127.0.0.1", "port": sms.port, "security": "none", "from": "8888", "reportsTo": address}).ok, "SMS is set up")
        hold(desk.admin.put("/v1/senders/email", {**same, "host": "localhost", "port": mail.port, "security": "starttls", "from": MAIL.format("centre")}).ok, "e-mail is set up")
        for login, role in (("sue", "supervisor"), ("amina", "operator"), ("john", "operator"), ("gil", "guard")):
            desk.staff(login, role)
        with open_browser(folder) as browser:
            browser.ignores_policy = bool(options.axe)
            duty = Duty(options, desk, browser)
            duty.mail, duty.sms = mail, sms
            with watched(duty.pages, folder):
                tell(duty.sets_up_a_rota, duty.sets_up_a_chain, duty.says_how_to_be_told, duty.tests_it, duty.guard_says_it_too, duty.colleague_calls_out, duty.opening_changes_nothing, duty.answers,
                     duty.goes_on_to_the_next_step, duty.calls_off, duty.sees_the_numbers)
            hold(not duty.faults, f"axe: {duty.faults}")
        desk.stop()
        desk.verify("--decode")


class Duty(Administrator):
    """`page` is that of who does something."""

    def __init__(self, *all):
        super().__init__(*all)
        self.endpoint = PushEndpoint()
        # Handovers lie six hours from now, so that none comes meanwhile; the first of each day hands over to amina.
        soon = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=6)
        self.handovers = ", ".join(sorted(f"{(soon.hour + more) % 24:02}:{soon.minute:02}" for more in (0, 12)))
        self.begins_on = (soon - datetime.timedelta(days=2)).date().isoformat()
        self.called, self.other = ("john", "amina") if soon.hour < 12 else ("amina", "john")

    def signs_in(self, login, page):
        self.page = page
        page.type("[name=login]", login)
        page.type("[name=password]", PASSWORD)
        page.press("Sign in", within=".door")
        self.ready()

    def opens(self, login, context=None, **size):
        self.pages.append((context or self.browser.context()).page(f"{self.address}/duty", **size))
        self.signs_in(login, self.pages[-1])
        return self.page

    def fills(self, button, within, **values):
        """Presses what asks, and writes the answer."""
        self.page.press(button, within=within)
        self.asks()
        for name, text in values.items():
            self.writes(name, text)

    def mailed(self, login, words):
        return until(lambda: next((text for one in self.mail.messages() if one.recipient == MAIL.format(login) and words in (text := one.get_content())), None), f"{login} has an e-mail: {words}")

    def texted(self, words):
        return until(lambda: next((one["text"] for one in self.sms.messages() if one["to"].lstrip("+") == WHOLE_NUMBER and words in one["text"]), None), f"an SMS: {words}")

    def pushed(self, count):
        """What the push service was given is handed to the browser, whose own is its maker's; the notifications that it shows then."""
        message, page, scope = self.endpoint.wait_for(count)["message"], self.on_duty, f"{self.address}/web/pages/duty/"
        hold(not self.endpoint.faults, f"the push service found: {self.endpoint.faults}")
        until(lambda: scope in page.registrations, "the service worker is known")
        page.send("ServiceWorker.deliverPushMessage", {"origin": self.address, "registrationId": page.registrations[scope], "data": json.dumps(message)})
        page.wait_for(f"({SHOWN}).then((all) => all.some(([title]) => title === {json.dumps(message['title'])}))", what="the notification is shown")
        return page.evaluate(SHOWN)

    # MARK: Setting up

    def sets_up_a_rota(self):
        """Two people, with a shift of twelve hours each."""
        self.signs_in("sue", self.page)
        self.part("Rotas")
        self.page.has("There is no rota yet.", ".part")
        self.fills("Add a rota", ".part", name="day-and-night", handovers=self.handovers, timeZone="UTC")
        self.chooses("startsOn", self.begins_on)
        for name in ("Amina", "John"):
            self.page.evaluate(f"(() => {{ const e = document.querySelector('{DIALOG} fieldset select'); e.value = [...e.options].find((one) => one.text.includes('{name}')).value; }})()")
            self.page.press("Add", within=f"{DIALOG} fieldset")
            self.page.has(name, f"{DIALOG} .ordered")
        self.looked_at("duty-rota-form")
        self.presses("Save")
        self.page.wait_for(f"[3, 5].map((at) => document.querySelectorAll('.part tbody td')[at]?.innerText).join() === '{self.called.title()},{self.other.title()}'", what=f"{self.called} is on duty")
        self.looked_at("duty-rotas")

    def sets_up_a_chain(self):
        """First whoever is on duty, then a guard by name."""
        self.part("Chains")
        self.page.has("There is no chain yet.", ".part")
        self.fills("Add a chain", ".part", name="fire")
        for number, words in ((1, "rota day-and-night"), (2, "Gil")):
            self.page.press("Add a step", within=DIALOG)
            self.page.wait_for(f"document.querySelectorAll('{DIALOG} .ordered > li').length === {number}")
            self.page.press(words, within=f"{DIALOG} .ordered > li:last-child .picker-boxes")
            self.page.has(words, f"{DIALOG} .ordered > li:last-child summary")
        self.looked_at("duty-chain-form")
        self.presses("Save")
        for words in ("fire", "rota day-and-night", "Gil", "waits 5 min", "only by hand"):
            self.page.has(words, ".part table")
        self.looked_at("duty-chains")

    # MARK: Being told

    def says_how_to_be_told(self):
        self.on_duty = self.opens(self.called, self.browser.profile_context())
        self.page.has("No way is set", ".side")
        self.looked_at("duty-nothing")
        self.fills("Change", ".side", phone=NUMBER, email=MAIL.format(self.called))
        self.looked_at("duty-ways-form")
        self.presses("Save")
        self.page.has(MAIL.format(self.called), ".side")
        self.page.send("ServiceWorker.enable")
        self.page.evaluate(SUBSCRIBING % (json.dumps(self.endpoint.subscription()), "false"))
        self.page.press("Turn on notifications", within=".side")
        self.page.has("This browser shows notifications", ".side")
        self.endpoint.key = self.page.evaluate("window.subscribedFor.applicationServerKey")

    def tests_it(self):
        self.page.press("Test", within=".side")
        self.page.noticed("A test is on its way")
        for text in (self.texted("This is a test"), self.mailed(self.called, "This is a test"), self.pushed(1)[0][0]):
            hold("Watford Rescue" in text, f"the test says whose it is: {text}")
        self.looked_at("duty-ways")

    def guard_says_it_too(self):
        """Guards read no call-outs: they have their messages, and this page to say how those come."""
        self.opens("gil", touch=True, **PHONE)
        self.fills("Change", ".side", email=MAIL.format("gil"))
        self.presses("Save")
        self.page.has(MAIL.format("gil"), ".side")
        hold(not self.page.evaluate("document.querySelector('#main .calls').checkVisibility()"), "what a guard may not read is not shown")
        wide = self.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        hold(wide <= 0, f"the page is {wide} px wider than the screen")
        self.looked_at("duty-guard")

    # MARK: Calling out

    def calls_out(self, words):
        self.page = self.colleague
        self.fills("Call out", ".calls", text=words)
        self.chooses("severity", "critical")
        self.looked_at("duty-call-form")
        self.presses("Call out")
        for one in ("fire", "urgent", words, f"Step 1 of 2 calls: {self.called.title()}"):
            self.page.has(one, ".call-out")
        self.page.wait_for("/^\\d:\\d\\d$/.test(document.querySelector('.call-out .countdown').textContent)", what="it counts down to the next step")
        # Whoever is called sees it, too, and has the message.
        self.on_duty.has(words, ".call-out")
        return self.texted(words)

    def colleague_calls_out(self):
        self.colleague = self.opens(self.other)
        for page in (self.colleague, self.on_duty):
            page.evaluate("window.isSame = true")
        texts = self.calls_out(SMOKE), self.mailed(self.called, SMOKE)
        self.looked_at("duty-called", self.on_duty)
        self.looked_at("duty-open")
        shown = self.pushed(2)
        hold(any(SMOKE in title and "I have it" in actions for title, *actions in shown), f"a notification says it, and takes an answer: {shown}")
        links = {re.search(rf"{self.address}/a/[\w-]+", text)[0] for text in texts}
        hold(len(links) == 1, f"the link is the same on each way: {links}")
        self.link = links.pop()

    def opening_changes_nothing(self):
        """Programs that look for viruses open links: only a press answers."""
        self.stranger = self.browser.context().page(self.link, touch=True, **PHONE)
        self.pages.append(self.stranger)
        self.ready(self.stranger)
        for words in ("Watford Rescue", "Urgent", "I have it"):
            self.stranger.has(words)
        self.looked_at("duty-link", self.stranger)
        hold(not {"alert.answered/1", "call_out.ended/1"} & {entry["type"] for entry in self.desk.entries()}, "nobody answered")
        hold(self.desk.admin.get("/v1/call-outs?open=true").json["items"][0]["state"] == "open" and "Step 1 of 2" in self.page.text(".call-out"), "it is open")

    def answers(self):
        self.stranger.press("I have it")
        self.stranger.has("Thank you: the centre knows that you have it.")
        self.looked_at("duty-thanks", self.stranger)
        for page, name in ((self.colleague, self.called.title()), (self.on_duty, "you")):
            page.has("Nobody is being called out.", ".calls")
            for words in (SMOKE, "answered", name):
                page.has(words, ".past")
            hold(page.evaluate("window.isSame"), "without a reload")
        self.stranger.reload()
        self.stranger.has("This message was answered")

    def goes_on_to_the_next_step(self):
        self.calls_out(WATER)
        hold(MAIL.format("gil") not in [one.recipient for one in self.mail.messages()], "the guard was told nothing yet")
        self.page.press("Next step now", within=".call-out")
        self.page.has("Step 2 of 2", ".call-out")
        self.link = re.search(rf"{self.address}/a/[\w-]+", self.mailed("gil", WATER))[0]
        self.looked_at("duty-second-step")

    def calls_off(self):
        self.fills("Call off", ".call-out", reason="It was the cleaner.")
        self.looked_at("duty-call-off-form")
        self.presses("Call off")
        self.page.has("called off", ".past")
        self.on_duty.has("Nobody is being called out.", ".calls")
        self.stranger.go(self.link)
        self.stranger.has("This is over.")
        self.looked_at("duty-link-over", self.stranger)
        ends = [entry["data"]["end"] for entry in self.desk.entries() if entry["type"] == "call_out.ended/1"]
        hold(ends == ["acknowledged", "cancelled"], f"they ended so: {ends}")

    def sees_the_numbers(self):
        """Nobody asked for help, and still it is told by which ways alerts went, and how long until somebody answered."""
        self.pages.append(self.browser.context().page(f"{self.address}/trends"))
        self.signs_in("sue", self.pages[-1])
        self.page.has("Nobody asked for help in this period")

        def numbers():
            """By way, how many were sent and how many delivered: as the page has them, and as the ledger does."""
            self.page.reload()
            self.page.wait_for("document.querySelector('[data-name=alert-parts]') !== null", what="the numbers are there")
            told = self.page.evaluate("[...document.querySelectorAll('[data-name=alert-parts] tbody tr')].map((e) => [...e.children].slice(0, 3).map((one) => one.textContent))")
            ends = {(entry["subject"], entry["data"]["channel"], outcome) for entry in self.desk.entries() if entry["type"] in ("alert.sent/1", "alert.reported/1") for outcome in ("sent", entry["data"].get("outcome"))}
            count = Counter((way, outcome) for _, way, outcome in ends)
            return told, [[word, str(count[way, "sent"]), str(count[way, "delivered"])] for way, word in (("sms", "SMS"), ("email", "E-mail"), ("browser", "Browser"))]

        until(lambda: (found := numbers())[0] == found[1] and found[1][0][2] != "0", "the page has what was sent and delivered by each way")
        answers = self.page.evaluate("[...document.querySelectorAll('[data-name=alert-answers] .bars > li')].map((e) => e.innerText.trim())")
        hold(answers == ["acknowledged: 1"], f"one was answered: {answers}")
        for name in ("sent", "delivered", "answered"):
            # Without dygraphs the table is open in its place.
            hold(self.page.evaluate(f"document.querySelector('[data-name=alerts-{name}] :is(canvas, details[open])') !== null"), f"the time until {name} is drawn")
        self.looked_at("duty-numbers")


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--screenshots", help="a folder for pictures of the pages, to be looked at")
    parser.add_argument("--axe", help="axe.min.js, to look for what keeps people out")
    run(main, parser.parse_args())
