// SPDX-License-Identifier: Apache-2.0
import { t } from "./i18n.js";
import { newID } from "./ids.js";
import { answerMost } from "./patience.js";
import { noteTime } from "./time.js";

/** What the gateway says is wrong: an RFC 9457 problem. */
export class Problem extends Error {
  constructor(status, members) {
    super(members.detail || members.title || `the gateway answered ${status}`);
    this.status = status;
    /** The slug: `session-claimed-by-other`. */
    this.slug = (members.type || "").split(":").pop();
    this.members = members;
  }
}

/** What an answer says; one without a body, as of what was ended, says nothing more than that it was done. */
async function membersOf(response) {
  const text = await response.text();
  return text ? JSON.parse(text) : {};
}

/** So long a file may take, in milliseconds; anything else has `answerMost`, with all tries. */
const fileMost = 120_000;
/** What is left for the last try must be worth it. */
const tryLeast = 1000;

/** The network did not carry it, or not in time; nothing is known of the outcome. */
export class Unreachable extends Error {
  /** @param {boolean} [isLate] Whether there was no answer in time. */
  constructor(isLate = false) {
    super(t(isLate ? "away.late" : "away"));
    this.isLate = isLate;
  }
}

/** So many items of a list that is read whole are read. */
export const listMost = 20_000;

/**
 * A list whole, page by page.
 * @param {{get: (path: string, options?: object) => Promise<any>}} api
 * @param {string} path With how many make a page.
 * @param {{cursor?: "after" | "before", most?: number, each?: (item: any) => any, onPage?: (count: number) => void, isLevel?: boolean, limit?: number}} [options] `cursor` is
 *   where the list takes what `next` says; `most` ends it between two pages; `each` makes of an item what is kept of it; `onPage` is told how many there are by now; the rest is
 *   for `get`.
 * @returns {Promise<{items: any[], isWhole: boolean}>} With what else the first page says; `isWhole` is false where there is more than `most`.
 */
export async function all(api, path, { cursor = "after", most = listMost, each = (item) => item, onPage = () => {}, ...options } = {}) {
  const first = await api.get(path, options);
  const items = [];
  for (let page = first; ; ) {
    for (const item of page.items) items.push(each(item));
    onPage(items.length);
    if (!page.next || items.length >= most) return { ...first, items, isWhole: !page.next };
    page = await api.get(`${path}${path.includes("?") ? "&" : "?"}${cursor}=${encodeURIComponent(page.next)}`, options);
  }
}

/**
 * Speaks `/v1`. Every command has an id, so that repeating it after a doubtful moment is safe; every query waits until it
 * shows the last command of this page.
 */
export class API {
  /** @param {string | null} token Of a phone; `null` where the cookie of a sign-in counts. */
  constructor(token = null) {
    this.token = token;
    /** Whom this page believes to be signed in: a browser has one cookie for all its pages. @type {string | null} */
    this.as = null;
    /** The position of the newest thing that this page did or was told. */
    this.position = null;
    /** What a problem says, as it is shown. @type {(text: string) => string} */
    this.inWords = (text) => text;
    /** Called when the token is no longer good. */
    this.onSignedOut = () => {};
    /** Called behind each request: whether the gateway answered. @type {(isReached: boolean) => void} */
    this.onReach = () => {};
    /** Called when somebody else has signed in beside this page; nothing was done. */
    this.onOther = () => {};
  }

  /** Queries wait until they show this position. */
  noteShown(position) {
    if (position === null || position === undefined) return;
    if (this.position === null || BigInt(position) > BigInt(this.position)) this.position = String(position);
  }

  /** @param {string} path @param {{isLevel?: boolean, limit?: number}} [options] `limit` is for what takes its time. */
  async get(path, { isLevel = true, limit } = {}) {
    const headers = isLevel && this.position !== null ? { "Daybook-After": this.position } : {};
    return this.#ask("GET", path, { headers, limit }, (response) => response.json());
  }

  /**
   * As `get`, with the revision of what is shown, which a command upon it names as `ifMatch`.
   * @returns {Promise<{members: any, tag: string | null}>}
   */
  async tagged(path) {
    const headers = this.position !== null ? { "Daybook-After": this.position } : {};
    // A proxy that packs an answer calls its tag weak; the revision is the same.
    return this.#ask("GET", path, { headers }, async (response) => ({ members: await response.json(), tag: response.headers.get("ETag")?.replace(/^W\//, "") ?? null }));
  }

