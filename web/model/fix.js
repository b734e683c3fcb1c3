// SPDX-License-Identifier: Apache-2.0
import { t } from "../core/i18n.js";
import { span } from "../core/time.js";

/** From so much on the time between measuring and recording matters to whoever reads. */
const oldMilliseconds = 30_000;
/** A phone's clock that says more than this is wrong: so far ahead of the ledger's time, or a fix so old. */
const aheadMost = 60_000;
const oldMost = 24 * 3_600_000;

/**
 * How long before it was recorded a place was measured, in words; or that the phone's time of it is not to be believed.
 * @param {{measuredAt?: string | null}} fix
 * @param {string | number | undefined} at When it was recorded.
 * @returns {string} Empty where it was measured just before, and where the phone did not say when.
 */
export function measuredWords({ measuredAt }, at) {
  if (!measuredAt || !at) return "";
  const age = new Date(at).getTime() - Date.parse(measuredAt);
  // What is no time at all is not to be believed either.
  if (!(age >= -aheadMost && age <= oldMost)) return t("place.measured.wrong");
  return age > oldMilliseconds ? t("place.measured", { time: span(age / 1000) }) : "";
}
