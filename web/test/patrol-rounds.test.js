// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import "./support.js";
import { Rounds } from "../pages/patrols/parts/rounds.js";

const round = (day, more = {}) => ({ id: `of ${day}`, startedAt: `2026-11-${day}T20:00:00Z`, finishedAt: `2026-11-${day}T21:00:00Z`, points: [{ point: "gate", ...more }] });
const missed = { missedAt: "2026-11-24T20:30:00Z" };

/** A centre that tells one round at a time. */
function centre(rounds) {
  const api = { asked: [], rounds };
  api.get = async (path) => {
    api.asked.push(path);
    if (path.includes("open=true")) return { items: [] };
    const at = Number(/before=(\d+)/.exec(path)?.[1] ?? 0);
    return { items: [api.rounds[at]], next: at + 1 < api.rounds.length ? String(at + 1) : undefined };
  };
  return api;
}

test("a point that nobody handled is found however many rounds came after it", async () => {
  const api = centre([round("26"), round("25"), round("24", missed), round("23")]);
  const rounds = new Rounds(api);
  assert.deepEqual((await rounds.read()).map(({ id }) => id), ["of 26", "of 25", "of 24", "of 23"]);
  api.asked.length = 0;
  assert.ok((await rounds.read()).some(({ id }) => id === "of 24"));
  assert.equal(api.asked.length, 1 + 4, "one list of those under way, and no page after the one that begins before the oldest");
});

test("once all are handled, the newest are enough", async () => {
  const api = centre([round("26"), round("25"), round("24", missed), round("23")]);
  const rounds = new Rounds(api);
  await rounds.read();
  api.rounds[2] = round("24", { ...missed, handledAt: "2026-11-26T08:00:00Z" });
  await rounds.read();
  api.asked.length = 0;
  assert.deepEqual((await rounds.read()).map(({ id }) => id), ["of 26"]);
  assert.equal(api.asked.length, 2);
});
