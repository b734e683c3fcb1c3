#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pictures in a chat between two real browser windows: sent from both sides, shown small and large, kept over a reload, looked at again when the chat has ended.

Ends with 77 where no Chromium is installed.
"""

import os
import struct

import centre
from browser_emergency import open_browser, register, sign_in
from centre import Centre, hold
from story import tell, watched

PICTURES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "fixtures", "pictures")


def main(options, folder):
    desk = Centre(options.daybook, folder).open()
    operator = desk.staff("amina")
    address = f"http://127.0.0.1:{desk.port}"
    with open_browser(folder) as browser:
        browser.ignores_policy = bool(options.axe)
        amina = sign_in(browser.context(), address, "amina")
        caller = register(browser.context(), address, amina, width=390, height=844, touch=True)
        play = Play(options, folder, desk, operator, amina, caller)
        with watched(play.pages, folder):
            tell(play.chat, play.from_caller, play.large, play.from_operator, play.other_files, play.kept, play.earlier_chats)
        hold(not play.faults, "\n".join(play.faults))
    desk.verify("--decode")


def choose(page, within, path):
    """Gives a file to the page's chooser, as a person does by its dialog."""
    chooser = page.send("Runtime.evaluate", {"expression": f"document.querySelector('{within} input[type=file]')"})["result"]["objectId"]
    page.send("DOM.setFileInputFiles", {"files": [os.path.abspath(path)], "objectId": chooser})


def bitmap(path, width=64, height=48):
    """A picture of a kind that the gateway does not take, and every browser reads."""
    rows = b"".join(bytes((x * 4 & 255, y * 5 & 255, 90)) for y in range(height) for x in range(width))
    with open(path, "wb") as file:
        file.write(b"BM" + struct.pack("<IHHI", 54 + len(rows), 0, 0, 54) + struct.pack("<IiiHHIIiiII", 40, width, height, 1, 24, 0, len(rows), 0, 0, 0, 0) + rows)


