// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import "./support.js";
import { linesOf } from "../console/transcript.js";

test("what a caller chose by one press has its word, and no other message has one", () => {
  const message = { from: "caller", temporaryID: "t", id: "m", text: "I need an ambulance", sentAt: "2026-11-27T20:00:00Z", state: "queued" };
  const [chosen, written] = linesOf([{ ...message, quickResponse: "ambulance" }, message]);
  assert.deepEqual([chosen.badge, chosen.text, chosen.state], ["Ambulance", "I need an ambulance", "taken"]);
  assert.equal(written.badge, undefined);
});
