// SPDX-License-Identifier: Apache-2.0
import { framesPerSecondMost } from "./quality.js";

/** Over so long pictures are counted, and so long at least. */
const windowMilliseconds = 4000;
const leastMilliseconds = 2000;
/** A rate that is off by more than this, for so many looks in a row, is told. */
const shareMost = 0.2;
const picturesMost = 2;
const looksLeast = 3;

/** How many pictures a second a camera gives: as they come, and until that is known as it says of itself. In the dark many cameras give half of what they said. */
export class FrameRate {
  #said;
  #at = [];
  #looks = 0;

  /** @param {number | undefined} said What the camera says; some say nothing. */
  constructor(said) {
    this.#said = said;
  }

  /** A picture came. @param {number} at Milliseconds. */
  picture(at) {
    this.#at.push(at);
    while (this.#at[0] < at - windowMilliseconds) this.#at.shift();
  }

  /** Pictures a second, a whole number, as the gateway takes it. */
  get value() {
    const span = this.#at.length > 1 ? this.#at.at(-1) - this.#at[0] : 0;
    const rate = span >= leastMilliseconds ? ((this.#at.length - 1) * 1000) / span : this.#said ?? framesPerSecondMost;
    return Math.min(framesPerSecondMost, Math.max(1, Math.round(rate)));
  }

  /** Looks about once a second whether the rate is another one than was told, and stays so. @param {number} told */
  isOther(told) {
    const { value } = this;
    const isOff = Math.abs(value - told) > Math.max(picturesMost, shareMost * told);
    this.#looks = isOff ? this.#looks + 1 : 0;
    return this.#looks >= looksLeast;
  }
}
