// SPDX-License-Identifier: Apache-2.0
/** A citizen's button: what a press on it means, contacts as this phone shows them, how far an alert has come, and when its place is due again. */
import { now } from "../core/time.js";
import { distance } from "../map/geo.js";

/**
 * @typedef {{id: string, name: string, mobile?: string | null, email?: string | null, language?: string, stopped?: string[], introducedAt?: string | null, confirmedAt?: string | null}} Contact
 *   `stopped` are channels on which the contact wants no messages. `introducedAt` is when the contact was told last of being one, `confirmedAt` when that was answered.
 * @typedef {{id: string, registeredAt: string, isThis: boolean, isAgreed: boolean}} Phone Of the same number; `isAgreed` is false while an older one has yet to agree to it.
 * @typedef {{kind: "name" | "put" | "remove", id: string, members?: any}} Change Of one's own name, or of a contact; kept until the centre has it.
 * @typedef {{id: string, why: string, members: any}} Refused What the centre did not take.
 * @typedef {{contact?: string, name?: string, parts: {channel: string, state: "waiting" | "sent" | "delivered" | "failed"}[], answeredAt?: string | null}} Told A contact who was removed since has no name.
 * @typedef {{latitude: number, longitude: number, accuracyMetres?: number, measuredAt?: string}} Fix
 * @typedef {{id: string, raisedAt: string, occurredAt?: string | null, trigger: string, isDrill: boolean, fix?: Fix | null, placeAt?: string | null, endedAt?: string | null,
 *   endReason?: string | null, contacts: Told[], session?: string | null}} Alert `session` is the open one with the centre, where that takes alerts.
 */

// MARK: The button

export const holdMilliseconds = 3000;
/** A finger that rests trembles by so much, in pixels. */
const stillPixels = 12;
/** A longer press is no tap: somebody held the button and thought better of it. */
const tapMilliseconds = 700;
/** So much of the way the button must have gone when it is let go. */
const swipePart = 0.65;
/** The button gives way so much to the right, and comes back. */
const rightPixels = 16;

/**
 * A press on the button so far.
 * @param {{x: number, y: number, at: number}[]} path Where the finger was, from the press on; in pixels and milliseconds.
 * @param {number} reach How far the button can go to the left, in pixels.
 * @param {number} at Now.
 * @returns {{offset: number, isFar: boolean, held: number, meaning: "swipe" | "hold" | "tap" | ""}} `offset` is where the button is drawn; `isFar` where letting go sends; `held` is the part
 *   of the hold that is over. `meaning` is what a release now would do, but for `hold`, which needs none.
 */
export function pressOf(path, reach, at) {
  const [first, last] = [path[0], path[path.length - 1]];
  const offset = Math.max(-reach, Math.min(rightPixels, last.x - first.x));
  const isStill = path.every(({ x, y }) => Math.hypot(x - first.x, y - first.y) <= stillPixels);
  const isFar = reach > 0 && offset <= -swipePart * reach;
  const held = isStill ? Math.min(1, (at - first.at) / holdMilliseconds) : 0;
  const meaning = isFar ? "swipe" : held === 1 ? "hold" : isStill && at - first.at < tapMilliseconds ? "tap" : "";
  return { offset, isFar, held, meaning };
}

/** How a phone says what became of an alert, felt or heard: pulses and pauses in turn, in milliseconds. */
export const signals = { sent: [120], kept: [120, 160, 120], failed: [300, 1000, 300] };

// MARK: Contacts

/**
 * Contacts as this phone shows them: those of the centre, with what it refused, and what still waits here.
 * @param {Contact[]} known @param {Change[]} waiting Oldest first. @param {Refused[]} refused
 * @returns {(Contact & {state: "kept" | "waiting" | "refused", why?: string})[]}
 */
export function contactsShown(known, waiting, refused) {
  let all = known.map((contact) => ({ ...contact, state: "kept" }));
  for (const { id, why, members } of refused.filter((one) => one.id !== "name")) all = put(all, { ...members, id, state: "refused", why });
  for (const change of waiting) all = changed(all, change, "waiting");
  return /** @type {any} */ (all);
}

/** Contacts after a change. @param {any[]} contacts @param {Change} change @param {string} [state] */
export function changed(contacts, { kind, id, members }, state) {
  if (kind === "name") return contacts;
  return kind === "remove" ? contacts.filter((one) => one.id !== id) : put(contacts, { ...members, id, ...(state && { state }) });
}

const put = (all, contact) => (all.some(({ id }) => id === contact.id) ? all.map((one) => (one.id === contact.id ? { ...knownOf(one), ...contact } : one)) : [...all, contact]);

/** What the centre knows of a contact stays while this phone changes the rest. */
const knownOf = (contact) => Object.fromEntries(["stopped", "introducedAt", "confirmedAt"].filter((name) => contact[name] !== undefined).map((name) => [name, contact[name]]));

/** Whether no message reaches a contact any more: all ways that there are of this person were stopped. @param {Contact} contact */
export function isUnreached({ mobile, email, stopped = [] }) {
  const ways = [mobile && "sms", email && "email"].filter(Boolean);
  return ways.length > 0 && ways.every((way) => stopped.includes(String(way)));
}

