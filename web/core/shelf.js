// SPDX-License-Identifier: Apache-2.0

/** Photos by key, kept on this device until the centre has them. What the browser does not keep – it has no room, or no page may use its store – stays in the page's memory. */
export class Shelf {
  #member;
  #open;
  #memory = new Map();

  /** @param {string} name Of the browser's store. @param {string} member In which an entry of it has its key. @param {() => IDBOpenDBRequest} [open] May throw where pages may not use the store. */
  constructor(name, member, open = () => indexedDB.open(name, 1)) {
    [this.#member, this.#open] = [member, open];
  }

  /** @param {string} key @param {Blob} blob @returns {Promise<boolean>} Whether it outlives the page. */
  async put(key, blob) {
    const isKept = (await this.#step("readwrite", (store) => store.put({ [this.#member]: key, blob }))) !== undefined;
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

  /** @returns {Promise<string[]>} */
  async keys() {
    return [...this.#memory.keys(), ...((await this.#step("readonly", (store) => store.getAllKeys())) ?? [])];
  }

  /** @param {IDBTransactionMode} mode @param {(store: IDBObjectStore) => IDBRequest} step @returns {Promise<any>} `undefined` where it was not done. */
  #step(mode, step) {
    return new Promise((resolve) => {
      let opening;
      try {
        opening = this.#open();
      } catch {
        return resolve(undefined);
      }
      opening.onupgradeneeded = () => opening.result.createObjectStore("photos", { keyPath: this.#member });
      opening.onerror = () => resolve(undefined);
      opening.onsuccess = () => {
        const base = opening.result;
        const end = (value) => {
          base.close();
          resolve(value);
        };
        try {
          const transaction = base.transaction("photos", mode);
          const request = step(transaction.objectStore("photos"));
          transaction.oncomplete = () => end(request.result);
          transaction.onabort = () => end(undefined);
        } catch {
          end(undefined);
        }
      };
    });
  }
}
