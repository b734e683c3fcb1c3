// SPDX-License-Identifier: Apache-2.0
/**
 * Duty and call-outs: who may do what with one, when a rota hands over, and how what people type becomes the body of a request.
 *
 * @typedef {{user?: string, rota?: string, role?: string}} Target One of the three.
 * @typedef {{targets: Target[], waitSeconds: number}} Step
 * @typedef {{name: string, opensFor: string[], steps: Step[]}} Chain
 * @typedef {{name: string, members: string[], timeZone: string, startsOn: string, handovers: string[], everyDays: number, onDuty?: {user: string, from: string, until: string}, called?: string, next?: string}} Rota `onDuty` is whose shift it is, `called` who is called now: another one where that member is off duty.
 * @typedef {{id: string, chain: string, cause?: string, severity: "info" | "warning" | "critical", text?: string, openedAt: string, openedBy: string, state: "open" | "acknowledged" | "exhausted" | "cancelled" | "resolved",
 *   step: number, stepCount: number, nextAt?: string, people: string[], endedAt?: string, endedBy?: string}} CallOut
 */

import { roles } from "./people.js";

/** Those who open call-outs, and hurry or end them. */
const directors = new Set(["operator", "supervisor", "org-admin", "admin"]);
/** So far ahead somebody may be off duty. */
const offDutyMost = 30 * 24 * 3_600_000;

/** Whether somebody of a role may open a call-out, hurry it, and cancel it. @param {string} role */
export const mayDirect = (role) => directors.has(role);

/** Whether somebody may say that they have it. @param {{user: string, role: string}} me @param {CallOut} callOut */
export const mayHave = (me, callOut) => callOut.state === "open" && (callOut.people.includes(me.user) || mayDirect(me.role));

/** Open call-outs, the most urgent first, and of those the one that waits longest. @param {CallOut[]} items */
export function byUrgency(items) {
  const rank = { critical: 0, warning: 1, info: 2 };
  return [...items].sort((one, other) => rank[one.severity] - rank[other.severity] || Date.parse(one.openedAt) - Date.parse(other.openedAt));
}

/** When what is shown is old by itself, in milliseconds: a step or a shift ends. @param {(string | undefined)[]} moments @param {number} at */
export function dueAfter(moments, at) {
  return Math.min(...moments.map((moment) => Date.parse(moment ?? "")).filter((time) => time > at), Infinity);
}

/** The account of an actor, `operator/7` or `7`; `null` for the program itself. @param {string | undefined} actor */
export function userOf(actor) {
  const [role, id] = (actor ?? "").split("/");
  if (id === undefined) return role || null;
  return roles.includes(role) ? id : null;
}

/** What a call-out may be about, as an address names it; nothing else is taken. @param {string | null} text */
export const causeOf = (text) => (/^(?:session|incident)\/[0-9a-f-]{36}$/i.test(text ?? "") ? text : null);

// MARK: Ways

/** What is wrong with the end of an absence. @param {string} text Of the field; empty for none. @param {number} at @returns {"past" | "far" | null} */
export function offDutyFault(text, at) {
  if (!text) return null;
  const until = Date.parse(text);
  if (!(until > at)) return "past";
  return until - at > offDutyMost ? "far" : null;
}

/** The ways of somebody, as they are set: what is empty is left away. @param {{phone: string, email: string, language: string, offDutyUntil: string}} values */
export function reachOf({ phone, email, language, offDutyUntil }) {
  const given = { phone, email: email.trim(), offDutyUntil: offDutyUntil && new Date(offDutyUntil).toISOString() };
  return { language, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value)) };
}

// MARK: Rotas and chains

/** Times of day as people write them, `8, 20:00`, in order and each once. @param {string} text @returns {string[] | null} `null` where one is none, or there is none. */
export function handoversOf(text) {
  const found = text.split(/[\s,;]+/).filter(Boolean).map((one) => /^([01]?\d|2[0-3])(?:[:.]([0-5]\d))?$/.exec(one));
  if (found.length === 0 || found.includes(null)) return null;
  return [...new Set(found.map(([, hour, minute = "00"]) => `${hour.padStart(2, "0")}:${minute}`))].sort();
}

/** A target as a field has it: `user/7`, `rota/north`, `role/supervisor`. @param {Target} target */
export function targetText(target) {
  const [kind, name] = Object.entries(target)[0];
  return `${kind}/${name}`;
}

/** The same read back. @param {string} text @returns {Target} */
export function targetOf(text) {
  const slash = text.indexOf("/");
  return { [text.slice(0, slash)]: text.slice(slash + 1) };
}

/** What is wrong with the steps of a chain. @param {Step[]} steps @returns {"none" | "empty" | null} */
export function stepsFault(steps) {
  if (steps.length === 0) return "none";
  return steps.some(({ targets }) => targets.length === 0) ? "empty" : null;
}
