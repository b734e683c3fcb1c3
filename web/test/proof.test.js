// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { createHash, webcrypto } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { eventOf } from "../model/event.js";
import { checkpointOf, differences, isSigned, leafOf, look, rootOf } from "../source/proof.js";

// Node 18 has it by another name.
globalThis.crypto ??= webcrypto;

const { proofs, key, timeline } = JSON.parse(readFileSync(new URL("../../fixtures/timelines/demo.json", import.meta.url), "utf8"));
const bytes = (text) => new TextEncoder().encode(text);
const sha256 = (...parts) => createHash("sha256").update(Buffer.concat(parts)).digest();
const node = (left, right) => sha256(Buffer.of(1), left, right);

/** The largest power of two below a number. */
const below = (count) => 2 ** Math.floor(Math.log2(count - 1));

/** RFC 9162 §2.1.1, as it is defined there. */
function rootOfAll(leaves) {
  if (leaves.length === 1) return leaves[0];
  const middle = below(leaves.length);
  return node(rootOfAll(leaves.slice(0, middle)), rootOfAll(leaves.slice(middle)));
}

/** RFC 9162 §2.1.3.1. */
function siblings(leaves, index) {
  if (leaves.length === 1) return [];
  const middle = below(leaves.length);
  const [left, right] = [leaves.slice(0, middle), leaves.slice(middle)];
  return index < middle ? [...siblings(left, index), rootOfAll(right)] : [...siblings(right, index - middle), rootOfAll(left)];
}

test("a proof leads to the root of every tree, and of no other place in it", async () => {
  for (let size = 1; size <= 33; size++) {
    const leaves = Array.from({ length: size }, (_, index) => sha256(Buffer.of(0), Buffer.from(`entry ${index}`)));
    const root = rootOfAll(leaves).toString("base64");
    for (let index = 0; index < size; index++) {
      const path = siblings(leaves, index).map((hash) => hash.toString("base64"));
      const leaf = leaves[index].toString("base64");
      assert.equal(await leafOf(bytes(`entry ${index}`)), leaf);
      assert.equal(await rootOf(leaf, index, size, path), root, `${index} of ${size}`);
      assert.notEqual(await rootOf(leaf, index + 1, size, path), root, `${index + 1} in place of ${index} of ${size}`);
      assert.equal(await rootOf(leaf, index, size, [...path, leaf]), null, "too many siblings");
      if (path.length) assert.equal(await rootOf(leaf, index, size, path.slice(1)) === root, false, "too few siblings");
    }
  }
});

test("the demo's entries stand in its ledger, and nothing else does", async () => {
  assert.ok(proofs.length === 3);
  for (const { entry, proof } of proofs) {
    const found = await look(bytes(entry), proof, key);
    assert.deepEqual([found.isSound, found.isSigned, found.size], [true, true, checkpointOf(proof.checkpoint).size]);
    assert.equal((await look(bytes(entry.replace("e", "f")), proof, key)).isSound, false, "another entry");
    assert.equal((await look(bytes(entry), { ...proof, position: String(Number(proof.position) + 1) }, key)).isSound, false, "another place");
    assert.equal((await look(bytes(entry), { ...proof, hashes: proof.hashes.slice(1) }, key)).isSound, false, "a part of the proof");
  }
});

test("a note is signed by its ledger's key, as it stands, and by no other", async () => {
  const { checkpoint } = proofs[0].proof;
  assert.equal(await isSigned(checkpoint, key), true);
  assert.equal(await isSigned(checkpoint.replace("\n", "x\n"), key), false, "another text");
  assert.equal(await isSigned(checkpoint, key.replace(/\+[0-9a-f]{8}\+/, "+00000000+")), false, "a key of another name");
  assert.equal(await isSigned(checkpoint.slice(0, checkpoint.indexOf("\n\n") + 2), key), false, "no signature");
  assert.equal(await isSigned("", key), false);
});

test("what is shown is held against the bytes that are proved, member for member and part for part", () => {
  const shown = proofs.map(({ entry }) => [bytes(entry), timeline.find(({ position }) => position === JSON.parse(entry).position)]);
  for (const [entry, line] of shown) assert.deepEqual(differences(entry, eventOf(line)), []);
  const [entry, line] = shown[0];
  const other = (change) => differences(entry, eventOf({ ...line, ...change }));
  assert.deepEqual(other({ actor: "operator/1" }), ["actor"]);
  assert.deepEqual(other({ time: "2026-11-23T00:00:00.000000Z", type: "stream.stopped/1" }), ["time", "type"]);
  assert.deepEqual(other({ summary: [{ name: "mode", value: "live", isSealed: false }] }), ["mode"]);
});

test("a part in the clear where the bytes have it sealed is not what they say", () => {
  const line = { position: "1", revision: "0", id: "E", type: "chat.message_sent/1", subject: "session/S", actor: "device/d", time: "2026-11-23T00:00:00Z" };
  const { type, ...stored } = line;
  const entry = bytes(JSON.stringify({ ...stored, type, data: { text: { sealed: "k.b" }, size: { width: 3, height: 2 }, count: 1 } }));
  const said = (isSealed) => [{ name: "text", value: "false alarm", isSealed }, { name: "size", value: "3x2", isSealed: false }, { name: "count", value: "1", isSealed: false }];
  assert.deepEqual(differences(entry, eventOf({ ...line, summary: said(true) })), []);
  assert.deepEqual(differences(entry, eventOf({ ...line, summary: said(false) })), ["text"]);
});
