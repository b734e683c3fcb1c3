// SPDX-License-Identifier: Apache-2.0
import { fill, h } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { AreaView } from "./area-view.js";
import { creditOf } from "./ground.js";
import { moveButton, moveButtons } from "./move-buttons.js";
import { leaflet } from "./parts.js";
import { tileSets } from "./tiles.js";

/**
 * `<area-map>`: a map on which an area and a base are drawn. Set `hands`, then `shown` as `AreaView.show` takes it, again after each step. It needs no internet; without Leaflet it says that there is no map.
 */
export class AreaMap extends HTMLElement {
  #ground = h("div", { class: "ground", role: "application", "aria-label": t("set.area.map") });
  #cross = h("div", { class: "cross", "aria-hidden": "true", hidden: true });
  #bar = h("div", { class: "bar", role: "group", "aria-label": t("map.move") });
  #credit = h("span", { class: "credit" });
  #view = null;
  #shown = null;
  #isBuilding = false;
  #stop = new AbortController();
  #themes = new MutationObserver(() => this.#view?.redraw());
  /** @type {import("./area-view.js").Hands} */
  hands;

  constructor() {
    super();
    this.attachShadow({ mode: "open" }).append(h("link", { rel: "stylesheet", href: "/web/map/place-map.css" }), h("link", { rel: "stylesheet", href: "/web/map/area-map.css" }),
      h("div", { class: "small" }, h("div", { class: "frame" }, this.#ground, this.#cross), h("div", { class: "below" }, this.#bar, this.#credit)));
    // Enter on the map itself is a press in its middle.
    this.#ground.addEventListener("keydown", (event) => event.key === "Enter" && event.target === this.#ground && this.pressCentre());
  }

  connectedCallback() {
    this.#stop = new AbortController();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#view?.redraw(), { signal: this.#stop.signal });
    this.#themes.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    this.#build();
  }

  disconnectedCallback() {
    this.#stop.abort();
    this.#themes.disconnect();
    this.#view?.remove();
    this.#view = null;
  }

  /** What is shown; `isAsking` while a press on the map is waited for: a cross shows its middle. */
  set shown(shown) {
    this.#shown = shown;
    this.#cross.hidden = !shown.isAsking;
    this.#ground.classList.toggle("asking", Boolean(shown.isAsking));
    this.#view?.show(shown);
  }

  /** Presses the middle of the map, for the keyboard. */
  pressCentre() {
    if (this.#view) this.hands.onPress(this.#view.centre);
  }

  /** Shows all that is drawn. */
  home() {
    this.#view?.home();
  }

  /** Puts the keyboard on a corner. @param {import("../model/area-drawing.js").Ref} ref */
  focusCorner(ref) {
    this.#view?.focus(ref);
  }

  async #build() {
    if (this.#isBuilding || this.#view) return;
    this.#isBuilding = true;
    const [library, sources] = await Promise.all([leaflet(), tileSets()]);
    this.#isBuilding = false;
    if (!this.isConnected) return;
    if (!library) {
      this.#ground.classList.add("missing");
      fill(this.#ground, h("p", { class: "no-map" }, t("set.area.no-map")));
      return this.hands.onMissing();
    }
    if (!this.shadowRoot.querySelector("[data-vendor]")) this.shadowRoot.prepend(h("link", { rel: "stylesheet", href: library.sheet, dataset: { vendor: "" } }));
    this.#credit.textContent = creditOf(sources);
    this.#view = new AreaView(library.L, this.#ground, sources, this.hands);
    fill(this.#bar, moveButtons(this.#view), moveButton(t("set.area.all"), "⌂", () => this.#view.home()));
    this.dataset.with = "leaflet";
    if (this.#shown) this.#view.show(this.#shown);
  }
}

customElements.define("area-map", AreaMap);
