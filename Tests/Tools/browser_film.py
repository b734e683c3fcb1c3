#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the ledger is told of a caller's camera is true (ruling 38): how many pictures a second come, whatever the camera says of itself; a turn, and the light, each as an
event of its own; and where a browser has no encoder of its own, the size and the tier that a decoder finds in the recording.

Ends with 77 where no Chromium is installed.
"""

import centre
from browser_caller import SIZE
from browser_emergency import open_browser
from browser_old import OLD
from centre import Centre, hold
from daybook import until
from story import tell, watched

# A phone with two cameras, of which the rear one has a light: both say that they give thirty pictures a second, and give eight.
PHONE = """(() => {
    const camera = (facingMode) => {
        const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 360 }), context = canvas.getContext('2d');
        let count = 0;
        setInterval(() => { context.fillStyle = `hsl(${count++ * 9} 80% 50%)`; context.fillRect(0, 0, 640, 360); }, 125);
        const media = canvas.captureStream(), [track] = media.getVideoTracks(), settings = track.getSettings.bind(track);
        track.getSettings = () => ({ ...settings(), width: 640, height: 360, frameRate: 30, facingMode, deviceId: facingMode });
        track.getCapabilities = () => (facingMode === 'environment' ? { torch: true } : {});
        track.applyConstraints = async ({ advanced: [{ torch }] }) => { window.isLit = torch; };
        return media;
    };
    navigator.mediaDevices.getUserMedia = async ({ video }) => camera(video.facingMode);
    navigator.mediaDevices.enumerateDevices = async () => [{ kind: 'videoinput' }, { kind: 'videoinput' }];
})()"""

ICONS = ["Switch camera", "Both cameras", "Light", "My location", "Send what the camera sees as a picture", "Stop video", "Chat"]
GERMAN_ICONS = ["Kamera wechseln", "Beide Kameras", "Licht", "Mein Standort", "Was die Kamera sieht, als Bild senden", "Video beenden", "Chat"]


def main(options, folder):
    desk = Centre(options.daybook, folder).open()
    with open_browser(folder) as browser:
        play = Play(desk, browser)
        with watched(play.pages, folder):
            tell(play.counts_pictures, play.names_its_icons, play.lights, play.turns, play.goes_on_after_a_reload, play.films_with_both, play.reloads_with_both, play.gives_one_alone, play.records)
    desk.verify()


class Play:
    def __init__(self, desk, browser):
        self.desk, self.browser, self.operator, self.pages = desk, browser, desk.staff("amina"), []

    def films(self, program, number):
        """A registered phone whose browser is as the program makes it, and that shows video."""
        page = self.browser.context().page("about:blank", **SIZE)
        self.pages.append(page)
        look = page.evaluate
        page.evaluate = lambda expression: look(expression.replace("checkVisibility()", "isShown()") if program == OLD else expression)
        page.before(program)
        code = self.operator.post("/v1/devices/codes", {"phone": number, "reason": "x"}).json["code"]
        page.go(f"http://127.0.0.1:{self.desk.port}/call")
        page.type("#register [name=phone]", number)
        page.type("#register [name=code]", code)
        page.press("Register this phone")
        page.press("Chat with the emergency centre")
        page.press("Yes, I need help")
        page.type("#write textarea", "Look")
        page.key("Enter")
        page.press("Show video", within="#chat header")
        page.has("LIVE", "#film-state")
        return page

    def told(self, kind, enough=lambda found: found):
        """Waits for what the ledger has of a kind of the newest stream."""
        found = []

        def look():
            entries = self.desk.entries()
            self.stream = [entry["subject"] for entry in entries if entry["type"] == "stream.started/1"][-1]
            found[:] = [entry["data"] for entry in entries if entry["type"] == kind and entry["subject"] == self.stream]
            return enough(found)

        until(look, f"enough of {kind}", pause=0.2)
        return found

    def counts_pictures(self):
        """Told at first is what the camera says; that fewer come is told as soon as it is known. How many a slow machine makes is only printed."""
        self.page = self.films(PHONE, "+447712345678")
        hold(self.told("stream.started/1")[0]["framesPerSecond"] == 30, "at first it is what the camera says")
        rate = self.told("stream.quality_changed/1")[-1]
        hold(rate["framesPerSecond"] < 30 and rate["cause"] == "automatic", f"the ledger has {rate}")
        print(f"  the camera gives 8 pictures a second; told are {rate['framesPerSecond']}")

    def names_its_icons(self):
        """Who cannot see a picture hears what it is, who cannot read it reads it as its title, and a finger meets it."""
        self.icons(ICONS)
        self.page.evaluate("localStorage.setItem('language', 'de')")
        self.page.reload()
        self.page.has("LIVE", "#film-state")
        self.page.wait_for("!document.querySelector('#film-light').hidden && !document.querySelector('#film-both').hidden")
        self.icons(GERMAN_ICONS)
        self.page.evaluate("localStorage.removeItem('language')")
        self.page.reload()
        self.page.has("LIVE", "#film-state")
        self.page.wait_for("!document.querySelector('#film-light').hidden")

    def icons(self, words):
        seen = self.page.evaluate("""[...document.querySelectorAll('.film-controls .icon')].filter((icon) => icon.checkVisibility()).map((icon) => {
            const { width, height } = icon.getBoundingClientRect(), { x, y, width: across } = icon.querySelector('svg').getBoundingClientRect();
            return { title: icon.title, words: icon.innerText.trim(), isLarge: Math.min(width, height) >= 44, isSeen: across >= 24 && icon.contains(document.elementFromPoint(x + across / 2, y + across / 2)) }; })""")
        hold(seen == [{"title": word, "words": word, "isLarge": True, "isSeen": True} for word in words], f"the icons are {seen}")
        tree = self.page.send("Accessibility.getFullAXTree")["nodes"]
        named = [node["name"]["value"] for node in tree if node.get("role", {}).get("value") in ("button", "ToggleButton") and not node["ignored"]]
        hold([name for name in named if name in words] == words, f"the names are {named}")

    def lights(self):
        for is_on in (True, False, True):
            self.page.click("#film-light")
            lights = self.told("stream.torch_toggled/1", enough=lambda found: found and found[-1]["isOn"] is is_on)
            self.page.wait_for(f"document.querySelector('#film-light').ariaPressed === '{str(is_on).lower()}' && window.isLit === {str(is_on).lower()}")
        hold([light["isOn"] for light in lights] == [True, False, True], f"each is told once: {lights}")

    def turns(self):
        """To a camera without a light; the one before is off, and its light with it."""
        hold(self.told("stream.started/1")[0]["camera"] == "rear", "it began with the rear camera")
        self.page.click("#film-turn")
        cameras = self.told("stream.camera_switched/1")
        hold([camera["camera"] for camera in cameras] == ["front"], f"the ledger has {cameras}")
        self.told("stream.torch_toggled/1", enough=lambda found: [light["isOn"] for light in found] == [True, False, True, False])
        self.page.wait_for("document.querySelector('#film-light').hidden")
        session = self.told("stream.started/1")[0]["session"]
        hold(self.operator.post(f"/v1/sessions/{session}/claim").ok, "the session is taken")
        stream = self.operator.get(f"/v1/streams/{self.stream.split('/')[1]}").json
        hold(stream["camera"] == "front", f"the recording says {stream['camera']}")

    def goes_on_after_a_reload(self):
        """It is the same camera and the same light: nothing is told again."""
        self.page.reload()
        self.page.has("LIVE", "#film-state")
        before = len(self.told("stream.chunk_archived/1"))
        self.told("stream.chunk_archived/1", enough=lambda found: len(found) > before + 1)
        hold(len(self.told("stream.camera_switched/1")) == 1 and len(self.told("stream.torch_toggled/1")) == 4, "a reload turns nothing")

    def films_with_both(self):
        """Two streams of one session, each told as its own camera's."""
        first = self.streams()
        self.page.click("#film-both")
        self.page.wait_for("document.querySelector('#preview-second').videoWidth > 0 && document.querySelector('#film-turn').hidden && document.querySelector('#film-both').ariaPressed === 'true'")
        self.told("stream.chunk_archived/1", enough=lambda found: len(found) > 2)
        both = self.streams()
        hold(len(both) == len(first) + 1 and [start["camera"] for start in both][-2:] == ["rear", "rear"], f"the streams are {both}")
        hold(len({start["session"] for start in both}) == 1, "they are of one session")

    def reloads_with_both(self):
        """A page that opens again goes on with the camera that was first; the other's stream ends, and nobody is told of a turn."""
        self.page.reload()
        self.page.has("LIVE", "#film-state")
        hold(self.told("stream.stopped/1")[0]["reason"] == "the page went away", "the other one has ended")
        hold(len(self.stopped()) == len(self.streams()) - 1, "the first one goes on")
        hold(len([entry for entry in self.desk.entries() if entry["type"] == "stream.camera_switched/1"]) == 1, "nobody has turned")
        self.page.click("#film-both")
        self.page.wait_for("document.querySelector('#film-both').ariaPressed === 'true'")
        self.page.click("#film-stop")
        self.told("stream.stopped/1")
        hold(len(self.stopped()) == len(self.streams()), f"both have stopped: {self.stopped()}")

    def stopped(self):
        return [entry for entry in self.desk.entries() if entry["type"] == "stream.stopped/1"]

    def streams(self):
        return [entry["data"] for entry in self.desk.entries() if entry["type"] == "stream.started/1"]

    def gives_one_alone(self):
        """A phone that closes one camera for the other says so, and goes on with the one."""
        page = self.page
        page.press("Show video", within="#home")
        # What the film before this one said still stands in the screen that is not shown.
        page.wait_for("document.querySelector('#film-both').checkVisibility() && document.querySelector('#film-state').textContent === 'LIVE'", what="it films again")
        page.evaluate("(() => { const devices = navigator.mediaDevices, open = devices.getUserMedia; devices.getUserMedia = async (wanted) => { document.querySelector('#preview').srcObject.getTracks().forEach((track) => track.stop()); return open(wanted); }; })()")
        before = len(self.streams())
        page.click("#film-both")
        page.noticed("This phone can use one camera at a time.")
        page.wait_for("document.querySelector('#film-both').hidden && document.querySelector('#preview-second').hidden")
        page.has("LIVE", "#film-state")
        hold(len(self.streams()) == before, "no stream has begun")
        page.click("#film-stop")

    def records(self):
        """Without an encoder: what is told of the size is what is in the recording, and the tier has room for it."""
        page = self.films(OLD, "+447712345679")
        for tier, (width, height) in (("low", (320, 180)), ("high", (1280, 720))):
            page.evaluate(f"(() => {{ const select = document.querySelector('#film-tier'); select.value = '{tier}'; select.dispatchEvent(new Event('change')); }})()")
            chosen = lambda found: [change for change in found if change["quality"] == tier and change["cause"] == "user"]
            change = chosen(self.told("stream.quality_changed/1", enough=chosen))[-1]
            hold(change["width"] <= width and change["height"] <= height, f"the ledger has {change}")
            self.told("stream.chunks_inspected/1", enough=lambda found: found and (found[-1]["width"], found[-1]["height"]) == (change["width"], change["height"]))
            print(f"{tier}: told and found are {change['width']} × {change['height']}")
        page.click("#film-stop")


if __name__ == "__main__":
    centre.run(main, centre.arguments(__doc__).parse_args())
