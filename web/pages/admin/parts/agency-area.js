// SPDX-License-Identifier: Apache-2.0
import { fill, focusIfLost, h } from "../../../core/dom.js";
import { numeral, t } from "../../../core/i18n.js";
import { field } from "../../../dom/ask.js";
import { areaOf, featureText, multiPolygon, overlaps, pointsMost, readArea, squareMetres } from "../../../map/area.js";
import "../../../map/area-map.js";
import { beside, east } from "../../../map/geo.js";
import { fileName, placeOf, placeText } from "../../../model/agency.js";
import { AreaDrawing, draft } from "../../../model/area-drawing.js";

/** Where an agency is responsible: its area and its base, drawn on a map or written as text. */
export class AgencyArea {
  #others;
  #onChange;
  #drawing;
  /** @type {import("../../../model/area-drawing.js").Ref | null} */
  #chosen = null;
  #isPlacing = false;
  /** Whether there is a map to draw on. */
  #hasMap = true;
  /** What was refused last, until something else is done. @type {import("../../../map/area.js").Fault | null} */
  #refused = null;
  #map = /** @type {import("../../../map/area-map.js").AreaMap} */ (h("area-map"));
  #tools = h("div", { class: "row tools", role: "group", "aria-label": t("set.area.tools") });
  #hint = h("p", { class: "small", role: "status" });
  #corner = h("div", { class: "row corner-fields" });
  #faults = h("ul", { class: "stack", "aria-live": "polite" });
  #overlaps = h("p", { class: "small soft", role: "status" });
  #outlines = h("ul", { class: "stack outlines" });
  #base = field(t("set.area.base.text"), { placeholder: "36.8, -121.8", onkeydown: enterWrites, onchange: ({ target }) => this.#writeBase(target) }, t("set.area.base.hint"));
  #text = h("textarea", { rows: "6", class: "mono", spellcheck: "false", "aria-label": t("set.area.text.label") });
  #textFaults = h("div", { class: "stack", "aria-live": "polite" });
  element;

