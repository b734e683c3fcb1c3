// SPDX-License-Identifier: Apache-2.0
import { t } from "../core/i18n.js";
import { writtenAt } from "../model/chat.js";
import "./words.js";

/** What a caller chose by one press, in a word that is not overlooked. @param {"police" | "fire" | "ambulance" | undefined} service */
export const badgeOf = (service) => (service ? t(`console.quick.${service}`) : undefined);

/**
 * A transcript as the lines of a chat log, seen from the operators' side.
 * @param {any[]} messages As the gateway tells them.
 */
export function linesOf(messages) {
  return messages.map(({ from, temporaryID, id, text, picture, sentAt, clientTimestamp, state, quickResponse }) => ({
    key: `${from}/${temporaryID}`, id, isMine: from === "operator", text, badge: badgeOf(quickResponse), picture, at: sentAt, writtenAt: writtenAt(clientTimestamp),
    // What the gateway has is on its way, whatever the caller's phone has said yet.
    state: state === "queued" ? "taken" : state,
  }));
}
