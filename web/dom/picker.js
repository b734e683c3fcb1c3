// SPDX-License-Identifier: Apache-2.0
import { fill, h } from "../core/dom.js";
import { t } from "../core/i18n.js";
import "../core/staff-words.js";

/** From so many on they can be looked for. */
const searchFrom = 8;
let groups = 0;

/** Several of a list, by boxes to be ticked, with a search where the list is long. */
export class Picker {
  #options;
  #chosen;
  #name = `picker-${++groups}`;
  #count = h("p", { class: "small soft", role: "status" });
  #boxes = h("div", { class: "picker-boxes" });
  element;

  /**
   * @param {string} label @param {[string, string][]} options Value and words. @param {string[]} chosen What is not among the options stays chosen, and is shown.
   * @param {(chosen: string[]) => void} [onChange]
   */
  constructor(label, options, chosen, onChange = () => {}) {
    const known = new Set(options.map(([value]) => value));
    this.#options = [...options, ...chosen.filter((value) => !known.has(value)).map((value) => /** @type {[string, string]} */ ([value, value]))];
    this.#chosen = new Set(chosen);
    const boxes = this.#options.map(([value, words]) => h("label", { class: "check", dataset: { words: words.toLocaleLowerCase() } },
      h("input", { type: "checkbox", name: this.#name, checked: this.#chosen.has(value), onchange: ({ target }) => this.#tick(value, target.checked, onChange) }), words));
    fill(this.#boxes, boxes);
    const search = h("input", { type: "search", "aria-label": t("page.search"), placeholder: t("page.search"), oninput: () => this.#find(boxes, search.value), onkeydown: (event) => /^Enter$/.test(event.key) && event.preventDefault() });
    this.element = h("fieldset", { class: "picker stack" }, h("legend", {}, label), this.#options.length >= searchFrom && search, this.#boxes, this.#count);
    this.#tell();
  }

  /** What is chosen, in the order of the list. @returns {string[]} */
  get value() {
    return this.#options.map(([value]) => value).filter((value) => this.#chosen.has(value));
  }

  #tick(value, isChosen, onChange) {
    if (isChosen) this.#chosen.add(value);
    else this.#chosen.delete(value);
    this.#tell();
    onChange(this.value);
  }

  #find(boxes, text) {
    const words = text.toLocaleLowerCase().split(/\s+/).filter(Boolean);
    for (const box of boxes) box.hidden = !words.every((word) => box.dataset.words.includes(word));
  }

  #tell() {
    this.#count.textContent = t("page.chosen", { count: this.#chosen.size });
  }
}
