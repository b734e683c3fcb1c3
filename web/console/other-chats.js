// SPDX-License-Identifier: Apache-2.0
import { fill, h, refill } from "../core/dom.js";
import { nameOfSession, tabsOf } from "./incident.js";
import { linesOf } from "./transcript.js";

/** Many words of a moment are read at once. */
const pauseMilliseconds = 100;

/**
 * The chats of an incident: a tab for one's own and one for each other session that may be read. What others talk about is read and not written in.
 */
export class OtherChats {
  #api;
  #nameOf;
  #own;
  #read = null;
  #others = [];
  #session = null;
  #log = null;
  #timer = 0;
  /** The tabs; hidden where there is one chat alone. */
  tabs = h("div", { class: "chats", role: "group", "aria-label": "Chats of this incident", hidden: true });
  /** Where a chat of another stands. */
  element = h("div", { class: "other-chat", hidden: true });

  /**
   * @param {(user: string) => string} nameOf A colleague's name.
   * @param {Element[]} own What belongs to one's own chat alone: it gives way.
   */
  constructor(api, nameOf, own) {
    this.#api = api;
    this.#nameOf = nameOf;
    this.#own = own;
  }

  stop() {
    clearTimeout(this.#timer);
  }

  /** What the incident has now. @param {any} session The one that is shown. @param {{session: any}[]} others */
  show(session, others) {
    [this.#session, this.#others] = [session, others];
    if (this.#read !== null && !others.some((one) => one.session.id === this.#read)) this.choose(null);
    this.tabs.hidden = others.length === 0;
    refill(this.tabs, [nameOfSession(session), tabsOf(others, this.#read)], () => [
      this.#tab(null, nameOfSession(session), this.#read === null, 0),
      tabsOf(others, this.#read).map((tab) => this.#tab(tab.id, tab.name, tab.isRead, tab.unread)),
    ]);
  }

  #tab(id, name, isChosen, unread) {
    return h("button", { type: "button", dataset: { key: `chat-${id ?? "own"}` }, "aria-pressed": String(isChosen), onclick: () => this.choose(id) },
      h("span", { class: "figures" }, name), unread > 0 && h("span", { class: "chip warn" }, unread));
  }

  /** Shows a chat; one's own where `id` is `null`. */
  choose(id) {
    clearTimeout(this.#timer);
    this.#read = id;
    this.#log = null;
    const other = this.#others.find((one) => one.session.id === id)?.session;
    for (const part of this.#own) part.classList.toggle("gives-way", Boolean(other));
    this.element.hidden = !other;
    fill(this.element);
    if (other) {
      this.#log = h("chat-log", { "aria-label": `Messages of ${nameOfSession(other)}` });
      const whose = other.owner ? `${this.#nameOf(other.owner)} has this caller.` : "Nobody has this caller.";
      this.#log.fetchPicture = (message) => this.#api.file(`/v1/sessions/${id}/pictures/${message}`);
      fill(this.element, h("p", { class: "notice small" }, `${whose} You read, and cannot write here.`), this.#log);
      this.#readTranscript();
    }
    if (this.#session) this.show(this.#session, this.#others);
  }

  /** Hears of an event of another session's chat. */
  take(session) {
    if (session !== this.#read) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#readTranscript(), pauseMilliseconds);
  }

  async #readTranscript() {
    const log = this.#log;
    try {
      const { messages } = await this.#api.get(`/v1/sessions/${this.#read}/transcript`);
      if (log !== this.#log) return;
      log.reconcile(linesOf(messages));
    } catch (error) {
      if (log === this.#log) fill(this.element, h("p", { class: "notice bad" }, error.message));
    }
  }
}
