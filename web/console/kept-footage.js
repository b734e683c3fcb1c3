// SPDX-License-Identifier: Apache-2.0
import { h, refill } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { keptItem } from "../dom/kept-footage.js";

/** The footage of cameras that was kept for an incident: where each is played, and its downloads. */
export class KeptFootage {
  #api;
  #nameOf;
  #list = h("ul", { class: "stack" });
  element = h("section", { class: "stack kept-footage", hidden: true }, h("h2", {}, t("kept.title")), this.#list);
  /** Of which incident it was read. */
  #read = null;

  /** @param {import("../core/api.js").API} api @param {(user: string) => string} nameOf A colleague's name. */
  constructor(api, nameOf) {
    this.#api = api;
    this.#nameOf = nameOf;
  }

  /** @param {string} incident */
  show(incident) {
    if (this.#read !== incident) this.read(incident);
  }

  /** Reads it anew: something may have been kept. @param {string} incident */
  async read(incident) {
    this.#read = incident;
    try {
      const { items } = await this.#api.get(`/v1/incidents/${incident}/footage`);
      if (this.#read !== incident) return;
      this.element.hidden = items.length === 0;
      refill(this.#list, items, () => items.map((span) => keptItem(this.#api, incident, span, this.#byOf(span))));
    } catch {
      // The next look at the session asks again.
      if (this.#read === incident) this.#read = null;
    }
  }

  /** Who kept it is a role and its user. */
  #byOf({ by }) {
    return this.#nameOf(by.slice(by.indexOf("/") + 1));
  }
}
