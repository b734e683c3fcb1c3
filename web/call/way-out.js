// SPDX-License-Identifier: Apache-2.0
import { find } from "../core/dom.js";
import { answerMost } from "../core/patience.js";
import { ask } from "./question.js";

/** Says whom to telephone where the centre does not take what the caller wants: after eight seconds without a chat, once for each press. */
export class WayOut {
  #contact;
  #timer = 0;
  #isDismissed = false;
  #ending = new AbortController();

  /** @param {import("./contact.js").Contact} contact */
  constructor(contact) {
    this.#contact = contact;
    contact.addEventListener("connection", ({ detail }) => (detail ? this.stop() : this.#wait()));
    contact.addEventListener("chat-ended", () => this.stop());
  }

  /** The caller wants something of the centre. */
  pressed() {
    this.#isDismissed = false;
    if (!this.#contact.chat?.isOpen) this.#wait();
  }

  /** It is there, or nothing is wanted of it any more. */
  stop() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#isDismissed = false;
    this.#ending.abort();
  }

  #wait() {
    if (this.#isDismissed) return;
    this.#timer ||= setTimeout(() => this.#say(), answerMost());
  }

  async #say() {
    this.#ending = new AbortController();
    const answer = await ask(find("#no-answer"), this.#ending.signal);
    this.#timer = 0;
    this.#isDismissed = answer !== null;
  }
}
