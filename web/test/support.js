// SPDX-License-Identifier: Apache-2.0
/** What modules find in a browser, as far as their tests need it, and a clock that is moved by hand. */

import { webcrypto } from "node:crypto";

globalThis.crypto ??= webcrypto;
globalThis.addEventListener ??= () => {};
globalThis.document ??= Object.assign(new EventTarget(), { visibilityState: "visible", querySelector: () => null, querySelectorAll: () => [] });
globalThis.location ??= new URL("https://centre.example/call");

/** Waits until something is so, which it is soon, or never. @param {() => any} isSo */
export async function until(isSo) {
  for (let turn = 0; !isSo(); turn++) {
    if (turn > 2000) throw new Error(`never: ${isSo}`);
    await new Promise((resolve) => realTimeout(resolve, 5));
  }
}

const realTimeout = setTimeout;

/** Lets everything happen that waits for nothing but its turn. */
export async function settled() {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}

const setNow = (value) => Object.defineProperty(performance, "now", { value, configurable: true, writable: true });

/** Timers and `performance.now()` for one test: time passes when it says so. */
export class Clock {
  #now = 1000;
  #timers = new Map();
  #next = 1;
  #real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout, setInterval: globalThis.setInterval, clearInterval: globalThis.clearInterval, now: performance.now, date: Date.now };

  constructor() {
    const begin = (isAgain) => (action, wait = 0) => {
      this.#timers.set(this.#next, { action, at: this.#now + wait, every: isAgain ? wait : null });
      return this.#next++;
    };
    const end = (timer) => void this.#timers.delete(timer);
    Object.assign(globalThis, { setTimeout: begin(false), setInterval: begin(true), clearTimeout: end, clearInterval: end });
    setNow(() => this.#now);
    Date.now = () => 1_700_000_000_000 + this.#now;
  }

  /** Lets time pass, and all timers ring that are due, in order. */
  async pass(milliseconds) {
    const end = this.#now + milliseconds;
    for (;;) {
      await settled();
      const [number, timer] = [...this.#timers].filter(([, one]) => one.at <= end).sort(([, one], [, other]) => one.at - other.at)[0] ?? [];
      if (!timer) break;
      this.#now = Math.max(this.#now, timer.at);
      if (timer.every === null) this.#timers.delete(number);
      else timer.at += timer.every;
      timer.action();
    }
    this.#now = end;
    await settled();
  }

  stop() {
    const { now, date, ...timers } = this.#real;
    Object.assign(globalThis, timers);
    setNow(now);
    Date.now = date;
  }
}

/** The page's end of a connection, of which the test is the other. */
export class Socket {
  static CONNECTING = 0;
  static OPEN = 1;
  readyState = Socket.CONNECTING;
  sent = [];

  open() {
    this.readyState = Socket.OPEN;
    this.onopen();
  }

  send(text) {
    this.sent.push(JSON.parse(text));
  }

  tell(frame) {
    this.onmessage({ data: JSON.stringify(frame) });
  }

  close() {
    this.readyState = 3;
    this.onclose?.();
  }
}
