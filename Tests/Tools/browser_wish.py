#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A caller who wants to show video unasked (ruling 35): the wish stands in the operators' queue with its place and what is left of its time, one press lets it begin by itself; of two who press
one gets it; what nobody takes is over; whoever has written need not ask. The camera is asked for before the centre is, the wish outlives a reload of the caller's page, and the caller takes it back
for everybody.

Ends with 77 where no Chromium is installed.
"""

from browser_emergency import open_browser, register, sign_in
from centre import Centre, hold
from story import tell, watched

PHONES = ("+447700900301", "+447700900302")
WISH = "#wish-video"
TOUCH = "#video-touch"
TOLD = "The emergency centre has your wish to show video."
# Keeps what the browser gave of the camera.
CAMERAS = """void (() => { const devices = navigator.mediaDevices, open = devices.getUserMedia.bind(devices); window.cameras = [];
    devices.getUserMedia = async (wanted) => { const media = await open(wanted); window.cameras.push(media); return media; }; })()"""


def main(options, folder):
    desk = Centre(options.daybook, folder).open()
    for login in ("amina", "john"):
        desk.staff(login)
    address = f"http://127.0.0.1:{desk.port}"
    with open_browser(folder, asks=True) as browser:
        consoles = [sign_in(browser.context(), address, login) for login in ("amina", "john")]
        contexts = [browser.context() for _ in PHONES]
        callers = [register(context, address, consoles[0], phone=phone, width=390, height=844, touch=True) for context, phone in zip(contexts, PHONES)]
        pages = [*consoles, *callers]
        with watched(pages, folder):
            wishes = Wishes(options, desk, consoles, callers, contexts[0])
            tell(wishes.asks_for_the_camera_first, wishes.is_taken_back, wishes.is_asked_in_the_chat, wishes.waits, wishes.outlives_a_reload, wishes.begins_by_itself, wishes.writer_need_not_wait, wishes.nobody_comes)
    desk.verify()


class Wishes:
    def __init__(self, options, desk, consoles, callers, context):
        self.options, self.desk, self.context = options, desk, context
        self.amina, self.john = consoles
        self.first, self.second = callers

    def kinds(self, kind):
        return [entry for entry in self.desk.entries() if entry["type"] == kind]

    def shot(self, name, page):
        if self.options.screenshots:
            page.screenshot(f"{self.options.screenshots}/{name}.png")

    def wish(self, caller):
        caller.press("Show video", within="#home")
        caller.press("Yes, I need help")
        caller.has(TOLD, WISH)

    def camera(self, setting):
        """Whether the first caller's browser gives the camera; where it would ask there is nobody to say yes."""
        self.context.browser.send("Browser.setPermission", {"permission": {"name": "camera"}, "setting": setting, "browserContextId": self.context.name})

    def asks_for_the_camera_first(self):
        """Refused, nothing begins, and there are the chat and the telephone; allowed, it is let go of at once."""
        self.camera("denied")
        self.first.press("Show video", within="#home")
        self.first.has("Allow this page to use the camera", "#no-video")
        self.camera("prompt")
        self.first.evaluate("void (document.querySelector('#no-video-text').textContent = '')")
        self.first.press("Try again", within="#no-video")
        self.first.has("Allow this page to use the camera", "#no-video")
        hold(self.first.evaluate("document.querySelector('#no-video a').href") == "tel:112", "there is the telephone")
        self.shot("wish-refused", self.first)
        self.first.press("Chat with the emergency centre", within="#no-video")
        self.first.press("Back", within="#intent")
        hold(not self.kinds("session.created/1"), "nothing has begun")
        self.camera("granted")
        self.first.evaluate(CAMERAS)
        self.wish(self.first)
        hold(self.first.evaluate("cameras.length === 1 && cameras[0].getTracks().every((track) => track.readyState === 'ended')"), "the camera was asked for before the wish, and is off")

    def is_taken_back(self):
        """Pressed again it is pointed to; let go of it is no more in the queue, and the contact goes on as a chat."""
        for console in (self.amina, self.john):
            console.has("wants to show video", "#queue .pending")
        self.first.has("You are waiting for an operator", "#home-session")
        self.first.has("Chat instead of video", "#home-session")
        self.first.press("Show video", within="#home")
        self.first.wait_for(f"document.activeElement === document.querySelector('{WISH}')", what="the countdown is pointed to")
        self.first.press("Do not show video", within=WISH)
        self.first.wait_for(f"document.querySelector('{WISH}').hidden")
        for console in (self.amina, self.john):
            console.wait_for("[...document.querySelectorAll('#queue .pending .chip')].map((chip) => chip.textContent).join() === 'chat'", what="what waits is a chat")
        hold([len(self.kinds(f"session.video_{kind}/1")) for kind in ("wished", "wish_withdrawn")] == [1, 1], "it was put once, and taken back once")
        self.first.reload()
        self.first.has("Continue the chat", "#home-session")
        hold(self.first.evaluate(f"document.querySelector('{WISH}').hidden"), "what was taken back does not come again")

    def is_asked_in_the_chat(self):
        """The questions stand in the chat where that is shown."""
        self.first.press("Continue the chat", within="#home-session")
        self.camera("denied")
        self.first.press("Show video", within="#chat header")
        self.first.has("Allow this page to use the camera", "#chat #no-video")
        hold(self.first.evaluate("document.querySelector('#no-video').checkVisibility()"), "the question is seen")
        self.shot("wish-refused-chat", self.first)
        self.first.press("Continue the chat", within="#no-video")
        self.first.wait_for("document.querySelector('#no-video').hidden")
        self.camera("granted")
        self.first.press("Show video", within="#chat header")
        self.first.has(TOLD, WISH)
        self.camera("denied")
        self.first.reload()
        self.first.wait_for(f"document.querySelector('#chat {TOUCH}')?.checkVisibility()", what="it asks for one touch in the chat")
        hold(self.first.evaluate("document.querySelector('#write').getBoundingClientRect().bottom <= innerHeight"), "there is still a place to write")
        self.shot("wish-touch-chat", self.first)
        self.camera("granted")
        self.first.press("Do not show video", within=TOUCH)
        self.first.wait_for(f"document.querySelector('{WISH}').hidden && document.querySelector('{TOUCH}').hidden")
        self.first.press("Back", within="#chat")

    def waits(self):
        """No camera goes on; the queue shows who waits, where, and for how long."""
        self.first.place(51.6565, -0.3903)
        self.first.press("Show video", within="#home")
        self.first.has(TOLD, WISH)
        hold(not self.kinds("stream.started/1"), "nothing is filmed yet")
        self.first.click("#place-button")
        self.first.noticed("Your location was sent")
        hold(self.first.evaluate(f"[...document.querySelectorAll('.toasts > *')].every((notice) => notice.getBoundingClientRect().top >= document.querySelector('{WISH}').getBoundingClientRect().bottom)"), "no notice covers the countdown")
        for console in (self.amina, self.john):
            console.has("wants to show video", "#queue .pending")
            console.has("51.65650, -0.39030", "#queue .pending .where")
            console.wait_for("/^[12]:[0-5][0-9]$/.test(document.querySelector('#queue .pending .countdown')?.textContent)", what="the time that is left stands there")
        self.shot("wish-queue", self.amina)
        self.shot("wish-caller", self.first)

    def outlives_a_reload(self):
        """The page goes on waiting; where the browser does not give it the camera without a touch, it says so while there is time."""
        self.first.reload()
        self.first.has(TOLD, WISH)
        self.first.wait_for(f"/^[12]:[0-5][0-9]$/.test(document.querySelector('{WISH} .figures')?.textContent)", what="it counts down")
        self.first.has("Chat instead of video", "#home-session")
        hold(not self.first.evaluate(f"document.querySelector('{TOUCH}').checkVisibility()"), "nothing is to be touched")
        self.camera("denied")
        self.first.reload()
        self.first.wait_for(f"document.querySelector('{TOUCH}').checkVisibility()", what="it asks for one touch")
        self.shot("wish-touch", self.first)
        self.camera("granted")
        self.first.press("Show video", within=TOUCH)
        self.first.wait_for(f"document.querySelector('{TOUCH}').hidden && !document.querySelector('#no-video').checkVisibility()", what="the browser gives the camera")
        hold(len(self.kinds("session.video_wished/1")) == 3, "it is still the same wish")

    def begins_by_itself(self):
        """Two press at once: one gets it, the other is told who, and the phone films without another touch."""
        press = "document.querySelector('#queue .pending .acts .primary').click()"
        for console in (self.amina, self.john):
            console.evaluate(press)
        self.first.has("LIVE", "#film-state")
        hold(len(self.kinds("session.claimed/1")) == 1, "one has it")
        hold(len(self.kinds("stream.started/1")) == 1, "one stream began")
        self.first.press("Stop video")

    def writer_need_not_wait(self):
        """Who has written films at once, also before somebody came."""
        self.second.press("Chat with the emergency centre", within="#home")
        self.second.press("Yes, I need help")
        self.second.type("#write textarea", "There is smoke in the hall")
        self.second.key("Enter")
        self.amina.has("There is smoke in the hall", "#queue")
        self.second.press("Show video", within="#chat header")
        self.second.has("LIVE", "#film-state")
        self.second.press("Stop video")

    def nobody_comes(self):
        """What nobody takes in time is over: caller and operators read it, and the caller may ask once more."""
        for console in (self.amina, self.john):
            console.is_gateway_away = True
        for caller in (self.first, self.second):
            caller.is_gateway_away = True
        for entry in self.kinds("session.created/1"):
            session = entry["subject"].split("/")[1]
            closed = self.desk.admin.post(f"/v1/sessions/{session}/close", {"disposition": "handled"})
            hold(closed.ok, f"closing {session}: {closed}")
        self.desk.gateway.kill()
        self.desk.gateway.options = [*self.desk.gateway.options, "--start-limit", "2"]
        self.desk.start()
        self.first.wait_for("document.querySelector('#home').checkVisibility() && document.querySelector('#connection').hidden && !document.querySelector('#home-session .contact')", what="the phone is back at the start")
        self.wish(self.first)
        self.first.noticed("Nobody could take your video in time.")
        self.amina.wait_for("document.querySelectorAll('#queue .pending').length === 0", what="nobody waits any more")
        hold(len(self.kinds("session.expired/1")) == 1, "the wish ended the session in which nothing else was")


if __name__ == "__main__":
    from centre import arguments, run
    parser = arguments(__doc__)
    parser.add_argument("--screenshots", help="where pictures of the pages go")
    run(main, parser.parse_args())
