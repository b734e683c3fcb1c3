// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { notesOf, pastWords } from "../call/happened.js";

const at = (minute, second = 0) => `2026-11-21T18:${String(minute).padStart(2, "0")}:${String(second).padStart(2, "0")}.000Z`;
const session = { id: "s", openedBy: "caller", createdAt: at(5), state: "open" };
const texts = (detail, streams) => notesOf(detail, streams).map((note) => note.text);

test("nothing happened in a contact that began", () => assert.deepEqual(texts({ session }), []));

test("who is there is told, and that somebody left", () => {
  assert.deepEqual(texts({ session: { ...session, owner: "u", claimedAt: at(6) } }), ["An operator is with you."]);
  assert.deepEqual(texts({ session: { ...session, lastOwner: "u", claimedAt: at(6), pendingSince: at(7) } }), ["Your operator had to leave. Others are being called."]);
  assert.deepEqual(texts({ session: { ...session, lastOwner: "u", claimedAt: at(6) } }), [], "who left it open is nobody who had to leave");
});

test("a question keeps its key, whatever became of it", () => {
  const request = { id: "r", ask: "send_location", sentAt: at(6) };
  const [open] = notesOf({ session, requests: [request] });
  const [over] = notesOf({ session, requests: [{ ...request, answer: "declined" }] });
  assert.equal(open.text, "The operator asked for your location.");
  assert.equal(over.text, "The operator asked for your location. You said not now.");
  assert.equal(open.key, over.key);
});

test("what happened stands in the order in which it happened", () => {
  const detail = {
    session: { ...session, openedBy: "operator", owner: "u", claimedAt: at(5) },
    requests: [{ id: "r", ask: "start_video", sentAt: at(6), answer: "accepted" }],
    locations: [{ position: "9", at: at(10), fix: { accuracyMetres: 11.6 } }, { position: "11", at: at(11), unavailable: "denied" }],
  };
  const streams = [{ id: "v", startedAt: at(7), state: "finalized", durationMilliseconds: 90_000, stopReason: "navigated" }];
  assert.deepEqual(notesOf(detail, streams).map(({ at: time, text }) => [time, text]), [
    [at(5), "The emergency centre opened this contact."],
    [at(5), "An operator is with you."],
    [at(6), "The operator asked to see video. You agreed."],
    [at(7), "Your video started."],
    [at(8, 30), "Your video ended, because you opened the chat."],
    [at(10), "You sent your location, accurate to 12 m."],
    [at(11), "Your phone could not tell your location."],
  ]);
});

test("a video that runs, or waits for the network, has not ended", () => {
  for (const state of ["live", "interrupted"]) assert.deepEqual(texts({ session }, [{ id: "v", startedAt: at(7), state }]), ["Your video started."]);
  assert.deepEqual(texts({ session }, [{ id: "v", startedAt: at(7), state: "finalized", stopReason: "something inside" }]).at(-1), "Your video ended.");
});

test("a contact that is over is told of for an hour", () => {
  const over = { state: "expired", openedBy: "operator", createdAt: at(29), endedAt: at(31) };
  const clock = (text) => text.slice(11, 16);
  const now = Date.parse(at(40));
  assert.match(pastWords(over, now, clock), /^The emergency centre tried to reach you at 18:29\./);
  assert.match(pastWords({ ...over, state: "closed" }, now, clock), /ended at 18:31\.$/);
  assert.equal(pastWords(over, now + 60 * 60_000, clock), "");
  assert.equal(pastWords(null, now, clock), "");
});
