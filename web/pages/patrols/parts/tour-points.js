// SPDX-License-Identifier: Apache-2.0
import { fill, h } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { Ordered } from "../../../dom/ordered.js";
import { minutesOf, secondsOf } from "../../../model/patrol.js";

/** The window that a point gets until somebody says another, after that of the point before it, in minutes. */
const windowMinutes = 15;

/** The points of a tour in a form: in which order, and when each is due, in minutes from the start. */
export class TourPoints {
  #points;
  /** @type {Ordered<{point: string, from: string, until: string}>} */
  #list;
  #more = h("select", { "aria-label": t("patrols.tour.more") });
  #adding = h("div", { class: "row" }, h("div", { class: "grow" }, this.#more), h("button", { type: "button", onclick: () => this.#add() }, t("patrols.tour.add-point")));
  element;

  /** @param {Map<string, any>} points All that there are. @param {import("../../../model/patrol.js").TourPoint[]} chosen */
  constructor(points, chosen) {
    this.#points = points;
    this.#list = new Ordered(chosen.map(({ point, fromSeconds, untilSeconds }) => ({ point, from: String(minutesOf(fromSeconds)), until: String(minutesOf(untilSeconds)) })), {
      class: "tour-points", nameOf: ({ point }) => this.#nameOf(point), draw: (row) => this.#fields(row), onChange: () => this.#offer(), after: () => this.#more,
    });
    this.element = h("fieldset", { class: "tour-fields stack" }, h("legend", {}, t("patrols.tour.points")), h("p", { class: "soft small" }, t("patrols.tour.points.about")), this.#list.element, this.#adding);
    this.#offer();
  }

  /** As the tour has them. @returns {import("../../../model/patrol.js").TourPoint[]} */
  get value() {
    if (this.#list.rows.length === 0) throw new Error(t("patrols.tour.no-points"));
    return this.#list.rows.map(({ point, from, until }) => {
      if (secondsOf(from) >= secondsOf(until)) throw new Error(t("patrols.tour.no-window", { point: this.#nameOf(point) }));
      return { point, fromSeconds: secondsOf(from), untilSeconds: secondsOf(until) };
    });
  }

  #nameOf(point) {
    return this.#points.get(point)?.name ?? t("patrol.point.gone");
  }

  #add() {
    const { rows } = this.#list;
    const before = Number(rows[rows.length - 1]?.until ?? 0);
    if (this.#more.value) this.#list.add({ point: this.#more.value, from: String(before), until: String(before + windowMinutes) });
  }

  /** Those that are not on the tour yet. */
  #offer() {
    const chosen = new Set(this.#list.rows.map(({ point }) => point));
    const left = [...this.#points.values()].filter(({ id }) => !chosen.has(id));
    fill(this.#more, left.map(({ id, site, name }) => h("option", { value: id }, `${name} · ${site}`)));
    this.#adding.hidden = left.length === 0;
  }

  #fields(row) {
    const name = this.#nameOf(row.point);
    return ["from", "until"].map((which) => h("label", {}, t(`patrols.tour.${which}`), h("input", { type: "number", min: 0, step: "any", required: true, value: row[which], title: name, oninput: (event) => (row[which] = event.target.value), dataset: { window: which } })));
  }
}
