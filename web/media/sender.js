// SPDX-License-Identifier: Apache-2.0
import { patience, whenAwake } from "../core/patience.js";

/** What is kept while the connection is gone, at most (ruling 30); the page says so. */
export const keptSecondsMost = 120;
export const keptBytesMost = 64 * 1024 * 1024;
/** While the connection is gone, a part is this long, so that the oldest can be let go of. */
const keptPartSeconds = 10;
/** A gateway that says nothing for so long, though it was sent video, is not there any more. */
const silenceMost = 8000;
/** So long when only late video is on its way, of which a slow network may carry little in that time. */
const lateSilenceMost = 20_000;
/** A picture of now of which so many parts in a row are refused will not be taken. */
const refusalsMost = 5;
/** Late video waits while this much of the live picture is still on its way. */
const bufferedMost = 256 * 1024;

/**
 * Sends a stream's bytes and keeps each until the gateway says that it is archived: `WS /v1/streams/{id}/ingest`.
 *
 * A *part* is what begins with a head and a key frame. After a break the picture of now comes first, in a new part; what was
 * kept follows behind it.
 *
 * Who wants the end says so by `stop`; what is kept goes on being sent, for as long as it takes, and only then the stream is stopped.
 */
export class Sender {
  #api;
  #kept;
  #socket = null;
  #isReady = false;
  #isStopped = false;
  /** Why the caller wants the end; `null` while the caller does not. */
  #stopReason = null;
  #isStopSent = false;
  #parts = [];
  /** The part that grows; while the connection is gone, one that is kept. */
  #live = null;
  #hasStarted = false;
  #next = 0;
  #failures = 0;
  #refusals = 0;
  #timer = 0;
  #pumpTimer = 0;
  #lookTimer = 0;
  #heardAt = 0;
  #ending = new AbortController();

