// SPDX-License-Identifier: Apache-2.0
import { t } from "./i18n.js";
import { newID, nextPlace, oldestFirst, writeBehind } from "./ids.js";
import { lost } from "./lost.js";
import { patience } from "./patience.js";
import { now } from "./time.js";

/** What the gateway takes. */
const bytesMost = 8 * 1024 * 1024;
const types = ["image/jpeg", "image/png", "image/webp"];
/** Larger or other pictures are made this large at most, as JPEG. */
const sideMost = 4096;

/**
 * Pictures on their way to the centre, one after the other: kept on the device until it has them, over reloads, and sent
 * again under the same id until then.
 *
 * @typedef {{temporaryID: string, blob: Blob, at: number, place: number, isPosted?: boolean, session: string | null}} Waiting
 */
export class Pictures {
  #api;
  #name;
  #isKept;
  #sessionOf;
  #handlers;
  #isOver = false;
  /** Where to; `null` while the chat is not connected. */
  #session = null;
  #waiting = [];
  #isSending = false;
  #failures = 0;
  #timer = 0;

  /**
   * @param {import("./api.js").API} api
   * @param {{name: string, isKept: boolean, session: () => string | null}} options Under what name they are kept, whether that is allowed
   *   on this device, and for which session they are taken now.
   * @param {{onReport: Function, onUnsent: Function}} handlers As of `Chat`.
   */
  constructor(api, { name, isKept, session }, handlers) {
    this.#api = api;
    this.#name = name;
    this.#isKept = isKept;
    this.#sessionOf = session;
    this.#handlers = handlers;
  }

