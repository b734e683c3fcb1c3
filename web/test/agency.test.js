// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { agencyOf, bodyOf, candidates, channelsOn, fileName, firstSteps, hearing, inUse, ownWords, placeOf, placeText, supervisors } from "../model/agency.js";

const agency = (more = {}) => ({ id: "a", name: "Bay", types: [], takesReports: true, isRetired: false, members: [], revision: "3", ...more });
const base = { latitude: 36.8, longitude: -121.8 };

test("what is empty is not sent, nor is what another route writes", () => {
  assert.deepEqual(agencyOf({ name: " Bay ", phone: " ", email: "a@example.org", own: "" }, { types: ["whale"], area: null, base: null }), { name: "Bay", email: "a@example.org", types: ["whale"], takesReports: false, isRetired: false });
  const area = { type: /** @type {const} */ ("MultiPolygon"), coordinates: [] };
  assert.deepEqual(agencyOf({ name: "Bay", takesReports: "on", own: "manatee, Walrus" }, { types: [], area, base }), { name: "Bay", types: ["manatee", "Walrus"], area, base, takesReports: true, isRetired: false });
  assert.deepEqual(bodyOf(agency({ base, members: ["7"] })), { name: "Bay", types: [], takesReports: true, isRetired: false, base });
});

test("animals in own words count once; those that every centre knows are these, however they are written", () => {
  assert.deepEqual(ownWords(" manatee ,walrus;manatee\n, sea  cow"), ["manatee", "walrus", "sea cow"]);
  assert.deepEqual(ownWords("Sea Lion, whale, Seelöwe, sea-otter", { "seelöwe": "sea-lion" }), ["sea-lion", "whale", "sea-otter"]);
  assert.deepEqual(ownWords(""), []);
  assert.deepEqual(agencyOf({ name: "Bay", own: "Whale" }, { types: ["whale"], area: null, base: null }).types, ["whale"]);
});

test("a base is read as people write places, latitude first", () => {
  for (const text of ["36.8, -121.8", "36.8 -121.8", " 36.8°; −121.8° ", "+36.8,-121.8"]) assert.deepEqual(placeOf(text), base, text);
  assert.equal(placeOf("  "), null);
  for (const text of ["36.8", "north", "91, 0", "0, 181", "36,8, 1", "1, 2, 3"]) assert.equal(placeOf(text), undefined, text);
  assert.deepEqual([placeText(base), placeText(null), placeOf(placeText(base))], ["36.8, -121.8", "", base]);
});

test("members come from the organisation, rescuers first, without programs and who cannot sign in", () => {
  const user = (id, role, more = {}) => ({ id, login: id, role, organisation: "main", mustChangePassword: false, disabled: false, createdAt: "", ...more });
  const users = [user("amy", "operator"), user("zoe", "rescuer"), user("bob", "rescuer"), user("x", "rescuer", { organisation: "other" }), user("y", "rescuer", { disabled: true }), user("z", "service"), user("c", "caller")];
  assert.deepEqual(candidates(users, "main").map(({ id }) => id), ["bob", "zoe", "amy"]);
});

test("somebody without a way hears nothing", () => {
  const all = [{ browsers: 0 }, { browsers: 1 }, { browsers: 0, phone: "+447700900123" }, { browsers: 0, email: "a@example.org" }];
  assert.deepEqual(all.map((ways) => hearing(ways, ["email", "sms"]).isReached), [false, true, true, true]);
  assert.deepEqual(all.map((ways) => hearing(ways, null).isReached), [false, true, true, true], "who may not know what is set up sees the ways alone");
});

test("a way reaches nobody until its channel is set up; a browser needs none", () => {
  const both = { browsers: 0, phone: "+447700900123", email: "a@example.org" };
  assert.deepEqual(hearing(both, []), { isReached: false, waits: ["sms", "email"] });
  assert.deepEqual(hearing(both, ["email"]), { isReached: true, waits: ["sms"] });
  assert.deepEqual(hearing({ browsers: 0, phone: "+447700900123" }, ["email"]), { isReached: false, waits: ["sms"] });
  assert.equal(hearing({ ...both, browsers: 1 }, []).isReached, true);
  assert.deepEqual(channelsOn([{ channel: "email", settings: null }, { channel: "sms", settings: { isOn: false } }]), []);
  assert.deepEqual(channelsOn([{ channel: "email", settings: { isOn: true } }, { channel: "sms" }]), ["email"]);
});

test("told that nobody answers are those who lead the organisation and can sign in", () => {
  const user = (id, role, more = {}) => ({ id, login: id, role, organisation: "main", mustChangePassword: false, disabled: false, createdAt: "", ...more });
  const users = [user("a", "admin"), user("b", "operator"), user("c", "supervisor", { disabled: true }), user("d", "org-admin", { organisation: "other" }), user("e", "supervisor"), user("f", "rescuer")];
  assert.deepEqual(supervisors(users, "main").map(({ id }) => id), ["a", "e"]);
});

test("the first report needs an agency that takes it, with a place, with a member", () => {
  const done = (agencies) => firstSteps(agencies).steps.map(({ isDone }) => isDone);
  assert.deepEqual(done([]), [false, false, false]);
  assert.deepEqual(done([agency({ takesReports: false, base, members: ["7"] }), agency({ isRetired: true, base, members: ["7"] })]), [false, false, false]);
  assert.deepEqual(done([agency({ members: ["7"] })]), [true, false, false], "members of an agency without a place hear of nothing");
  assert.deepEqual(done([agency({ base })]), [true, true, false]);
  assert.deepEqual(firstSteps([agency({ area: { type: "MultiPolygon", coordinates: [] }, members: ["7", "8"] }), agency({ base, members: ["7"] })]), { steps: [{ name: "agency", isDone: true }, { name: "place", isDone: true }, { name: "member", isDone: true }], members: ["7", "8"] });
});

test("agencies stand by name, without retired ones, and their files are named by them", () => {
  assert.deepEqual(inUse([agency({ name: "a", isRetired: true }), agency({ name: "c" }), agency({ name: "b" })]).map(({ name }) => name), ["b", "c"]);
  assert.deepEqual(["Marine Mammal Center", "  Küste & Meer ", "海"].map(fileName), ["marine-mammal-center.geojson", "kuste-meer.geojson", "area.geojson"]);
});
