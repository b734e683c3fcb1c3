// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import "./support.js";
import { eventOf } from "../model/event.js";
import { applyToIncident, emptyIncident, sessionsOf } from "../model/incident.js";
import { pictureAt, spans } from "../model/stream.js";
import { groupOf, groups, sentence, whoDid } from "../model/words.js";
import { replayReady } from "../pages/replay/words.js";
import { compared, recorded } from "./as-of.js";

await replayReady;

const demo = JSON.parse(readFileSync(new URL("../../fixtures/timelines/demo.json", import.meta.url), "utf8"));
const events = demo.timeline.map(eventOf);

/** An entry as the gateway gives it. */
function entry(position, type, subject, says = {}, more = {}) {
  const summary = Object.entries(says).map(([name, value]) => ({ name, ...(value === null ? {} : { value }), isSealed: value === null }));
  return eventOf({ position: String(position), subject, revision: "0", id: `e${position}`, type: `${type}/1`, actor: "device/d", time: new Date(1_000_000 + position * 1000).toISOString(), summary, ...more });
}

const made = (...list) => list.reduce(applyToIncident, emptyIncident("I"));
const begun = [entry(0, "incident.opened", "incident/I"), entry(1, "session.created", "session/S", { incident: "I", channel: "chat", openedBy: "caller" })];

test("the demo's incident is at every tenth event what the gateway says with asOf, there and back", () => {
  const { found, moments } = compared(demo);
  assert.deepEqual(found, []);
  assert.ok(moments >= 10, `${moments} moments`);
});

test("no event changes a state that was there before", () => {
  const states = [];
  events.reduce((state, event) => {
    states.push([state, JSON.stringify(state)]);
    return applyToIncident(state, event);
  }, emptyIncident(demo.incident));
  for (const [state, text] of states) assert.equal(JSON.stringify(state), text);
});

test("a fold of all is the fold of the rest over the fold of the first", () => {
  const source = recorded(demo);
  for (const middle of [1, 7, events.length - 1]) {
    source.seekEvent(middle - 1);
    assert.deepEqual(events.slice(middle).reduce(applyToIncident, source.state), source.end);
  }
});

