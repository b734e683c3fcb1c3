// SPDX-License-Identifier: Apache-2.0
import { h } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { field } from "../../../dom/ask.js";
import { boundsOf } from "../../../map/area.js";
import "../../../map/pin-map.js";
import { placeOf, placeText } from "../../../model/agency.js";
import { hasPlace } from "../../../model/camera-set-up.js";

/** Where a camera, or something else that stays where it is, stands: by a pin on the map, or by latitude and longitude. */
export class CameraPlace {
  #map = /** @type {import("../../../map/pin-map.js").PinMap} */ (h("pin-map"));
  #field;
  #isNeeded;
  element;

  /**
   * @param {{latitude?: number | null, longitude?: number | null}} camera
   * @param {{latitude: number, longitude: number}[]} others Cameras of the site, around which the map begins.
   * @param {{isNeeded?: boolean, title?: string, hint?: string}} [options] Where it is not needed, an empty field is no place.
   */
  constructor(camera, others, { isNeeded = true, title = t("set.cameras.place"), hint = t("set.cameras.place.hint") } = {}) {
    this.#isNeeded = isNeeded;
    this.#field = field(t("set.cameras.place.text"), { required: isNeeded, placeholder: "36.8, -121.8", onchange: () => this.#write() }, hint);
    this.element = h("section", { class: "card stack padded", "aria-label": title }, h("h2", {}, title), this.#map, this.#field);
    const place = hasPlace(camera) ? { latitude: camera.latitude ?? 0, longitude: camera.longitude ?? 0 } : null;
    const around = others.filter(hasPlace).map(({ latitude, longitude }) => [longitude, latitude]);
    if (around.length) {
      const { west, south, east, north } = boundsOf([[around]]);
      this.#map.bounds = [west, south, east, north];
    }
    this.#input.value = placeText(place);
    this.#map.place = place;
    this.#map.addEventListener("pick", (/** @type {any} */ { detail: { latitude, longitude } }) => {
      this.#input.value = placeText({ latitude, longitude });
      this.#input.setCustomValidity("");
    });
  }

  /** What is sent; `null` where it has no place and needs none. Throws what is wrong with it, in words. */
  get value() {
    const place = placeOf(this.#input.value);
    if (place === undefined || (this.#isNeeded && !place)) throw new Error(t("set.cameras.place.wrong"));
    return place;
  }

  get written() {
    return this.#input.value;
  }

  get #input() {
    return this.#field.querySelector("input");
  }

  #write() {
    const place = placeOf(this.#input.value);
    this.#input.setCustomValidity(place === undefined ? t("set.cameras.place.wrong") : "");
    if (place) this.#map.place = place;
    else if (place === undefined) this.#input.reportValidity();
  }
}
