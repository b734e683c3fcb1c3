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
