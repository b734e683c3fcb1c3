// SPDX-License-Identifier: Apache-2.0
import { h, refill } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { ask, choice, field } from "../../../dom/ask.js";
import { facts, moment, table } from "../../../dom/table.js";
import { keepReading } from "./keep-reading.js";

/** How often it is read anew while somebody looks: a test shall be seen to arrive. */
const againMilliseconds = 2000;
const ports = { email: { starttls: 587, tls: 465, none: 25 }, sms: { none: 13013, tls: 443 } };

/** How e-mail and SMS leave this centre: settings, a test, and what was tried last. */
export class Senders {
  #desk;
  #reading;
  #place = h("div", { class: "stack" });

  /** @param {import("../page.js").Desk} desk */
  constructor(desk) {
    this.#desk = desk;
  }

  async open() {
    this.#reading = await keepReading(() => this.#read(), againMilliseconds);
    return [h("p", {}, t("admin.senders.about")), this.#place];
  }

  stop() {
    this.#reading?.stop();
  }

  async #read() {
    const { items } = await this.#desk.api.get("/v1/senders");
    refill(this.#place, items, () => items.map((sender) => this.#card(sender)));
  }

  #card(sender) {
    const { channel, settings, waiting, fault, incoming, lastAttempts } = sender;
    const name = t(`admin.senders.${channel}`);
    return h("section", { class: "card stack padded", "aria-label": name },
      h("div", { class: "row" }, h("h2", {}, name), standing(sender), waiting > 0 && h("span", { class: "chip" }, t("admin.senders.waiting", { count: waiting }))),
      fault && h("p", { class: "notice bad", role: "alert" }, fault),
      settings ? facts([[t("admin.senders.server"), `${settings.host}:${settings.port}`], [t("admin.senders.security"), t(`admin.senders.security.${settings.security}`)], [t("admin.senders.from"), settings.from],
        [t("admin.senders.user"), settings.user ?? t("admin.senders.nobody")], [t("admin.senders.per-minute"), String(settings.perMinute)],
        channel === "sms" && [t("admin.senders.reports"), settings.reportsTo ?? t("admin.senders.no-reports")], incoming && [t("admin.senders.incoming"), h("code", {}, incoming)]].filter(Boolean))
        : h("p", { class: "soft" }, t(channel === "sms" ? "admin.senders.sms.none" : "admin.senders.email.none")),
      h("div", { class: "row" }, h("button", { type: "button", class: settings ? "" : "primary", dataset: { key: `set-${channel}` }, onclick: () => this.#set(sender) }, t(settings ? "admin.senders.change" : "admin.senders.set-up")),
        settings?.isOn && h("button", { type: "button", class: "primary", dataset: { key: `test-${channel}` }, onclick: () => this.#test(sender) }, t("admin.senders.test"))),
      lastAttempts.length > 0 && table(t("admin.senders.last"), [t("admin.senders.when"), t("admin.state"), t("admin.senders.attempts"), t("admin.senders.why")],
        lastAttempts.map((one) => [moment(one.at), result(one), String(one.attempts), one.error ?? ""])));
  }

  async #set({ channel, settings }) {
    const { api, done } = this.#desk;
    const name = t(`admin.senders.${channel}`);
    const ways = Object.keys(ports[channel]);
    const security = choice(t("admin.senders.security"), "security", ways.map((way) => [way, t(`admin.senders.security.${way}`)]), settings?.security ?? ways[0]);
    const port = field(t("admin.senders.port"), { name: "port", type: "number", min: "1", max: "65535", required: true, value: String(settings?.port ?? ports[channel][ways[0]]) });
    // The usual port follows what was chosen, until somebody writes another.
    security.querySelector("select").addEventListener("change", ({ target }) => {
      const input = port.querySelector("input");
      if (Object.values(ports[channel]).includes(Number(input.value))) input.value = String(ports[channel][target.value]);
    });
    const was = await ask({
      title: t("admin.senders.set", { name }), press: t("admin.senders.save"), isLong: true,
      fields: [
        h("label", { class: "check" }, h("input", { type: "checkbox", name: "isOn", checked: settings?.isOn ?? true }), t("admin.senders.on")),
        field(t("admin.senders.host"), { name: "host", required: true, value: settings?.host ?? "" }, t(`admin.senders.host.${channel}`)), security, port,
        field(t("admin.senders.user"), { name: "user", value: settings?.user ?? "" }), field(t("admin.senders.password"), { name: "password", type: "password", autocomplete: "new-password" }, settings?.hasPassword ? t("admin.senders.password.kept") : undefined),
        field(t("admin.senders.from"), { name: "from", required: true, value: settings?.from ?? "" }, t(`admin.senders.from.${channel}`)),
        field(t("admin.senders.per-minute"), { name: "perMinute", type: "number", min: "1", max: "6000", required: true, value: String(settings?.perMinute ?? 60) }),
        ...(channel === "sms" ? [field(t("admin.senders.reports"), { name: "reportsTo", value: settings?.reportsTo ?? location.origin }, t("admin.senders.reports.hint"))] : []),
      ],
      act: ({ isOn, host, security: way, port: number, user, password, from, perMinute, reportsTo }) => api.put(`/v1/senders/${channel}`, {
        isOn: isOn === "on", host: host.trim(), security: way, port: Number(number), from: from.trim(), perMinute: Number(perMinute),
        ...(user.trim() ? { user: user.trim() } : {}), ...(password ? { password } : {}), ...(reportsTo?.trim() ? { reportsTo: reportsTo.trim() } : {}),
      }),
    });
    if (!was) return;
    done.add(t("admin.senders.was-set", { name }));
    await this.#read();
  }

  async #test({ channel }) {
    const { api, done } = this.#desk;
    const was = await ask({
      title: t("admin.senders.test-of", { name: t(`admin.senders.${channel}`) }), press: t("admin.senders.test"), will: [t("admin.senders.test.will")],
      fields: [field(t(`admin.senders.to.${channel}`), { name: "to", required: true, type: channel === "sms" ? "tel" : "email" })],
      act: ({ to }) => api.post(`/v1/senders/${channel}/test`, { to }),
    });
    if (!was) return;
    done.add(t("admin.senders.was-tested", { name: t(`admin.senders.${channel}`) }));
    await this.#read();
  }
}

/** Whether a sender works, as far as it is known. */
function standing({ settings, fault, lastAttempts }) {
  const [kind, word] = !settings ? ["", "none"] : !settings.isOn ? ["warn", "off"] : fault ? ["bad", "fault"] : lastAttempts.some((one) => one.state === "sent") ? ["good", "works"] : ["warn", "untried"];
  return h("span", { class: `chip ${kind}` }, t(`admin.senders.is.${word}`));
}

/** How far a message came: what was reported of it says more than that it went out. */
function result({ state, report }) {
  const word = report && state !== "queued" ? report : state;
  const kind = { sent: "good", accepted: "good", delivered: "good", queued: "warn" }[word] ?? "bad";
  return h("span", { class: `chip ${kind}` }, t(`admin.senders.result.${word}`));
}
