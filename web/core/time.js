// SPDX-License-Identifier: Apache-2.0
import { locale, numeral, t } from "./i18n.js";
import { site } from "./site.js";

/**
 * Times for people. The ledger has UTC; the screen has the site's time, whoever looks from wherever, in the reader's language; the device's where no site
 * has told its zone.
 */
const format = (options) => new Intl.DateTimeFormat(locale, { timeZone: site.zone ?? undefined, ...options });

const clock = format({ hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
const day = format({ weekday: "short", day: "numeric", month: "short", year: "numeric" });
const hour = format({ day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const minute = format({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const whole = format({ weekday: "long", day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23", timeZoneName: "short" });

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
  const element = document.createElement("time");
  const moment = new Date(text);
  element.dateTime = text;
  element.title = whole.format(moment);
  element.textContent = clock.format(moment);
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

/** Day and time of a moment, in the words of the one who looks. @param {string} text RFC 3339 */
export function dayAndTime(text) {
  const moment = new Date(text);
  return `${day.format(moment)} ${clock.format(moment)}`;
}

export function timeOfDay(moment) {
  return clock.format(moment);
}

/** `14:05`, of what nobody counts in seconds. */
export function minuteOf(moment) {
  return minute.format(moment);
}

/** `Wed, 25 Mar 2015`, as the reader writes it. */
export function dayOf(moment) {
  return day.format(moment);
}

/** `25 Mar, 14:00`, where the year is plain. */
export function hourOf(moment) {
  return hour.format(moment);
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