  /** @returns {Waiting[]} Not yet taken by the centre, oldest first. */
  get waiting() {
    return [...this.#waiting];
  }

  /** Finds what a page before this one did not get rid of. @returns {Promise<Waiting[]>} */
  async load() {
    if (!this.#isKept) return [];
    const known = new Set(this.#waiting.map((one) => one.temporaryID));
    const left = (await shelf("readonly", (store) => store.getAll())) ?? [];
    if (this.#isOver) return [];
    const found = left.filter((one) => one.name === this.#name && !known.has(one.temporaryID)).sort(oldestFirst);
    writeBehind(found);
    this.#waiting = [...found, ...this.#waiting];
    if (this.#session) this.#discard(this.#session);
    this.#go();
    return found.filter((one) => this.#waiting.includes(one));
  }

  /** @param {File} file @returns {Waiting} */
  send(file) {
    const picture = { temporaryID: newID(), blob: file, at: now(), place: nextPlace(), name: this.#name, session: this.#sessionOf() };
    this.#add(picture);
    return picture;
  }

  again(picture) {
    if (!this.#waiting.includes(picture)) this.#add(picture);
  }

  /** The chat is connected, and may be sent to. */
  open(session) {
    this.#session = session;
    this.#discard(session);
    this.#go();
  }

  /** What was taken for another session is not sent in this one. */
  #discard(session) {
    for (const picture of this.#waiting) picture.session ??= session;
    const others = this.#waiting.filter((picture) => picture.session !== session);
    for (const picture of others) this.#forget(picture);
    if (others.length) this.#handlers.onUnsent(lost(others));
  }

  pause() {
    this.#session = null;
    clearTimeout(this.#timer);
  }

  /** The session is over; what was not sent stays unsent. */
  end() {
    this.pause();
    this.#isOver = true;
    const known = this.#waiting;
    this.#waiting = [];
    for (const picture of known) this.#handlers.onReport({ message: picture, temporaryID: picture.temporaryID, state: "unsent" });
    const left = this.#isKept ? forgetPictures((picture) => picture.name === this.#name) : Promise.resolve([]);
    left.then((kept) => {
      const all = new Map([...kept, ...known].map((picture) => [picture.temporaryID, picture]));
      if (all.size > 0) this.#handlers.onUnsent(lost([...all.values()]));
    });
  }

  async #add(picture) {
    this.#waiting.push(picture);
    // What is kept is what is sent, so that a repetition is the same.
    picture.ready ??= fit(picture.blob).then((blob) => (picture.blob = blob));
    try {
      await picture.ready;
      await this.#keep(picture);
    } catch {
      // The sending tells of it.
    }
    this.#go();
  }

  async #keep(picture) {
    const { temporaryID, blob, at, place, isPosted, name, session } = picture;
    if (this.#isKept && this.#waiting.includes(picture)) await shelf("readwrite", (store) => store.put({ temporaryID, blob, at, place, isPosted, name, session: session ?? "" }));
  }

  #forget(picture) {
    this.#waiting = this.#waiting.filter((one) => one !== picture);
    if (this.#isKept) shelf("readwrite", (store) => store.delete(picture.temporaryID));
  }

  async #go() {
    clearTimeout(this.#timer);
    if (this.#isSending) return;
    this.#isSending = true;
    try {
      while (this.#session && this.#waiting.length) await this.#post(this.#waiting[0], this.#session);
      this.#failures = 0;
    } catch {
      // Not now; nothing is known of the outcome, and the same id is the same picture.
      if (this.#session) this.#timer = setTimeout(() => this.#go(), patience(this.#failures++));
    } finally {
      this.#isSending = false;
    }
  }

  async #post(picture, session) {
    const report = { message: picture, temporaryID: picture.temporaryID };
    try {
      await picture.ready;
      if (!picture.isPosted) {
        picture.isPosted = true;
        await this.#keep(picture);
      }
      const sent = await this.#api.upload(`/v1/sessions/${session}/pictures`, picture.blob, { key: picture.temporaryID });
      this.#forget(picture);
      // What the centre has is as old as there.
      picture.at = now();
      this.#handlers.onReport({ ...report, messageID: sent.message, state: "taken" });
    } catch (error) {
      const isFinal = error instanceof NoPicture || (error.status >= 400 && error.status < 500 && ![401, 408, 429].includes(error.status));
      if (!isFinal) throw error;
      this.#forget(picture);
      picture.isPosted = false;
      this.#handlers.onReport({ ...report, state: "failed", error: error.message });
    }
  }
}

class NoPicture extends Error {
  constructor() {
    super(t("chat.picture.none"));
  }
}

/**
 * The file as it is, or a picture made of it where the gateway would not take the file.
 * @param {Blob} file
 * @returns {Promise<Blob>} Throws, in words, where the file is no picture.
 */
export async function fit(file) {
  if (types.includes(file.type) && file.size <= bytesMost) return file;
  let picture;
  try {
    picture = await createImageBitmap(file);
  } catch {
    throw new NoPicture();
  }
  const scale = Math.min(1, sideMost / Math.max(picture.width, picture.height));
  const canvas = Object.assign(document.createElement("canvas"), { width: Math.round(picture.width * scale), height: Math.round(picture.height * scale) });
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new NoPicture())), "image/jpeg", 0.85));
}

/** Names under which pictures wait on this device. @returns {Promise<string[]>} */
export async function pictureNames() {
  return [...new Set(((await shelf("readonly", (store) => store.getAll())) ?? []).map((picture) => picture.name))];
}

/** @param {(picture: object) => boolean} isOver Which of those that wait on this device. @returns {Promise<object[]>} Those that were forgotten. */
export async function forgetPictures(isOver) {
  const gone = ((await shelf("readonly", (store) => store.getAll())) ?? []).filter(isOver);
  for (const { temporaryID } of gone) await shelf("readwrite", (store) => store.delete(temporaryID));
  return gone;
}

/**
 * One step on the device's store of pictures.
 * @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore) => IDBRequest} step
 * @returns {Promise<any>} `undefined` where the browser keeps nothing: then a reload loses what was not sent.
 */
function shelf(mode, step) {
  return new Promise((resolve) => {
    const opening = openShelf();
    if (!opening) return resolve(undefined);
    opening.onupgradeneeded = () => opening.result.createObjectStore("waiting", { keyPath: "temporaryID" });
    opening.onerror = () => resolve(undefined);
    opening.onsuccess = () => {
      const base = opening.result;
      const transaction = base.transaction("waiting", mode);
      const request = step(transaction.objectStore("waiting"));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => resolve(undefined);
      transaction.addEventListener("complete", () => base.close());
      transaction.addEventListener("abort", () => base.close());
    };
  });
}

/** @returns {IDBOpenDBRequest | null} Nothing where pages may not use it: some browsers refuse at once. */
function openShelf() {
  try {
    return indexedDB.open("pictures", 1);
  } catch {
    return null;
  }
}
