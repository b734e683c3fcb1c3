#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A caller's place on the operator's map, in a real browser and without internet: with Leaflet, where it is missing, and over the date line.

Ends with 77 where no Chromium is installed.
"""

import contextlib
import math
import os
import sqlite3
import struct
import subprocess
import zlib

import centre
from browser_emergency import open_browser, register, sign_in
from centre import Centre, hold
from daybook import until
from story import watched

MAP = "document.querySelector('#main place-map')"
INSIDE = f"{MAP}.shadowRoot"
LEAFLET = "/usr/share/javascript/leaflet/leaflet.esm.min.js"
NATURAL_EARTH = "/usr/share/magics/10m/ne_10m_land.shp"
WATFORD = (51.6565, -0.3903)
CASSIOBURY = (51.6585, -0.4271)
# Taveuni in Fiji, on both sides of the date line; and on it, in both ways of writing it.
FIJI_WEST, FIJI_EAST = (-16.8, 179.99), (-16.8, -179.99)
FIJI_ON_IT = [(-16.8, 180), (-16.8, -180)]
PLAN_ZOOM = 15
METRES_OF_PIXEL = 156543.03392804097


def main(options, folder):
    world = world_map(options.daybook, folder)
    maps = [world, plan_of(CASSIOBURY, folder)] if world else [plan_of(CASSIOBURY, folder)]
    desk = Centre(options.daybook, folder, [word for one in maps for word in ("--map", one)]).open()
    desk.staff("amina")
    address = f"http://127.0.0.1:{desk.port}"
    with open_browser(folder) as browser:
        browser.ignores_policy = bool(options.axe)
        amina = sign_in(browser.context(), address, "amina")
        caller = register(browser.context(), address, amina, width=390, height=844, touch=True)
        with watched([amina, caller], folder):
            Places(options, desk, amina, caller, bool(world)).play()


def world_map(program, folder):
    """The map of the world that `daybook basemap` makes, a little coarser than usual; None where its source is not installed."""
    if not os.path.exists(NATURAL_EARTH):
        return None
    path = os.path.join(folder, "world.mbtiles")
    subprocess.run([program, "basemap", "world", "-o", path, "--zoom", "6"], check=True, stdout=subprocess.DEVNULL)
    return path


def plan_of(place, folder):
    """A site's own plan: one picture as an MBTiles file, the tile that a place lies in."""
    side, latitude = 2 ** PLAN_ZOOM, math.radians(place[0])
    column = int((place[1] / 360 + 0.5) * side)
    row = int((0.5 - math.atanh(math.sin(latitude)) / (2 * math.pi)) * side)
    south, north = (math.degrees(math.atan(math.sinh(math.pi * (1 - 2 * (row + step) / side)))) for step in (1, 0))
    path = os.path.join(folder, "plan.mbtiles")
    with contextlib.closing(sqlite3.connect(path)) as file, file:
        file.execute("CREATE TABLE metadata (name TEXT, value TEXT)")
        file.execute("CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB)")
        bounds = f"{column / side * 360 - 180},{south},{(column + 1) / side * 360 - 180},{north}"
        file.executemany("INSERT INTO metadata VALUES (?, ?)", [("format", "png"), ("bounds", bounds), ("attribution", "<b>The site's own plan</b>")])
        file.execute("INSERT INTO tiles VALUES (?, ?, ?, ?)", (PLAN_ZOOM, column, side - 1 - row, picture(256)))
    return path


