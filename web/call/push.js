// SPDX-License-Identifier: Apache-2.0
/** Being told by Web Push that the centre asks: asked for by a button, never by itself. */
import { fill, find, h, toast } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { PushSubscriber } from "../core/push.js";
import { pressed } from "../dom/busy.js";

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
  if (!PushSubscriber.isPossible) return fill(place);
  const subscriber = new PushSubscriber(api, {
    known: () => navigator.serviceWorker.getRegistration("/call"), ready: () => navigator.serviceWorker.ready,
    keep: (subscription) => api.put("/v1/devices/me/push", subscription), forget: () => api.delete("/v1/devices/me/push"),
  });
  navigator.serviceWorker.addEventListener("message", ({ data }) => data.asked && onAsked());
  const act = (action) => pressed(async () => {
    try {
      await action();
    } catch (error) {
      toast(error.message, "bad");
    }
    await draw();
  });
  const draw = async () => {
    if (PushSubscriber.isDenied) return fill(place, h("p", { class: "small soft" }, t("push.denied")));
    fill(place, (await subscriber.isOn())
      ? [h("p", { class: "small soft", role: "status" }, t("call.push.told")),
        h("button", { type: "button", onclick: act(() => subscriber.stop()) }, t("call.push.off"))]
      : h("button", { type: "button", onclick: act(() => subscriber.start()) }, t("call.push.on")));
  };
  subscriber.renew().then(draw).catch(() => {
    // The gateway is away: the next opening of the page does it.
  });
  return draw();
}
