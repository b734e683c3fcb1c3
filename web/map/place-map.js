// SPDX-License-Identifier: Apache-2.0
import { fill, h, toast } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { plusCode } from "../core/plus-code.js";
import { timeElement } from "../core/time.js";
import { measuredWords } from "../model/fix.js";
import { length } from "./geo.js";
import { creditOf } from "./ground.js";
import { LeafletView } from "./leaflet-view.js";
import { LocatorView } from "./locator-view.js";
import { moveButton, moveButtons } from "./move-buttons.js";
import { leaflet } from "./parts.js";
import { nearestTown, tileSets } from "./tiles.js";

/**
 * `<place-map>`: where somebody is, on a map and in words that can be copied and read out.
 *
 * Set `places` to what the gateway lists, newest first: `{fix: {latitude, longitude, accuracyMetres}, at, method}`. It needs no
 * internet; where a part is missing it shows what is known in a grid of degrees.
 */
export class PlaceMap extends HTMLElement {
  #ground = h("div", { class: "ground" });
  #bar = h("div", { class: "bar", role: "group", "aria-label": t("map.move") });
  #credit = h("span", { class: "credit" });
  #enlarge = h("button", { type: "button", onclick: () => this.#switchSize() }, t("map.enlarge"));
  #below = h("div", { class: "below" }, this.#enlarge, this.#credit);
  #slot = h("slot", { name: "words" });
  #small = h("div", { class: "small" });
  #large = h("dialog", { "aria-label": t("map.large"), onclose: () => this.#showSmall() });
  #town = h("p", { class: "small" });
  #words = h("div", { class: "place-words", slot: "words" });
  #view = null;
  #isBuilding = false;
  #places = [];
  #others = [];
  #whose = "";
  #shown = "";
  #stop = new AbortController();
  /** Whether the places are equals, all in sight at once, without words; one that is pressed is told by its `id`. Set before anything is shown. */
  isOverview = false;
  onOpen = (id) => {};
  #themes = new MutationObserver(() => this.#view?.redraw());

