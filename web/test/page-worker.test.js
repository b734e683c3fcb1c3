// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { createContext, runInContext } from "node:vm";
import { settled } from "./support.js";

const source = (path) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
const [shared, program] = [source("core/worker.js"), source("core/page-worker.js")];
const origin = "https://centre.example";
const hrefOf = (asked) => new URL(asked.url ?? asked, origin).href.replace(/\?.*$/, "");

/** A worker in a browser, whose centre has `files` by path while it is there; what a browser keeps stands in `stores`. */
function worker(pages, files, stores = new Map(), windows = []) {
  const listeners = {};
  const opened = [];
  const centre = { isThere: true, asked: [] };
  const cacheOf = (store) => ({ put: async (asked, response) => void store.set(hrefOf(asked), response.text), match: async (asked) => (store.has(hrefOf(asked)) ? answerOf(200, store.get(hrefOf(asked))) : undefined) });
  const caches = {
    open: async (name) => cacheOf(stores.get(name) ?? stores.set(name, new Map()).get(name)), keys: async () => [...stores.keys()], delete: async (name) => stores.delete(name),
  };
  const fetch = async (asked) => {
    const path = decodeURI(new URL(asked.url ?? asked, origin).pathname);
    centre.asked.push(path);
    if (!centre.isThere) throw new TypeError("no network");
    const file = path.startsWith("/r/") ? files["/r/"] : files[path];
    return file === undefined ? answerOf(404, "") : answerOf(centre.status ?? 200, file);
  };
  const href = `${origin}/web/core/page-worker.js?${new URLSearchParams([["name", "report-2"], ...pages.map((page) => ["page", page])])}`;
  const self = { clients: { claim: async () => {}, matchAll: async () => windows, openWindow: async (address) => void opened.push(address) }, skipWaiting: async () => {} };
  const scope = createContext({ self, caches, fetch, URL, setTimeout, addEventListener: (name, act) => (listeners[name] = act), location: { href, origin } });
  scope.importScripts = () => runInContext(shared, scope);
  runInContext(program, scope);
  const happen = async (name, event = {}) => {
    let done = null;
    listeners[name]({ ...event, waitUntil: (work) => (done = work) });
    await done;
  };
  /** What a page gets; `null` where the browser asks by itself. */
  const get = async (path, { mode = "navigate", method = "GET", clientId = "one" } = {}) => {
    let answer = null;
    listeners.fetch({ request: { url: new URL(path, origin).href, mode, method }, clientId, resultingClientId: "one", waitUntil() {}, respondWith: (work) => (answer = work) });
    return answer && (await answer).text;
  };
  return { centre, stores, opened, happen, get };
}

const answerOf = (status, text) => ({ status, ok: status === 200, text: Object.assign(async () => text, { toString: () => text }), clone() { return { text }; } });
const said = async (worker, ...all) => String(await worker.get(...all));

const files = {
  "/report": '<script src="/web/page.js">', "/r/": '<script src="/web/page.js">', "/web/page.js": 'import "./part.js"; known["leaflet.js"]', "/web/part.js": 'fetch("/web/pages.json")', "/web/pages.json": "{}",
};

test("a page and all that it names is kept from the first visit; what only looks like a file stops nothing", async () => {
  const one = worker(["/report"], files);
  await one.happen("install");
  assert.deepEqual([...one.stores.get("report-2").keys()].map((address) => address.slice(origin.length)).sort(), ["/report", "/web/page.js", "/web/pages.json", "/web/part.js"]);
});

test("without a network the page is as it was kept, and with one as it is now", async () => {
  const now = { ...files };
  const one = worker(["/report"], now);
  await one.happen("install");
  now["/report"] = "newer";
  assert.equal(await said(one, "/report"), "newer");
  one.centre.isThere = false;
  assert.equal(await said(one, "/report?language=de"), "newer");
  assert.equal(await said(one, "/web/part.js", { mode: "cors" }), 'fetch("/web/pages.json")');
});

test("a proxy that answers for a gateway that is away keeps nobody from the page", async () => {
  const one = worker(["/report"], files);
  await one.happen("install");
  one.centre.status = 502;
  assert.equal(await said(one, "/report"), files["/report"]);
});

test("pages of one kind are kept as one, without what is private in their addresses", async () => {
  const one = worker(["/r/{token}"], files);
  await one.happen("install");
  await one.get("/r/secret");
  one.centre.isThere = false;
  assert.equal(await said(one, "/r/another"), files["/r/"]);
  assert.equal([...one.stores.get("report-2").keys()].some((address) => address.includes("secret")), false);
});

test("what is said there, and other pages, are the network's alone", async () => {
  const one = worker(["/rescue", "/rescue/{report}"], files);
  for (const path of ["/v1/reports", "/rescues", "/rescue/a/b", "/rescue/", "/vendor"]) assert.equal(await one.get(path), null, path);
  assert.equal(await one.get("/rescue", { method: "POST" }), null);
  assert.equal(await one.get("https://elsewhere.example/rescue"), null);
});

test("a newer worker gives up what older ones of its own kept, and nothing of others", async () => {
  const stores = new Map(["report-1", "report-status-1", "call-1"].map((name) => [name, new Map()]));
  await worker(["/report"], files, stores).happen("activate");
  await settled();
  assert.deepEqual([...stores.keys()], ["report-status-1", "call-1"]);
});

test("where not all can be kept, nothing of it counts", async () => {
  const one = worker(["/report"], files);
  one.centre.status = 503;
  await assert.rejects(one.happen("install"));
});

test("a notification leads to the page, which hears what was pressed, and of what", async () => {
  const heard = [];
  const shown = { url: `${origin}/safe#contacts`, postMessage: (message) => heard.push(message), focus: async () => heard.push("focus") };
  const press = async (windows, action, data) => {
    let isClosed = false;
    const one = worker(["/safe"], files, new Map(), windows);
    await one.happen("notificationclick", { action, notification: { data, close: () => (isClosed = true) } });
    assert.equal(isClosed, true);
    return one.opened;
  };
  assert.deepEqual(await press([shown], "again", { id: "a-1" }), []);
  assert.deepEqual(structuredClone(heard), [{ wanted: "again/a-1" }, "focus"]);
  heard.length = 0;
  assert.deepEqual([await press([shown], "", { id: "a-1" }), heard], [[], ["focus"]]);
  assert.deepEqual([await press([], "again", { id: "a-1" }), await press([{ ...shown, url: `${origin}/call` }], "", { id: "a-1" })], [["/safe#again/a-1"], ["/safe"]]);
});
