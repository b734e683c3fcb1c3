// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { Clock, settled } from "./support.js";
import { Problem, Unreachable } from "../core/api.js";
import { Kept } from "../core/storage.js";
import { statusWords } from "../pages/safe/parts/alert-cards.js";
import { Alerts, askedAfterMilliseconds } from "../pages/safe/parts/alerts.js";
import { Mine } from "../pages/safe/parts/mine.js";
import { safeReady } from "../pages/safe/words.js";

await safeReady;
let clock;
beforeEach(() => (clock = new Clock()));
afterEach(() => clock.stop());

const fix = { latitude: 51.6565, longitude: -0.3903, accuracyMetres: 12, measuredAt: "2026-11-28T12:00:00Z" };
const problem = (status, slug, more = {}) => new Problem(status, { type: `urn:daybook:problem:${slug}`, detail: slug, ...more });
/** A browser's storage, which outlives a page. */
function storage() {
  const all = new Map();
  return new Kept(() => ({ getItem: (name) => all.get(name) ?? null, setItem: (name, value) => all.set(name, value), removeItem: (name) => all.delete(name) }));
}

/** A gateway that takes alerts and contacts, and may be away. */
class Gateway {
  isAway = false;
  faults = [];
  /** What contacts wait for. @type {Promise<void> | null} */
  delays = null;
  contacts = [];
  sos = new Map();
  asked = [];

  async get(path) {
    this.asked.push(`GET ${path}`);
    if (this.isAway) throw new Unreachable();
    if (path === "/v1/me/safety") return { name: "Mona", language: "en", contacts: this.contacts, alerts: [...this.sos.values()], contactsMax: 10 };
    return this.sos.get(path.split("/")[4]);
  }

  async put(path, body, options = {}) {
    this.asked.push(`PUT ${path}`);
    if (this.isAway) throw new Unreachable();
    if (path.includes("contacts")) await this.delays;
    const fault = this.faults.shift();
    if (fault) throw fault;
    const [, , , list, id, place] = path.split("/");
    if (list === "contacts") this.contacts = [...this.contacts.filter((one) => one.id !== id), { id, ...body, stopped: [] }];
    else if (list === "sos" && place) Object.assign(this.sos.get(id), { fix: body.fix });
    else if (list === "sos") this.sos.set(id, { id, raisedAt: "2026-11-28T12:00:01Z", occurredAt: options.occurredAt, isDrill: false, endedAt: null, endReason: null, contacts: [], ...body });
    return {};
  }

  async post(path, body) {
    this.asked.push(`POST ${path}`);
    if (this.isAway) throw new Unreachable();
    const alert = this.sos.get(path.split("/")[4]);
    if (!alert) throw problem(404, "not-found");
    Object.assign(alert, { endedAt: "2026-11-28T12:10:00Z", endReason: body.reason });
    return {};
  }

  async delete(path) {
    this.asked.push(`DELETE ${path}`);
    if (this.isAway) throw new Unreachable();
    this.contacts = this.contacts.filter(({ id }) => id !== path.split("/")[4]);
    return {};
  }
}

/** The page's parts over a gateway and what the phone keeps. */
function open(gateway = new Gateway(), kept = storage()) {
  const place = { fix, follow: () => {}, rest: () => {}, look: async () => {} };
  const signals = [];
  const mine = new Mine(gateway, () => {}, kept);
  const alerts = new Alerts(gateway, mine, place, { onChange: () => {}, onSignal: (name) => signals.push(name) }, kept);
  return { gateway, kept, place, signals, mine, alerts };
}

test("an alert is at the gateway with its time and place, is felt once, and is followed", async () => {
  const { gateway, signals, mine, alerts } = open();
  const at = new Date(Date.now()).toISOString();
  alerts.raise("swipe");
  await settled();
  const [sent] = [...gateway.sos.values()];
  assert.deepEqual([sent.trigger, sent.fix, sent.occurredAt, signals], ["swipe", fix, at, ["sent"]]);
  assert.deepEqual([alerts.waiting, alerts.open.map(({ id }) => id), mine.alerts.length], [[], [sent.id], 1]);
});

