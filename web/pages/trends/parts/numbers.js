// SPDX-License-Identifier: Apache-2.0
import { h } from "../../../core/dom.js";
import { numeral, t } from "../../../core/i18n.js";
import { exactSpan, span } from "../../../core/time.js";

/** What a number is called in words people read. */
export function worded(value, unit) {
  if (value === null) return "–";
  if (unit === "milliseconds") return value < 10_000 ? exactSpan(value) : span(value / 1000);
  if (unit === "share") return t("trends.share", { percent: numeral(100 * value) });
  return numeral(value);
}

/** The numbers of a period in a row, each with what it was before. @param {ReturnType<typeof import("../../../model/trends.js").headline>} all */
export function numbers(all) {
  return h("dl", { class: "numbers" }, all.map((one) => h("div", { class: "card" }, h("dt", { class: "small soft" }, t(`trends.headline.${one.name}`)),
    h("dd", {}, h("strong", { class: "figures" }, worded(one.now, one.unit)), h("span", { class: "small soft figures" }, change(one))))));
}

function change({ now, before, unit }) {
  if (now === null || before === null) return before === null ? t("trends.before.none") : t("trends.before.was", { value: worded(before, unit) });
  if (now === before) return t("trends.before.same");
  const told = (key, by) => t(key, { change: `${now > before ? "+" : "−"}${numeral(Math.abs(100 * by))}`, value: worded(before, unit) });
  if (unit === "share") return told("trends.change.points", now - before);
  return before === 0 ? t("trends.before.nought") : told("trends.change.percent", (now - before) / before);
}
