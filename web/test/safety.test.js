// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import "./support.js";
import { changed, contactsShown, faultOf, isPlaceDue, isUnreached, pressOf, readAgainIn, smsOf, stateOf, withAlert } from "../model/safety.js";

const reach = 200;
/** A path from spots as `[x, y, at]`. */
const path = (...spots) => spots.map(([x, y, at]) => ({ x, y, at }));
const meaning = (at, ...spots) => pressOf(path([300, 500, 0], ...spots), reach, at).meaning;

test("a swipe to the left beyond two thirds of the way means an alert, a shorter one nothing", () => {
  assert.equal(meaning(300, [220, 505, 100], [165, 510, 300]), "swipe");
  assert.equal(meaning(300, [220, 505, 100], [200, 510, 300]), "");
  assert.equal(meaning(300, [165, 505, 100], [280, 510, 300]), "", "drawn back");
  assert.equal(pressOf(path([300, 500, 0], [20, 500, 90]), reach, 90).offset, -reach, "the track ends");
});

test("a swipe to the right means nothing, and gives way a little", () => {
  const press = pressOf(path([300, 500, 0], [390, 500, 90]), reach, 90);
  assert.deepEqual([press.meaning, press.offset, press.isFar], ["", 16, false]);
});

test("a finger that rests for three seconds means an alert, one that moved or left before does not", () => {
  assert.equal(meaning(3000, [305, 507, 900]), "hold");
  assert.equal(meaning(2999, [305, 507, 900]), "");
  assert.equal(meaning(3000, [330, 500, 900], [300, 500, 1500]), "");
  assert.equal(pressOf(path([300, 500, 0]), reach, 1500).held, 0.5);
});

test("a short press is a tap", () => {
  assert.equal(meaning(200), "tap");
  assert.equal(meaning(1000), "");
});

test("without room to the left nothing is a swipe", () => {
  assert.equal(pressOf(path([300, 500, 0], [290, 500, 50]), 0, 50).meaning, "tap");
});

const [anna, ben] = [{ id: "a", name: "Anna", mobile: "+447700900001" }, { id: "b", name: "Ben", email: "ben@example.org" }];

test("contacts are shown as changed on this phone, with what the centre refused", () => {
  const { id, ...members } = anna;
  assert.deepEqual(contactsShown([anna, ben], [{ kind: "remove", id: "b" }, { kind: "put", id, members: { ...members, name: "Anne" } }], []), [{ ...anna, name: "Anne", state: "waiting" }]);
  assert.deepEqual(contactsShown([anna], [], [{ id: "b", why: "no", members: { name: "Ben" } }, { id: "name", why: "x", members: {} }]), [{ ...anna, state: "kept" }, { id: "b", name: "Ben", state: "refused", why: "no" }]);
  assert.deepEqual(contactsShown([], [{ kind: "put", id: "b", members: { name: "Ben" } }], [{ id: "b", why: "no", members: { name: "B" } }]), [{ id: "b", name: "Ben", state: "waiting" }]);
  assert.deepEqual(changed([anna], { kind: "name", id: "name", members: { name: "Me" } }), [anna]);
});

const parts = (...states) => states.map((state) => ({ channel: "sms", state }));

test("a contact is as far as the best way to it, and an answer is further than all", () => {
  for (const [states, state] of [[["failed", "delivered"], "delivered"], [["sent", "waiting"], "sent"], [["failed", "waiting"], "waiting"], [["failed", "failed"], "failed"], [[], "failed"]])
    assert.equal(stateOf({ contact: "a", name: "Anna", parts: parts(...states), answeredAt: null }), state);
  assert.equal(stateOf({ contact: "a", name: "Anna", parts: parts("failed"), answeredAt: "2026-11-28T12:00:00Z" }), "answered");
});

