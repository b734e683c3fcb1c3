// SPDX-License-Identifier: Apache-2.0
import { footageOf } from "../model/footage.js";
import { CameraFootage } from "./camera-footage.js";

const tickMilliseconds = 200;
/** So long all wait for one that is not there; then they go on without it. */
const waitMost = 8000;

/** Footage of several cameras that is played together: one moment for all of them, which waits while a picture is on its way and steps over what none of them has. */
export class InStep {
  #api;
  #shown = new Map();
  #at;
  #since = null;
  #isPlaying = true;
  #waitsSince = null;
  #timer = setInterval(() => this.#tick(), tickMilliseconds);
  #onTick;

  /** @param {import("../core/api.js").API} api @param {number} at In milliseconds. @param {() => void} onTick */
  constructor(api, at, onTick) {
    [this.#api, this.#at, this.#onTick] = [api, at, onTick];
  }

  close() {
    clearInterval(this.#timer);
    for (const { footage } of this.#shown.values()) footage.close();
    this.#shown.clear();
  }

  get isPlaying() {
    return this.#isPlaying;
  }

  /** The moment that is shown, in milliseconds. */
  get at() {
    return this.#since === null ? this.#at : this.#at + performance.now() - this.#since;
  }

  /** Whether something is on its way that all wait for. */
  get isWaiting() {
    return this.#waitsSince !== null;
  }

  /** Shows one more. @param {string} camera @param {HTMLVideoElement} video @param {(stand: "shown" | "waits" | "none", fault: string) => void} onStand */
  add(camera, video, onStand) {
    if (this.#shown.has(camera)) return;
    const one = { fault: "", onStand, footage: new CameraFootage(this.#api, footageOf(camera), video, (text) => (one.fault = text)) };
    this.#shown.set(camera, one);
  }

  remove(camera) {
    this.#shown.get(camera)?.footage.close();
    this.#shown.delete(camera);
  }

  has(camera) {
    return this.#shown.has(camera);
  }

  seek(at) {
    this.#stop();
    this.#at = at;
    this.#waitsSince = null;
    this.#tick();
  }

  play() {
    this.#isPlaying = true;
    this.#tick();
  }

  pause() {
    this.#isPlaying = false;
    this.#stop();
    this.#tick();
  }

  #stop() {
    this.#at = this.at;
    this.#since = null;
  }

  #tick() {
    const all = [...this.#shown.values()];
    for (const { footage } of all) footage.keepUp(this.at);
    let stands = all.map(({ footage }) => footage.standAt(this.at));
    if (all.length && stands.every((one) => one === "none")) stands = this.#stepOver(all) ?? stands;
    const mayRun = this.#isPlaying && stands.includes("shown") && this.#mayGoOn(stands);
    if (mayRun && this.#since === null) this.#since = performance.now();
    if (!mayRun) this.#stop();
    all.forEach(({ footage, onStand, fault }, index) => {
      if (stands[index] === "shown") footage.follow(this.at, mayRun);
      else footage.video.pause();
      onStand(stands[index], fault);
    });
    this.#onTick();
  }

  /** Goes on where one of them has a picture again; who stands still there stays. */
  #stepOver(all) {
    if (!this.#isPlaying) return null;
    const next = Math.min(...all.map(({ footage }) => footage.nextAt(this.at) ?? Infinity));
    if (next === Infinity) return null;
    this.#stop();
    this.#at = next;
    for (const { footage } of all) footage.keepUp(next);
    return all.map(({ footage }) => footage.standAt(next));
  }

  #mayGoOn(stands) {
    if (!stands.includes("waits")) {
      this.#waitsSince = null;
      return true;
    }
    this.#waitsSince ??= performance.now();
    return performance.now() - this.#waitsSince > waitMost;
  }
}
