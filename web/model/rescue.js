// SPDX-License-Identifier: Apache-2.0
/**
 * Field reports as rescuers see them: which comes first, what its next step is, how far and how old it is, and how what was pressed without a network changes it.
 *
 * @typedef {"submitted" | "acknowledged" | "heading_out" | "on_scene" | "rescued" | "released" | "deceased" | "not_found" | "stood_down"} Status
 * @typedef {{latitude: number, longitude: number, accuracyMetres?: number, measuredAt?: string}} Fix
 * @typedef {{id: string, mediaType: string, width: number, height: number, at: string, by?: string, isPublic?: boolean}} Picture
 * @typedef {{id: string, status: Status, species: string, sizeClass: string, condition: string, fix?: Fix, notes?: string, contact?: string, submittedAt: string, changedAt: string,
 *   changedBy?: string, revision: string, erased?: boolean, agency?: {id: string, name: string}, isMine?: boolean, metresAway?: number, pictures: Picture[], history?: any[], updates?: any[],
 *   assignments?: any[], next?: string[], undo?: Status, duplicateOf?: string, duplicates?: string[], possibleDuplicates?: {id: string, metres: number, submittedAt: string}[],
 *   incident?: string, isHidden?: boolean, publishesPhotos?: boolean}} Report `isMine` where it is assigned to the reader's own agency; `next` are the statuses that may follow, and
 *   `undo` is the one that the last step came from. The lists are there where the report was read by itself.
 * @typedef {{key: string, at: string, kind: "step" | "update" | "photo", report: string, body: any, way?: "undo" | "reopen"}} Waiting What was done here and is not sent yet.
 * @typedef {{latitude: number, longitude: number, at: string, by: string}} TeamPlace
 */

import { locale, numeral, t, term } from "../core/i18n.js";
import { site } from "../core/site.js";
import { monthOf, now } from "../core/time.js";
import { distance } from "../map/geo.js";
import { userOf } from "./duty.js";

/** The species that every site knows, in the order of forms. */
export const species = ["sea-lion", "harbor-seal", "elephant-seal", "fur-seal", "dolphin", "porpoise", "whale", "sea-otter", "sea-turtle", "seabird", "other"];
/** How a rescue ends, on scene. */
export const outcomes = ["rescued", "released", "deceased", "not_found"];
/** The statuses of what is over. */
export const ended = [...outcomes, "stood_down"];

/** The steps to the animal, each one big button. */
const steps = ["acknowledged", "heading_out", "on_scene"];
/** What follows a step that waits here: of the status that it has the centre says that itself. */
const following = { submitted: ["acknowledged", "stood_down"], acknowledged: ["heading_out", "stood_down"], heading_out: ["on_scene", "stood_down"], on_scene: outcomes };
/** Who moves reports along whatever agency has them. */
const desk = new Set(["operator", "supervisor", "org-admin", "admin"]);
/** Who decides what of a report the public sees. */
const moderators = new Set(["supervisor", "org-admin", "admin"]);
/** How urgent a condition is: an animal that suffers comes before one that is dead. */
const urgency = { injured: 0, entangled: 0, alive: 1, unknown: 1 };

/** What was pressed so long ago and is not sent yet waits; the rest is on its way. */
export const waitsAfterMilliseconds = 1500;

const urgencyOf = ({ condition }) => urgency[condition] ?? 2;

/** Whether somebody may move a report along. @param {{role: string}} me @param {Report} report */
export const mayAct = (me, report) => desk.has(me.role) || Boolean(report.isMine);

/** Whether somebody is of the centre. @param {{role: string}} me */
export const isDesk = (me) => desk.has(me.role);

/** Whether somebody may hide a report from the public. @param {{role: string}} me */
export const mayModerate = (me) => moderators.has(me.role);

/** Whether somebody may have all reports as a file. @param {{role: string}} me */
export const mayExport = (me) => me.role === "rescuer" || mayModerate(me);

/** Whether somebody may say of a photo whether the public sees it: of the reporter's only moderators may. @param {{role: string}} me @param {Report} report @param {Picture} picture */
export const mayPublish = (me, report, picture) => mayModerate(me) || Boolean(picture.by && me.role === "rescuer" && report.isMine);

/** Whether a report waits for somebody like the reader to take it. @param {{role: string}} me @param {Report} report */
export const isCalling = (me, report) => report.status === "submitted" && mayAct(me, report);

/** Whether somebody is at it. @param {{status: string}} report */
export const isUnderWay = ({ status }) => ["acknowledged", "heading_out", "on_scene"].includes(status);

/** @typedef {{step?: string, outcomes?: string[], undo?: Status, mayStandDown: boolean, mayReopen: boolean}} Next */

