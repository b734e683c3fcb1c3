// SPDX-License-Identifier: Apache-2.0
import { now } from "../../../core/time.js";

/** The centre's own clock decides when a step or a shift ends: so much later it has. */
const pauseMilliseconds = 1000;
/** What could not be read is tried again so much later. */
const againMilliseconds = 5000;

/**
 * Keeps something as the centre has it: reads it when something changes, and when what is shown becomes old by itself. What cannot be read stays as it was: that the centre is not
 * reached stands at the top of the page.
 * @param {import("../page.js").Desk} desk
 * @param {() => Promise<any>} read What is there; a reading that comes later than a newer one is not shown.
 * @param {(found: any) => number} show Answers when that becomes old, in milliseconds.
 * @returns {() => Promise<void>} Reads now, and throws where that fails.
 */
export function kept({ changes }, read, show) {
  let [dueAt, asked, shown, isRefused] = [Infinity, 0, 0, false];
  const again = async () => {
    const mine = ++asked;
    dueAt = now() + againMilliseconds;
    try {
      const found = await read();
      if (mine < shown) return;
      shown = mine;
      dueAt = show(found) + pauseMilliseconds;
    } catch (error) {
      // What is not for this role will not be in a moment either.
      isRefused = error.status === 403;
      throw error;
    }
  };
  const look = () => isRefused || again().catch(() => {
    // It is tried again by itself.
  });
  changes.addEventListener("change", look);
  changes.addEventListener("second", () => now() >= dueAt && look());
  return again;
}
