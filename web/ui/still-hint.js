// SPDX-License-Identifier: Apache-2.0
import { h } from "../core/dom.js";

/** So long a pointer rests on a moment before its picture is asked for: each is decoded by the gateway. */
const restMilliseconds = 150;

/** What was filmed at a moment, above the bar of a video, while a pointer stands on it: time of day and a still. */
export class StillHint {
  #bar;
  #of;
  #timer = 0;
  #words = h("span", { class: "figures small" });
  #image = h("img", { alt: "", hidden: true, onload: () => (this.#image.hidden = false), onerror: () => (this.#image.hidden = true) });
  element = h("div", { class: "player-hint", hidden: true, "aria-hidden": "true" }, this.#image, this.#words);

  /**
   * @param {HTMLInputElement} bar Its values are seconds.
   * @param {{wordsAt: (seconds: number) => string, stillAt: (seconds: number) => string}} of What is said of a moment, and the address of its still.
   */
  constructor(bar, of) {
    this.#bar = bar;
    this.#of = of;
    // A finger covers what it points at, and cannot rest without pressing.
    bar.addEventListener("pointermove", (event) => event.pointerType === "mouse" && this.#point(event));
    bar.addEventListener("pointerleave", () => this.hide());
  }

  hide() {
    clearTimeout(this.#timer);
    this.element.hidden = true;
  }

  #point({ clientX }) {
    const { left, width } = this.#bar.getBoundingClientRect();
    const share = Math.max(0, Math.min(1, (clientX - left) / width));
    const seconds = share * Number(this.#bar.max);
    if (!(seconds >= 0) || width === 0) return;
    this.#words.textContent = this.#of.wordsAt(seconds);
    this.element.hidden = false;
    this.element.style.insetInlineStart = `${(100 * share).toFixed(2)}%`;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (this.#image.src = this.#of.stillAt(seconds)), restMilliseconds);
  }
}
