// SPDX-License-Identifier: Apache-2.0
import { read } from "./event.js";

/** The kinds of lines, as one can choose among them. */
export const groups = {
  chat: "Chat", video: "Video", place: "Location", asked: "Asked", session: "Sessions", incident: "Incident", alert: "Alerts", receipts: "Receipts", pieces: "Video pieces",
  viewed: "Viewings", other: "Other",
};

const byCategory = { chat: "chat", stream: "video", location: "place", session: "session", incident: "incident", alert: "alert" };
const byKind = {
  "session.request_sent": "asked", "session.request_opened": "asked", "session.request_answered": "asked", "session.consent_recorded": "asked",
  "session.activity_signalled": "receipts", "chat.message_delivered": "receipts", "chat.message_seen": "receipts",
  "stream.chunk_archived": "pieces", "stream.chunks_inspected": "pieces", "stream.viewed": "viewed",
};

/** To which kind of lines an event belongs. @param {import("./event.js").ModelEvent} event @returns {keyof typeof groups} */
export function groupOf(event) {
  return byKind[event.kind] ?? byCategory[event.kind.slice(0, event.kind.indexOf("."))] ?? "other";
}

const staff = ["reporter", "guard", "rescuer", "operator", "supervisor", "analyst", "auditor", "org-admin", "admin", "service"];

/**
 * Who did it, as one says it.
 * @param {import("./event.js").ModelEvent} event
 * @param {Record<string, string>} names Of users, by their ids.
 */
export function whoDid(event, names = {}) {
  const slash = event.actor.indexOf("/");
  const [role, id] = [event.actor.slice(0, slash), event.actor.slice(slash + 1)];
  if (role === "device") return "Caller";
  // Rules, the recorder, the ledger itself.
  if (!staff.includes(role)) return "Daybook";
  return names[id] ? `${names[id]}, ${role}` : `${role[0].toUpperCase()}${role.slice(1)} ${id}`;
}

/**
 * What happened, in a sentence without its subject.
 * @param {import("./event.js").ModelEvent} event
 * @param {Record<string, string>} names Of users, by their ids.
 */
export function sentence(event, names = {}) {
  const written = sentences[event.kind];
  if (!written) return `${event.kind.replace(".", ": ").replaceAll("_", " ")}${rest(event.says)}`;
  return written(event.says, event, (id) => names[id] ?? id);
}

const asks = { start_video: "video", stop_video: "the video to stop", send_location: "the location" };
const scopes = { video: "showing video", location: "sharing the location", upload: "sending pictures", hoax_warning: "the warning about false alarms", emergency_intent: "that this is an emergency" };
const left = { left_open: "left the session open", given_back: "gave the session back", logout: "signed out, and let go of the session", disconnect: "lost the connection, and let go of the session" };
const lacks = { denied: "the phone did not allow it", timeout: "the phone did not find it in time", stale: "the answer came too late" };
const views = { live: "watched the live video", seek_back: "looked back in the live video", recorded: "watched the recording", still: "looked at a still" };
const sides = { caller: "the caller", operator: "the operator", system: "Daybook" };

