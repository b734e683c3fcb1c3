// SPDX-License-Identifier: Apache-2.0
import { Problem } from "../../../core/api.js";
import { newID } from "../../../core/ids.js";
import { patience, whenAwake } from "../../../core/patience.js";
import { local } from "../../../core/storage.js";

/** @typedef {{key: string, at: string, body: any, plainKey?: string, rough?: number}} Item `key` names the command, `at` is when it was pressed; `rough` is not sent. */

/** Refusals that end by themselves: after another sign-in, and when a contact was told that a call for help is over. */
const passing = ["signed-in-as-other", "contact-untold"];

/** Whether an error says nothing against what was sent: the same may be taken later. Who is signed out sends it after the next sign-in. */
export function isPassing(error) {
  return !(error instanceof Problem) || error.status >= 500 || [401, 408, 429].includes(error.status) || passing.includes(error.slug);
}

/**
 * What waits on this device until the centre has it: kept over reloads, sent one after another in the order in which it was pressed, and again by itself until it is taken or
 * refused.
 */
export class Unsent {
  #store;
  #send;
  #told;
  #storage;
  /** What is under way, for all who ask for it meanwhile. @type {Promise<void> | null} */
  #sending = null;
  #failures = 0;
  #timer = 0;

  /**
   * @param {string} store Under what name, which has the user in it: what somebody pressed is never sent as another's.
   * @param {(item: Item) => Promise<any>} send
   * @param {{onChange?: () => void, onSent?: (item: Item, answer: any) => void, onRefused?: (item: Item, error: any) => void, isHeld?: (item: Item) => boolean}} told `isHeld` says
   *   what is not to be sent now; the rest goes past it.
   */
  constructor(store, send, told, storage = local) {
    [this.#store, this.#send, this.#told, this.#storage] = [store, send, told, storage];
    whenAwake(() => this.deliver(), new AbortController().signal);
  }

  /** @returns {Item[]} Oldest first. What cannot be read is nothing: a damaged note stops no alarm. */
  get items() {
    try {
      return JSON.parse(this.#storage.getItem(this.#store) ?? "[]");
    } catch {
      return [];
    }
  }

  /** Keeps something, and sends it as soon as it can be. @param {Item} item */
  add(item) {
    this.#keep([...this.items, item]);
    return this.deliver();
  }

  /** Takes back what was not sent; what is on its way just now arrives all the same. @param {string} key */
  remove(key) {
    this.#keep(this.items.filter((item) => item.key !== key));
  }

  /** Sends what waits, now; done when all of it was taken or refused, or has to wait. */
  async deliver() {
    clearTimeout(this.#timer);
    if (this.#sending === null && this.#next) this.#sending = this.#deliverAll();
    await this.#sending;
  }

  get #next() {
    return this.items.find((item) => !this.#told.isHeld?.(item));
  }

  async #deliverAll() {
    let item;
    while ((item = this.#next) && (await this.#deliverOne(item))) this.#failures = 0;
    this.#sending = null;
    if (item) this.#timer = setTimeout(() => this.deliver(), patience(this.#failures++));
  }

  /** @returns {Promise<boolean>} Whether the next one may be sent. */
  async #deliverOne(item) {
    let tell;
    try {
      const answer = await this.#send(item);
      tell = () => this.#told.onSent?.(item, answer);
    } catch (error) {
      if (isPassing(error)) return false;
      tell = () => this.#told.onRefused?.(item, error);
    }
    tell();
    this.#keep(this.items.filter(({ key }) => key !== item.key));
    return true;
  }

  #keep(items) {
    if (items.length) this.#storage.setItem(this.#store, JSON.stringify(items));
    else this.#storage.removeItem(this.#store);
    this.#told.onChange?.();
  }
}

/** Sends a check-in that was kept: when it was made counts, not when it comes. @param {import("../../../core/api.js").API} api @param {Item} item */
export async function sendCheckIn(api, { key, at, body }) {
  try {
    return await api.post("/v1/check-ins", { ...body, offline: true }, { key, tries: 1, occurredAt: at });
  } catch (error) {
    // It had arrived when it was typed, and only the answer was lost: the same words get that.
    if (error.slug !== "idempotency-key-reused") throw error;
    return api.post("/v1/check-ins", body, { key, tries: 1 });
  }
}

/** An alarm, to be kept and sent. `plainKey` names the same alarm without its place. @param {string} at @param {any} fix @returns {Item} */
export const alarmItem = (at, fix) => ({ key: newID(), plainKey: newID(), at, body: fix ? { fix } : {} });

/** Sends an alarm; a place that the centre does not take stops none. @param {import("../../../core/api.js").API} api @param {Item} item */
export async function sendAlarm(api, { key, plainKey, body }) {
  try {
    return await api.post("/v1/guard-alarms", body, { key, tries: 1 });
  } catch (error) {
    if (error.status !== 422 || !body.fix) throw error;
    return api.post("/v1/guard-alarms", {}, { key: plainKey, tries: 1 });
  }
}
