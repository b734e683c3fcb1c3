// SPDX-License-Identifier: Apache-2.0
/** Lets the caller's page open without a network. Only pages and what they are made of are kept; never what is said or filmed. */
const name = "call-1";
const shell = ["/call", "/web/call/call.css", "/web/ui/base.css", "/web/ui/tokens.css", "/web/ui/icon.svg"];

addEventListener("install", (event) => event.waitUntil(caches.open(name).then((cache) => cache.addAll(shell)).then(() => self.skipWaiting())));
addEventListener("activate", (event) => event.waitUntil(caches.keys().then((all) => Promise.all(all.filter((one) => one !== name).map((one) => caches.delete(one)))).then(() => self.clients.claim())));

addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  const isPage = pathname === "/call" || pathname.startsWith("/web/");
  if (event.request.method !== "GET" || origin !== location.origin || !isPage) return;
  event.respondWith(newestOrKept(event.request));
});

/** What the gateway has now; what was kept where it cannot be reached. */
async function newestOrKept(request) {
  const cache = await caches.open(name);
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(request, response.clone());
    return response;
  } catch (error) {
    const kept = await cache.match(request, { ignoreSearch: true });
    if (kept) return kept;
    throw error;
  }
}
