// SPDX-License-Identifier: Apache-2.0
import { numeral, t, term } from "../core/i18n.js";
import { exactSpan, timeOfDay } from "../core/time.js";
import { read } from "./event.js";
import { measuredWords } from "./fix.js";
import { coordinates } from "./patrol.js";

/** The kinds of lines, as one can choose among them; their words are `replay.kind.…`. */
export const groups = ["chat", "video", "place", "asked", "session", "incident", "alert", "round", "report", "receipts", "pieces", "viewed", "other"];

const byCategory = { chat: "chat", sip: "receipts", stream: "video", location: "place", session: "session", incident: "incident", alert: "alert", patrol: "round", round: "round", guard: "round", camera: "video", call_out: "alert", report: "report" };
const byKind = {
  "session.request_sent": "asked", "session.request_opened": "asked", "session.request_answered": "asked", "session.consent_recorded": "asked", "session.video_wished": "asked", "session.video_wish_withdrawn": "asked",
  "sip.message_received": "chat", "session.activity_signalled": "receipts", "chat.message_delivered": "receipts", "chat.message_seen": "receipts",
  "camera.minute_archived": "pieces", "stream.chunk_archived": "pieces", "stream.chunks_inspected": "pieces", "stream.viewed": "viewed",
};

/** To which kind of lines an event belongs. @param {import("./event.js").ModelEvent} event @returns {string} One of `groups`. */
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
  if (role === "device" || role === "telephone") return t("said.who.caller");
  // Reports from the public form have no account behind them.
  if (role === "stranger") return begun(t("role.reporter"));
  // Rules, the recorder, the ledger itself.
  if (!staff.includes(role)) return t("said.who.rules");
  const word = t(`role.${role}`);
  return names[id] ? `${names[id]}, ${word}` : `${begun(word)} ${id}`;
}

/**
 * What happened, as it goes on behind who did it; in the words of the ledger where somebody wrote them.
 * @param {import("./event.js").ModelEvent} event
 * @param {Record<string, string>} names Of users, by their ids.
 */
export function sentence(event, names = {}) {
  const written = sentences[event.kind];
  if (!written) return `${event.kind.replace(".", ": ").replaceAll("_", " ")}${rest(event.says)}`;
  return written(event.says, event, (id) => names[id] ?? id);
}

