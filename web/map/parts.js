// SPDX-License-Identifier: Apache-2.0
/** What a map is made of beside our own files. */
import { vendor } from "../core/vendor.js";

/**
 * Leaflet and its style sheet, or `null` where the gateway has none.
 * @returns {Promise<{L: any, sheet: string} | null>}
 */
export async function leaflet() {
  const known = await vendor();
  const script = known["leaflet.js"];
  const sheet = known["leaflet.css"];
  if (!script || !sheet) return null;
  try {
    return { L: await import(script), sheet };
  } catch (error) {
    console.warn("Leaflet cannot be loaded", error);
    return null;
  }
}
