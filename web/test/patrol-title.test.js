// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import "./support.js";
import { titleWith } from "../pages/patrols/parts/alarms.js";
import { patrolsReady } from "../pages/patrols/words.js";

await patrolsReady;

test("the title tells how many alarms wait, and only that", () => {
  const [one, two] = [titleWith("Board · Patrols", 1), titleWith(titleWith("Board · Patrols", 1), 2)];
  assert.deepEqual([one, two], ["(1) Alarm · Board · Patrols", "(2) Alarm · Board · Patrols"]);
  assert.equal(titleWith(two, 0), "Board · Patrols");
  assert.equal(titleWith("Points and tours · Patrols", 0), "Points and tours · Patrols");
});
