// SPDX-License-Identifier: Apache-2.0
/**
 * The channels of a team: which ones somebody writes in, what stands in one, who has read it, and what is still to be sent.
 *
 * @typedef {{user: string, name: string | null}} Who
 * @typedef {{id: string, name: string, site: string | null, members: string[], isOpen: boolean, isMember: boolean, count: number, read: number, unread: number, lastAt: string | null,
 *   readers: (Who & {through: number})[]}} Channel As `GET /v1/channels` has it.
 * @typedef {{camera: string, name: string, at: string}} Moment What a camera showed at a time.
 * @typedef {{number: number, at: string, by: Who, isOwn: boolean, text: string | null, isErased: boolean, moment: Moment | null, hasStill: boolean}} Message As its messages are listed.
 * @typedef {{key: string, channel: string, text: string, moment: Moment | null, at: number, state: "sending" | "sent" | "failed", fault: string, isPassing: boolean, number: number | null}} Unsent `key` names
 *   the command; `number` is what the gateway counted it as.
 * @typedef {{key: string, is: "day", at: string | number} | {key: string, is: "message", message: Message, isFirst: boolean} | {key: string, is: "unsent", unsent: Unsent}} Line
 */
import { fieldDay } from "../core/time.js";

/** What is dragged from a picture to a channel, among other things that are dragged over a page. */
export const momentType = "application/x-daybook-moment";
/** The roles whose users may be members. */
export const memberRoles = ["guard", "operator", "supervisor", "analyst", "auditor", "org-admin", "admin"];
/** A picture that is younger than so many milliseconds may not be kept yet. */
const keptAfter = 10_000;

// MARK: Channels

/** Those in which somebody writes, the one with the newest message first. @param {Channel[]} channels */
export const joined = (channels) => channels.filter(({ isOpen, isMember }) => isOpen && isMember).sort((one, other) => (other.lastAt ?? "").localeCompare(one.lastAt ?? "") || one.name.localeCompare(other.name));

/** How many messages are unread, in all but the channel that is on the screen. @param {Channel[]} channels @param {string | null} shown */
export const unreadIn = (channels, shown) => channels.filter(({ id }) => id !== shown).reduce((sum, { unread }) => sum + unread, 0);

/** Those in which a colleague has written since they were read before, but for the one that is on the screen. @param {Channel[] | null} before @param {Channel[]} after @param {string | null} shown */
export function newsIn(before, after, shown) {
  if (before === null) return [];
  const known = new Map(before.map(({ id, unread, count }) => [id, { unread, count }]));
  return after.filter(({ id, unread, count }) => id !== shown && unread > (known.get(id)?.unread ?? 0) && count > (known.get(id)?.count ?? 0));
}

/** Who else has read a message. @param {Channel} channel @param {Message} message */
export const readersOf = ({ readers }, { number, by }) => readers.filter(({ user, through }) => through >= number && user !== by.user);

// MARK: Messages

/**
 * What is known of a channel's messages, with some more of them, as they are now. Messages are numbered without gaps; where there would be one, only the newer stay.
 * @param {Message[]} known @param {Message[]} page Both oldest first.
 */
export function withPage(known, page) {
  if (page.length === 0 || known.length === 0) return page.length ? page : known;
  const [first, last] = [page[0].number, page.at(-1).number];
  if (first > known.at(-1).number + 1) return page;
  if (last < known[0].number - 1) return known;
  return [...known.filter(({ number }) => number < first), ...page, ...known.filter(({ number }) => number > last)];
}

/** @param {Message[]} messages */
export const hasOlder = (messages) => messages.length > 0 && messages[0].number > 1;

/**
 * What stands in a channel: a line for each new day, the messages, and at last what is not sent yet.
 * @param {Message[]} messages @param {Unsent[]} unsent
 * @returns {Line[]}
 */
export function linesOf(messages, unsent) {
  const lines = [];
  let [day, author] = ["", ""];
  const begin = (at) => {
    if (fieldDay(new Date(at)) === day) return;
    [day, author] = [fieldDay(new Date(at)), ""];
    lines.push({ key: `day ${day}`, is: "day", at });
  };
  for (const message of messages) {
    begin(message.at);
    lines.push({ key: `message ${message.number}`, is: "message", message, isFirst: message.by.user !== author });
    author = message.by.user;
  }
  for (const one of stillUnsent(unsent, messages)) {
    begin(one.at);
    lines.push({ key: `unsent ${one.key}`, is: "unsent", unsent: one });
  }
  return lines;
}

// MARK: Sending

/** What is sent. @param {{text: string, moment: Moment | null}} message */
export const bodyOf = ({ text, moment }) => ({ ...(text ? { text } : {}), ...(moment ? { moment: { camera: moment.camera, at: moment.at } } : {}) });

/** Those that the channel does not have yet. @param {Unsent[]} unsent @param {Message[]} messages */
export const stillUnsent = (unsent, messages) => unsent.filter(({ number }) => number === null || !messages.some((one) => one.number === number));

/** Whether a picture may only not be kept yet: it is asked for again. @param {Moment | null} moment @param {number} now In milliseconds. */
export const isFresh = (moment, now) => moment !== null && now - Date.parse(moment.at) < keptAfter;

/** What kind of refusal it is, where the page has words for it. @param {{status?: number, slug?: string}} error @param {Moment | null} moment @returns {"not-member" | "no-picture" | "may-not-look" | null} */
export function refusalOf({ status, slug }, moment) {
  if (slug === "channel-unknown") return "not-member";
  if (moment && status === 404) return "no-picture";
  return moment && status === 403 ? "may-not-look" : null;
}

/** @param {Moment} moment */
export const momentText = (moment) => JSON.stringify(moment);

/** The moment that was dragged here; `null` where it is something else. @param {string} text @returns {Moment | null} */
export function momentFrom(text) {
  try {
    const { camera, name, at } = JSON.parse(text);
    return [camera, name].every((one) => typeof one === "string" && one) && !Number.isNaN(Date.parse(at)) ? { camera, name, at } : null;
  } catch {
    return null;
  }
}
