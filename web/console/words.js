// SPDX-License-Identifier: Apache-2.0
/** The words of the operators' console. */
import { add } from "../core/i18n.js";
import { keptReady } from "../dom/kept-footage.js";
import english from "../locales/staff/console/en.js";

/** Done when they are there in the page's language, or English has to do. */
export const consoleReady = Promise.all([keptReady, add(english, { de: () => import("../locales/staff/console/de.js") })]);
