// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import "./support.js";

// A page that speaks German, in a browser that wishes it: both are read once, when the modules are.
Object.defineProperty(globalThis, "navigator", { value: { languages: ["de-AT", "en"] }, configurable: true });
document.documentElement = { dataset: { languages: "en de" } };
const { dayAndTime, dayOf } = await import("../core/time.js");

test("a German reader has German days, and the zone's German name where it has one (ruling 46)", () => {
  const moment = Date.UTC(2015, 2, 25, 18, 28, 5);
  assert.equal(dayOf(moment, "Europe/Vienna"), "Mittwoch, 25. März 2015");
  assert.equal(dayAndTime(moment, "Europe/Vienna"), "Mittwoch, 25. März 2015 19:28:05 MEZ");
  assert.equal(dayAndTime(moment, "America/New_York"), "Mittwoch, 25. März 2015 14:28:05 EDT");
});
