// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { afterEach, test } from "node:test";
import { allIn, catalogues, modulesOf, wordsOf } from "./catalogues.js";
import "./support.js";
import { consoleReady } from "../console/words.js";
import { languageFor, languages, ready, t, term, translate, use } from "../core/i18n.js";
import german from "../locales/de.js";
import english from "../locales/en.js";
import { adminReady } from "../pages/admin/words.js";
import { answerReady } from "../pages/answer/words.js";
import { wallReady } from "../pages/cameras/words.js";
import { demoReady } from "../pages/demo/words.js";
import { dutyReady } from "../pages/duty/words.js";
import { patrolsReady } from "../pages/patrols/words.js";
import { replayReady } from "../pages/replay/words.js";
import { reportReady } from "../pages/report/words.js";
import { rescueReady } from "../pages/rescue/words.js";
import { safeReady } from "../pages/safe/words.js";
import { searchReady } from "../pages/search/words.js";
import { trendsReady } from "../pages/trends/words.js";
import { sessionWallReady } from "../pages/wall/words.js";

afterEach(() => use(english, "en"));
await Promise.all([ready, adminReady, answerReady, consoleReady, demoReady, dutyReady, patrolsReady, replayReady, reportReady, rescueReady, safeReady, searchReady, sessionWallReady, trendsReady, wallReady]);
const all = { en: await allIn("en"), de: await allIn("de") };

test("words come by their key, with what comes in", () => {
  assert.equal(t("bar.since", { time: "18:09" }), "Not connected since 18:09.");
  assert.equal(t("bar.call"), "If life is in danger, call 112.");
  assert.equal(t("chat.new", { count: 1 }), "↓ 1 new message");
  assert.equal(t("chat.new", { count: 2 }), "↓ 2 new messages");
  use(german, "de");
  assert.equal(t("chat.new", { count: 1 }), "↓ 1 neue Nachricht");
  assert.equal(t("bar.since", { time: "18:09" }), "Keine Verbindung seit 18:09.");
});

test("a word that a language lacks is English; one that nobody has is its key", () => {
  use({}, "de");
  assert.equal(t("chat.state.seen"), "Seen");
  assert.equal(t("no.such"), "no.such");
});

test("the ledger's words are the reader's, and what somebody wrote stands as it is", () => {
  assert.equal(term("outcome.false_alarm", "false_alarm"), "false alarm");
  for (const written of ["handed to the ambulance", "{emergency}", "toString"]) assert.equal(term(`outcome.${written}`, written), written);
});

test("a language is the one that was chosen, else the first that the browser wishes, else English", () => {
  const spoken = ["en", "de"];
  for (const [chosen, wished, code] of [["de", ["en"], "de"], [null, ["fr-CH", "de-AT", "en"], "de"], [null, ["en-GB", "de"], "en"], [null, [], "en"], ["xx", ["de"], "de"], ["toString", [], "en"], [null, ["constructor"], "en"]])
    assert.equal(languageFor(chosen, wished, spoken), code);
  assert.equal(languageFor("de", ["de"], ["en"]), "en", "a page that has its words in English alone");
  assert.equal(languageFor("en", ["en"], ["de"]), "de", "a page that the gateway wrote in German");
});

test("what is marked in a page gets its words", () => {
  use(german, "de");
  const element = (attributes) => ({ attributes, textContent: "x", getAttribute: (name) => attributes[name], setAttribute: (name, value) => (attributes[name] = value) });
  const all = [element({ "data-t": "front.help" }), element({ "data-t-label": "chat.log" })];
  translate({ querySelectorAll: (selector) => all.filter((one) => selector.slice(1, -1) in one.attributes) });
  assert.deepEqual([all[0].textContent, all[1].attributes["aria-label"], all[1].textContent], ["Ich brauche Hilfe", "Nachrichten", "x"]);
});

const names = (entry) => [...new Set(Object.values(typeof entry === "string" ? { entry } : entry).flatMap((text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)))].sort();

test("every language has every word, each with the same names in it, and all plurals", async () => {
  assert.deepEqual(Object.keys(languages), ["en", "de"]);
  const keys = (await Promise.all(catalogues("en").map(wordsOf))).flatMap(Object.keys);
  assert.deepEqual(keys.filter((key, index) => keys.indexOf(key) !== index), [], "a word stands in one catalogue");
  for (const file of catalogues("en")) assert.deepEqual(Object.keys(await wordsOf(file.replace(/en\.js$/, "de.js"))).sort(), Object.keys(await wordsOf(file)).sort(), file);
  for (const [code, catalogue] of Object.entries(all)) {
    assert.deepEqual(Object.keys(catalogue).sort(), Object.keys(all.en).sort(), code);
    const categories = new Intl.PluralRules(code).resolvedOptions().pluralCategories;
    for (const [key, entry] of Object.entries(catalogue)) {
      assert.deepEqual(names(entry), names(all.en[key]), `${code} ${key}`);
      if (typeof entry !== "string") assert.deepEqual(Object.keys(entry).sort(), [...categories].sort(), `${code} ${key}`);
    }
  }
});

