// SPDX-License-Identifier: Apache-2.0
import { h } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { field } from "../../../dom/ask.js";
import { boundsOf } from "../../../map/area.js";
import "../../../map/pin-map.js";
import { placeOf, placeText } from "../../../model/agency.js";
import { hasPlace } from "../../../model/camera-set-up.js";

/** Where a camera is: by a pin on the map, or by latitude and longitude. */
export class CameraPlace {
  #map = /** @type {import("../../../map/pin-map.js").PinMap} */ (h("pin-map"));
  #field = field(t("set.cameras.place.text"), { required: true, placeholder: "36.8, -121.8", onchange: () => this.#write() }, t("set.cameras.place.hint"));
  element = h("section", { class: "card stack padded", "aria-label": t("set.cameras.place") }, h("h2", {}, t("set.cameras.place")), this.#map, this.#field);

  /** @param {{latitude?: number, longitude?: number}} camera @param {{latitude: number, longitude: number}[]} others Cameras of the site, around which the map begins. */
  constructor(camera, others) {
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

  /** What is sent. Throws what is wrong with it, in words. */
  get value() {
    const place = placeOf(this.#input.value);
    if (!place) throw new Error(t("set.cameras.place.wrong"));
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
    else this.#input.reportValidity();
  }
}