  /**
   * Sends a command and its answer's members; within some seconds it is done, or an error says that it is not known to be.
   * @param {string} path
   * @param {object} [body]
   * @param {{key?: string, tries?: number, method?: string, ifMatch?: string | null, occurredAt?: string | null}} [options] `key` names the command; the same key is the same
   *   command. It is done only at the revision `ifMatch`, where one is named: at another the answer is 412. `occurredAt` says when it happened, of what was kept on the device.
   */
  async post(path, body = {}, { key = newID(), tries = 3, method = "POST", ifMatch = null, occurredAt = null } = {}) {
    const headers = {
      "Content-Type": "application/json", "Idempotency-Key": key, ...(ifMatch === null ? {} : { "If-Match": ifMatch }), ...(occurredAt === null ? {} : { "Daybook-Occurred-At": occurredAt }),
    };
    const until = performance.now() + answerMost();
    for (let attempt = 1; ; attempt++) {
      const limit = until - performance.now();
      try {
        return await this.#ask(method, path, { headers, body: JSON.stringify(body), limit }, (response) => this.#done(response));
      } catch (error) {
        const isPassing = error instanceof Unreachable || (error instanceof Problem && error.status === 503);
        const pause = 400 * 2 ** attempt;
        if (!isPassing || attempt >= tries || performance.now() + pause + tryLeast > until) throw error;
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
  }

  put(path, body, options = {}) {
    return this.post(path, body, { ...options, method: "PUT" });
  }

  /** Ends something. */
  delete(path, options = {}) {
    return this.post(path, undefined, { ...options, method: "DELETE" });
  }

  /** Sends a file. @param {Blob} file @param {{key?: string, method?: string}} options `key` names the command, as of `post`; a path that names it needs none. */
  async upload(path, file, { key, method = "POST" }) {
    const headers = { "Content-Type": file.type, ...(key ? { "Idempotency-Key": key } : {}) };
    return this.#ask(method, path, { headers, body: file, limit: fileMost }, (response) => this.#done(response));
  }

  /** A file. @returns {Promise<Blob>} */
  async file(path) {
    const headers = this.position === null ? {} : { "Daybook-After": this.position };
    return this.#ask("GET", path, { headers, limit: fileMost }, (response) => response.blob());
  }

  /** What a command answers with a file, which may take its time; it is sent once. @returns {Promise<Blob>} */
  async postForFile(path, limit) {
    return this.#ask("POST", path, { headers: { "Content-Type": "application/json", "Idempotency-Key": newID() }, body: "{}", limit }, (response) => response.blob());
  }

  /** A response as it comes, for feeds: its head comes in time, its body as long as it goes on. @param {AbortSignal} [signal] Ends it. */
  open(path, headers, signal) {
    return this.#ask("GET", path, { headers, signal, goesOn: true }, (response) => response);
  }

  async #done(response) {
    const members = await membersOf(response);
    this.noteShown(response.headers.get("Daybook-Position"));
    return members;
  }

  /** A WebSocket of the gateway; a phone's token goes along as a subprotocol, for browsers set no headers there. */
  socket(path) {
    const url = new URL(path, location.href);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    return new WebSocket(url, ["daybook", this.token && `bearer.${this.token}`, this.as && `as.${this.as}`].filter(Boolean));
  }

  /**
   * Asks, and reads the answer, all of it in time.
   * @param {{headers?: Record<string, string>, body?: BodyInit, limit?: number, signal?: AbortSignal, goesOn?: boolean}} asked
   * @param {(response: Response) => any} read
   */
  async #ask(method, path, { headers = {}, body, limit = answerMost(), signal, goesOn = false }, read) {
    const ending = new AbortController();
    const stop = () => ending.abort();
    const timer = setTimeout(stop, limit);
    signal?.addEventListener("abort", stop, { once: true });
    if (signal?.aborted) stop();
    try {
      const response = await this.#send(method, path, headers, body, ending.signal);
      const answer = await read(response);
      this.onReach(true);
      return answer;
    } catch (error) {
      // What a proxy in between answers may not be JSON.
      if (signal?.aborted || error instanceof Problem || error instanceof SyntaxError) throw error;
      this.onReach(false);
      throw new Unreachable(ending.signal.aborted);
    } finally {
      clearTimeout(timer);
      if (!goesOn) signal?.removeEventListener("abort", stop);
    }
  }

  async #send(method, path, headers, body, signal) {
    const askedAt = performance.now();
    const response = await fetch(path, {
      method, body, signal,
      headers: { ...headers, ...(this.token ? { Authorization: `Bearer ${this.token}` } : {}), ...(this.as ? { "Daybook-As": this.as } : {}) },
      // A phone's page must not act as the operator who is signed in beside it.
      credentials: this.token ? "omit" : "same-origin",
      cache: "no-store",
    });
    noteTime(response.headers, askedAt);
    if (response.ok) return response;
    let members = {};
    try {
      members = await response.json();
    } catch {
      // A proxy in between may answer without JSON, or break off; the status has to do.
    }
    if (members.detail) members.detail = this.inWords(members.detail);
    if (response.status === 401 && !path.startsWith("/v1/auth/")) this.onSignedOut();
    this.onReach(true);
    const problem = new Problem(response.status, members);
    if (problem.slug === "signed-in-as-other") this.onOther();
    throw problem;
  }
}
