// SPDX-License-Identifier: Apache-2.0
/** What did not go as planned on guards' rounds: of which period it is asked for, and which of it is shown. */
import { fieldDay, momentOf } from "../core/time.js";

/**
 * @typedef {{position: string, at: string, kind: string, site?: string, tour?: string, round?: string, point?: string, guardID?: string, reason?: string, note?: string,
 *   distanceMetres?: number}} PatrolException
 * @typedef {"today" | "night" | "week" | "own"} Period
 */

/** What can go otherwise than planned, in the order in which it is offered. */
export const kinds = ["not_begun", "late", "missed", "reached", "handled", "stopped", "refused", "alarm"];

/** @type {Period[]} */
export const periods = ["today", "night", "week", "own"];

/** A night, by the site's clocks. */
const [nightFrom, nightUntil] = ["18:00", "06:00"];
const weekDays = 7;

/** A day, so many days later. @param {string} day `2026-03-25` @param {number} count */
const daysAfter = (day, count) => new Date(Date.parse(`${day}T00:00Z`) + count * 86_400_000).toISOString().slice(0, 10);

/** A moment of a `datetime-local` field, which shows the site's time. @param {string} text `2026-03-25T18:00` @returns {number} `NaN` where there is none. */
const momentOfField = (text) => (/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) ? momentOf(text.slice(0, 10), text.slice(11, 16)) : NaN);

/**
 * From when until when a period is, by the site's clocks: a day on which summer begins has 23 hours.
 * @param {string} name @param {number} at Now. @param {{from?: string, until?: string}} [own] Of `own`, as fields have it.
 * @returns {{from: string, until: string} | null} `null` where `own` is none, or ends before it begins.
 */
export function boundsOf(name, at, own = {}) {
  const today = fieldDay(at);
  const bounds = {
    night: () => [momentOf(daysAfter(today, -1), nightFrom), momentOf(today, nightUntil)],
    week: () => [momentOf(daysAfter(today, 1 - weekDays), "00:00"), momentOf(daysAfter(today, 1), "00:00")],
    own: () => [momentOfField(own.from ?? ""), momentOfField(own.until ?? "")],
  };
  const [from, until] = (bounds[name] ?? (() => [momentOf(today, "00:00"), momentOf(daysAfter(today, 1), "00:00")]))();
  return from < until ? { from: new Date(from).toISOString(), until: new Date(until).toISOString() } : null;
}

/** Where the exceptions of a period are read. @param {{from: string, until: string}} bounds @param {string} site Empty for all sites. @param {Record<string, string>} [more] */
export function exceptionsPath({ from, until }, site, more = {}) {
  return `/v1/patrol-exceptions?${new URLSearchParams({ from, until, ...(site && { site }), ...more })}`;
}

/** Where the same is a file. @param {{from: string, until: string}} bounds @param {string} site */
export const csvPath = (bounds, site) => exceptionsPath(bounds, site).replace("?", ".csv?");

/** The name of that file: it says which days it is of. @param {{from: string, until: string}} bounds */
export const csvName = ({ from, until }) => `patrol-exceptions-${fieldDay(Date.parse(from))}-${fieldDay(Date.parse(until) - 1)}.csv`;

/** Those of the kinds that are chosen; all where none is. @param {PatrolException[]} items @param {ReadonlySet<string>} chosen */
export const ofKinds = (items, chosen) => (chosen.size ? items.filter(({ kind }) => chosen.has(kind)) : items);
