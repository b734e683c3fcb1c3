// SPDX-License-Identifier: Apache-2.0
/** What a map is made of beside our own files: the gateway says what of it is here. */

let files;

/** Where files of others are, by what pages call them; none where the gateway cannot be asked now. */
function vendor() {
  files ??= fetch("/vendor").then((answer) => answer.json()).then((body) => body.files).catch((error) => {
    console.warn("the list of vendor files cannot be read", error);
    files = undefined;
    return {};
  });
  return files;
}

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
