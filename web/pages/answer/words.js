// SPDX-License-Identifier: Apache-2.0
/** The words of the page on which a message is answered. */
import { add } from "../../core/i18n.js";
import english from "../../locales/answer/en.js";

/** Done when all of them are there in the page's language, or English has to do. */
export const answerReady = add(english, { de: () => import("../../locales/answer/de.js") });
