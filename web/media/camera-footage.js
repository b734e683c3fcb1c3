// SPDX-License-Identifier: Apache-2.0
import { Unreachable } from "../core/api.js";
import { patience } from "../core/patience.js";
import { now } from "../core/time.js";
import { askedAhead, askedAtOnce, correction, hasFootage, moreAt, nextRange, withNow } from "../model/footage.js";
import { CameraTrack } from "./camera-track.js";

/** What is asked of what there is, around a moment, and how often anew. In milliseconds. */
const listedBefore = 3_600_000;
const listedAfter = 24 * 3_600_000;
const listedFor = 15_000;
/** Footage that is still growing has something more after so long. */
const growsEvery = 1000;
/** So long a part of it may take. */
const partMost = 20_000;
/** How far a picture that stands still may be off the moment, in seconds. */
const offStill = 0.01;
const mime = 'video/webm; codecs="vp9"';

/** What was filmed earlier, in a `<video>`: it asks for what is needed around the moment that it is told. Times are milliseconds. */
export class CameraFootage {
  #api;
  #way;
  #track;
  #onFault;
  #hours = [];
  #listed = { from: 0, until: 0, at: -Infinity };
  /** From where to where everything was asked for that there is. */
  #known = { from: NaN, until: NaN };
  #isAsking = false;
  #turn = 0;
  #failures = 0;
  #notBefore = 0;
  #isClosed = false;
  #ending = new AbortController();

  /** @param {import("../core/api.js").API} api @param {import("../model/footage.js").FootageWay} way @param {HTMLVideoElement} video @param {(text: string) => void} onFault Told with `""` once it goes on. */
  constructor(api, way, video, onFault) {
    [this.#api, this.#way, this.video, this.#onFault] = [api, way, video, onFault];
    this.#track = new CameraTrack(video, onFault);
    this.#track.beginHour(mime, new Date(0).toISOString());
  }

  close() {
    this.#isClosed = true;
    this.#turn++;
    this.#ending.abort();
    this.#track.close();
  }

  /** How it stands at a moment. @param {number} at @returns {"shown" | "waits" | "none"} */
  standAt(at) {
    if (this.#track.rangeAt(at / 1000)) return "shown";
    if (!this.#isListed(at)) return "waits";
    if (this.#isKnown(at)) return "none";
    return hasFootage(this.#hours, at, now()) ? "waits" : "none";
  }

  /** When there is a picture again after a moment that has none; `null` where that is not known. @param {number} at */
  nextAt(at) {
    const range = this.#track.ranges.find(({ start }) => start > at / 1000);
    if (range) return range.start * 1000 + 1;
    const from = this.#isKnown(at) ? this.#known.until : at;
    const next = nextRange(this.#hours, from, now());
    const begins = next && Date.parse(next.startedAt) + next.from;
    return begins !== null && begins > at ? begins : null;
  }

  /** Shows a moment, in step with what else is shown there. @param {number} at @param {boolean} isPlaying @param {number} [speed] As browsers let videos run. */
  follow(at, isPlaying, speed = 1) {
    const drift = this.video.currentTime - at / 1000;
    const { isMoved, rate } = correction(drift, speed);
    if (isMoved || (!isPlaying && Math.abs(drift) > offStill)) this.video.currentTime = at / 1000;
    if (this.video.playbackRate !== rate) this.video.playbackRate = rate;
    if (isPlaying && this.video.paused) this.video.play().catch((error) => error.name !== "AbortError" && this.#onFault(error.message));
    else if (!isPlaying) this.video.pause();
    this.#track.trim(at / 1000);
  }

  /** Asks for what is needed at a moment and soon after. @param {number} at @param {number} [speed] How fast the moment moves. */
  async keepUp(at, speed = 1) {
    const ahead = askedAhead * moreAt(speed);
    const isNear = this.#isKnown(at) || (at >= this.#known.until && at <= this.#known.until + ahead);
    // Moved elsewhere: what is under way is of no use any more.
    if (!isNear && !this.#track.rangeAt(at / 1000)) this.#begin(at);
    if (this.#isAsking || this.#isClosed || performance.now() < this.#notBefore || this.#known.until - at > ahead) return;
    const turn = this.#turn;
    this.#isAsking = true;
    try {
      if (!this.#isListed(at) || now() - this.#listed.at > listedFor) await this.#list(at);
      if (turn === this.#turn) await this.#ask(at, turn, speed);
      this.#failures = 0;
      this.#onFault("");
    } catch (error) {
      if (turn !== this.#turn) return;
      this.#notBefore = performance.now() + patience(this.#failures++, { most: 5000 });
      this.#onFault(error.message);
    } finally {
      if (turn === this.#turn) this.#isAsking = false;
    }
  }

  /** Whether everything was asked for that there is of a moment. */
  #isKnown(at) {
    return at >= Math.max(this.#known.from, this.#track.keptFrom) && at < this.#known.until;
  }

  #begin(at) {
    this.#turn++;
    this.#ending.abort();
    this.#ending = new AbortController();
    this.#isAsking = false;
    this.#notBefore = 0;
    this.#known = { from: at, until: at };
    this.#track.clear();
  }

  #isListed(at) {
    return at >= this.#listed.from && at <= this.#listed.until;
  }

  async #list(at) {
    const [from, until] = [at - listedBefore, at + listedAfter];
    const { items } = await this.#api.get(this.#way.files(from, until), { isLevel: false });
    this.#hours = until > now() && !this.#way.isOver ? withNow(items, now()) : items;
    this.#listed = { from, until, at: now() };
  }

  async #ask(at, turn, speed) {
    const range = nextRange(this.#hours, this.#known.until, now(), askedAtOnce * moreAt(speed));
    const begins = range ? Date.parse(range.startedAt) : 0;
    if (!range || begins + range.from - at > askedAhead * moreAt(speed)) return void (this.#notBefore = performance.now() + growsEvery);
    const path = `${this.#way.media}?hour=${encodeURIComponent(range.startedAt)}&from=${range.from}&to=${range.to}`;
    const bytes = await this.#bytes(path);
    if (turn !== this.#turn) return;
    let count = 0;
    if (bytes) {
      this.#track.beginHour(mime, range.startedAt);
      this.#track.head(bytes);
      count = this.#track.media(bytes);
    }
    // The end of what grows is where its last picture stands; elsewhere all was said.
    const until = begins + range.to;
    const end = range.isGrowing && until > now() - 2 * growsEvery ? Math.max(this.#known.until, this.#track.last) : until;
    if (!count || end < until) {
      this.#track.letGo();
      this.#notBefore = performance.now() + (range.isGrowing ? growsEvery : 0);
    }
    this.#known.until = Math.max(this.#known.until, end, begins + range.from);
  }

  /** `null` where that footage is gone meanwhile. */
  async #bytes(path) {
    const ending = this.#ending;
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      ending.abort();
    }, partMost);
    try {
      const response = await this.#api.open(path, {}, ending.signal);
      return new Uint8Array(await response.arrayBuffer());
    } catch (error) {
      if (error.status === 404) return null;
      if (!isLate) throw error;
      this.#ending = new AbortController();
      throw new Unreachable(true);
    } finally {
      clearTimeout(timer);
    }
  }
}
