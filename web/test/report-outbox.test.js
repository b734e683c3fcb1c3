// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { Clock, settled } from "./support.js";
import { Problem, Unreachable } from "../core/api.js";
import { Kept } from "../core/storage.js";
import { Outbox } from "../pages/report/parts/outbox.js";
import { ReportPhotos } from "../pages/report/parts/report-photos.js";

let clock;
beforeEach(() => (clock = new Clock()));
afterEach(() => clock.stop());

const problem = (status, slug = "no", more = {}) => new Problem(status, { type: `urn:daybook:problem:${slug}`, detail: slug, ...more });
const agency = { id: "a", name: "Marine Rescue" };
const taken = { report: "r", token: "T", agency, submittedAt: "2026-11-27T12:00:00Z" };
const fix = { latitude: 36.8, longitude: -121.8 };
const written = (id = "one", photos = 0) => ({ id, at: 0, species: "sea-lion", size: "medium", condition: "alive", fix, photos: Array.from({ length: photos }, (_, index) => ({ number: index + 1, name: `p${index + 1}.jpg` })) });

/** A phone whose gateway answers reports and photos in turn; without one more answer it takes them. */
function phone({ posts = [], uploads = [], proofs = [], storage = new Kept(() => null), shelf = new ReportPhotos() } = {}) {
  const [sent, photos] = [[], []];
  let number = 0;
  const answer = (answers, otherwise) => {
    const next = answers.shift();
    if (next instanceof Error) throw next;
    return next ?? otherwise;
  };
  const api = {
    post: async (path, { proof, ...body }, { key, tries }) => {
      assert.deepEqual([path, tries], ["/v1/public/reports", 1]);
      sent.push({ key, proof, body });
      return answer(posts, taken);
    },
    upload: async (path, blob, { method }) => {
      photos.push(`${method} ${path.split("/reports/")[1]} ${blob}`);
      return answer(uploads, {});
    },
  };
  const proof = { take: async () => answer(proofs, ++number) };
  return { sent, photos, storage, shelf, outbox: new Outbox(api, proof, shelf, () => {}, storage) };
}

const states = (outbox) => outbox.reports.map(({ state, photos }) => [state, ...photos.map((photo) => photo.state)].join(" "));

test("a report is sent with what the gateway needs, and what is remembered of it is its answer", async () => {
  const { outbox, sent } = phone();
  outbox.add({ ...written(), condition: "dead", stage: "fresh_dead", notes: " by the pier ", contact: "" });
  await settled();
  assert.deepEqual(sent.map(({ body }) => body), [{ fix, species: "sea-lion", sizeClass: "medium", condition: "fresh_dead", notes: "by the pier" }]);
  const [{ token, body, written: draft, proof }] = outbox.reports;
  assert.deepEqual([token, body, draft, proof], ["T", undefined, undefined, undefined]);
});

test("where the answer was lost, the same report goes again under the same key with the same proof", async () => {
  const { outbox, sent } = phone({ posts: [new Unreachable(), problem(502)] });
  outbox.add(written());
  await settled();
  assert.equal(outbox.reason, "away");
  await clock.pass(60_000);
  assert.equal(sent.length, 3);
  assert.deepEqual(new Set(sent.map(({ key, proof }) => `${key} ${proof}`)).size, 1);
  assert.deepEqual(states(outbox), ["sent"]);
});

test("a stale proof is replaced at once, under the same key", async () => {
  const { outbox, sent } = phone({ posts: [problem(422, "proof-of-work-refused")] });
  outbox.add(written());
  await settled();
  assert.deepEqual(sent.map(({ proof }) => proof), [1, 2]);
  assert.equal(sent[0].key, sent[1].key);
  assert.deepEqual(states(outbox), ["sent"]);
});

test("a gateway that takes no proof is not asked without pause", async () => {
  const { outbox, sent } = phone({ posts: Array.from({ length: 4 }, () => problem(422, "proof-of-work-refused")) });
  outbox.add(written());
  await settled();
  assert.equal(sent.length, 2);
  await clock.pass(60_000);
  assert.deepEqual([states(outbox), new Set(sent.map(({ key }) => key)).size], [["sent"], 1]);
});

test("it outlives the page with its key, its proof and its photos", async () => {
  const before = phone({ posts: [new Unreachable()] });
  await before.shelf.put("one", 1, "A");
  before.outbox.add(written("one", 1));
  await settled();
  const { outbox, sent, photos } = phone({ storage: before.storage, shelf: before.shelf });
  await outbox.deliver();
  assert.deepEqual([sent[0].key, sent[0].proof], [before.sent[0].key, before.sent[0].proof]);
  assert.deepEqual(photos, ["PUT T/photos/1 A"]);
  assert.deepEqual([states(outbox), await outbox.waiting], [["sent sent"], []]);
  assert.equal(await before.shelf.get("one", 1), null, "the phone keeps no photo that the centre has");
});

