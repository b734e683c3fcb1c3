// SPDX-License-Identifier: Apache-2.0
import { t } from "./i18n.js";

/**
 * What the gateway takes and allows; a test holds each number against the gateway's. A text's bytes are of UTF-8, in which a letter is one to four. A page that is there before its
 * modules writes a number itself, beside its name here (`data-limit`).
 */
export const limits = {
  messageBytes: 8192,
  noteBytes: 4096,
  addressBytes: 4096,
  /** A short word, such as what an incident is. */
  wordBytes: 128,
  loginCharacters: 64,
  passwordCharactersLeast: 12,
  /** A code as it is typed, with what people write between its signs. */
  codeBytes: 128,
  /** So long somebody of the centre may do nothing before they are signed out. */
  idleSeconds: 300,
  /** So often each live topic's position is told, at least. */
  topicMilliseconds: 6000,
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
