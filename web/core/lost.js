// SPDX-License-Identifier: Apache-2.0

/**
 * What is given up of what somebody wrote: how many messages and pictures, and how many of them were posted without an answer, of which nobody knows here
 * whether they arrived.
 *
 * @typedef {{count: number, posted: number}} Lost
 */

/** @param {{isPosted?: boolean}[]} messages @returns {Lost} */
export function lost(messages) {
  return { count: messages.length, posted: messages.filter((message) => message.isPosted).length };
}

/** @param {Lost[]} parts @returns {Lost} */
export function allLost(parts) {
  return parts.reduce((all, part) => ({ count: all.count + part.count, posted: all.posted + part.posted }), { count: 0, posted: 0 });
}

/** What was given up, in words. @param {Lost} lost @param {string} whose As "of your last contact". */
export function lostWords({ count, posted }, whose) {
  const named = (number) => `${number} ${number === 1 ? "message" : "messages"}`;
  const unsent = count - posted;
  if (unsent === 0) return `${named(posted)} ${whose} may not have arrived.`;
  return `${named(unsent)} ${whose} ${unsent === 1 ? "was" : "were"} not sent${posted ? `, and ${posted} more may not have arrived` : ""}.`;
}
