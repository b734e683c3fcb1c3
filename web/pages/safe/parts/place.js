// SPDX-License-Identifier: Apache-2.0
import { local } from "../../../core/storage.js";
import { fixOf, isDenied, position } from "../../../dom/place.js";

const store = "safe-place";
/** A place that is older says nothing of where somebody is. */
const ageMost = 24 * 3_600_000;
/** While nothing happens the phone is to spare its battery; in an alert it is to be exact. */
const calm = { enableHighAccuracy: false, maximumAge: 60_000 };
const urgent = { enableHighAccuracy: true, maximumAge: 5000 };
const lookSeconds = 10;

/** Where this phone is: the newest place that it knew, kept over reloads, and whether it can tell it now. */
export class Place {
  #onChange;
  #storage;
  #watch = 0;
  #isUrgent = false;
  /** Why the phone does not say where it is. @type {"denied" | "none" | ""} */
  silence = "";

  /** @param {() => void} onChange */
  constructor(onChange, storage = local) {
    [this.#onChange, this.#storage] = [onChange, storage];
  }

  /** The last known place, with the time at which it was measured. @returns {import("../../../model/safety.js").Fix | null} */
  get fix() {
    try {
      const fix = JSON.parse(this.#storage.getItem(store) ?? "null");
      return fix && Date.now() - Date.parse(fix.measuredAt) < ageMost ? fix : null;
    } catch {
      return null;
    }
  }

  /** Follows the phone from now on. @param {boolean} isUrgent As exactly as it can. */
  follow(isUrgent) {
    if (this.#watch && isUrgent === this.#isUrgent) return;
    this.#isUrgent = isUrgent;
    if (!navigator.geolocation) return this.#lost({});
    navigator.geolocation.clearWatch(this.#watch);
    this.#watch = navigator.geolocation.watchPosition((found) => this.#found(found), (error) => this.#lost(error), isUrgent ? urgent : calm);
  }

  /** Follows the phone where nothing does so yet; in an alert it stays as exact as it is. */
  begin() {
    if (!this.#watch) this.follow(false);
  }

  /** Spares the battery, where the phone is followed. */
  rest() {
    if (this.#watch) this.follow(false);
  }

  /** Follows it no more. */
  stop() {
    navigator.geolocation?.clearWatch(this.#watch);
    this.#watch = 0;
  }

  /** Looks where the phone is now: who stands still, the browser tells nothing new. */
  async look() {
    try {
      this.#found(await position(urgent, lookSeconds));
    } catch (error) {
      this.#lost(error);
    }
  }

  #found(found) {
    this.silence = "";
    this.#storage.setItem(store, JSON.stringify({ measuredAt: new Date().toISOString(), ...fixOf(found) }));
    this.#onChange();
  }

  #lost(error) {
    this.silence = isDenied(error) ? "denied" : "none";
    this.#onChange();
  }
}
