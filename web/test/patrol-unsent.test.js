// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { Clock, settled } from "./support.js";
import { Problem, Unreachable } from "../core/api.js";
import { Kept } from "../core/storage.js";
import { alarmItem, sendAlarm, sendCheckIn, Unsent } from "../pages/patrol/parts/unsent.js";

let clock;
beforeEach(() => (clock = new Clock()));
afterEach(() => clock.stop());

const inMemory = () => new Kept(() => null);
const item = (key) => ({ key, at: "2026-11-26T18:00:00.000Z", body: { code: key } });
const problem = (status, slug = "no") => new Problem(status, { type: `urn:daybook:problem:${slug}`, detail: slug });

/** A lane whose sending answers by `answers`, in turn; without one more it is taken. */
function lane(answers = [], storage = inMemory(), user = "7") {
  const [sent, told] = [[], []];
  const send = async ({ key }) => {
    sent.push(key);
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const unsent = new Unsent(`lane/${user}`, send, { onSent: ({ key }) => told.push(`${key} sent`), onRefused: ({ key }, error) => told.push(`${key} refused: ${error.message}`) }, storage);
  return { unsent, sent, told, storage };
}

test("what is not taken for lack of a network is sent again until it is, in order", async () => {
  const { unsent, sent, told } = lane([new Unreachable(), problem(503), problem(401)]);
  unsent.add(item("a"));
  unsent.add(item("b"));
  await settled();
  assert.deepEqual([sent, unsent.items.map(({ key }) => key)], [["a"], ["a", "b"]]);
  await clock.pass(60_000);
  assert.deepEqual(sent, ["a", "a", "a", "a", "b"]);
  assert.deepEqual([told, unsent.items], [["a sent", "b sent"], []]);
});

test("what is refused is told, and does not hold up the next", async () => {
  const { unsent, told } = lane([problem(409, "check-in-duplicate")]);
  unsent.add(item("a"));
  unsent.add(item("b"));
  await settled();
  assert.deepEqual(told, ["a refused: check-in-duplicate", "b sent"]);
});

test("it outlives the page, and is sent by nobody else", async () => {
  const { storage } = lane();
  const first = lane([new Unreachable()], storage);
  first.unsent.add(item("a"));
  await settled();
  const other = lane([], storage, "8");
  await other.unsent.deliver();
  assert.deepEqual(other.sent, []);
  const again = lane([], storage);
  await again.unsent.deliver();
  assert.deepEqual([again.sent, again.unsent.items], [["a"], []]);
});

test("a damaged note is nothing", () => {
  const { unsent, storage } = lane();
  storage.setItem("lane/7", "[{");
  assert.deepEqual(unsent.items, []);
});

/** Answers commands in turn, and keeps what was sent. */
function gateway(...answers) {
  const sent = [];
  const post = async (path, body, options) => {
    sent.push({ path, body, ...options });
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { post, sent };
}

test("a kept check-in says that it was kept, and when it was made", async () => {
  const api = gateway({ point: "p" });
  assert.deepEqual(await sendCheckIn(api, item("a")), { point: "p" });
  assert.deepEqual(api.sent, [{ path: "/v1/check-ins", body: { code: "a", offline: true }, key: "a", tries: 1, occurredAt: "2026-11-26T18:00:00.000Z" }]);
});

test("a check-in that had arrived without an answer gets it by the same words", async () => {
  const api = gateway(problem(409, "idempotency-key-reused"), { point: "p" });
  assert.deepEqual(await sendCheckIn(api, item("a")), { point: "p" });
  assert.deepEqual(api.sent[1], { path: "/v1/check-ins", body: { code: "a" }, key: "a", tries: 1 });
});

test("an alarm goes without its place where that is not taken, each time under the same name", async () => {
  const alarm = alarmItem("2026-11-26T18:00:00.000Z", { latitude: 99, longitude: 0 });
  const api = gateway(problem(422), { alarm: "x" });
  assert.deepEqual(await sendAlarm(api, alarm), { alarm: "x" });
  assert.deepEqual(api.sent.map(({ body, key }) => [body, key]), [[{ fix: { latitude: 99, longitude: 0 } }, alarm.key], [{}, alarm.plainKey]]);
  assert.notEqual(alarm.key, alarm.plainKey);
  await assert.rejects(sendAlarm(gateway(problem(403)), alarm), { status: 403 });
});
