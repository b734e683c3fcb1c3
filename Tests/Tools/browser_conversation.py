#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A conversation by text alone, of a caller who joined by a link: it outlasts the limit within which something has to start; a question stays until
it is answered; a held key says a thing once; a second window of the operator hears everything; the end is the end, and said to be.
Then several people at one browser of the centre, and a gateway that is away: nothing is recorded as another's, and nothing vanishes.

Ends with 77 where no Chromium is installed.
"""

import centre
from browser_emergency import open_browser, said, sign_in, sign_out, state_of
from browser_link import command, enters, open_link
from centre import PASSWORD, Centre, hold
from story import tell, watched

PHONE = "+447700900124"


def main(options, folder):
    desk = Centre(options.daybook, folder).open()
    for name in ("amina", "john"):
        desk.staff(name)
    address = f"http://127.0.0.1:{desk.port}"
    with open_browser(folder) as browser:
        context = browser.context()
        amina, john = sign_in(context, address, "amina"), sign_in(browser.context(), address, "john")
        pages = [amina, john]
        with watched(pages, folder):
            play(desk, browser, context, address, pages)
            shared = Shared(desk, browser, address, pages)
            tell(shared.words, shared.dialogs, shared.notes, shared.two_tabs, shared.without_a_word, shared.away, shared.signs_out)
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

    # Keys are neither yes nor no.
    for key in ("Escape", "Enter", " "):
        caller.key(key)
        caller.wait_for("document.querySelector('#asked').checkVisibility()", what="the question stays")
    caller.press("Not now", within="#asked")
    amina.has("declined", "#main .asked")
    caller.press("Continue the chat")
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

    nothing_starts(desk, john, pages)
    amina.wait_for("document.querySelector('#session-state').textContent === 'open' && document.querySelector('#feed-state').textContent === 'live'", what="the conversation goes on")
    hold(amina.evaluate("document.querySelector('#main .head [data-until]') === null"), "it has no limit any more")
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


def nothing_starts(desk, john, pages):
    """A session expires in which nothing starts; the limit is that of the gateway when it is called, here a second."""
    restarted(desk, pages, ["--start-limit", "1"])
    john.wait_for("document.querySelector('#feed-state').textContent === 'live'")
    command(john, "+447700900125")
    john.has("Call +447700900125", "#command ul")
    john.key("Enter")
    john.has("expired", "#session-state")
    hold(len(kinds(desk, "session.expired/1")) == 1, "of the two, the one expired in which nobody wrote")
    restarted(desk, pages, [])


def restarted(desk, pages, options):
    """The gateway ends and starts with further options; no page complains of that."""
    for page in pages:
        page.is_gateway_away = True
    desk.gateway.kill()
    usual = desk.gateway.options
    desk.gateway.options = [*usual, *options]
    desk.start()
    desk.gateway.options = usual


class Shared:
    """One browser of the centre, at which one after another signs in."""

    def __init__(self, desk, browser, address, pages):
        self.desk, self.address, self.pages = desk, address, pages
        self.context = browser.context()
        self.people = {login: desk.staff(login) for login in ("eve", "sue", "tom")}
        self.page = sign_in(self.context, address, "eve")
        pages.append(self.page)
        self.number = 447700900200

    def calls(self):
        """A session of one's own, opened on the page; its number."""
        self.number += 1
        command(self.page, f"+{self.number}")
        self.page.has(f"Call +{self.number}", "#command ul")
        self.page.key("Enter")
        self.page.has("waiting for the caller", "#main")
        self.page.has(f"+{self.number}", "#main h1")
        return self.page.evaluate(f"fetch('/v1/sessions?state=waiting').then((r) => r.json()).then((r) => r.items.find((one) => one.phone === '+{self.number}').id)")

    def signs_in(self, login, page=None):
        page = page or self.page
        page.wait_for("!document.querySelector('#sign-in').hidden")
        page.type("#sign-in-form [name=login]", login)
        page.type("#sign-in-form [name=password]", PASSWORD)
        page.press("Sign in", within="#sign-in-form")
        # The word alone may be left of whoever was signed in before.
        page.wait_for("!document.querySelector('#desk').hidden && document.querySelector('#feed-state').textContent === 'live'")

    def is_out(self, page=None):
        page = page or self.page
        page.wait_for("!document.querySelector('#sign-in').hidden && document.querySelector('#desk').hidden", what="the page is signed out")

    def words(self):
        """What eve wrote without a network is not sent by sue, who has her session now."""
        session = self.calls()
        # The chat is connected once it has carried something: what is written then is posted.
        self.page.type("#main textarea", "Hello")
        self.page.key("Enter")
        state_of(self.page, "#main chat-log", "Hello", "taken")
        self.page.sleep(True)
        self.page.type("#main textarea", "He hit me")
        self.page.key("Enter")
        self.page.wait_for("Object.values(localStorage).some((value) => value.includes('He hit me') && JSON.parse(value).isPosted)", what="it is kept, and known to be posted")
        eve, sue = self.people["eve"], self.people["sue"]
        hold(self.desk.admin.request("PATCH", f"/v1/users/{eve.name}", {"disabled": True, "reason": "left"}).ok, "eve's account is disabled")
        hold(sue.post(f"/v1/sessions/{session}/claim").ok, "sue has the session now")
        self.page.sleep(False)
        self.is_out()
        self.signs_in("sue")
        # It was posted on a connection that only seemed to stand: the page cannot know.
        self.page.noticed("1 message of somebody else who was signed in here may not have arrived.")
        self.page.has(f"+{self.number}", "#main h1")
        self.page.type("#main textarea", "This is Sue")
        self.page.key("Enter")
        state_of(self.page, "#main chat-log", "This is Sue", "taken")
        sent = [entry for entry in kinds(self.desk, "chat.message_sent/1") if entry["subject"] == f"session/{session}"]
        hold(len(sent) == 2, f"each of the two said one thing: {len(sent)}")
        hold("He hit me" not in self.page.evaluate("JSON.stringify(localStorage)"), "nothing of eve's is kept")
        self.ends()

    def ends(self):
        self.page.key("x", alt=True)
        self.page.press("Close the session", within="#leave-dialog")
        self.page.has("No session is open", "#main")

    def dialogs(self):
        """A code that stands on the screen is gone with whoever asked for it."""
        command(self.page, "code +447700900300")
        self.page.has("Code for +447700900300", "#command ul")
        self.page.key("Enter")
        self.page.press("Give the code", within="#why-dialog")
        self.page.wait_for("document.querySelector('#code-dialog').open")
        self.page.evaluate("fetch('/v1/auth/logout', { method: 'POST' }).then(() => true)")
        self.is_out()
        self.page.wait_for("!document.querySelector('dialog[open]') && document.querySelector('#code-value').textContent === ''", what="the code is gone")
        self.signs_in("sue")

    def notes(self):
        """What was written of one session's end is not written of another's."""
        self.calls()
        self.page.key("x", alt=True)
        self.page.type("#leave-dialog [name=note]", "He named his neighbour")
        self.page.press("Give it back", within="#leave-dialog")
        self.page.has("No session is open", "#main")
        session = self.calls()
        self.page.key("x", alt=True)
        self.page.wait_for("document.querySelector('#leave-dialog').open")
        hold(self.page.evaluate("document.querySelector('#leave-dialog [name=note]').value") == "", "the note begins anew")
        self.page.press("Close the session", within="#leave-dialog")
        self.page.has("No session is open", "#main")
        note = self.desk.admin.get(f"/v1/sessions/{session}").json["session"].get("note")
        hold(note is None, f"the note is {note}")

    def two_tabs(self):
        """Who signs in in one tab is who is signed in in all."""
        other = self.context.page(f"{self.address}/console")
        self.pages.append(other)
        other.has("sue", "#who")
        other.click("#sign-out-button")
        self.is_out(other)
        self.is_out()
        self.signs_in("sue")
        self.signs_in("tom", other)
        self.page.noticed("tom is signed in in this browser now")
        self.page.has("tom", "#who")
        other.close()
        self.pages.remove(other)

    def without_a_word(self):
        """Somebody signs in without that any page says so: what is pressed in the name that stands on the page is not done as theirs."""
        caller = self.desk.caller(self.people["sue"])
        _, session = self.desk.chat(caller)
        self.page.wait_for("document.querySelector('#queue .pending') !== null")
        # At once, before the page hears of it from anywhere.
        self.page.evaluate(f"fetch('/v1/auth/login', {{ method: 'POST', headers: {{ 'Content-Type': 'application/json' }}, body: JSON.stringify({{ login: 'sue', password: {PASSWORD!r} }}) }})"
                           ".then(() => document.querySelector('#queue .pending button.primary').click())")
        self.page.noticed("sue is signed in in this browser now")
        self.page.has("sue", "#who")
        claims = [entry for entry in kinds(self.desk, "session.claimed/1") if entry["subject"] == f"session/{session}"]
        hold(not claims, "nobody has taken it")
        self.page.press("Take it", within="#queue .pending")
        self.page.has("yours", "#main")
        self.ends()

    def away(self):
        """What is written where the session cannot be read stays in its field, and the session is read when that can be."""
        self.calls()
        self.page.press("Footage", within=".top")
        for page in self.pages:
            page.is_gateway_away = True
        self.desk.gateway.kill()
        self.page.wait_for("document.querySelector('#feed-state').textContent !== 'live'")
        self.page.press("Open", within="#queue")
        self.page.has("cannot be read now", "#main")
        self.page.type("#main textarea", "Are you there?")
        self.page.key("Enter")
        self.page.noticed("Not sent: this session cannot be read now")
        hold(self.page.evaluate("document.querySelector('#main .write textarea').value") == "Are you there?", "the words stay")
        self.desk.start()
        self.page.has(f"+{self.number}", "#main h1")
        self.page.wait_for("document.querySelector('#main .pane-title').innerText.trim() === 'Chat'", what="the chat is connected")
        self.page.click("#main .write .primary")
        state_of(self.page, "#main chat-log", "Are you there?", "taken")
        self.ends()

    def signs_out(self):
        """Who signs out while the gateway is away is signed out before anything is shown again."""
        self.desk.gateway.kill()
        # The session that was just ended may still stand on the desk, which asks then.
        sign_out(self.page)
        self.page.has("Not signed out yet", "#sign-in-fault")
        self.page.go("about:blank")
        self.desk.start()
        self.page.go(f"{self.address}/console")
        self.page.has("You are signed out.", "#sign-in-fault")
        hold(self.page.evaluate("fetch('/v1/me').then((r) => r.status)") == 401, "the sign-in has ended")


if __name__ == "__main__":
    centre.run(main, centre.arguments(__doc__).parse_args())
