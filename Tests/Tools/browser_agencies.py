#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An administrator sets up a rescue agency from nothing in a real browser: draws its area on the map and corrects it, pastes another as GeoJSON, chooses members, and is asked before
anything unsaved is lost. What the gateway keeps is what was drawn.

  browser_agencies.py --daybook PATH [--screenshots FOLDER] [--axe axe.min.js]

Ends with 77 where no Chromium is installed.
"""

import json
import os

import centre
from browser_admin import DIALOG, PHONE, Administrator
from browser_emergency import open_browser
from browser_map import LEAFLET, world_map
from centre import PASSWORD, Centre, arguments, hold, run
from story import tell, watched

MAP = "document.querySelector('area-map')"
FORM = ".part form.agency"
TOOLS = ".tools"


def ring(west, south, east, north):
    return [[west, south], [east, south], [east, north], [west, north], [west, south]]


def main(options, folder):
    if not os.path.exists(LEAFLET):
        centre.skip("Leaflet is not installed")
    world = world_map(options.daybook, folder)
    desk = Centre(options.daybook, folder, options=["--site-name", "Watford Rescue", "--country", "GB", *(["--map", world] if world else [])]).open()
    desk.rita = desk.staff("rita", "rescuer")
    desk.staff("amina")
    with open_browser(folder) as browser:
        browser.ignores_policy = bool(options.axe)
        admin = Agencies(options, desk, browser)
        with watched(admin.pages, folder):
            tell(admin.signs_in, admin.sees_what_is_missing, admin.writes_who_it_is, admin.sets_the_base, admin.draws_an_area, admin.moves_a_corner, admin.draws_a_hole, admin.hears_what_is_wrong,
                 admin.chooses_a_member, admin.saves, admin.says_how_to_reach_her, admin.pastes_an_area, admin.is_asked_before_leaving, admin.retires_it, admin.uses_a_phone, admin.reads_german)
        hold(not admin.faults, f"axe: {admin.faults}")
    desk.stop()
    desk.verify()


class Agencies(Administrator):
    def signs_in(self):
        self.page.type("[name=login]", "admin")
        self.page.type("[name=password]", PASSWORD)
        self.page.press("Sign in", within=".door")
        self.ready()

    def agencies(self):
        return {one["name"]: one for one in self.desk.admin.get("/v1/agencies").json["items"]}

    # MARK: Ways on the map

    def in_view(self):
        """The map is to be seen, and stands still."""
        self.page.wait_for(f"(async () => {{ const map = {MAP}; map.scrollIntoView({{block: 'center'}}); const {{ y }} = map.getBoundingClientRect(); await new Promise((again) => requestAnimationFrame(() => requestAnimationFrame(again))); "
                           "return map.getBoundingClientRect().y === y; })()", what="the map is in view")

    def spot(self, right, down):
        """A place on the map, in parts of its width and height."""
        self.in_view()
        box = self.page.evaluate(f"(() => {{ const r = {MAP}.shadowRoot.querySelector('.ground').getBoundingClientRect(); return [r.x, r.y, r.width, r.height]; }})()")
        return {"x": box[0] + box[2] * right, "y": box[1] + box[3] * down}

    def taps(self, *spots):
        for right, down in spots:
            self.page._click(self.spot(right, down))

    def handle(self, look, number=0):
        """Where the middle of a handle is."""
        self.in_view()
        return self.page.wait_for(f"(() => {{ const e = {MAP}.shadowRoot.querySelectorAll('.{look}')[{number}]; if (!e) return null; const r = e.getBoundingClientRect(); return {{x: r.x + r.width / 2, y: r.y + r.height / 2}}; }})()", what=f"handle {look} {number}")

    def drags(self, start, end):
        for kind, spot in (("mousePressed", start), ("mouseMoved", {key: (start[key] + end[key]) / 2 for key in start}), ("mouseMoved", end), ("mouseReleased", end)):
            self.page.send("Input.dispatchMouseEvent", {"type": kind, **spot, "button": "left", "buttons": 1, "clickCount": 1})

    def corners(self, count):
        self.page.wait_for(f"{MAP}.shadowRoot.querySelectorAll('.corner').length === {count}", what=f"{count} corners are shown")

    def draws(self, tool, *spots):
        self.page.press(tool, within=TOOLS)
        self.page.has("Press the map for each corner", ".part")
        before = self.page.evaluate(f"{MAP}.shadowRoot.querySelectorAll('.corner').length")
        self.taps(*spots)
        self.corners(before + len(spots))

    # MARK: The play

    def sees_what_is_missing(self):
        self.part("Agencies")
        self.page.has("There is no agency yet.", ".part")
        hold(self.page.text(".missing").count("to do") == 6, f"six things are missing: {self.page.text('.missing')}")
        self.looked_at("agencies-nothing")

    def writes_who_it_is(self):
        self.page.press("Add an agency", within=".part")
        self.page.wait_for(f"{MAP}?.dataset.with === 'leaflet'", what="the map is there")
        self.looked_at("agency-new")
        for name, text in (("name", "Bay Rescue"), ("phone", "020 7946 0958"), ("email", "bay@example.org"), ("website", "https://bay.example.org"), ("own", "manatee, Whale")):
            self.page.type(f"{FORM} [name={name}]", text)
        self.page.press("sea lion", within=f"{FORM} .picker-boxes")

    def sets_the_base(self):
        self.page.press("Set the base", within=TOOLS)
        self.page.has("Press the map where the base is.", ".part")
        self.taps((0.5, 0.5))
        self.page.has("Move the base", TOOLS)
        self.page.type(".part [placeholder='36.8, -121.8']", "51.6565, -0.3903")
        self.page.key("Enter")
        before = self.handle("base")
        self.drags(before, {"x": before["x"] + 20, "y": before["y"]})
        self.page.wait_for("!document.querySelector(\".part [placeholder='36.8, -121.8']\").value.startsWith('51.6565, -0.3903')", what="the base was moved")
        self.page.press("Undo", within=TOOLS)
        self.page.wait_for("document.querySelector(\".part [placeholder='36.8, -121.8']\").value === '51.6565, -0.3903'", what="and put back")

    def draws_an_area(self):
        """By presses, closed by the first corner."""
        self.draws("Draw an area", (0.3, 0.3), (0.7, 0.3), (0.7, 0.7), (0.3, 0.7))
        self.looked_at("agency-draft")
        self.page._click(self.handle("first"))
        self.page.has("Area 1: 4 corners", ".outlines")
        self.looked_at("agency-area")

    def moves_a_corner(self):
        """By hand, by a circle between two, by keys; and one is taken out."""
        self.drags(self.handle("corner", 0), self.spot(0.2, 0.2))
        self.page.has("Area 1, corner 1", ".corner-fields")
        self.corners(4)
        self.page._click(self.handle("middle", 0))
        self.corners(5)
        before = self.page.evaluate("document.querySelector('.corner-fields input').value")
        self.page.key("ArrowUp")
        self.page.wait_for(f"document.querySelector('.corner-fields input').value !== {json.dumps(before)}", what="a key moves the corner")
        self.page.key("ArrowUp")
        self.page.press("Remove the corner", within=".part")
        self.corners(4)

    def draws_a_hole(self):
        self.draws("Draw a hole", (0.45, 0.6), (0.55, 0.6), (0.5, 0.66))
        self.page.press("Close the outline", within=TOOLS)
        self.page.has("Area 1, hole 1: 3 corners", ".outlines")
        # By the keyboard alone: the map is moved under the cross.
        self.page.press("Draw an area", within=TOOLS)
        for way in ("South", "East", None):
            self.page.press("Corner at the cross", within=TOOLS)
            for _ in range(2 if way else 0):
                self.page.evaluate(f"{MAP}.shadowRoot.querySelector('[aria-label={way}]').click()")
        self.page.press("Close the outline", within=TOOLS)
        self.page.has("Area 2: 3 corners", ".outlines")
        self.page.press("Remove Area 2", within=".outlines")
        self.page.evaluate(f"{MAP}.home()")

    def hears_what_is_wrong(self):
        self.draws("Draw an area", (0.1, 0.8), (0.2, 0.95), (0.2, 0.8), (0.1, 0.95))
        self.page.press("Close the outline", within=TOOLS)
        self.page.has("crosses or touches itself near", ".part")
        self.looked_at("agency-crosses")
        self.page.press("Save", within=FORM)
        self.page.has("An outline is not closed yet.", f"{FORM} > [role=alert]")
        self.page.press("Give up the outline", within=TOOLS)

    def chooses_a_member(self):
        order = self.page.evaluate("[...document.querySelectorAll('.part section:last-of-type .picker-boxes label')].map((e) => e.innerText)")
        hold(order[0] == "Rita, rescuer", f"rescuers stand first: {order}")
        self.page.press("Rita", within=f"{FORM} .picker-boxes")
        self.page.has("Hears nothing: no way is set", ".reached")
        self.looked_at("agency-members")

    def saves(self):
        self.page.press("Save", within=FORM)
        self.did("Bay Rescue saved.")
        self.page.has("Takes reports", ".part table")
        kept = self.agencies()["Bay Rescue"]
        hold(kept["types"] == ["sea-lion", "manatee", "whale"] and kept["members"] == [self.desk.rita.name] and kept["takesReports"], f"it is kept: {kept}")
        hold([len(one) for one in kept["area"]["coordinates"][0]] == [5, 4] and kept["base"] == {"latitude": 51.6565, "longitude": -0.3903}, f"its area and base are kept: {kept}")
        hold(self.page.text(".missing").count("to do") == 3, f"the way, a sender and a supervisor are missing: {self.page.text('.missing')}")
        self.looked_at("agencies-one")

    def says_how_to_reach_her(self):
        self.page.press("Bay Rescue", within=".part table")
        self.page.press("How to reach them", within=".reached")
        self.asks()
        self.writes("email", "rita@example.org")
        self.presses("Save")
        self.page.has("Waits: no e-mail is set up", ".reached")
        self.page.press("Cancel", within=FORM)
        self.page.has("Takes reports", ".part table")
        hold(self.page.text(".missing").count("to do") == 3, f"her way waits for a sender, and a supervisor is missing: {self.page.text('.missing')}")

    def pastes_an_area(self):
        """Text is checked by name before it is drawn; what lies on both sides of the date line, too. Overlaps are told."""
        self.page.press("Add an agency", within=".part")
        self.page.type(f"{FORM} [name=name]", "Pacific Rescue")
        self.page.click(f"{FORM} details summary")
        for value, words in (("{", "The text is no JSON."), ({"type": "Point", "coordinates": [0, 0]}, "Point is no area."), ({"type": "Polygon", "coordinates": [ring(0, 0, 1, 1)[:4]]}, "Area 1: not closed."),
                             ({"type": "Polygon", "coordinates": [ring(179, 0, -179, 1)]}, "longer than 180 degrees"), ({"type": "Polygon", "coordinates": [[[0, 0], [1, 1], [1, 0], [0, 1], [0, 0]]]}, "crosses or touches itself near 0.5000, 0.5000"),
                             ({"type": "Polygon", "coordinates": [[[0, 0], [1, 0], [0, 0]]]}, "fewer than 4 points")):
            self.page.type(f"{FORM} textarea", value if isinstance(value, str) else json.dumps(value))
            self.page.press("Check it and draw it", within=FORM)
            self.page.has(words, f"{FORM} details")
        self.looked_at("agency-text-refused")
        area = {"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {}, "geometry": {"type": "MultiPolygon", "coordinates": [[ring(175, -20, 180, -10)], [ring(-180, -20, -175, -10)], [ring(-1, 51, 0, 52)]]}}]}
        self.page.type(f"{FORM} textarea", json.dumps(area))
        self.page.press("Check it and draw it", within=FORM)
        self.page.has("3 areas drawn.", f"{FORM} details")
        self.page.has("Shares ground with: Bay Rescue.", ".part")
        self.looked_at("agency-overlap")
        self.page.press("Save", within=FORM)
        self.did("Pacific Rescue saved.")
        kept = self.agencies()["Pacific Rescue"]["area"]["coordinates"]
        hold(sorted(kept) == sorted(area["features"][0]["geometry"]["coordinates"]), f"the area is kept as it was pasted: {kept}")

    def is_asked_before_leaving(self):
        self.page.press("Pacific Rescue", within=".part table")
        self.page.type(f"{FORM} [name=address]", "1 Harbour Road")
        self.page.press("Rotas", within=".tabs")
        self.asks("Discard what you filled in?")
        self.leaves()
        self.page.evaluate("history.back()")
        self.asks("Discard what you filled in?")
        self.leaves()
        hold(self.page.evaluate(f"document.querySelector('{FORM} [name=address]').value") == "1 Harbour Road" and self.page.evaluate("location.search").startswith("?agency="), "what was written is still there")
        # Meanwhile somebody else writes the same agency.
        mine = self.agencies()["Pacific Rescue"]
        body = {key: value for key, value in mine.items() if key not in ("id", "members", "revision")}
        hold(self.desk.admin.put(f"/v1/agencies/{mine['id']}", {**body, "phone": "+442079460958"}).ok, "it is written by another")
        self.page.press("Save", within=FORM)
        self.page.has("Somebody else has changed this agency meanwhile.", f"{FORM} > [role=alert]")
        self.page.press("Cancel", within=FORM)
        self.asks("Discard what you filled in?")
        self.presses("Discard")
        self.page.has("Pacific Rescue", ".part table")

    def retires_it(self):
        self.page.evaluate("document.querySelector(\"[aria-label='Retire: Pacific Rescue']\").click()")
        self.asks("No new report goes to it.")
        self.presses("Retire")
        self.did("Pacific Rescue retired.")
        self.page.wait_for("!document.querySelector('.part table').innerText.includes('Pacific Rescue')", what="it is gone from the list")
        self.looked_at("agencies-retired")

    def uses_a_phone(self):
        self.page.resize(**PHONE)
        self.looked_at("agencies-phone")
        self.page.press("Bay Rescue", within=".part table")
        self.page.wait_for(f"{MAP}?.dataset.with === 'leaflet'", what="the map is there")
        self.handle("corner", 3)
        for name, where in (("top", FORM), ("map", "area-map"), ("members", ".reached")):
            self.page.evaluate(f"document.querySelector('{where}').scrollIntoView({{block: 'center'}})")
            self.looked_at(f"agency-phone-{name}")
        wide = self.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        hold(wide <= 0, f"the page is {wide} px wider than the screen")
        self.draws_by_finger()
        self.page.resize(1440, 900)

    def draws_by_finger(self):
        self.page.press("Draw an area", within=TOOLS)
        for place in ((0.2, 0.8), (0.6, 0.8), (0.4, 0.9)):
            known, spot = self.page.evaluate(f"{MAP}.shadowRoot.querySelectorAll('.corner').length"), self.spot(*place)
            for kind, points in (("touchStart", [spot]), ("touchEnd", [])):
                self.page.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
            self.corners(known + 1)
        self.page.press("Close the outline", within=TOOLS)
        self.page.has("Area 2: 3 corners", ".outlines")
        self.looked_at("agency-phone-drawn")
        # Last: so quick a finger flings, and the browser takes the next tap for the end of that.
        before = self.page.evaluate("document.querySelector('.outlines').innerText")
        start = self.handle("corner", 0)
        for kind, points in (("touchStart", [start]), ("touchMove", [{"x": start["x"] + 10, "y": start["y"] + 10}]), ("touchMove", [{"x": start["x"] + 30, "y": start["y"] + 40}]), ("touchEnd", [])):
            self.page.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        self.page.wait_for(f"document.querySelector('.outlines').innerText !== {json.dumps(before)}", what="a finger moves the corner")
        self.page.press("Cancel", within=FORM)
        self.asks("Discard what you filled in?")
        self.presses("Discard")
        self.page.press("Bay Rescue", within=".part table")
        self.page.wait_for(f"{MAP}?.dataset.with === 'leaflet'", what="the map is there")

    def reads_german(self):
        self.page.evaluate("localStorage.setItem('language', 'de')")
        self.page.reload()
        self.ready()
        self.page.has("Fläche zeichnen", TOOLS)
        self.looked_at("agency-german")


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--screenshots")
    parser.add_argument("--axe", help="axe.min.js, to look for faults of accessibility")
    run(main, parser.parse_args())
