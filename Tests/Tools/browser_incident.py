#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Two callers of one event, in a real browser: their sessions become one incident, their videos stand side by side, and it is undone.
Then two incidents are merged, by the queue and by the command bar, their old ids resolve, and that is undone, too. At last two people write
of the same incident at once, and nothing that one of them said is lost without a word.

  browser_incident.py --daybook PATH [--whole] [--screenshots FOLDER]     without --whole it plays the two callers alone

Ends with 77 where no Chromium is installed.
"""

import os

import centre
from browser_emergency import PHONE, details, open_browser, register, sign_in
from browser_link import command, plays
from centre import Centre, hold
from daybook import until
from story import watched

OTHER_PHONE = "+447712345754"


def main(options, folder):
    # What two callers film is seen before anybody takes them.
    desk = Centre(options.daybook, folder, options=["--caller-video", "anytime"]).open()
    desk.staff("amina")
    desk.staff("john")
    sue = desk.staff("sue", "supervisor")
    address = f"http://127.0.0.1:{desk.port}"
    with open_browser(folder) as browser:
        amina = sign_in(browser.context(), address, "amina")
        john = sign_in(browser.context(), address, "john")
        callers = [register(browser.context(), address, amina, phone=phone, width=390, height=844, touch=True) for phone in (PHONE, OTHER_PHONE)]
        pages = [amina, john, *callers]
        with watched(pages, folder):
            play(desk, amina, john, callers, options.screenshots)
            if options.whole:
                merging(desk, amina, options.screenshots)
                together(desk, amina, sue, options.screenshots)
    desk.verify("--decode")


def films(caller):
    caller.press("Show video")
    caller.press("Yes, I need help")
    caller.has("LIVE", "#film-state")


def play(desk, amina, john, callers, screenshots):
    films(callers[0])
    amina.press("Take it", within="#queue")
    plays(amina)
    films(callers[1])
    # The second caller waits in the queue, with a picture and a place; who has the first sees that it is the same fire.
    amina.wait_for("(() => { const still = document.querySelector('#queue .pending img.filmed'); return still && !still.hidden && still.naturalWidth > 0; })()", what="a still of what the second films")
    callers[1].place(51.6565, -0.3903)
    callers[1].click("#film-place")
    amina.has("51.65650, -0.39030 ± 12 m", "#queue .pending .where")
    amina.press("Same incident", within="#queue")
    # One's own caller has told no place: the other's stands on the map, by name.
    amina.has(f"Told by {OTHER_PHONE}", "#main place-map")
    amina.has("51.656500, -0.390300", "#main place-map")
    amina.noticed("Whoever takes that session reads yours")
    amina.has("same incident", "#queue")
    amina.wait_for("document.querySelectorAll('#main .tile').length === 2")
    amina.has(OTHER_PHONE, "#main .tiles")
    amina.has(PHONE, "#main .tiles")
    plays(amina, "document.querySelector('#main .tile[aria-pressed=false] video')")
    if screenshots:
        os.makedirs(screenshots, exist_ok=True)
        for isDark in (False, True):
            amina.dark(isDark)
            amina.screenshot(os.path.join(screenshots, f"console-incident-{'dark' if isDark else 'light'}.png"))
    # The other's chat is read beside one's own, and not written in.
    amina.press(OTHER_PHONE, within="#main .chats")
    amina.has("Nobody has this caller. You read, and cannot write here.", "#main .other-chat")
    hold(not amina.evaluate("document.querySelector('#main .write textarea').checkVisibility()"), "nothing is written into another's chat")
    amina.press(PHONE, within="#main .chats")
    amina.wait_for("document.querySelector('#main .write textarea').checkVisibility()", what="one's own chat is back")
    # The other's video comes to the front, and the own one stays as a tile.
    amina.press(OTHER_PHONE, within="#main .tiles")
    amina.has(OTHER_PHONE, "#main .player-state")
    plays(amina)
    plays(amina, "document.querySelector('#main .tile[aria-pressed=false] video')")
    # Another operator takes the second caller: from then on that one is private to him, until who supervises joins the two (decision 0031).
    john.press("Take it", within="#queue")
    john.has("yours", "#main")
    saves(amina, "3 Mill Lane")
    amina.wait_for("document.querySelectorAll('#main .tile').length === 0", what="the other's video is private now")
    joined(desk)
    john.wait_for("document.querySelectorAll('#main .tile').length === 2")
    amina.wait_for("document.querySelectorAll('#main .tile').length === 2")
    plays(amina)
    refused(desk, amina)
    # One click back to the own video.
    amina.press(PHONE, within="#main .tiles")
    plays(amina)
    parts(amina, john)
    agree(amina, john)
    parts(amina, john)
    links = [entry["data"].get("reason") for entry in desk.entries() if entry["type"] == "incident.session_linked/1" and entry["data"].get("from")]
    hold(links == ["same event", "to be joined", "joined for both", "not the same event after all", "agreed", "not the same event after all"], f"the ledger has {links}")
    hold([entry["type"] for entry in desk.entries()].count("incident.session_unlinked/1") == 3, "it is an unlinking")
    for caller in callers:
        caller.press("Stop video")
    amina.wait_for("document.querySelector('#main dvr-player').dataset.state === 'finalized'")


def parts(amina, john):
    """The callers were wrong after all."""
    amina.press("Not the same", within="#main .known")
    amina.has("Is this another event?", "#merge-dialog")
    amina.press("Take it out", within="#merge-dialog")
    amina.noticed("They are two incidents again.")
    amina.wait_for("document.querySelectorAll('#main .tile').length === 0")
    john.wait_for("document.querySelectorAll('#main .tile').length === 0")
    john.has("private", "#queue")


def agree(amina, john):
    """The two operators find by themselves that they have one event: one asks, the other says no, and then asks back (ruling 36)."""
    john.press("Same event?", within="#queue")
    amina.has("the same event?", "#queue")
    amina.press("No", within="#queue")
    john.noticed("The other operator takes it for another event.")
    hold(john.evaluate("document.querySelectorAll('#main .tile').length") == 0, "nothing is opened by a no")
    # John has his answer, and is not to ask again at once; who said no may.
    john.press("Same event?", within="#queue")
    john.noticed("takes it for another event than yours; ask again from")
    amina.press("Same event?", within="#queue")
    john.press("Yes, one incident", within="#queue")
    amina.noticed("Agreed: both are one incident now.")
    for page in (amina, john):
        page.wait_for("document.querySelectorAll('#main .tile').length === 2")
    plays(amina)


def joined(desk):
    """Who supervises makes the link again, and so opens each of the two to the other's operator."""
    first, second = [entry["subject"].split("/")[1] for entry in desk.entries() if entry["type"] == "session.created/1"][:2]
    incident = desk.admin.get(f"/v1/sessions/{first}").json["session"]["incident"]
    hold(desk.admin.post(f"/v1/incidents/{incident}/unlink", {"session": second, "reason": "to be joined"}).ok, "taken out")
    hold(desk.admin.post(f"/v1/incidents/{incident}/sessions", {"session": second, "reason": "joined for both"}).ok, "joined")


