// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import "./support.js";
import { ended, species } from "../model/rescue.js";

const wordsIn = (code) => JSON.parse(readFileSync(new URL(`../pages/public/words.${code}.json`, import.meta.url), "utf8"));
const [english, german] = [wordsIn("en"), wordsIn("de")];

test("the public pages have the same words in both languages, in order", () => {
  assert.deepEqual(Object.keys(german), Object.keys(english));
  assert.deepEqual(Object.keys(english), Object.keys(english).toSorted());
});

test("what comes into a text comes into it in both languages", () => {
  const placesIn = (text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  for (const [key, text] of Object.entries(german)) {
    const places = placesIn(text);
    assert.ok(places.every((name) => placesIn(english[key]).includes(name)), key);
    // Miles are for English alone.
    assert.ok(placesIn(english[key]).every((name) => name === "miles" || places.includes(name)), key);
  }
});

test("every animal and every end of a rescue has its words", () => {
  for (const one of species) assert.ok(english[`species.${one}`], one);
  for (const one of ended) assert.ok(english[`status.${one}`] && english[`status.${one}.told`], one);
});
