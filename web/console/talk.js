// SPDX-License-Identifier: Apache-2.0
import { Chat } from "../core/chat.js";
import { h, toast } from "../core/dom.js";
import { keepDraft } from "../core/draft.js";
import { t } from "../core/i18n.js";
import { limits, tooLong } from "../core/limits.js";
import { local } from "../core/storage.js";
import { now } from "../core/time.js";
import { pictureButton } from "../ui/chat-picture.js";
import { instructions } from "./instructions.js";
import { OtherChats } from "./other-chats.js";
import { lineOfReply } from "./replies.js";
import { ReplyWay } from "./reply-way.js";
import { badgeOf, linesOf } from "./transcript.js";
import { forgetSession, tellUnsent, unsentStore } from "./unsent.js";

const shownInstructions = 5;
/** Many words of a moment are read at once. */
const pauseMilliseconds = 100;
/** So long after the last sign of it a caller is still said to be writing. */
const typingMilliseconds = 4000;

/** The chats of a session: what its caller and the centre said, the field to write in, and beside it what is said in the other sessions of the incident. */
export class Talk {
  #api;
  #user;
  #session;
  #chat = null;
  #chats;
  #log;
  #typing = h("p", { class: "typing", role: "status" });
  #state = h("span", { class: "small soft" });
  #message;
  #form;
  /** Empties the field and forgets what stood in it. */
  #sent;
  #typingTimer = 0;
  #readTimer = 0;
  /** Up to which message of the caller the chat was on the screen; told once this operator has it. */
  #shown = null;
  /** Whether this operator writes in it: the session is theirs, and open. */
  #isTheirs = false;
  #isRead = false;
  /** Which way the answers go. */
  #way = new ReplyWay();
  /** How far the answers by telephone have come. */
  #replies = [];
  #isOver = false;

