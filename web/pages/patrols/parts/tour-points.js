// SPDX-License-Identifier: Apache-2.0
import { fill, find, h } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { minutesOf, moved, secondsOf } from "../../../model/patrol.js";

/** The window that a point gets until somebody says another, after that of the point before it, in minutes. */
const windowMinutes = 15;

/** The points of a tour in a form: in which order, and when each is due, in minutes from the start. */
export class TourPoints {
  #points;
  /** @type {{point: string, from: string, until: string}[]} */
  #rows;
  #list = h("ol", { class: "tour-points" });
  #more = h("select", { "aria-label": t("patrols.tour.more") });
  #adding = h("div", { class: "row" }, h("div", { class: "grow" }, this.#more), h("button", { type: "button", onclick: () => this.#add() }, t("patrols.tour.add-point")));
  element = h("fieldset", { class: "tour-fields stack" }, h("legend", {}, t("patrols.tour.points")), h("p", { class: "soft small" }, t("patrols.tour.points.about")), this.#list, this.#adding);

  /** @param {Map<string, any>} points All that there are. @param {import("../../../model/patrol.js").TourPoint[]} chosen */
  constructor(points, chosen) {
    this.#points = points;
    this.#rows = chosen.map(({ point, fromSeconds, untilSeconds }) => ({ point, from: String(minutesOf(fromSeconds)), until: String(minutesOf(untilSeconds)) }));
    this.#show();
  }

  /** As the tour has them. @returns {import("../../../model/patrol.js").TourPoint[]} */
  get value() {
    if (this.#rows.length === 0) throw new Error(t("patrols.tour.no-points"));
    return this.#rows.map(({ point, from, until }) => {
      if (secondsOf(from) >= secondsOf(until)) throw new Error(t("patrols.tour.no-window", { point: this.#nameOf(point) }));
      return { point, fromSeconds: secondsOf(from), untilSeconds: secondsOf(until) };
    });
  }

  #nameOf(point) {
    return this.#points.get(point)?.name ?? t("patrol.point.gone");
  }

  #add() {
    const point = this.#more.value;
    if (!point) return;
    const before = Number(this.#rows[this.#rows.length - 1]?.until ?? 0);
    this.#rows = [...this.#rows, { point, from: String(before), until: String(before + windowMinutes) }];
    this.#show();
    find(".tour-points > :last-child input", this.#list).focus();
  }

  #move(index, by) {
    const { point } = this.#rows[index];
    this.#rows = moved(this.#rows, index, by);
    this.#show();
    // The keyboard goes along with what it moves.
    const [same, other] = [by, -by].map((way) => this.#list.querySelector(`[data-key="${point}:${way}"]`));
    (same?.disabled ? other : same)?.focus();
  }

  #drop(index) {
    this.#rows = this.#rows.filter((_, place) => place !== index);
    this.#show();
    this.#more.focus();
  }

  #show() {
    fill(this.#list, this.#rows.map((row, index) => this.#row(row, index)));
    const chosen = new Set(this.#rows.map(({ point }) => point));
    const left = [...this.#points.values()].filter(({ id }) => !chosen.has(id));
    fill(this.#more, left.map(({ id, site, name }) => h("option", { value: id }, `${name} · ${site}`)));
    this.#adding.hidden = left.length === 0;
  }

  #row(row, index) {
    const name = this.#nameOf(row.point);
    const minutes = (which) => h("label", {}, t(`patrols.tour.${which}`), h("input", { type: "number", min: 0, step: "any", required: true, value: row[which], title: name, oninput: (event) => (row[which] = event.target.value), dataset: { window: which } }));
    const button = (mark, key, words, act, disabled = false) => h("button", { type: "button", class: "icon", "aria-label": t(`patrols.tour.${words}`, { name }), disabled, dataset: { key: `${row.point}:${key}` }, onclick: act }, mark);
    return h("li", {}, h("strong", { class: "name" }, `${index + 1}. ${name}`), minutes("from"), minutes("until"),
      h("span", { class: "row" }, button("↑", "-1", "up", () => this.#move(index, -1), index === 0), button("↓", "1", "down", () => this.#move(index, 1), index === this.#rows.length - 1), button("✕", "out", "out", () => this.#drop(index))));
  }
}