test("without a network it is kept, says so after five tries, and goes by itself", async () => {
  const { gateway, signals, alerts } = open();
  gateway.isAway = true;
  alerts.raise("hold", true);
  await settled();
  assert.deepEqual([signals, alerts.waiting[0].isTried, alerts.waiting[0].isLong, alerts.waiting[0].isDrill], [["kept"], true, false, true]);
  await clock.pass(60_000);
  assert.equal(alerts.waiting[0].isLong, true);
  gateway.isAway = false;
  await clock.pass(10_000);
  assert.deepEqual([signals, alerts.waiting, gateway.sos.size], [["kept", "sent"], [], 1]);
});

test("a page that was killed right after the swipe sends it when it opens again, once, with its own time and place", async () => {
  const { gateway, kept, alerts, place } = open();
  gateway.isAway = true;
  const at = new Date(Date.now()).toISOString();
  alerts.raise("swipe");
  place.fix = null;
  await settled();
  clock.stop();
  clock = new Clock();
  await clock.pass(3_600_000);
  gateway.isAway = false;
  const again = open(gateway, kept);
  await again.alerts.deliver();
  await settled();
  const [sent] = [...gateway.sos.values()];
  assert.deepEqual([gateway.sos.size, sent.occurredAt, sent.fix], [1, at, fix]);
});

/** What a phone keeps of an alert that was raised so long ago, in milliseconds, without a network. */
async function keptFor(milliseconds) {
  const first = open();
  first.gateway.isAway = true;
  first.alerts.raise("swipe");
  await settled();
  const [{ id }] = first.alerts.waiting;
  clock.stop();
  clock = new Clock();
  await clock.pass(milliseconds);
  first.gateway.isAway = false;
  return { ...open(first.gateway, first.kept), id };
}

test("after an hour, or nearly six, without a network an alert goes by itself", async () => {
  for (const milliseconds of [3_600_000, askedAfterMilliseconds - 1000]) {
    const { gateway, alerts } = await keptFor(milliseconds);
    await alerts.deliver();
    await settled();
    assert.deepEqual([gateway.sos.size, alerts.waiting], [1, []]);
  }
});

test("an older one is asked about; sent now it is the same alert, once, with the time and place of the press", async () => {
  const { gateway, alerts, place, id } = await keptFor(askedAfterMilliseconds + 2000);
  place.fix = { ...fix, latitude: 51.7 };
  await alerts.deliver();
  await clock.pass(60_000);
  assert.deepEqual([gateway.sos.size, alerts.waiting.map(({ isOld }) => isOld)], [0, [true]]);
  assert.equal(statusWords(alerts), "An alert of earlier was never sent. Do you need help now?");
  const at = new Date(Date.now()).toISOString();
  await alerts.sendNow(id);
  await settled();
  const [sent] = [...gateway.sos.values()];
  assert.deepEqual([gateway.sos.size, sent.id, sent.occurredAt, sent.fix.latitude, alerts.waiting], [1, id, at, 51.7, []]);
});

test("one that is over is not sent; where it had arrived without its answer, contacts hear that the person is safe", async () => {
  const { gateway, alerts, id } = await keptFor(askedAfterMilliseconds + 2000);
  await alerts.takeBack(id, "safe");
  await settled();
  assert.deepEqual([gateway.sos.size, alerts.waiting], [0, []]);
  const arrived = await keptFor(askedAfterMilliseconds + 2000);
  arrived.gateway.sos.set(arrived.id, { id: arrived.id, contacts: [], raisedAt: "2026-11-28T12:00:01Z", endedAt: null });
  await arrived.alerts.takeBack(arrived.id, "safe");
  await settled();
  assert.equal(arrived.gateway.sos.get(arrived.id).endReason, "safe");
});

test("a new alert goes at once, and takes the place of one that is asked about", async () => {
  const { gateway, alerts, id } = await keptFor(askedAfterMilliseconds + 2000);
  await alerts.raise("hold");
  await settled();
  assert.deepEqual([[...gateway.sos.values()].map(({ trigger }) => trigger), gateway.sos.has(id), alerts.waiting], [["hold"], false, []]);
});

