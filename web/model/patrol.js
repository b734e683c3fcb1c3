// SPDX-License-Identifier: Apache-2.0
/**
 * Guards' tours: what is due next on a round, how its points stand, what is late, and how what people type becomes a tour.
 *
 * @typedef {{point: string, from: string, until: string, lateUntil: string, standing?: "on_time" | "late" | "missed", reachedAt?: string, overdueAt?: string, missedAt?: string,
 *   handledBy?: string, handledAt?: string, sent?: string, note?: string}} RoundPoint
 * @typedef {{id: string, tour: string, guardID: string, startedAt: string, finishedAt?: string, reason?: "done" | "stopped" | "expired", isOrdered: boolean, points: RoundPoint[]}} Round
 * @typedef {"ahead" | "due" | "late" | "missed" | "left" | "on_time" | "reached_late" | "reached_missed"} Standing The last three are of points where the guard was; `left`
 *   of those that a round which was stopped left out.
 * @typedef {{point: string, fromSeconds: number, untilSeconds: number}} TourPoint
 */
import { all } from "../core/api.js";

/** How a point stands at a moment; what the ledger says counts, and the clock where it has said nothing yet. @param {Round} round @param {RoundPoint} point @param {number} at @returns {Standing} */
export function standingOf(round, point, at) {
  if (point.standing) return point.standing === "on_time" ? "on_time" : `reached_${point.standing}`;
  if (point.missedAt) return "missed";
  if (round.finishedAt) return "left";
  if (at > Date.parse(point.lateUntil)) return "missed";
  if (point.overdueAt || at > Date.parse(point.until)) return "late";
  return at < Date.parse(point.from) ? "ahead" : "due";
}

/** A round as it began: what is due when, before anything happened on it. @param {Round} round @returns {Round} */
export function begun({ id, tour, guardID, startedAt, isOrdered, points }) {
  return { id, tour, guardID, startedAt, isOrdered, points: points.map(({ point, from, until, lateUntil }) => ({ point, from, until, lateUntil })) };
}

/** What a round is after an event: another one, or the same where the event changes nothing. @param {Round} round @param {import("./event.js").ModelEvent} event @returns {Round} */
export function applyToRound(round, { kind, says, time }) {
  const at = (changes) => ({ ...round, points: round.points.map((point) => (point.point === says.point ? { ...point, ...changes } : point)) });
  switch (kind) {
    case "round.point_reached": return at({ standing: says.standing, reachedAt: time });
    case "round.point_overdue": return at({ overdueAt: time });
    case "round.point_missed": return at({ missedAt: time });
    case "round.point_handled": return at({ handledBy: says.by, handledAt: time, ...(says.sent && { sent: says.sent }), ...(says.note && { note: says.note }) });
    case "round.finished": return { ...round, finishedAt: time, reason: says.reason };
    default: return round;
  }
}

/**
 * The point to go to next: in order, or the one whose window ends first; none where the round is over.
 * @param {Round} round @param {number} at
 * @returns {RoundPoint | null}
 */
export function nextOf(round, at) {
  const open = round.points.filter((point) => ["ahead", "due", "late"].includes(standingOf(round, point, at)));
  if (open.length === 0) return null;
  return round.isOrdered ? open[0] : open.reduce((first, point) => (Date.parse(point.until) < Date.parse(first.until) ? point : first));
}

/** How many points stand how, without those that none does. @param {Round} round @param {number} at @returns {[Standing, number][]} */
export function countsOf(round, at) {
  /** @type {Map<Standing, number>} */
  const counts = new Map();
  for (const point of round.points) counts.set(standingOf(round, point, at), (counts.get(standingOf(round, point, at)) ?? 0) + 1);
  return [...counts];
}

/**
 * How a point was reached that had not been before.
 * @param {Round | null} before @param {Round | null} after @param {string} id Of the point.
 * @returns {"on_time" | "late" | "missed" | null} `null` where the check-in did not count for the round.
 */
export function newlyReached(before, after, id) {
  const standing = (round) => round?.points.find(({ point }) => point === id)?.standing ?? null;
  return before && before.id === after?.id && standing(before) ? null : standing(after);
}

/**
 * What a check-in meant for the round: how it reached the point, or why it does not count, as the ledger decides it.
 *
 * @typedef {{is: "on_time" | "late" | "missed" | "none" | "elsewhere" | "before" | "early" | "first" | "unclear", first?: string, time?: string}} Meaning `none`: on no round;
 *   `elsewhere`: no point of this round; `before`: reached before, at `time`; `early`: due from `time` on; `first`: the point `first` comes first; `unclear`: it would count now.
 * @param {Round | null} before @param {Round | null} after @param {string} id Of the point. @param {number} at When it was made.
 * @returns {Meaning}
 */
