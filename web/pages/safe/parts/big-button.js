// SPDX-License-Identifier: Apache-2.0
import { h } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { holdMilliseconds, pressOf } from "../../../model/safety.js";
import { readySignal } from "./signal.js";

/** The way of the button ends so far from the edge of its track, in pixels. */
const marginPixels = 8;
/** A click comes so soon after its press. */
const quietMilliseconds = 500;

/** The large button on its track: swiped to the left, or held, it sends; a tap, and a press by keyboard or screen reader, asks first. */
export class BigButton {
  #told;
  /** @type {{x: number, y: number, at: number}[]} */
  #path = [];
  #pointer = -1;
  #timer = 0;
  /** Until when a click is what browsers send after a press that said all. */
  #quietUntil = 0;
  #knob = h("button", {
    type: "button", class: "knob", id: "alert", "aria-describedby": "alert-hint",
    onpointerdown: (event) => this.#begin(event), onpointermove: (event) => this.#move(event), onpointerup: (event) => this.#end(event), onpointercancel: () => this.#leave(),
    onclick: (event) => this.#clicked(event), oncontextmenu: (event) => event.preventDefault(),
  }, h("span", { class: "visually-hidden" }, t("safe.button.name")), h("span", { "aria-hidden": "true" }, t("safe.button")), h("span", { class: "small", "aria-hidden": "true" }, t("safe.button.hold", { seconds: holdMilliseconds / 1000 })));
  #way = h("span", { class: "way", "aria-hidden": "true" }, t("safe.button.way"));
  element = h("div", { class: "track" }, this.#way, this.#knob);

  /** @param {{onAlert: (trigger: "swipe" | "hold") => void, onAsk: () => void}} told */
  constructor(told) {
    this.#told = told;
    // Otherwise the browser clicks what stands under the finger when it lets go, and that may be "False alarm" by then.
    this.#knob.addEventListener("touchend", (event) => performance.now() < this.#quietUntil && event.cancelable && event.preventDefault());
  }

  #begin(event) {
    // A second finger is no press.
    if (this.#pointer !== -1 || event.button > 0) return;
    readySignal();
    [this.#pointer, this.#path, this.#quietUntil] = [event.pointerId, [spotOf(event)], 0];
    this.#knob.setPointerCapture(event.pointerId);
    this.#timer = setTimeout(() => this.#held(), holdMilliseconds);
    this.#draw();
  }

  #move(event) {
    if (event.pointerId !== this.#pointer) return;
    this.#path.push(spotOf(event));
    this.#draw();
  }

  #end(event) {
    const isMine = event.pointerId === this.#pointer;
    if (isMine) this.#path.push(spotOf(event));
    const meaning = isMine ? this.#press.meaning : "";
    if (meaning !== "tap") this.#quietUntil = performance.now() + quietMilliseconds;
    if (!isMine) return;
    this.#leave();
    if (meaning === "swipe" || meaning === "hold") this.#told.onAlert(meaning);
  }

  /** The finger may rest on the button for longer: the alert does not wait for it. */
  #held() {
    if (this.#press.meaning !== "hold") return;
    this.#leave();
    this.#told.onAlert("hold");
  }

  #clicked({ detail }) {
    // Keys and screen readers send clicks without a count.
    if (detail === 0 || performance.now() > this.#quietUntil) this.#told.onAsk();
  }

  #leave() {
    clearTimeout(this.#timer);
    [this.#pointer, this.#path] = [-1, []];
    this.#draw();
  }

  get #reach() {
    return this.element.clientWidth - this.#knob.offsetWidth - 2 * marginPixels;
  }

  get #press() {
    return pressOf(this.#path, this.#reach, performance.now());
  }

  #draw() {
    const { offset, isFar, held } = this.#path.length ? this.#press : { offset: 0, isFar: false, held: -1 };
    this.#knob.style.setProperty("--offset", `${offset}px`);
    this.element.classList.toggle("far", isFar);
    this.element.classList.toggle("pressed", this.#path.length > 0);
    // The ring grows by itself from the press on, as long as the finger rests.
    this.#knob.classList.toggle("held", held >= 0 && offset > -marginPixels);
    this.#way.textContent = t(isFar ? "safe.button.let-go" : "safe.button.way");
  }
}

const spotOf = ({ clientX, clientY }) => ({ x: clientX, y: clientY, at: performance.now() });
