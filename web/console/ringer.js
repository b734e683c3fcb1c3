// SPDX-License-Identifier: Apache-2.0
import { Bell } from "../dom/bell.js";
import { Alarms, titleOf } from "./alarms.js";
import { unreadOf } from "./triage.js";

/**
 * Sounds for callers who wait for this operator and for messages that were on no screen, until they are answered; counts them in the title and on the icon.
 */
export class Ringer {
  #timer;
  #desk;
  #bell;
  #alarms = new Alarms();
  #controller = new AbortController();

  constructor(desk, button) {
    this.#desk = desk;
    this.#bell = new Bell(button, { on: "Sound on", off: "Sound off", silent: "No sound: press a key" });
    desk.addEventListener("change", () => this.#look(), { signal: this.#controller.signal });
    this.#timer = setInterval(() => this.#look(), 1000);
  }

  stop() {
    clearInterval(this.#timer);
    this.#controller.abort();
    navigator.clearAppBadge?.();
    this.#bell.stop();
  }

  #look() {
    const { alerting, pending, mine, offered, isRead } = this.#desk;
    if (!isRead) return;
    // Who has as many sessions as allowed sees the queue and is left in peace; what a colleague asks is for them alone.
    const callers = [...(alerting ? pending.filter((session) => !session.isMuted) : []), ...offered].map((session) => session.id);
    const unread = mine.filter((session) => unreadOf(session) > 0);
    const messages = unread.map((session) => `${session.id} ${session.unreadForOperator}`);
    for (const kind of this.#alarms.look({ callers, messages }, performance.now() / 1000)) this.ring(kind);
    const count = unread.reduce((sum, session) => sum + unreadOf(session), 0);
    document.title = titleOf(callers.length, count);
    if (callers.length + count) navigator.setAppBadge?.(callers.length + count);
    else navigator.clearAppBadge?.();
    this.#bell.showState();
  }

  /** Sounds, unless that was switched off. @param {"caller" | "message" | "warning"} kind */
  ring(kind = "caller") {
    this.#bell.ring(kind);
  }
}
