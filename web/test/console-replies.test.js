// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import "./support.js";
import { lineOfReply } from "../console/replies.js";

test("an answer by telephone is on its way, has arrived, or failed for a reason in words", () => {
  const wordOf = (reply) => {
    const { state, words } = lineOfReply(reply);
    return [state, words[state]];
  };
  assert.deepEqual(wordOf({ state: "queued", attempt: 1 }), ["queued", "On its way to the telephone"]);
  assert.deepEqual(wordOf({ state: "delivered", attempt: 2 }), ["delivered", "Arrived at the telephone, try 2"]);
  assert.deepEqual(wordOf({ state: "failed", attempt: 1 }), ["failed", "Not delivered"]);
  const whyOf = (status) => lineOfReply({ state: "failed", attempt: 1, status }).error;
  assert.equal(whyOf(486), "The telephone is busy (486).");
  assert.equal(whyOf(undefined), "The telephone did not answer.");
  assert.equal(whyOf(502), "The telephone service has a fault (502).");
  assert.equal(whyOf(499), "The telephone answered with 499.");
  assert.equal(lineOfReply({ state: "queued", attempt: 2 }).error, undefined);
});
