# SPDX-License-Identifier: Apache-2.0
"""A browser without a window that is asked over one connection and answers by number, in whatever protocol."""

import shutil
import signal
import subprocess
import threading

from page import BrowserError


class AnyBrowser:
    """One process with a profile of its own. A driver says how it is written to (`_write`), what it reads (`_listen`), and how it is told to end."""

    CLOSE = None

    def __init__(self, process, profile):
        self.process, self.profile = process, profile
        self.lock, self.number, self.waiting, self.pages = threading.Condition(), 0, {}, {}
        self.is_over = False
        threading.Thread(target=self._listen, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        if self.process.poll() is None:
            try:
                self.send(self.CLOSE, timeout=10)
                self.process.wait(15)
            except (BrowserError, OSError, subprocess.TimeoutExpired):
                self.process.send_signal(signal.SIGKILL)
                self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def ask(self, method, parameters, timeout, **more):
        """The whole answer to a request."""
        with self.lock:
            self.number += 1
            number = self.number
            self.waiting[number] = None
            self._write({"id": number, "method": method, "params": parameters or {}, **more})
            if not self.lock.wait_for(lambda: self.waiting[number] is not None or self.is_over, timeout):
                raise BrowserError(f"{method} was not answered in {timeout} s")
            answer = self.waiting.pop(number)
        if answer is None:
            raise BrowserError(f"the browser ended during {method}")
        return answer

    def tell(self, method, parameters=None, **more):
        """A request whose answer nobody waits for."""
        with self.lock:
            self.number += 1
            self._write({"id": self.number, "method": method, "params": parameters or {}, **more})

    def _answered(self, message):
        with self.lock:
            self.waiting[message["id"]] = message
            self.lock.notify_all()

    def _ended(self):
        with self.lock:
            self.is_over = True
            self.lock.notify_all()
