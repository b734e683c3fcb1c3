// SPDX-License-Identifier: Apache-2.0
import { h } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { age, momentElement, timeOfDay } from "../../../core/time.js";
import { faultOf, isOpen, stateOf } from "../../../model/safety.js";
import { pressed } from "../../../dom/busy.js";

/**
 * @typedef {import("../../../model/safety.js").Alert} Alert
 * @typedef {{end: (alert: Alert, reason: "safe" | "false_alarm") => any, takeBack: (id: string, reason?: "safe") => any, sendNow: (id: string) => any, again: (failed: {id: string}) => any, putAway: (id: string) => any}} Acts
 */

const kinds = { answered: "good", delivered: "accent", sent: "accent", waiting: "", failed: "bad" };
const drill = (isDrill) => isDrill && h("span", { class: "chip warn" }, t("safe.drill"));
const button = (key, words, act, kind = "big") => h("button", { type: "button", class: kind, dataset: { key }, onclick: pressed(act) }, words);

/** What became of the newest alert, in one sentence, which a screen reader says when it changes. @param {import("./alerts.js").Alerts} alerts */
export function statusWords(alerts) {
  const [waiting] = alerts.waiting.slice(-1);
  const words = (key, args) => `${(waiting ?? alerts.open[0])?.isDrill ? `${t("safe.drill")}: ` : ""}${t(key, args)}`;
  if (waiting?.isOld) return words("safe.old");
  if (waiting) return words(waiting.isLong ? "safe.waits.long" : waiting.isTried ? "safe.waits" : "safe.sending");
  if (alerts.refused.length) return t("safe.refused");
  const [open] = alerts.open;
  if (!open) return alerts.isJustOver ? t("safe.ended") : "";
  if (alerts.isEnding(open.id)) return words("safe.ending");
  const count = (state) => open.contacts.filter((one) => stateOf(one) === state).length;
  const [answered, arrived] = [count("answered"), count("answered") + count("delivered") + count("sent")];
  if (answered) return words("safe.open.answered", { count: answered });
  if (arrived) return words("safe.open.told", { count: arrived, all: open.contacts.length });
  const fault = faultOf(open);
  return words(fault ? `safe.open.${fault}` : "safe.open");
}

/** How grave that is: as a notice looks. @param {import("./alerts.js").Alerts} alerts */
export function statusKind({ waiting, refused, open }) {
  if (waiting.length) return "warn";
  if (refused.length) return "bad";
  if (!open.length) return "good";
  return { failed: "bad", slow: "warn", "": "good" }[faultOf(open[0])];
}

/** An alert that waits on this phone. @param {import("./alerts.js").Alerts["waiting"][0]} waiting @param {Acts} acts @param {string | null} sms By which the phone itself can tell the contacts. */
export function waitingCard({ id, at, isDrill, isTried, isOld }, acts, sms) {
  if (isOld) return h("section", { class: "card stack open" }, h("h2", {}, t("safe.alert"), " ", momentElement(at), " ", drill(isDrill)), button(`now-${id}`, t("safe.old.send"), () => acts.sendNow(id), "primary"), button(`over-${id}`, t("safe.old.over"), () => acts.takeBack(id, "safe")));
  return h("section", { class: "card stack open" }, h("h2", {}, t("safe.alert"), " ", momentElement(at), " ", drill(isDrill)), isTried && !isDrill && sms && h("a", { class: "button primary big", href: sms }, t("safe.by-sms")), button(`back-${id}`, t("safe.take-back"), () => acts.takeBack(id)));
}

/** An alert that was refused. @param {import("./alerts.js").Refused} refused @param {Acts} acts */
export function refusedCard(refused, acts) {
  return h("section", { class: "card stack open" }, h("h2", {}, t("safe.alert"), " ", momentElement(refused.at), " ", drill(refused.isDrill)), h("p", { class: "notice bad" }, refused.why),
    button(`again-${refused.id}`, t("safe.again"), () => acts.again(refused), "primary"), button(`away-${refused.id}`, t("safe.put-away"), () => acts.putAway(refused.id)));
}

/** An alert that goes on, with its contacts and the two ways to end it. @param {Alert} alert @param {{isEnding: boolean, isNewest: boolean}} how The newest one that reached nobody can be tried again. @param {Acts} acts */
export function openCard(alert, { isEnding, isNewest }, acts) {
  return h("section", { class: "card stack open" }, h("h2", {}, t("safe.alert"), " ", momentElement(alert.occurredAt ?? alert.raisedAt), " ", drill(alert.isDrill)), contactList(alert),
    isNewest && !isEnding && faultOf(alert) === "failed" && button(`again-${alert.id}`, t("safe.again"), () => acts.again(alert), "primary"),
    alert.placeAt && faultOf(alert) !== "failed" && h("p", { class: "small soft" }, t("safe.place.sent", { age: age(alert.placeAt) })),
    alert.session && h("a", { class: "button primary big", href: "/call" }, t("safe.talk")),
    isEnding ? h("p", { class: "notice" }, t("safe.ending")) : alert.isDrill ? button(`safe-${alert.id}`, t("safe.drill.end"), () => acts.end(alert, "safe")) : [button(`safe-${alert.id}`, t("safe.end.safe"), () => acts.end(alert, "safe"), "biggest"), button(`false-${alert.id}`, t("safe.end.false_alarm"), () => acts.end(alert, "false_alarm"))]);
}

/** An alert of the past. @param {Alert} alert */
export function pastCard(alert) {
  const end = isOpen(alert) ? t("safe.past.open") : t(`safe.past.${alert.endReason ?? "expired"}`, { time: timeOfDay(new Date(alert.endedAt ?? "")) });
  return h("article", { class: "card stack" }, h("h2", {}, momentElement(alert.occurredAt ?? alert.raisedAt), " ", drill(alert.isDrill)), h("p", {}, end), contactList(alert));
}

function contactList({ contacts }) {
  return contacts.length > 0 && h("ul", { class: "told" }, contacts.map((one) => {
    const state = stateOf(one);
    return h("li", {}, h("span", { class: "grow" }, one.name ?? t("safe.contact.gone")), h("span", { class: `chip ${kinds[state]}` }, t(`safe.state.${state}`), state === "answered" && ` ${timeOfDay(new Date(one.answeredAt ?? ""))}`));
  }));
}
