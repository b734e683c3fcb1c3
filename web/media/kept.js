// SPDX-License-Identifier: Apache-2.0

/**
 * Video of one stream that is not archived yet, kept in the browser's database, so that it outlives a crash of the page: each piece is written
 * when it was encoded, and forgotten when the gateway has it safe. Without a database the video is only in memory, as before.
 */
export class KeptVideo {
  #stream;
  #opening;

  /** @param {string} stream What others left behind is forgotten. */
  constructor(stream) {
    this.#stream = stream;
    this.#opening = open().catch(() => null);
    this.#use((pieces) => {
      pieces.delete(IDBKeyRange.upperBound([stream], true));
      pieces.delete(IDBKeyRange.lowerBound([stream, []], true));
    });
  }

  /** Forgets everything that was kept. */
  static async forgetAll() {
    try {
      const database = await open();
      change(database, (pieces) => pieces.clear());
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
    const request = database.transaction("pieces").objectStore("pieces").getAll(IDBKeyRange.bound([this.#stream], [this.#stream, []]));
    const rows = await new Promise((resolve) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => resolve([]);
    });
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
    this.#use((pieces) => pieces.delete(IDBKeyRange.bound([this.#stream], [this.#stream, []])));
  }

  async #use(action) {
    const database = await this.#opening;
    if (database) change(database, action);
  }
}

function open() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open("kept-video", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("pieces", { keyPath: ["stream", "part", "offset"] });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
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
