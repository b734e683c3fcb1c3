# SPDX-License-Identifier: Apache-2.0
"""What a person does with a page, whatever browser shows it. A driver adds how it is told so: `evaluate`, `_click`, `_insert`, `key` …"""

import json
import time


class BrowserError(Exception):
    """The browser did not do what was asked, or a page did not come to be as expected."""


class CannotStart(BrowserError):
    """There is no browser here, or it does not run."""


class AnyPage:
    """One page; what its console said is in `complaints`, without what was expected."""

    def __init__(self):
        self.complaints = []
        self.is_gateway_away = False

    def wait_for(self, expression, timeout=60, what=None):
        """Waits until an expression holds; returns its value."""
        until = time.monotonic() + timeout
        while True:
            try:
                value = self.evaluate(expression)
            except BrowserError:
                value = None  # between two documents nothing can be asked
                if time.monotonic() > until:
                    raise
            if value:
                return value
            if time.monotonic() > until:
                raise BrowserError(f"{what or expression} did not hold in {timeout} s; the page says: {self.text()[:1500]}; {self.complaints}")
            time.sleep(0.05)

    def text(self, selector="body"):
        return self.evaluate(f"document.querySelector({json.dumps(selector)})?.innerText ?? ''")

    def has(self, words, selector="body", timeout=60):
        """Waits until some words are to be read."""
        self.wait_for(f"(document.querySelector({json.dumps(selector)})?.innerText ?? '').includes({json.dumps(words)})", timeout, f"{words!r} in {selector}")

    def _place(self, finding, what, timeout):
        # What is found must be seen, stand still, and be on top at its middle, as for a person's finger.
        spot = f"""(async () => {{ const e = {finding}; if (!e || e.disabled) return null; e.scrollIntoView({{block: "center"}});
            const before = e.getBoundingClientRect(); await new Promise((resolve) => setTimeout(resolve, 60));
            const r = e.getBoundingClientRect(); if (!r.width || r.x !== before.x || r.y !== before.y) return null;
            const x = r.x + r.width / 2, y = r.y + r.height / 2, top = document.elementFromPoint(x, y);
            return e === top || e.contains(top) ? {{x, y}} : null; }})()"""
        return self.wait_for(spot, timeout, f"{what}, to be clicked")

    def click(self, selector, timeout=60):
        self._click(self._place(f"[...document.querySelectorAll({json.dumps(selector)})].find((e) => e.checkVisibility())", selector, timeout))

    def press(self, words, timeout=60, within="body"):
        """Clicks the button, link or option with these words."""
        finding = (f"[...document.querySelectorAll({json.dumps(within)} + ' :is(button, a, label, [role=option])')]"
                   f".find((e) => e.checkVisibility() && e.innerText.trim().replace(/\\s+/g, ' ').includes({json.dumps(words)}))")
        self._click(self._place(finding, f"the button {words!r}", timeout))

    def type(self, selector, text):
        """Puts a text into a field, in place of what was there."""
        self.wait_for(f"(() => {{ const e = document.querySelector({json.dumps(selector)}); if (!e?.checkVisibility()) return false; e.focus(); e.select?.(); return true; }})()",
                      what=f"{selector}, to be typed into")
        self._insert(text)

    def axe(self, program):
        """What axe-core, given as text, finds wrong: rule, and the first elements."""
        tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
        if not self.evaluate("'axe' in window"):
            self.evaluate(program + "; 1")
        found = self.evaluate(f"axe.run({{runOnly: {json.dumps(tags)}}}).then((r) => r.violations.map((v) => v.id + ': ' + v.help + ' ' + "
                              "v.nodes.slice(0, 3).map((n) => n.target.join(' ') + ' ' + (n.any[0]?.message ?? '')).join(' | ')))")
        return found
