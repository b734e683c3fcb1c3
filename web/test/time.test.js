// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { Clock } from "./support.js";
import { age, countdown, dayAndTime, dayOf, exactSpan, ledgerClock, ledgerTime, noteTime, now, position, span, timeOfDay } from "../core/time.js";

let clock;
beforeEach(() => (clock = new Clock()));
afterEach(() => {
  tell(0);
  clock.stop();
});

/** An answer whose ledger is ahead of this device by so many milliseconds. */
function tell(ahead, { held = 0, asked = performance.now() } = {}) {
  const time = Date.now() + ahead;
  noteTime(new Headers({ "Daybook-Time": new Date(time).toISOString(), Date: new Date(time + held).toUTCString() }), asked);
}

test("a device whose clock is wrong goes by the ledger's, either way", () => {
  for (const ahead of [150_000, -150_000]) {
    tell(ahead);
    assert.equal(now() - Date.now(), ahead);
    assert.equal(countdown(new Date(Date.now() + ahead + 61_000).toISOString()), "1:01");
    assert.equal(age(new Date(Date.now() + ahead - 61_000).toISOString()), "1 min 01 s");
  }
});

test("an answer that was long under way tells no time, and two clocks that agree are one", async () => {
  tell(150_000);
  tell(1500);
  assert.equal(now(), Date.now());
  tell(150_000);
  const asked = performance.now();
  await clock.pass(2500);
  tell(0, { asked });
  assert.equal(now() - Date.now(), 150_000);
});

test("the newest answer's time is kept to its last digit, however long it was under way", async () => {
  noteTime(new Headers({ "Daybook-Time": "2026-11-23T00:00:00.123456Z" }), performance.now());
  const asked = performance.now();
  await clock.pass(5000);
  noteTime(new Headers({ "Daybook-Time": "2026-11-23T00:00:05.654321Z" }), asked);
  assert.equal(ledgerTime(), "2026-11-23T00:00:05.654321Z");
  noteTime(new Headers(), performance.now());
  assert.equal(ledgerTime(), "2026-11-23T00:00:05.654321Z");
});

test("what is no time changes nothing", () => {
  tell(150_000);
  noteTime(new Headers(), performance.now());
  noteTime(new Headers({ "Daybook-Time": "soon" }), performance.now());
  assert.equal(now() - Date.now(), 150_000);
});

test("a ledger that does not follow its machine's clock is told of, once", () => {
  const told = [];
  ledgerClock.onChange = (isHeld) => told.push(isHeld);
  for (const held of [0, 60_000, 60_000, 0]) tell(0, { held });
  assert.deepEqual(told, [true, false]);
});

test("times are read as people say them", () => {
  assert.deepEqual([0, 59.9, 60, 185, 3600, 7800].map(span), ["0 s", "59 s", "1 min 00 s", "3 min 05 s", "1 h 00 min", "2 h 10 min"]);
  assert.deepEqual([0, 4240, 59_940, 59_960, 65_000, 119_600, 179_900, 3_599_600].map(exactSpan), ["0.0 s", "4.2 s", "59.9 s", "1 min 00 s", "1 min 05 s", "2 min 00 s", "3 min 00 s", "1 h 00 min"]);
  assert.deepEqual([-5, 0, 67_000, 3_661_000].map(position), ["0:00", "0:00", "1:07", "1:01:01"]);
  assert.deepEqual([countdown(120_000, 1), countdown(1000, 2000), countdown(1001, 0)], ["2:00", "0:00", "0:02"]);
  assert.match(timeOfDay(0), /^\d\d:\d\d:\d\d$/);
});

test("a day is said in words, and a time of day with whose it is (ruling 46)", () => {
  const moment = Date.UTC(2015, 2, 25, 18, 28, 5);
  assert.equal(dayOf(moment, "Europe/London"), "Wednesday, March 25, 2015");
  assert.equal(dayAndTime(moment, "Europe/London"), "Wednesday, March 25, 2015 18:28:05 GMT");
  assert.equal(dayAndTime("2015-03-25T18:28:05Z", "America/New_York"), "Wednesday, March 25, 2015 14:28:05 EDT");
  assert.equal(dayAndTime(moment, "Australia/Sydney"), "Thursday, March 26, 2015 05:28:05 AEDT", "there it is another day");
  assert.equal(dayAndTime(Date.UTC(2015, 6, 25), "Europe/London"), "Saturday, July 25, 2015 01:00:00 BST");
  assert.match(dayAndTime(moment, "Asia/Kathmandu"), / 00:13:05 GMT\+5:45$/, "a zone without a short name");
  assert.equal(dayAndTime(moment, "Not/There"), "Wednesday, March 25, 2015 18:28:05 UTC");
});
