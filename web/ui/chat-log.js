// SPDX-License-Identifier: Apache-2.0
import { h, fill } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { arrival, now, timeElement } from "../core/time.js";
import { chatPicture } from "./chat-picture.js";
import { serviceIcon, services } from "./services.js";

/** How far a message of one's own has come; it goes back nowhere. */
const way = ["taken", "delivered", "seen"];

const marks = { queued: "◷", taken: "✓", delivered: "✓", seen: "✓✓", failed: "!", doubtful: "?" };

/** Whoever is this near to the end, in pixels, reads what is new. */
const endMost = 40;

/**
 * The messages of a chat, each once, in the order in which they came to be known; new ones are read out.
 *
 * Whoever stands at its end stays there, whatever comes, grows or changes its size; whoever reads further up is told of what is new, and gets there by one press.
 *
 * Tells by the event `shown`, with an id, up to which message of the other side somebody can have seen the chat: it was on the
 * screen, and the page was looked at.
 */
export class ChatLog extends HTMLElement {
  #items = new Map();
  #byID = new Map();
  /** What happened, by key. */
  #notes = new Map();
  #list = h("ol");
  /** What stands on the screen now, by element. */
  #visible = new Set();
  #eyes = new IntersectionObserver((changes) => this.#noticed(changes), { threshold: 0.5 });
  #isPinned = true;
  /** What was its size when it was looked at last: scrolling that follows from another one is nobody's wish. */
  #size = "";
  #sizes = new ResizeObserver(() => this.#settle());
  #newer = h("button", { type: "button", class: "newer", hidden: true, onclick: () => this.#toEnd() });
  #ending = null;
  #seenEarly = null;
  /** What arrived at the other side before its own sending was answered. */
  #deliveredEarly = new Set();
  /** Addresses of pictures in this page. */
  #sources = [];
  /** Fetches a picture by its message's id. @type {(id: string) => Promise<Blob>} */
  fetchPicture = async () => {
    throw new Error("There is no picture here.");
  };

