// SPDX-License-Identifier: Apache-2.0
/**
 * Lets the caller's page open without a network, and tells the caller that the centre asks while the page is closed. Only pages and what they are made of
 * are kept; never what is said or filmed.
 */
importScripts("/web/core/worker.js");

const { read, quietly, windows, open } = self.daybookWorker;
const name = "call-1";

addEventListener("install", (event) => event.waitUntil(caches.open(name).then((cache) => keepWhole("/call", cache)).then(() => self.skipWaiting())));
addEventListener("activate", (event) => event.waitUntil(caches.keys().then((all) => Promise.all(all.filter((one) => one !== name).map((one) => caches.delete(one)))).then(() => self.clients.claim())));

addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  const isPage = pathname === "/call" || pathname.startsWith("/web/");
  if (event.request.method !== "GET" || origin !== location.origin || !isPage) return;
  event.respondWith(newestOrKept(event));
});

/**
 * Keeps a file and all that it names, as the page names its program, and modules their modules. So it is whole from the first visit, whose own files came
 * before there was a worker: who comes by a link is always on a first visit.
 */
async function keepWhole(path, cache, known = new Set()) {
  if (known.has(path)) return;
  known.add(path);
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  await cache.put(path, response.clone());
  const named = (await response.text()).matchAll(/"([^"\s]+\.(?:js|css|svg|webmanifest))"/g);
  await Promise.all([...named].map(([, address]) => keepWhole(new URL(address, new URL(path, location.origin)).pathname, cache, known)));
}

/** A network that carries nothing for so long is none for somebody who needs help: what is kept is shown. What a page is made of may take longer. */
const patienceMilliseconds = { page: 1500, part: 5000 };
/** Pages that were opened as they were kept: what they are made of comes from there, too, or old and new would be mixed. */
const openedAsKept = new Set();

/** What the gateway has now; what was kept where it cannot be reached in time, or whoever stands before it says so. */
async function newestOrKept(event) {
  const { request, clientId, resultingClientId } = event;
  const cache = await caches.open(name);
  const kept = await cache.match(request, { ignoreSearch: true });
  const newest = fetchAndKeep(request, cache);
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

async function fetchAndKeep(request, cache) {
  const response = await fetch(request);
  // Also a phone that is full can be used.
  if (response.ok) await cache.put(request, response.clone()).catch(() => {});
  return response;
}

function later(milliseconds) {
  return new Promise((resolve) => setTimeout(() => resolve(null), milliseconds));
}

// MARK: Pushes

/** What there are pushes of, by `message_type`. */
const kinds = new Set(["video_call", "location", "chat"]);
/** Where the page's words for them are kept. */
const wordsAddress = "/call/words";
/** Where the page has told none. */
const plainWords = ["The emergency centre", "Open this page."];

// The page has the words, in its language.
addEventListener("message", (event) => event.data?.words && event.waitUntil(keepWords(event.data.words)));
addEventListener("push", (event) => event.waitUntil(tell(event.data)));
addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open("/call"));
});
// The browser changed the subscription by itself; the page, which has the phone's token, brings the new one when it opens.
addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew(event)));

/** Tells of a push that came in time; one that came too late is passed over, as the source document asks. */
async function tell(data) {
  const message = read(data)?.data;
  if (!kinds.has(message?.message_type) || await isOver(message)) return missed();
  // Whoever looks at the page is asked there.
  const seen = (await windows("/call")).filter((page) => page.visibilityState === "visible");
  for (const page of seen) page.postMessage({ asked: message.message_type });
  if (seen.length > 0) return;
  const [title, body] = await wordsOf(message.message_type);
  await self.registration.showNotification(title, {
    body, icon: "/web/ui/icon.svg", tag: message.message_type, renotify: true, requireInteraction: message.message_type !== "chat", timestamp: Date.now(),
  });
}

async function keepWords(words) {
  const cache = await caches.open(name);
  // Also a phone that is full can be used.
  await cache.put(wordsAddress, new Response(JSON.stringify(words))).catch(() => {});
}

/** Title and text of a notification; nothing in it tells anybody else who looks at the phone what it is about. */
async function wordsOf(kind) {
  const kept = await caches.match(wordsAddress);
  return (kept && (await kept.json())[kind]) ?? plainWords;
}

/**
 * Whether the time of the session, or of what is asked, is over. A phone's clock may be minutes fast: what is over by it is asked of the centre's, and where
 * that does not answer the caller is told.
 */
async function isOver({ session_created_timestamp: created, session_time_limit: limit }) {
  const [hours, minutes, seconds] = String(limit).split(":").map(Number);
  const end = Date.parse(created) + ((hours * 60 + minutes) * 60 + seconds) * 1000;
  if (Number.isNaN(end)) return true;
  return end <= Date.now() && end <= (await centreTime());
}

/** The ledger's time; before everything where it cannot be asked. */
async function centreTime() {
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(), 3000);
  try {
    const { headers } = await fetch("/call", { cache: "no-store", signal: ending.signal });
    return Date.parse(headers.get("Daybook-Time") ?? "") || -Infinity;
  } catch {
    return -Infinity;
  } finally {
    clearTimeout(timer);
  }
}

/** A word that the centre asked, where the browser wants one. */
async function missed() {
  const [title, body] = await wordsOf("missed");
  await quietly(title, { body, tag: "missed" });
}

async function renew(event) {
  const options = event.oldSubscription?.options;
  if (!event.newSubscription && options) await self.registration.pushManager.subscribe(options);
}
