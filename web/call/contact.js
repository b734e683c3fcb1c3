// SPDX-License-Identifier: Apache-2.0
import { Chat, forgetUnsent, storesOf } from "../core/chat.js";
import { t } from "../core/i18n.js";
import { patience } from "../core/patience.js";
import { now } from "../core/time.js";
import { Topics } from "../core/topics.js";
import { keep } from "./keep.js";
import { versionOf } from "./wordings.js";

/** Under what name unsent messages are kept. */
const store = "unsent";

/** So long what the caller began without an answer of the centre goes on in a page that is loaded again. */
const begunMilliseconds = 10 * 60_000;
const begunKey = "begun";

/**
 * What a caller is told whose operator is not there any more; empty while there is one, or before there was one.
 * @param {{owner?: string, lastOwner?: string, pendingSince?: string} | undefined} session
 */
export function leftWords(session) {
  if (!session || session.owner || !session.lastOwner) return "";
  return session.pendingSince ? t("call.left.waits")
    : t("call.left.open");
}

/**
 * What a caller is told whom no operator attends yet: that it has arrived only where all has that they wrote.
 * @param {string[]} states How far each of their messages has come.
 */
export function unopenedWords(states) {
  if (states.includes("queued")) return t("call.chat.sending");
  return states.length === 0 || states.some((state) => ["failed", "doubtful"].includes(state)) ? t("call.chat.unopened") : t("call.chat.heard");
}

/**
 * The caller's contact with the centre: the session that is open, if one is, its chat and what the operator asks.
 *
 * Events: `change`; `unsent` with what was given up of what was written in a session that is over; `reach`, whether the gateway is there; `asked` with a request that waits for an answer; `withdrawn` when none waits any more; `closed`; and
 * `said` with what the ledger has of a message, whoever wrote it on whichever page; `message`, `report`, `delivered`, `waiting`, `typing`, `connection`, `trouble` of the chat; `over` where more was wanted of a link whose contact has ended.
 */
export class Contact extends EventTarget {
  #api;
  #confirmIntent;
  #topics = null;
  #brokenAt = 0;
  #asked = new Set();
  #agreed = new Set();
  /** Codes for further phones that were told and are not listed yet. */
  #announced = new Map();
  #isReading = false;
  #isAskedAgain = false;
  #isOver = false;
  #failures = 0;
  #timer = 0;
  #tellKnown = () => {};
  #known = new Promise((resolve) => (this.#tellKnown = resolve));
  /** The warning was shown and accepted on this page, and is to be recorded. */
  #isAccepted = false;
  #isKnown = false;

  /** @param {() => Promise<boolean>} confirmIntent Shows the hoax warning. */
  constructor(api, confirmIntent) {
    super();
    this.#api = api;
    this.#confirmIntent = confirmIntent;
    this.session = null;
    this.detail = null;
    /** The contact before, where none is open. */
    this.past = null;
    this.chat = null;
    this.phone = null;
    /** Younger phones of the same number that nobody has judged yet. */
    this.newPhones = [];
    /** Messages of the centre that were on no screen yet. */
    this.unread = 0;
  }

