// SPDX-License-Identifier: Apache-2.0
import { fill, h } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { all } from "../../../core/api.js";
import { choice } from "../../../dom/ask.js";
import { qrPicture } from "../../../dom/qr-picture.js";
import { bySite } from "../../../model/patrol.js";
import { tagGroups } from "../../../model/patrol-code.js";
import { tagElement } from "./code-card.js";

/** So many codes are asked for at once. */
const atOnce = 4;

/** A sheet of the points' labels, to be printed and cut. Nothing else of the page is printed while it is open. */
export class Labels {
  #desk;
  #site;
  #points = [];
  /** By point, those that were read. @type {Map<string, string>} */
  #codes = new Map();
  #asked = 0;
  #state = h("p", { class: "soft", role: "status" });
  #fault = h("p", { class: "notice bad", role: "alert", hidden: true });
  #print = h("button", { type: "button", class: "primary", disabled: true, onclick: () => print() }, t("patrols.labels.print"));
  #sheet = h("ol", { class: "labels", "aria-label": t("patrols.part.labels") });

  /** @param {import("../page.js").Desk} desk @param {URLSearchParams} query */
  constructor(desk, query) {
    [this.#desk, this.#site] = [desk, query.get("site") ?? ""];
  }

  async open() {
    document.documentElement.dataset.sheet = "";
    this.#points = bySite((await all(this.#desk.api, "/v1/patrol-points")).items);
    if (this.#points.length === 0) return h("p", { class: "card empty" }, t("patrols.set.points.none"));
    const sites = [...new Set(this.#points.map(({ site }) => site))];
    if (!sites.includes(this.#site)) this.#site = "";
    this.#read();
    return [h("form", { class: "card padded row sheet-choice", onsubmit: (event) => event.preventDefault(), onchange: (event) => this.#choose(event.target.value) },
      choice(t("patrols.site"), "site", [["", t("patrols.sites.all")], ...sites.map((site) => /** @type {[string, string]} */ ([site, site]))], this.#site), this.#print, h("div", { class: "grow" }, this.#state, h("p", { class: "small soft" }, t("patrols.labels.about")))),
    this.#fault, h("div", { class: "sheet" }, this.#sheet)];
  }

  stop() {
    this.#asked++;
    delete document.documentElement.dataset.sheet;
  }

  #choose(site) {
    this.#site = site;
    this.#desk.note({ site });
    this.#read();
  }

  /** Reads the codes that are missing, some at a time: what is shown is whole, or says what is not there. */
  async #read() {
    const mine = ++this.#asked;
    const points = this.#points.filter(({ site }) => !this.#site || site === this.#site);
    const left = points.filter(({ id }) => !this.#codes.has(id));
    const lost = [];
    this.#print.disabled = true;
    this.#fault.hidden = true;
    this.#state.textContent = t("page.reading");
    fill(this.#sheet);
    while (left.length) {
      await Promise.all(left.splice(0, atOnce).map((point) => this.#readOne(point, lost)));
      if (mine !== this.#asked) return;
    }
    fill(this.#sheet, points.filter(({ id }) => this.#codes.has(id)).map((point) => labelOf(point, this.#codes.get(point.id))));
    this.#state.textContent = t("patrols.labels.count", { count: points.length - lost.length });
    this.#print.disabled = points.length === lost.length;
    this.#fault.hidden = lost.length === 0;
    this.#fault.textContent = lost.length ? t("patrols.labels.lost", { names: lost.map(({ name }) => name).join(", "), why: lost[0].why }) : "";
  }

  async #readOne({ id, name }, lost) {
    try {
      this.#codes.set(id, (await this.#desk.api.get(`/v1/patrol-points/${id}/qr`)).code);
    } catch (error) {
      lost.push({ name, why: error.message });
    }
  }
}

function labelOf({ name, site }, code) {
  return h("li", { class: "patrol-label" }, qrPicture(code, t("patrols.code.picture", { name })),
    h("div", {}, h("strong", {}, name), h("p", {}, site), tagGroups(code).length ? tagElement(code) : h("code", {}, code), h("p", { class: "how" }, t("patrols.labels.how"))));
}
