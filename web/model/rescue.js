// SPDX-License-Identifier: Apache-2.0
/**
 * Field reports as rescuers see them: which comes first, what its next step is, how far and how old it is, and how what was pressed without a network changes it.
 *
 * @typedef {"submitted" | "acknowledged" | "heading_out" | "on_scene" | "rescued" | "released" | "deceased" | "not_found" | "stood_down"} Status
 * @typedef {{latitude: number, longitude: number, accuracyMetres?: number, measuredAt?: string}} Fix
 * @typedef {{id: string, mediaType: string, width: number, height: number, at: string, by?: string}} Picture
 * @typedef {{id: string, status: Status, species: string, sizeClass: string, condition: string, fix?: Fix, notes?: string, contact?: string, submittedAt: string, changedAt: string,
 *   changedBy?: string, revision: string, erased?: boolean, agency?: {id: string, name: string}, isMine?: boolean, metresAway?: number, pictures: Picture[], history?: any[], updates?: any[],
 *   assignments?: any[]}} Report `isMine` where it is assigned to the reader's own agency; the lists at its end are there where the report was read by itself.
 * @typedef {{key: string, at: string, kind: "step" | "update" | "photo", report: string, body: any}} Waiting What was done here and is not sent yet.
 */

import { locale, numeral, t, term } from "../core/i18n.js";
import { site } from "../core/site.js";
import { monthOf, now } from "../core/time.js";
import { userOf } from "./duty.js";

/** The species that every site knows, in the order of forms. */
export const species = ["sea-lion", "harbor-seal", "elephant-seal", "fur-seal", "dolphin", "porpoise", "whale", "sea-otter", "sea-turtle", "seabird", "other"];
/** How a rescue ends, on scene. */
export const outcomes = ["rescued", "released", "deceased", "not_found"];
/** The statuses of what is over. */
export const ended = [...outcomes, "stood_down"];

/** The one step that follows, where it is one. */
const following = { submitted: "acknowledged", acknowledged: "heading_out", heading_out: "on_scene" };
/** Who moves reports along whatever agency has them. */
const desk = new Set(["operator", "supervisor", "org-admin", "admin"]);
/** How urgent a condition is: an animal that suffers comes before one that is dead. */
const urgency = { injured: 0, entangled: 0, alive: 1, unknown: 1 };

/** What was pressed so long ago and is not sent yet waits; the rest is on its way. */
export const waitsAfterMilliseconds = 1500;

const urgencyOf = ({ condition }) => urgency[condition] ?? 2;

/** Whether somebody may move a report along. @param {{role: string}} me @param {Report} report */
export const mayAct = (me, report) => desk.has(me.role) || Boolean(report.isMine);

/** Whether a report waits for somebody like the reader to take it. @param {{role: string}} me @param {Report} report */
export const isCalling = (me, report) => report.status === "submitted" && mayAct(me, report);

/** Whether somebody is at it. @param {Report} report */
export const isUnderWay = ({ status }) => ["acknowledged", "heading_out", "on_scene"].includes(status);

/** @typedef {{step?: Status, outcomes?: string[], mayStandDown: boolean}} Next */

/** What can be done next with a report: one step, or how it ended. @param {{status: Status}} report @returns {Next} */
export function nextOf({ status }) {
  if (following[status]) return { step: following[status], mayStandDown: true };
  return status === "on_scene" ? { outcomes, mayStandDown: false } : { mayStandDown: false };
}

/**
 * A report as it is once the centre has what waits here: its status is that of the last step.
 * @template {Report} R
 * @param {R} report @param {Waiting[]} waiting Oldest first. @param {number} [at]
 * @returns {R & {isWaiting?: boolean}} `isWaiting` where the oldest step is not just on its way.
 */
export function withWaiting(report, waiting, at = now()) {
  const steps = waiting.filter((one) => one.kind === "step" && one.report === report.id);
  if (steps.length === 0) return report;
  return { ...report, status: steps[steps.length - 1].body.to, isWaiting: at - Date.parse(steps[0].at) > waitsAfterMilliseconds };
}

/** A report after the centre took a step. @param {Report} report @param {Waiting} step @param {string} user Who took it. @returns {Report} */
export const withStep = (report, { at, body }, user) => ({ ...report, status: body.to, changedAt: at, changedBy: user });

/**
 * Who has a report, as a word's key and its arguments.
 * @param {{user: string}} me @param {Report} report @param {{members: string[]} | null} agency The reader's own. @param {(user: string) => string} nameOf Gives the id back where the name is not known.
 * @returns {[string, Record<string, string>?] | null}
 */
