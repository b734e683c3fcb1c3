// SPDX-License-Identifier: Apache-2.0
import { fill, find, focusIfLost, h, toast } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { local } from "../core/storage.js";
import { countdown } from "../core/time.js";
import { videoEnd } from "../model/video-end.js";
import { Asked } from "./asked.js";
import { CallerLine } from "./caller-line.js";
import { Facts } from "./facts.js";
import { Handling } from "./handling.js";
import { KeptFootage } from "./kept-footage.js";
import { LeaveDialog } from "./leave-dialog.js";
import { LinkPane } from "./link-pane.js";
import { Merging } from "./merging.js";
import { PlacePane } from "./place-pane.js";
import { SessionHead } from "./session-head.js";
import { SessionReader } from "./session-reader.js";
import { Stage } from "./stage.js";
import { StreamPane } from "./stream-pane.js";
import { endWords } from "./streams.js";
import { Talk } from "./talk.js";
import { hasTelephoneAlone, isUnheard } from "./triage.js";
import { forgetSession } from "./unsent.js";
import "./words.js";

/** One session, whole: which one is shown, what an operator does with it, and what of it is told to its parts — head, stage, talk and details. */
export class SessionView extends EventTarget {
  #api;
  #desk;
  #place;
  #show;
  #detail = null;
  #others = [];
  #leaving;
  #parts = null;
  #reader = null;
  #timer = 0;

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
    return this.#isTheirs ? this.#detail.session.incident : null;
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

