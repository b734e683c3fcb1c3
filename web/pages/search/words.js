// SPDX-License-Identifier: Apache-2.0
/** The words of the search page. */
import { add } from "../../core/i18n.js";
import { staffReady } from "../../core/staff-words.js";
import english from "../../locales/staff/search/en.js";

/** Done when they are there in the page's language, or English has to do. */
export const searchReady = Promise.all([staffReady, add(english, { de: () => import("../../locales/staff/search/de.js") })]);
