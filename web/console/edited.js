// SPDX-License-Identifier: Apache-2.0

/**
 * What an operator writes of facts that colleagues may write, too, beside what the ledger says of them meanwhile.
 *
 * What is written is written upon what was shown at the first touch, and is sent for that revision alone. What was not touched goes on following the ledger. Where the incident
 * moved on by something else, the same facts stand at a newer revision, and what is written is written upon that.
 *
 * @typedef {Record<string, string>} Values
 * @typedef {{incident: string, tag: string | null, values: Values}} Shown What the ledger says, and at which revision of the incident.
 */
export class Edited {
  /** @type {Shown | null} */
  #shown = null;
  /** Upon what is written; nothing where nothing is. @type {Shown | null} */
  #base = null;
  /** @type {Values} */
  #written = {};

  /** Hears what the ledger says. A reading that began before the one that is shown may come behind it, and is left out. @param {Shown} shown */
  follow(shown) {
    if (isOlder(shown, this.#shown)) return;
    this.#shown = shown;
    if (this.#base && isSame(this.#base.values, shown.values)) this.#base = shown;
  }

  /** Hears what is in a field. */
  touch(name, value) {
    if (!this.#shown) return;
    if (value === this.#shown.values[name]) delete this.#written[name];
    else this.#written[name] = value;
    if (Object.keys(this.#written).length === 0) this.#base = null;
    else this.#base ??= this.#shown;
  }

  /** What the form has: what was written, and of the rest what the ledger says. @returns {Values} */
  get values() {
    return { ...this.#shown?.values, ...this.#written };
  }

  /** Upon what is written, and with it for which revision. @returns {Shown | null} Nothing before the ledger was read. */
  get basis() {
    return this.#base ?? this.#shown;
  }

  /** Whether something is written that does not stand in the ledger. */
  get isWritten() {
    return this.#base !== null;
  }

  /** What a colleague said since the first touch. @returns {Values | null} Nothing where it is what stood there, or what is written here. */
  get news() {
    if (!this.#base || isSame(this.#shown.values, this.#base.values) || isSame(this.#shown.values, this.values)) return null;
    return this.#shown.values;
  }

  /** The colleague's word is known, and what is written holds all the same. */
  keep() {
    if (this.#base) this.#base = this.#shown;
  }

  /** What is written is given up for what the ledger says. */
  drop() {
    [this.#base, this.#written] = [null, {}];
  }

  /** What was sent stands in the ledger; what was written since is written upon it. @param {Shown} sent */
  saved(sent) {
    const [shown, written] = [this.#shown, this.#written];
    this.drop();
    this.#shown = sent;
    for (const [name, value] of Object.entries(written)) this.touch(name, value);
    // A reading of later than that may be here already.
    this.follow(shown);
  }
}

/** Whether something was shown of an incident before something else; what has no revision has no place in time. @param {Shown} one @param {Shown | null} other */
function isOlder(one, other) {
  return one.incident === other?.incident && one.tag !== null && other.tag !== null && revisionOf(one.tag) < revisionOf(other.tag);
}

/** A tag is a revision in quotes, and a revision may be larger than what numbers hold. */
const revisionOf = (tag) => BigInt(tag.slice(1, -1));

function isSame(one, other) {
  return [...Object.keys(one), ...Object.keys(other)].every((name) => one[name] === other[name]);
}
