// SPDX-License-Identifier: Apache-2.0
import { withStep, withWaiting } from "../../../model/rescue.js";
import { now } from "../../../core/time.js";

/** @typedef {import("../../../model/rescue.js").Report} Report */

/** So many active reports are shown. */
const activeMost = 200;

/**
 * The reports as they were last read, and kept as long as the tab is open: what cannot be read again stays as it was. A step that the centre took counts at once, and no reading that
 * was begun before it takes it back.
 */
export class Missions {
  #api;
  #me;
  #outbox;
  #lastRead;
  /** Readings are numbered, those of one report by its id: an older one that comes late is not shown. */
  #asked = 0;
  #shown = new Map();
  #floor = 0;
  /** @type {Map<string, Report>} Of those that were read by themselves. */
  #whole = new Map();
  /** @type {Report[] | null} */
  #listed = null;
  /** The reader's own agency. @type {{name: string, members: string[], place?: import("../../../model/rescue.js").TeamPlace} | null} */
  agency = null;
  /** When the list was read, and why it could not be since. */
  readAt = 0;
  fault = "";
  /** Why one could not be read, by its id. @type {Map<string, {words: string, isGone: boolean}>} */
  faults = new Map();

  /**
   * @param {import("../../../core/api.js").API} api @param {{user: string, role: string}} me
   * @param {{waiting: (report?: string) => import("../../../model/rescue.js").Waiting[]}} outbox
   * @param {import("./last-read.js").LastRead} lastRead
   */
  constructor(api, me, outbox, lastRead) {
    [this.#api, this.#me, this.#outbox, this.#lastRead] = [api, me, outbox, lastRead];
    const { listed = null, whole = [], agency = null, readAt = 0 } = lastRead.of(me);
    [this.#listed, this.#whole, this.agency, this.readAt] = [listed, new Map(whole), agency, readAt];
  }

  /** The active reports with what waits here; `null` before the first reading. @returns {(Report & {isWaiting?: boolean})[] | null} */
  get active() {
    const waiting = this.#outbox.waiting();
    return this.#listed?.map((report) => withWaiting(report, waiting)) ?? null;
  }

  /** One report as far as it is known, with what waits here. @param {string} id @returns {(Report & {isWaiting?: boolean, isWhole: boolean}) | null} */
  report(id) {
    const whole = this.#whole.get(id);
    const listed = this.#listed?.find((one) => one.id === id);
    const known = newer(whole, listed);
    return known ? { ...withWaiting(known, this.#outbox.waiting(id)), isWhole: Boolean(whole) } : null;
  }

  /** Reads whose members one is; who is of no agency has none. */
  async readAgency() {
    if (this.#me.role !== "rescuer") return;
    try {
      this.agency = await this.#api.get("/v1/agencies/mine");
      this.#keep();
    } catch (error) {
      if (error.status === 404) this.agency = null;
    }
  }

  async readList() {
    await this.#read("list", async () => {
      const { items } = await this.#api.get(`/v1/reports?state=active&limit=${activeMost}`);
      return () => ([this.#listed, this.readAt, this.fault] = [items, now(), ""]);
    }, (error) => (this.fault = error.message));
  }

  /** @param {string} id */
  async readReport(id) {
    await this.#read(id, async () => {
      const report = await this.#api.get(`/v1/reports/${id}`);
      return () => {
        this.#whole.set(id, report);
        this.faults.delete(id);
      };
    }, (error) => this.faults.set(id, { words: error.message, isGone: error.status === 404 || error.status === 403 }));
  }

  /** The centre took a step of this page. @param {import("../../../model/rescue.js").Waiting} step */
  took(step) {
    this.#floor = this.#asked;
    const after = (report) => withStep(report, step, this.#me.user);
    this.#listed = this.#listed?.map((one) => (one.id === step.report ? after(one) : one)) ?? null;
    const whole = this.#whole.get(step.report);
    if (whole) this.#whole.set(step.report, after(whole));
  }

  /** Of those that were read by themselves the active ones: past ones are not needed on the way. */
  #keep() {
    const whole = [...this.#whole].filter(([id]) => this.#listed?.some((one) => one.id === id));
    this.#lastRead.keep({ me: this.#me, listed: this.#listed, whole, agency: this.agency, readAt: this.readAt });
  }

  async #read(name, ask, fail) {
    const mine = ++this.#asked;
    const isOld = () => mine <= this.#floor || mine < (this.#shown.get(name) ?? 0);
    try {
      const take = await ask();
      if (isOld()) return;
      this.#shown.set(name, mine);
      take();
      this.#keep();
    } catch (error) {
      if (!isOld()) fail(error);
    }
  }
}

/** What only a report has that is read by itself. */
const ofWhole = ["history", "updates", "assignments", "duplicates", "possibleDuplicates"];

/** The list may have been read after a report was; it has all but what happened. */
function newer(whole, listed) {
  if (!whole || !listed || !(Number(listed.revision) > Number(whole.revision))) return whole ?? listed;
  return { ...Object.fromEntries(ofWhole.map((name) => [name, whole[name]])), ...listed };
}
