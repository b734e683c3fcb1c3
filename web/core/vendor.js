// SPDX-License-Identifier: Apache-2.0
/** Files of others beside our own: the gateway says which of them are installed. */

let files;

/** Where each file is, by what pages call it, such as `leaflet.js`; none where the gateway cannot be asked now. @returns {Promise<Record<string, string>>} */
export function vendor() {
  files ??= fetch("/vendor").then((answer) => answer.json()).then((body) => body.files).catch((error) => {
    console.warn("the list of vendor files cannot be read", error);
    files = undefined;
    return {};
  });
  return files;
}

/** Dygraphs without its own legend, or `null` where the gateway has none. @returns {Promise<any>} */
export async function dygraphs() {
  const script = (await vendor())["dygraphs.js"];
  if (!script) return null;
  try {
    await import(script);
  } catch (error) {
    console.warn("dygraphs cannot be loaded", error);
    return null;
  }
  // It is no module, but a name for every script. Its legend sets a style attribute, which the pages' policy forbids.
  const { Dygraph } = globalThis;
  Dygraph.PLUGINS = Dygraph.PLUGINS.filter((plugin) => plugin !== Dygraph.Plugins.Legend);
  return Dygraph;
}
