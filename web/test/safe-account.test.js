// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { Clock, settled } from "./support.js";
import { Problem, Unreachable } from "../core/api.js";
import { Kept } from "../core/storage.js";
import { Account } from "../pages/safe/parts/account.js";
import { Alerts } from "../pages/safe/parts/alerts.js";
import { Content } from "../pages/safe/parts/content.js";
import { SafeStorage } from "../pages/safe/parts/kept.js";
import { Mine } from "../pages/safe/parts/mine.js";
import { Place } from "../pages/safe/parts/place.js";
import { safeReady } from "../pages/safe/words.js";

await safeReady;
let clock;
beforeEach(() => (clock = new Clock()));
afterEach(() => clock.stop());

const problem = (status, slug) => new Problem(status, { type: `urn:daybook:problem:${slug}`, detail: slug });
const anna = { id: "1", name: "Anna", mobile: "+447700900001", language: "en", stopped: [] };
const phones = [{ id: "d1", registeredAt: "2026-11-27T12:00:00Z", isThis: true, isAgreed: true }, { id: "d2", registeredAt: "2026-11-28T12:00:00Z", isThis: false, isAgreed: false }];

/** A browser's storage, and what is in it. */
function storage(all = new Map()) {
  const browser = { getItem: (name) => all.get(name) ?? null, setItem: (name, value) => all.set(name, value), removeItem: (name) => all.delete(name) };
  return { all, kept: new Kept(() => new Proxy(browser, { ownKeys: () => [...all.keys()], getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }) })) };
}

/** A gateway with one contact and two phones. */
class Gateway {
  asked = [];
  faults = [];
  isAway = false;
  safety = { name: "Mona", language: "en", contacts: [anna], alerts: [], contactsMax: 10, phone: "+447700900123", phones };

  async get(path) {
    return this.#take(`GET ${path}`, () => structuredClone(this.safety));
  }

  async post(path) {
    return this.#take(`POST ${path}`, () => {
      if (path.endsWith("/introduce")) this.safety.contacts = [{ ...anna, introducedAt: "2026-11-28T12:00:00Z" }];
      if (path.endsWith("/admit")) this.safety.phones = phones.map((one) => ({ ...one, isAgreed: true }));
      return {};
    });
  }

  async delete(path, options) {
    return this.#take(`DELETE ${path} ${options.key ? "with a key" : ""}`.trim(), () => ({}));
  }

  #take(asked, done) {
    this.asked.push(asked);
    if (this.isAway) throw new Unreachable();
    const fault = this.faults.shift();
    if (fault) throw fault;
    return done();
  }
}

test("a contact who is still to hear that an alert is over is removed once that was sent", async () => {
  const gateway = new Gateway();
  const mine = new Mine(/** @type {any} */ (gateway), () => {}, storage().kept);
  await mine.read();
  gateway.faults = [problem(409, "contact-untold")];
  await mine.remove("1");
  assert.equal(mine.isWaiting, true);
  await clock.pass(60_000);
  assert.deepEqual([mine.isWaiting, gateway.asked.slice(1)], [false, ["DELETE /v1/me/contacts/1 with a key", "DELETE /v1/me/contacts/1 with a key"]]);
});

test("a contact is told of being one, and the page then knows when", async () => {
  const gateway = new Gateway();
  const mine = new Mine(/** @type {any} */ (gateway), () => {}, storage().kept);
  await mine.read();
  await mine.introduce("1");
  assert.deepEqual([gateway.asked[1], mine.contacts[0].introducedAt], ["POST /v1/me/contacts/1/introduce", "2026-11-28T12:00:00Z"]);
  gateway.faults = [problem(409, "contact-introduced")];
  await assert.rejects(mine.introduce("1"), { slug: "contact-introduced" });
});

test("one's own number and phones are known, and a newer one is agreed to", async () => {
  const gateway = new Gateway();
  const mine = new Mine(/** @type {any} */ (gateway), () => {}, storage().kept);
  assert.deepEqual([mine.phone, mine.phones], [null, []]);
  await mine.read();
  assert.deepEqual([mine.phone, mine.phones.map(({ isAgreed }) => isAgreed)], ["+447700900123", [true, false]]);
  await mine.admit("d2");
  assert.deepEqual([gateway.asked.includes("POST /v1/devices/d2/admit"), mine.phones.map(({ isAgreed }) => isAgreed)], [true, [true, true]]);
});

