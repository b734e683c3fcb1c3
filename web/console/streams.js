// SPDX-License-Identifier: Apache-2.0

/** Why a stream ended, as an operator would say it; what the ledger has otherwise stays as it is. */
const endings = {
  navigated: "the caller went to the chat",
  stopped: "it was stopped",
  "stopped by the caller": "the caller stopped it",
  "the operator asked": "the caller stopped it, as you asked",
  "session closed": "the session was closed",
  "the page went away": "the caller's page was closed",
  "nothing arrived any more": "nothing came from the caller any more",
};

/** @param {string} reason As the ledger has it. */
export function endWords(reason) {
  return endings[reason] ?? reason;
}

/**
 * Which stream of an incident stands in front: what somebody chose stays; else a live picture comes before a recording, one's own caller's before another's,
 * and the newest before older ones. What ended while it was looked at stays as long as nothing else is live.
 * @template {{id: string, state: string, isOwn: boolean}} Stream
 * @param {Stream[]} streams Oldest first.
 * @param {string | null} shown Which one is shown now.
 * @param {boolean} isChosen Whether somebody chose that one.
 * @returns {Stream | undefined}
 */
export function inFront(streams, shown, isChosen) {
  const now = streams.find((stream) => stream.id === shown);
  if (now && isChosen) return now;
  const rank = (stream) => (isRunning(stream) ? 2 : 0) + (stream.isOwn ? 1 : 0);
  const best = [...streams].reverse().reduce((first, stream) => (first && rank(first) >= rank(stream) ? first : stream), undefined);
  return now && !isRunning(best) ? now : best;
}

/**
 * Whose a stream is, and with which camera where that phone films with both.
 * @template {{id: string, state: string, phone?: string, camera?: string}} Stream
 * @param {Stream} stream
 * @param {Stream[]} streams With the others of its incident.
 */
export function tileName(stream, streams) {
  const isBoth = streams.some((other) => other.id !== stream.id && other.phone === stream.phone && isRunning(other) && isRunning(stream));
  return [stream.phone ?? "number unknown", isBoth && stream.camera].filter(Boolean).join(" · ");
}

/** One whose connection is lost for the moment runs, too. */
const isRunning = ({ state }) => ["live", "interrupted"].includes(state);
