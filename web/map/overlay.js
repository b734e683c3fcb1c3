// SPDX-License-Identifier: Apache-2.0
import { degreeStep, degreeText, east, eastWest, multiples, northSouth } from "./geo.js";
import { palette } from "./style.js";

/**
 * What lies over the tiles and is drawn for the view as a whole: the grid of degrees and the names.
 * @param {any} L Leaflet.
 * @param {(bounds: any) => {latitude: number, longitude: number, text: string, rank: number}[]} names What stands in a view, most important first.
 * @returns {any} A layer.
 */
export function overlay(L, names) {
  const Overlay = L.Layer.extend({
    onAdd(map) {
      const pane = map.getPane("names") ?? map.createPane("names");
      pane.style.zIndex = "350";
      pane.style.pointerEvents = "none";
      this._canvas = L.DomUtil.create("canvas", "names", pane);
      this._canvas.setAttribute("aria-hidden", "true");
      this.redraw();
    },
    onRemove() {
      this._canvas.remove();
    },
    getEvents() {
      return { move: this.redraw, zoomend: this.redraw, resize: this.redraw, viewreset: this.redraw };
    },
    redraw() {
      const map = this._map;
      if (!map) return;
      const size = map.getSize();
      const ratio = Math.min(2, devicePixelRatio || 1);
      const canvas = this._canvas;
      L.DomUtil.setPosition(canvas, map.containerPointToLayerPoint([0, 0]));
      canvas.width = Math.round(size.x * ratio);
      canvas.height = Math.round(size.y * ratio);
      canvas.style.width = `${size.x}px`;
      canvas.style.height = `${size.y}px`;
      const pen = canvas.getContext("2d");
      pen.scale(ratio, ratio);
      // The corner with the scale stays free.
      const taken = [[0, size.y - 26, 124, size.y]];
      drawGrid(pen, map, size, taken);
      drawNames(pen, map, size, taken, names(map.getBounds()));
    },
  });
  return new Overlay();
}

function drawGrid(pen, map, size, taken) {
  const colours = palette();
  const bounds = map.getBounds();
  const [south, north] = [Math.max(-85, bounds.getSouth()), Math.min(85, bounds.getNorth())];
  const rows = degreeStep(north - south, 2);
  const columns = degreeStep(bounds.getEast() - bounds.getWest(), 2);
  pen.strokeStyle = colours.grid;
  pen.lineWidth = 1;
  pen.font = "11px system-ui, sans-serif";
  const line = (x1, y1, x2, y2) => {
    pen.beginPath();
    pen.moveTo(x1, y1);
    pen.lineTo(x2, y2);
    pen.stroke();
  };
  for (const latitude of multiples(south, north, rows)) {
    const y = Math.round(map.latLngToContainerPoint([latitude, bounds.getWest()]).y) + 0.5;
    line(0, y, size.x, y);
    write(pen, degreeText(latitude, rows, northSouth), 4, y - 4, colours.gridText, taken, size);
  }
  for (const longitude of multiples(bounds.getWest(), bounds.getEast(), columns)) {
    const x = Math.round(map.latLngToContainerPoint([south, longitude]).x) + 0.5;
    line(x, 0, x, size.y);
    write(pen, degreeText(east(longitude), columns, eastWest), x + 4, 12, colours.gridText, taken, size);
  }
}

function drawNames(pen, map, size, taken, names) {
  const colours = palette();
  for (const { latitude, longitude, text, rank } of names) {
    const { x, y } = map.latLngToContainerPoint([latitude, longitude]);
    if (x < 0 || y < 0 || x > size.x || y > size.y) continue;
    pen.font = rank < 3 ? "600 13px system-ui, sans-serif" : "12px system-ui, sans-serif";
    if (!write(pen, text, x + 6, y + 4, colours.text, taken, size)) continue;
    pen.beginPath();
    pen.arc(x, y, rank < 3 ? 3 : 2, 0, 2 * Math.PI);
    pen.fillStyle = colours.text;
    pen.fill();
  }
}

/** Writes where nothing is written yet; says whether it did. */
function write(pen, text, x, y, colour, taken, size) {
  const wide = pen.measureText(text).width;
  // At the right edge, to the left of the spot.
  const left = x + wide > size.x - 2 ? x - wide - 12 : x;
  if (left < 0) return false;
  const box = [left - 8, y - 13, left + wide + 4, y + 5];
  if (taken.some((other) => box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3])) return false;
  taken.push(box);
  pen.lineJoin = "round";
  pen.lineWidth = 3;
  pen.strokeStyle = palette().halo;
  pen.strokeText(text, left, y);
  pen.fillStyle = colour;
  pen.fillText(text, left, y);
  pen.lineWidth = 1;
  pen.strokeStyle = palette().grid;
  return true;
}
