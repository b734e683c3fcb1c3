// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { SessionReader } from "../console/session-reader.js";

const refusal = (status) => Object.assign(new Error(`refused with ${status}`), { status });
const settled = async () => {
  for (let i = 0; i < 10; i += 1) await Promise.resolve();
};

/** A reader of `own` whose gateway answers by `answer(path)`, and what it told. */
function reader(answer) {
  const told = [];
  const api = { get: async (path) => answer(path), tagged: async (path) => ({ members: await answer(path), tag: null }) };
  return {
    told,
    reader: new SessionReader(api, "own", {
      onRead: (detail, { others }) => told.push(["read", detail.session.incident, others.map((one) => one.session.id)]),
      onRefused: (error) => told.push(["refused", error.status]),
      onFault: (error) => told.push(["fault", error.status]),
    }),
  };
}

const session = (id, incident) => ({ session: { id, incident } });

test("a session that goes to another incident between two readings is read again, and stays open", async (t) => {
  // Node 18 and 20 differ in how their timers are replaced.
  let again = null;
  t.mock.method(globalThis, "setTimeout", (act) => {
    again = act;
    return 0;
  });
  let incident = "before";
  const { reader: subject, told } = reader((path) => {
    if (path === "/v1/sessions/own") return session("own", incident);
    if (path === "/v1/incidents/before") {
      incident = "after";
      throw refusal(403);
    }
    return { sessions: [{ id: "own" }], merged: [] };
  });
  await subject.read();
  assert.deepEqual(told, [["fault", 403]]);
  again();
  await settled();
  assert.deepEqual(told, [["fault", 403], ["read", "after", []]]);
});

test("a session that is refused is told as refused, whether hidden or unknown", async () => {
  for (const status of [403, 404]) {
    const { reader: subject, told } = reader(() => {
      throw refusal(status);
    });
    await subject.read();
    assert.deepEqual(told, [["refused", status]]);
  }
});

test("another session of the incident that is refused is left out alone", async () => {
  const { reader: subject, told } = reader((path) => {
    if (path === "/v1/sessions/own") return session("own", "fire");
    if (path === "/v1/sessions/closed") throw refusal(403);
    if (path === "/v1/sessions/other") return session("other", "fire");
    return { sessions: [{ id: "own" }, { id: "closed" }, { id: "other" }, { id: "private", isPrivate: true }], merged: [] };
  });
  await subject.read();
  assert.deepEqual(told, [["read", "fire", ["other"]]]);
});
