// SPDX-License-Identifier: Apache-2.0
import { plusCode } from "../core/plus-code.js";
import { now } from "../core/time.js";
import { measuredWords } from "../model/fix.js";
import { isUnverified, knownAs } from "./incident.js";

/** So much of what somebody wrote stands on a tab in place of who it is. */
const tabCharacters = 24;

/** What an incident is called that nobody has classified. */
export const unclassified = "unclassified";

/** How urgent it is until somebody says so. */
export const priorityAtFirst = 3;

/** What the queue says of a session, and in which order: everything that follows from the desk's rows alone. */

/**
 * Sessions that are about one event stand together, where the first of them stands.
 * @template {{incident: string}} Session
 * @param {Session[]} sessions In the order of the list.
 * @returns {Session[][]}
 */
export function groupsOf(sessions) {
  const groups = new Map();
  for (const session of sessions) groups.set(session.incident, [...(groups.get(session.incident) ?? []), session]);
  return [...groups.values()];
}

/**
 * What the caller wrote, as far as a card has room: how it began, and the newest where that is something else.
 * @param {{firstWords?: string, lastWords?: string}} session
 * @returns {{first: string, last: string}} Empty where there is nothing.
 */
export function wordsOf({ firstWords = "", lastWords = "" }) {
  return { first: firstWords, last: lastWords === firstWords ? "" : lastWords };
}

/**
 * Where the caller is, in one line: the incident's address, else what the device told, and how old that was; empty where neither is known.
 * @param {{address?: string, place?: any, placeAt?: string}} session `placeAt` is when the place was recorded.
 */
export function placeOf({ address, place, placeAt }) {
  if (address) return address;
  if (!place) return "";
  const { latitude, longitude, accuracyMetres } = place;
  const about = accuracyMetres === undefined ? "" : ` ± ${Math.round(accuracyMetres)} m`;
  return [`${latitude.toFixed(5)}, ${longitude.toFixed(5)}${about}`, plusCode(latitude, longitude), measuredWords(place, placeAt)].filter(Boolean).join(" · ");
}

/**
 * Until when the caller waits to show video.
 * @param {{wishesVideoUntil?: string}} session
 * @returns {string | null} `null` where there is no such wish, and where its time is over.
 */
export function wishOf({ wishesVideoUntil }) {
  return wishesVideoUntil && new Date(wishesVideoUntil).getTime() > now() ? wishesVideoUntil : null;
}

/**
 * Which colleague is asked to take a caller now.
 * @param {{offer?: {to: string, expiresAt: string}}} session
 * @param {string} me Who reads it; what they are asked themselves stands elsewhere.
 * @returns {string | null}
 */
export function askedOf({ offer }, me) {
  return offer && offer.to !== me && new Date(offer.expiresAt).getTime() > now() ? offer.to : null;
}

/**
 * What a session's incident is taken for, and how urgent.
 * @param {{incidentType?: string, incidentPriority?: number}} session
 * @returns {{words: string, kind: string} | null} Nothing where nobody has said so.
 */
export function urgencyOf({ incidentType = unclassified, incidentPriority = priorityAtFirst }) {
  const what = typeWords(incidentType);
  if (!what && incidentPriority === priorityAtFirst) return null;
  const kind = { 1: "bad", 2: "warn" }[incidentPriority] ?? "";
  return { words: [`P${incidentPriority}`, what].filter(Boolean).join(" · "), kind };
}

/** The ledger's word for what an incident is, as people read it; empty where nobody has said what it is. */
export function typeWords(type) {
  return type === unclassified ? "" : type.replaceAll("_", " ");
}

/** What somebody wrote of what an incident is, as the word that stands in the ledger; empty where no letter was written. */
export function typeOf(text) {
  return text.trim().toLowerCase().replace(/\s+/g, "_").replace(/[^a-z0-9_-]/g, "");
}

/** How many messages of the caller nobody has seen that are to be told of: of somebody who was muted, none. @param {{isMuted?: boolean, unreadForOperator?: number}} session */
export function unreadOf({ isMuted = false, unreadForOperator = 0 }) {
  return isMuted ? 0 : unreadForOperator;
}

/**
 * What the tab of an own caller says: the number, and what their telephone says that they are called; who is not known by anything is told from others by how they began. What comes while its chat is on the screen is new to nobody.
 * @param {{id: string, phone?: string, telephone?: {number?: string, name?: string}, firstWords?: string, isMuted?: boolean, unreadForOperator?: number}} session
 * @param {{isShown: boolean, isLookedAt: boolean}} seen Whether it is the session that is shown, and whether the page is looked at.
 */
export function tabOf(session, { isShown, isLookedAt }) {
  const { id, firstWords = "", isMuted = false } = session;
  const name = knownAs(session) ?? (firstWords && `“${firstWords.length > tabCharacters ? `${firstWords.slice(0, tabCharacters)} …` : firstWords}”`);
  const said = session.telephone?.name;
  return { id, name, said: said === name ? undefined : said, isUnverified: isUnverified(session), isShown, isMuted, unread: isShown && isLookedAt ? 0 : unreadOf(session) };
}

/**
 * How many sessions an operator has of how many that are allowed: text alone may be several at a time.
 * @param {{mine: {channel: string, liveStreams?: number}[], capacity: {sessions: number, textSessions: number} | null}} desk
 * @returns {{count: number, max: number, isText: boolean} | null} `null` where the centre has not said how many.
 */
export function capacityOf({ mine, capacity }) {
  if (!capacity) return null;
  const isText = capacity.textSessions > capacity.sessions && mine.every(({ channel, liveStreams = 0 }) => channel !== "video" && liveStreams === 0);
  return { count: mine.length, max: isText ? capacity.textSessions : capacity.sessions, isText };
}

/**
 * Why an operator cannot take one more now, to be read before anything is pressed; empty where they can.
 * @param {{me: {role: string}, alerting: boolean, isRead: boolean, mine: {phone?: string}[]}} desk
 */
export function whyFull({ me, alerting, isRead, mine }) {
  // Who supervises takes without a limit of the kind, and is alerted by other rules.
  if (me.role !== "operator" || alerting || !isRead || mine.length === 0) return "";
  const whose = mine.length === 1 ? (mine[0].phone ?? "the one you have") : `one of your ${mine.length}`;
  return `You have as many as allowed: close ${whose} to take another.`;
}

/**
 * Whether a caller has a telephone alone: they text by it, and no page of theirs shows what is asked or written there.
 * @param {{telephone?: object, letIn?: any[]}} detail As `GET /v1/sessions/{id}` tells it; of the past it does not say who is in.
 */
export function hasTelephoneAlone({ telephone, letIn }) {
  return Boolean(telephone) && letIn?.length === 0;
}

/**
 * Whether nothing rings for a number that an operator called: no phone is registered for it, and nobody has come by a link.
 * @param {{session: {openedBy: string, phone?: string}, letIn?: any[]}} detail As `GET /v1/sessions/{id}` tells it; of the past it does not say who is in.
 */
export function isUnheard({ session, letIn }) {
  return session.openedBy === "operator" && Boolean(session.phone) && letIn?.length === 0;
}
