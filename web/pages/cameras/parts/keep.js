// SPDX-License-Identifier: Apache-2.0
import { h, toast } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { fieldDay, hourOf, momentOf, now, timeOfDay } from "../../../core/time.js";
import { ask, choice, field } from "../../../dom/ask.js";
import { peopleOf } from "../../../dom/people.js";
import { titleOf } from "../../../model/cameras.js";
import { keptFault, keptMost, keptSpan } from "../../../model/footage.js";
import { isOpenIncident, nameOfIncident } from "../../../model/rescue.js";

/** So many incidents can be chosen from, the newest. */
const incidentsMost = 100;
/** And a guard's alarm that somebody took up in so many hours. */
const alarmHours = 24;
const keepers = new Set(["operator", "supervisor"]);

/**
 * What somebody may write about, for who supervises all: incidents in which they have a session, and guards' alarms that they took up.
 * @param {any[]} incidents @param {any[]} alarms @param {{user: string, role: string}} me @param {(user: string) => string} nameOf
 * @returns {{id: string, name: string, since: string}[]}
 */
export function openTo(incidents, alarms, me, nameOf) {
  const isTheirs = (user) => me.role === "supervisor" || user === me.user;
  const open = incidents.filter((one) => isOpenIncident(one) && one.sessions.some(({ owner }) => isTheirs(owner))).map((one) => ({ id: one.id, name: nameOfIncident(one), since: one.sessions[0].createdAt }));
  const taken = alarms.filter(({ incident, answeredBy }) => incident && isTheirs(answeredBy) && !open.some(({ id }) => id === incident));
  return [...open, ...taken.map(({ incident, guardID, since }) => ({ id: incident, name: alarmOf(guardID, nameOf(guardID)), since }))];
}

/** Operators are not told what guards are called. */
const alarmOf = (guard, name) => (name === guard ? t("wall.keep.alarm") : t("wall.keep.alarm.of", { name }));

/** Who may keep footage for an incident. @param {{role: string}} me */
export const mayKeep = (me) => keepers.has(me.role);

/**
 * Asks for which incident a camera's footage around a moment is kept, and from when until when, and keeps it.
 * @param {import("../../../core/api.js").API} api @param {{user: string, role: string}} me @param {import("../../../model/cameras.js").Camera} camera @param {number} at In milliseconds.
 */
export async function keep(api, me, camera, at) {
  let incidents;
  try {
    const lists = [`/v1/incidents?limit=${incidentsMost}`, `/v1/guard-alarms?taken=${alarmHours}`].map((path) => api.get(path));
    const [found, alarms, people] = await Promise.all([...lists, peopleOf(api, me.role)]);
    incidents = openTo(found.items, alarms.items, me, people.nameOf);
  } catch (error) {
    return void toast(error.message, "bad");
  }
  if (incidents.length === 0) return void toast(t("wall.keep.none-open"), "warn");
  const { from, until } = keptSpan(at, now());
  const choices = incidents.map(({ id, name, since }) => /** @type {[string, string]} */ ([id, t("wall.keep.option", { incident: name, time: hourOf(new Date(since)) })]));
  const kept = await ask({
    title: t("wall.keep.ask", { camera: titleOf(camera) }), will: [t("wall.keep.will")], press: t("wall.keep.press"),
    fields: [choice(t("wall.keep.which"), "incident", choices), moment("from", from), moment("until", until)],
    act: async ({ incident, ...fields }) => {
      const span = { from: momentIn(fields, "from"), until: momentIn(fields, "until") };
      const fault = keptFault(span, now());
      if (fault) throw new Error(t(`wall.keep.fault.${fault}`, { hours: keptMost / 3_600_000 }));
      await api.post(`/v1/incidents/${incident}/footage`, { camera: camera.id, from: new Date(span.from).toISOString(), until: new Date(span.until).toISOString() });
      return { ...span, incident: incidents.find(({ id }) => id === incident) };
    },
  });
  if (kept) toast(t("wall.keep.kept", { camera: titleOf(camera), from: timeOfDay(new Date(kept.from)), until: timeOfDay(new Date(kept.until)), incident: kept.incident.name }), "good");
}

/** Day and time of a moment, by the site's clock. */
function moment(name, at) {
  return h("div", { class: "kept-moment" }, field(t(`wall.keep.${name}`), { name: `${name}Day`, type: "date", value: fieldDay(at), required: true }),
    field(t(`wall.keep.${name}-time`), { name: `${name}Time`, type: "time", step: 1, value: timeOfDay(new Date(at)), required: true }));
}

const momentIn = (fields, name) => momentOf(fields[`${name}Day`], fields[`${name}Time`]);
