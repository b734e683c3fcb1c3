// SPDX-License-Identifier: Apache-2.0
import { h } from "../../../core/dom.js";
import { span } from "../../../core/time.js";

/** What a number is called in words people read. */
export function worded(value, unit) {
  if (value === null) return "–";
  if (unit === "milliseconds") return value < 10_000 ? `${(value / 1000).toFixed(1)} s` : span(value / 1000);
  if (unit === "share") return `${(100 * value).toFixed(0)} %`;
  return value.toLocaleString();
}

/** The numbers of a period in a row, each with what it was before. @param {ReturnType<typeof import("../../../model/trends.js").headline>} all */
export function numbers(all) {
  return h("dl", { class: "numbers" }, all.map((one) => h("div", { class: "card" }, h("dt", { class: "small soft" }, one.name),
    h("dd", {}, h("strong", { class: "figures" }, worded(one.now, one.unit)), h("span", { class: "small soft figures" }, change(one))))));
}

function change({ now, before, unit }) {
  if (now === null || before === null) return before === null ? "nothing before" : `before: ${worded(before, unit)}`;
  if (now === before) return "as before";
  const sign = now > before ? "+" : "−";
  if (unit === "share") return `${sign}${Math.abs(100 * (now - before)).toFixed(0)} points, before ${worded(before, unit)}`;
  return before === 0 ? "before: none" : `${sign}${Math.abs((100 * (now - before)) / before).toFixed(0)} %, before ${worded(before, unit)}`;
}
