#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A whole emergency in one go, in the browser that `--browser` names: a caller without the application joins by a link,
agrees, chats, films; the operator looks ten seconds back while live goes on; a gateway that is killed; the place; a
second caller of the same event; closing. Afterwards the ledger is asked: `daybook verify --decode`, and every picture by its number.

Ends with 77 where that browser is not installed.
"""

import os

import centre
from browser_emergency import PHONE, keeps, register, said, sign_in, state_of, whole_recording
from centre import Centre, hold
from chromium import Chromium
from daybook import until
from firefox import Firefox
from numbered import ENCODED, FILM, NOTES, PICTURES_A_SECOND, READ, left_out, numbered_film, numbers
from page import CannotStart
from story import tell, watched

OTHER_PHONE = "+447712345754"
MAIN = "document.querySelector('#main .player-screen > video')"
CORNER = "document.querySelector('#main .player-corner video')"
PLAYER = "document.querySelector('#main dvr-player')"


def main(options, folder):
    desk = Centre(options.daybook, folder).open()
    try:
        browser = (Firefox.launch(folder, camera=True) if options.browser == "firefox"
                   else Chromium.launch(folder, camera=numbered_film(options.media, folder)))
    except CannotStart as reason:
        centre.skip(str(reason))
    with browser:
        Whole(options, folder, desk, browser).play()


class Whole:
    def __init__(self, options, folder, desk, browser):
        self.options, self.folder, self.desk, self.browser = options, folder, desk, browser
        self.operator = desk.staff("amina")
        self.address = f"http://127.0.0.1:{desk.port}"
        self.amina = sign_in(browser.context(), self.address, "amina")
        self.pages = [self.amina]
        self.holes = []

    def play(self):
        with watched(self.pages, self.folder):
            tell(self.link, self.chat, self.video, self.ten_seconds_back, self.gateway_killed, self.place, self.second_caller, self.close,
                 self.pictures, self.ledger)

    # MARK: The story

    def link(self):
        """The operator calls a number; whoever has no application joins by a short link and a code that is read aloud."""
        amina = self.amina
        amina.key("/")
        amina.type("#command input", PHONE)
        amina.has(PHONE, "#command ul")
        amina.key("Enter")
        amina.has("waiting for the caller", "#main")
        amina.key("k", alt=True)
        amina.wait_for("document.querySelector('#link-dialog').open")
        address, code = amina.text("#link-url"), amina.text("#link-code").replace(" ", "")
        self.caller = self.browser.context().page(f"http://{address}", width=390, height=844, touch=True)
        self.pages.append(self.caller)
        self.caller.type("#join [name=code]", code.lower())
        self.caller.press("Join", within="#join")
        self.caller.wait_for("!document.querySelector('#home').hidden")
        amina.has("the caller is in", "#link-dialog")
        amina.press("Done", within="#link-dialog")
        again = self.desk.client().post("/v1/links/use", {"link": address, "code": code}, key=False)
        hold(not again.ok, f"the link is good once: {again}")

    def chat(self):
        caller, amina = self.caller, self.amina
        caller.press("Not now", within="#asked")
        amina.has("declined", "#main .asked")
        caller.press("Continue the chat")
        caller.type("#write textarea", "There is a fire behind the station")
        caller.key("Enter")
        said(amina, "#main chat-log", "There is a fire behind the station")
        state_of(caller, "#log", "There is a fire behind the station", "seen")
        amina.type("#main textarea", "Is anybody hurt?")
        amina.key("Enter")
        said(caller, "#log", "Is anybody hurt?")
        state_of(amina, "#main chat-log", "Is anybody hurt?", "seen")

    def video(self):
        caller, amina = self.caller, self.amina
        caller.evaluate(NOTES)
        amina.press("Ask for video")
        caller.press("Show video", within="#asked")
        amina.has("accepted", "#main .asked")
        caller.has("LIVE", "#film-state")
        self.plays(MAIN)
        self.stream = self.kinds("stream.started/1")[0]["subject"].split("/")[1]
        print(f"  codec {self.kinds('stream.started/1')[0]['data']['codec']}")

    def ten_seconds_back(self):
        """The main picture is of ten seconds ago and moves on; the one in the corner is of now and moves on."""
        amina = self.amina
        amina.evaluate(READ)
        amina.wait_for("Number(document.querySelector('#main .player-bar input').max) > 14", what="fourteen seconds of video")
        self.holes = amina.evaluate(f"(() => {{ const {{ buffered }} = {MAIN}; return Array.from({{ length: buffered.length - 1 }}, (_, i) => [buffered.end(i), buffered.start(i + 1)]); }})()")
        # It plays on while a busy machine looks: the page notes where it went.
        newest = amina.evaluate(f"""(() => {{ const video = {MAIN}; window.wentTo = Infinity; video.addEventListener('seeked', () => (window.wentTo = Math.min(window.wentTo, video.currentTime)));
            const newest = video.buffered.end(video.buffered.length - 1); {PLAYER}.step(-10); return newest; }})()""")
        # What is not here any more is fetched first.
        amina.wait_for(f"window.wentTo < {newest} - 8", what=f"a moment ten seconds before {newest}")
        self.plays(MAIN)
        self.plays(CORNER)
        both = f"(() => {{ const one = pictureNumber({MAIN}), other = pictureNumber({CORNER}); return one !== null && other !== null ? [one, other] : null; }})()"
        ahead = f"(({both} ?? [0, 0]).reduce((one, other) => other - one) + {FILM}) % {FILM}"
        amina.wait_for(f"{ahead} > 0 && {ahead} < {FILM // 2}", what="a later picture in the corner than in the main one")
        earlier, now = amina.wait_for(both, what="a number on both pictures")
        print(f"  {((now - earlier) % FILM) / PICTURES_A_SECOND:.1f} s between the earlier picture and live")
        for by in (-3, 1.3, 2.6):
            self.stands_still(by)
        amina.press("Back to live", within="#main")
        amina.wait_for("document.querySelector('#main .player-corner').hidden")
        self.plays(MAIN)

    def stands_still(self, by):
        """At a moment some seconds away, what is shown is what is recorded there, to one picture."""
        at = self.amina.evaluate(f"""(async () => {{ const video = {MAIN}; video.pause();
            const seeked = new Promise((resolve) => video.addEventListener('seeked', resolve, {{ once: true }}));
            video.currentTime += {by}; await seeked; return video.currentTime * 1000; }})()""")

        def reaches():
            rows = self.recorded()
            return rows[-1][0] > at + 1 and rows

        rows = until(reaches, f"the recording reaches {at:.0f} ms")
        place = max((place for place, row in enumerate(rows) if row[0] <= at + 1), default=0)
        near = [number for _, number in rows[max(0, place - 1):place + 2]]
        shown = self.amina.wait_for(f"(() => {{ const shown = pictureNumber({MAIN}); return {near}.includes(shown) && [shown]; }})()", what=f"at {at:.0f} ms one of the pictures {near}")[0]
        print(f"  at {at:.0f} ms picture {shown} is shown, {rows[place][1]} is recorded")

    def gateway_killed(self):
        for page in self.pages:
            page.is_gateway_away = True
        self.desk.gateway.kill()
        self.caller.has("No connection", "#film-state")
        keeps(self.caller)
        self.desk.start()
        self.caller.has("LIVE", "#film-state")
        self.amina.wait_for("document.querySelector('#feed-state').textContent === 'live'")
        self.amina.wait_for(f"{PLAYER}.dataset.state === 'live'")
        self.plays(MAIN)
        for page in self.pages:
            page.is_gateway_away = False
        self.amina.reload()
        self.amina.noticed("found again")
        self.plays(MAIN)

    def place(self):
        self.caller.place(51.6565, -0.3903)
        self.amina.press("Ask for the place")
        self.caller.press("Send my location", within="#asked")
        self.amina.has("51.656500, -0.390300", "#main place-map")
        self.amina.has("9C3XMJ45+JV", "#main place-map")

    def second_caller(self):
        amina = self.amina
        other = register(self.browser.context(), self.address, amina, phone=OTHER_PHONE, width=390, height=844, touch=True)
        self.pages.append(other)
        other.press("Chat with the emergency centre")
        other.press("Yes, I need help")
        other.type("#write textarea", "I can see the fire")
        other.key("Enter")
        other.press("Show video", within="#chat header")
        other.has("LIVE", "#film-state")
        amina.press("Same incident", within="#queue")
        amina.has("same incident", "#queue")
        amina.wait_for("document.querySelectorAll('#main .tile').length === 2")
        self.plays("document.querySelector('#main .tile[aria-pressed=false] video')")
        if self.options.screenshots:
            os.makedirs(self.options.screenshots, exist_ok=True)
            for number, page in enumerate(self.pages):
                page.screenshot(os.path.join(self.options.screenshots, f"{self.options.browser}-{number}.png"))
        other.press("Stop video")
        other.wait_for("!document.querySelector('#home').hidden")

    def close(self):
        amina, caller = self.amina, self.caller
        # What was kept during the outage follows behind the picture of now.
        self.encoded = caller.evaluate(ENCODED)
        whole_recording(self.operator, self.stream, self.encoded)
        caller.press("Stop video")
        amina.wait_for(f"{PLAYER}.dataset.state === 'finalized'", what="the recording is finished")
        amina.key("x", alt=True)
        amina.type("#leave-dialog [name=note]", "fire brigade sent")
        amina.press("Close the session", within="#leave-dialog")
        amina.has("No session is open", "#main")

    # MARK: Afterwards

    def pictures(self):
        """No picture is lost over the kill, and what the console had live is what is recorded."""
        recording = whole_recording(self.operator, self.stream, self.encoded)
        rows = numbers(self.options.media, recording, os.path.join(self.folder, "recording.webm"))
        print(f"  {len(rows)} pictures, of {len(self.encoded)} that were encoded; the camera left out at most {left_out(rows)} in a row")
        lost = [(hole, time) for hole in self.holes for time, _ in rows if hole[0] * 1000 + 1 < time < hole[1] * 1000 - 1]
        hold(not lost, f"pictures are recorded where the console, live, had none: {lost}")

    def recorded(self):
        """The numbered pictures that are recorded by now."""
        return numbers(self.options.media, self.operator.get(f"/v1/streams/{self.stream}/media").body, os.path.join(self.folder, "so-far.webm"))

    def ledger(self):
        kinds = [entry["type"] for entry in self.desk.entries()]
        scopes = [entry["data"]["scope"] for entry in self.kinds("session.consent_recorded/1")]
        hold("video" in scopes, f"consents are {scopes}")
        hold(kinds.index("session.consent_recorded/1") < kinds.index("stream.started/1"), "consent comes before the video")
        for kind in ("session.link_issued/1", "session.link_opened/1", "location.reported/1", "incident.session_linked/1", "session.closed/1"):
            hold(kind in kinds, f"the ledger has {kind}")
        self.desk.verify("--decode")

    def plays(self, video):
        """Waits until a video of the console moves on by half a second."""
        self.amina.wait_for(f"{video}?.readyState >= 2 && {video}.videoWidth > 0", what=f"a picture in {video}")
        begin = self.amina.evaluate(f"{video}.currentTime")
        self.amina.wait_for(f"Math.abs({video}.currentTime - {begin}) > 0.5 && !{video}.error", what=f"{video} plays on from {begin}")

    def kinds(self, kind):
        return [entry for entry in self.desk.entries() if entry["type"] == kind]


if __name__ == "__main__":
    parser = centre.arguments(__doc__)
    parser.add_argument("--media", required=True, help="the executable daybook-media")
    parser.add_argument("--browser", choices=("chromium", "firefox"), default="chromium")
    parser.add_argument("--screenshots", help="a folder for pictures of the pages, to be looked at")
    centre.run(main, parser.parse_args())