// MARK: Alerts

const pollMilliseconds = { waiting: 3000, open: 15_000 };
/** So long after it was raised most of what becomes of an alert happens. */
const newMilliseconds = 60_000;
const again = { milliseconds: 60_000, metres: 50 };
/** Ways of one contact in the order in which they say most. */
const states = ["delivered", "sent", "waiting"];

/** How far an alert has come with one contact. @param {Told} told @returns {"answered" | "delivered" | "sent" | "waiting" | "failed"} */
export function stateOf({ parts, answeredAt }) {
  if (answeredAt) return "answered";
  return /** @type {any} */ (states.find((state) => parts.some((part) => part.state === state)) ?? "failed");
}

/** So long may nothing have gone out before the page says so. */
const slowMilliseconds = 60_000;

/** What is wrong with an alert that goes on: no contact can be reached, or none has been for a while. @param {Alert} alert @param {number} [at] @returns {"failed" | "slow" | ""} */
export function faultOf({ contacts, raisedAt }, at = now()) {
  const all = contacts.map(stateOf);
  if (all.length > 0 && all.every((state) => state === "failed")) return "failed";
  return at - Date.parse(raisedAt) >= slowMilliseconds && !all.some((state) => state !== "waiting" && state !== "failed") ? "slow" : "";
}

/** An SMS that the phone itself can send to all contacts with a number, for when it has a signal and no network; `null` where there is none. @param {Contact[]} contacts @param {string} text @param {string} [agent] */
export function smsOf(contacts, text, agent = globalThis.navigator?.userAgent ?? "") {
  const numbers = contacts.map(({ mobile }) => mobile).filter(Boolean).join(",");
  if (!numbers) return null;
  const body = encodeURIComponent(text);
  return /iPhone|iPad|Macintosh/.test(agent) ? `sms:/open?addresses=${numbers}&body=${body}` : `sms:${numbers}?body=${body}`;
}

/** @param {Alert} alert */
export const isOpen = ({ endedAt }) => !endedAt;

/** After how long open alerts are read again, in milliseconds; `null` where none is open. @param {Alert[]} alerts @param {number} [at] */
export function readAgainIn(alerts, at = now()) {
  const open = alerts.filter(isOpen);
  if (open.length === 0) return null;
  const isWaiting = open.some(({ raisedAt, contacts }) => at - Date.parse(raisedAt) < newMilliseconds || contacts.some(({ parts }) => parts.some(({ state }) => state === "waiting")));
  return isWaiting ? pollMilliseconds.waiting : pollMilliseconds.open;
}

/** Alerts with a newer reading of one of them, the newest alert first. @param {Alert[]} alerts @param {Alert} alert */
export const withAlert = (alerts, alert) => [...alerts.filter(({ id }) => id !== alert.id), alert].sort((one, other) => Date.parse(other.raisedAt) - Date.parse(one.raisedAt));

/** Whether the place is to be sent again. @param {{fix: Fix, at: number} | undefined} last What was sent last, and when. @param {Fix | null} fix @param {number} [at] */
export function isPlaceDue(last, fix, at = now()) {
  if (!fix) return false;
  return !last || at - last.at >= again.milliseconds || distance(last.fix, fix) >= again.metres;
}

// MARK: Notices

/** States of a contact to whom the message went. */
const arrived = ["answered", "delivered", "sent"];
/** A hidden page looks for so long after an alert what became of it. */
const watchedMilliseconds = 15 * 60_000;

/** @typedef {"sent" | "failed"} Notice That messages went to all contacts of an alert, or that the alert is not at the centre. */

/**
 * Which notices of alerts are due, each once. A good one follows a bad one, but not the other way round.
 * @param {{open: Alert[], waiting: {id: string, isLong: boolean}[], refused: {id: string}[]}} alerts @param {Record<string, Notice>} noted What was told of each alert last, by its id.
 * @returns {{id: string, notice: Notice}[]}
 */
export function noticesDue({ open, waiting, refused }, noted) {
  const failed = [...waiting.filter(({ isLong }) => isLong), ...refused].map(({ id }) => ({ id, notice: /** @type {Notice} */ ("failed") }));
  const sent = open.filter(isSent).map(({ id }) => ({ id, notice: /** @type {Notice} */ ("sent") }));
  return [...failed, ...sent].filter(({ id, notice }) => noted[id] !== notice && noted[id] !== "sent");
}

/** Whether an alert's good notice may still come, so that a hidden page goes on looking. @param {Alert[]} open @param {Record<string, Notice>} noted @param {number} [at] */
export const isNoticeAwaited = (open, noted, at = now()) => open.some(({ id, raisedAt }) => noted[id] !== "sent" && at - Date.parse(raisedAt) < watchedMilliseconds);

/** @param {Alert} alert */
const isSent = ({ contacts }) => contacts.length > 0 && contacts.every((one) => arrived.includes(stateOf(one)));
