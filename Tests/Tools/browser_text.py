#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An operator sends a caller the one-use link, and a phone its code, by SMS from the console; a real message centre (Kannel) carries them. The caller opens the link that
arrived, the code arrives on the number that it registers, and the console shows sent, delivered and opened.

  browser_text.py --daybook PATH [--screenshots FOLDER]

Ends with 77 where Chromium or Kannel is not installed.
"""

import re

from browser_emergency import open_browser, sign_in
from browser_link import command, enters, open_link, shot
from centre import Centre, arguments, hold, run
from daybook import until
from sms_centre import SmsCentre
from story import tell, watched

PHONE, OTHER = "+447700900123", "+447700900124"


def main(options, folder):
    desk = Centre(options.daybook, folder, options=["--site-name", "Watford Rescue"]).open()
    desk.staff("amina")
    address = f"http://127.0.0.1:{desk.port}"
    settings = {"isOn": True, "host": "127.0.0.1", "security": "none", "user": SmsCentre.name, "password": SmsCentre.password, "from": "8888", "reportsTo": address}
    hold(desk.admin.put("/v1/senders/sms", {**settings, "port": 1}).ok, "SMS is set up")
    incoming = desk.admin.get("/v1/senders").json["items"][1]["incoming"].split("&from=")[0] + "&"
    with open_browser(folder) as browser, SmsCentre(incoming=incoming) as sms:
        amina = sign_in(browser.context(), address, "amina")
        story = Story(options, desk, browser, sms, amina, address)
        with watched(story.pages, folder):
            tell(story.sends_a_link_before_there_is_a_way)
            hold(desk.admin.put("/v1/senders/sms", {**settings, "port": sms.port}).ok, "SMS is set up rightly")
            tell(story.link_arrives, story.caller_opens_it, story.sends_a_code, story.is_in_the_timeline)
    desk.stop()
    desk.verify("--decode")


class Story:
    def __init__(self, options, desk, browser, sms, amina, address):
        self.options, self.desk, self.browser, self.sms, self.amina, self.address = options, desk, browser, sms, amina, address
        self.pages = [amina]

    def sends_a_link_before_there_is_a_way(self):
        """While the message centre is away the console says that nothing left yet."""
        command(self.amina, PHONE)
        self.amina.has(f"Call {PHONE}", "#command ul")
        self.amina.key("Enter")
        self.amina.has("waiting for the caller", "#main")
        command(self.amina, "link")
        self.amina.has("Send the caller a link", "#command ul")
        self.amina.key("Enter")
        self.amina.wait_for("document.querySelector('#link-dialog').open")
        self.code = self.amina.evaluate("document.querySelector('#link-code').textContent").replace(" ", "")
        shot(self.amina, self.options.screenshots, "text-link")
        self.amina.press("Send the link by SMS", within="#link-dialog")
        self.amina.has("not sent yet", "#link-sms")
        hold(not self.sms.messages(), "nothing was sent")

    def link_arrives(self):
        message = self.sms.wait_for(1)[0]
        self.amina.has("delivered", "#link-sms")
        shot(self.amina, self.options.screenshots, "text-delivered")
        hold(message["to"].lstrip("+") == PHONE[1:] and "Watford Rescue" in message["text"], f"what arrived: {message}")
        hold(self.code not in message["text"], "the code goes another way than the link")
        self.path = re.search(r"http://127\.0\.0\.1:\d+(/j/\w+)", message["text"])[1]

    def caller_opens_it(self):
        caller = open_link(self.browser, self.address, self.path, self.pages)
        enters(caller, self.code)
        self.amina.has("opened, the caller is in", "#link-dialog")
        self.amina.press("Done", within="#link-dialog")

    def sends_a_code(self):
        command(self.amina, f"code {OTHER}")
        self.amina.has(f"Code for {OTHER}", "#command ul")
        self.amina.key("Enter")
        self.amina.wait_for("document.querySelector('#why-dialog').open")
        self.amina.type("#why-text", "a new phone")
        self.amina.press("Give the code", within="#why-dialog")
        self.amina.wait_for("document.querySelector('#code-dialog').open")
        code = self.amina.evaluate("document.querySelector('#code-value').textContent")
        self.amina.press("Send the code by SMS", within="#code-dialog")
        self.amina.has("delivered", "#code-sms")
        shot(self.amina, self.options.screenshots, "text-code")
        text = until(lambda: next((one["text"] for one in self.sms.messages() if one["to"].lstrip("+") == OTHER[1:]), None), "the code arrives")
        hold(code.replace(" ", "") in text.replace(" ", "") and "/call" in text, f"what arrived: {text}")
        given = re.search(r"code is ([\w ]+?)\.", text)[1]
        registered = self.desk.client().post("/v1/devices", {"phone": OTHER, "code": given}, key=False)
        hold(registered.status == 201, f"the code that arrived registers the phone: {registered}")
        self.amina.press("Done", within="#code-dialog")

    def is_in_the_timeline(self):
        """What was sent stands in the incident's timeline, without the link."""
        session = next(entry for entry in self.desk.entries() if entry["type"] == "session.created/1")["subject"].split("/")[1]
        lines = self.desk.admin.get(f"/v1/incidents/{session}/timeline").body.decode()
        for kind in ("alert.queued", "alert.sent", "alert.reported"):
            hold(kind in lines, f"{kind} is in the timeline")
        hold(self.path not in lines, "the link is told to nobody else")


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--screenshots")
    run(main, parser.parse_args())
