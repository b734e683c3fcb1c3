// SPDX-License-Identifier: Apache-2.0
import { patience } from "../core/patience.js";
import { readIncident } from "./incident.js";

/** Reads a session with the others of its incident, whenever it is asked to and one reading at a time; what cannot be read now is tried again. */
export class SessionReader {
  #api;
  #session;
  #told;
  #isReading = false;
  #isAskedAgain = false;
  #isOver = false;
  #againTimer = 0;
  #failures = 0;

  /** @param {{onRead: (detail: any, incident: import("./incident.js").Incident & {others: any[], merged?: string[]}) => void, onRefused: (error: Error) => void, onFault: (error: Error) => void}} told What is told; `onRefused` where this operator may not read it. */
  constructor(api, session, told) {
    this.#api = api;
    this.#session = session;
    this.#told = told;
  }

  /** Whether it is read now: what happens meanwhile may be missing in it. */
  get isReading() {
    return this.#isReading;
  }

  stop() {
    this.#isOver = true;
    clearTimeout(this.#againTimer);
  }

  async read() {
    if (this.#isOver) return;
    if (this.#isReading) {
      this.#isAskedAgain = true;
      return;
    }
    this.#isReading = true;
    clearTimeout(this.#againTimer);
    try {
      const detail = await this.#api.get(`/v1/sessions/${this.#session}`);
      const incident = await this.#readIncident(detail.session);
      if (!this.#isOver) this.#took(detail, incident);
    } catch (error) {
      if (!this.#isOver) this.#failed(error);
    } finally {
      this.#isReading = false;
      if (this.#isAskedAgain) {
        this.#isAskedAgain = false;
        this.read();
      }
    }
  }

  #took(detail, incident) {
    this.#failures = 0;
    this.#told.onRead(detail, incident);
  }

  #failed(error) {
    if (isRefusal(error) && !error.isOfIncident) return this.#told.onRefused(error);
    if (error.status === 401) return;
    this.#told.onFault(error);
    this.#againTimer = setTimeout(() => this.read(), patience(this.#failures++));
  }

  /** The incident, and the other sessions of it, as far as this operator may see them. */
  async #readIncident(session) {
    const incident = await readIncident(this.#api, session.incident).catch(ofIncident);
    const others = incident.sessions.filter((one) => one.id !== session.id && !one.isPrivate);
    const seen = await Promise.all(others.map((one) => this.#readOther(one.id)));
    return { ...incident, others: seen.filter(Boolean) };
  }

  /** Another session; nothing where it was closed to this operator meanwhile: that one is left out, and nothing else. */
  async #readOther(id) {
    try {
      return await this.#api.get(`/v1/sessions/${id}`);
    } catch (error) {
      if (isRefusal(error)) return null;
      throw error;
    }
  }
}

const isRefusal = ({ status }) => status === 403 || status === 404;

/** Who may read a session may read its incident: where that is refused, the session went to another one between the two readings, and is read again. */
function ofIncident(error) {
  throw Object.assign(error, { isOfIncident: true });
}
