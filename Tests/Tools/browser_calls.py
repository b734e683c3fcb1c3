#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What else the pages promise, in a real browser: who claims first, a call that nobody answers, quality, cameras, keyboard, no network.

Ends with 77 where no Chromium is installed.
"""

import centre
from browser_console import has_looked
from browser_conversation import restarted
from browser_emergency import PHONE, details, open_browser, register, said, sign_in, state_of
from centre import Centre, hold
from daybook import until
from played_gateway import sends_and_keeps
from sides import together
from story import tell, watched

# The limit of calls that nobody answers, set before them: so short that the test need not wait for the two minutes of the source document.
START_LIMIT = 10
OTHER_PHONE = "+447712345754"


def main(options, folder):
    desk = Centre(options.daybook, folder).open()
    users = {name: desk.staff(name).name for name in ("amina", "john")}
    with open_browser(folder, cameras=2) as browser:
        play(Calls(folder, desk, browser, users))


def play(calls):
    with watched(calls.pages, calls.folder):
        tell(calls.modules, calls.sends_and_keeps, calls.claim_race, calls.quality, calls.cameras, calls.looked_up_later, calls.stops_on_request, calls.is_stopped, calls.reloads_in_chat, calls.instructions, calls.closes, calls.expiry,
             calls.no_answer_to_old_requests, calls.registers_again, calls.names, calls.keyboard, calls.other_roles, calls.installable, calls.no_network, calls.idle, calls.signed_out)
    calls.desk.verify()


class Calls:
    def __init__(self, folder, desk, browser, users):
        self.users = users
        self.folder, self.desk, self.browser = folder, desk, browser
        self.address = f"http://127.0.0.1:{desk.port}"
        self.amina = sign_in(browser.context(), self.address, "amina")
        self.john = sign_in(browser.context(), self.address, "john")
        self.phone = browser.context()
        self.caller = register(self.phone, self.address, self.amina, width=390, height=844, touch=True)
        self.pages = [self.amina, self.john, self.caller]

    def kinds(self, kind):
        return [entry for entry in self.desk.entries() if entry["type"] == kind]

    # MARK: What is pure

    def modules(self):
        """The small functions, where they run."""
        def holds(expression, what):
            hold(self.amina.evaluate(expression) is True, what)

        holds("import('/web/core/plus-code.js').then(({ plusCode }) => plusCode(47.365590, 8.524997) === '8FVC9G8F+6X'"
              " && plusCode(90, 1) === 'CFX3X2X2+X2' && plusCode(-41.273125, 174.785938) === '4VCPPQGP+Q9')", "Plus Codes are those of the standard's examples")
        holds("import('/web/core/ids.js').then(({ newID }) => /^0192f0c1-2345-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(newID(0x0192f0c12345)))",
              "ids are UUIDs of version 7")
        holds("""import('/web/core/ids.js').then(({ newID, oldestFirst }) => {
            const written = Array.from({ length: 99 }, () => ({ at: 7, temporaryID: newID(7) }));
            return [...written].reverse().sort(oldestFirst).every((one, place) => one === written[place]); })""", "what was written in one millisecond keeps its order")
        holds("""import('/web/core/ids.js').then(({ newID, nextPlace, oldestFirst, writeBehind }) => {
            const write = (at) => ({ at, place: nextPlace(), temporaryID: newID(at) });
            const first = [write(9000), write(5)];
            // Of a page before this one, which wrote more.
            writeBehind([{ place: 500 }, {}]);
            const written = [...first, { at: 7, place: 500, temporaryID: newID(7) }, write(1)];
            return [...written].reverse().sort(oldestFirst).every((one, place) => one === written[place]); })""", "what was written keeps its order, however the clock is set")
        holds("""import('/web/core/phone.js').then(({ phoneDigits, phoneOf }) => [' +44 (0)7712 345678', '0044 7712 345678', '+00447712345678', '44 7712/345-678'].every((text) => phoneOf(text) === '+447712345678')
            && ['07712 345678', '+07712 345678', '+44 77', '+4477123456789012', 'amina', ''].every((text) => phoneOf(text) === null) && phoneDigits('0044 77') === '4477')""", "numbers are read as people write them")
        holds("import('/web/core/time.js').then(({ countdown, position, span }) => countdown(120_000, 1) === '2:00' && countdown(1000, 2000) === '0:00'"
              " && position(3_661_000) === '1:01:01' && span(185) === '3 min 05 s' && span(7800) === '2 h 10 min')", "times read as they should")
        holds("""import('/web/core/time.js').then(({ age, noteTime, now }) => {
            const told = (ahead) => {
                const time = new Date(Date.now() + ahead);
                return new Headers({ Date: time.toUTCString(), 'Daybook-Time': time.toISOString() });
            };
            noteTime(told(300_000), performance.now());
            const isAhead = Math.abs(now() - Date.now() - 300_000) < 2000 && age(new Date(Date.now() + 290_000).toISOString()).endsWith(' s') && age(new Date(Date.now() + 999_000).toISOString()) === '0 s';
            noteTime(told(0), performance.now());
            return isAhead && now() - Date.now() === 0; })""", "a device whose clock is slow goes by the ledger's")
        holds("""import('/web/media/webm.js').then(({ clusterHead, headIn, picturesIn, pictureBlock, timedClusters, webmHead }) => {
            const head = webmHead({ width: 320, height: 180, codec: 'vp9' });
            const record = [0xec, 1, 0, 0, 0, 0, 0, 0, 3, 1, 2, 3]; // a Void, as the gateway ends its clusters
            const isRead = [0, 1, 255, 256, 86_400_000].every((time) => {
                const bytes = Uint8Array.from([...head, ...clusterHead(time), ...pictureBlock(0, true, new Uint8Array(300).fill(7)),
                    ...pictureBlock(300, false, new Uint8Array(200).fill(9)), ...record, ...clusterHead(time + 400), ...pictureBlock(0, false, [5])]);
                const told = picturesIn(bytes).map(({ milliseconds, isKey, data }) => [milliseconds - time, isKey, data.length, data[0]].join(' ')).join();
                return told === '0 true 300 7,300 false 200 9,400 false 1 5' && headIn(bytes).join() === head.join();
            });
            // Group, block, how long it lasts, and what a picture that is none by itself needs.
            const timed = timedClusters([{ milliseconds: 5, isKey: true, data: new Uint8Array([1]) }, { milliseconds: 72, isKey: false, data: new Uint8Array([2]) }], 105);
            const isTimed = timed.slice(clusterHead(5).length).join() === [0xa0, 0x8a, 0xa1, 0x85, 0x81, 0, 0, 0, 1, 0x9b, 0x81, 67,
                0xa0, 0x8d, 0xa1, 0x85, 0x81, 0, 67, 0, 2, 0x9b, 0x81, 33, 0xfb, 0x81, 0xff].join();
            // What came late begins a cluster of its own, and what goes back lasts as long as usual.
            const times = [5000, 5067, 1000, 1050, 40_000].map((milliseconds) => ({ milliseconds, isKey: true, data: new Uint8Array([1]) }));
            const isParted = picturesIn(timedClusters(times)).length === 0 && timedClusters(times).join().split('31,67,182,117').length === 4;
            return isRead && isTimed && isParted && pictureBlock(300, true, new Uint8Array(200)).slice(0, 7).join() === '163,64,204,129,1,44,128'; })""", "WebM is written as it is read")
        holds("""import('/web/media/quality.js').then(({ QualityControl, fitted, tiers }) => {
            const good = { lag: 1, isEncoderBehind: false }, bad = { lag: 9, isEncoderBehind: false }, slow = { lag: 1, isEncoderBehind: true };
            const auto = new QualityControl('automatic');
            const changes = [0, 9, 10, 20].map((now) => auto.look(now, good));
            const isUp = auto.tier === 'high' && changes.join() === ',,tier,rate';
            const chosen = new QualityControl('high');
            for (let now = 0; now < 60; now += 4) chosen.look(now, bad);
            const isKept = chosen.tier === 'high' && chosen.kilobitsPerSecond === tiers.high.least;
            const weak = new QualityControl('automatic');
            const isDown = weak.look(0, slow) === 'tier' && weak.tier === 'low' && weak.look(1, slow) === null;
            const upright = fitted('low', 1080, 1920);
            return isUp && isKept && isDown && upright.width === 180 && upright.height === 320;
        })""", "the quality follows device and network, inside what was chosen")

    def sends_and_keeps(self):
        """What the sender of video and the chat do with what a gateway answers; the gateway is played by the page."""
        sends_and_keeps(self.amina)

    # MARK: The desk

    def claim_race(self):
        """Both press at once: one has it, the other reads at once who was first."""
        self.caller.press("Chat with the emergency centre")
        self.caller.press("Yes, I need help")
        for page in (self.amina, self.john):
            page.has("Take it", "#queue")
        # Neither claim leaves its page before both have pressed.
        for page in (self.amina, self.john):
            page.evaluate("""(() => { const real = window.fetch; const isFree = new Promise((free) => (window.letGo = free));
                window.fetch = async (path, options) => { if (!String(path).endsWith('/claim')) return real(path, options); window.hasPressed = true; await isFree; window.fetch = real; return real(path, options); }; })()""")
            page.press("Take it", within="#queue")
        for page in (self.amina, self.john):
            page.wait_for("window.hasPressed")
        together([lambda page=page: page.evaluate("window.letGo()") for page in (self.amina, self.john)])
        second = "window.keptNotices.find((text) => text.includes('was first'))"
        told = until(lambda: {page: page.evaluate(second) for page in (self.amina, self.john) if page.evaluate(second)}, "the one who came second is told")
        hold(len(told) == 1, f"one came second: {list(told.values())}")
        (loser, words), = told.items()
        winner = self.john if loser is self.amina else self.amina
        winner.has("yours", "#main")
        hold(len(self.kinds("session.claimed/1")) == 1, "one claim is in the ledger")
        owner = self.kinds("session.claimed/1")[0]["data"]["owner"]
        name = next(name.title() for name, user in self.users.items() if user == owner)
        hold(f"Operator {name} was first" in words, f"the loser reads who it was: {words}")
        loser.has(f"Operator {name}", "#queue")
        loser.has("private", "#queue")
        self.winner, self.loser = winner, loser
        self.caller.type("#write textarea", "hello")
        self.caller.key("Enter")
        said(winner, "#main chat-log", "hello")
        state_of(self.caller, "#log", "hello", "seen")

    def plays(self, page, size=None):
        video = "document.querySelector('#main .player-screen > video')"
        shape = f" && {video}.videoWidth === {size[0]} && {video}.videoHeight === {size[1]}" if size else ""
        page.wait_for(f"{video}?.readyState >= 2{shape}", what=f"a picture of {size}")
        begin = page.evaluate(f"{video}.currentTime")
        page.wait_for(f"{video}.currentTime > {begin} + 0.3", what="the video plays on")

    def chooses(self, tier):
        self.caller.evaluate(f"(() => {{ const s = document.querySelector('#film-tier'); s.value = '{tier}'; s.dispatchEvent(new Event('change')); }})()")

    def quality(self):
        self.caller.press("Show video", within="#chat header")
        self.caller.has("LIVE", "#film-state")
        details(self.winner)
        # Automatic may be anything by now.
        self.chooses("medium")
        self.plays(self.winner, (640, 360))
        for tier, width, height, least, most in (("low", 320, 180, 400, 1000), ("high", 1280, 720, 1000, 4000)):
            self.chooses(tier)
            self.caller.has(f"{width} × {height}", "#film-quality")
            self.winner.has(f"{width} × {height} · {tier} quality", "#main .known")
            self.plays(self.winner, (width, height))
            changes = [entry["data"] for entry in self.kinds("stream.quality_changed/1") if entry["data"]["cause"] == "user"]
            hold(changes and changes[-1]["quality"] == tier and least <= changes[-1]["kilobitsPerSecond"] <= most, f"the ledger has {changes}")
        hold(len(self.kinds("stream.started/1")) == 1, "it stays one stream")

    def cameras(self):
        """The other camera: the stream goes on in the same file."""
        self.caller.wait_for("!document.querySelector('#film-turn').hidden")
        self.caller.click("#film-turn")
        self.goes_on()
        self.turned_twice()
        self.no_camera()

    def goes_on(self):
        self.caller.wait_for("document.querySelector('#film-state').textContent === 'LIVE'")
        before = len(self.kinds("stream.chunk_archived/1"))
        until(lambda: len(self.kinds("stream.chunk_archived/1")) >= before + 2, "pictures of the other camera are archived")
        self.plays(self.winner)
        hold(len(self.kinds("stream.started/1")) == 1, "it is still the same stream")

    def turned_twice(self):
        """Pressed twice in a row one camera is on, the one that is shown; the light's button does not speak of the camera before."""
        self.caller.evaluate("""(() => { const devices = navigator.mediaDevices, open = devices.getUserMedia.bind(devices); window.opened = [document.querySelector('#preview').srcObject];
            window.isBroken = false; document.querySelector('#film-light').setAttribute('aria-pressed', 'true');
            devices.getUserMedia = async (wanted) => { if (window.isBroken) throw new DOMException('', 'NotReadableError'); const media = await open(wanted); window.opened.push(media); return media; };
            const turn = document.querySelector('#film-turn'); turn.click(); turn.click(); })()""")
        self.caller.wait_for("document.querySelector('#preview').srcObject !== window.opened[0]", what="the other camera is shown")
        self.goes_on()
        on = self.caller.evaluate("window.opened.map((media) => media.getTracks().some((track) => track.readyState === 'live') && (media === document.querySelector('#preview').srcObject ? 'shown' : 'hidden')).filter(Boolean)")
        hold(on == ["shown"], f"the cameras that are on: {on}")
        hold(self.caller.evaluate("document.querySelector('#film-light').ariaPressed") == "false", "the light of this camera is off")

    def no_camera(self):
        self.caller.evaluate("window.isBroken = true")
        self.caller.click("#film-turn")
        self.caller.noticed("No camera can be used now")
        self.caller.evaluate("window.isBroken = false")
        self.caller.click("#film-turn")
        self.goes_on()

    def looked_up_later(self):
        """A page that opens again while its stream cannot be looked up holds nothing, and goes on with it as soon as it can."""
        stream = self.kinds("stream.started/1")[0]["subject"].split("/")[1]
        self.caller.send("Network.setBlockedURLs", {"urlPatterns": [{"urlPattern": f"*://*:*/v1/streams/{stream}", "block": True}]})
        before = len(self.caller.sent)
        self.caller.reload()
        until(lambda: sum(address.endswith(f"/v1/streams/{stream}") for address in self.caller.sent[before:]) >= 2, "the stream is asked for again")
        self.caller.wait_for(f"navigator.locks.query().then(({{ held }}) => !held.some((lock) => lock.name === 'video/{stream}'))", what="another tab could send it")
        self.caller.send("Network.setBlockedURLs", {"urlPatterns": []})
        self.caller.has("LIVE", "#film-state")
        self.goes_on()

    def stops_on_request(self):
        self.winner.press("Ask to stop video", within="#main")
        self.caller.has("Stop the video?", "#asked")
        self.caller.press("Stop the video", within="#asked")
        self.caller.wait_for("!document.querySelector('#chat').hidden")
        self.winner.wait_for("document.querySelector('#main dvr-player').dataset.state === 'finalized'")
        self.winner.press("Ask for video", within="#main")
        self.caller.has("Show video?", "#asked")
        # Beside a question the caller may as well just press the button.
        self.caller.press("Not now", within="#asked")
        self.winner.has("declined", "#main .asked")

    def is_stopped(self):
        """The operator ends the video without asking; who did, and why, is in the ledger."""
        self.winner.press("Ask for video", within="#main")
        self.caller.has("Show video?", "#asked")
        self.caller.press("Show video", within="#asked")
        self.caller.has("LIVE", "#film-state")
        self.winner.press("Stop video", within="#main")
        self.caller.wait_for("!document.querySelector('#chat').hidden")
        self.winner.has("Ask for video", "#main")
        stopped = self.kinds("stream.stopped/1")[-1]
        told = (stopped["data"]["by"], stopped["data"]["reason"], stopped["actor"].split("/")[0])
        hold(told == ("operator", "stopped by the operator", "operator"), f"the ledger says {told}")

    def reloads_in_chat(self):
        """The chat is there again, with what was written before and what comes after."""
        self.caller.reload()
        self.caller.wait_for("!document.querySelector('#chat').hidden")
        state_of(self.caller, "#log", "hello", "seen")
        self.winner.type("#main textarea", "Welcome back")
        self.winner.key("Enter")
        said(self.caller, "#log", "Welcome back")
        hold(self.caller.evaluate("document.querySelectorAll('#log .bubble').length") == 2, "each message stands there once")

    def instructions(self):
        """What operators say most, by a key and by its words."""
        self.winner.evaluate("document.querySelector('#main').focus()")
        self.winner.key("2", alt=True)
        said(self.caller, "#log", "Stay where you are if it is safe.")
        self.winner.key("/")
        self.winner.type("#command input", "wound")
        self.winner.has("Press firmly", "#command ul")
        self.winner.key("Enter")
        said(self.caller, "#log", "Press firmly on the wound with a clean cloth.")

    def closes(self):
        self.winner.key("x", alt=True)
        self.winner.press("Close the session", within="#leave-dialog")
        self.caller.has("This chat has ended")
        self.caller.press("Back to the beginning")
        self.caller.evaluate("document.querySelector('#history summary').click()")
        self.caller.has("You: hello", "#history")

    def expiry(self):
        """A call that nobody answers ends for both, by the gateway's clock; a new one can be made at once."""
        restarted(self.desk, self.pages, ["--start-limit", str(START_LIMIT)])
        self.amina.wait_for("document.querySelector('#feed-state').textContent === 'live'")
        self.caller.wait_for("document.querySelector('#connection').hidden")
        # What goes after its time is noted as it comes.
        self.caller.evaluate("""(() => { window.shown = ''; const parts = ['#home', '#asked'].map((one) => document.querySelector(one));
            const note = () => { for (const part of parts) if (part.checkVisibility()) window.shown += part.innerText; };
            for (const part of parts) new MutationObserver(note).observe(part, { attributes: true, childList: true, characterData: true, subtree: true }); })()""")
        self.amina.key("/")
        self.amina.type("#command input", "+44 77")
        self.amina.has(PHONE, "#command ul")
        self.amina.key("ArrowDown")
        self.amina.key("Enter")
        self.amina.has("waiting for the caller", "#main")
        self.caller.wait_for("window.shown.includes('wants to reach you') && /\\b0:(0\\d|10)\\b/.test(window.shown)", what="the call, and how long it lasts")
        self.amina.has("expired", "#session-state")
        self.caller.wait_for("document.querySelector('#asked').hidden && !document.querySelector('#home-session .contact')", what="the call is gone for the caller")
        self.caller.has("The emergency centre tried to reach you at", "#home-session")
        hold(len(self.kinds("session.expired/1")) == 1, "the ledger says so")
        self.caller.evaluate("window.shown = ''")
        self.amina.press("New session", within="#main")
        self.amina.has("waiting for the caller", "#main")

    def no_answer_to_old_requests(self):
        """What came after its time counts as no answer, and both read it."""
        self.caller.wait_for("window.shown.includes('Show video?')", what="the caller is asked")
        self.amina.has("expired", "#session-state")
        self.amina.has("no answer in time", "#main .asked")
        self.amina.press("Back", within="#main")

    # MARK: Everybody

    def names(self):
        """Whatever takes the focus has a name that can be read out."""
        for page in (self.amina, self.caller):
            nodes = page.send("Accessibility.getFullAXTree")["nodes"]
            def value(node, name):
                return next((one["value"].get("value") for one in node.get("properties", []) if one["name"] == name), None)
            nameless = [node["role"]["value"] for node in nodes if not node.get("ignored") and value(node, "focusable")
                        and node["role"]["value"] not in ("RootWebArea", "main") and not node.get("name", {}).get("value")]
            hold(not nameless, f"these have no name: {nameless}")

    def keyboard(self):
        """The console without a pointer: every stop of the tab key is seen, and `/` leads to the command bar."""
        # Whose recording it is finds it; either may have been first.
        page = self.winner
        page.evaluate("document.querySelector('.skip').focus({ focusVisible: true })")
        seen = []
        for stop in range(10):
            if stop:
                page.key("Tab")
            seen.append(page.evaluate("""(() => { const e = document.activeElement, r = e.getBoundingClientRect(), s = getComputedStyle(e);
                return { name: e === document.body ? '' : e.id || e.textContent.trim() || e.tagName, isSeen: r.width > 0 && r.bottom > 0 && r.right > 0, hasRing: s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 2 }; })()"""))
        hold(seen[0]["name"] == "Skip to the session", f"the first stop is {seen[0]}")
        # Behind the last one the browser's own controls come.
        seen = [one for one in seen if one["name"] and len(one["name"]) < 200]
        hold(all(one["isSeen"] and one["hasRing"] for one in seen), f"a stop cannot be seen: {seen}")
        hold(len({one["name"] for one in seen}) > 5, f"the tab key is caught: {seen}")
        page.evaluate("document.activeElement.blur()")
        page.key("/")
        page.type("#command input", "foot")
        page.key("Enter")
        page.has("Footage", "#main h1")
        page.has(".webm", "#main tbody")

    def other_roles(self):
        """Who has a page of their own is led there; who has none is told so."""
        self.desk.staff("gus", role="guard")
        self.desk.staff("rita", role="reporter")
        page = self.browser.context().page(f"{self.address}/console")
        page.type("#sign-in-form [name=login]", "rita")
        page.type("#sign-in-form [name=password]", "wrong horse battery staple")
        page.press("Sign in", within="#sign-in-form")
        page.wait_for("!document.querySelector('#sign-in-fault').hidden")
        page.type("#sign-in-form [name=password]", centre.PASSWORD)
        page.press("Sign in", within="#sign-in-form")
        page.has("rita is reporter", "#sign-in-fault")
        page.type("#sign-in-form [name=login]", "gus")
        page.type("#sign-in-form [name=password]", centre.PASSWORD)
        page.press("Sign in", within="#sign-in-form")
        page.wait_for("location.pathname === '/patrol'")
        page.close()

    def installable(self):
        manifest = self.caller.send("Page.getAppManifest")
        hold(not manifest["errors"] and manifest["data"], f"the manifest: {manifest['errors']}")
        faults = [fault["errorId"] for fault in self.caller.send("Page.getInstallabilityErrors")["installabilityErrors"]]
        hold(set(faults) <= {"in-incognito"}, f"it cannot be installed: {faults}")

    def registers_again(self):
        """A phone whose token is not good any more is registered anew, and everything is there once."""
        phone, size = self.browser.context(), {"width": 390, "height": 844, "touch": True}
        page = phone.page(f"{self.address}/call", **size)
        page.evaluate("localStorage.setItem('phone-token', 'ended'), true")
        page.close()
        page = register(phone, self.address, self.amina, phone=OTHER_PHONE, **size)
        hold(page.evaluate("performance.getEntriesByType('navigation')[0].type") == "reload", "the page began anew, and not twice")
        hold(not page.complaints, f"a page complained: {page.complaints}")
        page.close()

    def no_network(self):
        """The caller's page opens without a network and says so."""
        self.caller.wait_for("navigator.serviceWorker.ready.then((r) => Boolean(r.active))")
        self.desk.gateway.kill()
        self.caller.is_gateway_away = self.amina.is_gateway_away = self.john.is_gateway_away = True
        self.caller.reload()
        self.caller.wait_for("!document.querySelector('#home').hidden", what="the page opens without the gateway")
        self.caller.has("cannot be reached", "#connection")
        self.desk.start()
        self.caller.has(PHONE, "#number")
        self.caller.wait_for("document.querySelector('#connection').hidden")

    def idle(self):
        """Four minutes without a hand on it, and the console asks; five, and it signs out."""
        page = self.amina
        page.wait_for("document.querySelector('#feed-state').textContent === 'live'")
        # Who is signed out is called no more: the question rings, and says who waits.
        chat, _ = self.desk.chat(self.desk.caller(self.desk.admin))
        page.has("Take it", "#queue")
        page.evaluate("(() => { window.tones = 0; const make = AudioContext.prototype.createOscillator; AudioContext.prototype.createOscillator = function () { window.tones++; return make.call(this); }; })()")
        page.evaluate("""(() => { const clock = Date.now, passed = performance.now.bind(performance); window.ahead = 0;
            performance.now = () => passed() + window.ahead * 1000; Date.now = () => clock() + 7_200_000; })()""")
        has_looked(page)
        hold(page.evaluate("!document.querySelector('#idle-dialog').open && !document.querySelector('#desk').hidden"), "a clock that is put right signs nobody out")
        page.evaluate("window.ahead = 245")
        page.wait_for("document.querySelector('#idle-dialog').open", what="it is asked")
        page.has("1 caller waits", "#idle-dialog")
        page.wait_for("window.tones > 0", what="the question rings")
        page.press("I am here")
        page.wait_for("!document.querySelector('#idle-dialog').open")
        hold(not page.evaluate("document.querySelector('#desk').hidden"), "who is there stays signed in")
        page.evaluate("window.ahead += 305")
        page.wait_for("document.querySelector('#idle-dialog').open", what="it is asked again")
        hold(not page.evaluate("document.querySelector('#desk').hidden"), "the question comes first, however late")
        page.evaluate("window.ahead += 61")
        page.has("five minutes", "#sign-in-fault")
        page.has("1 caller was waiting", "#sign-in-fault")
        chat.drop()
        hold(page.evaluate("fetch('/v1/me').then((r) => r.status)") == 401, "the sign-in is over")

    def signed_out(self):
        self.john.wait_for("document.querySelector('#feed-state').textContent === 'live'")
        self.john.click("#sign-out-button")
        self.john.has("You are signed out.", "#sign-in-fault")
        hold(self.john.evaluate("fetch('/v1/me').then((r) => r.status)") == 401, "the sign-in is over")


if __name__ == "__main__":
    centre.run(main, centre.arguments(__doc__).parse_args())
