// SPDX-License-Identifier: Apache-2.0

/**
 * When a video ended: with its last picture. That it is over may be recorded long after, where the caller's network was gone. Whatever a page says of the end, in the chat or on the picture, is this moment.
 * @param {{startedAt?: string, durationMilliseconds?: number | string} | undefined} stream As far as it is known: when it began, and how long it lasted.
 * @param {string | null} [recordedAt] When the ledger recorded the end, where that is known: no video ended later.
 * @returns {string | null} RFC 3339; `null` where nothing is known.
 */
export function videoEnd(stream, recordedAt = null) {
  const filmed = Date.parse(stream?.startedAt ?? "") + Number(stream?.durationMilliseconds ?? NaN);
  if (Number.isNaN(filmed)) return recordedAt ?? stream?.startedAt ?? null;
  return recordedAt !== null && filmed >= Date.parse(recordedAt) ? recordedAt : new Date(filmed).toISOString();
}
