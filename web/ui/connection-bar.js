// SPDX-License-Identifier: Apache-2.0
import { h, refill } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { site } from "../core/site.js";
import { now, timeOfDay } from "../core/time.js";

/**
 * Says across the page that the centre is not reached, since when, and what that means; nothing while it is.
 *
 * `isLive` is what the page knows of the gateway, the device's own network it sees by itself. With the attribute `caller` the number to telephone is in it, and that what is
 * written is kept; without, that what is seen may be old.
 */
export class ConnectionBar extends HTMLElement {
  #isLive = true;
  #since = 0;
  #ending = null;

  connectedCallback() {
    this.#ending = new AbortController();
    this.setAttribute("role", "status");
    for (const type of ["online", "offline"]) addEventListener(type, () => this.#show(), { signal: this.#ending.signal });
    this.#show();
  }

  disconnectedCallback() {
    this.#ending.abort();
  }

  get isLive() {
    return this.#isLive;
  }

  set isLive(isLive) {
    this.#isLive = isLive;
    this.#show();
  }

  #show() {
    const isGood = this.#isLive && navigator.onLine;
    if (isGood) this.#since = 0;
    else this.#since ||= now();
    this.hidden = isGood;
    refill(this, [isGood, navigator.onLine, this.#since], () => !isGood && this.#words());
  }

  #words() {
    const time = timeOfDay(this.#since);
    const state = h("strong", {}, navigator.onLine ? t("bar.since", { time }) : t("bar.offline", { time }));
    if (!this.hasAttribute("caller")) return [state, " ", t("bar.stale")];
    return [state, " ", t("bar.kept"), " ", h("a", { href: `tel:${site.emergencyNumber}`, dataset: { key: "call" } }, t("bar.call"))];
  }
}

customElements.define("connection-bar", ConnectionBar);