test("a second press while an alert waits tries that one again, so that contacts get one message; practice is another matter", async () => {
  const { gateway, alerts } = open();
  gateway.isAway = true;
  alerts.raise("swipe");
  await settled();
  alerts.raise("hold");
  await settled();
  assert.equal(alerts.waiting.length, 1);
  alerts.raise("key", true);
  await settled();
  gateway.isAway = false;
  await clock.pass(60_000);
  assert.deepEqual([...gateway.sos.values()].map(({ trigger, isDrill }) => [trigger, isDrill]), [["swipe", false], ["key", true]]);
});

test("a contact that was changed, and one that was removed, without a network are so at the centre once there is one, also after the page was closed", async () => {
  const { gateway, kept, mine } = open();
  for (const [id, name] of [["1", "Anna"], ["2", "Ben"]]) mine.save({ id, name, mobile: "+447700900124", language: "en" });
  await settled();
  gateway.isAway = true;
  mine.save({ id: "1", name: "Anna", email: "anna@example.org", language: "en" });
  mine.remove("2");
  await settled();
  assert.deepEqual(mine.contacts.map(({ name, email, state }) => [name, email, state]), [["Anna", "anna@example.org", "waiting"]]);
  assert.deepEqual(gateway.contacts.map(({ name }) => name), ["Anna", "Ben"]);
  gateway.isAway = false;
  const again = open(gateway, kept);
  await again.mine.deliver();
  await settled();
  assert.deepEqual(gateway.contacts.map(({ name, email, mobile }) => [name, email, mobile]), [["Anna", "anna@example.org", undefined]]);
  assert.equal(again.mine.isWaiting, false);
});

test("a refused alert is felt as failed, says why, and can be tried again", async () => {
  const { gateway, signals, alerts } = open();
  gateway.faults = [problem(409, "sos-too-many")];
  alerts.raise("key");
  await settled();
  const [refused] = alerts.refused;
  assert.deepEqual([signals, refused.why, refused.trigger], [["failed"], "Too many alerts were sent in a short time.", "key"]);
  alerts.putAway(refused.id);
  assert.deepEqual(alerts.refused, []);
});

test("an alert that reached no contact is tried again as a new one; one whose messages are under way is not doubled", async () => {
  const { gateway, alerts } = open();
  alerts.raise("hold");
  await settled();
  const [{ id }] = alerts.open;
  const told = (state) => (gateway.sos.get(id).contacts = [{ name: "Anna", parts: [{ channel: "sms", state }] }]);
  told("waiting");
  await alerts.read();
  await alerts.again(id);
  assert.equal(gateway.sos.size, 1);
  told("failed");
  await alerts.read();
  await alerts.again(id);
  assert.deepEqual([...gateway.sos.values()].map(({ trigger }) => trigger), ["hold", "hold"]);
});

test("a place that the centre does not take stops no alert", async () => {
  const { gateway, signals, alerts } = open();
  gateway.faults = [problem(422, "invalid", { field: "fix" })];
  alerts.raise("swipe");
  await settled();
  assert.deepEqual([signals, gateway.sos.size, [...gateway.sos.values()][0].trigger], [["sent"], 1, "swipe"]);
});

test("an alert goes behind a contact that was added just before, but does not wait long for it", async () => {
  const { gateway, mine, alerts } = open();
  gateway.isAway = true;
  mine.save({ name: "Anna", mobile: "+447700900001", language: "en" });
  alerts.raise("swipe");
  await settled();
  gateway.isAway = false;
  gateway.asked = [];
  await clock.pass(10_000);
  assert.deepEqual([gateway.asked.slice(0, 2).map((one) => one.split("/")[3]), gateway.sos.size], [["contacts", "sos"], 1]);
  const slow = open();
  slow.gateway.delays = new Promise(() => {});
  slow.mine.save({ name: "Anna", mobile: "+447700900001", language: "en" });
  slow.alerts.raise("swipe");
  await clock.pass(3000);
  assert.equal(slow.gateway.sos.size, 1);
});

