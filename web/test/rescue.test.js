// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import "./support.js";
import { ageWords, byUrgency, conditionWord, contactParts, distanceWords, ended, happened, isCalling, isOpenIncident, isShareDue, mainOf, mayAct, mayPublish, months, nameOfIncident, nextOf, offDutyUntil, pastMissions, placeEnds, species, speciesWord, statusWord, titleOf, unansweredWords, wayOf, waysTo, whoHas, withStep, withWaiting } from "../model/rescue.js";
import { rescueReady } from "../pages/rescue/words.js";

await rescueReady;

const me = { user: "7", role: "rescuer" };
const at = (minute) => `2026-11-27T03:${String(minute).padStart(2, "0")}:00Z`;
const report = (id, more = {}) => ({ id, status: "submitted", species: "sea-lion", sizeClass: "small", condition: "alive", submittedAt: at(10), changedAt: at(10), pictures: [], isMine: true, ...more });
const step = (id, to, minute = 11) => ({ key: `${id}:${to}`, at: at(minute), kind: "step", report: id, body: { to } });
const orderOf = (reader, reports) => byUrgency(reader, reports).map(({ id }) => id);

test("what waits for one's own answer comes first, then one's own mission, then that of colleagues, then what waits for others", () => {
  const reports = [
    report("others at it", { isMine: false, status: "on_scene", changedBy: "9" }), report("for others", { isMine: false }), report("colleague's", { status: "heading_out", changedBy: "8" }),
    report("own", { status: "acknowledged", changedBy: "rescuer/7" }), report("calls"),
  ];
  assert.deepEqual(orderOf(me, reports), ["calls", "own", "colleague's", "for others", "others at it"]);
});

test("of those that call, the animal that suffers comes first, then what is oldest", () => {
  const reports = [report("dead", { condition: "fresh_dead", submittedAt: at(1) }), report("young", { submittedAt: at(30) }), report("old", { submittedAt: at(5) }), report("hurt", { condition: "entangled", submittedAt: at(40) })];
  assert.deepEqual(orderOf(me, reports), ["hurt", "old", "young", "dead"]);
});

test("to the desk every report calls that nobody took, and it may act on all", () => {
  const desk = { user: "1", role: "operator" };
  const others = report("a", { isMine: false });
  assert.deepEqual([isCalling(desk, others), mayAct(desk, others), isCalling(me, others), mayAct(me, others)], [true, true, false, false]);
  assert.equal(isCalling(desk, { ...others, status: "acknowledged" }), false);
});

test("each status has its next step, on scene four ends, and what is over none", () => {
  const steps = { submitted: "acknowledged", acknowledged: "heading_out", heading_out: "on_scene" };
  for (const [status, next] of Object.entries(steps)) assert.deepEqual(nextOf({ status }), { step: next, mayStandDown: true, mayReopen: false });
  assert.deepEqual(nextOf({ status: "on_scene" }), { outcomes: ["rescued", "released", "deceased", "not_found"], mayStandDown: false, mayReopen: false });
  for (const status of ended) assert.deepEqual(nextOf({ status }), { mayStandDown: false, mayReopen: false });
});

test("what may follow is what the centre says, and a step can be taken back or what is over opened again", () => {
  assert.deepEqual(nextOf({ status: "heading_out", next: ["on_scene", "stood_down"], undo: "acknowledged" }), { step: "on_scene", undo: "acknowledged", mayStandDown: true, mayReopen: false });
  assert.deepEqual(nextOf({ status: "on_scene", next: ["rescued", "not_found"], undo: "heading_out" }), { outcomes: ["rescued", "not_found"], undo: "heading_out", mayStandDown: false, mayReopen: false });
  assert.deepEqual(nextOf({ status: "rescued", next: ["acknowledged"], undo: "on_scene" }), { undo: "on_scene", mayStandDown: false, mayReopen: true });
  assert.deepEqual(nextOf({ status: "stood_down", next: ["acknowledged"], undo: "acknowledged" }), { mayStandDown: false, mayReopen: true }, "two buttons would do the same");
  assert.deepEqual(nextOf({ status: "acknowledged", next: [] }), { mayStandDown: false, mayReopen: false });
});

