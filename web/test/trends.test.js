// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { alertHeadline, answers, cellOf, contactsByHour, csv, funnels, hasAlerts, headline, outcomes, partsByWay, periodOf, reportGroupOf, reportRows, timesByHour, total } from "../model/trends.js";

const hour = (number) => `2026-11-21T${String(number).padStart(2, "0")}:00:00Z`;
const row = (at, metric, dimension, value) => ({ hour: hour(at), localHour: `2026-11-21T${at + 1}:00+01:00`, metric, dimension, value });

const rows = [
  row(9, "sessions", "chat/handled", 3), row(9, "sessions", "chat/expired", 1), row(9, "sessions", "video/handled", 2), row(9, "claim_wait_ms", "p50", 4000),
  row(9, "claim_wait_ms", "p99", 9000), row(9, "claim_wait_ms", "count", 5), row(11, "sessions", "chat/open", 1), row(11, "requests", "start_video/sent", 4),
  row(11, "requests", "start_video/opened", 3), row(11, "requests", "start_video/accepted", 1), row(11, "video_ms", "", 61_000),
];

test("contacts are told by hour and channel, whatever became of them", () => {
  assert.deepEqual(contactsByHour(rows).map(({ hour, values }) => [hour, values]), [[hour(9), { chat: 4, video: 2 }], [hour(11), { chat: 1 }]]);
  assert.equal(total(rows, "sessions"), 7);
});

test("waiting is told where somebody was answered", () => {
  assert.deepEqual(timesByHour(rows, "claim_wait_ms").map(({ hour, values }) => [hour, values]), [[hour(9), { p50: 4000, count: 5 }]]);
});

const alertRows = [
  row(9, "alerts", "queued", 4), row(9, "alerts", "sent", 6), row(9, "alert_parts", "email/sent", 4), row(9, "alert_parts", "sms/failed", 1), row(9, "alert_parts", "sms/sent", 2),
  row(11, "alert_parts", "sms/sent", 1), row(11, "alert_parts", "sms/delivered", 2), row(9, "alert_sent_ms", "count", 6), row(9, "alert_sent_ms", "p50", 300), row(9, "alert_sent_ms", "p90", 1200),
  row(9, "alert_sent_ms", "p99", 1300), row(11, "alert_answered_ms", "count", 1), row(11, "alert_answered_ms", "p50", 95_000), row(11, "alert_answers", "acknowledged", 1), row(11, "alert_answers", "stopped", 2),
];

test("messages of alerts are told by way and result, those that a newer gateway knows last", () => {
  assert.deepEqual(partsByWay(alertRows), { results: ["sent", "delivered", "undeliverable", "failed", "given_up"], ways: [{ name: "sms", values: { failed: 1, sent: 3, delivered: 2 } }, { name: "email", values: { sent: 4 } }] });
  const { results, ways } = partsByWay([row(9, "alert_parts", "carrier/lost", 1), ...alertRows]);
  assert.deepEqual([results.at(-1), ways.at(-1)], ["lost", { name: "carrier", values: { lost: 1 } }]);
  assert.deepEqual(partsByWay(rows).ways, []);
});

test("times of alerts are told where something was sent, delivered or answered", () => {
  const told = (metric) => timesByHour(alertRows, metric).map(({ hour, values }) => [hour, values]);
  assert.deepEqual(told("alert_sent_ms"), [[hour(9), { count: 6, p50: 300, p90: 1200 }]]);
  assert.deepEqual(told("alert_delivered_ms"), []);
  assert.deepEqual(told("alert_answered_ms"), [[hour(11), { count: 1, p50: 95_000 }]]);
});

test("alerts stand beside those of the period before; an alert that went two ways is one", () => {
  assert.deepEqual(alertHeadline(alertRows, []).map(({ name, now, before }) => [name, now, before]), [["alerts", 4, 0], ["alerts-sent", 300, null], ["alerts-delivered", null, null], ["alerts-answered", 95_000, null]]);
});

