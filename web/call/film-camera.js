// SPDX-License-Identifier: Apache-2.0
import { openCamera } from "../media/camera.js";

/** The camera that films, or is about to: which one it is, and its light. Many phones open one at a time. */
export class FilmCamera {
  #media = null;
  /** Which one is wished, in browsers' words. @type {"environment" | "user"} */
  facing = "environment";
  /** Whether its light is on. */
  isLit = false;

  get isOpen() {
    return this.#media !== null;
  }

  get media() {
    return this.#media;
  }

  get track() {
    return this.#media.getVideoTracks()[0];
  }

  /** Which one it is, as the ledger calls it. */
  get name() {
    return (this.track.getSettings().facingMode ?? this.facing) === "user" ? "front" : "rear";
  }

  get hasLight() {
    return Boolean(this.track.getCapabilities?.().torch);
  }

  /** Whether the device took it away. */
  get isGone() {
    return this.track.readyState === "ended";
  }

  /** Opens it, or opens it anew; it is this one's once it is taken. @param {string} tier @returns {Promise<MediaStream>} */
  bring(tier) {
    return openCamera(this.facing, tier);
  }

  /** Opens the other one. @returns {Promise<{media: MediaStream, isOther: boolean}>} The one before where there is no other. */
  async bringOther(tier) {
    const before = this.facing;
    const other = before === "environment" ? "user" : "environment";
    try {
      const media = await openCamera(other, tier);
      this.facing = other;
      return { media, isOther: true };
    } catch {
      return { media: await openCamera(before, "medium"), isOther: false };
    }
  }

  take(media) {
    this.#media = media;
    // However it was with the camera before, this one's is off.
    this.isLit = false;
  }

  /** No more pictures; which one it was is still known. */
  stop() {
    stopAll(this.#media);
  }

  release() {
    this.stop();
    this.#media = null;
  }

  /** Switches its light. @throws Where that cannot be done. */
  async light(isOn) {
    const media = this.#media;
    await this.track.applyConstraints({ advanced: [{ torch: isOn }] });
    // It is of the camera that was asked.
    if (this.#media === media) this.isLit = isOn;
  }
}

/** @param {MediaStream | null} media */
export function stopAll(media) {
  for (const track of media?.getTracks() ?? []) track.stop();
}
