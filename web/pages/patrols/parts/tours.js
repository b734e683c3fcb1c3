// SPDX-License-Identifier: Apache-2.0
import { fill, find, h, toast } from "../../../core/dom.js";
import { numeral, t } from "../../../core/i18n.js";
import { ask, field } from "../../../dom/ask.js";
import { pressed } from "../../../dom/busy.js";
import { table } from "../../../dom/table.js";
import { coordinates, coordinatesOf, minutesOf, readTours, secondsOf } from "../../../model/patrol.js";
import { codeCard } from "./code-card.js";
import { scheduleWords } from "../../../model/tour-schedule.js";
import { TourPoints } from "./tour-points.js";
import { TourStart } from "./tour-start.js";

/** How far from a new point a check-in counts, in metres, until somebody says otherwise. */
const radiusMetres = 50;
/** How long after its window a point of a new tour is late before it is missed. */
const graceSeconds = 600;

/** Whole minutes as such; parts of one to the nearest hundredth. */
const minutesText = (seconds) => numeral(minutesOf(seconds), seconds % 60 ? 2 : 0);

/** Setting up points, with the code that hangs at each, and the tours that are made of them. */
export class Tours {
  #desk;
  #points = new Map();
  #told = h("div", { class: "stack" });
  #rows = h("div", { class: "stack" });

  /** @param {import("../page.js").Desk} desk */
  constructor(desk) {
    this.#desk = desk;
  }

