// SPDX-License-Identifier: Apache-2.0
/**
 * Footage of cameras, an hour a file: where there is some, what of it is asked for next, what of it is let go, and how a picture keeps in step with others.
 *
 * @typedef {{startedAt: string, firstAt: string, lastAt: string, isGrowing: boolean}} Hour As `GET /v1/cameras/{id}/footage` has it.
 * @typedef {{start: number, end: number}} Range In seconds.
 * @typedef {{number: string, camera: string, name: string, site?: string | null, from: string, until: string, by: string, at: string}} Kept As `GET /v1/incidents/{id}/footage` has it.
 */

/** So much is asked for at once, and so far ahead of what is shown it goes on. In milliseconds. */
export const askedAtOnce = 20_000;
export const askedAhead = 15_000;
/** What is played faster needs more, up to so many times as much: more the gateway gives nobody at once. */
const moreMost = 6;
/** What is kept behind what is shown, and how much more may gather before it is let go. In seconds. */
const keptBehind = 30;
const gatheredMost = 10;
/** Further apart two pictures that belong together are not played faster or slower, but moved. In seconds. */
const driftMost = 1;
const driftLeast = 0.15;
/** So much faster or slower it is played: always the same, for some browsers stop for a moment at each change. */
const rateChange = 0.1;
const hourMilliseconds = 3_600_000;
/** Footage is listed minute by minute: so much of the newest may not be yet. */
const unlistedMost = 120_000;

/**
 * Where footage is asked for.
 * @typedef {{files: (from: number, until: number) => string, media: string, isOver: boolean}} FootageWay The list of files around a time in milliseconds, and their film; `isOver` where nothing is added to it.
 */

const timeText = (at) => encodeURIComponent(new Date(at).toISOString());

/** All that a camera filmed. @param {string} camera @returns {FootageWay} */
export const footageOf = (camera) => ({ files: (from, until) => `/v1/cameras/${camera}/footage?from=${timeText(from)}&to=${timeText(until)}`, media: `/v1/cameras/${camera}/footage/media`, isOver: false });

/** From when until when an incident keeps what a camera filmed, in milliseconds. @param {Kept} span */
export const keptTimes = ({ from, until }) => ({ from: Date.parse(from), until: Date.parse(until) });

/** What is kept of a moment, once of each camera. @param {Kept[]} kept @param {number} at */
export function keptAt(kept, at) {
  const there = kept.filter((one) => at >= keptTimes(one).from && at <= keptTimes(one).until);
  return there.filter(({ camera }, index) => there.findIndex((one) => one.camera === camera) === index);
}

/** What a camera is called, and where it stands. @param {Kept} span */
export const keptTitle = ({ name, site }) => (site ? `${name} · ${site}` : name);

/** Where a span is that an incident keeps. @param {string} incident @param {{number: string}} span */
export const keptPath = (incident, { number }) => `/v1/incidents/${incident}/footage/${number}`;

/** What an incident keeps of a camera. @param {string} incident @param {{number: string}} span @returns {FootageWay} */
export const keptFootageOf = (incident, span) => ({ files: () => `${keptPath(incident, span)}/files`, media: `${keptPath(incident, span)}/media`, isOver: true });

/** How many times as much is asked for at a speed. @param {number} speed */
export const moreAt = (speed) => Math.min(moreMost, Math.max(1, speed));

/** So much before and after a moment is kept for an incident, if nobody says otherwise, and so much at most. */
const keptAround = 60_000;
export const keptMost = 6 * hourMilliseconds;

/** What of a camera is kept around a moment, in whole seconds; nothing that is still to come. @param {number} at @param {number} now All in milliseconds. */
export function keptSpan(at, now) {
  const second = (moment) => moment - (moment % 1000);
  return { from: second(at - keptAround), until: second(Math.min(at + keptAround, now)) };
}

/** What is wrong with a span that is to be kept; `null` where it can be. @param {{from: number, until: number}} span @param {number} now @returns {"time" | "order" | "long" | "future" | null} */
export function keptFault({ from, until }, now) {
  if (Number.isNaN(from) || Number.isNaN(until)) return "time";
  if (from >= until) return "order";
  if (until - from > keptMost) return "long";
  return until > now ? "future" : null;
}

const edges = ({ firstAt, lastAt, isGrowing }, now) => ({ from: Date.parse(firstAt), until: isGrowing ? Math.max(now, Date.parse(lastAt)) : Date.parse(lastAt) });

/** The hours with the one that goes on now, also where nothing of it is listed yet. @param {Hour[]} hours @param {number} now @returns {Hour[]} */
export function withNow(hours, now) {
  const begin = now - (now % hourMilliseconds);
  if (hours.some(({ startedAt }) => Date.parse(startedAt) === begin)) return hours;
  const text = (at) => new Date(at).toISOString();
  return [...hours, { startedAt: text(begin), firstAt: text(Math.max(begin, now - unlistedMost)), lastAt: text(now), isGrowing: true }];
}

/**
 * Where a day has footage, joined where an hour's file goes on in the next.
 * @param {Hour[]} hours In order of time. @param {number} from @param {number} until @param {number} now All in milliseconds.
 * @returns {{from: number, until: number}[]}
 */
export function spansOf(hours, from, until, now) {
  const spans = [];
  for (const hour of hours) {
    const edge = edges(hour, now);
    const span = { from: Math.max(from, edge.from), until: Math.min(until, edge.until) };
    if (span.until <= span.from) continue;
    const last = spans.at(-1);
    if (last && span.from - last.until < 2000) last.until = Math.max(last.until, span.until);
    else spans.push(span);
  }
  return spans;
}

/** Whether there may be a picture of a moment. @param {Hour[]} hours @param {number} at @param {number} now */
export const hasFootage = (hours, at, now) => hours.some((hour) => at >= edges(hour, now).from && at <= edges(hour, now).until);

/**
 * What is to be asked for to see a moment, or what comes first after it.
 * @param {Hour[]} hours In order of time. @param {number} at @param {number} now @param {number} [most] So much at once, in milliseconds.
 * @returns {{startedAt: string, from: number, to: number, isGrowing: boolean} | null} In milliseconds of the hour's file; `null` where there is nothing more.
 */
export function nextRange(hours, at, now, most = askedAtOnce) {
  const hour = hours.find((one) => edges(one, now).until > at);
  if (!hour) return null;
  const begin = Date.parse(hour.startedAt);
  const from = Math.max(0, Math.floor(Math.max(at, Date.parse(hour.firstAt)) - begin));
  return { startedAt: hour.startedAt, from, to: Math.max(from + 1, Math.min(from + most, Math.ceil(edges(hour, now).until - begin), hourMilliseconds)), isGrowing: hour.isGrowing };
}

/**
 * What lies so far behind the shown moment that it is let go: memory does not grow however long a picture runs.
 * @param {Range[]} ranges @param {number} at In seconds. @returns {[number, number] | null}
 */
export function letGoOf(ranges, at) {
  const until = at - keptBehind;
  return ranges.length && ranges[0].start < until - gatheredMost ? [ranges[0].start, until] : null;
}

/**
 * How a picture comes back into step.
 * @param {number} drift How far it is ahead of the moment, in seconds. @param {number} [speed] How fast the moment moves.
 * @returns {{rate: number, isMoved: boolean}}
 */
export function correction(drift, speed = 1) {
  // What passes fast is further off after the same time.
  const off = Math.abs(drift) / Math.max(1, speed);
  if (off > driftMost) return { rate: speed, isMoved: true };
  return { rate: off < driftLeast ? speed : speed * (1 - Math.sign(drift) * rateChange), isMoved: false };
}
