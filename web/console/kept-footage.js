// SPDX-License-Identifier: Apache-2.0
import { h, refill } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { timeElement } from "../core/time.js";
import { cameraAddress, titleOf } from "../model/cameras.js";

/** The footage of cameras that was kept for an incident, each a link to its beginning. */
export class KeptFootage {
  #api;
  #nameOf;
  #list = h("ul", { class: "members" });
  element = h("section", { class: "stack kept-footage", hidden: true }, h("h2", {}, t("console.kept")), this.#list);
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
      refill(this.#list, items, () => items.map((one) => this.#row(one)));
    } catch {
      // The next look at the session asks again.
      if (this.#read === incident) this.#read = null;
    }
  }

  /** Who kept it is a role and its user. */
  #row({ camera, number, name, from, until, by, at }) {
    return h("li", {}, h("a", { href: cameraAddress({ id: camera }, from), target: "_blank", rel: "noopener", dataset: { key: `kept-${camera}-${from}-${at}` } }, number === undefined ? name : titleOf({ number, name })),
      h("span", { class: "small figures" }, timeElement(from), " – ", timeElement(until)), h("span", { class: "small soft" }, t("console.kept.by", { name: this.#nameOf(by.slice(by.indexOf("/") + 1)) }), " ", timeElement(at)));
  }
}
