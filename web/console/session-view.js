// SPDX-License-Identifier: Apache-2.0
import { Chat } from "../core/chat.js";
import { fill, find, focusIfLost, h, refill, toast } from "../core/dom.js";
import { keepDraft } from "../core/draft.js";
import { limits, tooLong } from "../core/limits.js";
import { patience } from "../core/patience.js";
import { local } from "../core/storage.js";
import { countdown, now } from "../core/time.js";
import { pictureButton } from "../ui/chat-picture.js";
import { Facts } from "./facts.js";
import { instructions } from "./instructions.js";
import { LeaveDialog } from "./leave-dialog.js";
import { LinkPane } from "./link-pane.js";
import { OtherChats } from "./other-chats.js";
import { Merging } from "./merging.js";
import { Stage } from "./stage.js";
import { StreamPane } from "./stream-pane.js";
import { endWords } from "./streams.js";
import { forgetSession, tellUnsent, unsentStore } from "./unsent.js";

const shownInstructions = 5;
/** Many words of a moment are read at once. */
const pauseMilliseconds = 100;

/** One session, whole: chat and video side by side, and what is known of the caller. */
export class SessionView extends EventTarget {
  #api;
  #desk;
  #place;
  #show;
  #chat = null;
  #detail = null;
  #others = [];
  #leaving;
  #parts = null;
  #timer = 0;
  #typingTimer = 0;
  #readTimer = 0;
  #againTimer = 0;
  #failures = 0;
  /** Up to which message of the caller the chat was on the screen; told once this operator has it. */
  #shown = null;
  #isReading = false;
  #isAskedAgain = false;

  constructor(api, desk, place, show) {
    super();
    this.merging = new Merging(api, desk.supervises, () => {
      desk.refresh();
      this.refresh();
    });
    this.#api = api;
    this.#leaving = new LeaveDialog(api, desk);
    this.#desk = desk;
    this.#place = place;
    this.#show = show;
    /** The session that is shown. */
    this.session = null;
    this.#home();
  }

  /** The incident of the session that is shown, if it is this operator's. */
  get incident() {
    return this.#isOwn && this.#isOpen ? this.#detail.session.incident : null;
  }

  /** The incident that others may be joined with: the own one, or for who supervises the one that is shown. */
  get joinable() {
    return this.#isOpen && (this.#isOwn || this.#desk.supervises) ? this.#detail.session.incident : null;
  }

  /** Whether live video is on the screen. */
  get isWatching() {
    return Boolean(this.#parts?.streams.isLive);
  }

  get #isOwn() {
    return this.#detail?.session.owner === this.#desk.me.user;
  }

  get #isOpen() {
    return ["waiting", "open"].includes(this.#detail?.session.state);
  }

