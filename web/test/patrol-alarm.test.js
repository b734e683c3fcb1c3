// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import "./support.js";
import { hadDuring, helpOf, saidOf } from "../pages/patrol/parts/alarm.js";
import { patrolReady } from "../pages/patrol/words.js";

await patrolReady;
const said = (alarm) => saidOf({ waits: false, refusal: "", hadAt: 0, hint: "", ...alarm });

test("a short touch after an alarm leaves standing that the centre has it", () => {
  const { state: [kind, words], hint } = said({ hadAt: Date.parse("2026-11-26T18:00:00Z"), hint: "longer" });
  assert.deepEqual([kind, words.slice(0, 27)], ["good", "The centre has your alarm. "]);
  assert.match(hint, /^No other alarm was sent\./);
});

test("a short touch before any alarm says that nothing was sent", () => {
  assert.deepEqual(said({}), { state: ["", ""], hint: "" });
  assert.match(said({ hint: "longer" }).hint, /^Nothing was sent\./);
  assert.match(said({ hint: "again" }).hint, /^Press once more/);
});

test("a guard reads that somebody took up the newest alarm, and of no earlier one", () => {
  const hadAt = Date.parse("2026-11-26T18:00:00Z");
  const [old, taken, open] = [["17:10", "17:12"], ["18:00", "18:01"], ["18:00"]].map(([at, answeredAt]) => ({ at: `2026-11-26T${at}:00Z`, ...(answeredAt && { answeredAt: `2026-11-26T${answeredAt}:00Z` }) }));
  assert.deepEqual([helpOf([], hadAt), helpOf([old], hadAt), helpOf([old, open], hadAt)], [0, 0, 0]);
  assert.equal(helpOf([old, taken], hadAt), Date.parse("2026-11-26T18:01:00Z"));
  assert.match(said({ hadAt, helpAt: Date.parse("2026-11-26T18:01:00Z") }).state[1], /^Somebody at the centre took up your alarm at \d\d:01:00\.$/);
});

test("an alarm that waits or was refused is said, and not an earlier one that came", () => {
  const hadAt = Date.parse("2026-11-26T18:00:00Z");
  assert.match(said({ waits: true, hadAt, hint: "longer" }).state[1], /^The centre does not have your alarm yet\./);
  assert.equal(said({ waits: true, hint: "longer" }).hint, "");
  assert.match(said({ refusal: "no", hadAt }).state[1], /^The centre did not take your alarm: no/);
});

test("that the centre has an alarm is said until another round begins", () => {
  const raised = hadDuring({ at: 1 }, "a");
  assert.deepEqual(raised, { at: 1, round: "a" });
  assert.deepEqual([hadDuring(raised, "a"), hadDuring(raised, null), hadDuring(raised, "b"), hadDuring(null, "a")], [raised, raised, null, null]);
  const onNone = hadDuring({ at: 1 }, null);
  assert.deepEqual([hadDuring(onNone, null), hadDuring(onNone, "a")], [onNone, null]);
});
