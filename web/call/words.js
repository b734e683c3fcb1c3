// SPDX-License-Identifier: Apache-2.0
import { h } from "../core/dom.js";
import { chooseLanguage, language, languages, spoken, t } from "../core/i18n.js";
import english from "../locales/en.js";

/** Stands for an element while the words around it are put together; nobody writes it. */
const mark = "\u0001";

/**
 * Words with elements in them, as children for an element.
 * @param {string} key
 * @param {Record<string, Element>} elements By the names in the text.
 * @param {Record<string, string>} [args] What else comes in.
 */
export function around(key, elements, args = {}) {
  const places = Object.fromEntries(Object.keys(elements).map((name) => [name, mark + name + mark]));
  return t(key, { ...args, ...places }).split(mark).map((part, place) => (place % 2 ? elements[part] : part));
}

/** What a button says to the operator: in English, too, where the caller reads another language. */
export function forBoth(key) {
  return language === "en" ? t(key) : `${t(key)} (${english[key]})`;
}

/** On the first screens: the languages that the page has all its words in. */
export function offerLanguages() {
  for (const place of document.querySelectorAll(".language-place")) {
    const options = spoken.map((code) => h("option", { value: code, lang: code, selected: code === language }, languages[code]));
    place.replaceChildren(h("label", {}, t("call.language"), h("select", { onchange: ({ target }) => chooseLanguage(target.value) }, options)));
  }
}
