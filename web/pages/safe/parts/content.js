// SPDX-License-Identifier: Apache-2.0
import { local } from "../../../core/storage.js";

const store = "safe-content";
/** What was read so shortly before is not read again. */
const newMilliseconds = 60_000;

/** Texts of the centre for everybody, as they were last read: kept on the phone, because help is looked for without a network, too. */
export class Content {
  #api;
  #onChange;
  #storage;
  /** @type {Promise<void> | null} */
  #reading = null;
  /** Whether the last try did not reach the centre. */
  isAway = false;

  /** @param {{get: (path: string, options?: object) => Promise<any>}} api Needs no token. @param {() => void} onChange */
  constructor(api, onChange, storage = local) {
    [this.#api, this.#onChange, this.#storage] = [api, onChange, storage];
  }

  /** @returns {{at: string, items: import("../../../model/content.js").Item[]} | null} With when it was read; `null` where this phone keeps nothing. */
  get kept() {
    try {
      const kept = JSON.parse(this.#storage.getItem(store) ?? "null");
      return Array.isArray(kept?.items) ? kept : null;
    } catch {
      return null;
    }
  }

  get isReading() {
    return this.#reading !== null;
  }

  /** Reads them where what is kept is not new. Never fails. */
  async read() {
    const { kept } = this;
    if (!this.isAway && kept && Date.now() - Date.parse(kept.at) < newMilliseconds) return;
    this.#reading ??= this.#read();
    await this.#reading;
  }

  async #read() {
    try {
      const { items } = await this.#api.get("/v1/public/content", { isLevel: false });
      this.#storage.setItem(store, JSON.stringify({ at: new Date().toISOString(), items }));
      this.isAway = false;
    } catch {
      this.isAway = true;
    }
    this.#reading = null;
    this.#onChange();
  }
}
