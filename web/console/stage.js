// SPDX-License-Identifier: Apache-2.0
import { h, refill } from "../core/dom.js";

const modes = { video: "Video", map: "Map", both: "Both" };

/**
 * Which of video and map has the room: whoever is known alone has all of it; where both are, an operator chooses, and sees both until then.
 * @param {boolean} hasVideo
 * @param {boolean} hasPlace
 * @param {"video" | "map" | "both" | null} chosen
 * @returns {"video" | "map" | "both" | "none"}
 */
export function modeOf(hasVideo, hasPlace, chosen) {
  if (hasVideo && hasPlace) return chosen ?? "both";
  return hasVideo ? "video" : hasPlace ? "map" : "none";
}

/** The middle of a session: the picture as large as it can be, upright or wide, and beside or below it where the caller is. */
export class Stage {
  #streams;
  #place;
  #main;
  #chosen = null;
  /** The choice of video, map or both; empty where there is nothing to choose. */
  choice = h("div", { class: "choice", role: "group", "aria-label": "Video and map" });

  /**
   * @param {import("./stream-pane.js").StreamPane} streams
   * @param {{element: Element, isKnown: boolean}} place
   */
  constructor(streams, place) {
    this.#streams = streams;
    this.#place = place;
    this.#main = h("div", { class: "stage-main" }, streams.player, streams.nothing, place.element);
    this.element = h("section", { class: "card stage", "aria-label": "Video and map" }, h("div", { class: "stage-box" }, this.#main), streams.tiles);
    streams.player.addEventListener("shape", ({ detail }) => this.#shape(detail));
    streams.onDraw = () => this.update();
    this.#shape(16 / 9);
  }

  /** Something came or went. */
  update() {
    const mode = modeOf(this.#streams.hasVideo, this.#place.isKnown, this.#chosen);
    this.#streams.nothing.hidden = mode !== "none";
    this.#main.dataset.mode = mode;
    const isChoice = this.#streams.hasVideo && this.#place.isKnown;
    refill(this.choice, [isChoice, mode], () => isChoice && Object.entries(modes).map(([value, words]) => h("button", {
      type: "button", dataset: { key: `mode-${value}` }, "aria-pressed": String(value === mode), onclick: () => this.#choose(value),
    }, words)));
  }

  #choose(mode) {
    this.#chosen = mode;
    this.update();
  }

  #shape(ratio) {
    this.#main.dataset.shape = ratio < 1 ? "upright" : "wide";
    this.#main.style.setProperty("--ratio", String(ratio));
  }
}
