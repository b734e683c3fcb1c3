// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { Clock, settled } from "./support.js";
import { Unreachable } from "../core/api.js";
import { Kept } from "../core/storage.js";
import { isNoticeAwaited, noticesDue } from "../model/safety.js";
import { Alerts } from "../pages/safe/parts/alerts.js";
import { Mine } from "../pages/safe/parts/mine.js";
import { againOf, Notices } from "../pages/safe/parts/notices.js";
import { safeReady } from "../pages/safe/words.js";

await safeReady;
let clock;
beforeEach(() => (clock = new Clock()));
afterEach(() => {
  clock.stop();
  document.visibilityState = "visible";
});

/** A contact with this state of each of the messages to it. */
const told = (...states) => ({ parts: states.map((state) => ({ channel: "sms", state })), answeredAt: null });
const open = (id, ...contacts) => /** @type {any} */ ({ id, raisedAt: "2026-11-28T12:00:00Z", trigger: "key", isDrill: false, contacts });
const alerts = (more) => ({ open: [], waiting: [], refused: [], ...more });

test("a good notice is due once all contacts' messages went out", () => {
  const due = (...contacts) => noticesDue(alerts({ open: [open("a", ...contacts)] }), {});
  assert.deepEqual(due(told("sent"), told("failed", "delivered"), { parts: [], answeredAt: "2026-11-28T12:01:00Z" }), [{ id: "a", notice: "sent" }]);
  assert.deepEqual(due(told("sent"), told("waiting")), []);
  assert.deepEqual(due(told("sent"), told("failed")), []);
  assert.deepEqual(due(), [], "nobody was told yet");
});

test("a bad notice is due where an alert was refused, or waits after several tries", () => {
  assert.deepEqual(noticesDue(alerts({ refused: [{ id: "a" }], waiting: [{ id: "b", isLong: true }, { id: "c", isLong: false }] }), {}), [{ id: "b", notice: "failed" }, { id: "a", notice: "failed" }]);
});

test("each is due once, and a good one follows a bad one", () => {
  const sent = alerts({ open: [open("a", told("sent"))] });
  const waits = alerts({ waiting: [{ id: "a", isLong: true }] });
  assert.deepEqual(noticesDue(waits, { a: "failed" }), []);
  assert.deepEqual(noticesDue(sent, { a: "failed" }), [{ id: "a", notice: "sent" }]);
  assert.deepEqual([noticesDue(sent, { a: "sent" }), noticesDue(waits, { a: "sent" })], [[], []]);
});

test("a hidden page looks for a quarter of an hour, until the good notice came", () => {
  const at = Date.parse("2026-11-28T12:14:59Z");
  assert.equal(isNoticeAwaited([open("a")], {}, at), true);
  assert.equal(isNoticeAwaited([open("a")], { a: "failed" }, at), true);
  assert.equal(isNoticeAwaited([open("a")], { a: "sent" }, at), false);
  assert.equal(isNoticeAwaited([open("a")], {}, at + 1000), false);
  assert.equal(isNoticeAwaited([], {}, at), false);
});

const storage = (all = new Map()) => new Kept(() => ({ getItem: (name) => all.get(name) ?? null, setItem: (name, value) => all.set(name, value), removeItem: (name) => all.delete(name) }));

/** A phone that shows notifications. */
function phone({ permission = "granted", isHidden = true } = {}) {
  const shown = [];
  const registration = { showNotification: async (title, options) => void shown.push({ title, ...options, close: () => shown.splice(0) }), getNotifications: async () => [...shown] };
  return { shown, permission, asked: 0, async ask() { this.asked++; }, isHidden: () => isHidden, registration: async () => registration };
}

test("a notification is shown once for each alert while the page is hidden, over a reload too", async () => {
  const [device, kept] = [phone(), storage()];
  const all = alerts({ waiting: [{ id: "a", isLong: true }] });
  new Notices(all, kept, device).look();
  new Notices(all, kept, device).look();
  await settled();
  assert.deepEqual(device.shown.map(({ title, tag, requireInteraction, data, actions }) => [title, tag, requireInteraction, data, actions.map(({ action }) => action)]), [["Not sent yet", "sos-a", true, { id: "a" }, ["again"]]]);
  Object.assign(all, { waiting: [], open: [open("a", told("sent"))] });
  new Notices(all, kept, device).look();
  await settled();
  assert.deepEqual(device.shown.map(({ title, tag, actions }) => [title, tag, actions.length])[1], ["All messages sent", "sos-a", 0]);
  await new Notices(all, kept, device).clear();
  assert.deepEqual(device.shown, []);
});

