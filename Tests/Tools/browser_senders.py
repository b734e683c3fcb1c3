#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An administrator sets up e-mail and SMS from nothing in a real browser, beside a real mail server (Exim) and message centre (Kannel): what is wrong is told in words, a test
arrives and is seen to arrive, no password is ever shown.

  browser_senders.py --daybook PATH [--screenshots FOLDER]

Ends with 77 where Chromium, Exim or Kannel is not installed.
"""

from browser_admin import DIALOG, PHONE, Administrator
from browser_emergency import open_browser
from centre import PASSWORD, Centre, arguments, hold, run
from mail_server import MailServer
from sms_centre import SmsCentre
from story import tell, watched


def main(options, folder):
    with MailServer() as mail:
        desk = Centre(options.daybook, folder, options=["--site-name", "Watford Rescue", "--country", "GB", "--push-roots", mail.certificate]).open()
        desk.staff("amina")
        with open_browser(folder) as browser:
            admin = Senders(options, desk, browser)
            admin.mail = mail
            with watched(admin.pages, folder):
                tell(admin.signs_in, admin.sets_up_mail, admin.tests_mail, admin.changes_it_without_the_password)
                with SmsCentre(incoming=admin.sets_up_sms(1)) as sms:
                    admin.sms = sms
                    tell(lambda: admin.sets_up_sms(sms.port), admin.tests_sms, admin.hears_of_a_wrong_password, admin.writes_a_wording, admin.uses_a_phone, admin.reads_german)
        desk.stop()
        desk.verify()


class Senders(Administrator):
    CARDS = ".part section[aria-label='{}']"

    def signs_in(self):
        self.page.type("[name=login]", "admin")
        self.page.type("[name=password]", PASSWORD)
        self.page.press("Sign in", within=".door")
        self.ready()
        self.part("E-mail and SMS")
        for words in ("No mail server is set up.", "No message centre is set up."):
            self.page.has(words, ".part")
        self.looked_at("senders-nothing")

    def card(self, name):
        return self.CARDS.format(name)

    def fills(self, **values):
        for name, value in values.items():
            self.chooses(name, value) if name == "security" else self.writes(name, value)

    def sets_up_mail(self):
        self.page.press("Set up", within=self.card("E-mail"))
        self.asks("Set up: E-mail", "smtp.example.org")
        hold(self.page.evaluate(f"document.querySelector('{DIALOG} [name=port]').value") == "587", "the usual port stands there")
        self.chooses("security", "tls")
        hold(self.page.evaluate(f"document.querySelector('{DIALOG} [name=port]').value") == "465", "and follows the protection")
        self.fills(host="localhost", security="starttls", port=str(self.mail.port), user=self.mail.name, password="wrong", **{"from": "nobody"})
        self.refused("Save", "from is an address of e-mail")
        self.looked_at("senders-mail-refused")
        self.fills(**{"from": "centre@watford.example"})
        self.presses("Save")
        self.page.has("Nothing sent yet", self.card("E-mail"))
        hold("wrong" not in self.page.evaluate("document.documentElement.outerHTML"), "no password is shown")

    def tests_mail(self):
        """The password is wrong: the server's word is told, and the test waits until it is right."""
        self.sends("E-mail", "ada@example.org")
        self.page.has("Cannot send", self.card("E-mail"))
        self.page.has("1 waits", self.card("E-mail"))
        self.page.has("535", self.card("E-mail"))
        self.looked_at("senders-mail-fault")
        self.page.press("Change", within=self.card("E-mail"))
        self.asks("Left empty, the password stays as it is.")
        self.fills(password=self.mail.password)
        self.presses("Save")
        # What waited goes at once.
        self.page.has("Works", self.card("E-mail"))
        message = self.mail.wait_for(1)[0]
        hold(message.recipient == "ada@example.org" and "test" in message["Subject"], f"the test arrived: {message.items()}")

    def changes_it_without_the_password(self):
        self.page.press("Change", within=self.card("E-mail"))
        self.asks("Set up: E-mail")
        self.fills(host="mail.example.org")
        self.refused("Save", "give its password as well")
        self.fills(host="localhost", perMinute="120")
        self.presses("Save")
        self.page.has("120", self.card("E-mail"))

    def sets_up_sms(self, port):
        known = self.page.evaluate(f"document.querySelector(\"{self.card('SMS')} .facts\") !== null")
        self.page.press("Change" if known else "Set up", within=self.card("SMS"))
        self.asks("Set up: SMS")
        self.fills(host="127.0.0.1", port=str(port), user=SmsCentre.name, password=SmsCentre.password, reportsTo=self.address, **{"from": "8888"})
        self.presses("Save")
        incoming = self.page.wait_for(f"document.querySelector(\"{self.card('SMS')} code\")?.textContent", what="where answers go is told")
        return incoming.split("&from=")[0] + "&"

    def tests_sms(self):
        self.sends("SMS", "07700 900123")
        message = self.sms.wait_for(1)[0]
        hold(message["to"].lstrip("+") == "447700900123" and "Watford Rescue" in message["text"], f"the test arrived: {message}")
        self.page.has("delivered", self.card("SMS"))
        self.looked_at("senders-works")

    def hears_of_a_wrong_password(self):
        self.page.press("Change", within=self.card("SMS"))
        self.asks("Set up: SMS")
        self.fills(password="wrong")
        self.presses("Save")
        self.sends("SMS", "07700 900124")
        self.page.has("Cannot send", self.card("SMS"))
        self.page.has("403", self.card("SMS"))

    def writes_a_wording(self):
        """What a link says is written, looked at before it goes out, and given up again."""
        self.part("Wordings")
        card = self.CARDS.format("A caller’s link")
        self.page.has("the program’s", card)
        self.page.press("Change", within=card)
        self.asks("Filled in when it is sent: {centre}, {link}")
        self.page.type(f"{DIALOG} textarea", "Open {words} ")
        self.page.has("{words} is no variable of link", DIALOG)
        self.page.type(f"{DIALOG} textarea", "Öffne {link} ✓")
        self.page.has("Öffne https://", DIALOG)
        self.page.has("A letter in it halves what fits into one.", DIALOG)
        self.looked_at("wordings-preview")
        self.presses("Save")
        self.page.has("the centre’s", card)
        self.looked_at("wordings")
        self.page.press("Give up", within=card)
        self.asks("The program’s own words are said again.")
        self.presses("Give up")
        self.page.has("the program’s", card)
        self.part("E-mail and SMS")

    def sends(self, name, to):
        self.page.press("Send a test", within=self.card(name))
        self.asks(f"Test: {name}")
        self.writes("to", to)
        self.presses("Send a test")
        self.did(f"A test by {name} is on its way.")

    def uses_a_phone(self):
        self.page.resize(**PHONE)
        wide = self.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        hold(wide <= 0, f"the page is {wide} px wider than the screen")
        self.looked_at("senders-phone")
        self.page.resize(1440, 900)

    def reads_german(self):
        self.page.evaluate("localStorage.setItem('language', 'de')")
        self.page.reload()
        self.ready()
        self.page.has("E-Mail und SMS", ".tabs")
        self.page.has("Kann nicht senden", self.CARDS.format("SMS"))
        self.looked_at("senders-german")


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--screenshots")
    parser.set_defaults(axe=None)
    run(main, parser.parse_args())
