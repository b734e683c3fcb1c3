// SPDX-License-Identifier: Apache-2.0
import { h, refill } from "../core/dom.js";
import { ready, t } from "../core/i18n.js";
import { now, timeOfDay } from "../core/time.js";

/**
 * Says across the page that the centre is not reached, and what that means; nothing while it is.
 *
 * `isLive` is what the page knows of the gateway, the device's own network it sees by itself. Who works there reads since when, and that what is seen may be old; with the
 * attribute `caller` it says, where `isKept`, that what is written is kept; the number to telephone stands beneath it, as large as it can be.
 */
export class ConnectionBar extends HTMLElement {
  #isReady = false;
  #isLive = true;
  #isKept = false;
  #since = 0;
  #ending = null;

  connectedCallback() {
    this.#ending = new AbortController();
    this.setAttribute("role", "status");
    for (const type of ["online", "offline"]) addEventListener(type, () => this.#show(), { signal: this.#ending.signal });
    // Before, it would be in English.
    ready.then(() => {
      this.#isReady = true;
      this.#show();
    });
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

  /** Whether what is written here is kept until the centre is there again. */
  set isKept(isKept) {
    this.#isKept = isKept;
    this.#show();
  }

  #show() {
    if (!this.#isReady) return;
    const isGood = this.#isLive && navigator.onLine;
    if (isGood) this.#since = 0;
    else this.#since ||= now();
    this.hidden = isGood;
    refill(this, [isGood, navigator.onLine, this.#since, this.#isKept], () => !isGood && (this.hasAttribute("caller") ? this.#forCaller() : this.#forStaff()));
  }

  #forStaff() {
    const time = timeOfDay(this.#since);
    return [h("strong", {}, t(navigator.onLine ? "bar.since" : "bar.offline", { time })), " ", t("bar.stale")];
  }

  #forCaller() {
    return [h("strong", {}, t(navigator.onLine ? "away" : "bar.network")), " ", this.#isKept && t("bar.kept")];
  }
}

customElements.define("connection-bar", ConnectionBar);