  /** @param {import("../../../model/agency.js").Agency | null} agency @param {import("../../../model/agency.js").Agency[]} others @param {() => void} onChange Told after each step. */
  constructor(agency, others, onChange) {
    this.#onChange = onChange;
    this.#others = others.filter(({ area }) => area).map(({ name, area }) => ({ name, polygons: areaOf(area).polygons }));
    this.#drawing = new AreaDrawing(agency?.area ? areaOf(agency.area).polygons : [], agency?.base ?? null, () => this.#changed());
    this.#map.hands = { onPress: (corner) => this.#press(corner), onFirst: () => this.#close(), onChoose: (ref) => this.#choose(ref), onRemove: (ref) => this.#remove(ref), onMissing: () => this.#miss() };
    this.element = h("section", { class: "card stack padded", "aria-label": t("set.area") }, h("h2", {}, t("set.area")), h("p", { class: "small soft" }, t("set.area.about")), this.#tools, this.#hint, this.#map, this.#corner, this.#faults, this.#outlines, this.#overlaps,
      this.#base, h("details", { ontoggle: ({ target }) => target.open && this.#showText() }, h("summary", {}, t("set.area.text")), h("div", { class: "stack as-text" }, h("p", { class: "small soft" }, t("set.area.text.about", { most: numeral(pointsMost) })), this.#text, this.#textFaults,
        h("div", { class: "row" }, h("button", { type: "button", onclick: () => this.#take() }, t("set.area.text.take")), h("button", { type: "button", onclick: () => this.#download() }, t("set.area.download"))))));
    this.#changed();
  }

  /** What is drawn, to see whether it is another than before. */
  get written() {
    return JSON.stringify([this.#drawing.polygons, this.#drawing.draft, this.#drawing.base]);
  }

  /** What is sent. Throws what is wrong with it, in words. */
  get value() {
    const input = this.#base.querySelector("input");
    if (placeOf(input.value) === undefined) throw new Error(t("set.area.base.wrong"));
    if (this.#drawing.draft) throw new Error(t("set.area.unclosed"));
    const [fault] = this.#drawing.faults;
    if (fault) throw new Error(faultWords(fault));
    const area = multiPolygon(this.#drawing.polygons);
    const [cut] = area ? areaOf(area).faults : [];
    if (cut) throw new Error(faultWords(cut));
    return { area, base: this.#drawing.base };
  }

  /** Without a map there is nothing to draw on; text remains. */
  #miss() {
    this.#hasMap = false;
    this.#show();
  }

  // MARK: What hands do

  #press(corner) {
    if (this.#isPlacing) {
      this.#isPlacing = false;
      this.#drawing.setBase({ latitude: corner[1], longitude: east(corner[0]) });
    } else if (this.#drawing.draft) this.#drawing.add(corner);
    else this.#choose(null);
  }

  #begin(isHole) {
    this.#isPlacing = false;
    this.#drawing.begin(isHole);
  }

  #close() {
    this.#refused = null;
    const fault = this.#drawing.close();
    if (fault) {
      this.#refused = fault;
      this.#show();
    }
  }

  #choose(ref) {
    this.#chosen = ref;
    this.#show();
    if (ref) this.#map.focusCorner(ref);
  }

  #remove(ref) {
    this.#refused = null;
    const fault = this.#drawing.remove(ref);
    if (!fault) return;
    this.#refused = fault;
    this.#show();
  }

  #writeBase(input) {
    const place = placeOf(input.value);
    input.setCustomValidity(place === undefined ? t("set.area.base.wrong") : "");
    if (place === undefined) return input.reportValidity();
    if (JSON.stringify(place) === JSON.stringify(this.#drawing.base)) return;
    this.#drawing.setBase(place);
    // Who writes where it is has not led the map there.
    this.#map.home();
  }

  // MARK: As text

  #geometry() {
    return this.#drawing.faults.length ? null : multiPolygon(this.#drawing.polygons);
  }

  #showText() {
    const area = this.#geometry();
    this.#text.value = area ? JSON.stringify(area) : "";
    fill(this.#textFaults);
  }

  #take() {
    const { polygons, faults } = readArea(this.#text.value);
    fill(this.#textFaults, faults.map((fault) => h("p", { class: "notice bad" }, faultWords(fault))), faults.length === 0 && h("p", { class: "notice good" }, t("set.area.text.taken", { count: polygons.length })));
    if (faults.length) return;
    this.#drawing.replace(polygons);
    this.#map.home();
  }

  #download() {
    const area = this.#geometry();
    if (!area) return fill(this.#textFaults, h("p", { class: "notice bad" }, t("set.area.download.none")));
    const { name = "" } = Object.fromEntries(new FormData(/** @type {HTMLFormElement} */ (this.element.closest("form"))));
    const address = URL.createObjectURL(new Blob([featureText(area, String(name))], { type: "application/geo+json" }));
    h("a", { href: address, download: fileName(String(name)) }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  }

  // MARK: What is shown

  #changed() {
    this.#refused = null;
    if (this.#chosen && !this.#drawing.cornerAt(this.#chosen)) this.#chosen = null;
    const input = this.#base.querySelector("input");
    if (input !== document.activeElement || placeOf(input.value) !== undefined) input.value = placeText(this.#drawing.base);
    input.setCustomValidity("");
    const mine = this.#drawing.faults.length ? [] : this.#drawing.polygons;
    const over = mine.length ? this.#others.filter(({ polygons }) => overlaps(mine, polygons)).map(({ name }) => name) : [];
    this.#overlaps.textContent = over.length ? t("set.area.overlaps", { names: over.join(", ") }) : "";
    this.#show();
    this.#onChange();
  }

  #show() {
    const drawing = this.#drawing;
    const faults = this.#refused ? [this.#refused, ...drawing.faults] : drawing.faults;
    this.#map.shown = { drawing, others: this.#others, fault: faults.find(({ at }) => at)?.at ?? null, chosen: this.#chosen, isAsking: Boolean(drawing.draft) || this.#isPlacing };
    fill(this.#faults, faults.map((fault) => h("li", { class: "notice bad" }, faultWords(fault))));
    fill(this.#hint, t(this.#isPlacing ? "set.area.hint.base" : drawing.draft ? "set.area.hint.draw" : !this.#hasMap ? "set.area.hint.text" : drawing.polygons.length ? "set.area.hint.change" : "set.area.hint.begin"));
    this.#showTools();
    this.#showCorner();
    this.#showOutlines();
  }

  #showTools() {
    const drawing = this.#drawing;
    const button = (name, act, look = "", disabled = false) => h("button", { type: "button", class: look, disabled, dataset: { key: name }, onclick: act }, t(`set.area.${name}`));
    const drawn = () => [button("here", () => this.#map.pressCentre()), button("close", () => this.#close(), "primary", drawing.draft.corners.length < 3), button("cancel", () => drawing.cancel())];
    const placed = () => [button("here-base", () => this.#map.pressCentre(), "primary"), button("leave-base", () => this.#place(false))];
    const idle = () => this.#hasMap && [button("draw", () => this.#begin(false)), button("draw-hole", () => this.#begin(true), "", drawing.polygons.length === 0), button(drawing.base ? "move-base" : "set-base", () => this.#place(true))];
    const key = this.#tools.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement).dataset.key : null;
    fill(this.#tools, this.#isPlacing ? placed() : drawing.draft ? drawn() : idle(), button("undo", () => drawing.undo(), "", !drawing.canUndo));
    // The keyboard stays at its button, or goes to the first: never out of the form.
    if (key) {
      const same = [...this.#tools.children].find((one) => one.dataset.key === key && !one.disabled);
      (same ?? [...this.#tools.children].find((one) => !one.disabled))?.focus({ preventScroll: true });
    }
  }

  #place(isPlacing) {
    this.#isPlacing = isPlacing;
    this.#show();
  }

  /** The chosen corner as text, for who does not drag. */
  #showCorner() {
    const corner = this.#chosen && this.#drawing.cornerAt(this.#chosen);
    if (!corner) return void fill(this.#corner);
    const ref = /** @type {import("../../../model/area-drawing.js").Ref} */ (this.#chosen);
    const number = ref.corner + 1;
    const name = ref.polygon === draft ? t("set.area.of-draft", { number }) : t("set.area.of", { number, where: ringName(ref.polygon, ref.ring) });
    const input = h("input", { value: placeText({ latitude: corner[1], longitude: corner[0] }), onkeydown: enterWrites, onchange: ({ target }) => {
      const place = placeOf(target.value);
      target.setCustomValidity(place ? "" : t("set.area.base.wrong"));
      if (place) this.#drawing.move(ref, [beside(place.longitude, corner[0]), place.latitude]);
      else target.reportValidity();
    } });
    const hadFocus = this.#corner.contains(document.activeElement);
    fill(this.#corner, h("label", { class: "grow" }, name, input), h("button", { type: "button", onclick: () => this.#remove(ref) }, t("set.area.remove-corner")),
      ref.polygon !== draft && h("button", { type: "button", onclick: () => this.#choose(this.#drawing.insert(ref)) }, t("set.area.insert")));
    if (hadFocus) input.focus({ preventScroll: true });
  }

  #showOutlines() {
    const row = (polygon, ring, words) => h("li", { class: "row" }, h("span", { class: "grow" }, words), h("button", { type: "button", onclick: () => this.#removeRing(polygon, ring) }, t("set.area.remove", { name: ringName(polygon, ring) })));
    fill(this.#outlines, this.#drawing.polygons.flatMap((rings, polygon) => rings.map((corners, ring) => row(polygon, ring,
      t("set.area.outline", { name: ringName(polygon, ring), count: corners.length, size: sizeText(squareMetres(ring === 0 ? rings : [corners])) })))));
  }

  #removeRing(polygon, ring) {
    this.#drawing.removeRing(polygon, ring);
    focusIfLost(this.#tools.querySelector("button") ?? this.#text);
  }
}

/** Enter takes what is written in a field, and sends nothing. */
function enterWrites(event) {
  if (!/^Enter$/.test(event.key)) return;
  event.preventDefault();
  event.target.dispatchEvent(new Event("change"));
}

const ringName = (polygon, ring) => (ring === 0 ? t("set.area.name", { number: polygon + 1 }) : t("set.area.hole-of", { number: polygon + 1, hole: ring }));

/** A size for people, in square kilometres. */
const sizeText = (squared) => numeral(squared / 1e6, squared < 1e7 ? 1 : 0);

/** What is wrong with an area, and what to do. @param {import("../../../map/area.js").Fault} fault */
function faultWords({ fault, polygon, ring, at, count, type }) {
  const where = polygon === undefined ? t("set.area.outline-here") : ringName(polygon, ring ?? 0);
  return t(`set.area.fault.${fault}`, { where, at: at ? `${numeral(at[1], 4)}, ${numeral(at[0], 4)}` : "", count: numeral(count ?? 0), most: numeral(pointsMost), type: type ?? "" });
}
