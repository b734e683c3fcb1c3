// SPDX-License-Identifier: Apache-2.0
import { patience, whenAwake } from "../core/patience.js";
import { CameraTrack } from "./camera-track.js";

/** How far behind the newest picture playing begins, and where it is moved up, in seconds: pictures come a second at a time. */
const lagUsual = 1;
const lagMost = 4;
/** A camera that gives pictures and a connection that brings none for so long: the connection only looks as if it stood. */
const silenceMost = 20_000;
const retryMost = 5000;

/**
 * The live picture of a camera in a `<video>`, over `WS /v1/cameras/{id}/watch`. It goes on by itself after each break.
 *
 * @typedef {{isConnected: boolean, standing: string, cause?: string, shownAt: number | null}} LiveState
 */
export class CameraLive {
  #api;
  #camera;
  #video;
  #track;
  #socket = null;
  #failures = 0;
  #heardAt = 0;
  #shownAt = null;
  #standing = "unknown";
  #cause;
  #onChange;
  #onFault;
  #timers;
  #again = 0;
  #ending = new AbortController();
  /** One picture a second is enough. */
  isKeyOnly;

  /**
   * @param {import("../core/api.js").API} api @param {string} camera @param {HTMLVideoElement} video
   * @param {{isKeyOnly?: boolean, onChange?: () => void, onFault?: (text: string) => void}} [options] `onChange` comes at least once a second.
   */
  constructor(api, camera, video, { isKeyOnly = false, onChange = () => {}, onFault = () => {} } = {}) {
    [this.#api, this.#camera, this.#video, this.#onChange, this.#onFault, this.isKeyOnly] = [api, camera, video, onChange, onFault, isKeyOnly];
    this.#track = new CameraTrack(video, onFault);
    this.#timers = [setInterval(() => this.#tick(), 250), setInterval(() => this.#listen(), 1000)];
    whenAwake(() => this.#connect(), this.#ending.signal);
    this.#connect();
  }

  /** @returns {LiveState} */
  get state() {
    return { isConnected: this.#socket?.readyState === WebSocket.OPEN && this.#heardAt > 0, standing: this.#standing, cause: this.#cause, shownAt: this.shownAt };
  }

  /** When the picture that is seen was filmed, in milliseconds; `null` before the first. */
  get shownAt() {
    if (this.#video.readyState >= 2 && !this.#video.seeking) this.#shownAt = this.#video.currentTime * 1000;
    return this.#shownAt;
  }

  /** Nothing comes any more: the last picture stays until it is closed. */
  hold() {
    this.#ending.abort();
    for (const timer of this.#timers) clearInterval(timer);
    clearTimeout(this.#again);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
    this.#video.pause();
  }

  close() {
    this.hold();
    this.#track.close();
  }

  #connect() {
    if (this.#socket || this.#ending.signal.aborted) return;
    clearTimeout(this.#again);
    const socket = this.#api.socket(`/v1/cameras/${this.#camera}/watch`);
    socket.binaryType = "arraybuffer";
    this.#socket = socket;
    this.#heardAt = 0;
    let isHead = false;
    socket.onmessage = ({ data }) => {
      if (this.#socket !== socket) return;
      this.#heardAt = performance.now();
      this.#failures = 0;
      if (typeof data !== "string") {
        if (isHead) this.#track.head(new Uint8Array(data));
        else this.#track.media(new Uint8Array(data), { isKeyOnly: this.isKeyOnly });
        isHead = false;
        // Also where nobody looks and the picture stands: memory is not to grow.
        return this.#track.trim(this.#track.last / 1000);
      }
      isHead = this.#told(JSON.parse(data));
      this.#onChange();
    };
    socket.onclose = () => this.#socket === socket && this.#lost();
  }

  /** @returns {boolean} Whether a file's head comes next. */
  #told(frame) {
    if (frame.type === "state") {
      [this.#standing, this.#cause] = [frame.standing, frame.cause];
      if (frame.standing === "offline") this.#track.letGo();
    }
    if (frame.type === "hour") this.#track.beginHour(frame.mime, frame.startedAt);
    return frame.type === "hour";
  }

  #lost() {
    this.#socket = null;
    this.#track.letGo();
    this.#onChange();
    this.#again = setTimeout(() => this.#connect(), patience(this.#failures++, { most: retryMost }));
  }

  #listen() {
    this.#onChange();
    const isSilent = this.#heardAt > 0 && this.#standing !== "offline" && performance.now() - this.#heardAt > silenceMost;
    if (!this.#socket || !isSilent) return;
    const socket = this.#socket;
    this.#socket = null;
    socket.close();
    this.#lost();
  }

  #tick() {
    const last = this.#track.ranges.at(-1);
    if (!last) return;
    const at = this.#video.currentTime;
    const isBefore = at < last.start || last.end - at > lagMost;
    if (isBefore) this.#video.currentTime = Math.max(last.start, last.end - lagUsual);
    if (this.#video.paused) this.#video.play().catch((error) => error.name === "NotAllowedError" && this.#onFault(error.message));
  }
}
