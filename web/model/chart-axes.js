// SPDX-License-Identifier: Apache-2.0
/** Where the axes of a figure have marks, and which part of a period is shown. */
import { dayOfMonth, fieldDay, minuteOf, momentOf } from "../core/time.js";

const hourMilliseconds = 3_600_000;
const dayMilliseconds = 24 * hourMilliseconds;
/** A zoomed figure still shows so many hours. */
const hoursLeast = 3;
/** One step in shows so much of what was shown; one step aside goes on by the half. */
const zoomShare = 0.5;

/** Hours between marks that divide a day, then days. */
const hourSteps = [1, 2, 3, 6, 12];
const daySteps = [1, 2, 7, 14, 28, 91, 364];
/** Milliseconds between marks of a time that something took. */
const spanSteps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400, 172_800, 432_000, 864_000].map((seconds) => 1000 * seconds);

/**
 * Marks of a time axis: midnights by the site's clock, and full hours between them, whatever the zone of the reader's device.
 * @param {number} from In milliseconds, as `until`.
 * @param {number} until
 * @param {number} most At least 1; there are not many more marks.
 * @returns {{v: number, label: string}[]} In order.
 */
export function timeTicks(from, until, most) {
  const wanted = (until - from) / Math.max(1, most);
  const hours = hourSteps.find((step) => step * hourMilliseconds >= wanted);
  const days = daySteps.find((step) => step * dayMilliseconds >= wanted) ?? daySteps.at(-1);
  const marks = [];
  // The middle of a day is in that day also where it has 23 or 25 hours.
  for (let day = from - dayMilliseconds, number = 0; day < until + dayMilliseconds; day += dayMilliseconds, number++) {
    if (hours === undefined && number % days !== 0) continue;
    for (let hour = 0; hour < 24; hour += hours ?? 24) {
      const v = momentOf(fieldDay(day), `${String(hour).padStart(2, "0")}:00`);
      if (v >= from && v <= until && v !== marks.at(-1)?.v) marks.push({ v, label: hour === 0 ? dayOfMonth(v) : minuteOf(v) });
    }
  }
  return marks;
}

/**
 * Marks of an axis of counts or times, from 0 on.
 * @param {number} end What the axis ends with.
 * @param {number} most At least 1.
 * @param {"count" | "milliseconds"} unit
 * @returns {number[]} Whole numbers.
 */
export function valueTicks(end, most, unit) {
  const wanted = end / Math.max(1, most);
  const step = (unit === "milliseconds" ? spanSteps : countSteps(wanted)).find((one) => one >= wanted) ?? Math.ceil(wanted);
  return Array.from({ length: Math.floor(end / step) + 1 }, (_, number) => number * step);
}

function countSteps(wanted) {
  const power = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, wanted))));
  return [1, 2, 5, 10].map((one) => one * power);
}

/** The part of a period that all figures show; every change is told to those who listen. */
export class ShownRange {
  #whole;
  #shown;
  #listeners = new Set();

  /** @param {{from: Date, until: Date}} period */
  constructor({ from, until }) {
    this.#whole = [from.getTime(), until.getTime()];
    this.#shown = this.#whole;
  }

  /** From when to when, in milliseconds. @returns {[number, number]} */
  get shown() {
    return [...this.#shown];
  }

  get isWhole() {
    return this.#shown[0] === this.#whole[0] && this.#shown[1] === this.#whole[1];
  }

  /** @param {() => void} listener */
  listen(listener) {
    this.#listeners.add(listener);
  }

  /** Shows from one moment to another, as far as the period goes, and never less than some hours. @param {number} from @param {number} until */
  show(from, until) {
    const [first, last] = this.#whole;
    const length = Math.min(last - first, Math.max(hoursLeast * hourMilliseconds, until - from));
    const begin = Math.min(last - length, Math.max(first, (from + until - length) / 2));
    this.#shown = [begin, begin + length];
    for (const listener of this.#listeners) listener();
  }

  showAll() {
    this.show(...this.#whole);
  }

  /** Half of what is shown, or twice as much, around its middle. @param {"in" | "out"} way */
  zoom(way) {
    const [from, until] = this.#shown;
    const half = ((until - from) / 2) * (way === "in" ? zoomShare : 1 / zoomShare);
    this.show((from + until) / 2 - half, (from + until) / 2 + half);
  }

  /** As long a time, half of it earlier or later. @param {"earlier" | "later"} way */
  move(way) {
    const [from, until] = this.#shown;
    const by = (until - from) * zoomShare * (way === "earlier" ? -1 : 1);
    this.show(from + by, until + by);
  }
}
