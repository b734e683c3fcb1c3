// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { faults, modelRows, obstacle, reachOf, scopeOf } from "../model/upkeep.js";

const readiness = {
  events: 100, log: { isWell: true }, clock: { isFollowed: true, detail: "followed" },
  readModels: [{ name: "registry", isWell: true, reached: 100 }, { name: "alerts", isWell: false, reached: 40, failure: "the disk is full", failures: 3 }, { name: "desk", isWell: true }],
  services: [{ name: "erasures", isWell: true, isNeeded: false }],
};

test("read models are told with how far they are behind, those with a fault first", () => {
  const rows = modelRows(readiness);
  assert.deepEqual(rows.map(({ name, behind }) => [name, behind]), [["alerts", 60], ["desk", null], ["registry", 0]]);
  assert.deepEqual([rows[0].words, rows[0].failures, rows[2].failures], ["the disk is full", 3, 0]);
  assert.equal(modelRows({ events: 10, readModels: [{ name: "x", isWell: true, reached: 12 }] })[0].behind, 0, "asked a moment apart");
});

test("each fault is named with its reason, as far as that is told", () => {
  assert.deepEqual(faults(readiness), [{ kind: "model", name: "alerts", words: "the disk is full", isNeeded: true }]);
  const all = { ...readiness, log: { isWell: false }, clock: { isFollowed: false, detail: "an hour ahead" }, readModels: [], services: [{ name: "push", isWell: false, isNeeded: false, fault: "no network" }] };
  assert.deepEqual(faults(all).map(({ kind, words, isNeeded }) => [kind, words, isNeeded]), [["log", null, true], ["clock", "an hour ahead", false], ["service", "no network", false]]);
});

const person = { isErased: false, sessions: 2, messages: 14, pictures: 0, recordings: 1, phones: 0, accounts: [] };

test("an erasure's reach is told by what there is", () => {
  assert.deepEqual(reachOf(person), [{ what: "sessions", count: 2 }, { what: "messages", count: 14 }, { what: "recordings", count: 1 }]);
  assert.deepEqual(reachOf({ ...person, sessions: 0, messages: 0, recordings: 0, accounts: [{}] }), [{ what: "accounts", count: 1 }]);
  assert.deepEqual(reachOf({ ...person, isErased: true }), []);
});

test("an erasure is forbidden by a hold, an open session and by who asks, and is done once", () => {
  const me = { user: "ada" };
  const held = { ...person, heldBy: { hold: "h", authority: "court" }, openSession: "s" };
  const cases = [[person, null], [held, "held"], [{ ...held, isErased: true }, "erased"], [{ ...person, openSession: "s" }, "open"], [{ ...person, accounts: [{ id: "ada" }] }, "own"], [{ ...person, accounts: [{ id: "bo" }] }, null]];
  for (const [one, wanted] of cases) assert.equal(obstacle(one, me), wanted);
});

test("a hold's scope has a kind and an id", () => assert.deepEqual(scopeOf("incident/0199-a"), { kind: "incident", id: "0199-a" }));
