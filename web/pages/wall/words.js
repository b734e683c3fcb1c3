// SPDX-License-Identifier: Apache-2.0
/** The words of the supervisors' wall. */
import { add } from "../../core/i18n.js";
import { staffReady } from "../../core/staff-words.js";
import english from "../../locales/staff/session-wall/en.js";

/** Done when all of them are there in the page's language, or English has to do. */
export const sessionWallReady = Promise.all([staffReady, add(english, { de: () => import("../../locales/staff/session-wall/de.js") })]);