test("open alerts are read often while something waits, seldom afterwards, and not when they are over", () => {
  const alert = (more) => ({ id: "1", raisedAt: "2026-11-28T12:00:00Z", trigger: "swipe", isDrill: false, endedAt: null, contacts: [{ contact: "a", name: "A", parts: parts("delivered"), answeredAt: null }], ...more });
  const later = Date.parse("2026-11-28T12:02:00Z");
  assert.equal(readAgainIn([alert()], later), 15_000);
  assert.equal(readAgainIn([alert()], later - 61_000), 3000, "it is new");
  assert.equal(readAgainIn([alert({ contacts: [{ contact: "a", name: "A", parts: parts("delivered", "waiting"), answeredAt: null }] })], later), 3000);
  assert.equal(readAgainIn([alert({ endedAt: "2026-11-28T12:10:00Z", contacts: [] })]), null);
  const newer = alert({ id: "2", raisedAt: "2026-11-28T13:00:00Z" });
  assert.deepEqual(withAlert([alert()], newer).map(({ id }) => id), ["2", "1"]);
  assert.equal(withAlert([newer, alert()], alert({ endedAt: "x" }))[1].endedAt, "x");
});

test("the place is due after a minute, or after fifty metres", () => {
  const fix = { latitude: 51.6565, longitude: -0.3903 };
  const last = { fix, at: 1000 };
  assert.equal(isPlaceDue(undefined, fix, 1000), true);
  assert.equal(isPlaceDue(undefined, null, 1000), false);
  assert.equal(isPlaceDue(last, fix, 60_999), false);
  assert.equal(isPlaceDue(last, fix, 61_000), true);
  assert.equal(isPlaceDue(last, { ...fix, latitude: fix.latitude + 0.0005 }, 2000), true);
  assert.equal(isPlaceDue(last, { ...fix, latitude: fix.latitude + 0.0004 }, 2000), false);
});

test("a contact is unreached where all ways that there are of this person were stopped", () => {
  const contact = (mobile, email, stopped) => ({ id: "1", name: "Anna", mobile, email, stopped });
  assert.equal(isUnreached(contact("+447700900001", null, ["sms"])), true);
  assert.equal(isUnreached(contact("+447700900001", "anna@example.org", ["sms"])), false);
  assert.equal(isUnreached(contact("+447700900001", "anna@example.org", ["email", "sms"])), true);
  assert.equal(isUnreached(contact(undefined, "anna@example.org", ["sms"])), false);
  assert.equal(isUnreached({ id: "1", name: "Anna", mobile: "+447700900001" }), false, "a centre of before says nothing of it");
});

test("what the centre knows of a contact stays while the rest is changed", () => {
  const known = [{ id: "1", name: "Anna", mobile: "+447700900001", email: "anna@example.org", stopped: ["sms"], confirmedAt: "2026-11-28T12:00:00Z" }];
  const members = { name: "Anne", mobile: "+447700900001", language: "en" };
  assert.deepEqual(changed(known, { kind: "put", id: "1", members }), [{ id: "1", ...members, stopped: ["sms"], confirmedAt: "2026-11-28T12:00:00Z" }]);
});

test("an alert of which no message goes out says so, and one that no contact gets says that", () => {
  const at = Date.parse("2026-11-28T12:01:00Z");
  const fault = (seconds, ...states) => faultOf(/** @type {any} */ ({ raisedAt: "2026-11-28T12:00:00Z", contacts: states.map((state) => ({ parts: [{ channel: "sms", state }] })) }), at - 60_000 + seconds * 1000);
  assert.deepEqual([fault(59, "waiting"), fault(60, "waiting"), fault(60, "waiting", "failed"), fault(60, "waiting", "sent"), fault(1, "failed", "failed"), fault(1, "failed", "waiting")], ["", "slow", "slow", "", "failed", ""]);
});

test("the phone itself can send an SMS to the contacts with a number", () => {
  const contacts = /** @type {any[]} */ ([{ mobile: "+447700900124" }, { email: "ben@example.org" }, { mobile: "+447700900125" }]);
  assert.equal(smsOf(contacts, "Help & place", "Android"), "sms:+447700900124,+447700900125?body=Help%20%26%20place");
  assert.equal(smsOf(contacts, "Help", "iPhone"), "sms:/open?addresses=+447700900124,+447700900125&body=Help");
  assert.equal(smsOf(contacts.slice(1, 2), "Help", "Android"), null);
});