const sentences = {
  "session.created": created,
  "session.expired": () => t("said.expired"),
  "session.claimed": ({ owner }, event, name) => (isOf(event, owner) ? t("said.claimed") : t("said.claimed.for", { name: name(owner) })),
  "session.released": ({ reason }) => term(`said.released.${reason}`, t("said.released.other", { reason })),
  "session.offered": ({ to }, event, name) => t("said.offered", { name: name(to) }),
  "session.assigned": ({ to }, event, name) => t("said.assigned", { name: name(to) }),
  "session.offer_declined": () => t("said.offered.declined"),
  "session.transferred": ({ from, reason }, event, name) => t(reason === "taken_over" ? "said.transferred.taken_over" : "said.transferred.handed_over", { name: name(from) }),
  "session.unattended": ({ owner }, event, name) => t("said.unattended", { name: name(owner) }),
  "session.resumed": ({ gapMilliseconds }) => (gapMilliseconds ? t("said.resumed.after", { time: long(gapMilliseconds) }) : t("said.resumed")),
  "session.activity_signalled": ({ activity }) => term(`said.activity.${activity}`, activity),
  "session.video_wished": ({ expiresAt }) => t("said.video-wished", { time: timeOfDay(Date.parse(expiresAt)) }),
  "session.video_wish_withdrawn": () => t("said.video-wish-withdrawn"),
  "session.mute_set": ({ isMuted }) => t(isMuted === "true" ? "said.muted" : "said.unmuted"),
  "session.sealed": () => t("said.sealed"),
  "session.unsealed": () => t("said.unsealed"),
  "session.request_sent": ({ ask }) => term(`said.asked.${ask}`, t("said.asked.other", { ask })),
  "session.request_opened": () => t("said.asked.seen"),
  "session.request_answered": ({ answer }) => term(`said.answered.${answer}`, answer),
  "session.link_proposed": ({ by, from }, event, name) => t(isOf(event, by) ? "said.linking.proposed" : "said.linking.proposed.by", { name: name(by), session: short(from) }),
  "session.link_declined": ({ from }) => t("said.linking.declined", { session: short(from) }),
  "session.link_accepted": ({ from }) => t("said.linking.accepted", { session: short(from) }),
  "session.link_issued": ({ expiresAt }) => t("said.link.issued", { time: timeOfDay(Date.parse(expiresAt)) }),
  "session.link_opened": () => t("said.link.opened"),
  "session.consent_recorded": ({ scope, decision }) =>
    (decision === "granted" ? term(`said.granted.${scope}`, t("said.granted.other", { scope })) : term(`said.refused.${scope}`, t("said.refused.other", { scope }))),
  "session.closed": closed,
  "chat.message_sent": ({ text }) => (text === undefined ? t("said.wrote.erased") : t("said.wrote", { text })),
  "chat.attachment_added": ({ width, height }) => t("said.picture", { size: `${width} × ${height}` }),
  "chat.message_rejected": ({ reason }) => t("said.rejected", { reason: term(`said.rejected.${dashed(reason)}`, reason) }),
  "chat.message_delivered": ({ to }) => term(`said.delivered.${to}`, to),
  "chat.message_seen": () => t("said.seen"),
  "chat.quick_response_chosen": ({ service }) => term(`said.quick.${service}`, service),
  "sip.message_received": ({ method, transport, trunk }) => t(trunk ? "said.sip.received.trunk" : "said.sip.received", { method: method.toUpperCase(), transport: transport.toUpperCase(), trunk }),
  "sip.reply_queued": ({ attempt }) => (attempt === "1" ? t("said.sip.queued") : t("said.sip.queued.again", { attempt })),
  "sip.reply_sent": ({ transport }) => t("said.sip.sent", { transport: transport.toUpperCase() }),
  "sip.reply_answered": ({ status }) => (status === "0" ? t("said.sip.unsent") : t(status.startsWith("2") ? "said.sip.taken" : "said.sip.refused", { status })),
  "sip.reply_timed_out": ({ timeoutMilliseconds }) => t("said.sip.silent", { time: long(timeoutMilliseconds) }),
  "location.reported": located,
  "location.unavailable": ({ reason }) => t("said.place.none", { why: lack(reason) }),
  "stream.started": ({ size, camera }) => [t("said.filmed"), camera && term(`said.filmed.camera.${camera}`, t("said.filmed.with", { camera })), size && times(size)].filter(Boolean).join(", "),
  "stream.chunk_archived": ({ chunk }, { file }) =>
    (file?.lastMilliseconds === undefined ? t("said.piece", { chunk }) : t("said.piece.long", { chunk, time: long(file.lastMilliseconds - (file.firstMilliseconds ?? 0)) })),
  "stream.chunks_inspected": inspected,
  "stream.gap_detected": ({ fromMilliseconds, toMilliseconds, cause }) => (cause === "clock" ? t("said.gap.clock") : t("said.gap", { time: long(toMilliseconds - fromMilliseconds), why: term(`said.gap.${cause}`, cause) })),
  "stream.quality_changed": ({ quality, size, kilobitsPerSecond }) => t("said.quality", { quality: term(`said.quality.${quality}`, quality), size: times(size ?? ""), kilobits: kilobitsPerSecond }),
  "stream.camera_switched": ({ camera }) => term(`said.camera.${camera}`, t("said.camera.other", { camera })),
  "stream.torch_toggled": ({ light }) => term(`said.light.${light}`, light),
  "stream.interrupted": ({ reason }) => term(`said.interrupted.${reason}`, t("said.interrupted.disconnected")),
  "stream.resumed": ({ gapMilliseconds }) => (gapMilliseconds ? t("said.filming.on.after", { time: long(gapMilliseconds) }) : t("said.filming.on")),
  "stream.stopped": ({ reason, durationMilliseconds }) => t("said.stopped", { time: long(durationMilliseconds), reason: term(`said.stopped.${dashed(reason)}`, reason) }),
  "stream.finalized": () => t("said.finalized"),
  "stream.recording_failed": ({ text }) => t("said.unrecorded", { text }),
  "stream.viewed": ({ mode }) => term(`said.viewed.${mode}`, t("said.viewed.other", { mode })),
  "camera.set": ({ name, site }) => t("said.site-camera.set", { name, site }),
  "camera.standing_changed": ({ standing, cause }) => (cause ? t("said.site-camera.offline.why", { why: term(`said.site-camera.cause.${cause}`, cause) }) : term(`said.site-camera.${standing}`, standing)),
  "camera.minute_archived": () => t("said.site-camera.archived"),
  "camera.footage_expired": ({ cause }) => term(`said.site-camera.expired.${cause}`, cause),
  "incident.opened": ({ summary }, event) => (summary ? t("said.opened.about", { summary }) : t(isErased(event, "summary") ? "said.opened.erased" : "said.opened")),
  "incident.classified": ({ type, priority }) => t("said.classified", { type: term(`said.classified.${type}`, type.replaceAll("_", " ")), priority }),
  "incident.note_added": ({ text }) => (text === undefined ? t("said.noted.erased") : t("said.noted", { text })),
  "incident.footage_kept": ({ camera, from, until }) => t("said.footage", { camera, from: timeOfDay(Date.parse(from)), until: timeOfDay(Date.parse(until)) }),
  "incident.session_linked": ({ session, reason }, event) => t("said.linked", { session: short(session), incident: short(event.subject), reason: why(reason) }),
  "incident.session_unlinked": ({ session, reason }) => t("said.unlinked", { session: short(session), reason: why(reason) }),
  "incident.merged": ({ reason }, event) => t("said.merged", { incident: short(event.subject), reason: why(reason) }),
  "incident.unmerged": ({ reason }, event) => t("said.unmerged", { incident: short(event.subject), reason: why(reason) }),
  "incident.address_set": ({ address }) => (address === undefined ? t("said.address.erased") : t("said.address", { address })),
  "alert.queued": ({ template, severity }) => t("said.alert", { template: term(`said.alert.about.${template}`, template), severity: term(`said.alert.severity.${severity}`, severity) }),
  "alert.delivery_attempted": ({ channel, attempt }) => t("said.alert.tried", { channel: way(channel), attempt }),
  "alert.sent": ({ channel }) => t("said.alert.sent", { channel: way(channel) }),
  "alert.reported": ({ channel, outcome }) => t(`said.alert.reported.${outcome}`, { channel: way(channel) }),
  "alert.answered": ({ channel, answer, text }) => t(`said.alert.answer.${answer}`, { channel: way(channel), text: text ?? "…" }),
  "alert.failed": ({ channel, error }) => t("said.alert.failed", { channel: way(channel), error }),
  "call_out.opened": calledOut,
  "call_out.escalated": ({ step, people, cause }) => t(`said.call-out.step.${cause}`, { step, count: Number(people) }),
  "call_out.ended": ({ end }) => term(`said.call-out.ended.${end}`, end),
  "user.reach_set": () => t("said.reach.set"),
  "user.browser_set": () => t("said.reach.browser"),
  "rota.defined": () => t("said.rota.defined"),
  "chain.defined": () => t("said.chain.defined"),
  "report.submitted": ({ species, condition }) => t("said.report.submitted", { species: term(`rescue.species.${species}`, species.replaceAll("-", " ")), condition: term(`said.report.condition.${condition}`, condition) }),
  "report.status_changed": reportMoved,
  "report.assigned": ({ rule }) => t(`said.report.assigned.${rule}`),
  "report.photo_added": ({ width, height }) => t("said.report.photo", { width, height }),
  "report.update_added": ({ text }) => (text === undefined ? t("said.report.update.erased") : t("said.report.update", { text })),
  "report.joined": ({ into }) => t("said.report.joined", { report: short(into) }),
  "report.separated": () => t("said.report.separated"),
  "report.visibility_set": ({ of, isPublic }) => t(isPublic === "true" ? `said.report.shown.${of}` : `said.report.hidden.${of}`),
  "report.attached": ({ incident }) => t("said.report.attached", { incident: short(incident) }),
  "report.detached": () => t("said.report.detached"),
  "agency.defined": () => t("said.agency.defined"),
  "agency.members_set": () => t("said.agency.members"),
  "agency.place_shared": () => t("said.agency.place"),
  "webhook.set": () => t("said.webhook.set"),
  "webhook.delivered": () => t("said.webhook.delivered"),
  "webhook.failed": () => t("said.webhook.failed"),
  "patrol.checked_in": (says, event, name) => t("said.patrol.checked-in", { point: place(event.subject, name) }),
  "patrol.check_in_refused": ({ reason }) => (reason ? t("said.patrol.refused.why", { why: term(`said.patrol.refused.${reason}`, reason) }) : t("said.patrol.refused")),
  "round.started": ({ points }) => t("said.round.started", { count: Number(points) }),
  "round.point_reached": ({ point, standing }, event, name) => t(`said.round.reached.${standing}`, { point: place(point, name) }),
  "round.point_overdue": ({ point, guard, until }, event, name) => t("said.round.overdue", { point: place(point, name), name: name(guard), time: timeOfDay(Date.parse(until)) }),
  "round.point_missed": ({ point, guard, until }, event, name) => t("said.round.missed", { point: place(point, name), name: name(guard), time: timeOfDay(Date.parse(until)) }),
  "round.point_handled": handled,
  "round.finished": ({ reason, reached, missed, durationMilliseconds }) => t(`said.round.finished.${reason}`, { reached, missed, time: long(durationMilliseconds) }),
  "guard.alarm_raised": raised,
  "guard.alarm_answered": () => t("said.guard.answered"),
};