  connectedCallback() {
    this.#ending = new AbortController();
    document.addEventListener("visibilitychange", () => this.#look(), { signal: this.#ending.signal });
    this.addEventListener("scroll", () => this.#scrolled(), { signal: this.#ending.signal, passive: true });
    for (const element of [this, this.#list]) this.#sizes.observe(element);
    if (this.firstChild) return;
    this.tabIndex = 0;
    this.setAttribute("role", "log");
    this.setAttribute("aria-label", t("chat.log"));
    this.append(this.#list, this.#newer);
  }

  disconnectedCallback() {
    this.#ending.abort();
    this.#eyes.disconnect();
    this.#sizes.disconnect();
    this.#release();
  }

  #release() {
    for (const address of this.#sources) URL.revokeObjectURL(address);
    this.#sources = [];
  }

  clear() {
    this.#items.clear();
    this.#byID.clear();
    this.#notes.clear();
    this.#deliveredEarly.clear();
    this.#visible.clear();
    this.#eyes.disconnect();
    fill(this.#list);
    this.#release();
    this.#isPinned = true;
    this.#tellNewer();
  }

  /** Takes away what the ledger has. @returns {{messages: string[], notes: string[]}} What that was: ids of messages, keys of notes. */
  takeAway() {
    const gone = { messages: [...this.#byID.keys()], notes: [...this.#notes.keys()] };
    for (const { key, element } of this.#byID.values()) {
      this.#items.delete(key);
      this.#visible.delete(element);
      this.#eyes.unobserve(element);
      element.remove();
    }
    for (const note of this.#notes.values()) note.remove();
    this.#byID.clear();
    this.#notes.clear();
    this.#toEnd();
    return gone;
  }

  /** Whether a message stands here that the ledger has under an id. */
  has(id) {
    return this.#byID.has(id);
  }

  /** Whether a message stands here under a key. */
  knows(key) {
    return this.#items.has(key);
  }

  /** How far each of one's own messages has come. @returns {string[]} */
  get ownStates() {
    return [...this.#items.values()].filter((item) => item.isMine).map((item) => item.state);
  }

  /** How many messages of the other side nobody can have seen. */
  get unread() {
    return [...this.#items.values()].filter((item) => !item.isMine && item.state !== "seen").length;
  }

  /**
   * Shows a whole chat as the ledger has it: what is missing here comes where it belongs.
   * @param {object[]} messages As for `show`, oldest first.
   */
  reconcile(messages) {
    let before = null;
    for (const message of messages) {
      this.show(message, before);
      before = this.#items.get(message.key).element;
    }
  }

  get count() {
    return this.#items.size;
  }

  /**
   * Shows a message, or what is new about one.
   * @param {{key: string, isMine: boolean, text?: string, quickResponse?: string, badge?: string, picture?: object, blob?: Blob, at: number | string, writtenAt?: number | null, state?: string, words?: Record<string, string>, id?: string, error?: string, onAgain?: (() => void) | null}} message
   *   `words` are other words for states than the usual ones; a `badge` makes the message loud.
   * @param {Element | null} [before] Behind what it belongs, `null` for the beginning; without it, it is the newest.
   * @returns {boolean} Whether it was not there before.
   */
  show(message, before = undefined) {
    const known = this.#items.get(message.key);
    if (known) {
      this.#change(known, message);
      return false;
    }
    const item = { ...message, element: h("li", { dataset: { message: message.key } }), meta: h("div", { class: "meta" }) };
    fill(item.element, h("div", { class: "bubble" }, this.#content(item)), item.meta);
    item.element.classList.toggle("mine", message.isMine);
    this.#items.set(message.key, item);
    this.#change(item, message);
    this.#append(item.element, before);
    if (!item.isMine) this.#eyes.observe(item.element);
    return true;
  }

  /** @returns {any} What stands in the bubble. */
  #content(item) {
    if (!item.picture && !item.blob) return [services.includes(item.quickResponse) && item.text !== undefined && serviceIcon(item.quickResponse), item.text ?? t("chat.erased")];
    const words = t(item.isMine ? "chat.picture.mine" : "chat.picture.theirs");
    return chatPicture(item.picture ?? {}, words, async () => {
      const address = URL.createObjectURL(item.blob ?? (await this.fetchPicture(item.id)));
      this.#sources.push(address);
      return address;
    });
  }

  /** What is new about the message that the ledger has under an id, where it stands here. @param {string} id @param {object} change As for `show`. */
  tell(id, change) {
    const item = this.#byID.get(id);
    if (item) this.#change(item, change);
  }

  /** The other side has this message. */
  markDelivered(id) {
    const item = this.#byID.get(id);
    if (!item) return void this.#deliveredEarly.add(id);
    if (item.isMine) this.#change(item, { state: "delivered" });
  }

  /** The other side has seen this message, and so all before it. */
  markSeen(id) {
    const last = this.#byID.get(id);
    // That a picture was seen may come before its own sending is answered.
    if (!last) return (this.#seenEarly = id);
    for (const item of this.#items.values()) {
      if (item.isMine && way.includes(item.state)) this.#change(item, { state: "seen" });
      if (item === last) return;
    }
  }

  /** Something that happened, between the messages. */
  note(text, at = new Date(now()).toISOString()) {
    this.#append(h("li", { class: "note" }, h("span", {}, text, " · ", timeElement(at))));
  }

  /**
   * Shows what happened between the messages, each where its time puts it; one that is known says what is said of it now.
   * @param {{key: string, at: string, text: string}[]} notes Oldest first.
   */
  showNotes(notes) {
    for (const { key, at, text } of notes) {
      const known = this.#notes.get(key) ?? h("li", { class: "note", dataset: { at: Date.parse(at) } });
      const words = h("span", {}, text, " · ", timeElement(at));
      if (known.textContent !== words.textContent) fill(known, words);
      const isNew = !this.#notes.has(key);
      this.#notes.set(key, known);
      const later = this.#firstBehind(Date.parse(at), known);
      if (isNew || later !== known.nextElementSibling) this.#append(known, later ? later.previousElementSibling : undefined);
    }
  }

  /** What stands first behind a moment, but for the notes that are put there themselves. */
  #firstBehind(moment, note) {
    const time = (element) => {
      const { at } = this.#items.get(element.dataset.message) ?? { at: Number(element.dataset.at) };
      return typeof at === "number" ? at : Date.parse(at);
    };
    return [...this.#list.children].find((element) => element !== note && time(element) > moment) ?? null;
  }

  #change(item, change) {
    // What was seen stays seen, whatever an older report says.
    if (way.includes(change.state) && way.indexOf(change.state) < way.indexOf(item.state)) delete change.state;
    Object.assign(item, change, { element: item.element, meta: item.meta });
    if (item.id && !this.#byID.has(item.id)) {
      this.#byID.set(item.id, item);
      this.#look();
    }
    if (item.badge && !item.element.classList.contains("loud")) {
      item.element.classList.add("loud");
      item.element.firstElementChild.prepend(h("strong", { class: "badge" }, item.badge));
    }
    item.element.classList.toggle("failed", ["failed", "doubtful"].includes(item.state));
    const at = h("span", {}, arrival(item.at, item.writtenAt));
    const mark = marks[item.state];
    const word = mark && (item.words?.[item.state] ?? t(`chat.state.${item.state}`));
    fill(
      item.meta, at,
      item.isMine && mark && h("span", { title: word, dataset: { state: item.state } }, h("span", { "aria-hidden": "true" }, mark), " ", word),
      item.state === "failed" && item.error && h("span", {}, item.error),
      item.state === "failed" && item.onAgain && h("button", { class: "plain small", type: "button", onclick: item.onAgain }, t("chat.again")),
    );
    if (!item.isMine || !item.id) return;
    if (this.#deliveredEarly.delete(item.id)) this.markDelivered(item.id);
    if (item.id !== this.#seenEarly) return;
    this.#seenEarly = null;
    this.markSeen(item.id);
  }

  // MARK: What is on the screen

  #noticed(changes) {
    for (const { target, isIntersecting } of changes) {
      if (isIntersecting) this.#visible.add(target);
      else this.#visible.delete(target);
    }
    this.#look();
  }

  #look() {
    if (document.visibilityState !== "visible") return;
    const theirs = [...this.#list.children].map((element) => this.#items.get(element.dataset.message)).filter((item) => item && !item.isMine);
    const last = theirs.findLastIndex((item) => item.id && this.#visible.has(item.element));
    const news = theirs.slice(0, last + 1).filter((item) => item.state !== "seen");
    if (news.length === 0) return;
    for (const item of news) item.state = "seen";
    this.#tellNewer();
    this.dispatchEvent(new CustomEvent("shown", { detail: theirs[last].id }));
  }

  #append(element, before = undefined) {
    const isNewest = before === undefined || before === this.#list.lastElementChild;
    if (isNewest) this.#list.append(element);
    else if (before === null) this.#list.prepend(element);
    else before.after(element);
    // Who writes wants to see that it stands there.
    if (isNewest && element.classList.contains("mine")) this.#isPinned = true;
    this.#settle();
  }

  // MARK: Where it is scrolled to

  /** By the size that it has now, or has got: the end stays the end. */
  #settle() {
    this.#size = this.#sizeNow;
    if (this.#isPinned) this.scrollTop = this.scrollHeight;
    this.#tellNewer();
  }

  get #sizeNow() {
    return `${this.clientHeight} ${this.scrollHeight}`;
  }

  #scrolled() {
    if (this.#sizeNow !== this.#size) return this.#settle();
    this.#isPinned = this.scrollHeight - this.scrollTop - this.clientHeight < endMost;
    this.#tellNewer();
  }

  #toEnd() {
    this.#isPinned = true;
    this.#settle();
    // The button goes away, and would take the keyboard along.
    this.focus({ preventScroll: true });
  }

  #tellNewer() {
    const count = this.#isPinned ? 0 : this.unread;
    this.#newer.hidden = count === 0;
    if (count > 0) this.#newer.textContent = t("chat.new", { count });
  }
}

customElements.define("chat-log", ChatLog);
