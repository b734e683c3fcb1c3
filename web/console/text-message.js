// SPDX-License-Identifier: Apache-2.0
import { h, refill } from "../core/dom.js";

/** How often it is asked how far a message has come, and how long: then the telephone is the surer way. */
const againMilliseconds = 1500;
const patienceMilliseconds = 180_000;

/** What is said of a message, by how far it came. */
const words = {
  queued: ["not sent yet: if this stays, tell it on the telephone", "warn"], partly_sent: ["not sent yet: if this stays, tell it on the telephone", "warn"], sent: ["sent", "good"], accepted: ["sent", "good"],
  delivered: ["delivered", "good"], undeliverable: ["could not be delivered: tell it on the telephone", "bad"], failed: ["could not be sent: tell it on the telephone", "bad"],
};

/** A button that sends a text to a number by SMS, and what became of that. */
export class TextMessage {
  #api;
  #timer = 0;
  element = h("div", { class: "row" });

  constructor(api) {
    this.#api = api;
  }

  /**
   * Offers to send something else, in the words of a template; what became of the last one is not followed any more.
   * @param {{cause: string, template: string, phone: string, values: Record<string, string>, label: string, lasts: number} | null} message `lasts` is how many seconds it is worth sending; `null` for nothing to send.
   */
  offer(message) {
    clearTimeout(this.#timer);
    this.#draw(message, null, "");
  }

  #draw(message, state, fault) {
    refill(this.element, [message, state, fault], () => message && [
      h("button", { type: "button", class: state ? "" : "primary", dataset: { key: "sms" }, onclick: () => this.#send(message) }, state || fault ? "Send it again by SMS" : message.label),
      h("span", { role: "status", class: state || fault ? `chip ${fault ? "bad" : words[state][1]}` : "" }, fault || (state ? words[state][0] : ""))]);
  }

  async #send(message) {
    clearTimeout(this.#timer);
    const { cause, template, phone, values, lasts } = message;
    try {
      // Each press is a message of its own.
      const { alert } = await this.#api.post("/v1/alerts", { cause, template, severity: "warning", sms: phone, values, language: document.documentElement.lang.slice(0, 2) || "en", timeToLiveSeconds: Math.max(1, Math.round(lasts)), deduplicationKey: `${template} ${Date.now()}` });
      this.#draw(message, "queued", "");
      this.#follow(message, alert, performance.now());
    } catch (error) {
      this.#draw(message, null, error.message);
    }
  }

  #follow(message, alert, since) {
    this.#timer = setTimeout(async () => {
      try {
        const { items } = await this.#api.get(`/v1/alerts?cause=${encodeURIComponent(message.cause)}&limit=20`);
        const part = items.find(({ id }) => id === alert)?.parts.find(({ channel }) => channel === "sms");
        const state = part && part.state !== "queued" && part.report ? part.report : part?.state ?? "queued";
        this.#draw(message, state, "");
        if (["delivered", "undeliverable", "failed"].includes(state)) return;
      } catch {
        // Asked again, for as long as it is of interest.
      }
      if (this.element.isConnected && performance.now() - since < patienceMilliseconds) this.#follow(message, alert, since);
    }, againMilliseconds);
  }
}
