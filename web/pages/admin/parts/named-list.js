// SPDX-License-Identifier: Apache-2.0
import { h, refill } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { ask, field } from "../../../dom/ask.js";
import { isCalled } from "../../../model/people.js";
import { keepReading } from "./keep-reading.js";

/** So often it is read anew who is on duty. */
const againMilliseconds = 10_000;

/** Rotas or chains: things with a name that are written whole under it, and retired by it. */
export class NamedList {
  #desk;
  #options;
  #items = [];
  #names = new Map();
  #reading;
  #rows = h("div", { class: "stack" });
  /** Who can be chosen: ids, and what they are called. @type {[string, string][]} */
  people = [];

  /**
   * @param {import("../page.js").Desk} desk
   * @param {{kind: "rotas" | "chains", wordsOf: (name: string) => string, bodyOf: (item: any) => any, draw: (items: any[], buttons: (item: any) => any) => any, edit: (item: any) => Promise<string | null>}} options `edit` asks for an item,
   *   new where there is none, and answers its name.
   */
  constructor(desk, options) {
    [this.#desk, this.#options] = [desk, options];
  }

  async open() {
    const { wordsOf } = this.#options;
    // Reading the accounts is recorded: they are read once.
    const { items } = await this.#desk.api.get("/v1/users");
    for (const { id, name, login } of items) this.#names.set(id, name ?? login);
    this.people = items.filter(isCalled).map(({ id, role }) => [id, t("page.person", { name: this.nameOf(id), role: t(`role.${role}`) })]);
    this.#reading = await keepReading(() => this.#read(), againMilliseconds);
    return [h("div", { class: "card row find" }, h("p", { class: "grow" }, wordsOf("about")), h("button", { type: "button", class: "primary", onclick: () => this.#edit(null) }, wordsOf("add"))), this.#rows];
  }

  stop() {
    this.#reading?.stop();
  }

  nameOf(user) {
    return this.#names.get(user) ?? user;
  }

  /** The name of an item, which is its address: it stays. */
  nameField(item) {
    return item ? h("input", { type: "hidden", name: "name", value: item.name }) : field(t("set.name"), { name: "name", required: true, pattern: "[a-z0-9\\-]{1,40}" }, t("set.name.hint"));
  }

  /** Writes an item. @returns {Promise<string>} Its name. */
  async put(item, text, body) {
    const name = text.trim();
    if (!item && this.#items.some((one) => one.name === name)) throw new Error(t("set.name.taken", { name }));
    await this.#desk.api.put(this.#path(name), body);
    return name;
  }

  #path(name) {
    return `/v1/${this.#options.kind}/${encodeURIComponent(name)}`;
  }

  async #read() {
    const { kind, draw, wordsOf } = this.#options;
    this.#items = (await this.#desk.api.get(`/v1/${kind}`)).items;
    refill(this.#rows, this.#items, () => (this.#items.length ? draw(this.#items, (item) => this.#buttons(item)) : h("p", { class: "card empty" }, wordsOf("none"))));
  }

  #buttons(item) {
    return h("span", { class: "row" }, h("button", { type: "button", dataset: { key: `change-${item.name}` }, onclick: () => this.#edit(item) }, t("set.change")),
      h("button", { type: "button", class: "danger", dataset: { key: `retire-${item.name}` }, onclick: () => this.#retire(item) }, t("set.retire")));
  }

  async #edit(item) {
    const name = await this.#options.edit(item);
    if (name) await this.#did(t("set.was-written", { name }));
  }

  async #retire(item) {
    const { bodyOf, wordsOf } = this.#options;
    const retired = await ask({
      title: t("set.retire-of", { name: item.name }), press: t("set.retire"), isForGood: true, will: [wordsOf("retiring")],
      act: () => this.#desk.api.put(this.#path(item.name), { ...bodyOf(item), isRetired: true }),
    });
    if (retired) await this.#did(t("set.was-retired", { name: item.name }));
  }

  /** What was done is done, whether or not the list can be read. */
  async #did(words) {
    this.#desk.done.add(words);
    await this.#read().catch(() => this.#desk.again());
  }
}
