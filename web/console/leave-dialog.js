// SPDX-License-Identifier: Apache-2.0
import { choose, fill, find, h, toast } from "../core/dom.js";
import { limits, tooLong } from "../core/limits.js";

/**
 * How an operator leaves a session: closes it, leaves it open and keeps it, gives it back to the queue, offers it to a colleague, or stays. What is chosen
 * is done to the session that was asked about, whatever the page shows by then.
 */
export class LeaveDialog {
  #api;
  /** Which session is asked about now. */
  #session = null;

  #desk;

  constructor(api, desk) {
    this.#api = api;
    this.#desk = desk;
  }

  /**
   * Asks, and does what was chosen.
   * @returns {Promise<"left" | "over" | null>} `left` where it stays this operator's, `over` where it is that no more, `null` where nothing was left.
   */
  async ask(session) {
    const dialog = find("#leave-dialog");
    const form = find("form", dialog);
    const colleagues = [...this.#desk.names].filter(([user]) => user !== this.#desk.me.user);
    fill(find("[name=to]", form), ...colleagues.map(([user, name]) => h("option", { value: user }, name)));
    find("[value=hand]", form).disabled = colleagues.length === 0;
    // What was written of another session is not this one's.
    if (form.dataset.session !== session) form.reset();
    form.dataset.session = session;
    this.#session = session;
    const choice = await choose(dialog);
    if (this.#session === session) this.#session = null;
    if (choice === "leave") return "left";
    if (!["close", "give", "hand"].includes(choice)) return null;
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
    const fault = choice === "give" ? "" : tooLong(note, limits.noteBytes) || (choice === "hand" && !note ? "Say in the note why you hand it over." : "");
    if (fault) {
      toast(fault, "bad");
      // With what was written still in it.
      return this.ask(session);
    }
    try {
      await this.#do(session, choice, note, values);
    } catch (error) {
      toast(error.message, "bad");
      return null;
    }
    const form = find("#leave-dialog form");
    if (form.dataset.session === session) form.reset();
    return choice === "hand" ? null : "over";
  }

  async #do(session, choice, note, values) {
    const path = `/v1/sessions/${session}`;
    if (choice === "give") return this.#api.post(`${path}/release`);
    if (choice === "close") return this.#api.post(`${path}/close`, { disposition: values.get("disposition"), ...(note ? { note } : {}) });
    const to = String(values.get("to"));
    await this.#api.post(`${path}/offer`, { to, reason: note });
    toast(`${this.#desk.nameOf(to)} is asked to take it. It stays yours until then.`);
  }
}
