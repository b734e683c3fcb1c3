// SPDX-License-Identifier: Apache-2.0
/** Texts of the centre for everybody: rights by language, and places of help by distance. */
import { distance } from "../map/geo.js";

/**
 * @typedef {{id: string, section: "rights" | "resources", language: string, title: string, text: string, address?: string | null, phone?: string | null, latitude?: number | null,
 *   longitude?: number | null, changedAt?: string, isShown?: boolean}} Item
 */

export const sections = /** @type {const} */ (["rights", "resources"]);

/** @param {{latitude?: number | null, longitude?: number | null}} item */
export const hasPlace = ({ latitude, longitude }) => Number.isFinite(latitude) && Number.isFinite(longitude);

/** What a language calls itself; its code where the browser does not know it. @param {string} code */
export function languageName(code) {
  try {
    return new Intl.DisplayNames([code], { type: "language" }).of(code) ?? code;
  } catch {
    return code;
  }
}

/** Numbers within titles count as numbers. */
const byTitle = (one, other) => one.title.localeCompare(other.title, "en", { numeric: true }) || (one.id < other.id ? -1 : 1);

/**
 * The texts on rights, by language: the page's first, the others by their names.
 * @param {Item[]} items @param {string} language @returns {{language: string, items: Item[]}[]}
 */
export function rightsShown(items, language) {
  const rights = items.filter(({ section }) => section === "rights");
  const found = [...new Set(rights.map((one) => one.language))];
  const first = (code) => (code === language ? 0 : 1);
  found.sort((one, other) => first(one) - first(other) || languageName(one).localeCompare(languageName(other)));
  return found.map((code) => ({ language: code, items: rights.filter((one) => one.language === code).sort(byTitle) }));
}

/**
 * Places of help, nearest first where the phone's place is known, then those without a place. Of equally near ones, and where no place is known, those in the page's language come first.
 * @param {Item[]} items @param {string} language @param {{latitude: number, longitude: number} | null} from
 * @returns {(Item & {metres: number | null})[]}
 */
export function helpShown(items, language, from) {
  const found = items.filter(({ section }) => section === "resources").map((item) => ({ ...item, metres: from && hasPlace(item) ? distance(from, item) : null }));
  const foreign = (one) => (one.language === language ? 0 : 1);
  return found.sort((one, other) => nearer(one.metres, other.metres) || foreign(one) - foreign(other) || byTitle(one, other));
}

/** Places closer together than this are one. */
const oneMetres = 1;

function nearer(one, other) {
  if (one === null || other === null) return (one === null ? 1 : 0) - (other === null ? 1 : 0);
  return Math.abs(one - other) < oneMetres ? 0 : one - other;
}

/** An address that dials a number. After a country code `(0)` is not dialled. @param {string} phone */
export const dialled = (phone) => `tel:${(phone.trim().startsWith("+") ? phone.replace(/\(\s*0\s*\)/g, "") : phone).replace(/[^\d+*#]/g, "")}`;

// MARK: For those who write them

/** The gateway takes no longer text, and no more bytes in it. */
export const textBytesMost = 8192;

/** So many bytes a text takes. @param {string} text */
export const bytesOf = (text) => new TextEncoder().encode(text).length;

/** Languages that a text can be in, by code: those of this program, and others that people in need of help often speak. */
const codes = ["en", "de", "am", "ar", "bg", "bn", "bs", "cs", "el", "es", "fa", "fr", "hi", "hr", "hu", "it", "ja", "ko", "ku", "nl", "pl", "ps", "pt", "ro", "ru", "so", "sq", "sr", "sw", "ta", "th", "ti", "tr", "uk", "ur", "vi", "zh"];

/** Codes and names to choose from, with that of a text that has another one. @param {string} [own] @returns {[string, string][]} */
export const languagesToChoose = (own) => [...new Set([...codes, ...(own ? [own] : [])])].map((code) => [code, languageName(code)]);

/** Texts by section, then language, then title. @param {Item[]} items */
export const inOrder = (items) => [...items].sort((one, other) => sections.indexOf(one.section) - sections.indexOf(other.section) || one.language.localeCompare(other.language) || byTitle(one, other));

/**
 * A text as it is sent. Only a place of help has an address, a number and a place.
 * @param {Record<string, any>} values @param {{latitude: number, longitude: number} | null} place
 */
export function contentBody({ section, language, title, text, address, phone, isShown }, place) {
  const body = { section, language, title: title.trim(), text: text.trim(), isShown: Boolean(isShown) };
  if (section !== "resources") return body;
  return { ...body, ...(address?.trim() && { address: address.trim() }), ...(phone?.trim() && { phone: phone.trim() }), ...(place && { latitude: place.latitude, longitude: place.longitude }) };
}

/** The same text, shown or hidden. @param {Item} item @param {boolean} isShown */
export const turned = (item, isShown) => contentBody({ ...item, isShown }, hasPlace(item) ? { latitude: Number(item.latitude), longitude: Number(item.longitude) } : null);
