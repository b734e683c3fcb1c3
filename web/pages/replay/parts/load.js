// SPDX-License-Identifier: Apache-2.0
import { all, Problem } from "../../../core/api.js";
import { numeral, t } from "../../../core/i18n.js";
import { ledgerTime } from "../../../core/time.js";
import { eventOf } from "../../../model/event.js";
import { applyToIncident, emptyIncident } from "../../../model/incident.js";
import { applyToRound, begun } from "../../../model/patrol.js";
import { Recorded } from "../../../source/recorded.js";

/** How many entries are asked for at a time. */
const pageEntries = 5000;
/** So long a page of them may take, in milliseconds: the gateway gathers them from the log. */
const pageMost = 120_000;
/** So many are shown; a page that holds more would be of no use. */
const entriesMost = 1_000_000;
/** Who may list the centre's accounts; the others know their colleagues. */
const readersOfUsers = ["supervisor", "auditor", "org-admin", "admin"];

/**
 * Reads the whole timeline of an incident, or of a guard's round, once: what comes later is not part of this replay.
 * @param {import("../../../core/api.js").API} api
 * @param {string} id Of the incident or one of its sessions, or of the round.
 * @param {{role: string}} me
 * @param {(count: number) => void} onProgress
 * @returns {Promise<{id: string, isRound: boolean, source: Recorded<any>, names: Record<string, string>, ledger: {origin: string, vkey: string, size: number}}>}
 */
export async function read(api, id, me, onProgress) {
  const { path, id: found, round } = await caseOf(api, id);
  const [names, events, ledger] = await Promise.all([namesOf(api, me, Boolean(round)), eventsOf(api, path, ledgerTime(), onProgress), api.get("/v1/ledger")]);
  const empty = { ...emptyIncident(found), round: round && begun(round) };
  const apply = (state, event) => (round ? { ...state, position: event.position, at: event.at, round: applyToRound(state.round, event) } : applyToIncident(state, event));
  return { id: found, isRound: Boolean(round), source: new Recorded(events, { empty, apply }), names, ledger };
}

/** What an id means: an incident, by itself or by one of its sessions, or a guard's round. */
async function caseOf(api, id) {
  const name = encodeURIComponent(id);
  try {
    const incident = await api.get(`/v1/incidents/${name}`);
    return { path: `/v1/incidents/${incident.id}`, id: incident.id, round: null };
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 404) throw error;
    const round = await api.get(`/v1/rounds/${name}`).catch(() => Promise.reject(error));
    return { path: `/v1/rounds/${round.id}`, id: round.id, round };
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

/** What the centre's people are called, by their ids, as far as the reader may know; for a round its tour and the patrol points besides. */
export async function namesOf(api, { role }, withTours) {
  const lists = [["/v1/users", (user) => [user.id, user.login]], ["/v1/colleagues", (one) => [one.user, one.name]]];
  const wanted = [lists[readersOfUsers.includes(role) ? 0 : 1], ...(withTours ? ["/v1/tours", "/v1/patrol-points"].map((path) => [path, ({ id, name }) => [id, name]]) : [])];
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
