// SPDX-License-Identifier: Apache-2.0
import { API } from "../core/api.js";
import { find, holdBack } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { pressed } from "../dom/busy.js";
import { entered } from "./entered.js";
import { keep } from "./keep.js";

/** What no further code would change: only another link helps. */
const isOver = new Set(["unknown", "used", "expired", "no-tries-left"]);

/**
 * Joining by a one-use link: the operator, on the telephone, says the code that belongs to it.
 * @param {(token: string) => void} begin
 */
export function askForCode(begin) {
  const form = find("#join-form");
  const field = find("[name=code]", form);
  show("");
  find("#join-ask").hidden = false;
  find("#join-over").hidden = true;
  form.reset();
  form.onsubmit = pressed(async (event) => {
    event.preventDefault();
    const button = find("button", form);
    show("");
    try {
      const body = { link: keep.link, code: field.value.replace(/\s/g, "").toUpperCase() };
      const { token } = await new API().post("/v1/links/use", body, { key: entered.key(body) });
      entered.forget();
      keep.token = token;
      begin(token);
    } catch (error) {
      entered.failed(error);
      if (error.status === 410) return tellOver(t("call.join.over"));
      if (isOver.has(error.members?.reason)) return tellOver(sentence(error.message));
      show(sentence(error.message));
      field.select();
      field.focus();
      const wait = error.members?.retryAfterSeconds;
      if (wait) holdBack(button, wait);
    }
  });
  field.focus();
}

/** Nothing more can be done with the link, or the contact has ended. */
export function tellOver(words) {
  keep.forget();
  find("#join-ask").hidden = true;
  find("#join-over").hidden = false;
  find("#join-words").textContent = words;
}

function show(words) {
  const fault = find("#join-fault");
  fault.textContent = words;
  fault.hidden = !words;
}

function sentence(text) {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}
