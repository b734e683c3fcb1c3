// SPDX-License-Identifier: Apache-2.0
import { Unreachable } from "./api.js";
import { t } from "./i18n.js";
import { site } from "./site.js";

/** @typedef {import("./site.js").Dialling} Dialling */

/** The calling codes of one and two digits (ITU-T E.164); every other has three. */
const shortCodes = new Set("1 7 20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 81 82 84 86 90 91 92 93 94 95 98".split(" "));

/** Italy, San Marino and the Vatican: their zero belongs to the number. */
const zeroStays = /^(39|378|379)/;

/** How numbers behind some codes are grouped when they are written; where nothing stands, by three and four. */
const groups = { 1: [3, 3, 4], 7: [3, 3, 2, 2], 33: [1, 2, 2, 2, 2], 44: [4, 6], 45: [2, 2, 2, 2], 47: [3, 2, 3] };

/** What to say of a number that cannot be told which country it is in. */
export const phoneFault = () => (site.dialling?.trunkPrefix ? t("phone.fault.trunk", { trunk: site.dialling.trunkPrefix }) : t("phone.fault"));

/**
 * The digits of a telephone number as people write it, from the country code on. In Britain `07712 345678`, `+44 (0)7712 345678` and `0044 7712 345678` are
 * all `447712345678`. What is still being written is read the same way, and so does the gateway read
 * by what somebody is looked for: `fixtures/phones` holds both to it.
 * @param {string} text
 * @param {Dialling | null} [dialling] The site's.
 */
export function phoneDigits(text, dialling = site.dialling) {
  return read(text, dialling).digits;
}

/**
 * A whole number as the gateway reads it, by its numbering plans; without a network, what is certain without them.
 * @param {import("./api.js").API} api
 * @param {string} text
 * @returns {Promise<{number: string, extension: string, isUnknown: boolean}>} An extension is dialled by whoever calls, once somebody answers. `isUnknown` where the numbering plan has no such
 *   number, which may be mistyped, or newer than the plan.
 */
export async function readPhone(api, text) {
  try {
    const { number, extension = "", isUnknown = false } = await api.get(`/v1/phone?text=${encodeURIComponent(text)}`, { isLevel: false });
    return { number, extension, isUnknown };
  } catch (error) {
    const number = error instanceof Unreachable ? phoneOf(text) : null;
    if (number) return { number, extension: "", isUnknown: false };
    throw error instanceof Unreachable ? new Error(phoneFault()) : inWords(error);
  }
}

/** The same, where nobody could dial an extension. @param {import("./api.js").API} api @param {string} text @returns {Promise<string>} */
export async function readPhoneAlone(api, text) {
  const { number, extension } = await readPhone(api, text);
  if (extension) throw new Error(t("phone.fault.extension", { extension }));
  return number;
}

/** Why the gateway took it for no number, and what to write. */
function inWords(error) {
  const reason = error.members?.reason;
  if (!reason) return error;
  return new Error(reason === "country" ? phoneFault() : t(`phone.fault.${reason}`));
}

/**
 * A whole number as far as it is certain without the numbering plans, `+447712345678`: for showing at once what the gateway will read, and without a network.
 * @param {string} text
 * @param {Dialling | null} [dialling] The site's; without it a number needs its country code.
 * @returns {string | null} `null` where it is none, or could be of several countries.
 */
export function phoneOf(text, dialling = site.dialling) {
  const { digits, isClear } = read(text, dialling);
  if (/[\p{L};,#~]/u.test(text) || !isClear || !/^[1-9]\d{6,14}$/.test(digits)) return null;
  const isOfSite = dialling && digits.startsWith(dialling.callingCode);
  const count = digits.length - (isOfSite ? dialling.callingCode.length : 0);
  // Without a trunk prefix nothing tells that the area code is left out but how few digits there are.
  const isShort = isOfSite && !dialling.trunkPrefix && count < dialling.digitsMost - 2;
  return isOfSite && (isShort || count > dialling.digitsMost) ? null : `+${digits}`;
}

/** As people read it: `+44 7712 345678`. What is no number stays as it is. @param {string} number */
export function phoneText(number) {
  const digits = /^\+([1-9]\d{6,14})$/.exec(number)?.[1];
  if (!digits) return number;
  const code = digits.slice(0, [1, 2].find((length) => shortCodes.has(digits.slice(0, length))) ?? 3);
  return [`+${code}`, ...grouped(digits.slice(code.length), groups[code])].join(" ");
}

/** @returns {{digits: string, isClear: boolean}} Clear where it is told of which country it is. */
function read(text, dialling) {
  const hasPlus = /^[\s(]*\+/.test(text);
  const digits = text.replace(/\D/g, "");
  if (!digits) return { digits, isClear: false };
  const prefix = hasPlus ? "" : abroad(digits, dialling);
  if (hasPlus || prefix || !dialling) {
    // Behind the country code `(0)` says what is dialled at home; in Italy it is dialled from abroad, too.
    const isKept = zeroStays.test(digits.slice(prefix.length).replace(/^00/, ""));
    const whole = (isKept ? digits : text.replace(/\(\s*0\s*\)/g, "").replace(/\D/g, "")).slice(prefix.length);
    // No country code begins with 0: two of them stand for a plus that was written, too.
    return { digits: whole.replace(/^00/, ""), isClear: true };
  }
  const { callingCode, trunkPrefix, digitsMost } = dialling;
  if (!trunkPrefix) return { digits: digits.length > digitsMost ? digits : callingCode + digits, isClear: true };
  if (digits.startsWith(trunkPrefix)) return { digits: callingCode + digits.slice(trunkPrefix.length), isClear: true };
  // Without either it may be written for another country, or lack its area code.
  return { digits, isClear: digits.startsWith(callingCode) && digits.length >= callingCode.length + 7 };
}

/** What stands for the plus at the beginning of these digits. */
function abroad(digits, dialling) {
  const prefixes = dialling ? (dialling.internationalPrefix ? [dialling.internationalPrefix, "00"] : []) : ["00"];
  return prefixes.find((prefix) => digits.startsWith(prefix)) ?? "";
}

function grouped(digits, sizes) {
  const parts = [];
  let rest = digits;
  const total = sizes?.reduce((sum, size) => sum + size, 0);
  for (const size of total === digits.length ? sizes : []) {
    parts.push(rest.slice(0, size));
    rest = rest.slice(size);
  }
  while (rest.length > 4) {
    parts.push(rest.slice(0, 3));
    rest = rest.slice(3);
  }
  return rest ? [...parts, rest] : parts;
}
