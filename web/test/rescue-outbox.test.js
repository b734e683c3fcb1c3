// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { Clock, settled } from "./support.js";
import { Problem, Unreachable } from "../core/api.js";
import { Kept } from "../core/storage.js";
import { Missions } from "../pages/rescue/parts/missions.js";
import { Outbox } from "../pages/rescue/parts/outbox.js";
import { Shelf } from "../pages/rescue/parts/shelf.js";
import { rescueReady } from "../pages/rescue/words.js";

await rescueReady;

let clock;
beforeEach(() => (clock = new Clock()));
afterEach(() => clock.stop());

const problem = (status, slug) => new Problem(status, { type: `urn:daybook:problem:${slug}`, detail: `the centre says ${slug}` });
const inMemory = () => new Kept(() => null);

/** A centre that takes what is sent while it is there; `answers` come first, in turn. */
function gateway(...answers) {
  const centre = { isThere: true, sent: [], reads: [] };
  const answer = async (path, what, key, occurredAt) => {
    if (!centre.isThere) throw new Unreachable();
    centre.sent.push({ path, what, key, occurredAt });
    const next = answers.shift();
    if (next instanceof Error) throw next;
    return next ?? {};
  };
  centre.api = { post: (path, body, { key, occurredAt }) => answer(path, body, key, occurredAt), upload: (path, blob, { key }) => answer(path, blob, key), get: async (path) => centre.reads.push(path) && centre.answer(path) };
  return centre;
}

/** An outbox of user 7, whose photos no browser keeps. */
function box(centre, { storage = inMemory(), shelf = new Shelf(() => { throw new Error("none"); }), user = "7" } = {}) {
  const told = [];
  const outbox = new Outbox(centre.api, user, { onSent: ({ kind }) => told.push(`${kind} sent`), onRefused: ({ kind }) => told.push(`${kind} refused`) }, shelf, storage);
  return { outbox, told, storage, shelf };
}

test("what is pressed without a network waits, and is sent later in order, under its key and with its own time", async () => {
  const centre = gateway();
  const { outbox, told } = box(centre);
  centre.isThere = false;
  await outbox.step("a", "acknowledged");
  await clock.pass(10);
  outbox.step("a", "heading_out");
  outbox.update("a", "  On the road ");
  await settled();
  const waiting = outbox.waiting("a");
  assert.deepEqual(waiting.map(({ kind }) => kind), ["step", "step", "update"]);
  centre.isThere = true;
  await clock.pass(20_000);
  assert.deepEqual(centre.sent.map(({ path, what }) => [path, what]), [["/v1/reports/a/status", { to: "acknowledged" }], ["/v1/reports/a/status", { to: "heading_out" }], ["/v1/reports/a/updates", { text: "On the road" }]]);
  assert.deepEqual(centre.sent.map(({ key, occurredAt }) => [key, occurredAt]), waiting.map(({ key, at }) => [key, at]));
  assert.deepEqual([told, outbox.waiting()], [["step sent", "step sent", "update sent"], []]);
});

test("what waits outlives the page, goes out under the same key, and is sent as nobody else's", async () => {
  const centre = gateway();
  centre.isThere = false;
  const { outbox, storage } = box(centre);
  outbox.step("a", "on_scene", " by the rocks ");
  await settled();
  const [{ key }] = outbox.waiting();
  centre.isThere = true;
  const other = box(centre, { storage, user: "8" });
  await other.outbox.deliver();
  assert.deepEqual([centre.sent, other.outbox.waiting()], [[], []]);
  await box(centre, { storage }).outbox.deliver();
  assert.deepEqual(centre.sent.map(({ what, key }) => [what, key]), [[{ to: "on_scene", note: "by the rocks" }, key]]);
});

test("a colleague was faster: that is told with the way out, what was pressed after it is still sent, and it stays until it is put away", async () => {
  const centre = gateway(problem(409, "report-transition-not-allowed"));
  const { outbox, told, storage } = box(centre);
  outbox.step("a", "acknowledged");
  outbox.step("a", "heading_out");
  await settled();
  assert.deepEqual([told, centre.sent.length], [["step refused", "step sent"], 2]);
  const [refused] = outbox.refused;
  assert.match(refused.words, /^“I take it” of [\d:]+ was not accepted\. Somebody was faster, .* press the step that it shows\.$/);
  assert.deepEqual(box(centre, { storage }).outbox.refused, [refused]);
  outbox.putAway(refused.key);
  assert.deepEqual(outbox.refused, []);
});

