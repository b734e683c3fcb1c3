// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import "./support.js";
import { Unreachable } from "../core/api.js";
import { Kept } from "../core/storage.js";
import { bytesOf, contentBody, dialled, helpShown, inOrder, languageName, languagesToChoose, rightsShown, turned } from "../model/content.js";
import { Content } from "../pages/safe/parts/content.js";

const right = (id, language, title) => ({ id, section: "rights", language, title, text: "" });
const help = (id, title, place = {}, language = "en") => ({ id, section: "resources", language, title, text: "", ...place });
const here = { latitude: 51.65, longitude: -0.39 };

test("rights are grouped by language, the page's first, and sorted by title", () => {
  const items = [right("1", "uk", "B"), right("2", "en", "10 things"), right("3", "de", "A"), right("4", "en", "9 things"), help("5", "H")];
  const shown = (language) => rightsShown(items, language).map((group) => [group.language, group.items.map(({ id }) => id)]);
  assert.deepEqual(shown("en"), [["en", ["4", "2"]], ["de", ["3"]], ["uk", ["1"]]]);
  assert.deepEqual(shown("de")[0], ["de", ["3"]]);
  assert.deepEqual(rightsShown([], "en"), []);
});

test("help is sorted by distance where the phone's place is known; without coordinates it stands last", () => {
  const items = [help("far", "A", { latitude: 52, longitude: -0.39 }), help("none", "B"), help("near", "C", { latitude: 51.651, longitude: -0.39 }), help("null", "D", { latitude: null, longitude: null }), right("r", "en", "R")];
  const found = helpShown(items, "en", here);
  assert.deepEqual(found.map(({ id }) => id), ["near", "far", "none", "null"]);
  assert.deepEqual(found.map(({ metres }) => metres === null), [false, false, true, true]);
  assert.equal(Math.round(found[0].metres), 111);
});

test("without a place help is sorted by the page's language, then by title", () => {
  const items = [help("1", "B", {}, "de"), help("2", "C"), help("3", "A", here)];
  assert.deepEqual(helpShown(items, "en", null).map(({ id }) => id), ["3", "2", "1"]);
  assert.deepEqual(helpShown(items, "de", null).map(({ id }) => id), ["1", "3", "2"]);
  const twice = [help("en", "Shelter", here), help("de", "Unterkunft", here, "de")];
  assert.deepEqual(helpShown(twice, "de", here).map(({ id }) => id), ["de", "en"], "one place in two languages");
});

test("a language is named by itself, and a number is dialled without its spaces", () => {
  assert.deepEqual([languageName("de"), languageName("no such code")], ["Deutsch", "no such code"]);
  assert.deepEqual(["+44 (0)20 7946-0000", "(020) 7946 0000", "116 123"].map(dialled), ["tel:+442079460000", "tel:02079460000", "tel:116123"]);
});

/** A gateway with texts that may be away, and a browser's storage. */
function open(kept = new Map()) {
  const gateway = { isAway: false, asked: 0, items: [right("1", "en", "A")] };
  const api = { async get(path) {
    gateway.asked++;
    if (gateway.isAway) throw new Unreachable();
    assert.equal(path, "/v1/public/content");
    return { items: gateway.items };
  } };
  const storage = new Kept(() => ({ getItem: (name) => kept.get(name) ?? null, setItem: (name, value) => kept.set(name, value), removeItem: (name) => kept.delete(name) }));
  return { gateway, kept, content: new Content(api, () => {}, storage) };
}

test("texts are kept on the phone, and shown without a network", async () => {
  const { content, kept } = open();
  assert.equal(content.kept, null);
  await Promise.all([content.read(), content.read()]);
  assert.deepEqual([content.kept?.items.length, content.isAway], [1, false]);
  const later = open(kept);
  later.gateway.isAway = true;
  const { at, items } = JSON.parse(kept.get("safe-content"));
  kept.set("safe-content", JSON.stringify({ at: new Date(Date.parse(at) - 3_600_000).toISOString(), items }));
  await later.content.read();
  assert.deepEqual([later.content.kept?.items.length, later.content.isAway], [1, true]);
  later.gateway.isAway = false;
  await later.content.read();
  assert.equal(later.content.isAway, false);
});

test("where nothing is kept and the centre is away there is nothing, and it is asked again", async () => {
  const { content, gateway, kept } = open();
  gateway.isAway = true;
  await content.read();
  assert.deepEqual([content.kept, content.isAway, gateway.asked], [null, true, 1]);
  await content.read();
  assert.equal(gateway.asked, 2);
  kept.set("safe-content", "[{");
  assert.equal(content.kept, null, "a damaged note is nothing");
});

test("what was read just now is not read again", async () => {
  const { content, gateway } = open();
  await content.read();
  await content.read();
  assert.equal(gateway.asked, 1);
});

test("a text is sent with address, number and place only where it is a place of help", () => {
  const values = { section: "resources", language: "de", title: " Haus ", text: "Text\n", address: "Hauptstraße 1", phone: " ", isShown: "on" };
  assert.deepEqual(contentBody(values, here), { section: "resources", language: "de", title: "Haus", text: "Text", isShown: true, address: "Hauptstraße 1", ...here });
  assert.deepEqual(contentBody({ ...values, section: "rights", isShown: undefined }, here), { section: "rights", language: "de", title: "Haus", text: "Text", isShown: false });
  const item = /** @type {any} */ ({ id: "1", changedAt: "2026-11-28T12:00:00Z", section: "resources", language: "en", title: "House", text: "", phone: "116123", isShown: true, ...here });
  assert.deepEqual(turned(item, false), { section: "resources", language: "en", title: "House", text: "", isShown: false, phone: "116123", ...here });
});

test("texts stand by list, language and title, and a language that is not to choose stays", () => {
  const items = [help("1", "A"), right("2", "en", "B"), right("3", "de", "C"), right("4", "de", "B")];
  assert.deepEqual(inOrder(items).map(({ id }) => id), ["4", "3", "2", "1"]);
  assert.equal(languagesToChoose("eo").at(-1)?.[0], "eo");
  assert.equal(new Set(languagesToChoose("de").map(([code]) => code)).size, languagesToChoose("de").length);
  assert.equal(bytesOf("aü€"), 6);
});
