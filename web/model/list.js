// SPDX-License-Identifier: Apache-2.0

/** How many items a page of a list holds, as a power of two. */
const bits = 8;
const width = 1 << bits;
const mask = width - 1;

/**
 * A list that never changes: `push` and `with` give another one, which shares all pages but one with this.
 *
 * So an earlier state of a fold may be kept for the price of what has changed since.
 * @template T
 */
export class List {
  #pages;

  /** @param {T[][]} pages @param {number} length */
  constructor(pages = [], length = 0) {
    this.#pages = pages;
    this.length = length;
  }

  /** @returns {T | undefined} Counted from the end where negative. */
  at(index) {
    const place = index < 0 ? this.length + index : index;
    return this.#pages[place >> bits]?.[place & mask];
  }

  /** @returns {List<T>} */
  push(item) {
    const pages = this.#pages.slice();
    const number = this.length >> bits;
    pages[number] = [...(pages[number] ?? []), item];
    return new List(pages, this.length + 1);
  }

  /** @returns {List<T>} The same with another item at a place. */
  with(index, item) {
    const pages = this.#pages.slice();
    pages[index >> bits] = pages[index >> bits].slice();
    pages[index >> bits][index & mask] = item;
    return new List(pages, this.length);
  }

  /** @returns {List<T>} The same with what `change` makes of the items from a place up to, and without, another; `change` gives an item back where it stays. */
  map(from, to, change) {
    let pages = null;
    for (let index = from; index < to; index++) {
      const before = this.at(index);
      const after = change(before);
      if (after === before) continue;
      pages ??= this.#pages.slice();
      const number = index >> bits;
      if (pages[number] === this.#pages[number]) pages[number] = pages[number].slice();
      pages[number][index & mask] = after;
    }
    return pages ? new List(pages, this.length) : this;
  }

  /** @returns {T[]} As of an array; `from` counts from the end where negative. */
  slice(from = 0, to = this.length) {
    const items = [];
    for (let index = Math.max(0, from < 0 ? this.length + from : from); index < Math.min(to, this.length); index++) items.push(this.at(index));
    return items;
  }

  *[Symbol.iterator]() {
    for (let index = 0; index < this.length; index++) yield this.at(index);
  }

  /** The place of the last item for which something holds, where it holds for a beginning of the list and nothing behind; −1 without one. */
  lastWhere(holds) {
    let [low, high] = [0, this.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (holds(this.at(middle))) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

/** The list without items. */
export const none = new List();
