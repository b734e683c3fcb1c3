// SPDX-License-Identifier: Apache-2.0
import { h, refill } from "../core/dom.js";
import { plusCode } from "../core/plus-code.js";
import { timeElement } from "../core/time.js";
import { CamerasNearby } from "../dom/cameras-nearby.js";
import "../map/place-map.js";
import { measuredWords } from "../model/fix.js";
import { copy } from "./copy.js";
import { placesOf } from "./incident.js";

const lacks = { denied: "The caller's device did not allow it.", timeout: "The device could not find it in time.", stale: "The answer came too late." };
/** So many earlier places, and failures to find one, stand below the map. */
const earlierMost = 5;

/** Where the callers of an incident are: the map, its words, and what else their devices told. */
export class PlacePane {
  #map = h("place-map", { fills: true });
  #cameras;
  #nearby = h("div", {});
  #earlier = h("div", { class: "earlier-places" });
  element = h("section", { class: "where-is", "aria-label": "Where the caller is" }, this.#map, this.#nearby, this.#earlier);
  /** Whether anything was told, be it that nothing could be found. */
  isKnown = false;

  /** @param {import("../core/api.js").API} api */
  constructor(api) {
    this.#cameras = new CamerasNearby(api);
  }

  /** @param {any} detail The session that is shown. @param {any[]} others The other sessions of its incident. */
  show(detail, others) {
    const shown = placesOf(detail, others);
    this.isKnown = shown.places.length > 0;
    this.#map.whose = shown.whose;
    this.#map.others = shown.others;
    this.#map.places = shown.places;
    const { fix, at } = this.#map.place ?? {};
    refill(this.#nearby, [fix, at], () => fix && this.#cameras.list(fix, at));
    // The newest one with a place is told beside the map.
    const rest = shown.places.filter((place) => place !== this.#map.place).slice(0, earlierMost);
    refill(this.#earlier, rest, () => rest.map(told));
  }
}

function told({ fix, unavailable, at, method }) {
  if (!fix) return h("div", { class: "place" }, h("p", {}, lacks[unavailable] ?? "Erased."), h("p", { class: "small soft" }, timeElement(at)));
  const { latitude, longitude, accuracyMetres } = fix;
  const text = `${latitude.toFixed(6)}, ${longitude.toFixed(6)}`;
  const measured = measuredWords(fix, at);
  return h("div", { class: "place" },
    h("p", { class: "figures" }, h("strong", {}, text)),
    h("p", { class: "small" }, "Plus Code ", h("code", {}, plusCode(latitude, longitude)), accuracyMetres !== undefined && ` · to ${Math.round(accuracyMetres)} m`),
    h("p", { class: "row small soft" }, timeElement(at), method, measured && h("span", { class: "chip warn" }, measured), h("button", { type: "button", class: "plain small", onclick: () => copy(text) }, "Copy")));
}
