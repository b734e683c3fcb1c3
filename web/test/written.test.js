// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import "./support.js";
import { ready } from "../core/i18n.js";
import { arrival } from "../core/time.js";
import { writtenAt } from "../model/chat.js";

await ready;
globalThis.document.createElement = () => ({});
const words = (parts) => parts.map((part) => (typeof part === "string" ? part : part.dateTime)).join("");

test("what a phone says of when it wrote is read in seconds and in milliseconds, and nothing else is", () => {
  assert.equal(writtenAt("1795419354"), 1_795_419_354_000);
  assert.equal(writtenAt("1795419354123"), 1_795_419_354_123);
  for (const text of ["", undefined, "1", "yesterday", "-1795419354", "1e12", "17954193541234567"]) assert.equal(writtenAt(text), null, String(text));
});

test("old news does not look new: what arrived well behind its writing says both", () => {
  const at = "2026-11-23T07:36:34.000Z";
  assert.equal(words(arrival(at, Date.parse(at) - 40_000)), "written 2026-11-23T07:35:54.000Z · arrived 2026-11-23T07:36:34.000Z");
  for (const written of [null, undefined, 1000, Date.parse(at) - 2_000, Date.parse(at) + 60_000]) assert.equal(words(arrival(at, written)), at, String(written));
});
