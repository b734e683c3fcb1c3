// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, test } from "node:test";
import { createContext, runInContext } from "node:vm";
import { Clock } from "./support.js";
import { Unreachable } from "../core/api.js";
import { Proof } from "../pages/report/parts/proof.js";

let clock;
beforeEach(() => (clock = new Clock()));
afterEach(() => clock.stop());

const program = readFileSync(new URL("../pages/report/solver.js", import.meta.url), "utf8");

/** What the worker answers to a challenge. */
function solved(challenge) {
  const self = {};
  let answer;
  self.postMessage = (data) => (answer = data);
  runInContext(program, createContext({ self }));
  self.onmessage({ data: challenge });
  return JSON.parse(JSON.stringify(answer));
}

const challengeOf = (salt, number) => createHash("sha256").update(`${salt}${number}`).digest("hex");

test("the worker finds the number, also at both ends and with a salt of several blocks", () => {
  for (const [salt, number, max] of [["nonce.1795782669.", 777, 1000], ["a.", 0, 10], ["b.", 10, 10], [`${"c".repeat(49)}.`, 1234, 2000], [`${"d".repeat(63)}.`, 99, 100], [`${"e".repeat(200)}.`, 12, 20], ["é.", 5, 9]])
    assert.deepEqual(solved({ salt, challenge: challengeOf(salt, number), max }), { number }, salt);
});

test("a challenge without a number within its range has no answer", () => {
  assert.deepEqual(solved({ salt: "a.", challenge: challengeOf("a.", 11), max: 10 }), {});
});

/** A gateway whose challenges are good for some minutes, and which may be away. */
function gateway(minutes = 10, away = 0) {
  const told = { asked: 0 };
  told.get = async (path) => {
    assert.equal(path, "/v1/public/proof-of-work");
    if (++told.asked <= away) throw new Unreachable();
    return { salt: `s${told.asked}.`, challenge: "c", max: 9, signature: `g${told.asked}`, expiresAt: new Date(Date.now() + minutes * 60_000).toISOString() };
  };
  return told;
}

test("what was solved early is taken, once", async () => {
  const api = gateway();
  const proof = new Proof(api, async () => 7);
  proof.begin();
  await clock.pass(60_000);
  assert.deepEqual(await proof.take(), { salt: "s1.", number: 7, signature: "g1" });
  assert.deepEqual(await proof.take(), { salt: "s2.", number: 7, signature: "g2" });
});

test("what is stale by now is fetched anew", async () => {
  const api = gateway();
  const proof = new Proof(api, async () => 7);
  proof.begin();
  await clock.pass(9.6 * 60_000);
  assert.equal((await proof.take()).salt, "s2.");
});

test("a phone whose clock runs far ahead uses what it gets", async () => {
  const proof = new Proof(gateway(-60), async () => 7);
  assert.equal((await proof.take()).salt, "s1.");
});

test("an early failure is tried again when the proof is needed", async () => {
  const api = gateway(10, 1);
  const proof = new Proof(api, async () => 7);
  proof.begin();
  await clock.pass(1000);
  assert.equal((await proof.take()).salt, "s2.");
  await assert.rejects(new Proof(gateway(10, 1), async () => 7).take(), Unreachable);
});
