// SPDX-License-Identifier: Apache-2.0
/** The words of the pages on which a passer-by reports an animal, and follows the rescue. */
import { add } from "../../core/i18n.js";
import english from "../../locales/report/en.js";

/** Done when all of them are there in the page's language, or English has to do. */
export const reportReady = add(english, { de: () => import("../../locales/report/de.js") });
