// SPDX-License-Identifier: Apache-2.0
import { fill, h, icon, refill } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { dayOf, fieldDay, momentOf, now, timeAndZone, timeOfDay } from "../../../core/time.js";
import { spansOf } from "../../../model/footage.js";
import { StillHint } from "../../../ui/still-hint.js";

/** How often it is read where a day that is not over has footage. */
const readMilliseconds = 15_000;
const jumps = [["minute-back", -60, "−1 min"], ["back", -10, "−10 s"], ["on", 10, "+10 s"], ["minute-on", 60, "+1 min"]];

/** A day of a camera, and where on it somebody is: a bar with the footage that there is, jumps, and fields for day and time. */
export class DayBar {
  #api;
  #options;
  #camera = null;
  #day = "";
  #begin = 0;
  #end = 0;
  #hours = [];
  #at = 0;
  #isDragging = false;
  #readAt = -Infinity;
  #turn = 0;
  #bar = h("input", { type: "range", min: 0, step: 1, "aria-label": t("wall.day-bar"), oninput: () => this.#drag(), onchange: () => this.#drop() });
  #spans = h("div", { class: "day-spans", "aria-hidden": "true" });
  #hint;
  #pause = h("button", { type: "button", class: "icon", onclick: () => this.#options.onPause() });
  #live = h("button", { type: "button", class: "primary", onclick: () => this.#options.onLive() }, t("player.live"));
  #date = h("input", { type: "date", "aria-label": t("wall.day"), onchange: () => this.#choose() });
  #time = h("input", { type: "time", step: 1, "aria-label": t("wall.time"), onchange: () => this.#choose() });
  #label = h("span", { class: "figures day-label" });
  element;

  /** @param {import("../../../core/api.js").API} api @param {{onSeek: (at: number) => void, onPause: () => void, onLive: () => void}} options @param {HTMLElement[]} more What stands at the end of its line. */
  constructor(api, options, ...more) {
    [this.#api, this.#options] = [api, options];
    this.#hint = new StillHint(this.#bar, {
      wordsAt: (seconds) => timeOfDay(new Date(this.#begin + seconds * 1000)),
      stillAt: (seconds) => `/v1/cameras/${this.#camera.id}/still?at=${encodeURIComponent(new Date(this.#begin + seconds * 1000).toISOString())}`,
    });
    const jump = ([name, seconds, words]) => h("button", { type: "button", "aria-label": t(`wall.jump.${name}`), title: t(`wall.jump.${name}`), onclick: () => options.onSeek(this.#at + seconds * 1000) }, words);
    this.element = h("div", { class: "day" }, h("div", { class: "player-bar" }, this.#bar, this.#spans, this.#hint.element),
      h("div", { class: "row" }, this.#pause, jumps.slice(0, 2).map(jump), jumps.slice(2).map(jump), this.#date, this.#time, this.#live, this.#label, h("span", { class: "grow" }), more));
  }

  /** @param {{id: string}} camera */
  set camera(camera) {
    if (this.#camera?.id === camera.id) return;
    this.#camera = camera;
    [this.#hours, this.#readAt] = [[], -Infinity];
    this.#hint.hide();
    this.#drawSpans();
    if (this.#day) this.#read();
  }

  /** Where it stands. @param {{at: number, isLive: boolean, isPlaying: boolean}} moment */
  show({ at, isLive, isPlaying }) {
    this.#at = at;
    const day = fieldDay(at);
    if (day !== this.#day) this.#turnTo(day);
    else if (now() < this.#end + readMilliseconds && performance.now() - this.#readAt > readMilliseconds) this.#read();
    this.#live.hidden = isLive;
    refill(this.#pause, isPlaying, () => icon(isPlaying ? "pause" : "play"));
    this.#pause.setAttribute("aria-label", t(isPlaying ? "player.pause" : "player.play"));
    if (!this.#isDragging) this.#tell(at);
    for (const [input, value] of [[this.#date, day], [this.#time, timeOfDay(new Date(at))]]) if (document.activeElement !== input && input.value !== value) input.value = value;
  }

  #turnTo(day) {
    this.#day = day;
    this.#begin = momentOf(day, "00:00:00");
    // A day has 23 to 25 hours.
    this.#end = momentOf(fieldDay(this.#begin + 26 * 3_600_000), "00:00:00");
    this.#bar.max = String((this.#end - this.#begin) / 1000);
    this.#hours = [];
    this.#drawSpans();
    this.#read();
  }

  async #read() {
    this.#readAt = performance.now();
    const turn = ++this.#turn;
    const { id } = this.#camera;
    const query = new URLSearchParams({ from: new Date(this.#begin).toISOString(), to: new Date(this.#end).toISOString() });
    try {
      const { items } = await this.#api.get(`/v1/cameras/${id}/footage?${query}`, { isLevel: false });
      if (turn !== this.#turn) return;
      this.#hours = items;
      this.#drawSpans();
    } catch {
      // The bar goes without its spans; the picture itself tells what is wrong.
    }
  }

  #drawSpans() {
    const length = this.#end - this.#begin;
    if (!(length > 0)) return;
    fill(this.#spans, spansOf(this.#hours, this.#begin, this.#end, now()).map(({ from, until }) => {
      const mark = h("span", { title: `${timeOfDay(new Date(from))} – ${timeOfDay(new Date(until))}` });
      mark.style.insetInlineStart = `${((100 * (from - this.#begin)) / length).toFixed(3)}%`;
      mark.style.inlineSize = `${((100 * (until - from)) / length).toFixed(3)}%`;
      return mark;
    }));
  }

  #drag() {
    this.#isDragging = true;
    this.#tell(this.#begin + Number(this.#bar.value) * 1000);
  }

  #drop() {
    this.#isDragging = false;
    this.#options.onSeek(this.#begin + Number(this.#bar.value) * 1000);
  }

  #tell(at) {
    if (!this.#isDragging) this.#bar.value = String(Math.round((at - this.#begin) / 1000));
    this.#label.textContent = `${dayOf(at)} ${timeAndZone(new Date(at))}`;
    this.#bar.setAttribute("aria-valuetext", this.#label.textContent);
  }

  #choose() {
    if (this.#date.value && this.#time.value) this.#options.onSeek(momentOf(this.#date.value, this.#time.value));
  }
}
