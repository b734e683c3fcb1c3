// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { wellFormed } from "../core/text.js";

/** As a browser without `toWellFormed` has it. */
const old = (text) => {
  const own = String.prototype.toWellFormed;
  try {
    delete String.prototype.toWellFormed;
    return wellFormed(text);
  } finally {
    if (own) Object.defineProperty(String.prototype, "toWellFormed", { value: own, configurable: true, writable: true });
  }
};

for (const [text, whole] of [["Help 🚑", "Help 🚑"], ["\uD83D", "\uFFFD"], ["a\uDE91b", "a\uFFFDb"], ["\uDE91\uD83D", "\uFFFD\uFFFD"], ["\uD83D\uD83D\uDE91", "\uFFFD🚑".replace("🚑", "\uD83D\uDE91")], ["", ""]])
  test(`half characters of ${JSON.stringify(text)} become what they are`, () => {
    assert.equal(wellFormed(text), whole);
    assert.equal(old(text), whole);
  });
