// SPDX-License-Identifier: Apache-2.0
import { h } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { timeOfDay } from "../../../core/time.js";
import { CameraFootage } from "../../../media/camera-footage.js";
import { keptFootageOf, keptTitle } from "../../../model/footage.js";

/** How often it is looked whether what was asked for is there, in milliseconds: also while the moment stands still. */
const tickMilliseconds = 200;
/** How fast and how slowly a browser lets a video run; what is faster goes in steps. */
const rateMost = 16;
const rateLeast = 0.25;

/** What a camera filmed of the moment, as the incident keeps it. */
export class CameraThen {
  #source;
  #footage;
  #fault = "";
  #chip = h("span", { class: "chip bad", role: "status", hidden: true });
  #time = h("time", { class: "figures" });
  #timer = setInterval(() => this.show(), tickMilliseconds);

  /** @param {import("../../../core/api.js").API} api @param {string} incident @param {import("../../../model/footage.js").Kept} span @param {import("../../../source/recorded.js").Recorded<any>} source */
  constructor(api, incident, span, source) {
    this.#source = source;
    const title = keptTitle(span);
    const video = h("video", { ".muted": true, playsinline: true, "aria-label": t("replay.video.of", { caller: title }) });
    this.#footage = new CameraFootage(api, keptFootageOf(incident, span), video, (text) => (this.#fault = text));
    this.element = h("figure", { class: "video", dataset: { camera: span.camera } }, video, this.#chip, h("figcaption", { class: "small" }, this.#time, " · ", title));
  }

  show() {
    const { at, isRunning, speed } = this.#source;
    this.#footage.keepUp(at, isRunning ? speed : 1);
    const stand = this.#footage.standAt(at);
    const runs = isRunning && speed <= rateMost;
    if (stand === "shown") this.#footage.follow(at, runs, runs ? Math.max(rateLeast, speed) : 1);
    else this.#footage.video.pause();
    this.element.dataset.stand = stand;
    this.element.dataset.gap = String(stand !== "shown");
    const words = this.#said(stand);
    if (this.#chip.textContent !== words) this.#chip.textContent = words;
    this.#chip.hidden = !words;
    this.#chip.classList.toggle("bad", stand === "none" || this.#fault !== "");
    this.#time.textContent = timeOfDay(at);
  }

  close() {
    clearInterval(this.#timer);
    this.#footage.close();
    this.element.remove();
  }

  #said(stand) {
    if (stand === "shown") return "";
    return this.#fault || t(stand === "none" ? "replay.video.gap" : "replay.video.waits");
  }
}
