// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { limits, tooLong } from "../core/limits.js";

const web = new URL("../", import.meta.url);
const files = readdirSync(web, { recursive: true }).map(String).filter((file) => !file.startsWith("test/"));
const read = (file) => readFileSync(new URL(file, web), "utf8");

test("a field's length stands in a page beside the limit's name, and is that limit", () => {
  let fields = 0;
  for (const file of files.filter((one) => one.endsWith(".html")))
    for (const [tag, length] of read(file).matchAll(/<[^>]*\s(?:max|min)length="(\d+)"[^>]*>/g)) {
      assert.equal(Number(length), limits[/\sdata-limit="(\w+)"/.exec(tag)?.[1]], `web/${file}: ${tag}`);
      fields++;
    }
  assert.ok(fields > 0);
});

test("no module writes a field's length itself", () => {
  for (const file of files.filter((one) => one.endsWith(".js"))) assert.doesNotMatch(read(file), /\b(?:max|min)length: ?["\d]/, `web/${file}`);
});

test("a text is measured in bytes", () => {
  assert.equal(tooLong("é".repeat(limits.noteBytes / 2), limits.noteBytes), "");
  assert.notEqual(tooLong(`${"é".repeat(limits.noteBytes / 2)}.`, limits.noteBytes), "");
});
