// SPDX-License-Identifier: Apache-2.0

/**
 * What the gateway counts, put together for figures.
 * @typedef {{hour: string, localHour: string, metric: string, dimension: string, value: number}} TrendRow
 */

const hourMilliseconds = 3_600_000;

/** The number of a metric, of all dimensions that are accepted. @param {TrendRow[]} rows @param {(dimension: string) => boolean} accepts */
export function total(rows, metric, accepts = () => true) {
  return rows.reduce((sum, row) => (row.metric === metric && accepts(row.dimension) ? sum + row.value : sum), 0);
}

/** One number as it stands; `null` where nothing was counted. */
export function valueOf(rows, metric, dimension) {
  return rows.find((row) => row.metric === metric && row.dimension === dimension)?.value ?? null;
}

/**
 * The numbers of a period, each with what it was in the period before.
 * @param {TrendRow[]} now Of the period, by `by=period`.
 * @param {TrendRow[]} before Of the period before.
 * @returns {{name: string, now: number | null, before: number | null, unit: "count" | "milliseconds" | "share"}[]}
 */
export function headline(now, before) {
  const number = compared(now, before);
  const share = (part, whole) => (whole ? part / whole : null);
  return [
    number("contacts", "count", (rows) => total(rows, "sessions")),
    number("half", "milliseconds", (rows) => valueOf(rows, "claim_wait_ms", "p50")),
    number("most", "milliseconds", (rows) => valueOf(rows, "claim_wait_ms", "p90")),
    number("unstarted", "share", (rows) => share(total(rows, "sessions", (name) => name.endsWith("/expired")), total(rows, "sessions"))),
    number("agreed", "share", (rows) => share(valueOf(rows, "requests", "start_video/accepted") ?? 0, valueOf(rows, "requests", "start_video/sent"))),
    number("video", "milliseconds", (rows) => total(rows, "video_ms")),
  ];
}

function compared(now, before) {
  return (name, unit, read) => ({ name, unit, now: read(now), before: read(before) });
}

/**
 * What alerts tell of a period, each with what it was in the period before; times are of those that were sent, delivered or acknowledged.
 * @param {TrendRow[]} now Of the period.
 * @param {TrendRow[]} before Of the period before.
 * @returns {ReturnType<typeof headline>}
 */
export function alertHeadline(now, before) {
  const number = compared(now, before);
  return [
    number("alerts", "count", (rows) => total(rows, "alerts", (state) => state === "queued")),
    ...alertTimes.map(({ name, metric }) => number(`alerts-${name}`, "milliseconds", (rows) => valueOf(rows, metric, "p50"))),
  ];
}

/** Until when the time of an alert is measured, from when it was queued. */
export const alertTimes = ["sent", "delivered", "answered"].map((name) => ({ name, metric: `alert_${name}_ms` }));

/** Whether anything is told of alerts. @param {TrendRow[]} rows Of the period. */
export function hasAlerts(rows) {
  return rows.some(({ metric }) => metric === "alerts" || metric.startsWith("alert_"));
}

/** What can become of a part of an alert, in the order in which it does; a part that was sent may be delivered as well. */
const partResults = ["sent", "delivered", "undeliverable", "failed", "given_up"];
const ways = ["sms", "email", "push", "browser"];

/**
 * The parts of alerts by way, each with how many had each result.
 * @param {TrendRow[]} rows Of the period.
 * @returns {{results: string[], ways: {name: string, values: Record<string, number>}[]}} Every known result, those of a newer gateway last; the ways by which something went.
 */
export function partsByWay(rows) {
  const found = new Map();
  for (const { metric, dimension, value } of rows) {
    if (metric !== "alert_parts") continue;
    const [way, result] = dimension.split("/");
    const values = found.get(way) ?? {};
    values[result] = (values[result] ?? 0) + value;
    found.set(way, values);
  }
  const ordered = (known, all) => [...new Set([...known, ...all.sort()])];
  return {
    results: ordered(partResults, [...found.values()].flatMap(Object.keys)),
    ways: ordered(ways, [...found.keys()]).filter((name) => found.has(name)).map((name) => ({ name, values: found.get(name) })),
  };
}

/** What people answered to alerts, the most frequent first. @param {TrendRow[]} rows Of the period. */
export function answers(rows) {
  return ranked(rows, "alert_answers", (dimension) => dimension);
}

// MARK: Patrols

/**
 * What guards' tours tell of a period, each with what it was in the period before.
 * @param {TrendRow[]} now Of the period.
 * @param {TrendRow[]} before Of the period before.
 * @returns {ReturnType<typeof headline>}
 */
