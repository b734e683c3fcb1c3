// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { Clock, settled } from "./support.js";
import { Problem, Unreachable } from "../core/api.js";
import { Places } from "../call/place.js";
import { keep } from "../call/keep.js";
import { fixOf, placeWithin } from "../dom/place.js";

const coords = { latitude: 51.6565, longitude: -0.3903, accuracy: 12, altitude: null, speed: NaN, heading: 0 };
const fix = { latitude: 51.6565, longitude: -0.3903, accuracyMetres: 12, headingDegrees: 0 };
const moment = Date.UTC(2026, 10, 26, 18, 0, 0, 7);
const measuredAt = "2026-11-26T18:00:00.007Z";

/** As much of an element as a notice needs. */
const element = () => Object.assign(new EventTarget(), { hidden: false, dataset: {}, append() {}, remove() {}, setAttribute() {}, querySelector: element });

let clock;
const { createElement, querySelector } = document;
beforeEach(() => {
  clock = new Clock();
  Object.assign(document, { createElement: element, querySelector: element });
  keep.remove("place");
});
afterEach(() => {
  clock.stop();
  Object.assign(document, { createElement, querySelector });
});

/** A device that knows where it is. */
function located(position) {
  const geolocation = { getCurrentPosition: (found) => found(position) };
  Object.defineProperty(globalThis, "navigator", { value: { geolocation }, configurable: true });
}

test("a place is sent with the time at which it was measured, and without what the device does not know", () => {
  assert.deepEqual(fixOf({ coords, timestamp: moment }), { ...fix, measuredAt });
  assert.deepEqual(fixOf({ coords, timestamp: moment + 0.6 }), { ...fix, measuredAt }, "some browsers tell parts of a millisecond");
});

test("a time that is none, or that RFC 3339 cannot write, is left out; one that is only wrong is sent", () => {
  for (const timestamp of [undefined, null, NaN, Infinity, -Infinity, "1795716000007", new Date(moment), 1e17, moment * 1000, -1e14]) assert.deepEqual(fixOf({ coords, timestamp }), fix, String(timestamp));
  assert.equal(fixOf({ coords, timestamp: 0 }).measuredAt, "1970-01-01T00:00:00.000Z");
});

test("a guard's place has its time, too", async () => {
  located({ coords, timestamp: moment });
  assert.deepEqual(await placeWithin(3, 60_000), { ...fix, measuredAt });
});

/** A contact in a session, and a gateway that answers in turn: with an error, or by taking what is sent. */
function phone(answers, session = "s") {
  const sent = [];
  const api = { post: async (path, body, { key }) => {
    sent.push({ path, body: JSON.parse(JSON.stringify(body)), key });
    const answer = answers.shift();
    if (answer) throw answer;
  } };
  const contact = Object.assign(new EventTarget(), { session, isReady: session !== null, agree: async () => {} });
  return { sent, contact, places: new Places(api, contact, () => false) };
}

test("a place that is delivered later keeps the time at which it was measured", async () => {
  located({ coords, timestamp: moment });
  const { sent, places } = phone([new Unreachable(), new Problem(503, {})]);
  await places.send();
  located({ coords, timestamp: moment + 300_000 });
  await clock.pass(60_000);
  assert.equal(sent.length, 3);
  assert.equal(new Set(sent.map(({ key }) => key)).size, 1);
  for (const { path, body } of sent) assert.deepEqual([path, body], ["/v1/sessions/s/locations", { fix: { ...fix, measuredAt }, method: "gps" }]);
  assert.equal(keep.get("place"), null);
});

test("one that was found before there was a session keeps it also in a page that was loaded anew", async () => {
  located({ coords, timestamp: moment });
  const before = phone([], null);
  await before.places.send();
  assert.deepEqual(before.sent, []);
  await clock.pass(300_000);
  const { sent } = phone([], "later");
  await settled();
  assert.deepEqual(sent.map(({ path, body }) => [path, body.fix]), [["/v1/sessions/later/locations", { ...fix, measuredAt }]]);
});
