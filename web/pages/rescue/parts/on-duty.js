// SPDX-License-Identifier: Apache-2.0
import { h, refill, toast } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { fieldTime, hourOf, now } from "../../../core/time.js";
import { ask, choice, field } from "../../../dom/ask.js";
import { pressed } from "../../../dom/busy.js";
import { offDutyFault, reachOf } from "../../../model/duty.js";
import { offDutyUntil } from "../../../model/rescue.js";

/** Whether who looks is on duty, with a button to change it; how they are told stands on the page of duty. */
export class OnDuty {
  #api;
  #onChange;
  #ways = null;
  #fault = "";
  element = h("section", { class: "card padded duty-line", "aria-label": t("rescue.duty") });

  /** @param {import("../../../core/api.js").API} api @param {() => void} [onChange] */
  constructor(api, onChange = () => {}) {
    [this.#api, this.#onChange] = [api, onChange];
  }

  async read() {
    try {
      [this.#ways, this.#fault] = [await this.#api.get("/v1/reach"), ""];
    } catch (error) {
      this.#fault = error.message;
    }
    this.show();
    this.#onChange();
  }

  /** Reads again what could not be read the last time. */
  async readAgain() {
    if (this.#fault) await this.read();
  }

  /** An absence ends by itself. */
  show() {
    const { isOff } = this;
    refill(this.element, [this.#ways, this.#ways ? "" : this.#fault, isOff], () => {
      if (!this.#ways) return h("p", { class: "grow", role: "alert" }, this.#fault);
      const { offDutyUntil: until, phone, email, browsers } = this.#ways;
      const isSilent = !isOff && !phone && !email && !browsers;
      return [
        h("p", { class: "grow", role: "status" }, h("span", { class: `chip ${isOff ? "warn" : "good"}` }, t(isOff ? "rescue.duty.off" : "rescue.duty.on")), isOff && ` ${t("rescue.duty.until", { time: hourOf(new Date(until)) })}`),
        h("div", { class: "row" }, isOff ? h("button", { type: "button", class: "primary", dataset: { key: "duty" }, onclick: pressed(() => this.#come()) }, t("rescue.duty.come")) : h("button", { type: "button", dataset: { key: "duty" }, onclick: () => this.#go() }, t("rescue.duty.go")),
          h("a", { class: "button", href: "/duty" }, t("rescue.duty.ways"))),
        isSilent && h("p", { class: "notice warn wide" }, t("rescue.duty.silent"), " ", h("a", { href: "/duty" }, t("rescue.duty.silent.set"))),
      ];
    });
  }

  get isOff() {
    return Date.parse(this.#ways?.offDutyUntil ?? "") > now();
  }

  async #come() {
    try {
      await this.#set("");
      toast(t("rescue.duty.came"), "good");
    } catch (error) {
      toast(error.message, "bad");
    }
    await this.read();
  }

  async #go() {
    const other = field(t("rescue.duty.until-when"), { name: "until", type: "datetime-local", value: fieldTime(new Date(now() + 8 * 3_600_000)) });
    const most = ["hour", "shift", "morning", "month", "other"].map((one) => [one, t(`rescue.duty.for.${one}`)]);
    const chosen = choice(t("rescue.duty.how-long"), "length", /** @type {[string, string][]} */ (most), "shift", { onchange: ({ target }) => (other.hidden = target.value !== "other") });
    other.hidden = true;
    const went = await ask({
      title: t("rescue.duty.go.ask"), will: [t("rescue.duty.go.will")], press: t("rescue.duty.go.press"), fields: [chosen, other],
      act: async ({ length, until }) => {
        const end = length === "other" ? until : offDutyUntil(length, new Date(now()));
        const fault = length === "other" && (end ? offDutyFault(end, now()) : "past");
        if (fault) throw new Error(t(`rescue.duty.fault.${fault}`));
        await this.#set(end);
      },
    });
    if (went) await this.read();
  }

  /** All ways are set at once: the others stay as they are. */
  async #set(until) {
    const { phone = "", email = "", language } = await this.#api.get("/v1/reach");
    await this.#api.put("/v1/reach", reachOf({ phone, email, language, offDutyUntil: until }));
  }
}
