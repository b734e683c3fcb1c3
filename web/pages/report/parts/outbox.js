// SPDX-License-Identifier: Apache-2.0
import { Problem } from "../../../core/api.js";
import { newID } from "../../../core/ids.js";
import { patience, whenAwake } from "../../../core/patience.js";
import { local } from "../../../core/storage.js";
import { bodyOf } from "./draft.js";

const store = "reports";
/** So many reports that were sent are remembered, with their private links. */
const sentMost = 20;
/** How long is waited between two tries, in milliseconds; longer where no agency takes reports. */
const pauses = { first: 1000, most: 30_000 };
const closedPauses = { first: 30_000, most: 120_000 };

/**
 * A report of this phone. `key` names the command: the same key is the same report, however often it is sent.
 *
 * @typedef {{number: number, name: string, state: "waiting" | "sending" | "sent" | "refused" | "lost", fault?: {slug: string, status: number, detail: string}}} Photo
 * @typedef {{id: string, key: string, at: string, state: "waiting" | "sent" | "refused", species: string, photos: Photo[], written?: any, body?: any, proof?: any, isPosted?: boolean,
 *   fault?: {slug: string, status: number, detail: string}, token?: string, agency?: any, isOnDuty?: boolean, submittedAt?: string}} Report `written` is the draft that it was made of; both go when it is
 *   sent. `isOnDuty` is `false` where nobody of the agency was on duty then.
 * @typedef {"away" | "closed" | "busy"} Reason Why a report waits: the centre is not reached, no agency takes reports, or too many were sent from here.
 */

/**
 * Reports that were written on this phone, and their photos: kept over reloads, sent by themselves, first all reports, then their photos, each again until the centre took or
 * refused it.
 */
export class Outbox {
  #api;
  #proof;
  #shelf;
  #storage;
  #onChange;
  #isSending = false;
  #isAsked = false;
  #failures = 0;
  #timer = 0;
  /** The photo that is on its way now. */
  #current = "";
  /** @type {Reason | ""} Why it did not go on the last time. */
  reason = "";

