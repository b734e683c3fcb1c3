// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { List, none } from "../model/list.js";

/** The same numbers in every run. */
function* chance(seed) {
  for (let state = seed; ; ) {
    state = (state * 1103515245 + 12345) % 2147483648;
    yield state;
  }
}

test("a list says what an array says, and no earlier one changes", () => {
  const numbers = chance(7);
  const next = (below) => numbers.next().value % below;
  let list = none;
  let array = [];
  const kept = [];
  for (let step = 0; step < 3000; step++) {
    if (array.length === 0 || next(3)) {
      list = list.push(step);
      array = [...array, step];
    } else if (next(2)) {
      const place = next(array.length);
      list = list.with(place, -step);
      array = array.map((item, index) => (index === place ? -step : item));
    } else {
      const from = next(array.length);
      list = list.map(from, array.length, (item) => (item % 2 ? item : item + 2));
      array = array.map((item, index) => (index < from || item % 2 ? item : item + 2));
    }
    if (step % 100 === 0) kept.push([list, array]);
  }
  for (const [one, other] of kept) {
    assert.deepEqual([...one], other);
    for (const [from, to] of [[3, 9], [-3], [-10_000], [0, 10_000]]) assert.deepEqual(one.slice(from, to), other.slice(from, to));
    assert.equal(one.at(-1), other.at(-1));
  }
  assert.ok(array.length > 1500, "more than some pages");
});

test("what changes nothing is the same list", () => {
  const list = none.push(1).push(2);
  assert.equal(list.map(0, 2, (item) => item), list);
});

test("the last one for which something holds is found", () => {
  let list = none;
  for (let number = 0; number < 1000; number++) list = list.push(number * 2);
  for (const most of [-1, 0, 1, 511, 512, 1997, 1998, 5000]) assert.equal(list.lastWhere((item) => item <= most), Math.min(999, Math.floor(most / 2)));
  assert.equal(new List().lastWhere(() => true), -1);
});
