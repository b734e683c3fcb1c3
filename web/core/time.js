// SPDX-License-Identifier: Apache-2.0
import { language, locale, numeral, t } from "./i18n.js";
import { isKnown, site } from "./site.js";

/**
 * Times for people (ruling 46). The ledger has UTC; the screen has the site's time, whoever looks from wherever, in the reader's language; the device's where no
 * site has told its zone. English dates are written as the source document writes them, "Wednesday, March 25, 2015", in whichever country they are read.
 */
const written = language === "en" ? "en-US" : locale;
/** Where a zone has a name in the reader's language, that; English speaks of some zones only in the countries that have them. */
const namers = [written, "en-US", "en-GB", "en-AU", "en-NZ", "en-ZA", "en-IN"];

const formats = {
  clock: { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" },
  date: { day: "2-digit", month: "2-digit", year: "numeric" },
  day: { weekday: "long", day: "numeric", month: "long", year: "numeric" },
  dayOfMonth: { day: "numeric", month: "short" },
  hour: { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  month: { month: "long", year: "numeric" },
  minute: { hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  weekday: { weekday: "short" },
  zone: { timeZoneName: "short" },
};
const made = new Map();

/** A format is made once; that takes long, and a chat has many times. A zone that the browser does not know is told as UTC, which is named. */
function format(name, zone, reader = written) {
  const key = `${name} ${zone} ${reader}`;
  if (!made.has(key)) made.set(key, new Intl.DateTimeFormat(reader, { timeZone: zone ? (isKnown(zone) ? zone : "UTC") : undefined, ...formats[name] }));
  return made.get(key);
}

/** How far the ledger's time is ahead of this device's clock, in milliseconds; nothing where they agree as far as can be told. */
let ahead = 0;
/** The ledger's time as the newest answer told it. @type {string | null} */
let newest = null;
/** An answer takes its time. */
const toleranceMilliseconds = 2000;
/** So far the ledger's time and the gateway's wall clock are apart only while the ledger does not follow that. */
const heldMilliseconds = 10_000;

/** Whether the gateway's wall clock and the ledger's time were apart in the newest answer, and who is told when that changes. */
export const ledgerClock = { isHeld: false, onChange: () => {} };

/** Learns the ledger's time from an answer. @param {Headers} headers @param {number} askedAt When it was asked for, by `performance.now()`: the clock may be put right meanwhile. */
export function noteTime(headers, askedAt) {
  newest = headers.get("Daybook-Time") ?? newest;
  const told = Date.parse(headers.get("Daybook-Time") ?? "");
  // An answer that was long under way, or waited for something, tells no time.
  const taken = performance.now() - askedAt;
  if (Number.isNaN(told) || taken > toleranceMilliseconds) return;
  const found = told + taken / 2 - Date.now();
  ahead = Math.abs(found) > toleranceMilliseconds ? found : 0;
  const isHeld = Math.abs(Date.parse(headers.get("Date") ?? "") - told) > heldMilliseconds;
  if (isHeld === ledgerClock.isHeld) return;
  ledgerClock.isHeld = isHeld;
  ledgerClock.onChange(isHeld);
}

/** A time that has come for the ledger, to its last digit: a point for `asOf`. @returns {string | null} `null` before the first answer. */
export function ledgerTime() {
  return newest;
}

/** The ledger's time: what it says happened is compared with it. */
export function now() {
  return Date.now() + ahead;
}

/** A `<time>` with the time of day; the whole moment, and whose time it is, on hovering. */
export function timeElement(text) {
  const element = momentElement(text);
  element.title = element.textContent;
  element.textContent = timeOfDay(new Date(text));
  return element;
}

/** A `<time>` with the whole moment. @param {string} text RFC 3339, which programs read. @param {string | null} [zone] As for `dayOf`. */
export function momentElement(text, zone = site.zone) {
  const element = document.createElement("time");
  element.dateTime = text;
  element.textContent = dayAndTime(text, zone);
  return element;
}

/** From so much on the time between writing and arriving matters to whoever reads. */
const lateMilliseconds = 10_000;

/** What a phone says of longer ago is its clock, or none. */
const lateMost = 24 * 3_600_000;

/**
 * When something arrived; and where it was written well before, also that: what is old news must not look new.
 * @param {string | number} at @param {number | null | undefined} written In milliseconds.
 */
export function arrival(at, written) {
  const moment = new Date(at);
  const element = timeElement(moment.toISOString());
  const late = written ? moment.getTime() - written : 0;
  if (late < lateMilliseconds || late > lateMost) return [element];
  return [t("chat.written"), " ", timeElement(new Date(written).toISOString()), " · ", t("chat.arrived"), " ", element];
}

/** `Wednesday, March 25, 2015 18:28:05 GMT`, as the reader writes it. @param {string | number} text RFC 3339, or milliseconds. @param {string | null} [zone] As for `dayOf`. */
export function dayAndTime(text, zone = site.zone) {
  const moment = new Date(text);
  return `${dayOf(moment, zone)} ${timeAndZone(moment, zone)}`;
}

/** `18:28:05 GMT`: with whose time it is. */
export function timeAndZone(moment, zone = site.zone) {
  return `${timeOfDay(moment, zone)} ${zoneOf(moment, zone)}`;
}

/** What a zone is called at a moment, in summer otherwise than in winter: `GMT`, `BST`, `MEZ`; its distance from UTC where it has no short name. */
function zoneOf(moment, zone) {
  const names = namers.map((reader) => format("zone", zone, reader).formatToParts(moment).find(({ type }) => type === "timeZoneName").value);
  return names.find((name) => !/\d/.test(name)) ?? names[0];
}

export function timeOfDay(moment, zone = site.zone) {
  return format("clock", zone).format(moment);
}

/** `14:05`, of what nobody counts in seconds. */
export function minuteOf(moment) {
  return format("minute", site.zone).format(moment);
}

/** `Wednesday, March 25, 2015`, as the reader writes it. @param {Date | number} moment @param {string | null} [zone] Where it happened, if that is not the site's. */
export function dayOf(moment, zone = site.zone) {
  return format("day", zone).format(moment);
}

/** `Mar 25, 14:00`, where the year is plain. */
export function hourOf(moment) {
  return format("hour", site.zone).format(moment);
}

/** `Mar 25`, where the year is plain. @param {Date | number} moment */
export function dayOfMonth(moment) {
  return format("dayOfMonth", site.zone).format(moment);
}

/** `Mon`. @param {number} day 1 for Monday to 7 for Sunday, of no certain week. */
export function weekday(day) {
  return format("weekday", "UTC").format(Date.UTC(2024, 0, day));
}

/** `March 2015`. @param {Date | number} moment */
export function monthOf(moment) {
  return format("month", site.zone).format(moment);
}

/** A moment as `datetime-local` fields of forms have it: the time of day of whoever looks. @param {Date} date */
export function fieldTime(date) {
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** `2026-03-25`, as `date` fields of forms have it: the site's day of a moment. @param {Date | number} moment */
export function fieldDay(moment) {
  const parts = Object.fromEntries(format("date", site.zone, "en-US").formatToParts(moment).map(({ type, value }) => [type, value]));
  return `${parts.year}-${parts.month}-${parts.day}`;
}

/** The moment at which the site's clocks show this; where they never do, as when summer begins, one close to it. @param {string} day `2026-03-25` @param {string} time `14:05:09` @returns {number} */
export function momentOf(day, time) {
  const wanted = Date.parse(`${day}T${time.length === 5 ? `${time}:00` : time}Z`);
  let moment = wanted;
  for (let turn = 0; turn < 2; turn++) moment += wanted - Date.parse(`${fieldDay(moment)}T${timeOfDay(moment)}Z`);
  return moment;
}

/** How long ago, in two units at most: `12 s`, `3 min 05 s`, `2 h 10 min`. */
export function age(since, at = now()) {
  return span(Math.max(0, (at - new Date(since).getTime()) / 1000));
}

export function span(seconds) {
  const whole = Math.floor(seconds);
  if (whole < 60) return t("time.seconds", { seconds: whole });
  const two = (value) => String(value).padStart(2, "0");
  if (whole < 3600) return t("time.minutes", { minutes: Math.floor(whole / 60), seconds: two(whole % 60) });
  return t("time.hours", { hours: Math.floor(whole / 3600), minutes: two(Math.floor(whole / 60) % 60) });
}

/** How long something took, to the nearest tenth of a second below a minute, `4.2 s`, and to the nearest second from there on. */
export function exactSpan(milliseconds) {
  const tenths = Math.round(Number(milliseconds) / 100);
  return tenths < 600 ? t("time.seconds", { seconds: numeral(tenths / 10, 1) }) : span(Math.round(tenths / 10));
}

/** Minutes and seconds of a position in a recording: `1:07`, `1:02:07`. */
export function position(milliseconds) {
  const whole = Math.max(0, Math.floor(milliseconds / 1000));
  const two = (value) => String(value).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  const rest = `${Math.floor(whole / 60) % 60}:${two(whole % 60)}`;
  return hours ? `${hours}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}` : rest;
}

/** What is left until a moment, as `1:42`; `0:00` when it is over. */
export function countdown(until, at = now()) {
  return position(Math.max(0, Math.ceil((new Date(until).getTime() - at) / 1000) * 1000));
}