export function meaningOf(before, after, id, at) {
  const standing = newlyReached(before, after, id);
  return standing ? { is: standing } : whyNot(after, id, at);
}

/** @param {Round | null} round @param {string} id @param {number} at @returns {Meaning} */
export function whyNot(round, id, at) {
  if (!round || at < Date.parse(round.startedAt) || (round.finishedAt && at > Date.parse(round.finishedAt))) return { is: "none" };
  const point = round.points.find((one) => one.point === id);
  if (!point) return { is: "elsewhere" };
  if (point.standing) return { is: "before", time: point.reachedAt };
  if (round.finishedAt) return { is: "none" };
  if (at < Date.parse(point.from)) return { is: "early", time: point.from };
  const first = round.isOrdered && !point.missedAt && round.points.find((one) => !one.standing && !one.missedAt);
  return first && first.point !== id ? { is: "first", first: first.point } : { is: "unclear" };
}

/**
 * The points that are late or missed and where nobody was, as the ledger has it: those that nobody did anything about first, of whichever day, and of them the one that waits
 * longest; then those that somebody handled today.
 * @param {Round[]} rounds @param {(moment: string) => boolean} isToday
 * @returns {{round: Round, point: RoundPoint, isMissed: boolean, isHandled: boolean}[]}
 */
export function overdueOf(rounds, isToday) {
  const found = rounds.flatMap((round) => round.points.filter((point) => isOverdue(point) && (!point.handledAt || isToday(point.handledAt)))
    .map((point) => ({ round, point, isMissed: Boolean(point.missedAt), isHandled: Boolean(point.handledAt) })));
  return found.sort((one, other) => Number(one.isHandled) - Number(other.isHandled) || Date.parse(one.point.until) - Date.parse(other.point.until));
}

/** Whether nobody was at a point that is late or missed. @param {RoundPoint} point */
const isOverdue = (point) => !point.standing && Boolean(point.overdueAt || point.missedAt);

/** Whether a round has a point that is late or missed, and that nobody did anything about. @param {Round} round */
export const isUnhandled = (round) => round.points.some((point) => isOverdue(point) && !point.handledAt);

/**
 * Rounds of several lists, each once, and those that go on apart from those that ended today.
 * @param {Round[]} rounds @param {(moment: string) => boolean} isToday
 */
export function sorted(rounds, isToday) {
  const each = [...new Map(rounds.map((round) => [round.id, round])).values()];
  return {
    open: each.filter((round) => !round.finishedAt).sort((one, other) => Date.parse(one.startedAt) - Date.parse(other.startedAt)),
    finished: each.filter((round) => round.finishedAt && isToday(round.finishedAt)).sort((one, other) => Date.parse(other.finishedAt ?? "") - Date.parse(one.finishedAt ?? "")),
  };
}

/** Tours or points by site and name. @template {{site: string, name: string}} Named @param {Named[]} items @returns {Named[]} */
export const bySite = (items) => items.sort((one, other) => one.site.localeCompare(other.site) || one.name.localeCompare(other.name));

/** The tours and points of an organisation, by site and name. @param {import("../core/api.js").API} api */
export async function readTours(api) {
  const [tours, points] = await Promise.all(["/v1/tours", "/v1/patrol-points"].map((path) => all(api, path)));
  return { tours: bySite(tours.items), points: bySite(points.items) };
}

/** What somebody wrote as a place, `51.65650, -0.39030`, as maps copy it. @param {string} text @returns {{latitude: number, longitude: number} | null} `null` where it is none on Earth. */
export function coordinatesOf(text) {
  const found = /^\s*([+-]?\d{1,2}(?:\.\d+)?)°?\s*[,;\s]\s*([+-]?\d{1,3}(?:\.\d+)?)°?\s*$/.exec(text);
  if (!found) return null;
  const [latitude, longitude] = [Number(found[1]), Number(found[2])];
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : null;
}

/** A place as it is copied elsewhere, with a point in every language. @param {{latitude: number, longitude: number}} place */
export const coordinates = ({ latitude, longitude }) => `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;

/** Minutes of a form as the tour has them. @param {string | number} minutes */
export const secondsOf = (minutes) => Math.round(Number(minutes) * 60);

/** Seconds of a tour as a form has them; thirds of a minute end somewhere. @param {number} seconds */
export const minutesOf = (seconds) => Math.round((seconds / 60) * 1000) / 1000;

/** A list with one item moved by one place, where there is one. @template T @param {T[]} items @param {number} index @param {-1 | 1} by @returns {T[]} */
export function moved(items, index, by) {
  const [to, next] = [index + by, [...items]];
  if (to < 0 || to >= items.length) return next;
  [next[index], next[to]] = [next[to], next[index]];
  return next;
}
