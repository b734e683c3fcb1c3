// SPDX-License-Identifier: Apache-2.0
import { find, h, refill } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { phoneText } from "../../../core/phone.js";
import { momentElement } from "../../../core/time.js";
import { pressed } from "../../../dom/busy.js";
import { refusalWords } from "./refusals.js";

/** One's own number, and the phones that are registered with it. A newer one waits until an older one agrees to it. */
export class Phones {
  #mine;

  /** @param {import("./mine.js").Mine} mine */
  constructor(mine) {
    this.#mine = mine;
  }

  show() {
    const { phone, phones } = this.#mine;
    find("#my-number").hidden = !phone;
    find("#my-number").textContent = phone ? t("safe.phones.number", { phone: phoneText(phone) }) : "";
    find("#phones-title").hidden = phones.length === 0;
    refill(find("#phone-list"), phones, () => phones.map((one, index) => this.#card(one, index + 1)));
    find("#new-phone").hidden = !phones.some(waits);
  }

  #card(phone, number) {
    const { id, registeredAt, isThis } = phone;
    return h("li", { class: "card stack" }, h("h3", { class: "row" }, t("safe.phones.one", { number }), isThis && h("span", { class: "chip accent" }, t("safe.phones.this"))), h("p", {}, t("safe.phones.since"), " ", momentElement(registeredAt)),
      waits(phone) && [h("p", { class: "notice warn" }, t("safe.phones.waits")), h("button", { type: "button", class: "primary big", dataset: { key: `admit-${id}` }, onclick: pressed(() => this.#admit(id)) }, t("safe.phones.agree"))]);
  }

  async #admit(id) {
    const fault = find("#phones-fault");
    fault.hidden = true;
    try {
      await this.#mine.admit(id);
    } catch (error) {
      fault.textContent = refusalWords(error);
      fault.hidden = false;
    }
  }
}

/** @param {import("../../../model/safety.js").Phone} phone */
const waits = ({ isAgreed, isThis }) => !isAgreed && !isThis;
