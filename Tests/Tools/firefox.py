# SPDX-License-Identifier: Apache-2.0
"""Drives a real Firefox from outside, by WebDriver BiDi on a WebSocket of the loopback; standard library only.

Stock Firefox has no camera that shows a file. Its own fake camera shows moving colours; with `camera=True` pages get pictures of a
canvas that carry their numbers, as `BarCode` draws them, in place of it.
"""

import base64
import json
import os
import re
import shutil
import signal
import subprocess
import time

from browser import AnyBrowser
from daybook import DEADLINE, WebSocket
from page import BEFORE, PATIENT, AnyPage, BrowserError, CannotStart

NAMES = ("firefox-esr", "firefox")
SETTINGS = {
    "media.navigator.streams.fake": True, "media.navigator.permission.disabled": True, "media.autoplay.default": 0,
    "geo.prompt.testing": True, "geo.prompt.testing.allow": True, "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False, "app.update.auto": False, "browser.startup.page": 0,
    "remote.active-protocols": 1, "network.captive-portal-service.enabled": False, "intl.accept_languages": "en-GB",
    # Windows behind others are each somebody's only one.
    "widget.windows.window_occlusion_tracking.enabled": False, "dom.min_background_timeout_value": 4,
    "dom.timeout.enable_budget_timer_throttling": False,
}
# What breaks the policy of the page is told as any other fault.
POLICY = """() => { addEventListener("securitypolicyviolation", (event) =>
    console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`)); }"""
# 25 pictures a second of 320 × 180, each with its number in 30 cells along the bottom.
CAMERA = """() => {
    if (!navigator.mediaDevices) return;
    const canvas = document.createElement("canvas");
    Object.assign(canvas, { width: 320, height: 180 });
    const begun = performance.now();
    const context = canvas.getContext("2d", { alpha: false });
    const draw = () => {
        const number = Math.floor((performance.now() - begun) / 40);
        const data = Array.from({ length: 24 }, (_, bit) => (number >> (23 - bit)) & 1);
        let check = 0;
        for (let shift = 0; shift < 24; shift += 4) check ^= (number >> shift) & 15;
        const bits = [1, 0, ...data, ...[3, 2, 1, 0].map((bit) => (check >> bit) & 1)];
        context.fillStyle = `hsl(${(number * 3) % 360} 60% 45%)`;
        context.fillRect(0, 0, 320, 158);
        context.fillStyle = "white";
        context.fillRect((number * 4) % 320, 40, 24, 24);
        bits.forEach((bit, cell) => {
            context.fillStyle = bit ? "rgb(235 235 235)" : "rgb(28 28 28)";
            context.fillRect(Math.floor((cell * 320) / 30), 158, 11, 22);
        });
    };
    let timer = 0;
    navigator.mediaDevices.getUserMedia = async () => {
        clearInterval(timer);
        draw();
        timer = setInterval(draw, 40);
        return canvas.captureStream(25);
    };
}"""
KEYS = {"Enter": "\ue007", "Escape": "\ue00c", "Tab": "\ue004", "ArrowDown": "\ue015", "ArrowUp": "\ue013", "ArrowLeft": "\ue012", "ArrowRight": "\ue014"}


class Firefox(AnyBrowser):
    """One browser without a window."""

    CLOSE = "browser.close"

    def __init__(self, process, socket, profile):
        self.socket = socket
        super().__init__(process, profile)

    @classmethod
    def launch(cls, folder, camera=False):
        program = next(filter(None, map(shutil.which, NAMES)), None)
        if program is None:
            raise CannotStart("no Firefox is installed; apt-get install firefox-esr")
        profile = os.path.join(folder, f"profile-{time.monotonic_ns()}")
        os.makedirs(profile)
        with open(os.path.join(profile, "user.js"), "w") as file:
            file.writelines(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in SETTINGS.items())
        path = os.path.join(folder, "firefox.log")
        log = open(path, "ab")
        begin = log.tell()
        words = [program, "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port=0"]
        environment = dict(os.environ, HOME=profile, MOZ_HEADLESS_WIDTH="1440", MOZ_HEADLESS_HEIGHT="900", MOZ_CRASHREPORTER_DISABLE="1")
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment)
        end = time.monotonic() + DEADLINE
        while time.monotonic() < end and process.poll() is None:
            with open(path, "rb") as file:
                file.seek(begin)
                found = re.search(rb"listening on ws://127\.0\.0\.1:(\d+)", file.read())
            if found:
                browser = cls(process, WebSocket("127.0.0.1", int(found[1]), "/session"), profile)
                browser.send("session.new", {"capabilities": {}})
                browser.send("session.subscribe", {"events": ["log.entryAdded"]})
                for program in (f"() => {BEFORE}", f"() => {{ {PATIENT} }}", POLICY, *([CAMERA] if camera else [])):
                    browser.send("script.addPreloadScript", {"functionDeclaration": program})
                return browser
            time.sleep(0.1)
        process.send_signal(signal.SIGKILL)
        process.wait()
        raise CannotStart(f"{program} does not start; see {path}")

    def send(self, method, parameters=None, timeout=DEADLINE):
        answer = self.ask(method, parameters, timeout)
        if answer["type"] == "error":
            raise BrowserError(f"{method}: {answer['error']}: {answer['message']}")
        return answer["result"]

    def _write(self, message):
        self.socket.send_json(message)

    def _listen(self):
        try:
            while (text := self.socket.receive(None)) is not None:
                message = json.loads(text)
                if "id" in message:
                    self._answered(message)
                elif message["method"] == "log.entryAdded":
                    page = self.pages.get(message["params"]["source"].get("context"))
                    if page:
                        page.take(message["params"])
        except OSError:
            pass  # the browser has ended; who waits is told
        self._ended()

    def context(self):
        """A browser window of somebody else: cookies and storage of its own."""
        return Context(self, self.send("browser.createUserContext")["userContext"])


