// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { idleness } from "../console/idle-rules.js";

const at = (idle, asked, hasSession = false) => idleness({ idle, asked, hasSession });

test("whoever was here a moment ago is asked nothing and stays signed in", () => {
  assert.deepEqual(at(10, null), { isToAsk: false, left: 290, end: "none", keepsAlive: true });
  assert.equal(at(61, null).keepsAlive, false);
});

test("after four minutes it is asked, after five the sign-in ends", () => {
  assert.equal(at(239, null).isToAsk, false);
  assert.deepEqual(at(240, 0), { isToAsk: true, left: 60, end: "none", keepsAlive: false });
  assert.equal(at(300, 60).end, "leave");
});

test("the question stands its whole minute, however late it came", () => {
  assert.equal(at(900, null).end, "none");
  assert.equal(at(900, 0).left, 60);
  assert.equal(at(959, 59).end, "none");
  assert.equal(at(960, 60).end, "leave");
});

test("with an open session nobody is asked for fourteen minutes, and then the page is locked and nobody signed out", () => {
  assert.deepEqual(at(839, null, true), { isToAsk: false, left: 61, end: "none", keepsAlive: true });
  assert.equal(at(840, 0, true).isToAsk, true);
  assert.equal(at(840, 0, true).keepsAlive, true);
  assert.deepEqual(at(900, 60, true), { isToAsk: true, left: 0, end: "lock", keepsAlive: false });
});