  async open() {
    await this.#read();
    return [this.#told, this.#rows];
  }

  async #read() {
    const { tours, points } = await readTours(this.#desk.api);
    this.#points = new Map(points.map((point) => [point.id, point]));
    const labels = points.length > 0 && h("a", { class: "button", href: "/patrols/labels" }, t("patrols.labels.all"));
    fill(this.#rows, this.#head("points", () => this.#define(null), false, labels), this.#pointTable(points), this.#head("tours", () => this.#plan(null), points.length === 0), this.#tourTable(tours.filter((tour) => !tour.isRetired)));
  }

  #head(name, add, isTooEarly = false, more = null) {
    return h("div", { class: "row" }, h("h2", { class: "grow" }, t(`patrols.set.${name}`)), more, h("button", { type: "button", class: "primary", disabled: isTooEarly, onclick: add }, t(`patrols.add.${name}`)));
  }

  // MARK: Points

  #pointTable(points) {
    const rows = points.map((point) => [point.name, point.site, h("a", { href: `geo:${point.latitude},${point.longitude}` }, coordinates(point)), t("patrols.metres", { metres: numeral(point.radiusMetres) }),
      h("span", { class: "row" }, h("button", { type: "button", onclick: () => this.#define(point) }, t("patrols.change")), h("button", { type: "button", onclick: pressed(() => this.#showCode(point)) }, t("patrols.code")))]);
    if (rows.length === 0) return h("p", { class: "card empty" }, t("patrols.set.points.none"));
    return table(t("patrols.set.points"), [t("patrols.name"), t("patrols.site"), t("patrols.place"), t("patrols.radius"), ""], rows);
  }

  /** Sets a point up, or changes one. */
  async #define(point) {
    const { api } = this.#desk;
    const defined = await ask({
      title: point ? t("patrols.point.change", { name: point.name }) : t("patrols.add.points"), press: t("patrols.save"),
      fields: [field(t("patrols.site"), { name: "site", required: true, value: point?.site }), field(t("patrols.name"), { name: "name", required: true, value: point?.name }),
        field(t("patrols.place"), { name: "place", required: true, value: point && coordinates(point) }, t("patrols.place.hint")),
        field(t("patrols.radius"), { name: "radius", type: "number", min: 1, step: "any", required: true, value: point?.radiusMetres ?? radiusMetres }, t("patrols.radius.hint"))],
      act: async ({ site, name, place, radius }) => {
        const found = coordinatesOf(place);
        if (!found) throw new Error(t("patrols.place.none"));
        const saved = await api.post("/v1/patrol-points", { ...(point && { id: point.id }), site: site.trim(), name: name.trim(), ...found, radiusMetres: Number(radius) });
        return { id: saved.point, name: name.trim(), site: site.trim() };
      },
    });
    if (!defined) return;
    await this.#showCode(defined);
    await this.#readAgain();
  }

  /** @param {import("./code-card.js").Point} point */
  async #showCode(point) {
    try {
      this.#putCode(point, (await this.#desk.api.get(`/v1/patrol-points/${point.id}/qr`)).code);
    } catch (error) {
      toast(error.message, "bad");
    }
  }

  #putCode(point, code, isNew = false) {
    const renew = async () => this.#putCode(point, (await this.#desk.api.post(`/v1/patrol-points/${point.id}/code`, { code })).code, true);
    const card = codeCard(point, code, { renew, isNew });
    fill(this.#told, card);
    card.scrollIntoView({ block: "nearest" });
    find("h3", card).focus({ preventScroll: true });
  }

  // MARK: Tours

  #tourTable(tours) {
    const rows = tours.map((tour) => [h("span", {}, tour.name, tour.schedule && h("span", { class: "soft small" }, h("br"), t("patrols.tour.begins", { times: scheduleWords(tour.schedule) }))), tour.site, h("ol", { class: "of-tour" }, tour.points.map((one) => h("li", {}, this.#points.get(one.point)?.name ?? t("patrol.point.gone"), " ", h("span", { class: "soft small" }, this.#window(one))))),
      t(tour.isOrdered ? "patrols.tour.ordered" : "patrols.tour.any-order"), t("patrols.minutes", { minutes: minutesText(tour.graceSeconds) }),
      h("span", { class: "row" }, h("button", { type: "button", onclick: () => this.#plan(tour) }, t("patrols.change")), h("button", { type: "button", class: "danger", onclick: () => this.#retire(tour) }, t("patrols.retire")))]);
    if (rows.length === 0) return h("p", { class: "card empty" }, t("patrols.set.tours.none"));
    return table(t("patrols.set.tours"), [t("patrols.name"), t("patrols.site"), t("patrols.points"), t("patrols.tour.order"), t("patrols.tour.grace"), ""], rows);
  }

  #window({ fromSeconds, untilSeconds }) {
    return t("patrols.tour.window", { from: minutesText(fromSeconds), until: minutesText(untilSeconds) });
  }

  /** Sets a tour up, or changes one. */
  async #plan(tour) {
    const points = new TourPoints(this.#points, tour?.points ?? []);
    const start = new TourStart(tour?.schedule);
    const saved = await ask({
      title: tour ? t("patrols.tour.change", { name: tour.name }) : t("patrols.add.tours"), press: t("patrols.save"), isLong: true, will: tour ? [t("patrols.tour.change.will")] : [],
      fields: [field(t("patrols.site"), { name: "site", required: true, value: tour?.site }), field(t("patrols.name"), { name: "name", required: true, value: tour?.name }), points.element,
        h("label", { class: "check" }, h("input", { type: "checkbox", name: "isOrdered", checked: tour?.isOrdered ?? true }), t("patrols.tour.is-ordered")),
        field(t("patrols.tour.grace"), { name: "grace", type: "number", min: 0, step: "any", required: true, value: minutesOf(tour?.graceSeconds ?? graceSeconds) }, t("patrols.tour.grace.hint")), ...start.elements],
      act: async ({ site, name, isOrdered, grace }) =>
        this.#desk.api.post("/v1/tours", { ...(tour && { id: tour.id }), site: site.trim(), name: name.trim(), points: points.value, isOrdered: isOrdered !== undefined, graceSeconds: secondsOf(grace), schedule: start.value }),
    });
    if (saved) await this.#readAgain();
  }

  async #retire(tour) {
    const { id, site, name, points, isOrdered, graceSeconds, schedule } = tour;
    const retired = await ask({
      title: t("patrols.retire.ask", { name }), press: t("patrols.retire"), isForGood: true, will: [t("patrols.retire.will"), t("patrols.retire.rounds")],
      act: () => this.#desk.api.post("/v1/tours", { id, site, name, points, isOrdered, graceSeconds, schedule, isRetired: true }),
    });
    if (retired) await this.#readAgain();
  }

  /** What was saved is saved, whether or not the list can be read. */
  async #readAgain() {
    try {
      await this.#read();
    } catch (error) {
      toast(error.message, "bad");
    }
  }
}
