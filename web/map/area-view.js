// SPDX-License-Identifier: Apache-2.0
import { t } from "../core/i18n.js";
import { draft } from "../model/area-drawing.js";
import { besideEachOther, boundsOf } from "./area.js";
import { beside, east } from "./geo.js";
import { Ground } from "./ground.js";

/** Pixels between handles: of corners that lie closer, one has a handle until somebody has come nearer. */
const handlesApart = 24;
/** Pixels between the base and a corner's handle: it is larger. */
const baseApart = 34;
/** Pixels that an edge has at least before its middle can be taken hold of. */
const edgeLeast = 64;
/** Degrees around a base that stands alone. */
const aroundBase = 0.3;
/** Pixels that an arrow key moves a corner or the base by; with Shift, finer. */
const keyPixels = 10;
const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * An area on a Leaflet map, with handles at its corners and between them.
 *
 * @typedef {import("../model/area-drawing.js").AreaDrawing} AreaDrawing
 * @typedef {import("../model/area-drawing.js").Ref} Ref
 * @typedef {{onPress: (corner: [number, number]) => void, onFirst: () => void, onChoose: (ref: Ref | null) => void, onRemove: (ref: Ref) => void, onMissing: () => void}} Hands `onPress` where the map was pressed, `onFirst` when the
 *   first corner of the outline that is being drawn was; `onMissing` where there is no map to be drawn on.
 */
export class AreaView {
  #L;
  #ground;
  #map;
  #hands;
  #back;
  #marks;
  #sizes;
  /** @type {AreaDrawing} */
  #drawing;
  #others = [];
  #fault = null;
  /** @type {Ref | null} */
  #chosen = null;
  #handles = new Map();
  /** Where handles are, in pixels of the view, and how far others keep off. @type {{x: number, y: number, apart: number}[]} */
  #taken = [];
  #isShown = false;
  #isMoved = false;
  #isMoving = false;

  /** @param {any} L Leaflet. @param {HTMLElement} element @param {import("./tiles.js").TileSource[]} sources @param {Hands} hands */
  constructor(L, element, sources, hands) {
    [this.#L, this.#hands] = [L, hands];
    this.#ground = new Ground(L, element, sources);
    this.#map = this.#ground.map;
    // Two quick presses are two corners.
    this.#map.doubleClickZoom.disable();
    // What others have lies below what is drawn.
    this.#map.createPane("others").style.zIndex = "380";
    this.#back = L.layerGroup().addTo(this.#map);
    this.#marks = L.layerGroup().addTo(this.#map);
    // Enter comes as a press without a place.
    this.#map.on("click", ({ latlng }) => latlng && this.#press(this.#cornerOf(latlng)));
    this.#map.on("movestart", () => (this.#isMoved ||= !this.#isMoving));
    this.#map.on("moveend", () => this.#follow());
    this.#sizes = new ResizeObserver(() => {
      this.#moving(() => this.#map.invalidateSize({ animate: false, pan: true }));
      if (!this.#isMoved) this.home();
    });
    this.#sizes.observe(element);
  }

  get canPan() {
    return true;
  }

