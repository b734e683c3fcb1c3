// SPDX-License-Identifier: Apache-2.0

let newest = 0;
let sequence = 0;

/** A UUID of version 7 (RFC 9562 §5.7), as commands are named; of two that are made in the same millisecond the second is the greater (§6.2, method 1). */
export function newID(now = Date.now()) {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  sequence = now === newest ? Math.min(sequence + 1, 0xfff) : bytes[7];
  newest = now;
  bytes[6] = sequence >> 8;
  bytes[7] = sequence & 0xff;
  for (let index = 0; index < 6; index++) bytes[index] = Math.floor(now / 2 ** (8 * (5 - index))) % 256;
  bytes[6] = 0x70 | (bytes[6] & 0x0f);
  bytes[8] = 0x80 | (bytes[8] & 0x3f);
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

let written = 0;

/** The place of what is written now: behind all that was written here before, however this device's clock is set meanwhile. */
export function nextPlace() {
  return ++written;
}

/** What waits here of pages before this one: what is written from now on stands behind it. @param {{place?: number}[]} kept */
export function writeBehind(kept) {
  written = Math.max(written, ...kept.map((one) => one.place ?? 0));
}

/** The order in which messages were written. @param {{place?: number, at: number, temporaryID: string}} one */
export const oldestFirst = (one, other) => (one.place ?? 0) - (other.place ?? 0) || one.at - other.at || (one.temporaryID < other.temporaryID ? -1 : 1);
