// SPDX-License-Identifier: Apache-2.0
import { newID } from "./ids.js";
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

/** The network did not carry it; nothing is known of the outcome. */
export class Unreachable extends Error {
  constructor() {
    super("The centre cannot be reached now.");
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
    /** Called when somebody else has signed in beside this page; nothing was done. */
    this.onOther = () => {};
  }

  /** Queries wait until they show this position. */
  noteShown(position) {
    if (position === null || position === undefined) return;
    if (this.position === null || BigInt(position) > BigInt(this.position)) this.position = String(position);
  }

  async get(path, { isLevel = true } = {}) {
    const headers = isLevel && this.position !== null ? { "Daybook-After": this.position } : {};
    return (await this.#send("GET", path, headers)).json();
  }

  /**
   * Sends a command and its answer's members.
   * @param {string} path
   * @param {object} [body]
   * @param {{key?: string, tries?: number}} [options] `key` names the command; the same key is the same command.
   */
  async post(path, body = {}, { key = newID(), tries = 3, method = "POST" } = {}) {
    const headers = { "Content-Type": "application/json", "Idempotency-Key": key };
    for (let attempt = 1; ; attempt++) {
      try {
        const response = await this.#send(method, path, headers, JSON.stringify(body));
        this.noteShown(response.headers.get("Daybook-Position"));
        return await membersOf(response);
      } catch (error) {
        const isPassing = error instanceof Unreachable || (error instanceof Problem && error.status === 503);
        if (!isPassing || attempt >= tries) throw error;
        await new Promise((resolve) => setTimeout(resolve, 400 * 2 ** attempt));
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

  /** Sends a file. @param {Blob} file @param {{key: string}} options `key` names the command, as of `post`. */
  async upload(path, file, { key }) {
    const response = await this.#send("POST", path, { "Content-Type": file.type, "Idempotency-Key": key }, file);
    this.noteShown(response.headers.get("Daybook-Position"));
    return membersOf(response);
  }

  /** A file. @returns {Promise<Blob>} */
  async file(path) {
    const headers = this.position === null ? {} : { "Daybook-After": this.position };
    return (await this.#send("GET", path, headers)).blob();
  }

  /** A response as it comes, for feeds. */
  open(path, headers, signal) {
    return this.#send("GET", path, headers, undefined, signal);
  }

  /** A WebSocket of the gateway; a phone's token goes along as a subprotocol, for browsers set no headers there. */
  socket(path) {
    const url = new URL(path, location.href);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    return new WebSocket(url, ["daybook", this.token && `bearer.${this.token}`, this.as && `as.${this.as}`].filter(Boolean));
  }

  async #send(method, path, headers, body, signal) {
    let response;
    const askedAt = performance.now();
    try {
      response = await fetch(path, {
        method, body, signal,
        headers: { ...headers, ...(this.token ? { Authorization: `Bearer ${this.token}` } : {}), ...(this.as ? { "Daybook-As": this.as } : {}) },
        // A phone's page must not act as the operator who is signed in beside it.
        credentials: this.token ? "omit" : "same-origin",
        cache: "no-store",
      });
    } catch (error) {
      if (signal?.aborted) throw error;
      throw new Unreachable();
    }
    noteTime(response.headers, askedAt);
    if (response.ok) return response;
    let members = {};
    try {
      members = await response.json();
    } catch {
      // A proxy in between may answer without JSON; the status has to do.
    }
    if (members.detail) members.detail = this.inWords(members.detail);
    if (response.status === 401 && !path.startsWith("/v1/auth/")) this.onSignedOut();
    const problem = new Problem(response.status, members);
    if (problem.slug === "signed-in-as-other") this.onOther();
    throw problem;
  }
}
