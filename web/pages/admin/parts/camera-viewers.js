// SPDX-License-Identifier: Apache-2.0
import { fill, focusIfLost, h } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { choice, field } from "../../../dom/ask.js";
import { clockText, lookers, minutesOf, viewer, viewersMost } from "../../../model/camera-set-up.js";

/** Who may look at a camera, and at which hours of the day. */
export class CameraViewers {
  #rows = h("ul", { class: "stack viewers" });
  #add = h("button", { type: "button", onclick: () => this.#more() }, t("set.cameras.viewers.add"));
  #nobody = h("p", { class: "notice warn" }, t("set.cameras.viewers.none"));
  element = h("section", { class: "card stack padded", "aria-label": t("set.cameras.viewers") }, h("h2", {}, t("set.cameras.viewers")), h("p", { class: "small soft" }, t("set.cameras.viewers.about")), this.#rows, this.#nobody, h("p", {}, this.#add));

  /** @param {import("../../../model/camera-set-up.js").Viewers[]} viewers */
  constructor(viewers) {
    fill(this.#rows, viewers.map((one) => this.#row(one)));
    this.#show();
  }

  /** What is sent. Throws what is wrong with it, in words. */
  get value() {
    return this.written.map(([role, from, until]) => {
      const [fromMinute, untilMinute] = [minutesOf(from), minutesOf(until)];
      if (fromMinute === null || untilMinute === null) throw new Error(t("set.cameras.viewers.wrong", { role: t(`role.${role}`) }));
      return { role, fromMinute, untilMinute };
    });
  }

  /** What stands in each row. @returns {string[][]} */
  get written() {
    return [...this.#rows.children].map((row) => [...row.querySelectorAll("select, input")].map((/** @type {any} */ one) => one.value));
  }

  #row({ role, fromMinute, untilMinute }) {
    const time = { required: true, pattern: "(?:[01]?\\d|2[0-3]):[0-5]\\d|24:00", title: t("set.cameras.viewers.time"), size: 5, inputmode: "numeric" };
    const row = h("li", {}, choice(t("set.cameras.viewers.role"), "role", lookers.map((one) => [one, t(`role.${one}`)]), role), field(t("set.cameras.viewers.from"), { ...time, value: clockText(fromMinute) }), field(t("set.cameras.viewers.until"), { ...time, value: clockText(untilMinute) }),
      h("button", { type: "button", class: "danger", onclick: () => this.#remove(row) }, t("set.cameras.viewers.remove")));
    return row;
  }

  #more() {
    const taken = this.written.map(([role]) => role);
    this.#rows.append(this.#row(viewer(lookers.find((one) => !taken.includes(one)) ?? lookers[0])));
    this.#rows.lastElementChild?.querySelector("select")?.focus();
    this.#show();
  }

  #remove(row) {
    row.remove();
    this.#show();
    focusIfLost(this.#add);
  }

  #show() {
    const count = this.#rows.children.length;
    this.#nobody.hidden = count > 0;
    this.#add.hidden = count >= viewersMost;
  }
}
