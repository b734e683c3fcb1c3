# SPDX-License-Identifier: Apache-2.0
"""A phone in portrait on which somebody has a citizen's page, in a real browser: its touches, what it lets its holder feel, what it keeps, and the SMS that it led to."""

import json
import os
import re

from browser_report import SMALL
from centre import hold
from daybook import until

HOME = 51.6565, -0.3903
# What the phone was asked to let its holder feel, in order.
FELT = """window.felt = []; const vibrate = navigator.vibrate.bind(navigator);
navigator.vibrate = (pattern) => { window.felt.push(pattern.join()); return vibrate(pattern); };"""
# Pulses and pauses in milliseconds: sent, kept on the phone, and refused.
ONE, TWO_SHORT, TWO_LONG = "120", "120,160,120", "300,1000,300"


class SafePhone:
    """`page` is the page that its holder looks at; `pages` are all that were opened, also those of contacts, and `faults` what axe found."""

    def __init__(self, options, desk, browser, sms, pages=None, faults=None):
        self.options, self.desk, self.browser, self.sms = options, desk, browser, sms
        self.address = f"http://127.0.0.1:{desk.port}"
        self.context, self.pages = browser.context(), [] if pages is None else pages
        self.axe, self.faults = options.axe and open(options.axe).read(), [] if faults is None else faults
        if options.screenshots:
            os.makedirs(options.screenshots, exist_ok=True)
        self.page = self.opens(self.context)

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

    def saves_contact(self, number):
        """Numbers that are kept for plays are in no numbering plan: the page asks to look again, and takes it at the second press."""
        self.page.type("#contact [name=mobile]", f"0{number[3:7]} {number[7:]}")
        self.page.press("Save", within="#contact")
        self.page.has(f"{number[:3]} {number[3:7]} {number[7:]}: no such number is known.", "#contact-fault")
        self.page.press("Save", within="#contact")

    def speaks(self, language, within):
        """Chooses the page's language, in which it begins anew."""
        choice = f"document.querySelector('{within} .language-place select')"
        self.page.wait_for(f"{choice}?.checkVisibility()", what="a language can be chosen")
        self.page.evaluate(f"(() => {{ delete document.documentElement.dataset.ready; {choice}.value = {json.dumps(language)}; {choice}.dispatchEvent(new Event('change')); }})()")
        self.page.wait_for(f"'ready' in document.documentElement.dataset && document.documentElement.lang === {json.dumps(language)}", what=f"the page speaks {language}")

    def asks_for_a_code(self, number):
        """Types the number as people at home write it, and gives the code that came by SMS."""
        self.page.type("#register [name=phone]", f"0{number[3:7]} {number[7:]}")
        self.page.press("Send me a code")
        self.page.has("A code is on its way to", "#code-sent")
        text = self.texts(number, "Watford Rescue")[0]
        code = re.search(r"code is ([\w ]+?)\.", text)
        hold(code, f"the SMS has a code: {text}")
        return code[1]
