#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The public pages of animal rescue in a real browser, without and with scripts, in both languages, on a phone and a large screen: a report appears half an hour late and with a rough
place, a hidden one and a duplicate do not; photos appear as their owners allow; the GeoJSON and every address of the sitemap are sound, and nothing private stands in any of them.

  browser_public.py --daybook PATH [--screenshots FOLDER] [--axe axe.min.js]

Ends with 77 where no Chromium or no C compiler is installed: the gateway's clock is moved.
"""

import json
import os
import re
import xml.etree.ElementTree

from browser_emergency import open_browser
from browser_map import plan_of, world_map
from browser_pictures import PICTURES
from centre import PASSWORD, Centre, arguments, hold, run
from clock_steps import DAY, Clocks
from daybook import new_id, until
from passer_by import add_photo, submit
from story import tell, watched

PHONE = {"width": 390, "height": 844, "touch": True}
# The exact places; what is public of them, to a hundredth of a degree.
PIER, COVE, FAR = (36.60213, -121.89017), (36.62256, -121.92048), (34.01234, -118.49876)
ROUGH = [-121.89, 36.6]
BAY = {"name": "Bay Rescue", "phone": "+1 831 555 0100", "email": "help@bay.example", "website": "https://bay.example/", "address": "1 Beach Road <Monterey>", "donationLink": "https://bay.example/give?a=1&b=2",
       "types": [], "base": {"latitude": 36.6, "longitude": -121.895}, "takesReports": True,
       "area": {"type": "MultiPolygon", "coordinates": [[[[-122.3, 36.3], [-121.6, 36.3], [-121.7, 37.0], [-122.2, 37.0], [-122.3, 36.3]]]]}}
SOUTH = {"name": "Santa Monica Seals", "types": ["harbor-seal", "sea-lion"], "base": {"latitude": 34.01, "longitude": -118.49}, "takesReports": True, "phone": "+1 310 555 0100"}
PRIVATE = ("Beside the pier", "Jane", "555 0142", "36.60213", "121.89017", "36.602", "121.890")
PAGES = ("/rescues", "/rescues/gallery", "/agencies", "/guide", "/donate")


def main(options, folder):
    clocks = Clocks(folder)
    site = ["--site-name", "Monterey Rescue", "--emergency-number", "911", "--public-address", "https://rescue.example"]
    desk = Centre(options.daybook, folder, options=[*site, "--map", world_map(options.daybook, folder) or plan_of(PIER, folder)])
    desk.gateway.environment = dict(os.environ, **clocks.environment)
    desk.open()
    with open_browser(folder) as browser:
        browser.ignores_policy = bool(options.axe)
        story = Public(options, clocks, desk, browser)
        with watched(story.pages, folder):
            tell(story.is_empty, story.waits_half_an_hour, story.shows_no_more_than_it_may, story.looks_without_script, story.reads_german, story.looks_near, story.moves_the_map, story.follows_the_rescue, story.shows_before_and_after,
                 story.hides_a_photo, story.hides_a_report, story.joins_a_duplicate, story.is_found_by_search_engines, story.forgets_what_is_past, story.forgets_the_reporter)
        hold(not story.faults, f"axe: {story.faults}")
    desk.stop()
    desk.verify("--decode")


class Public:
    """`plain` is the page of a visitor without scripts."""

    def __init__(self, options, clocks, desk, browser):
        self.options, self.clocks, self.desk, self.browser = options, clocks, desk, browser
        desk.staff("sue", "supervisor"), desk.staff("rita", "rescuer")
        self.comes_to_work()
        self.address = f"http://127.0.0.1:{desk.port}"
        self.visitor = desk.client()
        self.axe, self.faults = options.axe and open(options.axe).read(), []
        if options.screenshots:
            os.makedirs(options.screenshots, exist_ok=True)
        self.plain = browser.context().page("about:blank", **PHONE)
        self.plain.send("Emulation.setScriptExecutionDisabled", {"value": True})
        self.pages = [self.plain]

    # MARK: Ways

    def comes_to_work(self):
        """Anew, for five minutes of silence sign out."""
        self.sue, self.rita = (self.signed_in(login) for login in ("sue", "rita"))

    def signed_in(self, login):
        answer = self.desk.client().post("/v1/auth/login", {"login": login, "password": PASSWORD}, key=False)
        hold(answer.ok, f"signing in as {login}: {answer}")
        client = self.desk.client(answer.json["token"])
        client.name = client.get("/v1/me").json["user"]
        return client

    def passes(self, seconds):
        self.clocks.passes(seconds)
        self.comes_to_work()

    def settles(self):
        """Read models have what was done, and what was kept of the pages is old."""
        hold(self.sue.get("/v1/reports").ok, "the desk reads its reports")
        self.clocks.passes(31)

    def features(self):
        answer = self.visitor.get("/v1/public/reports.geojson")
        hold(answer.ok and answer.headers["Content-Type"] == "application/geo+json", f"the GeoJSON: {answer}")
        hold(answer.json["type"] == "FeatureCollection", "it is a collection of features")
        for feature in answer.json["features"]:
            hold(feature["type"] == "Feature" and feature["geometry"]["type"] == "Point", f"a feature is a point: {feature}")
            longitude, latitude = feature["geometry"]["coordinates"]
            hold(abs(latitude * 100 - round(latitude * 100)) < 1e-6 and abs(longitude * 100 - round(longitude * 100)) < 1e-6, f"a place is rough: {feature}")
            hold(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:00:00\.0+Z", feature["properties"]["submittedAt"]), f"a time is an hour: {feature}")
        return {feature["id"]: feature for feature in answer.json["features"]}

    def html(self, path, status=200, **headers):
        answer = self.visitor.get(path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        hold(answer.status == status, f"{path}: {answer}")
        return answer.body.decode()

    def submits(self, place, species="sea-lion", condition="entangled", photo="street.jpg", publishes=True):
        stranger = self.desk.client()
        body = {"fix": {"latitude": place[0], "longitude": place[1], "accuracyMetres": 25}, "species": species, "sizeClass": "small", "condition": condition, "notes": "Beside the pier, a line around its neck",
                "contact": "Jane, +1 831 555 0142", "publishPhotos": publishes}
        sent = submit(stranger, body)
        hold(sent.status == 201, f"submitting the report: {sent}")
        # Who takes it at once keeps it from going to the next agency.
        taken = self.sue.post(f"/v1/reports/{sent.json['report']}/status", {"to": "acknowledged"})
        hold(taken.ok, f"the desk takes it: {taken}")
        if photo:
            added = add_photo(stranger, sent.json["token"], 1, os.path.join(PICTURES, photo))
            hold(added.status == 201, f"adding its photo: {added}")
        return sent.json["report"]

    def opens(self, path, page=None):
        page = page or self.plain
        page.go(self.address + path)
        return page

    def follows(self, words, within):
        """Presses a link of the page without scripts, where nothing that waits by itself ever comes."""
        finding = f"[...document.querySelectorAll({json.dumps(within + ' a')})].find((e) => e.checkVisibility() && e.innerText.includes({json.dumps(words)}))"
        self.plain.wait_for(f"Boolean({finding})", what=f"the link {words!r}")
        self.plain.evaluate(f"window.isOld = true, {finding}.scrollIntoView({{ block: 'center' }})")
        self.plain._click(self.plain.evaluate(f"(() => {{ const r = {finding}.getBoundingClientRect(); return {{ x: r.x + r.width / 2, y: r.y + r.height / 2 }}; }})()"))
        self.plain.wait_for("!window.isOld && document.readyState === 'complete'", what=f"where {words!r} leads")

    def fits(self, page, what):
        """Nothing is wider than the screen, and whatever is to be pressed is as high as a finger needs."""
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        hold(wide <= 0, f"{what} is {wide} px wider than the screen")
        low = page.evaluate("[...document.querySelectorAll(':is(nav, footer, .choices, .ways, .reports) a, button, a.button, main > p > a')].filter((e) => e.checkVisibility() && e.getBoundingClientRect().height < 43.5).map((e) => e.outerHTML.slice(0, 80))")
        hold(not low, f"{what}: lower than 44 px: {low}")

    def looked_at(self, name, page=None):
        """On a phone and a large screen, in light and dark; with `--axe` what that program says of each."""
        page = page or self.plain
        for size, (width, height) in {"phone": (390, 844), "large": (1440, 900)}.items():
            page.resize(width, height, touch=size == "phone")
            self.fits(page, f"{name} ({size})")
            for isDark in (False, True) if self.options.screenshots or self.axe else ():
                page.dark(isDark)
                theme = f"{size}-{'dark' if isDark else 'light'}"
                if self.options.screenshots:
                    page.screenshot(os.path.join(self.options.screenshots, f"{name}-{theme}.png"))
                # That program needs the scripts that a visitor does without.
                if self.axe and page is not self.plain:
                    self.faults += [f"{name}, {theme}: {fault}" for fault in page.axe(self.axe)]
            page.dark(False)
        page.resize(390, 844, touch=True)

    def is_drawn(self, page, count):
        page.wait_for(f"[...document.querySelectorAll('main img')].filter((e) => (e.loading = 'eager', e.complete && e.naturalWidth > 0)).length === {count}", what=f"{count} photos are shown")

    # MARK: A visitor

    def is_empty(self):
        """Before there is an agency or a report, every page says so."""
        for path in PAGES:
            self.opens(path)
            self.looked_at(f"public-empty-{path.strip('/').replace('/', '-')}")
        self.agency, self.south = new_id(), new_id()
        for agency, definition in ((self.agency, BAY), (self.south, SOUTH)):
            made = self.desk.admin.put(f"/v1/agencies/{agency}", definition)
            hold(made.ok, f"setting up the agency: {made}")
        joined = self.desk.admin.put(f"/v1/agencies/{self.agency}/members", {"members": [self.rita.name]})
        hold(joined.ok, f"rita works for it: {joined}")

    def waits_half_an_hour(self):
        self.first, self.quiet = self.submits(PIER), self.submits(FAR, "harbor-seal", "injured", "street.png", publishes=False)
        self.settles()
        hold(not self.features(), "a report of now is shown to nobody")
        self.html(f"/rescues/{self.first}", 404)
        hold(self.first not in self.html("/rescues"), "it stands in no list")
        self.passes(31 * 60)
        hold(set(self.features()) == {self.first, self.quiet}, f"after half an hour both are public: {self.features()}")

    def shows_no_more_than_it_may(self):
        shown = self.features()
        hold(shown[self.first]["geometry"]["coordinates"] == ROUGH, f"the place is rough: {shown[self.first]}")
        hold(shown[self.first]["properties"]["agency"] == "Bay Rescue", f"its agency is named: {shown[self.first]}")
        hold(len(shown[self.first]["properties"]["photos"]) == 1 and not shown[self.quiet]["properties"]["photos"], "only a photo whose owner agreed is public")
        everything = json.dumps(shown) + "".join(self.html(path) for path in (*PAGES, f"/rescues/{self.first}", f"/rescues/{self.quiet}", "/sitemap.xml"))
        for words in PRIVATE:
            hold(words not in everything, f"{words!r} is nobody's business")
        photo = self.photo(self.first)
        for size, side in (("small", 480), ("large", 1280)):
            answer = self.visitor.get(f"{photo}?size={size}")
            hold(answer.ok and answer.headers["Content-Type"] == "image/jpeg" and answer.body[:2] == b"\xff\xd8", f"the {size} copy: {answer.status} {answer.headers}")
            hold(b"Exif" not in answer.body and max(jpeg_sides(answer.body)) <= side, f"the {size} copy is {jpeg_sides(answer.body)}, without what the camera wrote")
            again = self.visitor.get(f"{photo}?size={size}", headers={"If-None-Match": answer.headers["ETag"]})
            hold(again.status == 304, f"who has it is told so: {again}")
        [secret] = self.sue.get(f"/v1/reports/{self.quiet}").json["pictures"]
        hold(self.visitor.get(f"/v1/public/reports/{self.quiet}/photos/{secret['id']}").status == 404, "a photo without consent is nobody's")

    def photo(self, report):
        [photo] = self.features()[report]["properties"]["photos"]
        return photo.removeprefix("https://rescue.example").partition("?")[0]

    def looks_without_script(self):
        self.opens("/rescues")
        for words in ("Animals that need help", "Sea lion, shorter than 1\u00a0m (3\u00a0ft)", "Harbor seal", "entangled", "Bay Rescue", "in the last two hours", "Near Bay Rescue", "People in danger? Call", "911"):
            self.plain.has(words, "body")
        self.is_drawn(self.plain, 1)
        hold(self.plain.evaluate("document.querySelectorAll('svg.map .dot').length") == 2, "each report is a dot")
        hold(self.plain.evaluate("document.querySelectorAll('svg.map .area').length") == 1, "the agency's area is drawn")
        hold(not self.plain.evaluate("document.querySelector('#near').checkVisibility()"), "what needs a script is not offered without")
        self.looked_at("public-rescues")
        self.follows("Sea lion", within=".reports")
        self.plain.has("Who takes care of it", "#main")
        for words in ("A rescue team has read the report.", "about 36.60° N, 121.89° W", "As it was found", "Donate to Bay Rescue"):
            self.plain.has(words, "#main")
        hold(self.plain.evaluate("location.pathname") == f"/rescues/{self.first}", "it has its own address")
        self.is_drawn(self.plain, 1)
        self.looked_at("public-report")
        for path, expected in (("/agencies", ("Call +1 831 555 0100", "Write to help@bay.example", "1 Beach Road <Monterey>", "All animals", "Harbor seal, Sea lion", "Website", "Donate")), ("/guide", ("150 feet (45 m)", "Do not touch it, and do not feed it", "Do not pour water", "Call +1 310 555 0100")),
                               ("/donate", ("Donate to Bay Rescue",)), ("/rescues/gallery", ("No rescue with a photo is shown here yet.",))):
            self.opens(path)
            for words in expected:
                self.plain.has(words, "#main")
            self.looked_at(f"public-{path.strip('/').replace('/', '-')}")
        hold(self.plain.evaluate("document.querySelector('.parts .primary').getAttribute('href')") == "/report", "each page leads to the report")
        self.opens("/donate")
        links = self.plain.evaluate("[...document.querySelectorAll('#main a')].map((e) => e.getAttribute('href'))")
        hold("https://bay.example/give?a=1&b=2" in links, f"the donation link is whole: {links}")

    def reads_german(self):
        """By the browser's wish, or by the address, in which it stays."""
        text = self.html("/rescues", Accept_Language="fr, de-AT;q=0.9, en;q=0.5")
        hold('<html lang="de"' in text and "Tiere, die Hilfe brauchen" in text, "the browser wishes German")
        hold('<html lang="en"' in self.html("/rescues", Accept_Language="de;q=0, fr"), "nobody wishes German")
        self.opens("/rescues?lang=de")
        for words in ("Tiere, die Hilfe brauchen", "Seelöwe", "verfangen", "Bei Bay Rescue"):
            self.plain.has(words, "#main")
        self.looked_at("public-rescues-german")
        self.follows("Seelöwe", within=".reports")
        self.plain.has("Wer sich darum kümmert", "#main")
        self.follows("Was tun?", within=".parts")
        self.plain.has("45 m Abstand", "#main")
        self.looked_at("public-guide-german")
        self.follows("English", within="footer")
        self.plain.has("Stay 150 feet (45 m) away", "#main")

    def looks_near(self):
        self.opens("/rescues")
        self.follows("Near Bay Rescue", within=".choices")
        self.plain.has("less than 2 km (1 mi) away", ".reports")
        hold("Harbor seal" not in self.plain.text(".reports"), "what is far away is left out")
        self.looked_at("public-near")
        self.opens("/rescues?near=36.8,-121.8")
        self.plain.has("about 15 mi (24 km) away", ".reports")
        hold(self.visitor.get("/rescues?near=91,0").status == 400, "what is no place is refused")

    def moves_the_map(self):
        """With scripts the visitor's own place is offered; whoever may read the site's maps gets one that moves."""
        page = self.browser.context().page("about:blank", **PHONE)
        self.pages.append(page)
        page.place(36.611111, -121.899999)
        self.opens("/rescues?lang=de", page)
        self.is_ready(page)
        hold(page.evaluate("document.documentElement.lang") == "de", "the script leaves the language")
        self.looked_at("public-script", page)
        page.press("In meiner Nähe")
        page.wait_for("new URL(location.href).searchParams.get('near') === '36.61,-121.9' && document.readyState === 'complete'", what="the place is rough before it is sent")
        page.has("weniger als 2 km entfernt", ".reports")
        self.is_ready(page)
        self.looked_at("public-script-near", page)
        self.opens("/rescue", page)
        page.type("[name=login]", "rita")
        page.type("[name=password]", PASSWORD)
        page.press("Sign in", within=".door")
        self.is_ready(page)
        self.opens("/rescues", page)
        self.is_ready(page)
        if "leaflet.js" in self.visitor.get("/vendor").json["files"]:
            page.wait_for("document.querySelector('place-map')?.dataset.with === 'leaflet'", what="the map is there")
            page.wait_for("document.querySelector('place-map').shadowRoot.querySelectorAll('path.spot').length === 2", what="each report is a mark")
            page.evaluate("document.querySelector('place-map').scrollIntoView({ block: 'center' })")
            self.looked_at("public-script-map", page)

    def is_ready(self, page):
        page.wait_for("'ready' in document.documentElement.dataset", what="the page is there")

    # MARK: A rescue

    def step(self, report, status):
        moved = self.rita.post(f"/v1/reports/{report}/status", {"to": status})
        hold(moved.ok, f"{report} becomes {status}: {moved}")

    def follows_the_rescue(self):
        self.step(self.first, "heading_out")
        self.settles()
        self.opens(f"/rescues/{self.first}")
        self.plain.has("Rescuers are on their way.", "#status")
        for status in ("on_scene", "rescued"):
            self.step(self.first, status)
        self.settles()
        self.opens("/rescues?state=past")
        self.plain.has("Sea lion", ".reports")
        self.plain.has("rescued", ".reports")
        self.opens("/rescues?state=active")
        self.plain.has("Harbor seal", ".reports")
        hold("Sea lion" not in self.plain.text(".reports"), "what is closed is not active")

    def shows_before_and_after(self):
        """The reporter's photo is shown by consent, a rescuer's once somebody shows it."""
        photos = []
        for name, kind in (("street.png", "png"), ("street.jpg", "jpeg")):
            with open(os.path.join(PICTURES, name), "rb") as file:
                photos.append(self.rita.post(f"/v1/reports/{self.first}/photos", file.read(), headers={"Content-Type": f"image/{kind}"}))
            hold(photos[-1].ok, f"rita's photo: {photos[-1]}")
        self.settles()
        self.opens("/rescues/gallery")
        self.plain.has("As it was found", ".gallery")
        hold("After the rescue" not in self.plain.text(".gallery"), "a photo by staff is not public by itself")
        # Only a JPEG has a public copy.
        for photo in photos:
            self.shows(self.rita, self.first, True, photo.json["photo"])
        self.opens("/rescues/gallery")
        for words in ("As it was found", "After the rescue", "The animal was rescued and is being cared for."):
            self.plain.has(words, ".gallery")
        self.is_drawn(self.plain, 2)
        self.looked_at("public-gallery-two")

    def shows(self, who, report, isPublic, photo=None):
        changed = who.put(f"/v1/reports/{report}/visibility", {"isPublic": isPublic, **({"photo": photo} if photo else {})})
        hold(changed.ok, f"{report} is shown or hidden: {changed}")
        self.settles()

    def hides_a_photo(self):
        before = next(one for one in self.sue.get(f"/v1/reports/{self.first}").json["pictures"] if "by" not in one)["id"]
        path = f"/v1/public/reports/{self.first}/photos/{before}"
        hold(self.visitor.get(path).ok, "the photo is public")
        self.shows(self.sue, self.first, False, before)
        hold(self.visitor.get(path).status == 404, "a moderator hid it")
        self.opens("/rescues/gallery")
        self.plain.has("After the rescue", ".gallery")
        hold("As it was found" not in self.plain.text(".gallery"), "only the other one is left")

    def hides_a_report(self):
        self.shows(self.sue, self.quiet, False)
        hold(self.quiet not in self.features(), "a moderator hid the report")
        self.html(f"/rescues/{self.quiet}", 404)
        hold(self.quiet not in self.html("/rescues") + self.html("/sitemap.xml"), "it stands in no list")
        self.opens(f"/rescues/{self.quiet}")
        self.plain.has("This report is not shown", "h1")
        self.looked_at("public-gone")
        self.shows(self.sue, self.quiet, True)
        hold(self.quiet in self.features(), "it is shown again")

    def joins_a_duplicate(self):
        again = self.submits(FAR, "harbor-seal", "injured", photo=None)
        self.passes(31 * 60)
        hold(again in self.features(), "a second report of the same animal")
        joined = self.sue.put(f"/v1/reports/{again}/duplicate", {"of": self.quiet})
        hold(joined.ok, f"it is joined: {joined}")
        self.settles()
        hold(again not in self.features() and self.quiet in self.features(), "one animal is shown once")
        self.html(f"/rescues/{again}", 404)

    # MARK: For others

    def is_found_by_search_engines(self):
        robots = self.html("/robots.txt")
        hold("Sitemap: https://rescue.example/sitemap.xml" in robots and "Disallow: /\n" in robots, f"robots.txt: {robots}")
        tree = xml.etree.ElementTree.fromstring(self.html("/sitemap.xml"))
        addresses = [one.text for one in tree.iter("{http://www.sitemaps.org/schemas/sitemap/0.9}loc")]
        hold(all(one.startswith("https://rescue.example/") for one in addresses), f"addresses are whole: {addresses}")
        paths = [one.removeprefix("https://rescue.example") for one in addresses]
        hold(set((*PAGES, "/report", f"/rescues/{self.first}", f"/rescues/{self.quiet}")) == set(paths) and len(paths) == len(set(paths)), f"the sitemap: {paths}")
        titles, abouts = set(), set()
        for path in paths:
            text = self.html(path)
            if path == "/report":
                continue
            for wanted in (f'<link rel="canonical" href="https://rescue.example{path}">', 'hreflang="de"', 'hreflang="x-default"', 'property="og:title"', 'property="og:description"', '<html lang="en"', 'href="/report"', "<h1>"):
                hold(wanted in text, f"{path} has no {wanted}")
            titles.add(re.search("<title>(.*?)</title>", text)[1])
            abouts.add(re.search('<meta name="description" content="(.*?)">', text)[1])
        hold(len(titles) == len(abouts) == len(paths) - 1, f"each page has its own title and description: {titles}, {abouts}")

    def forgets_what_is_past(self):
        """After fourteen days only the gallery has it."""
        self.passes(15 * DAY)
        self.settles()
        hold(set(self.features()) == {self.quiet}, f"what is closed is not shown for ever: {self.features()}")
        hold(self.first in self.html("/rescues/gallery"), "the rescue stays in the gallery")
        self.html(f"/rescues/{self.first}")

    def forgets_the_reporter(self):
        reporter = self.sue.get(f"/v1/reports/{self.first}").json["reporter"]
        admin = self.signed_in("admin")
        erased = admin.post(f"/v1/persons/{reporter}/erase", {"reason": "asked"})
        hold(erased.ok, f"erasing the reporter: {erased}")
        self.settles()
        until(lambda: self.visitor.get(f"/rescues/{self.first}").status == 404, "nothing is left of the reporter's report")


def jpeg_sides(data):
    """Width and height, from the frame's header."""
    at = 2
    while at < len(data):
        marker, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4], "big")
        if marker in (0xC0, 0xC1, 0xC2):
            return int.from_bytes(data[at + 7 : at + 9], "big"), int.from_bytes(data[at + 5 : at + 7], "big")
        at += 2 + length
    return 0, 0


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--screenshots", help="the folder that pictures go to")
    parser.add_argument("--axe", help="axe-core's program, to be asked on each page")
    run(main, parser.parse_args())
