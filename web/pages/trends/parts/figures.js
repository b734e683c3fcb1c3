// SPDX-License-Identifier: Apache-2.0
import { h } from "../../../core/dom.js";
import { numeral, t } from "../../../core/i18n.js";
import { dayOf } from "../../../core/time.js";
import { csv, grouped, hoursTogether } from "../../../model/trends.js";
import { plain, wordOf } from "../words.js";
import { worded } from "./numbers.js";

/** So many columns are told apart; a longer period shows some hours together. */
const columnsMost = 240;
/** What is shown of times: how long the half took at most, and nine in ten. */
export const quantiles = [["p50", "trends.wait.p50"], ["p90", "trends.wait.p90"]];

/**
 * A figure with its numbers as a table below it, and as a file; without a drawing the table is open.
 * @param {{title: string, name: string, heading?: string, head: string[], rows: (string | number)[][]}} figure As the table has it; `heading` is the element of its title.
 * @param {{head: string[], rows: (string | number)[][]}} file As the file has it.
 */
function figure({ title, name, heading, head, rows }, file, ...drawing) {
  const save = () => {
    const address = URL.createObjectURL(new Blob([csv(file.head, file.rows)], { type: "text/csv" }));
    h("a", { href: address, download: `${name}.csv` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  };
  return framed({ title, name, heading }, drawing,
    h("div", { class: "below" }, h("details", { open: !drawing.some(Boolean) }, h("summary", {}, t("trends.table")), numbersTable({ title, head, rows })), h("button", { type: "button", onclick: save }, t("trends.csv"))));
}

/** The numbers of a figure; they scroll by themselves where they are many. @param {{title: string, head: string[], rows: (string | number)[][]}} figure */
export function numbersTable({ title, head, rows }) {
  const table = h("table", {}, h("caption", { class: "visually-hidden" }, title), h("thead", {}, h("tr", {}, head.map((word, column) => h("th", { scope: "col", class: column ? "number" : "" }, word)))),
    h("tbody", {}, rows.map((row) => h("tr", {}, row.map((value, column) => (column ? h("td", { class: "number" }, value) : h("th", { scope: "row" }, value)))))));
  return h("div", { class: "table", tabindex: 0, role: "region", "aria-label": t("trends.table.of", { title }) }, table);
}

export function framed({ title, name, heading = "h2" }, ...content) {
  return h("figure", { class: "card", dataset: { name } }, h("figcaption", {}, h(heading, {}, title)), content);
}

/**
 * Columns by the hour, one part of each for each series.
 * @param {{title: string, name: string, heading?: string, hours: {hour: string, localHour: string, values: Record<string, number>}[], series: string[][], period: {from: Date, until: Date}, charts: import("./charts.js").Charts | null, none?: string}} figure
 * `charts` draws it; `none` is what is said where there is nothing.
 */
export function columns({ title, name, heading, hours, series, period, charts, none = "trends.none" }) {
  if (hours.length === 0) return framed({ title, name, heading }, h("p", { class: "empty" }, t(none)));
  const head = ["trends.hour", ...series.map(([, word]) => word)];
  const numbers = ({ values }) => series.map(([key]) => values[key] ?? 0);
  return figure({ title, name, heading, head: head.map(wordOf), rows: hours.map((one) => [readable(one), ...numbers(one).map((value) => numeral(value))]) },
    { head: head.map(plain), rows: hours.map((one) => [one.localHour, ...numbers(one)]) }, ...drawn({ kind: "columns", series, unit: "count" }, hours, period, charts, "trends.contacts.together"));
}

/**
 * A line for each series; where nothing was measured there is no point.
 * @param {{title: string, name: string, heading?: string, hours: {hour: string, localHour: string, values: Record<string, number>}[], series: string[][], period: {from: Date, until: Date}, charts: import("./charts.js").Charts | null, counted: string, none: string}} figure
 * `counted` is what is called that of which there are so many, `none` what is said where there is nothing.
 */
export function lines({ title, name, heading, hours, series, period, charts, counted, none }) {
  if (hours.length === 0) return framed({ title, name, heading }, h("p", { class: "empty" }, t(none)));
  const head = ["trends.hour", counted];
  const words = series.map(([, word]) => word);
  const rows = hours.map((one) => [readable(one), numeral(one.values.count ?? 0), ...series.map(([key]) => worded(one.values[key] ?? null, "milliseconds"))]);
  return figure({ title, name, heading, head: [...head, ...words].map(wordOf), rows }, {
    head: [...head.map(plain), ...words.map((word) => `${plain(word)}, ms`)],
    rows: hours.map(({ localHour, values }) => [localHour, values.count ?? 0, ...series.map(([key]) => values[key] ?? "")]),
  }, ...drawn({ kind: "lines", series, unit: "milliseconds" }, hours, period, charts, "trends.waiting.together"));
}

/** How many came how far, or ended how: each as long as it is large. @param {{title: string, name: string, heading?: string, first: string, saved?: string, steps: {key: string, value: number}[]}} figure `first` heads what each is called, `saved` does in the file. */
export function funnel({ title, name, heading, first, saved = "trends.step", steps }) {
  const most = Math.max(1, ...steps.map((step) => step.value));
  return figure({ title, name, heading, head: [first, "trends.number"].map(wordOf), rows: steps.map(({ key, value }) => [wordOf(key), numeral(value)]) },
    { head: [saved, "trends.number"].map(plain), rows: steps.map(({ key, value }) => [plain(key), value]) }, bars(steps.map(({ key, value }) => ({ words: wordOf(key), value })), most));
}

/**
 * Bars of several things, all to one scale; the table has a row for each thing and a column for each kind.
 * @param {{title: string, name: string, heading?: string, first: string, things: {key: string, values: Record<string, number>}[], kinds: string[][]}} figure `first` heads what each thing is called; `kinds` as `series` has them.
 */
export function compare({ title, name, heading, first, things, kinds }) {
  const most = Math.max(1, ...things.flatMap(({ values }) => Object.values(values)));
  const steps = ({ values }) => kinds.map(([kind, key]) => ({ words: wordOf(key), value: values[kind] ?? 0 })).filter(({ value }) => value > 0);
  const head = [first, ...kinds.map(([, word]) => word)];
  const numbers = ({ values }) => kinds.map(([kind]) => values[kind] ?? 0);
  return figure({ title, name, heading, head: head.map(wordOf), rows: things.map((thing) => [wordOf(thing.key), ...numbers(thing).map((value) => numeral(value))]) },
    { head: head.map(plain), rows: things.map((thing) => [plain(thing.key), ...numbers(thing)]) },
    h("ul", { class: "things" }, things.map((thing) => h("li", {}, h("strong", {}, wordOf(thing.key)), bars(steps(thing), most)))));
}

/** @param {{words: string, value: number}[]} steps @param {number} most What is as long as there is room. */
export function bars(steps, most) {
  return h("ol", { class: "bars" }, steps.map(({ words, value }) => {
    const bar = h("span", { class: "bar series-0", "aria-hidden": "true" });
    bar.style.inlineSize = `${(100 * value) / most}%`;
    return h("li", {}, h("span", { class: "small" }, `${words}: `, h("strong", { class: "figures" }, numeral(value))), bar);
  }));
}

// MARK: Drawing

/**
 * A drawing says nothing to who does not see it: the table does. There is none where the gateway has no library for it.
 * @param {{kind: "columns" | "lines", series: string[][], unit: "count" | "milliseconds"}} figure
 * @param {string} together What is said where hours stand together.
 */
function drawn(figure, hours, period, charts, together) {
  if (!charts) return [];
  const each = hoursTogether(period, columnsMost);
  const places = grouped(hours, period, each, figure.kind === "columns" ? (sum, value) => sum + value : Math.max);
  return [charts.place({ ...figure, places }), each > 1 && h("p", { class: "small soft" }, t(together, { hours: each }))];
}

/** `Sunday, October 25, 2026 02:00`, by the site's clock. @param {{hour: string, localHour: string}} one */
export function localHourOf({ hour, localHour }) {
  return `${dayOf(new Date(hour))} ${localHour.slice(11, 16)}`;
}

/** With the distance from UTC, which tells the two hours apart in the night when clocks go back. */
function readable(one) {
  return `${localHourOf(one)} ${one.localHour.slice(16)}`;
}
