// SPDX-License-Identifier: Apache-2.0
import { applyToSession, emptySession } from "../../../model/session.js";
import { emptyChat } from "../../../model/chat.js";

/**
 * The open sessions of the centre, kept up by what the topic `desk` tells, so that an event costs no request.
 *
 * @typedef {any} Row A session as `GET /v1/sessions` lists it, with what the fold needs besides: `live`, the streams that are known and have not stopped; `otherLive`, how many
 *   more there are; `silent`, those of `live` from which nothing arrives; `isFilmOver`, whether the last stream stopped while the wall looked; `readTo`, up to which time the row has everything.
 * @typedef {{rows: Map<string, Row>, toRead: string[]}} Folded `toRead` are the sessions of which an event does not tell enough: the page has to ask for them.
 */

/** At most so many proposals of one session are kept, as the gateway keeps them. */
const proposalsMost = 8;
/** What a session is not any more when it has another owner, or none. */
const ownersOwn = { offer: null, linkProposals: [] };
/** What is not shown of a session that is private to somebody else. */
const told = ["phone", "telephone", "address", "note", "caller", "firstWords", "lastWords", "place", "liveStream", "incidentType", "incidentPriority"];
const done = new Set(["closed", "expired"]);

/** @param {any} item As the gateway lists it. @returns {Row} */
export function rowOf(item) {
  const live = item.liveStream ? [item.liveStream] : [];
  const chat = { ...emptyChat(), unread: { caller: item.unreadForOperator ?? 0, other: 0 } };
  return {
    ...emptySession(item.id), telephone: null, wishesVideoUntil: null, incidentType: null, incidentPriority: null, isMuted: false, ...ownersOwn, isPrivate: false,
    ...item, chat, live, otherLive: Math.max(0, (item.liveStreams ?? 0) - live.length), silent: [], isFilmOver: false, readTo: item.activityAt,
  };
}

/** How many messages of the caller no operator has seen. @param {Row} row */
export const unreadOf = (row) => (row.isMuted ? 0 : row.chat.unread.caller);

/** How many streams of a session have not stopped. @param {Row} row */
export const filmsOf = (row) => row.live.length + row.otherLive;

/**
 * @param {Map<string, Row>} rows By session.
 * @param {import("../../../core/topics.js").TopicEvent} event
 * @returns {Folded} The same rows where it changes nothing.
 */
export function fold(rows, event) {
  const kind = event.kind.split("/")[0];
  const name = event.subject.slice(event.subject.indexOf("/") + 1);
  const data = event.entry?.data ?? {};
  if (kind === "incident.classified") return classified(rows, name, data, event);
  const row = rows.get(event.subject.startsWith("session/") ? name : data.session) ?? ofStream(rows, event.subject, name);
  if (!row) return { rows, toRead: kind === "session.created" ? [name] : [] };
  // What was read later than this has it already.
  if (event.time <= row.readTo) return { rows, toRead: [] };
  const after = event.isPrivate ? hidden(row, event) : applied(row, { kind, subject: name, time: event.time, position: event.position, says: data }, rows);
  return { rows: after === row ? rows : replaced(rows, after), toRead: tooLittle(kind, row, name, data, rows) ? [row.id] : [] };
}

function replaced(rows, row) {
  const after = new Map(rows);
  if (done.has(row.state)) after.delete(row.id);
  else after.set(row.id, row);
  return after;
}

/** Whether something of a row does not follow from the event: what is sealed, and what was never read. */
function tooLittle(kind, row, subject, data, rows) {
  if (kind === "session.mute_set") return row.isMuted && !data.isMuted;
  if (kind === "sip.message_received") return !row.phone && !row.telephone;
  return kind === "incident.session_linked" && row.incident !== subject && !otherOf(rows, row, subject);
}

/** Another session of an incident. */
function otherOf(rows, row, incident) {
  return [...rows.values()].find((one) => one.id !== row.id && one.incident === incident);
}

/** That a stream is interrupted or goes on names no session. */
function ofStream(rows, subject, stream) {
  return subject.startsWith("stream/") ? [...rows.values()].find(({ live }) => live.includes(stream)) : undefined;
}

