// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import "./support.js";

// A site in London, whoever looks from wherever: it is read once, when the modules are.
document.querySelector = () => ({ content: JSON.stringify({ zone: "Europe/London" }) });
const { boundsOf, csvName, csvPath, exceptionsPath, kinds, ofKinds, periods } = await import("../model/patrol-exceptions.js");
document.querySelector = () => null;

const hours = ({ from, until }) => (Date.parse(until) - Date.parse(from)) / 3_600_000;
const at = (text) => Date.parse(text);

test("today and the last night are the site's, in winter and in summer", () => {
  assert.deepEqual(boundsOf("today", at("2026-11-28T16:00:00Z")), { from: "2026-11-28T00:00:00.000Z", until: "2026-11-29T00:00:00.000Z" });
  assert.deepEqual(boundsOf("today", at("2026-07-01T23:30:00Z")), { from: "2026-07-01T23:00:00.000Z", until: "2026-07-02T23:00:00.000Z" }, "it is past midnight in London");
  const night = { from: "2026-11-27T18:00:00.000Z", until: "2026-11-28T06:00:00.000Z" };
  for (const time of ["00:30", "05:59", "07:00", "23:00"]) assert.deepEqual(boundsOf("night", at(`2026-11-28T${time}:00Z`)), night, time);
  assert.deepEqual(boundsOf("night", at("2026-07-02T08:00:00Z")), { from: "2026-07-01T17:00:00.000Z", until: "2026-07-02T05:00:00.000Z" });
});

test("days and nights on which the clocks change are as long as they are", () => {
  assert.deepEqual([at("2026-03-29T12:00:00Z"), at("2026-10-25T12:00:00Z")].map((now) => periods.slice(0, 3).map((name) => hours(boundsOf(name, now)))), [[23, 11, 7 * 24 - 1], [25, 13, 7 * 24 + 1]]);
});

test("seven days are today and the six before it", () => {
  assert.deepEqual(boundsOf("week", at("2026-12-02T10:00:00Z")), { from: "2026-11-26T00:00:00.000Z", until: "2026-12-03T00:00:00.000Z" });
});

test("a period of one's own is by the site's clocks, and ends after it begins", () => {
  const now = at("2026-07-02T08:00:00Z");
  assert.deepEqual(boundsOf("own", now, { from: "2026-07-01T18:00", until: "2026-07-02T06:00" }), { from: "2026-07-01T17:00:00.000Z", until: "2026-07-02T05:00:00.000Z" });
  for (const own of [{}, { from: "2026-07-01T18:00" }, { from: "2026-07-01T18:00", until: "" }, { from: "2026-07-01T18:00", until: "2026-07-01T18:00" }, { from: "2026-07-02T18:00", until: "2026-07-01T18:00" }])
    assert.equal(boundsOf("own", now, own), null, JSON.stringify(own));
});

test("a period that is not known is today", () => {
  const now = at("2026-07-02T08:00:00Z");
  assert.deepEqual(boundsOf("century", now), boundsOf("today", now));
});

test("the file has the same period and site as the list", () => {
  const bounds = boundsOf("night", at("2026-11-28T16:00:00Z"));
  assert.equal(exceptionsPath(bounds, ""), "/v1/patrol-exceptions?from=2026-11-27T18%3A00%3A00.000Z&until=2026-11-28T06%3A00%3A00.000Z");
  assert.equal(csvPath(bounds, "Café & Co"), "/v1/patrol-exceptions.csv?from=2026-11-27T18%3A00%3A00.000Z&until=2026-11-28T06%3A00%3A00.000Z&site=Caf%C3%A9+%26+Co");
  assert.equal(csvName(bounds), "patrol-exceptions-2026-11-27-2026-11-28.csv");
  assert.equal(csvName(boundsOf("today", at("2026-11-28T16:00:00Z"))), "patrol-exceptions-2026-11-28-2026-11-28.csv", "midnight ends a day");
});

test("the kinds that are chosen are shown, and all where none is", () => {
  const items = kinds.map((kind) => ({ kind, at: "2026-11-28T16:00:00Z", site: "Watford" }));
  assert.deepEqual(ofKinds(items, new Set(["late", "alarm"])).map(({ kind }) => kind), ["late", "alarm"]);
  assert.equal(ofKinds(items, new Set()), items);
});
