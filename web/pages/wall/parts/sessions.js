// SPDX-License-Identifier: Apache-2.0
import { all } from "../../../core/api.js";
import { patience } from "../../../core/patience.js";
import { Topics } from "../../../core/topics.js";
import { fold, rowOf } from "./fold.js";

/** A colleague whose name is not known is looked for again, so often at most. */
const namesAgainMilliseconds = 60_000;

/**
 * Which sessions are open now, read once and kept up by the topic `desk`. Tells of changes by the event `change`, and of what its own offers came to by `answer`.
 *
 * What an event does not tell is asked for by session: who the caller of a new one is, for numbers are sealed.
 */
export class WallSessions extends EventTarget {
  #api;
  #topics;
  #isReading = false;
  #isAskedAgain = false;
  #failures = 0;
  #again = 0;
  /** What was told while the list was read. */
  #early = [];
  /** What was told of a session while it was read. @type {Map<string, any[]>} */
  #read = new Map();
  #namesReadAt = -Infinity;
  /** @type {Map<string, import("./fold.js").Row>} */
  rows = new Map();
  isRead = false;
  /** Why the list cannot be read now, in words; empty where it can be. */
  fault = "";
  /** Colleagues' names, by user. @type {Map<string, string>} */
  names = new Map();

  /** @param {import("../../../core/api.js").API} api @param {(isLive: boolean) => void} onState Told whether what happens is told. */
  constructor(api, onState) {
    super();
    this.#api = api;
    this.#topics = new Topics(api, onState);
  }

  /** Begins to follow; done when all sessions were read, or cannot be. */
  async start() {
    await this.colleagues().catch(() => []);
    await new Promise((done) => {
      this.#topics.follow("desk", {
        onEvent: (event) => this.#take(event),
        onLevel: () => this.#readAll().then(done),
        onRefused: (problem) => done(this.#fail(problem.detail ?? problem.title)),
        onTrouble: (problem) => done(this.#fail(problem.detail ?? problem.title)),
      });
    });
  }

  stop() {
    clearTimeout(this.#again);
    this.#topics.stop();
  }

  /** A colleague by name; one who has none by number. @param {string} user */
  nameOf(user) {
    if (!this.names.has(user) && performance.now() - this.#namesReadAt > namesAgainMilliseconds) this.colleagues().then(() => this.#tell(), () => {});
    return this.names.get(user) ?? user;
  }

  /** Who is at the desk now. @returns {Promise<any[]>} */
  async colleagues() {
    this.#namesReadAt = performance.now();
    const { items } = await this.#api.get("/v1/colleagues");
    this.names = new Map(items.map(({ user, name }) => [user, name]));
    return items;
  }

  /** Asks a colleague to take a session over. */
  handOver(session, to, reason) {
    return this.#api.post(`/v1/sessions/${session}/offer`, { to, reason });
  }

  /** Makes a session, or its whole incident, part of another incident. @param {string} into @param {{session: string} | {incident: string}} what */
  async unite(into, what) {
    await this.#api.post(`/v1/incidents/${into}/${"session" in what ? "sessions" : "merge"}`, { ...what, reason: "same event" });
  }

  // MARK: What is read

  async #readAll() {
    if (this.#isReading) {
      this.#isAskedAgain = true;
      return;
    }
    clearTimeout(this.#again);
    this.#isReading = true;
    // The answer has what was told until now.
    this.#early = [];
    try {
      const lists = await Promise.all(["waiting", "open"].map((state) => all(this.#api, `/v1/sessions?state=${state}&limit=200`, { cursor: "before" })));
      this.#set(new Map(lists.flatMap(({ items }) => items).map((item) => [item.id, rowOf(item)])));
    } catch (error) {
      // Who is signed out is led to the door.
      if (error.status !== 401) this.#fail(error.message);
      this.#again = setTimeout(() => this.#readAll(), patience(this.#failures++));
    } finally {
      this.#isReading = false;
      if (this.#isAskedAgain) {
        this.#isAskedAgain = false;
        this.#readAll();
      }
    }
  }

  #set(rows) {
    [this.rows, this.isRead, this.fault, this.#failures] = [rows, true, "", 0];
    const early = this.#early.splice(0);
    this.#isReading = false;
    for (const event of early) this.#take(event);
    this.#tell();
  }

  /** Reads one session; events that come meanwhile are folded afterwards. */
  async #readOne(id) {
    if (this.#read.has(id)) return;
    this.#read.set(id, []);
    let row = null;
    try {
      row = rowOf((await this.#api.get(`/v1/sessions/${id}`)).session);
    } catch (error) {
      // One that is not for this reader is none; anything else is made good by reading all again.
      if (error.status !== 403 && error.status !== 404) this.#again = setTimeout(() => this.#readAll(), patience(this.#failures++));
    }
    const later = this.#read.get(id) ?? [];
    this.#read.delete(id);
    if (!row) return;
    this.rows = new Map(this.rows);
    if (["waiting", "open"].includes(row.state)) this.rows.set(id, row);
    else this.rows.delete(id);
    for (const event of later) this.#take(event);
    this.#tell();
  }

  // MARK: What is told

  #take(event) {
    if (this.#isReading) return void this.#early.push(event);
    if (!this.isRead) return;
    const id = event.subject.startsWith("session/") ? event.subject.slice("session/".length) : event.entry?.data.session;
    const later = this.#read.get(id);
    if (later) return void later.push(event);
    const { rows, toRead } = fold(this.rows, event);
    if (event.kind === "session.offer_declined/1" && event.entry) this.dispatchEvent(Object.assign(new Event("answer"), { session: id, by: event.entry.data.by }));
    for (const one of toRead) this.#readOne(one);
    if (rows === this.rows) return;
    this.rows = rows;
    this.#tell();
  }

  #fail(words) {
    this.fault = words;
    this.#tell();
  }

  #tell() {
    this.dispatchEvent(new Event("change"));
  }
}
