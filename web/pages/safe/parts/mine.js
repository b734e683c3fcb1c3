// SPDX-License-Identifier: Apache-2.0
import { t, term } from "../../../core/i18n.js";
import { newID } from "../../../core/ids.js";
import { local } from "../../../core/storage.js";
import { changed, contactsShown, withAlert } from "../../../model/safety.js";
import { Unsent } from "../../patrol/parts/unsent.js";
import { refusalWords } from "./refusals.js";

/** What of a citizen this phone keeps: as the centre has it, what waits to be sent there, and what it refused. */
const stores = { known: "safe-mine", waiting: "safe-changes", refused: "safe-changes-refused" };
const nothing = { name: null, contacts: [], alerts: [], contactsMax: 10, phone: null, phones: [] };

/**
 * One's own name, contacts and alerts. What is changed is kept on this phone at once, shown as changed, and sent as soon as it can be.
 *
 * @typedef {import("../../../model/safety.js").Change} Change
 */
export class Mine {
  #api;
  #onChange;
  #storage;
  #unsent;

  /** @param {import("../../../core/api.js").API} api @param {() => void} onChange */
  constructor(api, onChange, storage = local) {
    [this.#api, this.#onChange, this.#storage] = [api, onChange, storage];
    this.#unsent = new Unsent(stores.waiting, (item) => this.#send(item), { onChange, onSent: ({ body }) => this.#sent(body), onRefused: ({ body }, error) => this.#refuse(body, error) }, storage);
  }

  /** Forgets all of somebody: another one uses this phone. */
  static forget(storage = local) {
    for (const name of Object.values(stores)) storage.removeItem(name);
  }

  get name() {
    return this.#changes.filter(({ kind }) => kind === "name").pop()?.members.name ?? this.#known.name;
  }

  /** Why the centre did not take the name; empty where it did. */
  get nameFault() {
    return this.#refused.find(({ id }) => id === "name")?.why ?? "";
  }

  get contacts() {
    return contactsShown(this.#known.contacts, this.#changes, this.#refused);
  }

  get contactsMost() {
    return this.#known.contactsMax;
  }

  /** One's own number; `null` where it is not known. @returns {string | null} */
  get phone() {
    return this.#known.phone;
  }

  /** @returns {import("../../../model/safety.js").Phone[]} Those of one's own number, oldest first. */
  get phones() {
    return this.#known.phones;
  }

  /** @returns {import("../../../model/safety.js").Alert[]} Newest first, as they were last read. */
  get alerts() {
    return this.#known.alerts;
  }

  /** Whether the centre lacks something that was changed here. */
  get isWaiting() {
    return this.#unsent.items.length > 0;
  }

  /** @param {string} name @param {string} language In which messages to this person are. */
  rename(name, language) {
    return this.#change({ kind: "name", id: "name", members: { name, language } });
  }

  /** Adds or changes a contact. @param {{id?: string, name: string, mobile?: string, email?: string, language: string}} contact */
  save({ id = newID(), ...members }) {
    return this.#change({ kind: "put", id, members });
  }

  /** @param {string} id */
  remove(id) {
    return this.#change({ kind: "remove", id });
  }

  /** Sends a contact a message that says so. @param {string} id */
  async introduce(id) {
    await this.#api.post(`/v1/me/contacts/${id}/introduce`, {});
    await this.#readIfReached();
  }

  /** Agrees to a newer phone of one's own number. @param {string} id */
  async admit(id) {
    await this.#api.post(`/v1/devices/${id}/admit`, {});
    await this.#readIfReached();
  }

  /** Notes how an alert stands. @param {import("../../../model/safety.js").Alert} alert */
  noteAlert(alert) {
    this.#keep("known", { ...this.#known, alerts: withAlert(this.#known.alerts, alert) });
  }

  async read() {
    this.#keep("known", await this.#api.get("/v1/me/safety"));
  }

  deliver() {
    return this.#unsent.deliver();
  }

  /** What was done is done, whether or not its outcome can be read now. */
  #readIfReached() {
    return this.read().catch(() => {});
  }

  get #known() {
    return { ...nothing, ...this.#value("known", {}) };
  }

  /** @returns {import("../../../model/safety.js").Refused[]} */
  get #refused() {
    return this.#value("refused", []);
  }

  /** @returns {Change[]} */
  get #changes() {
    return this.#unsent.items.map(({ body }) => body);
  }

  #change(change) {
    this.#keep("refused", this.#refused.filter(({ id }) => id !== change.id));
    return this.#unsent.add({ key: newID(), at: new Date().toISOString(), body: change });
  }

  #send({ key, body: { kind, id, members } }) {
    const options = { key, tries: 1 };
    if (kind === "name") return this.#api.put("/v1/me/safety", members, options);
    return kind === "remove" ? this.#api.delete(`/v1/me/contacts/${id}`, options) : this.#api.put(`/v1/me/contacts/${id}`, members, options);
  }

  #sent(change) {
    const known = this.#known;
    this.#keep("known", { ...known, name: change.kind === "name" ? change.members.name : known.name, contacts: changed(known.contacts, change) });
  }

  #refuse(change, error) {
    // What is not there is removed.
    if (change.kind === "remove") return;
    const why = error.slug === "contacts-full" ? t("safe.contacts.full", { most: this.contactsMost }) : term(`safe.field.${error.members?.field}`, refusalWords(error));
    this.#keep("refused", [...this.#refused.filter(({ id }) => id !== change.id), { id: change.id, members: change.members, why }]);
  }

  /** What cannot be read is nothing: a damaged note stops no alert. */
  #value(name, otherwise) {
    try {
      return JSON.parse(this.#storage.getItem(stores[name]) ?? "null") ?? otherwise;
    } catch {
      return otherwise;
    }
  }

  #keep(name, value) {
    this.#storage.setItem(stores[name], JSON.stringify(value));
    this.#onChange();
  }
}
