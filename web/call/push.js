// SPDX-License-Identifier: Apache-2.0
/** Being told by Web Push that the centre asks: asked for by a button, never by itself. */
import { fill, find, h, toast } from "../core/dom.js";

/** `subscribe()` hangs where the browser's push service cannot be reached: a site without Internet, most of all. */
const patience = 15_000;

/**
 * Shows on the home screen whether this phone is told when the centre asks, with a button to change it.
 * @param {import("../core/api.js").API} api
 * @param {() => void} onAsked A push came while the page is looked at, perhaps before the page heard of it itself.
 */
export function offerPush(api, onAsked) {
  const place = find("#push");
  const isPossible = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
  if (!isPossible) return fill(place);
  navigator.serviceWorker.addEventListener("message", ({ data }) => data.asked && onAsked());
  const act = (action) => async (event) => {
    event.target.disabled = true;
    try {
      await action(api);
    } catch (error) {
      toast(error.message, "bad");
    }
    await draw();
  };
  const draw = async () => {
    if (Notification.permission === "denied") {
      return fill(place, h("p", { class: "small soft" }, "This browser was told to show no notifications of this page. Its settings can change that."));
    }
    const isOn = Boolean(await current());
    fill(place, isOn
      ? [h("p", { class: "small soft", role: "status" }, "This phone notifies you when the emergency centre needs you, even while this page is closed."),
        h("button", { type: "button", onclick: act(stop) }, "Turn off notifications")]
      : h("button", { type: "button", onclick: act(start) }, "Turn on notifications"));
  };
  // What the browser or the gateway changed while this page was closed is put right.
  current().then((subscription) => subscription && renew(api, subscription)).then(draw).catch(() => {
    // The gateway is away: the next opening of the page does it.
  });
  return draw();
}

async function current() {
  const registration = await navigator.serviceWorker.getRegistration("/call");
  return registration?.pushManager.getSubscription() ?? null;
}

async function start(api) {
  if ((await Notification.requestPermission()) !== "granted") return;
  const [{ key }, registration] = await Promise.all([api.get("/v1/push/key"), navigator.serviceWorker.ready]);
  const options = { userVisibleOnly: true, applicationServerKey: key };
  await keep(api, await inTime(subscribe(registration.pushManager, options)));
}

/** A subscription is for one key of the gateway; with another key nothing comes by it. */
async function renew(api, subscription) {
  const { key } = await api.get("/v1/push/key");
  if (keyOf(subscription) === key) return keep(api, subscription);
  await subscription.unsubscribe();
  return start(api);
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
    const timer = setTimeout(() => reject(new Error("The browser's push service cannot be reached from here. Keep this page open to be told.")), patience);
    work.then(resolve, () => reject(new Error("The browser does not take notifications for this page now. Keep it open to be told."))).finally(() => clearTimeout(timer));
  });
}

function keep(api, subscription) {
  const { endpoint, keys } = subscription.toJSON();
  return api.put("/v1/devices/me/push", { endpoint, keys });
}

async function stop(api) {
  await api.delete("/v1/devices/me/push");
  await (await current())?.unsubscribe();
}
