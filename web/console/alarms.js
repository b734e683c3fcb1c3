// SPDX-License-Identifier: Apache-2.0

/** How long after a sound the same class sounds again while it is not answered, in seconds. */
const againSeconds = { caller: 15, message: 20 };
/** So long a new message may be on its way onto the screen before it counts as not seen. */
const graceSeconds = 1.5;

/**
 * What is to sound now: a class sounds when something new of it waits, and again until nothing of it waits any more. Knows no clock: every call says when it is.
 *
 * - `caller`: callers who wait for this operator.
 * - `message`: messages of one's own callers that were on no screen.
 */
export class Alarms {
  #known = { caller: null, message: null };
  #soundedAt = { caller: -Infinity, message: -Infinity };
  #unreadSince = null;

  /**
   * @param {{callers: string[], messages: string[]}} waiting Of each class, what waits: each by a name that stays the same.
   * @param {number} at Seconds.
   * @returns {("caller" | "message")[]} What sounds now, the more urgent first.
   */
  look({ callers, messages }, at) {
    this.#unreadSince = messages.length === 0 ? null : (this.#unreadSince ?? at);
    const settled = this.#unreadSince !== null && at - this.#unreadSince >= graceSeconds ? messages : [];
    return [["caller", callers], ["message", settled]].filter(([kind, names]) => this.#isDue(kind, names, at)).map(([kind]) => kind);
  }

  #isDue(kind, names, at) {
    const known = this.#known[kind];
    this.#known[kind] = new Set(names);
    if (names.length === 0) return false;
    // What stood there when the page came is told by the repetition alone.
    const isNew = known !== null && names.some((name) => !known.has(name));
    if (!isNew && at - this.#soundedAt[kind] < againSeconds[kind]) return false;
    this.#soundedAt[kind] = at;
    return true;
  }
}

/**
 * The page's title: how many wait, and how many messages nobody has read.
 * @param {number} callers
 * @param {number} unread
 */
export function titleOf(callers, unread) {
  return callers + unread === 0 ? "Daybook console" : `(${callers + unread}) ${unread === 0 ? "" : `${unread} unread · `}Daybook console`;
}
