// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { Clock, settled } from "./support.js";
import { Problem, Unreachable } from "../core/api.js";
import { Shelf } from "../core/shelf.js";
import { Kept } from "../core/storage.js";
import { LastRead } from "../pages/rescue/parts/last-read.js";
import { Missions } from "../pages/rescue/parts/missions.js";
import { Outbox } from "../pages/rescue/parts/outbox.js";
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
function box(centre, { storage = inMemory(), shelf = new Shelf("rescue-photos", "key", () => { throw new Error("none"); }), user = "7" } = {}) {
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

test("what goes back says so while it waits and where it is refused, and is sent as any step", async () => {
  const centre = gateway(problem(409, "report-transition-not-allowed"), undefined);
  const { outbox } = box(centre);
  await outbox.step("a", "heading_out", "", "undo");
  await outbox.step("a", "acknowledged", "", "reopen");
  assert.deepEqual(centre.sent.map(({ what }) => what), [{ to: "heading_out" }, { to: "acknowledged" }]);
  assert.match(outbox.refused[0].words, /^“Undo”: back to “heading out” of /);
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
  const missions = new Missions(centre.api, { user: "7", role: "rescuer" }, { waiting: () => [] }, new LastRead(inMemory()));
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
  const missions = new Missions({ get: () => new Promise((resolve) => (release = resolve)) }, { user: "7", role: "rescuer" }, { waiting: () => waiting }, new LastRead(inMemory()));
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

test("after a reload without a network a rescuer reads what was read last, but not how a reporter is reached", async () => {
  const [storage, me] = [inMemory(), { user: "7", role: "rescuer" }];
  const api = { get: async (path) => (path === "/v1/reports/a" ? report({ contact: "Jane", notes: "By the pier", history: [{}] }) : { items: [report({ contact: "Jane" })] }) };
  const before = new Missions(api, me, { waiting: () => [] }, new LastRead(storage));
  await before.readList();
  await before.readReport("a");
  const kept = new LastRead(storage);
  const after = new Missions(api, me, { waiting: () => [] }, kept);
  const { active, readAt } = after;
  const whole = after.report("a");
  assert.deepEqual([kept.me, active.length, readAt > 0, whole.notes, whole.contact, whole.history.length], [me, 1, true, "By the pier", null, 1]);
  assert.equal(new Missions(api, { user: "8", role: "rescuer" }, { waiting: () => [] }, kept).active, null, "what one read is nobody else's");
  kept.forget();
  assert.equal(new LastRead(storage).me, null);
});

test("of what the desk reads nothing is kept", async () => {
  const storage = inMemory();
  await new Missions({ get: async () => ({ items: [report()] }) }, { user: "1", role: "operator" }, { waiting: () => [] }, new LastRead(storage)).readList();
  assert.deepEqual(storage.names, []);
});

test("what the list says later counts, and what only the report has stays", async () => {
  let answer = report({ revision: "4", undo: "submitted", status: "acknowledged", duplicateOf: "b", history: [{}], duplicates: ["c"] });
  const missions = new Missions({ get: async () => answer }, { user: "7", role: "rescuer" }, { waiting: () => [] }, new LastRead(inMemory()));
  await missions.readReport("a");
  answer = { items: [report({ revision: "5" })] };
  await missions.readList();
  const { undo, duplicateOf, history, duplicates } = missions.report("a");
  assert.deepEqual([undo, duplicateOf, history, duplicates], [undefined, undefined, [{}], ["c"]]);
});

test("a report that is gone, or another agency's, is told apart from one that cannot be read now", async () => {
  const missions = new Missions({ get: async () => { throw problem(404, "not-found"); } }, { user: "7", role: "rescuer" }, { waiting: () => [] }, new LastRead(inMemory()));
  await missions.readReport("a");
  assert.equal(missions.faults.get("a").isGone, true);
  await missions.readAgency();
  assert.equal(missions.agency, null);
});
