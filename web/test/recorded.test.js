// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { Recorded } from "../source/recorded.js";

/** A clock that is moved by hand. */
class HandClock {
  #now = 0;
  #ticks = new Set();

  now() {
    return this.#now;
  }

  every(milliseconds, tick) {
    this.#ticks.add(tick);
    return () => this.#ticks.delete(tick);
  }

  pass(milliseconds) {
    this.#now += milliseconds;
    for (const tick of [...this.#ticks]) tick();
  }

  get isWatched() {
    return this.#ticks.size > 0;
  }
}

/** Events at one a second, of which every fourth comes with the one before. */
const events = Array.from({ length: 3000 }, (_, index) => ({ position: 10 + 3 * index, at: 1_000_000 + (index % 4 === 3 ? index - 1 : index) * 1000 }));

/** A fold that knows all that it was given. */
const all = { empty: "", apply: (state, event) => `${(state.length * 31 + event.position) % 999_983}`.padEnd(state.length % 7) + event.position };

function source(clock = new HandClock()) {
  return { clock, recorded: new Recorded(events, { ...all, clock }) };
}

/** What a fold over the first events makes. */
const folded = (count) => events.slice(0, count).reduce(all.apply, all.empty);

test("wherever one goes, the state is that of the events until then", () => {
  const { recorded } = source();
  for (const index of [0, 1, 255, 256, 257, 2999, 1500, 1499, 1501, 512, 511, 2998, 3, 0]) {
    recorded.seekEvent(index);
    assert.equal(recorded.count, index + 1);
    assert.equal(recorded.state, folded(index + 1), `after event ${index}`);
  }
  assert.equal(recorded.end, folded(3000));
});

test("at a time, all has happened that was recorded at it", () => {
  const { recorded } = source();
  recorded.seek(1_000_000 + 2000);
  assert.equal(recorded.count, 4, "the fourth came with the third");
  recorded.seek(1_000_000 + 1999);
  assert.equal(recorded.count, 2);
  recorded.seek(-Infinity);
  assert.deepEqual([recorded.at, recorded.count], [recorded.from, 1]);
  recorded.seek(Infinity);
  assert.deepEqual([recorded.at, recorded.count], [recorded.until, 3000]);
});

test("an event is found by its position in the log", () => {
  const { recorded } = source();
  assert.equal(recorded.indexOf(10), 0);
  assert.equal(recorded.indexOf(10 + 3 * 2999), 2999);
  assert.equal(recorded.indexOf(11), -1);
  assert.equal(recorded.indexOf(9), -1);
});

test("it runs as fast as it is told, tells of every moment, and stops at the end", () => {
  const { clock, recorded } = source();
  const heard = [];
  const end = recorded.subscribe((one) => heard.push([one.at, one.isRunning]));
  recorded.speed = 4;
  recorded.play();
  clock.pass(100);
  assert.equal(recorded.at, 1_000_000 + 400);
  recorded.speed = 0.25;
  clock.pass(1000);
  assert.equal(recorded.at, 1_000_000 + 650);
  recorded.pause();
  assert.equal(clock.isWatched, false);
  clock.pass(5000);
  assert.equal(recorded.at, 1_000_000 + 650, "it stands");
  recorded.speed = 64;
  recorded.play();
  clock.pass(3_600_000);
  assert.deepEqual([recorded.at, recorded.isRunning, recorded.state], [recorded.until, false, folded(3000)]);
  end();
  assert.ok(heard.some(([, isRunning]) => isRunning) && heard.at(-1)[0] === recorded.until);
  recorded.play();
  assert.equal(recorded.at, recorded.from, "from its end it begins anew");
});

test("a look elsewhere while it runs goes on from there", () => {
  const { clock, recorded } = source();
  recorded.play();
  clock.pass(100);
  recorded.seek(1_500_000);
  clock.pass(100);
  assert.equal(recorded.at, 1_500_100);
});

test("films that began before the first event, and end after the last, are part of it; it begins with the event", () => {
  const clock = new HandClock();
  const recorded = new Recorded(events, { ...all, clock, films: [{ from: 900_000, until: 950_000 }, { from: 3_999_000, until: 4_500_000 }] });
  assert.deepEqual([recorded.from, recorded.at, recorded.until], [900_000, 1_000_000, 4_500_000]);
  recorded.seek(900_000);
  assert.deepEqual([recorded.at, recorded.count, recorded.event, recorded.state], [900_000, 0, undefined, ""]);
  recorded.seek(4_499_950);
  recorded.play();
  clock.pass(100);
  assert.deepEqual([recorded.at, recorded.isRunning, recorded.count], [4_500_000, false, events.length]);
});

test("nothing recorded is no moment", () => {
  const recorded = new Recorded([], { ...all, clock: new HandClock() });
  recorded.play();
  recorded.seekEvent(3);
  assert.deepEqual([recorded.isRunning, recorded.state, recorded.event], [false, "", undefined]);
});
