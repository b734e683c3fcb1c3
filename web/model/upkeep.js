// SPDX-License-Identifier: Apache-2.0
/**
 * What an administrator looks after, as the gateway tells it: how each part stands, and what an erasure would reach.
 *
 * @typedef {{name: string, isWell: boolean, reached: number | null, behind: number | null, isServing: boolean | null, version: number | null, failures: number, words: string | null}} ModelRow
 */

/**
 * The read models, those that need somebody first.
 * @param {any} readiness Of `/readyz`.
 * @returns {ModelRow[]}
 */
export function modelRows({ events, readModels }) {
  const rows = readModels.map((one) => ({
    name: one.name, isWell: one.isWell, version: one.version ?? null, isServing: one.isServing ?? null, failures: one.failures ?? 0, words: one.failure ?? null,
    reached: one.reached ?? null, behind: one.reached === undefined ? null : Math.max(0, events - one.reached),
  }));
  return rows.sort((one, other) => Number(one.isWell) - Number(other.isWell) || (one.name < other.name ? -1 : 1));
}

/**
 * What is not well, each with who it is and why; nothing where all is.
 * @param {any} readiness
 * @returns {{kind: "log" | "clock" | "model" | "service", name: string, words: string | null, isNeeded: boolean}[]}
 */
export function faults({ log, clock, readModels, services }) {
  const found = [];
  if (!log.isWell) found.push({ kind: "log", name: "log", words: log.fault ?? null, isNeeded: true });
  if (!clock.isFollowed) found.push({ kind: "clock", name: "clock", words: clock.fault ?? clock.detail ?? null, isNeeded: false });
  for (const { name, isWell, failure } of readModels) if (!isWell) found.push({ kind: "model", name, words: failure ?? null, isNeeded: true });
  for (const { name, isWell, fault, isNeeded } of services) if (!isWell) found.push({ kind: "service", name, words: fault ?? null, isNeeded });
  return found;
}

/** What an erasure takes, in the order in which it is told: only what is there, and nothing once it is done. @param {any} person Of `/v1/persons/{id}`. @returns {{what: string, count: number}[]} */
export function reachOf(person) {
  if (person.isErased) return [];
  const counted = ["sessions", "messages", "pictures", "recordings", "phones"].map((what) => ({ what, count: person[what] }));
  return [...counted, { what: "accounts", count: person.accounts.length }].filter(({ count }) => count > 0);
}

/** What forbids an erasure now. @returns {"erased" | "held" | "open" | "own" | null} */
export function obstacle(person, me) {
  if (person.isErased) return "erased";
  if (person.heldBy) return "held";
  if (person.openSession) return "open";
  return person.accounts.some(({ id }) => id === me.user) ? "own" : null;
}

/** Who a hold is on, in two parts. @param {string} scope `person/…` @returns {{kind: string, id: string}} */
export function scopeOf(scope) {
  const at = scope.indexOf("/");
  return { kind: scope.slice(0, at), id: scope.slice(at + 1) };
}
