# SPDX-License-Identifier: Apache-2.0
"""How a play on pages is told: step by step, with pictures of the pages where one fails."""

import contextlib
import os
import time

from centre import Failed, hold
from page import BrowserError


def tell(*steps):
    """Plays steps one after another, and says how long each took."""
    for step in steps:
        begun = time.monotonic()
        step()
        print(f"{step.__name__}: {time.monotonic() - begun:.1f} s", flush=True)


@contextlib.contextmanager
def watched(pages, folder):
    """What is played inside is photographed where it fails; at its end no page may have complained. `pages` may grow meanwhile."""
    try:
        yield
    except (BrowserError, Failed, TimeoutError):
        for number, page in enumerate(pages):
            page.screenshot(os.path.join(folder, f"failed-{number}.png"))
        raise
    for page in pages:
        hold(not page.complaints, f"a page complained: {page.complaints}")


def counted(page):
    """Counts from now on what a person does on a page: `presses`, and fields that are `written`."""
    page.presses = page.written = 0
    press, write = page._click, page._insert

    def counts_press(spot):
        page.presses += 1
        press(spot)

    def counts_writing(text):
        page.written += 1
        write(text)

    page._click, page._insert = counts_press, counts_writing
