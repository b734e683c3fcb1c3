// SPDX-License-Identifier: Apache-2.0
/**
 * An area as it is drawn, and the base of those whom it belongs to: each step can be taken back.
 *
 * @typedef {import("../map/area.js").Corner} Corner
 * @typedef {import("../map/area.js").Polygon} Polygon
 * @typedef {{latitude: number, longitude: number}} Base
 * @typedef {{polygon: number, ring: number, corner: number}} Ref A corner by its place in lists; of the outline that is being drawn, `polygon` is `draft`.
 * @typedef {{polygons: Polygon[], draft: {corners: Corner[], isHole: boolean} | null, base: Base | null}} State
 */
import { areaFaults, besideEachOther, covers, ringFault } from "../map/area.js";

/** The polygon of a corner of the outline that is being drawn. */
export const draft = -1;
/** So many steps can be taken back. */
const stepsMost = 200;

/** What is drawn. Methods that may be refused give the fault's name. */
export class AreaDrawing {
  /** @type {State} */
  #state;
  /** @type {State[]} */
  #past = [];
  #before;
  #onChange;

  /** @param {Polygon[]} polygons @param {Base | null} base @param {() => void} [onChange] Told after each step. */
  constructor(polygons, base, onChange = () => {}) {
    this.#state = { polygons: besideEachOther(polygons, base?.longitude), draft: null, base };
    this.#before = JSON.stringify(this.#state);
    this.#onChange = onChange;
  }

  get polygons() {
    return this.#state.polygons;
  }

  /** The outline that is being drawn, or `null`. */
  get draft() {
    return this.#state.draft;
  }

  get base() {
    return this.#state.base;
  }

  /** Whether it is another than at the beginning. */
  get isChanged() {
    return JSON.stringify(this.#state) !== this.#before;
  }

  get canUndo() {
    return this.#past.length > 0;
  }

  /** What is wrong with what is drawn, without the outline that is not closed yet. */
  get faults() {
    return areaFaults(this.polygons);
  }

  /** A longitude near which all is drawn, or `null` where nothing is. */
  get longitude() {
    return this.draft?.corners[0]?.[0] ?? this.polygons[0]?.[0][0][0] ?? this.base?.longitude ?? null;
  }

  /** @param {boolean} isHole */
  begin(isHole) {
    this.#set({ draft: { corners: [], isHole } });
  }

  /** Puts a corner at the end of the outline that is being drawn. @param {Corner} corner */
  add(corner) {
    const { corners, isHole } = this.draft;
    const last = corners[corners.length - 1];
    if (last?.[0] === corner[0] && last[1] === corner[1]) return;
    this.#set({ draft: { corners: [...corners, corner], isHole } });
  }

  /** Closes the outline that is being drawn; where it is refused, it goes on being drawn. @returns {import("../map/area.js").Fault | null} */
  close() {
    const { corners, isHole } = this.draft;
    const fault = ringFault(corners);
    if (fault) return fault;
    if (!isHole) {
      this.#set({ polygons: [...this.polygons, [corners]], draft: null });
      return null;
    }
    const at = this.polygons.findIndex(([outline]) => corners.every(([longitude, latitude]) => covers([[outline]], { longitude, latitude })));
    if (at < 0) return { fault: "hole" };
    const polygons = this.polygons.map((rings, index) => (index === at ? [...rings, corners] : rings));
    const [held] = areaFaults([polygons[at]]);
    if (held) return held;
    this.#set({ polygons, draft: null });
    return null;
  }

  /** Gives up the outline that is being drawn. */
  cancel() {
    this.#set({ draft: null });
  }

  /** @param {Ref} ref @returns {Corner | undefined} */
  cornerAt({ polygon, ring, corner }) {
    return this.#ring(polygon, ring)?.[corner];
  }

  /** @param {Ref} ref @param {Corner} to */
  move(ref, to) {
    this.#change(ref, (corners) => corners.map((corner, index) => (index === ref.corner ? to : corner)));
  }

  /** Puts a corner after another. @param {Ref} ref @param {Corner} [at] The middle of the edge by default. @returns {Ref} Of the new one. */
  insert(ref, at = this.middle(ref)) {
    this.#change(ref, (corners) => [...corners.slice(0, ref.corner + 1), at, ...corners.slice(ref.corner + 1)]);
    return { ...ref, corner: ref.corner + 1 };
  }

  /** The middle of the edge after a corner. @param {Ref} ref @returns {Corner} */
  middle({ polygon, ring, corner }) {
    const corners = this.#ring(polygon, ring);
    const [from, to] = [corners[corner], corners[(corner + 1) % corners.length]];
    return [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
  }

  /** Takes a corner out. A closed outline keeps three. @param {Ref} ref @returns {import("../map/area.js").Fault | null} */
  remove(ref) {
    if (ref.polygon !== draft && this.#ring(ref.polygon, ref.ring).length <= 3) return { fault: "few", polygon: ref.polygon, ring: ref.ring };
    this.#change(ref, (corners) => corners.filter((_, index) => index !== ref.corner));
    return null;
  }

  /** Takes an outline with its holes out, or one hole. @param {number} polygon @param {number} ring */
  removeRing(polygon, ring) {
    this.#set({ polygons: ring === 0 ? this.polygons.filter((_, index) => index !== polygon) : this.polygons.map((rings, index) => (index === polygon ? rings.filter((_, hole) => hole !== ring) : rings)) });
  }

  /** @param {Base | null} base */
  setBase(base) {
    this.#set({ base });
  }

  /** Takes another area in place of this one. @param {Polygon[]} polygons */
  replace(polygons) {
    this.#set({ polygons: besideEachOther(polygons, this.base?.longitude), draft: null });
  }

  undo() {
    const before = this.#past.pop();
    if (!before) return;
    this.#state = before;
    this.#onChange();
  }

  #ring(polygon, ring) {
    return polygon === draft ? this.draft?.corners : this.polygons[polygon]?.[ring];
  }

  #change({ polygon, ring }, act) {
    if (polygon === draft) return this.#set({ draft: { ...this.draft, corners: act(this.draft.corners) } });
    this.#set({ polygons: this.polygons.map((rings, index) => (index === polygon ? rings.map((corners, place) => (place === ring ? act(corners) : corners)) : rings)) });
  }

  #set(members) {
    this.#past = [...this.#past, this.#state].slice(-stepsMost);
    this.#state = { ...this.#state, ...members };
    this.#onChange();
  }
}
