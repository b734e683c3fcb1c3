// SPDX-License-Identifier: Apache-2.0
import { fill, h } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { dayOf } from "../../../core/time.js";
import { choice } from "../../../dom/ask.js";
import { pressed } from "../../../dom/busy.js";
import { ended, mayExport, months, pastMissions, species, speciesWord, statusWord, titleOf } from "../../../model/rescue.js";
import { chips, follow } from "./list.js";

/** Past missions, the newest first, by species, outcome and month. */
export class Past {
  #desk;
  #asked = 0;
  #list = h("ul", { class: "stack" });
  #state = h("p", { class: "card empty", role: "status" });
  #more = h("button", { type: "button", class: "big", hidden: true, onclick: pressed(() => this.#read(this.#next)) }, t("rescue.past.more"));
  #next = null;
  #form;
  element;

  /** @param {import("../page.js").Desk} desk */
  constructor(desk) {
    this.#desk = desk;
    const all = /** @type {[string, string]} */ (["", t("rescue.past.all")]);
    const words = (names, wordOf) => names.map((one) => [one, wordOf(one)]);
    this.#form = h("form", { class: "card padded filters", "aria-label": t("rescue.past.filter"), onsubmit: (event) => event.preventDefault(), onchange: () => this.read() },
      choice(t("rescue.past.species"), "species", [all, ...words(species, speciesWord)]), choice(t("rescue.past.outcome"), "status", [all, ...words(ended, statusWord)]), choice(t("rescue.past.month"), "month", [all, ...months()]));
    const file = (name, words) => h("a", { class: "button", href: `/v1/reports.${name}`, download: `reports.${name}` }, t(words));
    const files = mayExport(desk.me) && h("section", { class: "row", "aria-label": t("rescue.export") }, h("span", { class: "soft" }, t("rescue.export")), file("csv", "rescue.export.csv"), file("geojson", "rescue.export.geojson"));
    this.element = h("div", { class: "past stack" }, this.#form, files, this.#list, this.#state, this.#more);
  }

  /** Reads anew, from the newest on. */
  read() {
    return this.#read(null);
  }

  show() {
    // It changes when it is asked for again.
  }

  async #read(before) {
    const mine = ++this.#asked;
    this.#tell(t("page.reading"));
    try {
      const { items, next } = await pastMissions(this.#desk.api, /** @type {any} */ (Object.fromEntries(new FormData(this.#form))), before);
      if (mine !== this.#asked) return;
      this.#next = next;
      if (!before) fill(this.#list);
      this.#list.append(...items.map((report) => this.#row(report)));
      this.#tell(this.#list.childElementCount ? "" : t(next ? "rescue.past.none-yet" : "rescue.past.none"));
      this.#more.hidden = !next;
    } catch (error) {
      if (mine === this.#asked) this.#tell(error.message);
    }
  }

  #tell(words) {
    this.#state.textContent = words;
    this.#state.hidden = !words;
  }

  #row(report) {
    const { photos, open } = this.#desk;
    return h("li", { class: "card mission" }, h("a", { class: "mission-link", href: `/rescue/${report.id}`, onclick: (event) => follow(event, () => open(report.id)) }, photos.thumb(report),
      h("span", { class: "words" }, h("strong", {}, titleOf(report)), h("span", { class: "row" }, chips(report)), h("span", {}, [dayOf(new Date(report.submittedAt)), report.agency?.name].filter(Boolean).join(" · ")))));
  }
}
