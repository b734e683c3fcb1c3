// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import "./support.js";
import { markdown } from "../model/markdown.js";

/** A tree as it is written briefly: `p(one, strong(two))`. */
const brief = (part) => (typeof part === "string" ? part : `${part.tag}${part.href ? `<${part.href}>` : ""}${part.start ? `@${part.start}` : ""}(${part.children.map(brief).join(", ")})`);
const read = (text) => markdown(text).map(brief).join(" ");
/** All tags and addresses of a tree. */
const all = (parts) => parts.flatMap((part) => (typeof part === "string" ? [] : [part, ...all(part.children)]));
/** All text of a tree. */
const said = (parts) => parts.map((part) => (typeof part === "string" ? part : said(part.children))).join("");

const cases = [
  ["a paragraph with a line break, and another", "One\ntwo\n\nthree", "p(One, br(), two) p(three)"],
  ["bold and italic, one within the other", "**a *b* c** and __d__ _e_", "p(strong(a , em(b),  c),  and , strong(d),  , em(e))"],
  ["marks within words and numbers are text", "snake_case_name 3 * 4 * 5", "p(snake_case_name 3 * 4 * 5)"],
  ["marks that are not closed are text", "a **b *c* [d", "p(a **b , em(c),  [d)"],
  ["marks that cross: the first is closed", "**a *b** c*", "p(strong(a *b),  c*)"],
  ["marks with nothing in them are text", "**** a", "p(**** a)"],
  ["headings below those of the page, without gaps", "# A\n### B\ntext\n# C", "h3(A) h4(B) p(text) h3(C)"],
  ["no heading without a space", "#one", "p(#one)"],
  ["a list of dots, with a line that is set in", "- a\n  more\n- **b**\n* c\n\ntext", "ul(li(a, br(), more), li(strong(b)), li(c)) p(text)"],
  ["a list of numbers from another than one", "3. a\n4) b", "ol@3(li(a), li(b))"],
  ["blank lines within a list", "1. a\n\n2. b", "ol(li(a), li(b))"],
  ["lists of both kinds one after the other", "- a\n1. b", "ul(li(a)) ol(li(b))"],
  ["links of all kinds", "[a](https://a.example/x?y=1) [b](tel:+447700900123) [c](mailto:a@b.example) [d](http://d.example)", "p(a<https://a.example/x?y=1>(a),  , a<tel:+447700900123>(b),  , a<mailto:a@b.example>(c),  , a<http://d.example>(d))"],
  ["bold within a link, and a link within bold", "[**a**](tel:1) **[b](tel:2)**", "p(a<tel:1>(strong(a)),  , strong(a<tel:2>(b)))"],
  ["a link without words shows its address", "[](https://a.example)", "p(a<https://a.example>(https://a.example))"],
  ["escaped signs are themselves", "\\*a\\* \\[b\\](tel:1)", "p(*a* [b](tel:1))"],
  ["lines of other systems", "a\r\nb\rc", "p(a, br(), b, br(), c)"],
  ["nothing", " \n\n ", ""],
];

for (const [name, text, tree] of cases) test(name, () => assert.equal(read(text), tree));

test("HTML is text, and nothing is lost of it", () => {
  const text = `<script>alert(1)</script> <img src=x onerror="alert(1)"> &lt;b&gt;`;
  assert.equal(said(markdown(text)), text);
  assert.deepEqual(all(markdown(text)).map(({ tag }) => tag), ["p"]);
});

test("a link that leads to a program, or nowhere, is text", () => {
  const addresses = ["javascript:alert(1)", "JavaScript:alert(1)", " javascript:alert(1)", "java\tscript:alert(1)", "data:text/html,x", "vbscript:x", "//evil.example", "/call", "#alert", "file:///etc/passwd", "https:", "https:/a", "blob:x", "\u0001javascript:x", "tel:"];
  for (const address of addresses) {
    const parts = markdown(`before [press](${address}) after`);
    assert.deepEqual(all(parts).filter(({ tag }) => tag === "a"), [], address);
    assert.ok(said(parts).startsWith("before [press]("), address);
  }
});

test("no tag is there but these, and only links have an address, whatever comes", () => {
  const known = new Set(["p", "h3", "h4", "h5", "h6", "ul", "ol", "li", "strong", "em", "a", "br"]);
  const pieces = ["**", "*", "_", "__", "[", "](", ")", "](https://a.example)", "](javascript:x)", "<script>", "\\", "\n", "\n\n", "# ", "- ", "1. ", " ", "a", "é", "\ud800", "\u0000"];
  let seed = 7;
  const next = (most) => (seed = (seed * 48271) % 2147483647) % most;
  for (let round = 0; round < 1000; round++) {
    const text = Array.from({ length: next(30) }, () => pieces[next(pieces.length)]).join("");
    const parts = all(markdown(text));
    assert.ok(parts.every(({ tag, href }) => known.has(tag) && (tag === "a" ? /^https:\/\/a\.example$/.test(href ?? "") : href === undefined)), JSON.stringify(text));
    assert.ok(parts.filter(({ tag }) => tag === "a").every(({ children }) => all(children).every(({ tag }) => tag !== "a")), `a link in a link: ${JSON.stringify(text)}`);
  }
});

test("deep nesting stays shallow, and long input is read whole", () => {
  const depth = (parts) => parts.reduce((most, part) => (typeof part === "string" ? most : Math.max(most, 1 + depth(part.children))), 0);
  const many = 50_000;
  for (const piece of ["*a ", "**a ", "[a ", "_a ", "](", "](a", "\\", "[a](", "**a*", "*_[", "- ", "  ", "# ", "1. ", "a", "\n", "> ", "((((", "****", "*a**b"]) {
    const parts = markdown(piece.repeat(many));
    assert.ok(depth(parts) <= 5, piece);
  }
  assert.equal(said(markdown(`[${"a ".repeat(many)}`)).length, 2 * many);
});
