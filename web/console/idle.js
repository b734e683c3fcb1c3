// SPDX-License-Identifier: Apache-2.0
import { find } from "../core/dom.js";
import { span } from "../core/time.js";

/** What the gateway allows an operator, and how long before the end the page asks. */
const idleSeconds = 300;
const askSeconds = 60;
const keepAliveSeconds = 60;
/** How often the question rings. */
const ringSeconds = 10;

/**
 * Signs out an operator who does nothing: the page's own requests would keep the sign-in alive for ever. Keys, pointer and
 * watching live video count as being there. The question before it rings, and says who waits (ruling 34): whoever is signed out is
 * called no more.
 */
export class IdleWatch {
  // What passed, whatever the device's clock is set to meanwhile.
  #lastAt = performance.now();
  #keptAt = performance.now();
  /** Since when the question stands; `null` where none does. */
  #askedAt = null;
  #rangAt = -Infinity;
  #timer;
  #controller = new AbortController();
  #desk;
  #ringer;

  constructor(api, { isWatching, desk, ringer }, onIdle) {
    this.#desk = desk;
    this.#ringer = ringer;
    const { signal } = this.#controller;
    for (const name of ["pointerdown", "keydown", "wheel", "pointermove"]) addEventListener(name, () => this.#note(), { signal, passive: true });
    this.#timer = setInterval(() => this.#look(api, isWatching, onIdle), 1000);
  }

  stop() {
    clearInterval(this.#timer);
    this.#controller.abort();
    find("#idle-dialog").close();
  }

  /** Somebody is there. */
  #note() {
    this.#lastAt = performance.now();
    this.#askedAt = null;
    const dialog = find("#idle-dialog");
    if (dialog.open) dialog.close();
  }

  /** How many callers nobody has, in words; empty where there is none. */
  #waiting(verb) {
    const { length } = this.#desk.pending;
    return length === 0 ? "" : length === 1 ? `1 caller ${verb.replace(/^were/, "was").replace(/^wait$/, "waits")}.` : `${length} callers ${verb}.`;
  }

  #ring() {
    if (performance.now() - this.#rangAt < ringSeconds * 1000) return;
    this.#rangAt = performance.now();
    this.#ringer.ring("warning");
  }

  #look(api, isWatching, onIdle) {
    if (isWatching()) this.#note();
    const idle = (performance.now() - this.#lastAt) / 1000;
    if (idle >= idleSeconds - askSeconds) this.#ask(idle, onIdle);
    if (performance.now() - this.#keptAt > keepAliveSeconds * 1000 && idle < keepAliveSeconds) {
      this.#keptAt = performance.now();
      api.get("/v1/me", { isLevel: false }).catch(() => {
        // Signed out or unreachable: the rest of the page says so.
      });
    }
  }

  /** Nobody is signed out before the question has stood its whole time, however late it came: a page in the background is slowed down. */
  #ask(idle, onIdle) {
    this.#askedAt ??= performance.now();
    const left = Math.max(idleSeconds - idle, askSeconds - (performance.now() - this.#askedAt) / 1000);
    if (left <= 0) {
      this.stop();
      return onIdle(this.#waiting("were waiting then"));
    }
    find("#idle-left").textContent = span(left);
    find("#idle-waiting").textContent = this.#waiting("wait");
    const dialog = find("#idle-dialog");
    if (!dialog.open) dialog.showModal();
    this.#ring();
  }
}
