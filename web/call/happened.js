// SPDX-License-Identifier: Apache-2.0
/** What happened in a contact besides what was said, as the caller reads it between the messages. It knows no page, and is tested without one. */

const asked = {
  start_video: "The operator asked to see video.",
  stop_video: "The operator asked you to stop the video.",
  send_location: "The operator asked for your location.",
};
const answered = { accepted: "You agreed.", declined: "You said not now.", stale: "There was no answer in time." };

/** Why a video ended, by what the recording says; what a caller need not know is left away. */
const reasons = {
  "stopped by the caller": "You stopped your video.",
  navigated: "Your video ended, because you opened the chat.",
  "the operator asked": "Your video ended, as the operator asked.",
  "session closed": "Your video ended with the contact.",
  "the camera gave no picture any more": "Your video ended, because your camera gave no picture.",
};

/**
 * @typedef {{key: string, at: string, text: string}} Note `key` is the same for what is the same, whatever became of it.
 *
 * @param {{session: any, requests?: any[], locations?: any[]}} detail As `GET /v1/sessions/{id}` tells it.
 * @param {any[]} [streams] As `GET /v1/streams/{id}` tells them.
 * @returns {Note[]} Oldest first.
 */
export function notesOf({ session, requests = [], locations = [] }, streams = []) {
  const notes = [...comings(session), ...requests.map(question), ...locations.map(location), ...streams.flatMap(video)];
  return notes.sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
}

/** Who is with the caller, and that somebody left. */
function comings({ openedBy, createdAt, owner, lastOwner, claimedAt, pendingSince }) {
  return [
    openedBy === "operator" && { key: "opened", at: createdAt, text: "The emergency centre opened this contact." },
    owner && claimedAt && { key: `with ${claimedAt}`, at: claimedAt, text: "An operator is with you." },
    !owner && lastOwner && pendingSince && { key: `left ${pendingSince}`, at: pendingSince, text: "Your operator had to leave. Others are being called." },
  ].filter(Boolean);
}

function question({ id, ask, sentAt, answer }) {
  return { key: `asked ${id}`, at: sentAt, text: [asked[ask], answered[answer]].filter(Boolean).join(" ") };
}

function location({ position, at, fix, unavailable }) {
  const metres = fix?.accuracyMetres;
  const sent = Number.isFinite(metres) ? `You sent your location, accurate to ${Math.round(metres)} m.` : "You sent your location.";
  return { key: `location ${position}`, at, text: unavailable ? "Your phone could not tell your location." : sent };
}

function video({ id, startedAt, state, durationMilliseconds, stopReason }) {
  const began = { key: `video ${id}`, at: startedAt, text: "Your video started." };
  if (state === "live" || state === "interrupted") return [began];
  const at = new Date(Date.parse(startedAt) + (durationMilliseconds ?? 0)).toISOString();
  return [began, { key: `video over ${id}`, at, text: reasons[stopReason] ?? "Your video ended." }];
}

/**
 * What is said of a contact that is over, on the first screen.
 * @param {{state: string, openedBy: string, startedAt?: string, createdAt: string, endedAt?: string} | null} session
 * @param {number} now
 * @param {(text: string) => string} clock A moment as time of day.
 * @returns {string} Empty where it is no news any more.
 */
export function pastWords(session, now, clock) {
  if (!session?.endedAt || now - Date.parse(session.endedAt) > newsMilliseconds) return "";
  if (session.state === "expired" && session.openedBy === "operator") return `The emergency centre tried to reach you at ${clock(session.createdAt)}. If you need help, call or start a chat.`;
  if (session.state === "expired") return `Your contact ended at ${clock(session.endedAt)}: nothing was sent in it.`;
  return `Your contact with the emergency centre ended at ${clock(session.endedAt)}.`;
}

/** So long an ended contact is told of. */
const newsMilliseconds = 60 * 60_000;