  /**
   * @param {import("../../../core/api.js").API} api
   * @param {import("./proof.js").Proof} proof
   * @param {import("./report-photos.js").ReportPhotos} shelf
   * @param {() => void} onChange
   */
  constructor(api, proof, shelf, onChange, storage = local) {
    [this.#api, this.#proof, this.#shelf, this.#onChange, this.#storage] = [api, proof, shelf, onChange, storage];
    whenAwake(() => this.deliver(), new AbortController().signal);
    // Another tab may have sent something.
    addEventListener("storage", ({ key }) => key === store && this.#onChange());
  }

  /** @returns {Report[]} Oldest first; a note that cannot be read is none. */
  get reports() {
    try {
      const reports = JSON.parse(this.#storage.getItem(store) ?? "[]");
      return reports.map((report) => ({ ...report, photos: report.photos.map((photo) => ({ ...photo, state: this.#stateOf(report.id, photo) })) }));
    } catch {
      return [];
    }
  }

  #stateOf(id, { number, state }) {
    if (`${id}/${number}` === this.#current) return "sending";
    return state === "sending" ? "waiting" : state;
  }

  /** @returns {Report[]} Those of which the centre does not have all. */
  get waiting() {
    return this.reports.filter(isWaiting);
  }

  /** Keeps a report, and sends it as soon as that is possible. @param {import("./draft.js").Written} written @returns {string} Its id on this phone. */
  add(written) {
    const { id, species, photos } = written;
    const report = { id, key: newID(), at: new Date().toISOString(), state: "waiting", species, body: bodyOf(written), written, photos: photos.map((photo) => ({ ...photo, state: "waiting" })) };
    this.#keep([...this.reports, report]);
    this.deliver();
    return id;
  }

  /** Forgets a report here. What the centre has, it has. @param {string} id */
  async forget(id) {
    const photos = this.reports.find((report) => report.id === id)?.photos ?? [];
    this.#keep(this.reports.filter((report) => report.id !== id));
    for (const { number } of photos) await this.#shelf.remove(id, number);
  }

  /** Takes a report back that was never posted, or was refused, to be changed; `null` where it is too late. @param {string} id */
  takeBack(id) {
    const report = this.reports.find((one) => one.id === id);
    if (!report || report.state === "sent" || (report.state === "waiting" && report.isPosted)) return null;
    this.#keep(this.reports.filter((one) => one !== report && one.id !== id));
    return report.written;
  }

  /** Sends what waits, now. */
  async deliver() {
    clearTimeout(this.#timer);
    if (this.#isSending) return void (this.#isAsked = true);
    this.#isSending = true;
    try {
      do {
        this.#isAsked = false;
        await exclusively(() => this.#deliverAll());
        this.#failures = 0;
        this.reason = "";
      } while (this.#isAsked);
    } catch (error) {
      this.#wait(error);
    }
    [this.#isSending, this.#current] = [false, ""];
    this.#onChange();
  }

  #wait(error) {
    const { status, slug } = error;
    if (error instanceof Elsewhere) this.reason = "";
    else this.reason = slug === "rescue-closed" ? "closed" : status === 429 ? "busy" : "away";
    const told = status === 429 ? 1000 * Number(error.members?.retryAfterSeconds ?? 60) : 0;
    this.#timer = setTimeout(() => this.deliver(), Math.max(told, patience(this.#failures++, this.reason === "closed" ? closedPauses : pauses)));
  }

  async #deliverAll() {
    for (const report of this.reports) if (report.state === "waiting") await this.#post(report);
    for (const report of this.reports) {
      if (report.state !== "sent") continue;
      for (const photo of report.photos) if (isOnItsWay(photo)) await this.#upload(report, photo);
    }
  }

  /** @param {Report} report Returns when it was taken or refused. */
  async #post(report) {
    let isSecond = false;
    for (;;) {
      // The same proof with the same key: where only the answer was lost, the gateway repeats it.
      const proof = report.proof ?? (await later(this.#proof.take()));
      report = this.#change(report.id, { proof, isPosted: true }) ?? report;
      try {
        const { token, agency, isOnDuty, submittedAt } = await this.#api.post("/v1/public/reports", { ...report.body, proof }, { key: report.key, tries: 1 });
        return void this.#change(report.id, { state: "sent", token, agency, isOnDuty, submittedAt, proof: undefined, body: undefined, written: undefined });
      } catch (error) {
        const isStale = error.slug === "proof-of-work-refused";
        if (isStale) report = this.#change(report.id, { proof: undefined }) ?? report;
        if (isStale && !isSecond) {
          isSecond = true;
          continue;
        }
        if (isStale || isPassing(error)) throw error;
        return void this.#change(report.id, { state: "refused", fault: faultOf(error), proof: undefined });
      }
    }
  }

  /** @param {Report} report @param {Photo} photo */
  async #upload({ id, token }, { number }) {
    const blob = await this.#shelf.get(id, number);
    if (!blob) return this.#note(id, number, { state: "lost" });
    this.#current = `${id}/${number}`;
    this.#onChange();
    try {
      await this.#api.upload(`/v1/public/reports/${token}/photos/${number}`, blob, { method: "PUT" });
      this.#current = "";
      this.#note(id, number, { state: "sent" });
    } catch (error) {
      this.#current = "";
      if (isPassing(error)) throw error;
      this.#note(id, number, { state: "refused", fault: faultOf(error) });
    }
    await this.#shelf.remove(id, number);
  }

  #note(id, number, told) {
    const report = this.reports.find((one) => one.id === id);
    if (report) this.#change(id, { photos: report.photos.map((photo) => (photo.number === number ? { ...photo, ...told } : photo)) });
  }

  /** Another tab may have changed the others meanwhile: they are read anew. @returns {Report | undefined} */
  #change(id, members) {
    const reports = this.reports.map((report) => (report.id === id ? { ...report, ...members } : report));
    this.#keep(reports);
    return reports.find((report) => report.id === id);
  }

  #keep(reports) {
    const done = reports.filter((report) => !isWaiting(report));
    const old = new Set(done.slice(0, Math.max(0, done.length - sentMost)));
    const kept = reports.filter((report) => !old.has(report));
    if (kept.length) this.#storage.setItem(store, JSON.stringify(kept));
    else this.#storage.removeItem(store);
    this.#onChange();
  }
}

/** Another tab of this phone is sending. */
class Elsewhere extends Error {}

const isOnItsWay = ({ state }) => state === "waiting" || state === "sending";

/** Whether the centre lacks anything of it that may still be sent. @param {Report} report */
export const isWaiting = ({ state, photos }) => state === "waiting" || (state === "sent" && photos.some(isOnItsWay));

/** Whether an error says nothing against what was sent: the same may be taken later. */
function isPassing(error) {
  return !(error instanceof Problem) || error.status >= 500 || [401, 408, 429].includes(error.status);
}

const faultOf = ({ slug, status, message }) => ({ slug, status, detail: message });

/** A proof that cannot be had now says nothing against the report. */
async function later(work) {
  try {
    return await work;
  } catch (error) {
    throw error instanceof Problem && isPassing(error) ? error : new Error(error.message);
  }
}

/** Not while another tab of this phone does it; a browser without locks sends twice at worst, under the same key. */
async function exclusively(work) {
  if (!globalThis.navigator?.locks) return work();
  return navigator.locks.request("reports", { ifAvailable: true }, async (lock) => {
    if (!lock) throw new Elsewhere();
    return work();
  });
}
