#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A citizen with a phone in portrait registers it by a code that came by SMS, adds contacts, and alerts them by a swipe, a hold and by keyboard, in a real browser beside a real message
centre (Kannel). A contact opens the link that arrived, answers, and sees where the person is until the person is safe. An alert that was swiped without a network, on a page that was
closed right after, is sent once by the next page, with its own time.

  browser_safe.py --daybook PATH [--screenshots FOLDER] [--axe axe.min.js]

Ends with 77 where Chromium or Kannel is not installed.
"""

import json
import os
import re

from browser_emergency import open_browser
from browser_report import SMALL
from centre import Centre, arguments, hold, run
from daybook import until
from sms_centre import SmsCentre
from story import tell, watched

MONA, ANNA, BEN = "+447700900123", "+447700900124", "+447700900125"
HOME, PARK = (51.6565, -0.3903), (51.6580, -0.3903)
# What the phone was asked to let its holder feel, in order.
FELT = """window.felt = []; const vibrate = navigator.vibrate.bind(navigator);
navigator.vibrate = (pattern) => { window.felt.push(pattern.length); return vibrate(pattern); };"""
ONE, TWO_SHORT = 1, 3


def main(options, folder):
    desk = Centre(options.daybook, folder, options=["--site-name", "Watford Rescue", "--country", "GB"])
    address = f"http://127.0.0.1:{desk.port}"
    desk.gateway.options += ["--public-address", address]
    desk.open()
    settings = {"isOn": True, "host": "127.0.0.1", "security": "none", "user": SmsCentre.name, "password": SmsCentre.password, "from": "8888", "reportsTo": address}
    with open_browser(folder) as browser, SmsCentre() as sms:
        browser.ignores_policy = bool(options.axe)
        story = Safe(options, desk, browser, sms)
        with watched(story.pages, folder):
            tell(story.is_closed_without_sms)
            hold(desk.admin.put("/v1/senders/sms", {**settings, "port": sms.port}).ok, "SMS is set up")
            tell(story.registers_by_a_code, story.takes_the_first_steps, story.presses_without_meaning_it, story.practises, story.alerts_by_a_swipe, story.contact_opens_the_link, story.contact_answers, story.place_is_followed,
                 story.is_safe, story.opens_without_network, story.swipes_without_network, story.is_sent_by_the_next_page, story.alerts_by_hold, story.alerts_by_keyboard, story.removes_a_contact, story.reads_what_became_of_it, story.reads_german)
        hold(not story.faults, f"axe: {story.faults}")
    desk.stop()
    desk.verify("--decode")


class Safe:
    """`page` is the citizen's; `contact` the page of somebody who opened a link."""

    def __init__(self, options, desk, browser, sms):
        self.options, self.desk, self.browser, self.sms = options, desk, browser, sms
        self.address = f"http://127.0.0.1:{desk.port}"
        self.context, self.pages = browser.context(), []
        self.axe, self.faults = options.axe and open(options.axe).read(), []
        if options.screenshots:
            os.makedirs(options.screenshots, exist_ok=True)
        self.page = self.opens(self.context)

    # MARK: Ways

    def opens(self, context, path="/safe", place=HOME):
        page = context.page("about:blank", width=390, height=844, touch=True)
        page.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
        page.before(FELT)
        page.place(*place)
        page.go(self.address + path)
        page.wait_for("'ready' in document.documentElement.dataset", what="the page is there")
        self.pages.append(page)
        return page

    def leaves(self):
        self.pages.remove(self.page)
        self.page.close()

    def looked_at(self, name, page=None):
        """It fits and can be pressed, on a phone; pictures in light and dark, with `--axe` what that program says of both."""
        page = page or self.page
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        hold(wide <= 0, f"{name} is {wide} px wider than the screen")
        small = page.evaluate(SMALL)
        hold(not small, f"{name} has what is too small for a finger: {small}")
        for isDark in (False, True) if self.options.screenshots or self.axe else ():
            page.dark(isDark)
            theme = "dark" if isDark else "light"
            if self.options.screenshots:
                page.screenshot(os.path.join(self.options.screenshots, f"{name}-{theme}.png"))
            if self.axe:
                self.faults += [f"{name}, {theme}: {fault}" for fault in page.axe(self.axe)]
        page.dark(False)

    def knob(self):
        return self.page._place("document.querySelector('#alert')", "the button")

    def touch(self, kind, spot=None):
        self.page.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [spot] if spot else []})

    def swipe(self, pixels):
        """Presses the button, draws it so far to the right, and lets go."""
        spot = self.knob()
        self.touch("touchStart", spot)
        for part in range(1, 9):
            self.touch("touchMove", {**spot, "x": spot["x"] + pixels * part / 8})
        self.touch("touchEnd")

    def feels(self, *pulses):
        self.page.wait_for(f"JSON.stringify(window.felt) === '{json.dumps(pulses, separators=(',', ':'))}'", what=f"{pulses} was felt")
        self.page.evaluate("window.felt.length = 0")

    def waiting(self):
        """Alerts that the phone keeps until the gateway has them."""
        return json.loads(self.page.evaluate("localStorage.getItem('safe-alerts')") or "[]")

    def texts(self, number, words):
        """The SMS that came to a number with some words, once there is one."""
        return until(lambda: [one["text"] for one in self.sms.messages() if one["to"].lstrip("+") == number[1:] and re.search(words, one["text"])], f"an SMS to {number} with {words}")

    def tells_anna(self, count):
        """A call for help goes out, however many messages its contact had before."""
        until(lambda: len(self.texts(ANNA, "Mona needs help")) == count, f"Anna is told of {count} alerts")

    def mine(self):
        answer = self.desk.client(self.page.evaluate("localStorage.getItem('phone-token')")).get("/v1/me/safety")
        hold(answer.ok, f"the phone reads its own: {answer}")
        return answer.json

    def ends(self, words, yes, reason):
        self.page.press(words, within="#alerts")
        self.page.press(yes)
        self.over(reason)

    def over(self, reason):
        self.page.wait_for("document.querySelector('#alerts').childElementCount === 0", what="the alert is over")
        hold(self.mine()["alerts"][0]["endReason"] == reason, f"it ended as {reason}: {self.mine()['alerts'][0]}")

    # MARK: The story

    def is_closed_without_sms(self):
        self.page.has("This centre sends no codes by SMS.", "main")
        self.page.has("It does not call 112.", "main")
        hold(not self.page.evaluate("document.querySelector('#send-code').checkVisibility()"), "no code is offered")
        self.looked_at("safe-closed")

    def registers_by_a_code(self):
        self.page.reload()
        self.page.wait_for("document.querySelector('#send-code')?.checkVisibility()", what="a code is offered")
        self.looked_at("safe-register")
        self.page.type("#register [name=phone]", "07700 900123")
        self.page.press("Send me a code")
        self.page.has("A code is on its way to", "#code-sent")
        text = self.texts(MONA, "Watford Rescue")[0]
        code = re.search(r"code is ([\w ]+?)\.", text)
        hold(code, f"the SMS has a code: {text}")
        self.page.type("#register [name=code]", code[1].lower())
        self.page.press("Register this phone")

    def takes_the_first_steps(self):
        self.page.has("What is your name?", "main")
        self.looked_at("safe-name")
        self.page.type("#name [name=own-name]", "Mona")
        self.page.press("Save", within="#name")
        self.page.has("Who is told when you need help?", "main")
        self.page.type("#contact [name=name]", "Anna")
        self.page.press("Save", within="#contact")
        self.page.has("Write a mobile number or an e-mail address.", "#contact-fault")
        self.page.type("#contact [name=mobile]", "07700 900124")
        self.looked_at("safe-contact")
        self.page.press("Save", within="#contact")
        self.page.wait_for("document.querySelector('#alert').checkVisibility()", what="the button is there")
        self.page.has("Last known place: to 12 m", "main")
        until(lambda: [one["mobile"] for one in self.mine()["contacts"]] == [ANNA], "the contact is at the centre")
        self.looked_at("safe-home")

    def presses_without_meaning_it(self):
        """Let go early, drawn to the right, tapped: nothing is sent."""
        self.swipe(-60)
        self.swipe(120)
        hold(not self.page.evaluate("document.querySelector('#confirm').open"), "a press that was drawn asks nothing")
        self.page.click("#alert")
        self.page.wait_for("document.querySelector('#confirm').open", what="a tap asks first")
        self.looked_at("safe-confirm")
        self.page.press("Cancel", within="#confirm")
        hold(not self.waiting() and not self.mine()["alerts"], "nothing was sent")

    def practises(self):
        self.page.press("Practise")
        self.page.press("Send a practice alert", within="#confirm-drill")
        self.page.has("Practice", "#alerts")
        self.looked_at("safe-practice")
        # The page shows it before the gateway has it.
        alerts = until(lambda: self.mine()["alerts"], "the gateway has the practice")
        hold(alerts[0]["isDrill"], "it is a practice")
        self.texts(ANNA, "(?i)practi[cs]e")
        self.page.press("End the practice")
        self.over("safe")

    def alerts_by_a_swipe(self):
        spot = self.knob()
        self.touch("touchStart", spot)
        self.touch("touchMove", {**spot, "x": spot["x"] - 190})
        self.page.has("Let go to send", ".track")
        self.looked_at("safe-swipe")
        self.touch("touchEnd")
        self.feels(ONE)
        text = self.texts(ANNA, "Mona needs help")[0]
        self.page.has("delivered", "#alerts")
        self.looked_at("safe-open")
        self.link = re.search(rf"{self.address}(/a/[\w-]+)", text)
        hold(self.link, f"the SMS has a link: {text}")
        alert = self.mine()["alerts"][0]
        hold(alert["trigger"] == "swipe" and not alert["isDrill"] and abs(alert["fix"]["latitude"] - HOME[0]) < 1e-6, f"the alert: {alert}")

    def contact_opens_the_link(self):
        self.contact = self.opens(self.browser.context(), self.link[1])
        self.contact.has("Mona needs help.", "main")
        self.contact.has("51.65650, -0.39030", "#sos-geo")
        self.contact.has("9C3XMJ45+JV", "#sos-plus")
        self.looked_at("safe-link", self.contact)
        hold(not self.mine()["alerts"][0]["contacts"][0].get("answeredAt"), "opening answers nothing")

    def contact_answers(self):
        self.contact.press("I have it")
        self.contact.has("Thank you: the person and the others see that you have it.")
        self.page.evaluate("dispatchEvent(new Event('online'))")
        self.page.has("answered", "#alerts")
        self.page.has("1 contact has answered.", "#told")

    def place_is_followed(self):
        self.page.place(*PARK)
        self.contact.has("51.65800, -0.39030", "#sos-geo")

    def is_safe(self):
        self.ends("I am safe", "Yes, I am safe", "safe")
        until(lambda: len(self.texts(ANNA, "Mona is safe")) == 2, "the contact is told")
        self.contact.has("The person is safe.")
        hold(not self.contact.evaluate("document.querySelector('#sos').checkVisibility()") and "51.65" not in self.contact.evaluate("document.documentElement.outerHTML"), "no place is left")
        self.looked_at("safe-link-over", self.contact)

    def opens_without_network(self):
        """The page is there, a contact can be added, and it says what is not sent yet."""
        self.page.wait_for("navigator.serviceWorker.ready.then((r) => Boolean(r.active && navigator.serviceWorker.controller))", what="the worker has the page")
        for page in self.pages:
            page.is_gateway_away = True
        self.desk.gateway.kill()
        self.page.reload()
        self.page.wait_for("document.querySelector('#alert')?.checkVisibility()", what="the button is there")
        self.page.press("My contacts")
        self.page.press("Add a contact")
        self.page.type("#contact [name=name]", "Ben")
        self.page.type("#contact [name=mobile]", "07700 900125")
        self.page.press("Save", within="#contact")
        self.page.has("on this phone, not sent yet", "main")
        self.looked_at("safe-contacts-away")
        self.page.press("Back to the button")

    def swipes_without_network(self):
        self.swipe(-200)
        self.feels(TWO_SHORT)
        self.page.has("No network: your alert is kept on this phone", "#told")
        self.looked_at("safe-away")
        [self.kept] = self.waiting()
        self.leaves()

    def is_sent_by_the_next_page(self):
        self.desk.start()
        for page in self.pages:
            page.is_gateway_away = False
        self.page = self.opens(self.context, place=PARK)
        until(lambda: len(self.mine()["alerts"]) == 3, "the alert is at the centre")
        self.tells_anna(2)
        self.texts(BEN, "Mona needs help")
        newest = self.mine()["alerts"][0]
        hold(newest["id"] == self.kept["body"]["id"] and newest["occurredAt"][:19] == self.kept["at"][:19], f"it has its own time: {newest}, kept was {self.kept}")
        hold(abs(newest["fix"]["latitude"] - PARK[0]) < 1e-6, f"and the place that it had: {newest['fix']}")
        raised = [entry for entry in self.desk.entries() if entry["type"].startswith("sos.raised/")]
        hold(len(raised) == 3, f"it is there once: {[one['type'] for one in raised]}")
        hold(not self.waiting(), "nothing waits")
        self.ends("False alarm", "Yes, a false alarm", "false_alarm")

    def alerts_by_hold(self):
        """The finger still rests when the alert is sent."""
        self.page.evaluate("window.felt.length = 0")
        self.touch("touchStart", self.knob())
        self.feels(ONE)
        self.touch("touchEnd")
        self.tells_anna(3)
        hold(self.mine()["alerts"][0]["trigger"] == "hold" and not self.page.evaluate("document.querySelector('#confirm').open"), "it was sent, and nothing is asked")
        self.ends("I am safe", "Yes, I am safe", "safe")

    def alerts_by_keyboard(self):
        self.page.evaluate("document.querySelector('#alert').focus()")
        self.page.key("Enter")
        self.page.wait_for("document.querySelector('#confirm').open && document.activeElement.value === 'yes'", what="it is asked")
        hold(not self.waiting() and len(self.mine()["alerts"]) == 4, "nothing is sent yet")
        self.page.key("Enter")
        self.page.has("Your alert", "#told")
        until(lambda: len(self.mine()["alerts"]) == 5, "the alert is at the centre")
        hold(self.mine()["alerts"][0]["trigger"] == "key", "by key")
        self.tells_anna(4)
        hold(self.page.evaluate("document.querySelector('#told').getAttribute('role')") == "status", "a screen reader says what became of it")
        self.ends("I am safe", "Yes, I am safe", "safe")

    def removes_a_contact(self):
        self.page.press("My contacts")
        self.page.click("[aria-label='Remove Ben']")
        self.page.press("Cancel", within="#remove")
        self.page.has("Ben", "#contacts")
        self.page.click("[aria-label='Remove Ben']")
        self.page.press("Remove", within="#remove")
        until(lambda: [one["name"] for one in self.mine()["contacts"]] == ["Anna"], "Ben is no contact any more")
        self.looked_at("safe-contacts")
        self.page.press("Back to the button")

    def reads_what_became_of_it(self):
        self.page.press("My alerts")
        for words in ("Safe since", "False alarm", "Practice", "answered"):
            self.page.has(words, "main")
        hold(self.page.evaluate("document.querySelectorAll('#past article').length") == 5, "each alert stands there")
        self.looked_at("safe-history")
        self.page.press("Back to the button")

    def reads_german(self):
        self.page.evaluate("localStorage.setItem('language', 'de')")
        self.page.reload()
        self.page.has("Für Alarm nach links wischen", "main")
        self.looked_at("safe-german")


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--screenshots")
    parser.add_argument("--axe")
    run(main, parser.parse_args())
