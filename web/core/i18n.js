// SPDX-License-Identifier: Apache-2.0
/**
 * The pages' words, from a catalogue for each language: `t("chat.new", { count: 2 })`, and in HTML `data-t="chat.title"` beside the English text, which stands there
 * until the words are read, and where they cannot be.
 *
 * An entry is a text with `{name}` where something comes in, or one text for each plural of the language that it has (`one`, `few`, `other` …), chosen by `count`.
 * `{emergency}` is the number to telephone, everywhere.
 */
import english from "../locales/en.js";
import { site } from "./site.js";
import { local } from "./storage.js";

/** By code: what the language calls itself, and how its words are brought. English is always there. */
const catalogues = {
  en: { name: "English", bring: async () => ({ default: english }) },
  de: { name: "Deutsch", bring: () => import("../locales/de.js") },
};

/** So long a page waits for words in its language before it begins in English. */
const patienceMilliseconds = 3000;

/** The languages that there are: what each calls itself, by code. */
export const languages = Object.fromEntries(Object.entries(catalogues).map(([code, { name }]) => [code, name]));

/**
 * The language for somebody; a page that is written in one language alone is in that one.
 * @param {string | null} chosen What was chosen on this device.
 * @param {readonly string[]} wished What the browser says, best first.
 * @param {readonly string[]} spoken Those that the page has all its words in.
 */
export function languageFor(chosen, wished, spoken) {
  if (spoken.includes(chosen)) return chosen;
  return wished.map((one) => one.toLowerCase().split("-")[0]).find((one) => spoken.includes(one)) ?? (spoken.length === 1 ? spoken[0] : "en");
}

const wished = globalThis.navigator?.languages ?? [];

/** Those of this page: `<html data-languages="en de">`, where not all of its words are English alone. */
export const spoken = (globalThis.document?.documentElement?.dataset.languages ?? "en").split(" ").filter((code) => Object.hasOwn(catalogues, code));

/** This page's, by its code. */
export const language = languageFor(local.getItem("language"), wished, spoken);

/** How somebody of this language writes dates, who may say of which country. */
export const locale = wished.find((one) => one.toLowerCase().split("-")[0] === language) ?? language;
let words = english;
let plurals = new Intl.PluralRules("en");
/** The words of pages that callers never load, in English and in this language. */
let otherEnglish = {};
let otherWords = {};

/** Done when the page's own words are there, or English has to do; then those of the page are put in. Never fails. */
export const ready = begin();

async function begin() {
  const found = language === "en" ? null : await soon(catalogues[language].bring);
  // English stands in the page already; one of somebody else's, which only uses a module of ours, stays as it is.
  if (!found) return;
  use(found.default, language);
  if (!globalThis.document?.documentElement) return;
  document.documentElement.lang = language;
  translate(document);
}

/** What is brought, where that is soon enough; `null` otherwise. */
function soon(bring) {
  const late = new Promise((resolve) => setTimeout(resolve, patienceMilliseconds, null));
  return Promise.race([bring().catch(() => null), late]);
}

/**
 * Adds words that only some pages have; in English at once.
 * @param {Record<string, any>} own In English.
 * @param {Record<string, () => Promise<{default: Record<string, any>}>>} [others] How those of other languages are brought. Done when this page's are there, or English has to do.
 */
export async function add(own, others = {}) {
  otherEnglish = { ...otherEnglish, ...own };
  await ready;
  // Where the page's language did not come, the rest is not to be in it.
  if (words === english || !others[language]) return;
  const found = await soon(others[language]);
  if (!found) return;
  otherWords = { ...otherWords, ...found.default };
  if (globalThis.document?.documentElement) translate(document);
}

/** Takes a catalogue as the page's. */
export function use(catalogue, code) {
  words = catalogue;
  plurals = new Intl.PluralRules(code);
}

/**
 * Words by their key.
 * @param {string} key
 * @param {Record<string, string | number>} [args] What comes in; `count` chooses the plural.
 */
export function t(key, args = {}) {
  const entry = entryOf(key) ?? key;
  const text = typeof entry === "string" ? entry : entry[plurals.select(Number(args.count ?? 0))] ?? entry.other;
  return text.replace(/\{(\w+)\}/g, (all, name) => String(args[name] ?? (name === "emergency" ? site.emergencyNumber : all)));
}

function entryOf(key) {
  return words[key] ?? otherWords[key] ?? english[key] ?? otherEnglish[key];
}

/** Words for one of the ledger's own, where there are any; what somebody else wrote stands as it is. @param {string} key @param {string} written */
export function term(key, written) {
  return entryOf(key) === undefined ? written : t(key);
}

/** A number as the reader writes it, with so many digits behind the point. */
export function numeral(value, digits = 0) {
  return value.toLocaleString(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** Attributes that have words, by the mark beside them. */
const marked = { "data-t": null, "data-t-label": "aria-label", "data-t-placeholder": "placeholder", "data-t-title": "title" };

/** Puts this language's words into what is marked; an element that is marked by `data-t` has nothing but words in it. @param {ParentNode} root */
export function translate(root) {
  for (const [mark, attribute] of Object.entries(marked)) {
    for (const element of root.querySelectorAll(`[${mark}]`)) {
      const text = t(element.getAttribute(mark));
      if (attribute === null) element.textContent = text;
      else element.setAttribute(attribute, text);
    }
  }
}

/** Chooses a language for this device; the page begins anew in it. @param {string} code */
export function chooseLanguage(code) {
  local.setItem("language", code);
  location.reload();
}
