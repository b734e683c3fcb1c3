// SPDX-License-Identifier: Apache-2.0
import { h } from "../core/dom.js";
import { t } from "../core/i18n.js";

/** By standing of a point: the look of what says it, and a mark for who sees no colours. */
export const looks = {
  ahead: ["", "·"], due: ["accent", "→"], late: ["warn", "!"], missed: ["bad", "✕"], left: ["", "–"], on_time: ["good", "✓"], reached_late: ["warn", "✓"], reached_missed: ["bad", "✓"],
};

/** How a point of a round stands, in a word; or how many stand so. @param {import("../model/patrol.js").Standing} standing @param {number} [count] */
export function standingChip(standing, count) {
  const [look, mark] = looks[standing];
  return h("span", { class: `chip ${look}` }, h("span", { "aria-hidden": "true" }, mark), count === undefined ? t(`patrol.standing.${standing}`) : `${count} ${t(`patrol.standing.${standing}`)}`);
}
