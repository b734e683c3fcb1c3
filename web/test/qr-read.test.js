// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { decoded } from "../core/qr-decode.js";
import { readQR } from "../core/qr-read.js";
import { qrCode } from "../core/qr.js";
import { chance, drawn, room, unpacked } from "./qr-drawn.js";

/** Codes made by other programs (fixtures/README.md). */
const fixtures = JSON.parse(readFileSync(new URL("../../fixtures/qr/codes.json", import.meta.url), "utf8"));
const text = "DAYBOOK-PATROL:01K3Z8QJ5T7W9XACDEFGHJKMNP.0123456789ABCDEF";
const code = qrCode(text);

/** A clock that stands still: time limits are for one test alone. */
const still = { now: () => 0 };
const read = (light) => readQR(light, still);
const one = (place, look) => drawn([{ modules: code, x: 160, y: 120, ...place }], look);

test("every version and level is read, however it is turned", () => {
  const made = fixtures.filter((fixture) => fixture.made === "qrencode");
  assert.equal(made.length, 40);
  made.forEach((fixture, index) => {
    const modules = unpacked(fixture);
    const side = room(modules, 4);
    const light = drawn([{ modules, x: side / 2, y: side / 2, module: 4, degrees: 7 + index * 23 }], { width: side, height: side });
    assert.equal(read(light), fixture.text, `version ${fixture.version}, level ${fixture.level}`);
  });
});

test("bytes are ISO 8859-1 or UTF-8, named or not; a code in another encoding is not read", () => {
  for (const { name, ...fixture } of fixtures.filter((fixture) => fixture.made === "segno")) assert.equal(read(drawn([{ modules: unpacked(fixture), x: 160, y: 120, degrees: 7 }])), fixture.text, name);
});

test("a code is read mirrored, light on dark, at a tenth of the contrast, tilted, small, large, and all around", () => {
  const places = {
    "as it is": [{}],
    mirrored: [{ isMirrored: true, degrees: 7 }],
    "light on dark": [{ degrees: 7 }, { light: 30, dark: 220 }],
    "light on dark and mirrored": [{ isMirrored: true, degrees: 97 }, { light: 30, dark: 220 }],
    "little contrast": [{ degrees: 7 }, { light: 140, dark: 121 }],
    tilted: [{ degrees: 30, narrows: 0.35 }],
    small: [{ module: 2.4, degrees: 12 }],
    large: [{ x: 320, y: 240, module: 14, degrees: 3 }, { width: 640, height: 480 }],
    noisy: [{ degrees: 200 }, { noise: 45 }],
    "partly without a margin": [{ x: 80, y: 80 }],
  };
  for (const [name, [place, look]] of Object.entries(places)) assert.equal(read(one(place, look)), text, name);
  for (let degrees = 0; degrees < 360; degrees += 15) assert.equal(read(one({ degrees })), text, `turned by ${degrees}°`);
});

test("any text that is written is read", () => {
  const random = chance(7);
  const letters = ["0123456789", "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:", "aäü–門🚑 Z9/"];
  for (let round = 0; round < 30; round++) {
    const set = [...letters[round % 3]];
    const written = Array.from({ length: 1 + Math.floor(random() * 60) }, () => set[Math.floor(random() * set.length)]).join("");
    const modules = qrCode(written);
    const side = room(modules, 3);
    assert.equal(read(drawn([{ modules, x: side / 2, y: side / 2, module: 3, degrees: random() * 360 }], { width: side, height: side })), written, `round ${round}`);
  }
});

test("of two codes in a picture one is read, and never a mixture", () => {
  const other = qrCode(text.replace("0123", "3210"));
  for (const degrees of [0, 7, 90, 131, 180, 270]) {
    const light = drawn([{ modules: code, x: 110, y: 120, degrees }, { modules: other, x: 320, y: 120, degrees: 2 * degrees }], { width: 430 });
    assert.ok([text, text.replace("0123", "3210")].includes(read(light)), `turned by ${degrees}°`);
  }
});

test("a damaged code is read rightly or not at all", () => {
  const random = chance(3);
  const counts = { right: 0, none: 0 };
  for (const fixture of fixtures.filter(({ text }) => text !== null)) {
    for (const share of [0.01, 0.02, 0.04, 0.07, 0.12, 0.25, 0.5]) {
      const modules = unpacked(fixture).map((row) => row.map((isDark) => (random() < share ? !isDark : isDark)));
      const got = decoded(fixture.version, (x, y) => (modules[y][x] ? -1 : 1));
      assert.ok(got === null || got === fixture.text, `version ${fixture.version}, level ${fixture.level}, ${share} of the modules: ${got}`);
      counts[got === null ? "none" : "right"]++;
    }
  }
  assert.ok(counts.right > 60 && counts.none > 60, JSON.stringify(counts));
});

test("modules by chance are no text", () => {
  const random = chance(11);
  for (let round = 0; round < 400; round++) assert.equal(decoded(1 + (round % 10), () => random() - 0.5), null, `round ${round}`);
});

/** What no code is in: patterns that repeat, rings as corners of codes have, noise, nothing. */
const patterns = {
  nothing: () => 200,
  squares: (x, y) => (((x >> 3) + (y >> 3)) % 2 ? 230 : 20),
  lines: (x) => ((x >> 2) % 2 ? 230 : 20),
  "rings in rows": (x, y) => ([0, 2].includes(Math.max(Math.abs((x % 45) - 22), Math.abs((y % 45) - 22)) / 5 | 0) || Math.max(Math.abs((x % 45) - 22), Math.abs((y % 45) - 22)) < 8 ? 20 : 230),
  bars: (x, y) => ((x * 7 + (x >> 3) * 3) % 11 < 5 ? 230 : 20 + (y % 3)),
  noise: ((random) => () => random() * 255)(chance(5)),
};
const painted = (pattern, width = 320, height = 240) => ({ luma: Uint8ClampedArray.from({ length: width * height }, (_, at) => pattern(at % width, Math.floor(at / width))), width, height });

test("where there is no code nothing is read", () => {
  for (const [name, pattern] of Object.entries(patterns)) assert.equal(read(painted(pattern)), null, name);
  for (const size of [0, 1, 2, 7, 20]) assert.equal(read(painted(patterns.squares, size, size)), null, `${size} pixels`);
});

test("when its time is up the reader ends, however much there is to look at", () => {
  for (const [name, pattern] of Object.entries(patterns)) {
    let looks = 0;
    // Each look at the clock takes a millisecond.
    assert.equal(readQR(painted(pattern), { millisecondsMax: 5, now: () => looks++ }), null, name);
    assert.ok(looks <= 7, `${name}: ${looks} looks`);
  }
  assert.equal(readQR(one({}), { millisecondsMax: 0, now: () => 0 }), null, "no time at all");
});

test("the worker answers each picture with its text, or with none", async () => {
  const answers = [];
  globalThis.self = { postMessage: (data) => answers.push(data) };
  await import("../media/qr-worker.js");
  for (const { luma, width, height } of [one({ degrees: 7 }), painted(patterns.nothing)]) {
    const pixels = Uint8ClampedArray.from({ length: luma.length * 4 }, (_, at) => (at % 4 === 3 ? 255 : luma[at >> 2])).buffer;
    self.onmessage({ data: { pixels, width, height } });
  }
  assert.deepEqual(answers, [{ text }, { text: null }]);
});
