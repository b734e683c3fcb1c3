// SPDX-License-Identifier: Apache-2.0
import { applyToChat, emptyChat } from "./chat.js";
import { read } from "./event.js";
import { none } from "./list.js";

/**
 * One session as the desk showed it: its state, its owner, what was asked and agreed to, where the caller was, and its chat.
 *
 * @typedef {ReturnType<typeof emptySession>} Session Times are the ledger's, as texts.
 */
export function emptySession(id) {
  return {
    id, incident: null, state: "none", channel: null, openedBy: null, openedByUser: null, phone: null, owner: null, lastOwner: null,
    createdAt: null, position: null, expiresAt: null, startedAt: null, claimedAt: null, activityAt: null, pendingSince: null, endedAt: null,
    disposition: null, note: null, isSealed: false, unattendedSince: null, takeOverAt: null,
    leftAt: null, requests: none, consents: {}, locations: none, streams: [], live: [], chat: emptyChat(),
  };
}

/** What the desk tells as numbers. @param {Session} session */
export function counts(session) {
  return { unreadForOperator: session.chat.unread.caller, unreadForCaller: session.chat.unread.other, liveStreams: session.live.length };
}

/**
 * @param {Session} session
 * @param {import("./event.js").ModelEvent} event One of the session, its chat, its places or its streams.
 * @returns {Session}
 */
export function applyToSession(session, event) {
  return handlers[event.kind]?.(session, event, event.says) ?? session;
}

const handlers = {
  "session.created": (session, event, { incident, channel, openedBy, operator, phone, expiresAt }) => ({
    ...session, incident, channel, openedBy, openedByUser: operator ?? null, phone: phone ?? null, expiresAt: expiresAt ?? null,
    state: expiresAt ? "waiting" : "open", createdAt: event.time, activityAt: event.time, position: event.position,
  }),
  "session.expired": (session, event) => ended(session, "expired", event),
  "session.closed": (session, event, { disposition, note }) => ({ ...ended(session, "closed", event), disposition: disposition ?? null, note: note ?? null }),
  "session.claimed": (session, event, { owner }) => owned(session, event, owner),
  "session.transferred": (session, event, { to }) => owned(session, event, to),
  // Nobody is there for the caller, though it keeps its owner.
  "session.unattended": (session, event, { takeOverAt }) => ({ ...session, unattendedSince: event.time, takeOverAt, pendingSince: event.time }),
  // It waits again when its owner gave it back or was signed out rather than left it, when the caller films, and when something is unread.
  "session.released": (session, event, { reason }) => {
    const waits = reason !== "left_open" || session.live.length > 0 || session.chat.unread.caller > 0;
    return { ...session, ...attended, owner: null, activityAt: event.time, pendingSince: waits ? event.time : null };
  },
  "session.resumed": (session, event, { by }) => {
    const after = active(session, event);
    return by === "operator" && session.unattendedSince ? { ...after, ...attended, pendingSince: null } : after;
  },
  "session.activity_signalled": (session, event, { by, activity }) => {
    const after = active(session, event);
    return by === "caller" && activity === "typing" ? pending(after, event) : after;
  },
  "session.sealed": (session) => ({ ...session, isSealed: true }),
  "session.unsealed": (session) => ({ ...session, isSealed: false }),
  "session.request_sent": (session, event, { request, ask, expiresAt }) =>
    ({ ...session, requests: session.requests.push({ id: request, ask, sentAt: event.time, expiresAt: expiresAt ?? null, openedAt: null, answer: null, answeredAt: null }) }),
  "session.request_opened": (session, event, { request }) => changed(session, request, (one) => (one.openedAt ? one : { ...one, openedAt: event.time })),
  "session.request_answered": (session, event, { request, answer }) => changed(session, request, (one) => ({ ...one, answer, answeredAt: event.time })),
  "session.consent_recorded": (session, event, { scope, decision }) => ({ ...session, consents: { ...session.consents, [scope]: { scope, decision, at: event.time } } }),
  "incident.session_linked": (session, event) => ({ ...session, incident: event.subject }),
  "location.reported": (session, event, { fix, method, request }) => {
    const place = { position: event.position, at: event.time, fix: read(fix) ?? null, method: method ?? null, unavailable: null, request: request ?? null };
    return active(started({ ...session, locations: session.locations.push(place) }, event), event);
  },
  "location.unavailable": (session, event, { reason, request }) => {
    const place = { position: event.position, at: event.time, fix: null, method: null, unavailable: reason, request: request ?? null };
    return active({ ...session, locations: session.locations.push(place) }, event);
  },
  "stream.started": (session, event) =>
    pending(active(started({ ...session, streams: [...session.streams, event.subject], live: [...session.live, event.subject] }, event), event), event),
  "stream.stopped": (session, event) => ({ ...session, live: session.live.filter((id) => id !== event.subject) }),
  "chat.message_sent": written,
  "chat.attachment_added": written,
  "chat.message_rejected": told,
  "chat.message_delivered": told,
  "chat.message_seen": told,
};

const attended = { unattendedSince: null, takeOverAt: null };

function owned(session, event, owner) {
  return { ...session, ...attended, owner, lastOwner: owner, claimedAt: event.time, activityAt: event.time, pendingSince: null };
}

function told(session, event) {
  const chat = applyToChat(session.chat, event);
  return chat === session.chat ? session : { ...session, chat };
}

function written(session, event) {
  const after = active(told(session, event), event);
  return event.says.from === "caller" ? pending(started(after, event), event) : after;
}

function ended(session, state, event) {
  return { ...session, ...attended, state, endedAt: event.time, pendingSince: null, owner: null, lastOwner: session.owner ?? session.lastOwner };
}

function active(session, event) {
  return { ...session, activityAt: event.time };
}

const isUsable = (session) => session.state === "waiting" || session.state === "open";

/** With the caller's stream, place or first message it has started. */
function started(session, event) {
  return session.startedAt || !isUsable(session) ? session : { ...session, startedAt: event.time, state: "open" };
}

/** The caller does something while nobody has the session: from then on it waits. */
function pending(session, event) {
  return session.owner || session.pendingSince || !isUsable(session) ? session : { ...session, pendingSince: event.time };
}

/** Requests are answered soon, so they are looked for from the newest on. */
function changed(session, id, change) {
  for (let index = session.requests.length - 1; index >= 0; index--) {
    const one = session.requests.at(index);
    if (one.id === id) return { ...session, requests: session.requests.with(index, change(one)) };
  }
  return session;
}
