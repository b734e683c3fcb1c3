// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { Clock } from "./support.js";
import { API, Problem, Unreachable, all } from "../core/api.js";
import { showReach } from "../dom/reach.js";

let clock, asked, answers;

beforeEach(() => {
  [clock, asked, answers] = [new Clock(), [], []];
  globalThis.fetch = (path, options) => {
    asked.push({ path, ...options });
    const answer = answers.shift() ?? silence;
    return answer(options.signal);
  };
});
afterEach(() => clock.stop());

/** A gateway that is frozen: the connection stands, and nothing comes. */
const silence = (signal) => new Promise((_, reject) => {
  const fail = () => reject(new DOMException("aborted", "AbortError"));
  if (signal.aborted) fail();
  signal.addEventListener("abort", fail);
});
const broken = async () => {
  throw new TypeError("network");
};
const json = (members, { status = 200, headers = {} } = {}) => async () => new Response(JSON.stringify(members), { status, headers });
/** A head, and then a body that stops in the middle. */
const stopped = async (signal) => new Response(new ReadableStream({ start: (body) => signal.addEventListener("abort", () => body.error(new DOMException("aborted", "AbortError"))) }));

/** How a promise ended, and after how long. */
function watched(promise) {
  const watch = { isOver: false };
  promise.then((value) => Object.assign(watch, { isOver: true, value }), (error) => Object.assign(watch, { isOver: true, error }));
  return watch;
}

test("a query, a command and a feed's head end within 8 s when nobody answers", async () => {
  const api = new API("token");
  const watches = [api.get("/v1/me"), api.post("/v1/sessions", {}), api.open("/v1/events", {})].map(watched);
  await clock.pass(7900);
  assert.deepEqual(watches.map((watch) => watch.isOver), [false, false, false]);
  await clock.pass(200);
  for (const { error } of watches) {
    assert.ok(error instanceof Unreachable);
    assert.ok(error.isLate);
  }
});

test("a command that answers a file is sent once, for as long as it may take", async () => {
  answers.push(json({ title: "silent", type: "urn:daybook:problem:camera-silent", cause: "path" }, { status: 503 }));
  const watches = [watched(new API().postForFile("/v1/cameras/7/try", 20_000))];
  await clock.pass(0);
  assert.deepEqual([asked.length, watches[0].error.members.cause], [1, "path"]);
  watches.push(watched(new API().postForFile("/v1/cameras/7/try", 20_000)));
  await clock.pass(19_000);
  assert.equal(watches[1].isOver, false);
  await clock.pass(2000);
  assert.ok(watches[1].error instanceof Unreachable);
});

test("so does one whose answer stops in the middle", async () => {
  answers.push(stopped);
  const watch = watched(new API().get("/v1/me"));
  await clock.pass(8100);
  assert.ok(watch.error instanceof Unreachable);
});

test("a command is tried again under the same id, and all tries end within 8 s", async () => {
  answers.push(broken, json({ title: "busy", type: "urn:daybook:problem:busy" }, { status: 503 }), json({ id: "7" }, { headers: { "Daybook-Position": "41" } }));
  const api = new API();
  const watch = watched(api.post("/v1/sessions", { phone: "+447712345678" }));
  await clock.pass(3000);
  assert.deepEqual(watch.value, { id: "7" });
  assert.equal(new Set(asked.map(({ headers }) => headers["Idempotency-Key"])).size, 1);
  assert.equal(api.position, "41");
  answers.push(broken);
  const frozen = watched(api.post("/v1/sessions", {}));
  await clock.pass(8100);
  assert.ok(frozen.error instanceof Unreachable);
});

test("a refusal is not tried again, and says what the gateway says", async () => {
  answers.push(json({ type: "urn:daybook:problem:session-claimed-by-other", title: "taken", detail: "user 7 has it" }, { status: 409 }));
  const api = new API();
  api.inWords = (text) => text.replace("user 7", "Amina");
  const { error } = await ended(api.post("/v1/sessions/1/claim"));
  assert.ok(error instanceof Problem);
  assert.deepEqual([error.status, error.slug, error.message, asked.length], [409, "session-claimed-by-other", "Amina has it", 1]);
});

test("a token that is no longer good is told, but not of signing in", async () => {
  const api = new API("token");
  let told = 0;
  api.onSignedOut = () => told++;
  answers.push(json({}, { status: 401 }), json({}, { status: 401 }));
  await ended(api.get("/v1/me"));
  await ended(api.post("/v1/auth/login"));
  assert.equal(told, 1);
});

test("who is signed in beside it is told", async () => {
  const api = new API();
  api.as = "123456789";
  let told = 0;
  api.onOther = () => told++;
  answers.push(json({ type: "urn:daybook:problem:signed-in-as-other" }, { status: 409 }));
  await ended(api.get("/v1/me"));
  assert.equal(told, 1);
  assert.equal(asked[0].headers["Daybook-As"], "123456789");
});

