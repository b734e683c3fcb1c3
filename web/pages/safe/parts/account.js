// SPDX-License-Identifier: Apache-2.0
import { entered } from "../../../call/entered.js";
import { choose, find } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { newID } from "../../../core/ids.js";
import { pressed } from "../../../dom/busy.js";
import { refusalWords } from "./refusals.js";

/** Other pages of this browser hear by it that the account was deleted. */
const channelName = "safe-account";

/** Deletes the account at the centre, then everything that this phone keeps of it. */
export class Account {
  #api;
  #alerts;
  #kept;
  #onGone;
  /** @type {BroadcastChannel | null} */
  #channel = null;
  /** The same key for each try: an answer may be lost. */
  #key = newID();
  /** Whether the deletion is under way: after it the phone is signed out, which then is no surprise. */
  isDeleting = false;

  /**
   * @param {import("../../../core/api.js").API} api @param {import("./alerts.js").Alerts} alerts @param {import("./kept.js").SafeStorage} kept
   * @param {(how: "deleted" | "signed-out" | "elsewhere") => void} onGone Called after everything was forgotten; `elsewhere` where another page of this browser did it.
   */
  constructor(api, alerts, kept, onGone) {
    [this.#api, this.#alerts, this.#kept, this.#onGone] = [api, alerts, kept, onGone];
  }

  /** Follows the button, and other pages of this browser. */
  begin() {
    if (globalThis.BroadcastChannel) {
      this.#channel = new BroadcastChannel(channelName);
      this.#channel.onmessage = () => this.#forget("elsewhere");
    }
    find("#delete-account").onclick = pressed(() => this.#ask());
  }

  async #ask() {
    this.#fail("");
    if (this.#isAlerting) return this.#fail(t("safe.delete.open"));
    if ((await choose(find("#confirm-delete"))) !== "yes") return;
    try {
      await this.delete();
    } catch (error) {
      this.#fail(error.slug === "sos-open" ? t("safe.delete.open") : t("safe.delete.failed", { why: refusalWords(error) }));
    }
  }

  /** An alert that goes on, or waits on this phone, is ended first: contacts are to hear its end. */
  get #isAlerting() {
    return this.#alerts.open.length > 0 || this.#alerts.waiting.length > 0;
  }

  /** Throws where the centre did not do it; then nothing is forgotten. */
  async delete() {
    this.isDeleting = true;
    let how = /** @type {"deleted" | "signed-out"} */ ("deleted");
    try {
      await this.#api.delete("/v1/me/safety", { key: this.#key });
    } catch (error) {
      // The answer to an earlier try may have been lost: then this phone is signed out already. Forgetting is right in any case.
      if (error.status !== 401) {
        this.isDeleting = false;
        // A refusal is the answer to its key; the next try is another command.
        if (error.status < 500) this.#key = newID();
        throw error;
      }
      how = "signed-out";
    }
    this.#channel?.postMessage("deleted");
    this.#forget(how);
  }

  #forget(how) {
    this.#kept.forget();
    entered.forget();
    this.#api.token = null;
    this.#channel?.close();
    this.#onGone(how);
  }

  #fail(words) {
    find("#delete-fault").textContent = words;
    find("#delete-fault").hidden = !words;
  }
}
