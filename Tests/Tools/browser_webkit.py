#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The console in WebKitGTK, the engine of Safari: signing in, taking a chat, live video with looking back, a recording; and the caller's page.

Ends with 77 where WebKitGTK is not installed.
"""

import os
import threading

import centre
import film
from browser_emergency import said
from centre import PASSWORD, Centre, hold
from page import BrowserError, CannotStart
from webkit import WebKit

VIDEO = "document.querySelector('#main .player-screen > video')"


def main(options, folder):
    # Over TLS, for this engine keeps no secure cookie without it, not even on the loopback.
    desk = Centre(options.daybook, folder, with_tls=True).open()
    operator = desk.staff("amina")
    try:
        browser = WebKit.launch(folder)
    except CannotStart as reason:
        centre.skip(str(reason))
    with browser:
        page = browser.page(f"https://127.0.0.1:{desk.port}/console")
        try:
            play(desk, operator, page, options.screenshots)
        except (BrowserError, centre.Failed):
            page.screenshot(os.path.join(folder, "failed.png"))
            raise
    desk.verify("--decode")


def play(desk, operator, page, screenshots):
    print(page.evaluate("navigator.userAgent"))
    page.evaluate("(window.broken = [], addEventListener('securitypolicyviolation', (e) => broken.push(e.violatedDirective + ' ' + e.blockedURI)))")
    page.type("#sign-in-form [name=login]", "amina")
    page.type("#sign-in-form [name=password]", PASSWORD)
    page.press("Sign in", within="#sign-in-form")
    page.has("No session is open", "#main")
    caller = desk.caller(operator)
    chat, session = desk.chat(caller)
    chat.send_json({"IncidentID": session, "Type": "message", "Message": "the roof is on fire", "Timestamp": "1", "TempMessageID": "1"})
    page.press("Take it", within="#queue")
    said(page, "#main chat-log", "the roof is on fire")
    page.type("#main textarea", "Which street?")
    page.press("Send", within="#main .send")
    chat.wait_for(lambda frame: frame["Type"] == "message" and frame["Message"] == "Which street?")
    films(caller, session, page)
    shot(page, screenshots, "webkit-session")
    page.press("Footage", within=".top")
    page.press("Find", within="#main")
    page.press("Play", within="#main tbody")
    plays(page)
    page.wait_for(f"{VIDEO}.duration > 5", what="the length of the recording")
    page.evaluate("document.querySelector('#main dvr-player').step(3)")
    page.wait_for(f"{VIDEO}.currentTime > 2.5", what="seeking in the recording")
    shot(page, screenshots, "webkit-footage")
    hold(page.evaluate("broken") == [], f"the policy was broken: {page.evaluate('broken')}")
    page.go(page.evaluate("location.origin") + "/call")
    page.has("register this phone once")
    shot(page, screenshots, "webkit-call")


def films(caller, session, page):
    """A caller's video at the speed of life, and an operator who looks back in it."""
    stream = film.begin(caller, session)
    socket, _ = film.connect(caller, stream)
    sending = threading.Thread(target=film.send_slowly, args=(socket, film.recorded(), 12))
    sending.start()
    plays(page)
    page.wait_for("Number(document.querySelector('#main .player-bar input').max) > 5")
    page.evaluate("document.querySelector('#main dvr-player').step(-3)")
    page.wait_for("!document.querySelector('#main .player-corner').hidden")
    plays(page)
    page.press("Back to live", within="#main")
    sending.join()
    socket.close()
    stopped = caller.post(f"/v1/streams/{stream}/stop", {})
    hold(stopped.ok, f"stopping the stream: {stopped}")
    page.wait_for("document.querySelector('#main dvr-player').dataset.state === 'finalized'")


def plays(page):
    page.wait_for(f"{VIDEO}?.readyState >= 2 && {VIDEO}.videoWidth > 0", what="a picture")
    begin = page.evaluate(f"{VIDEO}.currentTime")
    page.wait_for(f"Math.abs({VIDEO}.currentTime - {begin}) > 0.5 && !{VIDEO}.error", what=f"it plays on from {begin}")


def shot(page, folder, name):
    if folder:
        os.makedirs(folder, exist_ok=True)
        page.screenshot(os.path.join(folder, f"{name}.png"))


if __name__ == "__main__":
    parser = centre.arguments(__doc__)
    parser.add_argument("--screenshots", help="a folder for pictures of the pages, to be looked at")
    centre.run(main, parser.parse_args())
