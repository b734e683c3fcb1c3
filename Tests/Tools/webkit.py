# SPDX-License-Identifier: Apache-2.0
"""Drives a real WebKitGTK (the engine of Safari) from outside by WebDriver, on a screen of its own; standard library only."""

import base64
import http.client
import json
import os
import select
import shutil
import subprocess

from centre import free_port
from daybook import DEADLINE, until
from page import AnyPage, BrowserError, CannotStart

BROWSERS = ("/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser", "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.0/MiniBrowser")
KEYS = {"Enter": "\ue007", "Escape": "\ue00c", "Tab": "\ue004"}


class WebKit:
    """One browser with one window, on a virtual screen."""

    def __init__(self, processes, port):
        self.processes, self.port, self.session = processes, port, None

    @classmethod
    def launch(cls, folder):
        programs = [shutil.which("WebKitWebDriver"), shutil.which("Xvfb"), next(filter(os.path.exists, BROWSERS), None)]
        if not all(programs):
            raise CannotStart("no WebKitGTK is installed; apt-get install webkit2gtk-driver xvfb gstreamer1.0-plugins-good")
        driver, screen, browser = programs
        webkit = cls._start(folder, driver, screen)
        try:
            webkit._begin({"acceptInsecureCerts": True, "webkitgtk:browserOptions": {"binary": browser, "args": ["--automation"]}})
            return webkit
        except (BrowserError, OSError) as error:
            webkit.close()
            raise CannotStart(f"WebKitGTK does not start ({error}); see {folder}/webkit.log")

    @classmethod
    def _start(cls, folder, driver, screen):
        log = open(os.path.join(folder, "webkit.log"), "ab")
        # -displayfd: the screen takes a free number and tells which.
        reading, writing = os.pipe()
        screens = subprocess.Popen([screen, "-displayfd", str(writing), "-screen", "0", "1440x900x24", "-nolisten", "tcp"],
                                   stdin=subprocess.DEVNULL, stdout=log, stderr=log, pass_fds=[writing])
        os.close(writing)
        with os.fdopen(reading) as told:
            ready, _, _ = select.select([told], [], [], DEADLINE)
            number = told.readline().strip() if ready else ""
        port = free_port()
        environment = dict(os.environ, DISPLAY=f":{number}", HOME=folder, NO_AT_BRIDGE="1")
        drivers = subprocess.Popen([driver, f"--port={port}", "--host=127.0.0.1"], stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment)
        return cls([drivers, screens], port)

    def _begin(self, capabilities):
        until(self._answers, "the driver of WebKitGTK answers")
        self.session = self.ask("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})["sessionId"]

    def _answers(self):
        try:
            return self.ask("GET", "/status")["ready"]
        except ConnectionRefusedError:
            return False

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        if self.session:
            try:
                self.send("DELETE", "")
            except (BrowserError, OSError, http.client.HTTPException):
                pass  # its processes are ended below all the same
        for process in self.processes:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def ask(self, method, path, body=None, timeout=DEADLINE):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            connection.request(method, path, json.dumps(body) if body is not None else None, {"Content-Type": "application/json"})
            value = json.loads(connection.getresponse().read())["value"]
        finally:
            connection.close()
        if isinstance(value, dict) and "error" in value:
            raise BrowserError(f"{path}: {value['error']}: {value['message']}")
        return value

    def send(self, method, path, body=None):
        return self.ask(method, f"/session/{self.session}{path}", body)

    def page(self, address):
        return Page(self, address)


class Page(AnyPage):
    """The one page of the browser; it does not tell what its console says."""

    def __init__(self, browser, address):
        super().__init__()
        self.browser = browser
        browser.send("POST", "/window/rect", {"width": 1440, "height": 900})
        self.go(address)

    def go(self, address):
        self.browser.send("POST", "/url", {"url": address})

    def reload(self):
        self.browser.send("POST", "/refresh", {})

    def resize(self, width, height, scale=1, touch=False):
        self.browser.send("POST", "/window/rect", {"width": width, "height": height})

    def evaluate(self, expression):
        """The value of an expression, or of the promise that it is."""
        return self.browser.send("POST", "/execute/sync", {"script": f"return ({expression});", "args": []})

    def _act(self, kind, name, actions, **more):
        self.browser.send("POST", "/actions", {"actions": [{"type": kind, "id": name, "actions": actions, **more}]})

    def _insert(self, text):
        self._act("key", "keys", [step for letter in text for step in ({"type": "keyDown", "value": letter}, {"type": "keyUp", "value": letter})])

    def key(self, name, alt=False):
        self._insert(KEYS.get(name, name))

    def _click(self, spot):
        move = {"type": "pointerMove", "duration": 0, "x": round(spot["x"]), "y": round(spot["y"])}
        self._act("pointer", "mouse", [move, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}], parameters={"pointerType": "mouse"})

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.browser.send("GET", "/screenshot")))