/** What can be done next with a report: one step, or how it ended; and whether that can be taken back. @param {{status: Status, next?: string[], undo?: Status}} report @returns {Next} */
export function nextOf({ status, next = following[status] ?? [], undo }) {
  const isOver = ended.includes(status);
  const step = !isOver && steps.find((one) => next.includes(one));
  const ends = outcomes.filter((one) => next.includes(one));
  const mayReopen = isOver && next.includes("acknowledged");
  // Where both lead to the same, one button is enough.
  const isOther = undo && !(mayReopen && undo === "acknowledged");
  return { ...(step ? { step } : ends.length > 0 && { outcomes: ends }), ...(isOther && { undo }), mayStandDown: next.includes("stood_down"), mayReopen };
}

/** Whether a step of the history led on, back, or opened again what was over. @param {{from: string, to: string}} step @returns {"on" | "undo" | "reopen"} */
export function wayOf({ from, to }) {
  if (ended.includes(from)) return to === "acknowledged" ? "reopen" : "undo";
  return steps.indexOf(from) > steps.indexOf(to) && !ended.includes(to) ? "undo" : "on";
}

/**
 * A report as it is once the centre has what waits here: its status is that of the last step.
 * @template {Report} R
 * @param {R} report @param {Waiting[]} waiting Oldest first. @param {number} [at]
 * @returns {R & {isWaiting?: boolean}} `isWaiting` where the oldest step is not just on its way.
 */
export function withWaiting(report, waiting, at = now()) {
  const own = waiting.filter((one) => one.kind === "step" && one.report === report.id);
  if (own.length === 0) return report;
  return { ...report, ...moved(own[own.length - 1].body.to), isWaiting: at - Date.parse(own[0].at) > waitsAfterMilliseconds };
}

/** At another status than the centre told of, what it said may follow does not hold. */
const moved = (status) => ({ status, next: undefined, undo: undefined });

/** A report after the centre took a step. @param {Report} report @param {Waiting} step @param {string} user Who took it. @returns {Report} */
export const withStep = (report, { at, body }, user) => ({ ...report, ...moved(body.to), changedAt: at, changedBy: user });

/** Which of two reports of one animal stays: the one that somebody is at, else the one that came first. @template {{status: string, submittedAt: string}} R @param {R} one @param {R} other @returns {R} */
export function mainOf(one, other) {
  if (isUnderWay(one) !== isUnderWay(other)) return isUnderWay(one) ? one : other;
  return Date.parse(one.submittedAt) <= Date.parse(other.submittedAt) ? one : other;
}

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

/** A report that so long nobody answered says so. */
const unansweredMilliseconds = 5 * 60_000;

/** How long nobody has answered a report; `null` where somebody has, or it is new. @param {{status: string, submittedAt: string, duplicateOf?: string}} report @param {number} [at] */
export function unansweredWords({ status, submittedAt, duplicateOf }, at = now()) {
  const waited = at - Date.parse(submittedAt);
  if (status !== "submitted" || duplicateOf || waited < unansweredMilliseconds) return null;
  const hours = Math.floor(waited / 3_600_000);
  return hours < 48 ? t("rescue.unanswered", { time: ageWords(submittedAt, at) }) : t("rescue.unanswered.days", { count: Math.floor(hours / 24) });
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

// MARK: The team's place

/** So long a place that was shared counts for the team. */
export const placeCountsMilliseconds = 30 * 60_000;
/** Who stands still shares it again well before that ends; who moves so far shares it anew. Neither is tried faster than this. */
const still = { milliseconds: 5 * 60_000, metres: 100 };
const shareAgainMilliseconds = 10_000;

/** Whether a place is to be shared now. @param {{fix: Fix, at: number} | null} last What was shared last. @param {Fix} fix @param {number} triedAt When it was tried last. @param {number} [at] */
export function isShareDue(last, fix, triedAt, at = now()) {
  if (at - triedAt < shareAgainMilliseconds) return false;
  return !last || at - last.at >= still.milliseconds || distance(last.fix, fix) >= still.metres;
}

/** Until when a shared place counts, in milliseconds; `null` where it does not, or no more. @param {TeamPlace | undefined} place @param {number} [at] */
export function placeEnds(place, at = now()) {
  const end = Date.parse(place?.at ?? "") + placeCountsMilliseconds;
  return end > at ? end : null;
}

// MARK: Incidents

/** Whether a contact of an incident goes on. @param {{sessions: {state: string}[]}} incident */
export const isOpenIncident = ({ sessions }) => sessions.some(({ state }) => state === "open" || state === "waiting");

/** What tells an incident from others: where it is, or who called. @param {{id: string, sessions: any[]}} incident */
export function nameOfIncident({ id, sessions }) {
  const known = (name) => sessions.map((one) => one[name]).find(Boolean);
  return known("address") ?? known("phone") ?? id;
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
