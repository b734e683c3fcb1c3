// SPDX-License-Identifier: Apache-2.0
import { t } from "./i18n.js";
import { newID, nextPlace, oldestFirst, writeBehind } from "./ids.js";
import { allLost, lost } from "./lost.js";
import { patience, whenAwake } from "./patience.js";
import { Pictures, forgetPictures } from "./pictures.js";
import { local } from "./storage.js";
import { wellFormed } from "./text.js";
import { now } from "./time.js";

/** So often a message is passed over by a centre that answers to others before it is given up. */
const passedOverMost = 4;

/**
 * One side of a chat over the socket of the source document. What was written is kept on the device until the centre has it,
 * and is sent again, under the same id, until then.
 *
 * What waits belongs to the session that it was written in: in another one it is not said.
 *
 * @typedef {{temporaryID: string, text: string, at: number, deviceAt?: number, place: number, tries: number, quickResponse?: string, passedOver?: number, isPosted?: boolean, session: string | null, via?: "telephone" | "page"}} Waiting
 */
export class Chat {
  #api;
  #socket = null;
  #waiting;
  #isOpen = false;
  #isEnded = false;
  #failures = 0;
  #refusals = 0;
  #timer = 0;
  #typedAt = -Infinity;
  #connectedAt = 0;
  #heardAt = 0;
  #ending = new AbortController();
  /** Up to which message of the other side this chat was seen, and up to which the centre took that. */
  #seen = null;
  #seenTold = null;
  #store;
  #storage;
  /** By message: until when an answer is waited for. */
  #deadlines = new WeakMap();
  /** When each message of this page was written, by a clock that nobody puts right. */
  #begun = new WeakMap();

