// SPDX-License-Identifier: Apache-2.0
/** The search over sessions, chats and places: what is looked for, as the address and the gateway have it, and what was found. */
import { boundsOf } from "./patrol-exceptions.js";

/**
 * @typedef {{q: string, kind: string, period: string, from: string, until: string}} Wanted `kind` and `period` are empty for all; `from` and `until` are those of fields, for the period `own`.
 * @typedef {{kind: string, position: string, at: string, session: string, incident: string, caller: {person: string, phone?: string}, from?: string,
 *   snippet: {text: string, matches: [number, number][]}}} Finding
 */

/** What words can be of, in the order in which it is offered. */
export const kinds = ["message", "session", "place"];

/** The periods that are offered. */
export const periods = ["", "today", "week", "own"];

/** So many characters may be looked for. */
export const charactersMost = 200;

/** What an address asks for; what it cannot mean is left out. @param {string} search From the question mark on. @returns {Wanted} */
export function wantedOf(search) {
  const query = new URLSearchParams(search);
  const one = (name, known) => (known.includes(query.get(name)) ? query.get(name) : "");
  return { q: query.get("q") ?? "", kind: one("kind", kinds), period: one("period", periods), from: query.get("from") ?? "", until: query.get("until") ?? "" };
}

/** The page's address, which says what is looked for. @param {Wanted} wanted */
export function addressOf({ q, kind, period, from, until }) {
  const said = Object.entries({ q: q.trim(), kind, period, ...(period === "own" && { from, until }) }).filter(([, value]) => value);
  return said.length ? `/search?${new URLSearchParams(said)}` : "/search";
}

/** Whether there is something to look for: a letter or a digit. @param {string} q */
export const isSaid = (q) => /[\p{L}\p{N}]/u.test(q);

/**
 * Where it is read.
 * @param {Wanted} wanted @param {number} at Now. @param {string | null} [before] The cursor.
 * @returns {string | null} `null` where the period ends before it begins.
 */
export function searchPath({ q, kind, period, from, until }, at, before) {
  const bounds = period ? boundsOf(period, at, { from, until }) : {};
  return bounds && `/v1/search?${new URLSearchParams({ q: q.trim(), ...(kind && { kind }), ...bounds, ...(before && { before }) })}`;
}

/** A text in the pieces that match and those between. @param {Finding["snippet"]} snippet @returns {{text: string, isMatch: boolean}[]} */
export function piecesOf({ text, matches }) {
  const pieces = [];
  let end = 0;
  for (const [from, until] of matches) {
    pieces.push({ text: text.slice(end, from), isMatch: false }, { text: text.slice(from, until), isMatch: true });
    end = until;
  }
  return [...pieces, { text: text.slice(end), isMatch: false }].filter((piece) => piece.text);
}

/** Where the incident is played back, at the moment. @param {Finding} finding */
export const replayOf = ({ incident, position }) => `/replay/${incident}?entry=${position}`;

/** Where the session is open. @param {Finding} finding */
export const consoleOf = ({ session }) => `/console?session=${session}`;
