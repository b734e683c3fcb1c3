// SPDX-License-Identifier: Apache-2.0
import { t } from "./i18n.js";

/** `subscribe()` hangs where the browser's push service cannot be reached: a site without Internet, most of all. */
const patience = 15_000;

/** This browser's subscription to pushes by Web Push, for one of our service workers: asked for by a button, never by itself. */
export class PushSubscriber {
  #api;
  #ways;

  /**
   * @param {import("./api.js").API} api
   * @param {{known: () => Promise<ServiceWorkerRegistration | undefined>, ready: () => Promise<ServiceWorkerRegistration>, keep: (subscription: {endpoint: string, keys: any}) => Promise<any>,
   *   forget: (subscription: {endpoint: string} | null) => Promise<any>}} ways `known` is the worker that there is already, `ready` one that runs; `keep` and `forget` tell the gateway.
   */
  constructor(api, ways) {
    [this.#api, this.#ways] = [api, ways];
  }

  /** Whether this browser knows pushes at all. */
  static get isPossible() {
    return "serviceWorker" in navigator && "PushManager" in globalThis && "Notification" in globalThis;
  }

  /** Whether the browser was told to show none. */
  static get isDenied() {
    return Notification.permission === "denied";
  }

  async isOn() {
    return Boolean(await this.#current());
  }

  /** Does nothing where somebody refuses the browser's question. */
  async start() {
    if ((await Notification.requestPermission()) !== "granted") return;
    const [{ key }, registration] = await Promise.all([this.#api.get("/v1/push/key"), this.#ways.ready()]);
    const options = { userVisibleOnly: true, applicationServerKey: key };
    await this.#keep(await inTime(subscribe(registration.pushManager, options)));
  }

  /** Puts right what the browser or the gateway changed while the page was closed. */
  async renew() {
    const subscription = await this.#current();
    if (!subscription) return;
    const { key } = await this.#api.get("/v1/push/key");
    // A subscription is for one key of the gateway; with another key nothing comes by it.
    if (keyOf(subscription) === key) return this.#keep(subscription);
    await subscription.unsubscribe();
    return this.start();
  }

  async stop() {
    const subscription = await this.#current();
    await this.#ways.forget(subscription);
    await subscription?.unsubscribe();
  }

  async #current() {
    return (await this.#ways.known())?.pushManager.getSubscription() ?? null;
  }

  #keep(subscription) {
    const { endpoint, keys } = subscription.toJSON();
    return this.#ways.keep({ endpoint, keys });
  }
}

function keyOf(subscription) {
  const bytes = String.fromCharCode(...new Uint8Array(subscription.options.applicationServerKey ?? []));
  return btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

async function subscribe(manager, options) {
  try {
    return await manager.subscribe(options);
  } catch (error) {
    // A subscription for another key of the gateway is in the way, and of no use.
    const old = error.name === "InvalidStateError" && (await manager.getSubscription());
    if (!old) throw error;
    await old.unsubscribe();
    return manager.subscribe(options);
  }
}

function inTime(work) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(t("push.late"))), patience);
    work.then(resolve, () => reject(new Error(t("push.refused")))).finally(() => clearTimeout(timer));
  });
}
