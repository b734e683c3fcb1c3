// SPDX-License-Identifier: Apache-2.0
import { keep } from "../../../call/keep.js";
import { local } from "../../../core/storage.js";

/** All that this page keeps begins so. */
const prefix = "safe-";
/** What belongs to the registered phone, and other pages of it use, too. */
const shared = [keep.tokenKey, "known-phones"];

/**
 * What this page keeps on the phone. All its parts keep things here, so that they can be forgotten at once: after that nothing is written any more, because answers and places
 * that come late must not bring back what was deleted.
 */
export class SafeStorage {
  #storage;
  #isForgotten = false;

  constructor(storage = local) {
    this.#storage = storage;
  }

  get isForgotten() {
    return this.#isForgotten;
  }

  /** @param {string} name @returns {string | null} */
  getItem(name) {
    return this.#isForgotten ? null : this.#storage.getItem(name);
  }

  setItem(name, value) {
    if (!this.#isForgotten) this.#storage.setItem(name, value);
  }

  removeItem(name) {
    this.#storage.removeItem(name);
  }

  get names() {
    return this.#storage.names;
  }

  /** Forgets everything of somebody, the phone's token too, for the rest of this page. */
  forget() {
    this.#isForgotten = true;
    for (const name of this.#storage.names) if (name.startsWith(prefix) || shared.includes(name)) this.#storage.removeItem(name);
  }
}