class Context:
    def __init__(self, browser, name):
        self.browser, self.name = browser, name

    def page(self, address, width=1440, height=900, scale=1, dark=False, touch=False):
        context = self.browser.send("browsingContext.create", {"type": "window", "userContext": self.name})["context"]
        page = Page(self.browser, context, self)
        self.browser.pages[context] = page
        page.resize(width, height, scale)
        page.go(address)
        return page


class Page(AnyPage):
    def __init__(self, browser, context, owner):
        super().__init__()
        self.browser, self.context, self.owner = browser, context, owner

    def send(self, method, parameters=None):
        return self.browser.send(method, {"context": self.context, **(parameters or {})})

    def take(self, entry):
        text = entry.get("text") or ""
        # That a size is told a frame later is no fault.
        if entry["level"] != "error" or "ResizeObserver loop" in text or (self.is_gateway_away and ("WebSocket" in text or " ws://" in text)):
            return
        self.complaints.append(f"{entry['type']}: {text}")

    def go(self, address):
        origin = "/".join(address.split("/")[:3])
        for name in ("geolocation", "notifications"):
            self.browser.send("permissions.setPermission", {"descriptor": {"name": name}, "state": "granted", "origin": origin, "userContext": self.owner.name})
        self.send("browsingContext.navigate", {"url": address, "wait": "complete"})

    def reload(self):
        self.send("browsingContext.reload", {"wait": "complete"})

    def close(self):
        self.browser.pages.pop(self.context, None)
        self.send("browsingContext.close")

    def resize(self, width, height, scale=1, touch=False):
        self.send("browsingContext.setViewport", {"viewport": {"width": width, "height": height}, "devicePixelRatio": scale})

    def place(self, latitude, longitude, accuracy=12):
        self.browser.send("emulation.setGeolocationOverride", {
            "contexts": [self.context], "coordinates": {"latitude": latitude, "longitude": longitude, "accuracy": accuracy}})

    def evaluate(self, expression):
        """The value of an expression, or of the promise that it is."""
        answer = self.browser.send("script.evaluate", {
            "expression": expression, "target": {"context": self.context}, "awaitPromise": True, "userActivation": True})
        if answer["type"] == "exception":
            raise BrowserError(f"{expression[:200]}: {answer['exceptionDetails']['text']}")
        return value_of(answer["result"])

    def _act(self, kind, name, actions, **more):
        self.send("input.performActions", {"actions": [{"type": kind, "id": name, "actions": actions, **more}]})

    def _insert(self, text):
        self._act("key", "keys", [step for letter in text for step in ({"type": "keyDown", "value": letter}, {"type": "keyUp", "value": letter})])

    def _click(self, spot):
        move = {"type": "pointerMove", "x": round(spot["x"]), "y": round(spot["y"])}
        self._act("pointer", "mouse", [move, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}], parameters={"pointerType": "mouse"})

    def key(self, name, alt=False):
        value = KEYS.get(name, name)
        steps = [{"type": "keyDown", "value": value}, {"type": "keyUp", "value": value}]
        held = "\ue00a"
        self._act("key", "keys", [{"type": "keyDown", "value": held}, *steps, {"type": "keyUp", "value": held}] if alt else steps)

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.send("browsingContext.captureScreenshot")["data"]))


def value_of(remote):
    """A value as the protocol spells it, in Python's words."""
    kind, value = remote["type"], remote.get("value")
    if kind == "array":
        return [value_of(one) for one in value]
    if kind == "object":
        return {key if isinstance(key, str) else value_of(key): value_of(one) for key, one in value}
    return value if kind in ("string", "number", "boolean") else None