const sentences = {
  "session.created": ({ openedBy, phone, channel }, event) =>
    openedBy === "caller" ? `opened a session by ${channel}${phone ? ` from ${phone}` : ""}` : `opened a session for ${phone ?? erased(event, "phone", "a number")}`,
  "session.expired": () => "ended the session: nothing was started in time",
  "session.claimed": (says, event, name) => `took the session${event.actor.endsWith(`/${says.owner}`) ? "" : `, for ${name(says.owner)}`}`,
  "session.released": ({ reason }) => left[reason] ?? `let go of the session (${reason})`,
  "session.offered": ({ to }, event, name) => `asked ${name(to)} to take the session over`,
  "session.offer_declined": () => "does not take the session over",
  "session.transferred": ({ from, reason }, event, name) => (reason === "taken_over" ? `took the unattended session over from ${name(from)}` : `took the session over from ${name(from)}`),
  "session.unattended": ({ owner }, event, name) => `nobody attends the session: ${name(owner)} was signed out`,
  "session.resumed": ({ gapMilliseconds }) => `came back${gapMilliseconds ? ` after ${seconds(gapMilliseconds)}` : ""}`,
  "session.activity_signalled": ({ by, activity }) => (activity === "typing" ? "is writing" : activity === "opened" ? `has the chat open (${sides[by]})` : "is filming"),
  "session.sealed": () => "made the session private",
  "session.unsealed": () => "opened the private session again",
  "session.request_sent": ({ ask }) => `asked for ${asks[ask] ?? ask}`,
  "session.request_opened": () => "saw what was asked",
  "session.request_answered": ({ answer }) => ({ accepted: "agreed to what was asked", declined: "declined what was asked", stale: "gave no answer in time" })[answer] ?? answer,
  "session.link_proposed": ({ by, from }, event, name) => `${name(by)} proposed to link it with session ${short(from)}, as one event`,
  "session.link_declined": ({ from }) => `took it for another event than session ${short(from)}`,
  "session.link_accepted": ({ from }) => `agreed that it is one event with session ${short(from)}`,
  "session.link_issued": ({ expiresAt }) => `made a link, good until ${expiresAt.slice(11, 19)} UTC`,
  "session.link_opened": () => "opened the link",
  "session.consent_recorded": ({ scope, decision }) => `${decision === "granted" ? "agreed to" : "refused"} ${scopes[scope] ?? scope}`,
  "session.closed": ({ disposition, note }, event) => `closed the session: ${disposition}${note ? ` – ${note}` : isErased(event, "note") ? " – a note that was erased" : ""}`,
  "chat.message_sent": ({ text }) => (text === undefined ? "wrote a message that was erased" : `wrote: ${text}`),
  "chat.attachment_added": ({ width, height }) => `sent a picture, ${width} × ${height}`,
  "chat.message_rejected": ({ reason }) => `a message was not taken: ${reason}`,
  "chat.message_delivered": ({ to }) => `a message reached ${sides[to] ?? to}`,
  "chat.message_seen": ({ by }) => `${sides[by] ?? by} has seen the messages`,
  "location.reported": ({ fix, method }, event) => {
    const { latitude, longitude, accuracyMetres } = read(fix) ?? {};
    if (latitude === undefined) return `sent ${erased(event, "fix", "a location")}`;
    return `sent the location ${latitude.toFixed(5)}, ${longitude.toFixed(5)}${accuracyMetres === undefined ? "" : `, to ${Math.round(accuracyMetres)} m`}${method ? ` (${method})` : ""}`;
  },
  "location.unavailable": ({ reason }) => `sent no location: ${lacks[reason] ?? reason}`,
  "stream.started": ({ size, camera }) => `began to film${camera ? `, with the ${camera} camera` : ""}${size ? `, ${size.replace("x", " × ")}` : ""}`,
  "stream.chunk_archived": ({ chunk }, event) => `archived video piece ${chunk}${duration(event.file)}`,
  "stream.chunks_inspected": ({ chunks, outcome, frames, undecodable }) =>
    (outcome === "decoded" ? `looked through video pieces ${chunks}: ${frames} pictures${Number(undecodable) ? `, ${undecodable} cannot be decoded` : ""}` : `could not look through video pieces ${chunks} (${outcome})`),
  "stream.gap_detected": ({ fromMilliseconds, toMilliseconds, cause }) => `no picture for ${seconds(toMilliseconds - fromMilliseconds)} (${cause})`,
  "stream.quality_changed": ({ quality, size, kilobitsPerSecond }) => `video quality is now ${quality}, ${size?.replace("x", " × ")}, ${kilobitsPerSecond} kbit/s`,
  "stream.interrupted": ({ reason }) => (reason === "silence" ? "no video comes any more" : "the video's connection was lost"),
  "stream.resumed": ({ gapMilliseconds }) => `the video goes on${gapMilliseconds ? ` after ${seconds(gapMilliseconds)}` : ""}`,
  "stream.stopped": ({ reason, durationMilliseconds }) => `the video ended after ${seconds(durationMilliseconds)}: ${reason}`,
  "stream.finalized": () => "the recording is complete",
  "stream.recording_failed": ({ text }) => `the video could not be recorded: ${text}`,
  "stream.viewed": ({ mode }) => views[mode] ?? `watched (${mode})`,
  "incident.opened": ({ summary }, event) => `opened the incident${summary ? `: ${summary}` : isErased(event, "summary") ? ": what it was about is erased" : ""}`,
  "incident.classified": ({ type, priority }) => `classified the incident: ${type.replaceAll("_", " ")}, priority ${priority}`,
  "incident.note_added": ({ text }) => (text === undefined ? "wrote a note that was erased" : `wrote a note: ${text}`),
  "incident.session_linked": ({ session, reason }, event) => `linked session ${short(session)} to incident ${short(event.subject)}: ${reason}`,
  "incident.session_unlinked": ({ session, reason }) => `took session ${short(session)} out of the incident: ${reason}`,
  "incident.merged": ({ reason }, event) => `merged incident ${short(event.subject)} into another: ${reason}`,
  "incident.unmerged": ({ reason }, event) => `took incident ${short(event.subject)} out again: ${reason}`,
  "incident.address_set": ({ address }, event) => `set the address: ${address ?? erased(event, "address", "unknown")}`,
  "alert.queued": ({ template, severity }) => `an alert is to go out: ${template} (${severity})`,
  "alert.delivery_attempted": ({ channel, attempt }) => `tried to send the alert by ${channel}, attempt ${attempt}`,
  "alert.sent": ({ channel }) => `the alert was sent by ${channel}`,
  "alert.failed": ({ channel, error }) => `the alert was not sent by ${channel}: ${error}`,
};

function isErased(event, name) {
  return event.erased?.includes(name) ?? false;
}

function erased(event, name, otherwise) {
  return isErased(event, name) ? `${otherwise} (erased)` : otherwise;
}

/** What an event of a kind without a sentence says, part by part. */
function rest(says) {
  const parts = Object.entries(says).map(([name, value]) => `${name} ${value}`);
  return parts.length ? ` – ${parts.join(", ")}` : "";
}

function duration(file) {
  return file?.lastMilliseconds === undefined ? "" : `, ${seconds(file.lastMilliseconds - (file.firstMilliseconds ?? 0))}`;
}

function seconds(milliseconds) {
  const whole = Number(milliseconds) / 1000;
  return whole < 60 ? `${whole.toFixed(1)} s` : `${Math.floor(whole / 60)} min ${Math.round(whole % 60)} s`;
}

/** The last letters of an id, by which people tell two apart. */
export function short(id) {
  return `…${id.slice(-6)}`;
}
