// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { Clock, settled } from "./support.js";
import { filmsOf, fold, rowOf, unreadOf } from "../pages/wall/parts/fold.js";
import { Frames, renewMilliseconds } from "../pages/wall/parts/frames.js";
import { countsOf, freeOf, isUnattended, knownAs, lettersOf, ordered, ownersOf, proposalsOf, urgencyOf, waits } from "../pages/wall/parts/order.js";

const at = (second) => `2026-03-01T10:00:${String(second).padStart(2, "0")}.000000Z`;
const item = (id, members = {}) => ({ id, incident: `i-${id}`, state: "open", channel: "chat", createdAt: at(1), activityAt: at(2), liveStreams: 0, isPrivate: false, unreadForOperator: 0, ...members });
const listed = (...items) => new Map(items.map((one) => [one.id, rowOf(one)]));
const event = (kind, subject, data = {}, second = 30, more = {}) => ({ topic: "desk", position: String(second), kind: `${kind}/1`, subject, time: at(second), entry: { data }, ...more });
/** Folds events one after the other. */
const after = (rows, ...events) => events.reduce((known, one) => fold(known, one).rows, rows);

test("a claim, a message and its reading change the row, and nothing has to be asked", () => {
  const rows = listed(item("a", { unreadForOperator: 2, pendingSince: at(2) }), item("b"));
  const claim = fold(rows, event("session.claimed", "session/a", { owner: "john" }));
  assert.deepEqual(claim.toRead, []);
  assert.equal(claim.rows.get("a").owner, "john");
  assert.equal(claim.rows.get("a").pendingSince, null);
  assert.equal(claim.rows.get("b"), rows.get("b"));
  const written = fold(claim.rows, event("chat.message_sent", "session/a", { message: "m1", from: "caller", text: { sealed: "x" } }, 31));
  assert.deepEqual(written.toRead, []);
  assert.equal(unreadOf(written.rows.get("a")), 3);
  const answered = after(written.rows, event("chat.message_sent", "session/a", { message: "m2", from: "operator" }, 32), event("chat.message_seen", "session/a", { upTo: "m2", by: "caller" }, 33));
  assert.equal(unreadOf(answered.get("a")), 3);
  assert.equal(unreadOf(after(answered, event("chat.message_seen", "session/a", { upTo: "m1", by: "operator" }, 34)).get("a")), 0);
});

test("a message of before the reading that is seen leaves those that came after it", () => {
  const rows = after(listed(item("a", { unreadForOperator: 2 })), event("chat.message_sent", "session/a", { message: "new", from: "caller" }), event("chat.message_seen", "session/a", { upTo: "old", by: "operator" }, 31));
  assert.equal(unreadOf(rows.get("a")), 1);
});

test("what the row had when it was read is not counted again", () => {
  const rows = listed(item("a", { unreadForOperator: 1, liveStreams: 1, liveStream: "s1", activityAt: at(20) }));
  const same = after(rows, event("stream.started", "stream/s1", { session: "a" }, 19), event("chat.message_sent", "session/a", { message: "m", from: "caller" }, 20));
  assert.equal(same, rows);
});

test("only a new session, and what is sealed in it, has to be read", () => {
  const rows = listed(item("a", { isMuted: true }), item("b", { phone: "+44771" }), item("c"));
  const toRead = (...words) => fold(rows, event(...words)).toRead;
  assert.deepEqual(toRead("session.created", "session/n", {}), ["n"]);
  assert.deepEqual(toRead("session.mute_set", "session/a", { isMuted: false }), ["a"]);
  assert.deepEqual(toRead("sip.message_received", "session/c"), ["c"]);
  assert.deepEqual(toRead("sip.message_received", "session/b"), []);
  assert.deepEqual(toRead("incident.session_linked", "incident/i-b", { session: "a" }), []);
  assert.deepEqual(toRead("incident.session_linked", "incident/elsewhere", { session: "a" }), ["a"]);
  assert.deepEqual(toRead("incident.session_linked", "incident/i-a", { session: "a" }), []);
  assert.deepEqual(toRead("chat.message_sent", "session/unknown", { from: "caller" }), []);
});

