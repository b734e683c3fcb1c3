// SPDX-License-Identifier: Apache-2.0
import { all, Problem } from "../../../core/api.js";
import { numeral, t } from "../../../core/i18n.js";
import { ledgerTime } from "../../../core/time.js";
import { eventOf } from "../../../model/event.js";
import { keptTimes } from "../../../model/footage.js";
import { applyToIncident, emptyIncident } from "../../../model/incident.js";
import { applyToRound, begun } from "../../../model/patrol.js";
import { applyToReport, emptyReport } from "../../../model/report.js";
import { Recorded } from "../../../source/recorded.js";

/** How many entries are asked for at a time. */
const pageEntries = 5000;
/** So long a page of them may take, in milliseconds: the gateway gathers them from the log. */
const pageMost = 120_000;
/** So many are shown; a page that holds more would be of no use. */
const entriesMost = 1_000_000;
/** Who may list the centre's accounts; the others know their colleagues. */
const readersOfUsers = ["supervisor", "auditor", "org-admin", "admin"];

/** What can be replayed: where the gateway has it, which names its lines have besides those of people, what there is before the first entry, what an entry makes of that, and whether footage of cameras can be kept for it. */
const cases = {
  incident: { path: "/v1/incidents", named: [], begin: () => ({}), apply: applyToIncident, hasFootage: true },
  round: { path: "/v1/rounds", named: ["/v1/tours", "/v1/patrol-points"], begin: (round) => ({ round: begun(round) }), apply: (state, event) => ({ ...passed(state, event), round: applyToRound(state.round, event) }) },
  report: { path: "/v1/reports", named: ["/v1/agencies"], begin: ({ id }) => ({ report: emptyReport(id) }), apply: (state, event) => ({ ...passed(state, event), report: applyToReport(state.report, event) }) },
};

const passed = (state, { position, at }) => ({ ...state, position, at });

/**
 * Reads the whole timeline of an incident, of a guard's round, or of a report of an animal, once: what comes later is not part of this replay.
 * @param {import("../../../core/api.js").API} api
 * @param {string} id Of the incident or one of its sessions, of the round, or of the report.
 * @param {{role: string}} me
 * @param {(count: number) => void} onProgress
 * @returns {Promise<{id: string, kind: "incident" | "round" | "report", source: Recorded<any>, kept: import("../../../model/footage.js").Kept[], names: Record<string, string>, ledger: {origin: string, vkey: string, size: number}}>}
 */
export async function read(api, id, me, onProgress) {
  const { kind, found } = await caseOf(api, id);
  const { path, begin, apply, hasFootage } = cases[kind];
  const [names, events, ledger, kept] = await Promise.all([
    namesOf(api, me, kind), eventsOf(api, `${path}/${found.id}`, ledgerTime(), onProgress), api.get("/v1/ledger"), hasFootage ? api.get(`${path}/${found.id}/footage`).then(({ items }) => items) : [],
  ]);
  return { id: found.id, kind, source: new Recorded(events, { empty: { ...emptyIncident(found.id), ...begin(found) }, apply, films: kept.map(keptTimes) }), kept, names, ledger };
}

/** What an id means: an incident, by itself or by one of its sessions, a guard's round, or a report. */
async function caseOf(api, id) {
  const get = (kind) => api.get(`${cases[kind].path}/${encodeURIComponent(id)}`).then((found) => ({ kind, found }));
  try {
    return await get("incident");
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 404) throw error;
    return get("round").catch(() => get("report")).catch(() => Promise.reject(error));
  }
}

/**
 * All entries up to one moment: with `asOf` the gateway gathers them from the log itself, whatever its tables say, and what is linked to the incident while
 * they are read belongs to none of the pages.
 */
async function eventsOf(api, of, asOf, onProgress) {
  const path = `${of}/timeline?asOf=${encodeURIComponent(asOf)}&limit=${pageEntries}`;
  const { items, isWhole } = await all(api, path, { most: entriesMost, each: eventOf, onPage: onProgress, limit: pageMost });
  if (!isWhole) throw new Error(t("replay.too-long", { count: numeral(entriesMost) }));
  return items;
}

/** What the centre's people are called, by their ids, as far as the reader may know, and what else has a name in the lines of such a case. @param {keyof typeof cases} kind */
export async function namesOf(api, { role }, kind) {
  const lists = [["/v1/users", (user) => [user.id, user.login]], ["/v1/colleagues", (one) => [one.user, one.name]]];
  const wanted = [lists[readersOfUsers.includes(role) ? 0 : 1], ...cases[kind].named.map((path) => [path, ({ id, name }) => [id, name]])];
  const named = await Promise.all(wanted.map(async ([path, pair]) => {
    try {
      return (await api.get(path)).items.map(pair);
    } catch {
      // They go by their numbers then.
      return [];
    }
  }));
  return Object.fromEntries(named.flat());
}
