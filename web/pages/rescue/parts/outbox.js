// SPDX-License-Identifier: Apache-2.0
import { Problem } from "../../../core/api.js";
import { t, term } from "../../../core/i18n.js";
import { newID } from "../../../core/ids.js";
import { local } from "../../../core/storage.js";
import { now, timeOfDay } from "../../../core/time.js";
import { statusWord } from "../../../model/rescue.js";
import { Unsent } from "../../patrol/parts/unsent.js";

/** @typedef {import("../../../model/rescue.js").Waiting} Waiting */

/** So many refusals stay at most, the newest. */
const refusalsMost = 50;

/** Sends what waits, under the key that it was given when it was pressed. @param {import("../../../core/api.js").API} api @param {{get: (key: string) => Promise<Blob | null>}} shelf @param {Waiting} item */
export async function send(api, shelf, { key, at, kind, report, body }) {
  const path = `/v1/reports/${report}`;
  if (kind === "step") return api.post(`${path}/status`, body, { key, tries: 1, occurredAt: at });
  if (kind === "update") return api.post(`${path}/updates`, body, { key, tries: 1, occurredAt: at });
  const blob = await shelf.get(key);
  // Asking again would bring it back no more.
  if (!blob) throw new Problem(410, { type: "urn:daybook:problem:photo-gone", detail: t("rescue.refused.photo-gone") });
  return api.upload(`${path}/photos`, blob, { key });
}

/** What was done, in words. @param {Waiting} item */
export function deedOf({ kind, body, way }) {
  if (way) return t(`rescue.deed.${way}`, { status: statusWord(body.to) });
  if (kind === "step") return t("rescue.deed.step", { step: t(`rescue.do.${body.to}`) });
  return kind === "update" ? t("rescue.deed.update", { text: body.text }) : t("rescue.deed.photo");
}

/** Why something was refused, and what to do now. @param {Waiting} item @param {{slug?: string, message: string}} error */
export function refusalWords(item, error) {
  return t("rescue.refused", { deed: deedOf(item), time: timeOfDay(Date.parse(item.at)), why: term(`rescue.refused.${error.slug}`, error.message) });
}

/**
 * What is done to reports on this device: steps and updates in the order in which they were pressed, photos beside them, since those are slow. Kept over reloads and sent again under
 * the same key until the centre has taken or refused each; what was refused stays here until it is put away.
 */
export class Outbox {
  #words;
  #photos;
  #shelf;
  #storage;
  #store;
  #told;

  /**
   * @param {import("../../../core/api.js").API} api @param {string} user What one person pressed is never sent as another's.
   * @param {{onChange?: () => void, onSent?: (item: Waiting, answer: any) => void, onRefused?: (item: Waiting, error: any) => void}} told
   * @param {{get: Function, put: Function, delete: Function}} shelf Where photos are kept.
   */
  constructor(api, user, told, shelf, storage = local) {
    [this.#shelf, this.#storage, this.#told, this.#store] = [shelf, storage, told, `rescue-refused/${user}`];
    const lane = (name) => new Unsent(`rescue-${name}/${user}`, (item) => send(api, shelf, /** @type {any} */ (item)), {
      onChange: () => told.onChange?.(), onSent: (item, answer) => this.#sent(item, answer), onRefused: (item, error) => this.#refuse(item, error),
    }, storage);
    [this.#words, this.#photos] = [lane("words"), lane("photos")];
  }

  /** What waits, oldest first. @param {string} [report] Of one report. @returns {Waiting[]} */
  waiting(report) {
    const all = /** @type {Waiting[]} */ ([...this.#words.items, ...this.#photos.items]);
    return all.filter((one) => !report || one.report === report).sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
  }

  /** What was refused and not put away. @returns {{key: string, report: string, words: string, text?: string}[]} Oldest first; `text` is what somebody wrote. */
  get refused() {
    try {
      return JSON.parse(this.#storage.getItem(this.#store) ?? "[]");
    } catch {
      return [];
    }
  }

  /** @param {string} report @param {string} to @param {string} [note] @param {"undo" | "reopen"} [way] Where it does not lead on. @returns {Promise<void>} Done when it was sent, refused, or has to wait. */
  step(report, to, note = "", way) {
    return this.#words.add({ ...item("step", report, { to, ...(note.trim() && { note: note.trim() }) }), ...(way && { way }) });
  }

  /** @param {string} report @param {string} text */
  update(report, text) {
    return this.#words.add(item("update", report, { text: text.trim() }));
  }

  /** @param {string} report @param {Blob} blob @returns {Promise<boolean>} Whether the photo outlives the page while it waits. */
  async photo(report, blob) {
    const photo = item("photo", report, {});
    const isKept = await this.#shelf.put(photo.key, blob);
    this.#photos.add(photo);
    return isKept;
  }

  /** A photo that waits. @param {string} key @returns {Promise<Blob | null>} */
  picture(key) {
    return this.#shelf.get(key);
  }

  /** Sends what waits, now. */
  deliver() {
    return Promise.all([this.#words.deliver(), this.#photos.deliver()]);
  }

  /** @param {string} key Of what was refused. */
  putAway(key) {
    this.#keep(this.refused.filter((one) => one.key !== key));
  }

  #sent(item, answer) {
    if (item.kind === "photo") this.#shelf.delete(item.key);
    this.#told.onSent?.(item, answer);
  }

  #refuse(item, error) {
    if (item.kind === "photo") this.#shelf.delete(item.key);
    this.#keep([...this.refused.filter(({ key }) => key !== item.key), { key: item.key, report: item.report, words: refusalWords(item, error), ...(item.kind === "update" && { text: item.body.text }) }].slice(-refusalsMost));
    this.#told.onRefused?.(item, error);
  }

  #keep(refused) {
    if (refused.length) this.#storage.setItem(this.#store, JSON.stringify(refused));
    else this.#storage.removeItem(this.#store);
    this.#told.onChange?.();
  }
}

/** @returns {Waiting} */
const item = (kind, report, body) => ({ key: newID(), at: new Date(now()).toISOString(), kind, report, body });
