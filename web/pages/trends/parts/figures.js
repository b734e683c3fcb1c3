// SPDX-License-Identifier: Apache-2.0
import { h } from "../../../core/dom.js";
import { numeral, t } from "../../../core/i18n.js";
import { dayOf, hourOf } from "../../../core/time.js";
import { csv } from "../../../model/trends.js";
import { plain, wordOf } from "../words.js";
import { worded } from "./numbers.js";

const hourMilliseconds = 3_600_000;
/** So many columns are told apart; a longer period shows some hours together. */
const columnsMost = 240;
/** What is shown of times: how long the half took at most, and nine in ten. */
export const quantiles = [["p50", "trends.wait.p50"], ["p90", "trends.wait.p90"]];
const [wide, high] = [720, 180];
const svgName = "http://www.w3.org/2000/svg";

/**
 * A figure with its numbers as a table below it, and as a file.
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
    h("div", { class: "below" }, h("details", {}, h("summary", {}, t("trends.table")), numbersTable({ title, head, rows })), h("button", { type: "button", onclick: save }, t("trends.csv"))));
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

/** Columns by the hour, one part of each for each series. */
export function columns({ title, name, hours, series, period }) {
  const places = grouped(hours, period, (sum, value) => sum + value);
  const most = Math.max(1, ...places.map(({ values }) => series.reduce((sum, [key]) => sum + (values[key] ?? 0), 0)));
  const marks = places.flatMap(({ left, width, values }) => {
    let base = high;
    return series.map(([key], number) => {
      const tall = (high * (values[key] ?? 0)) / most;
      base -= tall;
      return tall > 0 && shape("rect", { x: left, y: base, width: Math.max(1, width - 1), height: tall, class: `series-${number}` });
    });
  });
  const head = ["trends.hour", ...series.map(([, word]) => word)];
  const numbers = ({ values }) => series.map(([key]) => values[key] ?? 0);
  return figure({ title, name, head: head.map(wordOf), rows: hours.map((one) => [readable(one), ...numbers(one).map((value) => numeral(value))]) },
    { head: head.map(plain), rows: hours.map((one) => [one.localHour, ...numbers(one)]) }, legend(series), drawn(marks, numeral(most), period, "trends.contacts.together"));
}

/**
 * A line for each series; where nothing was measured there is no point.
 * @param {{title: string, name: string, heading?: string, hours: {hour: string, localHour: string, values: Record<string, number>}[], series: string[][], period: {from: Date, until: Date}, counted: string, none: string}} figure
 * `counted` is what is called that of which there are so many, `none` what is said where there is nothing.
 */
export function lines({ title, name, heading, hours, series, period, counted, none }) {
  if (hours.length === 0) return framed({ title, name, heading }, h("p", { class: "empty" }, t(none)));
  const places = grouped(hours, period, Math.max);
  const most = Math.max(1, ...places.flatMap(({ values }) => series.map(([key]) => values[key] ?? 0)));
  const marks = series.flatMap(([key], number) => {
    const points = places.map(({ left, width, values }) => [left + width / 2, high - (high * (values[key] ?? 0)) / most]);
    return [shape("polyline", { points: points.map((point) => point.map((part) => part.toFixed(1)).join(",")).join(" "), class: `line-${number}` }),
      ...points.map(([x, y]) => shape("circle", { cx: x, cy: y, r: 3, class: `series-${number}` }))];
  });
  const head = ["trends.hour", counted];
  const words = series.map(([, word]) => word);
  const rows = hours.map((one) => [readable(one), numeral(one.values.count ?? 0), ...series.map(([key]) => worded(one.values[key] ?? null, "milliseconds"))]);
  return figure({ title, name, heading, head: [...head, ...words].map(wordOf), rows }, {
    head: [...head.map(plain), ...words.map((word) => `${plain(word)}, ms`)],
    rows: hours.map(({ localHour, values }) => [localHour, values.count ?? 0, ...series.map(([key]) => values[key] ?? "")]),
  }, legend(series), drawn(marks, worded(most, "milliseconds"), period, "trends.waiting.together"));
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

/** Hours as columns of the period, some together where there are too many. @param {(one: number, other: number) => number} together */
function grouped(hours, { from, until }, together) {
  const { count, each } = sizes({ from, until });
  const width = wide / Math.ceil(count / each);
  const places = new Map();
  for (const { hour, values } of hours) {
    const number = Math.floor((Date.parse(hour) - from) / hourMilliseconds / each);
    const place = places.get(number) ?? { left: number * width, width, values: {} };
    for (const [key, value] of Object.entries(values)) place.values[key] = key in place.values ? together(place.values[key], value) : value;
    places.set(number, place);
  }
  return [...places.values()];
}

/** How many hours a period has, and how many of them stand together. */
function sizes({ from, until }) {
  const count = Math.max(1, (until - from) / hourMilliseconds);
  return { count, each: Math.ceil(count / columnsMost) };
}

function shape(name, attributes) {
  const element = document.createElementNS(svgName, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

/** A drawing says nothing to who does not see it: the table does. `together` is what is said where hours stand together. */
function drawn(marks, most, period, together) {
  const { from, until } = period;
  const { each } = sizes(period);
  const svg = shape("svg", { viewBox: `0 0 ${wide} ${high}`, preserveAspectRatio: "none", "aria-hidden": "true" });
  for (const part of [0, 0.5, 1]) svg.append(shape("line", { x1: 0, x2: wide, y1: high * part, y2: high * part, class: "rule" }));
  svg.append(...marks.filter(Boolean));
  return h("div", { class: "drawing", "aria-hidden": "true" }, h("span", { class: "most small soft figures" }, most), svg,
    h("div", { class: "ends small soft figures" }, h("span", {}, hourOf(from)), h("span", {}, hourOf(until))),
    each > 1 && h("span", { class: "small soft" }, t(together, { hours: each })));
}

function legend(series) {
  return h("p", { class: "row small" }, series.map(([, word], number) => [h("span", { class: `swatch series-${number}`, "aria-hidden": "true" }), wordOf(word)]));
}

/** `Sunday, October 25, 2026 02:00`, by the site's clock. @param {{hour: string, localHour: string}} one */
export function localHourOf({ hour, localHour }) {
  return `${dayOf(new Date(hour))} ${localHour.slice(11, 16)}`;
}

/** With the distance from UTC, which tells the two hours apart in the night when clocks go back. */
function readable(one) {
  return `${localHourOf(one)} ${one.localHour.slice(16)}`;
}
