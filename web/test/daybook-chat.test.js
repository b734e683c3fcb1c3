// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { Clock, Socket, settled } from "./support.js";
import { DaybookChat } from "../client/daybook-chat.js";

let clock, sockets, told, chat;

/** The browser's WebSocket, as a page of another site makes it. */
class Opened extends Socket {
  constructor(url, protocols) {
    super();
    Object.assign(this, { url: String(url), protocols });
    sockets.push(this);
  }
}

beforeEach(() => {
  [clock, sockets, told] = [new Clock(), [], []];
  globalThis.WebSocket = Opened;
  chat = new DaybookChat({
    url: "https://centre.example", token: "secret",
    delegate: { didFinishLoadingWithStatus: (status) => told.push(status), messageReceivedFrom: (...what) => told.push(what) },
  });
});
afterEach(() => {
  chat.close();
  clock.stop();
});

async function connect() {
  await settled();
  sockets.at(-1).open();
  sockets.at(-1).tell({ Type: "session", Status: "open", IncidentID: "s1" });
  await settled();
}

const sent = () => sockets.at(-1).sent.filter(({ Type }) => Type === "message");
const report = (members) => sockets.at(-1).tell({ Type: "message_report", TempMessageID: sent().at(-1).TempMessageID, ...members });

test("the socket is the centre's, and the phone's token goes along", async () => {
  await settled();
  assert.equal(sockets[0].url, "wss://centre.example/chat");
  assert.deepEqual(sockets[0].protocols, ["daybook", "bearer.secret"]);
});

test("loaded with 0 once messages can be sent, and told once", async () => {
  await connect();
  assert.deepEqual(told, [0]);
  assert.equal(chat.session, "s1");
  sockets[0].close();
  await clock.pass(1000);
  await connect();
  assert.deepEqual(told, [0]);
});

test("a centre that is not reached: 1 once, and 0 when it is", async () => {
  await settled();
  sockets[0].close();
  await clock.pass(1000);
  sockets[1].close();
  assert.deepEqual(told, [1]);
  await clock.pass(2000);
  await connect();
  assert.deepEqual(told, [1, 0]);
});

test("what the centre writes is told with who wrote it, a picture by what is known of it", async () => {
  await connect();
  sockets[0].tell({ Type: "message", TempMessageID: "t1", MessageID: "m1", Message: "Where are you?", Timestamp: "1700000000" });
  sockets[0].tell({ Type: "picture", TempMessageID: "t2", MessageID: "m2", Width: "96", Height: "64", Timestamp: "1700000000" });
  assert.deepEqual(told.slice(1), [["operator", "Where are you?"], ["operator", { id: "m2", width: 96, height: 64 }]]);
});

test("a message that the centre has is answered with 0 and its id", async () => {
  await connect();
  const answer = chat.sendMsg({ text: "Fire", quickResponse: "fire" });
  assert.deepEqual([sent()[0].Message, sent()[0].QuickResponse], ["Fire", "fire"]);
  report({ Status: "delivered", MessageID: "m1" });
  assert.deepEqual(await answer, { status: 0, id: "m1" });
});

test("a message that the centre refuses is answered with 1 and why", async () => {
  await connect();
  const answer = chat.sendMsg({ text: "x" });
  report({ Status: "failed", Error: "It is too long." });
  assert.deepEqual(await answer, { status: 1, error: "It is too long." });
});

test("a message written without a connection waits for one, and so does its answer", async () => {
  let answered = null;
  chat.sendMsg({ text: "Hello" }).then((answer) => (answered = answer));
  await settled();
  assert.equal(answered, null);
  await connect();
  report({ Status: "delivered", MessageID: "m1" });
  await settled();
  assert.deepEqual(answered, { status: 0, id: "m1" });
});

test("a message whose session was over before it was sent is answered with 1", async () => {
  await connect();
  const answer = chat.sendMsg({ text: "Too late" });
  sockets[0].close();
  await clock.pass(1000);
  await settled();
  sockets.at(-1).open();
  sockets.at(-1).tell({ Type: "session", Status: "open", IncidentID: "s2" });
  assert.equal((await answer).status, 1);
});
