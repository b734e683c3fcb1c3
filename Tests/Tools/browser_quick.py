#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a caller in a hurry has under the thumb: whom to call in one touch, a picture from the camera or a saved one, words as large as needed, a view that can be cleared, and the number to
dial where there is no network. Chosen for this device, it is there after a reload.

Ends with 77 where no Chromium is installed.
"""

import os

import centre
from browser_emergency import open_browser, register, said, sign_in, state_of
from browser_pictures import PICTURES
from centre import Centre, hold
from story import tell, watched

SIZE = {"width": 390, "height": 844, "touch": True}
# No text is cut off, nothing lies beside the screen, and each button is large enough for a thumb.
HOLDS = """(() => { const small = [...document.querySelectorAll('#chat button')].filter((e) => e.checkVisibility()).map((e) => [e.innerText, e.getBoundingClientRect()])
    .filter(([, r]) => r.width < 44 || r.height < 44 || r.left < 0 || r.right > innerWidth + 0.5 || r.bottom > innerHeight + 0.5).map(([text]) => text);
    return [...(document.documentElement.scrollWidth > innerWidth ? ['the page is wider than the screen'] : []), ...small]; })()"""


def main(options, folder):
    desk = Centre(options.daybook, folder).open()
    desk.staff("amina")
    address = f"http://127.0.0.1:{desk.port}"
    with open_browser(folder) as browser:
        amina = sign_in(browser.context(), address, "amina")
        caller = register(browser.context(), address, amina, **SIZE)
        other = browser.context().page(address)
        play = Play(options, desk, amina, caller)
        with watched([amina, caller, other], folder):
            tell(play.services, play.pictures, play.shot, play.text_size, play.cleared, play.no_network, play.in_german)
            module(desk, desk.staff("john"), other, address)
    desk.verify()


def module(desk, operator, page, address):
    """The module for other pages: loaded, a message sent and delivered, and one of the centre's received."""
    token = desk.caller(operator).token
    page.evaluate(f"""import("/web/client/daybook-chat.js").then(({{ DaybookChat }}) => {{ window.told = [];
        window.chat = new DaybookChat({{ url: {address!r}, token: {token!r}, delegate: {{ didFinishLoadingWithStatus: (status) => told.push(status),
            messageReceivedFrom: (...what) => told.push(what.join(": ")) }} }}); }})""")
    page.wait_for("window.told?.length === 1")
    sent = page.evaluate("chat.sendMsg({ text: 'There is a fire', quickResponse: 'fire' })")
    session = page.evaluate("chat.session")
    said = [entry["data"] for entry in desk.entries() if entry["type"] == "chat.message_sent/1" and entry["subject"] == f"session/{session}"]
    hold(sent == {"status": 0, "id": said[0]["message"]}, f"the answer is {sent}, the ledger has {said}")
    hold(operator.post(f"/v1/sessions/{session}/claim").ok and operator.post(f"/v1/sessions/{session}/messages", {"text": "Where?"}).ok, "the operator writes")
    page.wait_for("told.length === 2")
    hold(page.evaluate("told") == [0, "operator: Where?"], f"the delegate was told {page.evaluate('told')}")
    page.evaluate("void chat.close()")


