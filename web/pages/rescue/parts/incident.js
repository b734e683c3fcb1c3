// SPDX-License-Identifier: Apache-2.0
import { h, refill, toast } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { hourOf } from "../../../core/time.js";
import { ask, choice } from "../../../dom/ask.js";
import { pressed } from "../../../dom/busy.js";
import { isDesk, isOpenIncident, nameOfIncident } from "../../../model/rescue.js";

/** So many incidents can be chosen from, the newest. */
const incidentsMost = 100;
/** Whose page the console is. */
const ofConsole = ["operator", "supervisor"];

/** To which incident of the centre a report belongs, for the desk, and the way to what happened to it. */
export class IncidentPart {
  #desk;
  /** What incidents are called, by id, as far as they were read. */
  #known = new Map();
  element = h("div", { class: "stack" });

  /** @param {import("../page.js").Desk} desk */
  constructor(desk) {
    this.#desk = desk;
  }

  /** @param {import("../../../model/rescue.js").Report} report */
  show({ id, incident }) {
    if (!isDesk(this.#desk.me)) return;
    if (incident && !this.#known.has(incident)) this.#read(incident);
    refill(this.element, [id, incident, incident && this.#known.get(incident)], () => [
      h("p", {}, incident ? t("rescue.incident.of", { incident: this.#known.get(incident)?.name ?? incident }) : t("rescue.incident.of-none")),
      h("div", { class: "row ways" }, incident ? this.#acts(id, incident) : h("button", { type: "button", dataset: { key: "incident" }, onclick: pressed(() => this.#choose(id)) }, t("rescue.incident.choose")),
        h("a", { class: "button", href: `/replay/${id}` }, t("rescue.timeline"))),
    ]);
  }

  #acts(id, incident) {
    const { api, command, me } = this.#desk;
    const session = this.#known.get(incident)?.session;
    return [session && ofConsole.includes(me.role) && h("a", { class: "button", href: `/console?session=${session}` }, t("rescue.incident.console")),
      h("a", { class: "button", href: `/replay/${incident}` }, t("rescue.incident.timeline")),
      h("button", { type: "button", dataset: { key: "incident" }, onclick: pressed(() => command(() => api.delete(`/v1/reports/${id}/incident`))) }, t("rescue.incident.end"))];
  }

  async #read(id) {
    this.#known.set(id, null);
    try {
      const incident = await this.#desk.api.get(`/v1/incidents/${id}`);
      this.#known.set(id, { name: nameOfIncident(incident), session: incident.sessions[incident.sessions.length - 1]?.id });
      this.#desk.show();
    } catch {
      // Its id has to do, until the report is opened again.
    }
  }

  async #choose(id) {
    const { api, refresh } = this.#desk;
    let open;
    try {
      open = (await api.get(`/v1/incidents?limit=${incidentsMost}`)).items.filter(isOpenIncident);
    } catch (error) {
      return void toast(error.message, "bad");
    }
    if (open.length === 0) return void toast(t("rescue.incident.none-open"), "warn");
    const all = open.map((one) => /** @type {[string, string]} */ ([one.id, t("rescue.incident.option", { incident: nameOfIncident(one), time: hourOf(new Date(one.sessions[0].createdAt)) })]));
    const done = await ask({
      title: t("rescue.incident.ask"), will: [t("rescue.incident.will")], press: t("rescue.incident.press"), fields: [choice(t("rescue.incident.which"), "incident", all)],
      act: ({ incident }) => api.put(`/v1/reports/${id}/incident`, { incident }),
    });
    if (done) await refresh();
  }
}
