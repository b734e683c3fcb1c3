// SPDX-License-Identifier: Apache-2.0
/**
 * Holds the model of an incident, folded from its timeline, against what a gateway answered with `?asOf=`.
 *
 * As a program: `node as-of.js CASE.json` ends with 1 and tells each difference. A case is what `Tests/Tools/replay_model.py` writes.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { stateOf } from "../model/chat.js";
import { eventOf } from "../model/event.js";
import { addressOf, applyToIncident, emptyIncident, sessionsOf } from "../model/incident.js";
import { counts } from "../model/session.js";
import { Recorded } from "../source/recorded.js";

const sessionFields = [
  "id", "incident", "state", "channel", "openedBy", "owner", "lastOwner", "createdAt", "expiresAt", "startedAt", "claimedAt", "activityAt", "pendingSince",
  "endedAt", "disposition", "isSealed", "unattendedSince", "takeOverAt", "phone", "address", "note", "unreadForOperator", "unreadForCaller", "liveStreams", "position",
];
const streamFields = ["id", "session", "incident", "state", "startedAt", "fileName", "chunks", "durationMilliseconds"];
/** Until when a request can be answered, the timeline does not tell. */
const requestFields = ["id", "ask", "sentAt", "openedAt", "answer", "answeredAt"];
const locationFields = ["position", "at", "fix", "method", "unavailable", "request"];
const messageFields = ["id", "position", "from", "actor", "text", "picture", "state", "sentAt", "deliveredAt", "seenAt"];
const rejectionFields = ["position", "from", "temporaryID", "reason", "at"];
/** So many places the desk tells of a session. */
const locationsMost = 100;

/** Some fields of a thing; what is absent, and what is null, is nothing. */
function only(fields, thing) {
  return Object.fromEntries(fields.map((name) => [name, thing[name] === undefined ? null : thing[name]]));
}

const place = (position) => (position === null || position === undefined ? null : String(position));

/** What the model says of a moment, in the gateway's words. */
export function told(incident) {
  const sessions = sessionsOf(incident);
  return {
    sessions: Object.fromEntries(sessions.map((session) => [session.id, {
      session: only(sessionFields, { ...session, ...counts(session), address: addressOf(incident), position: place(session.position) }),
      requests: session.requests.slice().map((one) => only(requestFields, one)),
      consents: Object.values(session.consents).sort((one, other) => (one.scope < other.scope ? -1 : 1)),
      locations: session.locations.slice(-locationsMost).reverse().map((one) => only(locationFields, { ...one, position: place(one.position) })),
      streams: session.streams,
      messages: session.chat.messages.slice().map((one) => only(messageFields, { ...one, position: place(one.position), state: stateOf(one) })),
      rejected: session.chat.rejected.slice().map((one) => only(rejectionFields, { ...one, position: place(one.position) })),
    }])),
    streams: Object.values(incident.streams).filter((stream) => sessions.some(({ id }) => id === stream.session)).map((stream) => only(streamFields, {
      ...stream, incident: incident.id, chunks: stream.chunks.length, durationMilliseconds: stream.durationMilliseconds ?? stream.chunks.at(-1)?.last ?? null,
    })),
  };
}

/** The same of what a gateway answered. */
export function answered({ sessions, streams }) {
  const picture = (one) => one && { mediaType: one.mediaType, width: one.width, height: one.height };
  return {
    sessions: Object.fromEntries(sessions.map(({ detail, transcript }) => [detail.session.id, {
      session: only(sessionFields, detail.session),
      requests: detail.requests.map((one) => only(requestFields, one)),
      consents: detail.consents.map((one) => only(["scope", "decision", "at"], one)),
      locations: detail.locations.map((one) => only(locationFields, one)),
      streams: detail.streams,
      messages: transcript.messages.map((one) => only(messageFields, { ...one, picture: picture(one.picture) })),
      rejected: transcript.rejected.map((one) => only(rejectionFields, one)),
    }])),
    streams: streams.map((one) => only(streamFields, one)),
  };
}

/** An incident's timeline as a source. */
export function recorded({ incident, timeline }, options = {}) {
  return new Recorded(timeline.map(eventOf), { empty: emptyIncident(incident), apply: applyToIncident, ...options });
}

/** Where two things are not the same. @returns {string[]} */
export function differences(ours, theirs, path = "") {
  if (ours === theirs) return [];
  const [one, other] = [ours, theirs].map((value) => (value && typeof value === "object" ? value : null));
  if (!one || !other) return [`${path}: the model has ${JSON.stringify(ours)}, the gateway ${JSON.stringify(theirs)}`];
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].flatMap((name) => differences(one[name], other[name], path ? `${path}.${name}` : name));
}

/** All that is not the same at the moments of a case, and how many moments there are. */
export function compared(one) {
  const source = recorded(one);
  // There and back: what is folded from a state that was kept must be the same, too.
  const moments = [...one.moments, ...[...one.moments].reverse()];
  const found = moments.flatMap((moment) => {
    source.seekEvent(source.indexOf(Number(moment.position)));
    return differences(told(source.state), answered(moment)).map((text) => `at ${moment.position}: ${text}`);
  });
  return { found, moments: one.moments.length, events: one.timeline.length };
}

if (process.argv[1] === fileURLToPath(import.meta.url) && process.argv[2]) {
  const { found, moments, events } = compared(JSON.parse(readFileSync(process.argv[2], "utf8")));
  console.log(found.slice(0, 20).join("\n") || `${moments} moments of ${events} events: the model and the gateway say the same`);
  process.exitCode = found.length || !moments ? 1 : 0;
}
