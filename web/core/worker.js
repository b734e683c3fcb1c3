// SPDX-License-Identifier: Apache-2.0
/** What our service workers have in common. Each brings it in by `importScripts`, so it is no module: what it offers is `daybookWorker`, and its other names are taken there, too. */
self.daybookWorker = {
  /**
   * Lets pages open without a network. Only they and what they are made of are kept; never what is said, written or filmed there.
   * @param {string} name Of what is kept, with a number at its end; what was kept under another number is given up.
   * @param {string[]} pages Addresses as in `pages.json`: `{token}` in one stands for any one part, and all those are kept as one.
   */
  keepPages(name, pages) {
    const isOld = (other) => other !== name && other.replace(/\d+$/, "") === name.replace(/\d+$/, "");
    const keep = async () => {
      const cache = await caches.open(name);
      const known = new Set();
      await Promise.all(pages.map((page) => keepWhole(page, cache, known)));
    };
    addEventListener("install", (event) => event.waitUntil(keep().then(() => self.skipWaiting())));
    addEventListener("activate", (event) => event.waitUntil(caches.keys().then((all) => Promise.all(all.filter(isOld).map((one) => caches.delete(one)))).then(() => self.clients.claim())));
    addEventListener("fetch", (event) => {
      const { pathname, origin } = new URL(event.request.url);
      if (event.request.method !== "GET" || origin !== location.origin) return;
      const page = pages.find((one) => isAt(pathname, one));
      if (page || pathname.startsWith("/web/")) event.respondWith(newestOrKept(event, name, page));
    });
  },

  /** What a push says; `null` where it is nothing of ours. @param {PushMessageData | null} data */
  read(data) {
    try {
      return data.json();
    } catch {
      return null;
    }
  },

  /** Nothing is shown where the browser allows that. Safari ends a subscription after a few pushes that showed nothing, so there a quiet word has to be. */
  async quietly(title, options) {
    const isStrict = /^((?!Chrom|Android|Firefox).)*Safari/.test(navigator.userAgent);
    if (isStrict) await self.registration.showNotification(title, { ...options, silent: true });
  },

  /** Shows what the centre says of a citizen's alert; where somebody looks at the page, that says it. @param {{sos: string, title: string, body: string}} message */
  async showAlert({ sos, title, body }) {
    const pages = await self.daybookWorker.windows("/safe");
    if (pages.some((page) => page.visibilityState === "visible")) return;
    await self.registration.showNotification(title, { body, icon: "/web/ui/icon.svg", tag: `sos-${sos}`, timestamp: Date.now(), data: { id: sos, page: "/safe" } });
  },

  /** The windows that show a page. @param {string} path */
  async windows(path) {
    const all = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    return all.filter(({ url }) => new URL(url).pathname === path);
  },

  /** Brings a page to the front, opened anew where no window shows it. @param {string} address */
  async open(address) {
    const [page] = await self.daybookWorker.windows(new URL(address, location.origin).pathname);
    return page ? page.focus() : self.clients.openWindow(address);
  },
};

/** Whether a page is at an address. */
function isAt(pathname, page) {
  const [parts, wanted] = [pathname.split("/"), page.split("/")];
  return parts.length === wanted.length && wanted.every((one, index) => one === parts[index] || (one.startsWith("{") && parts[index] !== ""));
}

/**
 * Keeps a file and all that it names, as the page names its program, and modules their modules. So it is whole from the first visit, whose own files came
 * before there was a worker: who comes by a link is always on a first visit.
 */
async function keepWhole(path, cache, known) {
  if (known.has(path)) return;
  known.add(path);
  const response = await fetch(path);
  if (response.status === 404 && path.startsWith("/web/")) {
    // What looks like the name of a file may be none. Read it is: an answer that nobody reads keeps its connection, of which there are six.
    await response.text();
    return;
  }
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  await cache.put(path, response.clone());
  const named = (await response.text()).matchAll(/"([^"\s]+\.(?:js|css|svg|json|webmanifest))"/g);
  await Promise.all([...named].map(([, address]) => keepWhole(new URL(address, new URL(path, location.origin)).pathname, cache, known)));
}

/** A network that carries nothing for so long is none for somebody who needs help: what is kept is shown. What a page is made of may take longer. */
const patienceMilliseconds = { page: 1500, part: 5000 };
/** Pages that were opened as they were kept: what they are made of comes from there, too, or old and new would be mixed. */
const openedAsKept = new Set();

/** What the gateway has now; what was kept where it cannot be reached in time, or whoever stands before it says so. @param {string} [page] As which the page is kept that is asked for. */
async function newestOrKept(event, name, page) {
  const { request, clientId, resultingClientId } = event;
  const cache = await caches.open(name);
  const kept = await cache.match(page ?? request, { ignoreSearch: true });
  const newest = fetchAndKeep(request, cache, page ?? request);
  if (!kept) return newest;
  event.waitUntil(newest.catch(() => {
    // What was kept is the answer.
  }));
  if (openedAsKept.has(clientId)) return kept;
  const isPage = request.mode === "navigate";
  const isUsable = (response) => response.status < 500 && response.status !== 429;
  const inTime = newest.then((response) => (isUsable(response) ? response : null), () => null);
  const answer = await Promise.race([inTime, later(isPage ? patienceMilliseconds.page : patienceMilliseconds.part)]);
  if (!answer && isPage) openedAsKept.add(resultingClientId);
  return answer ?? kept;
}

async function fetchAndKeep(request, cache, key) {
  const response = await fetch(request);
  // Also a phone that is full can be used.
  if (response.ok) await cache.put(key, response.clone()).catch(() => {});
  return response;
}

function later(milliseconds) {
  return new Promise((resolve) => setTimeout(() => resolve(null), milliseconds));
}
