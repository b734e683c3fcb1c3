// SPDX-License-Identifier: Apache-2.0
import { palette } from "./style.js";

/**
 * How layers are drawn, from the ground up: the world map's own, and those of the usual schema of street maps
 * (OpenMapTiles), which a site may bring. `shows` picks features; a width is in pixels, at the zoom of the view.
 */
const rules = [
  { layer: "land", fill: "land", stroke: "coast", width: () => 1 },
  { layer: "landcover", fill: "green" },
  { layer: "park", fill: "green" },
  { layer: "landuse", fill: "built" },
  { layer: "water", fill: "water" },
  { layer: "river", stroke: "river", width: (zoom) => (zoom > 8 ? 2 : 1) },
  { layer: "waterway", stroke: "river", width: (zoom) => Math.max(1, (zoom - 10) / 2) },
  { layer: "building", fill: "building", least: 14 },
  { layer: "transportation", stroke: "roadEdge", width: (zoom, one) => roadWidth(zoom, one) + 2, shows: isRoad, least: 12 },
  { layer: "transportation", stroke: "road", width: roadWidth, shows: isRoad },
  { layer: "transportation", stroke: "path", width: () => 1, shows: (one) => ["path", "track"].includes(one.class), dash: [3, 2], least: 14 },
  { layer: "transportation", stroke: "rail", width: () => 1.5, shows: (one) => one.class === "rail" },
  { layer: "state", stroke: "state", width: () => 1, dash: [4, 3] },
  { layer: "border", stroke: "border", width: () => 1.5 },
  { layer: "boundary", stroke: "border", width: () => 1, shows: (one) => one.admin_level <= 4 && !one.maritime },
];

const roads = { motorway: 3, trunk: 2.6, primary: 2.2, secondary: 1.8, tertiary: 1.5, minor: 1, service: 0.7 };

function isRoad(properties) {
  return Object.hasOwn(roads, properties.class);
}

function roadWidth(zoom, properties) {
  return Math.max(0.7, roads[properties.class] * 1.45 ** (zoom - 13));
}

/**
 * Draws a tile, or the part of it that a finer zoom shows.
 * @param {CanvasRenderingContext2D} pen
 * @param {ReturnType<typeof import("./mvt.js").readTile>} layers
 * @param {{at: {parts: number, right: number, down: number}, size: number, ratio: number, zoom: number, isBase: boolean}} frame
 *   `size` in pixels of the canvas.
 */
export function drawTile(pen, layers, { at, size, ratio, zoom, isBase }) {
  const colours = palette();
  if (isBase) {
    pen.fillStyle = colours.ground;
    pen.fillRect(0, 0, size, size);
  }
  pen.lineJoin = "round";
  for (const rule of rules) {
    const layer = layers[rule.layer];
    if (!layer || zoom < (rule.least ?? 0)) continue;
    const scale = size * at.parts / layer.extent;
    const shown = rule.shows ? layer.features.filter((one) => rule.shows(one.properties)) : layer.features;
    pen.setLineDash((rule.dash ?? []).map((one) => one * ratio));
    // All of one width are one path: filling and stroking are what costs.
    for (const [width, features] of byWidth(shown, (one) => rule.width?.(zoom, one.properties) ?? 0)) {
      pen.beginPath();
      for (const feature of features) {
        if (feature.type === 1) continue;
        for (const part of feature.parts) trace(pen, part, scale, at.right * size, at.down * size, feature.type === 3);
      }
      if (rule.fill) {
        pen.fillStyle = colours[rule.fill];
        pen.fill("evenodd");
      }
      if (rule.stroke) {
        pen.strokeStyle = colours[rule.stroke];
        pen.lineWidth = width * ratio;
        pen.stroke();
      }
    }
  }
}

function trace(pen, part, scale, left, top, isClosed) {
  pen.moveTo(part[0] * scale - left, part[1] * scale - top);
  for (let at = 2; at < part.length; at += 2) pen.lineTo(part[at] * scale - left, part[at + 1] * scale - top);
  if (isClosed) pen.closePath();
}

/** Features by how wide their line is. @returns {Map<number, any[]>} */
function byWidth(features, widthOf) {
  const groups = new Map();
  for (const feature of features) {
    const width = widthOf(feature);
    if (groups.has(width)) groups.get(width).push(feature);
    else groups.set(width, [feature]);
  }
  return groups;
}
