// SPDX-License-Identifier: Apache-2.0
/** Other phones of the same number: a card for each on the home screen, until somebody has said what it is (ruling 39). */
import { find, h, refill, toast } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { timeElement } from "../core/time.js";
import { pressed } from "../dom/busy.js";
import { keep } from "./keep.js";
import { around } from "./words.js";

const store = "known-phones";
/** Ended or admitted by this page, which the next answer will know. */
const judged = new Set();
/** A code, and the phone that is registered by it, are two questions. */
const question = (phone) => `${phone.device} ${phone.isRegistered ? "phone" : "code"}`;

/**
 * @param {import("../core/api.js").API} api
 * @param {import("./contact.js").Contact} contact
 */
export function showPhones(api, contact) {
  const known = new Set(keep.value(store) ?? []);
  const phones = contact.newPhones.filter((phone) => !known.has(question(phone)) && !judged.has(phone.device));
  const act = (action) => async () => {
    try {
      await action();
      contact.refresh();
    } catch (error) {
      toast(error.message, "bad");
    }
  };
  refill(find("#new-phones"), phones, () => phones.map((phone) => card(phone, {
    end: act(async () => {
      await api.delete(`/v1/devices/${phone.device}?reason=${encodeURIComponent("the owner of the number did not ask for it")}`);
      judged.add(phone.device);
      toast(t(phone.isRegistered ? "call.phones.ended" : "call.phones.code.ended"), "good");
    }),
    admit: act(async () => {
      await api.post(`/v1/devices/${phone.device}/admit`, {});
      judged.add(phone.device);
      toast(t("call.phones.admitted"), "good");
    }),
    // It is the owner's, and begins anew: nothing to be told of.
    keep: act(async () => keep.set(store, JSON.stringify([...known, question(phone)]))),
  })));
}

function card({ device, since, isRegistered, givenBy }, { end, admit, keep: leave }) {
  const who = givenBy ? t("call.phones.who", { name: givenBy }) : t("call.phones.who.centre");
  const button = (words, action, key) => h("button", { type: "button", dataset: { key: `${key}-${device}` }, onclick: pressed(action) }, words);
  return h("section", { class: "card stack notice warn", role: "status" },
    h("h2", {}, t(isRegistered ? "call.phones.phone" : "call.phones.code")),
    h("p", {}, around(isRegistered ? "call.phones.phone.text" : "call.phones.code.text", { time: timeElement(since) }, { who })),
    button(t("call.phones.end"), end, "end"),
    isRegistered && button(t("call.phones.admit"), admit, "admit"),
    button(t(isRegistered ? "call.phones.keep" : "call.phones.code.mine"), leave, "leave"));
}
