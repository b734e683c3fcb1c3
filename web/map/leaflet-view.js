// SPDX-License-Identifier: Apache-2.0
import { timeElement } from "../core/time.js";
import { overlay } from "./overlay.js";

/** Metres of a pixel at the equator on the smallest scale. */
const metresOfPixel = 156543.03392804097;
/** How much finer than its tiles a map may begin: further in there is land, but nothing on it. */
const finerMost = 3;
const panPixels = 80;

/** A place on a Leaflet map. */
export class LeafletView {
  #L;
  #map;
  #overlay;
  #marks;
  #fix = null;
  #isMoved = false;
  #isMoving = false;
  #sizes;
  #onScale;

  /**
   * @param {any} L Leaflet.
   * @param {HTMLElement} ground What it is drawn into.
   * @param {(zoom: number) => void} onScale Hears of every change of scale.
   */
  constructor(L, ground, onScale) {
    this.#L = L;
    this.#onScale = onScale;
    this.#map = L.map(ground, {
      zoomControl: false, attributionControl: false, scrollWheelZoom: false, tap: false, worldCopyJump: true, minZoom: 1, maxZoom: 19,
      // Nobody waits for an animation, and what is seen is always where it is said to be.
      zoomAnimation: false, fadeAnimation: false, markerZoomAnimation: false, inertia: false, keyboardPanDelta: panPixels,
    });
    this.#map.setView([0, 0], 1);
    L.control.scale({ imperial: false, maxWidth: 110 }).addTo(this.#map);
    this.#overlay = overlay(L).addTo(this.#map);
    this.#marks = L.layerGroup().addTo(this.#map);
    // The wheel scrolls the page until one has chosen the map.
    this.#map.on("focus", () => this.#map.scrollWheelZoom.enable());
    this.#map.on("blur", () => this.#map.scrollWheelZoom.disable());
    this.#map.on("movestart", () => (this.#isMoved ||= !this.#isMoving));
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
  show(fix, trail) {
    const L = this.#L;
    const at = (one) => [one.latitude, one.longitude];
    this.#fix = fix;
    this.#marks.clearLayers();
    if (fix.accuracyMetres !== undefined) L.circle(at(fix), { radius: fix.accuracyMetres, className: "accuracy", interactive: false }).addTo(this.#marks);
    if (trail.length) L.polyline([...trail, fix].map(at), { className: "trail", interactive: false }).addTo(this.#marks);
    for (const one of trail) L.circleMarker(at(one), { radius: 4, className: "earlier" }).bindTooltip(timeElement(one.at)).addTo(this.#marks);
    L.circleMarker(at(fix), { radius: 6, className: "spot", interactive: false }).addTo(this.#marks);
    if (!this.#isMoved) this.home();
  }

  /** Back to the place, on a scale that shows how exact it is and what lies around. */
  home() {
    if (!this.#fix) return;
    const { latitude, longitude, accuracyMetres = 50 } = this.#fix;
    const size = this.#map.getSize();
    const metres = Math.max(20, accuracyMetres) / (0.3 * Math.max(60, Math.min(size.x, size.y)));
    const fitting = Math.floor(Math.log2(metresOfPixel * Math.cos(latitude * Math.PI / 180) / metres));
    const zoom = Math.max(2, Math.min(17, fitting, this.#finest(latitude, longitude) + finerMost));
    this.#moving(() => this.#map.setView([latitude, longitude], zoom, { animate: false }));
    this.#isMoved = false;
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
    this.#overlay.redraw();
  }

  remove() {
    this.#sizes.disconnect();
    this.#map.remove();
  }

  #finest() {
    return Infinity;
  }

  #moving(move) {
    this.#isMoving = true;
    move();
    this.#isMoving = false;
  }
}
