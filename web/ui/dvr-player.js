// SPDX-License-Identifier: Apache-2.0
import { fill, h, icon, refill } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { position, timeOfDay } from "../core/time.js";
import { LivePlayer } from "../media/player.js";
import { StillHint } from "./still-hint.js";

const states = {
  live: ["player.state.live", "live"], interrupted: ["player.state.interrupted", "bad"], stopped: ["player.state.stopped", ""], ended: ["player.state.recorded", ""],
  finalized: ["player.state.recorded", ""], unreachable: ["player.state.unreachable", "bad"],
};

/** Who was away for less than this goes on with the picture of now. */
const awaySecondsLeast = 4;
/** No picture for so long is told, whatever the connection says. */
const stillMilliseconds = 4000;

/**
 * Video of a stream: live, with looking back while the live picture stays in the corner; or a recording. The seek bar shows
 * where there are no pictures.
 */
export class DVRPlayer extends HTMLElement {
  #api = null;
  #stream = null;
  #live = null;
  /** The player of a live picture that has ended: its last picture stays until somebody looks at the recording. */
  #held = null;
  #corner = null;
  /** Why the live picture ended, in words. */
  #ending = "";
  /** When the live picture ended, RFC 3339; `null` until that is recorded. */
  #endedAt = null;
  /** When the first picture was taken, in milliseconds of the ledger's time; `null` where that is not known. */
  #startedAt = null;
  #duration = 0;
  #gaps = [];
  #indexTimer = 0;
  #isSeeking = false;
  /** Where somebody stopped watching and was away since, in seconds; and whether it has still to be shown. */
  #left = null;
  #isToReturn = false;
  #parts;

