// SPDX-License-Identifier: Apache-2.0
/** The words of duty, rotas and call-outs. */
import { add } from "../../core/i18n.js";
import { staffReady } from "../../core/staff-words.js";
import english from "../../locales/staff/duty/en.js";

/** Done when all of them are there in the page's language, or English has to do. */
export const dutyReady = Promise.all([staffReady, add(english, { de: () => import("../../locales/staff/duty/de.js") })]);
