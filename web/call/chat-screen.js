// SPDX-License-Identifier: Apache-2.0
import { fill, find, h, refill, toast } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { limits, tooLong } from "../core/limits.js";
import { now } from "../core/time.js";
import { writtenAt } from "../model/chat.js";
import { serviceIcon, services } from "../ui/services.js";
import { cleared } from "./cleared.js";
import { leftWords, unopenedWords } from "./contact.js";
import { draft } from "./draft.js";
import { notesOf } from "./happened.js";
import { keep } from "./keep.js";
import { forBoth } from "./words.js";

/** What a button writes. */
const sentences = ["call.quick.silent", "call.quick.safe"];

/** The caller's chat. */
export class ChatScreen {
  #api;
  #contact;
  #go;
  #log = find("#log");
  #typingTimer = 0;
  #read = null;
  #isConnected = true;
  /** The centre is there and cannot open the chat. */
  #isTroubled = false;
  /** By key: when the ledger has a message. */
  #times = new Map();
  /** By id: streams that are over, of which nothing more is to be heard. */
  #streamsOver = new Map();

  constructor(api, contact, go) {
    this.#api = api;
    this.#contact = contact;
    this.#go = go;
    const form = find("#write");
    const field = find("textarea", form);
    form.onsubmit = (event) => {
      event.preventDefault();
      const text = field.value.trim();
      const fault = tooLong(text, limits.messageBytes);
      if (fault) return toast(fault, "bad");
      field.value = "";
      this.#tellWriting();
      draft.forget();
      if (text) this.#say(text);
      field.focus();
    };
    field.onkeydown = (event) => {
      if (event.key === "Enter" && !event.shiftKey && !event.isComposing) form.onsubmit(event);
    };
    field.oninput = () => {
      this.#tellWriting();
      draft.put(this.#contact.session, field.value);
      this.#contact.chat?.typing();
    };
    // Where a browser is told to use the camera, no saved picture can be chosen.
    for (const way of ["camera", "saved"]) {
      const input = find(`#${way}-file`);
      find(`#chat-${way}`).onclick = () => input.click();
      input.onchange = () => {
        for (const file of input.files) contact.sendPicture(file);
        input.value = "";
      };
    }
    this.#log.fetchPicture = (id) => api.file(`/v1/sessions/${this.#read}/pictures/${id}`);
    contact.addEventListener("waiting", ({ detail }) => this.#showWaiting(detail));
    fill(find("#services"), services.map((service) => h("button", { type: "button", value: service, onclick: () => this.#say(t(`call.quick.${service}`), service) }, serviceIcon(service), h("span", {}, t(`call.quick.${service}`)))));
    fill(find("#quick"), sentences.map((key) => h("button", { type: "button", onclick: () => this.#say(forBoth(key)) }, t(key))));
    contact.addEventListener("message", ({ detail }) => this.#came(detail));
    contact.addEventListener("report", ({ detail }) => this.#report(detail));
    contact.addEventListener("change", () => {
      this.#notice();
      // It may be written before there is a session.
      const isNew = contact.session !== null && this.#read !== contact.session;
      if (isNew && go.isShown("chat") && find("#chat-ended").hidden) this.#readTranscript();
      else this.#showHappened();
    });
    contact.addEventListener("delivered", ({ detail }) => this.#log.markDelivered(detail));
    contact.addEventListener("said", ({ detail }) => this.#said(detail));
    contact.addEventListener("trouble", () => {
      this.#isTroubled = true;
      this.#notice();
    });
    contact.addEventListener("typing", () => this.#typing());
    contact.addEventListener("connection", ({ detail }) => this.#connection(detail));
    this.#log.addEventListener("shown", ({ detail }) => {
      contact.chat?.saw(detail);
      contact.count(this.#log.unread);
    });
    contact.addEventListener("chat-ended", () => this.#ended(true));
  }

  /** The chat is on the screen. */
  async opened() {
    keep.set("screen", "chat");
    this.#ended(false);
    const field = find("#write textarea");
    field.value ||= draft.of(this.#contact.session);
    this.#tellWriting();
    field.focus();
    await this.#readTranscript();
    this.#showAllWaiting();
  }

  /** Whoever writes a sentence of one's own needs no ready ones, where there is little room. */
  #tellWriting() {
    find("#write").classList.toggle("writing", find("#write textarea").value !== "");
  }

  clear() {
    keep.remove("screen");
    this.#empty();
    this.#read = null;
    this.#ended(false);
  }

  /** Takes what the centre has from the caller's screen, for good; what is new comes to stand there. */
  clearView() {
    const gone = this.#log.takeAway();
    if (this.#read) cleared.add(this.#read, gone);
    this.#contact.count(this.#log.unread);
    this.#notice();
    toast(t("call.clear.done"));
  }

  #empty() {
    this.#log.clear();
    this.#times.clear();
  }

  /** What was said before this page was opened. */
  async #readTranscript() {
    const { session } = this.#contact;
    if (!session) return;
    if (this.#read && this.#read !== session) {
      this.#empty();
      this.#showAllWaiting();
    }
    this.#read = session;
    try {
      const { messages } = await this.#api.get(`/v1/sessions/${session}/transcript`);
      if (this.#read !== session) return;
      this.#log.reconcile(cleared.messagesLeft(session, messages).map((message) => ({
        key: `${message.from}/${message.temporaryID}`, id: message.id, isMine: message.from === "caller", text: message.text, quickResponse: message.quickResponse, picture: message.picture, at: message.sentAt, writtenAt: writtenAt(message.clientTimestamp),
        state: message.state === "queued" ? "taken" : message.state,
      })));
      this.#contact.count(this.#log.unread);
      this.#notice();
      await this.#showHappened();
    } catch (error) {
      if (error.status) toast(error.message, "bad");
    }
  }

  /** Between the messages: what was asked, sent and shown, and who is there. */
  async #showHappened() {
    const { detail } = this.#contact;
    const isHere = () => detail && detail.session.id === this.#read && this.#go.isShown("chat");
    if (!isHere()) return;
    const streams = await Promise.all(detail.streams.map((id) => this.#stream(id)));
    if (isHere()) this.#log.showNotes(cleared.notesLeft(this.#read, notesOf(detail, streams.filter(Boolean))));
  }

  async #stream(id) {
    const known = this.#streamsOver.get(id);
    if (known) return known;
    try {
      const stream = await this.#api.get(`/v1/streams/${id}`);
      if (stream.state === "finalized") this.#streamsOver.set(id, stream);
      return stream;
    } catch {
      // The next change asks again; what is said does not wait for it.
      return null;
    }
  }

  #say(text, quickResponse) {
    const { chat } = this.#contact;
    if (chat) this.#showWaiting(chat.send(text, { quickResponse }));
  }

  #showAllWaiting() {
    for (const message of this.#contact.chat?.waiting ?? []) this.#showWaiting(message);
  }

  #showWaiting(message) {
    this.#log.show({ key: `caller/${message.temporaryID}`, isMine: true, text: message.text, quickResponse: message.quickResponse, blob: message.blob, at: message.at, state: "queued" });
    this.#notice();
  }

  #came(message) {
    find("#typing").textContent = "";
    this.#log.show({ key: `operator/${message.temporaryID}`, id: message.id, isMine: false, text: message.text, picture: message.picture, at: this.#times.get(`operator/${message.temporaryID}`) ?? now() });
    this.#contact.count(this.#log.unread);
    navigator.vibrate?.(80);
  }

  /** The ledger has a message: its time counts from now on, and what another page of this phone said stands here too. */
  #said({ id, from, temporaryID, at }) {
    const key = `${from}/${temporaryID}`;
    this.#times.set(key, at);
    if (this.#log.knows(key)) this.#log.show({ key, isMine: from === "caller", id, at, ...(from === "caller" ? { state: "taken" } : {}) });
    else if (from === "caller" && this.#read !== null) this.#readTranscript();
  }

  #report(report) {
    if (report.state === "seen") return this.#log.markSeen(report.messageID);
    const key = `caller/${report.temporaryID}`;
    // Its session is over: there is nothing to send it again in.
    if (report.state === "unsent") return this.#log.show({ key, isMine: true, text: report.message.text, quickResponse: report.message.quickResponse, blob: report.message.blob, state: report.message.isPosted ? "doubtful" : "failed", at: report.message.at });
    this.#log.show({
      key, isMine: true, text: report.message.text, quickResponse: report.message.quickResponse, blob: report.message.blob, id: report.messageID, state: report.state, at: this.#times.get(key) ?? report.message.at, error: report.error,
      onAgain: () => {
        this.#log.show({ key, isMine: true, state: "queued", at: report.message.at });
        this.#contact.chat?.again(report.message);
        this.#notice();
      },
    });
    if (report.state === "failed") toast(report.error, "bad");
    this.#notice();
  }

  #typing() {
    find("#typing").textContent = t("call.chat.typing");
    clearTimeout(this.#typingTimer);
    this.#typingTimer = setTimeout(() => (find("#typing").textContent = ""), 4000);
  }

  /** What was on its way when a connection broke may not have been shown, whatever the gateway was told: it is read again. */
  #connection(isOpen) {
    if (isOpen) {
      this.#isTroubled = false;
      this.#readTranscript();
    }
    this.#isConnected = isOpen;
    this.#notice();
  }

  /** What there is to know above the chat: that the network is gone, or that nobody reads yet. */
  #notice() {
    if (!find("#chat-ended").hidden) return;
    const { session } = this.#contact.detail ?? {};
    find("#chat-with").textContent = t(session?.owner ? "call.chat.with" : "call.centre");
    const isWaiting = session && !session.owner && ["waiting", "open"].includes(session.state);
    const words = this.#isTroubled ? t("call.trouble")
      : !this.#isConnected ? t("call.chat.connecting")
      : !isWaiting ? ""
      : session.lastOwner ? leftWords(session)
      : unopenedWords([...(cleared.isAny(session.id) ? ["taken"] : []), ...this.#log.ownStates]);
    refill(find("#chat-notices"), [words, this.#isConnected], () => words && h("p", { class: `notice small ${this.#isConnected ? "" : "warn"}`, role: "status" }, words));
  }

  #ended(isOver) {
    for (const part of ["#write", "#chat-place", "#chat-video"]) find(part).hidden = isOver;
    find("#chat-ended").hidden = !isOver;
    if (isOver) draft.forget();
    if (isOver) refill(find("#chat-notices"), null, () => null);
  }
}
