// SPDX-License-Identifier: Apache-2.0
import { fill, h, toast } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { local } from "../../../core/storage.js";
import { floorsOf, named, nextFloor, onFloor, sitesOf, swipe, towards } from "../../../model/cameras.js";
import { Large } from "./large.js";
import { floorWords } from "./said.js";
import { Wall } from "./wall.js";

/** How often it is read which cameras there are, and how they stand. */
const listMilliseconds = 10_000;
const arrows = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right" };

/** What is looked at: a floor, or one of its cameras, at a moment. The address holds it, so Back leads back. */
export class View {
  #api;
  #main;
  /** @type {import("../../../model/cameras.js").Camera[]} */
  #cameras = [];
  #wall;
  #large;
  #place = h("div", { class: "cameras" });
  #isShown = false;
  #missing = h("p", { class: "notice warn", role: "status", hidden: true }, t("wall.missing"));
  #fault = h("p", { class: "notice bad", role: "alert", hidden: true });

  /** @param {import("../../../core/api.js").API} api @param {{user: string, role: string}} me @param {HTMLElement} main @param {import("../../../dom/team-chat.js").TeamChat} chat */
  constructor(api, me, main, chat) {
    [this.#api, this.#main] = [api, main];
    this.#wall = new Wall(api, chat, {
      rate: local.getItem("wall.rate") ?? "every", size: local.getItem("wall.size") ?? "m", onRate: (rate) => local.setItem("wall.rate", rate), onSize: (size) => local.setItem("wall.size", size),
      onOpen: (camera) => this.#go({ camera: camera.number }), onFloor: (site, floor) => this.#go({ site, floor }), onStep: (direction) => this.#step(direction),
    });
    this.#large = new Large(api, me, chat, { onLeave: () => this.#leave(), onStep: (direction) => this.#step(direction), onOpen: (camera) => this.#show(camera), onMoment: (at) => this.#note(at) });
  }

  /** Done when the cameras are shown, or it is said why they are not. */
  async begin() {
    addEventListener("popstate", () => this.#draw());
    addEventListener("keydown", (event) => this.#key(event));
    this.#followFingers();
    setInterval(() => document.visibilityState === "visible" && this.#read(), listMilliseconds);
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.#read());
    await this.#read();
  }

  async #read() {
    try {
      this.#cameras = (await this.#api.get("/v1/cameras", { isLevel: false })).items;
      this.#fault.hidden = true;
      this.#isShown = true;
      this.#draw();
    } catch (error) {
      // What is shown stays: the line at the top says that the gateway is away.
      if (this.#isShown) return;
      this.#fault.textContent = error.message;
      this.#fault.hidden = false;
      fill(this.#main, h("div", { class: "at-door" }, this.#fault));
    }
  }

  // MARK: The address

  /** Where it stands: what the address does not say is the first there is. */
  get #where() {
    const query = new URLSearchParams(location.search);
    const sites = sitesOf(this.#cameras);
    const asks = sites.includes(query.get("site")) ? query.get("site") : sites[0];
    const camera = named(this.#cameras, query.get("camera"), asks);
    const site = camera?.site ?? asks;
    const floors = floorsOf(this.#cameras, site);
    const asked = Number(query.get("floor") ?? NaN);
    const floor = camera?.floor ?? (floors.includes(asked) ? asked : (floors.find((one) => one >= 0) ?? floors[0]));
    const at = Date.parse(query.get("at") ?? "");
    return { site, floors, floor, camera, isMissing: query.has("camera") && !camera, at: Number.isNaN(at) ? null : at };
  }

  #go({ site = this.#where.site, floor = this.#where.floor, camera = null, at = null }, isNew = true) {
    const query = new URLSearchParams({ site, ...(camera === null ? { floor: String(floor) } : { camera: String(camera) }), ...(at === null ? {} : { at: new Date(at).toISOString() }) });
    history[isNew ? "pushState" : "replaceState"](null, "", `${location.pathname}?${query}`);
    this.#draw();
  }

  /** Another camera, at the same moment. */
  #show(camera) {
    const { camera: shown } = this.#where;
    this.#go({ camera: camera.number, at: this.#large.at }, shown === null);
  }

  /** Shows a camera as it was at a moment, wherever one stood before. @param {string} id @param {number} at In milliseconds. */
  look(id, at) {
    const { camera } = this.#where;
    if (camera?.id === id) return this.#large.look(at);
    this.#go({ camera: id, at });
  }

  #leave() {
    const { floor } = this.#where;
    this.#go({ floor });
  }

  /** The address holds the moment that somebody chose, for Reload and for somebody else. */
  #note(at) {
    const { camera } = this.#where;
    if (!camera) return;
    const query = new URLSearchParams(location.search);
    if (at === null) query.delete("at");
    else query.set("at", new Date(at).toISOString());
    history.replaceState(null, "", `${location.pathname}?${query}`);
  }

  // MARK: Ways

  #step(direction) {
    const { floors, floor, camera } = this.#where;
    if (camera) {
      const next = towards(this.#cameras, camera, direction);
      if (next) this.#show(next);
      else toast(t(`wall.none.${direction}`));
      return;
    }
    if (direction === "left" || direction === "right") return;
    const next = nextFloor(floors, floor, direction);
    if (next === null) toast(t(direction === "up" ? "wall.top" : "wall.bottom"));
    else this.#go({ floor: next });
  }

  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || document.querySelector("dialog[open]")) return;
    if (/^Esc/.test(event.key) && this.#where.camera && !document.fullscreenElement) return this.#leave();
    if (event.target.closest?.("input, select, textarea")) return;
    const direction = arrows[event.key];
    if (!direction || !this.#isShown) return;
    event.preventDefault();
    this.#step(direction);
  }

  /** A finger that scrolls the page does not change the floor: only where there is nothing more to scroll. */
  #followFingers() {
    let from = null;
    this.#place.addEventListener("touchstart", ({ touches, target }) => {
      const isFree = touches.length === 1 && !target.closest("input, select, dialog, .large-controls");
      from = isFree ? { x: touches[0].clientX, y: touches[0].clientY, at: performance.now(), top: document.scrollingElement.scrollTop } : null;
    }, { passive: true });
    this.#place.addEventListener("touchend", ({ changedTouches: [touch] }) => {
      if (!from) return;
      const direction = swipe(from, { x: touch.clientX, y: touch.clientY, at: performance.now() });
      const isScrolled = document.scrollingElement.scrollTop !== from.top;
      from = null;
      if (direction && !isScrolled) this.#step(direction);
    }, { passive: true });
  }

  // MARK: What is shown

  #draw() {
    const { site, floors, floor, camera, isMissing, at } = this.#where;
    this.#missing.hidden = !isMissing;
    if (!this.#cameras.length) {
      this.#wall.show([]);
      this.#large.close();
      return void fill(this.#main, h("p", { class: "card empty" }, t(isMissing ? "wall.missing" : "wall.empty")));
    }
    if (this.#place.parentElement !== this.#main) fill(this.#main, this.#place);
    document.title = camera ? `${camera.name} · ${t("wall.title")}` : `${floorWords(floor)} · ${t("wall.title")}`;
    this.#wall.show(onFloor(this.#cameras, site, floor), { cameras: this.#cameras, site, floors, floor });
    if (camera) this.#large.show(camera, this.#cameras, at);
    else this.#large.close();
    const shown = camera ? this.#large.element : this.#wall.element;
    if (this.#place.lastElementChild !== shown) {
      fill(this.#place, this.#missing, shown);
      scrollTo(0, 0);
      this.#main.focus({ preventScroll: true });
    }
  }
}