/** How far a report is; all outcomes are as far. */
const stages = ["submitted", "acknowledged", "heading_out", "on_scene"];
const stageOf = (status) => (stages.includes(status) ? stages.indexOf(status) : stages.length);

function reportMoved({ from, to, note }) {
  const words = moved(from, to);
  return note ? t("said.report.status.note", { words, note }) : words;
}

function moved(from, to) {
  if (from === undefined || stageOf(to) > stageOf(from)) return t(`said.report.status.${to}`);
  if (stageOf(from) === stages.length && to === "acknowledged") return t("said.report.reopened");
  return t("said.report.undone", { words: t(`said.report.status.${from}`) });
}

function calledOut({ chain, severity, text }, event) {
  const args = { chain, severity: term(`said.alert.severity.${severity}`, severity), text };
  if (text) return t("said.call-out.opened.text", args);
  return t(isErased(event, "text") ? "said.call-out.opened.erased" : "said.call-out.opened", args);
}

function handled({ point, sent, note }, event, name) {
  const args = { point: place(point, name), name: sent && name(sent), note };
  if (note) return t(sent ? "said.round.handled.both" : "said.round.handled.noted", args);
  if (sent) return t("said.round.handled.sent", args);
  return t("said.round.handled.erased", args);
}

function raised({ fix }, event) {
  const found = read(fix);
  if (found) return withAge(t("said.guard.raised.at", { place: coordinates(found) }), found, event);
  return t(isErased(event, "fix") ? "said.guard.raised.erased" : "said.guard.raised");
}

