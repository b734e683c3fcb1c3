# SPDX-License-Identifier: Apache-2.0
"""A second citizen's phone, in a browser context of its own, whose alert does not go out at first: the centre refuses it, then no contact is reached. Its holder tries again by one press, and it goes."""

import json

from centre import hold
from daybook import until
from safe_phone import ONE, TWO_LONG, SafePhone
from sms_centre import SmsCentre

NORA, CLEO = "+447700900133", f"{SmsCentre.http_prefix}01"


class Nora(SafePhone):
    """Nora's phone; Cleo is her only contact, whose messages the test may have refused."""

    def is_refused_in_german(self):
        """The language is chosen before anything else; a wrong code is refused in it."""
        self.speaks("de", "#register")
        self.page.type("#register [name=phone]", NORA)
        self.page.press("Ich habe schon einen Code", within="#register")
        self.page.type("#register [name=code]", "ABCD-EFGH")
        self.page.press("Dieses Telefon anmelden", within="#register")
        self.page.has("Dieser Code ist falsch, schon benutzt oder zu alt.", "#register-fault")
        self.looked_at("safe-wrong-code-german")
        self.speaks("en", "#register")

    def registers(self):
        self.page.type("#register [name=code]", self.asks_for_a_code(NORA))
        self.page.press("Register this phone")
        self.page.type("#name [name=own-name]", "Nora")
        self.page.press("Save", within="#name")
        self.page.type("#contact [name=name]", "Cleo")
        self.saves_contact(CLEO)
        self.page.wait_for("document.querySelector('#alert').checkVisibility()", what="the button is there")
        until(lambda: [one["mobile"] for one in self.mine()["contacts"]] == [CLEO], "the contact is at the centre")

    def contact_stops(self):
        """Cleo is asked, and wants no messages: the page says that no contact can be told."""
        self.page.press("My contacts", within="#home")
        self.page.press("Ask Cleo")
        self.texts(CLEO, "Nora chose you")
        self.sms.reply(CLEO, "STOP")
        until(lambda: self.mine()["contacts"][0]["stopped"] == ["sms"], "Cleo's STOP is at the centre")
        self.page.evaluate("dispatchEvent(new Event('online'))")
        self.page.has("No message reaches this person.", "#contacts")
        self.page.press("Back to the button", within="#contacts")
        self.page.has("No contact can be told.", "#whom")

    def is_refused_and_tries_again(self):
        """The centre takes no alert of which nobody would hear. Once Cleo takes messages again, the same alert goes by one press."""
        self.swipe(-200)
        self.page.has("Your alert was not taken. Try again, or call 112.", "#told")
        self.page.has("None of your contacts can be told.", "#alerts")
        self.feels(TWO_LONG)
        self.looked_at("safe-refused")
        hold(not self.waiting() and not self.mine()["alerts"], "nothing waits, and nothing is at the centre")
        self.sms.reply(CLEO, "START")
        until(lambda: self.mine()["contacts"][0]["stopped"] == [], "Cleo takes messages again")
        self.page.press("Try again", within="#alerts")
        self.page.has("Your alert went to 1 of 1 contacts.", "#told")
        self.feels(ONE)
        hold("not taken" not in self.page.text("#home"), "nothing is left of the refusal")
        self.reaches_cleo(1)
        self.ends("I am safe", "Yes, I am safe", "safe")

    def reaches_nobody_and_tries_again(self):
        """The message centre refuses Cleo's number: the page says that no contact was reached. Another try, which it takes, reaches Cleo; the end is one for both."""
        self.sms.answer(CLEO, "bad")
        self.swipe(-200)
        self.page.has("No contact was reached. Call 112, or your contacts.", "#told")
        self.page.has("not reached", "#alerts")
        self.looked_at("safe-unreached")
        self.reaches_cleo(1)
        self.sms.answer(CLEO, "ok")
        self.page.press("Try again", within="#alerts")
        self.page.has("Your alert went to 1 of 1 contacts.", "#told")
        self.reaches_cleo(2)
        hold("Try again" not in self.page.text("#alerts"), "nothing is to be tried again")
        hold([one.get("endReason") for one in self.mine()["alerts"]] == [None, None, "safe"], "two go on")

    def is_answered_by_sms(self):
        self.sms.reply(CLEO, "Ok, I come")
        self.page.has("1 contact has answered.", "#told")
        self.page.has("Cleo", "#alerts")
        self.ends("I am safe", "Yes, I am safe", "safe")
        until(lambda: [one.get("endReason") for one in self.mine()["alerts"]] == ["safe"] * 3, "all are over")

    def is_asked_about_an_old_alert(self):
        """An alert that waited for hours without a network is asked about. One that is over goes to nobody; one that is sent now is that alert, once."""
        self.waits_for_hours()
        self.looked_at("safe-old")
        self.page.press("It is over", within="#alerts")
        until(lambda: not self.waiting(), "nothing waits")
        hold(len(self.mine()["alerts"]) == 3, "nothing was sent")
        kept = self.waits_for_hours()
        self.page.press("Send it now", within="#alerts")
        self.page.has("Your alert went to 1 of 1 contacts.", "#told")
        self.reaches_cleo(3)
        hold([one["id"] for one in self.mine()["alerts"]][0] == kept["body"]["id"], "it is the alert that waited")
        self.ends("I am safe", "Yes, I am safe", "safe")

    def waits_for_hours(self):
        """Swipes without a network, closes the page, and opens it seven hours later, when there is one; the alert that is kept."""
        self.page.sleep(True)
        self.swipe(-200)
        self.page.has("Not sent yet: your alert is kept on this phone", "#told")
        [kept] = self.waiting()
        old = {**kept, "body": {**kept["body"], "keptAt": kept["body"]["keptAt"] - 7 * 3_600_000}}
        self.page.evaluate(f"localStorage.setItem('safe-alerts', JSON.stringify([{json.dumps(old)}]))")
        self.page.sleep(False)
        self.page.reload()
        self.page.has("An alert of earlier was never sent. Do you need help now?", "#told")
        hold(self.waiting() == [old], "it waits for an answer")
        return kept

    def reaches_cleo(self, count):
        until(lambda: len(self.texts(CLEO, "Nora needs help")) == count, f"Cleo is told {count} times")
