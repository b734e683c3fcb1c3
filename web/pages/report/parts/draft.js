// SPDX-License-Identifier: Apache-2.0
import { newID } from "../../../core/ids.js";
import { local } from "../../../core/storage.js";

const store = "report-draft";
/** After so long what was begun is no report of now. */
const ageMost = 24 * 3_600_000;

/**
 * The report that is being written, kept on this phone at each change: a phone may end the page while its camera is used.
 *
 * @typedef {{latitude: number, longitude: number, accuracyMetres?: number, measuredAt?: string}} Fix
 * @typedef {{id: string, at: number, species?: string, size?: string, condition?: string, stage?: string, fix?: Fix, notes?: string, contact?: string,
 *   photos: {number: number, name: string}[], publishes?: boolean}} Written `id` is the report's on this phone alone; `publishes` where its photos may be shown to the public.
 */
export class Draft {
  #storage;
  /** @type {Written} */
  #value;

  constructor(storage = local) {
    this.#storage = storage;
    this.#value = this.#kept() ?? fresh();
  }

  get value() {
    return this.#value;
  }

  /** Whether there is anything that a reader would miss. */
  get isBegun() {
    const { species, size, condition, fix, notes, contact, photos } = this.#value;
    return Boolean(species || size || condition || fix || notes || contact || photos.length);
  }

  /** @param {Partial<Written>} members */
  change(members) {
    this.#value = { ...this.#value, ...members, at: Date.now() };
    this.#storage.setItem(store, JSON.stringify(this.#value));
  }

  /** Begins another one. */
  restart() {
    this.#value = fresh();
    this.#storage.removeItem(store);
  }

  #kept() {
    try {
      const value = JSON.parse(this.#storage.getItem(store) ?? "null");
      return value && Date.now() - value.at < ageMost && Array.isArray(value.photos) ? value : null;
    } catch {
      return null;
    }
  }
}

/** @returns {Written} */
const fresh = () => ({ id: newID(), at: Date.now(), photos: [] });

/** A place that is known no better than this leads no team to an animal. */
const roughMost = 20_000;

/** What a report lacks, in the order of the page: `species`, `size`, `condition`, `place`. @param {Written} written @returns {string[]} */
export function missingIn({ species, size, condition, fix }) {
  return Object.entries({ species, size, condition, place: fix && (fix.accuracyMetres ?? 0) <= roughMost }).filter(([, value]) => !value).map(([name]) => name);
}

/** As the gateway takes it, without its proof of work. @param {Written} written */
export function bodyOf({ species, size, condition, stage, fix, notes, contact, photos, publishes }) {
  const body = { fix, species, sizeClass: size, condition: (condition === "dead" && stage) || condition };
  if (notes?.trim()) body.notes = notes.trim();
  if (contact?.trim()) body.contact = contact.trim();
  if (photos.length) body.publishPhotos = Boolean(publishes);
  return body;
}
