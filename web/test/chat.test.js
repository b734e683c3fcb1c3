// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { Clock, Socket, settled } from "./support.js";
import { Chat } from "../core/chat.js";
import { Kept } from "../core/storage.js";

let clock, sockets, chats, kept;

beforeEach(() => {
  [clock, sockets, chats, kept] = [new Clock(), [], [], {}];
  globalThis.WebSocket = Socket;
});
afterEach(() => {
  for (const chat of chats) chat.leave();
  clock.stop();
});

/** A chat of a page on one device, and what its handlers were told. */
function opened(handlers = {}) {
  const storage = new Kept(() => Object.assign(kept, {
    getItem: (name) => kept[name] ?? null,
    setItem: (name, value) => void (kept[name] = value),
    removeItem: (name) => void delete kept[name],
  }));
  const api = { socket: () => sockets[sockets.push(new Socket()) - 1] };
  const chat = new Chat(api, { store: "unsent", storage, goesOn: true }, handlers);
  chats.push(chat);
  chat.connect();
  return chat;
}

async function connect() {
  await settled();
  sockets.at(-1).open();
  sockets.at(-1).tell({ Type: "session", Status: "open", IncidentID: "s1" });
  await settled();
}

const sent = () => sockets.flatMap((socket) => socket.sent).filter(({ Type }) => Type === "message");

test("a quick response says which service it calls for, beside its words", async () => {
  const chat = opened();
  await connect();
  chat.send("Polizei nötig", { quickResponse: "police" });
  chat.send("Hallo");
  assert.deepEqual(sent().map(({ Message, QuickResponse }) => [Message, QuickResponse]), [["Polizei nötig", "police"], ["Hallo", undefined]]);
  assert.ok(!("QuickResponse" in sent()[1]), "another message has no such member");
});

test("a quick response that waited for the network is one when the next page sends it", async () => {
  opened().send("Fire brigade needed", { quickResponse: "fire" });
  chats.pop().leave();
  assert.equal(sent().length, 0);
  const next = opened();
  assert.deepEqual(next.waiting.map(({ text, quickResponse }) => [text, quickResponse]), [["Fire brigade needed", "fire"]]);
  await connect();
  assert.deepEqual(sent().map(({ Message, QuickResponse }) => [Message, QuickResponse]), [["Fire brigade needed", "fire"]]);
});

test("a quick response that the centre refused is one when it is sent again", async () => {
  const reports = [];
  const chat = opened({ onReport: (report) => reports.push(report) });
  await connect();
  chat.send("Ambulance needed", { quickResponse: "ambulance" });
  sockets[0].tell({ Type: "message_report", TempMessageID: sent()[0].TempMessageID, Status: "failed", Error: "No." });
  assert.equal(reports[0].state, "failed");
  chat.again(reports[0].message);
  assert.equal(sent()[1].QuickResponse, "ambulance");
});
