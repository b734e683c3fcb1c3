// SPDX-License-Identifier: Apache-2.0
import { patience, whenAwake } from "../core/patience.js";

/** What is kept while the connection is gone, at most (ruling 30); the page says so. */
export const keptSecondsMost = 120;
export const keptBytesMost = 64 * 1024 * 1024;
/** While the connection is gone, a part is this long, so that the oldest can be let go of. */
const keptPartSeconds = 10;
/** A gateway that says nothing for so long, though it was sent video, is not there any more. */
const silenceMost = 8000;
/** Late video waits while this much of the live picture is still on its way. */
const bufferedMost = 256 * 1024;

/**
 * Sends a stream's bytes and keeps each until the gateway says that it is archived: `WS /v1/streams/{id}/ingest`.
 *
 * A *part* is what begins with a head and a key frame. After a break the picture of now comes first, in a new part; what was
 * kept follows behind it.
 */
export class Sender {
  #api;
  #kept;
  #socket = null;
  #isReady = false;
  #isStopped = false;
  /** The caller wants the end: whoever asked for it waits, and need not be told. */
  #isStopping = false;
  #parts = [];
  /** The part that grows; while the connection is gone, one that is kept. */
  #live = null;
  #hasStarted = false;
  #next = 0;
  #failures = 0;
  #refusals = 0;
  #timer = 0;
  #stopWaiters = [];
  #heardAt = 0;
  #ending = new AbortController();

