// SPDX-License-Identifier: Apache-2.0
import { h, refill, toast } from "../../../core/dom.js";
import { numeral, t } from "../../../core/i18n.js";
import { ask, field } from "../../../dom/ask.js";
import { pressed } from "../../../dom/busy.js";
import { Picker } from "../../../dom/picker.js";
import { facts, moment } from "../../../dom/table.js";
import { told } from "../../../dom/told.js";
import { keepReading } from "./keep-reading.js";

/** How often it is read anew while somebody looks: a test shall be seen to arrive. */
const againMilliseconds = 2000;

/** Programs of others that are told what happens, by HTTP: where, of what, and whether it arrives. */
export class Webhooks {
  #desk;
  #reading;
  #kinds = [];
  #place = h("div", { class: "stack" });

  /** @param {import("../page.js").Desk} desk */
  constructor(desk) {
    this.#desk = desk;
  }

  async open() {
    this.#kinds = (await this.#desk.api.get("/v1/webhook-kinds")).items;
    this.#reading = await keepReading(() => this.#read(), againMilliseconds);
    return [h("div", { class: "card row find" }, h("p", { class: "grow" }, t("set.hooks.about")), h("button", { type: "button", class: "primary", onclick: () => this.#write(null) }, t("set.hooks.add"))), this.#place];
  }

  stop() {
    this.#reading?.stop();
  }

  async #read() {
    const { items } = await this.#desk.api.get("/v1/webhooks");
    refill(this.#place, items, () => (items.length ? items.map((hook) => this.#card(hook)) : h("p", { class: "card empty" }, t("set.hooks.none"))));
  }

  #card(hook) {
    const { id, url, kinds, isOn, delivered, deliveredAt, fault } = hook;
    const button = (name, act, look = "") => h("button", { type: "button", class: look, dataset: { key: `${name}-${id}` }, onclick: act }, t(`set.hooks.${name}`));
    return h("section", { class: "card stack padded", "aria-label": url },
      h("div", { class: "row" }, h("h2", { class: "url" }, url), standing(hook)),
      fault && h("p", { class: "notice bad", role: "alert" }, t("set.hooks.fault", { count: fault.attempts, error: fault.error }), fault.nextAt && [" ", t("set.hooks.next"), " ", moment(fault.nextAt)]),
      facts([[t("set.hooks.delivered"), numeral(delivered)], [t("set.hooks.last"), moment(deliveredAt)],
        [t("set.hooks.kinds"), h("details", {}, h("summary", { dataset: { key: `kinds-${id}` } }, t("set.hooks.kinds.count", { count: kinds.length })), h("ul", {}, kinds.map((kind) => h("li", {}, h("code", {}, kind)))))]]),
      h("div", { class: "row" }, button("change", () => this.#write(hook)), isOn && button("test", pressed(() => this.#test(hook)), "primary"), button("secret", () => this.#renew(hook)),
        button(isOn ? "off" : "on", pressed(() => this.#turn(hook))), button("delete", () => this.#delete(hook), "danger")));
  }

  /** Asks where to, and of what. @param {any} hook `null` for a new one. */
  async #write(hook) {
    const { api } = this.#desk;
    const kinds = new Picker(t("set.hooks.kinds"), this.#kinds.map((kind) => [kind, kind]), hook?.kinds ?? []);
    const written = await ask({
      title: hook ? t("set.hooks.change") : t("set.hooks.add"), press: t("set.save"), isLong: true, will: hook ? [] : [t("set.hooks.add.will")],
      fields: [field(t("set.hooks.url"), { name: "url", type: "url", required: true, value: hook?.url ?? "https://" }, t("set.hooks.url.hint")), kinds.element],
      act: async ({ url }) => {
        if (kinds.value.length === 0) throw new Error(t("set.hooks.kinds.none"));
        const body = { url: url.trim(), kinds: kinds.value, isOn: hook?.isOn ?? true };
        // What is told once is not asked for twice.
        return { url: body.url, ...(await (hook ? api.put(`/v1/webhooks/${hook.id}`, body) : api.post("/v1/webhooks", body, { tries: 1 }))) };
      },
    });
    if (written) await this.#did(t(hook ? "set.hooks.was-changed" : "set.hooks.was-added", { url: written.url }), secretOf(written));
  }

  async #renew({ id, url }) {
    const renewed = await ask({
      title: t("set.hooks.secret-of", { url }), press: t("set.hooks.secret"), isForGood: true, will: [t("set.hooks.secret.will")],
      act: () => this.#desk.api.post(`/v1/webhooks/${id}/secret`, {}, { tries: 1 }),
    });
    if (renewed) await this.#did(t("set.hooks.was-renewed", { url }), secretOf({ ...renewed, url }));
  }

  async #delete({ id, url }) {
    const deleted = await ask({ title: t("set.hooks.delete-of", { url }), press: t("set.hooks.delete"), isForGood: true, will: [t("set.hooks.delete.will")], act: () => this.#desk.api.delete(`/v1/webhooks/${id}`) });
    if (deleted) await this.#did(t("set.hooks.was-deleted", { url }));
  }

  #test({ id, url }) {
    return this.#act(() => this.#desk.api.post(`/v1/webhooks/${id}/test`), t("set.hooks.was-tested", { url }));
  }

  #turn({ id, url, kinds, isOn }) {
    return this.#act(() => this.#desk.api.put(`/v1/webhooks/${id}`, { url, kinds, isOn: !isOn }), t(isOn ? "set.hooks.was-off" : "set.hooks.was-on", { url }));
  }

  async #act(act, words) {
    try {
      await act();
      await this.#did(words);
    } catch (error) {
      toast(error.message, "bad");
    }
  }

  /** What was done is done, whether or not the list can be read. */
  async #did(words, more) {
    this.#desk.done.add(words, more);
    await this.#read().catch(() => this.#desk.again());
  }
}

/** A secret, to be copied now. */
const secretOf = ({ url, secret }) => (secret ? told(t("set.hooks.secret.once", { url }), secret) : null);

/** Whether a webhook works, as far as it is known. */
function standing({ isOn, fault, deliveredAt }) {
  const [look, word] = !isOn ? ["warn", "off"] : fault ? ["bad", "fault"] : deliveredAt ? ["good", "works"] : ["", "untried"];
  return h("span", { class: `chip ${look}` }, t(`set.hooks.is.${word}`));
}
