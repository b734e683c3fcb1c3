// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { Clock, Socket } from "./support.js";
import { Topics } from "../core/topics.js";

let clock, sockets, states, events, topics;

beforeEach(() => {
  [clock, sockets, states, events] = [new Clock(), [], [], []];
  globalThis.WebSocket = Socket;
  const api = {
    noteShown() {},
    get: async () => ({}),
    socket() {
      sockets.push(new Socket());
      return sockets.at(-1);
    },
  };
  topics = new Topics(api, (isLive) => states.push(isLive));
  topics.follow("desk", { onEvent: (event) => events.push(event.position), onTrouble: () => events.push("trouble"), onRefused: () => events.push("refused") });
});
afterEach(() => {
  topics.stop();
  clock.stop();
});

function begun(position = "10") {
  sockets.at(-1).open();
  sockets.at(-1).tell({ type: "subscribed", topic: "desk", position });
}

test("a gateway that is silent is not live within 8 s, and live again with its next word", async () => {
  begun();
  assert.deepEqual(states, [true]);
  await clock.pass(6500);
  sockets[0].tell({ type: "position", topic: "desk", position: "10" });
  await clock.pass(6900);
  assert.deepEqual(states, [true]);
  await clock.pass(1100);
  assert.deepEqual(states, [true, false]);
  assert.equal(topics.isLive, false);
  sockets[0].tell({ type: "event", topic: "desk", position: "11" });
  assert.deepEqual(states, [true, false, true]);
  assert.deepEqual(events, ["11"]);
  assert.equal(sockets.length, 1);
});

test("one that stays silent is asked anew, behind the last position, each event once", async () => {
  begun();
  sockets[0].tell({ type: "event", topic: "desk", position: "12" });
  await clock.pass(40_000);
  assert.ok(sockets.length > 1);
  begun("14");
  assert.deepEqual(sockets.at(-1).sent, [{ type: "subscribe", topic: "desk", after: "12" }]);
  for (const position of ["12", "14", "15"]) sockets.at(-1).tell({ type: "event", topic: "desk", position });
  assert.deepEqual(events, ["12", "15"]);
  assert.equal(states.at(-1), true);
});

test("a connection that does not open is given up", async () => {
  await clock.pass(11_500);
  assert.ok(sockets.length >= 2);
  assert.equal(states.includes(true), false);
});

test("a topic that may not be read is not asked for again; one in trouble is", async () => {
  begun();
  sockets[0].tell({ type: "error", topic: "desk", problem: { status: 503 } });
  sockets[0].tell({ type: "error", topic: "desk", problem: { status: 503 } });
  assert.deepEqual(events, ["trouble"]);
  await clock.pass(10_000);
  assert.ok(sockets[0].sent.filter(({ type }) => type === "subscribe").length > 1);
  sockets.at(-1).tell({ type: "error", topic: "desk", problem: { status: 403 } });
  assert.deepEqual(events, ["trouble", "refused"]);
  const asked = sockets.at(-1).sent.length;
  sockets.at(-1).tell({ type: "event", topic: "desk", position: "99" });
  assert.deepEqual([events.length, sockets.at(-1).sent.length], [2, asked]);
});

test("another ledger that answers is followed from its own beginning", async () => {
  begun();
  sockets[0].tell({ type: "error", topic: "desk", problem: { status: 400 } });
  assert.deepEqual(sockets[0].sent.at(-1), { type: "subscribe", topic: "desk" });
});

test("a gateway that does not know a topic names none in its refusal, and the others go on", async () => {
  const told = [];
  topics.follow("reports", { onEvent: () => told.push("event"), onRefused: ({ status }) => told.push(status) });
  begun();
  sockets[0].tell({ type: "error", problem: { status: 400 } });
  sockets[0].tell({ type: "event", topic: "desk", position: "11" });
  assert.deepEqual([told, events], [[400], ["11"]]);
  const { length } = sockets[0].sent;
  await clock.pass(5000);
  assert.equal(sockets[0].sent.length, length, "it is not asked for again");
});

test("who has stopped hears nothing more", async () => {
  begun();
  topics.stop();
  await clock.pass(60_000);
  assert.deepEqual([states, sockets.length], [[true], 1]);
});