export function whoHas(me, report, agency, nameOf) {
  if (!isUnderWay(report)) return report.agency ? [report.isMine ? "rescue.who.own" : "rescue.who.assigned", { agency: report.agency.name }] : ["rescue.who.none"];
  const user = userOf(report.changedBy);
  if (user === me.user) return ["rescue.who.you"];
  if (user && nameOf(user) !== user) return ["rescue.who.has", { name: nameOf(user) }];
  if (user && agency?.members.includes(user)) return ["rescue.who.colleague"];
  return report.agency ? ["rescue.who.has", { name: report.agency.name }] : ["rescue.who.somebody"];
}

/**
 * Active reports, the most urgent first: those that wait for the reader's own answer, then what the reader is at, then what colleagues are at, then what waits for others, and
 * last what others are at. Of one group the animal that suffers comes first, and then what is oldest.
 * @template {Report} R
 * @param {{user: string, role: string}} me @param {R[]} reports @returns {R[]}
 */
export function byUrgency(me, reports) {
  const rank = (report) => {
    if (isCalling(me, report)) return 0;
    if (isUnderWay(report) && mayAct(me, report)) return userOf(report.changedBy) === me.user ? 1 : 2;
    return report.status === "submitted" ? 3 : 4;
  };
  return [...reports].sort((one, other) => rank(one) - rank(other) || urgencyOf(one) - urgencyOf(other) || Date.parse(one.submittedAt) - Date.parse(other.submittedAt) || (one.id < other.id ? -1 : 1));
}

// MARK: Words

/** What an animal is called; a site's own types stand as they are. @param {string} name */
export const speciesWord = (name) => term(`rescue.species.${name}`, name);
/** @param {string} condition */
export const conditionWord = (condition) => term(`rescue.condition.${condition}`, condition.replaceAll("_", " "));
/** @param {string} status */
export const statusWord = (status) => term(`rescue.status.${status}`, status.replaceAll("_", " "));

/** The animal and its size. @param {Report} report */
export const titleOf = (report) => t("rescue.animal", { species: speciesWord(report.species), size: term(`rescue.size.${report.sizeClass}`, report.sizeClass) });

/** How long ago, as rescuers count: `12 min`, `3 h 05 min`, `2 days`. @param {string} since @param {number} [at] */
export function ageWords(since, at = now()) {
  const minutes = Math.max(0, Math.floor((at - Date.parse(since)) / 60_000));
  if (minutes < 1) return t("rescue.age.now");
  if (minutes < 60) return t("rescue.age.minutes", { minutes });
  if (minutes < 48 * 60) return t("rescue.age.hours", { hours: Math.floor(minutes / 60), minutes: String(minutes % 60).padStart(2, "0") });
  return t("rescue.age.days", { count: Math.floor(minutes / (24 * 60)) });
}

const metresOfMile = 1609.344;
const metresOfFoot = 0.3048;
/** Where roads are signed in miles. */
const milesIn = new Set(["US", "GB", "LR", "MM"]);

/** How far away, in kilometres, or in miles where the reader's country has those. @param {number} metres @param {string} [reader] @param {string | null} [country] Where the reader's language does not say. */
export function distanceWords(metres, reader = locale, country = site.country) {
  if (milesIn.has(reader.split("-").slice(1).find((part) => /^[A-Z]{2}$/.test(part)) ?? country ?? "")) {
    const miles = metres / metresOfMile;
    if (miles < 0.2) return `${numeral(Math.round(metres / metresOfFoot / 10) * 10)} ft`;
    return `${numeral(miles, miles < 10 ? 1 : 0)} mi`;
  }
  if (metres < 1000) return `${numeral(Math.round(metres / 10) * 10)} m`;
  return `${numeral(metres / 1000, metres < 10_000 ? 1 : 0)} km`;
}

// MARK: Ways there

/** Addresses that show the way to a place: of the phone's own maps, of a map in a browser, and which of them this device is best at. @param {Fix} fix @param {string} [agent] */
export function waysTo({ latitude, longitude }, agent = globalThis.navigator?.userAgent ?? "") {
  const at = `${latitude.toFixed(6)},${longitude.toFixed(6)}`;
  const geo = `geo:${at}?q=${at}`;
  const apple = /iPhone|iPad|Macintosh/.test(agent);
  const map = apple ? `https://maps.apple.com/?daddr=${at}` : `https://www.openstreetmap.org/directions?to=${encodeURIComponent(at)}`;
  // Only Android's browsers hand geo: to whatever shows maps, also without a network.
  return { geo, map, best: /Android/.test(agent) ? geo : map };
}

