// SPDX-License-Identifier: Apache-2.0
/** What happened in a contact besides what was said, as the caller reads it between the messages. It knows no page, and is tested without one. */
import { t } from "../core/i18n.js";
import { videoEnd } from "../model/video-end.js";

const asked = { start_video: "call.happened.video.asked", stop_video: "call.happened.stop.asked", send_location: "call.happened.location.asked" };
const answered = { accepted: "call.happened.accepted", declined: "call.happened.declined", stale: "call.happened.stale" };

/** Why a video ended, by what the recording says; what a caller need not know is left away. */
const reasons = {
  "stopped by the caller": "call.happened.video.stopped",
  navigated: "call.happened.video.chat",
  "the operator asked": "call.happened.video.requested",
  "stopped by the operator": "call.happened.video.operator",
  "session closed": "call.happened.video.closed",
  "the camera gave no picture any more": "call.happened.video.camera",
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
    openedBy === "operator" && { key: "opened", at: createdAt, text: t("call.happened.opened") },
    owner && claimedAt && { key: `with ${claimedAt}`, at: claimedAt, text: t("call.happened.with") },
    !owner && lastOwner && pendingSince && { key: `left ${pendingSince}`, at: pendingSince, text: t("call.happened.left") },
  ].filter(Boolean);
}

function question({ id, ask, sentAt, answer }) {
  return { key: `asked ${id}`, at: sentAt, text: [asked[ask], answered[answer]].filter(Boolean).map((key) => t(key)).join(" ") };
}

function location({ position, at, fix, unavailable }) {
  const metres = fix?.accuracyMetres;
  const sent = Number.isFinite(metres) ? t("call.happened.location.exact", { metres: Math.round(metres) }) : t("call.happened.location");
  return { key: `location ${position}`, at, text: unavailable ? t("call.happened.location.none") : sent };
}

function video({ id, startedAt, state, durationMilliseconds, stopReason }) {
  const began = { key: `video ${id}`, at: startedAt, text: t("call.happened.video") };
  if (state === "live" || state === "interrupted") return [began];
  const at = videoEnd({ startedAt, durationMilliseconds: durationMilliseconds ?? 0 });
  return [began, { key: `video over ${id}`, at, text: t(reasons[stopReason] ?? "call.happened.video.over") }];
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
  if (session.state === "expired" && session.openedBy === "operator") return t("call.past.missed", { time: clock(session.createdAt) });
  if (session.state === "expired") return t("call.past.expired", { time: clock(session.endedAt) });
  return t("call.past.over", { time: clock(session.endedAt) });
}

/** So long an ended contact is told of. */
const newsMilliseconds = 60 * 60_000;