class Play:
    def __init__(self, options, folder, desk, operator, amina, caller):
        self.options, self.folder, self.desk, self.operator, self.amina, self.caller = options, folder, desk, operator, amina, caller
        self.pages = [amina, caller]
        self.axe, self.faults = options.axe and open(options.axe).read(), []
        if options.screenshots:
            os.makedirs(options.screenshots, exist_ok=True)

    def both_themes(self, page, name):
        for isDark in (False, True) if self.options.screenshots or self.axe else ():
            page.dark(isDark)
            theme = "dark" if isDark else "light"
            if self.options.screenshots:
                page.screenshot(os.path.join(self.options.screenshots, f"{name}-{theme}.png"))
            if self.axe:
                self.faults += [f"{name}, {theme}: {fault}" for fault in page.axe(self.axe)]

    def pictures(self):
        return [entry["data"] for entry in self.desk.entries() if entry["type"] == "chat.attachment_added/1"]

    def shown(self, page, count, mine, within):
        """Waits until so many pictures of one side can be seen; their widths."""
        side = "li.mine" if mine else "li:not(.mine)"
        images = f"[...document.querySelectorAll('{within} {side} .picture img')].map((i) => i.naturalWidth).filter(Boolean)"
        return page.wait_for(f"{images}.length === {count} && {images}", what=f"{count} pictures")

    def chat(self):
        self.caller.press("Chat with the emergency centre")
        self.caller.press("Yes, I need help", within="#intent")
        self.caller.type("#write textarea", "Look at this")
        self.caller.key("Enter")
        self.amina.press("Take it", within="#queue")
        self.amina.has("Look at this", "#main chat-log")

    def from_caller(self):
        choose(self.caller, "#write", os.path.join(PICTURES, "street.jpg"))
        hold(self.shown(self.amina, 1, False, "#main") == [96], "the operator sees the caller's picture")
        self.shown(self.caller, 1, True, "#log")
        self.caller.wait_for("Boolean(document.querySelector('#log li.mine:last-child [data-state=seen]'))", what="the picture is seen")
        hold("Seen" in self.caller.text("#log li.mine:last-child"), "its state is told in words")

    def large(self):
        """A click, or a key, and it is large; what the camera wrote into it is still there."""
        self.amina.click("#main li:not(.mine) .picture")
        self.amina.wait_for("document.querySelector('dialog.large-picture').open && document.querySelector('dialog.large-picture img').naturalWidth === 96")
        entry = next(entry for entry in self.desk.entries() if entry["type"] == "chat.attachment_added/1")
        kept = self.desk.admin.get(f"/v1/sessions/{entry['subject'].split('/')[1]}/pictures/{entry['data']['message']}").body
        with open(os.path.join(PICTURES, "street.jpg"), "rb") as file:
            hold(kept == file.read() and b"Exif" in kept, "the picture is not as it was sent")
        self.both_themes(self.amina, "console-picture-large")
        self.amina.key("Escape")
        self.amina.wait_for("!document.querySelector('dialog.large-picture')")
        self.amina.evaluate("document.querySelector('#main li:not(.mine) .picture').focus()")
        self.amina.key("Enter")
        self.amina.press("Close", within="dialog.large-picture")

    def from_operator(self):
        choose(self.amina, "#main .write", os.path.join(PICTURES, "street.png"))
        self.shown(self.caller, 1, False, "#log")
        self.amina.wait_for("Boolean(document.querySelector('#main li.mine:last-child [data-state=seen]'))", what="the picture is seen")
        self.both_themes(self.amina, "console-pictures")
        self.both_themes(self.caller, "call-pictures")

    def other_files(self):
        """What the gateway would not take is made into what it takes, or refused in words."""
        path = os.path.join(self.folder, "plan.bmp")
        bitmap(path)
        choose(self.caller, "#write", path)
        hold(self.shown(self.amina, 2, False, "#main") == [96, 64], "the plan arrives")
        hold(self.pictures()[-1]["mediaType"] == "image/jpeg", "as a JPEG")
        with open(os.path.join(self.folder, "notes.txt"), "w") as file:
            file.write("no picture")
        choose(self.caller, "#write", file.name)
        self.caller.has("not a picture that can be sent", "#log")
        self.caller.wait_for("Boolean(document.querySelector('#log li.failed button'))", what="it can be tried again")
        hold(len(self.pictures()) == 3, "nothing of it is recorded")

    def kept(self):
        """Sent while nobody is there, and the page reloaded meanwhile: it arrives once the gateway is back, and once."""
        self.caller.wait_for("navigator.serviceWorker.ready.then((r) => Boolean(r.active))")
        self.caller.reload()
        hold(self.shown(self.caller, 1, False, "#log") == [96], "pictures are there after a reload")
        self.desk.gateway.kill()
        for page in self.pages:
            page.is_gateway_away = True
        self.caller.has("Connecting again", "#chat-notices")
        choose(self.caller, "#write", os.path.join(PICTURES, "street.webp"))
        self.caller.has("Waiting to be sent", "#log li.mine:last-child")
        self.caller.wait_for("new Promise((done) => { const o = indexedDB.open('pictures', 1); o.onsuccess = () => { const r = o.result.transaction('waiting')"
                             ".objectStore('waiting').count(); r.onsuccess = () => { done(r.result === 1); o.result.close(); }; }; })", what="it is kept on the device")
        self.caller.reload()
        self.caller.wait_for("!document.querySelector('#home').hidden", what="the page opens without the gateway")
        self.desk.start()
        hold(self.shown(self.amina, 3, False, "#main") == [96, 64, 96], "what was kept arrives")
        self.caller.wait_for("!document.querySelector('#chat').hidden", what="the chat is on the screen again")
        self.caller.wait_for("Boolean(document.querySelector('#log li.mine:last-child [data-state=seen]'))", what="it is seen")
        hold([one["mediaType"] for one in self.pictures()] == ["image/jpeg", "image/png", "image/jpeg", "image/webp"], f"the ledger has {self.pictures()}")

    def earlier_chats(self):
        """The caller reads all earlier chats, the newest first, a page at a time; the pictures of the oldest stand in it, and open large."""
        self.amina.key("x", alt=True)
        self.amina.press("Close the session", within="#leave-dialog")
        self.caller.has("This chat has ended")
        self.caller.press("Back to the beginning")
        # More than one page of them, before and after a contact in which nobody wrote.
        for number in (*range(1, 6), None, *range(6, 12)):
            self.chats(number and f"Chat {number}")
        page = self.caller
        page.click("#history summary")
        heard = "[...document.querySelectorAll('#history .earlier')].map((chat) => chat.innerText.match(/Chat \\d+|Look at this/)[0])"
        said = [f"Chat {number}" for number in range(11, 0, -1)] + ["Look at this"]
        first = page.wait_for(f"!document.querySelector('#history-list > button').hidden && {heard}", what="the first page")
        hold(0 < len(first) < 12 and first == said[:len(first)], f"the first page has {first}")
        self.both_themes(page, "call-earlier")
        page.press("More", within="#history-list")
        page.wait_for(f"document.querySelector('#history-list > button').hidden && {heard}.length === 12", what="all of them")
        hold(page.evaluate(heard) == said, f"the pages have {page.evaluate(heard)}")
        hold(page.evaluate("document.activeElement.matches('#home')"), "the keyboard stays where the button was")
        page.evaluate("document.querySelector('#history .earlier:last-child .picture:last-of-type').scrollIntoView({ block: 'center' })")
        seen = "[...document.querySelectorAll('#history .earlier:last-child .picture img')]"
        page.wait_for(f"{seen}.length === 4 && {seen}.every((image) => (image.scrollIntoView(), image.naturalWidth > 0))", what="the pictures are there")
        hold(page.evaluate(f"{seen}.map((image) => image.alt)") == ["Picture that you sent", "Picture from the other side", "Picture that you sent", "Picture that you sent"], "each says whose it is")
        self.both_themes(page, "call-earlier-pictures")
        page.click("#history .earlier:last-child .picture")
        page.wait_for("document.querySelector('dialog.large-picture').open && document.querySelector('dialog.large-picture img').naturalWidth === 96")
        page.press("Close", within="dialog.large-picture")
        # Opened once more it is read once more, and nothing stands there twice.
        for _ in range(2):
            page.evaluate("document.querySelector('#history summary').click()")
        page.wait_for(f"{heard}.length === {len(first)}")

    def chats(self, text):
        """The caller's phone has a contact, in which it writes a text or nothing, and the operator ends it."""
        phone = self.desk.client(self.caller.evaluate("localStorage.getItem('phone-token')"))
        chat, session = self.desk.chat(phone)
        hold(not text or phone.post(f"/v1/sessions/{session}/messages", {"text": text}).ok, "the phone writes")
        for command, body in (("claim", None), ("close", {"disposition": "handled"})):
            hold(self.operator.post(f"/v1/sessions/{session}/{command}", body).ok, f"the operator's {command}")
        chat.drop()


if __name__ == "__main__":
    parser = centre.arguments(__doc__)
    parser.add_argument("--axe", help="axe.min.js, to look for what keeps people out")
    parser.add_argument("--screenshots", help="a folder for pictures of the pages, to be looked at")
    centre.run(main, parser.parse_args())
