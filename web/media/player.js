// SPDX-License-Identifier: Apache-2.0
import { t } from "../core/i18n.js";
import { patience } from "../core/patience.js";
import { headIn, picturesIn, timedClusters } from "./webm.js";

/** How far behind the newest picture counts as live, and where playing begins, in seconds. */
const liveLagMost = 2.5;
const liveLagUsual = 0.4;
/** What is fetched at once when somebody looks back, and what is kept behind the place that is shown. */
const spanSeconds = 15;
const keptBehindSeconds = 90;

/**
 * Shows a stream that is still growing in a `<video>`: at the live edge, or at any earlier moment. Pictures come over
 * `WS /v1/streams/{id}/watch`; earlier ones are fetched by time.
 */
export class LivePlayer {
  #api;
  #buffer = null;
  #queue = [];
  #socket = null;
  #timer;
  #isClosed = false;
  #isFollowing = true;
  #isFetching = false;
  /** Comes when what is being fetched stands in the buffer, or could not be had. */
  #fetching = Promise.resolve();
  /** Called when what is being appended stands in the buffer. */
  #appended = null;
  #failures = 0;
  /** The newest picture, which is shown when it is known how long it lasts. */
  #newest = null;
  #url;
  #wanted = null;

  /**
   * @param {import("../core/api.js").API} api
   * @param {string} stream
   * @param {HTMLVideoElement} video
   * @param {{onState?: (state: string) => void, onFault?: (text: string) => void, onTime?: Function}} handlers
   */
  constructor(api, stream, video, handlers = {}) {
    this.#api = api;
    this.stream = stream;
    this.video = video;
    this.handlers = handlers;
    /** The newest picture, in seconds of the recording. */
    this.end = 0;
    /** When it came, on the page's clock. */
    this.endAt = null;
    const Source = window.ManagedMediaSource ?? window.MediaSource;
    if (!Source) {
      handlers.onFault?.(t("player.fault.live"));
      return;
    }
    this.source = new Source();
    video.disableRemotePlayback = true;
    this.#url = URL.createObjectURL(this.source);
    video.src = this.#url;
    this.source.addEventListener("sourceopen", () => this.#connect(), { once: true });
    this.#timer = setInterval(() => this.#tick(), 250);
  }

  get isFollowing() {
    return this.#isFollowing;
  }

  /** How far the shown picture is behind the newest, in seconds. */
  get behind() {
    return Math.max(0, this.end - this.video.currentTime);
  }

  /** Nothing comes any more: the last picture stays in the element until that is closed, or shows something else. */
  hold() {
    this.#isClosed = true;
    clearInterval(this.#timer);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
    this.video.pause();
  }

  close() {
    this.hold();
    this.video.removeAttribute("src");
    this.video.load();
    if (this.#url) URL.revokeObjectURL(this.#url);
  }

  /** Goes to the newest picture and stays there. */
  goLive() {
    this.#isFollowing = true;
    this.#wanted = null;
    this.#toEdge();
    this.#play();
  }

  /** Goes to an earlier moment; the newest pictures keep coming. */
  async seek(seconds) {
    const target = Math.max(0, Math.min(seconds, this.end));
    this.#isFollowing = false;
    this.#wanted = target;
    if (!this.#rangeAt(target)) {
      await this.#fetching;
      if (this.#wanted === target && !this.#rangeAt(target)) await this.#fetch(target - 1.5);
    }
    // What is not there even now was never received: the next picture is shown instead.
    if (this.#wanted === target) this.#settle(this.#rangeAfter(target));
  }

  #settle(otherwise) {
    if (this.#wanted === null) return;
    const range = this.#rangeAt(this.#wanted) ?? otherwise;
    if (!range) return;
    this.video.currentTime = Math.max(this.#wanted, range.start);
    this.#wanted = null;
    this.#play();
  }

  #play() {
    this.video.play().catch((error) => {
      if (error.name === "NotAllowedError") this.handlers.onFault?.(t("player.fault.play"));
    });
  }

  // MARK: What comes

  #connect() {
    if (this.#isClosed || this.#socket) return;
    const socket = this.#api.socket(`/v1/streams/${this.stream}/watch`);
    socket.binaryType = "arraybuffer";
    this.#socket = socket;
    socket.onmessage = (event) => {
      if (typeof event.data === "string") this.#state(JSON.parse(event.data));
      else this.#media(new Uint8Array(event.data));
    };
    socket.onclose = () => {
      if (this.#socket !== socket) return;
      this.#socket = null;
      if (this.#isClosed) return;
      this.handlers.onState?.("unreachable");
      setTimeout(() => this.#connect(), patience(this.#failures++, { most: 5000 }));
    };
  }

  #state(frame) {
    this.#failures = 0;
    if (!this.#buffer && this.source.readyState === "open") {
      if (!(window.ManagedMediaSource ?? window.MediaSource).isTypeSupported(frame.mime)) {
        this.handlers.onFault?.(t("player.fault.kind", { kind: frame.mime }));
        return;
      }
      this.#buffer = this.source.addSourceBuffer(frame.mime);
      this.#buffer.addEventListener("updateend", () => {
        this.#appended?.();
        this.#appended = null;
        this.#work();
      });
      this.#buffer.addEventListener("error", () => this.handlers.onFault?.(t("player.fault.decoded")));
      this.source.duration = Infinity;
    }
    if (frame.type === "ended") {
      const socket = this.#socket;
      this.#socket = null;
      socket?.close();
    }
    if (frame.state !== "live") this.#letGo();
    this.handlers.onState?.(frame.type === "ended" ? "ended" : frame.state);
  }

  /**
   * Pictures come a cluster at a time, and none says how long it lasts. Browsers guess that for a cluster's last one, and Firefox drops
   * what comes earlier than guessed, up to the next key frame. So they are told, and the newest waits for the one after it.
   */
  #media(bytes) {
    const pictures = picturesIn(bytes);
    const isLate = pictures.length > 0 && pictures[0].milliseconds <= this.#newest?.milliseconds;
    if (!pictures.length || isLate) {
      this.#letGo();
      this.#queue.push({ bytes: isLate ? timedClusters(pictures) : bytes });
      return this.#work();
    }
    this.endAt = performance.now();
    const known = this.#newest ? [this.#newest, ...pictures] : pictures;
    this.#newest = known.pop();
    if (known.length) this.#queue.push({ bytes: timedClusters(known, this.#newest.milliseconds) });
    this.#work();
  }

  /** Nothing follows the newest picture. */
  #letGo() {
    if (!this.#newest) return;
    this.#queue.push({ bytes: timedClusters([this.#newest]) });
    this.#newest = null;
    this.#work();
  }

  #work() {
    const buffer = this.#buffer;
    if (!buffer || buffer.updating || this.source.readyState !== "open" || this.video.error) return;
    this.#settle();
    const next = this.#queue.shift();
    if (!next) return;
    if (next.remove) return buffer.remove(...next.remove);
    try {
      buffer.appendBuffer(next.bytes);
      this.#appended = next.onAppended;
    } catch (error) {
      if (error.name !== "QuotaExceededError") throw error;
      this.#queue.unshift(next);
      this.#makeRoom(15);
    }
  }

  /** Lets go of what lies far behind the shown place, unless that is nothing. */
  #makeRoom(seconds) {
    const until = this.video.currentTime - seconds;
    const { buffered } = this.video;
    if (!buffered.length || buffered.start(0) >= until) return;
    this.#queue.unshift({ remove: [buffered.start(0), until] });
  }

  // MARK: Where it stands

  #ranges() {
    const { buffered } = this.video;
    return Array.from({ length: buffered.length }, (_, index) => ({ start: buffered.start(index), end: buffered.end(index) }));
  }

  #rangeAt(seconds) {
    return this.#ranges().find((range) => seconds >= range.start - 0.05 && seconds < range.end - 0.05);
  }

