// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import "./support.js";

// A site in London: it is read once, when the modules are.
document.querySelector = () => ({ content: JSON.stringify({ zone: "Europe/London" }) });
const { addressOf, charactersMost, consoleOf, isSaid, kinds, piecesOf, replayOf, searchPath, wantedOf } = await import("../model/search.js");
document.querySelector = () => null;

const now = Date.parse("2026-07-02T08:00:00Z");
const nothing = { q: "", kind: "", period: "", from: "", until: "" };

test("what is looked for stands in the address, and comes back from it", () => {
  for (const wanted of [
    nothing, { ...nothing, q: "café & smoke" }, { ...nothing, q: "+44 7712", kind: "session" }, { ...nothing, q: "9C3XM92G+2W", kind: "place", period: "week" },
    { q: "fire", kind: "message", period: "own", from: "2026-07-01T18:00", until: "2026-07-02T06:00" },
  ]) {
    const address = new URL(addressOf(wanted), "https://desk.example");
    assert.equal(address.pathname, "/search");
    assert.deepEqual(wantedOf(address.search), wanted);
  }
  assert.equal(addressOf({ ...nothing, q: "  fire " }), "/search?q=fire");
  assert.equal(addressOf({ ...nothing, q: "fire", from: "2026-07-01T18:00" }), "/search?q=fire", "only a period of one's own has bounds");
  assert.deepEqual(wantedOf("?q=fire&kind=report&period=century&limit=9"), { ...nothing, q: "fire" });
});

test("words are asked for with the kind, and the period by the site's clocks", () => {
  assert.equal(searchPath({ ...nothing, q: " +44 7712 " }, now), "/v1/search?q=%2B44+7712");
  assert.equal(searchPath({ ...nothing, q: "fire", kind: "place", period: "today" }, now, "912"), "/v1/search?q=fire&kind=place&from=2026-07-01T23%3A00%3A00.000Z&until=2026-07-02T23%3A00%3A00.000Z&before=912");
  const own = { ...nothing, q: "fire", period: "own", from: "2026-07-01T18:00", until: "2026-07-01T19:00" };
  assert.equal(searchPath(own, now), "/v1/search?q=fire&from=2026-07-01T17%3A00%3A00.000Z&until=2026-07-01T18%3A00%3A00.000Z");
  assert.equal(searchPath({ ...own, until: "2026-07-01T17:00" }, now), null);
});

test("a letter or a digit of any script is something to look for", () => {
  for (const q of ["a", "7", "ж", "水", " é "]) assert.ok(isSaid(q), q);
  for (const q of ["", "  ", "!?", "+", "🔥"]) assert.ok(!isSaid(q), q);
});

test("the words that match are marked, counted as the gateway counts", () => {
  assert.deepEqual(piecesOf({ text: "🔥 fire, ü", matches: [[3, 7], [9, 10]] }), [
    { text: "🔥 ", isMatch: false }, { text: "fire", isMatch: true }, { text: ", ", isMatch: false }, { text: "ü", isMatch: true },
  ]);
  assert.deepEqual(piecesOf({ text: "fire", matches: [[0, 4]] }), [{ text: "fire", isMatch: true }]);
  assert.deepEqual(piecesOf({ text: "<b>", matches: [] }), [{ text: "<b>", isMatch: false }]);
});

test("a finding leads to its moment and to its session", () => {
  const finding = { kind: "message", position: "7", at: "2026-07-02T08:00:00Z", session: "s", incident: "i", caller: { person: "p" }, snippet: { text: "", matches: [] } };
  assert.equal(replayOf(finding), "/replay/i?entry=7");
  assert.equal(consoleOf(finding), "/console?session=s");
});

test("kinds and lengths are those of the gateway", () => {
  const told = readFileSync(new URL("../../Documentation/openapi.yaml", import.meta.url), "utf8");
  const [, words] = /FindingKind: \{enum: \[([^\]]+)\]/.exec(told);
  assert.deepEqual([...kinds].sort(), words.split(", ").sort());
  assert.equal(Number(/name: q, in: query.*?maxLength: (\d+)/.exec(told)[1]), charactersMost);
});

// MARK: The page

const { documentOf, seen } = await import("./dom.js");
const { fill, find } = await import("../core/dom.js");
const { searchReady } = await import("../pages/search/words.js");
const { settled } = await import("./support.js");
await searchReady;
const { SearchView } = await import("../pages/search/parts/view.js");

const item = (position, text, matches, more = {}) => ({ kind: "message", position, at: "2026-07-02T08:00:00Z", session: `s${position}`, incident: "i", caller: { person: "p", phone: "+447712345678" }, from: "caller", snippet: { text, matches }, ...more });

