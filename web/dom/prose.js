// SPDX-License-Identifier: Apache-2.0
import { h } from "../core/dom.js";
import { markdown } from "../model/markdown.js";

/** A text in Markdown as elements, each text of it a text node. @param {string} text @param {string} language Its language, by code. */
export const prose = (text, language) => h("div", { class: "prose", lang: language }, markdown(text).map(drawn));

/** @param {import("../model/markdown.js").Part | string} part */
function drawn(part) {
  if (typeof part === "string") return part;
  const { tag, href, start, children } = part;
  return h(tag, { start, ...(href && linkTo(href)) }, children.map(drawn));
}

/** A page elsewhere opens beside this one, and does not learn where the reader came from. @param {string} href */
const linkTo = (href) => (/^https?:/i.test(href) ? { href, target: "_blank", rel: "noreferrer" } : { href });
