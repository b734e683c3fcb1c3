// SPDX-License-Identifier: Apache-2.0
import { t } from "./i18n.js";

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
  const unsent = count - posted;
  if (unsent === 0) return t("lost.posted", { count: posted, whose });
  return t(posted ? "lost.both" : "lost.unsent", { count: unsent, posted, whose });
}
