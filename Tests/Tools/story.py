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
