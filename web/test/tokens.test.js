// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

const at = (path) => new URL(`../${path}`, import.meta.url);
const css = readFileSync(at("ui/tokens.css"), "utf8");

/** The declarations of the block behind a selector. */
const block = (selector) => {
  const from = css.indexOf("{", css.indexOf(selector)) + 1;
  return Object.fromEntries([...css.slice(from, css.indexOf("}", from)).matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name, value]) => [name, value]));
};
const light = block(":root {");
const [bySystem, byChoice] = [block(':root:not([data-theme="light"])'), block(':root[data-theme="dark"]')];

test("dark is the same by the system's choice and by one's own", () => {
  assert.deepEqual(bySystem, byChoice);
  assert.ok(Object.keys(byChoice).length > 20);
});

test("every colour has a light and a dark value", () => {
  const colours = Object.keys(light).filter((name) => light[name].startsWith("#"));
  assert.deepEqual(colours.filter((name) => !byChoice[name]), []);
  assert.deepEqual(Object.keys(byChoice).filter((name) => !light[name]), []);
});

/** Relative luminance (WCAG 2.2). */
const luminance = (colour) => [1, 3, 5].map((index) => parseInt(colour.slice(index, index + 2), 16) / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)).reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
const contrast = (one, other) => {
  const [dim, bright] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (bright + 0.05) / (dim + 0.05);
};

for (const [theme, tokens] of [["light", light], ["dark", byChoice]])
  test(`words can be read in ${theme}`, () => {
    const pairs = [...["--text", "--text-soft", "--accent", "--good", "--warn", "--bad"].flatMap((words) => ["--surface", "--ground", "--raised"].map((ground) => [words, ground])),
      ["--on-accent", "--accent"], ["--on-live", "--live"], ["--good", "--good-soft"], ["--warn", "--warn-soft"], ["--bad", "--bad-soft"], ["--accent", "--accent-soft"], ["--text", "--accent-soft"], ["--text", "--warn-soft"], ["--text", "--bad-soft"], ["--map-words", "--map-sea"], ["--map-words", "--map-land"]];
    for (const [words, ground] of pairs) assert.ok(contrast(tokens[words], tokens[ground]) >= 4.5, `${words} on ${ground}: ${contrast(tokens[words], tokens[ground]).toFixed(2)}`);
  });

test("every colour that a page asks for is there", () => {
  for (const folder of ["ui", "map", "call", "console"])
    for (const file of readdirSync(at(folder)).filter((name) => name.endsWith(".css"))) {
      const text = readFileSync(at(`${folder}/${file}`), "utf8");
      for (const [, name, fallback] of text.matchAll(/var\((--[\w-]+)(,)?/g)) assert.ok(light[name] || fallback || text.includes(`${name}:`), `${folder}/${file} asks for ${name}`);
    }
});
