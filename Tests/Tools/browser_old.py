#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The caller's page in a browser of four years ago: a real one from which is taken what those did not have. Who has an old phone registers, chats, sends a
location, answers, and shows video by what remains, or is told in words that video cannot be sent.

Ends with 77 where no Chromium is installed.
"""

import os

import centre
from browser_caller import NUMBER, SIZE
from browser_emergency import open_browser, said, state_of
from browser_pictures import bitmap, choose
from centre import Centre, hold
from daybook import until
from story import tell, watched

# What came later than Safari 16.1 and Chrome 107, or was never everywhere. This program itself looks with what is taken away.
OLD = """(() => {
    Element.prototype.isShown = Element.prototype.checkVisibility;
    const gone = [[Element.prototype, 'checkVisibility'], [Intl, 'Segmenter'], [String.prototype, 'toWellFormed'], [String.prototype, 'isWellFormed'], [AbortSignal, 'any'],
        [Promise, 'withResolvers'], [Promise, 'try'], [Array, 'fromAsync'], [Object, 'groupBy'], [Map, 'groupBy'], [URL, 'canParse'], [Array.prototype, 'toSorted'],
        [Array.prototype, 'toReversed'], [Array.prototype, 'toSpliced'], [Array.prototype, 'with'], [window, 'OffscreenCanvas'], [Navigator.prototype, 'wakeLock'],
        [window, 'PushManager'], [window, 'GeolocationPositionError'], [window, 'MediaStreamTrackProcessor'], [window, 'VideoEncoder'], [window, 'VideoDecoder'],
        [window, 'VideoFrame'], [HTMLVideoElement.prototype, 'requestVideoFrameCallback'], ...(window.name === 'without a recorder' ? [[window, 'MediaRecorder']] : [])];
    for (const [where, name] of gone) delete where[name];
    window.isOfYearsAgo = gone.every(([where, name]) => !(name in where));
})()"""


def main(options, folder):
    desk = Centre(options.daybook, folder).open()
    with open_browser(folder) as browser:
        old = Old(desk, browser, folder)
        with watched(old.pages, folder):
            tell(old.colours, old.registers, old.chats, old.sends_picture, old.sends_location, old.shows_video, old.cannot_show_video)
    desk.verify()


class Old:
    def __init__(self, desk, browser, folder):
        self.desk, self.folder, self.operator = desk, folder, desk.staff("amina")
        self.address = f"http://127.0.0.1:{desk.port}"
        page = self.page = browser.context().page("about:blank", **SIZE)
        look = page.evaluate
        page.evaluate = lambda expression: look(expression.replace("checkVisibility()", "isShown()"))
        page.before(OLD)
        page.place(51.6565, -0.3903)
        self.pages = [page]

    def kinds(self, kind):
        return [entry for entry in self.desk.entries() if entry["type"] == kind]

    def asks(self, what):
        hold(self.operator.post(f"/v1/sessions/{self.session}/requests", {"ask": what}).ok, f"the caller is asked to {what}")

    def colours(self):
        """Every colour is one that those browsers know: what they do not know leaves fields and buttons invisible."""
        for file in ("ui/tokens.css", "ui/base.css", "call/call.css"):
            text = self.desk.client().get(f"/web/{file}").body.decode()
            later = [word for word in ("light-dark(", "color-mix(", "oklch(", "&:", ":has(", "@container") if word in text]
            hold(not later, f"{file} needs {later}")

    def registers(self):
        code = self.operator.post("/v1/devices/codes", {"phone": "+447712345678", "reason": "x"}).json["code"]
        self.page.go(f"{self.address}/call")
        hold(self.page.evaluate("window.isOfYearsAgo"), "the browser is old")
        self.page.wait_for(NUMBER, what="the number to dial")
        self.page.type("#register [name=phone]", "+44 7712 345678")
        self.page.type("#register [name=code]", code)
        self.page.press("Register this phone")
        self.page.has("+44", "#number")

    def chats(self):
        self.page.press("Chat with the emergency centre")
        self.page.press("Yes, I need help")
        self.page.type("#write textarea", "We are on the roof")
        self.page.key("Enter")
        state_of(self.page, "#log", "We are on the roof", "taken")
        self.session = self.operator.get("/v1/sessions?state=open").json["items"][0]["id"]
        hold(self.operator.post(f"/v1/sessions/{self.session}/claim").ok, "it is taken")
        self.page.has("An operator is with you", "#chat-with")
        hold(self.operator.post(f"/v1/sessions/{self.session}/messages", {"text": "Stay where you are"}).ok, "the operator answers")
        said(self.page, "#log", "Stay where you are")

    def sends_picture(self):
        """Also one that has to be made smaller first."""
        path = os.path.join(self.folder, "plan.bmp")
        bitmap(path)
        choose(self.page, "#write", path)
        self.page.wait_for("Boolean(document.querySelector('#log li.mine .picture')?.closest('li').querySelector('[data-state=taken], [data-state=delivered], [data-state=seen]'))", what="the picture arrives")
        hold(self.kinds("chat.attachment_added/1")[0]["data"]["mediaType"] == "image/jpeg", "as a JPEG")

    def sends_location(self):
        self.asks("send_location")
        self.page.press("Send my location", within="#asked")
        self.page.has("You sent your location, accurate to 12 m.", "#log")

    def shows_video(self):
        """Without an encoder of the page's own, by the browser's recorder."""
        self.asks("start_video")
        self.page.press("Show video", within="#asked")
        self.page.has("LIVE", "#film-state")
        self.page.wait_for("document.querySelector('#preview').videoWidth > 0")
        stream = self.kinds("stream.started/1")[0]["subject"].split("/")[1]
        until(lambda: self.kinds("stream.chunk_archived/1"), "video arrives")
        self.page.click("#film-stop")
        self.page.press("Continue the chat")
        self.page.has("You stopped your video.", "#log")
        found = self.operator.get(f"/v1/streams/{stream}").json
        hold(found["chunks"] > 0 and found["bytes"] > 0, f"the video is there: {found}")

    def cannot_show_video(self):
        """Where there is not even a recorder, that is said in words, and everything else goes on."""
        self.page.evaluate("void (window.name = 'without a recorder')")
        self.page.reload()
        self.page.wait_for("!document.querySelector('#chat').hidden")
        hold(self.page.evaluate("window.isOfYearsAgo && !('MediaRecorder' in window)"), "there is no recorder")
        self.page.click("#chat-video")
        self.page.noticed("This browser cannot send video. You can chat and send your location.")
        self.page.type("#write textarea", "I cannot show it")
        self.page.key("Enter")
        state_of(self.page, "#log", "I cannot show it", "taken")


if __name__ == "__main__":
    centre.run(main, centre.arguments(__doc__).parse_args())
