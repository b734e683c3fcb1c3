// SPDX-License-Identifier: Apache-2.0
import { limits } from "./limits.js";
import { patience, whenAwake } from "./patience.js";

/** Behind this silence nothing on the page is said to be live: each topic's position should have come, and a moment more. */
const quietMost = limits.topicMilliseconds + 1000;
/** So long a connection may take to open, or be silent, before it is given up; on a bad network a moment's silence is none. */
const openingMost = 10_000;
const silenceMost = 20_000;
/** Whoever comes back from sleep does not wait for the silence to grow. */
const silenceAfterSleep = 8000;
/** How often that is looked at. */
const watchMilliseconds = 1000;

/**
 * Live topics of the gateway over one WebSocket, `/v1/ws`: each event once, in order, over breaks of the network and sleep of
 * the device. After a break every topic goes on behind the last position that was told.
 *
 * @typedef {{topic: string, position: string, kind: string, subject: string, time: string, entry?: any, isPrivate?: true, owner?: string}} TopicEvent
 * @typedef {{onEvent: (event: TopicEvent) => void, onLevel?: () => void, onAlerting?: (isSo: boolean) => void, onRefused?: (problem: any) => void, onTrouble?: (problem: any) => void}} Follower `onLevel`
 *   comes after each beginning: what is asked by HTTP from then on, and the events behind it, leave nothing out. `onTrouble` where the gateway is there
 *   and cannot do it, from the second time in a row; it is tried again.
 */
export class Topics {
  #api;
  #socket = null;
  #isLive = false;
  /** Whether a topic has begun on this connection. */
  #isBegun = false;
  /** By topic: its follower, and the last position that was told. */
  #followed = new Map();
  #failures = 0;
  /** When something came last: by what passes, and by the clock. */
  #heardAt = { passed: 0, clock: 0 };
  #timer = 0;
  #watch;
  #ending = new AbortController();

  /**
   * @param {import("./api.js").API} api
   * @param {(isLive: boolean) => void} onState Whether the gateway is there; told when it changes, and at each failure.
   */
  constructor(api, onState = () => {}) {
    this.#api = api;
    this.onState = onState;
    this.#watch = setInterval(() => this.#listen(silenceMost), watchMilliseconds);
    whenAwake(() => this.#hurry(), this.#ending.signal);
  }

  get isLive() {
    return this.#isLive;
  }

  /**
   * Begins to follow a topic, from now on.
   * @param {string} topic
   * @param {Follower} follower
   * @returns {() => void} Ends it.
   */
  follow(topic, follower) {
    const followed = { ...follower, last: null, refusals: 0 };
    this.#followed.set(topic, followed);
    if (this.#socket?.readyState === WebSocket.OPEN) this.#subscribe(topic);
    else this.#connect();
    return () => {
      if (this.#followed.get(topic) !== followed) return;
      this.#followed.delete(topic);
      this.#write({ type: "unsubscribe", topic });
    };
  }

  stop() {
    this.#ending.abort();
    clearInterval(this.#watch);
    clearTimeout(this.#timer);
    this.#followed.clear();
    const socket = this.#socket;
    this.#socket = null;
    this.#isLive = false;
    socket?.close();
  }

  // MARK: The connection

  #connect() {
    clearTimeout(this.#timer);
    if (this.#socket || this.#ending.signal.aborted) return;
    const socket = this.#api.socket("/v1/ws");
    this.#socket = socket;
    this.#heard();
    socket.onopen = () => {
      for (const topic of this.#followed.keys()) this.#subscribe(topic);
    };
    socket.onmessage = (event) => {
      if (this.#socket !== socket) return;
      this.#heard();
      // It was only silent: nothing has to begin anew.
      if (this.#isBegun) this.#show(true);
      this.#take(JSON.parse(event.data));
    };
    socket.onclose = () => {
      if (this.#socket === socket) this.#lost();
    };
  }

  #show(isLive) {
    if (this.#isLive === isLive) return;
    this.#isLive = isLive;
    this.onState(isLive);
  }

  #heard() {
    this.#heardAt = { passed: performance.now(), clock: Date.now() };
  }

  /** How long nothing has come. A clock that was put back hides none of it, and a device that slept may not have counted that time but by its clock. */
  get #silence() {
    return Math.max(performance.now() - this.#heardAt.passed, Date.now() - this.#heardAt.clock);
  }

  /** A browser does not tell why a socket was refused; an ordinary request does, and who is signed out learns it there. */
  async #lost() {
    this.#socket = null;
    this.#isBegun = false;
    this.#isLive = false;
    this.onState(false);
    this.#timer = setTimeout(() => this.#connect(), patience(this.#failures++));
    try {
      await this.#api.get("/v1/me", { isLevel: false });
    } catch (error) {
      if (error.status === 401) this.stop();
    }
  }

  /** Lets go of a connection on which nothing comes: it only looks as if it stood. */
  #listen(most) {
    const socket = this.#socket;
    if (!socket) return;
    const limit = socket.readyState === WebSocket.CONNECTING ? openingMost : most;
    if (this.#silence >= quietMost) this.#show(false);
    if (this.#silence < limit) return;
    socket.onclose = null;
    socket.close();
    this.#lost();
  }

  #hurry() {
    this.#listen(silenceAfterSleep);
    if (!this.#socket) this.#connect();
  }

  #write(frame) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(frame));
  }

  #subscribe(topic) {
    const followed = this.#followed.get(topic);
    const { last } = followed;
    followed.isAsked = true;
    this.#write({ type: "subscribe", topic, ...(last === null ? {} : { after: last }) });
  }

  // MARK: What comes

  #take(frame) {
    const [topic, followed] = this.#meant(frame);
    if (!followed) return;
    if (frame.alerting !== undefined) followed.onAlerting?.(frame.alerting);
    switch (frame.type) {
      case "subscribed": return this.#begun(followed, frame);
      case "position": return this.#note(followed, frame.position);
      case "event": {
        if (!this.#note(followed, frame.position)) return;
        this.#api.noteShown(frame.position);
        return followed.onEvent(frame);
      }
      case "error": return this.#refused(topic, followed, frame.problem);
    }
  }

  /** A gateway that does not know a topic names none in its refusal. It answers in the order in which it is asked, so the first that waits for an answer is meant. */
  #meant({ type, topic }) {
    if (type !== "error" || topic !== undefined) return [topic, this.#followed.get(topic)];
    return [...this.#followed].find(([, { isAsked }]) => isAsked) ?? [];
  }

  #begun(followed, { position }) {
    this.#note(followed, position);
    this.#api.noteShown(position);
    this.#failures = 0;
    followed.isAsked = false;
    followed.refusals = 0;
    this.#isBegun = true;
    this.#show(true);
    followed.onLevel?.();
  }

  /** @returns {boolean} Whether this position is a new one. */
  #note(followed, position) {
    if (position === undefined) return false;
    if (followed.last !== null && BigInt(position) <= BigInt(followed.last)) return false;
    followed.last = position;
    return true;
  }

  #refused(topic, followed, problem) {
    const isOurs = problem.status < 500 && problem.status !== 429;
    followed.isAsked = false;
    // Another ledger answers than before: nothing that was told goes on there.
    if (problem.status === 400 && followed.last !== null) {
      followed.last = null;
      return this.#subscribe(topic);
    }
    if (!isOurs) {
      if (++followed.refusals > 1) followed.onTrouble?.(problem);
      return setTimeout(() => this.#followed.get(topic) === followed && this.#subscribe(topic), patience(4));
    }
    this.#followed.delete(topic);
    followed.onRefused?.(problem);
  }
}
