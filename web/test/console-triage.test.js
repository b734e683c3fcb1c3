// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { askedOf, capacityOf, groupsOf, hasTelephoneAlone, isUnheard, placeOf, tabOf, typeOf, unreadOf, urgencyOf, whyFull, wishOf, wordsOf } from "../console/triage.js";

test("nothing rings for a number that an operator called and that has no phone, until somebody comes by a link", () => {
  const called = { openedBy: "operator", phone: "+447712345678" };
  assert.equal(isUnheard({ session: called, letIn: [] }), true);
  assert.equal(isUnheard({ session: called, letIn: [{ device: "d", isByLink: true }] }), false);
  assert.equal(isUnheard({ session: { ...called, openedBy: "caller" }, letIn: [] }), false);
  assert.equal(isUnheard({ session: called }), false, "who was in then is not known");
});

test("who texts by telephone has that alone until a phone or browser of theirs is in", () => {
  assert.equal(hasTelephoneAlone({ telephone: {}, letIn: [] }), true);
  assert.equal(hasTelephoneAlone({ telephone: {}, letIn: [{ device: "d" }] }), false);
  assert.equal(hasTelephoneAlone({ letIn: [] }), false);
  assert.equal(hasTelephoneAlone({ telephone: {} }), false, "who was in then is not known");
});

test("sessions of one event stand together, where the first of them stands", () => {
  const [one, two, three] = [{ id: 1, incident: "a" }, { id: 2, incident: "b" }, { id: 3, incident: "a" }];
  assert.deepEqual(groupsOf([one, two, three]), [[one, three], [two]]);
  assert.deepEqual(groupsOf([]), []);
});

test("how it began and the newest words are told, each once", () => {
  assert.deepEqual(wordsOf({ firstWords: "Ambulance needed", lastWords: "one is trapped" }), { first: "Ambulance needed", last: "one is trapped" });
  assert.deepEqual(wordsOf({ firstWords: "help", lastWords: "help" }), { first: "help", last: "" });
  assert.deepEqual(wordsOf({}), { first: "", last: "" });
});

test("an address comes before what the device told, and nothing is made up", () => {
  const place = { latitude: 51.6565, longitude: -0.3903, accuracyMetres: 12.4 };
  assert.equal(placeOf({ address: "94 Birmingham", place }), "94 Birmingham");
  assert.match(placeOf({ place }), /^51\.65650, -0\.39030 ± 12 m · \w{8}\+\w{2,3}$/);
  assert.equal(placeOf({}), "");
});

test("a place that was measured long before says so, as far as the row has the times", () => {
  const place = { latitude: 51.6565, longitude: -0.3903, measuredAt: "2026-11-26T17:55:00Z" };
  assert.match(placeOf({ place, placeAt: "2026-11-26T18:00:00Z" }), / · measured 5 min 00 s before$/);
  assert.match(placeOf({ place, placeAt: "2026-11-26T17:55:10Z" }), /^51\.65650, -0\.39030 · \w{8}\+\w{2,3}$/);
  assert.match(placeOf({ place }), /^51\.65650, -0\.39030 · \w{8}\+\w{2,3}$/);
});

test("what an incident is, and how urgent, is told where somebody has said so", () => {
  assert.deepEqual(urgencyOf({ incidentType: "road_traffic_collision", incidentPriority: 1 }), { words: "P1 · road traffic collision", kind: "bad" });
  assert.deepEqual(urgencyOf({ incidentType: "fire", incidentPriority: 4 }), { words: "P4 · fire", kind: "" });
  assert.deepEqual(urgencyOf({ incidentType: "unclassified", incidentPriority: 2 }), { words: "P2", kind: "warn" });
  assert.equal(urgencyOf({ incidentType: "unclassified", incidentPriority: 3 }), null);
  assert.equal(urgencyOf({}), null);
});

test("a colleague who is asked to take a caller is named until the offer is over, to everybody else", () => {
  const offer = { to: "john", expiresAt: new Date(Date.now() + 3_600_000).toISOString() };
  assert.equal(askedOf({ offer }, "amina"), "john");
  assert.equal(askedOf({ offer }, "john"), null);
  assert.equal(askedOf({ offer: { ...offer, expiresAt: new Date(Date.now() - 3_600_000).toISOString() } }, "amina"), null);
  assert.equal(askedOf({}, "amina"), null);
});

