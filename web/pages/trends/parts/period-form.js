// SPDX-License-Identifier: Apache-2.0
import { h } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { fieldTime, now } from "../../../core/time.js";

const hourMilliseconds = 3_600_000;
const hoursOfDay = 24;
const daysToChoose = [1, 7, 28];

/** Which period is looked at; what is chosen goes into the address. */
export class PeriodForm {
  #onChoice;
  #from = h("input", { type: "datetime-local", name: "from", required: true, step: 3600 });
  #until = h("input", { type: "datetime-local", name: "until", required: true, step: 3600 });
  #fault = h("p", { class: "notice bad", role: "alert", hidden: true });

  /** @param {(query: URLSearchParams) => void} onChoice */
  constructor(onChoice) {
    this.#onChoice = onChoice;
    this.element = h("form", { class: "card row period", onsubmit: (event) => this.#choose(event) },
      h("div", { class: "row", role: "group", "aria-label": t("trends.period") }, daysToChoose.map((days) => h("button", { type: "button", onclick: () => this.#take(days * hoursOfDay) }, days === 1 ? t("trends.period.hours", { hours: hoursOfDay }) : t("trends.period.days", { days })))),
      h("label", {}, t("trends.period.from"), this.#from), h("label", {}, t("trends.period.until"), this.#until), h("button", { class: "primary" }, t("trends.period.show")), this.#fault);
  }

  show({ from, until }) {
    this.#from.value = fieldTime(from);
    this.#until.value = fieldTime(until);
    this.#fault.hidden = true;
  }

  #take(hours) {
    const until = Math.ceil(now() / hourMilliseconds) * hourMilliseconds;
    this.#go(new Date(until - hours * hourMilliseconds), new Date(until));
  }

  #choose(event) {
    event.preventDefault();
    const [from, until] = [new Date(this.#from.value), new Date(this.#until.value)];
    const isSound = from < until;
    this.#fault.textContent = isSound ? "" : t("trends.period.reversed");
    this.#fault.hidden = isSound;
    if (isSound) this.#go(from, until);
  }

  #go(from, until) {
    this.#onChoice(new URLSearchParams({ from: from.toISOString(), until: until.toISOString(), by: "hour" }));
  }
}
