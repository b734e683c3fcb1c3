// SPDX-License-Identifier: Apache-2.0
/** The words of the wall of cameras. */
import { add } from "../../core/i18n.js";
import { staffReady } from "../../core/staff-words.js";
import english from "../../locales/staff/wall/en.js";

/** Done when all of them are there in the page's language, or English has to do. */
export const wallReady = Promise.all([staffReady, add(english, { de: () => import("../../locales/staff/wall/de.js") })]);
