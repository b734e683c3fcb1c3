// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { commandsFor, meaningOf } from "../console/written.js";

const id = "01a1ff49-2b6c-7d3e-8f01-23456789abcd";
const commands = [{ word: "take", text: "Take the one who has waited longest" }, { word: "link", text: "Send the caller a link" }, { word: "live", text: "Back to the live picture" }];

test("an empty line means nothing, and Enter takes no command", () => {
  for (const text of ["", "   "]) assert.deepEqual(meaningOf(text), { is: "nothing" });
  assert.deepEqual(commandsFor(commands, ""), { found: commands, isCertain: false });
});

test("a number is exactly the one that is written", () => {
  assert.equal(meaningOf("447719999999").phone, "+447719999999");
  assert.equal(meaningOf("+44 (0)7719 999999").phone, "+447719999999");
  assert.equal(meaningOf("0044 7719-999.999").phone, "+447719999999");
});

test("what stands behind a number is the gateway's to read, and no command", () => {
  const line = meaningOf("+1 831 555 0134 ext. 12");
  assert.deepEqual([line.is, line.phone, line.isWhole], ["number", null, true]);
  assert.equal(meaningOf("code +49 171 1234567 (Anna 2)").is, "code");
});

test("the beginning of a number finds, and calls nobody", () => {
  assert.deepEqual(meaningOf("4477"), { is: "number", text: "4477", digits: "4477", phone: null, isWhole: false });
  assert.equal(meaningOf("4").is, "word");
});

test("an id is read with what stands before it", () => {
  assert.deepEqual(meaningOf(id.toUpperCase()), { is: "id", id, isToMerge: false });
  assert.deepEqual(meaningOf(`session/${id}`), { is: "id", id, isToMerge: false });
  assert.deepEqual(meaningOf(`merge incident/${id}`), { is: "id", id, isToMerge: true });
});

test("what is only begun says what is wanted, and finds no command", () => {
  assert.equal(meaningOf("code +44 77").is, "begun");
  assert.equal(meaningOf("merge 01a1").is, "begun");
  assert.equal(meaningOf("code").is, "word");
  assert.deepEqual(meaningOf("code +44 7719 999999"), { is: "code", text: "+44 7719 999999" });
});

test("a word takes the command that is called so; of several that only speak of it one has to be chosen", () => {
  assert.deepEqual(commandsFor(commands, "li"), { found: [commands[1], commands[2]], isCertain: true });
  assert.deepEqual(commandsFor(commands, "caller"), { found: [commands[1]], isCertain: true });
  assert.deepEqual(commandsFor(commands, "the"), { found: commands, isCertain: false });
  assert.deepEqual(commandsFor(commands, "ambulance"), { found: [], isCertain: false });
});
