// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { beside, distance, east, isWalk, unwrapped } from "../map/geo.js";

const at = (longitude, latitude = -16.8) => ({ latitude, longitude });
/** To a hundred-thousandth of a degree, some metres at most. */
const longitudes = (...places) => unwrapped(places.map((one) => at(one))).map(({ longitude }) => Math.round(longitude * 1e5) / 1e5);

test("a longitude is written beside another the short way round", () => {
  for (const [longitude, other, wanted] of [[-0.39, -0.43, -0.39], [180, -180, -180], [-180, 180, 180], [10, 730, 730], [-170, 0, -170], [540, 0, 180]]) {
    assert.equal(beside(longitude, other), wanted, `${longitude} beside ${other}`);
  }
});

test("a way over the date line goes on past 180, and ends at the newest place as that was told", () => {
  assert.deepEqual(longitudes(179.99, -179.99), [-180.01, -179.99]);
  assert.deepEqual(longitudes(-179.99, 179.99), [180.01, 179.99]);
  // There and back again, and further on each time.
  assert.deepEqual(longitudes(178, -178, 178, -177), [-182, -178, -182, -177]);
});

test("each step of a way is the short one, also where the way goes round the world", () => {
  assert.deepEqual(longitudes(0, 120, -120, 0, 120), [-360, -240, -120, 0, 120]);
});

test("a way elsewhere stays as it is, with all that is known of its places", () => {
  const way = [{ ...at(-0.39, 51.6), at: "2026-11-26T18:00:00Z" }, { ...at(-0.43, 51.7), accuracyMetres: 12 }];
  assert.deepEqual(unwrapped(way), way);
  assert.deepEqual(unwrapped([]), []);
});

test("180 and −180 are one place, and no walk", () => {
  assert.equal(isWalk(unwrapped([at(180), at(-180)])), false);
  assert.equal(isWalk(unwrapped([at(-180), at(180), at(-180)])), false);
  assert.equal(isWalk(unwrapped([at(179.99), at(-179.99)])), true);
  assert.equal(isWalk([at(180, -16.8), at(180, -16.9)]), true);
  assert.equal(isWalk([at(180)]), false);
});

test("a difference of longitudes is told the short way round, and so is a distance", () => {
  assert.deepEqual([-180.5, 0, 359, 190].map(east), [179.5, 0, -1, -170]);
  assert.ok(Math.abs(distance(at(179.99), at(-179.99)) - 2129) < 1);
  assert.ok(distance(at(180), at(-180)) < 1e-3);
});
