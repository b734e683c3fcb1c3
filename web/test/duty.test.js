// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { byUrgency, causeOf, dueAfter, handoversOf, mayDirect, mayHave, offDutyFault, reachOf, stepsFault, targetOf, targetText, userOf } from "../model/duty.js";

const callOut = (more = {}) => ({ id: "c", chain: "night", severity: "warning", openedAt: "2026-03-25T18:00:00Z", openedBy: "operator/7", state: "open", step: 1, stepCount: 2, people: ["7"], ...more });

test("who was called, and the desk, may say that they have it, while it is open", () => {
  const cases = [[{ user: "7", role: "guard" }, {}, true], [{ user: "8", role: "guard" }, {}, false], [{ user: "8", role: "operator" }, {}, true], [{ user: "7", role: "guard" }, { state: "acknowledged" }, false]];
  for (const [me, more, may] of cases) assert.equal(mayHave(me, callOut(more)), may, JSON.stringify([me, more]));
  assert.deepEqual(["operator", "supervisor", "org-admin", "admin", "guard", "auditor"].filter(mayDirect), ["operator", "supervisor", "org-admin", "admin"]);
});

test("the most urgent call-out stands first, and of those the oldest", () => {
  const items = [callOut({ id: "a", severity: "info" }), callOut({ id: "b", openedAt: "2026-03-25T19:00:00Z" }), callOut({ id: "c" }), callOut({ id: "d", severity: "critical", openedAt: "2026-03-25T20:00:00Z" })];
  assert.deepEqual(byUrgency(items).map(({ id }) => id), ["d", "c", "b", "a"]);
});

test("what is shown is old when the next step or shift begins", () => {
  const at = Date.parse("2026-03-25T18:00:00Z");
  assert.equal(dueAfter(["2026-03-25T17:00:00Z", undefined, "2026-03-25T19:00:00Z", "2026-03-25T18:30:00Z"], at), Date.parse("2026-03-25T18:30:00Z"));
  assert.equal(dueAfter([undefined], at), Infinity);
});

test("an actor is an account, or the program", () => {
  assert.deepEqual(["operator/7", "org-admin/9", "7", "call-outs/rules", undefined].map(userOf), ["7", "9", "7", null, null]);
});

test("a call-out is about a session or an incident, and nothing else that an address says", () => {
  const id = "0199e0c0-0000-7000-8000-000000000000";
  assert.deepEqual([`session/${id}`, `incident/${id}`, `user/${id}`, "session/../x", null].map(causeOf), [`session/${id}`, `incident/${id}`, null, null, null]);
});

test("an absence ends in the future, within thirty days", () => {
  const at = Date.parse("2026-03-25T18:00:00Z");
  assert.deepEqual(["", "2026-03-25T17:59:00Z", "2026-03-25T18:01:00Z", "2026-04-24T18:00:00Z", "2026-04-24T18:01:00Z", "nonsense"].map((text) => offDutyFault(text, at)), [null, "past", null, null, "far", "past"]);
});

test("ways that are left empty are left away", () => {
  assert.deepEqual(reachOf({ phone: "", email: "  ", language: "de", offDutyUntil: "" }), { language: "de" });
  assert.deepEqual(reachOf({ phone: "+447700900123", email: " a@example.org ", language: "en", offDutyUntil: "2026-03-25T18:00:00Z" }),
    { language: "en", phone: "+447700900123", email: "a@example.org", offDutyUntil: "2026-03-25T18:00:00.000Z" });
});

test("handovers are read as people write them, in order and each once", () => {
  assert.deepEqual(handoversOf("20:00, 8 08.00;14:30"), ["08:00", "14:30", "20:00"]);
  for (const text of ["", "24:00", "8:60", "noon", "8:00 x", "08:00:00"]) assert.equal(handoversOf(text), null, text);
});

test("a target goes into a field and back", () => {
  for (const target of [{ user: "7" }, { rota: "north/east" }, { role: "supervisor" }]) assert.deepEqual(targetOf(targetText(target)), target);
});

test("a chain has steps, and each calls somebody", () => {
  const step = { targets: [{ user: "7" }], waitSeconds: 60 };
  assert.deepEqual([[], [step], [step, { targets: [], waitSeconds: 60 }]].map(stepsFault), ["none", null, "empty"]);
});
