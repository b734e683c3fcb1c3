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
  const number = (name, unit, read) => ({ name, unit, now: read(now), before: read(before) });
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

/** Every hour of a period with a contact in it, by channel. @param {TrendRow[]} rows By the hour. @returns {{hour: string, localHour: string, values: Record<string, number>}[]} */
export function contactsByHour(rows) {
  return byHour(rows, "sessions", (dimension) => dimension.split("/")[0]);
}

/** How long callers waited, by the hour in which they were answered. @param {TrendRow[]} rows */
export function waitingByHour(rows) {
  return byHour(rows.filter((row) => ["count", "p50", "p90"].includes(row.dimension)), "claim_wait_ms", (dimension) => dimension);
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
  const found = new Map();
  for (const { metric, dimension, value } of rows) {
    if (metric !== "sessions") continue;
    const outcome = dimension.split("/")[1];
    found.set(outcome, (found.get(outcome) ?? 0) + value);
  }
  return [...found].map(([name, value]) => ({ name, value })).sort((one, other) => other.value - one.value || (one.name < other.name ? -1 : 1));
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
