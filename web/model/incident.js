// SPDX-License-Identifier: Apache-2.0
import { applyToSession, emptySession } from "./session.js";
import { applyToStream, emptyStream } from "./stream.js";

/**
 * An incident as it stood: its sessions, their streams, its address, what was merged into it and which alerts went out.
 *
 * What came to it later is in it from its own beginning, as its timeline tells it; to which incident a session belonged then, the session says, and when it left this one: what it did from then on is not in this timeline.
 *
 * @typedef {{id: string, position: number, at: number, opened: object | null, addresses: Record<string, string | null>, sessions: Record<string, import("./session.js").Session>,
 *   streams: Record<string, import("./stream.js").Stream>, alerts: Record<string, object>, merged: string[], into: Record<string, string>}} Incident `into` tells of each
 *   incident which other it is a part of.
 */

/** @returns {Incident} */
export function emptyIncident(id) {
  return { id, position: -1, at: -Infinity, opened: null, addresses: {}, sessions: {}, streams: {}, alerts: {}, merged: [], into: {} };
}

/**
 * What an incident is after an event: another state, which shares with the one before what did not change. No event is refused; one of an unknown
 * kind changes nothing.
 * @param {Incident} incident
 * @param {import("./event.js").ModelEvent} event
 * @returns {Incident}
 */
export function applyToIncident(incident, event) {
  const after = routed(incident, event);
  return { ...after, position: event.position, at: event.at };
}

/** The sessions that belonged to the incident then, the oldest first. @param {Incident} incident */
export function sessionsOf(incident) {
  return Object.values(incident.sessions).filter((one) => one.incident === incident.id && one.position !== null).sort((one, other) => one.position - other.position);
}

/** Where the incident is, in words. @returns {string | null} */
export function addressOf(incident) {
  return incident.addresses[incident.id] ?? null;
}

function routed(incident, event) {
  switch (event.category) {
    case "session": return withSession(incident, event.subject, event);
    case "stream": return withStream(incident, event);
    case "incident": return withDepartures(incident, withIncident(incident, event), event);
    case "alert": return withAlert(incident, event);
    default: return incident;
  }
}

function withSession(incident, id, event) {
  const before = incident.sessions[id] ?? emptySession(id);
  const after = applyToSession(before, event);
  return after === before ? incident : { ...incident, sessions: { ...incident.sessions, [id]: after } };
}

function withStream(incident, event) {
  const before = incident.streams[event.subject] ?? emptyStream(event.subject);
  const after = applyToStream(before, event);
  const changed = after === before ? incident : { ...incident, streams: { ...incident.streams, [event.subject]: after } };
  const session = after.session;
  return session ? withSession(changed, session, event) : changed;
}

function withIncident(incident, event) {
  const { says } = event;
  switch (event.kind) {
    case "incident.opened": {
      if (event.subject !== incident.id) return incident;
      return { ...incident, opened: { type: says.type, priority: Number(says.priority), summary: says.summary ?? null, at: event.time } };
    }
    case "incident.classified": {
      if (event.subject !== incident.id || !incident.opened) return incident;
      return { ...incident, opened: { ...incident.opened, type: says.type, priority: Number(says.priority) } };
    }
    case "incident.address_set": return { ...incident, addresses: { ...incident.addresses, [event.subject]: says.address ?? null } };
    case "incident.session_linked": return withSession(incident, says.session, event);
    case "incident.merged": {
      const merged = says.into === incident.id ? [...incident.merged, event.subject] : incident.merged;
      return { ...incident, merged, into: { ...incident.into, [event.subject]: says.into } };
    }
    case "incident.unmerged": {
      const { [event.subject]: left, ...into } = incident.into;
      return { ...incident, merged: incident.merged.filter((id) => id !== event.subject), into: left === says.from ? into : incident.into };
    }
    default: return incident;
  }
}

/** Whether a session belongs to the incident, itself or through what is merged into it. */
function holds(incident, session) {
  const seen = new Set();
  for (let one = session?.incident; one && !seen.has(one); one = incident.into[one]) {
    if (one === incident.id) return true;
    seen.add(one);
  }
  return false;
}

/** Notes which sessions went elsewhere with an event, by themselves or with the incident of which they are, and which came back. */
function withDepartures(before, after, event) {
  if (before.into === after.into && before.sessions === after.sessions) return after;
  const sessions = { ...after.sessions };
  for (const [id, session] of Object.entries(sessions)) {
    if (holds(after, session)) sessions[id] = session.leftAt === null ? session : { ...session, leftAt: null };
    else if (holds(before, before.sessions[id])) sessions[id] = { ...session, leftAt: event.time };
  }
  return { ...after, sessions };
}

function withAlert(incident, event) {
  const before = incident.alerts[event.subject] ?? { id: event.subject, state: "queued", template: null, at: event.time };
  const after = {
    "alert.queued": () => ({ ...before, template: event.says.template, severity: event.says.severity, at: event.time }),
    "alert.sent": () => ({ ...before, state: "sent" }),
    "alert.failed": () => (event.says.permanence === "permanent" ? { ...before, state: "failed" } : before),
  }[event.kind]?.();
  return after ? { ...incident, alerts: { ...incident.alerts, [event.subject]: after } } : incident;
}
