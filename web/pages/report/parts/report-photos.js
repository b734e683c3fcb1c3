// SPDX-License-Identifier: Apache-2.0
import { Shelf } from "../../../core/shelf.js";

/** Photos of reports on this phone, by report and number, until the centre has them. */
export class ReportPhotos {
  #shelf;

  constructor(shelf = new Shelf("reports", "id")) {
    this.#shelf = shelf;
  }

  /** @param {string} report @param {number} number @param {Blob} blob */
  put(report, number, blob) {
    return this.#shelf.put(keyOf(report, number), blob);
  }

  /** @returns {Promise<Blob | null>} */
  get(report, number) {
    return this.#shelf.get(keyOf(report, number));
  }

  remove(report, number) {
    return this.#shelf.delete(keyOf(report, number));
  }

  /** Forgets the photos of all reports but these. @param {string[]} reports */
  async keepOnly(reports) {
    const gone = (await this.#shelf.keys()).filter((key) => !reports.includes(key.split("/")[0]));
    for (const key of gone) await this.#shelf.delete(key);
  }
}

const keyOf = (report, number) => `${report}/${number}`;
