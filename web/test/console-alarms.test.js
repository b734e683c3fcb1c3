// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { Alarms, titleOf } from "../console/alarms.js";

const waiting = (callers = [], messages = []) => ({ callers, messages });

test("a new caller sounds at once, and again every fifteen seconds until somebody has taken them", () => {
  const alarms = new Alarms();
  assert.deepEqual(alarms.look(waiting(), 0), []);
  assert.deepEqual(alarms.look(waiting(["a"]), 1), ["caller"]);
  assert.deepEqual(alarms.look(waiting(["a"]), 15), []);
  assert.deepEqual(alarms.look(waiting(["a"]), 16), ["caller"]);
  assert.deepEqual(alarms.look(waiting(), 31), []);
});

test("a second caller sounds at once", () => {
  const alarms = new Alarms();
  alarms.look(waiting(["a"]), 0);
  assert.deepEqual(alarms.look(waiting(["a", "b"]), 2), ["caller"]);
  assert.deepEqual(alarms.look(waiting(["b"]), 3), []);
});

test("a message that comes onto the screen sounds not at all; one that does not, until it was read", () => {
  const alarms = new Alarms();
  alarms.look(waiting(), 0);
  assert.deepEqual(alarms.look(waiting([], ["s 1"]), 1), []);
  assert.deepEqual(alarms.look(waiting(), 2), []);
  assert.deepEqual(alarms.look(waiting([], ["s 1"]), 10), []);
  assert.deepEqual(alarms.look(waiting([], ["s 1"]), 12), ["message"]);
  assert.deepEqual(alarms.look(waiting([], ["s 1"]), 20), []);
  assert.deepEqual(alarms.look(waiting([], ["s 2"]), 21), ["message"]);
  assert.deepEqual(alarms.look(waiting([], ["s 2"]), 41), ["message"]);
});

test("whoever waits when the page comes is heard, too", () => {
  assert.deepEqual(new Alarms().look(waiting(["a"]), 100), ["caller"]);
});

test("both classes sound, callers first", () => {
  const alarms = new Alarms();
  alarms.look(waiting(), 0);
  alarms.look(waiting([], ["s 1"]), 1);
  assert.deepEqual(alarms.look(waiting(["a"], ["s 1"]), 3), ["caller", "message"]);
});

test("the title counts who waits and what is unread", () => {
  assert.equal(titleOf(0, 0), "Daybook console");
  assert.equal(titleOf(2, 0), "(2) Daybook console");
  assert.equal(titleOf(0, 1), "(1) 1 unread · Daybook console");
  assert.equal(titleOf(1, 3), "(4) 3 unread · Daybook console");
});