  /**
   * @param {import("../core/api.js").API} api
   * @param {string} stream
   * @param {() => object} settings The settings frame of now.
   * @param {import("./kept.js").KeptVideo} kept Where bytes outlive this page.
   * @param {any[]} left Parts that a page before this one left there.
   * @param {{onReady?: Function, onState?: Function, onNewPart?: Function, onStopped?: Function, onFault?: Function}} handlers
   *   `onReady` once, when the first bytes may come; `onNewPart` asks for a head and a key frame.
   */
  constructor(api, stream, settings, kept, left, handlers) {
    this.#api = api;
    this.#kept = kept;
    // Whether the gateway knows of such a part is not known here; where it does, its place is settled.
    this.#parts = left.map(({ number, startedAt, pieces }) => ({
      number, startedAt, pieces, size: pieces.at(-1).offset + pieces.at(-1).bytes.length, sent: pieces[0].offset, archived: pieces[0].offset,
      hasBegun: pieces[0].offset > 0, hasEnded: true, isEndSent: false,
    }));
    this.#next = Math.max(-1, ...left.map((part) => part.number)) + 1;
    this.stream = stream;
    this.settings = settings;
    this.handlers = handlers;
    this.archivedBytes = 0;
    this.lostSeconds = 0;
    whenAwake(() => this.#connect(), this.#ending.signal);
    this.#connect();
  }

  /** How many seconds the archive lags behind the picture of now; what was kept before comes when there is room for it. */
  get lag() {
    const oldest = this.#live?.pieces[0];
    return oldest ? (now() - oldest.at) / 1000 : 0;
  }

  get isConnected() {
    return this.#isReady;
  }

  /** Seconds of video that wait on this device, but for what is just on its way. */
  get keptSeconds() {
    const waiting = this.#parts.filter((part) => !this.#isReady || part !== this.#live);
    return waiting.reduce((sum, { pieces }) => sum + (pieces.length ? (pieces.at(-1).at - pieces[0].at) / 1000 : 0), 0);
  }

  /** Begins a part; the bytes that follow are its. */
  beginPart() {
    this.#endLive();
    this.#live = { number: this.#next++, startedAt: now(), pieces: [], size: 0, sent: 0, archived: 0, hasBegun: false, hasEnded: false, isEndSent: false };
    this.#parts.push(this.#live);
  }

  push(bytes) {
    const part = this.#live;
    if (!part || this.#isStopped) return;
    const piece = { offset: part.size, bytes, at: now() };
    part.pieces.push(piece);
    this.#kept.add(part, piece);
    part.size += bytes.length;
    this.#pump();
    this.#listen();
  }

  /** A connection that swallows everything is none: what was sent on it is sent again. */
  #listen() {
    const quiet = performance.now() - this.#heardAt;
    if (!this.#isReady || quiet < silenceMost || this.lag * 1000 < silenceMost) return;
    const socket = this.#socket;
    socket.onclose = null;
    this.#lost();
    socket.close();
  }

  /** Whether the live part is so long that a new one should begin, now that nothing can be sent. */
  get wantsNewPart() {
    return !this.#isReady && this.#live !== null && now() - this.#live.startedAt > keptPartSeconds * 1000;
  }

  /** Tells of new settings; the picture itself changes with the next part. */
  tellSettings(cause) {
    if (this.#isReady) this.#text({ type: "settings", ...this.settings(), cause });
  }

  /** Ends the stream once what was pushed is archived, or after a few seconds. */
  async stop(reason) {
    if (this.#isStopped) return;
    this.#isStopping = true;
    this.#endLive();
    this.#pump();
    const until = performance.now() + 4000;
    while (this.#isReady && this.#parts.length > 0 && performance.now() < until && !this.#isStopped) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    if (this.#isStopped) return;
    if (this.#isReady) {
      const answered = new Promise((resolve) => {
        this.#stopWaiters.push(resolve);
        setTimeout(resolve, 3000);
      });
      this.#text({ type: "stop", reason });
      await answered;
    } else {
      await this.#api.post(`/v1/streams/${this.stream}/stop`, { reason });
    }
    this.#finish();
  }

  /** Breaks off without ending the stream: the page goes away. */
  abandon() {
    this.#finish();
  }

  #finish() {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#ending.abort();
    this.#parts = [];
    this.#kept.clear();
    const socket = this.#socket;
    this.#socket = null;
    this.#isReady = false;
    socket?.close();
    for (const resolve of this.#stopWaiters) resolve();
  }

  // MARK: Connection

  #connect() {
    clearTimeout(this.#timer);
    if (this.#isStopped || this.#socket) return;
    const socket = this.#api.socket(`/v1/streams/${this.stream}/ingest`);
    socket.binaryType = "arraybuffer";
    this.#socket = socket;
    socket.onopen = () => this.#text({ type: "settings", ...this.settings() });
    this.#heardAt = performance.now();
    socket.onmessage = (event) => {
      this.#heardAt = performance.now();
      this.#take(JSON.parse(event.data));
    };
    socket.onclose = () => {
      if (this.#socket === socket) this.#lost();
    };
  }

  #lost() {
    this.#socket = null;
    const wasReady = this.#isReady;
    this.#isReady = false;
    if (this.#isStopped) return;
    if (wasReady) {
      this.handlers.onState?.(false);
      this.handlers.onNewPart?.();
    }
    this.#timer = setTimeout(async () => {
      // A gateway that turns us away before the socket opens tells why only to an ordinary request.
      if (this.#failures > 3 && (await this.#isOver())) return this.#over();
      this.#connect();
    }, patience(this.#failures++, { first: 200, most: 3000 }));
  }

  async #isOver() {
    try {
      const { state } = await this.#api.get(`/v1/streams/${this.stream}`, { isLevel: false });
      return state === "stopped" || state === "finalized";
    } catch (error) {
      return error.status === 401 || error.status === 403 || error.status === 404;
    }
  }

  #over() {
    if (this.#isStopped) return;
    this.#finish();
    if (!this.#isStopping) this.handlers.onStopped?.();
  }

  #take(frame) {
    switch (frame.type) {
      case "resume": return this.#resume(frame);
      case "archived": return this.#archived(frame);
      case "stopped": return this.#over();
      case "refused": {
        if (frame.problem.endsWith("stream-stopped")) return this.#over();
        // What is refused once is refused again: let go of it, and go on with the picture of now.
        for (const part of this.#parts) if (part !== this.#live) this.#drop(part);
        this.handlers.onFault?.(frame.detail);
        if (++this.#refusals > 5) this.#over();
      }
    }
  }

  #resume({ part, offset }) {
    if (this.#isReady || this.#parts.length > 0) {
      const known = this.#parts.find((one) => one.number === part);
      if (known) {
        known.hasBegun = true;
        known.sent = offset;
      }
    }
    if (this.#isReady) return this.#pump();
    const isFirst = !this.#hasStarted;
    this.#hasStarted = true;
    this.#endLive();
    this.#next = Math.max(this.#next, offset > 0 ? part + 1 : part);
    this.#isReady = true;
    this.#failures = 0;
    for (const one of this.#parts) {
      // What was on its way when the connection broke may not have arrived.
      if (one.number !== part && one.hasBegun) one.sent = one.archived;
      one.isEndSent = false;
    }
    if (isFirst) this.handlers.onReady?.();
    else this.handlers.onNewPart?.();
    this.handlers.onState?.(true);
    this.#pump();
  }

  #archived({ part, through }) {
    const known = this.#parts.find((one) => one.number === part);
    if (!known || through <= known.archived) return;
    this.#refusals = 0;
    this.archivedBytes += through - known.archived;
    known.archived = through;
    const isSafe = (piece) => piece.offset + piece.bytes.length <= through;
    this.#kept.forget(known, known.pieces.filter(isSafe));
    known.pieces = known.pieces.filter((piece) => !isSafe(piece));
    this.#forgetDone();
  }

  #endLive() {
    if (this.#live) this.#live.hasEnded = true;
    this.#live = null;
    this.#forgetDone();
  }

  #forgetDone() {
    this.#parts = this.#parts.filter((part) => part === this.#live || part.archived < part.size);
  }

  // MARK: Sending

  #pump() {
    this.#letGoOfTooMuch();
    if (!this.#isReady) return;
    if (this.#live) this.#sendPart(this.#live, Infinity);
    for (const part of this.#parts) {
      if (part === this.#live) continue;
      if (this.#socket.bufferedAmount > bufferedMost) break;
      if (!part.hasBegun) {
        const ago = Math.round(now() - part.startedAt);
        this.#text({ type: "late", part: part.number, millisecondsAgo: ago });
        part.hasBegun = true;
      }
      this.#sendPart(part, bufferedMost);
    }
    if (this.#parts.length > 1) setTimeout(() => this.#pump(), 100);
  }

  #sendPart(part, most) {
    for (const piece of part.pieces) {
      if (piece.offset + piece.bytes.length <= part.sent) continue;
      if (this.#socket.bufferedAmount > most) return;
      const skip = Math.max(0, part.sent - piece.offset);
      const bytes = piece.bytes.subarray(skip);
      const frame = new Uint8Array(12 + bytes.length);
      const view = new DataView(frame.buffer);
      view.setUint32(0, part.number);
      view.setBigUint64(4, BigInt(piece.offset + skip));
      frame.set(bytes, 12);
      this.#socket.send(frame);
      part.hasBegun = true;
      part.sent = piece.offset + piece.bytes.length;
    }
    if (part.hasEnded && !part.isEndSent && part.sent === part.size) {
      part.isEndSent = true;
      this.#text({ type: "end", part: part.number });
      // A picture that was torn at the end is never archived; nothing waits for it.
      setTimeout(() => {
        if (part.isEndSent && this.#isReady) this.#drop(part);
      }, 5000);
    }
  }

  #letGoOfTooMuch() {
    const held = () => this.#parts.reduce((sum, part) => sum + part.size - part.archived, 0);
    while (this.#parts.length > 1 && (this.keptSeconds > keptSecondsMost || held() > keptBytesMost)) {
      const oldest = this.#parts.find((part) => part !== this.#live);
      if (!oldest) return;
      this.lostSeconds += keptPartSeconds;
      this.#drop(oldest);
    }
  }

  #drop(part) {
    this.#kept.forget(part, part.pieces);
    this.#parts = this.#parts.filter((one) => one !== part);
  }

  #text(frame) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(frame));
  }
}

/** Milliseconds by a clock that runs on over a reload and is not set while the page lives. */
function now() {
  return performance.timeOrigin + performance.now();
}
