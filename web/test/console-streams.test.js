// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { endWords, inFront, tileName } from "../console/streams.js";

const stream = (id, state, isOwn = true) => ({ id, state, isOwn });
const front = (streams, shown = null, isChosen = false) => inFront(streams, shown, isChosen)?.id;

test("nothing is in front of nothing", () => assert.equal(front([]), undefined));

test("another caller's live picture comes before one's own finished recording", () => {
  const streams = [stream("own", "finalized"), stream("other", "live", false)];
  assert.equal(front(streams), "other");
  assert.equal(front(streams, "own"), "other");
});

test("one's own live picture comes before another's, and the newest before older ones", () => {
  const streams = [stream("old", "live"), stream("other", "live", false), stream("new", "live")];
  assert.equal(front(streams), "new");
  assert.equal(front(streams, "other"), "new");
  assert.equal(front([stream("own", "live"), stream("other", "live", false)], "own"), "own");
});

test("what somebody chose stays in front", () => {
  assert.equal(front([stream("own", "finalized"), stream("other", "live", false)], "own", true), "own");
});

test("what ended while it was looked at stays, as long as nothing else is live", () => {
  assert.equal(front([stream("first", "finalized"), stream("other", "finalized", false), stream("last", "finalized")], "first"), "first");
});

test("a connection that is lost for a moment takes no picture from the front", () => {
  assert.equal(front([stream("own", "interrupted"), stream("other", "live", false)], "own"), "own");
});

test("with recordings alone one's own newest is in front", () => {
  assert.equal(front([stream("one", "finalized"), stream("two", "finalized"), stream("other", "finalized", false)]), "two");
});

test("a tile says whose it is, and with which camera where one phone films with both", () => {
  const films = (id, camera, state = "live", phone = "+44 1") => ({ id, camera, state, phone });
  const names = (...streams) => streams.map((one) => tileName(one, streams));
  assert.deepEqual(names(films("a", "rear"), films("b", "rear", "live", "+44 2")), ["+44 1", "+44 2"]);
  assert.deepEqual(names(films("a", "front"), films("b", "rear", "interrupted"), films("c", "rear", "finalized")), ["+44 1 · front", "+44 1 · rear", "+44 1"]);
  assert.deepEqual(names({ id: "a", state: "live" }), ["number unknown"]);
});

test("why a stream ended is said as an operator would, and what is not known as it stands", () => {
  assert.equal(endWords("navigated"), "the caller went to the chat");
  assert.equal(endWords("the camera gave no picture any more"), "the camera gave no picture any more");
});