test("photos follow the report, each by its number, and again where one did not arrive", async () => {
  const { outbox, photos, shelf } = phone({ uploads: [undefined, new Unreachable(), problem(503)] });
  for (const [index, blob] of ["A", "B", "C"].entries()) await shelf.put("one", index + 1, blob);
  outbox.add(written("one", 3));
  await settled();
  assert.deepEqual(states(outbox), ["sent sent waiting waiting"]);
  await clock.pass(60_000);
  assert.deepEqual(photos, ["PUT T/photos/1 A", "PUT T/photos/2 B", "PUT T/photos/2 B", "PUT T/photos/2 B", "PUT T/photos/3 C"]);
  assert.deepEqual(states(outbox), ["sent sent sent sent"]);
});

test("a photo that is refused, or that the phone lost, is told, and does not hold up the next", async () => {
  const { outbox, shelf } = phone({ uploads: [problem(422, "picture-unreadable")] });
  await shelf.put("one", 1, "A");
  await shelf.put("one", 3, "C");
  outbox.add(written("one", 3));
  await settled();
  assert.deepEqual(states(outbox), ["sent refused lost sent"]);
  assert.deepEqual(outbox.reports[0].photos[0].fault, { slug: "picture-unreadable", status: 422, detail: "picture-unreadable" });
});

test("a second report goes before the photos of the first", async () => {
  const { outbox, sent, photos, shelf } = phone({ posts: [new Unreachable()] });
  await shelf.put("one", 1, "A");
  outbox.add(written("one", 1));
  await settled();
  outbox.add(written("two"));
  await settled();
  assert.deepEqual([sent.length, photos.length, states(outbox)], [3, 1, ["sent sent", "sent"]]);
  assert.notEqual(sent[1].key, sent[2].key);
});

test("while no agency takes reports one waits, and says why", async () => {
  const { outbox, sent } = phone({ posts: [problem(503, "rescue-closed")] });
  outbox.add(written());
  await settled();
  assert.deepEqual([outbox.reason, states(outbox)], ["closed", ["waiting"]]);
  await clock.pass(10_000);
  assert.equal(sent.length, 1);
  await clock.pass(50_000);
  assert.deepEqual([outbox.reason, states(outbox)], ["", ["sent"]]);
});

test("after too many the phone waits as long as it is told", async () => {
  const { outbox, sent } = phone({ posts: [problem(429, "too-many-requests", { retryAfterSeconds: 90 })] });
  outbox.add(written());
  await clock.pass(85_000);
  assert.deepEqual([outbox.reason, sent.length], ["busy", 1]);
  await clock.pass(10_000);
  assert.deepEqual(states(outbox), ["sent"]);
});

test("without a challenge nothing is posted; it can be taken back until it was", async () => {
  const { outbox, sent } = phone({ proofs: [problem(404, "unknown-route"), new Unreachable()] });
  outbox.add(written());
  await settled();
  assert.deepEqual([sent.length, states(outbox), Boolean(outbox.reports[0].isPosted)], [0, ["waiting"], false]);
  await clock.pass(60_000);
  assert.deepEqual([states(outbox), outbox.takeBack("one")], [["sent"], null]);
});

test("what is refused is told, and can be changed and sent as another command", async () => {
  const { outbox, sent } = phone({ posts: [problem(422, "out-of-range")] });
  outbox.add(written());
  await settled();
  assert.deepEqual([states(outbox), outbox.reports[0].fault.detail], [["refused"], "out-of-range"]);
  const back = outbox.takeBack("one");
  assert.deepEqual([back, outbox.reports], [written(), []]);
  outbox.add(back);
  await settled();
  assert.deepEqual(states(outbox), ["sent"]);
  assert.notEqual(sent[0].key, sent[1].key);
});

test("of many sent reports the newest are remembered, and none that waits is given up", async () => {
  const { outbox } = phone({ posts: [new Unreachable()] });
  outbox.add(written("waits"));
  for (let number = 0; number < 25; number++) outbox.add(written(`n${number}`));
  await clock.pass(60_000);
  const ids = outbox.reports.map(({ id }) => id);
  assert.equal(ids.length, 20);
  assert.ok(ids.includes("n24") && !ids.includes("n0"));
});

test("a damaged note is nothing", () => {
  const { outbox, storage } = phone();
  storage.setItem("reports", "[{");
  assert.deepEqual(outbox.reports, []);
});
