#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A citizen with a phone in portrait registers it by a code that came by SMS, adds contacts, and alerts them by a swipe, a hold and by keyboard, in a real browser beside a real message
centre (Kannel). A contact opens the link that arrived, answers, and sees where the person is until the person is safe. An alert that was swiped without a network, on a page that was
closed right after, is sent once by the next page, with its own time. A contact answers by SMS, which the page shows. Another citizen's alert is refused, and then reaches nobody, and goes by
another try. Texts of the centre are read before anybody registers, and without a network; in the end the citizen lets a second phone in and deletes the account, of which nothing stays on the phone.

  browser_safe.py --daybook PATH [--screenshots FOLDER] [--axe axe.min.js]

Ends with 77 where Chromium or Kannel is not installed.
"""

import re

from browser_emergency import open_browser
from centre import Centre, arguments, hold, run
from daybook import new_id, until
from safe_again import Nora
from safe_phone import HOME, ONE, TWO_SHORT
from safe_texts import TEXTS, Stranger
from sms_centre import SmsCentre
from story import tell, watched

MONA, ANNA, BEN = "+447700900123", "+447700900124", "+447700900125"
PARK = 51.6580, -0.3903
# Titles of the notifications that the page has shown, and has not put away.
NOTIFIED = "navigator.serviceWorker.getRegistration('/safe').then((r) => r.getNotifications()).then((all) => all.map(({ title }) => title).join())"
# What the phone keeps of somebody.
KEPT = "Object.keys(localStorage).filter((name) => name.startsWith('safe-') || name === 'phone-token').join()"


def main(options, folder):
    desk = Centre(options.daybook, folder, options=["--site-name", "Watford Rescue", "--country", "GB"])
    address = f"http://127.0.0.1:{desk.port}"
    desk.gateway.options += ["--public-address", address]
    desk.open()
    for text in TEXTS:
        hold(desk.admin.put(f"/v1/content/{new_id()}", {"isShown": True, **text}).ok, f"{text['title']} is written")
    settings = {"isOn": True, "host": "127.0.0.1", "security": "none", "user": SmsCentre.name, "password": SmsCentre.password, "from": "8888", "reportsTo": address}
    hold(desk.admin.put("/v1/senders/sms", {**settings, "isOn": False, "port": 1}).ok, "it is known where answers go")
    incoming = desk.admin.get("/v1/senders").json["items"][1]["incoming"].split("&from=")[0] + "&"
    with open_browser(folder) as browser, SmsCentre(incoming=incoming, with_http=True) as sms:
        browser.ignores_policy = bool(options.axe)
        story = Safe(options, desk, browser, sms)
        with watched(story.pages, folder):
            tell(story.is_closed_without_sms, story.reads_rights_unregistered, story.finds_help_unregistered)
            hold(desk.admin.put("/v1/senders/sms", {**settings, "port": sms.port}).ok, "SMS is set up")
            tell(story.registers_by_a_code, story.takes_the_first_steps, story.changes_a_contact, story.is_read_by_a_screen_reader, story.tells_a_contact, story.presses_without_meaning_it, story.practises, story.alerts_by_a_swipe, story.contact_opens_the_link, story.contact_answers, story.place_is_followed,
                 story.is_safe, story.opens_without_network, story.swipes_without_network, story.is_sent_by_the_next_page, story.alerts_by_hold, story.alerts_by_keyboard, story.contact_answers_by_sms, story.removes_a_contact, story.reads_what_became_of_it, story.reads_german)
            other = Nora(options, desk, browser, sms, story.pages, story.faults)
            tell(other.is_refused_in_german, other.registers, other.contact_stops, other.is_refused_and_tries_again, other.reaches_nobody_and_tries_again, other.is_answered_by_sms, other.is_asked_about_an_old_alert)
            tell(story.lets_a_phone_in, story.deletes_the_account)
        hold(not story.faults, f"axe: {story.faults}")
    desk.stop()
    desk.verify("--decode")


class Safe(Stranger):
    """Mona's phone; `contact` is the page of somebody who opened a link."""

    def tells_anna(self, count):
        """A call for help goes out, however many messages its contact had before."""
        until(lambda: len(self.texts(ANNA, "Mona needs help")) == count, f"Anna is told of {count} alerts")

    # MARK: The story

    def registers_by_a_code(self):
        self.page.reload()
        self.page.wait_for("document.querySelector('#send-code')?.checkVisibility()", what="a code is offered")
        hold(not self.page.evaluate("document.querySelector('#register [name=code]').checkVisibility()"), "no code is asked for before one was sent")
        self.looked_at("safe-register")
        self.page.type("#register [name=code]", self.asks_for_a_code(MONA).lower())
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
        self.page.type("#contact [name=mobile]", "07700")
        self.page.press("Save", within="#contact")
        self.page.has("Write the number with its area code.", "#contact-fault")
        self.looked_at("safe-contact")
        self.saves_contact(ANNA)
        self.page.wait_for("document.querySelector('#alert').checkVisibility()", what="the button is there")
        self.page.has("Last known place: to 12 m", "main")
        until(lambda: [one["mobile"] for one in self.mine()["contacts"]] == [ANNA], "the contact is at the centre")
        self.looked_at("safe-home")

    def changes_a_contact(self):
        """Cancel changes nothing, neither of a new contact nor of a known one; an address of e-mail is added and taken away again."""
        self.page.press("My contacts", within="#home")
        self.page.press("Add a contact")
        self.page.type("#contact [name=name]", "Nobody")
        self.page.press("Cancel", within="#contact")
        self.page.wait_for("document.querySelector('#contacts').checkVisibility()", what="back at the contacts")
        for written, saves in (("anna@example.org", False), ("anna@example.org", True), ("", True)):
            self.page.click("[aria-label='Change Anna']")
            self.page.type("#contact [name=email]", written)
            if not written:
                self.page.evaluate("document.querySelector('#contact [name=email]').value = ''")
            self.page.press("Save" if saves else "Cancel", within="#contact")
            self.page.press("My contacts", within="#home") if saves else self.page.wait_for("document.querySelector('#contacts').checkVisibility()", what="back at the contacts")
            wanted = [("Anna", ANNA, written if saves and written else None)]
            until(lambda: [(one["name"], one["mobile"], one.get("email")) for one in self.mine()["contacts"]] == wanted, f"the contacts are {wanted}")
        self.page.press("Back to the button", within="#contacts")

    def is_read_by_a_screen_reader(self):
        """Each thing that can be pressed has a name; the large one says what it does, and its press asks first."""
        nodes = [node for node in self.page.send("Accessibility.getFullAXTree")["nodes"] if not node.get("ignored")]
        named = lambda role: {node.get("name", {}).get("value", ""): node for node in nodes if node["role"]["value"] == role}
        hold("" not in named("button") and "" not in named("link"), f"all have a name: {[*named('button'), *named('link')]}")
        button = named("button").get("Send an alert to my contacts Alert or hold 3 s") or named("button").get("Send an alert to my contacts")
        hold(button and "Swipe the button to the left" in button.get("description", {}).get("value", ""), f"the large button is read out: {list(named('button'))}")
        found = self.page.send("DOM.resolveNode", {"backendNodeId": button["backendDOMNodeId"]})["object"]["objectId"]
        self.page.send("Runtime.callFunctionOn", {"objectId": found, "functionDeclaration": "function () { this.click(); }"})
        self.page.wait_for("document.querySelector('#confirm').open && document.activeElement.value === 'yes'", what="it is asked")
        dialogs = [node.get("name", {}).get("value") for node in self.page.send("Accessibility.getFullAXTree")["nodes"] if node["role"]["value"] == "dialog" and not node.get("ignored")]
        hold(dialogs == ["Tell your contacts that you need help?"], f"the question is read out: {dialogs}")
        self.page.press("Cancel", within="#confirm")
        hold(not self.waiting() and not self.mine()["alerts"], "nothing was sent")

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
        until(lambda: len(self.texts(ANNA, "Mona is safe")) == 1, "the contact is told")
        self.contact.has("The person is safe.")
        hold(not self.contact.evaluate("document.querySelector('#sos').checkVisibility()") and "51.65" not in self.contact.evaluate("document.documentElement.outerHTML"), "no place is left")
        self.looked_at("safe-link-over", self.contact)

    def opens_without_network(self):
        """The page is there, a contact can be added, and it says what is not sent yet."""
        self.page.wait_for("navigator.serviceWorker.ready.then((r) => Boolean(r.active && navigator.serviceWorker.controller))", what="the worker has the page")
        for page in self.pages:
            page.is_gateway_away = True
        self.desk.gateway.kill()
        self.page.evaluate("""(() => { const kept = JSON.parse(localStorage.getItem('safe-content'));
            localStorage.setItem('safe-content', JSON.stringify({...kept, at: new Date(Date.now() - 3600000).toISOString()})); })()""")
        self.page.reload()
        self.page.wait_for("document.querySelector('#alert')?.checkVisibility()", what="the button is there")
        self.page.press("Help near me", within="#home")
        self.page.has("This phone kept these texts 1 h", "#help")
        self.page.has("Near house", "#help-list")
        self.looked_at("safe-help-away")
        self.page.press("Back to the button", within="#help")
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
        self.page.has("Not sent yet: your alert is kept on this phone", "#told")
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
        """The finger still rests when the alert is sent. Somebody who looks at something else meanwhile is notified that all messages went out."""
        self.page.evaluate("window.felt.length = 0")
        self.page.evaluate("Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })")
        self.touch("touchStart", self.knob())
        self.feels(ONE)
        self.touch("touchEnd")
        self.tells_anna(3)
        self.page.wait_for(f"{NOTIFIED}.then((titles) => titles === 'All messages sent')", what="the phone says that all messages went out")
        self.page.evaluate("delete document.visibilityState; document.dispatchEvent(new Event('visibilitychange'))")
        self.page.wait_for(f"{NOTIFIED}.then((titles) => titles === '')", what="the notification is put away once the page is looked at")
        hold(self.mine()["alerts"][0]["trigger"] == "hold" and not self.page.evaluate("document.querySelector('dialog[open]')?.id"), "it was sent, and nothing is asked")
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

    def contact_answers_by_sms(self):
        """Anna answers the alert by an SMS of one word; a question of Ben's is no answer. The page says who answered."""
        self.sms.reply(BEN, "Who is this?")
        self.sms.reply(ANNA, "OK")
        self.page.has("1 contact has answered.", "#told")
        self.page.wait_for("[...document.querySelectorAll('#alerts .told li')].map((e) => e.innerText.replace(/\\s+/g, ' ')).join().match(/^Anna answered \\d.*,Ben delivered$/)", what="Anna has answered, Ben has not")
        self.looked_at("safe-answered")
        until(lambda: {one["data"]["answer"] for one in self.answers()} == {"acknowledged", "other"}, "both are recorded")
        self.ends("I am safe", "Yes, I am safe", "safe")

    def answers(self):
        return [entry for entry in self.desk.entries() if entry["type"].startswith("alert.answered/") and entry["data"]["channel"] == "sms"]

    def removes_a_contact(self):
        self.page.press("My contacts")
        self.page.click("[aria-label='Remove Ben']")
        self.page.press("Cancel", within="#remove")
        self.page.has("Ben", "#contacts")
        self.page.click("[aria-label='Remove Ben']")
        self.page.press("Remove", within="#remove")
        # For a moment one whose key is destroyed has no name.
        until(lambda: [one.get("name") for one in self.mine()["contacts"]] == ["Anna"], "Ben is no contact any more")
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
        self.page.press("My contacts", within="#home")
        self.speaks("de", "#contacts")
        self.looked_at("safe-contacts-german")
        self.page.press("Zurück zum Knopf", within="#contacts")
        self.page.has("Für Alarm nach links wischen", "main")
        self.looked_at("safe-german")
        self.page.press("Meine Kontakte", within="#home")
        self.speaks("en", "#contacts")
        self.page.press("Back to the button", within="#contacts")

    def wakes(self):
        """The page reads anew, as after a while without a network."""
        self.page.evaluate("dispatchEvent(new Event('online'))")

    def tells_a_contact(self):
        """The contact gets one message, and confirms by its link."""
        self.page.press("My contacts", within="#home")
        self.page.press("Ask Anna")
        self.page.has("Anna is asked by a message", "#contacts")
        self.page.has("asked on", "#contacts")
        self.looked_at("safe-told")
        code = re.search(rf"{self.address}/a/([\w-]+)", self.texts(ANNA, "Mona chose you")[0])
        hold(code, "the message has a link")
        hold(self.desk.client().post(f"/v1/answers/{code[1]}", {}, key=False).ok, "Anna answers it")
        self.wakes()
        self.page.has("confirmed", "#contacts")
        hold("Ask Anna" not in self.page.text("#contacts"), "somebody who has confirmed is not told again")
        self.page.press("Back to the button", within="#contacts")

    def lets_a_phone_in(self):
        self.page.press("My contacts", within="#home")
        self.page.has("My number: +44 7700 900123", "#contacts")
        self.second = self.desk.caller(self.desk.admin, phone=MONA)
        hold(self.second.get("/v1/me/safety").status == 403, "the second phone waits")
        self.wakes()
        self.page.has("This phone can do nothing until you agree.", "#phone-list")
        self.looked_at("safe-phones")
        self.page.press("This is my phone: let it in")
        until(lambda: self.second.get("/v1/me/safety").ok, "the second phone is let in")
        self.page.wait_for("!document.querySelector('#phone-list').innerText.includes('until you agree')", what="nothing is asked any more")

    def deletes_the_account(self):
        """Leaving the question deletes nothing. After it nothing of the citizen is on the phone, and both phones are signed out."""
        token = self.page.evaluate("localStorage.getItem('phone-token')")
        self.page.press("Delete my account")
        self.looked_at("safe-delete")
        self.page.press("Cancel", within="#confirm-delete")
        hold(self.mine()["name"] == "Mona", "nothing was deleted")
        self.page.press("Delete my account")
        self.page.press("Delete everything", within="#confirm-delete")
        self.page.has("Your account is deleted.", "#register")
        self.page.wait_for("'ready' in document.documentElement.dataset", what="the page began anew")
        hold(self.page.evaluate(KEPT) == "", f"the phone keeps {self.page.evaluate(KEPT)}")
        hold([self.desk.client(one).get("/v1/me/safety").status for one in (token, self.second.token)] == [401, 401], "both phones are signed out")
        self.looked_at("safe-deleted")


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--screenshots")
    parser.add_argument("--axe")
    run(main, parser.parse_args())
