// SPDX-License-Identifier: Apache-2.0
import { Chat } from "../core/chat.js";
import { Feed } from "../core/feed.js";

/** Which wordings were shown; they are recorded with the answers. */
const textVersions = { hoax_warning: "hoax-2026-11", emergency_intent: "hoax-2026-11", video: "video-2026-11", location: "place-2026-11" };

/**
 * The caller's contact with the centre: the session that is open, if one is, its chat and what the operator asks.
 *
 * Events: `change`; `reach`, whether the gateway is there; `asked` with a request that waits for an answer; `withdrawn` when none waits any more; `closed`; and
 * `message`, `report`, `typing`, `connection` of the chat.
 */
export class Contact extends EventTarget {
  #api;
  #confirmIntent;
  #feed = null;
  #asked = new Set();
  #agreed = new Set();
  #isReading = false;
  #isAskedAgain = false;
  #timer = 0;
  #isStopped = false;
  /** The warning was shown and accepted on this page, and is to be recorded. */
  #isAccepted = false;

  /** @param {() => Promise<boolean>} confirmIntent Shows the hoax warning. */
  constructor(api, confirmIntent) {
    super();
    this.#api = api;
    this.#confirmIntent = confirmIntent;
    this.session = null;
    this.detail = null;
    this.chat = null;
    this.phone = null;
    /** Messages that came while the chat was not on the screen. */
    this.unread = 0;
  }

  /** Finds the session that is open, and follows what happens from now on. */
  async start() {
    this.#feed = new Feed(this.#api, { onEvent: (event) => this.#take(event), onState: (isLive) => this.#reached(isLive) });
    while (!this.#isStopped) {
      try {
        await this.#feed.start();
        break;
      } catch {
        // Without a network the page still opens; everything is asked for again when it is back.
        this.#reached(false);
        await new Promise((resolve) => (this.#timer = setTimeout(resolve, 2000)));
      }
    }
    await this.refresh();
  }

  stop() {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#feed?.stop();
    this.chat?.leave();
  }

  /** A session to act in: the open one, or a new one after the warning. @returns {Promise<boolean>} Whether there is one. */
  async ensure() {
    // Whom an operator called need not be warned of hoaxes.
    if (this.session && (this.#isConfirmed(this.session) || this.detail?.session.openedBy === "operator")) {
      this.#talk();
      return true;
    }
    if (!(await this.#confirmIntent())) return false;
    this.#isAccepted = true;
    this.#talk();
    await this.#opened();
    return true;
  }

  #reached(isLive) {
    this.dispatchEvent(new CustomEvent("reach", { detail: isLive }));
    if (isLive) this.refresh();
  }

  async refresh() {
    if (this.#isReading) {
      this.#isAskedAgain = true;
      return;
    }
    this.#isReading = true;
    try {
      const me = await this.#api.get("/v1/me");
      this.phone = me.phone;
      await this.#read(me.openSessions[0] ?? null);
    } catch {
      // The feed says when the gateway is there again, and then it is asked again.
    } finally {
      this.#isReading = false;
      if (this.#isAskedAgain) {
        this.#isAskedAgain = false;
        this.refresh();
      }
    }
  }

  /** Records, once a session, that the caller agreed to something by doing it. */
  async agree(scope) {
    const key = `${this.session}/${scope}`;
    if (this.#agreed.has(key)) return;
    await this.#api.post(`/v1/sessions/${this.session}/consents`, { scope, decision: "granted", textVersion: textVersions[scope] });
    this.#agreed.add(key);
  }

  /** A question that was not answered: it may be shown again, or not. */
  forget(request, isOver) {
    if (!isOver) this.#asked.delete(request);
  }

  showed() {
    this.unread = 0;
    this.dispatchEvent(new Event("change"));
  }

  // MARK: The session

  async #read(open) {
    if (this.session && open !== this.session) this.#ended();
    const isNew = open !== null && this.session !== open;
    this.session = open;
    if (open) {
      this.detail = await this.#api.get(`/v1/sessions/${open}`);
      if (isNew && (this.#isConfirmed(open) || this.detail.session.openedBy === "operator")) this.#talk();
      this.#look();
    }
    this.dispatchEvent(new Event("change"));
  }

  #ended() {
    this.#isAccepted = false;
    this.chat?.end();
    this.chat = null;
    this.session = null;
    this.detail = null;
    this.dispatchEvent(new Event("withdrawn"));
    this.dispatchEvent(new Event("closed"));
  }

  /** Shows the newest question that waits; older ones of a kind are over. */
  #look() {
    const now = Date.now();
    const waiting = this.detail.requests.filter((one) => !one.answer && (!one.expiresAt || new Date(one.expiresAt).getTime() > now));
    if (waiting.length === 0) this.dispatchEvent(new Event("withdrawn"));
    const next = waiting.at(-1);
    if (!next || this.#asked.has(next.id)) return;
    this.#asked.add(next.id);
    this.dispatchEvent(new CustomEvent("asked", { detail: next }));
  }

  #take(event) {
    if (event.type.startsWith("chat.") || event.type.startsWith("stream.chunk")) return;
    if (event.subject.startsWith("session/")) this.refresh();
  }

  // MARK: Chat

  #talk() {
    if (this.chat) return;
    const tell = (name) => (detail) => this.dispatchEvent(new CustomEvent(name, { detail }));
    const chat = new Chat(this.#api, {
      store: "unsent",
      mayConnect: () => this.#mayConnect(chat),
      beforeMessages: (session) => this.#recordIntent(session),
    }, {
      onOpen: () => this.refresh(),
      onState: tell("connection"),
      onMessage: (message) => {
        this.unread++;
        tell("message")(message);
        this.dispatchEvent(new Event("change"));
      },
      onReport: tell("report"),
      onTyping: tell("typing"),
      onEnd: tell("chat-ended"),
    });
    this.chat = chat;
    chat.connect();
    this.dispatchEvent(new Event("change"));
  }

  /** A chat that the centre has closed must not begin anew by itself because a connection broke. */
  async #mayConnect(chat) {
    if (!chat.session) return true;
    const me = await this.#api.get("/v1/me", { isLevel: false });
    return me.openSessions.includes(chat.session);
  }

  #opened() {
    if (this.chat.isOpen && this.session) return Promise.resolve();
    return new Promise((resolve) => {
      const look = () => {
        if (!this.chat?.isOpen || !this.session) return;
        this.removeEventListener("change", look);
        resolve();
      };
      this.addEventListener("change", look);
    });
  }

  #isConfirmed(session) {
    return localStorage.getItem("intent") === session;
  }

  /** Before anything is said: that the warning was read, and that it is an emergency. */
  async #recordIntent(session) {
    if (this.#isConfirmed(session) || !this.#isAccepted) return;
    for (const scope of ["hoax_warning", "emergency_intent"]) {
      await this.#api.post(`/v1/sessions/${session}/consents`, { scope, decision: "granted", textVersion: textVersions[scope] });
    }
    localStorage.setItem("intent", session);
  }
}
