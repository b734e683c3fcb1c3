// SPDX-License-Identifier: Apache-2.0
import { choose, find, toast } from "../core/dom.js";
import { limits, tooLong } from "../core/limits.js";

/**
 * How an operator leaves a session, by one of the three choices of the source document: close it, leave it open, stay. What is chosen is done to the
 * session that was asked about, whatever the page shows by then.
 */
export class LeaveDialog {
  #api;
  /** Which session is asked about now. */
  #session = null;

  constructor(api) {
    this.#api = api;
  }

  /** Asks, and does what was chosen. @returns {Promise<boolean>} Whether the session was closed or left. */
  async ask(session) {
    const dialog = find("#leave-dialog");
    const form = find("form", dialog);
    // What was written of another session is not this one's.
    if (form.dataset.session !== session) form.reset();
    form.dataset.session = session;
    this.#session = session;
    const choice = await choose(dialog);
    if (this.#session === session) this.#session = null;
    if (!["leave", "close"].includes(choice)) return false;
    return this.#carryOut(session, choice, new FormData(form));
  }

  /** Nothing is to be chosen any more. @param {string} [words] Why, for whoever is still there. */
  withdraw(words = "") {
    if (this.#session === null) return;
    this.#session = null;
    find("#leave-dialog").close();
    if (words) toast(`${words} Nothing was closed.`, "warn");
  }

  async #carryOut(session, choice, values) {
    const note = String(values.get("note")).trim();
    const fault = choice === "close" ? tooLong(note, limits.noteBytes) : "";
    if (fault) {
      toast(fault, "bad");
      // With what was written still in it.
      return this.ask(session);
    }
    try {
      if (choice === "leave") await this.#api.post(`/v1/sessions/${session}/release`);
      else await this.#api.post(`/v1/sessions/${session}/close`, { disposition: values.get("disposition"), ...(note ? { note } : {}) });
    } catch (error) {
      toast(error.message, "bad");
      return false;
    }
    const form = find("#leave-dialog form");
    if (form.dataset.session === session) form.reset();
    return true;
  }
}
