// SPDX-License-Identifier: Apache-2.0
import { h, refill } from "../core/dom.js";
import { countdown, now, timeElement } from "../core/time.js";

const asks = { start_video: "Video", stop_video: "Stop video", send_location: "Place" };
const answers = { accepted: ["accepted", "good"], declined: ["declined", "bad"], stale: ["no answer in time", "bad"] };

/** What the caller was asked for, and what became of it, the newest first. */
export class Asked {
  element = h("ul", { class: "asked", "aria-label": "Asked" });

  /** @param {any[]} requests @param {boolean} isUnheard Whether no phone of the caller's shows them. */
  show(requests, isUnheard) {
    this.element.hidden = requests.length === 0;
    refill(this.element, [requests, isUnheard], () => [...requests].reverse().map((request) => {
      const [word, kind] = answers[request.answer] ?? [request.openedAt ? "opened" : isUnheard ? "no phone" : "sent", "warn"];
      return h("li", {}, h("span", {}, asks[request.ask], " ", timeElement(request.sentAt)),
        h("span", { class: `chip ${kind}` }, word, !request.answer && request.expiresAt && h("span", { class: "figures", dataset: { until: request.expiresAt } })));
    }));
  }

  tick() {
    for (const clock of this.element.querySelectorAll("[data-until]")) {
      clock.textContent = countdown(clock.dataset.until);
      if (new Date(clock.dataset.until).getTime() > now()) continue;
      // The gateway would count an answer as stale from now on.
      const [word, kind] = answers.stale;
      clock.parentElement.className = `chip ${kind}`;
      clock.parentElement.textContent = word;
    }
  }
}