def refused(desk, amina):
    """Where the other session is refused, as one is that became private meanwhile, it alone is left out; the own one stays as it is."""
    other = [entry for entry in desk.entries() if entry["type"] == "session.created/1"][1]["subject"].split("/")[1]
    amina.type("#main textarea", "half a sentence")
    amina.evaluate(f"""(() => {{ const real = window.fetch; window.putBack = () => {{ window.fetch = real; }};
        window.fetch = (path, options) => path === '/v1/sessions/{other}' ? Promise.resolve(new Response('{{}}', {{ status: 403 }})) : real(path, options); }})()""")
    saves(amina, "1 Mill Lane")
    amina.wait_for("document.querySelectorAll('#main .tile').length === 0", what="the other's video is left out")
    hold("yours" in amina.text("#main") and amina.evaluate("document.querySelector('#main textarea').value") == "half a sentence", "the own session stays as it is")
    amina.evaluate("window.putBack()")
    saves(amina, "2 Mill Lane")
    amina.wait_for("document.querySelectorAll('#main .tile').length === 2", what="the other's video is back")


def saves(amina, address):
    details(amina)
    amina.type("#main [name=address]", address)
    amina.press("Save the address", within="#main")


def merging(desk, amina, screenshots):
    """Two further callers of one incident turn out to be about ours."""
    sessions = [desk.chat(desk.caller(desk.admin))[1] for _ in range(2)]
    def incident(session):
        return desk.shown(desk.admin, session)["incident"]
    other = incident(sessions[0])
    hold(desk.admin.post(f"/v1/incidents/{other}/sessions", {"session": sessions[1]}).ok, "the two are linked")
    amina.wait_for("document.querySelectorAll('#queue .pending').length === 2")
    details(amina)
    ours = amina.evaluate("document.querySelector('#main .known').innerText.match(/Incident\\s+([0-9a-f-]{36})/)[1]")

    amina.press("Same incident", within="#queue .pending")
    amina.wait_for("document.querySelector('#merge-dialog').open")
    hold(ours in amina.text("#merge-one") and other in amina.text("#merge-two"), "the dialog names both")
    if screenshots:
        amina.screenshot(os.path.join(screenshots, "console-merge.png"))
    amina.press("Leave them", within="#merge-dialog")
    hold(incident(sessions[0]) == other, "nothing was done")
    amina.press("Same incident", within="#queue .pending")
    amina.press("Make them one", within="#merge-dialog")
    amina.wait_for("[...document.querySelectorAll('#queue .pending')].filter((e) => e.innerText.includes('same incident')).length === 2")
    amina.has(f"merged: …{other[-8:]}", "#main .known")
    hold([incident(one) for one in sessions] == [ours, ours], "both came along")

    # The old id, from a note of before.
    command(amina, other)
    amina.has(f"now part of {ours}", "#command ul")
    amina.key("Escape")
    amina.press("Take apart", within="#main .known")
    amina.wait_for("document.querySelector('#merge-dialog').open")
    amina.press("Take them apart", within="#merge-dialog")
    amina.wait_for("[...document.querySelectorAll('#queue .pending')].filter((e) => e.innerText.includes('same incident')).length === 0")
    hold([incident(one) for one in sessions] == [other, other], "both went back")

    command(amina, f"merge {sessions[1]}")
    amina.has("part of the incident that is shown", "#command ul")
    amina.key("Enter")
    amina.press("Make them one", within="#merge-dialog")
    amina.has(f"merged: …{other[-8:]}", "#main .known")
    kinds = [entry["type"] for entry in desk.entries()]
    hold(kinds.count("incident.merged/1") == 2 and kinds.count("incident.unmerged/1") == 1, "the ledger has it all")