test("a step of the history led on, back, or opened what was over", () => {
  const ways = [["submitted", "acknowledged"], ["acknowledged", "stood_down"], ["on_scene", "rescued"], ["on_scene", "heading_out"], ["acknowledged", "submitted"], ["rescued", "on_scene"], ["rescued", "acknowledged"]].map(([from, to]) => wayOf({ from, to }));
  assert.deepEqual(ways, ["on", "on", "on", "undo", "undo", "undo", "reopen"]);
});

test("of two reports of one animal stays the one that somebody is at, else the first", () => {
  const [first, second, taken] = [report("first"), report("second", { submittedAt: at(18) }), report("taken", { submittedAt: at(20), status: "heading_out" })];
  assert.deepEqual([[second, first], [first, second], [first, taken], [taken, second]].map((two) => mainOf(...two).id), ["first", "first", "taken", "taken"]);
});

test("a place is shared anew after 100 m, or well before it ends, and never at each word of the browser", () => {
  const [base, near, far] = [0, 0.0005, 0.0015].map((north) => ({ latitude: 36.6 + north, longitude: -121.9 }));
  const last = { fix: base, at: 0 };
  assert.equal(isShareDue(null, base, -Infinity, 0), true);
  assert.equal(isShareDue(null, base, 0, 9_000), false, "what failed is not tried again at once");
  assert.deepEqual([10_000, 299_000, 300_000].map((time) => isShareDue(last, near, 0, time)), [false, false, true]);
  assert.deepEqual([9_000, 10_000].map((time) => isShareDue(last, far, 0, time)), [false, true]);
});

test("a place counts for half an hour", () => {
  const place = { latitude: 36.6, longitude: -121.9, at: at(2), by: "7" };
  assert.equal(placeEnds(place, Date.parse(at(31))), Date.parse(at(32)));
  assert.deepEqual([placeEnds(place, Date.parse(at(32))), placeEnds(undefined)], [null, null]);
});

test("a rescuer publishes what colleagues photographed for their own report, a supervisor every photo, the desk none", () => {
  const [own, others] = [report("a"), report("b", { isMine: false })];
  const [taken, given] = [{ id: "p", by: "8" }, { id: "q" }];
  const may = (role, of) => [mayPublish({ role }, of, taken), mayPublish({ role }, of, given)];
  assert.deepEqual([may("rescuer", own), may("rescuer", others), may("supervisor", others), may("operator", own)], [[true, false], [false, false], [true, true], [false, false]]);
});

test("an incident is called by its place, else by who called, and is open as long as a contact of it is", () => {
  const incident = (...sessions) => ({ id: "i", sessions });
  assert.deepEqual([incident({ phone: "+1" }, { address: "The pier" }), incident({}, { phone: "+1" }), incident({})].map(nameOfIncident), ["The pier", "+1", "i"]);
  assert.deepEqual([incident({ state: "closed" }, { state: "open" }), incident({ state: "waiting" }), incident({ state: "closed" }, { state: "expired" })].map(isOpenIncident), [true, true, false]);
});

test("a report is as the last step that waits will have it, and says so once that is not just under way", () => {
  const waiting = [step("a", "acknowledged"), step("b", "on_scene"), step("a", "heading_out", 12)];
  const later = Date.parse(at(13));
  assert.deepEqual([withWaiting(report("a"), waiting, later).status, withWaiting(report("a"), waiting, later).isWaiting], ["heading_out", true]);
  assert.equal(withWaiting(report("a"), waiting, Date.parse(at(11)) + 200).isWaiting, false);
  assert.equal(withWaiting(report("c"), waiting, later).isWaiting, undefined);
  const taken = withStep(report("a", { next: ["acknowledged"], undo: "submitted" }), step("a", "acknowledged"), "7");
  assert.deepEqual([taken.status, taken.changedAt, taken.changedBy, nextOf(taken)], ["acknowledged", at(11), "7", { step: "heading_out", mayStandDown: true, mayReopen: false }]);
});

