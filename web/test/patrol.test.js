// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { applyToRound, begun, coordinates, coordinatesOf, countsOf, meaningOf, minutesOf, moved, newlyReached, nextOf, overdueOf, secondsOf, sorted, standingOf } from "../model/patrol.js";

const at = (minute) => `2026-11-26T18:${String(minute).padStart(2, "0")}:00Z`;
const moment = (minute) => Date.parse(at(minute));
/** A point whose window is from one minute to another, with five minutes of grace. */
const point = (name, from, until, more = {}) => ({ point: name, from: at(from), until: at(until), lateUntil: at(until + 5), ...more });
const round = (points, more = {}) => ({ id: "r", tour: "t", guardID: "7", startedAt: at(0), points, ...more });

test("a point is ahead, due, late and missed as time goes by", () => {
  const one = point("gate", 10, 20);
  const standings = [5, 10, 20, 21, 25, 26].map((minute) => standingOf(round([one]), one, moment(minute)));
  assert.deepEqual(standings, ["ahead", "due", "due", "late", "late", "missed"]);
});

test("what the ledger says of a point counts before the clock", () => {
  const cases = [[{ standing: "on_time" }, "on_time"], [{ standing: "late", overdueAt: at(21) }, "reached_late"], [{ standing: "missed", missedAt: at(26) }, "reached_missed"], [{ missedAt: at(26) }, "missed"], [{ overdueAt: at(21) }, "late"]];
  for (const [more, standing] of cases) {
    const one = point("gate", 10, 20, more);
    assert.equal(standingOf(round([one]), one, moment(5)), standing);
  }
});

test("a point of a round that was stopped is left out, and not missed", () => {
  const one = point("gate", 10, 20);
  assert.equal(standingOf(round([one], { finishedAt: at(12), reason: "stopped" }), one, moment(40)), "left");
});

test("a round is folded from its events as the gateway tells it, moment by moment", () => {
  const told = round([point("gate", 0, 10, { standing: "late", reachedAt: at(12), overdueAt: at(11), handledBy: "9", handledAt: at(11), sent: "8", note: "the gate is stuck" }), point("yard", 0, 20, { overdueAt: at(21), missedAt: at(26) })],
    { isOrdered: true, finishedAt: at(26), reason: "expired" });
  const events = [
    ["round.started", 0, { points: "2" }], ["round.point_overdue", 11, { point: "gate" }], ["round.point_handled", 11, { point: "gate", by: "9", sent: "8" }], ["round.point_handled", 11, { point: "gate", by: "9", note: "the gate is stuck" }],
    ["patrol.checked_in", 12, { guard: "7" }], ["round.point_reached", 12, { point: "gate", standing: "late" }], ["round.point_overdue", 21, { point: "yard" }], ["round.point_missed", 26, { point: "yard" }], ["round.finished", 26, { reason: "expired" }],
  ].map(([kind, minute, says]) => ({ kind, time: at(minute), says }));
  const states = events.reduce((states, event) => [...states, applyToRound(states.at(-1), event)], [begun(told)]);
  assert.deepEqual(states.at(-1), told);
  assert.deepEqual(states.map((state, index) => state.points.map((one) => standingOf(state, one, Date.parse(events[Math.max(0, index - 1)].time)))), [
    ["due", "due"], ["due", "due"], ["late", "due"], ["late", "due"], ["late", "due"], ["late", "due"], ["reached_late", "due"], ["reached_late", "late"], ["reached_late", "missed"], ["reached_late", "missed"],
  ]);
});

test("next is the first in order, or the one whose window ends first", () => {
  const walk = round([point("gate", 0, 30), point("yard", 0, 10), point("roof", 0, 20, { standing: "on_time" })]);
  assert.equal(nextOf({ ...walk, isOrdered: true }, moment(1))?.point, "gate");
  assert.equal(nextOf({ ...walk, isOrdered: false }, moment(1))?.point, "yard");
  assert.equal(nextOf({ ...walk, isOrdered: false }, moment(16))?.point, "gate", "the yard is missed by then");
  assert.equal(nextOf({ ...walk, isOrdered: true }, moment(50)), null);
});

test("points are counted by how they stand", () => {
  assert.deepEqual(countsOf(round([point("a", 0, 10, { standing: "on_time" }), point("b", 0, 10, { missedAt: at(16) }), point("c", 0, 10, { standing: "on_time" })]), moment(20)), [["on_time", 2], ["missed", 1]]);
});

