// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import "./support.js";
import { Kept } from "../core/storage.js";
import { timeOfDay } from "../core/time.js";
import { keptRefused, keptTaken, Outcomes, refused, taken, whereWords } from "../pages/patrol/parts/answers.js";
import { patrolReady } from "../pages/patrol/words.js";

await patrolReady;
const at = "2026-11-26T18:00:00.000Z";
const then = timeOfDay(Date.parse(at));
const again = { slug: "check-in-duplicate", message: "just before" };

test("a check-in that does not count says why, and what to do", () => {
  assert.deepEqual(taken({ is: "first", name: "Yard", first: "Gate" }), ["warn", "Yard: you are checked in, but it does not count: Gate comes first. Go there, then check in here again."]);
  assert.match(taken({ is: "early", name: "Yard", time: at })[1], /^Yard: .* due from \d\d:\d\d\. Check in here again then\.$/);
  assert.match(taken({ is: "none", name: "Yard" })[1], /you are on none\.$/);
});

test("who repeats a check-in that did not count is not told that once is enough", () => {
  for (const is of ["first", "early", "unclear"]) assert.match(refused(again, { is, name: "Yard", first: "Gate", time: at }), /^Yard: you checked in here just before, and it did not count/, is);
  for (const is of ["before", "none"]) assert.match(refused(again, { is, name: "Yard" }), /Once is enough/, is);
  assert.match(refused({ slug: "check-in-too-far", message: "far" }, { is: "first", name: "Yard", first: "Gate" }), /too far/);
  assert.equal(refused({ slug: "new", message: "in the centre’s words" }), "in the centre’s words");
});

test("the outcome of a kept check-in names its point and when it was made", () => {
  assert.deepEqual(keptTaken({ is: "on_time", name: "Gate" }, at), ["good", `Gate, ${then}: was sent, and counts as in time.`]);
  assert.deepEqual(keptTaken({ is: "first", name: "Yard", first: "Gate" }, at), ["warn", `Yard, ${then}: was sent, and does not count for the round: Gate comes first.`]);
  assert.match(keptRefused(again, { is: "before", name: "Gate" }, at)[1], new RegExp(`^Gate, ${then}: was not accepted. You checked in`));
});

test("outcomes stay, over a reload, until each is put away", () => {
  const storage = new Kept(() => null);
  const outcomes = new Outcomes("outcomes/7", storage);
  outcomes.add("a", ["good", "A"]);
  outcomes.add("b", ["warn", "B"]);
  outcomes.add("a", ["bad", "A again"]);
  assert.deepEqual(new Outcomes("outcomes/7", storage).items.map(({ words }) => words), ["B", "A again"]);
  outcomes.putAway("b");
  outcomes.putAway("a");
  assert.deepEqual([outcomes.items, storage.names], [[], []]);
});

test("how far from the point somebody was is told with what the phone says of its accuracy", () => {
  const gate = { latitude: 51.6565, longitude: -0.3903 };
  const at = (metres, accuracyMetres) => ({ body: { fix: { latitude: gate.latitude + metres / 111_195, longitude: gate.longitude, ...(accuracyMetres && { accuracyMetres }) } } });
  assert.equal(whereWords(at(12, 8), gate), "12 m from the point, ±8 m.");
  assert.equal(whereWords(at(1234, 20), gate), "1.2 km from the point, ±20 m.");
  assert.equal(whereWords(at(12), gate), "12 m from the point.");
  assert.equal(whereWords(at(12, 8), undefined), "", "a point that is not known here");
  assert.match(whereWords({ body: {}, rough: 250.4 }, gate), /±250 m only/);
  assert.match(whereWords({ body: {} }, gate), /did not say where it is/);
});

test("an old label is told, with what to do", () => {
  assert.match(refused({ slug: "check-in-code-renewed", message: "renewed" }), /old one.*Tell your supervisor/);
});
