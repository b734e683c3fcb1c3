// SPDX-License-Identifier: Apache-2.0
import { fill, h } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { phoneText, readPhoneAlone } from "../../../core/phone.js";
import { ask, field } from "../../../dom/ask.js";
import { busy } from "../../../dom/busy.js";
import { facts, moment, table } from "../../../dom/table.js";
import { obstacle, reachOf } from "../../../model/upkeep.js";
import { approverFields } from "./holds.js";

/** The end of an id, by which people tell one from another: its beginning is only a time. @param {string} id */
const endOf = (id) => id.slice(-12);

/** Forgetting a person: who it is, what there is of the person, and what stands in the way; then the erasure itself. */
export class Erasure {
  #desk;
  #wanted;
  #found = h("div", { class: "stack" });

  /** @param {import("../page.js").Desk} desk @param {URLSearchParams} query */
  constructor(desk, query) {
    this.#desk = desk;
    this.#wanted = { phone: query.get("phone") ?? "", person: query.get("person") ?? "" };
  }

  async open() {
    const form = h("form", { class: "card row find", role: "search", onsubmit: (event) => this.#find(event) },
      h("div", { class: "grow" }, field(t("admin.erasure.who"), { name: "who", required: true, value: this.#wanted.person || phoneText(this.#wanted.phone) })),
      h("button", { class: "primary" }, t("admin.erasure.find")), h("p", { class: "small soft beneath" }, t("admin.erasure.who.hint")));
    await this.#show();
    return [form, this.#found];
  }

  async #find(event) {
    event.preventDefault();
    const who = String(new FormData(event.target).get("who")).trim();
    const isID = /^[0-9a-f]{8}-/i.test(who);
    let phone = "";
    try {
      if (!isID) phone = await readPhoneAlone(this.#desk.api, who);
    } catch (error) {
      return void this.#fault(error.message);
    }
    this.#wanted = isID ? { person: who.toLowerCase(), phone: "" } : { person: "", phone };
    this.#desk.note(this.#wanted);
    await busy(event.submitter, this.#show().catch((error) => this.#fault(error.message)));
  }

  #fault(words) {
    fill(this.#found, h("p", { class: "notice bad", role: "alert" }, words));
  }

  async #show() {
    const { person, phone } = this.#wanted;
    if (person) return this.#preview(person, endOf(person));
    if (!phone) return void fill(this.#found, h("p", { class: "card empty" }, t("admin.erasure.about")));
    const { items } = await this.#desk.api.get(`/v1/callers?prefix=${encodeURIComponent(phone)}&limit=100`);
    const found = items.filter((one) => one.phone === phone);
    if (found.length === 1) return this.#preview(found[0].person, phoneText(phone));
    if (!found.length) return void fill(this.#found, h("p", { class: "card empty" }, t("admin.erasure.none")));
    fill(this.#found, table(t("admin.erasure.several"), [t("admin.id"), t("admin.reach.what.sessions"), t("admin.last")],
      found.map((one) => [h("a", { href: `/admin/erasure?person=${one.person}` }, h("code", {}, one.person)), String(one.sessions), moment(one.lastAt)])));
  }

  /** @param {string} id @param {string} label What is to be written to go on: what the person was looked for by. */
  async #preview(id, label) {
    const person = await this.#desk.api.get(`/v1/persons/${encodeURIComponent(id)}`);
    const reach = reachOf(person);
    const stop = obstacle(person, this.#desk.me);
    fill(this.#found, h("section", { class: "card stack padded preview" }, h("h2", {}, t("admin.erasure.of", { label })),
      h("ul", { class: "reach" }, reach.map(({ what, count }) => h("li", {}, h("strong", { class: "figures" }, String(count)), " ", t(`admin.reach.${what}`, { count })))),
      reach.length === 0 && !person.isErased && h("p", {}, t("admin.reach.nothing")),
      facts([[t("admin.person"), h("code", {}, id)], [t("admin.reach.accounts-are"), !person.isErased && person.accounts.length > 0 && person.accounts.map(({ login, role }) => `${login} (${t(`role.${role}`)})`).join(", ")]]),
      stop ? this.#obstacle(stop, person) : h("div", { class: "row" }, h("button", { type: "button", class: "danger", onclick: () => this.#erase(person, label, reach) }, t("admin.erasure.press")))));
  }

  #obstacle(stop, person) {
    const words = t(`admin.stop.${stop}`, { authority: person.heldBy?.authority ?? "", session: person.openSession ?? "" });
    return h("p", { class: `notice ${stop === "erased" ? "good" : "warn"}` }, words, stop === "held" && [" ", h("a", { href: "/admin/holds" }, t("admin.part.holds"))]);
  }

  async #erase(person, label, reach) {
    const { api, done } = this.#desk;
    const isAccount = person.accounts.length > 0;
    const written = field(t("admin.erasure.write", { label }), { name: "written", required: true });
    const erased = await ask({
      title: t("admin.erasure.of", { label }), press: t("admin.erasure.press"), isForGood: true,
      will: [[t("admin.erasure.will"), h("ul", { class: "will" }, reach.map(({ what, count }) => h("li", {}, `${count} ${t(`admin.reach.${what}`, { count })}`)))], t("admin.erasure.stays")],
      fields: [field(t("admin.reason"), { name: "reason", required: true }, t("admin.erasure.reason.hint")), ...(isAccount ? approverFields() : []), written],
      act: (values) => {
        if (values.written.replace(/\s/g, "") !== label.replace(/\s/g, "")) throw new Error(t("admin.erasure.not-written", { label }));
        const approver = isAccount ? { approver: { login: values.login, password: values.password } } : {};
        return api.post(`/v1/persons/${person.person}/erase`, { reason: values.reason, ...approver }, { tries: 1 });
      },
    });
    if (!erased) return;
    const counts = reach.map(({ what, count }) => `${count} ${t(`admin.reach.${what}`, { count })}`).join(", ");
    // What was done stays here: without the number of somebody who is to be forgotten.
    done.add(t("admin.erasure.was", { label: endOf(person.person), counts: counts || t("admin.reach.nothing") }), erased.left.length > 0 ? h("p", { class: "notice warn" }, t("admin.erasure.left", { count: erased.left.length, what: erased.left.join("; ") })) : null);
    this.#wanted = { person: person.person, phone: "" };
    this.#desk.note(this.#wanted);
    this.#desk.again();
  }
}