test("where nobody can be told because a contact is still on this phone, the alert is tried again", async () => {
  const { gateway, signals, mine, alerts } = open();
  gateway.faults = [problem(503, "busy"), problem(409, "sos-without-contacts")];
  mine.save({ name: "Anna", mobile: "+447700900001", language: "en" });
  alerts.raise("swipe");
  await clock.pass(10_000);
  assert.deepEqual([gateway.contacts.length, gateway.sos.size, alerts.refused, signals], [1, 1, [], ["kept", "sent"]]);
});

test("an alert that waits can be taken back, and is ended where it had arrived without its answer", async () => {
  const { gateway, alerts } = open();
  gateway.isAway = true;
  alerts.raise("swipe");
  await settled();
  const [{ id }] = alerts.waiting;
  alerts.takeBack(id);
  assert.deepEqual(alerts.waiting, []);
  gateway.isAway = false;
  await clock.pass(10_000);
  assert.equal(gateway.sos.size, 0);
  assert.ok(gateway.asked.includes(`POST /v1/me/sos/${id}/end`));
});

test("its end is sent behind it, also without a network, and is shown at once as on its way", async () => {
  const { gateway, alerts } = open();
  alerts.raise("swipe");
  await settled();
  const [{ id }] = alerts.open;
  gateway.isAway = true;
  alerts.end(id, "safe");
  await settled();
  assert.equal(alerts.isEnding(id), true);
  gateway.isAway = false;
  await clock.pass(10_000);
  assert.deepEqual([alerts.isEnding(id), alerts.open, gateway.sos.get(id).endReason], [false, [], "safe"]);
});

test("while it goes on the place follows each minute, or fifty metres, and not after its end", async () => {
  const { gateway, alerts, place } = open();
  alerts.raise("swipe");
  await settled();
  const [{ id }] = alerts.open;
  const sent = () => gateway.asked.filter((one) => one === `PUT /v1/me/sos/${id}/place`).length;
  assert.equal(sent(), 0, "it went with the alert");
  place.fix = { ...fix, latitude: fix.latitude + 0.001 };
  await alerts.share();
  assert.deepEqual([sent(), gateway.sos.get(id).fix.latitude], [1, place.fix.latitude]);
  await clock.pass(70_000);
  assert.equal(sent(), 2);
  await alerts.end(id, "false_alarm");
  await clock.pass(120_000);
  assert.equal(sent(), 2);
});

test("contacts are kept on this phone at once, over a reload, and sent when there is a network", async () => {
  const { gateway, kept, mine } = open();
  gateway.isAway = true;
  mine.rename("Mona", "en");
  mine.save({ name: "Anna", mobile: "+447700900001", language: "en" });
  await settled();
  const again = open(gateway, kept);
  assert.deepEqual([again.mine.name, again.mine.contacts.map(({ name, state }) => [name, state])], ["Mona", [["Anna", "waiting"]]]);
  gateway.isAway = false;
  await again.mine.deliver();
  assert.deepEqual([again.mine.isWaiting, again.mine.contacts.map(({ state }) => state), gateway.contacts.length], [false, ["kept"], 1]);
  await again.mine.remove(gateway.contacts[0].id);
  assert.deepEqual([again.mine.contacts, gateway.contacts], [[], []]);
});

test("a contact that was refused says why, and is put right under the same id", async () => {
  const { gateway, mine } = open();
  gateway.faults = [problem(422, "invalid", { field: "mobile" })];
  await mine.save({ name: "Anna", mobile: "+44770090000100", language: "en" });
  const [{ id, state, why }] = mine.contacts;
  assert.deepEqual([state, why, gateway.contacts], ["refused", "This is no mobile number.", []]);
  await mine.save({ id, name: "Anna", mobile: "+447700900001", language: "en" });
  assert.deepEqual([mine.contacts.map((one) => [one.id, one.state]), gateway.contacts.length], [[[id, "kept"]], 1]);
});

test("a damaged note is nothing", () => {
  const { kept, mine, alerts } = open();
  for (const name of ["safe-mine", "safe-changes", "safe-alerts", "safe-alerts-refused"]) kept.setItem(name, "[{");
  assert.deepEqual([mine.name, mine.contacts, alerts.waiting, alerts.refused], [null, [], [], []]);
});
