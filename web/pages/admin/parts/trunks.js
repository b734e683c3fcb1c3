// SPDX-License-Identifier: Apache-2.0
import { h, refill } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { ask, field } from "../../../dom/ask.js";
import { pressed } from "../../../dom/busy.js";
import { facts } from "../../../dom/table.js";

/** Telephone companies whose word on a caller's number is believed: each by the address that its requests come from. */
export class Trunks {
  #desk;
  #place = h("div", { class: "stack" });

  /** @param {import("../page.js").Desk} desk */
  constructor(desk) {
    this.#desk = desk;
  }

  async open() {
    await this.#read();
    return [h("div", { class: "card row find" }, h("p", { class: "grow" }, t("set.trunks.about")), h("button", { type: "button", class: "primary", onclick: () => this.#write(null) }, t("set.trunks.add"))), this.#place];
  }

  async #read() {
    const { items } = await this.#desk.api.get("/v1/trunks");
    refill(this.#place, items, () => (items.length ? items.map((trunk) => this.#card(trunk)) : h("p", { class: "card empty" }, t("set.trunks.none"))));
  }

  #card(trunk) {
    const { id, name, host, isOn } = trunk;
    return h("section", { class: "card stack padded", "aria-label": name },
      h("div", { class: "row" }, h("h2", {}, name), h("span", { class: `chip ${isOn ? "good" : "warn"}` }, t(isOn ? "set.trunks.is.on" : "set.trunks.is.off"))),
      facts([[t("set.trunks.host"), h("code", {}, host)]]),
      h("div", { class: "row" }, h("button", { type: "button", dataset: { key: `change-${id}` }, onclick: () => this.#write(trunk) }, t("set.trunks.change")),
        h("button", { type: "button", dataset: { key: `turn-${id}` }, onclick: pressed(() => this.#turn(trunk)) }, t(isOn ? "set.trunks.off" : "set.trunks.on"))));
  }

  /** Asks for name and address. @param {any} trunk `null` for a new one. */
  async #write(trunk) {
    const written = await ask({
      title: t(trunk ? "set.trunks.change" : "set.trunks.add"), press: t("set.save"), will: [t("set.trunks.will")],
      fields: [field(t("set.trunks.name"), { name: "name", required: true, maxLength: 60, value: trunk?.name ?? "" }), field(t("set.trunks.host"), { name: "host", required: true, value: trunk?.host ?? "" }, t("set.trunks.host.hint"))],
      act: async ({ name, host }) => {
        await this.#desk.api.put(`/v1/trunks/${trunk?.id ?? idOf(name)}`, { name: name.trim(), host: host.trim(), isOn: trunk?.isOn ?? true });
        return name;
      },
    });
    if (written) await this.#did(t("set.trunks.was-saved", { name: written }));
  }

  async #turn({ id, name, host, isOn }) {
    await this.#desk.api.put(`/v1/trunks/${id}`, { name, host, isOn: !isOn });
    await this.#did(t(isOn ? "set.trunks.was-off" : "set.trunks.was-on", { name }));
  }

  /** What was done is done, whether or not the list can be read. */
  async #did(words) {
    this.#desk.done.add(words);
    await this.#read().catch(() => this.#desk.again());
  }
}

/** Small letters, digits and hyphens, as the gateway wants them, and no other trunk's. */
const idOf = (name) => `${name.normalize("NFKD").toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "").slice(0, 30) || "trunk"}-${Date.now().toString(36).slice(-4)}`;
