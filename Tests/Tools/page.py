# SPDX-License-Identifier: Apache-2.0
"""What a person does with a page, whatever browser shows it. A driver adds how it is told so: `evaluate`, `_click`, `_insert`, `key` …"""

import json
import time

from daybook import DEADLINE

# Runs in each document before its own programs. Notices go after some seconds: all of them are kept for who looks late.
BEFORE = """(() => {
    window.keptNotices = [];
    new MutationObserver((changes) => { for (const { addedNodes } of changes) for (const node of addedNodes) if (node.matches?.(".toasts > .notice")) window.keptNotices.push(node.textContent); })
        .observe(document, { childList: true, subtree: true });
})()"""
# An answer may take as long as this program waits, on a slow machine, before the page says that there is none.
PATIENT = f"window.daybookAnswerMilliseconds = {DEADLINE * 1000}"


class BrowserError(Exception):
    """The browser did not do what was asked, or a page did not come to be as expected."""


class CannotStart(BrowserError):
    """There is no browser here, or it does not run."""


class AnyPage:
    """One page; what its console said is in `complaints`, without what was expected."""

    def __init__(self):
        self.complaints = []
        self.is_gateway_away = False

    def wait_for(self, expression, what=None, deadline=DEADLINE):
        """Waits until an expression holds; returns its value."""
        end = time.monotonic() + deadline
        while True:
            # Asked once more after the end: a machine that was busy has not looked yet.
            is_last = time.monotonic() >= end
            try:
                value = self.evaluate(expression)
            except BrowserError:
                value = None  # between two documents nothing can be asked
                if is_last:
                    raise
            if value:
                return value
            if is_last:
                raise BrowserError(f"{what or expression} did not hold in {deadline} s; the page says: {self.text()[:1500]}; notices: {self.evaluate('window.keptNotices ?? []')}; {self.complaints}")
            time.sleep(0.05)

    def text(self, selector="body"):
        return self.evaluate(f"document.querySelector({json.dumps(selector)})?.innerText ?? ''")

    def has(self, words, selector="body"):
        """Waits until some words are to be read; for those of a notice see `noticed`."""
        self.wait_for(f"(document.querySelector({json.dumps(selector)})?.innerText ?? '').includes({json.dumps(words)})", f"{words!r} in {selector}")

    def noticed(self, words):
        """Waits for a notice with some words, also one that has gone since; each counts once."""
        at = f"window.keptNotices.findIndex((text) => text.includes({json.dumps(words)}))"
        self.wait_for(f"(() => {{ const at = {at}; return at >= 0 && Boolean(window.keptNotices.splice(at, 1)); }})()", f"the notice {words!r}")

    def gives_up_after(self, seconds=DEADLINE):
        """From now on the page waits so long for an answer before it says that there is none."""
        self.evaluate(f"window.daybookAnswerMilliseconds = {seconds * 1000}")

    def _place(self, finding, what):
        # What is found must be seen, stand still, and be on top at its middle, as for a person's finger.
        spot = f"""(async () => {{ const e = {finding}; if (!e || e.disabled) return null; e.scrollIntoView({{block: "center"}});
            const before = e.getBoundingClientRect(); await new Promise((resolve) => setTimeout(resolve, 60));
            const r = e.getBoundingClientRect(); if (!r.width || r.x !== before.x || r.y !== before.y) return null;
            const x = r.x + r.width / 2, y = r.y + r.height / 2, top = document.elementFromPoint(x, y);
            return e === top || e.contains(top) ? {{x, y}} : null; }})()"""
        return self.wait_for(spot, f"{what}, to be clicked")

    def click(self, selector):
        self._click(self._place(f"[...document.querySelectorAll({json.dumps(selector)})].find((e) => e.checkVisibility())", selector))

    def press(self, words, within="body"):
        """Clicks the button, link or option with these words."""
        finding = (f"[...document.querySelectorAll({json.dumps(within)} + ' :is(button, a, label, [role=option])')]"
                   f".find((e) => e.checkVisibility() && e.innerText.trim().replace(/\\s+/g, ' ').includes({json.dumps(words)}))")
        self._click(self._place(finding, f"the button {words!r}"))

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
