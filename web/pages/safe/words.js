// SPDX-License-Identifier: Apache-2.0
/** The words of the page with a citizen's button. */
import { add } from "../../core/i18n.js";
import english from "../../locales/safe/en.js";

/** Done when all of them are there in the page's language, or English has to do. */
export const safeReady = add(english, { de: () => import("../../locales/safe/de.js") });