def together(desk, amina, sue, screenshots):
    """A supervisor and the operator write of one incident, each without asking the other."""
    session = [entry for entry in desk.entries() if entry["type"] == "session.created/1"][0]["subject"].split("/")[1]
    path = "/v1/incidents/" + sue.get(f"/v1/sessions/{session}").json["session"]["incident"]

    def classification():
        said = sue.get(path).json["classification"]
        return said["type"], said["priority"]

    def address():
        return sue.get(f"/v1/sessions/{session}").json["session"]["address"]

    details(amina)
    value = "document.querySelector('#main [name={}]').value"
    # The operator says what it is; of how urgent it is they say nothing, so that goes on following.
    amina.type("#main [name=type]", "fire")
    hold(sue.put(f"{path}/classification", {"type": "hazardous_material", "priority": 1}).ok, "the supervisor says what it is")
    amina.has("Sue said meanwhile: hazardous material, priority 1", "#main [data-about=classification] .notice")
    hold([amina.evaluate(value.format(name)) for name in ("type", "priority")] == ["fire", "1"], "what was not touched follows, what was written stays")
    if screenshots:
        amina.screenshot(os.path.join(screenshots, "console-meanwhile.png"))
    amina.press("Save what it is", within="#main")
    amina.noticed("Choose which holds")
    hold(classification() == ("hazardous_material", 1), f"nothing is lost without a word, and it is {classification()}")
    amina.press("Take theirs", within="#main [data-about=classification]")
    hold(amina.evaluate(value.format("type")) == "hazardous material", "theirs is taken")
    # A page that has not heard yet is told by the gateway, for it names the revision that it shows.
    amina.type("#main [name=address]", "94 Broad Street")
    unheard(amina)
    hold(sue.put(f"{path}/address", {"address": "49 Broad Street, back door"}).ok, "the supervisor says where it is")
    amina.press("Save the address", within="#main")
    for words in ("49 Broad Street, back door", "You have written: 94 Broad Street"):
        amina.has(words, "#main [data-about=address] .notice")
    hold(set(amina.evaluate("window.statuses")) == {412}, "it is refused at that revision")
    hold(address() == "49 Broad Street, back door", f"nothing is lost without a word, and it is at {address()}")
    amina.press("Save mine", within="#main [data-about=address]")
    amina.wait_for("window.statuses.at(-1) === 200", what="the operator's own word holds")
    until(lambda: address() == "94 Broad Street", "the centre reads the operator's own word")
    amina.wait_for("document.querySelector('#main [data-about=address] .notice').hidden")
    # What moved the incident on is a note: nothing is asked.
    amina.type("#main [name=address]", "94 Broad Street, first floor")
    unheard(amina)
    hold(sue.post(f"{path}/notes", {"text": "gas bottles in the cellar", "session": session}).ok, "the supervisor writes a note")
    amina.press("Save the address", within="#main")
    amina.wait_for("window.statuses[0] === 412 && window.statuses.at(-1) === 200", what="it is saved at the newer revision")
    until(lambda: address() == "94 Broad Street, first floor", "the centre reads the operator's own word")
    amina.has("gas bottles in the cellar", "#main .known")


def unheard(page):
    """The page reads nothing until it has sent its next command; what its commands are answered is noted."""
    page.evaluate("""(() => { window.real ??= window.fetch; window.statuses = []; let go; const isSent = new Promise((told) => (go = told));
        window.fetch = async (path, options) => { if (options?.method === 'GET') await isSent; const answer = await window.real(path, options);
            if (options?.method === 'PUT') { window.statuses.push(answer.status); go(); } return answer; }; })()""")


if __name__ == "__main__":
    parser = centre.arguments(__doc__)
    parser.add_argument("--whole", action="store_true", help="merging, and two who write at once, too")
    parser.add_argument("--screenshots", help="a folder for pictures of the page, to be looked at")
    centre.run(main, parser.parse_args())