def picture(side):
    """A PNG of stripes."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + b"".join(b"\xb0\xd8\xb0" if (x // 16 + y // 16) % 2 else b"\xd8\xf0\xd8" for x in range(side)) for y in range(side))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


class Places:
    """The story: a place is sent, a second one, the same again without Leaflet, and a walk over the date line."""

    def __init__(self, options, desk, amina, caller, has_world):
        self.has_world = has_world
        self.options, self.desk, self.amina, self.caller = options, desk, amina, caller
        self.is_agreed = False
        self.axe = options.axe and open(options.axe).read()
        if options.screenshots:
            os.makedirs(options.screenshots, exist_ok=True)

    def play(self):
        self.sends(WATFORD, accuracy=12)
        self.amina.press("Take it", within="#queue")
        self.told(WATFORD, "9C3XMJ45+JV", "to 12 m")
        if os.path.exists(LEAFLET):
            self.with_leaflet()
        self.without_leaflet()
        self.over_the_date_line()

    def sends(self, place, accuracy):
        self.caller.place(*place, accuracy=accuracy)
        # The page takes a place that is some seconds old; ours has just moved.
        self.caller.evaluate("new Promise((done, fail) => navigator.geolocation.getCurrentPosition(() => done(1), fail, {maximumAge: 0}))")
        self.caller.press("Send my location")
        if not self.is_agreed:
            self.is_agreed = True
            self.caller.press("Yes, I need help")
        self.caller.noticed(f"Your location was sent, accurate to {accuracy} m.")

    def told(self, place, code, exactness):
        """The place stands beside the map in words."""
        for words in (f"{place[0]:.6f}, {place[1]:.6f}", code, exactness):
            self.amina.has(words, "#main place-map")

    def with_leaflet(self):
        self.amina.wait_for(f"{MAP}.dataset.with === 'leaflet' && Boolean({INSIDE}.querySelector('path.accuracy'))")
        self.amina.evaluate(f"{MAP}.scrollIntoView({{block: 'center'}})")
        if self.has_world:
            # 27 km to London: that is what this map knows of the place.
            self.amina.has("London, United Kingdom", "#main place-map")
            self.land_and_sea()
        self.looks("map")
        self.inside("How exact it is")
        self.circle(12)
        self.looks("map-close")
        self.buttons_move_it()
        self.keys_move_it()
        self.can_be_large()
        if self.has_world:
            self.reads_anything()
        # The caller walks on: the old place stays to be seen, and the circle is as wide as the new one is inexact.
        self.inside("Back to the location")
        self.sends(CASSIOBURY, accuracy=150)
        self.told(CASSIOBURY, "9C3XMH5F+C5", "to 150 m")
        self.amina.wait_for(f"{INSIDE}.querySelectorAll('path.earlier').length === 1 && Boolean({INSIDE}.querySelector('path.trail'))")
        # Here the site has a plan of its own: the map begins as fine as that is, and names whose it is.
        self.amina.wait_for(f"{INSIDE}.querySelector('img.leaflet-tile-loaded')?.naturalWidth === 256", what="the plan of the site")
        hold("The site's own plan" in self.amina.evaluate(f"{INSIDE}.querySelector('.credit').textContent"), "whose plan it is stands below")
        self.inside("How exact it is")
        self.circle(150)
        self.looks("map-trail")
        self.inside("Back to the location")
        self.amina.resize(390, 844, touch=True)
        self.amina.evaluate(f"{MAP}.scrollIntoView({{block: 'center'}})")
        self.looks("map-phone")
        self.amina.resize(1440, 900)

    def land_and_sea(self):
        """Two steps out the coast is to be seen: neither land nor sea fills the tiles, in either theme."""
        for _ in range(3):
            self.inside("Smaller scale")
        for isDark in (False, True):
            self.amina.dark(isDark)
            self.amina.wait_for(f"""(() => {{ let pixels = 0; const found = new Map();
                for (const canvas of {INSIDE}.querySelectorAll('.leaflet-tile-loaded')) {{
                    const data = new Uint32Array(canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.buffer);
                    for (const pixel of data) found.set(pixel, (found.get(pixel) ?? 0) + 1);
                    pixels += data.length;
                }}
                const large = [...found.values()].filter((one) => one > pixels / 10).length;
                return large === 2 && found.size > 20; }})()""", what="land and sea on the tiles")
        self.amina.dark(False)
        self.looks("map-far")
        self.inside("Back to the location")

    def reads_anything(self):
        """A tile that is torn or changed anywhere is read or refused with words; the page never hangs on it."""
        told = self.amina.evaluate("""(async () => {
            const { readTile } = await import('/web/map/mvt.js');
            const whole = new Uint8Array(await (await fetch('/tiles/world/1/1/0')).arrayBuffer());
            const names = Object.keys(readTile(whole)).sort().join();
            let seed = 7;
            const chance = (most) => (seed = (seed * 48271) % 2147483647) % most;
            let refused = 0;
            for (let round = 0; round < 200; round++) {
                const bytes = whole.slice(0, round % 2 ? whole.length : chance(whole.length));
                for (let flips = round % 2 ? 20 : 0; flips > 0; flips--) bytes[chance(bytes.length)] = chance(256);
                try { readTile(bytes); } catch (error) {
                    if (!(error instanceof RangeError || error instanceof TypeError)) throw error;
                    refused++;
                }
            }
            return { names, refused }; })()""")
        hold(told["names"] == "border,land,place", f"the tile has {told['names']}")
        hold(told["refused"] > 50, f"only {told['refused']} of 200 broken tiles were refused")

    def can_be_large(self):
        self.inside("Back to the location")
        area = f"(() => {{ const {{ clientWidth, clientHeight }} = {INSIDE}.querySelector('.leaflet-container'); return clientWidth * clientHeight; }})()"
        small = self.amina.evaluate(area)
        self.inside("Enlarge")
        self.amina.wait_for(f"{INSIDE}.querySelector('dialog').open && {area} > {small}", what="the map is large")
        self.amina.wait_for(f"{INSIDE}.querySelectorAll('.leaflet-tile-loaded').length >= {8 if self.has_world else 0}")
        self.looks("map-large")
        until(lambda: abs(self.spot()[0] - self.middle()[0]) < 3, "the place is in the middle of the large map")
        self.amina.has(f"{WATFORD[0]:.6f}, {WATFORD[1]:.6f}", "#main place-map")
        self.amina.key("Escape")
        self.amina.wait_for(f"!{INSIDE}.querySelector('dialog').open && {area} === {small}", what="Escape leads back to the small map")
        self.amina.wait_for(f"{INSIDE}.activeElement?.textContent === 'Enlarge'", what="the focus is where it was")

    def circle(self, metres):
        """The circle is as wide as the place is inexact, to a pixel and a half."""
        def look():
            width, zoom, latitude = self.amina.evaluate(f"[{INSIDE}.querySelector('path.accuracy').getBBox().width, Number({MAP}.dataset.zoom), Number({MAP}.place.fix.latitude)]")
            expected = 2 * metres / (METRES_OF_PIXEL * math.cos(math.radians(latitude)) / 2 ** zoom)
            return width > 20 and abs(width - expected) <= 3

        until(look, f"the circle of {metres} m is so wide")

    def buttons_move_it(self):
        self.inside("Larger scale")
        before = self.spot()
        self.inside("North")
        until(lambda: self.spot()[1] > before[1] + 40, f"the place was at {before}, and moves down when north of it is to be seen")
        self.inside("Back to the location")
        until(lambda: abs(self.spot()[0] - self.middle()[0]) < 2, "the place is in the middle again")

    def keys_move_it(self):
        self.amina.evaluate(f"{INSIDE}.querySelector('.leaflet-container').focus({{focusVisible: true}})")
        ring = self.amina.evaluate(f"getComputedStyle({INSIDE}.querySelector('.leaflet-container')).outlineStyle")
        before = self.spot()
        self.amina.key("ArrowLeft")
        self.amina.wait_for(f"{self.spot_of} > {before[0]} + 40", what="the left arrow shows what lies west")
        hold(ring == "solid", f"the map has the focus and shows it by an outline {ring}")

    spot_of = f"(() => {{ const r = {INSIDE}.querySelector('path.spot').getBoundingClientRect(); return r.x + r.width / 2; }})()"

    def spot(self):
        return self.amina.evaluate(f"(() => {{ const r = {INSIDE}.querySelector('path.spot').getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }})()")

    def middle(self):
        return self.amina.evaluate(f"(() => {{ const r = {INSIDE}.querySelector('.ground').getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }})()")

    def inside(self, label):
        """Presses a button of the map, as a finger does: by its label, or by its text."""
        spot = f"""(() => {{ const e = [...{INSIDE}.querySelectorAll('button')].find((one) => (one.ariaLabel ?? one.textContent) === {label!r}); if (!e) return null; e.scrollIntoView({{block: "nearest"}});
            const r = e.getBoundingClientRect(), x = r.x + r.width / 2, y = r.y + r.height / 2;
            return {INSIDE}.elementFromPoint(x, y) === e ? {{x, y}} : null; }})()"""
        self.amina._click(self.amina.wait_for(spot, what=f"the button {label!r} of the map, to be clicked"))

    def without_leaflet(self):
        """The parts of others cannot be had: the place is shown in a grid of degrees, and no part of the page is empty."""
        self.blocks("*://*:*/vendor/*")
        self.amina.reload()
        self.amina.wait_for(f"{MAP}?.dataset.with === 'locator' && Boolean({INSIDE}.querySelector('svg.locator .accuracy'))")
        degrees = self.amina.evaluate(f"[...{INSIDE}.querySelectorAll('svg.locator text')].map((e) => e.textContent)")
        hold(any("″N" in one or "′N" in one for one in degrees) and "N" in degrees, f"the locator says {degrees}")
        radius, across = self.amina.evaluate(f"[Number({INSIDE}.querySelector('.locator .accuracy').getAttribute('r')), {INSIDE}.querySelector('.locator').viewBox.baseVal.height]")
        hold(30 < radius < across / 2, f"the circle has a radius of {radius} of {across}")
        self.amina.evaluate(f"{MAP}.scrollIntoView({{block: 'center'}})")
        self.looks("locator")
        # An old place is marked as old, and the time of a phone that cannot be right as such.
        old = [self.amina.evaluate(f"""(() => {{ const map = {MAP}; map.places = [{{...map.place, fix: {{...map.place.fix, measuredAt: new Date(Date.parse(map.place.at) - {seconds} * 1000).toISOString()}}}}];
            return map.querySelector('.chip.warn')?.textContent ?? null; }})()""") for seconds in (300, -3600, 2)]
        hold(old == ["measured 5 min 00 s before", "the phone's time of it cannot be right", None], f"of a place of long ago, of one to come, and of a new one the page says {old}")
        # Where the places are gone, as after an erasure, nothing of them stays in the page.
        left = self.amina.evaluate(f"(() => {{ const map = {MAP}; map.places = []; return [map.hidden, map.textContent, Boolean({INSIDE}.querySelector('svg.locator'))]; }})()")
        hold(left == [True, "", False], f"of a forgotten place the page keeps {left}")
        self.blocks()

    def over_the_date_line(self):
        """A walk from 179.99 to −179.99 leads 2 km to the east, with and without Leaflet, wherever the map was moved; from 180 to −180 it is none."""
        self.blocks("*://*:*/vendor/*")
        self.amina.reload()
        self.sends_and_shows(FIJI_WEST)
        self.sends_and_shows(FIJI_EAST)
        self.amina.wait_for(f"{MAP}.dataset.with === 'locator' && Boolean({INSIDE}.querySelector('svg.locator'))")
        for _ in range(3):
            self.inside("Smaller scale")
        self.stands_west(2129, "in the grid of degrees")
        self.looks("locator-date-line")
        if os.path.exists(LEAFLET):
            self.blocks()
            self.amina.reload()
            self.amina.wait_for(f"{MAP}?.dataset.with === 'leaflet' && Boolean({INSIDE}.querySelector('path.spot'))")
            self.amina.evaluate(f"{MAP}.scrollIntoView({{block: 'center'}})")
            self.inside("How exact it is")
            for _ in range(5):
                self.inside("Smaller scale")
            self.stands_west(2129, "on the map")
            self.looks("map-date-line")
            # Where the middle of the map crosses the date line, the marks stay where they are.
            for _ in range(2):
                self.inside("West")
            self.stands_west(2129, "on a map that was moved over the date line")
            self.inside("Back to the location")
        for place in FIJI_ON_IT:
            self.sends_and_shows(place)
        self.stands_west(0, "on the date line itself")

    def sends_and_shows(self, place):
        self.sends(place, accuracy=100)
        self.amina.has(f"{place[0]:.6f}, {place[1]:.6f}", "#main place-map")

    def stands_west(self, metres, where):
        """The place before the newest is drawn so far west of it, and the trail between them is as long."""
        look = f"""(() => {{
            const middle = (e) => {{ const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }};
            const [spot, earlier] = [{INSIDE}.querySelector('.spot'), [...{INSIDE}.querySelectorAll('.earlier')].at(-1)];
            const accuracy = {INSIDE}.querySelector('.accuracy').getBBox().width;
            const trail = {INSIDE}.querySelector('.trail');
            const ends = trail.tagName === 'polyline' ? [...trail.points].slice(-2).map((p) => p.x) : trail.getAttribute('d').match(/-?[\\d.]+/g).map(Number).filter((_, index) => index % 2 === 0).slice(-2);
            const scale = trail.tagName === 'polyline' ? trail.getScreenCTM().a : 1;
            return [middle(spot), middle(earlier), accuracy, (ends[1] - ends[0]) * scale]; }})()"""

        def stands():
            spot, earlier, accuracy, step = self.amina.evaluate(look)
            expected = metres * self.pixels_a_metre(accuracy)
            seen = (spot[0] - earlier[0], spot[1] - earlier[1], step)
            return abs(seen[0] - expected) < 2 + expected / 50 and abs(seen[1]) < 2 and (metres == 0 or abs(step - expected) < 2 + expected / 50)

        until(stands, f"{where}, the place before is {metres} m to the west")

    def pixels_a_metre(self, accuracy):
        """The scale of what is shown: of the map by its zoom, of the grid by the circle of 100 m."""
        if self.amina.evaluate(f"{MAP}.dataset.with") == "locator":
            return accuracy / 200
        zoom = float(self.amina.evaluate(f"{MAP}.dataset.zoom"))
        return 2 ** zoom / (METRES_OF_PIXEL * math.cos(math.radians(FIJI_EAST[0])))

    def blocks(self, *patterns):
        """From here on the operator's page gets nothing of these addresses."""
        self.amina.send("Network.setCacheDisabled", {"cacheDisabled": bool(patterns)})
        self.amina.send("Network.setBlockedURLs", {"urlPatterns": [{"urlPattern": one, "block": True} for one in patterns]})

    def looks(self, name):
        """Pictures in light and dark; with `--axe` what that program says of both."""
        for isDark in (False, True):
            self.amina.dark(isDark)
            theme = "dark" if isDark else "light"
            self.is_drawn(theme)
            if self.options.screenshots:
                self.amina.screenshot(os.path.join(self.options.screenshots, f"{name}-{theme}.png"))
            if self.axe:
                faults = self.amina.axe(self.axe)
                hold(not faults, f"{name}, {theme}: " + "\n".join(faults))
        self.amina.dark(False)

    def is_drawn(self, theme):
        """No grey box: what the map shows has more than one colour."""
        if self.amina.evaluate(f"{MAP}.dataset.with") == "locator":
            return
        colours = f"""[...{INSIDE}.querySelectorAll('canvas')].map((canvas) => {{
            const data = new Uint32Array(canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.buffer);
            return new Set(data).size; }})"""
        self.amina.wait_for(f"Math.max(...{colours}) > 10", what=f"more than ten colours on the map in the {theme} theme")

if __name__ == "__main__":
    parser = centre.arguments(__doc__)
    parser.add_argument("--screenshots", help="a folder for pictures of the page, to be looked at")
    parser.add_argument("--axe", help="the file axe.min.js; what it finds wrong fails")
    centre.run(main, parser.parse_args())
