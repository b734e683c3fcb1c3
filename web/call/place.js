// SPDX-License-Identifier: Apache-2.0
import { find, toast } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { newID } from "../core/ids.js";
import { patience } from "../core/patience.js";
import { fixOf, isDenied, position } from "../dom/place.js";
import { keep } from "./keep.js";

/** A fix by satellites may take so long; a rough one from what the device knows already comes at once. */
const exactSeconds = 15;
const roughSeconds = 5;
const store = "place";

/** So long a place that belongs to no session yet is news: what was begun without the centre goes on for as long. */
const newsMilliseconds = 10 * 60_000;

/**
 * Finds out where the device is and tells the centre. The last place is kept on the device, under the id of its command, until the
 * centre has it: sent twice it is there once. One that was found before there was a session is for the one that begins then.
 *
 * @typedef {{key: string, session: string | null, at: number, body: {fix?: any, method?: string, unavailable?: string, request?: string}}} Kept
 */
export class Places {
  #api;
  #contact;
  #isChatShown;
  #isSending = false;
  #timer = 0;
  #failures = 0;

  /** @param {() => boolean} isChatShown What was sent stands there already. */
  constructor(api, contact, isChatShown) {
    this.#api = api;
    this.#contact = contact;
    this.#isChatShown = isChatShown;
    contact.addEventListener("reach", ({ detail }) => detail && this.#deliver());
    contact.addEventListener("change", () => this.#changed());
    find("button", find("#place-waits")).onclick = () => this.abandon();
    if (Date.now() - (this.#kept?.at ?? 0) > newsMilliseconds && this.#kept?.session === null) keep.remove(store);
    this.#deliver();
  }

  /** Nothing is to be sent from here any more. */
  abandon() {
    clearTimeout(this.#timer);
    keep.remove(store);
    this.#show();
  }

  /** Tells where the device is; where it cannot be found out, that. @param {string} [request] What it answers. */
  async send(request) {
    const notice = toast(t("call.location.finding"));
    const body = request ? { request } : {};
    try {
      Object.assign(body, { fix: fixOf(await findPlace()), method: "gps" });
    } catch (error) {
      body.unavailable = isDenied(error) ? "denied" : "timeout";
    } finally {
      notice.remove();
    }
    keep.set(store, JSON.stringify({ key: newID(), session: this.#contact.session, at: Date.now(), body }));
    await this.#deliver();
  }

  /** @returns {Kept | null} */
  get #kept() {
    return keep.value(store);
  }

  async #deliver() {
    clearTimeout(this.#timer);
    const kept = this.#kept;
    if (!kept || this.#isSending || !this.#belongs(kept)) return this.#show();
    this.#isSending = true;
    let isOver = true;
    try {
      if (kept.body.fix) await this.#contact.agree("location", kept.session);
      await this.#api.post(`/v1/sessions/${kept.session}/locations`, kept.body, { key: kept.key, tries: 1 });
      if (!kept.body.fix || !this.#isChatShown()) tell(kept.body);
    } catch (error) {
      // Who is not reached now may be later; who is signed out hears it elsewhere.
      isOver = error.status !== undefined && error.status < 500 && error.status !== 429;
      if (isOver && error.status !== 401) toast(error.status === 410 ? t("call.location.closed") : t("call.location.refused", { detail: error.message }), "bad");
    }
    this.#isSending = false;
    // A newer one may have come meanwhile.
    const isNewest = this.#kept?.key === kept.key;
    if (isOver && isNewest) keep.remove(store);
    this.#failures = isOver ? 0 : this.#failures + 1;
    this.#show();
    if (!isOver) this.#timer = setTimeout(() => this.#deliver(), patience(this.#failures));
    else if (!isNewest) await this.#deliver();
  }

  /** Whether it is known which session this is for. */
  #belongs(kept) {
    if (kept.session !== null) return true;
    if (!this.#contact.isReady) return false;
    kept.session = this.#contact.session;
    keep.set(store, JSON.stringify(kept));
    return true;
  }

  #changed() {
    if (this.#kept?.session === null) this.#deliver();
    else this.#show();
  }

  #show() {
    find("#place-waits").hidden = !this.#kept || this.#isSending;
  }
}

function tell({ fix, unavailable }) {
  if (fix) toast(t("call.location.sent", { metres: Math.round(fix.accuracyMetres ?? 0) }), "good");
  else toast(t(unavailable === "denied" ? "call.location.denied" : "call.location.none"), "bad");
}

/** The exact place, or a rough one where that does not come in time. */
async function findPlace() {
  try {
    return await position({ enableHighAccuracy: true, maximumAge: 5000 }, exactSeconds);
  } catch (error) {
    if (isDenied(error)) throw error;
    return position({ enableHighAccuracy: false, maximumAge: 60_000 }, roughSeconds);
  }
}