test("every event of the demo has a sentence, somebody who did it, and a kind that can be chosen", () => {
  for (const event of events) {
    const words = sentence(event, { 123456789: "Amina" });
    assert.ok(words.length > 3 && !/undefined|NaN|\[object/.test(words), `${event.kind}: ${words}`);
    assert.ok(whoDid(event).length > 2, event.actor);
    assert.ok(groups.includes(groupOf(event)), event.kind);
  }
});

test("a stream is with the camera that was turned to", () => {
  const started = entry(2, "stream.started", "stream/V", { session: "S", size: "320x180", camera: "rear" });
  assert.equal(made(...begun, started, entry(3, "stream.camera_switched", "stream/V", { camera: "front" })).streams.V.camera, "front");
});

test("what a newer gateway tells of is told part by part, and changes nothing that it does not concern", () => {
  const news = entry(2, "session.weighed", "session/S", { pounds: "3" });
  assert.equal(sentence(news), "session: weighed – pounds 3");
  assert.deepEqual(made(...begun, news).sessions, made(...begun).sessions);
});

test("what was erased says so, and is no text", () => {
  const state = made(...begun, entry(2, "chat.message_sent", "session/S", { message: "M", from: "caller", text: null }));
  assert.equal("text" in state.sessions.S.chat.messages.at(0), false);
  assert.equal(sentence(entry(3, "chat.message_sent", "session/S", { text: null })), "wrote a message that was erased");
  assert.equal(sentence(entry(3, "location.reported", "session/S", { fix: null })), "sent a location (erased)");
});

test("a message that is seen before it was written, or by its own side, is not seen", () => {
  const written = entry(3, "chat.message_sent", "session/S", { message: "M", from: "caller", text: "help" });
  const early = made(...begun, entry(2, "chat.message_seen", "session/S", { upTo: "M", by: "operator" }), written);
  const own = made(...begun, written, entry(4, "chat.message_seen", "session/S", { upTo: "M", by: "caller" }));
  for (const { sessions } of [early, own]) assert.deepEqual([sessions.S.chat.messages.at(0).seenAt, sessions.S.chat.unread.caller], [undefined, 1]);
});

test("a released session waits again where something is unread, and not where it was left with all read", () => {
  const claimed = [...begun, entry(2, "chat.message_sent", "session/S", { message: "M", from: "caller", text: "help" }), entry(3, "session.claimed", "session/S", { owner: "1" })];
  const left = entry(5, "session.released", "session/S", { owner: "1", reason: "left_open" });
  assert.notEqual(made(...claimed, left).sessions.S.pendingSince, null);
  assert.equal(made(...claimed, entry(4, "chat.message_seen", "session/S", { upTo: "M", by: "operator" }), left).sessions.S.pendingSince, null);
});

test("a session that was linked elsewhere is no more the incident's", () => {
  const state = made(...begun, entry(2, "incident.session_linked", "incident/J", { session: "S", from: "I", reason: "another event" }));
  assert.deepEqual([sessionsOf(made(...begun)).length, sessionsOf(state).length, state.sessions.S.incident], [1, 0, "J"]);
});

test("a session that left says when, by itself or with what was taken out, until it comes back", () => {
  const linked = (position, to) => entry(position, "incident.session_linked", `incident/${to}`, { session: "S", from: "I", reason: "another event" });
  const left = made(...begun, linked(2, "J"));
  assert.equal(left.sessions.S.leftAt, linked(2, "J").time);
  assert.equal(made(...begun).sessions.S.leftAt, null);
  assert.equal(made(...begun, linked(2, "J"), linked(3, "I")).sessions.S.leftAt, null);
  const merged = entry(3, "incident.merged", "incident/J", { into: "I", reason: "same" });
  const unmerged = entry(4, "incident.unmerged", "incident/J", { from: "I", reason: "not the same" });
  assert.equal(made(...begun, linked(2, "J"), merged).sessions.S.leftAt, null);
  assert.equal(made(...begun, linked(2, "J"), merged, unmerged).sessions.S.leftAt, unmerged.time);
  // To a part of what the incident is a part of, and before it came here, it has left nothing.
  assert.equal(made(entry(0, "session.created", "session/S", { incident: "K" }), linked(1, "J"), merged).sessions.S.leftAt, null);
});

test("of a moment there is the picture that was taken then, and none in a gap", () => {
  const piece = (position, firstMilliseconds, lastMilliseconds) => entry(position, "stream.chunk_archived", "stream/V", { chunk: "0" }, { file: { name: "a/b.webm", firstMilliseconds, lastMilliseconds } });
  const { streams: { V } } = made(...begun, entry(2, "stream.started", "stream/V", { session: "S", size: "320x180" }, { file: { name: "a/b.webm" } }),
    piece(10, 0, 2000), piece(12, 2033, 4000), piece(30, 20_000, 22_000));
  const at = (second) => pictureAt(V, 1_000_000 + second * 1000);
  assert.equal(at(7.9), null, "before the first");
  assert.deepEqual(at(9), { milliseconds: 1000, isGap: false });
  assert.deepEqual(at(11), { milliseconds: 3000, isGap: false });
  assert.deepEqual(at(12.5), { milliseconds: 4000, isGap: false }, "the last one stands for a while");
  assert.deepEqual(at(20), { milliseconds: 4000, isGap: true });
  assert.deepEqual(at(29), { milliseconds: 21_000, isGap: false });
  assert.deepEqual(spans(V).map(({ from, to }) => [from / 1000 - 1000, to / 1000 - 1000]), [[8, 12], [28, 30]]);
});

test("what the network held up stands where it was filmed, not where it came", () => {
  const piece = (position, firstMilliseconds, lastMilliseconds) => entry(position, "stream.chunk_archived", "stream/V", { chunk: "0" }, { file: { name: "a/b.webm", firstMilliseconds, lastMilliseconds } });
  const { streams: { V } } = made(...begun, entry(6, "stream.started", "stream/V", { session: "S", size: "320x180" }, { file: { name: "a/b.webm" } }),
    piece(8, 0, 1000), piece(10, 1033, 3000), piece(40, 3033, 3500), piece(41, 3533, 4000));
  const at = (second) => pictureAt(V, 1_000_000 + second * 1000);
  assert.deepEqual(at(9.5), { milliseconds: 2500, isGap: false });
  assert.deepEqual(at(11), { milliseconds: 4000, isGap: false }, "it came at 41");
  assert.deepEqual(at(30), { milliseconds: 4000, isGap: true }, "an old picture is not that of the outage");
  assert.deepEqual(spans(V).map(({ from, to }) => [from / 1000 - 1000, to / 1000 - 1000]), [[7, 11]]);
});

test("film that came in a hurry was there by the time it came, and tells nothing of when the rest was filmed", () => {
  const piece = (position, firstMilliseconds, lastMilliseconds) => entry(position, "stream.chunk_archived", "stream/V", { chunk: "0" }, { file: { name: "a/b.webm", firstMilliseconds, lastMilliseconds } });
  const { streams: { V } } = made(...begun, entry(60, "stream.started", "stream/V", { session: "S", size: "320x180" }, { file: { name: "a/b.webm" } }),
    piece(61, 0, 20_000), piece(62, 20_033, 40_000), piece(70, 68_000, 69_500));
  const at = (second) => pictureAt(V, 1_000_000 + second * 1000);
  assert.deepEqual(at(62), { milliseconds: 40_000, isGap: false });
  assert.deepEqual(at(66), { milliseconds: 40_000, isGap: true });
  assert.deepEqual(at(69.5), { milliseconds: 69_000, isGap: false }, "live again");
});
