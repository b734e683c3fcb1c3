#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The console is closed for a while and opens where it was left. The caller's page dies while it films: killed when all is well, killed while the network is gone, and loaded again. Every picture that was
encoded by then is in the recording; counted by the numbers on the pictures.

Ends with 77 where no Chromium is installed.
"""

import os
import subprocess
import time

import centre
from browser_emergency import PICTURES_A_SECOND, numbered_film, open_browser, register, sign_in
from browser_speed import READ
from centre import Centre, hold
from page import BrowserError

# What the camera shows may be so far ahead of what is encoded and on its way to the disk.
PICTURES_AHEAD = 8


def main(options, folder):
    desk = Centre(options.daybook, folder).open()
    operator = desk.staff("amina")
    address = f"http://127.0.0.1:{desk.port}"
    with open_browser(folder, camera=numbered_film(options.media, folder)) as browser:
        console = sign_in(browser.context(), address, "amina")
        phone = browser.context()
        page = register(phone, address, console, width=390, height=844, touch=True)
        try:
            page.press("Show video")
            page.press("Yes, I need help")
            operator_was_away(console, page)
            play(options, folder, desk, operator, phone, page, address)
        except (BrowserError, centre.Failed):
            console.screenshot(os.path.join(folder, "failed-0.png"))
            raise
    desk.verify("--decode")


def operator_was_away(console, page):
    """The console was gone for some seconds; opened again, it shows the video from where it was left, with live in the corner."""
    main = "document.querySelector('#main .player-screen > video')"
    console.press("Take it", within="#queue")
    console.wait_for(f"{main}?.currentTime > 3", what="live video is watched")
    left = console.evaluate("document.querySelector('#main dvr-player').watched")
    console.go("about:blank")
    time.sleep(8)  # so long the operator is away
    console.go(page.evaluate("location.origin") + "/console")
    # It plays on while a busy machine looks: the page notes it where it happens.
    console.evaluate(f"""setInterval(() => {{
        const video = {main}
        if (video?.readyState >= 2 && video.currentTime > {left} - 2 && video.currentTime < {left} + 4) window.openedAt ??= video.currentTime
    }}, 20) && true""")
    console.has("You left at", "#main .player-state")
    console.has("EARLIER", "#main .player-state")
    console.wait_for("window.openedAt !== undefined", what="the picture of then")
    at = console.evaluate("window.openedAt")
    print(f"  watched until {left:.1f} s, away for 8 s, opens at {at:.1f} s")
    hold(left - 2 < at < left + 4, f"it opens at {at}, left at {left}")
    console.wait_for("Boolean(document.querySelector('#main .player-gaps .left'))", what="the mark on the bar")
    console.wait_for("!document.querySelector('#main .player-corner').hidden")
    console.press("Back to live", within="#main")
    console.wait_for("document.querySelector('#main .player-corner').hidden")


def play(options, folder, desk, operator, phone, page, address):
    lasts = []
    # Within a second of filming; then after some seconds of which the gateway has nothing; then not killed but loaded again.
    for seconds, isAsleep, isKilled in ((0.7, False, True), (6, True, True), (1.5, False, False)):
        page.has("LIVE", "#film-state")
        page.evaluate(READ)
        page.wait_for("pictureNumber(document.querySelector('#preview')) !== null")
        if isAsleep:
            page.wait_for("document.querySelector('#film-state').textContent === 'LIVE'")
            page.sleep(True)
            page.has("No connection", "#film-state")
            hold("64 MB" in page.text("#film-kept"), "the page says what it keeps")
        time.sleep(seconds)  # so long it films
        lasts.append(page.evaluate("pictureNumber(document.querySelector('#preview'))"))
        if isKilled:
            page.crash()
            page = phone.page(f"{address}/call", width=390, height=844, touch=True)
        else:
            page.reload()
    page.has("LIVE", "#film-state")
    page.wait_for("document.querySelector('#film-state').textContent === 'LIVE'", what="what was kept is sent")
    time.sleep(2)  # so long it films
    page.press("Stop video")
    stream = operator.get("/v1/streams").json["items"][0]["id"]
    until = time.monotonic() + 60
    while operator.get(f"/v1/streams/{stream}").json["state"] != "finalized":
        hold(time.monotonic() < until, "the recording is finished")
        time.sleep(0.1)
    starts = [entry for entry in desk.entries() if entry["type"] == "stream.started/1"]
    hold(len(starts) == 1, "it is one stream")
    count(options, folder, operator, stream, lasts)


def count(options, folder, operator, stream, lasts):
    path = os.path.join(folder, "recording.webm")
    with open(path, "wb") as file:
        file.write(operator.get(f"/v1/streams/{stream}/media").body)
    done = subprocess.run([options.media, "numbers", path], capture_output=True, text=True, check=True)
    rows = sorted((int(row[0]), int(row[-1])) for row in map(str.split, done.stdout.splitlines()) if row[-1] != "-")
    # The film begins anew with each page; so do the numbers.
    runs = [[rows[0][1]]]
    for _, number in rows[1:]:
        if number < runs[-1][-1]:
            runs.append([])
        runs[-1].append(number)
    print(f"  {len(rows)} pictures in {len(runs)} runs: {', '.join(f'{run[0]} to {run[-1]}' for run in runs)}; seen before each end: {lasts}")
    hold(len(runs) == len(lasts) + 1, f"the pages filmed {len(lasts) + 1} times")
    for run, last in zip(runs, lasts):
        missing = max((later - sooner - 1 for sooner, later in zip(run, run[1:])), default=0)
        hold(missing <= PICTURES_A_SECOND // 2, f"{missing} pictures are missing in a row")
        hold(last - run[-1] <= PICTURES_AHEAD, f"{last - run[-1]} pictures before the end are lost: {run[-1]} is there, {last} was seen")


if __name__ == "__main__":
    parser = centre.arguments(__doc__)
    parser.add_argument("--media", required=True, help="the executable daybook-media")
    centre.run(main, parser.parse_args())