/** The page at an address, with a gateway that answers one thing after the other; an `Error` is thrown. */
async function pageAt(address, answers, opensConsole = true) {
  globalThis.document = documentOf("pages/search/index.html");
  const page = { asked: [], went: [] };
  globalThis.location = new URL(address, "https://desk.example");
  globalThis.history = { pushState: (_, __, to) => (page.went.push(to), (globalThis.location = new URL(to, globalThis.location))) };
  const api = {
    get: async (path) => {
      page.asked.push(path);
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
  page.view = new SearchView(api, { opensConsole });
  fill(find("#main"), page.view.element);
  await page.view.show(location.search);
  page.field = (name) => find(`[name="${name}"]`);
  page.submit = async () => {
    find("form").fire("submit");
    await settled();
  };
  return page;
}

test("an address without words asks nothing, and says what can be searched", async () => {
  const page = await pageAt("/search", []);
  assert.deepEqual(page.asked, []);
  assert.match(seen("main"), /Plus Codes/);
  assert.equal(document.activeElement, page.field("q"));
});

test("what is found is shown with its words marked, and leads to its moment; more is added to it", async () => {
  const page = await pageAt("/search?q=fire&kind=message", [{ items: [item("9", "the fire <b>", [[4, 8]])], next: "9" }, { items: [item("7", "fire", [[0, 4]])] }]);
  assert.equal(page.field("q").value, "fire");
  assert.equal(page.field("kind").value, "message");
  assert.match(seen("main"), /1 found, and there is more/);
  assert.equal(find("mark").textContent, "fire");
  assert.deepEqual(document.querySelectorAll("li a").map((one) => one.getAttribute("href")), ["/replay/i?entry=9", "/console?session=s9"]);
  document.querySelectorAll("button").find((one) => one.textContent === "Show more").fire("click");
  await settled();
  assert.deepEqual(page.asked, ["/v1/search?q=fire&kind=message", "/v1/search?q=fire&kind=message&before=9"]);
  assert.equal(document.querySelectorAll("li.finding").length, 2);
  assert.match(seen("main"), /2 found(?!,)/);
});

test("who has no console is led to the replay alone", async () => {
  await pageAt("/search?q=fire", [{ items: [item("9", "fire", [[0, 4]])] }], false);
  assert.deepEqual(document.querySelectorAll("li a").map((one) => one.getAttribute("href")), ["/replay/i?entry=9"]);
});

test("a search goes into the address, and one without words or findings says so", async () => {
  const page = await pageAt("/search", [{ items: [] }]);
  page.field("q").value = " smoke ";
  await page.submit();
  assert.deepEqual(page.went, ["/search?q=smoke"]);
  assert.match(seen("main"), /Nothing was found for “smoke”/);
  page.field("q").value = "!";
  await page.submit();
  assert.equal(page.asked.length, 1);
  assert.match(seen("main"), /Nothing to search for/);
  page.field("q").value = "smoke";
  page.field("period").value = "own";
  page.field("period").fire("change");
  assert.ok(page.field("from").isSeen, "a period of one's own is asked for once it is complete");
  assert.equal(page.asked.length, 1);
  page.field("from").value = "2026-07-02T18:00";
  page.field("until").value = "2026-07-01T18:00";
  await page.submit();
  assert.equal(page.asked.length, 1);
  assert.match(seen("main"), /ends before it begins/);
});

test("a fault is told, and tried again by hand", async () => {
  const page = await pageAt("/search?q=fire", [new Error("No connection."), { items: [item("9", "fire", [[0, 4]])] }]);
  assert.match(seen("main"), /No connection\./);
  document.querySelectorAll("button").find((one) => one.textContent === "Try again").fire("click");
  await settled();
  assert.doesNotMatch(seen("main"), /No connection/);
  assert.match(seen("main"), /1 found/);
});

test("arrow keys lead from the field to the findings and back", async () => {
  const page = await pageAt("/search?q=fire", [{ items: [item("9", "fire", [[0, 4]]), item("7", "fire", [[0, 4]])] }]);
  const links = document.querySelectorAll("li a").filter((one) => one.getAttribute("href").startsWith("/replay"));
  for (const [from, key, to] of [[page.field("q"), "ArrowDown", links[0]], [links[0], "ArrowDown", links[1]], [links[1], "ArrowUp", links[0]], [links[0], "ArrowUp", page.field("q")]]) {
    from.fire("keydown", { key });
    assert.equal(document.activeElement, to, key);
  }
  page.field("kind").fire("keydown", { key: "ArrowDown" });
  assert.equal(document.activeElement, page.field("q"), "a choice keeps its own keys");
});
