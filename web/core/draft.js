// SPDX-License-Identifier: Apache-2.0

/** Behind the name under which the unsent messages beside it are kept. */
const mark = "~draft";

/**
 * Keeps what is half written in a field until it was sent: a look elsewhere, or a reload, does not lose it.
 * @param {HTMLTextAreaElement} field
 * @param {import("./storage.js").Kept} storage
 * @param {string} store Under what name the unsent messages beside it are kept.
 * @returns {() => void} Empties the field: it was sent.
 */
export function keepDraft(field, storage, store) {
  field.value = storage.getItem(store + mark) ?? "";
  field.addEventListener("input", () => {
    if (field.value) storage.setItem(store + mark, field.value);
    else forgetDraft(storage, store);
  });
  return () => {
    field.value = "";
    forgetDraft(storage, store);
  };
}

/** Forgets what is half written under a name. */
export function forgetDraft(storage, store) {
  storage.removeItem(store + mark);
}

/** Under which names something is half written. @returns {string[]} */
export function draftsIn(storage) {
  return storage.names.filter((name) => name.endsWith(mark)).map((name) => name.slice(0, -mark.length));
}
