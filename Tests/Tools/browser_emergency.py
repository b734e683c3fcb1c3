#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A whole emergency between two real browser windows and the gateway, from signing in to closing.

An operator signs in at the console, a caller registers a phone; chat, video with looking back, a gateway that is killed
while video runs, a place, closing; then footage search and playback, and `daybook verify --decode` on the ledger.
Ends with 77 where no Chromium is installed.
"""

import json
import os

import centre
from centre import PASSWORD, Centre, hold
from chromium import CannotStart, Chromium
from daybook import until
from numbered import ENCODED, LEFT_OUT_MOST, NOTES, left_out, missing, numbered_film, numbers
from story import tell, watched

PHONE = "+447712345678"


def open_browser(folder, **options):
    """A browser; ends the program as skipped where none can be had."""
    try:
        return Chromium.launch(folder, **options)
    except CannotStart as reason:
        centre.skip(str(reason))


def sign_in(context, address, login, **size):
    page = context.page(f"{address}/console", **size)
    page.wait_for("!document.querySelector('#sign-in').hidden")
    page.type("#sign-in-form [name=login]", login)
    page.type("#sign-in-form [name=password]", PASSWORD)
    page.press("Sign in", within="#sign-in-form")
    page.has("No session is open", "#main")
    page.wait_for("document.querySelector('#feed-state').textContent === 'live'")
    return page


def register(context, address, console, phone=PHONE, **size):
    """The operator gives a code by the command bar, the caller's phone registers with it."""
    console.key("/")
    console.wait_for("document.activeElement.matches('#command input')", what="/ leads to the command bar")
    console.type("#command input", f"code {phone}")
    console.has(f"Code for {phone}", "#command ul")
    console.key("Enter")
    console.press("Give the code", within="#why-dialog")
    code = console.wait_for("document.querySelector('#code-dialog').open && document.querySelector('#code-value').textContent")
    console.press("Done", within="#code-dialog")
    page = context.page(f"{address}/call", **size)
    page.type("#register [name=phone]", f"{phone[:3]} {phone[3:7]} {phone[7:]}")
    page.type("#register [name=code]", code.lower())
    page.press("Register this phone")
    page.wait_for("!document.querySelector('#home').hidden")
    page.has(phone, "#number")
    return page


def sign_out(page):
    """Signs out; where that gives a session up it is asked first."""
    page.click("#sign-out-button")
    page.wait_for("document.querySelector('#out-dialog').open || !document.querySelector('#sign-in').hidden", what="it is asked, or done")
    if page.evaluate("document.querySelector('#out-dialog').open"):
        page.press("Sign out and give it up", within="#out-dialog")


def details(page):
    """Opens what else is known, where it is not open yet."""
    page.wait_for("document.querySelector('#main .known') !== null")
    if page.evaluate("document.querySelector('#main .known').hidden"):
        page.press("Details", within="#main")
    page.wait_for("!document.querySelector('#main .known').hidden")


def said(page, selector, text):
    """Waits until a message of the other side stands in the chat, after the word of a service if it was chosen by a press."""
    page.wait_for(f"[...document.querySelectorAll('{selector} li:not(.mine) .bubble')].some((e) => e.textContent.endsWith({text!r}))", what=f"{text!r} arrives")


def state_of(page, selector, text, state):
    """Waits until an own message has come that far."""
    way = ["taken", "delivered", "seen"]
    marks = ", ".join(f"[data-state={one}]" for one in way[way.index(state):])
    page.wait_for(
        f"Boolean([...document.querySelectorAll('{selector} li.mine')].find((e) => e.querySelector('.bubble').textContent === {text!r})"
        f"?.querySelector('{marks}'))", what=f"{text!r} is {state}")


def keeps(caller, least=2):
    """Waits until the caller's page keeps some seconds of video that it cannot send; how many it says that it keeps."""
    return int(caller.wait_for(f"(() => {{ const kept = document.querySelector('#film-state').textContent.match(/No connection · kept (\\d+)/)?.[1]; return Number(kept) >= {least} && kept; }})()", what=f"{least} seconds are kept"))


