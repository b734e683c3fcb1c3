// SPDX-License-Identifier: Apache-2.0
import { all } from "../core/api.js";
import { h, refill, toast } from "../core/dom.js";
import { limits, tooLong } from "../core/limits.js";
import { timeElement } from "../core/time.js";
import { SharedForm } from "./shared-form.js";
import { priorityAtFirst, typeOf, typeWords, unclassified } from "./triage.js";

/** What is offered; a centre may write its own. */
const types = ["fire", "medical", "road_traffic_collision", "violence", "water_rescue", "missing_person", "hazardous_material"];
const priorities = [[1, "1, most urgent"], [2, "2"], [3, "3"], [4, "4"], [5, "5, least"]];
/** So many notes are asked for at a time. */
const notesAtOnce = 1000;

/** What the centre writes for itself about an incident: what it is, how urgent, and notes. */
export class Handling {
  #api;
  #nameOf;
  #changed;
  #session = null;
  #what;
  #said = h("p", { class: "small soft" });
  #notes = h("ul", { class: "members" });
  #text = h("textarea", { name: "incident-note", rows: 2, maxlength: limits.noteBytes, "aria-label": "Note about the incident, for the centre alone" });
  #writing;
  /** Of which incident the notes were read. */
  #read = null;

  /** @param {(user: string) => string} nameOf A colleague's name. @param {() => void} changed Called when something was written. */
  constructor(api, nameOf, changed) {
    this.#api = api;
    this.#nameOf = nameOf;
    this.#changed = changed;
    this.#what = this.#whatForm(changed);
    this.#writing = h("form", { class: "stack", onsubmit: (event) => this.#write(event) }, this.#text, h("button", {}, "Add the note"));
    this.element = h("section", { class: "stack" }, h("h2", {}, "The incident"), this.#said, this.#what.element, this.#notes, this.#writing);
  }

  #whatForm(changed) {
    const type = h("input", { name: "type", list: "incident-types", maxlength: limits.wordBytes, autocomplete: "off", required: true });
    const priority = h("select", { name: "priority" }, priorities.map(([value, words]) => h("option", { value }, words)));
    return new SharedForm(this.#api, {
      what: "classification", fields: { type, priority }, done: "Saved.",
      valuesOf: ({ classification }) => ({ type: typeWords(classification?.type ?? unclassified), priority: String(classification?.priority ?? priorityAtFirst) }),
      bodyOf: ({ type, priority }) => ({ type: typeOf(type), priority: Number(priority) }),
      fault: ({ type }) => (typeOf(type) ? "" : "Say what it is in letters."),
      words: ({ type, priority }) => `${type || "nothing"}, priority ${priority}`, who: ({ classification }) => (classification?.by ? this.#name(classification.by) : "Somebody"),
    }, [h("label", {}, "What it is", type), h("datalist", { id: "incident-types" }, types.map((type) => h("option", { value: typeWords(type) }))),
      h("label", {}, "Priority", priority), h("button", {}, "Save what it is")], changed);
  }

  /** @param {import("./incident.js").Incident} incident @param {boolean} mayWrite Whether this operator has the session, or supervises. */
  show(session, incident, mayWrite) {
    this.#session = session;
    for (const form of [this.#what.element, this.#writing]) form.hidden = !mayWrite;
    this.#what.follow(incident);
    const { classification } = incident;
    refill(this.#said, classification, () => classification?.by && [`${typeWords(classification.type)}, priority ${classification.priority}, said by `, this.#name(classification.by), " ", timeElement(classification.at)]);
    if (this.#read !== session.incident) this.readNotes();
  }

  /** Reads the notes; whoever may not read them has none. */
  async readNotes() {
    const { incident } = this.#session;
    this.#read = incident;
    try {
      const { items, isWhole } = await all(this.#api, `/v1/incidents/${incident}/notes?limit=${notesAtOnce}`);
      if (this.#read !== incident) return;
      refill(this.#notes, [items, isWhole], () => [items.map((note) => this.#line(note)), !isWhole && h("li", { class: "notice warn" }, `There are more notes than these ${items.length}, and newer.`)]);
    } catch {
      // The next look at the session asks again.
      this.#read = null;
    }
  }

  #line({ text, by, at }) {
    return h("li", {}, h("span", { class: "small" }, text ?? "Erased.", " ", h("span", { class: "soft" }, this.#name(by), " ", timeElement(at))));
  }

  /** An actor is its role and its user. */
  #name(actor) {
    return this.#nameOf(actor.slice(actor.indexOf("/") + 1));
  }

  async #write(event) {
    event.preventDefault();
    const text = this.#text.value.trim();
    if (!text) return;
    const fault = tooLong(text, limits.noteBytes);
    if (fault) return toast(fault, "bad");
    try {
      await this.#api.post(`/v1/incidents/${this.#session.incident}/notes`, { text, session: this.#session.id });
    } catch (error) {
      return toast(error.message, "bad");
    }
    this.#text.value = "";
    this.#changed();
    this.readNotes();
  }
}
