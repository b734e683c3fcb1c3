// SPDX-License-Identifier: Apache-2.0
import { Unreachable } from "../core/api.js";
import { t } from "../core/i18n.js";
import { newID } from "../core/ids.js";
import { patience, whenAwake } from "../core/patience.js";
import { ofTab } from "../core/storage.js";
import { wellFormed } from "../core/text.js";
import { now } from "../core/time.js";
import { bodyOf, isFresh, refusalOf, stillUnsent } from "../model/channel.js";

/** How soon a picture is asked for again that may not be kept yet. */
const againMilliseconds = 1000;

/**
 * What somebody wrote to channels and the gateway does not have yet. Sending again is the same command: it stands there once.
 *
 * @typedef {import("../model/channel.js").Unsent} Unsent
 */
export class Outbox {
  #api;
  #store;
  #onChange;
  /** @type {Unsent[]} */
  #unsent;
  #isDelivering = false;
  #failures = 0;
  #timer = 0;
  #ending = new AbortController();

  /** @param {import("../core/api.js").API} api @param {string} user @param {(channel: string) => void} onChange */
  constructor(api, user, onChange) {
    [this.#api, this.#store, this.#onChange] = [api, `channel/${user}/unsent`, onChange];
    this.#unsent = this.#kept();
    whenAwake(() => this.deliver(), this.#ending.signal);
  }

  stop() {
    this.#ending.abort();
    clearTimeout(this.#timer);
  }

  /** Of a page before this one in this tab. */
  #kept() {
    try {
      return JSON.parse(ofTab.getItem(this.#store) ?? "[]").map((one) => ({ ...one, state: "failed", fault: t("channel.unsent"), isPassing: true }));
    } catch {
      return [];
    }
  }

  /** Oldest first. @param {string} channel */
  of(channel) {
    return this.#unsent.filter((one) => one.channel === channel);
  }

  /** @param {string} channel @param {string} text @param {import("../model/channel.js").Moment | null} moment */
  send(channel, text, moment) {
    const one = { key: newID(), channel, text: wellFormed(text), moment, at: now(), state: "sending", fault: "", isPassing: false, number: null };
    this.#unsent.push(one);
    this.#changed(channel);
    return this.#post(one);
  }

  /** @param {Unsent} one */
  again(one) {
    one.state = "sending";
    this.#changed(one.channel);
    return this.#post(one);
  }

  /** @param {Unsent} one */
  discard(one) {
    this.#unsent = this.#unsent.filter((other) => other !== one);
    this.#changed(one.channel);
  }

  /** What failed for the lack of a connection is sent, now and again until it is. */
  async deliver() {
    clearTimeout(this.#timer);
    if (this.#isDelivering || this.#ending.signal.aborted) return;
    this.#isDelivering = true;
    for (const one of this.#waiting) await this.#post(one);
    this.#isDelivering = false;
    this.#later();
  }

  get #waiting() {
    return this.#unsent.filter(({ state, isPassing }) => state === "failed" && isPassing);
  }

  #later() {
    clearTimeout(this.#timer);
    if (this.#waiting.length === 0) this.#failures = 0;
    else if (!this.#ending.signal.aborted) this.#timer = setTimeout(() => this.deliver(), patience(this.#failures++));
  }

  /** The channel has these messages. @param {string} channel @param {import("../model/channel.js").Message[]} messages */
  taken(channel, messages) {
    this.#unsent = this.#unsent.filter((one) => one.channel !== channel || stillUnsent([one], messages).length > 0);
    this.#keep();
  }

  /** @param {Unsent} one */
  async #post(one) {
    try {
      one.number = await this.#number(one);
      one.state = "sent";
    } catch (error) {
      const refusal = refusalOf(error, one.moment);
      [one.state, one.fault, one.isPassing] = ["failed", refusal ? t(`channel.refused.${refusal}`) : error.message, error instanceof Unreachable];
      if (!this.#isDelivering) this.#later();
    }
    this.#changed(one.channel);
  }

  /** @param {Unsent} one */
  async #number(one) {
    for (;;) {
      try {
        return (await this.#api.post(`/v1/channels/${one.channel}/messages`, bodyOf(one), { key: one.key })).number;
      } catch (error) {
        if (refusalOf(error, one.moment) !== "no-picture" || !isFresh(one.moment, now())) throw error;
        await new Promise((resolve) => setTimeout(resolve, againMilliseconds));
      }
    }
  }

  #changed(channel) {
    this.#keep();
    this.#onChange(channel);
  }

  #keep() {
    const unsent = this.#unsent.filter(({ number }) => number === null);
    if (unsent.length) ofTab.setItem(this.#store, JSON.stringify(unsent));
    else ofTab.removeItem(this.#store);
  }
}