  get #isTheirs() {
    return this.#isOwn && this.#isOpen;
  }

  stop() {
    this.#leaving.withdraw();
    this.close();
    fill(this.#place);
  }

  close() {
    clearInterval(this.#timer);
    this.#reader?.stop();
    this.#leaving.withdraw("Another session is shown now, or none.");
    this.#parts?.talk.stop();
    this.#parts?.streams.close();
    [this.#reader, this.#parts, this.#detail, this.session] = [null, null, null, null];
    this.#others = [];
    this.#home();
    focusIfLost(this.#place);
    this.dispatchEvent(new Event("change"));
  }

  async show(id) {
    if (this.session === id) return find("#main").focus();
    this.close();
    this.session = id;
    this.#reader = new SessionReader(this.#api, id, {
      onRead: (detail, incident) => this.#took(detail, incident),
      onRefused: (error) => this.#refused(error),
      onFault: (error) => this.#failed(error),
    });
    this.#build();
    // At once: whoever goes on typing elsewhere while the rest is read is not disturbed.
    find("#main").focus();
    this.#timer = setInterval(() => this.#tick(), 500);
    await this.refresh();
  }

  /** What the session is was read for the first time. */
  async #begin() {
    const parts = this.#parts;
    await parts.talk.begin();
    // Another one may have been chosen meanwhile, which has its own chat.
    if (this.#parts !== parts) return;
    focusIfLost(find("#main"));
    this.dispatchEvent(new Event("change"));
  }

  /** The network was gone: connections from before may only look as if they stood. */
  revive(brokenAt) {
    this.#parts?.talk.revive(brokenAt);
  }

  /** Hears of an event that this operator may see. */
  take(event) {
    if (!this.session) return;
    // What happens while the session is read for the first time may be missing in what was read.
    if (!this.#detail) return void (this.#reader.isReading && this.refresh());
    const subject = event.subject.slice(event.subject.indexOf("/") + 1);
    const ours = [this.#detail, ...this.#others].flatMap(({ session, streams }) => [session.id, session.incident, ...streams]);
    // A session that is linked goes to an incident of which nothing is known here; an agreement is an event of one of the two sessions, and changes what is shown of both.
    const isOurs = ours.includes(subject) || ours.includes(event.entry?.data?.session) || event.kind === "session.link_accepted/1";
    if (!isOurs && event.kind !== "stream.started/1") return;
    if (event.kind.startsWith("chat.")) return this.#hear(subject, event);
    if (event.kind === "session.activity_signalled/1") return;
    if (subject === this.session) this.#parts.link.take(event);
    if (event.kind === "incident.note_added/1") this.#parts.handling.readNotes();
    if (event.kind === "incident.footage_kept/1") this.#parts.kept.read(this.#detail.session.incident);
    if (event.kind.startsWith("stream.")) this.#parts.streams.changed(subject);
    if (event.kind === "stream.stopped/1" && event.entry) this.#noteEnd(subject, event);
    this.refresh();
  }

  #noteEnd(stream, { entry, time }) {
    const { reason, durationMilliseconds } = entry.data;
    const { streams, talk } = this.#parts;
    const endedAt = videoEnd({ startedAt: streams.known(stream)?.startedAt, durationMilliseconds }, time);
    streams.ended(stream, endedAt);
    talk.note(["The video ended", reason && endWords(reason)].filter(Boolean).join(": "), endedAt);
  }

  #hear(subject, event) {
    // The caller's first message starts a session: the countdown is over.
    if (subject === this.session && this.#detail.session.state === "waiting") this.refresh();
    this.#parts.talk.hear(subject, event);
  }

  async refresh() {
    await this.#reader?.read();
  }

  #took(detail, incident) {
    const isFirst = this.#detail === null;
    this.#draw(detail, incident);
    if (isFirst) this.#begin();
  }

  /** Who may not read it leaves. */
  #refused(error) {
    toast(error.message, "bad");
    this.#parts.talk.giveUp();
    this.#show.gone();
  }

  /** What cannot be read now is said where nothing is shown yet. */
  #failed(error) {
    if (!this.#detail) this.#parts.head.tell(`This session cannot be read now: ${error.message} It is tried again.`);
  }

  // MARK: What an operator does

  async ask(what) {
    if (!this.session) return;
    if (this.#detail && hasTelephoneAlone(this.#detail)) return toast(t("console.telephone-alone"), "warn");
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
    if (this.#isTheirs) this.#parts.link.send();
  }

  /** Says one of the instructions. */
  instruct(text) {
    if (this.#isTheirs) this.#parts.talk.instruct(text);
  }

  focusMessage() {
    this.#parts?.talk.focus();
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
    else if (wasThere) head.focusDetails();
  }

  #showDetails() {
    const { facts, head } = this.#parts;
    facts.element.hidden = !this.#hasDetails;
    head.hasDetails = this.#hasDetails;
  }

  /** Closes the session, leaves it open, gives it away, or stays; what is not this operator's to leave is only shown no more. */
  async leave() {
    const id = this.session;
    if (!id) return;
    if (!this.#isTheirs) return this.#show.home();
    const end = await this.#leaving.ask(id);
    const isShown = this.session === id;
    if (end === "over" && isShown) this.#parts.talk.giveUp();
    else if (end === "over") forgetSession(this.#desk.me.user, id);
    if (end === "over") this.#desk.left(id);
    else this.#desk.refresh();
    if (end && isShown) this.#show.home();
  }

  // MARK: The page

  #home() {
    fill(this.#place, h("div", { class: "welcome" },
      h("h1", {}, "No session is open"),
      h("p", {}, "Press ", h("kbd", {}, "/"), " and type the beginning of a phone number to call somebody, or take one who waits."),
      h("p", { class: "small" }, h("kbd", {}, "Alt T"), " takes the one who has waited longest. ", h("kbd", {}, "Alt F"), " finds recordings.")));
  }

  #build() {
    const { session } = this;
    const nameOf = (user) => this.#desk.nameOf(user);
    const streams = new StreamPane(this.#api, () => this.ask("start_video"));
    const link = new LinkPane(this.#api, session);
    const handling = new Handling(this.#api, nameOf, () => this.refresh());
    const kept = new KeptFootage(this.#api, nameOf);
    const facts = new Facts(this.#api, this.merging, { nameOf, open: (id) => this.#show.session(id) }, () => this.refresh(), [streams.about, kept.element, handling.element]);
    facts.element.id = "details";
    const place = new PlacePane(this.#api);
    const stage = new Stage(streams, place);
    const asked = new Asked();
    const talk = new Talk(this.#api, { session, user: this.#desk.me.user, nameOf }, [asked.element, link.element]);
    const caller = new CallerLine(this.#api, () => this.refresh());
    const head = new SessionHead(this.#desk, this.#acts(), stage.choice, caller.element);
    this.#parts = { head, caller, streams, place, stage, kept, handling, facts, asked, link, talk };
    fill(this.#place, h("div", { class: "work" }, head.element, stage.element, talk.element, facts.element));
    this.#showDetails();
  }

  /** What the head of a session can be pressed for. */
  #acts() {
    return {
      stopVideo: () => this.stopVideo(), ask: (what) => this.ask(what), sendLink: () => this.sendLink(), leave: () => this.leave(), home: () => this.#show.home(), switchDetails: () => this.switchDetails(),
      take: async (id) => (await this.#desk.claim(id)) && this.refresh(),
      again: async (phone) => {
        const session = await this.#desk.call(phone);
        if (session) this.#show.session(session);
      },
    };
  }

  #draw(detail, incident) {
    const { others } = incident;
    const before = this.#detail?.session;
    const joinableBefore = this.joinable;
    this.#detail = detail;
    this.#others = others;
    const { number, name } = detail.telephone ?? {};
    const session = detail.telephone ? { ...detail.session, telephone: { number, name } } : detail.session;
    const { head, caller, streams, place, stage, kept, handling, facts, asked, link, talk } = this.#parts;
    caller.show(detail, this.#isOpen && (this.#isOwn || this.#desk.supervises));
    head.show(session, this.#isTheirs, this.#isOpen, isUnheard(detail), hasTelephoneAlone(detail));
    link.allow(this.#isTheirs && Boolean(session.phone), !this.#isOpen, session.phone);
    streams.allow(this.#isTheirs);
    streams.show([detail, ...others].flatMap((one) => one.streams.map((id) => ({ id, phone: one.session.phone, isOwn: one === detail }))));
    asked.show(detail.requests, isUnheard(detail));
    place.show(detail, others);
    const mayWrite = this.#isTheirs || this.#desk.supervises;
    kept.show(session.incident);
    handling.show(session, incident, mayWrite);
    facts.show(detail, incident, mayWrite);
    stage.update();
    if (before && before.state !== session.state && session.state === "closed") talk.note("The session was closed");
    if (before && before.state !== session.state && session.state === "expired") talk.note("Nothing started in time; the session expired");
    if (!this.#isTheirs) this.#leaving.withdraw("This session is over, or somebody else has it.");
    talk.show(session, others, this.#isTheirs, detail.telephone, !hasTelephoneAlone(detail));
    this.#tick();
    if (before && this.joinable !== joinableBefore) this.dispatchEvent(new Event("change"));
  }

  #tick() {
    for (const clock of this.#place.querySelectorAll("[data-until]")) clock.textContent = countdown(clock.dataset.until);
    this.#parts?.asked.tick();
    this.#parts?.link.tick();
  }
}
