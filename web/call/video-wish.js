// SPDX-License-Identifier: Apache-2.0
import { toast } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { patience } from "../core/patience.js";
import { now } from "../core/time.js";
import { keep } from "./keep.js";

const store = "video-wish";
/** One tab of a phone waits, and films. */
const lock = "daybook/video-wish";
/** So long a page that was just loaded again waits for the page before it to let go of the wish. */
const claimMilliseconds = 3000;
/** So long after the end the centre may still tell that somebody took it. */
const lateMilliseconds = 1000;

/**
 * The wish to show video as the centre has it (ruling 35): it is put, taken up again by a page that was loaded anew, and withdrawn for everybody. The phone keeps in which
 * session it wished; until when it waits, and whether somebody has taken it, the session says.
 *
 * @typedef {{session: string, until: string | null, isWithdrawn?: boolean}} Kept
 * @typedef {"at once" | "taken" | "nobody" | "withdrawn"} Outcome
 */
export class VideoWish {
  #api;
  #contact;
  #release = () => {};
  /** The newest wish of this page. */
  #turn = {};
  #delivery = null;
  #timer = 0;
  #failures = 0;

  /** @param {import("../core/api.js").API} api @param {import("./contact.js").Contact} contact */
  constructor(api, contact) {
    this.#api = api;
    this.#contact = contact;
    contact.addEventListener("reach", ({ detail }) => detail && this.#deliver());
  }

  /** @returns {Kept | null} */
  get #kept() {
    return keep.value(store);
  }

  #keep(note) {
    keep.set(store, JSON.stringify(note));
  }

  /**
   * Puts the wish to the operators, and waits until one of them has taken the session.
   * @param {AbortSignal} signal It is not waited for any more. @param {(until: string) => void} onWaiting Until when somebody has to take it.
   * @returns {Promise<Outcome>}
   */
  async put(signal, onWaiting) {
    const { session } = this.#contact;
    const turn = (this.#turn = {});
    const takeBack = () => this.#turn === turn && this.withdraw(session);
    // What was withdrawn before must not end this one.
    await this.#delivery;
    this.#keep({ session, until: null });
    const claimed = this.#claim();
    let waitsUntil;
    try {
      ({ waitsUntil } = await this.#api.post(`/v1/sessions/${session}/video-wish`));
    } catch (error) {
      // Whether the centre has it is not known: it must not wait there for nobody.
      if (error.status === undefined) takeBack();
      else this.done();
      throw error;
    }
    if (signal.aborted) {
      takeBack();
      return "withdrawn";
    }
    if (!waitsUntil) return "at once";
    this.#keep({ session, until: waitsUntil });
    await claimed;
    onWaiting(waitsUntil);
    return this.#taken(session, waitsUntil, signal);
  }

  /**
   * Until when this phone waits, as a page before this one began to; a moment that is over where somebody took it meanwhile. What was withdrawn without a network is told now.
   * @returns {string | null} `null` where it does not wait.
   */
  left() {
    const kept = this.#kept;
    if (!kept) return null;
    if (kept.isWithdrawn) {
      this.#deliver();
      return null;
    }
    const { id, owner, claimedAt, wishesVideoUntil } = this.#contact.detail?.session ?? {};
    const isHere = id === kept.session && this.#contact.session === id;
    if (isHere && wishesVideoUntil && Date.parse(wishesVideoUntil) > now()) return wishesVideoUntil;
    if (isHere && owner && kept.until && Date.parse(claimedAt) <= Date.parse(kept.until)) return kept.until;
    keep.remove(store);
    return null;
  }

  /**
   * Goes on waiting as the page before this one did.
   * @param {string} until As `left` says. @param {AbortSignal} signal @param {(until: string) => void} onWaiting
   * @returns {Promise<Outcome | "elsewhere">} Elsewhere where another tab waits.
   */
  async goOn(until, signal, onWaiting) {
    if (!(await this.#claim())) return "elsewhere";
    if (signal.aborted) return "withdrawn";
    const { session } = this.#contact;
    this.#keep({ session, until });
    onWaiting(until);
    return this.#taken(session, until, signal);
  }

  /** It has become video, or nothing: a page to come need not know of it. */
  done() {
    if (!this.#kept?.isWithdrawn) keep.remove(store);
    this.#release();
  }

  /** The caller does not want it any more: the centre is told, as soon as it is there. */
  withdraw(session = this.#kept?.session) {
    this.#release();
    if (!session) return;
    this.#keep({ session, until: null, isWithdrawn: true });
    this.#deliver();
  }

  #deliver() {
    clearTimeout(this.#timer);
    const kept = this.#kept;
    if (!kept?.isWithdrawn || this.#delivery) return;
    this.#delivery = this.#tell(kept.session).finally(() => (this.#delivery = null));
  }

  async #tell(session) {
    try {
      await this.#api.delete(`/v1/sessions/${session}/video-wish`);
    } catch (error) {
      if (error.status === undefined || error.status >= 500 || error.status === 429) {
        this.#timer = setTimeout(() => this.#deliver(), patience(this.#failures++));
        return;
      }
      // Where the session is over there is nothing to be told.
      if (error.slug === "video-wish-taken") toast(t("call.video.taken"), "warn");
    }
    this.#failures = 0;
    const kept = this.#kept;
    if (kept?.isWithdrawn && kept.session === session) keep.remove(store);
  }

  /** @returns {Promise<Outcome>} */
  #taken(session, until, signal) {
    const contact = this.#contact;
    const done = new AbortController();
    let isOver = false;
    let wasThere = false;
    return new Promise((resolve) => {
      const look = () => {
        const { owner, wishesVideoUntil } = contact.detail?.session ?? {};
        if (signal.aborted) resolve("withdrawn");
        else if (contact.session !== session) resolve("nobody");
        else if (owner) resolve("taken");
        else if (isOver) resolve("nobody");
        // Another page of this phone took it back.
        else if (wasThere && !wishesVideoUntil) resolve("withdrawn");
        wasThere ||= Boolean(wishesVideoUntil);
      };
      contact.addEventListener("change", look, { signal: done.signal });
      signal.addEventListener("abort", look, { signal: done.signal });
      // What nobody took is over, whoever hears of it.
      const timer = setTimeout(() => {
        isOver = true;
        contact.refresh();
      }, Math.max(0, Date.parse(until) - now()) + lateMilliseconds);
      done.signal.addEventListener("abort", () => clearTimeout(timer));
      look();
    }).finally(() => done.abort());
  }

  /** Makes the wish this tab's. @returns {Promise<boolean>} No where another tab has it. */
  #claim() {
    this.#release();
    if (!globalThis.navigator?.locks) return Promise.resolve(true);
    const ending = new AbortController();
    const timer = setTimeout(() => ending.abort(), claimMilliseconds);
    return new Promise((resolve) => {
      const held = () => {
        clearTimeout(timer);
        resolve(true);
        return new Promise((release) => (this.#release = release));
      };
      navigator.locks.request(lock, { signal: ending.signal }, held).catch(() => resolve(false));
    });
  }
}
