// SPDX-License-Identifier: Apache-2.0
import { fill, h, refill, toast } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { age, countdown, now } from "../core/time.js";
import { isLate, waitsSince } from "./desk.js";
import { isUnverified, knownAs, nameOfSession } from "./incident.js";
import { askedOf, capacityOf, groupsOf, placeOf, unreadOf, urgencyOf, whyFull, wishOf, wordsOf } from "./triage.js";
import "./words.js";

/** So long after a still could not be had it is asked for again. */
const stillAgainMilliseconds = 3000;

/** The left side: one's own sessions, those that wait for somebody, and those of others. */
export class QueueView {
  #desk;
  #place;
  #show;
  #view;
  #timer;
  #claiming = new Set();
  /** By stream: a still of what the caller films, fetched once. */
  #stills = new Map();
  #refresh = () => this.#draw();

  constructor(desk, place, show, view) {
    this.#desk = desk;
    this.#place = place;
    this.#show = show;
    this.#view = view;
    desk.addEventListener("change", this.#refresh);
    view.addEventListener("change", this.#refresh);
    this.#timer = setInterval(this.#refresh, 1000);
    this.#draw();
  }

  stop() {
    clearInterval(this.#timer);
    this.#desk.removeEventListener("change", this.#refresh);
    this.#view.removeEventListener("change", this.#refresh);
    this.#stills.clear();
    fill(this.#place);
  }

  #draw() {
    const desk = this.#desk;
    const full = whyFull(desk);
    const { offered } = desk;
    // Each caller once: what is offered is answered there.
    const [waiting, others] = [desk.pending, desk.others].map((list) => list.filter((one) => !offered.includes(one)));
    const nothing = offered.length > 0 ? t("console.offer.else") : "Nobody waits.";
    this.#forgetStills();
    refill(this.#place, [desk.sessions, desk.isRead, desk.fault, desk.names.size, desk.capacity, this.#view.session, this.#view.joinable, full, desk.pending.map(wishOf), offered.map(({ id }) => id), desk.pending.map((one) => askedOf(one, desk.me.user))], () => [
      desk.fault && h("p", { class: "notice bad", role: "alert" }, `The centre cannot show its sessions now: ${desk.fault} It is tried again. Callers have to telephone.`),
      offered.length > 0 && this.#list("Offered to you", offered, (one) => this.#offered(one), "", "", offered.length, "offers"),
      this.#list("Mine", desk.mine, (one) => this.#own(one), "None. Type / and a number to call somebody.", "", capacity(desk)),
      this.#list("Waiting", waiting, (one) => this.#waiting(one, full), desk.isRead ? nothing : "Reading …", full),
      desk.leftOpen.length > 0 && this.#list("Left open", desk.leftOpen, (one) => this.#waiting(one, full, ""), ""),
      others.length > 0 && this.#list("With others", others, (one) => this.#foreign(one), ""),
    ]);
    this.#tick();
  }

  #list(title, sessions, row, nothing, full = "", count = sessions.length, kind = "") {
    return h("section", { class: kind, "aria-label": title }, h("h2", {}, title, h("span", { class: "figures" }, count)),
      full && sessions.length > 0 && h("p", { class: "small soft" }, full),
      sessions.length ? h("ul", {}, groupsOf(sessions).map((group) => this.#group(group, row))) : h("p", { class: "small soft" }, nothing));
  }

  /** What a colleague asks this operator to take over, or the centre to take, in turn. */
  #offered(session) {
    const { offer } = session;
    const answer = (text, word, kind) => h("button", { class: kind, type: "button", dataset: { key: `${word}-${session.id}` }, onclick: () => this.#takeOver(session, word) }, text);
    return h("li", { class: "ticket card" },
      h("div", { class: "row" }, h("strong", {}, session.owner ? `From ${this.#desk.nameOf(session.owner)}` : nameOfSession(session)), h("span", { class: "figures small countdown", dataset: { until: offer.expiresAt } })),
      h("div", { class: "row chips" }, !session.owner && h("span", { class: "chip accent" }, t("console.offer.turn")), unverified(session)),
      h("div", { class: "said" }, h("p", {}, offer.reason ?? session.lastWords ?? session.firstWords)),
      h("div", { class: "acts" }, answer("Decline", "declined"), answer("Accept", "accepted", "primary")));
  }

  /** What its owner, signed out by silence, left behind. */
  #unattended(session) {
    return h("li", { class: "ticket card pending" },
      h("div", { class: "row" }, h("strong", {}, knownAs(session) ?? `Operator ${this.#desk.nameOf(session.owner)}`), this.#clock(session.unattendedSince)),
      h("div", { class: "row chips" }, urgency(session), h("span", { class: "chip warn" }, `unattended, of ${this.#desk.nameOf(session.owner)}`), session.liveStreams > 0 && h("span", { class: "chip warn" }, "video")),
      h("div", { class: "acts" },
        h("button", { class: "primary", type: "button", dataset: { key: `over-${session.id}`, from: session.takeOverAt }, onclick: () => this.#takeOver(session) }, "Take over")));
  }

  async #takeOver(session, answer) {
    if (this.#claiming.has(session.id)) return;
    this.#claiming.add(session.id);
    if (await this.#desk.takeOver(session, answer)) this.#show.session(session.id);
    this.#claiming.delete(session.id);
  }

  /** Those that are about one event stand in one frame. */
  #group(sessions, row) {
    if (sessions.length === 1) return row(sessions[0]);
    const words = `One event, ${sessions.length} callers`;
    return h("li", { class: "event" }, h("p", { class: "small soft" }, words), h("ul", { "aria-label": words }, sessions.map(row)));
  }

  #waiting(session, full, kind = "pending") {
    if (session.unattendedSince) return this.#unattended(session);
    const wish = wishOf(session);
    const asked = askedOf(session, this.#desk.me.user);
    return h("li", { class: `ticket card ${kind}` },
      h("div", { class: "row" }, h("strong", {}, nameOfSession(session)), wish ? h("span", { class: "figures countdown", dataset: { until: wish } }) : this.#clock(waitsSince(session))),
      this.#said(session),
      h("div", { class: "row chips" }, urgency(session), asked && h("span", { class: "chip accent" }, t("console.offer.to", { name: this.#desk.nameOf(asked) })),
        session.lastOwner && h("span", { class: "chip warn" }, kind === "pending" ? "left by its operator" : "left open"),
        session.liveStreams > 0 ? h("span", { class: "chip live" }, "live video") : !session.lastOwner && h("span", { class: "chip warn" }, wish ? "wants to show video" : session.channel),
        session.unreadForOperator > 1 && h("span", { class: "chip" }, `${session.unreadForOperator} messages`), unverified(session), muted(session), this.#isSame(session)),
      h("div", { class: "acts" },
        this.#sameIncident(session),
        h("button", { class: "primary", type: "button", disabled: full !== "", title: full || null, dataset: { key: `claim-${session.id}` }, onclick: () => this.#claim(session.id) }, "Take it")));
  }

  /** What the caller wrote, where they are, and what they film. */
  #said(session) {
    const { first, last } = wordsOf(session);
    const place = placeOf(session);
    const still = session.liveStream && this.#still(session.liveStream);
    return [
      (first || last) && h("div", { class: "said" }, first && h("p", {}, first), last && h("p", { class: "soft" }, "… ", last)),
      place && h("p", { class: "small where" }, place),
      still,
    ];
  }

  /** A picture of what is filmed; it stays the same element, so that nothing flickers when the list is drawn anew. */
  #still(stream) {
    if (!this.#stills.has(stream)) {
      const src = `/v1/streams/${stream}/frame`;
      const image = h("img", { class: "filmed", src, alt: "What the caller films", onload: () => (image.hidden = false), onerror: () => {
        // A young stream has no picture yet.
        image.hidden = true;
        setTimeout(() => this.#stills.get(stream) === image && (image.src = src), stillAgainMilliseconds);
      } });
      this.#stills.set(stream, image);
    }
    return this.#stills.get(stream);
  }

  #forgetStills() {
    const live = new Set(this.#desk.sessions.map((session) => session.liveStream));
    for (const stream of this.#stills.keys()) if (!live.has(stream)) this.#stills.delete(stream);
  }

  #own(session) {
    const isShown = this.#view.session === session.id;
    const unread = unreadOf(session);
    return h("li", { class: "ticket card mine", "aria-current": isShown ? "true" : null },
      h("div", { class: "row" }, h("strong", {}, nameOfSession(session)),
        session.state === "waiting" && session.expiresAt ? h("span", { class: "figures countdown", dataset: { until: session.expiresAt } }) : this.#clock(session.createdAt)),
      !isShown && unread > 0 && session.lastWords && h("div", { class: "said" }, h("p", {}, session.lastWords)),
      h("div", { class: "row chips" }, urgency(session),
        h("span", { class: "chip accent" }, session.liveStreams > 0 ? "video" : session.state === "waiting" ? "not started" : session.channel),
        unread > 0 && h("span", { class: "chip warn" }, `${unread} unread`), unverified(session), muted(session), this.#isSame(session)),
      this.#proposals(session),
      !isShown && h("div", { class: "acts" },
        this.#sameIncident(session),
        h("button", { type: "button", dataset: { key: `open-${session.id}` }, onclick: () => this.#show.session(session.id) }, "Open")));
  }

  /** That other operators take their sessions and this one for one event: a line and an answer for each. */
  #proposals(session) {
    if (session.owner !== this.#desk.me.user) return null;
    return (session.linkProposals ?? []).filter(({ expiresAt }) => new Date(expiresAt).getTime() > now()).map(({ from, by, expiresAt }) => {
      const answer = (text, word) => h("button", { type: "button", dataset: { key: `${word}-link-${session.id}-${from}` }, onclick: () => this.#desk.agree(session, from, word) }, text);
      return h("div", { class: "acts" },
        h("span", { class: "small" }, `${this.#desk.nameOf(by)}: the same event? `, h("span", { class: "figures countdown", dataset: { until: expiresAt } })),
        answer("No", "declined"), answer("Yes, one incident", "accepted"));
    });
  }

  /** The same for who supervises, and need not wait for the answer. */
  #unanswered(session) {
    const { linkProposals, incident } = session;
    if (!linkProposals || !this.#desk.supervises) return null;
    return linkProposals.map(({ from, by }) => {
      const asker = this.#desk.sessions.find(({ id }) => id === from);
      if (!asker || asker.incident === incident) return null;
      return h("div", { class: "acts" },
        h("span", { class: "small" }, `${this.#desk.nameOf(by)}: the same event as ${asker.phone ?? "their session"}?`),
        h("button", { type: "button", dataset: { key: `agree-${session.id}-${from}` }, onclick: () => this.#link(asker, incident) }, "One incident"));
    });
  }

  /** Asks the other's owner; only with an own session, and one that is not of the same incident. */
  #propose(session) {
    const { joinable: incident, session: own } = this.#view;
    if (!incident || this.#desk.supervises || session.incident === incident) return null;
    return h("button", { type: "button", dataset: { key: `propose-${session.id}` }, onclick: () => this.#desk.propose(own, session) }, "Same event?");
  }

  #foreign(session) {
    const desk = this.#desk;
    const look = () => h("button", { type: "button", dataset: { key: `open-${session.id}` }, onclick: () => this.#show.session(session.id) }, "Look on");
    return h("li", { class: "ticket card" },
      h("div", { class: "row" }, h("strong", {}, `Operator ${desk.nameOf(session.owner)}`), this.#clock(session.createdAt)),
      h("div", { class: "row" }, h("span", { class: "chip" }, session.liveStreams > 0 ? "video" : session.channel), this.#isSame(session),
        session.isPrivate ? [h("span", { class: "small soft" }, "private"), this.#propose(session)] : [this.#sameIncident(session), look()]),
      this.#unanswered(session));
  }

  #isSame(session) {
    const { joinable: incident } = this.#view;
    return incident && session.id !== this.#view.session && session.incident === incident && h("span", { class: "chip good" }, "same incident");
  }

  /** Joins a session to the incident of the one that is shown. */
  #sameIncident(session) {
    const { joinable: incident } = this.#view;
    if (!incident || session.id === this.#view.session || session.incident === incident) return null;
    return h("button", { type: "button", dataset: { key: `link-${session.id}` }, onclick: () => this.#link(session, incident) }, "Same incident");
  }

  async #link(session, incident) {
    // Of an incident that has more sessions, one may be meant or all.
    try {
      const present = await this.#view.merging.find(session.id);
      if (present.sessions.length > 1 && (await this.#view.merging.offer(incident, present.id, session.id)) !== "session") return;
    } catch (error) {
      return toast(error.message, "bad");
    }
    if (!(await this.#desk.link(session.id, incident))) return;
    toast(this.#joined(session), "good");
    this.#view.refresh();
  }

  /** Which of two sides reads which, now that they are joined (decision 0031). */
  #joined(session) {
    const { me, supervises } = this.#desk;
    if (supervises) return "One incident now. Operators who have one of the sessions now read both.";
    if (session.owner === me.user) return "Both are one incident now.";
    if (session.owner) return "One incident now. The other's operator reads yours.";
    return "One incident now. Whoever takes that session reads yours. You read theirs until then; afterwards they, or a supervisor, have to link the two.";
  }

  async #claim(id) {
    // Pressed twice it is asked for once; the button stays, and with it the place of the keyboard.
    if (this.#claiming.has(id)) return;
    this.#claiming.add(id);
    if (await this.#desk.claim(id)) this.#show.session(id);
    this.#claiming.delete(id);
  }

  #clock(since) {
    return h("span", { class: "figures small", dataset: { since } });
  }

  #tick() {
    for (const clock of this.#place.querySelectorAll("[data-since]")) {
      clock.textContent = age(clock.dataset.since);
      const isPending = clock.closest(".pending") !== null;
      clock.classList.toggle("late", isPending && isLate(clock.dataset.since));
    }
    for (const button of this.#place.querySelectorAll("[data-from]")) {
      const from = new Date(button.dataset.from).getTime();
      button.disabled = now() < from;
      button.title = button.disabled ? `Its owner may come back for ${countdown(button.dataset.from)}` : "";
    }
    for (const clock of this.#place.querySelectorAll("[data-until]")) clock.textContent = countdown(clock.dataset.until);
  }
}

/** How many of one's own there are, of how many that are allowed where that is known. */
function capacity(desk) {
  const known = capacityOf(desk);
  return known ? t(known.isText ? "console.capacity.text" : "console.capacity", known) : desk.mine.length;
}

function unverified(session) {
  return isUnverified(session) && h("span", { class: "chip" }, t("console.caller.unverified"));
}

function muted({ isMuted }) {
  return isMuted && h("span", { class: "chip" }, t("console.muted"));
}

function urgency(session) {
  const { words, kind } = urgencyOf(session) ?? {};
  return words && h("span", { class: `chip ${kind}` }, words);
}
