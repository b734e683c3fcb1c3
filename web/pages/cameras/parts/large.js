// SPDX-License-Identifier: Apache-2.0
import { h, icon } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { now, span } from "../../../core/time.js";
import { CameraLive } from "../../../media/camera-live.js";
import { InStep } from "../../../media/in-step.js";
import { liveState, othersOf, titleOf, towards } from "../../../model/cameras.js";
import { carry, give, momentAt } from "./carry.js";
import { DayBar } from "./day-bar.js";
import { keep, mayKeep } from "./keep.js";
import { chipOf, nowOf, standingWords } from "./said.js";

/** Who presses pause, or looks at the others, on the live picture stays so far behind it, in milliseconds: until there it is kept for sure. */
const behindLive = 3000;
const directions = [["up", "↑"], ["left", "←"], ["right", "→"], ["down", "↓"]];

/** One camera large: live, or looked back in while the live picture stays in the corner; and others with it, at the same moment. */
export class Large {
  #api;
  #options;
  /** @type {import("../../../model/cameras.js").Camera | null} */
  #camera = null;
  #cameras = [];
  #live = null;
  /** @type {InStep | null} */
  #step = null;
  #areOthersShown = false;
  #others = new Map();
  #liveFault = "";
  #liveVideo = h("video", { class: "of-live", ".muted": true, playsinline: true, "aria-label": t("player.video.live") });
  #then = h("video", { class: "of-then", ".muted": true, playsinline: true, "aria-label": t("wall.video.then") });
  #corner = h("button", { type: "button", class: "player-corner", "aria-label": t("player.live"), title: t("player.live"), onclick: () => this.#goLive() }, h("span", { class: "chip live" }));
  #message = h("p", { class: "player-message", role: "status" });
  #chip = h("span", { class: "chip" });
  #title = h("h2", {});
  #standing = h("span", { class: "small soft" });
  #notice = h("p", { class: "notice warn" });
  #ways = new Map();
  #screen;
  #bar;
  #othersButton = h("button", { type: "button", onclick: () => this.#toggleOthers() });
  #keepButton = h("button", { type: "button", onclick: () => keep(this.#api, this.#me, this.#camera, this.#step.at) }, t("wall.keep"));
  #giveButton = h("button", { type: "button", class: "to-team", onclick: () => give(this.#chat, this.#moment) }, t("wall.to-team"));
  #me;
  #chat;
  #list = h("ul", { class: "in-step" });
  element;