test("who has a report is said by name where that is for the reader, else by what they are", () => {
  const agency = { id: "n", name: "North" };
  const own = { members: ["7", "8"] };
  const names = (user) => ({ 1: "Amina" })[user] ?? user;
  const cases = [
    [{ changedBy: "7" }, ["rescue.who.you"]], [{ changedBy: "8" }, ["rescue.who.colleague"]], [{ changedBy: "1" }, ["rescue.who.has", { name: "Amina" }]], [{ changedBy: "5", agency }, ["rescue.who.has", { name: "North" }]], [{ changedBy: "5" }, ["rescue.who.somebody"]],
  ];
  for (const [more, who] of cases) assert.deepEqual(whoHas(me, report("a", { status: "heading_out", ...more }), own, names), who);
  assert.deepEqual(whoHas(me, report("a", { agency }), own, names), ["rescue.who.own", { agency: "North" }]);
  assert.deepEqual(whoHas(me, report("a", { agency, isMine: false }), own, names), ["rescue.who.assigned", { agency: "North" }]);
  assert.deepEqual(whoHas(me, report("a"), own, names), ["rescue.who.none"]);
});

test("the words of the centre are the reader's, and a site's own types stand as they are", () => {
  assert.deepEqual(["sea-lion", "axolotl"].map(speciesWord), ["Sea lion", "axolotl"]);
  assert.equal(titleOf(report("a", { species: "harbor-seal", sizeClass: "medium" })), "Harbor seal, medium");
  for (const one of species) assert.notEqual(speciesWord(one), one);
  for (const one of ["alive", "injured", "entangled", "dead", "unknown", "fresh_dead", "moderately_decomposed", "advanced_decomposition", "mummified"]) assert.ok(!/_/.test(conditionWord(one)), one);
  for (const one of ["submitted", "acknowledged", "heading_out", "on_scene", ...ended]) assert.ok(!/_/.test(statusWord(one)), one);
});

test("an age is told in minutes, then hours, then days", () => {
  const ages = [0.5, 12, 59, 185, 47 * 60, 49 * 60].map((minutes) => ageWords(at(0), Date.parse(at(0)) + minutes * 60_000));
  assert.deepEqual(ages, ["just now", "12 min", "59 min", "3 h 05 min", "47 h 00 min", "2 days ago"]);
});

test("a report that nobody answered for five minutes says so, until somebody does", () => {
  const told = (minutes, more = {}) => unansweredWords(report("a", more), Date.parse(at(10)) + minutes * 60_000);
  assert.deepEqual([0, 4.9, 12, 185, 49 * 60].map((minutes) => told(minutes)), [null, null, "Nobody has answered for 12 min", "Nobody has answered for 3 h 05 min", "Nobody has answered for 2 days"]);
  assert.deepEqual([told(12, { status: "acknowledged" }), told(12, { status: "stood_down" }), told(12, { duplicateOf: "b" })], [null, null, null]);
});

test("a distance is in miles where roads are, and in kilometres elsewhere", () => {
  const told = (...all) => [80, 840, 5300, 48_280].map((metres) => distanceWords(metres, ...all));
  assert.deepEqual(told("en-US", null), ["260 ft", "0.5 mi", "3.3 mi", "30 mi"]);
  assert.deepEqual(told("en", "GB"), told("en-GB", "DE"));
  assert.deepEqual(told("de-DE", "US"), ["80 m", "840 m", "5.3 km", "48 km"]);
  assert.deepEqual(told("en", null), told("de-DE", "US"));
});

