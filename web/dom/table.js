// SPDX-License-Identifier: Apache-2.0
import { h } from "../core/dom.js";
import { momentElement } from "../core/time.js";

/**
 * A table that becomes a list of cards on a small screen, where each value says what it is.
 * @param {string} caption
 * @param {string[]} columns
 * @param {any[][]} rows What stands in each column.
 */
export function table(caption, columns, rows) {
  return h("div", { class: "card table", tabindex: "0", role: "region", "aria-label": caption }, h("table", {}, h("caption", { class: "visually-hidden" }, caption),
    h("thead", {}, h("tr", {}, columns.map((name) => (name ? h("th", { scope: "col" }, name) : h("td"))))),
    h("tbody", {}, rows.map((row) => h("tr", {}, row.map((value, index) => h("td", { dataset: { label: columns[index] } }, value)))))));
}

/** A day with the time of day and its zone; a stroke where there is none. @param {string | undefined} text */
export const moment = (text) => (text ? h("span", { class: "moment" }, momentElement(text)) : "–");

/** A line of facts, without those that are not there. @param {[string, any][]} pairs */
export const facts = (pairs) => h("dl", { class: "facts" }, pairs.filter(([, value]) => value !== null && value !== undefined && value !== false).map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
