// SPDX-License-Identifier: Apache-2.0
import { all } from "../../../core/api.js";
import { numeral, t } from "../../../core/i18n.js";
import { ledgerTime } from "../../../core/time.js";
import { eventOf } from "../../../model/event.js";
import { applyToIncident, emptyIncident } from "../../../model/incident.js";
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
 * Reads an incident's whole timeline, once: what comes later is not part of this replay.
 * @param {import("../../../core/api.js").API} api
 * @param {string} id Of the incident, or of one of its sessions.
 * @param {{role: string}} me
 * @param {(count: number) => void} onProgress
 * @returns {Promise<{incident: string, source: Recorded<any>, names: Record<string, string>, ledger: {origin: string, vkey: string, size: number}}>}
 */
export async function read(api, id, me, onProgress) {
  const { id: incident } = await api.get(`/v1/incidents/${encodeURIComponent(id)}`);
  const [names, events, ledger] = await Promise.all([namesOf(api, me), eventsOf(api, incident, ledgerTime(), onProgress), api.get("/v1/ledger")]);
  return { incident, source: new Recorded(events, { empty: emptyIncident(incident), apply: applyToIncident }), names, ledger };
}

/**
 * All entries up to one moment: with `asOf` the gateway gathers them from the log itself, whatever its tables say, and what is linked to the incident while
 * they are read belongs to none of the pages.
 */
async function eventsOf(api, incident, asOf, onProgress) {
  const path = `/v1/incidents/${incident}/timeline?asOf=${encodeURIComponent(asOf)}&limit=${pageEntries}`;
  const { items, isWhole } = await all(api, path, { most: entriesMost, each: eventOf, onPage: onProgress, limit: pageMost });
  if (!isWhole) throw new Error(t("replay.too-long", { count: numeral(entriesMost) }));
  return items;
}

/** What the centre's people are called, by their ids, as far as the reader may know. */
async function namesOf(api, { role }) {
  try {
    if (readersOfUsers.includes(role)) return Object.fromEntries((await api.get("/v1/users")).items.map((user) => [user.id, user.login]));
    return Object.fromEntries((await api.get("/v1/colleagues")).items.map((one) => [one.user, one.name]));
  } catch {
    // People go by their numbers then.
    return {};
  }
}
