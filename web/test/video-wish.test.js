// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { Clock, settled } from "./support.js";
import { Problem, Unreachable } from "../core/api.js";
import { keep } from "../call/keep.js";
import { VideoWish } from "../call/video-wish.js";

let clock;
const { createElement, querySelector, body } = document;
/** As much of an element as a notice needs. */
const element = () => Object.assign(new EventTarget(), { hidden: false, dataset: {}, append() {}, remove() {}, setAttribute() {}, querySelector: element });

beforeEach(() => {
  clock = new Clock();
  Object.defineProperty(globalThis, "navigator", { value: {}, configurable: true });
  Object.assign(document, { createElement, querySelector, body, ...{ createElement: element, querySelector: element } });
  keep.remove("video-wish");
});
afterEach(() => {
  clock.stop();
  Object.assign(document, { createElement, querySelector });
});

const later = (seconds) => new Date(Date.now() + seconds * 1000).toISOString();

/** A page of a phone in session s, and a centre that has its wish; `away` are the answers that get lost before. */
class Phone {
  asked = [];
  away = 0;
  refusal = null;
  told = [];
  ending = new AbortController();
  contact = Object.assign(new EventTarget(), { session: "s", detail: { session: { id: "s" } }, refresh: () => this.contact.dispatchEvent(new Event("change")) });

  constructor() {
    const answer = (method) => async (path) => {
      this.asked.push(`${method} ${path}`);
      if (this.away-- > 0) throw new Unreachable();
      if (this.refusal) throw this.refusal;
      return method === "POST" ? { waitsUntil: later(120) } : {};
    };
    this.wish = new VideoWish(/** @type {any} */ ({ post: answer("POST"), delete: answer("DELETE") }), /** @type {any} */ (this.contact));
  }

  hears(session) {
    this.contact.detail = { session: { ...this.contact.detail.session, ...session } };
    this.contact.dispatchEvent(new Event("change"));
  }

  put() {
    return this.wish.put(this.ending.signal, (until) => this.told.push(until));
  }

  /** The same phone's page is loaded anew: the one before does nothing any more. */
  reloaded(session) {
    const page = new Phone();
    page.hears(session);
    return page;
  }
}

const withdrawal = "DELETE /v1/sessions/s/video-wish";

test("an operator takes the wish, and a page to come knows of none", async () => {
  const phone = new Phone();
  const outcome = phone.put();
  await settled();
  assert.deepEqual(phone.told, [later(120)]);
  phone.hears({ wishesVideoUntil: phone.told[0] });
  phone.hears({ owner: "7", wishesVideoUntil: undefined });
  assert.equal(await outcome, "taken");
  phone.wish.done();
  assert.equal(phone.reloaded({ owner: "7", claimedAt: later(0) }).wish.left(), null);
});

test("what nobody takes is over, also in a session that goes on", async () => {
  const phone = new Phone();
  const outcome = phone.put();
  await clock.pass(121_000);
  assert.equal(await outcome, "nobody");
});

test("a page that is loaded anew waits until the same moment", async () => {
  const phone = new Phone();
  phone.put();
  await settled();
  const [until] = phone.told;
  const page = phone.reloaded({ wishesVideoUntil: until });
  assert.equal(page.wish.left(), until);
  const outcome = page.wish.goOn(until, page.ending.signal, (told) => page.told.push(told));
  await settled();
  assert.deepEqual([page.told, page.asked], [[until], []]);
  page.hears({ owner: "7", wishesVideoUntil: undefined });
  assert.equal(await outcome, "taken");
});

test("taken while the page was loaded anew, the wish is not lost; what came later is no wish", async () => {
  const phone = new Phone();
  phone.put();
  await settled();
  const [until] = phone.told;
  assert.equal(phone.reloaded({ owner: "7", claimedAt: later(60) }).wish.left(), until);
  assert.equal(phone.reloaded({ owner: "7", claimedAt: later(130) }).wish.left(), null);
});

test("another phone of the caller's does not wait", () => {
  assert.equal(new Phone().reloaded({ wishesVideoUntil: later(60) }).wish.left(), null);
});

test("a wish of another session, or that is over, is none", async () => {
  for (const session of [{ id: "t", wishesVideoUntil: later(60) }, { wishesVideoUntil: later(-1) }, {}]) {
    keep.set("video-wish", JSON.stringify({ session: "s", until: later(60) }));
    assert.equal(new Phone().reloaded(session).wish.left(), null, JSON.stringify(session));
    assert.equal(keep.get("video-wish"), null);
  }
});

test("withdrawn without a network it is withdrawn once there is one, also by a page to come", async () => {
  const phone = new Phone();
  const outcome = phone.put();
  await settled();
  phone.away = 1;
  phone.ending.abort();
  phone.wish.withdraw();
  assert.equal(await outcome, "withdrawn");
  const page = phone.reloaded({ wishesVideoUntil: phone.told[0] });
  assert.equal(page.wish.left(), null);
  await settled();
  assert.deepEqual(page.asked, [withdrawal]);
  await clock.pass(10_000);
  assert.deepEqual([phone.asked, keep.get("video-wish")], [["POST /v1/sessions/s/video-wish", withdrawal], null], "once is enough");
});

test("let go of while the centre takes it, it is withdrawn behind that", async () => {
  const phone = new Phone();
  const outcome = phone.put();
  phone.ending.abort();
  phone.wish.withdraw();
  assert.equal(await outcome, "withdrawn");
  await settled();
  assert.equal(phone.asked.at(-1), withdrawal);
  assert.deepEqual(phone.told, []);
});

test("of a wish whose answer is lost the centre keeps none", async () => {
  const phone = new Phone();
  phone.away = 1;
  await assert.rejects(phone.put(), Unreachable);
  await settled();
  assert.equal(phone.asked.at(-1), withdrawal);
});

test("what an operator took is not withdrawn, and not asked again", async () => {
  const phone = new Phone();
  phone.put();
  await settled();
  phone.refusal = new Problem(409, { type: "urn:daybook:video-wish-taken", detail: "an operator has taken it" });
  phone.ending.abort();
  phone.wish.withdraw();
  await clock.pass(10_000);
  assert.deepEqual([phone.asked.length, keep.get("video-wish")], [2, null]);
});