test("another refusal is told in the centre's words, and what somebody wrote is not lost", async () => {
  const centre = gateway(problem(403, "forbidden"));
  const { outbox } = box(centre);
  await outbox.update("a", "It swims");
  assert.match(outbox.refused[0].words, /^Update “It swims” of .* was not accepted\. the centre says forbidden$/);
  assert.deepEqual([outbox.refused[0].report, outbox.refused[0].text, outbox.waiting()], ["a", "It swims", []]);
});

test("a photo waits beside the steps: it holds none up, and is forgotten here once the centre has it", async () => {
  const centre = gateway();
  const { outbox, shelf } = box(centre);
  centre.isThere = false;
  assert.equal(await outbox.photo("a", new Blob(["jpeg"], { type: "image/jpeg" })), false, "no browser kept it");
  const [{ key }] = outbox.waiting("a");
  assert.equal(await (await outbox.picture(key)).text(), "jpeg");
  outbox.step("a", "rescued");
  centre.isThere = true;
  await clock.pass(20_000);
  assert.deepEqual(centre.sent.map(({ path }) => path).sort(), ["/v1/reports/a/photos", "/v1/reports/a/status"]);
  assert.equal(centre.sent.find(({ path }) => path.endsWith("photos")).key, key);
  assert.deepEqual([await shelf.get(key), outbox.waiting()], [null, []]);
});

test("a photo that is no longer on the device is told, and does not stop those behind it", async () => {
  const centre = gateway();
  const { outbox, shelf, told } = box(centre);
  centre.isThere = false;
  await outbox.photo("a", new Blob(["one"]));
  await outbox.photo("a", new Blob(["two"]));
  await shelf.delete(outbox.waiting()[0].key);
  centre.isThere = true;
  await clock.pass(20_000);
  assert.deepEqual([told, centre.sent.length], [["photo refused", "photo sent"], 1]);
  assert.match(outbox.refused[0].words, /Take it again/);
});

const report = (more) => ({ id: "a", status: "submitted", submittedAt: "2026-11-27T03:00:00Z", changedAt: "2026-11-27T03:00:00Z", pictures: [], ...more });

test("the last list and report stay readable without a network", async () => {
  const centre = gateway();
  centre.answer = (path) => (path === "/v1/reports/a" ? report({ history: [{}] }) : { items: [report({ isMine: true })] });
  const missions = new Missions(centre.api, { user: "7", role: "rescuer" }, { waiting: () => [] });
  await missions.readList();
  await missions.readReport("a");
  centre.answer = () => {
    throw new Unreachable();
  };
  await missions.readList();
  await missions.readReport("a");
  assert.deepEqual([missions.active.length, missions.report("a").history.length, Boolean(missions.fault), missions.faults.get("a").isGone], [1, 1, true, false]);
});

test("a step that the centre took counts at once, and no older reading takes it back", async () => {
  const centre = gateway();
  const waiting = [];
  let release;
  const missions = new Missions({ get: () => new Promise((resolve) => (release = resolve)) }, { user: "7", role: "rescuer" }, { waiting: () => waiting });
  const first = missions.readList();
  release({ items: [report()] });
  await first;
  const old = missions.readList();
  missions.took({ key: "k", at: "2026-11-27T03:05:00Z", kind: "step", report: "a", body: { to: "acknowledged" } });
  release({ items: [report()] });
  await old;
  assert.deepEqual([missions.report("a").status, missions.report("a").changedBy], ["acknowledged", "7"]);
  const next = missions.readList();
  release({ items: [report({ status: "heading_out", changedBy: "8", changedAt: "2026-11-27T03:06:00Z" })] });
  await next;
  assert.equal(missions.report("a").status, "heading_out");
  assert.equal(centre.sent.length, 0);
});

test("a report that is gone, or another agency's, is told apart from one that cannot be read now", async () => {
  const missions = new Missions({ get: async () => { throw problem(404, "not-found"); } }, { user: "7", role: "rescuer" }, { waiting: () => [] });
  await missions.readReport("a");
  assert.equal(missions.faults.get("a").isGone, true);
  await missions.readAgency();
  assert.equal(missions.agency, null);
});
