// SPDX-License-Identifier: Apache-2.0

/**
 * Photos by key, kept on this device until the centre has them. What the browser does not keep – it has no room, or no page may use its store – stays in the page's memory.
 */
export class Shelf {
  #open;
  #memory = new Map();

  /** @param {() => IDBOpenDBRequest} open May throw where pages may not use the store. */
  constructor(open = () => indexedDB.open("rescue-photos", 1)) {
    this.#open = open;
  }

  /** @param {string} key @param {Blob} blob @returns {Promise<boolean>} Whether it outlives the page. */
  async put(key, blob) {
    const isKept = (await this.#step("readwrite", (store) => store.put({ key, blob }))) !== undefined;
    if (!isKept) this.#memory.set(key, blob);
    return isKept;
  }

  /** @param {string} key @returns {Promise<Blob | null>} */
  async get(key) {
    return this.#memory.get(key) ?? (await this.#step("readonly", (store) => store.get(key)))?.blob ?? null;
  }

  /** @param {string} key */
  async delete(key) {
    this.#memory.delete(key);
    await this.#step("readwrite", (store) => store.delete(key));
  }

  /** @returns {Promise<any>} `undefined` where the browser keeps nothing. */
  #step(mode, step) {
    return new Promise((resolve) => {
      let opening;
      try {
        opening = this.#open();
      } catch {
        return resolve(undefined);
      }
      opening.onupgradeneeded = () => opening.result.createObjectStore("photos", { keyPath: "key" });
      opening.onerror = () => resolve(undefined);
      opening.onsuccess = () => {
        const base = opening.result;
        const transaction = base.transaction("photos", mode);
        const request = step(transaction.objectStore("photos"));
        const end = (value) => {
          base.close();
          resolve(value);
        };
        transaction.oncomplete = () => end(request.result);
        transaction.onabort = () => end(undefined);
      };
    });
  }
}
