// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import "./support.js";
import { site } from "../core/site.js";
import { bodyOf, hasOlder, isFresh, joined, linesOf, momentFrom, momentText, newsIn, readersOf, refusalOf, stillUnsent, unreadIn, withPage } from "../model/channel.js";

const channel = (id, more = {}) => ({ id, name: id, site: null, members: ["guard"], isOpen: true, isMember: true, count: 0, read: 0, unread: 0, lastAt: null, readers: [], ...more });
const message = (number, user = "anna", at = "2026-11-28T10:00:00Z") => ({ number, at, by: { user, name: null }, isOwn: false, text: `${number}`, isErased: false, moment: null, hasStill: false });
const unsent = (key, more = {}) => ({ key, channel: "a", text: key, moment: null, at: Date.parse("2026-11-28T10:05:00Z"), state: "sending", fault: "", isPassing: false, number: null, ...more });
const some = (from, to) => Array.from({ length: to - from + 1 }, (_, index) => message(from + index));
const numbers = (messages) => messages.map(({ number }) => number);
const ids = (channels) => channels.map(({ id }) => id);
const moment = { camera: "c1", name: "Gate", at: "2026-11-28T10:00:00.000Z" };

afterEach(() => (site.zone = null));

test("somebody writes in the open channels of their role; the one with the newest message stands first", () => {
  const all = [channel("b"), channel("a"), channel("closed", { isOpen: false }), channel("others", { isMember: false }), channel("old", { lastAt: "2026-11-27T10:00:00Z" }), channel("new", { lastAt: "2026-11-28T10:00:00Z" })];
  assert.deepEqual(ids(joined(all)), ["new", "old", "a", "b"]);
});

test("unread are the messages of all channels but the one on the screen", () => {
  const all = [channel("a", { unread: 2 }), channel("b", { unread: 3 })];
  assert.equal(unreadIn(all, null), 5);
  assert.equal(unreadIn(all, "b"), 2);
});

test("news are messages of colleagues that came since, on no screen", () => {
  const before = [channel("a", { count: 4, unread: 1 }), channel("b", { count: 1 })];
  assert.deepEqual(newsIn(null, before, null), [], "what stood there when the page came");
  assert.deepEqual(newsIn(before, before, null), []);
  const after = [channel("a", { count: 5, unread: 2 }), channel("b", { count: 2, unread: 1 }), channel("c", { count: 1, unread: 1 })];
  assert.deepEqual(ids(newsIn(before, after, null)), ["a", "b", "c"]);
  assert.deepEqual(ids(newsIn(before, after, "b")), ["a", "c"]);
  assert.deepEqual(newsIn(before, [channel("a", { count: 5, unread: 0 })], null), [], "their own");
});

test("readers of a message are those who have come as far, without its author", () => {
  const readers = [{ user: "anna", name: "Anna", through: 9 }, { user: "ben", name: "Ben", through: 3 }, { user: "cleo", name: null, through: 2 }];
  assert.deepEqual(readersOf(channel("a", { readers }), message(3)).map(({ user }) => user), ["ben"]);
  assert.deepEqual(readersOf(channel("a", { readers }), message(2)).map(({ user }) => user), ["ben", "cleo"]);
});

test("pages of messages join without a gap, and what was read again is as it is now", () => {
  assert.deepEqual(numbers(withPage([], some(1, 3))), [1, 2, 3]);
  assert.deepEqual(numbers(withPage(some(1, 3), [])), [1, 2, 3]);
  assert.deepEqual(numbers(withPage(some(4, 6), some(1, 3))), [1, 2, 3, 4, 5, 6]);
  assert.deepEqual(numbers(withPage(some(1, 4), some(3, 6))), [1, 2, 3, 4, 5, 6]);
  assert.deepEqual(numbers(withPage(some(1, 3), some(7, 9))), [7, 8, 9], "those between are read by going back");
  assert.deepEqual(numbers(withPage(some(7, 9), some(1, 3))), [7, 8, 9], "an answer from before the page was read anew");
  const erased = { ...message(2), text: null, isErased: true };
  assert.deepEqual(withPage(some(1, 3), [erased]), [message(1), erased, message(3)]);
  assert.equal(hasOlder(some(2, 3)), true);
  assert.equal(hasOlder(some(1, 3)), false);
  assert.equal(hasOlder([]), false);
});

test("a day begins with its line, an author with their name, and what is not sent stands at the end", () => {
  site.zone = "Europe/Berlin";
  const messages = [message(1, "anna", "2026-11-27T22:59:00Z"), message(2, "anna", "2026-11-27T23:01:00Z"), message(3, "anna", "2026-11-28T09:00:00Z"), message(4, "ben", "2026-11-28T09:01:00Z")];
  const lines = linesOf(messages, [unsent("x"), unsent("y", { number: 4, state: "sent" })]);
  assert.deepEqual(lines.map(({ key }) => key), ["day 2026-11-27", "message 1", "day 2026-11-28", "message 2", "message 3", "message 4", "unsent x"]);
  assert.deepEqual(lines.filter(({ is }) => is === "message").map(({ isFirst }) => isFirst), [true, true, false, true]);
  assert.deepEqual(linesOf([], []), []);
});

test("a message is unsent until the channel has it under its number", () => {
  const all = [unsent("x"), unsent("y", { number: 3, state: "sent" })];
  assert.deepEqual(stillUnsent(all, some(1, 2)), all);
  assert.deepEqual(stillUnsent(all, some(1, 3)), [all[0]]);
});

test("words, a moment or both are sent; the camera's name is the gateway's to say", () => {
  assert.deepEqual(bodyOf({ text: "Look", moment: null }), { text: "Look" });
  assert.deepEqual(bodyOf({ text: "", moment }), { moment: { camera: "c1", at: moment.at } });
  assert.deepEqual(bodyOf({ text: "Look", moment }), { text: "Look", moment: { camera: "c1", at: moment.at } });
});

test("a picture of this moment may not be kept yet", () => {
  assert.equal(isFresh(moment, Date.parse(moment.at) + 9000), true);
  assert.equal(isFresh(moment, Date.parse(moment.at) + 11_000), false);
  assert.equal(isFresh(null, 0), false);
});

test("a refusal is told by what it is about", () => {
  assert.equal(refusalOf({ status: 404, slug: "channel-unknown" }, moment), "not-member");
  assert.equal(refusalOf({ status: 404 }, moment), "no-picture");
  assert.equal(refusalOf({ status: 403 }, moment), "may-not-look");
  assert.equal(refusalOf({ status: 403 }, null), null);
  assert.equal(refusalOf({ status: 503 }, moment), null);
});

test("what is dragged here is a moment, or nothing", () => {
  assert.deepEqual(momentFrom(momentText(moment)), moment);
  for (const text of ["", "x", "null", "{}", '{"camera":"c1","name":"Gate","at":"then"}', '{"camera":1,"name":"Gate","at":"2026-11-28T10:00:00Z"}']) assert.equal(momentFrom(text), null, text);
});
