// SPDX-License-Identifier: Apache-2.0
import { h, refill, toast } from "../core/dom.js";
import { limits, tooLong } from "../core/limits.js";
import { timeElement } from "../core/time.js";
import { typeOf, typeWords } from "./triage.js";

/** What is offered; a centre may write its own. */
const types = ["fire", "medical", "road_traffic_collision", "violence", "water_rescue", "missing_person", "hazardous_material"];
const priorities = [[1, "1, most urgent"], [2, "2"], [3, "3"], [4, "4"], [5, "5, least"]];
const notesMost = 200;

/** What the centre writes for itself about an incident: what it is, how urgent, and notes. */
export class Handling {
  #api;
  #nameOf;
  #changed;
  #session = null;
  #isTouched = false;
  #type = h("input", { name: "type", list: "incident-types", maxlength: 128, autocomplete: "off", required: true });
  #priority = h("select", { name: "priority" }, priorities.map(([value, words]) => h("option", { value }, words)));
  #said = h("p", { class: "small soft" });
  #notes = h("ul", { class: "members" });
  #text = h("textarea", { name: "incident-note", rows: 2, maxlength: limits.noteBytes, "aria-label": "Note about the incident, for the centre alone" });
  #forms;
  /** Of which incident the notes were read. */
  #read = null;

  /** @param {(user: string) => string} nameOf A colleague's name. @param {() => void} changed Called when something was written. */
  constructor(api, nameOf, changed) {
    this.#api = api;
    this.#nameOf = nameOf;
    this.#changed = changed;
    this.#forms = [
      h("form", { class: "stack", oninput: () => (this.#isTouched = true), onsubmit: (event) => this.#classify(event) },
        h("label", {}, "What it is", this.#type), h("datalist", { id: "incident-types" }, types.map((type) => h("option", { value: typeWords(type) }))),
        h("label", {}, "Priority", this.#priority), h("button", {}, "Save what it is")),
      h("form", { class: "stack", onsubmit: (event) => this.#write(event) }, this.#text, h("button", {}, "Add the note")),
    ];
    this.element = h("section", { class: "stack" }, h("h2", {}, "The incident"), this.#said, this.#forms[0], this.#notes, this.#forms[1]);
  }

  /** @param {{type: string, priority: number, by?: string, at?: string} | undefined} classification What it is taken for. @param {boolean} mayWrite Whether this operator has the session, or supervises. */
  show(session, classification, mayWrite) {
    this.#session = session;
    for (const form of this.#forms) form.hidden = !mayWrite;
    if (!this.#isTouched && classification) [this.#type.value, this.#priority.value] = [typeWords(classification.type), String(classification.priority)];
    refill(this.#said, classification, () => classification?.by && [`${typeWords(classification.type)}, priority ${classification.priority}, said by `, this.#name(classification.by), " ", timeElement(classification.at)]);
    if (this.#read !== session.incident) this.readNotes();
  }

  /** Reads the notes; whoever may not read them has none. */
  async readNotes() {
    const { incident } = this.#session;
    this.#read = incident;
    try {
      const { items } = await this.#api.get(`/v1/incidents/${incident}/notes?limit=${notesMost}`);
      if (this.#read !== incident) return;
      refill(this.#notes, items, () => items.map(({ text, by, at }) => h("li", {}, h("span", { class: "small" }, text ?? "Erased.", " ", h("span", { class: "soft" }, this.#name(by), " ", timeElement(at))))));
    } catch {
      // The next look at the session asks again.
      this.#read = null;
    }
  }

  /** An actor is its role and its user. */
  #name(actor) {
    return this.#nameOf(actor.slice(actor.indexOf("/") + 1));
  }

  async #classify(event) {
    event.preventDefault();
    const type = typeOf(this.#type.value);
    if (!type) return toast("Say what it is in letters.", "bad");
    if (!(await this.#ask("put", "classification", { type, priority: Number(this.#priority.value) }))) return;
    this.#isTouched = false;
    toast("Saved.", "good");
  }

  async #write(event) {
    event.preventDefault();
    const text = this.#text.value.trim();
    if (!text) return;
    const fault = tooLong(text, limits.noteBytes);
    if (fault) return toast(fault, "bad");
    if (!(await this.#ask("post", "notes", { text, session: this.#session.id }))) return;
    this.#text.value = "";
    this.readNotes();
  }

  async #ask(method, what, body) {
    try {
      await this.#api[method](`/v1/incidents/${this.#session.incident}/${what}`, body);
      this.#changed();
      return true;
    } catch (error) {
      toast(error.message, "bad");
      return false;
    }
  }
}