export function patrolHeadline(now, before) {
  const number = compared(now, before);
  const ended = (rows) => total(rows, "tours", (state) => state === "complete" || state.startsWith("incomplete/"));
  return [
    number("check-ins", "count", (rows) => total(rows, "check_ins", (verdict) => !verdict.startsWith("refused/"))),
    number("refused", "count", (rows) => total(rows, "check_ins", (verdict) => verdict.startsWith("refused/"))),
    number("tours", "count", (rows) => valueOf(rows, "tours", "begun") ?? 0),
    number("not-begun", "count", (rows) => valueOf(rows, "tours", "not_begun") ?? 0),
    number("complete", "share", (rows) => (ended(rows) ? (valueOf(rows, "tours", "complete") ?? 0) / ended(rows) : null)),
    number("missed", "count", (rows) => valueOf(rows, "tour_points", "missed") ?? 0),
    number("help", "count", (rows) => valueOf(rows, "patrol_alarms", "help") ?? 0),
    ...patrolTimes.map(({ name, metric }) => number(`patrol-${name}`, "milliseconds", (rows) => valueOf(rows, metric, "p50"))),
  ];
}

/** What is measured of tours: until a call for help was answered, until something was done about a late point, and how late points were reached. */
export const patrolTimes = [["help", "help_answered_ms"], ["handled", "late_point_handled_ms"], ["late", "tour_late_ms"]].map(([name, metric]) => ({ name, metric }));

const patrolMetrics = new Set(["check_ins", "tours", "tour_points", "patrol_alarms", ...patrolTimes.map(({ metric }) => metric)]);

/** Whether anything is told of tours. @param {TrendRow[]} rows Of the period. */
export function hasPatrols(rows) {
  return rows.some(({ metric }) => patrolMetrics.has(metric));
}

/** What check-ins can come to, and what can alarm a supervisor, as figures show them. */
export const verdicts = ["counted", "kept", "early", "refused"];
export const patrolAlarms = ["help", "late", "missed"];

/** Check-ins by the hour; refused ones together. @param {TrendRow[]} rows By the hour. */
export function checkInsByHour(rows) {
  return byHour(rows, "check_ins", (verdict) => verdict.split("/")[0]);
}

/** Guards' calls for help, late points and missed ones, by the hour. @param {TrendRow[]} rows By the hour. */
export function patrolAlarmsByHour(rows) {
  return byHour(rows, "patrol_alarms", (kind) => kind);
}

/** Why check-ins were refused, the most frequent first. @param {TrendRow[]} rows Of the period. */
export function refusals(rows) {
  return ranked(rows.filter(({ dimension }) => dimension.startsWith("refused/")), "check_ins", (verdict) => verdict.split("/")[1]);
}

/** How tours began and ended, and what became of their points; each in the order in which it comes about, without what there was none of. @param {TrendRow[]} rows Of the period. */
export function tourSteps(rows) {
  const steps = (metric, names) => names.map((name) => ({ name, value: valueOf(rows, metric, name) ?? 0 })).filter(({ value }) => value > 0);
  return {
    tours: steps("tours", ["not_begun", "begun", "complete", "incomplete/done", "incomplete/stopped", "incomplete/expired"]),
    points: steps("tour_points", ["on_time", "late", "after_grace", "missed"]),
  };
}

/** Reports of animals by the hour in which they were made. @param {TrendRow[]} rows By the hour. */
export function reportsByHour(rows) {
  return byHour(rows.filter(({ dimension }) => dimension === "submitted"), "reports", (status) => status);
}

// MARK: Figures

/** Every hour of a period with a contact in it, by channel. @param {TrendRow[]} rows By the hour. @returns {{hour: string, localHour: string, values: Record<string, number>}[]} */
export function contactsByHour(rows) {
  return byHour(rows, "sessions", (dimension) => dimension.split("/")[0]);
}

/** How long something took, by the hour in which it was done: of how many, the half, and nine in ten. @param {TrendRow[]} rows By the hour. @param {string} metric */
export function timesByHour(rows, metric) {
  return byHour(rows.filter((row) => ["count", "p50", "p90"].includes(row.dimension)), metric, (dimension) => dimension);
}

function byHour(rows, metric, key) {
  const hours = new Map();
  for (const row of rows) {
    if (row.metric !== metric) continue;
    if (!hours.has(row.hour)) hours.set(row.hour, { hour: row.hour, localHour: row.localHour, values: {} });
    const { values } = hours.get(row.hour);
    values[key(row.dimension)] = (values[key(row.dimension)] ?? 0) + row.value;
  }
  return [...hours.values()].sort((one, other) => (one.hour < other.hour ? -1 : 1));
}

/** How many hours of a period stand together, so that there are no more places than `most`. @param {{from: Date, until: Date}} period @param {number} most */
export function hoursTogether({ from, until }, most) {
  return Math.max(1, Math.ceil((until.getTime() - from.getTime()) / hourMilliseconds / most));
}

