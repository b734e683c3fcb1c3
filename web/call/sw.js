// SPDX-License-Identifier: Apache-2.0
/** Lets the caller's page open without a network, and tells the caller that the centre asks while the page is closed. */
importScripts("/web/core/worker.js");

const { keepPages, read, quietly, windows, open, showAlert } = self.daybookWorker;
const name = "call-1";

keepPages(name, ["/call"]);

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
  event.waitUntil(open(event.notification.data?.page ?? "/call"));
});
// The browser changed the subscription by itself; the page, which has the phone's token, brings the new one when it opens.
addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew(event)));

/** Tells of a push that came in time; one that came too late is passed over, as the source document asks. */
async function tell(data) {
  const message = read(data)?.data;
  if (message?.message_type === "sos") return showAlert(message);
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
