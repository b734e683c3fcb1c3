// SPDX-License-Identifier: Apache-2.0
import { fill, focusNear, h } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { momentElement } from "../core/time.js";
import { pressed } from "../dom/busy.js";
import { chatPicture } from "../ui/chat-picture.js";

/** So many sessions are read at once; each costs a request of its own. */
const sessionsAtOnce = 10;

/** The caller's earlier chats with their pictures, the newest first, a page at a time. */
export class EarlierChats {
  #api;
  #list = h("div", { class: "stack" });
  #status = h("p", { class: "soft", role: "status" });
  #more = h("button", { type: "button", hidden: true, onclick: pressed(() => this.#read()) });
  /** Where the next page begins; `null` before the first one. @type {string | null} */
  #next = null;
  /** Addresses of pictures in this page. */
  #sources = [];
  /** Ends what is being read when the list is put away. */
  #reading = new AbortController();

  /** @param {import("../core/api.js").API} api @param {HTMLDetailsElement} place Read when it is opened, so that it has what was said meanwhile. */
  constructor(api, place) {
    this.#api = api;
    fill(place.querySelector("#history-list"), this.#list, this.#status, this.#more);
    place.ontoggle = () => (place.open ? this.#begin() : this.#end());
  }

  #begin() {
    this.#end();
    this.#reading = new AbortController();
    this.#read();
  }

  #end() {
    this.#reading.abort();
    for (const address of this.#sources) URL.revokeObjectURL(address);
    this.#sources = [];
    this.#next = null;
    fill(this.#list);
    fill(this.#status);
    this.#more.hidden = true;
  }

  async #read() {
    const { signal } = this.#reading;
    this.#tell(t("call.history.reading"));
    try {
      const { chats, next } = await this.#page();
      if (signal.aborted) return;
      const hadFocus = document.activeElement === this.#more;
      this.#list.append(...chats.map((chat) => this.#chat(chat, signal)));
      this.#next = next;
      this.#offer(next !== null, "call.history.more");
      if (hadFocus && !next) focusNear(this.#more);
      this.#tell(this.#list.childElementCount ? "" : t("call.history.none"));
    } catch (error) {
      if (signal.aborted) return;
      this.#tell(h("span", { class: "notice bad" }, error.message));
      this.#offer(true, "call.retry");
    }
  }

  #tell(words) {
    fill(this.#status, words);
  }

  #offer(isOffered, key) {
    this.#more.hidden = !isOffered;
    fill(this.#more, t(key));
  }

  /** The next sessions in which something was written; a page without any leads to the one after it. */
  async #page() {
    const chats = [];
    let before = this.#next;
    do {
      const query = new URLSearchParams({ limit: String(sessionsAtOnce), ...(before && { before }) });
      const { items, next } = await this.#api.get(`/v1/sessions?${query}`);
      const read = await Promise.all(items.map(async (session) => ({ session, messages: (await this.#api.get(`/v1/sessions/${session.id}/transcript`)).messages })));
      chats.push(...read.filter(({ messages }) => messages.length > 0));
      before = next ?? null;
    } while (chats.length === 0 && before !== null);
    return { chats, next: before };
  }

  #chat({ session, messages }, signal) {
    return h("section", { class: "card earlier stack" }, h("h2", {}, momentElement(session.createdAt)), messages.map((message) => this.#message(session.id, message, signal)));
  }

  #message(session, { id, from, text, picture }, signal) {
    const isMine = from === "caller";
    const source = async () => {
      const address = URL.createObjectURL(await this.#api.file(`/v1/sessions/${session}/pictures/${id}`));
      if (signal.aborted) URL.revokeObjectURL(address);
      else this.#sources.push(address);
      return address;
    };
    return h("div", {}, h("strong", {}, t(isMine ? "call.history.you" : "call.history.operator")), " ",
      picture ? chatPicture(picture, t(isMine ? "chat.picture.mine" : "chat.picture.theirs"), source) : text ?? t("call.history.erased"));
  }
}
