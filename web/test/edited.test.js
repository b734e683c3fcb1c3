// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Edited } from "../console/edited.js";

let edited;
const shown = (revision, type, priority, incident = "I") => ({ incident, tag: `"${revision}"`, values: { type, priority } });

beforeEach(() => {
  edited = new Edited();
  edited.follow(shown(3, "", "3"));
});

test("what was not touched follows the ledger, whole", () => {
  edited.follow(shown(4, "fire", "1"));
  assert.deepEqual(edited.values, { type: "fire", priority: "1" });
  assert.equal(edited.basis.tag, '"4"');
  assert.equal(edited.news, null);
});

test("the touch of one field keeps that one, and the revision upon which it was written; the others go on following", () => {
  edited.touch("type", "fire");
  edited.touch("priority", "3");
  edited.follow(shown(4, "", "1"));
  edited.touch("type", "fire!");
  assert.deepEqual(edited.values, { type: "fire!", priority: "1" });
  assert.equal(edited.basis.tag, '"3"');
});

test("what a colleague said since is told at once, and no more when it is unsaid, or written here, too", () => {
  edited.touch("type", "fire");
  edited.follow(shown(4, "gas", "1"));
  assert.deepEqual(edited.news, { type: "gas", priority: "1" });
  edited.follow(shown(5, "", "3"));
  assert.equal(edited.news, null);
  assert.equal(edited.basis.tag, '"5"');
  edited.follow(shown(6, "gas", "3"));
  assert.notEqual(edited.news, null);
  edited.touch("type", "gas");
  assert.equal(edited.news, null);
});

test("an incident that moves on by something else, such as a note, is written upon as it stands", () => {
  edited.touch("type", "fire");
  edited.follow(shown(9, "", "3"));
  assert.equal(edited.news, null);
  assert.deepEqual([edited.basis.incident, edited.basis.tag], ["I", '"9"']);
  edited.follow(shown(2, "", "3", "J"));
  assert.deepEqual([edited.basis.incident, edited.basis.tag], ["J", '"2"']);
});

test("an incident that became another with other words is no base for what was written", () => {
  edited.touch("type", "fire");
  edited.follow(shown(3, "flood", "2", "J"));
  assert.deepEqual(edited.news, { type: "flood", priority: "2" });
  assert.equal(edited.basis.incident, "I");
});

test("the operator takes a colleague's word, or writes upon it", () => {
  for (const choice of ["drop", "keep"]) {
    edited.drop();
    edited.follow(shown(3, "", "3"));
    edited.touch("type", "fire");
    edited.follow(shown(4, "gas", "1"));
    edited[choice]();
    assert.deepEqual(edited.values, { type: choice === "drop" ? "gas" : "fire", priority: "1" });
    assert.equal(edited.news, null);
    assert.equal(edited.basis.tag, '"4"');
  }
  // What comes behind the choice is news again.
  edited.follow(shown(5, "flood", "1"));
  assert.deepEqual(edited.news, { type: "flood", priority: "1" });
});

test("what was saved is followed again, and an old reading of before does not bring back what stood there as news", () => {
  edited.touch("type", "fire");
  edited.saved(shown(4, "fire", "3"));
  edited.follow(shown(3, "", "3"));
  assert.deepEqual(edited.values, { type: "fire", priority: "3" });
  edited.touch("type", "flood");
  edited.follow(shown(4, "fire", "3"));
  assert.equal(edited.news, null);
  assert.equal(edited.basis.tag, '"4"');
  edited.drop();
  edited.follow(shown(10, "gas", "3"));
  edited.follow(shown(9, "fire", "3"));
  assert.equal(edited.values.type, "gas");
});

test("what a colleague said just after what was saved is known whichever comes first, the reading or the answer", () => {
  for (const isReadFirst of [true, false]) {
    edited = new Edited();
    edited.follow(shown(3, "", "3"));
    edited.touch("type", "fire");
    if (isReadFirst) edited.follow(shown(5, "gas", "1"));
    edited.saved(shown(4, "fire", "3"));
    if (!isReadFirst) edited.follow(shown(5, "gas", "1"));
    assert.deepEqual(edited.values, { type: "gas", priority: "1" });
    assert.deepEqual([edited.basis.tag, edited.news, edited.isWritten], ['"5"', null, false]);
  }
});

test("what is written while it is saved is kept", () => {
  edited.touch("type", "fire");
  edited.touch("type", "fire, gas");
  edited.touch("priority", "1");
  edited.saved(shown(4, "fire", "3"));
  assert.deepEqual(edited.values, { type: "fire, gas", priority: "1" });
  assert.equal(edited.basis.tag, '"4"');
  assert.equal(edited.news, null);
  assert.ok(edited.isWritten);
});

test("what is written as it stood is no touch", () => {
  edited.touch("type", "f");
  edited.touch("type", "");
  edited.follow(shown(4, "gas", "1"));
  assert.deepEqual(edited.values, { type: "gas", priority: "1" });
});

test("nothing is touched before it is known what stands there", () => {
  const unread = new Edited();
  unread.touch("type", "fire");
  assert.deepEqual([unread.values, unread.basis, unread.news], [{}, null, null]);
});
