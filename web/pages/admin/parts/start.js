// SPDX-License-Identifier: Apache-2.0
import { fill, h } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { phoneText, readPhoneAlone } from "../../../core/phone.js";
import { site } from "../../../core/site.js";
import { field } from "../../../dom/ask.js";
import { busy } from "../../../dom/busy.js";
import { qrPicture } from "../../../dom/qr-picture.js";
import { moment, table } from "../../../dom/table.js";
import { operators, settings, steps } from "../../../model/first-steps.js";
import { addSomebody } from "./people.js";

/** How often it is looked for the test call. */
const lookMilliseconds = 3000;

/** The first steps of a new site, each with how far it is and what is to be done; what stands on the command line is told, for no page can change it. */
export class Start {
  #desk;
  #timer = 0;
  #call = h("div", { class: "stack" });

  /** @param {import("../page.js").Desk} desk */
  constructor(desk) {
    this.#desk = desk;
  }

  async open() {
    const { api } = this.#desk;
    const [{ items: users }, { items: sessions }] = await Promise.all([api.get("/v1/users"), api.get("/v1/sessions?limit=1")]);
    const shown = { password: () => this.#password(), site: () => this.#site(), operator: () => this.#operators(users), call: () => this.#testCall(users, sessions[0]) };
    return [h("p", {}, t("admin.start.about")), h("ol", { class: "steps stack" }, steps({ site, users, sessions: sessions.length }).map(({ name, isDone }, index) =>
      h("li", { class: "card stack padded" }, h("div", { class: "row" }, h("h2", { class: "grow" }, `${index + 1}. ${t(`admin.start.${name}`)}`), h("span", { class: `chip ${isDone ? "good" : "warn"}` }, t(isDone ? "admin.start.done" : "admin.start.open"))), shown[name]()))),
      h("p", { class: "card padded" }, t("set.agencies.start"), " ", h("a", { href: "/admin/agencies" }, t("admin.part.agencies"))),
      h("p", { class: "card padded" }, t("set.trunks.start"), " ", h("a", { href: "/admin/trunks" }, t("admin.part.trunks")))];
  }

  stop() {
    clearInterval(this.#timer);
  }

  #password() {
    return h("p", {}, t("admin.start.password.about", { login: this.#desk.me.login }));
  }

  #site() {
    const rows = settings(site).map(({ option, value, isNeeded }) => [t(`admin.setting.${option.slice(2)}`), value ?? h("span", { class: isNeeded ? "chip warn" : "soft" }, t(isNeeded ? "admin.setting.missing" : "admin.setting.none")), h("code", {}, option)]);
    return [h("p", {}, t("admin.start.site.about")), table(t("admin.start.site"), [t("admin.setting"), t("admin.setting.value"), t("admin.setting.option")], rows)];
  }

  #operators(users) {
    const logins = operators(users).map((user) => user.name ?? user.login);
    return [h("p", {}, logins.length ? t("admin.start.operator.are", { count: logins.length, names: logins.join(", ") }) : t("admin.start.operator.about")),
      h("p", {}, h("button", { type: "button", class: logins.length ? "" : "primary", onclick: () => this.#add() }, t("admin.start.operator.add")))];
  }

  async #add() {
    if (await addSomebody(this.#desk, ["operator", "supervisor"])) this.#desk.again();
  }

  // MARK: The test call

  #testCall(users, last) {
    if (operators(users).length === 0) return h("p", { class: "soft" }, t("admin.start.call.first"));
    fill(this.#call, last && h("p", { class: "soft small" }, t("admin.start.call.last"), " ", moment(last.createdAt)),
      h("form", { class: "row", onsubmit: (event) => this.#begin(event) }, h("div", { class: "grow" }, field(t("admin.number"), { name: "phone", type: "tel", required: true })), h("button", { class: last ? "" : "primary" }, t("admin.start.call.begin"))));
    return [h("p", {}, t("admin.start.call.about")), !isSecureContext && h("p", { class: "notice warn" }, t("admin.start.call.insecure")), this.#call];
  }

  async #begin(event) {
    event.preventDefault();
    const form = event.target;
    const text = String(new FormData(form).get("phone"));
    form.querySelector("[role=alert]")?.remove();
    try {
      const phone = await readPhoneAlone(this.#desk.api, text);
      // Told once: what is asked for again ends the first.
      const given = await busy(event.submitter, this.#desk.api.post("/v1/devices/codes", { phone, reason: "test call" }, { tries: 1 }));
      this.#show(given);
    } catch (error) {
      form.append(h("p", { class: "notice bad", role: "alert" }, error.message));
    }
  }

  #show({ phone, code, expiresInSeconds }) {
    const address = `${location.origin}/call`;
    const state = h("p", { class: "notice", role: "status" }, t("admin.start.call.waiting"));
    fill(this.#call, h("div", { class: "row test-call" }, qrPicture(address, t("admin.start.call.qr", { address })), h("ol", { class: "will grow" }, ["scan", "number", "chat", "take"].map((step) =>
      h("li", {}, t(`admin.start.call.${step}`, { address, number: phoneText(phone), code, minutes: Math.round(expiresInSeconds / 60) }))))), h("p", {}, t("admin.start.call.code"), " ", h("code", { class: "told" }, code)), state);
    const since = Date.now();
    clearInterval(this.#timer);
    this.#timer = setInterval(() => this.#look(phone, state, since).catch(() => {
      // The head of the page says that the centre is not reached.
    }), lookMilliseconds);
  }

  async #look(phone, state, since) {
    const { items } = await this.#desk.api.get("/v1/sessions?limit=5");
    const session = items.find((one) => one.phone === phone && Date.parse(one.createdAt) > since - 60_000);
    if (!session) return;
    const isTaken = Boolean(session.owner ?? session.lastOwner);
    state.className = "notice good";
    state.textContent = t(isTaken ? "admin.start.call.taken" : "admin.start.call.came");
    if (!isTaken) return;
    this.stop();
    this.#desk.done.add(t("admin.start.call.was", { number: phoneText(phone) }));
  }
}
