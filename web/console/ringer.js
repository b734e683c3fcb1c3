// SPDX-License-Identifier: Apache-2.0
import { local } from "../core/storage.js";
import { Alarms, titleOf } from "./alarms.js";

/** The sound of each class: when each tone begins, in seconds, its pitch, and how loud it is. */
const sounds = {
  caller: { tones: [[0, 880], [0.18, 1175], [0.36, 880]], volume: 0.25 },
  message: { tones: [[0, 660], [0.14, 784]], volume: 0.18 },
  warning: { tones: [[0, 523], [0.25, 415], [0.5, 523], [0.75, 415]], volume: 0.25 },
};

/**
 * Sounds for callers who wait for this operator and for messages that were on no screen, until they are answered; counts them in the title and on the
 * icon. The button tells what is so: whether it sounds, was switched off, or cannot sound until somebody touches the page.
 */
export class Ringer {
  #timer;
  #desk;
  #button;
  #audio = null;
  #alarms = new Alarms();
  #controller = new AbortController();

  constructor(desk, button) {
    this.#desk = desk;
    this.#button = button;
    const { signal } = this.#controller;
    desk.addEventListener("change", () => this.#look(), { signal });
    button.addEventListener("click", () => this.#toggle(), { signal });
    // Browsers let a page sound only after somebody has touched it.
    addEventListener("pointerdown", () => this.#wake(), { signal, capture: true });
    addEventListener("keydown", () => this.#wake(), { signal, capture: true });
    this.#wake();
    this.#timer = setInterval(() => this.#look(), 1000);
  }

  get #isOn() {
    return local.getItem("sound") !== "off";
  }

  get #canSound() {
    return this.#audio?.state === "running";
  }

  stop() {
    clearInterval(this.#timer);
    this.#controller.abort();
    navigator.clearAppBadge?.();
    this.#audio?.close();
    this.#audio = null;
  }

  #toggle() {
    local.setItem("sound", this.#isOn ? "off" : "on");
    this.#showState();
    this.ring("message");
  }

  #showState() {
    const words = !this.#isOn ? "Sound off" : this.#canSound ? "Sound on" : "No sound: press a key";
    if (this.#button.textContent === words) return;
    this.#button.setAttribute("aria-pressed", String(this.#isOn && this.#canSound));
    this.#button.classList.toggle("danger", words.startsWith("No"));
    this.#button.textContent = words;
  }

  #look() {
    const { alerting, pending, mine, offered, isRead } = this.#desk;
    if (!isRead) return;
    // Who has as many sessions as allowed sees the queue and is left in peace; what a colleague asks is for them alone.
    const callers = [...(alerting ? pending : []), ...offered].map((session) => session.id);
    const unread = mine.filter((session) => session.unreadForOperator > 0);
    const messages = unread.map((session) => `${session.id} ${session.unreadForOperator}`);
    for (const kind of this.#alarms.look({ callers, messages }, performance.now() / 1000)) this.ring(kind);
    const count = unread.reduce((sum, session) => sum + session.unreadForOperator, 0);
    document.title = titleOf(callers.length, count);
    if (callers.length + count) navigator.setAppBadge?.(callers.length + count);
    else navigator.clearAppBadge?.();
    this.#showState();
  }

  async #wake() {
    if (typeof AudioContext === "undefined") return this.#showState();
    this.#audio ??= new AudioContext();
    this.#audio.onstatechange ??= () => this.#showState();
    this.#showState();
    // Refused until the page was touched, or where there is no device to sound.
    if (this.#audio.state === "suspended") await this.#audio.resume().catch(() => {});
  }

  /** Sounds, unless that was switched off. @param {"caller" | "message" | "warning"} kind */
  ring(kind = "caller") {
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
