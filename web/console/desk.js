// SPDX-License-Identifier: Apache-2.0
import { all } from "../core/api.js";
import { find, toast } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { patience } from "../core/patience.js";
import { now } from "../core/time.js";
import { Topics } from "../core/topics.js";
import "./words.js";

/** Many events of a moment are one question. */
const pauseMilliseconds = 60;
/** What nothing in the lists follows from. */
const quiet = new Set(["chat.message_delivered/1", "session.activity_signalled/1", "session.consent_recorded/1"]);

const isLeftOpen = (session) => !session.owner && Boolean(session.lastOwner) && !session.pendingSince && session.liveStreams === 0;

/** After this long a caller whom nobody has taken is shown in red, and rings again. */
const lateSeconds = 30;

/** Whether somebody who has waited since then has waited too long. */
export const isLate = (since) => now() - new Date(since).getTime() > lateSeconds * 1000;

/** Since when the caller of a session that nobody has waits. */
export const waitsSince = (session) => session.pendingSince ?? session.createdAt;

/** Which sessions there are now, and what may be done with them. Tells of changes by the event `change`. */
export class Desk extends EventTarget {
  #api;
  #topics;
  #timer = 0;
  #isReading = false;
  #isAskedAgain = false;
  /** How many sessions this operator has left: what was asked before the last of them may not know it. */
  #leavings = 0;
  #view = null;
  #brokenAt = 0;
  #refusals = 0;
  #isOver = false;
  #againTimer = 0;
  #onState;

  /** @param {(isLive: boolean) => void} onState Told whether what happens is told. */
  constructor(api, me, onState = () => {}) {
    super();
    this.#api = api;
    this.#onState = onState;
    this.me = me;
    /** All that are waiting or open, oldest first. */
    this.sessions = [];
    this.isRead = false;
    /** Why the lists cannot be read now, although the gateway is there; empty where they can be. */
    this.fault = "";
    /** Colleagues' names, by user. */
    this.names = new Map();
    /** Whether those that wait are to alert this operator: not one who has as many sessions as allowed. */
    this.alerting = false;
    /** How many sessions this operator may have open, of any kind and of text alone. @type {{sessions: number, textSessions: number} | null} */
    this.capacity = null;
  }

  /** Sessions that nobody has, or attends, and whose caller waits: who has waited longest first. */
  get pending() {
    const { user } = this.me;
    const waits = (session) => (session.owner ? Boolean(session.unattendedSince) && session.owner !== user : !isLeftOpen(session));
    return this.sessions.filter(waits).sort((one, other) => (waitsSince(one) < waitsSince(other) ? -1 : 1));
  }

  /** Sessions that a colleague asks this operator to take over. */
  get offered() {
    return this.sessions.filter(({ offer }) => offer?.to === this.me.user && new Date(offer.expiresAt).getTime() > now());
  }

  /** Sessions that somebody had and left open, with nothing in them that nobody has seen. */
  get leftOpen() {
    return this.sessions.filter(isLeftOpen);
  }

  /** Whether this is somebody who joins and parts what is others'. */
  get supervises() {
    return this.me.role !== "operator";
  }

  get mine() {
    return this.sessions.filter((session) => session.owner === this.me.user);
  }

  get others() {
    return this.sessions.filter((session) => session.owner && session.owner !== this.me.user && !session.unattendedSince);
  }

  /** The connection over which it follows what happens. */
  get topics() {
    return this.#topics;
  }

