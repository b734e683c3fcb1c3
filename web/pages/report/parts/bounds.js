// SPDX-License-Identifier: Apache-2.0
import { local } from "../../../core/storage.js";

const store = "report-bounds";

/** Keeps within which bounds agencies take reports, for a map without a network; none where the centre says none. @param {unknown} bounds West, south, east, north, in degrees. */
export function keepBounds(bounds) {
  if (areBounds(bounds)) local.setItem(store, JSON.stringify(bounds));
  else local.removeItem(store);
}

/** As they were last told. @returns {number[] | null} */
export function keptBounds() {
  try {
    const bounds = JSON.parse(local.getItem(store) ?? "null");
    return areBounds(bounds) ? bounds : null;
  } catch {
    return null;
  }
}

/** West lies before east also where an area crosses the date line: east is above 180 there. */
function areBounds(bounds) {
  if (!Array.isArray(bounds) || bounds.length !== 4 || !bounds.every(Number.isFinite)) return false;
  const [west, south, east, north] = bounds;
  return west <= east && south <= north;
}
