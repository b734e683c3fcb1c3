// SPDX-License-Identifier: Apache-2.0
import { h, refill } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { follow } from "./list.js";

/**
 * What the centre refused of what was done here, each until it is put away; with the way to its report, where that is not the one that is shown.
 * @param {HTMLElement} place @param {import("../page.js").Desk} desk @param {{key: string, report: string, words: string, text?: string}[]} refused @param {string | null} [shown] The report that is shown.
 */
export function refusedList(place, desk, refused, shown = null) {
  place.hidden = refused.length === 0;
  refill(place, [refused, shown], () => refused.map(({ key, report, words, text }) => h("div", { class: "notice bad refusal" }, h("p", { class: "grow" }, words),
    h("div", { class: "row" }, report !== shown && h("a", { class: "button", href: `/rescue/${report}`, onclick: (event) => follow(event, () => desk.open(report)) }, t("rescue.open")),
      text && report === shown && h("button", { type: "button", onclick: () => desk.writeAgain(report, text, key) }, t("rescue.update.again")),
      h("button", { type: "button", dataset: { key }, onclick: () => desk.outbox.putAway(key) }, t("page.put-away"))))));
}