// MARK: Deleting the account

const realNavigator = globalThis.navigator;
afterEach(() => Object.defineProperty(globalThis, "navigator", { value: realNavigator, configurable: true }));

/** All parts of the page that keep something, and a phone that tells where it is. */
async function open() {
  const watching = new Map();
  const found = { coords: { latitude: 51.6565, longitude: -0.3903, accuracy: 12 } };
  const geolocation = {
    getCurrentPosition: (tell) => setTimeout(() => tell(found), 1000), watchPosition: (tell) => watching.set(watching.size + 1, tell).size, clearWatch: () => {},
  };
  Object.defineProperty(globalThis, "navigator", { value: { geolocation }, configurable: true });
  const { all, kept: browser } = storage(new Map([["phone-token", "T"], ["known-phones", "[]"], ["safe-phone", "+447700900123"], ["theme", "dark"], ["language", "de"], ["report-draft", "{}"]]));
  const kept = new SafeStorage(browser);
  const gateway = new Gateway();
  const api = /** @type {any} */ (gateway);
  let isLeft = "";
  const mine = new Mine(api, () => {}, kept);
  const place = new Place(() => {}, kept);
  const alerts = new Alerts(api, mine, place, { onChange: () => {}, onSignal: () => {} }, kept);
  const content = new Content({ get: async (path) => ({ items: [], ...(await gateway.get(path)) }) }, () => {}, kept);
  const account = new Account(api, alerts, kept, (how) => (isLeft = how));
  place.follow(false);
  const locate = () => watching.forEach((tell) => tell(found));
  locate();
  await Promise.all([mine.read(), content.read()]);
  return { all, kept, gateway, mine, place, alerts, content, account, locate, left: () => isLeft };
}

/** What belongs to the device, and to other pages of it. */
const others = ["theme", "language", "report-draft"];

test("a deleted account leaves nothing on the phone, and nothing that comes late is written back", async () => {
  const { all, kept, gateway, mine, place, alerts, content, account, locate, left } = await open();
  gateway.isAway = true;
  mine.save({ name: "Ben", mobile: "+447700900002", language: "en" });
  await settled();
  gateway.isAway = false;
  assert.deepEqual([...all.keys()].filter((name) => name.startsWith("safe-")).sort(), ["safe-changes", "safe-changes-refused", "safe-content", "safe-mine", "safe-phone", "safe-place"]);
  // Answers and places that are on their way while the account is deleted.
  let answer;
  const held = new Promise((resolve) => (answer = resolve));
  const get = gateway.get.bind(gateway);
  gateway.get = (path) => held.then(() => get(path));
  const late = [mine.read(), place.look()];
  await account.delete();
  assert.deepEqual([gateway.asked.at(-1), left(), [...all.keys()]], ["DELETE /v1/me/safety with a key", "deleted", others]);
  answer();
  locate();
  mine.noteAlert({ id: "a", raisedAt: "2026-11-28T12:00:00Z", trigger: "key", isDrill: false, contacts: [] });
  mine.rename("Mona", "en");
  alerts.raise("swipe");
  alerts.putAway("a");
  kept.setItem("phone-token", "T");
  await clock.pass(120_000);
  await Promise.all([...late, content.read()]);
  assert.deepEqual([...all.keys()], others);
  assert.deepEqual([mine.name, mine.contacts, alerts.waiting, content.kept, place.fix], [null, [], [], null, null]);
});

test("a refused deletion forgets nothing, and the next try is another command", async () => {
  const { all, gateway, account, left } = await open();
  const before = [...all];
  gateway.faults = [problem(409, "sos-open")];
  await assert.rejects(account.delete(), { slug: "sos-open" });
  assert.deepEqual([[...all], left(), account.isDeleting], [before, "", false]);
  gateway.isAway = true;
  await assert.rejects(account.delete(), Unreachable);
  assert.deepEqual([[...all], account.isDeleting], [before, false]);
});

test("a deletion of which the answer was lost ends in a phone that is signed out and keeps nothing", async () => {
  const { all, gateway, account, left } = await open();
  gateway.isAway = true;
  await assert.rejects(account.delete(), Unreachable);
  gateway.isAway = false;
  gateway.faults = [problem(401, "unauthorized")];
  await account.delete();
  assert.deepEqual([[...all.keys()], left(), account.isDeleting], [others, "signed-out", true]);
});
