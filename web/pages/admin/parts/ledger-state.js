// SPDX-License-Identifier: Apache-2.0
import { h, refill } from "../../../core/dom.js";
import { numeral as count, t } from "../../../core/i18n.js";
import { ask } from "../../../dom/ask.js";
import { facts, table } from "../../../dom/table.js";
import { faults, modelRows } from "../../../model/upkeep.js";

/** How often it is read anew while somebody looks. */
const againMilliseconds = 10_000;

/** The ledger, its newest checkpoint, the clock, read models and services: how each stands, and what can be done about it. */
export class LedgerState {
  #desk;
  #timer = 0;
  #place = h("div", { class: "stack" });
  #note = h("pre", { tabindex: "0", class: "checkpoint" });
  // Stays the same, so that it stays open while the rest is read anew.
  #checkpoint = h("details", {}, h("summary", { dataset: { key: "checkpoint" } }, t("admin.ledger.checkpoint")), this.#note);

  /** @param {import("../page.js").Desk} desk */
  constructor(desk) {
    this.#desk = desk;
  }

  async open() {
    await this.#read();
    this.#timer = setInterval(() => document.visibilityState === "visible" && this.#read().catch(() => {
      // The head of the page says that the centre is not reached.
    }), againMilliseconds);
    return [this.#place];
  }

  stop() {
    clearInterval(this.#timer);
  }

  async #read() {
    const { api } = this.#desk;
    const [readiness, ledger, checkpoint] = await Promise.all([readyz(api), api.get("/v1/ledger"), api.file("/checkpoint").then((file) => file.text())]);
    this.#note.textContent = checkpoint;
    refill(this.#place, [readiness, ledger], () => [this.#standing(readiness), this.#ledger(readiness, ledger), this.#models(readiness), this.#services(readiness)]);
  }

  #standing(readiness) {
    const found = faults(readiness);
    const { isFollowed, detail } = readiness.clock;
    const lines = found.map(({ kind, name, words, isNeeded }) => h("li", {}, h("span", { class: `chip ${isNeeded ? "bad" : "warn"}` }, t(`admin.fault.${kind}`)), " ", h("strong", {}, name), words && `: ${words}`));
    return h("section", { class: "stack" },
      h("p", { class: `notice ${readiness.ready ? (found.length ? "warn" : "good") : "bad"}`, role: "status" }, t(readiness.ready ? (found.length ? "admin.ready.but" : "admin.ready") : "admin.ready.not", { count: found.length })),
      lines.length > 0 && h("ul", { class: "card stack padded" }, lines), !isFollowed && this.#mayMend && h("p", {}, h("button", { type: "button", onclick: () => this.#confirmClock(detail) }, t("admin.clock.confirm"))));
  }

  get #mayMend() {
    return this.#desk.me.role === "admin";
  }

  #ledger({ events }, ledger) {
    return h("section", { class: "card stack padded" }, h("h2", {}, t("admin.ledger")), facts([[t("admin.ledger.origin"), ledger.origin], [t("admin.ledger.events"), count(events)],
      [t("admin.ledger.signed"), t("admin.ledger.signed-of", { count: ledger.size, signed: count(ledger.size), behind: count(Math.max(0, events - ledger.size)) })], [t("admin.ledger.root"), h("code", {}, ledger.root)], [t("admin.ledger.key"), h("code", {}, ledger.vkey)]]),
      this.#checkpoint, h("p", { class: "soft small" }, t("admin.ledger.about")));
  }

  #models(readiness) {
    const rows = modelRows(readiness).map((one) => [h("strong", {}, one.name), one.version === null ? "–" : String(one.version), one.reached === null ? "–" : count(one.reached), one.behind === null ? "–" : count(one.behind),
      h("span", {}, h("span", { class: `chip ${one.isWell ? "good" : "bad"}` }, t(one.isWell ? "admin.well" : "admin.unwell")), one.words && ` ${one.words}`),
      this.#mayMend && h("button", { type: "button", dataset: { key: one.name }, onclick: () => this.#rebuild(one, readiness.events) }, t("admin.models.rebuild"))]);
    return h("section", { class: "stack" }, h("h2", {}, t("admin.models")), h("p", { class: "soft small" }, t("admin.models.about")),
      table(t("admin.models"), [t("admin.models.name"), t("admin.models.version"), t("admin.models.reached"), t("admin.models.behind"), t("admin.state"), ""], rows));
  }

  #services({ services }) {
    const rows = services.map((one) => [h("strong", {}, one.name), h("span", { class: `chip ${one.isWell ? "good" : one.isNeeded ? "bad" : "warn"}` }, t(one.isWell ? "admin.well" : "admin.unwell")), t(one.isNeeded ? "admin.services.needed" : "admin.services.beside"), one.fault ?? "–"]);
    return h("section", { class: "stack" }, h("h2", {}, t("admin.services")), table(t("admin.services"), [t("admin.models.name"), t("admin.state"), t("admin.services.kind"), t("admin.services.fault")], rows));
  }

  async #rebuild({ name }, events) {
    const { api, done } = this.#desk;
    const rebuilt = await ask({
      title: t("admin.models.rebuild-of", { name }), press: t("admin.models.rebuild"), will: [t("admin.models.will", { count: events, events: count(events) }), t("admin.models.will.beside"), t("admin.models.will.ledger")],
      act: () => api.post(`/v1/read-models/${encodeURIComponent(name)}/rebuild`, {}, { tries: 1 }),
    });
    if (!rebuilt) return;
    done.add(t("admin.models.rebuilt", { name, events: count(Number(rebuilt.reached)) }));
    this.#desk.again();
  }

  async #confirmClock(detail) {
    const { api, done } = this.#desk;
    const confirmed = await ask({ title: t("admin.clock.confirm"), press: t("admin.clock.confirm"), isForGood: true, will: [detail, t("admin.clock.will")].filter(Boolean), act: () => api.post("/v1/clock/confirm") });
    if (!confirmed) return;
    done.add(t("admin.clock.confirmed"));
    this.#desk.again();
  }
}

/** How every part stands; a gateway that is not ready tells it all the same, as a refusal. */
async function readyz(api) {
  try {
    return await api.get("/readyz", { isLevel: false });
  } catch (error) {
    if (error.status === 503 && error.members?.readModels) return error.members;
    throw error;
  }
}
