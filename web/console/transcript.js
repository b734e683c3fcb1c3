// SPDX-License-Identifier: Apache-2.0
import { writtenAt } from "../model/chat.js";

/**
 * A transcript as the lines of a chat log, seen from the operators' side.
 * @param {any[]} messages As the gateway tells them.
 */
export function linesOf(messages) {
  return messages.map(({ from, temporaryID, id, text, picture, sentAt, clientTimestamp, state }) => ({
    key: `${from}/${temporaryID}`, id, isMine: from === "operator", text, picture, at: sentAt, writtenAt: writtenAt(clientTimestamp),
    // What the gateway has is on its way, whatever the caller's phone has said yet.
    state: state === "queued" ? "taken" : state,
  }));
}
