// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import "./support.js";
import { openTo } from "../pages/cameras/parts/keep.js";
import { wallReady } from "../pages/cameras/words.js";

await wallReady;

const session = (owner, state = "open") => ({ owner, state, createdAt: "2026-11-23T18:00:00Z" });
const incidents = [{ id: "mine", sessions: [session("7")] }, { id: "theirs", sessions: [session("8")] }, { id: "over", sessions: [session("7", "closed")] }];
const alarm = (incident, answeredBy) => ({ incident, answeredBy, guardID: "3", since: "2026-11-23T18:05:00Z" });
const alarms = [alarm("taken", "7"), alarm("colleague's", "8"), alarm(undefined, "7"), alarm(undefined, undefined), alarm("mine", "7")];
const names = { 3: "Gil" };
const idsFor = (me) => openTo(incidents, alarms, me, (user) => names[user]).map(({ id }) => id);

test("footage is kept for incidents of one's own and alarms that one took up, each once; for who supervises, for all", () => {
  assert.deepEqual(idsFor({ user: "7", role: "operator" }), ["mine", "taken"]);
  assert.deepEqual(idsFor({ user: "1", role: "supervisor" }), ["mine", "theirs", "taken", "colleague's"]);
});

test("an alarm's incident goes by the guard's name, where that is told", () => {
  const shown = (nameOf) => openTo([], [alarms[0]], { user: "7", role: "operator" }, nameOf);
  assert.deepEqual(shown((user) => names[user]), [{ id: "taken", name: "Alarm of Gil", since: "2026-11-23T18:05:00Z" }]);
  assert.equal(shown((user) => user)[0].name, "Guard’s alarm");
});