  #press(corner) {
    this.#isMoved = true;
    this.#hands.onPress(corner);
  }

  /** What lies in the middle of the map. @returns {[number, number]} */
  get centre() {
    return this.#cornerOf(this.#map.getCenter());
  }

  /** @param {{drawing: AreaDrawing, others: {name: string, polygons: import("./area.js").Polygon[]}[], fault: [number, number] | null, chosen: Ref | null}} shown `fault` is marked; the corner `chosen` stands out. */
  show({ drawing, others, fault, chosen }) {
    [this.#drawing, this.#others, this.#fault, this.#chosen] = [drawing, others, fault, chosen];
    this.#draw();
    // Only at first: what is under somebody's finger stays there.
    if (!this.#isShown) this.home();
    this.#isShown = true;
  }

  /** Puts the keyboard on a handle. @param {Ref} ref */
  focus(ref) {
    this.#handles.get(keyOf(ref))?.getElement()?.focus({ preventScroll: true });
  }

  /** All that is drawn; without that what others have; without that the world. */
  home() {
    const { polygons, draft: open, base } = this.#drawing;
    const mine = [...polygons.flat(2), ...(open?.corners ?? [])];
    const shown = mine.length || base ? mine : this.#others.flatMap((one) => besideEachOther(one.polygons, 0)).flat(2);
    const around = base ? [-1, 1].map((side) => [base.longitude + side * aroundBase, base.latitude + side * aroundBase]) : [];
    this.#moving(() => {
      if (shown.length + around.length === 0) return this.#map.setView([20, 0], 1, { animate: false });
      const { west, east: eastward, south, north } = boundsOf([[[...shown, ...(shown.length ? [base && [base.longitude, base.latitude]].filter(Boolean) : around)]]]);
      this.#map.fitBounds([[south, west], [north, eastward]], { padding: [30, 30], maxZoom: 14, animate: false });
    });
    this.#isMoved = false;
  }

  pan(right, down) {
    this.#ground.pan(right, down);
  }

  zoom(steps) {
    this.#isMoved = true;
    this.#map.setZoom(this.#map.getZoom() + steps, { animate: false });
  }

  redraw() {
    this.#ground.redraw();
  }

  remove() {
    this.#sizes.disconnect();
    this.#map.remove();
  }

  // MARK: Where the map is

  #moving(move) {
    this.#isMoving = true;
    move();
    this.#isMoving = false;
  }

  /** Who goes once around the world comes back to what is drawn; corners in view have handles. */
  #follow() {
    if (!this.#drawing) return;
    const { lat, lng } = this.#map.getCenter();
    const near = beside(lng, this.#drawing.longitude ?? 0);
    if (near !== lng) return this.#moving(() => this.#map.setView([lat, near], this.#map.getZoom(), { animate: false }));
    this.#draw();
  }

  #cornerOf({ lat, lng }) {
    const near = this.#drawing.longitude;
    const exact = (value) => Math.round(value * 1e6) / 1e6;
    return /** @type {[number, number]} */ ([exact(near === null ? east(lng) : beside(lng, near)), exact(Math.max(-85, Math.min(85, lat)))]);
  }

  // MARK: Drawing

  #draw() {
    // What is drawn anew keeps the keyboard.
    const root = /** @type {any} */ (this.#map.getContainer().getRootNode());
    const focused = [...this.#handles].find(([, handle]) => handle.getElement() && handle.getElement() === root.activeElement)?.[0];
    this.#marks.clearLayers();
    this.#back.clearLayers();
    this.#handles.clear();
    const chosen = this.#chosen && this.#drawing.cornerAt(this.#chosen);
    const { base } = this.#drawing;
    this.#taken = [chosen && { ...this.#spotOf(chosen), apart: handlesApart }, base && { ...this.#spotOf([base.longitude, base.latitude]), apart: baseApart }].filter(Boolean);
    this.#drawOthers();
    for (const [polygon, rings] of this.#drawing.polygons.entries()) {
      const shape = this.#L.polygon(rings.map(placesOf), { className: "area", interactive: false }).addTo(this.#marks);
      for (const [ring, corners] of rings.entries()) this.#drawCorners({ polygon, ring }, corners, (index, at) => shape.setLatLngs(rings.map((one, place) => placesOf(place === ring ? replaced(one, index, at) : one))));
    }
    this.#drawDraft();
    this.#drawMiddles();
    this.#drawBase();
    if (this.#fault) this.#L.circleMarker(placeOf(this.#fault), { radius: 10, className: "fault", interactive: false }).addTo(this.#marks);
    if (focused) this.#handles.get(focused)?.getElement()?.focus({ preventScroll: true });
  }

  #drawOthers() {
    const near = this.#drawing.longitude ?? 0;
    for (const { name, polygons } of this.#others) for (const rings of besideEachOther(polygons, near)) {
      const shape = this.#L.polygon(rings.map(placesOf), { className: "others", pane: "others", interactive: false }).addTo(this.#back);
      shape.bindTooltip(name, { permanent: true, direction: "center", className: "whose" });
    }
  }

  #drawDraft() {
    const corners = this.#drawing.draft?.corners ?? [];
    if (corners.length === 0) return;
    const line = this.#L.polyline(placesOf(corners), { className: "draft", interactive: false }).addTo(this.#marks);
    this.#drawCorners({ polygon: draft, ring: 0 }, corners, (index, at) => line.setLatLngs(placesOf(replaced(corners, index, at))));
  }

  #drawBase() {
    const { base } = this.#drawing;
    if (!base) return;
    const pin = this.#handle("base", [base.longitude, base.latitude], "base", t("set.area.base"));
    const move = (latlng) => {
      const [longitude, latitude] = this.#cornerOf(latlng);
      this.#drawing.setBase({ latitude, longitude: east(longitude) });
    };
    pin.on("dragend", () => afterDrag(() => move(pin.getLatLng())));
    this.#keys(pin, move, { Delete: () => this.#drawing.setBase(null) });
  }

  /** @param {{polygon: number, ring: number}} of @param {[number, number][]} corners @param {(index: number, at: [number, number]) => void} onDrag */
  #drawCorners(of, corners, onDrag) {
    const isOpen = of.polygon === draft;
    const view = this.#map.getBounds().pad(0.05);
    for (const [corner, place] of corners.entries()) {
      const ref = { ...of, corner };
      if (!view.contains(placeOf(place))) continue;
      const isFree = this.#isFree(place);
      if (!isFree && !this.#isChosen(ref) && !(isOpen && corner === 0)) continue;
      this.#corner(ref, corners, onDrag);
    }
  }

  /** Handles between corners, where these leave room. */
  #drawMiddles() {
    // Nothing is put in between while somebody draws: a press there is the next corner.
    if (this.#drawing.draft) return;
    const view = this.#map.getBounds();
    for (const [polygon, rings] of this.#drawing.polygons.entries()) for (const [ring, corners] of rings.entries()) for (const [corner, place] of corners.entries()) {
      const middle = this.#drawing.middle({ polygon, ring, corner });
      if (view.contains(placeOf(middle)) && this.#isLong(place, corners[(corner + 1) % corners.length]) && this.#isFree(middle)) this.#middle({ polygon, ring, corner });
    }
  }

  #spotOf(corner) {
    const { x, y } = this.#map.latLngToContainerPoint(placeOf(corner));
    return { x, y };
  }

  /** Whether a handle has room here, and takes it. */
  #isFree(corner) {
    const { x, y } = this.#spotOf(corner);
    if (this.#taken.some((one) => Math.abs(one.x - x) < one.apart && Math.abs(one.y - y) < one.apart)) return false;
    this.#taken.push({ x, y, apart: handlesApart });
    return true;
  }

  #isLong(from, to) {
    const [one, other] = [this.#spotOf(from), this.#spotOf(to)];
    return Math.hypot(one.x - other.x, one.y - other.y) >= edgeLeast;
  }

  #isChosen(ref) {
    return Boolean(this.#chosen) && keyOf(this.#chosen) === keyOf(ref);
  }

  #corner(ref, corners, onDrag) {
    const isFirst = ref.polygon === draft && ref.corner === 0 && corners.length > 2;
    const label = isFirst ? t("set.area.first") : t("set.area.corner", { number: ref.corner + 1, count: corners.length });
    const handle = this.#handle(keyOf(ref), corners[ref.corner], `corner${isFirst ? " first" : ""}${this.#isChosen(ref) ? " chosen" : ""}`, label);
    const at = (latlng) => this.#cornerOf(latlng);
    handle.on("drag", () => onDrag(ref.corner, at(handle.getLatLng())));
    handle.on("dragend", () => afterDrag(() => {
      this.#drawing.move(ref, at(handle.getLatLng()));
      this.#hands.onChoose(ref);
    }));
    const press = () => (isFirst ? this.#hands.onFirst() : this.#hands.onChoose(ref));
    handle.on("click", press);
    const insert = () => this.#drawing.insert(ref);
    this.#keys(handle, (latlng) => this.#drawing.move(ref, at(latlng)), { " ": press, Delete: () => this.#hands.onRemove(ref), Backspace: () => this.#hands.onRemove(ref), ...(ref.polygon === draft ? {} : { Insert: insert, "+": insert }) });
  }

  /** What becomes a corner when it is pressed or moved. */
  #middle(ref) {
    const at = this.#drawing.middle(ref);
    const handle = this.#handle(`middle ${keyOf(ref)}`, at, "middle", "", false);
    const insert = (corner) => this.#hands.onChoose(this.#drawing.insert(ref, corner));
    handle.on("click", () => insert(at));
    handle.on("dragend", () => afterDrag(() => insert(this.#cornerOf(handle.getLatLng()))));
  }

  #handle(key, corner, look, label, isFocusable = true) {
    const handle = this.#L.marker(placeOf(corner), { icon: this.#L.divIcon({ className: look, iconSize: null }), draggable: true, keyboard: isFocusable, title: label, alt: label }).addTo(this.#marks);
    this.#handles.set(key, handle);
    const element = handle.getElement();
    if (isFocusable) {
      element.setAttribute("role", "button");
      element.setAttribute("aria-label", label);
    } else element.setAttribute("aria-hidden", "true");
    return handle;
  }

  /** What keys do with a handle. @param {any} handle @param {(latlng: any) => void} move @param {Record<string, () => void>} more */
  #keys(handle, move, more) {
    handle.getElement().addEventListener("keydown", (event) => {
      const way = arrows[event.key];
      if (!way && !more[event.key]) return;
      event.preventDefault();
      event.stopPropagation();
      if (!way) return more[event.key]();
      const step = event.shiftKey ? 1 : keyPixels;
      const spot = this.#map.latLngToContainerPoint(handle.getLatLng());
      move(this.#map.containerPointToLatLng([spot.x + way[0] * step, spot.y + way[1] * step]));
    });
  }
}

/** Leaflet ends a drag anew when what is dragged goes meanwhile, and the click that follows would go to the map. @param {() => void} act */
const afterDrag = (act) => setTimeout(act, 0);

/** @param {Ref} ref */
const keyOf = ({ polygon, ring, corner }) => `${polygon} ${ring} ${corner}`;
const placeOf = ([longitude, latitude]) => [latitude, longitude];
const placesOf = (corners) => corners.map(placeOf);
const replaced = (corners, index, at) => corners.map((corner, place) => (place === index ? at : corner));