test("a wish to show video is one until its time is over", () => {
  const at = (milliseconds) => new Date(Date.now() + milliseconds).toISOString();
  const [later, before] = [at(3_600_000), at(-3_600_000)];
  assert.equal(wishOf({ wishesVideoUntil: later }), later);
  assert.equal(wishOf({ wishesVideoUntil: before }), null);
  assert.equal(wishOf({}), null);
});

test("what somebody writes becomes a word of the ledger", () => {
  assert.equal(typeOf("  Road traffic  collision! "), "road_traffic_collision");
  assert.equal(typeOf("?"), "");
});

test("who has as many sessions as allowed reads that before pressing", () => {
  const desk = { me: { role: "operator" }, alerting: false, isRead: true, mine: [{ phone: "+447712345678" }] };
  assert.equal(whyFull(desk), "You have as many as allowed: close +447712345678 to take another.");
  assert.equal(whyFull({ ...desk, alerting: true }), "");
  assert.equal(whyFull({ ...desk, mine: [] }), "");
  assert.equal(whyFull({ ...desk, me: { role: "supervisor" } }), "");
});

test("a caller's tab tells of what is new unless its chat is looked at, and of somebody muted never", () => {
  const caller = { id: "a", phone: "+447712345678", unreadForOperator: 2 };
  assert.equal(tabOf(caller, { isShown: false, isLookedAt: true }).unread, 2);
  assert.equal(tabOf(caller, { isShown: true, isLookedAt: true }).unread, 0);
  assert.equal(tabOf(caller, { isShown: true, isLookedAt: false }).unread, 2, "the operator looks at another page");
  assert.deepEqual(tabOf({ ...caller, isMuted: true }, { isShown: false, isLookedAt: true }), { id: "a", name: "+447712345678", said: undefined, isUnverified: false, isShown: false, isMuted: true, unread: 0 });
  const nameOf = (session) => tabOf(session, { isShown: false, isLookedAt: true }).name;
  assert.equal(nameOf({ id: "b", telephone: { number: "+49301234567", name: "Ann" } }), "+49301234567");
  assert.equal(nameOf({ id: "b", telephone: { name: "Ann" }, firstWords: "help" }), "Ann");
  assert.equal(nameOf({ id: "b", firstWords: "there is smoke on the stairs" }), "“there is smoke on the st …”");
  assert.equal(nameOf({ id: "b" }), "");
  const saidOf = (session) => tabOf(session, { isShown: false, isLookedAt: true }).said;
  assert.equal(saidOf({ id: "b", telephone: { number: "+49301234567", name: "Ann" } }), "Ann");
  assert.equal(saidOf({ id: "b", telephone: { name: "Ann" } }), undefined, "it is said once");
  const isUnverified = (session) => tabOf(session, { isShown: false, isLookedAt: true }).isUnverified;
  assert.equal(isUnverified({ id: "b", telephone: { number: "+49301234567" } }), true);
  assert.equal(isUnverified({ id: "b", phone: "+49301234567", telephone: { number: "+49301234567" } }), false, "the number is the caller's");
  assert.equal(isUnverified({ id: "b", telephone: { name: "Ann" } }), false, "there is no number");
  assert.equal(unreadOf({}), 0);
});

test("an operator has so many of those allowed: of text alone more than of others", () => {
  const capacity = { sessions: 1, textSessions: 3 };
  const [chat, video] = [{ channel: "chat" }, { channel: "video" }];
  assert.deepEqual(capacityOf({ mine: [chat, chat], capacity }), { count: 2, max: 3, isText: true });
  assert.deepEqual(capacityOf({ mine: [video], capacity }), { count: 1, max: 1, isText: false });
  assert.deepEqual(capacityOf({ mine: [], capacity: { sessions: 1, textSessions: 1 } }), { count: 0, max: 1, isText: false });
  assert.equal(capacityOf({ mine: [], capacity: null }), null, "the centre has not said");
});
