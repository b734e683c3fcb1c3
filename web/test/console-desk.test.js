// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import "./support.js";
import { documentOf } from "./dom.js";
import { settled } from "./support.js";
import { Desk } from "../console/desk.js";

const own = { id: "own", owner: "amina", createdAt: "2026-03-01T10:00:00Z" };

test("a session that its operator has closed is not the operator's any more, also where the lists were asked for before that", async () => {
  let open = [own];
  const answers = [];
  const api = { get: (path) => new Promise((resolve) => answers.push(() => resolve({ items: path.includes("open") ? [...open] : [] }))) };
  const answer = async () => {
    answers.splice(0).forEach((give) => give());
    await settled();
  };
  const desk = new Desk(api, { user: "amina" });
  desk.refresh();
  await answer();
  assert.deepEqual(desk.mine, [own]);
  desk.refresh();
  const before = answers.splice(0);
  desk.left("own");
  assert.deepEqual(desk.mine, []);
  before.forEach((give) => give());
  await settled();
  assert.deepEqual(desk.mine, []);
  open = [];
  await answer();
  assert.deepEqual(desk.sessions, []);
});

test("who declines is told what becomes of the caller", async () => {
  globalThis.document = documentOf("console/index.html");
  const desk = new Desk({ post: async () => ({}), get: async () => ({ items: [] }) }, { user: "amina" });
  desk.names = new Map([["john", "John"]]);
  const declined = async (session) => {
    assert.equal(await desk.takeOver(session, "declined"), false);
    return document.querySelectorAll(".toasts .notice").at(-1).textContent;
  };
  assert.equal(await declined({ id: "a" }), "Declined. The caller goes on waiting in the queue.");
  assert.equal(await declined({ id: "b", owner: "john" }), "Declined. John keeps the session.");
});