  /**
   * @param {import("./api.js").API} api
   * @param {object} options
   * @param {string | null} [options.session] For an operator: which chat. A caller's is told by the gateway.
   * @param {() => string | null} [options.written] For a caller: which session is written in until the gateway has told.
   * @param {string} options.store Under what name unsent messages are kept on this device.
   * @param {import("./storage.js").Kept} [options.storage] Where.
   * @param {boolean} [options.goesOn] For a caller: what a page before this one wrote before it knew of a session is for the one that begins now.
   * @param {() => Promise<boolean>} [options.mayConnect] Asked before every connection; no ends the chat.
   * @param {(session: string) => Promise<void>} [options.beforeMessages] Done before anything that was written is sent.
   * @param {{onOpen?: Function, onWaiting?: Function, onState?: Function, onMessage?: Function, onReport?: Function, onTyping?: Function, onEnd?: Function, onUnsent?: Function, onTrouble?: Function}} handlers
   *   `onTrouble` where the centre is there and cannot open the chat, from the second time in a row; it is tried again. `onUnsent` with the messages and pictures that were given up, for their session is over; one that was posted may have arrived (see `Lost`).
   */
  constructor(api, { session = null, written = () => null, store, storage = local, goesOn = false, mayConnect = async () => true, beforeMessages = async () => {} }, handlers) {
    this.#api = api;
    this.session = session;
    this.written = written;
    this.#store = store;
    this.#storage = storage;
    this.mayConnect = mayConnect;
    this.beforeMessages = beforeMessages;
    this.handlers = handlers;
    /** @type {Waiting[]} */
    this.#waiting = read(storage, store, goesOn ? null : "");
    writeBehind(this.#waiting);
    this.pictures = new Pictures(api, { name: store, isKept: storage === local, session: () => this.#writtenIn }, {
      onReport: (report) => this.handlers.onReport?.(report),
      onUnsent: (given) => this.handlers.onUnsent?.(given),
    });
    this.pictures.load().then((found) => found.forEach((picture) => this.handlers.onWaiting?.(picture)));
    whenAwake(() => this.connect(), this.#ending.signal);
  }

  /** What was written and not yet taken by the centre, oldest first. */
  get waiting() {
    return [...this.#waiting, ...this.pictures.waiting].sort(oldestFirst);
  }

  get #writtenIn() {
    return this.session ?? this.written();
  }

  get isOpen() {
    return this.#isOpen;
  }

  async connect() {
    clearTimeout(this.#timer);
    if (this.#isEnded || this.#socket) return;
    let isAllowed;
    try {
      isAllowed = await this.mayConnect();
    } catch (error) {
      return this.#lost(error.status === 401);
    }
    if (this.#isEnded || this.#socket) return;
    if (!isAllowed) return this.end();
    const socket = this.#api.socket("/chat");
    this.#socket = socket;
    this.#connectedAt = performance.now();
    socket.onopen = () => this.#write({ Type: "start_session", Seen: "reported", ...(this.session ? { IncidentID: this.session } : {}) });
    socket.onmessage = (event) => this.#take(JSON.parse(event.data));
    socket.onclose = () => {
      if (this.#socket === socket) this.#lost(false);
    };
  }

  /**
   * Writes a message.
   * @param {string} text
   * @param {{quickResponse?: string, via?: "telephone" | "page"}} [how] Which service it calls for, where a button said it; which way an operator's goes, to a caller who has both.
   * @returns {Waiting}
   */
  send(text, { quickResponse, via } = {}) {
    // Half a character is none: no frame carries it.
    const message = { temporaryID: newID(), text: wellFormed(text), at: now(), deviceAt: Date.now(), place: nextPlace(), tries: 0, quickResponse, via, session: this.#writtenIn };
    this.#begun.set(message, performance.now());
    this.#waiting.push(message);
    this.#keep(message);
    this.#post(message);
    return message;
  }

  /** Sends a message again that was refused. */
  again(message) {
    if (message.blob) return this.pictures.again(message);
    message.tries = message.passedOver = 0;
    if (!this.#waiting.includes(message)) this.#waiting.push(message);
    this.#keep(message);
    this.#post(message);
  }

  /** The chat was on the screen, and looked at, up to this message of the other side. */
  saw(messageID) {
    this.#seen = messageID;
    this.#tellSeen();
  }

  #tellSeen() {
    if (!this.#isOpen || this.#seen === null || this.#seen === this.#seenTold) return;
    this.#write({ IncidentID: this.session, Type: "message_report", MessageID: this.#seen, Status: "seen" });
    this.#seenTold = this.#seen;
  }

  /** Tells the other side, at most every three seconds. */
  typing() {
    const at = performance.now();
    if (!this.#isOpen || at - this.#typedAt < 3000) return;
    this.#typedAt = at;
    this.#write({ IncidentID: this.session, Type: "session", Status: "active" });
  }

  /** Leaves the chat without ending the session. */
  leave() {
    this.#isEnded = true;
    clearTimeout(this.#timer);
    this.#ending.abort();
    this.pictures.pause();
    const socket = this.#socket;
    this.#socket = null;
    this.#isOpen = false;
    socket?.close();
  }

  /** The session is over, or left for good; what was not sent stays unsent, and is not kept. */
  end() {
    if (this.#isEnded) return;
    this.leave();
    this.pictures.end();
    this.#discard(this.#waiting);
    this.handlers.onEnd?.();
  }

  #discard(unsent) {
    if (unsent.length === 0) return;
    for (const message of unsent) this.#forget(message);
    for (const message of unsent) this.handlers.onReport?.({ message, temporaryID: message.temporaryID, state: "unsent" });
    this.handlers.onUnsent?.(lost(unsent));
  }

  /** Connects anew unless the connection is younger than a break of the network. @param {number} brokenAt By `performance.now()`. */
  revive(brokenAt) {
    if (this.#socket && this.#connectedAt < brokenAt) this.#drop();
    this.connect();
  }

  #drop() {
    const socket = this.#socket;
    if (!socket) return;
    this.#lost(false);
    socket.close();
  }

  #lost(isFinal) {
    this.#socket = null;
    this.#isOpen = false;
    this.pictures.pause();
    if (this.#isEnded) return;
    this.handlers.onState?.(false);
    if (isFinal) return;
    this.#timer = setTimeout(() => this.connect(), patience(this.#failures++));
  }

  #write(frame) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(frame));
  }

  /** How long ago it was written this device knows, however wrong its clock is; what time that was, only now that the centre's is known. */
  #writtenAt(message) {
    const begun = this.#begun.get(message);
    const age = begun !== undefined ? performance.now() - begun : message.deviceAt ? Date.now() - message.deviceAt : now() - message.at;
    return now() - Math.max(0, age);
  }

  #post(message) {
    if (!this.#isOpen) return;
    message.tries++;
    // From now on nobody knows whether it arrived until that is told, also the next page.
    if (!message.isPosted) {
      message.isPosted = true;
      this.#keep(message);
    }
    this.#write({
      IncidentID: this.session, Type: "message", Message: message.text,
      Timestamp: String(Math.floor(this.#writtenAt(message) / 1000)), TempMessageID: message.temporaryID,
      ...(message.quickResponse ? { QuickResponse: message.quickResponse } : {}),
      ...(message.via ? { Via: message.via } : {}),
    });
    const [socket, postedAt] = [this.#socket, performance.now()];
    // No answer on a connection that seems to stand: it is no more. The same message again is the same message.
    clearTimeout(this.#deadlines.get(message));
    this.#deadlines.set(message, setTimeout(() => {
      if (this.#socket !== socket || !this.#waiting.includes(message)) return;
      if (this.#heardAt > postedAt) this.#passedOver(message);
      this.#drop();
    }, 10_000));
  }

  /** Other things were answered behind it. What is passed over again and again is not tried for ever: it would break the connection each time. */
  #passedOver(message) {
    message.passedOver = (message.passedOver ?? 0) + 1;
    if (message.passedOver < passedOverMost) return;
    this.#forget(message);
    this.handlers.onReport?.({ message, temporaryID: message.temporaryID, state: "failed", error: t("chat.passed-over") });
  }

  async #take(frame) {
    this.#heardAt = performance.now();
    if (frame.Type === "session" && frame.Status === "open") return this.#opened(frame.IncidentID);
    if (frame.Type === "session" && ["failed", "lost"].includes(frame.Status)) {
      if (frame.Status === "failed") this.#refused();
      return this.#socket?.close();
    }
    if (frame.Type === "session" && frame.Status === "active") return this.handlers.onTyping?.();
    if (frame.Type === "message") {
      return this.handlers.onMessage?.({ temporaryID: frame.TempMessageID, id: frame.MessageID, text: frame.Message, at: Number(frame.Timestamp) * 1000 });
    }
    if (frame.Type === "picture") {
      const picture = { width: Number(frame.Width), height: Number(frame.Height) };
      return this.handlers.onMessage?.({ temporaryID: frame.TempMessageID, id: frame.MessageID, picture, at: Number(frame.Timestamp) * 1000 });
    }
    if (frame.Type !== "message_report") return;
    if (frame.Status === "seen") return this.handlers.onReport?.({ messageID: frame.MessageID, state: "seen" });
    const message = this.#waiting.find((one) => one.temporaryID === frame.TempMessageID);
    if (!message) return;
    clearTimeout(this.#deadlines.get(message));
    if (frame.Status === "failed" && frame.Error.endsWith("It will be sent again.") && message.tries < 5) {
      setTimeout(() => this.#waiting.includes(message) && this.#post(message), 1000 * 2 ** message.tries);
      return;
    }
    this.#forget(message);
    // The protocol's word for what the centre has taken; whether the other side got it is told by the ledger.
    const isTaken = frame.Status === "delivered";
    message.isPosted = isTaken;
    // What the centre has is as old as there.
    if (isTaken) message.at = now();
    this.handlers.onReport?.({ message, temporaryID: message.temporaryID, messageID: frame.MessageID, state: isTaken ? "taken" : "failed", error: frame.Error });
  }

  #refused() {
    if (++this.#refusals > 1) this.handlers.onTrouble?.();
  }

  async #opened(session) {
    const socket = this.#socket;
    this.session = session;
    try {
      await this.beforeMessages(session);
    } catch (error) {
      // Nothing may be sent before it; the next connection tries again.
      if (error.status >= 500) this.#refused();
      return socket?.close();
    }
    if (this.#socket !== socket || this.#isEnded) return;
    this.#isOpen = true;
    this.#failures = 0;
    this.#refusals = 0;
    // Written here before the session was there: it is for this one.
    for (const message of this.#waiting.filter((one) => one.session === null)) {
      message.session = session;
      this.#keep(message);
    }
    this.#discard(this.#waiting.filter((message) => message.session !== session));
    this.handlers.onOpen?.(session);
    this.handlers.onState?.(true);
    for (const message of this.#waiting) this.#post(message);
    this.pictures.open(session);
    // What was told just before a break may not have arrived.
    this.#seenTold = null;
    this.#tellSeen();
  }

  /** Each under a name of its own: another page of the same phone keeps its own beside them. */
  #keep(message) {
    this.#storage.setItem(keyOf(this.#store, message), JSON.stringify(message));
  }

  #forget(message) {
    this.#waiting = this.#waiting.filter((one) => one !== message);
    this.#storage.removeItem(keyOf(this.#store, message));
  }
}

const mark = "#";
const keyOf = (store, message) => `${store}${mark}${message.temporaryID}`;

/** Under which names messages wait. @param {import("./storage.js").Kept} storage @returns {string[]} */
export function storesOf(storage) {
  return [...new Set(storage.names.filter((key) => key.includes(mark)).map((key) => key.slice(0, key.lastIndexOf(mark))))];
}

/** What pages before this one kept, oldest first; whose what is that they wrote before they knew of a session is given, nobody's if not. */
function read(storage, store, unknown = "") {
  const keys = storage.names.filter((key) => key.startsWith(store + mark));
  return keys.map((key) => JSON.parse(storage.getItem(key))).map((message) => ({ ...message, session: message.session ?? unknown })).sort(oldestFirst);
}

/**
 * Forgets what waits under a name on this device, but for what belongs to a session.
 * @param {string} store
 * @param {import("./storage.js").Kept} storage
 * @param {string | null} session
 * @returns {Promise<import("./lost.js").Lost>}
 */
export async function forgetUnsent(store, storage, session = null) {
  const gone = read(storage, store).filter((message) => message.session !== session);
  for (const message of gone) storage.removeItem(keyOf(store, message));
  const pictures = storage === local ? await forgetPictures((picture) => picture.name === store && picture.session !== session) : [];
  return allLost([lost(gone), lost(pictures)]);
}