test("every word that a page asks for is there, and every one that is there is asked for", () => {
  const sources = files(root).filter(({ pathname }) => /\.(js|html)$/.test(pathname) && !/\/(test|locales)\//.test(pathname));
  const texts = sources.map((file) => readFileSync(file, "utf8").replace(/^\s*\*.*$/gm, ""));
  const asked = new Set(texts.flatMap((text) => [...text.matchAll(/\bt\(\s*"([\w.-]+)"|data-t(?:-\w+)?="([^"]+)"/g)].map(([, one, other]) => one ?? other)));
  assert.deepEqual([...asked].filter((key) => !Object.hasOwn(all.en, key)), []);
  // A key may be put together, as of states: then its beginning stands in the source.
  const isAsked = (key) => asked.has(key) || texts.some((text) => text.includes(`"${key}"`) || text.includes(`\`${key.slice(0, key.lastIndexOf(".") + 1)}\${`));
  assert.deepEqual(Object.keys(all.en).filter((key) => !isAsked(key)), []);
});

const root = new URL("../", import.meta.url);
const files = (folder) => readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? files(new URL(`${entry.name}/`, folder)) : [new URL(entry.name, folder)]));

test("no caller waits for the words of those who work here, and each of their pages has its own", () => {
  const staff = (file) => [...modulesOf(file)].filter((one) => one.startsWith("locales/staff/")).sort();
  for (const file of ["call/call.js", "call/join.js", "pages/answer/page.js", "pages/report/page.js", "pages/report/status.js", "pages/safe/page.js"]) assert.deepEqual(staff(file), [], file);
  assert.deepEqual(staff("console/console.js"), ["locales/staff/channel/en.js", "locales/staff/console/en.js", "locales/staff/kept/en.js", "locales/staff/nearby/en.js"]);
  assert.deepEqual(staff("pages/replay/page.js"), ["locales/staff/en.js", "locales/staff/kept/en.js", "locales/staff/patrol/en.js", "locales/staff/replay/en.js", "locales/staff/rescue/en.js", "locales/staff/said/en.js"]);
  assert.deepEqual(staff("pages/patrol/page.js"), ["locales/staff/channel/en.js", "locales/staff/en.js", "locales/staff/patrol/en.js"]);
  assert.deepEqual(staff("pages/patrols/page.js"), ["locales/staff/channel/en.js", "locales/staff/en.js", "locales/staff/nearby/en.js", "locales/staff/patrol/en.js", "locales/staff/patrols/en.js"]);
  assert.deepEqual(staff("pages/admin/page.js"), ["locales/staff/duty/en.js", "locales/staff/en.js", "locales/staff/set-up/en.js"]);
  assert.deepEqual(staff("pages/cameras/page.js"), ["locales/staff/channel/en.js", "locales/staff/en.js", "locales/staff/wall/en.js"]);
  assert.deepEqual(staff("pages/wall/page.js"), ["locales/staff/en.js", "locales/staff/session-wall/en.js"]);
  assert.deepEqual(staff("pages/duty/page.js"), ["locales/staff/duty/en.js", "locales/staff/en.js"]);
  assert.deepEqual(staff("pages/rescue/page.js"), ["locales/staff/en.js", "locales/staff/nearby/en.js", "locales/staff/rescue/en.js"]);
  assert.deepEqual(staff("pages/demo/page.js"), ["locales/staff/demo/en.js", "locales/staff/en.js"]);
  assert.deepEqual(staff("pages/trends/page.js"), ["locales/staff/en.js", "locales/staff/rescue/en.js", "locales/staff/trends/en.js"]);
});

/** The text of an element in a page is the English of its key, so that the page is true before its words are read. */
test("what stands in a page is the English of its key", () => {
  for (const file of files(root).filter(({ pathname }) => pathname.endsWith(".html")))
    for (const [, key, text] of readFileSync(file, "utf8").matchAll(/\sdata-t="([^"]+)"[^>]*>([^<]*)</g)) assert.equal(text.trim(), t(key), `${file.pathname}: ${key}`);
});