  stop() {
    this.#leaving.withdraw();
    this.close();
    fill(this.#place);
  }

  close() {
    clearInterval(this.#timer);
    clearTimeout(this.#readTimer);
    clearTimeout(this.#againTimer);
    this.#failures = 0;
    this.#leaving.withdraw("Another session is shown now, or none.");
    this.#chat?.leave();
    this.#parts?.streams.close();
    this.#parts?.chats.stop();
    [this.#chat, this.#parts, this.#detail, this.session] = [null, null, null, null];
    this.#others = [];
    this.#shown = null;
    this.#home();
    focusIfLost(this.#place);
    this.dispatchEvent(new Event("change"));
  }

  async show(id) {
    if (this.session === id) return find("#main").focus();
    this.close();
    this.session = id;
    this.#build();
    // At once: whoever goes on typing elsewhere while the rest is read is not disturbed.
    find("#main").focus();
    this.#timer = setInterval(() => this.#tick(), 500);
    await this.refresh();
  }

  /** What the session is was read for the first time. */
  async #begin() {
    const parts = this.#parts;
    await this.#readTranscript();
    // Another one may have been chosen meanwhile, which has its own chat.
    if (this.#parts !== parts) return;
    this.#talk();
    focusIfLost(find("#main"));
    this.dispatchEvent(new Event("change"));
  }

  /** The network was gone: connections from before may only look as if they stood. */
  revive(brokenAt) {
    this.#chat?.revive(brokenAt);
  }

  /** Hears of an event that this operator may see. */
  take(event) {
    if (!this.session) return;
    // What happens while the session is read for the first time may be missing in what was read.
    if (!this.#detail) return void (this.#isAskedAgain ||= this.#isReading);
    const subject = event.subject.slice(event.subject.indexOf("/") + 1);
    const ours = [this.#detail, ...this.#others].flatMap(({ session, streams }) => [session.id, session.incident, ...streams]);
    const isOurs = ours.includes(subject);
    if (!isOurs && event.kind !== "stream.started/1") return;
    if (event.kind.startsWith("chat.")) return subject === this.session ? this.#hear(event) : this.#parts.chats.take(subject);
    if (event.kind === "session.activity_signalled/1") return;
    if (subject === this.session) this.#parts.link.take(event);
    if (event.kind.startsWith("stream.")) this.#parts.streams.changed(subject);
    if (event.kind === "stream.stopped/1" && event.entry) this.#parts.log.note(["The video ended", event.entry.data.reason && endWords(event.entry.data.reason)].filter(Boolean).join(": "), event.time);
    this.refresh();
  }

  /** What was said, unless this page said or got it itself: by the other side to whoever looks on, or in another window. */
  #hear({ kind, entry }) {
    const { log } = this.#parts;
    // The caller's first message starts a session: the countdown is over.
    if (this.#detail.session.state === "waiting") this.refresh();
    const id = entry?.data.message;
    // Whoever talks is told by the socket of the chat.
    if (kind === "chat.message_seen/1" && this.#chat) return;
    if (kind === "chat.message_delivered/1" && log.has(id)) return log.markDelivered(id);
    if (id && log.has(id)) return;
    clearTimeout(this.#readTimer);
    this.#readTimer = setTimeout(() => this.#readTranscript(), pauseMilliseconds);
  }

  async refresh() {
    const id = this.session;
    if (!id) return;
    if (this.#isReading) {
      this.#isAskedAgain = true;
      return;
    }
    this.#isReading = true;
    clearTimeout(this.#againTimer);
    try {
      const detail = await this.#api.get(`/v1/sessions/${id}`);
      const { others, merged } = await this.#readIncident(detail.session);
      if (this.session === id) this.#took(detail, others, merged);
    } catch (error) {
      if (this.session === id) this.#failed(id, error);
    } finally {
      this.#isReading = false;
      if (this.#isAskedAgain) {
        this.#isAskedAgain = false;
        this.refresh();
      }
    }
  }

  #took(detail, others, merged) {
    const isFirst = this.#detail === null;
    this.#failures = 0;
    this.#draw(detail, others, merged);
    if (isFirst) this.#begin();
  }

  /** Who may not read it leaves; what cannot be read now is tried again, and said where nothing is shown yet. */
  #failed(id, error) {
    if (error.status === 403 || error.status === 404) {
      toast(error.message, "bad");
      this.#giveUpChat(id);
      return this.#show.gone();
    }
    if (error.status === 401) return;
    if (!this.#detail) fill(this.#parts.head, h("p", { class: "notice warn", role: "status" }, `This session cannot be read now: ${error.message} It is tried again.`));
    this.#againTimer = setTimeout(() => this.refresh(), patience(this.#failures++));
  }

  /** The other sessions of the same incident, as far as this operator may see them, and what was merged into it. */
  async #readIncident(session) {
    const { sessions, merged } = await this.#api.get(`/v1/incidents/${session.incident}`);
    const others = sessions.filter((one) => one.id !== session.id && !one.isPrivate);
    const seen = await Promise.all(others.map((one) => this.#readOther(one.id)));
    return { others: seen.filter(Boolean), merged };
  }

  /** Another session; nothing where it was closed to this operator meanwhile: that one is left out, and nothing else. */
  async #readOther(id) {
    try {
      return await this.#api.get(`/v1/sessions/${id}`);
    } catch (error) {
      if (error.status === 403 || error.status === 404) return null;
      throw error;
    }
  }

  // MARK: What an operator does

  async ask(what) {
    if (!this.session) return;
    try {
      await this.#api.post(`/v1/sessions/${this.session}/requests`, { ask: what });
    } catch (error) {
      toast(error.message, "bad");
    }
    this.refresh();
  }

  /** Ends the caller's video, whatever the caller says to that; the telephone goes on (ruling 37). */
  async stopVideo() {
    if (!this.#isOwn) return;
    try {
      for (const stream of this.#detail.streams) await this.#api.post(`/v1/streams/${stream}/stop`, { reason: "stopped by the operator" });
    } catch (error) {
      toast(error.message, "bad");
    }
    this.refresh();
  }

  /** A link by which a caller without the application joins. */
  sendLink() {
    if (this.#isOwn && this.#isOpen) this.#parts.link.send();
  }

  /** Says one of the instructions. */
  instruct(text) {
    if (!this.#isOwn || !this.#isOpen) return;
    // What is said is seen where it was said.
    this.#parts.chats.choose(null);
    this.#say(text);
  }

  focusMessage() {
    this.#parts?.chats.choose(null);
    this.#parts?.message.focus();
  }

  goLive() {
    this.#parts?.streams.goLive();
  }

  /** Whether what is known beside picture, place and chat stands beside them; kept on this device. */
  get #hasDetails() {
    return local.getItem("details") === "open";
  }

  switchDetails() {
    if (!this.#parts) return;
    const { facts, head } = this.#parts;
    const wasThere = facts.element.contains(document.activeElement);
    local.setItem("details", this.#hasDetails ? "closed" : "open");
    this.#showDetails();
    if (this.#hasDetails) facts.element.focus({ preventScroll: true });
    else if (wasThere) head.querySelector("[data-key=details]")?.focus();
  }

  #showDetails() {
    const { facts, head } = this.#parts;
    facts.element.hidden = !this.#hasDetails;
    head.querySelector("[data-key=details]")?.setAttribute("aria-expanded", String(this.#hasDetails));
  }

  /** Closes the session, leaves it open, gives it away, or stays; what is not this operator's to leave is only shown no more. */
  async leave() {
    const id = this.session;
    if (!id) return;
    if (!this.#isOwn || !this.#isOpen) return this.#show.home();
    const end = await this.#leaving.ask(id);
    const isShown = this.session === id;
    if (end === "over" && isShown) this.#giveUpChat(id);
    else if (end === "over") forgetSession(this.#desk.me.user, id);
    if (end && isShown) this.#show.home();
    this.#desk.refresh();
  }

  // MARK: The page

  #home() {
    fill(this.#place, h("div", { class: "welcome" },
      h("h1", {}, "No session is open"),
      h("p", {}, "Press ", h("kbd", {}, "/"), " and type the beginning of a phone number to call somebody, or take one who waits."),
      h("p", { class: "small" }, h("kbd", {}, "Alt T"), " takes the one who has waited longest. ", h("kbd", {}, "Alt F"), " finds recordings.")));
  }

  #build() {
    const log = h("chat-log", { onshown: ({ detail }) => {
      this.#shown = detail;
      this.#chat?.saw(detail);
    } });
    const typing = h("p", { class: "typing", role: "status" });
    const message = h("textarea", { rows: 2, maxlength: limits.messageBytes, "aria-label": "Message to the caller", placeholder: "Write to the caller …", onkeydown: (event) => this.#messageKey(event), oninput: () => this.#chat?.typing() });
    const { session } = this;
    const sent = keepDraft(message, local, unsentStore(this.#desk.me.user, session));
    log.fetchPicture = (id) => this.#api.file(`/v1/sessions/${session}/pictures/${id}`);
    const send = h("div", { class: "send" }, pictureButton((file) => this.#sendPicture(file)), h("button", { class: "primary", type: "submit" }, "Send"));
    const form = h("form", { class: "write", onsubmit: (event) => this.#send(event) },
      h("div", { class: "quick" }, instructions.slice(0, shownInstructions).map((text, index) => h("button", { type: "button", title: `Alt ${index + 1}`, "aria-keyshortcuts": `Alt+${index + 1}`, onclick: () => this.#say(text) }, h("kbd", { "aria-hidden": "true" }, index + 1), text))), message, send);
    const chatState = h("span", { class: "small soft" });
    const head = h("header", { class: "card head" });
    const streams = new StreamPane(this.#api, () => this.ask("start_video"));
    const link = new LinkPane(this.#api, this.session);
    const people = { nameOf: (user) => this.#desk.nameOf(user), open: (id) => this.#show.session(id) };
    const facts = new Facts(this.#api, this.merging, people, () => this.refresh(), [streams.about]);
    const chats = new OtherChats(this.#api, people.nameOf, [log, typing, form]);
    const stage = new Stage(streams, facts.place);
    this.#parts = { log, typing, message, sent, form, chatState, head, streams, stage, facts, link, chats };
    facts.element.id = "details";
    fill(this.#place, h("div", { class: "work" }, head, stage.element,
      h("section", { class: "card talk", "aria-label": "Chat" }, h("h2", { class: "pane-title" }, "Chat", chatState), h("div", { class: "told" }, chats.tabs, facts.asked, link.element), log, chats.element, typing, form),
      facts.element));
    this.#showDetails();
  }

  #draw(detail, others, merged) {
    const before = this.#detail?.session;
    const joinableBefore = this.joinable;
    this.#detail = detail;
    this.#others = others;
    const { session } = detail;
    const { head, form, streams, stage, facts, link, chats } = this.#parts;
    refill(head, [session, this.#isOwn], () => [
      h("h1", {}, session.phone ?? "Number unknown"), this.#stateChip(session),
      session.state === "waiting" && session.expiresAt && h("span", { class: "figures countdown", dataset: { until: session.expiresAt }, title: "Until something starts" }),
      h("span", { class: "grow" }),
      this.#isOwn && this.#isOpen && [
        session.liveStreams > 0
          ? [
            h("button", { type: "button", dataset: { key: "stop" }, onclick: () => this.stopVideo() }, "Stop video"),
            h("button", { type: "button", dataset: { key: "video" }, onclick: () => this.ask("stop_video") }, "Ask to stop video"),
          ]
          : h("button", { type: "button", dataset: { key: "video" }, onclick: () => this.ask("start_video") }, "Ask for video"),
        h("button", { type: "button", dataset: { key: "place" }, onclick: () => this.ask("send_location") }, "Ask for the place"),
        session.phone && h("button", { type: "button", dataset: { key: "link" }, onclick: () => this.sendLink() }, "Send a link"),
        h("button", { type: "button", class: "danger", dataset: { key: "leave" }, onclick: () => this.leave() }, "Close …"),
      ],
      !session.owner && this.#isOpen && h("button", { class: "primary", type: "button", onclick: async () => (await this.#desk.claim(session.id)) && this.refresh() }, "Take it"),
      session.state === "expired" && session.phone && h("button", { class: "primary", type: "button", dataset: { key: "again" }, onclick: () => this.#again(session.phone) }, "New session"),
      !(this.#isOwn && this.#isOpen) && h("button", { type: "button", dataset: { key: "back" }, onclick: () => this.#show.home() }, "Back"),
      stage.choice,
      h("button", { type: "button", dataset: { key: "details" }, "aria-expanded": String(this.#hasDetails), "aria-controls": "details", title: "Alt I", onclick: () => this.switchDetails() }, "Details"),
    ]);
    form.hidden = !(this.#isOwn && this.#isOpen);
    link.allow(this.#isOwn && this.#isOpen && Boolean(session.phone), !this.#isOpen);
    streams.allow(this.#isOwn && this.#isOpen);
    streams.show([detail, ...others].flatMap((one) => one.streams.map((id) => ({ id, phone: one.session.phone, isOwn: one === detail }))));
    facts.show(detail, others, merged);
    chats.show(session, others);
    stage.update();
    if (before && before.state !== session.state && session.state === "closed") this.#parts.log.note("The session was closed");
    if (before && before.state !== session.state && session.state === "expired") this.#parts.log.note("Nothing started in time; the session expired");
    if (!(this.#isOwn && this.#isOpen)) {
      this.#leaving.withdraw("This session is over, or somebody else has it.");
      this.#giveUpChat(session.id);
      // Taken while it was on the screen: from now on this operator hears the caller.
    } else if (before) this.#talk();
    this.#tick();
    if (before && this.joinable !== joinableBefore) this.dispatchEvent(new Event("change"));
  }

  #stateChip(session) {
    const who = session.owner === this.#desk.me.user ? "yours" : session.owner ? `operator ${this.#desk.nameOf(session.owner)}` : "nobody's";
    const [word, kind] = {
      waiting: ["waiting for the caller", "warn"], open: ["open", "good"], expired: ["expired", "bad"], closed: ["closed", ""],
    }[session.state];
    return h("span", { class: "row" }, h("span", { class: `chip ${kind}`, id: "session-state" }, word), h("span", { class: "chip" }, who));
  }

  async #again(phone) {
    const session = await this.#desk.call(phone);
    if (session) this.#show.session(session);
  }

  #tick() {
    for (const clock of this.#place.querySelectorAll("[data-until]")) clock.textContent = countdown(clock.dataset.until);
    this.#parts?.facts.tick();
    this.#parts?.link.tick();
  }

  // MARK: Chat

  async #readTranscript() {
    const id = this.session;
    if (!id) return;
    try {
      const { messages } = await this.#api.get(`/v1/sessions/${id}/transcript`);
      if (this.session !== id) return;
      this.#parts.log.reconcile(messages.map((message) => ({
        key: `${message.from}/${message.temporaryID}`, id: message.id, isMine: message.from === "operator", text: message.text, picture: message.picture, at: message.sentAt,
        state: message.state === "queued" ? "taken" : message.state,
      })));
    } catch (error) {
      toast(error.message, "bad");
    }
  }

  #talk() {
    if (this.#chat || !this.#isOpen || !this.#isOwn) return;
    const { log, typing } = this.#parts;
    const chat = new Chat(this.#api, { session: this.session, store: unsentStore(this.#desk.me.user, this.session) }, {
      onUnsent: tellUnsent,
      onState: (isOpen) => this.#connection(isOpen),
      onMessage: (message) => {
        typing.textContent = "";
        log.show({ key: `caller/${message.temporaryID}`, id: message.id, isMine: false, text: message.text, picture: message.picture, at: now() });
      },
      onWaiting: (picture) => this.#showWaiting(picture),
      onReport: (report) => this.#report(report),
      onTyping: () => {
        typing.textContent = "The caller is writing …";
        clearTimeout(this.#typingTimer);
        this.#typingTimer = setTimeout(() => (typing.textContent = ""), 4000);
      },
    });
    this.#chat = chat;
    if (this.#shown !== null) chat.saw(this.#shown);
    for (const message of chat.waiting) this.#showWaiting(message);
    chat.connect();
  }

  /** The session is over, or not this operator's any more. */
  #giveUpChat(session) {
    if (this.#chat) this.#chat.end();
    else forgetSession(this.#desk.me.user, session);
    this.#chat = null;
  }

  /** What was on its way when a connection broke may not have been shown, whatever the gateway was told: it is read again. */
  #connection(isOpen) {
    if (!this.#parts) return;
    this.#parts.chatState.textContent = isOpen ? "" : "reconnecting …";
    if (isOpen) this.#readTranscript();
  }

  #report(report) {
    if (!this.#parts) return;
    const { log } = this.#parts;
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

  #showWaiting(message) {
    this.#parts?.log.show({ key: `operator/${message.temporaryID}`, isMine: true, text: message.text, blob: message.blob, at: message.at, state: "queued" });
  }

  #sendPicture(file) {
    this.#talk();
    if (!this.#chat) toast("Not sent: this session cannot be read now.", "bad");
    else this.#showWaiting(this.#chat.pictures.send(file));
  }

  #messageKey(event) {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) this.#send(event);
  }

  #send(event) {
    event.preventDefault();
    const { message, sent } = this.#parts;
    const text = message.value.trim();
    if (!text) return;
    const fault = tooLong(text, limits.messageBytes);
    if (fault) return toast(fault, "bad");
    if (this.#say(text)) sent();
  }

  /** @returns {boolean} Whether the words are kept; where there is no chat yet, nothing would send them. */
  #say(text) {
    this.#talk();
    if (!this.#chat) {
      toast("Not sent: this session cannot be read now, and so not be written in. Telephone the caller.", "bad");
      return false;
    }
    this.#showWaiting(this.#chat.send(text));
    return true;
  }
}