function classified(rows, incident, { type, priority }, { time }) {
  const meant = [...rows.values()].filter((row) => row.incident === incident && time > row.readTo && !row.isPrivate);
  if (meant.length === 0) return { rows, toRead: [] };
  const after = new Map(rows);
  for (const row of meant) after.set(row.id, { ...row, incidentType: type, incidentPriority: priority });
  return { rows: after, toRead: [] };
}

/** Of a session that is private, it is known that something happened and whose it is. */
function hidden(row, { kind, owner = row.owner }) {
  const state = { "session.closed/1": "closed", "session.expired/1": "expired" }[kind] ?? row.state;
  const after = { ...row, ...ownersOwn, state, owner, isPrivate: true, live: [], otherLive: filmsOf(row), silent: [], chat: emptyChat(), unattendedSince: null, pendingSince: null };
  for (const name of told) after[name] = null;
  return after;
}

function applied(row, event, rows) {
  const own = handlers[event.kind];
  return own ? own(row, event, rows) : applyToSession(row, event);
}

const handlers = {
  "session.claimed": (row, event) => ({ ...applyToSession(row, event), ...ownersOwn, wishesVideoUntil: null }),
  "session.transferred": (row, event) => ({ ...applyToSession(row, event), ...ownersOwn }),
  "session.released": (row, event) => ({ ...applyToSession({ ...row, live: filmsOf(row) > 0 ? ["one"] : [] }, event), ...ownersOwn, live: row.live }),
  "session.offered": (row, { says: { to, by, expiresAt } }) => ({ ...row, offer: { to, by, expiresAt } }),
  "session.assigned": (row, { says: { to, expiresAt } }) => ({ ...row, offer: { to, expiresAt } }),
  "session.offer_declined": (row) => ({ ...row, offer: null }),
  "session.link_proposed": (row, { says: { from, by, expiresAt } }) => ({ ...row, linkProposals: [...without(row, from), { from, by, expiresAt }].slice(-proposalsMost) }),
  "session.link_declined": (row, { says: { from } }) => ({ ...row, linkProposals: without(row, from) }),
  "session.link_accepted": (row, { says: { from } }) => ({ ...row, linkProposals: without(row, from) }),
  "session.mute_set": (row, { says: { isMuted } }) => ({ ...row, isMuted }),
  "session.video_wished": (row, { says: { expiresAt }, time }) => ({ ...row, wishesVideoUntil: expiresAt, activityAt: time, pendingSince: row.owner ? row.pendingSince : (row.pendingSince ?? time) }),
  // It waits on where the caller also wrote, filmed or told a place.
  "session.video_wish_withdrawn": (row) => ({ ...row, wishesVideoUntil: null, pendingSince: row.startedAt ? row.pendingSince : null }),
  "incident.session_linked": (row, { subject }, rows) => {
    const other = otherOf(rows, row, subject);
    return { ...row, incident: subject, ...(other && { incidentType: other.incidentType, incidentPriority: other.incidentPriority }) };
  },
  "location.reported": (row, event) => ({ ...applyToSession(row, event), locations: row.locations }),
  "location.unavailable": (row, event) => ({ ...applyToSession(row, event), locations: row.locations }),
  "stream.started": (row, event) => (row.live.includes(event.subject) ? row : { ...applyToSession(row, event), isFilmOver: false }),
  "stream.stopped": (row, { subject }) => {
    const live = row.live.filter((one) => one !== subject);
    const otherLive = live.length < row.live.length ? row.otherLive : Math.max(0, row.otherLive - 1);
    return { ...row, live, otherLive, silent: row.silent.filter((one) => one !== subject), isFilmOver: live.length + otherLive === 0 };
  },
  "stream.interrupted": (row, { subject }) => ({ ...row, silent: [...row.silent.filter((one) => one !== subject), subject] }),
  "stream.resumed": (row, { subject }) => ({ ...row, silent: row.silent.filter((one) => one !== subject) }),
  "chat.message_seen": (row, event) => {
    const after = applyToSession(row, event);
    if (event.says.by === "caller") return after;
    // The row says how many were unseen when it was read, not which: an operator who has seen a later one has seen them.
    const unseen = after.chat.messages.slice().filter((message) => message.from === "caller" && !message.seenAt).length;
    return { ...after, chat: { ...after.chat, unread: { ...after.chat.unread, caller: unseen } } };
  },
};

const without = (row, from) => row.linkProposals.filter((one) => one.from !== from);
