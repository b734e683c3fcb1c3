// SPDX-License-Identifier: Apache-2.0
/** Figures over time, drawn by dygraphs; all of a page show the same part of the period. */
import { h } from "../../../core/dom.js";
import { numeral, t } from "../../../core/i18n.js";
import { hourOf } from "../../../core/time.js";
import { ShownRange, timeTicks, valueTicks } from "../../../model/chart-axes.js";
import { wordOf } from "../words.js";
import { worded } from "./numbers.js";

/** So far apart marks of the axes are at least, in pixels. */
const [timeMarkPixels, valueMarkPixels] = [80, 36];
const pointPixels = 3;
/** The colours of series, in order; tokens of the page. */
const colours = ["--accent", "--warn", "--good", "--bad"];

/** The figures over time of one period. */
export class Charts {
  #Dygraph;
  #pending = [];
  #graphs = [];
  #range;
  #told = h("span", { class: "small soft figures", role: "status" });
  #buttons;
  #theme = new MutationObserver(() => this.#recolour());
  #system = matchMedia("(prefers-color-scheme: dark)");
  #onSystem = () => this.#recolour();

  /** @param {any} Dygraph @param {{from: Date, until: Date}} period */
  constructor(Dygraph, period) {
    this.#Dygraph = Dygraph;
    this.#range = new ShownRange(period);
    this.#range.listen(() => this.#follow());
    const button = (name, act) => h("button", { type: "button", dataset: { range: name }, onclick: act }, t(`trends.range.${name}`));
    this.#buttons = {
      in: button("in", () => this.#range.zoom("in")), out: button("out", () => this.#range.zoom("out")),
      earlier: button("earlier", () => this.#range.move("earlier")), later: button("later", () => this.#range.move("later")),
      all: button("all", () => this.#range.showAll()),
    };
    this.controls = h("div", { class: "card row range", role: "group", "aria-label": t("trends.range") }, Object.values(this.#buttons), this.#told);
    this.#tell();
  }

  /**
   * A place for a figure; it is drawn by `draw`, when it is on the page.
   * @param {{kind: "columns" | "lines", places: {from: number, until: number, values: Record<string, number>}[], series: string[][], unit: "count" | "milliseconds"}} figure `places` in order, at least one.
   */
  place(figure) {
    const element = h("div", { class: "chart", "aria-hidden": "true" });
    const legend = h("p", { class: "row small legend" });
    const tell = (place) => legend.replaceChildren(...keysOf(figure, place));
    tell(null);
    this.#pending.push({ element, tell, ...figure });
    return h("div", { class: "drawing" }, legend, element);
  }

  /** Draws what has its place on the page by now. */
  draw() {
    this.#theme.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    this.#system.addEventListener("change", this.#onSystem);
    this.#graphs.push(...this.#pending.splice(0).map((figure) => new this.#Dygraph(figure.element, rowsOf(figure), this.#options(figure))));
  }

  /** Nothing of it is shown any more. */
  end() {
    this.#theme.disconnect();
    this.#system.removeEventListener("change", this.#onSystem);
    for (const graph of this.#graphs.splice(0)) graph.destroy();
  }

  #options({ kind, places, series, unit, tell }) {
    const { mousedown, willDestroyContextMyself } = this.#Dygraph.defaultInteractionModel;
    const byCount = kind === "columns";
    return {
      ...drawnIn(), labels: ["x", ...series.map(([, word]) => wordOf(word))],
      dateWindow: this.#range.shown, valueRange: [0, null], includeZero: true,
      stackedGraph: byCount, fillAlpha: 1, ...(byCount ? { plotter: (event) => columns(event, places) } : {}),
      connectSeparatedPoints: true, drawPoints: !byCount, pointSize: pointPixels, strokeWidth: 2, highlightCircleSize: byCount ? 0 : pointPixels + 2,
      series: byCount ? {} : Object.fromEntries(series.slice(1).map(([, word]) => [wordOf(word), { strokePattern: [6, 4] }])),
      axes: {
        x: { ticker: (from, until, pixels) => timeTicks(from, until, pixels / timeMarkPixels), drawGrid: false },
        y: { ticker: (_, end, pixels) => valueTicks(end, pixels / valueMarkPixels, unit).map((v) => ({ v, label: v === 0 ? numeral(0) : worded(v, unit) })), axisLabelWidth: unit === "count" ? 40 : 84 },
      },
      // A finger scrolls the page; the buttons are for it.
      interactionModel: { mousedown, willDestroyContextMyself, dblclick: () => this.#range.showAll() },
      zoomCallback: (from, until) => this.#range.show(from, until),
      highlightCallback: (_event, _x, _points, row) => tell(places[row]),
      unhighlightCallback: () => tell(null),
    };
  }

  #follow() {
    // Also the values, for whoever drags upwards.
    for (const graph of this.#graphs) graph.updateOptions({ dateWindow: this.#range.shown, valueRange: [0, null] });
    this.#tell();
  }

  #tell() {
    const [from, until] = this.#range.shown;
    this.#told.textContent = t("trends.range.shown", { from: hourOf(from), until: hourOf(until) });
    for (const name of ["out", "earlier", "later", "all"]) this.#buttons[name].setAttribute("aria-disabled", String(this.#range.isWhole));
  }

  #recolour() {
    for (const graph of this.#graphs) graph.updateOptions(drawnIn());
  }
}

/** The colours of the page as it is now. */
function drawnIn() {
  const style = getComputedStyle(document.documentElement);
  const colour = (token) => style.getPropertyValue(token).trim();
  return { colors: colours.map(colour), gridLineColor: colour("--line"), axisLineColor: colour("--line-strong") };
}

function rowsOf({ kind, places, series }) {
  return places.map(({ from, until, values }) => [(from + until) / 2, ...series.map(([key]) => values[key] ?? (kind === "columns" ? 0 : null))]);
}

/** What each series is, and how much it has in the place that is pointed at. */
function keysOf({ series, unit }, place) {
  const keys = series.map(([key, word], number) => h("span", { class: "key" }, h("span", { class: `swatch series-${number}`, "aria-hidden": "true" }), wordOf(word),
    place && h("strong", { class: "figures" }, worded(place.values[key] ?? (unit === "count" ? 0 : null), unit))));
  return place ? [...keys, h("span", { class: "soft figures" }, hourOf(place.from))] : keys;
}

/** Columns as wide as their hours, one part of each for each series. @param {any} event As dygraphs gives it to a plotter, once for each series. @param {{from: number, until: number}[]} places */
function columns({ seriesIndex, allSeriesPoints, drawingContext, dygraph }, places) {
  if (seriesIndex !== 0) return;
  const known = new Map(places.map((place) => [(place.from + place.until) / 2, place]));
  const names = dygraph.getLabels().slice(1);
  allSeriesPoints[0].forEach((point, number) => {
    const place = known.get(point.xval);
    const [left, right] = [dygraph.toDomXCoord(place.from), dygraph.toDomXCoord(place.until)];
    let sum = 0;
    for (const [series, name] of names.entries()) {
      const value = allSeriesPoints[series][number].yval;
      if (!value) continue;
      const [low, high] = [dygraph.toDomYCoord(sum), dygraph.toDomYCoord(sum + value)];
      drawingContext.fillStyle = dygraph.getPropertiesForSeries(name).color;
      drawingContext.fillRect(left, high, Math.max(1, right - left - 1), low - high);
      sum += value;
    }
  });
}
