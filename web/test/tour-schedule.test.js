// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import "./support.js";
import { everyDay, minutesOfText, scheduleWords, textOfMinutes } from "../model/tour-schedule.js";

test("times of day are taken as they are written, each once and in order", () => {
  assert.deepEqual(minutesOfText("22:00, 2:30;06.15 22:00"), [150, 375, 1320]);
  assert.deepEqual(minutesOfText("  "), []);
  assert.deepEqual(minutesOfText(textOfMinutes([0, 61, 1439])), [0, 61, 1439]);
});

test("what is no time of day is none, and neither are more than a tour takes", () => {
  for (const text of ["24:00", "22", "12:60", "at ten", "-1:00", "10:00 soon"]) assert.equal(minutesOfText(text), null, text);
  const each = (count) => textOfMinutes(Array.from({ length: count }, (_, index) => index * 20));
  assert.equal(minutesOfText(each(48))?.length, 48);
  assert.equal(minutesOfText(each(49)), null);
});

test("a schedule names its days where it is not every day", () => {
  assert.equal(scheduleWords({ minutesOfDay: [150, 1320], weekdays: everyDay }), "02:30, 22:00");
  assert.equal(scheduleWords({ minutesOfDay: [1320], weekdays: [1, 7] }), "22:00 (Mon, Sun)");
});
