// SPDX-License-Identifier: Apache-2.0
import { h, icon, refill } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { now, timeOfDay } from "../../../core/time.js";
import { CameraLive } from "../../../media/camera-live.js";
import { liveState, titleOf } from "../../../model/cameras.js";
import { carry, give, momentAt } from "./carry.js";
import { chipOf, nowOf, standingWords } from "./said.js";

/**
 * The live picture of a camera on the wall: it plays while it is to be seen, unless somebody paused or stopped it.
 *
 * @typedef {import("../../../model/cameras.js").Camera} Camera
 */
export class Tile {
  #api;
  #onWish;
  #live = null;
  #wish = "play";
  #isSeen = false;
  #isKeyOnly;
  /** When the picture was filmed that somebody holds. */
  #heldAt = null;
  #fault = "";
  #video = h("video", { ".muted": true, playsinline: true, "aria-hidden": "true", tabindex: "-1" });
  #name = h("strong", {});
  #chip = h("span", { class: "chip" });
  #notice = h("p", { class: "tile-notice small" });
  #words = h("p", { class: "tile-words" });
  #open = h("button", { type: "button", class: "tile-open" });
  #play = h("button", { type: "button", class: "icon", onclick: () => this.wish(this.#wish === "play" ? "pause" : "play") });
  #stop = h("button", { type: "button", class: "icon", onclick: () => this.wish("stop") }, icon("stop"));
  #give = h("button", { type: "button", class: "icon to-team" }, icon("chat"));
  element;

  /** @param {import("../../../core/api.js").API} api @param {import("../../../dom/team-chat.js").TeamChat} chat @param {Camera} camera @param {{isKeyOnly: boolean, onOpen: (camera: Camera) => void, onWish: () => void}} options */
  constructor(api, chat, camera, { isKeyOnly, onOpen, onWish }) {
    [this.#api, this.#onWish] = [api, onWish];
    this.#isKeyOnly = isKeyOnly;
    this.#open.addEventListener("click", () => onOpen(this.camera));
    this.element = h("li", { class: "camera-tile", dataset: { camera: camera.id } }, this.#video, this.#words, this.#open,
      h("div", { class: "tile-head" }, this.#name, this.#chip), this.#notice, h("div", { class: "tile-controls" }, this.#give, this.#play, this.#stop));
    this.#give.addEventListener("click", () => give(chat, this.#moment));
    carry(this.element, chat, () => this.#moment);
    this.update(camera);
  }

  /** What the gateway says of it now. @param {Camera} camera */
  update(camera) {
    this.camera = camera;
    this.#name.textContent = titleOf(camera);
    this.#open.setAttribute("aria-label", t("wall.open", { name: titleOf(camera) }));
    this.#stop.setAttribute("aria-label", t("wall.stop-of", { name: titleOf(camera) }));
    for (const name of ["aria-label", "title"]) this.#give.setAttribute(name, t("wall.to-team-of", { name: titleOf(camera) }));
    this.#notice.textContent = camera.notice ?? "";
    this.#notice.hidden = !camera.notice;
    this.#apply();
  }

  set isSeen(isSeen) {
    this.#isSeen = isSeen;
    this.#apply();
  }

  set isKeyOnly(isKeyOnly) {
    this.#isKeyOnly = isKeyOnly;
    if (this.#live) this.#live.isKeyOnly = isKeyOnly;
  }

  /** What the picture shows now; `null` where there is none. */
  get #moment() {
    return momentAt(this.camera, titleOf(this.camera), this.#heldAt ?? this.#live?.shownAt ?? null);
  }

  get isStopped() {
    return this.#wish === "stop";
  }

  /** @param {"play" | "pause" | "stop"} wish */
  wish(wish) {
    this.#heldAt = wish === "pause" ? (this.#live?.shownAt ?? this.#heldAt) : null;
    if (wish === "pause") this.#live?.hold();
    this.#wish = wish;
    this.#apply();
    this.#onWish();
  }

  close() {
    this.#live?.close();
    this.#live = null;
  }

  #apply() {
    const { mayLook, isOn, id } = this.camera;
    const isWanted = mayLook && isOn && this.#isSeen && this.#wish === "play";
    const isHeld = this.#heldAt !== null && mayLook;
    if (isWanted && (!this.#live || this.element.dataset.held !== undefined)) {
      this.close();
      delete this.element.dataset.held;
      this.#fault = "";
      this.#live = new CameraLive(this.#api, id, this.#video, {
        isKeyOnly: this.#isKeyOnly, onChange: () => this.#show(),
        onFault: (text) => {
          this.#fault = text;
          this.#show();
        },
      });
    } else if (isHeld && this.#live) this.element.dataset.held = "";
    else if (!isWanted) this.close();
    this.#show();
  }

  #show() {
    const { words, chip } = this.#said();
    [this.#chip.textContent, this.#chip.className] = [chip.words, `chip ${chip.kind}`];
    this.#chip.hidden = !chip.words;
    this.element.dataset.state = chip.state;
    this.#words.textContent = words;
    this.#words.hidden = !words;
    const mayPlay = this.camera.mayLook && this.camera.isOn;
    this.#play.hidden = !mayPlay;
    this.#stop.hidden = this.#give.hidden = !mayPlay || this.isStopped;
    const isPlaying = this.#wish === "play";
    refill(this.#play, isPlaying, () => icon(isPlaying ? "pause" : "play"));
    this.#play.setAttribute("aria-label", t(isPlaying ? "wall.pause-of" : "wall.play-of", { name: titleOf(this.camera) }));
  }

  /** What stands on the picture and in its corner. */
  #said() {
    const { camera } = this;
    if (!camera.mayLook) return { words: t("wall.may-not"), chip: { words: "", kind: "", state: "may-not" } };
    if (!camera.isOn) return { words: t("wall.off"), chip: { words: "", kind: "", state: "off" } };
    if (this.isStopped) return { words: standingWords(camera), chip: { words: t("wall.state.stopped"), kind: "", state: "stopped" } };
    if (this.#wish === "pause") {
      const time = this.#heldAt === null ? "" : timeOfDay(new Date(this.#heldAt));
      return { words: "", chip: { words: t("wall.state.paused", { time }).trim(), kind: "warn", state: "paused" } };
    }
    if (!this.#live) return { words: standingWords(camera), chip: { words: "", kind: "", state: "unseen" } };
    const { state } = this.#live;
    const standing = nowOf(camera, state);
    const live = liveState({ ...state, standing: standing.standing }, now());
    const isDark = live.word === "offline" || (live.word === "waits" && standing.standing !== "online");
    return { words: this.#fault || (isDark ? standingWords(standing) : live.word === "waits" ? t("player.waits") : ""), chip: chipOf(live) };
  }
}
