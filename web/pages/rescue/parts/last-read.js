// SPDX-License-Identifier: Apache-2.0
import { ofTab } from "../../../core/storage.js";

const store = "rescue-read";

/**
 * What a rescuer read last, for the page that is loaded again without a network. It ends with the tab, or when somebody is signed out, and how a reporter is reached is not in it.
 *
 * @typedef {{me: any, listed: any[] | null, whole: [string, any][], agency: any, readAt: number}} Read
 */
export class LastRead {
  #storage;
  /** @type {Partial<Read>} */
  #value;

  constructor(storage = ofTab) {
    this.#storage = storage;
    try {
      this.#value = JSON.parse(storage.getItem(store) ?? "{}");
    } catch {
      this.#value = {};
    }
  }

  /** Who read it; `null` where nothing was kept. */
  get me() {
    return this.#value.me ?? null;
  }

  /** What that was, for the same reader alone. @param {{user: string}} me @returns {Partial<Read>} */
  of(me) {
    return this.me?.user === me.user ? this.#value : {};
  }

  /** @param {Read} read The desk has a network, and reads much more: nothing of that is kept. */
  keep(read) {
    if (read.me.role !== "rescuer") return;
    this.#storage.setItem(store, JSON.stringify(read, (name, value) => (name === "contact" ? null : value)));
  }

  forget() {
    this.#value = {};
    this.#storage.removeItem(store);
  }
}
