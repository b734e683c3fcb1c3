// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { createContext, runInContext } from "node:vm";

const source = (path) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
const [shared, program] = [source("core/worker.js"), source("pages/duty/sw.js")];

/** The worker in a browser, whose centre answers `answer` to each POST; `null` where it is not reached. */
function worker({ answer = null, userAgent = "Chrome", windows = [] } = {}) {
  const listeners = {};
  let shown = [];
  const [posted, opened] = [[], []];
  const registration = {
    showNotification: async (title, options) => {
      shown = [...shown.filter(({ tag }) => !options.tag || tag !== options.tag), { title, ...options, close() { shown = shown.filter((one) => one !== this); } }];
    },
    getNotifications: async ({ tag }) => shown.filter((one) => one.tag === tag),
  };
  const fetch = async (path) => {
    posted.push(path);
    if (!answer) throw new TypeError("no network");
    return { ok: answer.status === 200, status: answer.status, json: async () => ({ state: answer.state }) };
  };
  const self = { registration, clients: { claim: async () => {}, matchAll: async () => windows, openWindow: async (address) => opened.push(address) }, skipWaiting: async () => {} };
  const scope = createContext({ self, fetch, URL, navigator: { userAgent }, addEventListener: (name, act) => (listeners[name] = act), location: { href: "https://centre.example/web/pages/duty/sw.js?have=I+have+it&thanks=Thanks&over=Over&away=Away", origin: "https://centre.example" } });
  scope.importScripts = () => runInContext(shared, scope);
  runInContext(program, scope);
  const happen = async (name, event) => {
    let done = null;
    listeners[name]({ ...event, waitUntil: (work) => (done = work) });
    await done;
  };
  return {
    posted, opened, get shown() { return shown.map(({ title, body, tag, actions }) => [title, body, tag, actions?.length]); },
    push: (message) => happen("push", { data: { json: () => (message === null ? JSON.parse("x") : message) } }), press: (action = "") => happen("notificationclick", { action, notification: shown[shown.length - 1] }),
  };
}

const message = { title: "Call-out: night", body: "A guard's alarm", url: "/duty?x=1", answer: "Xy-1", tag: "c1" };

test("a push is shown with its words, and with a button where it can be answered", async () => {
  const one = worker();
  await one.push(message);
  await one.push({ title: "A test", tag: "t" });
  assert.deepEqual(one.shown, [["Call-out: night", "A guard's alarm", "c1", 1], ["A test", "", "t", 0]]);
});

test("what somebody has does not stay", async () => {
  const one = worker();
  await one.push(message);
  await one.push({ ...message, tag: "c2" });
  await one.push({ close: "c1" });
  assert.deepEqual(one.shown.map(([, , tag]) => tag), ["c2"]);
  const strict = worker({ userAgent: "Version/17 Safari/605" });
  await strict.push({ close: "c1" });
  assert.deepEqual(strict.shown, [["Over", undefined, "c1", undefined]], "Safari wants something shown for each push");
});

test("the button answers, and says what became of it", async () => {
  for (const [answer, title] of [[{ status: 200, state: "answered" }, "Thanks"], [{ status: 200, state: "over" }, "Over"], [{ status: 404 }, "Over"]]) {
    const one = worker({ answer });
    await one.push(message);
    await one.press("have");
    assert.deepEqual([one.posted, one.shown.map(([words]) => words), one.opened], [["/v1/answers/Xy-1"], [title], []]);
  }
});

test("an answer that the centre did not get can be given again", async () => {
  for (const answer of [null, { status: 503 }]) {
    const one = worker({ answer });
    await one.push(message);
    await one.press("have");
    assert.deepEqual(one.shown, [["Call-out: night", "Away", "c1", 1]]);
    await one.press("have");
    assert.equal(one.posted.length, 2);
  }
});

test("a press on the notification opens its page, and answers nothing", async () => {
  const one = worker();
  for (const url of ["/duty?x=1", "https://elsewhere.example/", undefined]) {
    await one.push({ ...message, url });
    await one.press();
  }
  assert.deepEqual([one.opened, one.posted], [["/duty?x=1", "/duty", "/duty"], []]);
});

test("open pages read anew, and the one that is asked for comes to the front", async () => {
  const [told, page] = [[], { url: "https://centre.example/duty", postMessage: (data) => told.push(data), focus: () => told.push("focus") }];
  const one = worker({ windows: [page] });
  await one.push(message);
  await one.press();
  assert.deepEqual([told.map((one) => one.isCalled ?? one), one.opened], [[true, "focus"], []]);
});

test("a push that says nothing is passed over", async () => {
  const one = worker();
  for (const nothing of [null, {}, { body: "x" }]) await one.push(nothing);
  assert.deepEqual(one.shown, []);
});