  /** @param {import("../../../core/api.js").API} api @param {{user: string, role: string}} me @param {import("../../../dom/team-chat.js").TeamChat} chat @param {{onLeave: () => void, onStep: (direction: any) => void, onOpen: (camera: any) => void, onMoment: (at: number | null) => void}} options */
  constructor(api, me, chat, options) {
    [this.#api, this.#options, this.#me, this.#chat] = [api, options, me, chat];
    const ways = directions.map(([direction, sign]) => {
      const words = h("span", { class: "way-name" });
      const button = h("button", { type: "button", class: `way ${direction}`, onclick: () => options.onStep(direction) }, h("span", { "aria-hidden": "true" }, sign), words);
      this.#ways.set(direction, { button, words });
      return button;
    });
    this.#bar = new DayBar(api, { onSeek: (at) => this.#seek(at), onPause: () => this.#pause(), onLive: () => this.#goLive() }, this.#giveButton, this.#keepButton, this.#othersButton);
    this.#screen = h("div", { class: "player-screen" }, this.#then, this.#liveVideo, h("div", { class: "player-state" }, this.#chip), this.#corner, this.#message);
    carry(this.#screen, chat, () => this.#moment);
    const whole = h("button", { type: "button", class: "icon", "aria-label": t("player.whole"), onclick: () => this.#wholeScreen() }, icon("whole"));
    this.element = h("section", { class: "large" },
      h("div", { class: "wall-bar" }, h("button", { type: "button", onclick: options.onLeave }, t("wall.leave")), this.#title, this.#standing, h("span", { class: "grow" }), h("div", { class: "ways", role: "group", "aria-label": t("wall.ways") }, ways, whole)),
      this.#notice, this.#screen, h("div", { class: "large-controls" }, this.#bar.element), this.#list);
    setInterval(() => this.#camera && this.#draw(), 500);
    document.addEventListener("visibilitychange", () => this.#camera && this.#watch());
  }

  /** The moment that is looked back at; `null` while it is the live picture. */
  get at() {
    return this.#step?.at ?? null;
  }

  /** Looks back at a moment of the camera that is shown. @param {number} at In milliseconds. */
  look(at) {
    this.#seek(at);
  }

  /** What the picture shows now; `null` where there is none. */
  get #moment() {
    const at = this.#step ? shownIn(this.#then, this.#screen) : (this.#live?.shownAt ?? null);
    return momentAt(this.#camera, titleOf(this.#camera), this.#camera.mayLook ? at : null);
  }

  /** @param {import("../../../model/cameras.js").Camera} camera @param {any[]} cameras @param {number | null} at Where to look back, if it is another camera or was not shown. */
  show(camera, cameras, at) {
    const isOther = this.#camera?.id !== camera.id;
    this.#cameras = cameras;
    this.#camera = camera;
    if (isOther) {
      const isPlaying = this.#step?.isPlaying ?? true;
      this.#close();
      this.#bar.camera = camera;
      this.#screen.dataset.animation = camera.animation ?? "";
      this.#animate();
      if (at !== null && camera.mayLook) this.#begin(at);
      if (!isPlaying) this.#step?.pause();
    }
    if (!camera.mayLook) this.#endStep();
    this.#title.textContent = titleOf(camera);
    this.#notice.textContent = camera.notice ?? "";
    this.#notice.hidden = !camera.notice;
    for (const [direction, { button, words }] of this.#ways) {
      const next = towards(cameras, camera, direction);
      button.disabled = !next;
      words.textContent = next ? titleOf(next) : "";
      button.setAttribute("aria-label", next ? t(`wall.to.${direction}`, { name: titleOf(next) }) : t(`wall.none.${direction}`));
    }
    this.#watch();
    if (this.#step) this.#fillStep();
    this.#draw();
  }

  close() {
    this.#camera = null;
    this.#areOthersShown = false;
    this.#close();
  }

  #close() {
    this.#live?.close();
    this.#live = null;
    this.#endStep();
  }

  /** The picture moves on to another camera as that one's animation says. */
  #animate() {
    this.#screen.classList.remove("arrives");
    // Read, so that the browser begins the animation anew.
    void this.#screen.offsetWidth;
    this.#screen.classList.add("arrives");
  }

  /** Watches the live picture while somebody is here, who may. */
  #watch() {
    const isWanted = this.#camera.mayLook && this.#camera.isOn && document.visibilityState === "visible";
    if (!isWanted) {
      this.#live?.close();
      this.#live = null;
    } else if (!this.#live) {
      this.#liveFault = "";
      this.#live = new CameraLive(this.#api, this.#camera.id, this.#liveVideo, { onChange: () => this.#draw(), onFault: (text) => (this.#liveFault = text) });
    }
  }

  // MARK: Looking back

  #begin(at) {
    this.#step = new InStep(this.#api, at, () => this.#draw());
    this.#fillStep();
  }

  #endStep() {
    this.#step?.close();
    this.#step = null;
    delete this.#screen.dataset.stand;
    for (const { element } of this.#others.values()) element.remove();
    this.#others.clear();
  }

  #goLive() {
    this.#areOthersShown = false;
    this.#endStep();
    this.#options.onMoment(null);
    this.#draw();
  }

  #seek(at) {
    if (!this.#camera.mayLook) return;
    if (at > now() - behindLive) return this.#goLive();
    if (this.#step) this.#step.seek(at);
    else this.#begin(at);
    this.#options.onMoment(at);
    this.#draw();
  }

  #pause() {
    if (!this.#step) {
      this.#seek(now() - behindLive - 1);
      this.#step?.pause();
    } else if (this.#step.isPlaying) this.#step.pause();
    else this.#step.play();
    if (this.#step) this.#options.onMoment(this.#step.at);
    this.#draw();
  }

  // MARK: Others at this moment

  #toggleOthers() {
    this.#areOthersShown = !this.#areOthersShown;
    if (this.#areOthersShown && !this.#step) this.#seek(now() - behindLive - 1);
    else this.#fillStep();
    this.#draw();
  }

  #fillStep() {
    if (!this.#step.has(this.#camera.id)) this.#step.add(this.#camera.id, this.#then, (stand, fault) => this.#tellThen(stand, fault));
    const others = this.#areOthersShown ? othersOf(this.#cameras, this.#camera).filter(({ mayLook }) => mayLook) : [];
    const ids = new Set(others.map(({ id }) => id));
    for (const [id, { element }] of this.#others) {
      if (ids.has(id)) continue;
      this.#step.remove(id);
      element.remove();
      this.#others.delete(id);
    }
    for (const camera of others) if (!this.#others.has(camera.id)) this.#addOther(camera);
  }

  #addOther(camera) {
    const video = h("video", { ".muted": true, playsinline: true, "aria-hidden": "true" });
    const words = h("p", { class: "tile-words" });
    const element = h("li", { class: "camera-tile", dataset: { camera: camera.id } }, video, words, h("button", { type: "button", class: "tile-open", "aria-label": t("wall.open", { name: titleOf(camera) }), onclick: () => this.#options.onOpen(camera) }),
      h("div", { class: "tile-head" }, h("strong", {}, titleOf(camera))));
    carry(element, this.#chat, () => momentAt(camera, titleOf(camera), shownIn(video, element)));
    this.#others.set(camera.id, { element });
    this.#list.append(element);
    this.#step.add(camera.id, video, (stand, fault) => {
      words.textContent = thenWords(stand, fault);
      words.hidden = stand === "shown";
      element.dataset.stand = stand;
    });
  }

  #tellThen(stand, fault) {
    this.#screen.dataset.stand = stand;
    this.#message.textContent = thenWords(stand, fault);
  }

  // MARK: What is said

  #draw() {
    const isBack = this.#step !== null;
    const { mayLook, isOn } = this.#camera;
    const state = this.#live?.state ?? { isConnected: false, standing: "unknown", shownAt: null };
    const standing = nowOf(this.#camera, state);
    const live = liveState({ ...state, standing: standing.standing }, now());
    const liveChip = mayLook && isOn ? chipOf(live) : { words: "", kind: "", state: "may-not" };
    const chip = isBack ? { words: t("wall.state.earlier", { time: span((now() - this.#step.at) / 1000) }), kind: "warn", state: "earlier" } : liveChip;
    [this.#chip.textContent, this.#chip.className, this.#chip.hidden] = [chip.words, `chip ${chip.kind}`, !chip.words];
    this.#screen.dataset.state = chip.state;
    this.#screen.classList.toggle("back", isBack);
    const [corner] = this.#corner.children;
    [corner.textContent, corner.className, corner.hidden] = [liveChip.words, `chip ${liveChip.kind}`, !liveChip.words];
    this.#corner.hidden = !isBack;
    this.#standing.textContent = standingWords(standing);
    if (!isBack) this.#message.textContent = !mayLook ? t("wall.may-not") : !isOn ? t("wall.off") : this.#liveFault || (live.word === "offline" ? standingWords(standing) : live.word === "waits" ? t("player.waits") : "");
    this.#message.hidden = !this.#message.textContent;
    const areShown = isBack && this.#areOthersShown;
    this.#othersButton.textContent = t(areShown ? "wall.others.hide" : "wall.others");
    this.#othersButton.hidden = !mayLook || othersOf(this.#cameras, this.#camera).length === 0;
    this.#keepButton.hidden = !isBack || !mayKeep(this.#me);
    this.#list.hidden = !areShown;
    this.#bar.element.hidden = !mayLook;
    this.#bar.show({ at: this.#step?.at ?? this.#live?.shownAt ?? now(), isLive: !isBack, isPlaying: this.#step?.isPlaying ?? true });
  }

  #wholeScreen() {
    if (document.fullscreenElement) document.exitFullscreen();
    else this.element.requestFullscreen?.();
  }
}

/** When the picture was filmed that is looked back at, in milliseconds; `null` where none is shown. @param {HTMLVideoElement} video @param {HTMLElement} element Tells how that stands. */
const shownIn = (video, element) => (element.dataset.stand === "shown" ? video.currentTime * 1000 : null);

/** @param {"shown" | "waits" | "none"} stand @param {string} fault */
function thenWords(stand, fault) {
  if (stand === "shown") return "";
  return fault || t(`wall.then.${stand}`);
}
