// SPDX-License-Identifier: Apache-2.0
import { t } from "../core/i18n.js";
import { beside, degreeStep, degreeText, east, eastWest, isWalk, length, metresOfDegree, multiples, northSouth, roundLength, unwrapped } from "./geo.js";

/** How far apart two texts of the grid are at least. */
const textsApart = 70;

/**
 * A place without a map: degrees, the circle of accuracy to scale, a scale bar and north, as SVG.
 * @param {{width: number, height: number}} size Of the picture, in pixels.
 * @param {{latitude: number, longitude: number, accuracyMetres?: number}} fix
 * @param {{latitude: number, longitude: number}[]} [trail] Where it was before, oldest first.
 * @param {number} [metresAcross] How much to show from west to east; what fits the circle by default.
 * @param {{fix: {latitude: number, longitude: number}, name: string}[]} [others] Other places, with their names.
 */
export function locator(size, fix, trail = [], metresAcross = metresShown(size, fix), others = []) {
  const { width, height } = size;
  const scale = width / metresAcross; // units a metre
  const perLatitude = metresOfDegree * scale;
  const perLongitude = perLatitude * Math.max(0.01, Math.cos(fix.latitude * Math.PI / 180));
  const x = (longitude) => width / 2 + (longitude - fix.longitude) * perLongitude;
  const y = (latitude) => height / 2 - (latitude - fix.latitude) * perLatitude;
  const spot = (one) => [x(one.longitude), y(one.latitude)];
  const way = unwrapped([...trail, fix]);
  const path = way.map(spot);
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "locator", role: "img", "aria-label": t("map.grid", { length: length(metresAcross) }) },
    svg("rect", { class: "ground", width, height }),
    graticule(size, fix, perLatitude, perLongitude, x, y),
    fix.accuracyMetres !== undefined && svg("circle", { class: "accuracy", cx: width / 2, cy: height / 2, r: fix.accuracyMetres * scale }),
    isWalk(way) && svg("polyline", { class: "trail", points: path.map((one) => one.map(round).join(",")).join(" ") }),
    path.slice(0, -1).map(([cx, cy]) => svg("circle", { class: "earlier", cx: round(cx), cy: round(cy), r: 3 })),
    others.map((one) => [one, beside(one.fix.longitude, fix.longitude)]).map(([one, longitude]) => [svg("circle", { class: "other", cx: round(x(longitude)), cy: round(y(one.fix.latitude)), r: 5 }),
      svg("text", { class: "name", x: round(x(longitude) + 8), y: round(y(one.fix.latitude) + 4) }, one.name)]),
    svg("circle", { class: "spot", cx: width / 2, cy: height / 2, r: 5 }),
    compass(size), scaleBar(size, metresAcross, scale));
}

/** Metres from west to east that let the circle fill two fifths of the smaller side. */
export function metresShown({ width, height }, fix) {
  return Math.max(200, (fix.accuracyMetres ?? 50) * 5 * (width / Math.min(width, height)));
}

function graticule({ width, height }, fix, perLatitude, perLongitude, x, y) {
  const north = height / 2 / perLatitude;
  const westward = width / 2 / perLongitude;
  const rows = degreeStep(2 * north, 2);
  const columns = degreeStep(2 * westward, 2);
  const apart = Math.ceil(textsApart / (columns * perLongitude));
  return [
    multiples(fix.latitude - north, fix.latitude + north, rows).map((latitude) => [
      svg("line", { class: "degree", x1: 0, x2: width, y1: round(y(latitude)), y2: round(y(latitude)) }),
      svg("text", { x: 4, y: round(y(latitude) - 4) }, degreeText(latitude, rows, northSouth)),
    ]),
    multiples(fix.longitude - westward, fix.longitude + westward, columns).map((longitude, index) => [
      svg("line", { class: "degree", y1: 0, y2: height, x1: round(x(longitude)), x2: round(x(longitude)) }),
      index % apart === 0 && x(longitude) < width - textsApart && svg("text", { x: round(x(longitude) + 4), y: 14 }, degreeText(east(longitude), columns, eastWest)),
    ]),
  ];
}

function compass({ width }) {
  return svg("g", { class: "compass", transform: `translate(${width - 20} 26)` },
    svg("path", { d: "M0 -16 L6 6 L0 1 L-6 6 Z" }), svg("text", { x: 0, y: 18, "text-anchor": "middle" }, "N"));
}

function scaleBar({ width, height }, metresAcross, scale) {
  const metres = roundLength(metresAcross / 3);
  const right = width - 10;
  return svg("g", { class: "scale" },
    svg("path", { d: `M${round(right - metres * scale)} ${height - 14} v6 H${right} v-6` }),
    svg("text", { x: right, y: height - 18, "text-anchor": "end" }, length(metres)));
}

function round(value) {
  return Math.round(value * 100) / 100;
}

function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children.flat(Infinity).filter(Boolean));
  return element;
}
