// SPDX-License-Identifier: Apache-2.0
import { h, refill } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { ask } from "../../../dom/ask.js";
import { pressed } from "../../../dom/busy.js";
import { ageWords, distanceWords, mainOf, mayAct, speciesWord } from "../../../model/rescue.js";
import { follow } from "./list.js";

/** Other reports of the same animal: those that may be, those that are, and of which report this one is another. */
export class SameAnimal {
  #desk;
  element = h("section", { class: "stack same", "aria-label": t("rescue.same") });

  /** @param {import("../page.js").Desk} desk */
  constructor(desk) {
    this.#desk = desk;
  }

  /** @param {import("../../../model/rescue.js").Report | null} report */
  show(report) {
    const { duplicateOf, duplicates = [], possibleDuplicates = [] } = report ?? {};
    const may = report && mayAct(this.#desk.me, report);
    this.element.hidden = !duplicateOf && !duplicates.length && !(may && possibleDuplicates.length);
    refill(this.element, [report?.id, duplicateOf, duplicates, may && possibleDuplicates], () => {
      if (duplicateOf) return this.#notice("", t("rescue.same.is"), this.#link(duplicateOf, "rescue.same.main", "primary"), may && this.#apart(report.id));
      return [duplicates.map((id) => this.#notice("", t("rescue.same.has"), this.#link(id, "rescue.same.open"), may && this.#apart(id))),
        may && possibleDuplicates.map((one) => this.#notice("warn", this.#words(report, one), this.#link(one.id, "rescue.same.open"), this.#together(report, one)))];
    });
  }

  #notice(kind, words, ...acts) {
    return h("div", { class: `notice ${kind} refusal` }, h("p", { class: "grow" }, words), h("div", { class: "row" }, acts));
  }

  #words({ species, submittedAt }, { metres, submittedAt: other }) {
    const [first, last] = [submittedAt, other].sort((one, two) => Date.parse(one) - Date.parse(two));
    const isSoon = Date.parse(last) - Date.parse(first) < 60_000;
    const time = isSoon ? t("rescue.same.at-once") : t(first === other ? "rescue.same.earlier" : "rescue.same.later", { time: ageWords(first, Date.parse(last)) });
    return t("rescue.same.perhaps", { species: speciesWord(species), distance: distanceWords(metres), time });
  }

  #link(id, words, look = "") {
    return h("a", { class: `button ${look}`, href: `/rescue/${id}`, dataset: { key: `open:${id}` }, onclick: (event) => follow(event, () => this.#desk.open(id)) }, t(words));
  }

  #apart(id) {
    const { api, command } = this.#desk;
    return h("button", { type: "button", dataset: { key: `apart:${id}` }, onclick: pressed(() => command(() => api.delete(`/v1/reports/${id}/duplicate`))) }, t("rescue.same.not"));
  }

  #together(report, possible) {
    const { missions } = this.#desk;
    const join = () => {
      const other = { ...possible, status: missions.report(possible.id)?.status ?? "submitted" };
      const main = mainOf(report, other);
      return this.#ask(main === report ? other.id : report.id, main.id, main === report);
    };
    return h("button", { type: "button", class: "primary", dataset: { key: `same:${possible.id}` }, onclick: join }, t("rescue.same.do"));
  }

  async #ask(id, of, staysHere) {
    const { api, refresh } = this.#desk;
    const done = await ask({
      title: t("rescue.same.ask"), will: [t(staysHere ? "rescue.same.will.other" : "rescue.same.will.this"), t("rescue.same.will.follow")], press: t("rescue.same.do"),
      act: () => api.put(`/v1/reports/${id}/duplicate`, { of }),
    });
    if (done) await refresh();
  }
}
