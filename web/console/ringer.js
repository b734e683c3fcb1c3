// SPDX-License-Identifier: Apache-2.0
import { local } from "../core/storage.js";
import { isLate, waitsSince } from "./desk.js";

/** How often it rings again while somebody has waited too long. */
const againSeconds = 15;

/**
 * Rings for each session that newly waits for this operator, and again while one has waited too long; counts them in the title and on the
 * icon.
 */
export class Ringer {
  #timer;
  #desk;
  #button;
  #known = null;
  #audio = null;
  #controller = new AbortController();

  constructor(desk, button) {
    this.#desk = desk;
    this.#button = button;
    const { signal } = this.#controller;
    desk.addEventListener("change", () => this.#look(), { signal });
    button.addEventListener("click", () => this.#toggle(), { signal });
    // Browsers let a page sound only after somebody has touched it.
    addEventListener("pointerdown", () => this.#wake(), { signal });
    addEventListener("keydown", () => this.#wake(), { signal });
    this.#showState();
    this.#timer = setInterval(() => this.#again(), againSeconds * 1000);
  }

  get #isOn() {
    return local.getItem("sound") !== "off";
  }

  stop() {
    clearInterval(this.#timer);
    this.#controller.abort();
    navigator.clearAppBadge?.();
    this.#audio?.close();
  }

  #toggle() {
    local.setItem("sound", this.#isOn ? "off" : "on");
    this.#showState();
    this.ring();
  }

  #again() {
    if (this.#desk.alerting && this.#desk.pending.some((session) => isLate(waitsSince(session)))) this.ring();
  }

  #showState() {
    this.#button.setAttribute("aria-pressed", String(this.#isOn));
    this.#button.textContent = this.#isOn ? "Sound on" : "Sound off";
  }

  #look() {
    const pending = [...this.#desk.pending, ...this.#desk.offered].map((session) => session.id);
    // Who has as many sessions as allowed sees the queue and is left in peace.
    const { alerting } = this.#desk;
    const isNew = alerting && this.#known !== null && pending.some((id) => !this.#known.has(id));
    this.#known = new Set(pending.filter((id) => alerting || this.#known?.has(id)));
    const count = alerting ? pending.length : 0;
    document.title = count ? `(${count}) Daybook console` : "Daybook console";
    if (count) navigator.setAppBadge?.(count);
    else navigator.clearAppBadge?.();
    if (isNew) this.ring();
  }

  #wake() {
    this.#audio ??= new AudioContext();
    if (this.#audio.state === "suspended") this.#audio.resume();
  }

  /** Sounds, unless that was switched off. */
  ring() {
    const audio = this.#audio;
    if (!this.#isOn || !audio || audio.state !== "running") return;
    for (const [at, pitch] of [[0, 880], [0.18, 1175], [0.36, 880]]) {
      const tone = audio.createOscillator();
      const volume = audio.createGain();
      tone.frequency.value = pitch;
      volume.gain.setValueAtTime(0.0001, audio.currentTime + at);
      volume.gain.exponentialRampToValueAtTime(0.25, audio.currentTime + at + 0.02);
      volume.gain.exponentialRampToValueAtTime(0.0001, audio.currentTime + at + 0.16);
      tone.connect(volume).connect(audio.destination);
      tone.start(audio.currentTime + at);
      tone.stop(audio.currentTime + at + 0.18);
    }
  }
}
