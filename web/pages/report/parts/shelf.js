// SPDX-License-Identifier: Apache-2.0

/** @typedef {{id: string, report: string, number: number, blob: Blob}} KeptPhoto */

/** Photos of reports on this phone, until the centre has them. Where the browser keeps none, they stay in the page's memory as long as the page does. */
export class Shelf {
  #open;
  #memory = new Map();

  /** @param {() => IDBOpenDBRequest} open Throws where pages may not use it. */
  constructor(open = () => indexedDB.open("reports", 1)) {
    this.#open = open;
  }

  /** @param {string} report @param {number} number @param {Blob} blob */
  async put(report, number, blob) {
    const photo = { id: idOf(report, number), report, number, blob };
    const isKept = await this.#step("readwrite", (store) => store.put(photo));
    if (isKept === undefined) this.#memory.set(photo.id, photo);
  }

  /** @returns {Promise<Blob | null>} */
  async get(report, number) {
    const id = idOf(report, number);
    const photo = this.#memory.get(id) ?? (await this.#step("readonly", (store) => store.get(id)));
    return photo?.blob ?? null;
  }

  async remove(report, number) {
    const id = idOf(report, number);
    this.#memory.delete(id);
    await this.#step("readwrite", (store) => store.delete(id));
  }

  /** Forgets the photos of all reports but these. @param {string[]} reports */
  async keepOnly(reports) {
    const ids = [...this.#memory.keys(), ...((await this.#step("readonly", (store) => store.getAllKeys())) ?? [])];
    const gone = ids.filter((id) => !reports.includes(id.split("/")[0]));
    for (const id of gone) {
      this.#memory.delete(id);
      await this.#step("readwrite", (store) => store.delete(id));
    }
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
      opening.onupgradeneeded = () => opening.result.createObjectStore("photos", { keyPath: "id" });
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

const idOf = (report, number) => `${report}/${number}`;