  #rangeAfter(seconds) {
    return this.#ranges().find((range) => range.start >= seconds);
  }

  #toEdge() {
    const last = this.#ranges().at(-1);
    if (last) this.video.currentTime = Math.max(last.start, last.end - liveLagUsual);
  }

  #tick() {
    const ranges = this.#ranges();
    const last = ranges.at(-1);
    if (last) this.end = Math.max(this.end, last.end);
    if (this.#isFollowing && last) {
      const isLost = !this.#rangeAt(this.video.currentTime);
      if ((isLost && this.video.currentTime < last.start) || last.end - this.video.currentTime > liveLagMost) this.#toEdge();
      if (this.video.paused) this.#play();
    } else if (last && this.#wanted === null) {
      this.#goOn(ranges);
    }
    if (ranges.length && ranges[0].start < this.video.currentTime - keptBehindSeconds - 30) {
      this.#makeRoom(keptBehindSeconds);
      this.#work();
    }
    this.handlers.onTime?.();
  }

  /** While somebody looks back: fetches what comes next, and steps over what was never received. */
  #goOn(ranges) {
    const at = this.video.currentTime;
    const range = this.#rangeAt(at) ?? ranges.find((one) => Math.abs(one.end - at) < 0.3);
    const isLast = range === ranges.at(-1);
    if (!range || isLast || range.end - at > 4 || this.#isFetching) return;
    const after = range.end;
    this.#fetch(after).then(() => {
      const next = this.#rangeAfter(after + 0.01);
      if (!this.#isFollowing && !this.#rangeAt(after + 0.1) && next && this.video.currentTime >= after - 0.3) {
        this.video.currentTime = next.start;
      }
    });
  }

  #fetch(from) {
    if (!this.#isFetching) this.#fetching = this.#fetchNow(from);
    return this.#fetching;
  }

  async #fetchNow(from) {
    this.#isFetching = true;
    const first = Math.max(0, Math.floor(from * 1000));
    try {
      const response = await this.#api.open(`/v1/streams/${this.stream}/media?from=${first}&to=${first + spanSeconds * 1000}`, {});
      const bytes = new Uint8Array(await response.arrayBuffer());
      if (this.#isClosed) return;
      // The newest and what follows it come by themselves: a picture that is decoded twice breaks Chromium's decoder.
      const until = this.#newest?.milliseconds;
      const pictures = picturesIn(bytes).filter(({ milliseconds }) => !(milliseconds >= until));
      await new Promise((resolve) => {
        this.#queue.push({ bytes: headIn(bytes) }, { bytes: timedClusters(pictures, until), onAppended: resolve });
        this.#work();
      });
    } catch (error) {
      this.handlers.onFault?.(error.message);
    } finally {
      this.#isFetching = false;
    }
  }
}
