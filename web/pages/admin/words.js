// SPDX-License-Identifier: Apache-2.0
/** The words of the administrators' page: those that it shares with the page of duty, and those of setting that up. */
import { add } from "../../core/i18n.js";
import english from "../../locales/staff/set-up/en.js";
import { dutyReady } from "../duty/words.js";

/** Done when all of them are there in the page's language, or English has to do. */
export const adminReady = Promise.all([dutyReady, add(english, { de: () => import("../../locales/staff/set-up/de.js") })]);
