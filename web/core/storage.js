// SPDX-License-Identifier: Apache-2.0

/**
 * What a page keeps by name. What the browser does not take – its storage is full, or no page may use it – stays in the page's memory, as long
 * as the page does: nothing that somebody writes or presses fails for it.
 */
export class Kept {
  #open;
  #memory = new Map();

  /** @param {() => Storage | null} open The browser's storage; throws where pages may not use it. */
  constructor(open) {
    this.#open = open;
  }

  /** @returns {string | null} */
  getItem(name) {
    return this.#memory.get(name) ?? this.#ask((storage) => storage.getItem(name), null);
  }

  setItem(name, value) {
    const isTaken = this.#ask((storage) => {
      storage.setItem(name, value);
      return true;
    }, false);
    if (isTaken) return void this.#memory.delete(name);
    // What stood there before is not what is meant any more, also for the next page.
    this.removeItem(name);
    this.#memory.set(name, String(value));
  }

  removeItem(name) {
    this.#memory.delete(name);
    this.#ask((storage) => storage.removeItem(name), undefined);
  }

  /** All names under which something is kept. @returns {string[]} */
  get names() {
    return [...new Set([...this.#memory.keys(), ...this.#ask((storage) => Object.keys(storage), [])])];
  }

  #ask(step, otherwise) {
    try {
      return step(this.#open());
    } catch {
      return otherwise;
    }
  }
}

/** The browser's own, which all its pages share. */
export const local = new Kept(() => localStorage);
/** The tab's, which ends with it. */
export const ofTab = new Kept(() => sessionStorage);
