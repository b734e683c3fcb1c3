// SPDX-License-Identifier: Apache-2.0
import { h, icon } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { timeElement } from "../core/time.js";
import { measuredWords } from "../model/fix.js";
import { beside, east, isWalk, unwrapped } from "./geo.js";
import { Ground } from "./ground.js";

/** Metres of a pixel at the equator on the smallest scale. */
const metresOfPixel = 156543.03392804097;
/** How much finer than its tiles a map may begin: further in there is land, but nothing on it. */
const finerMost = 2;
/** A press on an arrow moves the pin by so much, and a finger puts it down as exactly. */
const nudgePixels = 10;
/** On a map coarser than this a tap comes closer, by so many steps. */
const coarseMetres = 100;
const closerSteps = 3;
/** What a pin is put down on is not known better than this, in metres. */
const pickedLeast = 5;
/** Among so many places each has its name beside it all the time; of more, names would lie over marks. */
const namedMost = 3;
/** No finer than this the places of an overview are shown. */
const overviewZoomMost = 12;

/** A place on a Leaflet map. */
export class LeafletView {
  #L;
  #sources;
  #ground;
  #map;
  #marks;
  #fix = null;
  #trail = [];
  #others = [];
  /** What `overlook` shows. @type {number[] | null} */
  #bounds = null;
  /** Of an overview: what a press on a place does. @type {((id: string) => void) | null} */
  #onOpen = null;
  /** The longitude at which the place is drawn: in the copy of the world that is in view. */
  #longitude = 0;
  #isMoved = false;
  #isMoving = false;
  #sizes;
  #onScale;
  #onPick;

  /**
   * @param {any} L Leaflet.
   * @param {HTMLElement} ground What it is drawn into.
   * @param {import("./tiles.js").TileSource[]} sources The maps, the lowest first.
   * @param {(zoom: number) => void} onScale Hears of every change of scale.
   * @param {((place: {latitude: number, longitude: number, accuracyMetres: number}) => void) | null} [onPick] Where it is given, the place is a pin that can be moved; it hears
   *   where the pin was put.
   */
  constructor(L, ground, sources, onScale, onPick = null) {
    this.#L = L;
    this.#onScale = onScale;
    this.#onPick = onPick;
    this.#sources = sources;
    this.#ground = new Ground(L, ground, sources);
    this.#map = this.#ground.map;
    this.#marks = L.layerGroup().addTo(this.#map);
    this.#map.on("movestart", () => (this.#isMoved ||= !this.#isMoving));
    this.#map.on("moveend", () => this.#follow());
    if (onPick) this.#map.on("click", ({ latlng }) => this.#tapped(latlng));
    this.#map.on("zoomend", () => this.#onScale(this.#map.getZoom()));
    this.#sizes = new ResizeObserver(() => {
      this.#moving(() => this.#map.invalidateSize({ animate: false, pan: true }));
      if (this.#isMoved) return;
      if (this.#onPick && !this.#fix) this.overlook();
      else this.home();
    });
    this.#sizes.observe(ground);
  }

  get canPan() {
    return true;
  }