test("a picture has more time, and who ends a feed hears of that and of nothing else", async () => {
  const api = new API();
  const upload = watched(api.upload("/v1/pictures", new Blob(["x"]), { key: "k" }));
  await clock.pass(60_000);
  assert.equal(upload.isOver, false);
  await clock.pass(61_000);
  assert.ok(upload.error instanceof Unreachable);
  const ending = new AbortController();
  const feed = watched(api.open("/v1/events", {}, ending.signal));
  ending.abort();
  await clock.pass(0);
  assert.equal(feed.error.name, "AbortError");
});

test("whether the gateway is reached is told behind each request, also behind a refusal", async () => {
  const api = new API();
  const told = [];
  api.onReach = (isReached) => told.push(isReached);
  answers.push(json({}), json({}, { status: 409 }), broken);
  await ended(api.get("/v1/me"));
  await ended(api.get("/v1/me"));
  await ended(api.get("/v1/me"));
  assert.deepEqual(told, [true, true, false]);
});

test("a page without live topics asks on while the gateway is not reached", async () => {
  const [api, bar] = [new API(), { isLive: true }];
  showReach(api, bar);
  answers.push(broken, broken, json({}));
  await ended(api.get("/v1/me"));
  assert.equal(bar.isLive, false);
  await clock.pass(3100);
  assert.deepEqual([bar.isLive, asked.length], [false, 2]);
  await clock.pass(10_000);
  assert.deepEqual([bar.isLive, asked.length], [true, 3]);
});

test("a page with live topics is connected only while they are told", () => {
  const [api, bar] = [new API(), {}];
  let isLive = false;
  showReach(api, bar, () => isLive);
  const seen = [false, true].map((one) => {
    isLive = one;
    api.onReach(true);
    return bar.isLive;
  });
  api.onReach(false);
  assert.deepEqual([...seen, bar.isLive], [false, true, false]);
});

test("queries wait for what this page was told", async () => {
  const api = new API();
  for (const position of ["9", "10", "2", null, undefined]) api.noteShown(position);
  answers.push(json({}), json({}));
  await api.get("/v1/me");
  await api.get("/v1/me", { isLevel: false });
  assert.deepEqual(asked.map(({ headers }) => headers["Daybook-After"]), ["10", undefined]);
});

async function ended(promise) {
  const watch = watched(promise);
  await clock.pass(0);
  return watch;
}

test("a list is read whole, page by page, and says where it stopped", async () => {
  const asked = [];
  const pages = [{ items: [1, 2], next: "2", alerting: true }, { items: [3], next: "3/x" }, { items: [4, 5] }];
  const api = { get: async (path, options) => (asked.push([path, options]), pages[asked.length - 1]) };
  const counts = [];
  assert.deepEqual(await all(api, "/v1/notes?limit=2", { each: (one) => -one, onPage: (count) => counts.push(count), isLevel: false }), { items: [-1, -2, -3, -4, -5], isWhole: true, next: "2", alerting: true });
  assert.deepEqual(asked, ["/v1/notes?limit=2", "/v1/notes?limit=2&after=2", "/v1/notes?limit=2&after=3%2Fx"].map((path) => [path, { isLevel: false }]));
  assert.deepEqual(counts, [2, 3, 5]);
  asked.length = 0;
  const begun = await all(api, "/v1/notes", { cursor: "before", most: 3 });
  assert.deepEqual([begun.items, begun.isWhole, asked.map(([path]) => path)], [[1, 2, 3], false, ["/v1/notes", "/v1/notes?before=2"]]);
});

test("a revision that was shown is named by the command upon it", async () => {
  const api = new API();
  answers.push(json({ id: "I" }, { headers: { ETag: 'W/"7"' } }), json({ id: "I" }), json({}), json({}));
  assert.deepEqual(await api.tagged("/v1/incidents/I"), { members: { id: "I" }, tag: '"7"' });
  assert.equal((await api.tagged("/v1/incidents/I")).tag, null);
  await api.put("/v1/incidents/I/address", { address: "a" }, { ifMatch: '"7"' });
  await api.put("/v1/incidents/I/address", { address: "a" });
  assert.deepEqual(asked.slice(2).map(({ method, headers }) => [method, headers["If-Match"]]), [["PUT", '"7"'], ["PUT", undefined]]);
});

test("what was kept on the device says when it happened", async () => {
  answers.push(json({}), json({}));
  await new API().post("/v1/check-ins", {}, { occurredAt: "2026-11-26T18:00:00.000Z" });
  await new API().post("/v1/check-ins", {});
  assert.deepEqual(asked.map(({ headers }) => headers["Daybook-Occurred-At"]), ["2026-11-26T18:00:00.000Z", undefined]);
});
