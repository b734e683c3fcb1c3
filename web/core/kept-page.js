// SPDX-License-Identifier: Apache-2.0

/**
 * Lets a page open again without a network.
 * @param {string} name Under what its files are kept, with a number at its end.
 * @param {string} scope What its addresses begin with.
 * @param {string[]} pages Its addresses, as in `pages.json`.
 */
export async function keepPage(name, scope, pages) {
  if (!("serviceWorker" in navigator)) return;
  const asked = new URLSearchParams([["name", name], ...pages.map((page) => ["page", page])]);
  try {
    await navigator.serviceWorker.register(`/web/core/page-worker.js?${asked}`, { scope });
  } catch {
    // Without it the page works as long as there is a network.
  }
}
