// SPDX-License-Identifier: Apache-2.0
import { h } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { timeOfDay } from "../../../core/time.js";
import { keptTimes } from "../../../model/footage.js";
import { groupOf } from "../../../model/words.js";
import { spans } from "../../../model/stream.js";

const all = [
  { name: "video", label: "replay.kind.video", groups: ["video"], colour: "--live" },
  { name: "camera", label: "replay.lane.camera", groups: [], colour: "--live" },
  { name: "chat", label: "replay.kind.chat", groups: ["chat"], colour: "--accent" },
  { name: "place", label: "replay.kind.place", groups: ["place"], colour: "--good" },
  { name: "rest", label: "replay.lane.rest", groups: ["asked", "session", "incident", "alert", "round", "report"], colour: "--warn" },
];
const lanePixels = 12;
const zoomFactor = 2;
/** The shortest time that is shown, in milliseconds. */
const spanLeast = 2000;

/** The whole time of an incident, or a part of it, with what happened when; the place in it can be moved. */
export class Lanes {
  #source;
  #lanes;
  #canvas = h("canvas", { class: "lanes-canvas", "aria-hidden": "true" });
  #now = h("div", { class: "lanes-now", "aria-hidden": "true" });
  #range;
  #ends = [h("span"), h("span")];
  #window;
  #drawn = "";
  /** When what a lane shows happened. @type {Float64Array[]} */
  #times;
  /** What was filmed, by the lane that shows it. @type {Record<string, {from: number, to: number}[]>} */
  #filmed;

  /** @param {import("../../../source/recorded.js").Recorded<any>} source @param {import("../../../model/footage.js").Kept[]} kept Footage of cameras. @param {(at: number) => void} seek */
  constructor(source, kept, seek) {
    this.#source = source;
    const lanes = all.filter(({ name }) => name !== "camera" || kept.length);
    this.#lanes = lanes;
    this.#window = { from: source.from, until: Math.max(source.until, source.from + 1) };
    this.#times = lanes.map(({ groups }) => Float64Array.from(source.events.filter((event) => groups.includes(groupOf(event))).map((event) => event.at)));
    this.#filmed = { video: Object.values(source.end.streams).flatMap(spans), camera: kept.map(keptTimes).map(({ from, until }) => ({ from, to: until })) };
    this.#range = h("input", { type: "range", class: "lanes-range", "aria-label": t("replay.moment"), min: 0, max: 1, step: "any", oninput: () => seek(Number(this.#range.value)) });
    const track = h("div", { class: "lanes-track" }, this.#canvas, this.#now, this.#range);
    track.style.blockSize = `${lanes.length * lanePixels}px`;
    track.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    this.element = h("div", { class: "lanes" },
      h("div", { class: "lanes-names small soft", "aria-hidden": "true" }, lanes.map(({ label, name }) => h("span", { dataset: { lane: name } }, t(label)))), track,
      h("div", { class: "lanes-ends small soft figures", "aria-hidden": "true" }, this.#ends));
    new ResizeObserver(() => this.#paint()).observe(track);
    new MutationObserver(() => this.#repaint()).observe(document.documentElement, { attributeFilter: ["data-theme"] });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#repaint());
  }

  /** Shows a part around the moment that is so many steps shorter. */
  zoom(steps) {
    const { from, until } = this.#source;
    const most = Math.max(until - from, 1);
    const span = Math.min(most, Math.max(Math.min(spanLeast, most), (this.#window.until - this.#window.from) / zoomFactor ** steps));
    this.#window = this.#around(this.#source.at, span);
    this.draw();
  }

  draw() {
    const { at } = this.#source;
    const { from, until } = this.#window;
    if (at < from || at > until) this.#window = this.#around(at, until - from);
    this.#paint();
    const place = (at - this.#window.from) / (this.#window.until - this.#window.from);
    this.#now.style.insetInlineStart = `${(100 * place).toFixed(3)}%`;
    this.#range.min = String(this.#window.from);
    this.#range.max = String(this.#window.until);
    if (this.#range.value !== String(at)) this.#range.value = String(at);
    this.#range.setAttribute("aria-valuetext", timeOfDay(at));
  }

  #around(at, span) {
    const { from, until } = this.#source;
    const begin = Math.max(from, Math.min(at - span / 2, Math.max(until, from + 1) - span));
    return { from: begin, until: begin + span };
  }

  #wheel(event) {
    if (!event.ctrlKey && !event.shiftKey) return;
    event.preventDefault();
    this.zoom(event.deltaY + event.deltaX < 0 ? 1 : -1);
  }

  #repaint() {
    this.#drawn = "";
    this.#paint();
  }

  #paint() {
    const wide = Math.round(this.#canvas.clientWidth * Math.min(2, devicePixelRatio || 1));
    const { from, until } = this.#window;
    const signature = `${wide} ${from} ${until}`;
    if (!wide || signature === this.#drawn) return;
    this.#drawn = signature;
    const canvas = this.#canvas;
    canvas.width = wide;
    canvas.height = this.#lanes.length * lanePixels;
    const pen = canvas.getContext("2d");
    const column = (at) => Math.round(((at - from) / (until - from)) * (wide - 1));
    this.#lanes.forEach(({ colour, name }, row) => {
      const top = row * lanePixels;
      pen.fillStyle = resolved("--line");
      pen.fillRect(0, top + lanePixels / 2, wide, 1);
      pen.fillStyle = resolved(colour);
      for (const span of this.#filmed[name] ?? []) pen.fillRect(column(span.from), top + 3, Math.max(2, column(span.to) - column(span.from)), lanePixels - 6);
      this.#ticks(this.#times[row], column, wide, (x) => pen.fillRect(x, top + 1, 2, lanePixels - 2));
    });
    this.#ends[0].textContent = timeOfDay(from);
    this.#ends[1].textContent = timeOfDay(until);
  }

  /** One mark for all that falls on the same column. */
  #ticks(times, column, wide, mark) {
    let last = -1;
    for (const at of times) {
      const x = column(at);
      if (x === last || x < 0 || x >= wide) continue;
      last = x;
      mark(x);
    }
  }
}

/** A colour of the theme as a canvas takes it. */
function resolved(name) {
  const probe = document.createElement("span");
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}
