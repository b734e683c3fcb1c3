// SPDX-License-Identifier: Apache-2.0

/** After so many events a state is kept, from which moments behind it are folded. */
const keyframeEvents = 256;
/** The pause between two moments of a recording that runs, in milliseconds of the one who looks. */
const tickMilliseconds = 100;

/** @typedef {{now: () => number, every: (milliseconds: number, tick: () => void) => () => void}} Clock What passes for the one who looks; `every` gives what ends it. */

/** The page's own clock. @type {Clock} */
export const pageClock = {
  now: () => performance.now(),
  every(milliseconds, tick) {
    const timer = setInterval(tick, milliseconds);
    return () => clearInterval(timer);
  },
};

/**
 * What was recorded, as a source of a model: at every moment the state is what the events up to it make, and a clock of its own moves the moment.
 *
 * A live source has the same `state`, `subscribe` and `seek`, where the end is now.
 * @template State
 */
export class Recorded {
  #events;
  #apply;
  /** The states before the first event, and after every so many. @type {State[]} */
  #keyframes;
  /** The state after `#count` events. */
  #state;
  #count = 0;
  #at;
  #speed = 1;
  #clock;
  #from;
  #until;
  #stop = null;
  #listeners = new Set();

  /**
   * Reads all events once, so that each moment of them is near.
   * @param {import("../model/event.js").ModelEvent[]} events In the order of the log.
   * @param {{empty: State, apply: (state: State, event: any) => State, clock?: Clock, films?: {from: number, until: number}[]}} model `films` belong to it, also where they begin before the first event or end after the last.
   */
  constructor(events, { empty, apply, clock = pageClock, films = [] }) {
    this.#events = events;
    this.#apply = apply;
    this.#clock = clock;
    this.#keyframes = [empty];
    let state = empty;
    for (let index = 0; index < events.length; index++) {
      state = apply(state, events[index]);
      if ((index + 1) % keyframeEvents === 0) this.#keyframes.push(state);
    }
    /** What all events make. @type {State} */
    this.end = state;
    this.#state = empty;
    const [first, last] = [events[0]?.at ?? 0, events.at(-1)?.at ?? 0];
    this.#from = Math.min(first, ...films.map(({ from }) => from));
    this.#until = Math.max(last, ...films.map(({ until }) => until));
    this.#at = first;
  }

  get events() {
    return this.#events;
  }

  /** When the first event or film begins, in milliseconds of the ledger's time. */
  get from() {
    return this.#from;
  }

  /** When all is over. */
  get until() {
    return this.#until;
  }

  /** @returns {State} */
  get state() {
    return this.#state;
  }

  /** The moment that is shown, in milliseconds of the ledger's time. */
  get at() {
    return this.#at;
  }

  /** How many events have happened by then. */
  get count() {
    return this.#count;
  }

  /** The last event that has happened by then; `undefined` before the first. */
  get event() {
    return this.#events[this.#count - 1];
  }

  get isRunning() {
    return this.#stop !== null;
  }

  get speed() {
    return this.#speed;
  }

  set speed(speed) {
    this.#speed = speed;
    this.#tell();
  }

  /** Calls somebody after every change of the moment. @returns {() => void} Ends it. */
  subscribe(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Goes to a moment: with everything that had been recorded by then. @param {number} at */
  seek(at) {
    const moment = Math.min(Math.max(at, this.from), this.until);
    this.#goTo(moment, this.#countAt(moment));
  }

  /** Goes to an event, counted from 0: it has just happened, and what was recorded behind it at the same time has not. */
  seekEvent(index) {
    if (this.#events.length === 0) return;
    const place = Math.min(Math.max(index, 0), this.#events.length - 1);
    this.#goTo(this.#events[place].at, place + 1);
  }

  /** Where an entry of the log stands among the events; −1 for none. */
  indexOf(position) {
    const index = this.#lastWhere((event) => event.position <= position);
    return this.#events[index]?.position === position ? index : -1;
  }

  /** Lets the recording run; from the beginning where it stood at its end. */
  play() {
    if (this.isRunning || this.#events.length === 0) return;
    if (this.#at >= this.until) this.seek(this.from);
    let last = this.#clock.now();
    this.#stop = this.#clock.every(tickMilliseconds, () => {
      const now = this.#clock.now();
      const at = this.#at + (now - last) * this.#speed;
      last = now;
      if (at >= this.until) this.pause();
      this.seek(at);
    });
    this.#tell();
  }

  pause() {
    if (!this.isRunning) return;
    this.#stop();
    this.#stop = null;
    this.#tell();
  }

  close() {
    this.#stop?.();
    this.#stop = null;
    this.#listeners.clear();
  }

  #countAt(at) {
    return this.#lastWhere((event) => event.at <= at) + 1;
  }

  #lastWhere(holds) {
    let [low, high] = [0, this.#events.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (holds(this.#events[middle])) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  #goTo(at, count) {
    if (count !== this.#count) this.#fold(count);
    this.#at = at;
    this.#tell();
  }

  /** From where it stands, or from the last state that was kept before, whichever is nearer. */
  #fold(count) {
    const keyframe = Math.floor(count / keyframeEvents);
    if (count < this.#count || keyframe * keyframeEvents > this.#count) {
      this.#state = this.#keyframes[keyframe];
      this.#count = keyframe * keyframeEvents;
    }
    while (this.#count < count) this.#state = this.#apply(this.#state, this.#events[this.#count++]);
  }

  #tell() {
    for (const listener of [...this.#listeners]) listener(this);
  }
}