  /**
   * @param {{session: string, user: string, nameOf: (user: string) => string}} of Which session, who is signed in, and what a colleague is called.
   * @param {Element[]} told What stands above what was said.
   */
  constructor(api, { session, user, nameOf }, told) {
    this.#api = api;
    this.#session = session;
    this.#user = user;
    this.#log = h("chat-log", { onshown: ({ detail }) => {
      this.#shown = detail;
      this.#chat?.saw(detail);
    } });
    this.#log.fetchPicture = (id) => api.file(`/v1/sessions/${session}/pictures/${id}`);
    this.#message = h("textarea", { rows: 2, maxlength: limits.messageBytes, "aria-label": "Message to the caller", placeholder: "Write to the caller …", onkeydown: (event) => this.#key(event), oninput: () => this.#chat?.typing() });
    this.#sent = keepDraft(this.#message, local, unsentStore(user, session));
    this.#form = this.#makeForm();
    this.#chats = new OtherChats(api, nameOf, [this.#log, this.#typing, this.#form]);
    this.element = h("section", { class: "card talk", "aria-label": "Chat" }, h("h2", { class: "pane-title" }, "Chat", this.#state),
      h("div", { class: "told" }, this.#chats.tabs, told), this.#log, this.#chats.element, this.#typing, this.#form);
  }

  #makeForm() {
    const quick = instructions.slice(0, shownInstructions).map((text, index) => h("button", { type: "button", title: `Alt ${index + 1}`, "aria-keyshortcuts": `Alt+${index + 1}`, onclick: () => this.#say(text) },
      h("kbd", { "aria-hidden": "true" }, index + 1), text));
    const send = h("div", { class: "send" }, pictureButton((file) => this.#sendPicture(file)), h("button", { class: "primary", type: "submit" }, "Send"));
    return h("form", { class: "write", onsubmit: (event) => this.#send(event) }, h("div", { class: "quick" }, quick), this.#way.element, this.#message, send);
  }

  /** Reads what was said before, and then hears the caller. */
  async begin() {
    await this.#read();
    this.#isRead = true;
    this.#open();
  }

  stop() {
    this.#isOver = true;
    clearTimeout(this.#readTimer);
    clearTimeout(this.#typingTimer);
    this.#chats.stop();
    this.#chat?.leave();
    this.#chat = null;
  }

  /** What the session and its incident have now. @param {{session: any}[]} others The other sessions. @param {{replies: any[]}} [telephone] Where the caller wrote by telephone. @param {boolean} hasPage Whether they have a page, too. */
  show(session, others, isTheirs, telephone, hasPage = true) {
    this.#isTheirs = isTheirs;
    this.#form.hidden = !isTheirs;
    this.#chats.show(session, others);
    this.#way.allow(Boolean(telephone), hasPage);
    this.#tellReplies(telephone?.replies ?? []);
    if (!isTheirs) this.giveUp();
    // Taken while it was on the screen: from now on this operator hears the caller.
    else if (this.#isRead) this.#open();
  }

  /** The session is over, or not this operator's any more. */
  giveUp() {
    if (this.#chat) this.#chat.end();
    else forgetSession(this.#user, this.#session);
    this.#chat = null;
  }

  /** The network was gone: connections from before may only look as if they stood. */
  revive(brokenAt) {
    this.#chat?.revive(brokenAt);
  }

  /** What was said, unless this page said or got it itself: by the other side to whoever looks on, or in another window. */
  hear(session, { kind, entry }) {
    if (session !== this.#session) return this.#chats.take(session);
    const id = entry?.data.message;
    if (kind === "chat.message_sent/1" && entry?.data.from === "caller") this.#way.heard(entry.data.channel);
    // Whoever talks is told by the socket of the chat.
    if (kind === "chat.message_seen/1" && this.#chat) return;
    if (kind === "chat.message_delivered/1" && this.#log.has(id)) return this.#log.markDelivered(id);
    if (kind === "chat.quick_response_chosen/1" && this.#log.has(id)) return this.#log.tell(id, { badge: badgeOf(entry.data.service) });
    if (id && this.#log.has(id)) return;
    clearTimeout(this.#readTimer);
    this.#readTimer = setTimeout(() => this.#read(), pauseMilliseconds);
  }

  /** Something that nobody said, and that belongs where it was said. */
  note(words, at) {
    this.#log.note(words, at);
  }

  /** Says one of the instructions; it is seen where it was said. */
  instruct(text) {
    this.#chats.choose(null);
    this.#say(text);
  }

  focus() {
    this.#chats.choose(null);
    this.#message.focus();
  }

  // MARK: The connection

  async #read() {
    try {
      const { messages } = await this.#api.get(`/v1/sessions/${this.#session}/transcript`);
      if (this.#isOver) return;
      this.#log.reconcile(linesOf(messages));
      const last = messages.findLast(({ from }) => from === "caller");
      if (last) this.#way.heard(last.channel);
      this.#showReplies();
    } catch (error) {
      if (!this.#isOver) toast(error.message, "bad");
    }
  }

  #open() {
    if (this.#chat || !this.#isTheirs || this.#isOver) return;
    const chat = new Chat(this.#api, { session: this.#session, store: unsentStore(this.#user, this.#session) }, {
      onUnsent: tellUnsent,
      onState: (isOpen) => this.#connection(isOpen),
      onMessage: (message) => {
        this.#typing.textContent = "";
        this.#log.show({ key: `caller/${message.temporaryID}`, id: message.id, isMine: false, text: message.text, picture: message.picture, at: now(), writtenAt: message.at });
      },
      onWaiting: (picture) => this.#showWaiting(picture),
      onReport: (report) => this.#report(report),
      onTyping: () => {
        this.#typing.textContent = "The caller is writing …";
        clearTimeout(this.#typingTimer);
        this.#typingTimer = setTimeout(() => (this.#typing.textContent = ""), typingMilliseconds);
      },
    });
    this.#chat = chat;
    if (this.#shown !== null) chat.saw(this.#shown);
    for (const message of chat.waiting) this.#showWaiting(message);
    chat.connect();
  }

  /** What was on its way when a connection broke may not have been shown, whatever the gateway was told: it is read again. */
  #connection(isOpen) {
    if (this.#isOver) return;
    this.#state.textContent = isOpen ? "" : "reconnecting …";
    if (isOpen) this.#read();
  }

  #report(report) {
    if (this.#isOver) return;
    const log = this.#log;
    if (report.state === "unsent") return log.show({ key: `operator/${report.temporaryID}`, isMine: true, text: report.message.text, blob: report.message.blob, state: report.message.isPosted ? "doubtful" : "failed", at: report.message.at });
    if (report.state === "seen") return log.markSeen(report.messageID);
    log.show({
      key: `operator/${report.temporaryID}`, isMine: true, id: report.messageID, state: report.state, at: report.message.at, error: report.error,
      onAgain: () => {
        log.show({ key: `operator/${report.temporaryID}`, isMine: true, state: "queued", at: report.message.at });
        this.#chat?.again(report.message);
      },
    });
    if (report.state === "failed") toast(report.error, "bad");
  }

  // MARK: By telephone

  /** Says also beside the chat that an answer did not arrive. */
  #tellReplies(replies) {
    const before = new Map(this.#replies.map(({ message, state }) => [message, state]));
    this.#replies = replies;
    this.#showReplies();
    for (const { message, state, status } of replies) if (state === "failed" && before.get(message) === "queued") toast(`${t("console.reply.failed")}: ${lineOfReply({ state, status, attempt: 1 }).error}`, "bad");
  }

  #showReplies() {
    for (const reply of this.#replies) this.#log.tell(reply.message, { ...lineOfReply(reply), onAgain: this.#isTheirs ? () => this.#sendAgain(reply.message) : null });
  }

  async #sendAgain(message) {
    // Pressed once it is under way, whatever the next reading says.
    this.#log.tell(message, { state: "queued", onAgain: null });
    try {
      await this.#api.post(`/v1/sessions/${this.#session}/messages/${message}/send-again`);
    } catch (error) {
      toast(error.message, "bad");
      this.#showReplies();
    }
  }

  // MARK: Writing

  #showWaiting(message) {
    if (!this.#isOver) this.#log.show({ key: `operator/${message.temporaryID}`, isMine: true, text: message.text, blob: message.blob, at: message.at, state: "queued" });
  }

  #sendPicture(file) {
    this.#open();
    if (!this.#chat) toast("Not sent: this session cannot be read now.", "bad");
    else this.#showWaiting(this.#chat.pictures.send(file));
  }

  #key(event) {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) this.#send(event);
  }

  #send(event) {
    event.preventDefault();
    const text = this.#message.value.trim();
    if (!text) return;
    const fault = tooLong(text, limits.messageBytes);
    if (fault) return toast(fault, "bad");
    if (this.#say(text)) this.#sent();
  }

  /** @returns {boolean} Whether the words are kept; where there is no chat yet, nothing would send them. */
  #say(text) {
    this.#open();
    if (!this.#chat) {
      toast("Not sent: this session cannot be read now, and so not be written in. Telephone the caller.", "bad");
      return false;
    }
    this.#showWaiting(this.#chat.send(text, { via: this.#way.way }));
    return true;
  }
}
