// SPDX-License-Identifier: Apache-2.0
import { t } from "./i18n.js";

/** What the gateway takes, in bytes of UTF-8, in which a letter is one to four; a test holds these numbers against the gateway's. */
export const limits = {
  messageBytes: 8192,
  noteBytes: 4096,
};

/**
 * What to say of a text that the gateway would refuse for its length.
 * @param {string} text
 * @param {number} bytesMax
 * @returns {string} Empty where it fits.
 */
export function tooLong(text, bytesMax) {
  const { length } = new TextEncoder().encode(text);
  if (length <= bytesMax) return "";
  return t("chat.too-long", { percent: Math.ceil((100 * (length - bytesMax)) / length) });
}
