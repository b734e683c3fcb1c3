// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventOf } from "../model/event.js";
import { applyToReport, emptyReport, isPublished } from "../model/report.js";

/** The entries of report R one after another, at 18:00, 18:01 and so on; what is `null` was erased. */
function after(...said) {
  return said.reduce((report, [kind, says, more], minute) => {
    const summary = Object.entries(says).map(([name, value]) => ({ name, ...(value === null ? {} : { value }), isSealed: value === null }));
    const time = `2026-11-23T18:0${minute}:00Z`;
    return applyToReport(report, eventOf({ position: String(minute), revision: String(minute), id: `e${minute}`, type: `report.${kind}/1`, subject: "report/R", actor: "rescuer/7", time, summary, ...more }));
  }, emptyReport("R"));
}

const came = ["submitted", { species: "sea-lion", sizeClass: "small", condition: "injured", fix: '{"latitude":36.6,"longitude":-121.9}', notes: "a net", photos: "1" }];
const photo = (blob, by) => ["photo_added", { blob, width: "640", height: "480", ...(by && { by }) }];

test("before it came nothing is known of a report", () => {
  const { status, fix, pictures } = after();
  assert.deepEqual([status, fix, pictures], [null, undefined, []]);
});

test("a report is what its entries say, also where a step was taken back", () => {
  const report = after(came, ["assigned", { agency: "A", rule: "nearest" }], ["status_changed", { from: "submitted", to: "acknowledged", by: "7" }], ["status_changed", { from: "acknowledged", to: "submitted", by: "7" }], ["update_added", { text: "gone", by: "7" }]);
  assert.deepEqual([report.species, report.fix.latitude, report.notes, report.agency, report.isErased], ["sea-lion", 36.6, "a net", "A", false]);
  assert.deepEqual([report.status, report.submittedAt, report.changedAt], ["submitted", "2026-11-23T18:00:00Z", "2026-11-23T18:03:00Z"]);
  assert.deepEqual(report.updates, [{ text: "gone", by: "7", at: "2026-11-23T18:04:00Z" }]);
});

test("what is erased is not there, and is said to be erased", () => {
  const { fix, notes, isErased } = after([came[0], { ...came[1], fix: null, notes: null }]);
  assert.deepEqual([fix, notes, isErased], [undefined, undefined, true]);
});

test("it may be the same animal as another, and part of an incident, for a while", () => {
  const [joined, attached] = [["joined", { into: "S", by: "7" }], ["attached", { incident: "I", by: "7" }]];
  assert.deepEqual([after(came, joined).sameAs, after(came, joined, ["separated", { by: "7" }]).sameAs], ["S", null]);
  assert.deepEqual([after(came, attached).incident, after(came, attached, ["detached", { incident: "I", by: "7" }]).incident], ["I", null]);
});

test("an entry of another report changes nothing", () => {
  assert.equal(after(came, ["joined", { into: "R", by: "7" }, { subject: "report/S" }]).sameAs, null);
});

const shows = (of, isPublic, digest) => ["visibility_set", { of, isPublic: String(isPublic), ...(digest && { photo: digest }) }];
const published = (report) => report.pictures.filter((one) => isPublished(report, one)).map(({ id }) => id);

for (const [when, said, wanted] of [
  ["nobody agreed", [], []],
  ["the reporter agreed", [shows("reporter_photos", true)], ["a", "b"]],
  ["one of the reporter's was hidden", [shows("reporter_photos", true), shows("photo", false, "a")], ["b"]],
  ["one by staff was published", [shows("photo", true, "c")], ["c"]],
  ["the report was hidden", [shows("reporter_photos", true), shows("report", false)], []],
]) test(`photos are public as far as may be: ${when}`, () => assert.deepEqual(published(after(came, photo("a"), photo("b"), photo("c", "7"), ...said)), wanted));

test("the reporter agrees before the photos come", () => assert.deepEqual(published(after(came, shows("reporter_photos", true), photo("a"))), ["a"]));
