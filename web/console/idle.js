// SPDX-License-Identifier: Apache-2.0
import { find } from "../core/dom.js";
import { now, span, timeOfDay } from "../core/time.js";
import { idleness } from "./idle-rules.js";
import { unreadOf } from "./triage.js";

const keepAliveSeconds = 60;
/** How often the question rings. */
const ringSeconds = 10;

/**
 * Ends what nobody looks at: the page's own requests would keep the sign-in alive for ever. Keys, pointer, live video that is watched and messages of one's own
 * caller count as being there. The question before the end rings, and says who waits (ruling 34). Whoever has an open session is not signed out: the
 * page is locked, and opened again by the password.
 */
export class IdleWatch {
  #api;
  #isWatching;
  #onIdle;
  // What passed, whatever the device's clock is set to meanwhile.
  #lastAt = performance.now();
  #keptAt = performance.now();
  /** Since when the question stands; `null` where none does. */
  #askedAt = null;
  #rangAt = -Infinity;
  #isLocked = false;
  #unread = 0;
  #timer;
  #controller = new AbortController();
  #desk;
  #ringer;

  constructor(api, { isWatching, desk, ringer }, onIdle) {
    this.#api = api;
    this.#isWatching = isWatching;
    this.#onIdle = onIdle;
    this.#desk = desk;
    this.#ringer = ringer;
    const { signal } = this.#controller;
    for (const name of ["pointerdown", "keydown", "wheel", "pointermove"]) addEventListener(name, () => this.#note(), { signal, passive: true });
    desk.addEventListener("change", () => this.#heard(), { signal });
    find("#lock-form").addEventListener("submit", (event) => this.#unlock(event), { signal });
    // Escape opens nothing.
    find("#lock-dialog").addEventListener("close", () => this.#isLocked && find("#lock-dialog").showModal(), { signal });
    find("#lock-dialog").addEventListener("cancel", (event) => event.preventDefault(), { signal });
    this.#timer = setInterval(() => this.#look(), 1000);
  }

  stop() {
    clearInterval(this.#timer);
    this.#controller.abort();
    this.#isLocked = false;
    for (const name of ["#idle-dialog", "#lock-dialog"]) find(name).close();
  }

  /** Somebody is there. */
  #note() {
    if (this.#isLocked) return;
    this.#lastAt = performance.now();
    this.#askedAt = null;
    const dialog = find("#idle-dialog");
    if (dialog.open) dialog.close();
  }

  /** A message of one's own caller: the contact goes on. */
  #heard() {
    const unread = this.#desk.mine.reduce((sum, session) => sum + unreadOf(session), 0);
    if (unread > this.#unread) this.#note();
    this.#unread = unread;
  }

  /** How many callers nobody has, in words; empty where there is none. */
  #waiting(verb) {
    const { length } = this.#desk.pending;
    return length === 0 ? "" : length === 1 ? `1 caller ${verb.replace(/^were/, "was").replace(/^wait$/, "waits")}.` : `${length} callers ${verb}.`;
  }

  #look() {
    if (this.#isLocked) return;
    if (this.#isWatching()) this.#note();
    const passed = (since) => (performance.now() - since) / 1000;
    const hasSession = this.#desk.mine.length > 0;
    const { isToAsk, left, end, keepsAlive } = idleness({ idle: passed(this.#lastAt), asked: this.#askedAt === null ? null : passed(this.#askedAt), hasSession });
    if (keepsAlive && passed(this.#keptAt) > keepAliveSeconds) this.#keepAlive();
    if (!isToAsk) return this.#withdraw();
    if (end === "leave") {
      this.stop();
      return this.#onIdle(this.#waiting("were waiting then"));
    }
    if (end === "lock") return this.#lock();
    this.#ask(left, hasSession);
  }

  /** The question goes where it has no ground any more: a session was opened, or is watched, elsewhere. */
  #withdraw() {
    if (this.#askedAt === null) return;
    this.#askedAt = null;
    find("#idle-dialog").close();
  }

  #keepAlive() {
    this.#keptAt = performance.now();
    this.#api.get("/v1/me", { isLevel: false }).catch(() => {
      // Signed out or unreachable: the rest of the page says so.
    });
  }

  #ask(left, hasSession) {
    this.#askedAt ??= performance.now();
    find("#idle-what").textContent = hasSession ? "The page is locked in" : "You will be signed out in";
    find("#idle-left").textContent = span(left);
    find("#idle-waiting").textContent = [hasSession && "Your session goes on.", this.#waiting("wait")].filter(Boolean).join(" ");
    const dialog = find("#idle-dialog");
    if (!dialog.open) dialog.showModal();
    if (performance.now() - this.#rangAt < ringSeconds * 1000) return;
    this.#rangAt = performance.now();
    this.#ringer.ring("warning");
  }

  // MARK: The lock

  #lock() {
    this.#isLocked = true;
    this.#askedAt = null;
    find("#idle-dialog").close();
    find("#lock-since").textContent = timeOfDay(new Date(now()));
    find("#lock-fault").hidden = true;
    find("#lock-form").reset();
    find("#lock-dialog").showModal();
  }

  async #unlock(event) {
    event.preventDefault();
    const { password } = Object.fromEntries(new FormData(event.target));
    try {
      await this.#api.post("/v1/auth/login", { login: this.#desk.me.login, password }, { tries: 1 });
    } catch (error) {
      find("#lock-fault").textContent = error.message;
      find("#lock-fault").hidden = false;
      return find("#lock-form [name=password]").select();
    }
    this.#isLocked = false;
    find("#lock-dialog").close();
    find("#lock-form").reset();
    this.#note();
  }
}