/** A contact as people write it, with what can be pressed in it. @param {string} text @returns {{text: string, href?: string}[]} */
export function contactParts(text) {
  const parts = [];
  let done = 0;
  for (const found of text.matchAll(/[^\s@<>,;]+@[^\s@<>,;]+\.[^\s@<>,;]+|\+?\d[\d\s()./-]{4,}\d/g)) {
    if (found.index > done) parts.push({ text: text.slice(done, found.index) });
    const [one] = found;
    parts.push({ text: one, href: one.includes("@") ? `mailto:${one}` : `tel:${one.replace(/[^\d+]/g, "")}` });
    done = found.index + one.length;
  }
  if (done < text.length) parts.push({ text: text.slice(done) });
  return parts;
}

// MARK: What happened

/**
 * All that happened to a report, the newest first: `{is, at, by?, …}` with what its kind has.
 * @param {Report} report
 */
export function happened({ submittedAt, history = [], updates = [], assignments = [], pictures = [] }) {
  const of = (is, all) => all.map((one) => ({ ...one, is }));
  const all = [{ is: "submitted", at: submittedAt }, ...of("step", history), ...of("update", updates), ...of("assigned", assignments), ...of("picture", pictures.filter(({ by }) => by))];
  // Of what happened in one moment, what the ledger has first stays first.
  return all.map((one, index) => ({ ...one, index })).sort((one, other) => Date.parse(other.at) - Date.parse(one.at) || Number(other.position ?? 0) - Number(one.position ?? 0) || other.index - one.index);
}

// MARK: Past missions

/** So many past missions are asked for at once, and so many are looked through for a month at most. */
const pageOf = 50;
const lookedThroughMost = 2000;
/** So many months can be chosen. */
const monthsBack = 24;

/** The months that can be chosen, the newest first: `["2026-11", "November 2026"]`. @param {number} [at] @returns {[string, string][]} */
export function months(at = now()) {
  const newest = new Date(at);
  return Array.from({ length: monthsBack }, (_, back) => {
    // The middle of a month is in that month in every zone.
    const middle = new Date(Date.UTC(newest.getUTCFullYear(), newest.getUTCMonth() - back, 15, 12));
    return [middle.toISOString().slice(0, 7), monthOf(middle)];
  });
}

/**
 * Past missions by species, outcome and month, from a cursor on. The centre knows no months: they are looked for here, page by page, until there are some or the month is over.
 * @param {{get: (path: string) => Promise<any>}} api
 * @param {{species?: string, status?: string, month?: string}} filter Empty for all.
 * @param {string | null} [before]
 * @returns {Promise<{items: Report[], next: string | null}>}
 */
export async function pastMissions(api, { species: animal, status, month }, before = null) {
  const query = new URLSearchParams({ state: "past", ...(animal && { species: animal }), ...(status && { status }), limit: String(pageOf) });
  const wanted = month && monthOf(new Date(`${month}-15T12:00:00Z`));
  const [items, begins] = [[], month ? Date.parse(`${month}-01T00:00:00Z`) - 24 * 3_600_000 : -Infinity];
  let [cursor, looked] = [before, 0];
  for (;;) {
    if (cursor) query.set("before", cursor);
    const page = await api.get(`/v1/reports?${query}`);
    items.push(...page.items.filter(({ submittedAt }) => !wanted || monthOf(new Date(submittedAt)) === wanted));
    looked += page.items.length;
    cursor = page.next ?? null;
    const isOver = page.items.some(({ submittedAt }) => Date.parse(submittedAt) < begins);
    if (isOver) return { items, next: null };
    if (!cursor || !wanted || items.length >= pageOf || looked >= lookedThroughMost) return { items, next: cursor };
  }
}

// MARK: Duty

const hourMilliseconds = 3_600_000;
/** The centre takes an absence of 30 days at most; the clocks of the two differ. */
const longestMilliseconds = 30 * 24 * hourMilliseconds - 60_000;

/** Until when somebody is off duty who says so by a word, as RFC 3339. @param {string} length @param {Date} at */
export function offDutyUntil(length, at) {
  const morning = new Date(at);
  morning.setHours(8, 0, 0, 0);
  if (morning <= at) morning.setDate(morning.getDate() + 1);
  const ends = { hour: at.getTime() + hourMilliseconds, shift: at.getTime() + 8 * hourMilliseconds, morning: morning.getTime(), month: at.getTime() + longestMilliseconds };
  return new Date(ends[length]).toISOString();
}
