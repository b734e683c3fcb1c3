// SPDX-License-Identifier: Apache-2.0
import { h, icon, refill } from "../../../core/dom.js";
import { numeral, t } from "../../../core/i18n.js";
import { dayAndTime, timeOfDay } from "../../../core/time.js";

const speeds = [0.25, 0.5, 1, 2, 4, 8, 16, 32, 64];
const fractions = { 0.25: "¼", 0.5: "½" };
/** The device's clock is told where it is further off than this. */
const skewLeast = 1000;

/** Starting and stopping, how fast, and what time it is by the ledger and by the device. */
export class Controls {
  #source;
  #play = h("button", { type: "button", class: "primary icon", "aria-label": t("player.play"), onclick: () => this.switch() });
  #speed = h("select", { "aria-label": t("replay.speed"), onchange: () => (this.#source.speed = Number(this.#speed.value)) }, speeds.map((speed) => h("option", { value: speed }, `${fractions[speed] ?? speed} ×`)));
  #time = h("strong", { class: "figures now" });
  #device = h("span", { class: "soft small figures" });

  /** @param {import("../../../source/recorded.js").Recorded<any>} source */
  constructor(source, lanes, actions) {
    this.#source = source;
    this.#speed.value = "1";
    const button = (words, title, press) => h("button", { type: "button", title, "aria-label": title, onclick: press }, words);
    const few = t("time.seconds", { seconds: 5 });
    this.element = h("div", { class: "row control-row" },
      this.#play, button("|◂", t("replay.line.previous"), () => actions.step(-1)), button("▸|", t("replay.line.next"), () => actions.step(1)),
      button(`−${few}`, t("replay.back"), () => source.seek(source.at - 5000)), button(`+${few}`, t("replay.on"), () => source.seek(source.at + 5000)), this.#speed,
      h("span", { class: "clocks" }, this.#time, this.#device), h("span", { class: "grow" }),
      button("−", t("replay.time.longer"), () => lanes.zoom(-1)), button("+", t("replay.time.shorter"), () => lanes.zoom(1)), keys());
  }

  switch() {
    if (this.#source.isRunning) this.#source.pause();
    else this.#source.play();
  }

  faster(steps) {
    const index = Math.max(0, Math.min(speeds.length - 1, speeds.indexOf(this.#source.speed) + steps));
    this.#speed.value = String(speeds[index]);
    this.#source.speed = speeds[index];
  }

  draw() {
    const { isRunning, at, event } = this.#source;
    refill(this.#play, isRunning, () => icon(isRunning ? "pause" : "play"));
    this.#play.setAttribute("aria-label", t(isRunning ? "player.pause" : "player.play"));
    this.#time.textContent = timeOfDay(at);
    this.#time.title = t("replay.by-ledger", { time: dayAndTime(at) });
    const skew = event?.skewMilliseconds ?? 0;
    this.#device.textContent = event?.occurredAt && Math.abs(skew) > skewLeast ? t("replay.device", { time: timeOfDay(Date.parse(event.occurredAt)), seconds: numeral(-skew / 1000, 1) }) : "";
  }
}

function keys() {
  const rows = [[t("replay.key.space"), t("replay.keys.play")], ["← →", t("replay.keys.seconds")], [", .", t("replay.keys.lines")], ["J L", t("replay.keys.speed")], ["− +", t("replay.keys.time")], [t("replay.key.ends"), t("replay.keys.ends")]];
  return h("details", { class: "keys" }, h("summary", {}, t("replay.keys")), h("dl", { class: "facts card" }, rows.map(([key, words]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, words)])));
}
