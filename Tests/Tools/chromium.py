# SPDX-License-Identifier: Apache-2.0
"""Drives a real Chromium from outside, over its DevTools protocol on a pair of pipes; standard library only.

    with Chromium.launch(folder) as browser:
        page = browser.context().page("http://127.0.0.1:8080/call", width=390, height=844)
        page.click("button.primary")
        page.wait_for("document.title === 'x'")
"""

import base64
import json
import os
import shutil
import subprocess
import threading
import time

from browser import AnyBrowser
from daybook import DEADLINE, until
from page import BEFORE, PATIENT, AnyPage, BrowserError, CannotStart

NAMES = ("chromium", "chromium-browser", "google-chrome")


def find_program():
    """The browser of this machine, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Chromium(AnyBrowser):
    """One browser without a window; its cameras show what `camera` says, and need no permission unless it `asks`."""

    CLOSE = "Browser.close"

    def __init__(self, process, reading, writing, profile):
        self.reading, self.writing = reading, writing
        #: For programs that put styles of their own into pages; the policy is looked at without them.
        self.ignores_policy = False
        #: Programs that show how pages give up do without.
        self.is_patient = True
        super().__init__(process, profile)

    @classmethod
    def launch(cls, folder, camera=None, cameras=1, asks=False):
        """Starts a browser with a profile of its own.

        `camera` is a Y4M or MJPEG file; without one the camera shows the browser's own test picture. A browser that `asks` gives a camera
        only where the context has the permission; a question is answered with no, as there is no window.
        """
        program = find_program()
        if program is None:
            raise CannotStart("no Chromium is installed; apt-get install chromium")
        # Its own sandbox is for pages that nobody knows; where it cannot be had, ours do without.
        for sandbox in ([], ["--no-sandbox"]) if os.geteuid() else (["--no-sandbox"],):
            browser = cls._start(program, folder, camera, cameras, sandbox + ([] if asks else ["--use-fake-ui-for-media-stream"]))
            try:
                browser.send("Browser.getVersion")
                return browser
            except (BrowserError, OSError) as error:
                fault = error
                browser.close()
        raise CannotStart(f"{program} does not start ({fault}); see {folder}/browser.log")

    @classmethod
    def _start(cls, program, folder, camera, cameras, more):
        profile = os.path.join(folder, f"profile-{time.monotonic_ns()}")
        to_browser, to_us = os.pipe(), os.pipe()
        words = [
            program, "--headless=new", "--remote-debugging-pipe", f"--user-data-dir={profile}", "--no-first-run", "--disable-gpu",
            "--no-default-browser-check", "--disable-background-networking", "--disable-component-update", "--mute-audio",
            f"--use-fake-device-for-media-stream=device-count={cameras}", "--autoplay-policy=no-user-gesture-required",
            "--disable-dev-shm-usage", "--force-color-profile=srgb", "--lang=en-GB",
        ]
        if camera:
            words.append(f"--use-file-for-fake-video-capture={camera}")
        words += more

        def pipes():
            # The protocol is on 3 (its requests) and 4 (its answers).
            reading, writing = os.dup(to_browser[0]), os.dup(to_us[1])
            os.dup2(reading, 3)
            os.dup2(writing, 4)
            os.closerange(5, 256)

        log = open(os.path.join(folder, "browser.log"), "ab")
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, preexec_fn=pipes, close_fds=False)
        os.close(to_browser[0])
        os.close(to_us[1])
        return cls(process, os.fdopen(to_us[0], "rb", 0), os.fdopen(to_browser[1], "wb", 0), profile)

    def send(self, method, parameters=None, session=None, timeout=DEADLINE):
        answer = self.ask(method, parameters, timeout, **({"sessionId": session} if session else {}))
        if "error" in answer:
            raise BrowserError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def _write(self, message):
        self.writing.write(json.dumps(message).encode() + b"\0")

    def _listen(self):
        buffer = b""
        while True:
            part = self.reading.read(1 << 20)
            if not part:
                break
            *whole, buffer = (buffer + part).split(b"\0")
            for text in whole:
                self._take(json.loads(text))
        self._ended()

    def _take(self, message):
        if "id" in message:
            self._answered(message)
        elif message.get("sessionId") in self.pages:
            self.pages[message["sessionId"]].take(message["method"], message["params"])

    def context(self, permissions=("videoCapture", "geolocation", "notifications"), language=None):
        """A browser window of somebody else, who may have set it to another language: cookies and storage of its own."""
        name = self.send("Target.createBrowserContext")["browserContextId"]
        self.send("Browser.grantPermissions", {"permissions": list(permissions), "browserContextId": name})
        return Context(self, name, language)

    def profile_context(self, permissions=("videoCapture", "geolocation", "notifications")):
        """The browser's own window, not a private one: only there push is taken."""
        self.send("Browser.grantPermissions", {"permissions": list(permissions)})
        return Context(self, None)


