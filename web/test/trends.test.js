// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { ShownRange, timeTicks, valueTicks } from "../model/chart-axes.js";
import {
  alertHeadline, answers, cellOf, checkInsByHour, contactsByHour, csv, funnels, grouped, hasAlerts, hasPatrols, headline, hoursTogether, outcomes, partsByWay, patrolAlarmsByHour, patrolHeadline, periodOf, refusals,
  reportGroupOf, reportRows, reportsByHour, timesByHour, total, tourSteps,
} from "../model/trends.js";

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

const patrolRows = [
  row(9, "check_ins", "counted", 7), row(9, "check_ins", "kept", 2), row(9, "check_ins", "early", 1), row(9, "check_ins", "refused/too_far", 1), row(9, "check_ins", "refused/bad_code", 3),
  row(11, "check_ins", "counted", 1), row(9, "tours", "begun", 4), row(9, "tours", "complete", 3), row(9, "tours", "incomplete/expired", 1), row(9, "tours", "not_begun", 2), row(9, "tour_points", "missed", 2),
  row(9, "tour_points", "on_time", 8), row(9, "patrol_alarms", "help", 1), row(11, "patrol_alarms", "late", 2), row(9, "help_answered_ms", "count", 1), row(9, "help_answered_ms", "p50", 42_000),
];

test("tours are told beside those of the period before, and nothing is no nought", () => {
  const told = (now, before) => patrolHeadline(now, before).map(({ name, now: value, before: earlier }) => [name, value, earlier]);
  assert.deepEqual(told(patrolRows, []), [
    ["check-ins", 11, 0], ["refused", 4, 0], ["tours", 4, 0], ["not-begun", 2, 0], ["complete", 3 / 4, null], ["missed", 2, 0], ["help", 1, 0], ["patrol-help", 42_000, null], ["patrol-handled", null, null],
    ["patrol-late", null, null],
  ]);
});

test("there are patrols where anything is told of check-ins, tours or alarms", () => {
  assert.deepEqual([patrolRows, [row(9, "tours", "not_begun", 1)], [row(9, "help_answered_ms", "p50", 1)], alertRows, rows, []].map(hasPatrols), [true, true, true, false, false, false]);
});

test("check-ins and alarms are told by hour, refused check-ins together", () => {
  const told = (hours) => hours.map(({ hour, values }) => [hour, values]);
  assert.deepEqual(told(checkInsByHour(patrolRows)), [[hour(9), { counted: 7, kept: 2, early: 1, refused: 4 }], [hour(11), { counted: 1 }]]);
  assert.deepEqual(told(patrolAlarmsByHour(patrolRows)), [[hour(9), { help: 1 }], [hour(11), { late: 2 }]]);
  assert.deepEqual(refusals(patrolRows), [{ name: "bad_code", value: 3 }, { name: "too_far", value: 1 }]);
});

test("tours and their points stand in the order in which they come about, without what there was none of", () => {
  assert.deepEqual(tourSteps(patrolRows), {
    tours: [{ name: "not_begun", value: 2 }, { name: "begun", value: 4 }, { name: "complete", value: 3 }, { name: "incomplete/expired", value: 1 }],
    points: [{ name: "on_time", value: 8 }, { name: "missed", value: 2 }],
  });
  assert.deepEqual(tourSteps([]), { tours: [], points: [] });
});

test("reports are told by the hour in which they came, whatever became of them", () => {
  assert.deepEqual(reportsByHour([row(9, "reports", "submitted", 2), row(11, "reports", "acknowledged", 1)]).map(({ hour, values }) => [hour, values]), [[hour(9), { submitted: 2 }]]);
});

test("a long period shows hours together: sums of counts, the longest of times", () => {
  const period = { from: new Date(hour(8)), until: new Date(hour(12)) };
  assert.deepEqual([240, 4, 3, 1].map((most) => hoursTogether(period, most)), [1, 1, 2, 4]);
  const hours = [8, 9, 11].map((number) => ({ hour: hour(number), values: { a: number } }));
  const at = (number) => Date.parse(hour(number));
  assert.deepEqual(grouped(hours, period, 2, (one, other) => one + other), [{ from: at(8), until: at(10), values: { a: 17 } }, { from: at(10), until: at(12), values: { a: 11 } }]);
  assert.deepEqual(grouped(hours, period, 2, Math.max).map(({ values }) => values.a), [9, 11]);
});

test("marks of counts are whole and round, marks of times are seconds, minutes, hours and days", () => {
  assert.deepEqual([valueTicks(1, 5, "count"), valueTicks(7.7, 5, "count"), valueTicks(1234, 5, "count")], [[0, 1], [0, 2, 4, 6], [0, 500, 1000]]);
  assert.deepEqual([valueTicks(4200, 5, "milliseconds"), valueTicks(700_000, 4, "milliseconds"), valueTicks(9e6, 5, "milliseconds")], [[0, 1000, 2000, 3000, 4000], [0, 300_000, 600_000], [0, 1.8e6, 3.6e6, 5.4e6, 7.2e6, 9e6]]);
  assert.equal(valueTicks(1e10, 2, "milliseconds").length, 3, "beyond the longest step");
});

test("marks of time are midnights and full hours, as many as there is room for", () => {
  const [from, until] = [Date.parse("2026-11-20T22:00:00Z"), Date.parse("2026-11-22T03:00:00Z")];
  const marks = timeTicks(from, until, 6);
  assert.ok(marks.every(({ v }, index) => v >= from && v <= until && (index === 0 || v > marks[index - 1].v)));
  assert.deepEqual(new Set(marks.slice(1).map(({ v }, index) => (v - marks[index].v) / 3_600_000)), new Set([6]));
  const weeks = timeTicks(Date.parse("2026-01-01T00:00:00Z"), Date.parse("2026-12-31T00:00:00Z"), 8);
  assert.ok(weeks.length >= 3 && weeks.length <= 9, `${weeks.length} marks of a year`);
});

test("what is drawn stays within its period, and is never less than some hours", () => {
  const [from, until] = [Date.parse(hour(0)), Date.parse(hour(16))];
  const range = new ShownRange({ from: new Date(from), until: new Date(until) });
  let changes = 0;
  range.listen(() => changes++);
  const hours = () => range.shown.map((moment) => (moment - from) / 3_600_000);
  range.zoom("in");
  assert.deepEqual([hours(), range.isWhole], [[4, 12], false]);
  range.move("earlier");
  range.move("earlier");
  assert.deepEqual(hours(), [0, 8], "earlier than the period there is nothing");
  range.move("later");
  assert.deepEqual(hours(), [4, 12]);
  for (let turn = 0; turn < 5; turn++) range.zoom("in");
  assert.deepEqual(hours(), [6.5, 9.5]);
  range.zoom("out");
  assert.deepEqual(hours(), [5, 11]);
  range.show(until - 1000, until + 1000);
  assert.deepEqual(hours(), [13, 16]);
  range.showAll();
  assert.deepEqual([hours(), range.isWhole, changes], [[0, 16], true, 12]);
});
