// SPDX-License-Identifier: Apache-2.0
import { API, Problem } from "../../../core/api.js";
import { choose, fill, find, h, refill } from "../../../core/dom.js";
import { language, languages, spoken, t } from "../../../core/i18n.js";
import { phoneOf, phoneText, readPhone } from "../../../core/phone.js";
import { hourOf, now } from "../../../core/time.js";
import { pressed } from "../../../dom/busy.js";
import { isUnreached } from "../../../model/safety.js";
import { refusalWords } from "./refusals.js";

/** Why a contact is not told of being one. */
const refusals = ["alert-contact-stopped", "contact-unknown"];
/** So long the centre is asked about a number, in milliseconds: a contact can be added without a network. */
const numberMilliseconds = 4000;
/** Again within so long the centre sends nothing. */
const introductionMilliseconds = 86_400_000;

/** One's own name, the contacts, and the form in which one is added or changed. */
export class Contacts {
  #mine;
  #go;
  #form = find("#contact-form");
  /** The contact that is changed; empty while one is added. */
  #editing = "";
  /** A number that the centre does not know; it is kept by another press. */
  #doubted = "";
  /** What became of the last press on "Tell …", by contact. @type {Map<string, {kind: string, words: string}>} */
  #told = new Map();

  /** @param {import("./mine.js").Mine} mine @param {(view: string) => void} go */
  constructor(mine, go) {
    [this.#mine, this.#go] = [mine, go];
    find("#name-form").onsubmit = (event) => this.#rename(event);
    this.#form.onsubmit = pressed((event) => this.#save(event));
    find("#add-contact").onclick = () => this.#edit("");
    for (const cancel of document.querySelectorAll("[data-cancel]")) cancel.onclick = () => this.#cancel();
    fill(find("[name=language]", this.#form), spoken.map((code) => h("option", { value: code, lang: code }, languages[code])));
  }

  show() {
    const { name, nameFault, contacts, contactsMost } = this.#mine;
    refill(find("#my-name"), [name, nameFault], () => [h("p", { class: "grow" }, t("safe.name.mine", { name: name ?? "" })), h("button", { type: "button", dataset: { key: "name" }, onclick: () => this.#editName() }, t("safe.change")),
      nameFault && h("p", { class: "notice bad" }, nameFault)]);
    refill(find("#contact-list"), [contacts, [...this.#told]], () => contacts.map((contact) => this.#card(contact)));
    find("#add-contact").hidden = contacts.length >= contactsMost;
    find("#contacts-full").hidden = contacts.length < contactsMost;
    find("#contacts-full").textContent = t("safe.contacts.full", { most: contactsMost });
    for (const cancel of document.querySelectorAll("[data-cancel]")) cancel.hidden = !name || (cancel.closest("#contact") && contacts.length === 0);
    find("#first-contact").hidden = contacts.length > 0;
  }

  #card(contact) {
    const { id, name, mobile, email, state, why } = contact;
    const told = this.#told.get(id);
    const acts = [["safe.change", "safe.change.whom", () => this.#edit(id)], ["safe.remove", "safe.remove.whom", () => this.#remove(contact)]];
    return h("li", { class: "card stack" }, h("h2", {}, name), mobile && h("p", {}, phoneText(mobile)), email && h("p", {}, email),
      state === "waiting" && h("p", { class: "chip warn" }, t("safe.contact.waits")), state === "refused" && h("p", { class: "notice bad" }, why),
      chips(contact), isUnreached(contact) && h("p", { class: "notice bad" }, t("safe.contact.unreached")),
      isToTell(contact) && h("button", { type: "button", class: "big", dataset: { key: `tell-${id}` }, onclick: pressed(() => this.#tell(contact)) }, t("safe.introduce", { name })),
      told && h("p", { class: `notice ${told.kind}`, role: "status" }, told.words),
      h("div", { class: "row" }, acts.map(([words, whole, act]) => h("button", { type: "button", class: "grow", dataset: { key: `${words}-${id}` }, "aria-label": t(whole, { name }), onclick: act }, t(words)))));
  }

  /** Tells somebody that they are a contact, and says what became of that. */
  async #tell({ id, name }) {
    try {
      await this.#mine.introduce(id);
      this.#told.set(id, { kind: "good", words: t("safe.introduce.sent", { name }) });
    } catch (error) {
      this.#told.set(id, { kind: "warn", words: refusals.includes(error.slug) ? t(`safe.introduce.${error.slug}`, { name }) : refusalWords(error) });
    }
    this.show();
  }

  #editName() {
    find("[name=own-name]").value = this.#mine.name ?? "";
    this.#go("name");
  }

  #rename(event) {
    event.preventDefault();
    const name = find("[name=own-name]").value.trim();
    if (!name) return;
    this.#mine.rename(name, language);
    this.#go(this.#mine.contacts.length ? "contacts" : "");
  }

  #edit(id) {
    this.#editing = id;
    const contact = this.#mine.contacts.find((one) => one.id === id) ?? { name: "", mobile: "", email: "", language };
    for (const name of ["name", "mobile", "email", "language"]) find(`[name=${name}]`, this.#form).value = contact[name] ?? "";
    // What was kept once is not asked about again.
    this.#doubted = contact.mobile ?? "";
    this.#fail(contact.why ?? "");
    this.#go("contact");
    find("[name=name]", this.#form).focus();
  }

  async #save(event) {
    event.preventDefault();
    this.#fail("");
    const value = (name) => find(`[name=${name}]`, this.#form).value.trim();
    const [name, mobile, email] = ["name", "mobile", "email"].map(value);
    if (!name) return this.#fail(t("safe.field.name"));
    if (!mobile && !email) return this.#fail(t("safe.field.way"));
    if (email && !/^\S+@\S+$/.test(email)) return this.#fail(t("safe.field.email"));
    try {
      const { number, isUnknown } = mobile ? await this.#read(mobile) : { number: "", isUnknown: false };
      if (isUnknown && number !== this.#doubted) {
        this.#doubted = number;
        return this.#fail(t("safe.field.unknown", { phone: phoneText(number) }));
      }
      this.#mine.save({ ...(this.#editing && { id: this.#editing }), name, ...(number && { mobile: number }), ...(email && { email }), language: value("language") });
    } catch (error) {
      return this.#fail(refusalWords(error));
    }
    this.#form.reset();
    this.#editing = "";
    this.#go(this.#mine.contacts.length > 1 ? "contacts" : "");
  }

  /** The number as the centre reads it, which knows how long numbers are; where it cannot be asked, what is certain without it. */
  async #read(mobile) {
    const api = new API();
    try {
      const { number, extension, isUnknown } = await readPhone({ get: (path, options) => api.get(path, { ...options, limit: numberMilliseconds }) }, mobile);
      if (extension) throw new Error(t("phone.fault.extension", { extension }));
      return { number, isUnknown };
    } catch (error) {
      const certain = error instanceof Problem ? phoneOf(mobile) : null;
      if (!certain) throw error;
      return { number: certain, isUnknown: false };
    }
  }

  async #remove({ id, name }) {
    find("#remove-title").textContent = t("safe.remove.ask", { name });
    if ((await choose(find("#remove"))) !== "yes") return;
    this.#mine.remove(id);
    this.#go("contacts");
  }

  #cancel() {
    this.#form.reset();
    this.#editing = "";
    this.#go("contacts");
  }

  #fail(words) {
    find("#contact-fault").textContent = words;
    find("#contact-fault").hidden = !words;
  }
}

/** A contact whom a message reaches, who was told of being one a day ago or never, and has not answered. */
function isToTell(contact) {
  const { state, confirmedAt, introducedAt } = contact;
  return state === "kept" && !confirmedAt && !isUnreached(contact) && !(introducedAt && now() - Date.parse(introducedAt) < introductionMilliseconds);
}

/** What is known of a contact, briefly. */
function chips({ stopped = [], introducedAt, confirmedAt }) {
  const all = [
    confirmedAt && h("li", { class: "chip good" }, t("safe.contact.confirmed")), !confirmedAt && introducedAt && h("li", { class: "chip accent" }, t("safe.contact.introduced", { time: hourOf(new Date(introducedAt)) })),
    ...stopped.map((channel) => h("li", { class: "chip warn" }, t(`safe.stopped.${channel}`))),
  ].filter(Boolean);
  return all.length > 0 && h("ul", { class: "row chips" }, all);
}
