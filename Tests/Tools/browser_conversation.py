#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A conversation by text alone, of a caller who joined by a link: it outlasts the limit within which something has to start; a question stays until
it is answered; a held key says a thing once; a second window of the operator hears everything; the end is the end, and said to be.

Ends with 77 where no Chromium is installed.
"""

import centre
from browser_emergency import open_browser, said, sign_in
from browser_link import command, enters, open_link
from centre import Centre, hold
from story import watched

PHONE = "+447700900124"
#: Seconds within which something has to start.
START_LIMIT = 60


def main(options, folder):
    desk = Centre(options.daybook, folder, options=["--start-limit", str(START_LIMIT)]).open()
    for name in ("amina", "john"):
        desk.staff(name)
    address = f"http://127.0.0.1:{desk.port}"
    with open_browser(folder) as browser:
        context = browser.context()
        amina, john = sign_in(context, address, "amina"), sign_in(browser.context(), address, "john")
        pages = [amina, john]
        with watched(pages, folder):
            play(desk, browser, context, address, pages)
    desk.verify()


def kinds(desk, kind):
    return [entry for entry in desk.entries() if entry["type"] == kind]


def play(desk, browser, context, address, pages):
    amina, john = pages
    command(amina, PHONE)
    amina.has(f"Call {PHONE}", "#command ul")
    amina.key("Enter")
    amina.has("waiting for the caller", "#main")
    command(amina, "link")
    amina.has("Send the caller a link", "#command ul")
    amina.key("Enter")
    amina.wait_for("document.querySelector('#link-dialog').open")
    shown, code = amina.text("#link-url"), amina.text("#link-code")
    caller = open_link(browser, address, shown[shown.index("/j/"):], pages)
    enters(caller, code)
    caller.has("Show video?", "#asked")
    hold("telephone call goes on" in caller.text("#asked"), "whom an operator called is on the telephone")
    amina.press("Done", within="#link-dialog")

    # Escape is neither yes nor no.
    for _ in range(3):
        caller.key("Escape")
        caller.has("Show video?", "#asked")
        caller.wait_for("document.querySelector('#asked').open", what="the question stays")
    caller.press("No", within="#asked")
    amina.has("declined", "#main .asked")
    caller.press("Go on with the chat")
    caller.wait_for("!document.querySelector('#chat').hidden")
    caller.type("#write textarea", "I am here, he is bleeding")
    caller.key("Enter")
    said(amina, "#main chat-log", "I am here, he is bleeding")
    amina.has("open", "#session-state")

    # In a second window of the same operator.
    second = context.page(f"{address}/console", width=1920, height=1080)
    pages.append(second)
    second.has("yours", "#main")
    said(second, "#main chat-log", "I am here, he is bleeding")
    amina.evaluate("for (const repeat of [false, true, true, true]) document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '1', code: 'Digit1', altKey: true, bubbles: true, repeat }))")
    second.wait_for("document.querySelectorAll('#main chat-log li.mine').length === 1", what="what the operator says in one window stands in the other")

    # The limit is over for a session that began with it, in which nothing started.
    command(john, "+447700900125")
    john.has("Call +447700900125", "#command ul")
    john.key("Enter")
    john.has("expired", "#session-state", timeout=START_LIMIT + 30)
    hold(len(kinds(desk, "session.expired/1")) == 1, "of the two, the one expired in which nobody wrote")
    hold(amina.text("#session-state") == "open", "the conversation goes on")
    caller.type("#write textarea", "He breathes")
    caller.key("Enter")
    said(amina, "#main chat-log", "He breathes")
    said(second, "#main chat-log", "He breathes")
    operators = [entry for entry in kinds(desk, "chat.message_sent/1") if entry["data"]["from"] == "operator"]
    hold(len(operators) == 1, f"a key that is held down says a thing once, not {len(operators)} times")

    amina.key("x", alt=True)
    amina.press("Close the session", within="#leave-dialog")
    caller.has("This chat has ended")
    hold(not caller.evaluate("['#chat-video', '#chat-place'].some((one) => document.querySelector(one).checkVisibility())"), "nothing is offered that leads nowhere")
    hold("Connecting again" not in caller.text("#chat"), "an end is no break")
    caller.press("Back", within="#chat")
    caller.press("Show video")
    caller.has("The contact has ended", "#join-words")


if __name__ == "__main__":
    centre.run(main, centre.arguments(__doc__).parse_args())