  /** Begins to follow; opens the session that was open when the page went away. */
  async start(view, show) {
    this.#view = view;
    this.#learnNames();
    this.#topics = new Topics(this.#api, (isLive) => this.#showState(isLive));
    await new Promise((resolve, reject) => {
      this.#topics.follow("desk", {
        onEvent: (event) => this.#take(event),
        onLevel: () => this.#level().then(resolve),
        onAlerting: (alerting) => this.#alert(alerting),
        onRefused: (problem) => reject(new Error(problem.detail)),
        onTrouble: (problem) => this.#tell(problem.status, problem.detail ?? problem.title),
      });
    });
    const own = this.mine[0];
    if (own && (!view.session || view.session === own.id)) {
      show.session(own.id);
      toast("Your open session was found again.", "good");
    }
  }

  /** A colleague by name; one who has none by number. */
  nameOf(user) {
    return this.names.get(user) ?? user;
  }

  /** Refusals tell numbers, for what they say is in the ledger; on the screen people have names. */
  async #learnNames() {
    try {
      const { items } = await this.#api.get("/v1/colleagues", { isLevel: false });
      this.names = new Map(items.map(({ user, name }) => [user, name]));
      this.#api.inWords = (text) => text.replace(/\b(operator|user)([ /])([\w.~-]*\w)/gi, (all, word, between, user) => (this.names.has(user) ? `${word} ${this.names.get(user)}` : all));
      this.dispatchEvent(new Event("change"));
    } catch {
      // Numbers are shown until the next time.
    }
  }

  stop() {
    clearTimeout(this.#timer);
    clearTimeout(this.#againTimer);
    this.#isOver = true;
    this.#topics?.stop();
  }

  async refresh() {
    if (this.#isReading) {
      this.#isAskedAgain = true;
      return;
    }
    this.#isReading = true;
    clearTimeout(this.#againTimer);
    const leavings = this.#leavings;
    try {
      const lists = await Promise.all(["waiting", "open"].map((state) => all(this.#api, `/v1/sessions?state=${state}&limit=200`, { cursor: "before" })));
      if (leavings !== this.#leavings) return;
      this.sessions = lists.flatMap((list) => list.items).sort((one, other) => (one.createdAt < other.createdAt ? -1 : 1));
      this.alerting = lists.some((list) => list.alerting);
      this.capacity = lists.find((list) => list.capacity)?.capacity ?? null;
      this.isRead = true;
      [this.fault, this.#refusals] = ["", 0];
      this.dispatchEvent(new Event("change"));
    } catch (error) {
      this.#failed(error);
    } finally {
      this.#isReading = false;
      if (this.#isAskedAgain) {
        this.#isAskedAgain = false;
        this.refresh();
      }
    }
  }

  /** A session is this operator's no more; that is so at once, and the lists are read again. */
  left(id) {
    this.#leavings++;
    this.sessions = this.sessions.filter((session) => session.id !== id);
    this.dispatchEvent(new Event("change"));
    this.refresh();
  }

  /** The chip in the header tells of a lost connection; what the gateway says is told where the lists would stand. */
  #failed(error) {
    if (this.#isOver || error.status === 401) return;
    if (error.status && ++this.#refusals > 1) this.#tell(error.status, error.message);
    this.#againTimer = setTimeout(() => this.refresh(), patience(this.#refusals));
  }

  #tell(status, words) {
    const fault = status === 507 ? "its disk is full, and nothing can be recorded." : words;
    if (this.fault === fault) return;
    this.fault = fault;
    this.dispatchEvent(new Event("change"));
  }

  /** Takes a session; tells who was first if it was another. */
  async claim(id) {
    try {
      await this.#api.post(`/v1/sessions/${id}/claim`);
      return true;
    } catch (error) {
      toast(error.slug === "session-claimed-by-other" ? `Operator ${this.nameOf(error.members.owner)} was first.` : error.message, "bad");
      return false;
    } finally {
      this.refresh();
    }
  }

  /** Takes over what its owner left unattended, or what was offered; says no to the latter. @returns {Promise<boolean>} Whether it is this operator's now. */
  async takeOver(session, answer) {
    try {
      await this.#api.post(`/v1/sessions/${session.id}/${answer ? "offer/answer" : "take-over"}`, answer ? { answer } : {});
      if (answer === "declined") toast(session.owner ? t("console.offer.declined.owner", { name: this.nameOf(session.owner) }) : t("console.offer.declined"));
      return answer !== "declined";
    } catch (error) {
      toast(error.message, "bad");
      return false;
    } finally {
      this.refresh();
    }
  }

  /** Asks another session's owner to make both one incident. */
  async propose(session, other) {
    try {
      const { incident } = await this.#api.post(`/v1/sessions/${session}/link-proposals`, { with: other.id });
      toast(incident ? "Both are one incident now." : `${this.nameOf(other.owner)} is asked whether both are one incident.`, "good");
    } catch (error) {
      toast(error.message, "bad");
    }
    this.refresh();
  }

  /** Answers another's owner who asked that. */
  async agree(session, from, answer) {
    try {
      await this.#api.post(`/v1/sessions/${session.id}/link-proposals/answer`, { from, answer });
    } catch (error) {
      toast(error.message, "bad");
    }
    this.refresh();
  }

  /** Says that a session is about the same incident as another. @returns {Promise<boolean>} Whether it was done. */
  async link(session, incident, reason = "same event") {
    try {
      await this.#api.post(`/v1/incidents/${incident}/sessions`, { session, reason });
      return true;
    } catch (error) {
      toast(error.message, "bad");
      return false;
    } finally {
      this.refresh();
    }
  }

  /** Opens a session for a number, and asks for video where that is wanted; returns its id, also where the caller could not be asked. */
  async call(phone, withVideo = true) {
    let session = null;
    try {
      ({ session } = await this.#api.post("/v1/sessions", { phone, channel: "video" }));
      if (withVideo) await this.#api.post(`/v1/sessions/${session}/requests`, { ask: "start_video" });
      return session;
    } catch (error) {
      toast(session ? `The session is open; the caller could not be asked for video: ${error.message}` : error.message, "bad");
      return session;
    } finally {
      this.refresh();
    }
  }

  /** After the beginning, and after each break: everything is asked for once; what comes later is told. */
  async #level() {
    this.#view?.refresh();
    await this.refresh();
  }

  /** It changes by what others do: somebody else took a session, or signed out. */
  #alert(alerting) {
    if (alerting === this.alerting) return;
    this.alerting = alerting;
    if (this.isRead) this.dispatchEvent(new Event("change"));
  }

  #take(event) {
    if (!event.isPrivate) this.#view?.take(event);
    if (quiet.has(event.kind)) return;
    if (event.kind === "device.code_issued/1") {
      const by = event.entry?.data.by;
      if (by !== this.me.user) toast(`${this.nameOf(by)} gave a code for another phone of your caller's number.`, "warn");
      return;
    }
    if (event.kind.startsWith("device.")) return this.#phone(event);
    if (event.kind === "session.link_declined/1" && event.entry?.data.proposer === this.me.user) toast("The other operator takes it for another event.", "warn");
    if (event.kind === "session.link_accepted/1" && event.entry?.data.proposer === this.me.user) toast("Agreed: both are one incident now.", "good");
    if (["session.claimed/1", "session.transferred/1"].includes(event.kind)) this.#claimed(event);
    const isMine = this.mine.some(({ id }) => `session/${id}` === event.subject);
    if (event.kind === "session.offer_declined/1" && isMine && event.entry?.data.by !== this.me.user) toast(`${this.nameOf(event.entry?.data.by)} does not take the session: it stays with its owner.`, "warn");
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.refresh(), event.kind.startsWith("chat.") ? pauseMilliseconds : 0);
  }

  /** What became of another phone for the number of one's caller. */
  #phone({ kind, entry }) {
    // That it sees one's own session follows from the code that one gave.
    if (kind === "device.admitted/1" && entry?.data.session) return;
    const words = {
      "device.registered/1": "Another phone was registered for your caller's number.",
      "device.admitted/1": "Another phone of your caller's number may see what was before it.",
      "device.revoked/1": "A phone of your caller's number was ended.",
    }[kind];
    if (words) toast(words, "warn");
  }

  /** Whose a session is now is shown at once; the rest of it is asked for. */
  #claimed(event) {
    const session = this.sessions.find((one) => `session/${one.id}` === event.subject);
    const owner = event.owner ?? event.entry?.data.owner ?? event.entry?.data.to;
    if (!session || !owner || session.owner === owner) return;
    if (session.owner === this.me.user) toast(`${this.nameOf(owner)} has the session now.`, "warn");
    Object.assign(session, { owner, isPrivate: Boolean(event.isPrivate), pendingSince: undefined, unattendedSince: undefined, offer: undefined });
    if (event.isPrivate) for (const name of ["phone", "telephone", "address", "note", "caller", "firstWords", "lastWords", "place", "liveStream", "incidentType", "incidentPriority", "linkProposals"]) delete session[name];
    this.dispatchEvent(new Event("change"));
  }

  #showState(isLive) {
    const chip = find("#feed-state");
    chip.textContent = isLive ? "live" : "reconnecting …";
    chip.className = `chip ${isLive ? "good" : "warn"}`;
    this.#onState(isLive);
    if (!isLive) this.#brokenAt = performance.now();
    else this.#view?.revive(this.#brokenAt);
  }
}
