// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import "./support.js";
import { wordings } from "../call/wordings.js";
import german from "../locales/de.js";
import english from "../locales/en.js";

/** What each version that the ledger may name says; a line of one that was ever in use is never changed, another version gets another line. */
const known = {
  "hoax-2026-11-23": { en: "fb1bd73c55e9ccfd", de: "3a9d3d9dc67f65c8" },
  "video-2026-11-23": { en: "0b7bd2c5e5b8db75", de: "b605752d6f53bcf4" },
  "location-2026-11-23": { en: "04190d52b0aee144", de: "a40215168c9a9bf1" },
};

test("a version of what was agreed to names one wording in each language", () => {
  for (const { version, words } of Object.values(wordings)) {
    for (const [code, catalogue] of Object.entries({ en: english, de: german })) {
      const text = words.map((key) => catalogue[key]).join("\n");
      assert.ok(!text.includes("undefined"), `${version} lacks a word in ${code}`);
      assert.equal(createHash("sha256").update(text).digest("hex").slice(0, 16), known[version][code], `the words of ${version} changed in ${code}: give them a new version`);
    }
  }
});
