// SPDX-License-Identifier: Apache-2.0
import { keep } from "./keep.js";

const store = "draft";

/** What was written and not sent yet, of one contact: it outlasts a look elsewhere, and the page. */
export const draft = {
  /** @param {string | null} session @returns {string} */
  of(session) {
    const kept = keep.value(store);
    return kept && kept.session === session ? kept.text : "";
  },

  put(session, text) {
    if (text) keep.set(store, JSON.stringify({ session, text }));
    else keep.remove(store);
  },

  forget() {
    keep.remove(store);
  },
};