/**
 * Hours as places of a period, some together.
 * @param {{hour: string, values: Record<string, number>}[]} hours In order.
 * @param {{from: Date}} period
 * @param {number} each So many hours make a place, from the period's beginning on.
 * @param {(one: number, other: number) => number} together What two hours are together.
 * @returns {{from: number, until: number, values: Record<string, number>}[]} In order, in milliseconds; without places in which there is nothing.
 */
export function grouped(hours, { from }, each, together) {
  const places = new Map();
  const length = each * hourMilliseconds;
  for (const { hour, values } of hours) {
    const start = from.getTime() + Math.floor((Date.parse(hour) - from.getTime()) / length) * length;
    const place = places.get(start) ?? { from: start, until: start + length, values: {} };
    for (const [key, value] of Object.entries(values)) place.values[key] = key in place.values ? together(place.values[key], value) : value;
    places.set(start, place);
  }
  return [...places.values()];
}

/**
 * From being asked for video to showing it, and from being asked for the location to sending it: each step with how many came so far.
 * @param {TrendRow[]} rows Of the period.
 * @returns {{ask: string, steps: {name: string, value: number}[]}[]} Without what nobody was asked for.
 */
export function funnels(rows) {
  const steps = (ask) => ["sent", "opened", "accepted"].map((step) => ({ name: step, value: valueOf(rows, "requests", `${ask}/${step}`) ?? 0 }));
  return ["start_video", "send_location"].map((ask) => ({ ask, steps: steps(ask) })).filter(({ steps: [{ value }] }) => value > 0);
}

/** How contacts ended, the most frequent first. @param {TrendRow[]} rows Of the period. */
export function outcomes(rows) {
  return ranked(rows, "sessions", (dimension) => dimension.split("/")[1]);
}

/** The sums of a metric by a part of its dimension, the largest first. */
function ranked(rows, metric, key) {
  const found = new Map();
  for (const row of rows) {
    if (row.metric === metric) found.set(key(row.dimension), (found.get(key(row.dimension)) ?? 0) + row.value);
  }
  return [...found].map(([name, value]) => ({ name, value })).sort((one, other) => other.value - one.value || (one.name < other.name ? -1 : 1));
}

// MARK: Reports of animals

/**
 * Reports of one kind of animal, area, month or agency; `duplicates` of an animal that another report tells of are in no other number.
 * @typedef {{p50: number, p90: number}} Minutes
 * @typedef {{key: string, name?: string, reports: number, duplicates: number, open: number, acknowledged: number, minutesToAcknowledge?: Minutes, arrived: number, minutesToArrive?: Minutes, outcomes: Record<string, number>}} ReportRow
 */

/** How reports can be put together. */
export const reportGroups = ["species", "area", "month", "agency"];

/** How an address puts them together. @param {URLSearchParams} query */
export function reportGroupOf(query) {
  const group = query.get("reports") ?? "";
  return reportGroups.includes(group) ? group : reportGroups[0];
}

/** The largest first; months one after another. @param {string} group @param {ReportRow[]} rows */
export function reportRows(group, rows) {
  const byKey = (one, other) => (one.key < other.key ? -1 : 1);
  return [...rows].sort(group === "month" ? byKey : (one, other) => other.reports - one.reports || byKey(one, other));
}

/** The middle of an area, whose key is its degrees to a tenth; `null` where the key is none. @param {string} key @returns {{latitude: number, longitude: number} | null} */
export function cellOf(key) {
  const [all, latitude, longitude] = /^(-?\d+(?:\.\d)?),(-?\d+(?:\.\d)?)$/.exec(key) ?? [];
  return all === undefined ? null : { latitude: Number(latitude), longitude: Number(longitude) };
}

/**
 * A period of whole hours, as an address says it; without words of the address the last seven days.
 * @param {URLSearchParams} query
 * @param {number} now In milliseconds.
 * @returns {{from: Date, until: Date, before: Date}} `before` is when the period before began.
 */
export function periodOf(query, now) {
  const end = Math.ceil(now / hourMilliseconds) * hourMilliseconds;
  const [from, until] = ["from", "until"].map((name) => Date.parse(query.get(name) ?? ""));
  const last = Number.isNaN(until) ? end : until;
  const first = Number.isNaN(from) || from >= last ? last - 7 * 24 * hourMilliseconds : from;
  const [begin, stop] = [Math.floor(first / hourMilliseconds) * hourMilliseconds, Math.ceil(last / hourMilliseconds) * hourMilliseconds];
  return { from: new Date(begin), until: new Date(stop), before: new Date(begin - (stop - begin)) };
}

/** A table as CSV (RFC 4180). @param {string[]} head @param {(string | number)[][]} rows */
export function csv(head, rows) {
  const quoted = (value) => (/[",\r\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value));
  return [head, ...rows].map((row) => row.map(quoted).join(",")).join("\n") + "\n";
}
