// SPDX-License-Identifier: Apache-2.0
/** Shows pushes to those who work here, while no page is open, too, and says from the notification that somebody has it. Its words stand in its address: it knows no language. */
importScripts("/web/core/worker.js");

const { read, quietly, open } = self.daybookWorker;
const words = Object.fromEntries(new URL(location.href).searchParams);
const icon = "/web/ui/icon.svg";

addEventListener("install", () => self.skipWaiting());
addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
addEventListener("push", (event) => event.waitUntil(tell(read(event.data))));
addEventListener("notificationclick", (event) => {
  const { action, notification } = event;
  notification.close();
  event.waitUntil(action === "have" ? answer(notification) : open(addressOf(notification)));
});

/** @param {{title?: string, body?: string, url?: string, answer?: string, tag?: string, close?: string} | null} message */
async function tell(message) {
  await tellPages();
  if (message?.close) return close(message.close);
  if (message?.title) await show(message.title, message.body ?? "", message);
}

function show(title, body, { tag = "", url, answer }) {
  return self.registration.showNotification(title, {
    body, icon, tag, renotify: tag !== "", requireInteraction: true, timestamp: Date.now(), data: { tag, url, answer }, actions: answer ? [{ action: "have", title: words.have }] : [],
  });
}

/** What somebody has, or is over, must not stay. @param {string} tag */
async function close(tag) {
  for (const notification of await self.registration.getNotifications({ tag })) notification.close();
  await quietly(words.over, { icon, tag });
}

/** Says that somebody has it, and shows what became of that; where the centre was not reached, the notification stands there again. */
async function answer({ title, data }) {
  const outcome = await post(data.answer);
  if (outcome === null) return show(title, words.away, data);
  await self.registration.showNotification(outcome === "answered" ? words.thanks : words.over, { icon, tag: data.tag, silent: true });
  await tellPages();
}

/** @returns {Promise<string | null>} How the message stands now; `null` where that is not known. */
async function post(code) {
  try {
    const response = await fetch(`/v1/answers/${encodeURIComponent(code)}`, { method: "POST", headers: { "content-type": "application/json" }, body: "{}", credentials: "omit" });
    if (response.ok) return (await response.json()).state;
    return response.status === 404 || response.status === 410 ? "over" : null;
  } catch {
    return null;
  }
}

/** Pages of ours that are open read anew. */
async function tellPages() {
  for (const page of await self.clients.matchAll({ type: "window", includeUncontrolled: true })) page.postMessage({ isCalled: true });
}

/** Where a notification leads: nowhere but here. */
function addressOf({ data }) {
  const address = new URL(data?.url ?? "/duty", location.origin);
  return address.origin === location.origin ? address.pathname + address.search : "/duty";
}
