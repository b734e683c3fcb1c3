// SPDX-License-Identifier: Apache-2.0
import { choose, fill, find, h, toast } from "../core/dom.js";
import { timeElement } from "../core/time.js";
import { nameOfSession } from "./incident.js";

/** Two incidents that turn out to be one event, and the way back. Nothing is done before both were named and confirmed. */
export class Merging {
  #api;
  #supervises;
  #changed;

  /**
   * @param {boolean} supervises Whether what is joined is opened to both sides, or the own side to the other alone (decision 0031).
   * @param {() => void} changed Called when something was done.
   */
  constructor(api, supervises, changed) {
    this.#api = api;
    this.#supervises = supervises;
    this.#changed = changed;
  }

  /**
   * What an id means now: of an incident, also one that was merged, or of a session.
   * @returns {Promise<{id: string, sessions: any[], merged?: string[]}>}
   */
  find(id) {
    return this.#api.get(`/v1/incidents/${id}`);
  }

  /**
   * Asks whether two incidents are one, and makes them so.
   * @param {string} into The incident that goes on.
   * @param {string} other Any id that means the other.
   * @param {string | null} [session] One session that could come alone.
   * @returns {Promise<"merged" | "session" | null>} What was chosen and done, or is to be done.
   */
  async offer(into, other, session = null) {
    return this.#trying(async () => {
      const [one, two] = await Promise.all([this.find(into), this.find(other)]);
      if (one.id === two.id) {
        toast(other === two.id ? "They are one incident already." : `They are one incident already: ${other} means ${two.id}.`);
        return null;
      }
      const choice = await this.#ask({
        title: "Are these one incident?", text: `The second becomes part of the first: its sessions are shown here, ${this.#supervises ? "whoever has a session of one now may see both" : "whoever has one of them may see yours"}, and its id goes on to mean the first. It can be taken apart again.`,
        one, two, yes: "Make them one", session,
      });
      if (choice === "session") return "session";
      if (choice !== "yes") return null;
      await this.#api.post(`/v1/incidents/${one.id}/merge`, { incident: two.id, reason: "same event" });
      toast("Both are one incident now.", "good");
      this.#changed();
      return "merged";
    });
  }

  /** Asks whether an incident that was merged is one of its own after all, and makes it so. */
  async takeApart(from, other) {
    return this.#trying(async () => {
      const choice = await this.#ask({
        title: "Are these two incidents after all?", text: "The second is an incident of its own again, and the sessions that came with it go back to it.",
        one: await this.find(from), two: { id: other, sessions: [] }, yes: "Take them apart",
      });
      if (choice !== "yes") return null;
      await this.#api.post(`/v1/incidents/${from}/unmerge`, { incident: other, reason: "another event" });
      toast("They are two incidents again.", "good");
      this.#changed();
      return "unmerged";
    });
  }

  /** Asks whether a session is about another event after all, and takes it out. */
  async takeOut(incident, session) {
    return this.#trying(async () => {
      const choice = await this.#ask({
        title: "Is this another event?", text: "The second leaves the incident of the first and goes back to its own, or to a new one. Who read it only because the two were one reads it no more.",
        one: await this.find(incident), two: { sessions: [session] }, yes: "Take it out",
      });
      if (choice !== "yes") return null;
      await this.#api.post(`/v1/incidents/${incident}/unlink`, { session: session.id, reason: "not the same event after all" });
      toast("They are two incidents again.", "good");
      this.#changed();
      return "unlinked";
    });
  }

  async #trying(action) {
    try {
      return await action();
    } catch (error) {
      toast(error.message, "bad");
      return null;
    }
  }

  #ask({ title, text, one, two, yes, session = null }) {
    find("#merge-title").textContent = title;
    find("#merge-text").textContent = text;
    fill(find("#merge-one"), this.#card(one));
    fill(find("#merge-two"), this.#card(two));
    find("#merge-yes").textContent = yes;
    find("#merge-session").hidden = session === null;
    return choose(find("#merge-dialog"));
  }

  #card({ id, sessions }) {
    const address = sessions.map((session) => session.address).find(Boolean);
    return [
      h("h3", {}, id ? ["Incident ", h("code", {}, id)] : "Session"),
      address && h("p", {}, address),
      h("ul", {}, sessions.map((session) => h("li", {}, h("strong", { class: "figures" }, nameOfSession(session)), " ", timeElement(session.createdAt), " ", h("span", { class: "small soft" }, session.state)))),
    ];
  }
}
