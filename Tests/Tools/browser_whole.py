#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A whole emergency in one go, in the browser that `--browser` names: a caller without the application joins by a link,
agrees, chats, films; the operator looks ten seconds back while live goes on; a gateway that is killed; the place; a
second caller of the same event; closing. Afterwards the ledger is asked: `daybook verify --decode`, and every picture by its number.

Ends with 77 where that browser is not installed.
"""

import os
import subprocess
import time

import centre
from browser_emergency import PHONE, PICTURES_A_SECOND, numbered_film, register, said, sign_in, state_of
from browser_speed import READ
from centre import Centre, hold
from chromium import Chromium
from firefox import Firefox
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
        self.seeks, self.holes = [], []

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
        newest = amina.evaluate(f"(() => {{ const {{ buffered }} = {MAIN}, newest = buffered.end(buffered.length - 1); {PLAYER}.step(-10); return newest; }})()")
        # What is not here any more is fetched first.
        earlier = amina.wait_for(f"{MAIN}.currentTime < {newest} - 8 && {MAIN}.currentTime", what=f"a moment ten seconds before {newest}")
        hold(newest - earlier < 12, f"ten seconds back from {newest} is {earlier}")
        self.plays(MAIN)
        self.plays(CORNER)
        both = f"(() => {{ const one = pictureNumber({MAIN}), other = pictureNumber({CORNER}); return one !== null && other !== null ? [one, other] : null; }})()"
        ahead = f"(({both} ?? [0, 0]).reduce((one, other) => other - one) + {60 * PICTURES_A_SECOND}) % {60 * PICTURES_A_SECOND} / {PICTURES_A_SECOND}"
        # What counts as live is at most two and a half seconds behind the newest (web/media/player.js).
        amina.wait_for(f"{ahead} > 7.4 && {ahead} < 12", what="a picture of now in the corner, ten seconds ahead of the main one but for what live lags")
        earlier, now = amina.wait_for(both, what="a number on both pictures")
        print(f"  {((now - earlier) % (60 * PICTURES_A_SECOND)) / PICTURES_A_SECOND:.1f} s between the earlier picture and live")
        later = amina.wait_for(f"(() => {{ const two = {both}; return two && two[1] > {now} ? two : null; }})()", what="live goes on")
        hold(later[0] >= earlier, "the earlier one goes on, too")
        for by in (-3, 1.3, 2.6):
            self.seeks.append(self.moment(by))
        amina.press("Back to live", within="#main")
        amina.wait_for("document.querySelector('#main .player-corner').hidden")
        self.plays(MAIN)

    def moment(self, by):
        """Stands still at a moment some seconds away: when it is, and which picture is shown."""
        return self.amina.evaluate(f"""(async () => {{ const player = {PLAYER}, video = {MAIN}; video.pause();
            const seeked = new Promise((resolve) => video.addEventListener('seeked', resolve, {{ once: true }}));
            video.currentTime += {by}; await seeked; await new Promise((resolve) => setTimeout(resolve, 300));
            return [video.currentTime * 1000, pictureNumber(video)]; }})()""")

    def gateway_killed(self):
        for page in self.pages:
            page.is_gateway_away = True
        self.desk.gateway.kill()
        self.caller.has("No connection", "#film-state")
        time.sleep(3)  # so long the network is gone: this is the outage itself, not a wait for something
        self.desk.start()
        self.caller.has("LIVE", "#film-state")
        self.amina.wait_for("document.querySelector('#feed-state').textContent === 'live'")
        self.amina.wait_for(f"{PLAYER}.dataset.state === 'live'")
        self.plays(MAIN)
        for page in self.pages:
            page.is_gateway_away = False
        self.amina.reload()
        self.amina.has("found again")
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
        other.press("Show video")
        other.press("Yes, I need help")
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
        self.whole_on_the_timeline()
        caller.press("Stop video")
        amina.wait_for(f"{PLAYER}.dataset.state === 'finalized'", what="the recording is finished")
        amina.key("x", alt=True)
        amina.type("#leave-dialog [name=note]", "fire brigade sent")
        amina.press("Close the session", within="#leave-dialog")
        amina.has("No session is open", "#main")

    def whole_on_the_timeline(self):
        until = time.monotonic() + 120
        while True:
            index = self.operator.get(f"/v1/streams/{self.stream}/index").json
            if len(index["timespans"]) == 1:
                return
            hold(time.monotonic() < until, f"time without pictures stays: {index['timespans']}, {index['gaps']}")
            time.sleep(0.2)

    # MARK: Afterwards

    def pictures(self):
        """By their numbers: over the kill at most a second is missing, and what was shown at a moment is what is recorded there."""
        path = os.path.join(self.folder, "recording.webm")
        with open(path, "wb") as file:
            file.write(self.operator.get(f"/v1/streams/{self.stream}/media").body)
        done = subprocess.run([self.options.media, "numbers", path], capture_output=True, text=True, check=True)
        rows = sorted((int(row[0]), int(row[-1])) for row in map(str.split, done.stdout.splitlines()) if row[-1] != "-")
        # Chromium's film of a minute begins again at its end.
        film = 60 * PICTURES_A_SECOND if self.options.browser == "chromium" else 1 << 24
        jumps = [(later[1] - sooner[1]) % film for sooner, later in zip(rows, rows[1:])]
        missing = max(jump - 1 for jump in jumps)
        print(f"  {len(rows)} pictures, at most {missing} missing in a row")
        hold(missing <= PICTURES_A_SECOND, f"{missing} pictures are missing in a row")
        lost = [(hole, time) for hole in self.holes for time, _ in rows if hole[0] * 1000 + 1 < time < hole[1] * 1000 - 1]
        hold(not lost, f"pictures are recorded where the console, live, had none: {lost}")
        for milliseconds, shown in self.seeks:
            recorded = max((row for row in rows if row[0] <= milliseconds + 1), default=rows[0])[1]
            print(f"  at {milliseconds:.0f} ms picture {shown} was shown, {recorded} is recorded")
            hold(shown is not None and abs(shown - recorded) <= 1, f"seeking is {shown} - {recorded} pictures off")

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
