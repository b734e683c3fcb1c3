// SPDX-License-Identifier: Apache-2.0
import { Unreachable } from "../../../core/api.js";
import { newID } from "../../../core/ids.js";
import { whenAwake } from "../../../core/patience.js";
import { local } from "../../../core/storage.js";
import { now } from "../../../core/time.js";
import { faultOf, isOpen, isPlaceDue, readAgainIn } from "../../../model/safety.js";
import { isPassing, Unsent } from "../../patrol/parts/unsent.js";
import { refusalWords } from "./refusals.js";

/** So long the page says that an alert is over. */
const overMilliseconds = 60_000;
const stores = { waiting: "safe-alerts", refused: "safe-alerts-refused" };
/** After so many tries the page says that none of them arrived; it goes on all the same. */
const triesMost = 5;
/**
 * An alert that waited here for longer is asked about before it goes: it may be over, and contacts would look for somebody who is well. A phone that had no network for some hours sends by
 * itself.
 */
export const askedAfterMilliseconds = 6 * 3_600_000;
/** A contact who was added just before is told, too; an alert waits no longer for that. */
const contactMilliseconds = 3000;

/**
 * Alerts that were raised here. Each is on this phone, with its time and the last known place, before anything is sent, and stays until the gateway took or refused it.
 *
 * @typedef {{id: string, at: string, trigger: string, isDrill: boolean}} Raised
 * @typedef {Raised & {why: string}} Refused
 */
export class Alerts {
  #api;
  #mine;
  #place;
  #told;
  #storage;
  #unsent;
  #timer = 0;
  #isReading = false;
  #isSharing = false;
  /** What of alerts that wait failed in this page, by id. @type {Map<string, number>} */
  #tries = new Map();
  /** The place that an alert's contacts have, by the alert's id. */
  #shared = new Map();