  /**
   * @param {import("../core/api.js").API} api
   * @param {string} stream
   * @param {() => object} settings The settings frame of now.
   * @param {import("./kept.js").KeptVideo} kept Where bytes outlive this page.
   * @param {any[]} left Parts that a page before this one left there.
   * @param {{onReady?: Function, onState?: Function, onNewPart?: Function, onStopped?: Function, onFault?: Function}} handlers
   *   `onReady` once, when the first bytes may come; `onNewPart` asks for a head and a key frame; `onStopped` once, when the stream is
   *   over: `lostSeconds` of it were too much to be kept, `unsentSeconds` waited in vain; `onFault` with what the gateway says of what it
   *   does not take, and how many seconds of video that are.
   */
  constructor(api, stream, settings, kept, left, handlers) {
    this.#api = api;
    this.#kept = kept;
    // Whether the gateway knows of such a part is not known here; where it does, its place is settled.
    this.#parts = left.map(({ number, startedAt, pieces }) => ({
      number, startedAt, pieces, size: pieces.at(-1).offset + pieces.at(-1).bytes.length, sent: pieces[0].offset, archived: pieces[0].offset,
      isPlaced: false, isAsked: false, hasEnded: true, isEndSent: false,
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

  /** Whether what is filmed gets through, as far as this device knows: a network that it knows to be gone carries nothing. */
  get isConnected() {
    return this.#isReady && navigator.onLine !== false;
  }

  /** Seconds of video that wait on this device, but for what is just on its way. */
  get keptSeconds() {
    return this.#parts.reduce((sum, part) => sum + (this.#isReady && part === this.#live ? 0 : seconds(part)), 0);
  }

  /**
   * Begins a part; the bytes that follow are its.
   * @param {number} [ago] So many milliseconds ago its first picture was taken.
   */
  beginPart(ago = 0) {
    if (this.#isStopped || this.#stopReason !== null) return;
    this.#endLive();
    this.#live = { number: this.#next++, startedAt: now() - ago, pieces: [], size: 0, sent: 0, archived: 0, isPlaced: false, isAsked: false, hasEnded: false, isEndSent: false };
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
    const isLiveLost = quiet >= silenceMost && this.lag * 1000 >= silenceMost;
    const isLateLost = quiet >= lateSilenceMost && (this.#isStopSent || this.#parts.some((part) => part !== this.#live && (part.isAsked || part.sent > part.archived)));
    if (!this.#isReady || !(isLiveLost || isLateLost)) return;
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

  /** No more pictures come. The stream ends once what was pushed is archived; `onStopped` says so. */
  stop(reason) {
    if (this.#isStopped || this.#stopReason !== null) return;
    this.#endLive();
    this.#stopReason = reason;
    this.#lookTimer = setInterval(() => this.#listen(), 1000);
    this.#pump();
  }

  /** Breaks off without ending the stream: nothing more can be sent from here. */
  abandon() {
    this.#finish();
  }

  #finish() {
    this.#isStopped = true;
    for (const timer of [this.#timer, this.#pumpTimer]) clearTimeout(timer);
    clearInterval(this.#lookTimer);
    this.#ending.abort();
    this.#parts = [];
    this.#live = null;
    this.#kept.clear();
    this.#kept.release();
    const socket = this.#socket;
    this.#socket = null;
    this.#isReady = false;
    socket?.close();
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
    // What was asked or ended on this connection was not on the next one.
    clearTimeout(this.#pumpTimer);
    this.#isStopSent = false;
    for (const part of this.#parts) part.isEndSent = part.isAsked = false;
    if (this.#isStopped) return;
    if (wasReady) {
      this.handlers.onState?.(false);
      if (this.#stopReason === null) this.handlers.onNewPart?.();
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(async () => {
      // A gateway that turns us away before the socket opens tells why only to an ordinary request.
      if (this.#failures > 3 && (await this.#isOver())) return this.#over();
      this.#connect();
    }, patience(Math.max(this.#failures++, this.#refusals), { first: 200, most: 3000 }));
  }

  async #isOver() {
    try {
      const { state } = await this.#api.get(`/v1/streams/${this.stream}`, { isLevel: false });
      return state === "stopped" || state === "finalized";
    } catch (error) {
      return error.status === 401 || error.status === 403 || error.status === 404;
    }
  }

  /** @param {{by?: string, reason?: string}} [end] Who ended the stream, and why, where that is known. */
  #over({ by, reason } = {}) {
    if (this.#isStopped) return;
    const unsentSeconds = this.#parts.reduce((sum, part) => sum + seconds(part), 0);
    this.#finish();
    this.handlers.onStopped?.({ lostSeconds: this.lostSeconds, unsentSeconds, by, reason });
  }

  #take(frame) {
    switch (frame.type) {
      case "resume": return this.#resume(frame);
      case "archived": return this.#archived(frame);
      case "stopped": return this.#over(frame);
      case "refused": return this.#refused(frame);
    }
  }

  /** A part that is refused once is refused again, and let go of; whatever else is refused is tried again. */
  #refused({ part, problem, detail }) {
    if (problem.endsWith(":stream-stopped")) return this.#over();
    this.#refusals++;
    const known = this.#parts.find((one) => one.number === part);
    const lost = known ? seconds(known) : 0;
    if (known) this.#drop(known);
    if (known || this.#refusals === 1) this.handlers.onFault?.(detail, lost);
    if (!known || this.#stopReason !== null || this.#refusals <= refusalsMost) return;
    // If this does not arrive, the gateway ends the stream for its silence.
    this.#api.post(`/v1/streams/${this.stream}/stop`, { reason: "refused" }).catch(() => {});
    this.#over();
  }

  #resume({ part, offset }) {
    const known = this.#parts.find((one) => one.number === part);
    const isFirst = !this.#isReady;
    if (isFirst) this.#begin(part, offset);
    if (known) {
      // Behind `late` the bytes followed at once; any other answer says that some are missing.
      known.sent = known.isAsked && !isFirst ? Math.max(known.sent, offset) : offset;
      known.isPlaced = true;
      known.isAsked = false;
    }
    this.#pump();
  }

  /** The first answer on a connection: the gateway's newest part. */
  #begin(part, offset) {
    const isFirst = !this.#hasStarted;
    this.#hasStarted = true;
    this.#endLive();
    this.#next = Math.max(this.#next, offset > 0 ? part + 1 : part);
    this.#isReady = true;
    this.#failures = 0;
    // What was on its way when the connection broke may not have arrived, nor may the gateway know of such a part.
    for (const one of this.#parts) {
      one.isPlaced = false;
      one.sent = one.archived;
    }
    if (this.#stopReason === null) {
      if (isFirst) this.handlers.onReady?.();
      else this.handlers.onNewPart?.();
    }
    this.handlers.onState?.(true);
  }

  #archived({ part, through, ended }) {
    const known = this.#parts.find((one) => one.number === part);
    if (!known) return;
    if (through > known.archived) {
      this.#refusals = 0;
      this.archivedBytes += through - known.archived;
      known.archived = through;
      const isSafe = (piece) => piece.offset + piece.bytes.length <= through;
      this.#kept.forget(known, known.pieces.filter(isSafe));
      known.pieces = known.pieces.filter((piece) => !isSafe(piece));
    }
    // A picture that was torn at the end is never archived; nothing waits for it.
    if (ended && known.hasEnded) this.#drop(known);
    this.#forgetDone();
    this.#pump();
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
    clearTimeout(this.#pumpTimer);
    this.#letGoOfTooMuch();
    if (!this.#isReady) return;
    if (this.#live) this.#sendPart(this.#live, Infinity);
    const late = this.#parts.filter((part) => part !== this.#live);
    for (const part of late) {
      if (this.#socket.bufferedAmount > bufferedMost) break;
      if (!part.isPlaced) {
        const next = this.#parts.find(({ number, sent }) => number > part.number && sent > 0);
        this.#text({
          type: "late", part: part.number, millisecondsAgo: Math.max(0, Math.round(now() - part.startedAt)),
          // Exact to a later part that is there already, however long this is on its way.
          ...(next && { before: { part: next.number, milliseconds: Math.max(0, Math.round(next.startedAt - part.startedAt)) } }),
        });
        part.isAsked = true;
      }
      this.#sendPart(part, bufferedMost);
    }
    if (late.length > 0) this.#pumpTimer = setTimeout(() => this.#pump(), 100);
    else if (this.#stopReason !== null && !this.#isStopSent) {
      this.#isStopSent = true;
      this.#text({ type: "stop", reason: this.#stopReason });
    }
  }

  #sendPart(part, most) {
    part.isPlaced = true;
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
      part.sent = piece.offset + piece.bytes.length;
    }
    if (part.hasEnded && !part.isEndSent && part.sent >= part.size) {
      part.isEndSent = true;
      this.#text({ type: "end", part: part.number });
    }
  }

  #letGoOfTooMuch() {
    const held = () => this.#parts.reduce((sum, part) => sum + part.size - part.archived, 0);
    while (this.#parts.length > 1 && (this.keptSeconds > keptSecondsMost || held() > keptBytesMost)) {
      const oldest = this.#parts.find((part) => part !== this.#live);
      if (!oldest) return;
      this.lostSeconds += seconds(oldest);
      this.#drop(oldest);
    }
  }

  #drop(part) {
    this.#kept.forget(part, part.pieces);
    if (part === this.#live) this.#live = null;
    this.#parts = this.#parts.filter((one) => one !== part);
  }

  #text(frame) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(frame));
  }
}

/** How much of a part waits. */
function seconds({ pieces }) {
  return pieces.length ? (pieces.at(-1).at - pieces[0].at) / 1000 : 0;
}

/** Milliseconds by a clock that runs on over a reload and is not set while the page lives. */
function now() {
  return performance.timeOrigin + performance.now();
}
