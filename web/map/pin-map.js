// SPDX-License-Identifier: Apache-2.0
import { fill, h } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { metresOfDegree } from "./geo.js";
import { LeafletView } from "./leaflet-view.js";
import { metresShown } from "./locator.js";
import { LocatorView } from "./locator-view.js";
import { leaflet } from "./parts.js";
import { tileSets } from "./tiles.js";

/** One press on an arrow moves the pin by so much of what is seen. */
const stepPart = 1 / 30;

/**
 * `<pin-map>`: a map on which a pin is put, by a tap, by dragging it, or by buttons. Without Leaflet the buttons alone move it, in a grid of degrees.
 *
 * Set `place` to where the pin is, and `bounds` to what is shown while it is nowhere; the element tells by `pick`, whose detail is `{latitude, longitude, accuracyMetres}`, where it was put, and by `bare` that there is no map on
 * which a first place could be chosen.
 */
export class PinMap extends HTMLElement {
  #ground = h("div", { class: "ground" });
  #bar = h("div", { class: "bar", role: "group", "aria-label": t("pin.move") });
  #credit = h("span", { class: "credit" });
  #view = null;
  #place = null;
  /** What is shown first while there is no place, `[west, south, east, north]`; to be set before the element is shown. @type {number[] | null} */
  bounds = null;
  #stop = new AbortController();

  constructor() {
    super();
    this.attachShadow({ mode: "open" }).append(h("link", { rel: "stylesheet", href: "/web/map/place-map.css" }), h("div", { class: "small" }, this.#ground, h("div", { class: "below" }, this.#credit), this.#bar));
  }

  async connectedCallback() {
    const stop = (this.#stop = new AbortController());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#view?.redraw(), { signal: stop.signal });
    const [library, sources] = await Promise.all([leaflet(), tileSets()]);
    if (stop.signal.aborted) return;
    this.#view = library ? this.#leafletView(library, sources) : new LocatorView(this.#freshGround({}));
    this.dataset.with = library ? "leaflet" : "locator";
    this.#buttons();
    if (this.#place) this.#show();
    if (!library) this.dispatchEvent(new Event("bare"));
  }

  disconnectedCallback() {
    this.#stop.abort();
    this.#view?.remove();
    this.#view = null;
  }

  /** Where the pin is, `{latitude, longitude, accuracyMetres}`; the map goes there. */
  set place(place) {
    this.#place = place;
    if (!this.#view || !place) return;
    this.#show();
    this.#view.home();
  }

  #show() {
    this.#view.show(this.#place, []);
    if (this.#bar.querySelectorAll("[disabled]").length) this.#buttons();
  }

  #leafletView({ L, sheet }, sources) {
    const named = sources.map(({ item }) => new DOMParser().parseFromString(item.attribution ?? "", "text/html").body.textContent.trim());
    this.#credit.textContent = [...new Set(named)].filter(Boolean).join(" · ");
    this.shadowRoot.prepend(h("link", { rel: "stylesheet", href: sheet }));
    const ground = this.#freshGround({ role: "application", "aria-label": t("pin.label") });
    const view = new LeafletView(L, ground, sources, (zoom) => (this.dataset.zoom = zoom), (place) => this.#picked(place));
    if (!this.#place) view.overlook(this.bounds);
    return view;
  }

  #freshGround(attributes) {
    const ground = h("div", { class: "ground", ...attributes });
    this.#ground.replaceWith(ground);
    return (this.#ground = ground);
  }

  #picked(place) {
    this.#place = place;
    this.#show();
    this.dispatchEvent(new CustomEvent("pick", { detail: place }));
  }

  #buttons() {
    const view = this.#view;
    const button = (label, sign, press, isOff = false) => h("button", { type: "button", "aria-label": label, title: label, disabled: isOff, onclick: press }, sign);
    const isOff = !this.#place;
    fill(this.#bar,
      button(t("map.smaller"), "−", () => view.zoom(-1)), button(t("map.larger"), "+", () => view.zoom(1)),
      button(t("pin.west"), "←", () => this.#nudge(-1, 0), isOff), button(t("pin.north"), "↑", () => this.#nudge(0, -1), isOff),
      button(t("pin.south"), "↓", () => this.#nudge(0, 1), isOff), button(t("pin.east"), "→", () => this.#nudge(1, 0), isOff),
      view.canPan && button(t("pin.middle"), "◎", () => this.#picked(view.middle())),
      button(t("map.home"), "⌂", () => view.home(), isOff));
  }

  #nudge(right, down) {
    if (this.#view.canPan) return this.#view.nudge(right, down);
    const size = { width: this.#ground.clientWidth, height: this.#ground.clientHeight };
    const metres = metresShown(size, this.#place) * stepPart;
    const { latitude, longitude } = this.#place;
    const north = Math.max(-89, Math.min(89, latitude - (down * metres) / metresOfDegree));
    const east = longitude + (right * metres) / (metresOfDegree * Math.cos(latitude * Math.PI / 180));
    this.#picked({ latitude: Number(north.toFixed(6)), longitude: Number((((east + 540) % 360) - 180).toFixed(6)), accuracyMetres: this.#place.accuracyMetres ?? Math.round(metres) });
  }
}

customElements.define("pin-map", PinMap);
