// SPDX-License-Identifier: Apache-2.0
/** The words of the pages for those who work here, which no caller waits for. */
import english from "../locales/staff/en.js";
import { add } from "./i18n.js";

/** Done when they are there in the page's language, or English has to do. */
export const staffReady = add(english, { de: () => import("../locales/staff/de.js") });
