// SPDX-License-Identifier: Apache-2.0
/**
 * Lets pages open without a network, shows pushes, and leads from a page's notifications back to it. Which pages, and under what name they are kept, stands in its address; notifications are those
 * of the first page.
 */
importScripts("/web/core/worker.js");

const { keepPages, windows, read, showAlert } = self.daybookWorker;
const asked = new URL(location.href).searchParams;
const pages = asked.getAll("page");
keepPages(asked.get("name"), pages);

addEventListener("notificationclick", (event) => {
  const { action, notification } = event;
  notification.close();
  const { id, page = pages[0] } = notification.data ?? {};
  event.waitUntil(lead(page, action && id ? `${action}/${id}` : ""));
});

// A phone has one subscription, of the page that asked last: what the centre asks of a caller may come here, too.
addEventListener("push", (event) => {
  const message = read(event.data)?.data;
  const told = message?.message_type === "sos" ? showAlert(message) : self.registration.showNotification("The emergency centre", { body: "Open this page.", icon: "/web/ui/icon.svg", tag: "call", data: { page: "/call" } });
  event.waitUntil(told);
});

/** Brings the page to the front. It hears which button was pressed, and of what; opened anew, it finds that in its address. @param {string} page @param {string} wanted Empty where the notification itself was pressed. */
async function lead(page, wanted) {
  const [shown] = await windows(page);
  if (!shown) return self.clients.openWindow(wanted ? `${page}#${wanted}` : page);
  if (wanted) shown.postMessage({ wanted });
  return shown.focus();
}