test("what the page itself has said needs no notification, and none is shown that was not allowed", async () => {
  const all = alerts({ open: [open("a", told("sent"))] });
  const [seen, hidden, kept] = [phone({ isHidden: false }), phone(), storage()];
  new Notices(all, kept, seen).look();
  new Notices(all, kept, hidden).look();
  const refused = phone({ permission: "denied" });
  new Notices(all, storage(), refused).look();
  await settled();
  assert.deepEqual([seen.shown, hidden.shown, refused.shown], [[], [], []]);
  assert.equal(new Notices(all, storage(), refused).isAwaited, false);
});

test("a damaged note is nothing, and only so many alerts are remembered", () => {
  const kept = storage(new Map([["safe-noted", "[{"]]));
  const all = alerts({ refused: Array.from({ length: 30 }, (_, index) => ({ id: `r${index}` })) });
  new Notices(all, kept, phone()).look();
  assert.deepEqual(Object.keys(JSON.parse(kept.getItem("safe-noted") ?? "")), Array.from({ length: 20 }, (_, index) => `r${index + 10}`));
});

test("the button of a notification names its alert", () => {
  assert.deepEqual(["again/a-1", "again/", "rights", "", "again"].map(againOf), ["a-1", "", "", "", ""]);
});

/** A gateway of which the contact's message goes out when it says so. */
class Gateway {
  isSent = false;
  isAway = false;
  reads = 0;

  async get(path) {
    this.reads++;
    return { id: path.split("/")[4], raisedAt: new Date(Date.now()).toISOString(), trigger: "key", isDrill: false, endedAt: null, contacts: [told(this.isSent ? "sent" : "waiting")] };
  }

  async put() {
    if (this.isAway) throw new Unreachable();
    return {};
  }
}

function page(gateway, device) {
  const kept = storage();
  const mine = new Mine(gateway, () => notices.look(), kept);
  const place = /** @type {any} */ ({ fix: null, follow: () => {}, rest: () => {}, look: async () => {} });
  const all = new Alerts(gateway, mine, place, { onChange: () => notices.look(), onSignal: () => {}, isAwaited: () => notices.isAwaited }, kept);
  const notices = new Notices(all, kept, device);
  return all;
}

test("a hidden page reads on until its notification came, then no more", async () => {
  const [gateway, device] = [/** @type {any} */ (new Gateway()), phone()];
  document.visibilityState = "hidden";
  page(gateway, device).raise("swipe");
  await clock.pass(10_000);
  assert.equal(device.shown.length, 0);
  gateway.isSent = true;
  await clock.pass(20_000);
  assert.deepEqual(device.shown.map(({ title }) => title), ["All messages sent"]);
  const { reads } = gateway;
  await clock.pass(60_000);
  assert.equal(gateway.reads, reads);
});

test("a hidden page of which no notification is allowed asks nothing", async () => {
  const [gateway, device] = [/** @type {any} */ (new Gateway()), phone({ permission: "default" })];
  document.visibilityState = "hidden";
  page(gateway, device).raise("swipe");
  await clock.pass(1000);
  const { reads } = gateway;
  await clock.pass(60_000);
  assert.equal(gateway.reads, reads);
});

test("an alert that waits long is told of, and is tried at once when that is pressed", async () => {
  const [gateway, device] = [/** @type {any} */ (new Gateway()), phone()];
  const all = page(gateway, device);
  gateway.isAway = true;
  all.raise("hold");
  await clock.pass(60_000);
  assert.deepEqual(device.shown.map(({ title }) => title), ["Not sent yet"]);
  gateway.isAway = false;
  all.again(device.shown[0].data.id);
  await settled();
  assert.deepEqual([all.waiting, all.open.length], [[], 1]);
});
