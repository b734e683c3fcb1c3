// SPDX-License-Identifier: Apache-2.0
import { h, fill } from "../core/dom.js";
import { timeElement } from "../core/time.js";

const words = {
  queued: ["◷", "Waiting to be sent"],
  delivered: ["✓", "Delivered"],
  seen: ["✓✓", "Seen"],
  failed: ["!", "Not sent"],
};

/** The messages of a chat, each once, in the order in which they came to be known; new ones are read out. */
export class ChatLog extends HTMLElement {
  #items = new Map();
  #byID = new Map();
  #list = h("ol");

  connectedCallback() {
    if (this.firstChild) return;
    this.tabIndex = 0;
    this.setAttribute("role", "log");
    this.setAttribute("aria-label", "Messages");
    this.append(this.#list);
  }

  clear() {
    this.#items.clear();
    this.#byID.clear();
    fill(this.#list);
  }

  get count() {
    return this.#items.size;
  }

  /**
   * Shows a message, or what is new about one.
   * @param {{key: string, isMine: boolean, text?: string, at: number | string, state?: string, id?: string, error?: string, onAgain?: () => void}} message
   * @returns {boolean} Whether it was not there before.
   */
  show(message) {
    const known = this.#items.get(message.key);
    if (known) {
      this.#change(known, message);
      return false;
    }
    const item = { ...message, element: h("li"), meta: h("div", { class: "meta" }) };
    fill(item.element, h("div", { class: "bubble" }, message.text ?? "This message was erased."), item.meta);
    item.element.classList.toggle("mine", message.isMine);
    this.#items.set(message.key, item);
    this.#change(item, message);
    this.#append(item.element);
    return true;
  }

  /** The other side has seen this message, and so all before it. */
  markSeen(id) {
    const last = this.#byID.get(id);
    if (!last) return;
    for (const item of this.#items.values()) {
      if (item.isMine && item.state === "delivered") this.#change(item, { state: "seen" });
      if (item === last) return;
    }
  }

  /** Something that happened, between the messages. */
  note(text, at = new Date().toISOString()) {
    this.#append(h("li", { class: "note" }, text, " · ", timeElement(at)));
  }

  #change(item, change) {
    // What was seen stays seen, whatever an older report says.
    if (item.state === "seen" && change.state === "delivered") delete change.state;
    Object.assign(item, change, { element: item.element, meta: item.meta });
    if (item.id) this.#byID.set(item.id, item);
    item.element.classList.toggle("failed", item.state === "failed");
    const at = timeElement(typeof item.at === "number" ? new Date(item.at).toISOString() : item.at);
    const [mark, word] = words[item.state] ?? [];
    fill(
      item.meta, at,
      item.isMine && mark && h("span", { title: word, dataset: { state: item.state } }, h("span", { "aria-hidden": "true" }, mark), " ", word),
      item.state === "failed" && item.error && h("span", {}, item.error),
      item.state === "failed" && item.onAgain && h("button", { class: "plain small", type: "button", onclick: item.onAgain }, "Send again"),
    );
  }

  #append(element) {
    const isAtEnd = this.scrollHeight - this.scrollTop - this.clientHeight < 80;
    this.#list.append(element);
    if (isAtEnd || element.classList.contains("mine")) this.scrollTop = this.scrollHeight;
  }
}

customElements.define("chat-log", ChatLog);