  constructor() {
    super();
    this.attachShadow({ mode: "open" }).append(
      h("link", { rel: "stylesheet", href: "/web/map/place-map.css" }), this.#small, this.#large);
  }

  connectedCallback() {
    this.#small.append(this.#ground, this.#below, this.#bar, this.#slot);
    this.append(this.#words);
    this.#stop = new AbortController();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#view?.redraw(), { signal: this.#stop.signal });
    this.#themes.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    this.#update();
  }

  disconnectedCallback() {
    this.#stop.abort();
    this.#themes.disconnect();
    this.#forget();
  }

  /** Where somebody was, newest first; what has no `fix` is left out. */
  set places(places) {
    this.#places = places.filter((place) => place.fix);
    this.#update();
  }

  /** Where others of the same event are: `{fix, at, name}`. */
  set others(others) {
    this.#others = others;
    this.#update();
  }

  /** Whose the places are, where it is somebody else than one would think; empty where not. */
  set whose(name) {
    this.#whose = name;
    this.#update();
  }

  /** The place that is shown, or nothing. */
  get place() {
    return this.#places[0];
  }

  #update() {
    this.hidden = !this.place;
    const signature = JSON.stringify([this.#places, this.#others, this.#whose]);
    if (!this.place) return this.#forget();
    if (!this.isConnected || signature === this.#shown) return;
    if (!this.isOverview) this.#describe();
    if (!this.#view) return this.#build();
    this.#shown = signature;
    const [fix, ...earlier] = this.#places.map(({ fix, at, id, name, isUrgent }) => ({ ...fix, at, id, name, isUrgent }));
    this.#view.show(fix, earlier.reverse(), this.#others, this.isOverview ? (id) => this.onOpen(id) : null);
  }

  /** Nothing stays of somebody whose places are gone, not even where nobody sees it. */
  #forget() {
    this.#view?.remove();
    this.#view = null;
    this.#shown = "";
    fill(this.#words);
    this.#town.textContent = "";
  }

  async #build() {
    if (this.#isBuilding) return;
    this.#isBuilding = true;
    const [library, sources] = await Promise.all([leaflet(), tileSets()]);
    this.#isBuilding = false;
    if (!this.isConnected || !this.place) return;
    this.#view = library ? this.#leafletView(library, sources) : this.#locatorView();
    this.#buttons();
    this.#update();
  }

  #leafletView({ L, sheet }, sources) {
    this.#credit.textContent = creditOf(sources);
    const root = this.shadowRoot;
    // Names are put beside marks by their width, which the sheet decides.
    if (!root.querySelector("[data-vendor]")) root.prepend(h("link", { rel: "stylesheet", href: sheet, dataset: { vendor: "" }, onload: () => this.#view?.redraw() }));
    const ground = this.#freshGround({ role: "application", "aria-label": t("map.label") });
    this.dataset.with = "leaflet";
    return new LeafletView(L, ground, sources, (zoom) => (this.dataset.zoom = zoom));
  }

  #locatorView() {
    this.dataset.with = "locator";
    return new LocatorView(this.#freshGround({}));
  }

  #showSmall() {
    this.#enlarge.textContent = t("map.enlarge");
    this.#small.append(this.#ground, this.#below, this.#bar, this.#slot);
    this.#enlarge.focus({ preventScroll: true });
  }

  /** The same map on most of the screen, and back; Escape leads back, too. */
  #switchSize() {
    if (this.#large.open) return this.#large.close();
    this.#enlarge.textContent = t("page.close");
    this.#large.append(this.#ground, this.#below, this.#bar, this.#slot);
    this.#large.showModal();
  }

  #freshGround(attributes) {
    const ground = h("div", { class: "ground", ...attributes });
    this.#ground.replaceWith(ground);
    return (this.#ground = ground);
  }

  #buttons() {
    const view = this.#view;
    fill(this.#bar, moveButtons(view), moveButton(t("map.home"), "⌂", () => view.home()), view.canPan && !this.isOverview && moveButton(t("map.exact"), "◎", () => view.closeUp()));
  }

  async #nameTown(place) {
    const words = await nearestTown(place.fix);
    if (this.place === place) this.#town.textContent = words ?? "";
  }

  #describe() {
    this.#town.textContent = "";
    this.#nameTown(this.place);
    const { fix, at, method } = this.place;
    const { latitude, longitude, accuracyMetres } = fix;
    const measured = measuredWords(fix, at);
    const coordinates = `${latitude.toFixed(6)}, ${longitude.toFixed(6)}`;
    const code = plusCode(latitude, longitude);
    const copy = (text, label) => h("button", {
      type: "button", class: "plain small", "aria-label": label,
      onclick: async () => {
        try {
          await navigator.clipboard.writeText(text);
          toast(t("map.copied"), "good");
        } catch {
          toast(t("map.copy.refused"), "warn");
        }
      },
    }, t("map.copy"));
    fill(this.#words,
      this.#whose && h("p", { class: "small" }, t("map.whose", { name: this.#whose })),
      h("p", { class: "row" }, h("strong", { class: "figures" }, coordinates), copy(coordinates, t("map.copy.coordinates"))),
      h("p", { class: "row small" }, h("span", {}, "Plus Code ", h("code", {}, code)), copy(code, t("map.copy.code"))),
      this.#town,
      h("p", { class: "small soft" }, at && timeElement(at), method && ` · ${method}`,
        accuracyMetres === undefined ? ` · ${t("map.accuracy.none")}` : ` · ${t("map.accuracy", { length: length(accuracyMetres) })}`),
      measured && h("p", {}, h("span", { class: "chip warn" }, measured)));
  }
}

// The words stand in the page itself, so that they are found, selected and read out with it.
document.head.append(h("link", { rel: "stylesheet", href: "/web/map/words.css" }));
customElements.define("place-map", PlaceMap);
