// SPDX-License-Identifier: Apache-2.0
import { fill, h, toast } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { PushSubscriber } from "../../../core/push.js";
import { local } from "../../../core/storage.js";
import { pressed } from "../../../dom/busy.js";

/** Whose pushes this browser shows: several people may use one, and none is to take it over by looking. */
const ownerKey = "push-user";

/** Whether this browser shows notifications of who looks, with a button to change it. */
export class BrowserPush {
  #user;
  #onChange;
  #subscriber;
  element = h("div", { class: "stack" });

  /** @param {import("../page.js").Desk} desk @param {() => Promise<void>} onChange */
  constructor({ api, me }, onChange) {
    [this.#user, this.#onChange] = [me.user, onChange];
    this.#subscriber = new PushSubscriber(api, {
      known: () => navigator.serviceWorker.getRegistration(scope), ready: bringWorker,
      keep: (subscription) => api.put("/v1/reach/browser", subscription),
      forget: (subscription) => subscription && api.delete(`/v1/reach/browser?endpoint=${encodeURIComponent(subscription.endpoint ?? subscription.toJSON().endpoint)}`),
    });
  }

  async begin() {
    if (PushSubscriber.isPossible && this.#isMine) {
      // The worker's words are in the language of today.
      await bringWorker().then(() => this.#subscriber.renew()).catch(() => {
        // The gateway is away: the next opening of the page does it.
      });
    }
    await this.#show();
  }

  get #isMine() {
    return local.getItem(ownerKey) === this.#user;
  }

  async #show() {
    if (!PushSubscriber.isPossible) return fill(this.element, h("p", { class: "small soft" }, t(isSecureContext ? "duty.push.none" : "duty.push.insecure")));
    if (PushSubscriber.isDenied) return fill(this.element, h("p", { class: "small soft" }, t("push.denied")));
    const isOn = this.#isMine && (await this.#subscriber.isOn());
    const button = (words, act) => h("button", { type: "button", onclick: pressed(() => this.#do(act)) }, t(words));
    fill(this.element, h("p", { role: "status" }, h("span", { class: `chip ${isOn ? "good" : ""}` }, t(isOn ? "duty.push.is-on" : "duty.push.is-off"))),
      isOn ? button("duty.push.off", () => this.#stop()) : button("duty.push.on", () => this.#start()));
  }

  async #start() {
    await this.#subscriber.start();
    if (await this.#subscriber.isOn()) local.setItem(ownerKey, this.#user);
  }

  async #stop() {
    await this.#subscriber.stop();
    local.removeItem(ownerKey);
  }

  async #do(act) {
    try {
      await act();
    } catch (error) {
      toast(error.message, "bad");
    }
    await Promise.all([this.#show(), this.#onChange()]);
  }
}

/** The worker's own folder: it shows pushes and stands before no page. */
const scope = "/web/pages/duty/";

/** Brings the worker in, with its words in its address; answers when it runs. @returns {Promise<ServiceWorkerRegistration>} */
async function bringWorker() {
  const words = new URLSearchParams({ have: t("duty.have"), thanks: t("duty.push.thanks"), over: t("duty.push.over"), away: t("duty.push.away") });
  const registration = await navigator.serviceWorker.register(`${scope}sw.js?${words}`, { scope });
  const worker = registration.installing ?? registration.waiting ?? registration.active;
  if (registration.active || !worker) return registration;
  await new Promise((resolve, reject) => worker.addEventListener("statechange", () => {
    if (worker.state === "activated") resolve(null);
    else if (worker.state === "redundant") reject(new Error(t("push.refused")));
  }));
  return registration;
}
