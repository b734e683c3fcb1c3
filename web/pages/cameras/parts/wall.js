// SPDX-License-Identifier: Apache-2.0
import { h, refill } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { floorsOf, onFloor, placing, sitesOf } from "../../../model/cameras.js";
import { floorWords } from "./said.js";
import { Tile } from "./tile.js";

/** From so much width on, a floor's pictures stand as on its plan. */
const placedLeast = 760;
const scales = { s: 0.7, m: 1, l: 1.5 };

/** A floor's pictures, and what is done with all of them. */
export class Wall {
  #api;
  #chat;
  #options;
  /** @type {Map<string, Tile>} */
  #tiles = new Map();
  #shown = null;
  #title = h("h2", { id: "floor" });
  #list = h("ul", { class: "wall", "aria-labelledby": "floor" });
  #scroll = h("div", { class: "wall-scroll" }, this.#list);
  #drawer = h("dialog", { class: "drawer", "aria-label": t("wall.floors"), onclick: (event) => event.target === this.#drawer && this.#drawer.close() });
  #all = h("button", { type: "button", onclick: () => this.#stopOrPlay() });
  #seen = new IntersectionObserver((entries) => entries.forEach(({ target, isIntersecting }) => this.#see(target.dataset.camera, isIntersecting)));
  /** Those that stand within the window. */
  #within = new Set();
  element;

