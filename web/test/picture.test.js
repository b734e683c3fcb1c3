// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { FrameRate } from "../media/frame-rate.js";
import { fitted, tierOf, tiers, within } from "../media/quality.js";

/** Pictures of so many seconds, so many a second. */
function give(rate, picturesASecond, seconds, from = 0) {
  for (let count = 0; count <= picturesASecond * seconds; count++) rate.picture(from + (count * 1000) / picturesASecond);
  return from + seconds * 1000;
}

test("a camera's pictures a second are what it says, until they are counted", () => {
  for (const [said, value] of [[25, 25], [29.97, 30], [60, 30], [0.2, 1], [undefined, 30]]) assert.equal(new FrameRate(said).value, value);
  const rate = new FrameRate(30);
  give(rate, 15, 1.5);
  assert.equal(rate.value, 30);
  give(rate, 15, 2, 1600);
  assert.equal(rate.value, 15);
});

test("what is counted is of the last seconds", () => {
  const rate = new FrameRate(30);
  const dark = give(rate, 30, 5);
  give(rate, 10, 5, dark + 100);
  assert.equal(rate.value, 10);
});

test("another rate is told once it stays, and a little more or less is not", () => {
  const rate = new FrameRate(30);
  give(rate, 12, 3);
  assert.deepEqual([1, 2, 3].map(() => rate.isOther(30)), [false, false, true]);
  assert.deepEqual([1, 2, 3, 4].map(() => rate.isOther(13)), [false, false, false, false]);
  assert.equal(rate.isOther(30), false, "it begins anew");
});

test("the tier of a picture is the least that has room for it, upright or not", () => {
  for (const [width, height, tier] of [[320, 180, "low"], [180, 320, "low"], [320, 240, "medium"], [640, 480, "high"], [1280, 720, "high"], [720, 1280, "high"], [1920, 1080, "high"]]) assert.equal(tierOf(width, height), tier);
  for (const [name, { width, height }] of Object.entries(tiers)) {
    const size = fitted(name, 1920, 1080);
    assert.equal(tierOf(size.width, size.height), name);
    assert.deepEqual(fitted(name, size.width, size.height), { width, height });
  }
});

test("a bit rate lies within its tier", () => {
  assert.deepEqual([100, 700, 9000].map((rate) => within("low", rate)), [400, 700, 1000]);
});
