// SPDX-License-Identifier: Apache-2.0

/** A picture is renewed no sooner after the one before was asked for. */
export const renewMilliseconds = 2000;
/** So long after a picture could not be had it is asked for again. */
const againMilliseconds = 4000;
/** The gateway decodes three of one viewer at once; one is left for other pages of theirs. */
const atOnce = 2;

/**
 * Pictures of live streams, a few at a time: of those that are to be seen, the one is asked for next that has waited longest.
 *
 * @typedef {{stream: string, onPicture: (picture: Blob) => void, onNone: () => void}} Film `onNone` is told each time that there is no picture.
 */
export class Frames {
  #bring;
  #timer = 0;
  /** @type {Set<Film>} */
  #shown = new Set();
  /** When a film's next picture is due; also of one that is not shown now. @type {WeakMap<Film, number>} */
  #due = new WeakMap();
  /** @type {Map<Film, AbortController>} */
  #under = new Map();
  #isOpen = true;

  /** @param {(stream: string, signal: AbortSignal) => Promise<Blob>} bring */
  constructor(bring) {
    this.#bring = bring;
  }

  /** Whether pictures are asked for at all: not while the page is hidden. */
  set isOpen(isOpen) {
    this.#isOpen = isOpen;
    this.#next();
  }

  /** Begins to bring pictures of a film. @param {Film} film @returns {() => void} Ends it. */
  show(film) {
    this.#shown.add(film);
    this.#next();
    return () => {
      this.#shown.delete(film);
      this.#under.get(film)?.abort();
    };
  }

  #next() {
    clearTimeout(this.#timer);
    if (!this.#isOpen) return;
    const waiting = [...this.#shown].filter((film) => !this.#under.has(film)).sort((one, other) => this.#dueOf(one) - this.#dueOf(other));
    for (const film of waiting) {
      if (this.#under.size >= atOnce) return;
      const left = this.#dueOf(film) - performance.now();
      if (left > 0) return void (this.#timer = setTimeout(() => this.#next(), left));
      this.#ask(film);
    }
  }

  #dueOf(film) {
    return this.#due.get(film) ?? 0;
  }

  async #ask(film) {
    const ending = new AbortController();
    this.#under.set(film, ending);
    const begun = performance.now();
    let due = begun + renewMilliseconds;
    try {
      const picture = await this.#bring(film.stream, ending.signal);
      if (this.#shown.has(film)) film.onPicture(picture);
    } catch {
      // A young stream has no picture yet, and a busy gateway none now.
      due = performance.now() + againMilliseconds;
      if (this.#shown.has(film)) film.onNone();
    }
    this.#under.delete(film);
    this.#due.set(film, due);
    this.#next();
  }
}