class Play:
    def __init__(self, options, desk, amina, caller):
        self.desk, self.amina, self.caller, self.shots = desk, amina, caller, options.screenshots
        if self.shots:
            os.makedirs(self.shots, exist_ok=True)

    def look(self, name):
        if self.shots:
            self.caller.screenshot(os.path.join(self.shots, f"{name}.png"))

    def told(self, kind):
        return [entry["data"] for entry in self.desk.entries() if entry["type"] == kind]

    def services(self):
        """Three pictures with words; one touch, and the operator reads who is needed."""
        page = self.caller
        page.press("Chat with the emergency centre")
        page.press("Yes, I need help", within="#intent")
        page.wait_for("!document.querySelector('#chat').hidden")
        shown = page.evaluate("[...document.querySelectorAll('#services button')].map((e) => [e.innerText.trim(), Boolean(e.querySelector('svg').getBoundingClientRect().width)])")
        hold(shown == [["Police needed", True], ["Fire brigade needed", True], ["Ambulance needed", True]], f"the three are {shown}")
        self.look("chat")
        page.press("Fire brigade needed", within="#services")
        state_of(page, "#log", "Fire brigade needed", "taken")
        hold(page.evaluate("Boolean(document.querySelector('#log li.mine .bubble svg[data-service=fire]'))"), "the own bubble shows it")
        # The words move the button beneath them.
        self.amina.has("Fire brigade needed", "#queue")
        self.amina.press("Take it", within="#queue")
        self.amina.has("Fire brigade needed", "#main chat-log")
        message, = self.told("chat.message_sent/1")
        hold(self.told("chat.quick_response_chosen/1") == [{"message": message["message"], "service": "fire"}], "the ledger has which service it was")
        self.look("sent")

    def pictures(self):
        """The camera at once, or what is saved already: also several."""
        page = self.caller
        hold(page.evaluate("['camera', 'saved'].map((way) => document.querySelector(`#${way}-file`).getAttribute('capture'))") == ["environment", None], "one opens the camera, one does not")
        saved = page.send("Runtime.evaluate", {"expression": "document.querySelector('#saved-file')"})["result"]["objectId"]
        page.send("DOM.setFileInputFiles", {"files": [os.path.abspath(os.path.join(PICTURES, name)) for name in ("street.jpg", "street.png")], "objectId": saved})
        self.amina.wait_for("document.querySelectorAll('#main li:not(.mine) .picture').length === 2", what="both arrive")

    def shot(self):
        """While a video runs one touch sends what it shows; nobody has to approve it."""
        page = self.caller
        page.press("Show video", within="#chat header")
        page.has("LIVE", "#film-state")
        self.look("film")
        page.click("#film-shot")
        page.noticed("The picture is on its way")
        self.amina.wait_for("document.querySelectorAll('#main li:not(.mine) .picture').length === 3", what="the shot arrives")
        page.click("#film-chat")
        page.wait_for("document.querySelectorAll('#log li.mine .picture').length === 3", what="it stands in the caller's chat, too")

    def text_size(self):
        """As large as it gets, everything is still on the screen; and after a reload it is as large."""
        page = self.caller
        before = page.evaluate("parseFloat(getComputedStyle(document.querySelector('#write textarea')).fontSize)")
        page.click("#chat-view")
        self.look("view")
        page.click("#view .largest")
        page.press("Close", within="#view")
        page.wait_for("!document.querySelector('#view').open")
        self.holds("chat-largest")
        page.reload()
        page.wait_for("document.querySelectorAll('#log li.mine .picture').length === 3", what="the chat is on the screen again")
        after = page.evaluate("parseFloat(getComputedStyle(document.querySelector('#write textarea')).fontSize)")
        hold(after > 1.3 * before, f"the words were {before} px high, and are {after}")
        self.holds("chat-largest-again")
        page.resize(360, 640, touch=True)
        self.holds("chat-largest-small")
        room = page.evaluate("document.querySelector('#log').clientHeight")
        hold(room > 80, f"a small phone leaves {room} px for what was said")
        page.resize(**SIZE)
        page.press("Back", within="#chat")
        self.look("home-largest")
        page.press("Continue the chat")

    def holds(self, name):
        self.look(name)
        hold(self.caller.evaluate(HOLDS) == [], f"{name}: {self.caller.evaluate(HOLDS)}")

    def cleared(self):
        """The caller's screen is empty, and stays so over a reload; the operator has everything, and what is new comes."""
        page = self.caller
        page.click("#chat-view")
        page.click("#view .normal")
        page.press("Clear the view", within="#view")
        page.has("The emergency centre keeps all of it", "#clear")
        self.look("clear")
        page.press("Clear the view", within="#clear")
        page.noticed("The emergency centre keeps all messages")
        page.wait_for("document.querySelectorAll('#log li').length === 0", what="the view is empty")
        self.look("cleared")
        hold(self.amina.evaluate("document.querySelectorAll('#main li:not(.mine) .bubble').length") == 4, "the operator still has what was said")
        page.reload()
        self.amina.type("#main textarea", "Help is coming")
        self.amina.key("Enter")
        said(page, "#log", "Help is coming")
        hold(page.evaluate("[...document.querySelectorAll('#log .bubble')].map((e) => e.textContent)") == ["Help is coming"], "only what is new is seen")

    def no_network(self):
        """Without a network the number to dial is the largest thing on the screen."""
        page = self.caller
        page.sleep(True)
        page.wait_for("!document.querySelector('#connection').hidden")
        self.look("no-network")
        sizes = page.evaluate("""[...document.querySelectorAll('body *')].filter((e) => e.checkVisibility() && [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()))
            .map((e) => [parseFloat(getComputedStyle(e).fontSize), e.textContent.trim(), e.closest('a')?.getAttribute('href') ?? '']).sort(([one], [other]) => other - one).slice(0, 2)""")
        hold(sizes[0][1:] == ["112", "tel:112"] and sizes[0][0] > sizes[1][0], f"the largest are {sizes}")
        page.press("Ambulance needed", within="#services")
        page.has("Waiting to be sent", "#log li.mine:last-child")
        page.sleep(False)
        self.amina.has("Ambulance needed", "#main chat-log")

    def stays(self, page):
        """Without a network the largest words need more than the screen; the number is not scrolled away, nor cut off."""
        page.sleep(True)
        page.wait_for("!document.querySelector('#connection').hidden")
        page.wait_for("(scrollTo(0, 9999), scrollY > 0)", what="it is scrolled")
        self.look("german-no-network-largest")
        room = page.evaluate("""(() => { const e = document.querySelector('.emergency [data-emergency]'), r = e.getBoundingClientRect();
            return [r.left, r.top, innerWidth - r.right, innerHeight - r.bottom, e.clientWidth - e.scrollWidth]; })()""")
        hold(min(room) >= 0, f"around the number is {room}")
        page.sleep(False)

    def in_german(self):
        page = self.caller
        page.press("Back", within="#chat")
        page.evaluate("void (() => { const select = document.querySelector('#home .language-place select'); select.value = 'de'; select.dispatchEvent(new Event('change')); })()")
        page.wait_for("document.documentElement.lang === 'de' && !document.querySelector('#chat').hidden", what="the chat is in German")
        page.press("Rettungswagen nötig", within="#services")
        state_of(page, "#log", "Rettungswagen nötig", "taken")
        self.amina.has("Rettungswagen nötig", "#main chat-log")
        page.wait_for("document.querySelectorAll('#log li.mine .bubble svg[data-service=ambulance]').length === 2", what="also what was sent before this page is shown as what it was")
        self.holds("german-chat")
        page.click("#chat-view")
        self.look("german-view")
        page.click("#view .largest")
        page.press("Schließen", within="#view")
        self.holds("german-chat-largest")
        self.stays(page)
        page.resize(1440, 900)
        page.dark(True)
        self.holds("german-chat-wide-dark")


if __name__ == "__main__":
    parser = centre.arguments(__doc__)
    parser.add_argument("--screenshots", help="a folder for pictures of the page, to be looked at")
    centre.run(main, parser.parse_args())
