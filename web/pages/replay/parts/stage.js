// SPDX-License-Identifier: Apache-2.0
import { fill, h } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { timeElement } from "../../../core/time.js";
import { keptAt, keptTimes } from "../../../model/footage.js";
import { pictureAt, spans } from "../../../model/stream.js";
import { CameraThen } from "./camera-then.js";

/** So many videos are decoded at a time; what else was filmed then is named. */
const videosMost = 6;
/** How fast a browser lets a video run; what is faster goes in steps. */
const rateMost = 16;
const rateLeast = 0.25;
/** How far a video may be off the moment, in seconds of the one who looks, before it is put there. */
const offMost = 0.6;
/** The same where it stands still. */
const offStill = 0.04;

/** All videos of an incident, of phones and of cameras, in step: each shows the picture of the moment. */
export class Stage {
  #api;
  #recording;
  #source;
  #seek;
  #tiles = new Map();
  #grid = h("div", { class: "videos" });
  #words = h("p", { class: "soft", role: "status" });
  #around = h("p", { class: "row" });
  /** From when to when anything was filmed. */
  #filmed;

  /** @param {import("../../../core/api.js").API} api @param {Awaited<ReturnType<typeof import("./load.js").read>>} recording @param {(at: number) => void} seek */
  constructor(api, recording, seek) {
    [this.#api, this.#recording, this.#source, this.#seek] = [api, recording, recording.source, seek];
    const kept = recording.kept.map(keptTimes).map(({ from, until }) => ({ from, to: until }));
    this.#filmed = [...Object.values(this.#source.end.streams).flatMap(spans), ...kept].sort((one, other) => one.from - other.from);
    this.element = h("section", { class: "stage card", "aria-label": t("replay.video") }, this.#grid, h("div", { class: "no-video" }, this.#words, this.#around));
  }

  draw() {
    const shown = [...this.#ofPhones(), ...this.#ofCameras()];
    const wanted = shown.slice(0, videosMost);
    for (const [key, tile] of this.#tiles) {
      if (wanted.some((one) => one.key === key)) continue;
      tile.close();
      this.#tiles.delete(key);
    }
    for (const { key, make, picture } of wanted) {
      if (!this.#tiles.has(key)) this.#add(key, make());
      this.#tiles.get(key).show(picture, this.#source);
    }
    this.#grid.hidden = wanted.length === 0;
    this.#grid.dataset.count = String(wanted.length);
    this.#say(shown.length, this.#source.at);
  }

  /** What has been filmed by now is known from what was archived later, too. */
  #ofPhones() {
    const { at, state, end } = this.#source;
    const phoneOf = ({ session }) => end.sessions[session]?.phone ?? t("replay.number.unknown");
    return Object.keys(state.streams).map((id) => ({ stream: end.streams[id], picture: pictureAt(end.streams[id], at) }))
      .filter(({ stream, picture }) => picture && !(picture.isGap && isOver(stream, at)))
      .map(({ stream, picture }) => ({ key: stream.id, picture, make: () => new Tile(stream, phoneOf(stream)) }));
  }

  #ofCameras() {
    const { id, kept } = this.#recording;
    return keptAt(kept, this.#source.at).map((span) => ({ key: `kept-${span.number}`, picture: null, make: () => new CameraThen(this.#api, id, span, this.#source) }));
  }

  #add(key, tile) {
    this.#tiles.set(key, tile);
    this.#grid.append(tile.element);
  }

  #about(count) {
    if (this.#filmed.length === 0) return t("replay.video.none");
    if (count === 0) return t("replay.video.nobody");
    return count > videosMost ? t("replay.video.more", { count: count - videosMost }) : "";
  }

  #say(count, at) {
    const words = this.#about(count);
    this.#words.textContent = words;
    this.#words.parentElement.hidden = !words;
    const [before, after] = [this.#filmed.findLast?.((span) => span.to < at), this.#filmed.find((span) => span.from > at)];
    const signature = count ? "" : `${before?.from} ${after?.from}`;
    if (this.#around.dataset.signature === signature) return;
    this.#around.dataset.signature = signature;
    const button = (words, span) => h("button", { type: "button", onclick: () => this.#seek(span.from) }, words, " ", timeElement(new Date(span.from).toISOString()));
    fill(this.#around, !count && before && button(t("replay.video.before"), before), !count && after && button(t("replay.video.after"), after));
  }
}

function isOver(stream, at) {
  return stream.stoppedAt !== null && Date.parse(stream.stoppedAt) <= at;
}

/** Whether a recording is not what was archived: it is read up to where it breaks off, and asked for once more from there on. */
async function isChanged(address) {
  for (let [taken, before] = [0, -1]; taken > before; ) {
    before = taken;
    try {
      const response = await fetch(address, { cache: "no-store", headers: { Range: `bytes=${taken}-` } });
      if (!response.ok) return (await slugOf(response)) === "recording-changed";
      const reader = response.body.getReader();
      for (let part = await reader.read(); !part.done; part = await reader.read()) taken += part.value.length;
      return false;
    } catch {
      // It broke off: what is there is the next answer's to say.
    }
  }
  return false;
}

async function slugOf(response) {
  const members = await response.json().catch(() => null);
  return String(members?.type ?? "").split(":").pop();
}

/** One video. */
class Tile {
  #video;
  #chip = h("span", { class: "chip bad", hidden: true });
  /** The moment in the recording that is wanted, in seconds. */
  #wanted = 0;
  #isRunning = false;

  constructor(stream, caller) {
    this.#video = h("video", { ".muted": true, playsinline: true, preload: "auto", src: `/v1/streams/${stream.id}/media`, "aria-label": t("replay.video.of", { caller }) });
    this.#video.disableRemotePlayback = true;
    // While it looks for one moment, another may have become the wanted one.
    for (const name of ["seeked", "loadedmetadata"]) this.#video.addEventListener(name, () => !this.#isRunning && this.#put(offStill));
    this.#video.addEventListener("error", () => this.#fail());
    this.element = h("figure", { class: "video", dataset: { stream: stream.id } }, this.#video, this.#chip, h("figcaption", { class: "small figures" }, caller, " · ", stream.fileName));
  }

  show({ milliseconds, isGap }, { isRunning, speed }) {
    this.#wanted = milliseconds / 1000;
    const runs = isRunning && !isGap && speed <= rateMost;
    this.#isRunning = runs;
    this.element.dataset.gap = String(isGap);
    this.#chip.hidden = !isGap && !this.element.dataset.fault;
    if (isGap && !this.element.dataset.fault) this.#chip.textContent = t("replay.video.gap");
    this.element.dataset.at = String(Math.round(milliseconds));
    if (runs) this.#run(speed);
    else {
      if (!this.#video.paused) this.#video.pause();
      this.#put(offStill);
    }
  }

  close() {
    this.#video.pause();
    this.#video.removeAttribute("src");
    this.#video.load();
    this.element.remove();
  }

  #run(speed) {
    this.#video.playbackRate = Math.max(rateLeast, speed);
    this.#put(Math.max(offMost, offMost * speed));
    if (this.#video.paused && !this.#video.ended) this.#video.play().catch(() => {
      // Put off by the next seek, or not allowed: then it goes in steps.
    });
  }

  /** Puts the video to the wanted moment, if it is further off than it may be. */
  #put(most) {
    if (this.#video.readyState === 0 || this.#video.seeking) return;
    const end = Number.isFinite(this.#video.duration) ? this.#video.duration : Infinity;
    const wanted = Math.min(this.#wanted, end);
    if (Math.abs(this.#video.currentTime - wanted) > most) this.#video.currentTime = wanted;
  }

  #fail() {
    if (!this.#video.getAttribute("src")) return;
    this.element.dataset.fault = "yes";
    this.#chip.hidden = false;
    this.#chip.textContent = t("replay.video.unplayable");
    this.#sayWhy(this.#video.getAttribute("src"));
  }

  /** A browser tells no page why a video broke off; whether it is what was archived, the gateway says. */
  async #sayWhy(address) {
    if (await isChanged(address)) this.#chip.textContent = t("replay.video.changed");
  }
}
