// SPDX-License-Identifier: Apache-2.0
import { keep } from "./keep.js";

const store = "cleared";

/** What the caller cleared from the view of one contact on this device. The ledger, and so the centre, has all of it. */
export const cleared = {
  /** @param {string} session @param {{messages: string[], notes: string[]}} gone Ids of messages, keys of notes. */
  add(session, { messages, notes }) {
    const before = of(session);
    keep.set(store, JSON.stringify({ session, messages: [...before.messages, ...messages], notes: [...before.notes, ...notes] }));
  },

  /** Whether anything of it was. @param {string} session */
  isAny(session) {
    return of(session).messages.length > 0;
  },

  /** @template {{id: string}} Message @param {string} session @param {Message[]} messages @returns {Message[]} Those that are still to be seen. */
  messagesLeft(session, messages) {
    const gone = new Set(of(session).messages);
    return messages.filter(({ id }) => !gone.has(id));
  },

  /** @template {{key: string}} Note @param {string} session @param {Note[]} notes @returns {Note[]} Those that are still to be seen. */
  notesLeft(session, notes) {
    const gone = new Set(of(session).notes);
    return notes.filter(({ key }) => !gone.has(key));
  },
};

function of(session) {
  const kept = keep.value(store);
  return kept?.session === session ? kept : { messages: [], notes: [] };
}
