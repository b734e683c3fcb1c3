// SPDX-License-Identifier: Apache-2.0
/** Being told by Web Push that the centre asks: asked for by a button, never by itself. */
import { fill, find, h, toast } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { pressed } from "../dom/busy.js";

/** `subscribe()` hangs where the browser's push service cannot be reached: a site without Internet, most of all. */
const patience = 15_000;

/** Title and text of what the worker shows while no page is open, by kind; it knows no language. */
const shownWords = () => ({
  video_call: [t("push.video"), t("push.video.text")],
  location: [t("push.location"), t("push.location.text")],
  chat: [t("push.chat"), t("push.chat.text")],
  missed: [t("push.missed"), t("push.missed.text")],
});

/** Brings in what opens this page without a network and shows pushes, with the words for them. */
export async function bringWorker() {
  if (!("serviceWorker" in navigator)) return;
  try {
    await navigator.serviceWorker.register("/web/call/sw.js", { scope: "/call" });
    const { active } = await navigator.serviceWorker.ready;
    active.postMessage({ words: shownWords() });
  } catch {
    // Without it the page works as long as there is a network.
  }
}

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
  const act = (action) => pressed(async () => {
    try {
      await action(api);
    } catch (error) {
      toast(error.message, "bad");
    }
    await draw();
  });
  const draw = async () => {
    if (Notification.permission === "denied") {
      return fill(place, h("p", { class: "small soft" }, t("call.push.denied")));
    }
    const isOn = Boolean(await current());
    fill(place, isOn
      ? [h("p", { class: "small soft", role: "status" }, t("call.push.told")),
        h("button", { type: "button", onclick: act(stop) }, t("call.push.off"))]
      : h("button", { type: "button", onclick: act(start) }, t("call.push.on")));
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
    const timer = setTimeout(() => reject(new Error(t("call.push.late"))), patience);
    work.then(resolve, () => reject(new Error(t("call.push.refused")))).finally(() => clearTimeout(timer));
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
