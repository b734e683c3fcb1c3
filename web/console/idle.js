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
  #lastAt = Date.now();
  #keptAt = Date.now();
  #timer;
  #controller = new AbortController();

  #rangAt = 0;
  #desk;
  #ringer;

  constructor(api, { isWatching, desk, ringer }, onIdle) {
    this.#desk = desk;
    this.#ringer = ringer;
    const { signal } = this.#controller;
    const note = () => {
      this.#lastAt = Date.now();
      const dialog = find("#idle-dialog");
      if (dialog.open) dialog.close();
    };
    for (const name of ["pointerdown", "keydown", "wheel", "pointermove"]) addEventListener(name, note, { signal, passive: true });
    this.#timer = setInterval(() => this.#look(api, isWatching, onIdle), 1000);
  }

  stop() {
    clearInterval(this.#timer);
    this.#controller.abort();
    find("#idle-dialog").close();
  }

  /** How many callers nobody has, in words; empty where there is none. */
  #waiting(verb) {
    const { length } = this.#desk.pending;
    return length === 0 ? "" : length === 1 ? `1 caller ${verb.replace(/^were/, "was").replace(/^wait$/, "waits")}.` : `${length} callers ${verb}.`;
  }

  #ring() {
    if (Date.now() - this.#rangAt < ringSeconds * 1000) return;
    this.#rangAt = Date.now();
    this.#ringer.ring();
  }

  #look(api, isWatching, onIdle) {
    if (isWatching()) this.#lastAt = Date.now();
    const idle = (Date.now() - this.#lastAt) / 1000;
    const dialog = find("#idle-dialog");
    if (idle >= idleSeconds) {
      this.stop();
      return onIdle(this.#waiting("were waiting then"));
    }
    if (idle >= idleSeconds - askSeconds) {
      find("#idle-left").textContent = span(idleSeconds - idle);
      find("#idle-waiting").textContent = this.#waiting("wait");
      if (!dialog.open) dialog.showModal();
      this.#ring();
    }
    if (Date.now() - this.#keptAt > keepAliveSeconds * 1000 && idle < keepAliveSeconds) {
      this.#keptAt = Date.now();
      api.get("/v1/me", { isLevel: false }).catch(() => {
        // Signed out or unreachable: the rest of the page says so.
      });
    }
  }
}