class Context:
    def __init__(self, browser, name, language=None):
        self.browser, self.name, self.language = browser, name, language

    def page(self, address, width=1440, height=900, scale=1, dark=False, touch=False):
        # In the browser's own window one page would lie behind the other.
        place = {"browserContextId": self.name} if self.name else {"newWindow": True}
        target = self.browser.send("Target.createTarget", {"url": "about:blank", **place})["targetId"]
        session = self.browser.send("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
        page = Page(self.browser, session, target)
        self.browser.pages[session] = page
        for domain in ("Page", "Runtime", "Log", "Network", "Inspector"):
            page.send(f"{domain}.enable")
        page.before(BEFORE)
        if self.browser.is_patient:
            page.before(PATIENT)
        # Pages behind others are slowed down; each of ours is somebody's only one.
        page.send("Emulation.setFocusEmulationEnabled", {"enabled": True})
        page.send("Page.setBypassCSP", {"enabled": self.browser.ignores_policy})
        if self.language:
            page.send("Emulation.setUserAgentOverride", {"userAgent": self.browser.send("Browser.getVersion")["userAgent"], "acceptLanguage": self.language})
        page.resize(width, height, scale, touch)
        page.dark(dark)
        page.go(address)
        return page


class Page(AnyPage):
    """A page of this browser; `sent` are the addresses that it asked for."""

    def __init__(self, browser, session, target):
        super().__init__()
        self.browser, self.session, self.target = browser, session, target
        self.sent = []
        #: How often the browser asked whether the page is to be left, which it always is.
        self.was_asked = 0
        #: How much came on its sockets.
        self.heard = 0
        self.has_crashed = threading.Event()
        #: What is being dragged, while drags are ours to carry on.
        self.dragged = None
        #: The service workers' registrations by their scope, once `ServiceWorker` is enabled.
        self.registrations = {}

    def send(self, method, parameters=None):
        return self.browser.send(method, parameters, self.session)

    def before(self, program):
        """Runs a program in each document to come, before the document's own; its identifier."""
        return self.send("Page.addScriptToEvaluateOnNewDocument", {"source": program})["identifier"]

    def take(self, method, parameters):
        if method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.complaints.append(f"exception: {details.get('exception', {}).get('description', details['text'])}")
        elif method == "Log.entryAdded" and parameters["entry"]["level"] == "error":
            entry = parameters["entry"]
            # A refusal of the gateway, or its absence, is for the page to tell of. Contexts of tests are incognito, where there are no pushes.
            if entry["source"] != "network" and "Push API in incognito mode" not in entry["text"] and not (self.is_gateway_away and "WebSocket" in entry["text"]):
                self.complaints.append(f"{entry['source']}: {entry['text']} {entry.get('url', '')}")
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "assert"):
            self.complaints.append("console: " + " ".join(str(one.get("value", one.get("description"))) for one in parameters["args"]))
        elif method == "Network.requestWillBeSent":
            self.sent.append(parameters["request"]["url"])
        elif method == "Network.webSocketFrameReceived":
            self.heard += 1
        elif method == "Page.javascriptDialogOpening" and parameters["type"] == "beforeunload":
            self.was_asked += 1
            self.browser.tell("Page.handleJavaScriptDialog", {"accept": True}, sessionId=self.session)
        elif method == "Input.dragIntercepted":
            self.dragged = parameters["data"]
        elif method == "Inspector.targetCrashed":
            self.has_crashed.set()
        elif method == "ServiceWorker.workerRegistrationUpdated":
            self.registrations.update({one["scopeURL"]: one["registrationId"] for one in parameters["registrations"] if not one["isDeleted"]})

    def go(self, address):
        self.send("Page.navigate", {"url": address})
        self.wait_for("document.readyState === 'complete'")

    def reload(self):
        self.evaluate("window.isOld = true")
        self.send("Page.reload")
        self.wait_for("!window.isOld && document.readyState === 'complete'")

    def close(self):
        self.browser.pages.pop(self.session, None)
        self.browser.send("Target.closeTarget", {"targetId": self.target})

    def resize(self, width, height, scale=1, touch=False):
        self.send("Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": touch})

    def dark(self, isDark):
        value = "dark" if isDark else "light"
        self.send("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": value}]})

    def place(self, latitude, longitude, accuracy=12):
        self.send("Emulation.setGeolocationOverride", {"latitude": latitude, "longitude": longitude, "accuracy": accuracy})

    def crash(self):
        """Kills the process that renders the page, as a lack of memory does."""
        # Who is dead does not answer.
        self.browser.tell("Page.crash", sessionId=self.session)
        if not self.has_crashed.wait(DEADLINE):
            raise BrowserError(f"the page did not crash in {DEADLINE} s")
        self.close()

    def sleep(self, isAsleep):
        """Takes the network away from the page, or gives it back."""
        self.is_gateway_away = self.is_gateway_away or isAsleep
        self.send("Network.emulateNetworkConditions", {"offline": isAsleep, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1})

    def evaluate(self, expression):
        """The value of an expression, or of the promise that it is."""
        answer = self.send("Runtime.evaluate", {"expression": expression, "awaitPromise": True, "returnByValue": True, "userGesture": True})
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise BrowserError(f"{expression[:200]}: {details.get('exception', {}).get('description', details['text'])}")
        return answer["result"].get("value")

    def _insert(self, text):
        self.send("Input.insertText", {"text": text})

    def _click(self, spot):
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", {"type": kind, "x": spot["x"], "y": spot["y"], "button": "left", "clickCount": 1})

    def drag(self, selector, target):
        """Drags an element onto another one with the mouse, and lets go of it there."""
        begin, end = (self._place(f"document.querySelector({json.dumps(one)})", one) for one in (selector, target))
        self.dragged = None
        self.send("Input.setInterceptDrags", {"enabled": True})
        self.send("Input.dispatchMouseEvent", {"type": "mousePressed", **begin, "button": "left", "buttons": 1, "clickCount": 1})
        for step in (8, 16, 24):
            self.send("Input.dispatchMouseEvent", {"type": "mouseMoved", "x": begin["x"] + step, "y": begin["y"], "button": "left", "buttons": 1})
        until(lambda: self.dragged, f"{selector} is dragged")
        for kind in ("dragEnter", "dragOver", "drop"):
            self.send("Input.dispatchDragEvent", {"type": kind, **end, "data": self.dragged})
        self.send("Input.dispatchMouseEvent", {"type": "mouseReleased", **end, "button": "left"})
        self.send("Input.setInterceptDrags", {"enabled": False})

    def key(self, name, alt=False):
        codes = {"Enter": 13, "Escape": 27, "Tab": 9, "Home": 36, "End": 35, "ArrowDown": 40, "ArrowUp": 38, "ArrowLeft": 37, "ArrowRight": 39}
        code = codes.get(name) or ord(name.upper())
        event = {"key": name, "windowsVirtualKeyCode": code, "modifiers": 1 if alt else 0}
        if name == "Enter":
            event["text"] = "\r"
        elif len(name) == 1 and not alt:
            event["text"] = name
        self.send("Input.dispatchKeyEvent", {"type": "keyDown", **event})
        self.send("Input.dispatchKeyEvent", {"type": "keyUp", **{k: v for k, v in event.items() if k != "text"}})

    def screenshot(self, path):
        data = self.send("Page.captureScreenshot", {"format": "png"})["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
