// SPDX-License-Identifier: Apache-2.0
import { fill, h } from "../../../core/dom.js";
import { numeral, t } from "../../../core/i18n.js";
import { monthOf } from "../../../core/time.js";
import { pressed } from "../../../dom/busy.js";
import "../../../map/place-map.js";
import { ended, speciesWord } from "../../../model/rescue.js";
import { cellOf, reportGroups, reportRows, reportsByHour, timesByHour } from "../../../model/trends.js";
import { bars, columns, framed, lines, numbersTable, quantiles } from "./figures.js";

/** So many are drawn; of more, bars tell nothing at a glance. */
const barsMost = 20;
/** Who may take the reports themselves home, with their places. */
const exporters = ["supervisor", "auditor", "org-admin", "admin"];

/** What became of the reports of animals in a period, by kind of animal, area, month or agency. */
export class Reports {
  #api;
  #mayExport;
  #asked = 0;
  #group;
  #links = h("div", { class: "row" });
  #body = h("div");
  #hours = h("div", { class: "figures-place" });

  /** @param {import("../../../core/api.js").API} api @param {{role: string}} me @param {(group: string) => void} onChoice */
  constructor(api, { role }, onChoice) {
    this.#api = api;
    this.#mayExport = exporters.includes(role);
    this.#group = h("select", { name: "reports", onchange: () => onChoice(this.#group.value) }, reportGroups.map((group) => h("option", { value: group }, t(`trends.reports.by.${group}`))));
    this.element = h("section", { class: "reports", "aria-labelledby": "title-reports" }, h("h2", { id: "title-reports" }, t("trends.reports")), h("p", { class: "soft small" }, t("trends.reports.about")),
      h("div", { class: "card row choice" }, h("label", {}, t("trends.reports.by"), this.#group), this.#links), this.#body, this.#hours);
  }

  /** Shows a period; it never fails, but says what did. @param {{from: Date, until: Date}} period @param {string} group One of `reportGroups`. */
  async show(period, group) {
    const mine = ++this.#asked;
    const span = new URLSearchParams({ from: period.from.toISOString(), until: period.until.toISOString() });
    const path = `/v1/trends/reports?by=${group}&${span}`;
    this.#group.value = group;
    this.element.setAttribute("aria-busy", "true");
    try {
      const { rows } = await this.#api.get(path);
      if (mine !== this.#asked) return;
      fill(this.#links, rows.length > 0 && this.#linksOf(path, group, span));
      fill(this.#body, rows.length > 0 ? figureOf(group, reportRows(group, rows)) : h("p", { class: "card empty" }, t("trends.reports.none")));
    } catch (error) {
      if (mine !== this.#asked) return;
      fill(this.#links);
      fill(this.#body, h("p", { class: "notice bad", role: "alert" }, error.message), h("button", { type: "button", onclick: pressed(() => this.show(period, group)) }, t("page.try-again")));
    }
    this.element.removeAttribute("aria-busy");
  }

  /** When reports were made, and how long they waited for an answer. @param {import("../../../model/trends.js").TrendRow[]} rows By the hour. @param {{from: Date, until: Date}} period @param {import("./charts.js").Charts | null} charts */
  showHours(rows, { from, until }, charts) {
    const figure = { heading: "h3", period: { from, until }, charts };
    const [made, answered] = [reportsByHour(rows), timesByHour(rows, "report_answered_ms")];
    fill(this.#hours,
      made.length > 0 && columns({ ...figure, title: t("trends.reports.made"), name: "reports-made", hours: made, series: [["submitted", "trends.reports"]] }),
      answered.length > 0 && lines({ ...figure, title: t("trends.reports.answered"), name: "reports-answered", hours: answered, series: quantiles, counted: "trends.reports.answered.count", none: "trends.none" }));
  }

  #linksOf(path, group, span) {
    const link = (href, download, words) => h("a", { class: "button", href, download }, words);
    const all = (ending) => link(`/v1/reports.${ending}?${span}`, `reports.${ending}`, t(`trends.reports.all.${ending}`));
    return [link(`${path}&format=csv`, `reports-by-${group}.csv`, t("trends.reports.csv")), this.#mayExport && ["csv", "geojson"].map(all)];
  }
}

function figureOf(group, rows) {
  const title = t(`trends.reports.by.${group}`);
  const named = rows.map((row) => ({ row, words: nameOf(group, row) }));
  const table = numbersTable({ title, head: headOf(title), rows: named.map(({ row, words }) => [words, ...numbersOf(row)]) });
  const shown = named.slice(0, barsMost).map(({ row, words }) => ({ words, value: row.reports }));
  return framed({ title, name: `reports-${group}`, heading: "h3" }, bars(shown, Math.max(1, ...rows.map(({ reports }) => reports))),
    named.length > shown.length && h("p", { class: "small soft" }, t("trends.reports.largest", { count: shown.length })), group === "area" && mapOf(named, table), table);
}

const shares = ["p50", "p90"];

const headOf = (first) => [first, t("rescue.views"), t("trends.reports.duplicates"), t("trends.reports.open"), t("rescue.happened.acknowledged"), ...shares.map((share) => t("trends.reports.acknowledge", { share: t(`trends.wait.${share}`) })),
  t("rescue.happened.on_scene"), ...shares.map((share) => t("trends.reports.arrive", { share: t(`trends.wait.${share}`) })), ...ended.map((outcome) => t(`rescue.happened.${outcome}`))];

function numbersOf({ reports, duplicates, open, acknowledged, minutesToAcknowledge, arrived, minutesToArrive, outcomes }) {
  const minutes = (times) => shares.map((share) => (times ? numeral(times[share], 1) : "–"));
  return [...[reports, duplicates, open, acknowledged].map((value) => numeral(value)), ...minutes(minutesToAcknowledge), numeral(arrived), ...minutes(minutesToArrive), ...ended.map((outcome) => numeral(outcomes[outcome] ?? 0))];
}

function nameOf(group, { key, name }) {
  switch (group) {
    case "species": return speciesWord(key);
    case "area": return cellWords(cellOf(key));
    // The middle of a month is in that month in every zone.
    case "month": return monthOf(new Date(`${key}-15T12:00:00Z`));
    default: return name ?? t("rescue.agency.none");
  }
}

function cellWords(cell) {
  if (!cell) return t("rescue.place.none");
  const { latitude, longitude } = cell;
  return t("trends.reports.area", {
    latitude: t(latitude < 0 ? "trends.reports.south" : "trends.reports.north", { degrees: numeral(Math.abs(latitude), 1) }),
    longitude: t(longitude < 0 ? "trends.reports.west" : "trends.reports.east", { degrees: numeral(Math.abs(longitude), 1) }),
  });
}

/** The areas, each by its middle; one that is pressed is found in the table. */
function mapOf(named, table) {
  const map = h("place-map", { class: "overview" });
  map.isOverview = true;
  map.onOpen = (key) => {
    const row = table.querySelector("tbody").rows[named.findIndex((one) => one.row.key === key)];
    row.tabIndex = -1;
    row.focus();
  };
  const [first, ...others] = named.filter(({ row }) => cellOf(row.key)).map(({ row, words }) => ({ id: row.key, fix: cellOf(row.key), name: `${words}: ${numeral(row.reports)}` }));
  map.places = first ? [first] : [];
  map.others = others;
  return map;
}
