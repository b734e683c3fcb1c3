// SPDX-License-Identifier: Apache-2.0
import { h, refill } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { knownAs } from "./incident.js";
import { urgencyOf } from "./triage.js";
import "./words.js";

/** How a session stands, in a word, and how that is taken. */
const states = { waiting: ["waiting for the caller", "warn"], open: ["open", "good"], expired: ["expired", "bad"], closed: ["closed", ""] };

/** The line above a session: whose it is, how it stands, and what can be done with it. */
export class SessionHead {
  #desk;
  #acts;
  #choice;
  #details;
  #caller;
  element = h("header", { class: "card head" });

  /**
   * @param {{stopVideo: () => void, ask: (what: string) => void, sendLink: () => void, leave: () => void, take: (id: string) => void, again: (phone: string) => void, home: () => void, switchDetails: () => void}} acts
   * @param {Element} choice Which of picture and map has the room.
   * @param {Element} caller Who writes.
   */
  constructor(desk, acts, choice, caller) {
    this.#desk = desk;
    this.#acts = acts;
    this.#choice = choice;
    this.#caller = caller;
    this.#details = h("button", { type: "button", dataset: { key: "details" }, "aria-controls": "details", title: "Alt I", onclick: () => acts.switchDetails() }, "Details");
  }

  /** Says in place of everything else why the session cannot be shown. */
  tell(words) {
    refill(this.element, words, () => h("p", { class: "notice warn", role: "status" }, words));
  }

  /** @param {boolean} isTheirs Whether it is this operator's, and open. @param {boolean} isOpen Whether it goes on. @param {boolean} isUnheard Whether no phone of the caller's shows what is asked. @param {boolean} isTelephoneAlone Whether the caller has no page at all. */
  show(session, isTheirs, isOpen, isUnheard, isTelephoneAlone) {
    const { take, again, home } = this.#acts;
    refill(this.element, [session, isTheirs, isUnheard, isTelephoneAlone, this.#desk.names.size], () => [
      h("h1", {}, knownAs(session) ?? "Number unknown"), this.#state(session),
      session.state === "waiting" && session.expiresAt && h("span", { class: "figures countdown", dataset: { until: session.expiresAt }, title: "Until something starts" }),
      h("span", { class: "grow" }),
      isTheirs && this.#theirs(session, isUnheard, isTelephoneAlone),
      !session.owner && isOpen && h("button", { class: "primary", type: "button", dataset: { key: "take" }, onclick: () => take(session.id) }, "Take it"),
      session.state === "expired" && session.phone && h("button", { class: "primary", type: "button", dataset: { key: "again" }, onclick: () => again(session.phone) }, "New session"),
      !isTheirs && h("button", { type: "button", dataset: { key: "back" }, onclick: () => home() }, "Back"),
      this.#choice, this.#details, this.#caller,
      isTheirs && isUnheard && h("p", { class: "notice warn unheard", role: "status" }, "No phone is registered for this number: nothing rings. Send a link, or telephone."),
    ]);
  }

  /** Whether the details stand open. */
  set hasDetails(isOpen) {
    this.#details.setAttribute("aria-expanded", String(isOpen));
  }

  focusDetails() {
    this.#details.focus();
  }

  /** What an operator does with a session of their own. */
  #theirs(session, isUnheard, isTelephoneAlone) {
    const { stopVideo, ask, sendLink, leave } = this.#acts;
    const button = (key, words, act, kind = "") => h("button", { type: "button", class: kind, dataset: { key }, onclick: act }, words);
    const asks = [
      session.liveStreams > 0
        ? [button("stop", "Stop video", () => stopVideo()), button("video", "Ask to stop video", () => ask("stop_video"))]
        : button("video", "Ask for video", () => ask("start_video")),
      button("place", "Ask for the place", () => ask("send_location")),
    ];
    return [
      isTelephoneAlone ? h("span", { class: "small soft" }, t("console.telephone-alone")) : asks,
      session.phone && button("link", "Send a link", () => sendLink(), isUnheard ? "primary" : ""),
      button("leave", "Close …", () => leave(), "danger"),
    ];
  }

  #state(session) {
    const { state, owner } = session;
    const urgency = urgencyOf(session);
    const [word, kind] = states[state];
    const whose = owner === this.#desk.me.user ? "yours" : owner ? `operator ${this.#desk.nameOf(owner)}` : "nobody's";
    return h("span", { class: "row" }, h("span", { class: `chip ${kind}`, id: "session-state" }, word), h("span", { class: "chip" }, whose), urgency && h("span", { class: `chip ${urgency.kind}`, id: "urgency" }, urgency.words));
  }
}
