// SPDX-License-Identifier: Apache-2.0

/**
 * An event as folds and sentences read it.
 * @typedef {{
 *   position: number, revision: string, id: string, kind: string, category: string, subject: string, actor: string, time: string, at: number,
 *   occurredAt?: string, skewMilliseconds?: number, file?: object, isEarlier?: true, says: Record<string, string>, sealed?: string[], erased?: string[],
 * }} ModelEvent `kind` without its version; `category` and `subject` are the two halves of the subject; `at` is `time` in milliseconds;
 *   `says` are the parts of what it says, `sealed` the names of those that the ledger has sealed, and `erased` of those that cannot be read any more.
 */

/**
 * Reads an entry as `GET /v1/incidents/{id}/timeline` gives it.
 * @param {any} entry
 * @returns {ModelEvent}
 */
export function eventOf(entry) {
  const slash = entry.subject.indexOf("/");
  const says = {};
  let sealed, erased;
  for (const { name, value, isSealed } of entry.summary) {
    if (isSealed) (sealed ??= []).push(name);
    if (value === undefined || value === null) (erased ??= []).push(name);
    else says[name] = value;
  }
  const event = {
    position: Number(entry.position), revision: entry.revision, id: entry.id, kind: withoutVersion(entry.type),
    category: entry.subject.slice(0, slash), subject: entry.subject.slice(slash + 1),
    actor: entry.actor, time: entry.time, at: Date.parse(entry.time), says,
  };
  if (entry.occurredAt) Object.assign(event, { occurredAt: entry.occurredAt, skewMilliseconds: entry.skewMilliseconds });
  if (entry.file) event.file = entry.file;
  if (entry.isEarlier) event.isEarlier = true;
  if (sealed) event.sealed = sealed;
  if (erased) event.erased = erased;
  return event;
}

const kinds = new Map();

/** `chat.message_sent` of `chat.message_sent/1`; one text for all events of a kind. */
function withoutVersion(type) {
  let kind = kinds.get(type);
  if (kind === undefined) kinds.set(type, (kind = type.split("/")[0]));
  return kind;
}

/** A part that is JSON: a place, a number. @returns {any} `undefined` where there is none, or none that can be read. */
export function read(text) {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