  /** Shows where somebody is, and was; a map that was moved by hand stays where it is. With `onOpen` the first place and the others are equals, and a press on one is told. */
  show(fix, trail, others = [], onOpen = null) {
    [this.#fix, this.#trail, this.#others, this.#onOpen] = [fix, trail, others, onOpen];
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
    if (this.#onOpen) return this.#drawEquals([...others.slice().reverse(), { id: fix.id, name: fix.name, isUrgent: fix.isUrgent, fix }]);
    if (fix.accuracyMetres !== undefined) L.circle(at(fix), { radius: fix.accuracyMetres, className: "accuracy", interactive: false }).addTo(this.#marks);
    if (isWalk(way)) L.polyline(way.map(at), { className: "trail", interactive: false }).addTo(this.#marks);
    for (const one of earlier) L.circleMarker(at(one), { radius: 4, className: "earlier" }).bindTooltip(timeOf(one)).addTo(this.#marks);
    for (const one of others) L.circleMarker(at(one.fix), { radius: 6, className: "other" }).bindTooltip(one.name, { permanent: true, direction: "top", offset: [0, -6] }).addTo(this.#marks);
    if (this.#onPick) this.#pinAt(at(fix));
    else L.circleMarker(at(fix), { radius: 6, className: "spot", interactive: false }).addTo(this.#marks);
  }

  #pinAt(spot) {
    const picture = this.#L.divIcon({ className: "pin", html: h("span", {}, icon("pin")), iconSize: [48, 48], iconAnchor: [24, 46] });
    const pin = this.#L.marker(spot, { icon: picture, draggable: true, autoPan: true, keyboard: false, alt: t("pin") });
    pin.on("dragend", () => this.#pick(pin.getLatLng())).addTo(this.#marks);
  }

  #pick(latlng) {
    this.#isMoved = true;
    this.#onPick(this.#placeOf(latlng));
  }

  /** A tap on a coarse map also comes closer, so that the next one is exact. */
  #tapped(latlng) {
    this.#pick(latlng);
    if (this.#placeOf(latlng).accuracyMetres > coarseMetres) this.#moving(() => this.#map.setZoomAround(latlng, Math.min(18, this.#map.getZoom() + closerSteps), { animate: false }));
  }

  #placeOf({ lat, lng }) {
    const metres = (metresOfPixel * Math.cos(lat * Math.PI / 180) * nudgePixels) / 2 ** this.#map.getZoom();
    return { latitude: Number(lat.toFixed(6)), longitude: Number(east(lng).toFixed(6)), accuracyMetres: Math.max(pickedLeast, Math.round(metres)) };
  }

  /** The place in the middle of what is seen, as exact as its scale. */
  middle() {
    this.#isMoved = true;
    return this.#placeOf(this.#map.getCenter());
  }

  /** Moves the pin by some pixels. */
  nudge(right, down) {
    const from = this.#map.latLngToContainerPoint([this.#fix.latitude, this.#longitude]);
    const to = this.#map.containerPointToLatLng([from.x + right * nudgePixels, from.y + down * nudgePixels]);
    this.#pick(to);
    if (!this.#map.getBounds().contains(to)) this.#moving(() => this.#map.panTo(to, { animate: false }));
  }

  /** Shows where somebody begins who has no place yet: within some bounds, or what the smallest map covers. @param {number[] | null} [bounds] West, south, east, north. */
  overlook(bounds = this.#bounds) {
    this.#bounds = bounds;
    const sizeOf = ([west, south, east, north]) => (east - west) * (north - south);
    const [smallest] = this.#sources.map(({ item }) => item.bounds).sort((one, other) => sizeOf(one) - sizeOf(other));
    const [west, south, east, north] = bounds ?? smallest ?? [-180, -60, 180, 70];
    // The bounds may be one place.
    this.#moving(() => this.#map.fitBounds([[south, west], [north, east]], { animate: false, ...(bounds && { maxZoom: overviewZoomMost }) }));
  }

  /** @param {{id: string, name: string, isUrgent?: boolean, fix: any}[]} places The first of the list last, above the others. */
  #drawEquals(places) {
    const L = this.#L;
    const permanent = places.length <= namedMost;
    for (const { id, name, isUrgent, fix } of places)
      L.circleMarker([fix.latitude, fix.longitude], { radius: 12, className: isUrgent ? "spot" : "other" }).bindTooltip(name, { permanent, direction: "top", offset: [0, -12] }).on("click", () => this.#onOpen?.(id)).addTo(this.#marks);
  }

  /** Back to the place, on a scale that shows what lies around: no finer than the maps bear. */
  home() {
    if (!this.#fix) return;
    if (this.#onOpen) return this.#showAll();
    this.#go(Math.min(this.#fitting(), this.#ground.finest(this.#fix.latitude, this.#fix.longitude) + finerMost));
    this.#isMoved = false;
  }

  #showAll() {
    const { x, y } = this.#map.getSize();
    // A map that is not seen has no scale; it comes with its size.
    if (!x || !y) return;
    const padding = Math.min(48, x / 4, y / 4);
    const places = [this.#fix, ...this.#others.map(({ fix }) => ({ ...fix, longitude: beside(fix.longitude, this.#fix.longitude) }))];
    this.#moving(() => this.#map.fitBounds(places.map((one) => [one.latitude, one.longitude]), { animate: false, padding: [padding, padding], maxZoom: overviewZoomMost }));
    this.#onScale(this.#map.getZoom());
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
    this.#ground.pan(right, down);
  }

  zoom(steps) {
    this.#isMoved = true;
    this.#map.setZoom(this.#map.getZoom() + steps, { animate: false });
  }

  /** Draws anew, in the colours of now. */
  redraw() {
    this.#ground.redraw();
    if (this.#fix) this.#draw();
  }

  remove() {
    this.#sizes.disconnect();
    this.#map.remove();
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
