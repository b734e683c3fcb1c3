// SPDX-License-Identifier: Apache-2.0
import { fill, h } from "../core/dom.js";
import { add, numeral, t } from "../core/i18n.js";
import english from "../locales/staff/nearby/en.js";
import { cameraAddress, nearbyOf, nearPath, titleOf } from "../model/cameras.js";

/** So many places are remembered. */
const placesMost = 50;
const wordsReady = add(english, { de: () => import("../locales/staff/nearby/de.js") });
const kinds = { online: "good", frozen: "bad", offline: "bad", unknown: "" };

/** Lists of cameras near places, each a link to its picture at a moment. A place is asked for once: how a camera stands is as of then. */
export class CamerasNearby {
  #api;
  /** By path: the cameras, or the promise of them. */
  #found = new Map();

  /** @param {import("../core/api.js").API} api */
  constructor(api) {
    this.#api = api;
  }

  /** Shown as soon as there is something to show. @param {{latitude: number, longitude: number}} fix @param {string} at When something happened there. */
  list(fix, at) {
    const element = h("section", { class: "cameras-nearby", hidden: true });
    const show = (cameras) => {
      element.hidden = cameras.length === 0;
      fill(element, h("p", { class: "small soft" }, t("nearby.title")), h("ul", { class: "row", "aria-label": t("nearby.title") }, cameras.map((one) => h("li", {}, link(one, at)))));
    };
    const path = nearPath(fix);
    if (!this.#found.has(path)) this.#read(path);
    const found = this.#found.get(path);
    if (Array.isArray(found)) show(found);
    else found.then(show);
    return element;
  }

  #read(path) {
    if (this.#found.size >= placesMost) this.#found.delete(this.#found.keys().next().value);
    this.#found.set(path, this.#ask(path));
  }

  async #ask(path) {
    try {
      const { items } = await this.#api.get(path, { isLevel: false });
      const cameras = nearbyOf(items);
      await wordsReady;
      this.#found.set(path, cameras);
      return cameras;
    } catch (error) {
      // A refusal stays one; anything else is asked again with the next drawing.
      if (error.status === 403) this.#found.set(path, []);
      else this.#found.delete(path);
      return [];
    }
  }
}

/** In a window of its own: what goes on here is not left for it. */
function link(camera, at) {
  return h("a", { class: "button", href: cameraAddress(camera, at), target: "_blank", rel: "noopener", dataset: { key: `near-${camera.id}-${at}` } },
    t("nearby.of", { name: titleOf(camera), metres: numeral(Math.round(camera.metres)) }), " ", h("span", { class: `chip ${kinds[camera.standing] ?? ""}` }, t(`nearby.standing.${camera.standing}`)));
}
