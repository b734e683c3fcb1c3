// SPDX-License-Identifier: Apache-2.0
import { newID } from "../core/ids.js";
import { ofTab } from "../core/storage.js";
import { keep } from "./keep.js";

const store = "entered";

/**
 * The one key under which a code is sent. Its answer may be lost: the same code entered again is the same command, so that a code is not used up by a
 * phone that never heard of it. The tab keeps the key, also over a reload.
 */
export const entered = {
  /** @param {object} what Code and what it is for. @returns {string} The key, the same for the same. */
  key(what) {
    const text = JSON.stringify(what);
    const known = keep.value(store, ofTab);
    if (known?.text === text) return known.key;
    const key = newID();
    ofTab.setItem(store, JSON.stringify({ text, key }));
    return key;
  },

  /** It is known what became of it. */
  forget() {
    ofTab.removeItem(store);
  },

  /** Forgets it where a fault says what became of it: whoever was not reached, or was busy, may have it or not. */
  failed({ status }) {
    if (status !== undefined && status < 500 && status !== 429) entered.forget();
  },
};