  /**
   * @param {import("../../../core/api.js").API} api @param {import("../../../dom/team-chat.js").TeamChat} chat
   * @param {{rate: string, size: string, onRate: (rate: string) => void, onSize: (size: string) => void, onOpen: (camera: any) => void, onFloor: (site: string, floor: number) => void, onStep: (direction: "up" | "down") => void}} options
   */
  constructor(api, chat, options) {
    [this.#api, this.#chat, this.#options] = [api, chat, options];
    const step = (direction, sign) => h("button", { type: "button", class: "icon", "aria-label": t(`wall.floor.${direction}`), title: t(`wall.floor.${direction}`), onclick: () => options.onStep(direction) }, sign);
    const rate = h("select", { name: "rate", "aria-label": t("wall.rate"), onchange: () => this.#chooseRate(rate.value) }, ["every", "second"].map((one) => h("option", { value: one, selected: one === options.rate }, t(`wall.rate.${one}`))));
    const sizes = h("div", { class: "sizes", role: "group", "aria-label": t("wall.size") }, Object.keys(scales).map((size) =>
      h("button", { type: "button", dataset: { size }, "aria-pressed": String(size === options.size), "aria-label": t(`wall.size.${size}`), onclick: () => this.#chooseSize(size, sizes) }, size.toUpperCase())));
    this.element = h("section", { class: "floor", "aria-labelledby": "floor" },
      h("div", { class: "wall-bar" }, h("button", { type: "button", onclick: () => this.#openDrawer() }, t("wall.floors")), step("up", "↑"), step("down", "↓"), this.#title,
        h("span", { class: "grow" }), h("label", { class: "rate" }, h("span", {}, t("wall.rate")), rate), sizes, this.#all),
      this.#scroll, this.#drawer);
    new ResizeObserver(() => this.#place()).observe(this.#scroll);
    document.addEventListener("visibilitychange", () => this.#seeAgain());
  }

  /** @param {import("../../../model/cameras.js").Camera[]} cameras Of the floor. @param {{cameras: any[], site: string, floors: number[], floor: number}} [where] */
  show(cameras, where) {
    this.#shown = { cameras, where };
    if (!where) return this.#keepOnly(new Set());
    this.#keepOnly(new Set(cameras.map(({ id }) => id)));
    const isNewFloor = this.#title.textContent !== this.#titleOf(where);
    this.#title.textContent = this.#titleOf(where);
    if (isNewFloor) scrollTo(0, 0);
    for (const camera of cameras) {
      if (this.#tiles.has(camera.id)) this.#tiles.get(camera.id).update(camera);
      else this.#add(camera);
    }
    if (this.#drawer.open) this.#fillDrawer();
    this.#place();
    this.#showAll();
  }

  #titleOf({ cameras, site, floor }) {
    return sitesOf(cameras).length > 1 ? `${site} · ${floorWords(floor)}` : floorWords(floor);
  }

  #keepOnly(ids) {
    for (const [id, tile] of this.#tiles) {
      if (ids.has(id)) continue;
      this.#seen.unobserve(tile.element);
      tile.close();
      tile.element.remove();
      this.#tiles.delete(id);
      this.#within.delete(id);
    }
  }

  #add(camera) {
    const tile = new Tile(this.#api, this.#chat, camera, { isKeyOnly: this.#options.rate === "second", onOpen: this.#options.onOpen, onWish: () => this.#showAll() });
    this.#tiles.set(camera.id, tile);
    this.#list.append(tile.element);
    this.#seen.observe(tile.element);
  }

  #see(id, isWithin) {
    if (isWithin) this.#within.add(id);
    else this.#within.delete(id);
    this.#seeAgain();
  }

  /** What nobody sees is not asked for. */
  #seeAgain() {
    for (const [id, tile] of this.#tiles) tile.isSeen = this.#within.has(id) && document.visibilityState === "visible";
  }

  /** Puts each picture where its frame says, or all of them into a grid. */
  #place() {
    const width = this.#scroll.clientWidth;
    if (!this.#shown?.cameras.length || !width) return;
    const scale = scales[this.#options.size];
    const placed = width >= placedLeast ? placing(this.#shown.cameras, width * scale) : null;
    this.#list.classList.toggle("placed", placed !== null);
    this.#list.dataset.size = this.#options.size;
    this.#list.style.blockSize = placed ? `${Math.ceil(placed.height)}px` : "";
    for (const { element } of this.#tiles.values()) element.removeAttribute("style");
    for (const { id, x, y, width: wide, height } of placed?.places ?? []) {
      const { style } = this.#tiles.get(id).element;
      [style.insetInlineStart, style.insetBlockStart, style.inlineSize, style.blockSize] = [x, y, wide, height].map((one) => `${one.toFixed(1)}px`);
    }
  }

  #chooseRate(rate) {
    this.#options.rate = rate;
    this.#options.onRate(rate);
    for (const tile of this.#tiles.values()) tile.isKeyOnly = rate === "second";
  }

  #chooseSize(size, sizes) {
    this.#options.size = size;
    this.#options.onSize(size);
    for (const button of sizes.children) button.setAttribute("aria-pressed", String(button.dataset.size === size));
    this.#place();
  }

  // MARK: All at once

  get #isAnyOn() {
    return [...this.#tiles.values()].some(({ isStopped }) => !isStopped);
  }

  #stopOrPlay() {
    const wish = this.#isAnyOn ? "stop" : "play";
    for (const tile of this.#tiles.values()) tile.wish(wish);
  }

  #showAll() {
    this.#all.textContent = t(this.#isAnyOn ? "wall.clear" : "wall.play-all");
  }

  // MARK: Floors

  #openDrawer() {
    this.#fillDrawer();
    this.#drawer.showModal();
  }

  #fillDrawer() {
    const { cameras, site, floor } = this.#shown.where;
    const sites = sitesOf(cameras);
    const floors = (one) => floorsOf(cameras, one).reverse().map((other) => {
      const there = onFloor(cameras, one, other);
      const dark = there.filter(({ standing, isOn }) => isOn && standing !== "online").length;
      return h("li", {}, h("button", { type: "button", "aria-current": one === site && other === floor && "page", onclick: () => this.#choose(one, other) }, h("span", { class: "grow" }, floorWords(other)),
        h("span", { class: "small" }, t("wall.count", { count: there.length })), dark > 0 && h("span", { class: "chip bad" }, t("wall.dark", { count: dark }))));
    });
    refill(this.#drawer, [site, floor, cameras.map(({ id, standing, isOn, floor: on }) => [id, standing, isOn, on])], () => h("div", {}, h("h2", {}, t("wall.floors")),
      sites.map((one) => [sites.length > 1 && h("h3", {}, one), h("ul", { class: "floors" }, floors(one))]), h("button", { type: "button", onclick: () => this.#drawer.close() }, t("page.close"))));
  }

  #choose(site, floor) {
    this.#drawer.close();
    this.#options.onFloor(site, floor);
  }
}
