// SPDX-License-Identifier: Apache-2.0
/** When rounds of a tour are to begin, by the site's clock: as a form has it, and in words. */
import { weekday } from "../core/time.js";

/** @typedef {{minutesOfDay: number[], weekdays: number[]}} Schedule `weekdays`: 1 for Monday to 7 for Sunday. */

export const everyDay = [1, 2, 3, 4, 5, 6, 7];
const startsMost = 48;

/**
 * Times of day that somebody wrote, such as `22:00, 2:30`.
 * @param {string} text
 * @returns {number[] | null} Minutes from midnight, each once and in order; `null` where something else stands there, or more than a tour takes.
 */
export function minutesOfText(text) {
  const minutes = text.split(/[\s,;]+/).filter(Boolean).map((one) => {
    const found = /^([01]?\d|2[0-3])[:.]([0-5]\d)$/.exec(one);
    return found ? Number(found[1]) * 60 + Number(found[2]) : NaN;
  });
  const once = [...new Set(minutes)].sort((one, other) => one - other);
  return once.some(Number.isNaN) || once.length > startsMost ? null : once;
}

/** @param {number} minute From midnight. */
const clock = (minute) => `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;

/** @param {number[]} minutes */
export const textOfMinutes = (minutes) => minutes.map(clock).join(", ");

/** The times, and the days where it is not every day. @param {Schedule} schedule */
export function scheduleWords({ minutesOfDay, weekdays }) {
  const days = weekdays.length < everyDay.length ? ` (${weekdays.map(weekday).join(", ")})` : "";
  return textOfMinutes(minutesOfDay) + days;
}
