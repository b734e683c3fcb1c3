// SPDX-License-Identifier: Apache-2.0
import { local } from "../core/storage.js";

/** The sound of each class: when each tone begins, in seconds, its pitch, and how loud it is. */
const sounds = {
  caller: { tones: [[0, 880], [0.18, 1175], [0.36, 880]], volume: 0.25 },
  message: { tones: [[0, 660], [0.14, 784]], volume: 0.18 },
  warning: { tones: [[0, 523], [0.25, 415], [0.5, 523], [0.75, 415]], volume: 0.25 },
};

/** Sounds of a page, with their button, which tells what is so: whether it sounds, was switched off, or cannot sound until somebody touches the page. */
export class Bell {
  #button;
  #words;
  #audio = null;
  #controller = new AbortController();

  /** @param {HTMLElement} button @param {{on: string, off: string, silent: string}} words What stands on the button. */
  constructor(button, words) {
    [this.#button, this.#words] = [button, words];
    const { signal } = this.#controller;
    button.addEventListener("click", () => this.#toggle(), { signal });
    // Browsers let a page sound only after somebody has touched it.
    addEventListener("pointerdown", () => this.#wake(), { signal, capture: true });
    addEventListener("keydown", () => this.#wake(), { signal, capture: true });
    this.#wake();
  }

  get #isOn() {
    return local.getItem("sound") !== "off";
  }

  get #canSound() {
    return this.#audio?.state === "running";
  }

  stop() {
    this.#controller.abort();
    this.#audio?.close();
    this.#audio = null;
  }

  #toggle() {
    local.setItem("sound", this.#isOn ? "off" : "on");
    this.showState();
    this.ring("message");
  }

  /** Tells on the button what is so; another page may have switched the sound off. */
  showState() {
    const state = !this.#isOn ? "off" : this.#canSound ? "on" : "silent";
    if (this.#button.textContent === this.#words[state]) return;
    this.#button.setAttribute("aria-pressed", String(state === "on"));
    this.#button.classList.toggle("danger", state === "silent");
    this.#button.textContent = this.#words[state];
  }

  async #wake() {
    if (typeof AudioContext === "undefined") return this.showState();
    this.#audio ??= new AudioContext();
    this.#audio.onstatechange ??= () => this.showState();
    this.showState();
    // Refused until the page was touched, or where there is no device to sound.
    if (this.#audio.state === "suspended") await this.#audio.resume().catch(() => {});
  }

  /** Sounds, unless that was switched off. @param {"caller" | "message" | "warning"} kind */
  ring(kind) {
    const audio = this.#audio;
    if (!this.#isOn || !audio || audio.state !== "running") return;
    const { tones, volume: loud } = sounds[kind];
    for (const [at, pitch] of tones) {
      const tone = audio.createOscillator();
      const volume = audio.createGain();
      tone.frequency.value = pitch;
      volume.gain.setValueAtTime(0.0001, audio.currentTime + at);
      volume.gain.exponentialRampToValueAtTime(loud, audio.currentTime + at + 0.02);
      volume.gain.exponentialRampToValueAtTime(0.0001, audio.currentTime + at + 0.16);
      tone.connect(volume).connect(audio.destination);
      tone.start(audio.currentTime + at);
      tone.stop(audio.currentTime + at + 0.18);
    }
  }
}
