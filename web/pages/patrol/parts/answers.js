// SPDX-License-Identifier: Apache-2.0
import { numeral, t, term } from "../../../core/i18n.js";
import { minuteOf, timeOfDay } from "../../../core/time.js";
import { local } from "../../../core/storage.js";
import { distanceTo } from "../../../model/patrol-code.js";

/**
 * @typedef {Omit<import("../../../model/patrol.js").Meaning, "is"> & {is: string, name: string}} Answer What a check-in meant, with names in place of ids; `sent` where the round
 *   cannot be read.
 */

const looks = { on_time: "good", late: "warn", missed: "warn", first: "warn", early: "warn", unclear: "warn" };

const argumentsOf = ({ name, first = "", time }) => ({ name, first, time: time ? minuteOf(Date.parse(time)) : "" });

/** What is said of a check-in that was taken: its look, and its words. @param {Answer} answer @returns {[string, string]} */
export const taken = (answer) => [looks[answer.is] ?? "", t(`patrol.checked.${answer.is}`, argumentsOf(answer))];

/** The same of one that was kept, which is told later. @param {Answer} answer @param {string} at When it was made. @returns {[string, string]} */
export const keptTaken = (answer, at) => [looks[answer.is] ?? "", t(`patrol.kept.${answer.is}`, { ...argumentsOf(answer), at: timeOfDay(Date.parse(at)) })];

/**
 * Why a check-in was refused, and what to do; in the centre's words where there are no others. Who repeats one that did not count is not told that once is enough.
 * @param {any} error @param {Answer} [answer] What a check-in at the point means now.
 */
export function refused(error, answer) {
  if (error.slug === "check-in-duplicate" && answer && ["first", "early", "unclear"].includes(answer.is)) return t(`patrol.again.${answer.is}`, argumentsOf(answer));
  return term(`patrol.refused.${error.slug}`, error.message);
}

/** @param {any} error @param {Answer} answer @param {string} at @returns {[string, string]} */
export const keptRefused = (error, answer, at) => ["bad", t("patrol.kept.refused", { name: answer.name, at: timeOfDay(Date.parse(at)), why: refused(error, answer) })];

/** Metres as people read them: from one kilometre on in those. @param {number} metres */
const lengthWords = (metres) => (metres < 1000 ? t("patrol.metres", { metres: numeral(metres) }) : t("patrol.kilometres", { kilometres: numeral(metres / 1000, 1) }));

/**
 * How far from its point a check-in was made, as the phone measured it; or why that was not sent.
 * @param {{body: any, rough?: number}} item `rough` is the accuracy of a place that was too rough to be sent, in metres.
 * @param {{latitude: number, longitude: number} | undefined} point Nothing where it is not known here.
 */
export function whereWords({ body: { fix }, rough }, point) {
  if (rough) return t("patrol.where.rough", { accuracy: lengthWords(Math.round(rough)) });
  if (!fix) return t("patrol.where.none");
  if (!point) return "";
  const { metres, accuracy } = distanceTo(point, fix);
  return accuracy === null ? t("patrol.where.plain", { distance: lengthWords(metres) }) : t("patrol.where", { distance: lengthWords(metres), accuracy: lengthWords(accuracy) });
}

/** So many outcomes stay at most, the newest. */
const outcomesMost = 200;

/** What became of each check-in that was kept: it stays on this device until it is put away. */
export class Outcomes {
  #store;
  #storage;

  /** @param {string} store */
  constructor(store, storage = local) {
    [this.#store, this.#storage] = [store, storage];
  }

  /** @returns {{key: string, look: string, words: string}[]} Oldest first. */
  get items() {
    try {
      return JSON.parse(this.#storage.getItem(this.#store) ?? "[]");
    } catch {
      return [];
    }
  }

  /** @param {string} key Of the check-in; one that is told twice stands there once. @param {[string, string]} told */
  add(key, [look, words]) {
    this.#keep([...this.items.filter((one) => one.key !== key), { key, look, words }].slice(-outcomesMost));
  }

  /** @param {string} key */
  putAway(key) {
    this.#keep(this.items.filter((one) => one.key !== key));
  }

  #keep(items) {
    if (items.length) this.#storage.setItem(this.#store, JSON.stringify(items));
    else this.#storage.removeItem(this.#store);
  }
}
