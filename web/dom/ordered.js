// SPDX-License-Identifier: Apache-2.0
import { fill, h } from "../core/dom.js";
import { t } from "../core/i18n.js";
import "../core/staff-words.js";
import { moved } from "../model/patrol.js";

/**
 * A list in a form whose order matters: buttons move its rows up and down and take them out, and keep the keyboard.
 * @template Row
 */
export class Ordered {
  /** @type {Row[]} */
  #rows;
  #options;
  element;

  /**
   * @param {Row[]} rows
   * @param {{nameOf: (row: Row) => string, draw?: (row: Row) => any[], onChange?: (rows: Row[]) => void, after?: () => HTMLElement, class?: string}} options `draw` makes the fields of a row, which write
   *   into it; `onChange` is told of other rows, or another order; the keyboard goes to `after` when a row was taken out.
   */
  constructor(rows, options) {
    [this.#rows, this.#options] = [rows, options];
    this.element = h("ol", { class: options.class ?? "ordered" });
    this.#show();
  }

  get rows() {
    return this.#rows;
  }

  /** Puts a row behind the others, and the keyboard on its first field, where it has one. @param {Row} row */
  add(row) {
    this.#set([...this.#rows, row]);
    this.element.lastElementChild.querySelector("input, select, summary")?.focus();
  }

  #set(rows) {
    this.#rows = rows;
    this.#show();
    this.#options.onChange?.(rows);
  }

  #move(index, by) {
    this.#set(moved(this.#rows, index, by));
    // The keyboard goes along with what it moves.
    const [same, other] = [by, -by].map((way) => this.element.querySelector(`[data-key="${index + by}:${way}"]`));
    (same?.disabled ? other : same)?.focus();
  }

  #drop(index) {
    this.#set(this.#rows.filter((_, place) => place !== index));
    this.#options.after?.().focus();
  }

  #show() {
    fill(this.element, this.#rows.map((row, index) => this.#row(row, index)));
  }

  #row(row, index) {
    const name = this.#options.nameOf(row);
    const button = (mark, key, label, act, disabled = false) => h("button", { type: "button", class: "icon", "aria-label": label, disabled, dataset: { key: `${index}:${key}` }, onclick: act }, mark);
    const args = { name: name || String(index + 1) };
    return h("li", {}, h("strong", { class: "name" }, `${index + 1}. ${name}`), this.#options.draw?.(row),
      h("span", { class: "row" }, button("↑", "-1", t("page.order.up", args), () => this.#move(index, -1), index === 0), button("↓", "1", t("page.order.down", args), () => this.#move(index, 1), index === this.#rows.length - 1),
        button("✕", "out", t("page.order.out", args), () => this.#drop(index))));
  }
}
