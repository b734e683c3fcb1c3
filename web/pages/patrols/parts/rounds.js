// SPDX-License-Identifier: Apache-2.0
import { isUnhandled } from "../../../model/patrol.js";

/** So many rounds the gateway tells at once, the newest. */
const pageRounds = 200;
/** So many pages are read at most: what nobody handled for longer is not on the board any more. */
const pagesMost = 20;

/** The rounds of a board: the newest, and all back to the oldest of which a point that is late or missed was not handled. */
export class Rounds {
  #api;
  /** The first reading looks through all of them. */
  #isRead = false;
  /** When the oldest one began of which something was not handled. */
  #oldest = Infinity;

  /** @param {import("../../../core/api.js").API} api */
  constructor(api) {
    this.#api = api;
  }

  /** @returns {Promise<import("../../../model/patrol.js").Round[]>} Newest first; those under way come first once more, however old. */
  async read() {
    const [open, newest] = await Promise.all([this.#list("open=true&"), this.#list("", (last) => this.#isRead && Date.parse(last.startedAt) < this.#oldest)]);
    const rounds = [...open, ...newest];
    this.#oldest = Math.min(...rounds.filter(isUnhandled).map(({ startedAt }) => Date.parse(startedAt)));
    this.#isRead = true;
    return rounds;
  }

  /** @param {string} query @param {(last: any) => boolean} [isEnough] Whether a page that ends so is the last one to be read. */
  async #list(query, isEnough = () => false) {
    const rounds = [];
    for (let page = 0, before = ""; page < pagesMost; page++) {
      const { items, next } = await this.#api.get(`/v1/rounds?${query}limit=${pageRounds}${before}`);
      rounds.push(...items);
      if (!next || items.length === 0 || isEnough(items[items.length - 1])) break;
      before = `&before=${next}`;
    }
    return rounds;
  }
}
