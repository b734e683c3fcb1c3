#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A caller stops the video while the network is gone: the camera is off at once, what was filmed goes on being sent beside the chat, also from the page after this one, and only
then the stream ends; what the centre does not take any more is said in words. What was written in a session that is over is not sent in the next.

Ends with 77 where no Chromium is installed.
"""

import os

import centre
from browser_emergency import keeps, open_browser, register, said, sign_in, whole_recording
from centre import Centre, hold
from daybook import until
from numbered import ENCODED, NOTES
from story import tell, watched


def main(options, folder):
    desk = Centre(options.daybook, folder).open()
    operator = desk.staff("amina")
    with open_browser(folder) as browser:
        play(Kept(options, folder, desk, operator, browser))
    desk.verify("--decode")


def play(kept):
    with watched(kept.pages, kept.folder):
        tell(kept.stopped_and_loaded_again, kept.chats_while_the_rest_is_sent, kept.closed_meanwhile, kept.next_contact)


class Kept:
    def __init__(self, options, folder, desk, operator, browser):
        self.options, self.folder, self.desk, self.operator = options, folder, desk, operator
        address = f"http://127.0.0.1:{desk.port}"
        self.amina = sign_in(browser.context(), address, "amina")
        self.caller = register(browser.context(), address, self.amina, width=390, height=844, touch=True)
        self.pages = [self.amina, self.caller]

    def shot(self, name):
        if self.options.screenshots:
            os.makedirs(self.options.screenshots, exist_ok=True)
            self.caller.screenshot(os.path.join(self.options.screenshots, f"{name}.png"))

    def films_without_network(self):
        """Some pictures with the network and some without it; how many seconds are kept."""
        self.caller.has("LIVE", "#film-state")
        before = self.caller.evaluate("window.encodedPictures.length")
        self.caller.wait_for(f"window.encodedPictures.length > {before} + 30", what="it films")
        for page in self.pages:
            page.is_gateway_away = True
        self.desk.gateway.kill()
        return keeps(self.caller, 3)

    def network_is_back(self):
        self.desk.start()
        self.caller.wait_for("document.querySelector('#connection').hidden")

    def is_off(self):
        hold(self.caller.evaluate("document.querySelector('#preview').srcObject === null"), "the camera is off")

    def is_whole(self, number, reason, encoded):
        """The stream ends once all of it is there, also what was filmed without a network."""
        self.caller.wait_for("document.querySelector('#late').hidden", what="the rest is sent")

        def finished():
            streams = sorted(self.operator.get("/v1/streams").json["items"], key=lambda one: one["startedAt"])
            return len(streams) == number and streams[-1]["state"] == "finalized" and streams[-1]["id"]

        stream = until(finished, f"recording {number} is finished")
        whole_recording(self.operator, stream, encoded)
        print(f"  pictures at {self.operator.get(f'/v1/streams/{stream}/index').json['timespans']}")
        stop = [entry for entry in self.desk.entries() if entry["type"] == "stream.stopped/1"][-1]["data"]
        hold(stop["reason"] == reason, f"it ended for {stop}")
        hold(self.caller.evaluate("localStorage.getItem('streams')") is None, "no note is left")

    # MARK: The story

    def stopped_and_loaded_again(self):
        # On its first visit, as whoever comes by a link: the page was not loaded again since.
        self.caller.wait_for("navigator.serviceWorker.ready.then((r) => Boolean(r.active))")
        self.caller.evaluate(NOTES)
        self.caller.press("Show video")
        self.caller.press("Yes, I need help")
        self.amina.press("Take it", within="#queue")
        kept = self.films_without_network()
        self.caller.press("Stop video")
        self.caller.wait_for("!document.querySelector('#home').hidden")
        self.is_off()
        encoded = self.caller.evaluate(ENCODED)
        self.caller.has("kept and sent when it is back", "#late")
        self.shot("call-late-away")
        self.caller.reload()
        self.caller.has("kept and sent when it is back", "#late")
        left = int(self.caller.text("#late-seconds").split()[0])
        hold(left >= kept, f"of {kept} s that were kept the next page has {left} s")
        self.network_is_back()
        self.is_whole(1, "stopped by the caller", encoded)

    def chats_while_the_rest_is_sent(self):
        self.caller.evaluate(NOTES)
        self.caller.press("Show video")
        self.films_without_network()
        self.caller.click("#film-chat")
        self.caller.wait_for("!document.querySelector('#chat').hidden")
        self.is_off()
        encoded = self.caller.evaluate(ENCODED)
        self.caller.has("kept and sent when it is back", "#late")
        self.caller.type("#write textarea", "We are behind the house")
        self.caller.key("Enter")
        self.shot("call-late-chat")
        self.network_is_back()
        said(self.amina, "#main chat-log", "We are behind the house")
        self.is_whole(2, "navigated", encoded)

    def closed_meanwhile(self):
        """The centre closes while the phone is away: what waited is not taken any more, and the caller reads it."""
        self.caller.press("Show video", within="#chat header")
        self.caller.has("LIVE", "#film-state")
        self.amina.wait_for("document.querySelector('#feed-state').textContent === 'live'")
        self.caller.sleep(True)
        # What is under way may still be archived; of less than three seconds that are left nobody is told.
        keeps(self.caller, 6)
        self.caller.click("#film-chat")
        self.caller.has("kept and sent when it is back", "#late")
        for text in ("Nobody is hurt", "Where do I go?"):
            self.caller.type("#write textarea", text)
            self.caller.key("Enter")
        self.amina.key("x", alt=True)
        self.amina.press("Close the session", within="#leave-dialog")
        self.amina.has("No session is open", "#main")
        self.caller.sleep(False)
        # They were posted on a connection that only seemed to stand: the page cannot know.
        self.caller.noticed("2 messages of your last contact may not have arrived.")
        self.caller.has("were not sent: the recording had already ended", "#late")
        hold(self.caller.text("#log").count("May not have arrived") == 2, "each of them says so")
        self.shot("call-late-lost")
        self.caller.press("OK", within="#late")
        self.caller.wait_for("document.querySelector('#late').hidden")
        hold(self.caller.evaluate("localStorage.getItem('streams') === null && !Object.keys(localStorage).some((key) => key.startsWith('unsent'))"), "nothing of it is kept")

    def next_contact(self):
        """The same, but the page is closed without a network and opened again much later, when the session is over; the console keeps nothing of its own either."""
        self.caller.press("Back to the beginning")
        self.caller.press("Chat with the emergency centre")
        self.caller.press("Yes, I need help")
        self.amina.press("Take it", within="#queue")
        self.caller.type("#write textarea", "hello again")
        self.caller.key("Enter")
        said(self.amina, "#main chat-log", "hello again")
        session = self.amina.evaluate("fetch('/v1/sessions?state=open').then((r) => r.json()).then((r) => r.items[0].id)")
        self.caller.sleep(True)
        self.caller.type("#write textarea", "It burns")
        self.caller.key("Enter")
        self.caller.wait_for(f"Object.keys(localStorage).filter((key) => key.startsWith('unsent#')).map((key) => JSON.parse(localStorage.getItem(key))).some((one) => one.text === 'It burns' && one.session === '{session}')")
        address = self.caller.evaluate("location.href")
        self.caller.sleep(False)
        self.caller.go("about:blank")
        kept = self.amina.evaluate(f"localStorage.setItem('unsent/{self.operator.name}/{session}#1', JSON.stringify({{ temporaryID: '1', text: 'late', at: 1, tries: 0, session: 'another' }})), true")
        hold(kept, "the console keeps something")
        self.amina.key("x", alt=True)
        self.amina.press("Close the session", within="#leave-dialog")
        self.amina.has("No session is open", "#main")
        self.caller.go(address)
        self.caller.wait_for("!document.querySelector('#home').hidden")
        self.caller.press("Chat with the emergency centre")
        self.caller.press("Yes, I need help")
        self.amina.press("Take it", within="#queue")
        self.caller.type("#write textarea", "Somebody fell")
        self.caller.key("Enter")
        said(self.amina, "#main chat-log", "Somebody fell")
        hold("It burns" not in self.amina.text("#main chat-log"), "what belongs to the last contact is not said in this one")
        self.amina.reload()
        self.amina.noticed("found again")
        self.amina.wait_for("!Object.keys(localStorage).some((name) => name.startsWith('unsent/'))", what="the console forgets what it kept of sessions that are over")


if __name__ == "__main__":
    parser = centre.arguments(__doc__)
    parser.add_argument("--screenshots", help="a folder for pictures of the page, to be looked at")
    centre.run(main, parser.parse_args())
