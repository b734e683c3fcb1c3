// SPDX-License-Identifier: Apache-2.0

/** So long a page that was just loaded again waits for the page before it to let go of a stream. */
const claimMilliseconds = 3000;

/**
 * Video of one stream that is not archived yet, kept in the browser's database, so that it outlives a crash of the page: each piece is written
 * when it was encoded, and forgotten when the gateway has it safe. Without a database the video is only in memory, as before.
 *
 * A stream belongs to one tab at a time: who sends it, and what is kept of it, is claimed by a lock that ends with the page.
 */
export class KeptVideo {
  #stream;
  #opening;
  #release = () => {};

  /**
   * @param {string} stream
   * @param {{isOnDevice?: boolean}} [options] Whether the video may outlive this page: on a phone that was only borrowed it may not.
   */
  constructor(stream, { isOnDevice = true } = {}) {
    this.#stream = stream;
    this.#opening = isOnDevice ? open().catch(() => null) : Promise.resolve(null);
  }

  /** Makes the stream this tab's, until `release`. @returns {Promise<boolean>} No where another tab has it. */
  claim() {
    if (!navigator.locks) return Promise.resolve(true);
    const ending = new AbortController();
    const timer = setTimeout(() => ending.abort(), claimMilliseconds);
    return new Promise((resolve) => {
      const held = () => {
        clearTimeout(timer);
        resolve(true);
        return new Promise((release) => (this.#release = release));
      };
      navigator.locks.request(lockName(this.#stream), { signal: ending.signal }, held).catch(() => resolve(false));
    });
  }

  release() {
    this.#release();
  }

  /**
   * Forgets streams of which nobody knows any more: no tab has them, and they are not among those noted.
   * @param {() => string[]} noted
   */
  static async forgetOthers(noted) {
    try {
      const database = await open();
      const keys = await answer(database.transaction("pieces").objectStore("pieces").getAllKeys());
      const others = new Set(keys.map(([stream]) => stream));
      for (const stream of others) {
        await navigator.locks?.request(lockName(stream), { ifAvailable: true }, (lock) => {
          if (lock && !noted().includes(stream)) change(database, (pieces) => pieces.delete(all(stream)));
        });
      }
      database.close();
    } catch {
      // Where there is no database, nothing was kept.
    }
  }

  /**
   * What a page that is gone left behind.
   * @returns {Promise<{number: number, startedAt: number, pieces: {offset: number, bytes: Uint8Array, at: number}[]}[]>} Parts, oldest first.
   */
  async read() {
    const database = await this.#opening;
    if (!database) return [];
    const rows = await answer(database.transaction("pieces").objectStore("pieces").getAll(all(this.#stream))).catch(() => []);
    const parts = new Map();
    for (const { part, offset, startedAt, at, bytes } of rows) {
      if (!parts.has(part)) parts.set(part, { number: part, startedAt, pieces: [] });
      parts.get(part).pieces.push({ offset, bytes, at });
    }
    return [...parts.values()];
  }

  add(part, piece) {
    const row = { stream: this.#stream, part: part.number, startedAt: part.startedAt, offset: piece.offset, at: piece.at, bytes: piece.bytes };
    this.#use((pieces) => pieces.put(row));
  }

  /** The gateway has these pieces of a part, the oldest ones, or they are let go. */
  forget(part, gone) {
    if (gone.length === 0) return;
    const key = (piece) => [this.#stream, part.number, piece.offset];
    this.#use((pieces) => pieces.delete(IDBKeyRange.bound(key(gone[0]), key(gone.at(-1)))));
  }

  /** The stream is over. */
  clear() {
    this.#use((pieces) => pieces.delete(all(this.#stream)));
  }

  async #use(action) {
    const database = await this.#opening;
    if (database) change(database, action);
  }
}

function lockName(stream) {
  return `video/${stream}`;
}

/** The keys of a stream. */
function all(stream) {
  return IDBKeyRange.bound([stream], [stream, []]);
}

function answer(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Some browsers refuse at once. */
async function open() {
  const request = indexedDB.open("kept-video", 1);
  request.onupgradeneeded = () => request.result.createObjectStore("pieces", { keyPath: ["stream", "part", "offset"] });
  return answer(request);
}

/** A transaction of its own for each piece: what is committed, the browser has, whatever becomes of the page. */
function change(database, action) {
  try {
    const transaction = database.transaction("pieces", "readwrite", { durability: "relaxed" });
    transaction.onerror = (event) => event.preventDefault();
    action(transaction.objectStore("pieces"));
    transaction.commit();
  } catch {
    // A full disk or a closed database: the video is still in memory.
  }
}
