// SPDX-License-Identifier: Apache-2.0
import { t } from "../core/i18n.js";
import { letGoOf } from "../model/footage.js";
import { headIn, picturesIn, timedClusters } from "./webm.js";

/** A picture lasts until the next one, up to here; beyond that there is a hole. */
const pictureLastsMost = 2000;
/** When it is shown once more that is shown for a second, in milliseconds. */
const againAfter = [200, 400, 600, 800];

/** Whether this browser can show what cameras record. */
export const canShow = () => Boolean(window.ManagedMediaSource ?? window.MediaSource);

/**
 * Pictures of a camera in a `<video>`, whose time is that of the clock: seconds since 1970. They are taken in order, whichever hour's file they stand in; what is far behind is let go.
 */
export class CameraTrack {
  #video;
  #source;
  #url;
  #buffer = null;
  #queue = [];
  #onFault;
  /** The newest picture, which is shown when it is known how long it lasts. */
  #newest = null;
  /** When the last picture was taken that came, in milliseconds. */
  #last = -Infinity;
  #begin = 0;
  #keptFrom = -Infinity;

  /** @param {HTMLVideoElement} video @param {(text: string) => void} onFault */
  constructor(video, onFault) {
    this.#video = video;
    this.#onFault = onFault;
    const Source = window.ManagedMediaSource ?? window.MediaSource;
    if (!Source) return void onFault(t("player.fault.live"));
    this.#source = new Source();
    video.disableRemotePlayback = true;
    this.#url = URL.createObjectURL(this.#source);
    video.src = this.#url;
    this.#source.addEventListener("sourceopen", () => this.#work(), { once: true });
  }

  close() {
    this.#queue = [];
    this.#source = null;
    this.#buffer = null;
    this.#video.removeAttribute("src");
    this.#video.load();
    if (this.#url) URL.revokeObjectURL(this.#url);
  }

  /** When the last picture was taken that came, in milliseconds; `-Infinity` before the first. */
  get last() {
    return this.#last;
  }

  /** What came of before is not kept any more, in milliseconds. */
  get keptFrom() {
    return this.#keptFrom;
  }

  /** What can be shown, in seconds. */
  get ranges() {
    const { buffered } = this.#video;
    return Array.from({ length: buffered.length }, (_, index) => ({ start: buffered.start(index), end: buffered.end(index) }));
  }

  /** What can be shown at a moment. @param {number} seconds */
  rangeAt(seconds) {
    return this.ranges.find(({ start, end }) => seconds >= start - 0.05 && seconds < end - 0.01);
  }

  /** What comes from now on stands in this hour's file. @param {string} mime @param {string} startedAt */
  beginHour(mime, startedAt) {
    this.#begin = Date.parse(startedAt);
    this.#queue.push({ mime });
  }

  /** What the decoder needs first. @param {Uint8Array} bytes */
  head(bytes) {
    this.#queue.push({ bytes: headIn(bytes) });
    this.#work();
  }

  /**
   * Takes what follows, without what was taken before.
   * @param {Uint8Array} bytes Clusters. @param {{isKeyOnly?: boolean}} [options] `isKeyOnly`: one picture of each, which is one a second.
   * @returns {number} How many pictures were new.
   */
  media(bytes, { isKeyOnly = false } = {}) {
    const pictures = picturesIn(bytes).map((picture) => ({ ...picture, milliseconds: this.#begin + picture.milliseconds }))
      .filter(({ milliseconds, isKey }) => milliseconds > this.#last && (isKey || !isKeyOnly));
    if (!pictures.length) return 0;
    const known = [this.#newest, ...(isKeyOnly ? pictures.flatMap(shownAgain) : pictures)].filter(Boolean);
    this.#newest = known.pop();
    this.#last = this.#newest.milliseconds;
    if (known.length) this.#queue.push({ bytes: timedClusters(known, this.#last, pictureLastsMost) });
    this.#work();
    return pictures.length;
  }

  /** Nothing follows the newest picture. */
  letGo() {
    if (!this.#newest) return;
    this.#queue.push({ bytes: timedClusters([this.#newest]) });
    this.#newest = null;
    this.#work();
  }

  /** Forgets all that came: what comes next is of another time. */
  clear() {
    this.#queue = this.#queue.filter(({ mime }) => mime);
    this.#newest = null;
    this.#last = this.#keptFrom = -Infinity;
    this.#queue.push({ remove: [0, Infinity] });
    this.#work();
  }

  /** Lets go of what is far behind a moment. @param {number} seconds */
  trim(seconds) {
    const remove = letGoOf(this.ranges, seconds);
    if (!remove || this.#queue.some((one) => one.remove)) return;
    this.#keptFrom = remove[1] * 1000;
    this.#queue.unshift({ remove });
    this.#work();
  }

  #work() {
    while (this.#source?.readyState === "open" && !this.#buffer?.updating && this.#queue.length) {
      const next = this.#queue.shift();
      if (next.mime) this.#take(next.mime);
      else if (this.#video.error || !this.#buffer) return;
      else if (next.remove) this.#buffer.remove(...next.remove);
      else this.#append(next);
    }
  }

  #take(mime) {
    if (this.#buffer) return;
    if (!(window.ManagedMediaSource ?? window.MediaSource).isTypeSupported(mime)) return this.#onFault(t("player.fault.kind", { kind: mime }));
    this.#buffer = this.#source.addSourceBuffer(mime);
    this.#source.duration = Infinity;
    this.#buffer.addEventListener("updateend", () => this.#work());
    this.#buffer.addEventListener("error", () => this.#onFault(t("player.fault.decoded")));
  }

  #append(next) {
    try {
      this.#buffer.appendBuffer(next.bytes);
    } catch (error) {
      if (error.name !== "QuotaExceededError") throw error;
      // The browser keeps less than we would: what was shown goes first.
      const [first] = this.ranges;
      const until = Math.min(this.#video.currentTime - 1, first?.end ?? 0);
      if (!first || until <= first.start) return;
      this.#keptFrom = until * 1000;
      this.#queue.unshift({ remove: [first.start, until] }, next);
    }
  }
}

/** A key frame for a second: browsers do not play on before they have some frames more. */
function shownAgain(picture) {
  return [picture, ...againAfter.map((after) => ({ ...picture, milliseconds: picture.milliseconds + after }))];
}
