// SPDX-License-Identifier: Apache-2.0
import { fill, find, h } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { PushSubscriber } from "../../../core/push.js";
import { local } from "../../../core/storage.js";
import { pressed } from "../../../dom/busy.js";
import { isNoticeAwaited, noticesDue } from "../../../model/safety.js";

const stores = { noted: "safe-noted", isOff: "safe-notices-off" };
/** So many alerts are remembered, the newest. */
const notedMost = 20;
/** Button of a notification, and what its press says to the page. */
const again = "again";

/** What the browser has of notifications; a test has its own. */
const browser = {
  get permission() {
    return (navigator.serviceWorker && globalThis.Notification?.permission) || "denied";
  },
  ask: () => Notification.requestPermission(),
  isHidden: () => document.visibilityState !== "visible",
  registration: () => navigator.serviceWorker.getRegistration("/safe"),
};

/** Lets the gateway say it by push, too, for the time when no page is open. Where the browser's push service is away, an open page has to do. @param {import("../../../core/api.js").API} api */
export async function followByPush(api) {
  if (!PushSubscriber.isPossible || Notification.permission !== "granted") return;
  const subscriber = new PushSubscriber(api, {
    known: browser.registration, ready: () => navigator.serviceWorker.ready,
    keep: (subscription) => api.put("/v1/devices/me/push", subscription), forget: () => api.delete("/v1/devices/me/push"),
  });
  try {
    if (await subscriber.isOn()) await subscriber.renew();
    else await subscriber.start();
  } catch {
    // The next opening of the page tries again.
  }
}

/**
 * Says by a notification what became of an alert while the page is hidden: once that all contacts' messages went out, or that the alert did not arrive. Its words do not tell
 * others who see the phone what it is about.
 */
export class Notices {
  #alerts;
  #storage;
  #device;
  #onAllowed;

  /** @param {{open: any[], waiting: any[], refused: any[]}} alerts @param {() => any} [onAllowed] Somebody has just let the page show notifications. */
  constructor(alerts, storage = local, device = browser, onAllowed = () => {}) {
    [this.#alerts, this.#storage, this.#device, this.#onAllowed] = [alerts, storage, device, onAllowed];
  }

  /** Whether a hidden page is to go on asking what became of an alert. */
  get isAwaited() {
    return this.#device.permission === "granted" && isNoticeAwaited(this.#alerts.open, this.#noted);
  }

  /** Shows what is due. What is seen on the page itself needs no notification, then or later. */
  look() {
    const noted = this.#noted;
    const due = noticesDue(this.#alerts, noted);
    if (due.length === 0) return;
    for (const { id, notice } of due) {
      // The newest stands last.
      delete noted[id];
      noted[id] = notice;
    }
    this.#storage.setItem(stores.noted, JSON.stringify(Object.fromEntries(Object.entries(noted).slice(-notedMost))));
    if (!this.#device.isHidden() || this.#device.permission !== "granted") return;
    for (const { id, notice } of due) this.#show(id, notice);
  }

  /** The page is looked at: its notifications have said what they had to. */
  async clear() {
    try {
      const shown = (await (await this.#device.registration())?.getNotifications()) ?? [];
      for (const one of shown) if (one.tag.startsWith(tagOf(""))) one.close();
    } catch {
      // They stay until somebody puts them away.
    }
  }

  /** Offers to show notifications, until that is decided. The browser is asked by a press only. */
  offer() {
    const place = find("#notices");
    const isOpen = this.#device.permission === "default" && this.#storage.getItem(stores.isOff) === null;
    place.hidden = !isOpen;
    if (!isOpen || place.children.length) return;
    fill(place, h("p", {}, t("safe.notices.offer")), h("div", { class: "row" },
      h("button", { type: "button", class: "grow", onclick: pressed(() => this.#decide(true)) }, t("safe.notices.yes")), h("button", { type: "button", class: "grow", onclick: () => this.#decide(false) }, t("safe.notices.no"))));
  }

  async #decide(isWanted) {
    if (isWanted && (await this.#device.ask()) === "granted") this.#onAllowed();
    if (!isWanted) this.#storage.setItem(stores.isOff, "yes");
    this.offer();
  }

  async #show(id, notice) {
    try {
      const registration = await this.#device.registration();
      await registration?.showNotification(t(`safe.notice.title.${notice}`), {
        body: t(`safe.notice.text.${notice}`), tag: tagOf(id), renotify: true, requireInteraction: notice === "failed", icon: "/web/ui/icon.svg", timestamp: Date.now(), data: { id },
        actions: notice === "failed" ? [{ action: again, title: t("safe.again") }] : [],
      });
    } catch {
      // The page says it, too.
    }
  }

  /** @returns {Record<string, import("../../../model/safety.js").Notice>} */
  get #noted() {
    try {
      return JSON.parse(this.#storage.getItem(stores.noted) ?? "{}");
    } catch {
      return {};
    }
  }
}

/** Of which alert a press on "Try again" spoke; empty where it was another word. @param {string} wanted As the worker, or the address, has it. */
export const againOf = (wanted) => (wanted.startsWith(`${again}/`) ? wanted.slice(again.length + 1) : "");

/** One notification for each alert: a newer one takes its place. */
const tagOf = (id) => `sos-${id}`;