test("a check-in counts where the point was not reached before", () => {
  const [before, after] = [round([point("gate", 0, 10)]), round([point("gate", 0, 10, { standing: "late" })])];
  assert.equal(newlyReached(before, after, "gate"), "late");
  assert.equal(newlyReached(after, after, "gate"), null);
  assert.equal(newlyReached(before, before, "gate"), null);
  assert.equal(newlyReached(null, null, "gate"), null);
});

test("why a check-in does not count is told: one reason, the one that the ledger goes by", () => {
  const [gate, yard] = [point("gate", 0, 10), point("yard", 5, 20)];
  const walk = round([gate, yard], { isOrdered: true });
  const meaning = (after, id, minute, before = after) => meaningOf(before, after, id, moment(minute));
  assert.deepEqual(meaning(null, "gate", 3), { is: "none" });
  assert.deepEqual(meaning({ ...walk, finishedAt: at(8), reason: "stopped" }, "gate", 9), { is: "none" });
  assert.deepEqual(meaning({ ...walk, startedAt: at(4) }, "gate", 3), { is: "none" });
  assert.deepEqual(meaning(walk, "roof", 3), { is: "elsewhere" });
  assert.deepEqual(meaning(walk, "yard", 3), { is: "early", time: at(5) });
  assert.deepEqual(meaning(walk, "yard", 6), { is: "first", first: "gate" });
  assert.deepEqual(meaning({ ...walk, isOrdered: false }, "yard", 6), { is: "unclear" });
  assert.deepEqual(meaning(round([{ ...gate, missedAt: at(16) }, yard], { isOrdered: true }), "yard", 17), { is: "unclear" });
  assert.deepEqual(meaning(round([{ ...gate, missedAt: at(16) }, yard], { isOrdered: true }), "gate", 17), { is: "unclear" });
  const reached = round([{ ...gate, standing: "on_time", reachedAt: at(2) }, yard], { isOrdered: true });
  assert.deepEqual(meaning(reached, "gate", 3), { is: "before", time: at(2) });
  assert.deepEqual(meaning(reached, "gate", 2, walk), { is: "on_time" });
});

test("what is late stands in the order in which somebody has to act", () => {
  const rounds = [
    round([point("handled", 0, 1, { overdueAt: at(1), handledAt: at(2) }), point("of yesterday", 0, 1, { missedAt: at(1), handledAt: "2026-11-25T23:50:00Z" }), point("there", 0, 1, { overdueAt: at(1), standing: "late" }), point("later", 0, 9, { overdueAt: at(9) }), point("due", 0, 9)]),
    round([point("missed", 0, 3, { overdueAt: at(3), missedAt: at(8) })], { id: "s", finishedAt: "2026-11-24T03:00:00Z", reason: "expired" }),
  ];
  assert.deepEqual(overdueOf(rounds, (moment) => moment.startsWith("2026-11-26")).map((one) => [one.point.point, one.isMissed, one.isHandled]), [["missed", true, false], ["later", false, false], ["handled", false, true]]);
});

test("rounds of two lists are each there once; those of yesterday are not", () => {
  const open = round([], { id: "open" });
  const [early, late] = [round([], { id: "early", finishedAt: at(5) }), round([], { id: "late", finishedAt: at(9) })];
  const old = round([], { id: "old", finishedAt: "2026-11-25T18:00:00Z" });
  const found = sorted([open, early, open, old, late], (text) => text.startsWith("2026-11-26"));
  assert.deepEqual(found, { open: [open], finished: [late, early] });
});

test("a place is read as maps write it", () => {
  for (const text of ["51.65650, -0.39030", "51.6565;-0.3903", " 51.6565 -0.3903 ", "51.6565°, -0.3903°"]) assert.deepEqual(coordinatesOf(text), { latitude: 51.6565, longitude: -0.3903 }, text);
  for (const text of ["", "51.6565", "91, 0", "0, 181", "51,6565, -0,3903", "north, east"]) assert.equal(coordinatesOf(text), null, text);
  assert.equal(coordinates({ latitude: 51.6565, longitude: -0.3903 }), "51.65650, -0.39030");
});

test("minutes of a form are seconds of a tour, and back", () => {
  assert.deepEqual([secondsOf("15"), secondsOf(0.05), minutesOf(900), minutesOf(4)], [900, 3, 15, 0.067]);
  assert.equal(secondsOf(minutesOf(4)), 4);
});

test("a point moves up and down, and not out of the list", () => {
  assert.deepEqual([moved(["a", "b", "c"], 1, -1), moved(["a", "b", "c"], 1, 1), moved(["a", "b"], 0, -1), moved(["a", "b"], 1, 1)], [["b", "a", "c"], ["a", "c", "b"], ["a", "b"], ["a", "b"]]);
});
