// SPDX-License-Identifier: Apache-2.0

/** A text without half characters, which no frame carries: each is shown as what it is, unreadable. */
export function wellFormed(text) {
  return text.toWellFormed?.() ?? text.replace(/[\uD800-\uDBFF][\uDC00-\uDFFF]|[\uD800-\uDFFF]/g, (found) => (found.length === 2 ? found : "\uFFFD"));
}

/** A text as a file is named: small letters, digits and hyphens; empty where none of it can be written so. @param {string} text */
export const fileWord = (text) => text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "").replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "");
