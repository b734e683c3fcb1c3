// SPDX-License-Identifier: Apache-2.0
import { h } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { now, timeElement } from "../../../core/time.js";

/** What was done on this page since it was opened; it stays, also on the page's other parts. The ledger has it for good. */
export class Done {
  #list = h("ol", { class: "done-list", reversed: true });
  element = h("section", { class: "card stack done", "aria-label": t("admin.done"), hidden: true }, h("h2", {}, t("admin.done")), h("div", { class: "done-box", role: "log", tabindex: "0", "aria-label": t("admin.done") }, this.#list));

  /**
   * @param {string} words A sentence.
   * @param {Node | null} [more] What is told once, such as a password.
   */
  add(words, more = null) {
    this.#list.prepend(h("li", {}, timeElement(new Date(now()).toISOString()), " ", h("span", {}, words), more));
    this.element.hidden = false;
  }
}

/** Something that is told once: it stays here until somebody puts it away. @param {string} label @param {string} value */
export function toldOnce(label, value) {
  const element = h("div", { class: "notice warn told-once" }, h("p", {}, label), h("code", { class: "told" }, value),
    h("div", { class: "row" }, navigator.clipboard && h("button", { type: "button", onclick: (event) => copy(event.currentTarget, value) }, t("admin.copy")),
      h("button", { type: "button", onclick: () => element.remove() }, t("admin.put-away"))));
  return element;
}

async function copy(button, value) {
  try {
    await navigator.clipboard.writeText(value);
    button.textContent = t("admin.copied");
  } catch {
    button.textContent = t("admin.not-copied");
  }
}
