// SPDX-License-Identifier: Apache-2.0
import { h } from "../core/dom.js";
import { t } from "../core/i18n.js";
import "../core/staff-words.js";

/** Something to be written down or copied: it stays here until somebody puts it away. @param {string} label @param {string} value */
export function told(label, value) {
  const element = h("div", { class: "notice warn told-once" }, h("p", {}, label), h("code", { class: "told" }, value),
    h("div", { class: "row" }, copyButton(value),
      h("button", { type: "button", onclick: () => element.remove() }, t("page.put-away"))));
  return element;
}

/** A button that copies a text, where the browser can. @param {string} value */
export const copyButton = (value) => Boolean(navigator.clipboard) && h("button", { type: "button", onclick: (event) => copy(event.currentTarget, value) }, t("page.copy"));

async function copy(button, value) {
  try {
    await navigator.clipboard.writeText(value);
    button.textContent = t("page.copied");
  } catch {
    button.textContent = t("page.not-copied");
  }
}
