// SPDX-License-Identifier: Apache-2.0
/**
 * Says what is wrong with the pages' files by themselves, without a browser and without anybody else's package:
 *
 *     node --no-warnings --experimental-vm-modules web/test/lint.js
 *
 * Each module is read as a browser reads it, up to where it would run: syntax, files that it imports, names that they do not have.
 */
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { SourceTextModule, SyntheticModule, createContext } from "node:vm";

const web = join(dirname(fileURLToPath(import.meta.url)), "..");
const files = readdirSync(web, { withFileTypes: true, recursive: false }).flatMap((entry) => walk(entry, web));
const faults = [];
const fault = (file, text) => faults.push(`web/${file}: ${text}`);

function walk(entry, folder) {
  const path = join(folder, entry.name);
  return entry.isDirectory() ? readdirSync(path, { withFileTypes: true }).flatMap((inner) => walk(inner, path)) : [relative(web, path)];
}

const text = (file) => readFileSync(join(web, file), "utf8");
/** What a program says, without what it only notes. */
const bare = (source) => source.replace(/\/\*[\s\S]*?\*\//g, (note) => note.replace(/[^\n]/g, " ")).replace(/(^|[^:"'`\\])\/\/[^\n]*/g, "$1");

// MARK: Modules

const modules = new Map();

/** A module of ours, read but not run. */
function moduleAt(file) {
  if (!modules.has(file)) modules.set(file, new SourceTextModule(text(file), { identifier: file, context }));
  return modules.get(file);
}

const context = createContext({});

function link(name, from) {
  // A test may use what Node has.
  if (name.startsWith("node:")) return outside(name);
  const file = normalize(name.startsWith("/web/") ? name.slice("/web/".length) : join(dirname(from.identifier), name));
  if (!files.includes(file)) throw new Error(`there is no web/${file}`);
  return moduleAt(file);
}

async function outside(name) {
  const found = await import(name);
  return new SyntheticModule(Object.keys(found), () => {}, { context, identifier: name });
}

for (const file of files.filter((one) => one.endsWith(".js"))) {
  try {
    const module = moduleAt(file);
    if (module.status === "unlinked") await module.link(link);
  } catch (error) {
    fault(file, error.message);
    // What hangs on it is not to be told as well.
    modules.delete(file);
  }
}

// MARK: What is not to be written

const isTest = (file) => file.startsWith("test/");
const onPage = (file) => !isTest(file) && /\.(js|css|html)$/.test(file);

/** Words, where they are not to stand, and why. */
const rules = [
  [/\b(?:innerHTML|outerHTML|insertAdjacentHTML|document\.write)\b/, onPage, "text only ever becomes text nodes: h() of core/dom.js"],
  [/\beval\(|\bnew Function\(/, onPage, "no text becomes a program"],
  [/\bconsole\.(?:log|debug)\b|\bdebugger\b/, onPage, "left over from trying"],
  [/\blight-dark\(|\bcolor-mix\(/, onPage, "phones of years ago do not know it: colours stand in ui/tokens.css"],
  [/\(\?<[=!]/, onPage, "Safari before 16.4 does not read the file at all"],
  [/\bAbortSignal\.(?:timeout|any)\(|\.checkVisibility\(|\.toWellFormed\(|\b(?:Object|Map)\.groupBy\(|\bPromise\.(?:withResolvers|try)\(|\.to(?:Sorted|Reversed|Spliced)\(|\bArray\.fromAsync\(|\bnew Intl\.Segmenter\(/, onPage, "browsers of four years ago lack it: ask for it with ?., or do without"],
  [/\b(?:document|window|localStorage|sessionStorage|fetch|WebSocket)\b(?!["'`-])/, (file) => /^model\/.*\.js$/.test(file), "a model knows neither page nor network"],
  [/from "[^"]*core\/(?:api|topics|chat)\.js"/, (file) => /^ui\/.*\.js$/.test(file), "an element gets its data by property and never asks for it"],
  [/\bIntl\.DateTimeFormat\(|\.toLocale(?:Date|Time)String\(/, (file) => onPage(file) && !/^core\/(?:time|site)\.js$/.test(file), "dates and times are the site's, whoever looks from wherever: core/time.js"],
  [/\.toLocaleString\(|\bIntl\.NumberFormat\(/, (file) => onPage(file) && file !== "core/i18n.js", "numbers are the reader's: numeral() of core/i18n.js"],
  [/\son[a-z]+="|\sstyle="|<style\b|<script(?![^>]*\ssrc=)/, (file) => file.endsWith(".html"), "the pages' policy runs nothing that stands in the page"],
];

for (const file of files.filter((one) => /\.(js|css|html)$/.test(one))) {
  const source = text(file);
  if (!source.slice(0, 200).includes("SPDX-License-Identifier: Apache-2.0")) fault(file, "begins without its licence");
  const lines = bare(source).split("\n");
  for (const [pattern, holds, why] of rules) {
    if (!holds(file)) continue;
    lines.forEach((line, index) => pattern.test(line) && fault(file, `line ${index + 1}: ${pattern.exec(line)[0].trim()}: ${why}`));
  }
}

// MARK: Words that are in no catalogue

/** The pages that have all their words in every language, and what they alone show. */
const speaks = (file) => /^(?:pages|dom)\/.*\.js$|^model\/words\.js$/.test(file);
/** Two words in a row, or a word as a sentence begins; what begins like a selector is one. */
const readAloud = /^(?![.#[]).*\p{L}{2,} \p{L}{2,}|^\p{Lu}\p{Ll}+/su;
const texts = /"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;
/** What nobody reads here: imports, names of styles, and why something was done, which stands in the ledger. */
const unread = /^(?:import|export) [^;]*from "[^"]+";|^import "[^"]+";|\b(?:class: |className = )(?:`(?:[^`\\]|\\.)*`|[^,;}`])*|\breason: "[^"]*"/gm;
/** A text as the first thing that an element holds. */
const held = /\bh\("[\w-]+", \{[^{}]*\}, ("[^"]*\p{L}{2,}[^"]*")/gu;

for (const file of files.filter(speaks)) {
  const source = bare(text(file)).replace(unread, "");
  const said = [...source.matchAll(texts)].map(([text]) => text).filter((text) => readAloud.test(text.slice(1, -1).replace(/\$\{[^}]*\}/g, "0")));
  for (const words of new Set([...said, ...[...source.matchAll(held)].map(([, text]) => text)])) fault(file, `${words}: words stand in a catalogue: t() of core/i18n.js`);
}

for (const file of files.filter((one) => /^pages\/.*\.html$/.test(one))) {
  const shown = text(file).replace(/<!--[\s\S]*?-->/g, "");
  for (const [, attributes, words] of shown.matchAll(/<[a-z][\w-]*((?:\s[^<>]*)?)>([^<]*\p{L}[^<]*)/gu))
    if (!/\sdata-t=/.test(attributes) && words.trim() !== "Daybook") fault(file, `${words.trim()}: words in a page have their key beside them: data-t`);
}

// MARK: Names that nobody uses

for (const file of files.filter((one) => one.endsWith(".js"))) {
  const source = bare(text(file));
  for (const [whole, names] of source.matchAll(/^import (?:\w+ from |\{([^}]*)\} from )"[^"]+";/gm)) {
    const rest = source.replace(whole, "");
    for (const name of (names ?? "").split(",").map((one) => one.trim().split(/\s+as\s+/).pop()).filter(Boolean)) {
      if (!new RegExp(`(?<![\\w$.])${name.replace(/\$/g, "\\$")}(?![\\w$])|\\.\\.\\.${name}\\b`).test(rest)) fault(file, `imports ${name} and does not use it`);
    }
  }
}

// MARK: Files that others name

const served = (address) => address.replace(/^\/web\//, "").replace(/[?#].*$/, "");
const naming = [
  [/\b(?:href|src)="(\/web\/[^"]+)"/g, (address) => served(address), (file) => file.endsWith(".html")],
  [/\bimport\("([^"]+)"\)/g, (address, file) => (address.startsWith("/") ? served(address) : normalize(join(dirname(file), address))), (file) => file.endsWith(".js")],
  [/url\("?([^")]+)"?\)/g, (address, file) => (address.startsWith("/") ? served(address) : normalize(join(dirname(file), address))), (file) => file.endsWith(".css")],
];

for (const file of files) {
  for (const [pattern, pathOf, holds] of naming) {
    if (!holds(file)) continue;
    for (const [, address] of text(file).matchAll(pattern)) {
      if (/^(?:data:|#|\/vendor\/)/.test(address)) continue;
      if (!files.includes(pathOf(address, file))) fault(file, `names ${address}, which is not there`);
    }
  }
}

for (const file of files.filter((one) => one.endsWith(".html"))) {
  const ids = [...text(file).matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
  for (const id of new Set(ids.filter((one, index) => ids.indexOf(one) !== index))) fault(file, `has the id ${id} twice`);
}

for (const file of files.filter((one) => one.endsWith(".json") || one.endsWith(".webmanifest"))) {
  try {
    JSON.parse(text(file));
  } catch (error) {
    fault(file, error.message);
  }
}

console.log(faults.length ? faults.join("\n") : `${files.length} files of the pages, ${modules.size} modules linked: nothing wrong`);
process.exitCode = faults.length ? 1 : 0;
