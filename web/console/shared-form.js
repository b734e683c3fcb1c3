// SPDX-License-Identifier: Apache-2.0
import { h, refill, toast } from "../core/dom.js";
import { patience } from "../core/patience.js";
import { Edited } from "./edited.js";
import { readIncident } from "./incident.js";

/** So often it is sent again where the incident moved on meanwhile by something else than what the form is about. */
const triesMost = 4;

/**
 * A form of facts about an incident that colleagues may write, too: it follows the ledger as far as it was not touched, shows beside itself what a colleague said since, and saves
 * nothing over that before the operator has chosen.
 *
 * @typedef {import("./incident.js").Incident} Incident
 * @typedef {import("./edited.js").Values} Values
 */
export class SharedForm {
  #api;
  #about;
  #changed;
  #edited = new Edited();
  #news = h("div", { class: "notice warn stack", role: "status", hidden: true });
  #isSaving = false;
  /** Whether the button was pressed again meanwhile. */
  #isAskedAgain = false;
  /** Whose word stands in the ledger. */
  #who = "";

  /**
   * @param {{what: string, fields: Record<string, any>, valuesOf: (incident: Incident) => Values, bodyOf: (values: Values) => object, fault: (values: Values) => string, words: (values: Values) => string, who: (incident: Incident) => string, done: string}} about
   *   `what` is the last part of the path; `fault` says why values cannot be saved, empty where they can; `words` tells values as a sentence has them.
   * @param {any[]} children The fields with their labels, and the button.
   * @param {() => void} changed Called when something was saved.
   */
  constructor(api, about, children, changed) {
    this.#api = api;
    this.#about = about;
    this.#changed = changed;
    // Nothing is written before it is known what stands there.
    this.element = h("form", { class: "stack", dataset: { about: about.what }, hidden: true, oninput: () => this.#touch(), onsubmit: (event) => this.#submit(event) }, children, this.#news);
  }

  /** @param {Incident} incident As it was read now. */
  follow(incident) {
    this.#who = this.#about.who(incident);
    this.#edited.follow({ incident: incident.id, tag: incident.tag, values: this.#about.valuesOf(incident) });
    this.#draw();
  }

  #touch() {
    for (const [name, field] of Object.entries(this.#about.fields)) this.#edited.touch(name, field.value);
    this.#draw();
  }

  #draw() {
    const { values, news } = this.#edited;
    for (const [name, field] of Object.entries(this.#about.fields)) if (field.value !== values[name]) field.value = values[name];
    this.#news.hidden = !news;
    const { words } = this.#about;
    refill(this.#news, news && [news, values, this.#who], () => news && [
      h("p", {}, `${this.#who} said meanwhile: `, h("strong", {}, words(news))), h("p", {}, "You have written: ", h("strong", {}, words(values))),
      h("div", { class: "row" }, this.#choice("take", "Take theirs", () => this.#edited.drop()), this.#choice("keep", "Save mine", () => {
        this.#edited.keep();
        this.#save();
      })),
    ]);
  }

  #choice(key, words, act) {
    return h("button", { type: "button", dataset: { key }, onclick: () => {
      act();
      this.#draw();
    } }, words);
  }

  #submit(event) {
    event.preventDefault();
    this.#save();
  }

  async #save() {
    const { values, basis } = this.#edited;
    const fault = this.#about.fault(values);
    if (fault) return toast(fault, "bad");
    if (!basis) return;
    if (this.#isSaving) {
      this.#isAskedAgain = true;
      return;
    }
    this.#isSaving = true;
    try {
      await this.#send();
    } catch (error) {
      toast(error.message, "bad");
    } finally {
      this.#isSaving = false;
      const isAskedAgain = this.#isAskedAgain;
      this.#isAskedAgain = false;
      if (isAskedAgain && this.#edited.isWritten) this.#save();
    }
  }

  /** Sends what is written, for the revision upon which it was written; what a colleague said meanwhile is shown in place of being lost. */
  async #send() {
    for (let attempt = 1; !this.#edited.news; attempt++) {
      const { values, basis } = this.#edited;
      try {
        const { revision } = await this.#api.put(`/v1/incidents/${basis.incident}/${this.#about.what}`, this.#about.bodyOf(values), { ifMatch: basis.tag });
        // Nothing is recorded of what stood there already.
        return this.#saved({ incident: basis.incident, tag: revision ? `"${revision}"` : basis.tag, values });
      } catch (error) {
        if (error.status !== 412 || attempt === triesMost) throw error;
        this.follow(await readIncident(this.#api, basis.incident));
        // What is read may be a moment behind the ledger.
        if (this.#edited.basis.tag === basis.tag) await new Promise((go) => setTimeout(go, patience(attempt - 1)));
      }
    }
    toast("Not saved: somebody else said something else meanwhile. Choose which holds.", "bad");
    this.#news.querySelector("button")?.focus();
  }

  #saved(sent) {
    this.#edited.saved(sent);
    this.#draw();
    toast(this.#about.done, "good");
    this.#changed();
  }
}
