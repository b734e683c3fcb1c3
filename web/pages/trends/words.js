// SPDX-License-Identifier: Apache-2.0
/** The words of the page with the numbers of a period. */
import { add, term } from "../../core/i18n.js";
import { staffReady } from "../../core/staff-words.js";
import staff from "../../locales/staff/en.js";
import { rescueReady } from "../rescue/words.js";
import english from "../../locales/staff/trends/en.js";

/** Done when all of them are there in the page's language, or English has to do. */
export const trendsReady = Promise.all([staffReady, rescueReady, add(english, { de: () => import("../../locales/staff/trends/de.js") })]);

/** A word as files have it, whoever saves them: in English, so that a program reads them all alike. @param {string} key */
export const plain = (key) => String(english[key] ?? staff[key] ?? nameOf(key));

/** A word of this page; what a newer gateway counts goes by its name. @param {string} key */
export const wordOf = (key) => term(key, nameOf(key));

const nameOf = (key) => key.slice(key.lastIndexOf(".") + 1);
