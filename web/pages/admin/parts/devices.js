// SPDX-License-Identifier: Apache-2.0
import { fill, h } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { phoneOf, phoneText, readPhoneAlone } from "../../../core/phone.js";
import { ask, field } from "../../../dom/ask.js";
import { busy } from "../../../dom/busy.js";
import { moment, table } from "../../../dom/table.js";

/** The phones of a number, and how one is ended. Of phones there is no list: whose number is not known here has none to look at. */
export class Devices {
  #desk;
  #number;
  #found = h("div", { class: "stack" });

  /** @param {import("../page.js").Desk} desk @param {URLSearchParams} query */
  constructor(desk, query) {
    this.#desk = desk;
    this.#number = query.get("phone") ?? "";
  }

  async open() {
    const form = h("form", { class: "card row find", role: "search", onsubmit: (event) => this.#find(event) },
      h("div", { class: "grow" }, field(t("admin.number"), { name: "phone", type: "tel", required: true, value: phoneText(this.#number) })), h("button", { class: "primary" }, t("admin.devices.find")));
    if (phoneOf(this.#number)) await this.#show(phoneOf(this.#number));
    return [form, this.#found, h("section", { class: "stack" }, h("h2", {}, t("admin.links")), h("p", { class: "card padded" }, t("admin.links.about")))];
  }

  async #find(event) {
    event.preventDefault();
    const text = String(new FormData(event.target).get("phone"));
    try {
      const number = await readPhoneAlone(this.#desk.api, text);
      this.#desk.note({ phone: number });
      await busy(event.submitter, this.#show(number));
    } catch (error) {
      fill(this.#found, h("p", { class: "notice bad", role: "alert" }, error.message));
    }
  }

  async #show(number) {
    this.#number = number;
    const { items } = await this.#desk.api.get(`/v1/devices?phone=${encodeURIComponent(number)}`);
    const going = items.filter((one) => !one.revokedAt).length;
    const rows = items.map((one) => [h("code", {}, one.device), moment(one.registeredAt), one.revokedAt ? moment(one.revokedAt) : h("span", { class: "chip good" }, t("admin.devices.good")),
      !one.revokedAt && h("button", { type: "button", class: "danger", onclick: () => this.#end(one, going) }, t("admin.devices.end"))]);
    fill(this.#found, h("p", { class: "soft small", role: "status" }, t("admin.devices.count", { count: items.length, number: phoneText(number), good: going })),
      rows.length ? table(t("admin.part.devices"), [t("admin.device"), t("admin.devices.registered"), t("admin.devices.ended"), ""], rows) : h("p", { class: "card empty" }, t("admin.devices.none")));
  }

  async #end({ device }, going) {
    const { api, done } = this.#desk;
    const number = phoneText(this.#number);
    const ended = await ask({
      title: t("admin.devices.end-of", { number }), press: t("admin.devices.end"), isForGood: true,
      will: [t("admin.devices.will"), t("admin.devices.left", { count: going - 1, number }), t("admin.devices.will.more")], fields: [field(t("admin.reason"), { name: "reason", required: true }, t("admin.reason.hint"))],
      act: ({ reason }) => api.delete(`/v1/devices/${device}?reason=${encodeURIComponent(reason)}`),
    });
    if (!ended) return;
    done.add(t("admin.devices.was-ended", { number, device: device.slice(-12) }));
    await this.#show(this.#number).catch(() => this.#desk.again());
  }
}
