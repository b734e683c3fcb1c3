// SPDX-License-Identifier: Apache-2.0
import { Problem } from "../../../core/api.js";
import { t, term } from "../../../core/i18n.js";

/**
 * Why something was not done, in the page's language. The centre's own words are English, and stand there only where the page knows no others.
 * @param {any} error
 */
export function refusalWords(error) {
  // What the page itself finds, such as a number with too few digits, is in its language already.
  if (!(error instanceof Problem)) return error.message;
  return term(`safe.refused.${error.slug}`, error.status >= 500 ? t("safe.refused.unavailable") : t("safe.refused.other", { detail: error.message }));
}
