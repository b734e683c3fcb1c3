// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import "./support.js";
import { unopenedWords } from "../call/contact.js";

test("it is said to have arrived only where all has that was written", () => {
  assert.match(unopenedWords(["seen", "delivered", "taken"]), /^Your message has arrived/);
  for (const states of [["queued"], ["taken", "queued"], ["queued", "taken"], ["failed", "queued"]]) assert.equal(unopenedWords(states), "Your message is waiting to be sent.");
  for (const states of [[], ["taken", "failed"], ["doubtful"]]) assert.match(unopenedWords(states), /^No operator has opened this chat yet/);
});
