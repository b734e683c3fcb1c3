#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A caller whose browser was never registered joins by a one-use link: the operator makes it by the command bar and says its code, the caller
enters it, shows video, and goes on after a reload; the link is good once, for this contact, and no longer than it.

Ends with 77 where no Chromium is installed.
"""

import os

import centre
from browser_emergency import details, open_browser, said, sign_in, state_of
from centre import Centre, hold
from story import watched

PHONE = "+447700900123"


def main(options, folder):
    desk = Centre(options.daybook, folder).open()
    desk.staff("amina")
    address = f"http://127.0.0.1:{desk.port}"
    with open_browser(folder) as browser:
        amina = sign_in(browser.context(), address, "amina")
        pages = [amina]
        with watched(pages, folder):
            play(desk, browser, address, amina, pages, options.screenshots)
    desk.verify("--decode")


def plays(page, video="document.querySelector('#main .player-screen > video')"):
    """Waits until a video moves on."""
    page.wait_for(f"{video}?.readyState >= 2 && {video}.videoWidth > 0", what=f"a picture in {video}")
    begin = page.evaluate(f"{video}.currentTime")
    page.wait_for(f"{video}.currentTime > {begin} + 0.3", what=f"{video} plays on")


def shot(page, folder, name):
    if folder:
        os.makedirs(folder, exist_ok=True)
        page.screenshot(os.path.join(folder, f"{name}.png"))


def command(page, text):
    page.key("/")
    page.wait_for("document.activeElement.matches('#command input')")
    page.type("#command input", text)


def open_link(browser, address, path, pages):
    page = browser.context().page(f"{address}{path}", width=390, height=844, touch=True)
    pages.append(page)
    page.wait_for("!document.querySelector('#join')?.hidden", what="the code is asked for")
    return page


def enters(page, code):
    page.type("#join [name=code]", code)
    page.press("Join", within="#join")


def play(desk, browser, address, amina, pages, screenshots):
    command(amina, PHONE)
    amina.has(f"Call {PHONE}", "#command ul")
    amina.key("Enter")
    amina.has("waiting for the caller", "#main")
    amina.has("No phone is registered for this number: nothing rings.", "#main .head")
    hold(amina.evaluate("document.querySelector('#main .head .primary').textContent") == "Send a link", "the link is what helps")
    command(amina, "link")
    amina.has("Send the caller a link", "#command ul")
    amina.key("Enter")
    amina.wait_for("document.querySelector('#link-dialog').open")
    amina.has("not opened yet", "#link-dialog")
    shot(amina, screenshots, "console-link")
    address_shown, code = amina.text("#link-url"), amina.text("#link-code")
    hold(address_shown.startswith(f"127.0.0.1:{desk.port}/j/"), f"the link is {address_shown}")
    path, code = address_shown[address_shown.index("/j/"):], code.replace(" ", "")
    hold(len(code) == 6 and amina.text("#link-spelling").count("·") == 5, f"the code is {code}")
    # A page that reads the link first, as messengers do for a preview, does not use it up.
    hold(desk.client().get(path).status == 303, "the short address leads on")

    caller = open_link(browser, address, path, pages)
    hold(caller.evaluate("location.href") == f"{address}/call", "the link does not stay in the address")
    shot(caller, screenshots, "call-join")
    enters(caller, "AAAAAA" if code != "AAAAAA" else "BBBBBB")
    caller.has("4 tries are left", "#join-fault")
    shot(caller, screenshots, "call-join-wrong")
    caller.reload()
    caller.wait_for("!document.querySelector('#join-ask').hidden", what="after a reload the code is asked for again")
    enters(caller, f"{code[:3].lower()} {code[3:].lower()}")
    caller.has("Show video?", "#asked")
    amina.has("opened, the caller is in", "#link-dialog")
    shot(amina, screenshots, "console-link-opened")
    amina.press("Done", within="#link-dialog")
    amina.wait_for("document.querySelector('#main .head .unheard') === null", what="whoever came by the link is heard")
    hold(caller.evaluate("Object.keys(localStorage).length") == 0, f"nothing outlives the tab: {caller.evaluate('Object.keys(localStorage).join()')}")
    hold(not any(entry["type"].startswith("stream.") for entry in desk.entries()), "nothing is sent before the caller says so")
    caller.press("Show video", within="#asked")
    caller.has("LIVE", "#film-state")
    plays(amina)

    # Used is used.
    late = open_link(browser, address, path, pages)
    enters(late, code)
    late.has("This link was used", "#join-words")
    hold(not late.evaluate("document.querySelector('#join-ask').checkVisibility()"), "no further code is asked for")
    shot(late, screenshots, "call-join-used")

    hold(caller.evaluate("indexedDB.databases().then((all) => all.length)") == 0, "no video is kept on a device that may be borrowed")
    caller.reload()
    caller.has("LIVE", "#film-state")
    plays(amina)
    caller.click("#film-chat")
    caller.type("#write textarea", "They are in the cellar")
    caller.key("Enter")
    said(amina, "#main chat-log", "They are in the cellar")
    # The same link pressed once more in the same tab leads back.
    caller.go(f"{address}{path}")
    caller.wait_for("!document.querySelector('#chat').hidden")
    state_of(caller, "#log", "They are in the cellar", "seen")
    # The console, opened anew, knows what became of the link.
    amina.reload()
    amina.has("opened, the caller is in", "#main .link")
    details(amina)
    amina.has("A browser, by a link of the owner", "#main .known")
    caller.press("Back", within="#chat")
    hold(not caller.evaluate("document.querySelector('#history').checkVisibility()"), "what this number said before is not shown")
    shot(caller, screenshots, "call-linked-home")
    amina.key("x", alt=True)
    amina.press("Close the session", within="#leave-dialog")
    caller.has("The contact has ended", "#join-words")
    shot(caller, screenshots, "call-join-ended")
    caller.reload()
    caller.wait_for("!document.querySelector('#register').hidden", what="the page forgot the contact")

    kinds = [entry["type"] for entry in desk.entries()]
    hold(kinds.count("session.link_issued/1") == 1 and kinds.count("session.link_opened/1") == 1, "the ledger has the link and its opening")
    device = next(entry["data"] for entry in desk.entries() if entry["type"] == "device.registered/1")
    hold(device["verification"] == "link", f"the device was registered by {device['verification']}")


if __name__ == "__main__":
    parser = centre.arguments(__doc__)
    parser.add_argument("--screenshots", help="a folder for pictures of the pages, to be looked at")
    centre.run(main, parser.parse_args())
