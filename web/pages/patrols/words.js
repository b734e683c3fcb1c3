// SPDX-License-Identifier: Apache-2.0
/** The words of the board of tours; how a point stands is said as the guards read it. */
import { add } from "../../core/i18n.js";
import english from "../../locales/staff/patrols/en.js";
import { patrolReady } from "../patrol/words.js";

/** Done when all of them are there in the page's language, or English has to do. */
export const patrolsReady = Promise.all([patrolReady, add(english, { de: () => import("../../locales/staff/patrols/de.js") })]);
