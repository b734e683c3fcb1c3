#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How fast the pages are between two real browser windows: messages from send to the other screen, video from the caller's
preview to the operator's, and how exactly a moment is found. The camera shows numbered pictures.
"""

import os
import time

import centre
from browser_caller import NUMBER, SIZE
from browser_emergency import open_browser, register, sign_in
from centre import Centre, hold
from numbered import PICTURES_A_SECOND, READ, numbered_film, numbers


def percentiles(values):
    ordered = sorted(values)
    at = lambda share: ordered[min(len(ordered) - 1, int(len(ordered) * share))]
    return f"p50 {at(0.5):.0f} ms, p99 {at(0.99):.0f} ms, most {ordered[-1]:.0f} ms ({len(ordered)} measured)"


def main(options, folder):
    desk = Centre(options.daybook, folder).open()
    operator = desk.staff("amina")
    address = f"http://127.0.0.1:{desk.port}"
    with open_browser(folder, camera=numbered_film(options.media, folder)) as browser:
        slow_network(browser, address, operator)
        console = sign_in(browser.context(), address, "amina")
        caller = register(browser.context(), address, console, width=390, height=844, touch=True)
        caller.press("Chat with the emergency centre")
        caller.press("Yes, I need help")
        console.press("Take it", within="#queue")
        console.has("yours", "#main")
        messages(caller, console, options.messages)
        video(caller, console, options.seconds)
        caller.press("Stop video")
        console.wait_for("document.querySelector('#main dvr-player').dataset.state === 'finalized'")
        console.press("Watch from start", within="#main dvr-player")
        seeking(options, folder, operator, console)


def slow_network(browser, address, operator):
    """The caller's first visit over 400 ms and 400 kbit/s, from the address to a message that arrived; what a person does in between takes no time here."""
    page = browser.context().page("about:blank", **SIZE)
    page.send("Network.emulateNetworkConditions", {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000})
    code = operator.post("/v1/devices/codes", {"phone": "+447712345690", "reason": "x"}).json["code"]
    begun = time.monotonic()

    def told(what, condition):
        page.wait_for(condition)
        print(f"400 ms and 400 kbit/s: {what} after {time.monotonic() - begun:.1f} s")

    page.send("Page.navigate", {"url": f"{address}/call"})
    told("the number to dial can be pressed", NUMBER)
    told("the page can be used", "!document.querySelector('#register').hidden")
    page.type("#register [name=phone]", "+44 7712 345690")
    page.type("#register [name=code]", code)
    page.press("Register this phone")
    told("the phone is registered", "!document.querySelector('#home').hidden")
    page.press("Chat with the emergency centre")
    page.press("Yes, I need help")
    told("the chat is open", "!document.querySelector('#chat').hidden")
    page.type("#write textarea", "Help")
    page.key("Enter")
    told("the first message is kept", "Boolean(document.querySelector('#log [data-state]'))")
    told("the first message is at the centre", "Boolean(document.querySelector('#log [data-state=taken]'))")
    session = operator.get("/v1/sessions?state=open").json["items"][0]["id"]
    hold(operator.post(f"/v1/sessions/{session}/claim").ok and operator.post(f"/v1/sessions/{session}/close", {"disposition": "handled"}).ok, "it is closed")
    page.close()


def messages(caller, console, count):
    """Each message has its time in it; the console notes when it stands in the chat."""
    console.evaluate("""(() => { window.delays = [];
        new MutationObserver((changes) => { for (const change of changes) for (const item of change.addedNodes) {
            const text = item.querySelector?.('.bubble')?.textContent ?? ''; if (text.startsWith('at ')) window.delays.push(Date.now() - Number(text.slice(3))); } })
        .observe(document.querySelector('#main chat-log ol'), { childList: true }); })()""")
    # Not waited for here: the console has them all at the end, on a busy machine later than a browser may be silent.
    caller.evaluate(f"""void (async () => {{ for (let n = 0; n < {count}; n++) {{
        document.querySelector('#write textarea').value = 'at ' + Date.now(); document.querySelector('#write').requestSubmit();
        await new Promise((resolve) => setTimeout(resolve, 50)); }} }})()""")
    console.wait_for(f"window.delays.length >= {count}", deadline=120)
    print("message from send to the other screen:", percentiles(console.evaluate("window.delays")))


def video(caller, console, seconds):
    console.press("Ask for video")
    caller.press("Show video", within="#asked")
    caller.has("LIVE", "#film-state")
    console.wait_for("document.querySelector('#main .player-screen > video')?.videoWidth > 0")
    samples = {}
    for page, selector in ((caller, "#preview"), (console, "#main .player-screen > video")):
        page.evaluate(READ)
        page.evaluate(f"""(() => {{ window.samples = []; const video = document.querySelector('{selector}');
            const take = () => {{ const number = pictureNumber(video); if (number !== null) samples.push([Date.now(), number]); video.requestVideoFrameCallback(take); }};
            video.requestVideoFrameCallback(take); }})()""")
    time.sleep(seconds)  # so long it is measured
    samples = [page.evaluate("window.samples") for page in (caller, console)]
    shown = {}
    for at, number in samples[0]:
        shown.setdefault(number, at)
    delays = {}
    for at, number in samples[1]:
        if number in shown:
            delays.setdefault(number, at - shown[number])
    hold(delays, "the console shows pictures that the caller's page showed")
    print("video from the caller's preview to the console:", percentiles(list(delays.values())))


def seeking(options, folder, operator, console):
    """Moments of the finished recording, and the pictures that are shown there."""
    stream = operator.get("/v1/streams").json["items"][0]["id"]
    rows = numbers(options.media, operator.get(f"/v1/streams/{stream}/media").body, os.path.join(folder, "recording.webm"))
    worst = 0
    for part in range(1, 10):
        wanted = rows[len(rows) * part // 10]
        number = console.evaluate(f"""(async () => {{ const video = document.querySelector('#main .player-screen > video'); video.pause();
            const seeked = new Promise((resolve) => video.addEventListener('seeked', resolve, {{ once: true }})); video.currentTime = {(wanted[0] + 1) / 1000};
            await seeked; await new Promise((resolve) => setTimeout(resolve, 100)); return pictureNumber(video); }})()""")
        hold(number is not None, f"no number on the picture at {wanted[0]} ms")
        worst = max(worst, abs(number - wanted[1]))
    print(f"a moment of the recording is found to {worst} pictures of {PICTURES_A_SECOND} a second")
    hold(worst <= 1, f"seeking is {worst} pictures off")


if __name__ == "__main__":
    parser = centre.arguments(__doc__)
    parser.add_argument("--media", required=True, help="the executable daybook-media")
    parser.add_argument("--messages", type=int, default=500)
    parser.add_argument("--seconds", type=int, default=20, help="how long video is measured")
    centre.run(main, parser.parse_args())
