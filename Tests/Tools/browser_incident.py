#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Two callers of one event, in a real browser: their sessions become one incident, their videos stand side by side, and it is undone.

Ends with 77 where no Chromium is installed.
"""

import os

import centre
from browser_emergency import PHONE, open_browser, register, sign_in
from centre import Centre, hold
from chromium import BrowserError

OTHER_PHONE = "+447712345754"
VIDEO = "document.querySelector('#main .player-screen > video')"


def main(options, folder):
    desk = Centre(options.daybook, folder).open()
    desk.staff("amina")
    desk.staff("john")
    address = f"http://127.0.0.1:{desk.port}"
    with open_browser(folder) as browser:
        amina = sign_in(browser.context(), address, "amina")
        john = sign_in(browser.context(), address, "john")
        callers = [register(browser.context(), address, amina, phone=phone, width=390, height=844, touch=True) for phone in (PHONE, OTHER_PHONE)]
        pages = [amina, john, *callers]
        try:
            play(desk, amina, john, callers, options.screenshots)
        except (BrowserError, centre.Failed):
            for number, page in enumerate(pages):
                page.screenshot(os.path.join(folder, f"failed-{number}.png"))
            raise
        for page in pages:
            hold(not page.complaints, f"a page complained: {page.complaints}")
    desk.verify("--decode")


def films(caller):
    caller.press("Show video")
    caller.press("Yes, I need help")
    caller.has("LIVE", "#film-state")


def plays(page, video=VIDEO):
    page.wait_for(f"{video}?.readyState >= 2 && {video}.videoWidth > 0", what=f"a picture in {video}")
    begin = page.evaluate(f"{video}.currentTime")
    page.wait_for(f"{video}.currentTime > {begin} + 0.3", what=f"{video} plays on")


def play(desk, amina, john, callers, screenshots):
    films(callers[0])
    amina.press("Take it", within="#queue")
    plays(amina)
    films(callers[1])
    # The second caller waits in the queue; who has the first sees that it is the same fire.
    amina.press("Same incident", within="#queue")
    amina.has("same incident", "#queue")
    amina.wait_for("document.querySelectorAll('#main .tile').length === 2")
    amina.has(OTHER_PHONE, "#main .tiles")
    amina.has(PHONE, "#main .tiles")
    plays(amina, "document.querySelector('#main .tile[aria-pressed=false] video')")
    if screenshots:
        os.makedirs(screenshots, exist_ok=True)
        for isDark in (False, True):
            amina.dark(isDark)
            amina.screenshot(os.path.join(screenshots, f"console-incident-{'dark' if isDark else 'light'}.png"))
    # The other's video comes to the front, can be looked back in, and the own one stays as a tile.
    amina.press(OTHER_PHONE, within="#main .tiles")
    amina.has(OTHER_PHONE, "#main .seen > p:last-child")
    plays(amina)
    amina.wait_for("Number(document.querySelector('#main .player-bar input').max) > 4")
    amina.evaluate("document.querySelector('#main dvr-player').step(-3)")
    amina.wait_for("!document.querySelector('#main .player-corner').hidden")
    plays(amina)
    plays(amina, "document.querySelector('#main .tile[aria-pressed=false] video')")
    # Another operator takes the second caller; as linked as they are, both see both (ruling 18).
    john.press("Take it", within="#queue")
    john.has("yours", "#main")
    john.wait_for("document.querySelectorAll('#main .tile').length === 2")
    plays(amina)
    # One click back to the own video.
    amina.press(PHONE, within="#main .tiles")
    plays(amina)
    # The callers were wrong after all.
    amina.press("Not the same", within="#main .known")
    amina.wait_for("document.querySelectorAll('#main .tile').length === 0")
    john.wait_for("document.querySelectorAll('#main .tile').length === 0")
    john.has("private", "#queue")
    links = [entry["data"].get("reason") for entry in desk.entries() if entry["type"] == "incident.session_linked/1" and entry["data"].get("from")]
    hold(links == ["same event", "not the same event after all"], f"the ledger has {links}")
    for caller in callers:
        caller.press("Stop video")
    amina.wait_for("document.querySelector('#main dvr-player').dataset.state === 'finalized'")


if __name__ == "__main__":
    parser = centre.arguments(__doc__)
    parser.add_argument("--screenshots", help="a folder for pictures of the page, to be looked at")
    centre.run(main, parser.parse_args())
