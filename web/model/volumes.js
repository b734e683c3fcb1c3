// SPDX-License-Identifier: Apache-2.0
/** The folders of recordings, and what may be done with each. */

/** The ledger's own folder, which stays on the list. */
export const ownFolder = "media";

/**
 * @typedef {{path: string, draining: boolean, here: boolean, fault?: string, files: number, bytes: number, freeBytes: number}} Volume
 */

/**
 * How a folder stands: `away` where its disk is not there, `used` where new recordings may go, `draining` while what it has moves to the others, `empty` once that is done.
 * @param {Volume} volume
 */
export function stateOf({ draining, here, files }) {
  if (!here) return "away";
  if (!draining) return "used";
  return files > 0 ? "draining" : "empty";
}

/**
 * What an administrator may ask of a folder, in the order of the buttons. The gateway decides again.
 * @param {Volume} volume @param {Volume[]} all
 * @returns {("drain" | "use" | "remove")[]}
 */
export function actionsOf(volume, all) {
  if (!volume.draining) return all.some((other) => other !== volume && !other.draining) ? ["drain"] : [];
  return stateOf(volume) === "empty" && volume.path !== ownFolder ? ["use", "remove"] : ["use"];
}

/** Whether recordings are being moved, so that the list changes by itself. @param {Volume[]} all */
export const areMoving = (all) => all.some((volume) => stateOf(volume) === "draining");

const units = ["KiB", "MiB", "GiB", "TiB"];

/** A count of bytes in the largest unit of which there is one: `[1.5, "GiB"]`. @param {number} bytes @returns {[number, string]} */
export function sizeOf(bytes) {
  let [value, unit] = [bytes / 1024, 0];
  while (value >= 1024 && unit < units.length - 1) [value, unit] = [value / 1024, unit + 1];
  return [value, units[unit]];
}
