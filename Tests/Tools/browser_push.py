#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A push from the operator's click to the caller's phone: console, gateway, a push service on the loopback, the page's service worker in a real browser.

The push service is `push_endpoint.py`; what it decrypted is handed to the browser by its DevTools, since the push service that a browser brings
is its maker's. Ends with 77 where no Chromium is installed.
"""

import datetime
import json
import os

import centre
from browser_emergency import PHONE, open_browser, register, sign_in
from centre import Centre, hold
from daybook import until
from push_endpoint import PushEndpoint
from story import tell, watched

# What the browser would do with its maker's push service: a subscription of our own, kept as the browser keeps one.
SUBSCRIBING = """(() => { const given = %s; let kept = null;
    const made = (applicationServerKey) => ({ options: { applicationServerKey }, toJSON: () => given, unsubscribe: async () => { kept = null; window.subscribedFor = null; return true; } });
    if (%s) kept = made(new Uint8Array(65).buffer);
    PushManager.prototype.getSubscription = async () => kept;
    PushManager.prototype.subscribe = async (options) => {
        if (kept) throw new DOMException("for another key", "InvalidStateError");
        window.subscribedFor = options; kept = made(Uint8Array.from(atob(options.applicationServerKey.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0)).buffer); return kept; }; })()"""

SHOWN = "navigator.serviceWorker.getRegistration('/call').then((r) => r.getNotifications()).then((all) => all.map(({ title, body, tag }) => ({ title, body, tag })))"


def main(options, folder):
    desk = Centre(options.daybook, folder, options=["--push-reach", "machine"]).open()
    desk.staff("amina")
    with open_browser(folder) as browser:
        browser.ignores_policy = bool(options.axe)
        play = Play(options, desk, browser)
        with watched((play.amina, play.caller), folder):
            tell(play.unreachable, play.subscribes, play.told, play.open_page_asks_itself, play.too_late, play.fast_clock, play.nonsense, play.unsubscribes, play.renews, play.looks)
    desk.verify()


class Play:
    def __init__(self, options, desk, browser):
        self.options, self.desk, self.browser, self.endpoint = options, desk, browser, PushEndpoint()
        self.address = f"http://127.0.0.1:{desk.port}"
        self.amina = sign_in(browser.context(), self.address, "amina")
        self.phone = browser.profile_context()
        self.caller = register(self.phone, self.address, self.amina, width=390, height=844, touch=True)
        self.caller.wait_for("navigator.serviceWorker.ready.then((r) => Boolean(r.active))")
        # Beside the caller's page, to look at what the phone shows while that page is not there.
        self.beside = self.phone.page(f"{self.address}/")
        self.beside.send("ServiceWorker.enable")
        self.count = 0

    def kinds(self, kind):
        return [entry for entry in self.desk.entries() if entry["type"] == kind]

    def deliver(self, message):
        scope = f"{self.address}/call"
        until(lambda: scope in self.beside.registrations, "the service worker is known")
        text = message if isinstance(message, str) else json.dumps(message)
        self.beside.send("ServiceWorker.deliverPushMessage", {"origin": self.address, "registrationId": self.beside.registrations[scope], "data": text})

    def shown(self):
        return self.beside.evaluate(SHOWN)

    def leave(self):
        """The caller closes the page, or looks at another one."""
        self.caller.go(f"{self.address}/web/ui/icon.svg")

    def come_back(self):
        self.caller.go(f"{self.address}/call")
        self.caller.has(PHONE, "#number")

    def unreachable(self):
        """Here the browser's own push service cannot be reached: the page says so, and the button is there again."""
        self.caller.press("Turn on notifications")
        self.caller.noticed("to be told")
        self.caller.wait_for("document.querySelector('#push button')?.disabled === false")
        hold(not self.kinds("push.subscribed/1"), "nothing is recorded")

    def subscribes(self):
        self.caller.evaluate(self.subscribing())
        self.caller.press("Turn on notifications")
        self.caller.has("notifies you when the emergency centre needs you", "#push")
        self.endpoint.key = self.caller.evaluate("window.subscribedFor.applicationServerKey")
        hold(self.caller.evaluate("window.subscribedFor.userVisibleOnly"), "every push is for the user")
        hold(len(self.kinds("push.subscribed/1")) == 1, "the ledger says that this phone takes pushes")

    def told(self):
        """The operator opens a session while the page is closed: the phone shows it, in words that say nothing to others."""
        self.leave()
        self.amina.key("/")
        self.amina.type("#command input", "+44 77")
        self.amina.has(PHONE, "#command ul")
        self.amina.key("ArrowDown")
        self.amina.key("Enter")
        self.amina.has("waiting for the caller", "#main")
        self.count += 1
        self.message = self.endpoint.wait_for(self.count)["message"]
        hold(not self.endpoint.faults, f"the push service found: {self.endpoint.faults}")
        hold(self.shown() == [], "nothing was shown before")
        self.deliver(self.message)
        self.beside.wait_for(f"({SHOWN}).then((all) => all.length === 1)", what="the notification is shown")
        notice = self.shown()[0]
        hold(notice["tag"] == "video_call" and notice["title"] == "The emergency centre wants to see what you see", f"it says {notice}")
        # The same once more replaces it.
        self.deliver(self.message)
        hold(self.shown_behind() == ["video_call"], "one notification is shown")

    def open_page_asks_itself(self):
        """Whoever looks at the page is asked there, and not by a notification besides."""
        self.clear()
        self.come_back()
        self.caller.has("wants to reach you", "#home")
        self.caller.evaluate("(() => { window.heard = []; navigator.serviceWorker.addEventListener('message', ({ data }) => window.heard.push(data.asked)); })()")
        self.deliver(self.message)
        self.caller.wait_for("window.heard[0] === 'video_call'", what="the page hears of the push")
        hold(self.shown_behind() == [], "an open page needs no notification")

    def too_late(self):
        """A push whose time is over is passed over; the rule is created plus limit."""
        self.leave()
        now = datetime.datetime.now(datetime.timezone.utc)
        for age, limit, isShown in ((121, "00:02:00", False), (3_700, "01:00:00", False), (3_500, "01:00:00", True)):
            created = (now - datetime.timedelta(seconds=age)).isoformat().replace("+00:00", "Z")
            self.clear()
            self.deliver({"data": {"message_type": "location", "session_created_timestamp": created, "session_time_limit": limit}})
            if isShown:
                self.beside.wait_for(f"({SHOWN}).then((all) => all.length === 1)", what="the notification is shown")
            else:
                hold(self.shown_behind() == [], f"a push of {age} s ago with a limit of {limit} is passed over")

    def fast_clock(self):
        """A phone whose clock is minutes fast tells of a push in time: the centre's clock counts."""
        self.clear()
        worker = next(one for one in self.browser.send("Target.getTargets")["targetInfos"] if one["type"] == "service_worker" and self.address in one["url"])
        session = self.browser.send("Target.attachToTarget", {"targetId": worker["targetId"], "flatten": True})["sessionId"]
        self.browser.send("Runtime.evaluate", {"expression": "const rightly = Date.now.bind(Date); Date.now = () => rightly() + 150_000; 1"}, session)
        created = datetime.datetime.now(datetime.timezone.utc).isoformat().replace("+00:00", "Z")
        self.deliver({"data": {"message_type": "video_call", "session_created_timestamp": created, "session_time_limit": "00:02:00"}})
        self.beside.wait_for(f"({SHOWN}).then((all) => all.length === 1)", what="the notification is shown")
        self.browser.send("Runtime.evaluate", {"expression": "Date.now = rightly; 1"}, session)
        self.browser.send("Target.detachFromTarget", {"sessionId": session})

    def nonsense(self):
        self.clear()
        for text in ("", "x", "{}", '{"data":null}', '{"data":{"message_type":"other"}}', '{"data":{"message_type":"chat"}}'):
            self.deliver(text)
        hold(self.shown_behind() == [], "what is no message of ours is passed over")

    def clear(self):
        self.beside.evaluate("navigator.serviceWorker.getRegistration('/call').then((r) => r.getNotifications()).then((all) => all.forEach((one) => one.close()))")
        self.beside.wait_for(f"({SHOWN}).then((all) => all.length === 0)")

    def shown_behind(self):
        """What the pushes so far came to, by their tags: known once one that came behind them is shown."""
        now = datetime.datetime.now(datetime.timezone.utc).isoformat().replace("+00:00", "Z")
        self.leave()
        self.deliver({"data": {"message_type": "chat", "session_created_timestamp": now, "session_time_limit": "00:01:00"}})
        self.beside.wait_for(f"({SHOWN}).then((all) => all.some((one) => one.tag === 'chat'))", what="the later notification is shown")
        tags = [one["tag"] for one in self.shown() if one["tag"] != "chat"]
        self.clear()
        return tags

    def unsubscribes(self):
        self.come_back()
        self.caller.press("Not now", within="#asked")
        self.caller.evaluate(self.subscribing())
        self.caller.press("Turn on notifications")
        self.caller.press("Turn off notifications")
        self.caller.has("Turn on notifications", "#push")
        hold(len(self.kinds("push.unsubscribed/1")) == 1, "the ledger says that this phone takes no more")

    def renews(self):
        """A subscription for a key that the gateway does not have any more is replaced when the page opens."""
        script = self.caller.before(self.subscribing(isForOtherKey=True))
        before = len(self.kinds("push.subscribed/1"))
        self.come_back()
        self.caller.wait_for("window.subscribedFor?.applicationServerKey", what="the page subscribes anew")
        hold(self.caller.evaluate("window.subscribedFor.applicationServerKey") == self.endpoint.key, "it is for the key that the gateway has")
        self.caller.has("notifies you when the emergency centre needs you", "#push")
        hold(len(self.kinds("push.subscribed/1")) == before + 1, "the ledger says that this phone takes pushes again")
        self.caller.send("Page.removeScriptToEvaluateOnNewDocument", {"identifier": script})
        self.come_back()

    def subscribing(self, isForOtherKey=False):
        return SUBSCRIBING % (json.dumps(self.endpoint.subscription()), json.dumps(isForOtherKey))

    def looks(self):
        """Pictures, and what axe-core says, of both states."""
        self.caller.evaluate(self.subscribing())
        for isOn in (False, True):
            if isOn:
                self.caller.press("Turn on notifications")
                self.caller.has("notifies you when the emergency centre needs you", "#push")
            for isDark in (False, True):
                self.caller.dark(isDark)
                if self.options.screenshots:
                    os.makedirs(self.options.screenshots, exist_ok=True)
                    self.caller.screenshot(os.path.join(self.options.screenshots, f"push-{'on' if isOn else 'off'}-{'dark' if isDark else 'light'}.png"))
                if self.options.axe:
                    with open(self.options.axe) as file:
                        found = self.caller.axe(file.read())
                    hold(not found, f"axe finds {found}")


if __name__ == "__main__":
    parser = centre.arguments(__doc__)
    parser.add_argument("--screenshots", help="a folder for pictures of the page")
    parser.add_argument("--axe", help="the file of axe-core, to look for faults with")
    centre.run(main, parser.parse_args())
