#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The console is closed for a while and opens where it was left. The caller's page dies while it films: killed when all is well, killed while the network is gone, and loaded again. Every picture that was
encoded by then is in the recording.

Ends with 77 where no Chromium is installed.
"""

import os

import centre
from browser_emergency import keeps, open_browser, register, sign_in
from centre import Centre, hold
from daybook import until
from numbered import ENCODED, LEFT_OUT_MOST, NOTES, missing, numbered_film, numbers
from page import BrowserError


def main(options, folder):
    desk = Centre(options.daybook, folder).open()
    operator = desk.staff("amina")
    address = f"http://127.0.0.1:{desk.port}"
    with open_browser(folder, camera=numbered_film(options.media, folder)) as browser:
        console = sign_in(browser.context(), address, "amina")
        phone = browser.context()
        register(phone, address, console, width=390, height=844, touch=True).close()
        page = films(phone, address)
        try:
            page.press("Show video")
            page.press("Yes, I need help")
            operator_was_away(console, page, operator)
            play(options, folder, desk, operator, phone, page, address)
        except (BrowserError, TimeoutError, centre.Failed):
            console.screenshot(os.path.join(folder, "failed-0.png"))
            raise
    desk.verify("--decode")


def operator_was_away(console, page, operator):
    """The console was gone for some seconds; opened again, it shows the video from where it was left, with live in the corner."""
    main = "document.querySelector('#main .player-screen > video')"
    console.press("Take it", within="#queue")
    console.wait_for(f"{main}?.currentTime > 3", what="live video is watched")
    console.wait_for("JSON.parse(localStorage.getItem('watched') ?? '{}').end > 2", what="it is noted how far it was watched")
    console.go("about:blank")
    stream = operator.get("/v1/streams").json["items"][0]["id"]
    gone = length_of(operator, stream)
    until(lambda: length_of(operator, stream) > gone + 6, "six seconds of video nobody watched")
    # It plays on while a busy machine looks: the page notes where it goes.
    console.before("""(() => { window.leftAt = JSON.parse(localStorage.getItem('watched') ?? '{}').end; window.wentTo = [];
        document.addEventListener('seeked', ({ target }) => window.wentTo.push(target.currentTime), { capture: true }); })()""")
    console.go(page.evaluate("location.origin") + "/console")
    console.has("You left at", "#main .player-state")
    console.has("EARLIER", "#main .player-state")
    console.wait_for("window.wentTo.some((at) => Math.abs(at - window.leftAt) < 1)", what="the picture of then")
    print(f"  watched until {console.evaluate('window.leftAt'):.1f} s, opens at {console.evaluate('window.wentTo')}")
    console.wait_for("Boolean(document.querySelector('#main .player-gaps .left'))", what="the mark on the bar")
    console.wait_for("!document.querySelector('#main .player-corner').hidden")
    console.press("Back to live", within="#main")
    console.wait_for("document.querySelector('#main .player-corner').hidden")


def length_of(operator, stream):
    """The seconds that are recorded of a stream."""
    return operator.get(f"/v1/streams/{stream}/index").json["durationMilliseconds"] / 1000


def films(phone, address):
    """The caller's page, opened anew; what it encodes is noted."""
    page = phone.page("about:blank", width=390, height=844)
    page.before(NOTES)
    page.go(f"{address}/call")
    return page


def play(options, folder, desk, operator, phone, page, address):
    encoded = []
    # Soon behind the beginning; then after some seconds of which the gateway has nothing; then not killed but loaded again.
    for pictures, is_asleep, is_killed in ((12, False, True), (0, True, True), (30, False, False)):
        page.has("LIVE", "#film-state")
        if is_asleep:
            page.wait_for("document.querySelector('#film-state').textContent === 'LIVE'")
            page.sleep(True)
            keeps(page, 5)
            hold("64 MB" in page.text("#film-kept"), "the page says what it keeps")
        page.wait_for(f"window.encodedPictures.length > {pictures}", what=f"{pictures} pictures are encoded")
        encoded.append(page.evaluate(ENCODED))
        if is_killed:
            page.crash()
            page = films(phone, address)
        else:
            page.reload()
    page.wait_for("document.querySelector('#film-state').textContent === 'LIVE'", what="what was kept is sent")
    page.wait_for("window.encodedPictures.length > 30", what="it films on")
    encoded.append(page.evaluate(ENCODED))
    page.press("Stop video")
    stream = operator.get("/v1/streams").json["items"][0]["id"]
    until(lambda: operator.get(f"/v1/streams/{stream}").json["state"] == "finalized", "the recording is finished")
    starts = [entry for entry in desk.entries() if entry["type"] == "stream.started/1"]
    hold(len(starts) == 1, "it is one stream")
    recording = operator.get(f"/v1/streams/{stream}/media").body
    rows = numbers(options.media, recording, os.path.join(folder, "recording.webm"))
    print(f"  {len(rows)} pictures; encoded before each end: {[len(one) for one in encoded]}")
    for one in encoded:
        lost = missing(one, recording)
        hold(lost <= LEFT_OUT_MOST, f"{lost} pictures in a row are lost, of {len(one)} that were encoded")


if __name__ == "__main__":
    parser = centre.arguments(__doc__)
    parser.add_argument("--media", required=True, help="the executable daybook-media")
    centre.run(main, parser.parse_args())