test("streams begin, fall silent and end; the end of the last is to be seen", () => {
  let rows = after(listed(item("a", { liveStreams: 2, liveStream: "s2" })), event("stream.stopped", "stream/s1", { session: "a" }));
  assert.deepEqual([rows.get("a").live, filmsOf(rows.get("a"))], [["s2"], 1]);
  rows = after(rows, event("stream.interrupted", "stream/s2", { reason: "silence" }, 31));
  assert.deepEqual(rows.get("a").silent, ["s2"]);
  rows = after(rows, event("stream.resumed", "stream/s2", {}, 32), event("stream.stopped", "stream/s2", { session: "a" }, 33));
  assert.deepEqual([filmsOf(rows.get("a")), rows.get("a").isFilmOver, rows.get("a").silent], [0, true, []]);
  rows = after(rows, event("stream.started", "stream/s3", { session: "a" }, 34));
  assert.deepEqual([rows.get("a").live, rows.get("a").isFilmOver], [["s3"], false]);
});

test("a session that has ended is not on the wall any more", () => {
  const rows = after(listed(item("a"), item("b")), event("session.closed", "session/a", { by: "operator" }), event("session.expired", "session/b", {}, 31));
  assert.equal(rows.size, 0);
});

test("an offer and proposals stand until they are answered, or the session has another owner", () => {
  const offered = after(listed(item("a", { owner: "amina" })), event("session.offered", "session/a", { to: "john", by: "sue", expiresAt: at(50), reason: { sealed: "x" } }),
    event("session.link_proposed", "session/a", { from: "b", by: "john", expiresAt: at(50) }), event("session.link_proposed", "session/a", { from: "c", by: "mia", expiresAt: at(50) }));
  assert.deepEqual(offered.get("a").offer, { to: "john", by: "sue", expiresAt: at(50) });
  assert.deepEqual(offered.get("a").linkProposals.map(({ from }) => from), ["b", "c"]);
  assert.equal(after(offered, event("session.offer_declined", "session/a", { by: "john" })).get("a").offer, null);
  assert.deepEqual(after(offered, event("session.link_declined", "session/a", { from: "b" })).get("a").linkProposals.map(({ from }) => from), ["c"]);
  const moved = after(offered, event("session.transferred", "session/a", { from: "amina", to: "john" })).get("a");
  assert.deepEqual([moved.owner, moved.offer, moved.linkProposals], ["john", null, []]);
});

test("an owner who was signed out leaves the session unattended, until they come back", () => {
  const rows = after(listed(item("a", { owner: "amina" })), event("session.unattended", "session/a", { owner: "amina", takeOverAt: at(55) }));
  assert.ok(isUnattended(rows.get("a")));
  assert.ok(!isUnattended(after(rows, event("session.resumed", "session/a", { by: "operator" }, 31)).get("a")));
});

test("a wish to show video waits, and its end waits on only where the caller did more", () => {
  const [wish, end] = [event("session.video_wished", "session/a", { expiresAt: at(55) }), event("session.video_wish_withdrawn", "session/a", {}, 31)];
  const wished = after(listed(item("a")), wish).get("a");
  assert.deepEqual([wished.wishesVideoUntil, wished.pendingSince], [at(55), at(30)]);
  assert.equal(after(listed(item("a")), wish, end).get("a").pendingSince, null);
  assert.equal(after(listed(item("a", { startedAt: at(2) })), wish, end).get("a").pendingSince, at(30));
});

test("a link takes over what the other incident was taken for, and a classification is of all its sessions", () => {
  const rows = after(listed(item("a"), item("b", { incidentType: "fire", incidentPriority: 1 })), event("incident.session_linked", "incident/i-b", { session: "a" }));
  assert.deepEqual([rows.get("a").incident, urgencyOf(rows.get("a"))], ["i-b", { priority: 1, type: "fire" }]);
  const said = after(rows, event("incident.classified", "incident/i-b", { type: "water_rescue", priority: 2 }, 31));
  assert.deepEqual([...said.values()].map(urgencyOf), Array(2).fill({ priority: 2, type: "water rescue" }));
  assert.equal(urgencyOf(rowOf(item("n", { incidentType: "unclassified", incidentPriority: 3 }))), null);
});

test("of a session that became private nothing is kept but whose it is", () => {
  const known = listed(item("a", { phone: "+44771", liveStreams: 1, liveStream: "s1", incidentType: "fire", unreadForOperator: 3 }));
  const row = fold(known, { topic: "desk", position: "9", kind: "session.claimed/1", subject: "session/a", time: at(30), owner: "john", isPrivate: true }).rows.get("a");
  assert.deepEqual([row.owner, row.isPrivate, knownAs(row), row.live, filmsOf(row), unreadOf(row), urgencyOf(row)], ["john", true, undefined, [], 1, 0, null]);
});

