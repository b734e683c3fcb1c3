// SPDX-License-Identifier: Apache-2.0
import { h } from "../../../core/dom.js";
import { now } from "../../../core/time.js";

const hourMilliseconds = 3_600_000;
const presets = [["Last 24 hours", 24], ["7 days", 7 * 24], ["28 days", 28 * 24]];

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
      h("div", { class: "row", role: "group", "aria-label": "Period" }, presets.map(([words, hours]) => h("button", { type: "button", onclick: () => this.#take(hours) }, words))),
      h("label", {}, "From", this.#from), h("label", {}, "Until", this.#until), h("button", { class: "primary" }, "Show"), this.#fault);
  }

  show({ from, until }) {
    this.#from.value = local(from);
    this.#until.value = local(until);
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
    this.#fault.textContent = isSound ? "" : "The period ends before it begins.";
    this.#fault.hidden = isSound;
    if (isSound) this.#go(from, until);
  }

  #go(from, until) {
    this.#onChoice(new URLSearchParams({ from: from.toISOString(), until: until.toISOString(), by: "hour" }));
  }
}

/** As fields of forms have it: the time of day of whoever looks. */
function local(date) {
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