  /** Finds the session that is open, and follows what happens from now on; done once the centre has told which session that is, or that there is none. */
  async start() {
    if (this.hasBegun) {
      this.#isAccepted = true;
      this.#talk(true);
    }
    this.#topics = new Topics(this.#api, (isLive) => this.#reached(isLive));
    // Without a network the page still opens; everything is asked for when it is there.
    await new Promise((resolve, reject) => {
      this.#topics.follow("me", {
        onEvent: (event) => this.#take(event),
        onLevel: () => this.refresh(),
        onRefused: (problem) => reject(new Error(problem.detail)),
      });
      this.#known.then(resolve);
    });
  }

  stop() {
    this.#topics?.stop();
    this.#isOver = true;
    keep.remove(begunKey);
    clearTimeout(this.#timer);
    this.chat?.leave();
  }

  /** Goes into the open session, or begins a new one after the warning; does not wait for the centre. @returns {Promise<boolean>} Whether that is to be. */
  async begin() {
    if (this.#tellOver()) return false;
    const isUnderstood = this.session !== null && this.#isUnderstood(this.session);
    if (!isUnderstood) {
      if (!this.#isAccepted && !(await this.#confirmIntent())) return false;
      if (this.#tellOver()) return false;
      this.#isAccepted = true;
    }
    if (!this.session) keep.set(begunKey, String(Date.now()));
    this.#talk();
    return true;
  }

  /** Whether the caller began a contact a moment ago, and wrote or said where in it, of which the centre has not heard yet: also a page before this one. */
  get hasBegun() {
    const age = Date.now() - Number(keep.get(begunKey) ?? NaN);
    return age >= 0 && age < begunMilliseconds && (keep.get("place") !== null || storesOf(keep.storage).includes(store));
  }

  /** A session to act in, once there is one. @param {AbortSignal} [signal] It is not waited for any more. @returns {Promise<boolean>} Whether there is one. */
  async ensure(signal) {
    return (await this.begin()) && !signal?.aborted && (await this.opened(signal));
  }

  /** A link is for one contact: behind its end there is none to begin. */
  #tellOver() {
    const isOver = keep.isByLink && this.#isKnown && !this.session;
    if (isOver) this.dispatchEvent(new Event("over"));
    return isOver;
  }

  #reached(isLive) {
    this.dispatchEvent(new CustomEvent("reach", { detail: isLive }));
    if (!isLive) this.#brokenAt = performance.now();
    else this.chat?.revive(this.#brokenAt);
  }

  async refresh() {
    if (this.#isOver) return;
    if (this.#isReading) {
      this.#isAskedAgain = true;
      return;
    }
    this.#isReading = true;
    clearTimeout(this.#timer);
    try {
      const me = await this.#api.get("/v1/me");
      this.phone = me.phone;
      for (const { device } of me.newPhones) this.#announced.delete(device);
      this.newPhones = [...me.newPhones, ...this.#announced.values()];
      await this.#read(me.openSessions[0] ?? null);
      this.#failures = 0;
      this.#isKnown = true;
      this.#tellKnown();
    } catch {
      // Also a gateway that is there may not answer just now, and nothing else may happen that leads to asking again.
      if (!this.#isOver) this.#timer = setTimeout(() => this.refresh(), patience(this.#failures++));
    } finally {
      this.#isReading = false;
      if (this.#isAskedAgain) {
        this.#isAskedAgain = false;
        this.refresh();
      }
    }
  }

  /** Records, once a session, that the caller agreed to something by doing it. */
  async agree(scope, session = this.session) {
    const key = `${session}/${scope}`;
    if (this.#agreed.has(key)) return;
    await this.#api.post(`/v1/sessions/${session}/consents`, { scope, decision: "granted", textVersion: versionOf(scope) });
    this.#agreed.add(key);
  }

  /** A question that was not answered: it may be shown again, or not. */
  forget(request, isOver) {
    if (!isOver) this.#asked.delete(request);
  }

  /** So many messages of the centre were on no screen yet. */
  count(unread) {
    if (this.unread === unread) return;
    this.unread = unread;
    this.dispatchEvent(new Event("change"));
  }

  // MARK: The session

  async #read(open) {
    if (this.session && open !== this.session) this.#ended();
    if (!this.chat) this.#unsent(await forgetUnsent(store, keep.storage, open));
    const isNew = open !== null && this.detail?.session.id !== open;
    this.session = open;
    if (open) {
      this.detail = await this.#api.get(`/v1/sessions/${open}`);
      // While the chat is connected, it is counted on the screen itself.
      if (!this.chat) this.unread = this.detail.session.unreadForCaller ?? 0;
      if (isNew && this.#isUnderstood(open)) this.#talk();
      this.#look();
    }
    this.past = open || keep.isByLink ? null : (this.past ?? (await this.#newest()));
    this.dispatchEvent(new Event("change"));
  }

  /** The newest session of this number, where that can be told. */
  async #newest() {
    try {
      return (await this.#api.get("/v1/sessions?limit=1")).items[0] ?? null;
    } catch {
      // Nobody is kept from anything by not knowing it.
      return null;
    }
  }

  #unsent(given) {
    if (given.count > 0) this.dispatchEvent(new CustomEvent("unsent", { detail: given }));
  }

  #ended() {
    this.#isAccepted = false;
    this.chat?.end();
    this.chat = null;
    this.session = null;
    this.detail = null;
    this.unread = 0;
    this.dispatchEvent(new Event("withdrawn"));
    this.dispatchEvent(new Event("closed"));
  }

  /** Shows the newest question that waits; older ones of a kind are over. */
  #look() {
    const waiting = this.detail.requests.filter((one) => !one.answer && (!one.expiresAt || new Date(one.expiresAt).getTime() > now()));
    if (waiting.length === 0) this.dispatchEvent(new Event("withdrawn"));
    const next = waiting.at(-1);
    if (!next || this.#asked.has(next.id)) return;
    this.#asked.add(next.id);
    this.dispatchEvent(new CustomEvent("asked", { detail: next }));
  }

  #take(event) {
    // Somebody gets, has or loses another phone for this number: which ones there are is asked for.
    if (event.kind.startsWith("device.")) return this.#phoneTold(event);
    // The caller's first message starts a session: the countdown is over.
    if (event.kind.startsWith("chat.") && this.detail?.session.state === "waiting") this.refresh();
    const { message, from, temporaryID } = event.entry?.data ?? {};
    const isHere = event.subject === `session/${this.session}` && message !== undefined;
    if (event.kind === "chat.message_delivered/1" && isHere) return this.dispatchEvent(new CustomEvent("delivered", { detail: message }));
    if (event.kind === "chat.message_sent/1" && isHere) this.dispatchEvent(new CustomEvent("said", { detail: { id: message, from, temporaryID, at: event.time } }));
    if (!event.kind.startsWith("chat.") && event.kind !== "session.activity_signalled/1") this.refresh();
  }

  /** A code is told before the gateway lists it, for the ledger hears of it first. */
  #phoneTold({ kind, subject, time }) {
    const device = subject.split("/")[1];
    if (kind === "device.code_issued/1") this.#announced.set(device, { device, since: time, isRegistered: false });
    else if (kind === "device.revoked/1") this.#announced.delete(device);
    this.refresh();
  }

  // MARK: Chat

  #talk(goesOn = false) {
    if (this.chat) return;
    const tell = (name) => (detail) => this.dispatchEvent(new CustomEvent(name, { detail }));
    const chat = new Chat(this.#api, {
      written: () => this.session,
      store,
      storage: keep.storage,
      goesOn,
      mayConnect: () => this.#mayConnect(chat),
      beforeMessages: (session) => this.#recordIntent(session),
    }, {
      onOpen: () => {
        keep.remove(begunKey);
        this.refresh();
      },
      onState: tell("connection"),
      onMessage: tell("message"),
      onReport: tell("report"),
      onWaiting: tell("waiting"),
      onUnsent: (given) => this.#unsent(given),
      onTyping: tell("typing"),
      onTrouble: tell("trouble"),
      onEnd: tell("chat-ended"),
    });
    this.chat = chat;
    chat.connect();
    this.dispatchEvent(new Event("change"));
  }

  /** Sends a picture, and shows it in the chat. @param {Blob} picture @returns {boolean} Whether there is a chat to send it in. */
  sendPicture(picture) {
    if (!this.chat) return false;
    this.dispatchEvent(new CustomEvent("waiting", { detail: this.chat.pictures.send(picture) }));
    return true;
  }

  /** A chat that the centre has closed must not begin anew by itself because a connection broke. */
  async #mayConnect(chat) {
    if (!chat.session) return true;
    const me = await this.#api.get("/v1/me", { isLevel: false });
    return me.openSessions.includes(chat.session);
  }

  /** Whether there is a session to act in. */
  get isReady() {
    return this.session !== null && (Boolean(this.chat?.isOpen) || this.#isUnderstood(this.session));
  }

  /** Waits until what was begun is a session. @param {AbortSignal} [signal] Ends the waiting. @returns {Promise<boolean>} Whether it is one. */
  opened(signal) {
    if (this.isReady) return Promise.resolve(true);
    const done = new AbortController();
    const whileWaiting = { signal: done.signal };
    return new Promise((resolve, reject) => {
      this.addEventListener("change", () => this.isReady && resolve(true), whileWaiting);
      this.addEventListener("trouble", () => reject(new Error(t("call.trouble"))), whileWaiting);
      this.addEventListener("closed", () => resolve(false), whileWaiting);
      signal?.addEventListener("abort", () => resolve(false), whileWaiting);
    }).finally(() => done.abort());
  }

  /** Whether the caller may film at once, as far as is known here: an operator called or has come, or the caller has written (ruling 35). */
  get takesVideo() {
    const { openedBy, owner, lastOwner, firstWords } = this.detail?.session ?? {};
    return openedBy === "operator" || Boolean(owner || lastOwner || firstWords);
  }

  /** Whether the caller was warned in this session, on whichever phone, or need not be, whom an operator called. */
  #isUnderstood(session) {
    const { session: shown, consents = [] } = this.detail ?? {};
    const isTheSame = shown?.id === session;
    return this.#isConfirmed(session)
      || (isTheSame && (shown.openedBy === "operator" || consents.some((consent) => consent.scope === "emergency_intent" && consent.decision === "granted")));
  }

  #isConfirmed(session) {
    return keep.get("intent") === session;
  }

  /** Before anything is said: that the warning was read, and that it is an emergency. */
  async #recordIntent(session) {
    if (this.#isConfirmed(session) || !this.#isAccepted) return;
    for (const scope of ["hoax_warning", "emergency_intent"]) {
      await this.#api.post(`/v1/sessions/${session}/consents`, { scope, decision: "granted", textVersion: versionOf(scope) });
    }
    keep.set("intent", session);
  }
}