  connectedCallback() {
    if (this.#parts) return;
    const video = () => h("video", { ".muted": true, playsinline: true, "aria-label": t("player.video") });
    const [main, small] = [video(), video()];
    small.setAttribute("aria-label", t("player.video.live"));
    const state = h("span", { class: "chip" });
    const who = h("span", { class: "chip", hidden: true });
    const left = h("button", { type: "button", class: "chip warn", hidden: true, onclick: () => this.#goTo(this.#left) });
    const message = h("p", { class: "player-message", role: "status" });
    const over = h("div", { class: "player-over", role: "status", hidden: true });
    const corner = h("button", { type: "button", class: "player-corner", hidden: true, title: t("player.live"), onclick: () => this.goLive() }, small, h("span", { class: "chip live" }, t("player.state.live")));
    const bar = h("input", { type: "range", min: 0, max: 0, step: 0.1, value: 0, "aria-label": t("player.bar"), oninput: () => this.#drag(), onchange: () => this.#drop() });
    const gaps = h("div", { class: "player-gaps", "aria-hidden": "true" });
    const time = h("span", { class: "figures small" });
    const pause = h("button", { type: "button", class: "icon", "aria-label": t("player.pause"), onclick: () => this.#pause() }, icon("pause"));
    const back = h("button", { type: "button", onclick: () => this.step(-10), title: t("player.back"), "aria-label": t("player.back") }, "−10");
    const forth = h("button", { type: "button", onclick: () => this.step(10), title: t("player.on"), "aria-label": t("player.on") }, "+10");
    const live = h("button", { type: "button", class: "primary", onclick: () => this.goLive(), hidden: true }, t("player.live"));
    const full = h("button", { type: "button", class: "icon", "aria-label": t("player.whole"), onclick: () => this.#wholeScreen() }, icon("whole"));
    const hint = new StillHint(bar, {
      wordsAt: (seconds) => this.#timeAt(seconds) || position(seconds * 1000),
      stillAt: (seconds) => `/v1/streams/${this.#stream}/frame?at=${Math.round(seconds * 1000)}`,
    });
    this.#parts = { main, small, state, who, left, message, over, corner, bar, gaps, hint, time, pause, live };
    this.append(
      h("div", { class: "player-screen" }, main, h("div", { class: "player-state" }, state, who, left), message, over, corner),
      h("div", { class: "player-controls" }, pause, back, forth, h("div", { class: "player-bar" }, bar, gaps, hint.element), live, time, full),
    );
    main.addEventListener("resize", () => this.#tellShape());
    main.addEventListener("timeupdate", () => this.#update());
    main.addEventListener("loadedmetadata", () => this.#update());
    main.addEventListener("error", () => !this.#live && main.getAttribute("src") && this.#say(t("player.fault.recording")));
    this.addEventListener("keydown", (event) => this.#key(event));
  }

  disconnectedCallback() {
    this.close();
  }

  get stream() {
    return this.#stream;
  }

  /** When the first picture was taken: the bar then tells the time of day. @param {string | null} text RFC 3339 */
  set startedAt(text) {
    this.#startedAt = text ? Date.parse(text) : null;
  }

  /** Whose picture it is, where that is not plain; empty where it is. */
  set who(words) {
    this.#parts.who.textContent = words;
    this.#parts.who.hidden = !words;
  }

  /** Why the live picture ended, in words; known only after it did. */
  set ending(words) {
    if (this.#ending === words) return;
    this.#ending = words;
    this.#showOver();
  }

  /** When the live picture ended; known only after it did. @param {string | null} text RFC 3339 */
  set endedAt(text) {
    if (this.#endedAt === text) return;
    this.#endedAt = text;
    this.#showOver();
  }

  /** Whether the last picture of what has ended stands there. */
  get isHolding() {
    return this.#held !== null;
  }

  /** How far the picture of now was watched, in seconds; `null` while something else is shown. */
  get watched() {
    const isWatched = this.#live?.isFollowing && this.dataset.state === "live" && document.visibilityState === "visible" && !this.#isToReturn;
    return isWatched ? this.#live.end : null;
  }

  /**
   * Shows a stream that may still be growing.
   * @param {{left?: number | null}} [options] `left`: where somebody stopped watching; the player opens there, if that was some time ago.
   */
  showLive(api, stream, { left = null } = {}) {
    if (this.#stream === stream && this.#live) return;
    this.close();
    this.#begin(api, stream);
    this.#left = left;
    this.#isToReturn = left !== null;
    this.#live = new LivePlayer(api, stream, this.#parts.main, {
      onState: (state) => this.#setState(state),
      onFault: (text) => this.#say(text),
      onTime: () => this.#update(),
    });
    this.#say(t("player.waits"));
  }

  /** Shows a recording, by byte ranges. */
  showRecording(api, stream, { durationMilliseconds = 0, at = 0 } = {}) {
    if (this.#stream === stream && !this.#live && !this.#held) return;
    this.close();
    this.#begin(api, stream);
    this.#duration = durationMilliseconds / 1000;
    this.#setState("finalized");
    this.#parts.main.src = `/v1/streams/${stream}/media`;
    this.#parts.main.currentTime = at;
  }

  close() {
    clearInterval(this.#indexTimer);
    this.#closeCorner();
    for (const player of [this.#live, this.#held]) player?.close();
    [this.#live, this.#held] = [null, null];
    if (this.#parts) this.#showOver();
    this.#parts?.hint.hide();
    if (this.#parts && this.#stream) {
      this.#parts.main.removeAttribute("src");
      this.#parts.main.load();
    }
    this.#stream = null;
  }

  play() {
    if (this.#held) return this.#watch(0);
    this.#parts.main.play().catch((error) => error.name !== "AbortError" && this.#say(error.message));
  }

  goLive() {
    this.#isToReturn = false;
    this.#closeCorner();
    this.#live?.goLive();
    this.#update();
  }

  /** Moves by seconds; back from live opens the corner. */
  step(seconds) {
    const at = this.#live?.isFollowing ? this.#live.end : this.#held ? this.#end : this.#parts.main.currentTime;
    this.#goTo(at + seconds);
  }

  #begin(api, stream) {
    this.#api = api;
    this.#stream = stream;
    this.#gaps = [];
    this.#left = null;
    this.#isToReturn = false;
    this.#duration = 0;
    this.#ending = "";
    this.#endedAt = null;
    this.#say("");
    this.#readIndex();
    this.#indexTimer = setInterval(() => this.#live && this.#readIndex(), 10_000);
  }

  async #readIndex() {
    const stream = this.#stream;
    try {
      const index = await this.#api.get(`/v1/streams/${stream}/index`, { isLevel: false });
      if (this.#stream !== stream) return;
      // Not the gaps that were noted: what came late has filled them.
      this.#gaps = index.timespans.slice(1).map((span, number) => ({ fromMilliseconds: index.timespans[number].toMilliseconds, toMilliseconds: span.fromMilliseconds }));
      this.#duration = Math.max(this.#duration, index.durationMilliseconds / 1000);
      this.#update();
    } catch {
      // The bar goes without its gaps; the picture itself tells what is wrong.
    }
  }

  #setState(state) {
    this.dataset.state = state;
    this.#showState();
    if (state !== "ended") return;
    // Whoever looks back goes on where they are, in the recording; whoever followed keeps the last picture before the eyes.
    if (this.#live && !this.#live.isFollowing) this.#watch(this.#parts.main.currentTime);
    else if (this.#live) this.#hold();
    this.dispatchEvent(new CustomEvent("ended-live"));
  }

  /** Tells by the event `shape` how wide the picture is for its height. */
  #tellShape() {
    const { videoWidth, videoHeight } = this.#parts.main;
    if (videoWidth && videoHeight) this.dispatchEvent(new CustomEvent("shape", { detail: videoWidth / videoHeight }));
  }

  /** The last picture stays, and it is said that it is the last. */
  #hold() {
    this.#closeCorner();
    this.#held = this.#live;
    this.#live = null;
    this.#held.hold();
    this.#duration = Math.max(this.#duration, this.#held.end);
    clearInterval(this.#indexTimer);
    this.#say("");
    this.dataset.state = "finalized";
    this.#showOver();
    this.#update();
    this.#readIndex();
  }

  #showOver() {
    const { over } = this.#parts;
    over.hidden = !this.#held;
    if (!this.#held) return fill(over);
    refill(over, [this.#stream, this.#ending, this.#endedAt], () => [
      h("p", {}, h("strong", {}, [t("player.ended"), this.#endedAt && timeOfDay(new Date(this.#endedAt))].filter(Boolean).join(" ")), this.#ending && ` — ${this.#ending}`),
      h("div", { class: "row" },
        this.hasAttribute("asks") && h("button", { type: "button", dataset: { key: "again" }, onclick: () => this.dispatchEvent(new CustomEvent("ask-again", { bubbles: true })) }, t("player.ask")),
        h("button", { type: "button", dataset: { key: "start" }, onclick: () => this.#watch(0) }, t("player.start"))),
    ]);
  }

  /** Goes over to the recording of what was live. */
  #watch(at) {
    const [api, stream, duration] = [this.#api, this.#stream, this.#end];
    const hadFocus = this.#parts.over.contains(document.activeElement);
    this.close();
    this.showRecording(api, stream, { durationMilliseconds: duration * 1000, at: Math.max(0, Math.min(at, duration)) });
    this.play();
    if (hadFocus) this.#parts.bar.focus();
  }

  /** The time of day of a moment of the video; empty where it is not known. */
  #timeAt(seconds) {
    return this.#startedAt === null ? "" : timeOfDay(new Date(this.#startedAt + seconds * 1000));
  }

  /** Opens where somebody stopped watching, once it is known how long ago that was. */
  #return() {
    if (!this.#isToReturn || !this.#live || !this.#live.end || this.dataset.state !== "live") return;
    this.#isToReturn = false;
    if (this.#live.end - this.#left < awaySecondsLeast) {
      this.#left = null;
      return;
    }
    this.#goTo(this.#left);
  }

  /** For how many milliseconds no picture has come. */
  get #still() {
    return this.#live?.endAt ? performance.now() - this.#live.endAt : 0;
  }

  /** Whether what is looked at is of now: what stands still is not, whatever connection says so. */
  get #isLiveNow() {
    return Boolean(this.#live?.isFollowing) && this.dataset.state === "live" && this.#still <= stillMilliseconds;
  }

  /** What stands on the picture: never LIVE on an earlier moment, or on one that stands still. */
  #showState() {
    const isEarlier = this.#live && !this.#live.isFollowing;
    const still = this.#still;
    const [word, kind] = this.#held ? [t("player.state.ended"), ""]
      : isEarlier ? [t("player.state.earlier", { time: position(this.#live.behind * 1000) }), "warn"]
      : this.dataset.state === "live" && still > stillMilliseconds ? [t("player.state.still", { seconds: Math.round(still / 1000) }), "bad"]
      : this.dataset.state in states ? [t(states[this.dataset.state][0]), states[this.dataset.state][1]] : [this.dataset.state ?? "", ""];
    this.#parts.left.hidden = this.#left === null || this.#isToReturn;
    this.#parts.left.textContent = t("player.left", { time: position((this.#left ?? 0) * 1000) });
    this.#parts.state.hidden = !word;
    this.#parts.state.textContent = word;
    this.#parts.state.className = `chip ${kind}`;
  }

  #say(text) {
    this.#parts.message.textContent = text;
    this.#parts.message.hidden = !text;
  }

  #goTo(seconds) {
    if (this.#held) return this.#watch(seconds);
    if (!this.#live) {
      this.#parts.main.currentTime = Math.max(0, Math.min(seconds, this.#end));
      return;
    }
    if (seconds >= this.#live.end - 0.5) return this.goLive();
    this.#openCorner();
    this.#live.seek(seconds);
  }

  #openCorner() {
    if (this.#corner || this.dataset.state !== "live") return;
    this.#parts.corner.hidden = false;
    this.#corner = new LivePlayer(this.#api, this.#stream, this.#parts.small);
  }

  #closeCorner() {
    this.#corner?.close();
    this.#corner = null;
    if (!this.#parts) return;
    if (document.activeElement === this.#parts.corner) this.#parts.bar.focus();
    this.#parts.corner.hidden = true;
  }

  #pause() {
    const { main } = this.#parts;
    if (!main.paused) {
      if (this.#live?.isFollowing) this.#goTo(this.#live.end - 1);
      main.pause();
    } else {
      this.play();
    }
    this.#update();
  }

  #wholeScreen() {
    if (document.fullscreenElement) document.exitFullscreen();
    else this.requestFullscreen().catch((error) => this.#say(error.message));
  }

  get #end() {
    const own = this.#parts.main.duration;
    return this.#live ? Math.max(this.#live.end, this.#duration) : Number.isFinite(own) && own > 0 ? own : this.#duration;
  }

  #drag() {
    this.#isSeeking = true;
    this.#label(Number(this.#parts.bar.value));
  }

  #drop() {
    this.#isSeeking = false;
    this.#goTo(Number(this.#parts.bar.value));
  }

  #update() {
    const { main, bar, live, pause, gaps } = this.#parts;
    const end = this.#end;
    bar.max = String(end);
    this.#return();
    if (main.videoWidth && main.readyState >= 2) this.#say("");
    if (!this.#isSeeking) {
      bar.value = String(this.#live?.isFollowing || this.#held ? end : main.currentTime);
      this.#label(Number(bar.value));
    }
    this.#showState();
    const wasThere = document.activeElement === live;
    live.hidden = !this.#live || this.#live.isFollowing;
    if (live.hidden && wasThere) bar.focus();
    if (this.#held) this.#showOver();
    refill(pause, main.paused, () => icon(main.paused ? "play" : "pause"));
    pause.setAttribute("aria-label", t(main.paused ? "player.play" : "player.pause"));
    if (gaps.childElementCount !== this.#gaps.length || this.#live) this.#drawGaps(end);
  }

  #label(seconds) {
    const { bar, time } = this.#parts;
    const behind = this.#end - seconds;
    const isFollowing = this.#live?.isFollowing && !this.#isSeeking;
    const isLive = isFollowing && this.#isLiveNow;
    const place = isLive ? t("player.at.live") : isFollowing ? t("player.at.last") : this.#live ? `−${position(behind * 1000)}` : "";
    const length = this.#live ? position(seconds * 1000) : `${position(seconds * 1000)} / ${position(this.#end * 1000)}`;
    time.textContent = [this.#timeAt(seconds), place, length].filter(Boolean).join(" · ");
    bar.setAttribute("aria-valuetext", isLive ? t("player.at.live") : this.#live ? t("player.at.behind", { count: Math.round(behind) }) : [this.#timeAt(seconds), length].filter(Boolean).join(", "));
  }

  #drawGaps(end) {
    if (!(end > 0)) return;
    fill(this.#parts.gaps, this.#left !== null && this.#mark(end), this.#gaps.map((gap) => {
      const mark = h("span", { title: t("player.gap") });
      mark.style.insetInlineStart = `${(gap.fromMilliseconds / 10 / end).toFixed(2)}%`;
      mark.style.inlineSize = `${(Math.max(0, gap.toMilliseconds - gap.fromMilliseconds) / 10 / end).toFixed(2)}%`;
      return mark;
    }));
  }

  #mark(end) {
    const mark = h("span", { class: "left", title: t("player.mark") });
    mark.style.insetInlineStart = `${((100 * this.#left) / end).toFixed(2)}%`;
    return mark;
  }

  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const isBar = event.target === this.#parts.bar;
    const action = {
      ArrowLeft: () => this.step(-5), ArrowRight: () => this.step(5), PageDown: () => this.step(-30), PageUp: () => this.step(30), l: () => this.goLive(), " ": () => this.#pause(),
      ...(isBar && { ArrowDown: () => this.step(-5), ArrowUp: () => this.step(5), Home: () => this.#goTo(0), End: () => (this.#live ? this.goLive() : this.#goTo(this.#end)) }),
    }[event.key];
    if (!action || (event.key === " " && event.target.closest("button"))) return;
    event.preventDefault();
    action();
  }
}

customElements.define("dvr-player", DVRPlayer);