test("unattended and waiting sessions come first, longest first, with those of their incident", () => {
  const rows = listed(item("with", { owner: "x" }), item("new", { createdAt: at(20) }), item("old", { pendingSince: at(3) }), item("gone", { owner: "y", unattendedSince: at(10) }),
    item("left", { lastOwner: "z" }), item("same", { owner: "x", incident: "i-new", createdAt: at(25) }));
  assert.deepEqual(ordered(rows.values()).map(({ id }) => id), ["old", "gone", "new", "same", "with", "left"]);
  const shown = (...filter) => ordered(rows.values(), ...filter).map(({ id }) => id);
  assert.deepEqual([shown("waiting"), shown("unattended"), shown("video"), shown("owner", "x")], [["old", "gone", "new"], ["gone"], [], ["with", "same"]]);
  assert.ok(!waits(rows.get("left")));
  assert.deepEqual(countsOf(rows), { sessions: 6, waiting: 2, unattended: 1, video: 0, incidents: 5, proposals: 0 });
  assert.deepEqual([...lettersOf(rows.values())], [["i-new", { letter: "A", count: 2 }]]);
});

test("a proposal is shown while its session is open and of another incident", () => {
  const asked = { linkProposals: [{ from: "b", by: "john", expiresAt: at(9) }, { from: "ended", by: "mia", expiresAt: at(9) }] };
  const rows = listed(item("a", asked), item("b", { owner: "john" }));
  assert.deepEqual(proposalsOf(rows.get("a"), rows).map(({ asker, by }) => [asker.id, by]), [["b", "john"]]);
  const linked = after(rows, event("incident.session_linked", "incident/i-a", { session: "b" }));
  assert.deepEqual(proposalsOf(linked.get("a"), linked), []);
});

test("those who are signed in, take sessions and have fewest are offered first", () => {
  const colleague = (user, isSignedIn, takesSessions) => ({ user, name: user.toUpperCase(), isSignedIn, takesSessions });
  const people = [colleague("amina", true, true), colleague("away", false, true), colleague("boss", true, false), colleague("john", true, true), colleague("zoe", true, true)];
  const owners = ownersOf(listed(item("a", { owner: "amina" }), item("b", { owner: "john" }), item("c", { owner: "john" })).values());
  assert.deepEqual(freeOf(people, owners, []).map(({ user, sessions }) => [user, sessions]), [["zoe", 0], ["amina", 1], ["john", 2]]);
  assert.deepEqual(freeOf(people, owners, ["zoe", "amina"]).map(({ user }) => user), ["john"]);
});

test("pictures are asked for two at a time, each no sooner than its time, and none of what is not seen", async () => {
  const clock = new Clock();
  try {
    const [asked, waiting, shown] = [[], [], []];
    const frames = new Frames((stream) => new Promise((resolve, reject) => {
      asked.push(stream);
      waiting.push({ stream, give: () => resolve(`picture of ${stream}`), fail: () => reject(new Error("none")) });
    }));
    const films = ["a", "b", "c"].map((stream) => ({ stream, onPicture: (picture) => shown.push(picture), onNone: () => shown.push(`none of ${stream}`) }));
    const ends = films.map((film) => frames.show(film));
    assert.deepEqual(asked, ["a", "b"]);
    waiting.shift().give();
    await settled();
    assert.deepEqual([asked, shown], [["a", "b", "c"], ["picture of a"]]);
    for (const one of waiting.splice(0)) one.give();
    await clock.pass(renewMilliseconds - 1);
    assert.equal(asked.length, 3);
    ends[2]();
    await clock.pass(1);
    assert.deepEqual(asked.slice(3), ["a", "b"]);
    // What cannot be had is asked for later.
    for (const one of waiting.splice(0)) one.fail();
    await settled();
    assert.deepEqual(shown.slice(-2), ["none of a", "none of b"]);
    await clock.pass(renewMilliseconds);
    assert.equal(asked.length, 5);
    // Seen again after a moment, it is not renewed sooner for that; while the page is hidden nothing is asked for.
    frames.isOpen = false;
    await clock.pass(60_000);
    assert.equal(asked.length, 5);
    frames.isOpen = true;
    assert.deepEqual(asked.slice(5), ["a", "b"]);
  } finally {
    clock.stop();
  }
});
