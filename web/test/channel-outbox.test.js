// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { Clock } from "./support.js";
import { Problem, Unreachable } from "../core/api.js";
import { ofTab } from "../core/storage.js";
import { Outbox } from "../dom/channel-outbox.js";

const refusal = (status, slug = "blank") => new Problem(status, { type: `about:${slug}`, detail: `refused with ${status}` });

/** A gateway that answers with these, one after another: an error, or the number of the message. */
function gateway(...answers) {
  const asked = [];
  const api = {
    asked,
    async post(path, body, { key }) {
      asked.push({ path, body, key });
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      return { number: answer };
    },
  };
  return api;
}

const outboxOf = (api, changes = []) => new Outbox(api, "anna", (channel) => changes.push(channel));
const pictureAt = (at) => ({ camera: "c1", name: "Gate", at: new Date(at).toISOString() });

let clock;
beforeEach(() => (clock = new Clock()));
afterEach(() => clock.stop());
afterEach(() => ofTab.names.forEach((name) => ofTab.removeItem(name)));

test("a message stands there at once, and until the channel has it", async () => {
  const [api, changes] = [gateway(5), []];
  const outbox = outboxOf(api, changes);
  const sending = outbox.send("a", "Look", null);
  assert.deepEqual(outbox.of("a").map(({ text, state }) => [text, state]), [["Look", "sending"]]);
  assert.deepEqual(outbox.of("b"), []);
  await sending;
  assert.deepEqual(outbox.of("a").map(({ state, number }) => [state, number]), [["sent", 5]]);
  outbox.taken("b", [{ number: 5 }]);
  assert.equal(outbox.of("a").length, 1, "another channel counts its own");
  outbox.taken("a", [{ number: 5 }]);
  assert.deepEqual(outbox.of("a"), []);
  assert.deepEqual(changes, ["a", "a"]);
  assert.deepEqual([api.asked[0].path, api.asked[0].body], ["/v1/channels/a/messages", { text: "Look" }]);
});

test("what failed is sent again as the same command; for the lack of a connection by itself", async () => {
  const api = gateway(new Unreachable(), refusal(400), new Unreachable(), 1, 2);
  const outbox = outboxOf(api);
  await outbox.send("a", "first", null);
  await outbox.send("a", "second", null);
  assert.deepEqual(outbox.of("a").map(({ state, isPassing }) => [state, isPassing]), [["failed", true], ["failed", false]]);
  assert.equal(outbox.of("a")[1].fault, "refused with 400");
  await clock.pass(10_000);
  assert.deepEqual(outbox.of("a").map(({ state }) => state), ["sent", "failed"]);
  await outbox.again(outbox.of("a")[1]);
  assert.deepEqual(outbox.of("a").map(({ number }) => number), [1, 2]);
  const keys = api.asked.map(({ key }) => key);
  assert.deepEqual([keys[0] === keys[2], keys[0] === keys[3], keys[1] === keys[4], keys[0] === keys[1]], [true, true, true, false]);
});

test("what was discarded is not sent", async () => {
  const outbox = outboxOf(gateway(new Unreachable()));
  await outbox.send("a", "first", null);
  outbox.discard(outbox.of("a")[0]);
  assert.deepEqual(outbox.of("a"), []);
});

test("a picture of this moment is asked for until it is kept; one of an earlier moment is not there", async () => {
  const api = gateway(refusal(404), refusal(404), 7, refusal(404));
  const outbox = outboxOf(api);
  outbox.send("a", "", pictureAt(Date.now()));
  await clock.pass(2500);
  assert.deepEqual(outbox.of("a").map(({ number }) => number), [7]);
  assert.equal(new Set(api.asked.map(({ key }) => key)).size, 1);
  await outbox.send("a", "", pictureAt(Date.now() - 60_000));
  assert.equal(outbox.of("a")[1].fault, "channel.refused.no-picture", "in the words of the page that has them");
  assert.equal(api.asked.length, 4);
});

test("a page that comes after it in this tab has what was not sent, as the same command", async () => {
  const api = gateway(new Unreachable(), 3);
  await outboxOf(api).send("a", "first", pictureAt(Date.now()));
  const next = outboxOf(api);
  assert.deepEqual(next.of("a").map(({ text, state }) => [text, state]), [["first", "failed"]]);
  assert.deepEqual(new Outbox(api, "ben", () => {}).of("a"), [], "nobody else sends it");
  await next.deliver();
  assert.equal(api.asked[0].key, api.asked[1].key);
  assert.deepEqual(outboxOf(api).of("a"), [], "what was sent is not sent again");
});
