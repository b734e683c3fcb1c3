// SPDX-License-Identifier: Apache-2.0
import { fill, h, refill, toast } from "../../../core/dom.js";
import { numeral, t } from "../../../core/i18n.js";
import { patience } from "../../../core/patience.js";
import { age, now, timeElement } from "../../../core/time.js";
import { pressed } from "../../../dom/busy.js";
import { measuredWords } from "../../../model/fix.js";
import { coordinates } from "../../../model/patrol.js";

/** How often it is said anew how long somebody waits. */
const lookMilliseconds = 5000;

/** The guards' alarms that nobody took up; they stand above every part of the page. */
export class Alarms {
  #desk;
  #alarms = [];
  #asked = 0;
  #shown = 0;
  #failures = 0;
  #timer = 0;
  #list = h("ul", { class: "stack" });
  /** Read aloud when another one comes. */
  #said = h("p", { class: "visually-hidden", role: "alert" });
  element = h("section", { class: "alarms", "aria-labelledby": "alarms-title" }, this.#said, h("h2", { id: "alarms-title" }, t("patrols.alarms")), this.#list);

  /** @param {import("../page.js").Desk} desk */
  constructor(desk) {
    this.#desk = desk;
    this.element.hidden = true;
    desk.changes.addEventListener("change", () => this.#read());
    desk.changes.addEventListener("names", () => this.#show());
    setInterval(() => this.#show(), lookMilliseconds);
    this.#read();
  }

  async #read() {
    clearTimeout(this.#timer);
    const mine = ++this.#asked;
    try {
      const { items } = await this.#desk.api.get("/v1/guard-alarms");
      if (mine < this.#shown) return;
      [this.#shown, this.#failures] = [mine, 0];
      const isNew = items.filter(({ id }) => !this.#alarms.some((known) => known.id === id));
      this.#alarms = items;
      if (isNew.length) fill(this.#said, t("patrols.alarm.of", { name: isNew.map(({ guardID }) => this.#desk.people.nameOf(guardID)).join(", ") }));
      this.#show();
    } catch {
      // That the centre is not reached stands at the top; an alarm is looked for until it can be read.
      this.#timer = setTimeout(() => this.#read(), patience(this.#failures++));
    }
  }

  #show() {
    this.element.hidden = this.#alarms.length === 0;
    const rows = [...this.#alarms].sort((one, other) => Date.parse(one.at) - Date.parse(other.at)).map((alarm) => ({ alarm, waits: age(alarm.at, now()) }));
    refill(this.#list, [rows, this.#desk.people.version], () => rows.map(({ alarm, waits }) => this.#row(alarm, waits)));
  }

  #row(alarm, waits) {
    const name = this.#desk.people.nameOf(alarm.guardID);
    return h("li", { class: "card row padded alarm" }, h("div", { class: "grow" }, h("strong", {}, t("patrols.alarm.of", { name })), h("p", {}, t("patrols.since"), " ", timeElement(alarm.at), ` (${waits})`), h("p", {}, placeOf(alarm))),
      h("button", { type: "button", class: "primary big", dataset: { key: alarm.id }, onclick: pressed(() => this.#take(alarm)) }, t("patrols.alarm.take")));
  }

  async #take(alarm) {
    try {
      await this.#desk.api.post(`/v1/guard-alarms/${alarm.id}/answer`);
      toast(t("patrols.alarm.taken", { name: this.#desk.people.nameOf(alarm.guardID) }), "good");
    } catch (error) {
      const isAnothers = error.slug === "guard-alarm-answered";
      toast(isAnothers ? t("patrols.alarm.anothers", { name: this.#desk.people.nameOf(error.members.by) }) : error.message, "bad");
    }
    await this.#read();
  }
}

/** A place to be copied, and to be opened where the machine has a map for it. */
function placeOf({ fix, at }) {
  if (!fix) return h("span", { class: "soft" }, t("patrols.alarm.nowhere"));
  const link = h("a", { href: `geo:${fix.latitude},${fix.longitude}` }, coordinates(fix));
  const measured = measuredWords(fix, at);
  return [link, fix.accuracyMetres !== undefined && [" ", h("span", { class: "soft" }, t("patrols.alarm.exact", { metres: numeral(Math.round(fix.accuracyMetres)) }))],
    measured && [" ", h("span", { class: "chip warn" }, measured)]];
}
