// SPDX-License-Identifier: Apache-2.0
import { keep } from "./keep.js";

const key = "streams";

/**
 * Streams of this device that are not over, noted so that they go on, or come to their end, after a reload.
 *
 * @typedef {{session: string, stream: string, facing: string, settings: object, reason?: string}} Note
 *   With a reason the caller has stopped it, and what is kept of it is still to be sent.
 */
export const streamNotes = {
  /** @returns {Note[]} */
  get all() {
    return keep.value(key) ?? [];
  },

  /** @param {Note} note Takes the place of an earlier one of its stream; the stream that began first stays the first. */
  put(note) {
    const { all } = streamNotes;
    const place = all.findIndex((one) => one.stream === note.stream);
    all.splice(place < 0 ? all.length : place, 1, note);
    keep.set(key, JSON.stringify(all));
  },

  remove(stream) {
    const left = streamNotes.all.filter((one) => one.stream !== stream);
    if (left.length) keep.set(key, JSON.stringify(left));
    else keep.remove(key);
  },
};
