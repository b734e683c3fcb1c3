// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { actionsOf, areMoving, sizeOf, stateOf } from "../model/volumes.js";

const volume = (more = {}) => ({ path: "/srv/one", draining: false, here: true, files: 3, bytes: 3000, freeBytes: 9000, ...more });

test("a folder is in use, being emptied, emptied, or not there", () => {
  assert.equal(stateOf(volume()), "used");
  assert.equal(stateOf(volume({ draining: true })), "draining");
  assert.equal(stateOf(volume({ draining: true, files: 0 })), "empty");
  assert.equal(stateOf(volume({ draining: true, here: false, files: 0 })), "away");
});

test("a folder is emptied where another takes recordings, and removed once it is empty", () => {
  const [own, other] = [volume({ path: "media" }), volume()];
  assert.deepEqual(actionsOf(own, [own]), []);
  assert.deepEqual(actionsOf(own, [own, other]), ["drain"]);
  assert.deepEqual(actionsOf(other, [volume({ path: "media", draining: true }), other]), [], "the only one that takes any");
  const [full, empty, away] = [{ draining: true }, { draining: true, files: 0 }, { draining: true, files: 0, here: false }].map(volume);
  assert.deepEqual(actionsOf(full, [own, full]), ["use"]);
  assert.deepEqual(actionsOf(empty, [own, empty]), ["use", "remove"]);
  assert.deepEqual(actionsOf(away, [own, away]), ["use"]);
  const emptied = volume({ path: "media", draining: true, files: 0 });
  assert.deepEqual(actionsOf(emptied, [emptied, other]), ["use"], "the ledger's own stays");
});

test("the list moves while a folder that is there is being emptied", () => {
  assert.equal(areMoving([volume(), volume({ draining: true, files: 0 })]), false);
  assert.equal(areMoving([volume(), volume({ draining: true })]), true);
  assert.equal(areMoving([volume({ draining: true, here: false })]), false);
});

test("bytes are told in the largest unit of which there is one", () => {
  assert.deepEqual(sizeOf(0), [0, "KiB"]);
  assert.deepEqual(sizeOf(512), [0.5, "KiB"]);
  assert.deepEqual(sizeOf(1024 ** 2 * 1.5), [1.5, "MiB"]);
  assert.deepEqual(sizeOf(1024 ** 3), [1, "GiB"]);
  assert.deepEqual(sizeOf(1024 ** 5), [1024, "TiB"]);
});
