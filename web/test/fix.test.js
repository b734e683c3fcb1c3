// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import "./support.js";
import { use } from "../core/i18n.js";
import german from "../locales/de.js";
import english from "../locales/en.js";
import { measuredWords } from "../model/fix.js";

afterEach(() => use(english, "en"));

const recorded = "2026-11-26T18:00:00.000Z";
const seconds = (count) => new Date(Date.parse(recorded) - count * 1000).toISOString();
const wrong = "the phone's time of it cannot be right";

/** How a place is told that the phone measured so many seconds before it was recorded. */
const told = (count, at = recorded) => measuredWords({ measuredAt: seconds(count) }, at);

test("a place that was measured more than half a minute before is told to be old", () => {
  assert.deepEqual([0, 12, 30].map((one) => told(one)), ["", "", ""]);
  assert.equal(told(30.001), "measured 30 s before");
  assert.equal(told(300), "measured 5 min 00 s before");
  assert.equal(told(24 * 3600), "measured 24 h 00 min before");
  assert.equal(told(300, Date.parse(recorded)), told(300), "an event has its time in milliseconds, too");
});

test("a time that cannot be right is not believed", () => {
  assert.deepEqual([-60, -1].map((one) => told(one)), ["", ""], "a phone's clock may be a little ahead");
  assert.deepEqual([-60.001, -3600, 24 * 3600 + 0.001, 19 * 365 * 86400].map((one) => told(one)), [wrong, wrong, wrong, wrong]);
  assert.equal(measuredWords({ measuredAt: "yesterday" }, recorded), wrong);
});

test("where the phone did not say when, nothing is said of it", () => {
  assert.equal(measuredWords({}, recorded), "");
  assert.equal(measuredWords({ measuredAt: null }, recorded), "");
  assert.equal(measuredWords({ measuredAt: seconds(300) }, undefined), "", "nor where nobody knows when it was recorded");
});

test("the same in German", () => {
  use(german, "de");
  assert.equal(told(300), "5 min 00 s vorher gemessen");
  assert.equal(told(-3600), "die Zeitangabe des Telefons dazu kann nicht stimmen");
});