  /**
   * @param {import("../../../core/api.js").API} api @param {import("./mine.js").Mine} mine @param {import("./place.js").Place} place
   * @param {{onChange: () => void, onSignal: (name: "sent" | "kept" | "failed") => void, isAwaited?: () => boolean}} told `isAwaited` says whether
   *   a hidden page is to ask all the same what became of an alert.
   */
  constructor(api, mine, place, told, storage = local) {
    [this.#api, this.#mine, this.#place, this.#told, this.#storage] = [api, mine, place, told, storage];
    this.#unsent = new Unsent(stores.waiting, (item) => this.#send(item), {
      isHeld: isOld, onChange: () => told.onChange(), onSent: (item) => this.#sent(item), onRefused: (item, error) => this.#refuse(item, error),
    }, storage);
    whenAwake(() => this.read(), new AbortController().signal);
  }

  /** Forgets all of somebody: another one uses this phone. */
  static forget(storage = local) {
    for (const name of Object.values(stores)) storage.removeItem(name);
  }

  /** @returns {(Raised & {isLong: boolean, isTried: boolean, isOld: boolean})[]} What waits on this phone, oldest first; `isLong` after so many tries, `isOld` where it goes only by a press. */
  get waiting() {
    return this.#raised.map((item) => {
      const { at, body: { id, members } } = item;
      const tries = this.#tries.get(id) ?? 0;
      return { id, at, trigger: members.trigger, isDrill: Boolean(members.isDrill), isTried: tries > 0, isLong: tries >= triesMost, isOld: isOld(item) };
    });
  }

  get #raised() {
    return this.#unsent.items.filter(({ body }) => body.kind === "raise");
  }

  /** What the gateway did not take, until it is put away. @returns {Refused[]} */
  get refused() {
    try {
      return JSON.parse(this.#storage.getItem(stores.refused) ?? "[]");
    } catch {
      return [];
    }
  }

  get open() {
    return this.#mine.alerts.filter(isOpen);
  }

  /** Whether the newest alert ended a moment ago. */
  get isJustOver() {
    const [last] = this.#mine.alerts;
    return Boolean(last?.endedAt && last.endReason !== "expired" && now() - Date.parse(last.endedAt) < overMilliseconds);
  }

  /** A press while an alert waits here tries that one again: contacts are to get one message. One that is too old to go by itself gives way to the new one. @param {"swipe" | "hold" | "key"} trigger @param {boolean} [isDrill] */
  raise(trigger, isDrill = false) {
    if (!isDrill && this.waiting.some((one) => !one.isDrill && !one.isOld)) {
      this.#told.onSignal("kept");
      return this.deliver();
    }
    // What was refused before is not what is said of this one.
    this.#storage.removeItem(stores.refused);
    const replaced = isDrill ? [] : this.#raised.filter((item) => isOld(item) && !item.body.members.isDrill);
    const { fix } = this.#place;
    const members = { trigger, ...(fix && { fix }), ...(isDrill && { isDrill }) };
    const done = this.#add("raise", newID(), members);
    for (const { key } of replaced) this.#unsent.remove(key);
    // What the phone finds now follows the alert; nothing waits for it.
    this.#place.follow(true);
    return done;
  }

  /** Ends an alert. @param {string} id @param {"safe" | "false_alarm"} reason */
  end(id, reason) {
    return this.#add("end", id, { reason });
  }

  /** Takes an alert back that waits here. It may be at the gateway without its answer: then it is ended there. @param {string} id @param {"safe" | "false_alarm"} [reason] */
  takeBack(id, reason = "false_alarm") {
    for (const { key, body } of this.#unsent.items) if (body.id === id) this.#unsent.remove(key);
    return this.end(id, reason);
  }

  /** Sends an alert that was asked about. It is the same one, so that it counts once; its time and place are those of this press. @param {string} id */
  sendNow(id) {
    const old = this.#raised.find(({ body }) => body.id === id);
    if (!old) return this.deliver();
    const { members } = old.body;
    const fix = this.#place.fix ?? members.fix;
    const done = this.#add("raise", id, { ...members, ...(fix && { fix }) });
    this.#unsent.remove(old.key);
    this.#place.follow(true);
    return done;
  }

  /** @param {string} id */
  putAway(id) {
    this.#keepRefused(this.refused.filter((one) => one.id !== id));
  }

  deliver() {
    return this.#unsent.deliver();
  }

  /** Tries an alert again that did not arrive: at once where it waits, as a new one where it was refused or no contact was reached. @param {string} id */
  again(id) {
    const refused = this.refused.find((one) => one.id === id);
    if (this.waiting.some((one) => one.id === id && one.isOld)) return this.sendNow(id);
    const failed = refused ?? this.open.find((one) => one.id === id && faultOf(one) === "failed");
    if (!failed) return this.deliver();
    if (refused) this.putAway(id);
    return this.raise(/** @type {any} */ (failed.trigger), failed.isDrill);
  }

  /** Whether an end waits to be sent, of which alert. @param {string} id */
  isEnding(id) {
    return this.#unsent.items.some(({ body }) => body.kind === "end" && body.id === id);
  }

  /** Reads open alerts anew, now and for as long as there are some. */
  async read() {
    clearTimeout(this.#timer);
    if (this.#isReading) return;
    this.#isReading = true;
    this.share();
    for (const { id } of this.open) await this.#readOne(id);
    this.#isReading = false;
    const wait = readAgainIn(this.open);
    if (wait !== null || this.waiting.length > 0) this.#place.follow(true);
    else this.#place.rest();
    if (wait !== null) this.#timer = setTimeout(() => this.#readIfSeen(wait), wait);
  }

  /** A hidden page asks nothing, except for a notification; it asks at once when it is looked at again. */
  #readIfSeen(wait) {
    if (document.visibilityState === "visible" || this.#told.isAwaited?.()) this.read();
    else this.#timer = setTimeout(() => this.#readIfSeen(wait), wait);
  }

  async #readOne(id) {
    try {
      this.#mine.noteAlert(await this.#api.get(`/v1/me/sos/${id}`));
    } catch {
      // What was read before stands there; the page says by itself that the centre is not reached.
    }
  }

  /** Sends the place of open alerts again where that is due. */
  async share() {
    if (this.#isSharing) return;
    this.#isSharing = true;
    const open = this.open.filter(({ id }) => !this.isEnding(id));
    if (open.some(({ id }) => this.#shared.has(id) && isPlaceDue(this.#shared.get(id), this.#shared.get(id).fix))) await this.#place.look();
    const { fix } = this.#place;
    for (const { id } of open) {
      if (!isPlaceDue(this.#shared.get(id), fix)) continue;
      // Not again before it is due, whether it arrives or not.
      this.#shared.set(id, { fix, at: now() });
      await this.#api.put(`/v1/me/sos/${id}/place`, { fix }, { tries: 1 }).catch(() => {});
    }
    this.#isSharing = false;
  }

  // MARK: Sending

  #add(kind, id, members) {
    return this.#unsent.add({ key: newID(), plainKey: newID(), at: new Date(now()).toISOString(), body: { kind, id, members, keptAt: Date.now() } });
  }

  async #send({ key, plainKey, at, body: { kind, id, members } }) {
    const path = `/v1/me/sos/${id}`;
    if (kind === "end") return this.#api.post(`${path}/end`, members, { key, tries: 1 });
    if (this.#mine.isWaiting) await Promise.race([this.#mine.deliver(), new Promise((resolve) => setTimeout(resolve, contactMilliseconds))]);
    try {
      return await this.#put(path, members, key, at);
    } catch (error) {
      // A place that the centre does not take stops no alert.
      const { fix, ...plain } = members;
      if (error.status === 422 && fix) return this.#put(path, plain, plainKey, at);
      if (error.slug === "sos-without-contacts" && this.#mine.isWaiting) throw this.#failed(id, new Unreachable());
      throw isPassing(error) ? this.#failed(id, error) : error;
    }
  }

  #put(path, members, key, at) {
    return this.#api.put(path, members, { key, tries: 1, occurredAt: at });
  }

  #failed(id, error) {
    const tries = (this.#tries.get(id) ?? 0) + 1;
    this.#tries.set(id, tries);
    if (tries === 1) this.#told.onSignal("kept");
    this.#told.onChange();
    return error;
  }

  #sent({ at, body: { kind, id, members } }) {
    if (kind === "end") return void this.#readOne(id);
    this.#told.onSignal("sent");
    if (members.fix) this.#shared.set(id, { fix: members.fix, at: now() });
    this.#mine.noteAlert({ id, raisedAt: new Date(now()).toISOString(), occurredAt: at, trigger: members.trigger, isDrill: Boolean(members.isDrill), fix: members.fix ?? null, endedAt: null, endReason: null, contacts: [] });
    this.read();
  }

  #refuse({ at, body: { kind, id, members } }, error) {
    // It is over, or was taken back before it arrived.
    if (kind === "end") return void this.#readOne(id);
    this.#told.onSignal("failed");
    this.#keepRefused([...this.refused, { id, at, trigger: members.trigger, isDrill: Boolean(members.isDrill), why: refusalWords(error) }]);
  }

  #keepRefused(refused) {
    this.#storage.setItem(stores.refused, JSON.stringify(refused));
    this.#told.onChange();
  }
}

/** By the phone's own clock at both ends: the centre's time, by which `at` may be put right, must make no alert older than it is. */
const isOld = ({ at, body: { kind, keptAt } }) => kind === "raise" && Date.now() - (keptAt ?? Date.parse(at)) > askedAfterMilliseconds;
