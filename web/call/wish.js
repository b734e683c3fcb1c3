// SPDX-License-Identifier: Apache-2.0
import { fill, find, h } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { countdown } from "../core/time.js";
import { ask } from "./question.js";
import { around } from "./words.js";

/** So long after the touch nobody is surprised by what it does. */
const freshMilliseconds = 5000;
/** So long a page may be silent on what was pressed. */
const silentMilliseconds = 1000;

/** By two clocks: one of them stands still while some devices sleep, the other may be set. */
const clocks = () => [performance.now(), Date.now()];

/**
 * What the caller pressed and the centre cannot take yet: a line on the page says so, and lets go of it. There is one at a time; a newer one ends
 * the one before. Tells by `change` that it begins or ends to count down.
 */
export class Wish extends EventTarget {
  #line;
  #ending = new AbortController();
  #timer = 0;
  #touched = clocks();
  #isTold = false;

  /** @param {string} selector Of its line, which has a button to end it. @param {() => void} [onUndo] That one was pressed. */
  constructor(selector, onUndo = () => this.end()) {
    super();
    this.#line = find(selector);
    find("button", this.#line).onclick = onUndo;
  }

  /** @returns {AbortSignal} Ends this one. */
  begin() {
    this.end();
    this.#ending = new AbortController();
    this.touch();
    return this.#ending.signal;
  }

  /** The caller touched for it just now. */
  touch() {
    this.#touched = clocks();
  }

  /** The centre has it, and somebody has to take it until then. @param {string} until */
  told(until) {
    fill(find("span", this.#line), around("call.video.wished", { time: h("strong", { class: "figures", dataset: { until } }, countdown(until)) }));
    clearTimeout(this.#timer);
    this.#line.hidden = false;
    this.#tell(true);
  }

  /** The caller pressed once more for what waits: here it stands. */
  point() {
    const line = this.#line;
    line.scrollIntoView({ block: "nearest" });
    // What is pointed to again moves again.
    line.classList.remove("pointed");
    line.getBoundingClientRect();
    line.classList.add("pointed");
    line.focus({ preventScroll: true });
  }

  /** From now on the centre is waited for. */
  wait() {
    find("span", this.#line).textContent = t("call.video.waits");
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (this.#line.hidden = false), silentMilliseconds);
  }

  /** It is done, or not wanted any more. */
  end() {
    this.#ending.abort();
    this.hide();
  }

  /** Nothing waits any more. */
  hide() {
    clearTimeout(this.#timer);
    this.#tell(false);
    this.#line.hidden = true;
  }

  /** Whether the line counts down until when somebody has to take it. */
  get isTold() {
    return this.#isTold;
  }

  #tell(isTold) {
    if (this.#isTold === isTold) return;
    this.#isTold = isTold;
    this.dispatchEvent(new Event("change"));
  }

  get isFresh() {
    return clocks().every((at, which) => Math.abs(at - this.#touched[which]) < freshMilliseconds);
  }

  /**
   * Whether the caller wants it now: touched for it a moment ago, was told all the while that it waits, or says so by a card.
   * @param {HTMLElement} card @param {boolean} [wasTold]
   */
  async isStillWanted(card, wasTold = false) {
    this.hide();
    const { signal } = this.#ending;
    if (signal.aborted || ((wasTold || this.isFresh) && document.visibilityState === "visible")) return !signal.aborted;
    const choice = await ask(card, signal);
    this.touch();
    return choice === "yes" && !signal.aborted;
  }
}
