// SPDX-License-Identifier: Apache-2.0
import { fill, h } from "../../../core/dom.js";
import { numeral, t, term } from "../../../core/i18n.js";
import { arrival } from "../../../core/time.js";
import { stateOf } from "../../../model/chat.js";
import { chatPicture } from "../../../ui/chat-picture.js";

/** So many messages stand there at first, and come at each press. */
const messagesShown = 100;

const marks = { queued: ["✓", "chat.state.taken"], delivered: ["✓", "chat.state.delivered"], seen: ["✓✓", "chat.state.seen"] };

/** A chat as it stood at a moment: what had been written, and what of it had arrived and been seen by then. */
export class ChatThen {
  #api;
  #session = null;
  #chat = null;
  #most = messagesShown;
  /** Elements by message, with the state of the message that they show. */
  #shown = new Map();
  #sources = new Map();
  #list = h("ol");
  #earlier = h("button", { type: "button", class: "plain small", onclick: () => this.#more() });
  #none = h("p", { class: "empty" }, t("replay.chat.none"));
  /** Whether the newest message is in sight; then it stays so, whatever becomes of the room for it. */
  #isAtEnd = true;

  constructor(api) {
    this.#api = api;
    this.element = h("div", { onscroll: () => this.#look(), class: "chat-then", role: "region", tabindex: 0, "aria-label": t("replay.chat") }, this.#earlier, this.#none, this.#list);
    const room = new ResizeObserver(() => this.#isAtEnd && this.#toEnd());
    for (const one of [this.element, this.#list]) room.observe(one);
  }

  draw(session) {
    if (session?.id !== this.#session) this.#begin(session?.id ?? null);
    const chat = session?.chat ?? null;
    if (chat === this.#chat) return;
    this.#chat = chat;
    this.#fill();
    this.#toEnd();
  }

  #toEnd() {
    this.element.scrollTop = this.element.scrollHeight;
    this.#isAtEnd = true;
  }

  #look() {
    const { scrollHeight, scrollTop, clientHeight } = this.element;
    this.#isAtEnd = scrollHeight - scrollTop - clientHeight < 8;
  }

  #begin(id) {
    this.#session = id;
    this.#chat = null;
    this.#most = messagesShown;
    this.#shown.clear();
    for (const address of this.#sources.values()) address.then((text) => URL.revokeObjectURL(text), () => {});
    this.#sources.clear();
    fill(this.#list);
  }

  #more() {
    this.#most += messagesShown;
    const { scrollHeight, scrollTop } = this.element;
    this.#fill();
    // What was in sight stays there.
    this.element.scrollTop = scrollTop + this.element.scrollHeight - scrollHeight;
  }

  #fill() {
    const messages = this.#chat?.messages;
    const total = messages?.length ?? 0;
    const first = Math.max(0, total - this.#most);
    const wanted = messages ? messages.slice(first) : [];
    this.#none.hidden = total > 0;
    this.#earlier.hidden = first === 0;
    this.#earlier.textContent = t("replay.chat.earlier", { count: first, messages: numeral(first) });
    const ids = new Set(wanted.map((message) => message.id));
    for (const [id, { element }] of this.#shown) {
      if (ids.has(id)) continue;
      element.remove();
      this.#shown.delete(id);
    }
    wanted.forEach((message, index) => {
      const known = this.#shown.get(message.id);
      const element = known?.message === message ? known.element : this.#replaced(known?.element, message);
      if (this.#list.children[index] !== element) this.#list.insertBefore(element, this.#list.children[index] ?? null);
    });
  }

  #replaced(before, message) {
    const element = this.#item(message);
    before?.replaceWith(element);
    this.#shown.set(message.id, { message, element });
    return element;
  }

  #item(message) {
    const [mark, key] = marks[stateOf(message)];
    return h("li", { class: message.from === "caller" ? "" : "mine", dataset: { message: message.id, state: stateOf(message) } },
      h("div", { class: "bubble" }, message.picture ? this.#picture(message) : message.text ?? h("em", {}, t("chat.erased"))),
      h("div", { class: "meta" }, term(`replay.side.${message.from}`, message.from), " ", arrival(message.sentAt, message.writtenAt), h("span", { title: t(key) }, h("span", { "aria-hidden": "true" }, mark), " ", t(key))));
  }

  /** Fetched once, however often its message is drawn. */
  #picture({ id, from, picture }) {
    const session = this.#session;
    return chatPicture(picture, t(from === "caller" ? "replay.chat.picture.caller" : "replay.chat.picture.operator"), () => {
      if (!this.#sources.has(id)) this.#sources.set(id, this.#api.file(`/v1/sessions/${session}/pictures/${id}`).then((blob) => URL.createObjectURL(blob)));
      const source = this.#sources.get(id);
      source.catch(() => this.#sources.delete(id));
      return source;
    });
  }
}
