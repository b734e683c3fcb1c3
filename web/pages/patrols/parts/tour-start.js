// SPDX-License-Identifier: Apache-2.0
import { h } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { weekday } from "../../../core/time.js";
import { field } from "../../../dom/ask.js";
import { everyDay, minutesOfText, textOfMinutes } from "../../../model/tour-schedule.js";

/** When rounds of a tour begin, in a form: times of day, and the days of the week. */
export class TourStart {
  #times;
  #days;
  /** @type {HTMLElement[]} */
  elements;

  /** @param {import("../../../model/tour-schedule.js").Schedule} [schedule] */
  constructor(schedule) {
    const times = field(t("patrols.tour.starts"), { name: "starts", value: textOfMinutes(schedule?.minutesOfDay ?? []), placeholder: "22:00, 02:30" }, t("patrols.tour.starts.hint"));
    this.#times = times.querySelector("input");
    const days = schedule?.weekdays ?? everyDay;
    this.#days = everyDay.map((day) => h("input", { type: "checkbox", name: "weekday", value: day, checked: days.includes(day) }));
    this.elements = [times, h("fieldset", { class: "kinds" }, h("legend", {}, t("patrols.tour.days")), everyDay.map((day, index) => h("label", { class: "check" }, this.#days[index], weekday(day))))];
  }

  /** As the tour has it. @returns {import("../../../model/tour-schedule.js").Schedule | undefined} None where guards set out as they see fit. */
  get value() {
    const minutesOfDay = minutesOfText(this.#times.value);
    if (!minutesOfDay) throw new Error(t("patrols.tour.no-times"));
    if (minutesOfDay.length === 0) return undefined;
    const weekdays = this.#days.filter(({ checked }) => checked).map(({ value }) => Number(value));
    if (weekdays.length === 0) throw new Error(t("patrols.tour.no-days"));
    return { minutesOfDay, weekdays };
  }
}