test("directions open in the phone's own maps where a browser can, else in a map that every browser shows", () => {
  const fix = { latitude: 36.8, longitude: -121.75 };
  const [android, apple, other] = ["Mozilla/5.0 (Linux; Android 14)", "Mozilla/5.0 (iPhone; CPU iPhone OS 17)", "Mozilla/5.0 (X11; Linux)"].map((agent) => waysTo(fix, agent));
  assert.equal(android.best, "geo:36.800000,-121.750000?q=36.800000,-121.750000");
  assert.equal(apple.best, "https://maps.apple.com/?daddr=36.800000,-121.750000");
  assert.equal(other.best, "https://www.openstreetmap.org/directions?to=36.800000%2C-121.750000");
});

test("numbers and addresses in a contact can be pressed, and nothing of it is lost", () => {
  const parts = contactParts("Jane, (0)7700 900123 or jane@example.org, 5 pm");
  assert.deepEqual(parts.filter(({ href }) => href), [{ text: "0)7700 900123", href: "tel:07700900123" }, { text: "jane@example.org", href: "mailto:jane@example.org" }]);
  assert.equal(parts.map(({ text }) => text).join(""), "Jane, (0)7700 900123 or jane@example.org, 5 pm");
  assert.deepEqual(contactParts("+1 831 555 0142"), [{ text: "+1 831 555 0142", href: "tel:+18315550142" }]);
  assert.deepEqual(contactParts("at the pier"), [{ text: "at the pier" }]);
});

test("all that happened is one list, the newest first; the reporter's own photos are part of the report", () => {
  const told = happened(report("a", {
    submittedAt: at(0), history: [{ position: "5", from: "submitted", to: "acknowledged", by: "7", at: at(3) }], updates: [{ position: "9", text: "It moved", by: "7", at: at(8) }],
    assignments: [{ position: "2", agency: { id: "n", name: "North" }, rule: "nearest", at: at(0) }], pictures: [{ id: "p", at: at(0) }, { id: "q", at: at(6), by: "7" }],
  }));
  assert.deepEqual(told.map(({ is }) => is), ["update", "picture", "step", "assigned", "submitted"]);
});

/** Past missions, a page at a time, the newest first. */
function gateway(pages) {
  const asked = [];
  return { asked, get: async (path) => (asked.push(path), pages[asked.length - 1]) };
}

test("past missions are asked for by species and outcome, and go on from a cursor", async () => {
  const api = gateway([{ items: [report("a", { status: "rescued" })], next: "41" }]);
  const found = await pastMissions(api, { species: "whale", status: "rescued", month: "" }, "77");
  assert.deepEqual([api.asked, found.items.map(({ id }) => id), found.next], [["/v1/reports?state=past&species=whale&status=rescued&limit=50&before=77"], ["a"], "41"]);
});

test("those of a month are looked for page by page, until the month is over", async () => {
  const of = (id, submittedAt) => report(id, { submittedAt });
  const api = gateway([
    { items: [of("a", "2026-11-20T00:00:00Z"), of("b", "2026-10-30T00:00:00Z")], next: "2" }, { items: [of("c", "2026-10-02T00:00:00Z"), of("d", "2026-09-20T00:00:00Z")], next: "4" },
  ]);
  const { items, next } = await pastMissions(api, { month: "2026-10" });
  assert.deepEqual([items.map(({ id }) => id), next, api.asked.length], [["b", "c"], null, 2]);
});

test("the months of two years can be chosen, each once", () => {
  const all = months(Date.parse("2027-01-31T23:00:00Z"));
  assert.deepEqual(all.slice(0, 3), [["2027-01", "January 2027"], ["2026-12", "December 2026"], ["2026-11", "November 2026"]]);
  assert.equal(new Set(all.map(([month]) => month)).size, 24);
});

test("an absence ends as it was said: after hours, in the morning, or as late as the centre allows", () => {
  const begun = new Date(2026, 10, 27, 22, 15);
  const hours = (length, from = begun) => (Date.parse(offDutyUntil(length, from)) - from.getTime()) / 3_600_000;
  assert.deepEqual(["hour", "shift", "morning"].map((length) => hours(length)), [1, 8, 9.75]);
  assert.equal(hours("morning", new Date(2026, 10, 27, 6)), 2);
  assert.ok(hours("month") > 719 && hours("month") < 720);
});
