// SPDX-License-Identifier: Apache-2.0
import { now } from "../../../core/time.js";
import { filmsOf } from "./fold.js";

/**
 * In which order the wall shows sessions, and which of them: everything that follows from the rows alone.
 *
 * @typedef {import("./fold.js").Row} Row
 * @typedef {"all" | "waiting" | "video" | "unattended" | "owner"} Filter
 */

/** How urgent an incident is, and what it is called, until an operator says so. */
export const priorityAtFirst = 3;
export const unclassified = "unclassified";

/** @type {Filter[]} */
export const filters = ["all", "waiting", "unattended", "video", "owner"];

/** Whether its owner was signed out by silence and has not come back. @param {Row} row */
export const isUnattended = (row) => Boolean(row.owner && row.unattendedSince);

/** Whether an operator left the session open, and the caller has done nothing since. @param {Row} row */
export const isLeftOpen = (row) => !row.owner && Boolean(row.lastOwner) && !row.pendingSince && filmsOf(row) === 0;

/** Whether the caller waits for an operator. @param {Row} row */
export const waits = (row) => !row.owner && !isLeftOpen(row);

/** Since when a session has been as it is now: waiting, unattended, or open. @param {Row} row @returns {string} */
export const since = (row) => (isUnattended(row) ? row.unattendedSince : waits(row) ? (row.pendingSince ?? row.createdAt) : row.createdAt);

/** Those that need somebody come first, then those that an operator has, then those that were left open. */
const rankOf = (row) => (isUnattended(row) || waits(row) ? 0 : isLeftOpen(row) ? 2 : 1);

/**
 * What is to be seen, in the order of the wall: who needs somebody comes first, longest first; sessions of one incident stand together, where the first of them stands.
 * @param {Iterable<Row>} rows
 * @param {Filter} filter @param {string} [owner] Whose, where the filter is `owner`.
 * @returns {Row[]}
 */
export function ordered(rows, filter = "all", owner = "") {
  const wanted = [...rows].filter((row) => isWanted(row, filter, owner));
  wanted.sort((one, other) => rankOf(one) - rankOf(other) || (since(one) < since(other) ? -1 : since(one) > since(other) ? 1 : one.id < other.id ? -1 : 1));
  const groups = new Map();
  for (const row of wanted) groups.set(row.incident, [...(groups.get(row.incident) ?? []), row]);
  return [...groups.values()].flat();
}

function isWanted(row, filter, owner) {
  switch (filter) {
    case "waiting": return waits(row) || isUnattended(row);
    case "unattended": return isUnattended(row);
    case "video": return filmsOf(row) > 0;
    case "owner": return row.owner === owner;
    default: return true;
  }
}

/**
 * The incidents that have more than one session here, by the letter that marks them: the one whose first caller came first is A.
 * @param {Iterable<Row>} rows
 * @returns {Map<string, {letter: string, count: number}>} By incident.
 */
export function lettersOf(rows) {
  const found = new Map();
  for (const { incident, createdAt } of rows) {
    const known = found.get(incident);
    found.set(incident, { count: (known?.count ?? 0) + 1, first: known && known.first < createdAt ? known.first : createdAt });
  }
  const several = [...found].filter(([, { count }]) => count > 1).sort(([one, { first }], [other, { first: second }]) => (first < second ? -1 : first > second ? 1 : one < other ? -1 : 1));
  return new Map(several.map(([incident, { count }], place) => [incident, { letter: letterAt(place), count }]));
}

/** A to Z, then AA. */
function letterAt(place) {
  return (place >= 26 ? letterAt(Math.floor(place / 26) - 1) : "") + String.fromCharCode(65 + (place % 26));
}

/**
 * Which proposals of operators to make two sessions one incident have no answer: they stand at the session that was asked.
 * @param {Row} row @param {Map<string, Row>} rows
 * @returns {{asker: Row, by: string}[]} Without those of sessions that have ended, or are of one incident by now.
 */
export function proposalsOf(row, rows) {
  return row.linkProposals.flatMap(({ from, by }) => {
    const asker = rows.get(from);
    return asker && asker.incident !== row.incident ? [{ asker, by }] : [];
  });
}

/** What the line at the top counts. @param {Map<string, Row>} rows */
export function countsOf(rows) {
  const all = [...rows.values()];
  const count = (isSo) => all.filter(isSo).length;
  return {
    sessions: all.length, waiting: count(waits), unattended: count(isUnattended), video: count((row) => filmsOf(row) > 0),
    incidents: new Set(all.map(({ incident }) => incident)).size, proposals: all.reduce((sum, row) => sum + proposalsOf(row, rows).length, 0),
  };
}

/** By operator, how many of these sessions are theirs. @param {Iterable<Row>} rows @returns {Map<string, number>} */
export function ownersOf(rows) {
  const found = new Map();
  for (const { owner } of rows) if (owner) found.set(owner, (found.get(owner) ?? 0) + 1);
  return found;
}

/** By what a caller is known: the number that is theirs, else the one that their telephone says, else their name. @param {Row} row @returns {string | undefined} */
export const knownAs = ({ phone, telephone }) => phone ?? telephone?.number ?? telephone?.name;

/** Whether that number is the word of a telephone alone. @param {Row} row */
export const isUnverified = ({ phone, telephone }) => !phone && Boolean(telephone?.number);

/** What an incident is taken for, and how urgent; `null` where no operator has said so. @param {Row} row @returns {{priority: number, type: string} | null} `type` is empty where only the priority was said. */
export function urgencyOf({ incidentType, incidentPriority }) {
  const [type, priority] = [incidentType ?? unclassified, incidentPriority ?? priorityAtFirst];
  if (type === unclassified && priority === priorityAtFirst) return null;
  return { priority, type: type === unclassified ? "" : type.replaceAll("_", " ") };
}

/** Until when something holds that has an end; `null` once that is over. @param {string | null | undefined} until */
export const lasting = (until) => (until && new Date(until).getTime() > now() ? until : null);

/**
 * Who can take one more session: those who are signed in and have none come first, then by how many they have.
 * @param {{user: string, name: string, isSignedIn?: boolean, takesSessions?: boolean}[]} colleagues @param {Map<string, number>} owners As of `ownersOf`. @param {string[]} without Who is not asked.
 * @returns {{user: string, name: string, sessions: number}[]}
 */
export function freeOf(colleagues, owners, without) {
  const can = colleagues.filter(({ user, isSignedIn = true, takesSessions = true }) => isSignedIn && takesSessions && !without.includes(user));
  return can.map(({ user, name }) => ({ user, name, sessions: owners.get(user) ?? 0 })).sort((one, other) => one.sessions - other.sessions || (one.name < other.name ? -1 : 1));
}
