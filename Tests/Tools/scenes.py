# SPDX-License-Identifier: Apache-2.0
"""Makes of the drawings in fixtures/scenes what a demo looks at: what a phone films, a photo, and the plan of a town as tiles. A browser draws them."""

import base64
import contextlib
import json
import math
import os
import sqlite3

SCENES = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", "fixtures", "scenes"))

# How wide the plan of the town is.
TOWN_METRES = 4000
EQUATOR_METRES = 40_075_016.686
# The coarsest zoom of the plan shows the town with what lies around it; below this one its names are too small to be read.
ZOOMS, NAMES_FROM = range(13, 18), 15
TILE = 256

# A drawing as an image; in `window.scene`.
LOAD = """(async () => { const image = new Image(); image.src = 'data:image/svg+xml;base64,%s'; await image.decode(); window.scene = image; return 1; })()"""
# One tile after another: where the drawing's corner lies in it, and how large the drawing is there.
TILES = """(async (tiles, side) => { const canvas = document.createElement('canvas'); canvas.width = canvas.height = %d; const context = canvas.getContext('2d'), made = [];
    for (const [x, y] of tiles) { context.fillStyle = '#e4ecd8'; context.fillRect(0, 0, canvas.width, canvas.height); context.drawImage(window.scene, x, y, side, side); made.push(canvas.toDataURL('image/png').split(',')[1]); }
    return made; })(%s, %s)"""
PHOTO = """(() => { const canvas = document.createElement('canvas'); canvas.width = %d; canvas.height = %d; canvas.getContext('2d').drawImage(window.scene, 0, 0, canvas.width, canvas.height);
    return canvas.toDataURL('image/jpeg', 0.85).split(',')[1]; })()"""
# A camera that is held by hand before the scene; upright, as phones are held.
FILM = """(async () => { const image = new Image(); image.src = 'data:image/svg+xml;base64,%s'; await image.decode();
    navigator.mediaDevices.getUserMedia = async () => {
        const canvas = Object.assign(document.createElement('canvas'), { width: 540, height: 720 }), context = canvas.getContext('2d');
        let count = 0;
        setInterval(() => { const turn = count++ / 12; context.drawImage(image, -338 + 9 * Math.sin(turn), -10 + 5 * Math.sin(1.7 * turn), 1304, 734); }, 50);
        return canvas.captureStream(20); };
    return 1; })()"""

# Pictures of a camera before whose scene somebody walks to and fro, ten a second. Size and feet of who walks, and the coat.
WALK = """((count, size, feet, coat) => { const canvas = document.createElement('canvas'); canvas.width = 640; canvas.height = 480; const context = canvas.getContext('2d'), made = [];
    const limb = (x, y, turn, length, width, colour) => { context.save(); context.translate(x, y); context.rotate(turn); context.fillStyle = colour; context.beginPath(); context.roundRect(-width / 2, 0, width, length, width / 2); context.fill(); context.restore(); };
    for (let number = 0; number < count; number++) {
        const way = 2 * number / count, x = 90 + 440 * Math.abs(way - 1), swing = 0.5 * Math.sin(number * 0.9);
        context.setTransform(1, 0, 0, 1, 0, 0); context.drawImage(window.scene, 0, 0, 640, 480);
        context.setTransform(way < 1 ? -size : size, 0, 0, size, x, feet);
        context.fillStyle = '#0004'; context.beginPath(); context.ellipse(0, 0, 30, 7, 0, 0, 7); context.fill();
        for (const turn of [swing, -swing]) limb(0, -62, turn, 62, 15, '#2b3038');
        limb(0, -118, -swing, 54, 12, coat); limb(0, -126, 0, 72, 36, coat); limb(2, -118, swing, 54, 12, coat);
        context.fillStyle = '#d8b08c'; context.beginPath(); context.arc(2, -140, 15, 0, 7); context.fill();
        context.fillStyle = '#33291f'; context.beginPath(); context.arc(0, -144, 15, Math.PI, 0); context.fill();
        made.push(canvas.toDataURL('image/jpeg', 0.85).split(',')[1]); }
    return made; })(%s)"""
# By a camera's number in demo_cameras: its scene, and who walks there.
WALKS = {1: ("gate", (1.0, 400, "#b5502d")), 2: ("bay", (1.15, 440, "#2f5d8a")), 11: ("room", (1.1, 420, "#6b4a86"))}
WALK_PICTURES = 120


def _drawing(name):
    with open(os.path.join(SCENES, f"{name}.svg"), encoding="utf-8") as file:
        return file.read()


def _encoded(text):
    return base64.b64encode(text.encode()).decode()


def films_street():
    """A program after which a page's camera films the street."""
    return FILM % _encoded(_drawing("street"))


@contextlib.contextmanager
def _table(browser):
    page = browser.context().page("about:blank")
    try:
        yield page
    finally:
        page.close()


def draw_photo(browser, name, path):
    """A photo of a scene, as JPEG."""
    with _table(browser) as page, open(path, "wb") as file:
        page.evaluate(LOAD % _encoded(_drawing(name)))
        file.write(base64.b64decode(page.evaluate(PHOTO % (960, 720))))


def draw_walks(browser):
    """What the demo's cameras film, by their numbers: JPEG pictures."""
    made = {}
    with _table(browser) as page:
        for number, (name, walker) in WALKS.items():
            page.evaluate(LOAD % _encoded(_drawing(name)))
            words = ", ".join(json.dumps(one) for one in (WALK_PICTURES, *walker))
            made[number] = [base64.b64decode(one) for one in page.evaluate(WALK % words)]
    return made


def draw_town(browser, path, middle):
    """The plan of a town as MBTiles, its middle at a place."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    latitude = math.radians(middle[0])
    across, down = middle[1] / 360 + 0.5, 0.5 - math.atanh(math.sin(latitude)) / (2 * math.pi)
    part = TOWN_METRES / (EQUATOR_METRES * math.cos(latitude))
    plan = _drawing("town")
    with _table(browser) as page, contextlib.closing(sqlite3.connect(path)) as file, file:
        file.execute("CREATE TABLE metadata (name TEXT, value TEXT)")
        file.execute("CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB)")
        bounds = ",".join(f"{one:.6f}" for one in (_east(across - part / 2), _north(down + part / 2), _east(across + part / 2), _north(down - part / 2)))
        metadata = {"name": "town", "format": "png", "bounds": bounds, "minzoom": str(ZOOMS[0]), "maxzoom": str(ZOOMS[-1]), "attribution": "Plan of a made-up town"}
        file.executemany("INSERT INTO metadata VALUES (?, ?)", metadata.items())
        for zoom in ZOOMS:
            page.evaluate(LOAD % _encoded(plan if zoom >= NAMES_FROM else plan.replace('class="names"', 'display="none"')))
            count = 2 ** zoom
            left, top, side = (across - part / 2) * count, (down - part / 2) * count, part * count
            rows = [(column, row) for column in range(int(left), int(left + side) + 1) for row in range(int(top), int(top + side) + 1)]
            corners = [((left - column) * TILE, (top - row) * TILE) for column, row in rows]
            made = page.evaluate(TILES % (TILE, json.dumps(corners), side * TILE))
            file.executemany("INSERT INTO tiles VALUES (?, ?, ?, ?)", [(zoom, column, count - 1 - row, base64.b64decode(one)) for (column, row), one in zip(rows, made)])


def _east(across):
    return across * 360 - 180


def _north(down):
    return math.degrees(math.atan(math.sinh(math.pi * (1 - 2 * down))))
