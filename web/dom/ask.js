// SPDX-License-Identifier: Apache-2.0
import { find, h, holdBack } from "../core/dom.js";
import { t } from "../core/i18n.js";
import "../core/staff-words.js";
import { busy, isBusy } from "./busy.js";

/**
 * Asks before something is done: says what it will do, takes what is needed for it, and does it only when that is pressed. While it is under way the question stays, and a
 * refusal is told in it, so that nothing that was written is lost.
 * @template Value
 * @param {{title: string, will?: any[], fields?: HTMLElement[], press: string, isForGood?: boolean, isLong?: boolean, act: (values: Record<string, string>) => Promise<Value>}} question
 *   `will` are sentences, or elements. `fields` have names; what is in them comes to `act`. `isForGood` where it cannot be taken back. `isLong` where so much is
 *   written that leaving asks first, once something was.
 * @returns {Promise<Value | null>} What was done; `null` where it was not.
 */
export function ask({ title, will = [], fields = [], press, isForGood = false, isLong = false, act }) {
  const id = `question-${++asked}`;
  const fault = h("p", { class: "notice bad", role: "alert", hidden: true });
  const cancel = h("button", { type: "button", onclick: () => leave() }, t("page.cancel"));
  const doing = h("button", { class: isForGood ? "danger" : "primary" }, press);
  const form = h("form", { method: "dialog" }, h("h2", { id }, title), will.length > 0 && h("ul", { class: "will" }, will.map((one) => h("li", {}, one))), fields, fault,
    h("div", { class: "actions" }, cancel, doing));
  const dialog = h("dialog", { class: "question", "aria-labelledby": id }, form);
  document.body.append(dialog);
  const before = written(fields);
  let isLeaving = false;

  async function leave() {
    // What is under way is not taken back by leaving: its outcome is to be told.
    if (isBusy(doing) || isLeaving) return;
    isLeaving = true;
    if (!isLong || written(fields) === before || (await ask({ title: t("page.lose.ask"), press: t("page.lose"), isForGood: true, act: async () => true }))) dialog.close();
    isLeaving = false;
  }

  function left(event) {
    event.preventDefault();
    leave();
  }

  return new Promise((resolve) => {
    let outcome = null;
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      fault.hidden = true;
      try {
        outcome = (await busy(doing, act(Object.fromEntries(new FormData(form))))) ?? true;
        dialog.close();
      } catch (error) {
        fault.textContent = error.message;
        fault.hidden = false;
        if (error.members?.retryAfterSeconds) holdBack(doing, error.members.retryAfterSeconds);
      }
    });
    // A browser lets Esc be held up once, and closes at the second: the key itself is taken, too.
    if (isLong) dialog.addEventListener("keydown", (event) => /^Esc/.test(event.key) && !event.isComposing && left(event));
    dialog.addEventListener("cancel", left);
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(outcome);
    });
    dialog.showModal();
    // What is for good is not done by a key that was meant for something else.
    (fields.length ? find("input, select, textarea", form) : cancel).focus();
  });
}

/** What stands in fields, to see whether it is another than before. @param {HTMLElement[]} fields */
export const written = (fields) => JSON.stringify(fields.map((one) => [one.textContent, [...one.querySelectorAll("input, select, textarea")].map((input) => (input.type === "checkbox" ? input.checked : input.value))]));

let asked = 0;
let hints = 0;

/** A field with its label. @param {string} label @param {Record<string, any>} attributes @param {string} [hint] */
export function field(label, attributes, hint) {
  const id = hint && `hint-${++hints}`;
  return h("div", { class: "field" }, h("label", {}, label, h("input", { autocomplete: "off", spellcheck: "false", "aria-describedby": id, ...attributes })), hint && h("p", { class: "small soft", id }, hint));
}

/** A choice with its label. @param {string} label @param {string} name @param {[string, string][]} options Value and words. @param {string} [chosen] @param {Record<string, any>} [attributes] */
export function choice(label, name, options, chosen, attributes = {}) {
  return h("label", {}, label, h("select", { name, ...attributes }, options.map(([value, words]) => h("option", { value, selected: value === chosen }, words))));
}
