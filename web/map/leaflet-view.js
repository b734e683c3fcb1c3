// SPDX-License-Identifier: Apache-2.0
import { h } from "../core/dom.js";
import { timeElement } from "../core/time.js";
import { measuredWords } from "../model/fix.js";
import { beside, isWalk, unwrapped } from "./geo.js";
import { overlay } from "./overlay.js";
import { namesIn, rasterLayer, vectorLayer } from "./vector-layer.js";

/** Metres of a pixel at the equator on the smallest scale. */
const metresOfPixel = 156543.03392804097;
/** How much finer than its tiles a map may begin: further in there is land, but nothing on it. */
const finerMost = 2;
const panPixels = 80;

/** A place on a Leaflet map. */
export class LeafletView {
  #L;
  #map;
  #overlay;
  #sources;
  #layers;
  #marks;
  #fix = null;
  #trail = [];
  #others = [];
  /** The longitude at which the place is drawn: in the copy of the world that is in view. */
  #longitude = 0;
  #isMoved = false;
  #isMoving = false;
  #sizes;
  #onScale;

  /**
   * @param {any} L Leaflet.
   * @param {HTMLElement} ground What it is drawn into.
   * @param {import("./tiles.js").TileSource[]} sources The maps, the lowest first.
   * @param {(zoom: number) => void} onScale Hears of every change of scale.
   */
  constructor(L, ground, sources, onScale) {
    this.#L = L;
    this.#sources = sources;
    this.#onScale = onScale;
    this.#map = L.map(ground, {
      zoomControl: false, attributionControl: false, scrollWheelZoom: false, tap: false, minZoom: 1, maxZoom: 19,
      // Nobody waits for an animation, and what is seen is always where it is said to be.
      zoomAnimation: false, fadeAnimation: false, markerZoomAnimation: false, inertia: false, keyboardPanDelta: panPixels,
    });
    this.#map.setView([0, 0], 1);
    L.control.scale({ imperial: false, maxWidth: 110 }).addTo(this.#map);
    const base = sources.find((source) => source.isVector);
    this.#layers = sources.map((source) => (source.isVector ? vectorLayer(L, source, { isBase: source === base }) : rasterLayer(L, source)).addTo(this.#map));
    this.#overlay = overlay(L, (bounds) => sources.filter((one) => one.isVector).flatMap((one) => namesIn(one, bounds, this.#map.getZoom()))).addTo(this.#map);
    for (const layer of this.#layers) layer.on("tileload load", () => this.#overlay.redraw());
    this.#marks = L.layerGroup().addTo(this.#map);
    // The wheel scrolls the page until one has chosen the map.
    this.#map.on("focus", () => this.#map.scrollWheelZoom.enable());
    this.#map.on("blur", () => this.#map.scrollWheelZoom.disable());
    this.#map.on("movestart", () => (this.#isMoved ||= !this.#isMoving));
    this.#map.on("moveend", () => this.#follow());
    this.#map.on("zoomend", () => this.#onScale(this.#map.getZoom()));
    this.#sizes = new ResizeObserver(() => {
      this.#moving(() => this.#map.invalidateSize({ animate: false, pan: true }));
      if (!this.#isMoved) this.home();
    });
    this.#sizes.observe(ground);
  }

  get canPan() {
    return true;
  }

  /** Shows where somebody is, and was; a map that was moved by hand stays where it is. */
  show(fix, trail, others = []) {
    [this.#fix, this.#trail, this.#others] = [fix, trail, others];
    this.#draw();
    if (!this.#isMoved) this.home();
  }

  /** The marks are there once: in the copy of the world to which the map was moved. */
  #follow() {
    if (this.#fix && this.#longitude !== this.#longitudeInView()) this.#draw();
  }

  #longitudeInView() {
    return beside(this.#fix.longitude, this.#map.getCenter().lng);
  }

  #draw() {
    const L = this.#L;
    const at = (one) => [one.latitude, one.longitude];
    this.#longitude = this.#longitudeInView();
    const way = unwrapped([...this.#trail, { ...this.#fix, longitude: this.#longitude }]);
    const [earlier, fix] = [way.slice(0, -1), way[way.length - 1]];
    const others = this.#others.map((one) => ({ ...one, fix: { ...one.fix, longitude: beside(one.fix.longitude, this.#longitude) } }));
    this.#marks.clearLayers();
    if (fix.accuracyMetres !== undefined) L.circle(at(fix), { radius: fix.accuracyMetres, className: "accuracy", interactive: false }).addTo(this.#marks);
    if (isWalk(way)) L.polyline(way.map(at), { className: "trail", interactive: false }).addTo(this.#marks);
    for (const one of earlier) L.circleMarker(at(one), { radius: 4, className: "earlier" }).bindTooltip(timeOf(one)).addTo(this.#marks);
    for (const one of others) L.circleMarker(at(one.fix), { radius: 6, className: "other" }).bindTooltip(one.name, { permanent: true, direction: "top", offset: [0, -6] }).addTo(this.#marks);
    L.circleMarker(at(fix), { radius: 6, className: "spot", interactive: false }).addTo(this.#marks);
  }

  /** Back to the place, on a scale that shows what lies around: no finer than the maps bear. */
  home() {
    if (!this.#fix) return;
    this.#go(Math.min(this.#fitting(), this.#finest(this.#fix.latitude, this.#fix.longitude) + finerMost));
    this.#isMoved = false;
  }

  /** The place on a scale that shows how exact it is. */
  closeUp() {
    this.#go(this.#fitting());
    this.#isMoved = true;
  }

  /** The zoom at which the circle takes three fifths of the smaller side. */
  #fitting() {
    const { latitude, accuracyMetres = 50 } = this.#fix;
    const size = this.#map.getSize();
    const metres = Math.max(20, accuracyMetres) / (0.3 * Math.max(60, Math.min(size.x, size.y)));
    return Math.floor(Math.log2(metresOfPixel * Math.cos(latitude * Math.PI / 180) / metres));
  }

  #go(zoom) {
    this.#moving(() => this.#map.setView([this.#fix.latitude, this.#fix.longitude], Math.max(2, Math.min(18, zoom)), { animate: false }));
    this.#onScale(this.#map.getZoom());
  }

  pan(right, down) {
    this.#map.panBy([right * panPixels, down * panPixels], { animate: false });
  }

  zoom(steps) {
    this.#isMoved = true;
    this.#map.setZoom(this.#map.getZoom() + steps, { animate: false });
  }

  /** Draws anew, in the colours of now. */
  redraw() {
    for (const layer of this.#layers) layer.redraw();
    this.#overlay.redraw();
  }

  remove() {
    this.#sizes.disconnect();
    this.#map.remove();
  }

  /** The finest zoom of the maps that know a place; without one, the grid of degrees serves on every scale. */
  #finest(latitude, longitude) {
    const zooms = this.#sources.filter((source) => source.covers({ latitude, longitude })).map((source) => source.item.maxzoom);
    return zooms.length ? Math.max(...zooms) : Infinity;
  }

  #moving(move) {
    this.#isMoving = true;
    move();
    this.#isMoving = false;
  }
}

/** When a place was told, and how old it was then where it was not new. */
function timeOf(one) {
  const measured = measuredWords(one, one.at);
  return h("span", {}, timeElement(one.at), measured && ` · ${measured}`);
}
