// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { Problem, Unreachable } from "../core/api.js";
import english from "../locales/safe/en.js";
import { refusalWords } from "../pages/safe/parts/refusals.js";
import { safeReady } from "../pages/safe/words.js";

await safeReady;
const problem = (status, slug) => new Problem(status, { type: `urn:daybook:problem:${slug}`, detail: "something refused: in the centre's words" });

test("a refusal that the page knows is told in its own words, another one in the centre's", () => {
  assert.equal(refusalWords(problem(429, "too-many-requests")), english["safe.refused.too-many-requests"]);
  assert.equal(refusalWords(problem(409, "sos-too-many")), english["safe.refused.sos-too-many"]);
  assert.equal(refusalWords(problem(422, "name-unacceptable")), "The centre says: something refused: in the centre's words");
});

test("a centre that cannot do it now says nothing that somebody in fear has to understand", () => {
  assert.equal(refusalWords(problem(503, "storage-full")), english["safe.refused.unavailable"]);
  assert.equal(refusalWords(problem(502, "")), english["safe.refused.unavailable"]);
});

test("what the page finds itself is said as it is", () => {
  const away = new Unreachable();
  assert.deepEqual([refusalWords(away), refusalWords(new Error("too short"))], [away.message, "too short"]);
});
