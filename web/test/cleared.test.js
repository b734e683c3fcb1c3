// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import "./support.js";
import { cleared } from "../call/cleared.js";
import { keep } from "../call/keep.js";

const messages = ["a", "b", "c"].map((id) => ({ id }));
const left = (session) => cleared.messagesLeft(session, messages).map(({ id }) => id);

test("what was cleared is not seen again, what is new is, and nothing is before", () => {
  assert.deepEqual(left("s1"), ["a", "b", "c"]);
  assert.ok(!cleared.isAny("s1"));
  cleared.add("s1", { messages: ["a"], notes: ["claimed"] });
  assert.deepEqual(left("s1"), ["b", "c"]);
  assert.ok(cleared.isAny("s1"));
  assert.deepEqual(cleared.notesLeft("s1", [{ key: "claimed" }, { key: "video" }]), [{ key: "video" }]);
});

test("cleared twice: both are gone", () => {
  cleared.add("s1", { messages: ["b"], notes: [] });
  assert.deepEqual(left("s1"), ["c"]);
});

test("another contact is seen whole", () => {
  assert.deepEqual(left("s2"), ["a", "b", "c"]);
});

test("a note of it that cannot be read hides nothing", () => {
  keep.set("cleared", "{");
  assert.deepEqual(left("s1"), ["a", "b", "c"]);
});
