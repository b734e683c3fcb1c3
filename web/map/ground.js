// SPDX-License-Identifier: Apache-2.0
import { overlay } from "./overlay.js";
import { namesIn, rasterLayer, vectorLayer } from "./vector-layer.js";

const panPixels = 80;

/** A Leaflet map of what this machine has of the world: its tiles, names, a grid of degrees and a scale. What is shown on it is drawn by others. */
export class Ground {
  #sources;
  #layers;
  #overlay;
  /** Leaflet's map. */
  map;

  /**
   * @param {any} L Leaflet.
   * @param {HTMLElement} element What it is drawn into.
   * @param {import("./tiles.js").TileSource[]} sources The maps, the lowest first.
   */
  constructor(L, element, sources) {
    this.#sources = sources;
    this.map = L.map(element, {
      zoomControl: false, attributionControl: false, scrollWheelZoom: false, tap: false, minZoom: 1, maxZoom: 19,
      // Nobody waits for an animation, and what is seen is always where it is said to be.
      zoomAnimation: false, fadeAnimation: false, markerZoomAnimation: false, inertia: false, keyboardPanDelta: panPixels,
    });
    this.map.setView([0, 0], 1);
    L.control.scale({ imperial: false, maxWidth: 110 }).addTo(this.map);
    const base = sources.find((source) => source.isVector);
    this.#layers = sources.map((source) => (source.isVector ? vectorLayer(L, source, { isBase: source === base }) : rasterLayer(L, source)).addTo(this.map));
    this.#overlay = overlay(L, (bounds) => sources.filter((one) => one.isVector).flatMap((one) => namesIn(one, bounds, this.map.getZoom()))).addTo(this.map);
    for (const layer of this.#layers) layer.on("tileload load", () => this.#overlay.redraw());
    // The wheel scrolls the page until one has chosen the map.
    this.map.on("focus", () => this.map.scrollWheelZoom.enable());
    this.map.on("blur", () => this.map.scrollWheelZoom.disable());
  }

  pan(right, down) {
    this.map.panBy([right * panPixels, down * panPixels], { animate: false });
  }

  /** The finest zoom of the maps that know a place; without one, the grid of degrees serves on every scale. */
  finest(latitude, longitude) {
    const zooms = this.#sources.filter((source) => source.covers({ latitude, longitude })).map((source) => source.item.maxzoom);
    return zooms.length ? Math.max(...zooms) : Infinity;
  }

  /** Draws anew, in the colours of now. */
  redraw() {
    for (const layer of this.#layers) layer.redraw();
    this.#overlay.redraw();
  }
}

/** Who is to be named for the maps; that may be given as HTML, and here it is a text. @param {import("./tiles.js").TileSource[]} sources */
export function creditOf(sources) {
  const named = sources.map(({ item }) => new DOMParser().parseFromString(item.attribution ?? "", "text/html").body.textContent.trim());
  return [...new Set(named)].filter(Boolean).join(" · ");
}
