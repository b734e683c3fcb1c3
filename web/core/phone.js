// SPDX-License-Identifier: Apache-2.0

/** What to say of a number that cannot be told which country it is in. */
export const phoneFault = "Write the number with its country code, such as +44 7712 345678.";

/**
 * The digits of a telephone number as people write it, from the country code on: `+44 (0)7712 345678` and `0044 7712 345678` are `447712345678`. What is
 * still being written is read the same way.
 */
export function phoneDigits(text) {
  const digits = text.replace(/\(\s*0\s*\)/g, "").replace(/\D/g, "");
  // No country code begins with 0: two of them stand for the plus.
  return digits.replace(/^00/, "");
}

/** A whole number as the gateway takes it, `+447712345678`; `null` where it is none, or has no country code. */
export function phoneOf(text) {
  const digits = phoneDigits(text);
  return /^[1-9]\d{6,14}$/.test(digits) ? `+${digits}` : null;
}
