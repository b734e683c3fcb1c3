// SPDX-License-Identifier: Apache-2.0
import { t } from "../core/i18n.js";
import "./words.js";

/** What a telephone's answer means, by its status (RFC 3261 §21); others are told by their number. Nothing could be sent is 0. */
const reasons = { 0: "unsent", 403: "refused", 404: "unknown", 408: "late", 413: "large", 415: "kind", 480: "away", 486: "busy", 503: "service", 513: "large", 600: "busy", 603: "refused", 604: "unknown" };

/**
 * An answer by telephone as a line of a chat log: how far it came, and why it did not.
 * @param {{state: "queued" | "delivered" | "failed", attempt: number, status?: number}} reply
 */
export function lineOfReply({ state, attempt, status }) {
  const again = attempt > 1 ? t("console.reply.try", { attempt }) : "";
  const words = (key) => [t(key), again].filter(Boolean).join(", ");
  return {
    state,
    words: { queued: words("console.reply.queued"), delivered: words("console.reply.delivered"), failed: words("console.reply.failed") },
    error: state === "failed" ? why(status) : undefined,
  };
}

/** Without a status nobody answered. */
function why(status) {
  if (status === undefined) return t("console.reply.why.none");
  const reason = reasons[status] ?? (status >= 500 && status < 600 ? "service" : "other");
  return t(`console.reply.why.${reason}`, { status });
}