test("answers to alerts are told the most frequent first", () => {
  assert.deepEqual(answers(alertRows), [{ name: "stopped", value: 2 }, { name: "acknowledged", value: 1 }]);
  assert.deepEqual(answers(rows), []);
});

test("a queue of alerts is none of the period's alerts", () => {
  assert.deepEqual([alertRows, [row(9, "alert_answers", "stopped", 1)], [row(9, "queue_depth", "alerts", 0)], rows].map(hasAlerts), [true, true, false, false]);
});

test("every number stands beside that of the period before, and nothing is no nought", () => {
  const [contacts, half, , unstarted, agreed] = headline(rows, []);
  assert.deepEqual([contacts.now, contacts.before], [7, 0]);
  assert.deepEqual([half.now, half.before], [4000, null]);
  assert.deepEqual([unstarted.now, unstarted.before], [1 / 7, null]);
  assert.deepEqual([agreed.now, agreed.before], [1 / 4, null]);
});

test("of what nobody was asked for there is no way from asked to seen", () => {
  assert.deepEqual(funnels(rows), [{ ask: "start_video", steps: [{ name: "sent", value: 4 }, { name: "opened", value: 3 }, { name: "accepted", value: 1 }] }]);
  assert.deepEqual(funnels([]), []);
});

test("outcomes are told the most frequent first", () => {
  assert.deepEqual(outcomes(rows), [{ name: "handled", value: 5 }, { name: "expired", value: 1 }, { name: "open", value: 1 }]);
});

test("a period is of whole hours, and what the address has wrong is the last seven days", () => {
  const now = Date.parse("2026-11-21T18:08:12Z");
  const told = (text) => Object.values(periodOf(new URLSearchParams(text), now)).map((date) => date.toISOString());
  const week = ["2026-11-14T19:00:00.000Z", "2026-11-21T19:00:00.000Z", "2026-11-07T19:00:00.000Z"];
  assert.deepEqual(told(""), week);
  assert.deepEqual(told("from=nonsense&until="), week);
  assert.deepEqual(told("from=2026-11-22T00:00:00Z"), week, "a beginning behind the end");
  assert.deepEqual(told("from=2026-11-20T10:30:00Z&until=2026-11-20T12:00:00Z"), ["2026-11-20T10:00:00.000Z", "2026-11-20T12:00:00.000Z", "2026-11-20T08:00:00.000Z"]);
});

test("a table is CSV, whatever stands in it", () => {
  assert.equal(csv(["a", "b"], [["x,y", 1], ['say "help"', "two\nlines"]]), 'a,b\n"x,y",1\n"say ""help""","two\nlines"\n');
});

test("reports of animals are put together as the address says, by kind of animal where it says nothing known", () => {
  assert.deepEqual(["", "reports=month", "reports=area&by=hour", "reports=moon"].map((query) => reportGroupOf(new URLSearchParams(query))), ["species", "month", "area", "species"]);
});

test("of reports the most come first, and months one after another", () => {
  const rows = [["2026-11", 7], ["2026-09", 2], ["2026-10", 5]].map(([key, reports]) => ({ key, reports }));
  const keys = (group) => reportRows(group, rows).map(({ key }) => key);
  assert.deepEqual([keys("agency"), keys("month")], [["2026-11", "2026-10", "2026-09"], ["2026-09", "2026-10", "2026-11"]]);
  assert.deepEqual(reportRows("species", [{ key: "whale", reports: 1 }, { key: "seabird", reports: 3 }]).map(({ key }) => key), ["seabird", "whale"]);
});

test("an area is where its key says, also at the equator and without a known place", () => {
  assert.deepEqual(["36.8,-121.8", "-0.1,0.0", "", "unknown"].map(cellOf), [{ latitude: 36.8, longitude: -121.8 }, { latitude: -0.1, longitude: 0 }, null, null]);
});