def whole_recording(operator, stream, encoded):
    """Waits until every picture that a page had encoded is in the recording; that so far."""
    def look():
        answer = operator.get(f"/v1/streams/{stream}/media")
        return answer.ok and missing(encoded, answer.body) <= LEFT_OUT_MOST and answer.body

    hold(len(encoded) > LEFT_OUT_MOST, f"the page encoded {len(encoded)} pictures")
    return until(look, f"all of {len(encoded)} pictures are recorded, but at most {LEFT_OUT_MOST} in a row", pause=0.5)


def main(options, folder):
    shots = options.screenshots
    if shots:
        os.makedirs(shots, exist_ok=True)
    desk = Centre(options.daybook, folder).open()
    with open_browser(folder, camera=options.media and numbered_film(options.media, folder)) as browser:
        browser.ignores_policy = bool(options.axe)
        Emergency(options, folder, desk, browser, shots).play()


class Emergency:
    def __init__(self, options, folder, desk, browser, shots):
        self.options, self.folder, self.desk, self.shots = options, folder, desk, shots
        self.operator = desk.staff("amina")
        desk.staff("john")
        address = f"http://127.0.0.1:{desk.port}"
        self.amina = sign_in(browser.context(), address, "amina")
        self.john = sign_in(browser.context(), address, "john", dark=True)
        self.phone = browser.context()
        self.caller = register(self.phone, address, self.amina, width=390, height=844, touch=True)
        self.caller.place(51.6565, -0.3903)
        self.pages = [self.amina, self.john, self.caller]
        self.axe, self.faults = options.axe and open(options.axe).read(), []

    def shot(self, page, name):
        if self.shots:
            page.screenshot(os.path.join(self.shots, f"{name}.png"))

    def both_themes(self, page, name):
        """Pictures in light and dark; with `--axe` what that program says of both."""
        for isDark in (False, True) if self.shots or self.axe else ():
            page.dark(isDark)
            theme = "dark" if isDark else "light"
            self.shot(page, f"{name}-{theme}")
            if self.axe:
                self.faults += [f"{name}, {theme}: {fault}" for fault in page.axe(self.axe)]

    def play(self):
        with watched(self.pages, self.folder):
            tell(self.front, self.chat, self.video, self.look_back, self.gateway_killed, self.caller_reloads, self.place, self.operator_reloads,
                 self.switches_to_chat, self.close, self.called, self.footage, self.ledger)
        hold(not self.faults, "\n".join(self.faults))

    # MARK: The story

    def front(self):
        """The first page leads to the others."""
        page = self.phone.page(self.amina.evaluate("location.origin") + "/", width=390, height=844, touch=True)
        self.both_themes(page, "front")
        page.press("I need help")
        page.wait_for("location.pathname === '/call' && !document.querySelector('#home')?.hidden")
        hold(not page.complaints, f"the front page complained: {page.complaints}")
        page.close()

    def chat(self):
        caller, amina, john = self.caller, self.amina, self.john
        self.both_themes(caller, "call-home")
        caller.press("Chat with the emergency centre")
        self.shot(caller, "call-intent")
        hold("Hoax calls cost lives" in caller.text("#intent"), "the hoax warning is shown")
        caller.press("Back", within="#intent")
        hold(not self.kinds("session.created/1"), "nothing is sent before the warning is accepted")
        caller.press("Chat with the emergency centre")
        caller.press("Yes, I need help")
        caller.wait_for("!document.querySelector('#chat').hidden")
        for page in (amina, john):
            page.has("Take it", "#queue")
        self.both_themes(amina, "console-queue")
        caller.press("Ambulance needed")
        state_of(caller, "#log", "Ambulance needed", "taken")
        caller.has("At the centre", "#log li.mine")
        caller.has("No operator has opened it yet", "#chat-notices")
        told = caller.evaluate("([...document.querySelectorAll('#quick button')].find((e) => e.textContent === 'I cannot speak').click(), document.querySelector('#chat-notices').textContent)")
        hold(told == "Your message is waiting to be sent.", f"of what the centre has not taken yet it is said: {told!r}")
        state_of(caller, "#log", "I cannot speak", "taken")
        # Not while the card is being drawn anew for these words.
        amina.has("Ambulance needed", "#queue")
        amina.press("Take it", within="#queue")
        amina.has("yours", "#main")
        john.has("With others", "#queue")
        hold(PHONE not in john.text(), "what is private to another operator is not shown")
        said(amina, "#main chat-log", "Ambulance needed")
        state_of(caller, "#log", "Ambulance needed", "seen")
        amina.type("#main textarea", "Where are you?")
        caller.has("The operator is writing", "#typing")
        amina.key("Enter")
        said(caller, "#log", "Where are you?")
        state_of(amina, "#main chat-log", "Where are you?", "seen")
        caller.type("#write textarea", "Valley Road, Watford")
        amina.has("The caller is writing", "#main .typing")
        caller.key("Enter")
        said(amina, "#main chat-log", "Valley Road, Watford")
        self.both_themes(caller, "call-chat")

    def video(self):
        caller, amina = self.caller, self.amina
        caller.evaluate(NOTES)
        amina.press("Ask for video")
        caller.has("Show video?", "#asked")
        amina.has("opened", "#main .asked")
        caller.press("Show video", within="#asked")
        amina.has("accepted", "#main .asked")
        caller.has("LIVE", "#film-state")
        amina.wait_for("document.querySelector('#main dvr-player').dataset.state === 'live'")
        self.plays(amina, "#main .player-screen > video")
        self.shot(caller, "call-video")

    def look_back(self):
        amina = self.amina
        amina.wait_for("Number(document.querySelector('#main .player-bar input').max) > 5", what="five seconds of video")
        self.both_themes(amina, "console-live")
        # It plays on while a busy machine looks: the page notes where it went.
        before = amina.evaluate("""(() => { const video = document.querySelector('#main .player-screen > video'), before = video.currentTime; window.wentTo = before;
            video.addEventListener('seeked', () => (window.wentTo = Math.min(window.wentTo, video.currentTime))); document.querySelector('#main dvr-player').step(-4); return before; })()""")
        amina.wait_for(f"window.wentTo < {before} - 1", what="an earlier moment is shown")
        amina.wait_for("!document.querySelector('#main .player-corner').hidden")
        self.plays(amina, "#main .player-screen > video")
        self.plays(amina, "#main .player-corner video")
        self.both_themes(amina, "console-looking-back")
        amina.press("Back to live", within="#main")
        amina.wait_for("document.querySelector('#main .player-corner').hidden")
        self.plays(amina, "#main .player-screen > video")

    def gateway_killed(self):
        """The caller's page goes on by itself; what was filmed meanwhile comes late."""
        before = len(self.kinds("stream.chunk_archived/1"))
        for page in self.pages:
            page.is_gateway_away = True
        self.desk.gateway.kill()
        self.caller.has("No connection", "#film-state")
        self.amina.has("reconnecting", "#feed-state")
        self.amina.type("#main textarea", "Are you still there?")
        self.amina.key("Enter")
        self.shot(self.caller, "call-no-connection")
        keeps(self.caller)
        self.desk.start()
        self.caller.has("LIVE", "#film-state")
        self.amina.wait_for("document.querySelector('#feed-state').textContent === 'live'")
        self.amina.wait_for("document.querySelector('#main dvr-player').dataset.state === 'live'")
        self.plays(self.amina, "#main .player-screen > video")
        state_of(self.amina, "#main chat-log", "Are you still there?", "delivered")
        for page in self.pages:
            page.is_gateway_away = False
        hold(len(self.kinds("stream.chunk_archived/1")) > before, "video is archived again")
        if self.options.media:
            self.counts_pictures()

    def counts_pictures(self):
        """Over the kill no picture is lost, and none is out of order; the kept part follows behind the picture of now."""
        stream = self.kinds("stream.started/1")[0]["subject"].split("/")[1]
        recording = whole_recording(self.operator, stream, self.caller.evaluate(ENCODED))
        rows = numbers(self.options.media, recording, os.path.join(self.folder, "killed.webm"))
        print(f"  {len(rows)} pictures, numbers {rows[0][1]} to {rows[-1][1]}, the camera left out at most {left_out(rows)} in a row")

    def caller_reloads(self):
        self.caller.reload()
        self.caller.has("LIVE", "#film-state")
        self.plays(self.amina, "#main .player-screen > video")
        hold(len(self.kinds("stream.started/1")) == 1, "it is still the same stream")
        # The chat is behind the video: what was said there was delivered, and nobody has seen it.
        self.caller.has("1", "#unread")
        words = self.caller.evaluate("(({ title }) => [title, document.querySelector('#film-chat-words').innerText])(document.querySelector('#film-chat'))")
        hold(words == ["Chat, 1 new"] * 2, f"the number is said with the name: {words}")
        hold(self.amina.evaluate("document.querySelector('#main chat-log li.mine:last-of-type [data-state=seen]') === null"), "what is not on the screen is not seen")

    def place(self):
        self.amina.press("Ask for the place")
        self.caller.has("Send your location?", "#asked")
        self.caller.press("Send my location", within="#asked")
        self.amina.has("51.656500, -0.390300", "#main place-map")
        self.amina.has("9C3XMJ45+JV", "#main place-map")
        details(self.amina)
        self.amina.type("#main [name=address]", "94 Broad Street, Birmingham")
        self.amina.press("Save the address")
        self.amina.noticed("Address saved")
        self.both_themes(self.amina, "console-session")

    def operator_reloads(self):
        self.amina.reload()
        self.amina.noticed("found again")
        said(self.amina, "#main chat-log", "Valley Road, Watford")
        self.plays(self.amina, "#main .player-screen > video")
        if self.shots:
            self.amina.resize(390, 844, touch=True)
            self.shot(self.amina, "console-phone")
            self.amina.resize(1440, 900)

    def switches_to_chat(self):
        """From video to chat the video stops (ruling 6); the message that came meanwhile is there."""
        self.caller.click("#film-chat")
        self.caller.wait_for("!document.querySelector('#chat').hidden")
        said(self.caller, "#log", "Are you still there?")
        state_of(self.amina, "#main chat-log", "Are you still there?", "seen")
        self.caller.wait_for("document.querySelector('#unread').hidden")
        self.amina.wait_for("document.querySelector('#main dvr-player').dataset.state === 'finalized'", what="the recording is finished")
        reasons = [entry["data"].get("reason") for entry in self.kinds("stream.stopped/1")]
        hold(reasons == ["navigated"], f"the stream was stopped for {reasons}")

    def close(self):
        amina, caller = self.amina, self.caller
        amina.key("x", alt=True)
        amina.has("Leave this session?", "#leave-dialog")
        self.shot(amina, "console-close")
        amina.press("Stay", within="#leave-dialog")
        amina.press("Close …")
        amina.press("Leave it open", within="#leave-dialog")
        amina.has("No session is open", "#main")
        # It is hers as before (ruling 34), and a press away.
        hold(not self.kinds("session.released/1"), "leaving gives nothing up")
        amina.press("Open", within="#queue")
        amina.has("yours", "#main")
        amina.press("Close …")
        amina.press("Give it back", within="#leave-dialog")
        self.john.has("left by its operator", "#queue")
        self.taken_while_shown()
        amina.press("Close …")
        amina.press("Give it back", within="#leave-dialog")
        self.john.has("left by its operator", "#queue")
        amina.press("Take it", within="#queue")
        amina.has("yours", "#main")
        amina.press("Close …")
        amina.type("#leave-dialog [name=note]", "ambulance sent")
        amina.press("Close the session", within="#leave-dialog")
        amina.has("No session is open", "#main")
        caller.has("This chat has ended")
        self.shot(caller, "call-ended")
        caller.press("Back to the beginning")

    def taken_while_shown(self):
        """A session that is opened by its id, and then taken, is heard from that moment on."""
        amina, caller = self.amina, self.caller
        amina.key("/")
        amina.type("#command input", self.kinds("session.created/1")[0]["subject"].split("/")[1])
        amina.has("Session", "#command ul")
        amina.key("Enter")
        amina.has("nobody's", "#main")
        caller.type("#write textarea", "Is somebody there?")
        caller.key("Enter")
        state_of(caller, "#log", "Is somebody there?", "taken")
        amina.press("Take it", within="#main")
        amina.has("yours", "#main")
        said(amina, "#main chat-log", "Is somebody there?")
        state_of(caller, "#log", "Is somebody there?", "seen")
        caller.type("#write textarea", "There is more smoke")
        caller.key("Enter")
        said(amina, "#main chat-log", "There is more smoke")

    def called(self):
        """The operator calls a number that is found by its beginning; the caller says no, and time runs out for nobody."""
        amina, caller = self.amina, self.caller
        amina.key("/")
        amina.type("#command input", "44771")
        amina.has(PHONE, "#command ul")
        self.both_themes(amina, "console-command")
        amina.key("ArrowDown")
        amina.key("Enter")
        amina.has("waiting for the caller", "#main")
        amina.wait_for("/^1:[0-5]\\d$/.test(document.querySelector('#main .countdown').textContent)", what="the countdown of two minutes")
        caller.has("Show video?", "#asked")
        caller.press("Not now", within="#asked")
        amina.has("declined", "#main .asked")
        caller.has("wants to reach you", "#home")
        self.shot(caller, "call-called")
        amina.press("Close …")
        amina.press("Close the session", within="#leave-dialog")
        amina.has("No session is open", "#main")

    def footage(self):
        amina = self.amina
        amina.press("Footage", within=".top")
        amina.type("#main [name=address]", "Birmingham")
        amina.press("Find", within="#main")
        amina.has("94 Broad Street", "#main tbody")
        self.slow_answer()
        amina.wait_for("document.querySelector('#main tbody img').naturalWidth > 0", what="a picture of the recording")
        self.finds_by_each()
        amina.press("Play", within="#main tbody")
        self.plays(amina, "#main .player-screen > video")
        amina.wait_for("document.querySelector('#main .player-screen > video').duration > 6", what="a duration")
        amina.evaluate("document.querySelector('#main dvr-player').step(5)")
        amina.wait_for("document.querySelector('#main .player-screen > video').currentTime > 4", what="seeking in the recording")
        self.both_themes(amina, "console-footage")
        hold(any("/media" in address for address in amina.sent), "it is played by byte ranges")

    def finds_by_each(self):
        """Address, date, operator, number and file name each find what has it by themselves, and nothing where nothing has."""
        amina, recordings = self.amina, self.operator.get("/v1/streams?limit=20").json["items"]
        of = next(one for one in recordings if "94 Broad Street" in one.get("address", ""))
        self.finds({"address": "broad street"}, [one for one in recordings if "Broad Street" in one.get("address", "")])
        self.finds({"address": "Nowhere"}, [])
        self.finds({"fromDate": of["date"], "toDate": of["date"]}, [one for one in recordings if one["date"] == of["date"]])
        self.finds({"toDate": "1999-12-31"}, [])
        self.finds({"operator": "amina"}, [one for one in recordings if one.get("operatorName") == "Amina"])
        self.finds({"operator": "john"}, [])
        for number in (PHONE, f"{PHONE[:3]} (0){PHONE[3:7]} {PHONE[7:]}", f"00{PHONE[1:6]}"):
            self.finds({"phone": number}, [one for one in recordings if one.get("phone") == PHONE])
        self.finds({"phone": "+4915112345678"}, [])
        self.finds({"fileName": of["fileName"]}, [of])
        self.finds({"fileName": "1999"}, [])
        self.asks_by({"phone": "unknown"})
        amina.noticed("Write the number, or how it begins, in digits.")
        self.finds({"address": "Birmingham"}, [one for one in recordings if "Birmingham" in one.get("address", "")])

    def finds(self, wanted, recordings):
        self.asks_by(wanted)
        names = sorted(one["fileName"] for one in recordings)
        self.amina.wait_for(f"JSON.stringify([...document.querySelectorAll('#main tbody code')].map((e) => e.textContent).sort()) === JSON.stringify({names})", what=f"{wanted} finds {names}")
        self.amina.wait_for(f"(document.querySelector('#main .footage > [role=status]').textContent === 'No recording was found.') === {'false' if names else 'true'}", what=f"what is said of {wanted}")

    def asks_by(self, wanted):
        self.amina.evaluate(f"""(() => {{ const form = document.querySelector('#main .footage form'); form.reset();
            for (const [name, value] of Object.entries({json.dumps(wanted)})) form.elements[name].value = value; }})()""")
        self.amina.press("Find", within="#main")

    def slow_answer(self):
        """An answer that comes behind that to a newer question shows nothing."""
        amina = self.amina
        amina.evaluate("""(() => { const real = window.fetch; window.isAnswered = false;
            window.fetch = async (path, options) => { const answer = await real(path, options); if (!String(path).includes('address=Birmingham')) return answer;
                await new Promise((go) => (window.letGo = go)); window.fetch = real; setTimeout(() => (window.isAnswered = true), 200); return answer; }; })()""")
        amina.press("Find", within="#main")
        amina.wait_for("Boolean(window.letGo)", what="the slow question is asked")
        amina.type("#main [name=address]", "Nowhere")
        amina.press("Find", within="#main")
        amina.has("No recording was found", "#main")
        amina.evaluate("window.letGo()")
        amina.wait_for("window.isAnswered")
        hold(amina.evaluate("document.querySelectorAll('#main tbody tr').length") == 0, "the older question's rows are not shown")
        amina.type("#main [name=address]", "Birmingham")
        amina.press("Find", within="#main")
        amina.has("94 Broad Street", "#main tbody")

    def ledger(self):
        consents = [entry["data"]["scope"] for entry in self.kinds("session.consent_recorded/1")]
        hold(consents[:2] == ["hoax_warning", "emergency_intent"], f"consents are {consents}")
        kinds = [entry["type"] for entry in self.desk.entries()]
        hold(kinds.index("session.consent_recorded/1") < kinds.index("chat.message_sent/1"), "the intent is recorded before anything is said")
        self.desk.verify("--decode")

    # MARK: Looking

    def plays(self, page, selector):
        """Waits until a video moves on by half a second."""
        at = f"document.querySelector('{selector}')"
        page.wait_for(f"{at}?.readyState >= 2 && {at}.videoWidth > 0", what=f"a picture in {selector}")
        begin = page.evaluate(f"{at}.currentTime")
        page.wait_for(f"Math.abs({at}.currentTime - {begin}) > 0.5 && !{at}.error", what=f"{selector} plays on from {begin}")

    def kinds(self, kind):
        """The events of a kind, beside the running gateway."""
        return [entry for entry in self.desk.entries() if entry["type"] == kind]


if __name__ == "__main__":
    parser = centre.arguments(__doc__)
    parser.add_argument("--media", help="the executable daybook-media, to film pictures that carry their numbers")
    parser.add_argument("--axe", help="axe.min.js, to look for what keeps people out")
    parser.add_argument("--screenshots", help="a folder for pictures of the pages, to be looked at")
    centre.run(main, parser.parse_args())