function created({ openedBy, phone, channel }, event) {
  if (openedBy === "caller") return t(phone ? "said.created.caller.from" : "said.created.caller", { channel: way(channel), phone });
  return t("said.created.operator", { phone: phone ?? t(isErased(event, "phone") ? "said.created.number.erased" : "said.created.number") });
}

function closed({ disposition, note }, event) {
  const outcome = outcomeWord(disposition);
  if (note) return t("said.closed.note", { outcome, note });
  return t(isErased(event, "note") ? "said.closed.note.erased" : "said.closed", { outcome });
}

function located({ fix, method }, event) {
  const found = read(fix);
  if (found?.latitude === undefined) return t(isErased(event, "fix") ? "said.place.erased" : "said.place.unreadable");
  const args = { place: coordinates(found) };
  const words = found.accuracyMetres === undefined ? t("said.place", args) : t("said.place.exact", { ...args, metres: numeral(Math.round(found.accuracyMetres)) });
  return withAge(method ? `${words} (${method})` : words, found, event);
}

/** A sentence of a place, and how old that was where it was not new. */
function withAge(words, fix, event) {
  const measured = measuredWords(fix, event.time);
  return measured ? `${words} – ${measured}` : words;
}

function inspected({ chunks, outcome, frames, undecodable }) {
  if (outcome !== "decoded") return t("said.pieces.none", { chunks, why: term(`said.pieces.none.${outcome}`, outcome) });
  const words = t("said.pieces", { chunks, count: Number(frames), frames: numeral(Number(frames)) });
  return Number(undecodable) ? `${words}, ${t("said.pieces.undecodable", { undecodable: numeral(Number(undecodable)) })}` : words;
}

/** How a contact ended, as the desk says it. @param {string} disposition */
export function outcomeWord(disposition) {
  return term(`outcome.${disposition}`, disposition);
}

/** Why a phone told no location. @param {string} reason */
export function lack(reason) {
  return term(`said.place.lacks.${reason}`, reason);
}

/** A patrol point by name, where the reader has it. */
function place(id, name) {
  const called = name(id);
  return called === id ? short(id) : called;
}

/** A word as a sentence begins. */
const begun = (word) => `${word[0].toUpperCase()}${word.slice(1)}`;
const way = (channel) => term(`said.channel.${channel}`, channel);
const why = (reason) => term(`said.linked.${dashed(reason)}`, reason);
const times = (size) => size.replace("x", " × ");
const long = (milliseconds) => exactSpan(Number(milliseconds));
/** A reason that a program of ours gave, as its key has it. */
const dashed = (reason) => String(reason).replaceAll(" ", "-");
const isOf = (event, user) => event.actor.endsWith(`/${user}`);

function isErased(event, name) {
  return event.erased?.includes(name) ?? false;
}

/** What an event of a kind without a sentence says, part by part. */
function rest(says) {
  const parts = Object.entries(says).map(([name, value]) => `${name} ${value}`);
  return parts.length ? ` – ${parts.join(", ")}` : "";
}

/** The last letters of an id, by which people tell two apart. */
export function short(id) {
  return `…${id.slice(-6)}`;
}
