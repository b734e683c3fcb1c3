// SPDX-License-Identifier: Apache-2.0

/** So long an answer may take, in milliseconds, until a page says that there is none. A program that drives the page sets more on a slow machine, and less where it waits for those words. */
export const answerMost = () => globalThis.daybookAnswerMilliseconds ?? 8000;

/**
 * How long to wait before trying again: twice as long each time, up to `most`, and never all devices at once.
 * @param {number} failures In a row, from 0.
 * @returns {number} Milliseconds.
 */
export function patience(failures, { first = 300, most = 8000 } = {}) {
  return Math.min(most, first * 2 ** Math.min(failures, 20)) * (0.5 + Math.random() / 2);
}

/**
 * Calls back whenever waiting longer makes no sense: the network is back, the page is looked at again, the device woke up.
 * @param {() => void} onWake
 * @param {AbortSignal} signal Ends it.
 */
export function whenAwake(onWake, signal) {
  const ifSeen = () => document.visibilityState === "visible" && onWake();
  addEventListener("online", onWake, { signal });
  addEventListener("pageshow", onWake, { signal });
  document.addEventListener("resume", onWake, { signal });
  document.addEventListener("visibilitychange", ifSeen, { signal });
}
