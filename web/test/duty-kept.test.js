// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { Clock, settled } from "./support.js";
import { kept } from "../pages/duty/parts/kept.js";
import { now } from "../core/time.js";

let clock;
let changes;
beforeEach(() => {
  clock = new Clock();
  changes = new EventTarget();
  setInterval(() => changes.dispatchEvent(new Event("second")), 1000);
});
afterEach(() => clock.stop());

test("what is shown is read again when it changes, and when it becomes old by itself", async () => {
  const [dueIn, shown] = [[5000, Infinity, Infinity], []];
  const read = kept({ changes }, async () => "found", (found) => {
    shown.push(found);
    return now() + dueIn.shift();
  });
  await read();
  await clock.pass(5000);
  assert.equal(shown.length, 1);
  await clock.pass(2000);
  assert.equal(shown.length, 2);
  changes.dispatchEvent(new Event("change"));
  await settled();
  assert.equal(shown.length, 3);
});

test("what cannot be read is tried again, unless it is not for this role", async () => {
  for (const [status, tries] of [[503, 3], [403, 1]]) {
    let count = 0;
    const read = kept({ changes }, async () => {
      count += 1;
      throw Object.assign(new Error("no"), { status });
    }, () => Infinity);
    await assert.rejects(read());
    await clock.pass(11_000);
    assert.equal(count, tries, `${status}`);
  }
});

test("a reading that comes after a newer one is not shown", async () => {
  const [waiting, shown] = [[], []];
  const read = kept({ changes }, () => new Promise((resolve) => waiting.push(resolve)), (found) => shown.push(found) && Infinity);
  const both = [read(), read()];
  waiting[1]("new");
  waiting[0]("old");
  await Promise.all(both);
  assert.deepEqual(shown, ["new"]);
});
