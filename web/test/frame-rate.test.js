// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { FrameRate } from "../media/frame-rate.js";

/** A camera that says `said` and gives `gives` pictures a second, for so many seconds. */
function camera(said, gives, seconds, rate = new FrameRate(said), from = 0) {
  for (let number = 0; number <= gives * seconds; number++) rate.picture(from + (number * 1000) / gives);
  return rate;
}

/** How many of so many looks say that another rate is to be told. */
const told = (rate, value, looks) => Array.from({ length: looks }, () => rate.isOther(value)).filter(Boolean).length;

test("until two seconds of pictures are known, the rate is what the camera says", () => {
  assert.equal(camera(30, 8, 1).value, 30);
  assert.equal(camera(undefined, 8, 1).value, new FrameRate(undefined).value);
});

test("a camera gives fewer pictures than it says: the rate is what comes", () => assert.equal(camera(30, 8, 4).value, 8));

test("the rate is another one than was told: it is to be told at the third look, not before", () => {
  assert.equal(told(camera(30, 8, 4), 30, 2), 0);
  assert.equal(told(camera(30, 8, 4), 30, 3), 1);
});

test("the rate is as it was told, or off by two pictures: it is not told again", () => {
  assert.equal(told(camera(30, 8, 4), 8, 9), 0);
  assert.equal(told(camera(30, 8, 4), 10, 9), 0);
});

test("the rate is off for a moment: nothing is told", () => {
  const rate = camera(30, 8, 4);
  told(rate, 30, 2);
  camera(30, 25, 4, rate, 5000);
  assert.equal(told(rate, 25, 1), 0);
  assert.equal(told(rate, 8, 2), 0);
});
