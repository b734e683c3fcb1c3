// SPDX-License-Identifier: Apache-2.0
import { fill, h } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { site } from "../../../core/site.js";
import { fieldTime, now } from "../../../core/time.js";
import { ask, field } from "../../../dom/ask.js";
import { Ordered } from "../../../dom/ordered.js";
import { table } from "../../../dom/table.js";
import { handoversOf } from "../../../model/duty.js";
import { shiftCells, shiftColumns } from "../../duty/parts/on-duty.js";
import { NamedList } from "./named-list.js";

/** Who is on duty when: members take turns, from one handover to the next. */
export class Rotas {
  #desk;
  #list;

  /** @param {import("../page.js").Desk} desk */
  constructor(desk) {
    this.#desk = desk;
    this.#list = new NamedList(desk, { kind: "rotas", wordsOf: (name) => t(`set.rotas.${name}`), bodyOf: ({ members, timeZone, startsOn, handovers, everyDays }) => ({ members, timeZone, startsOn, handovers, everyDays }), draw: (items, buttons) => this.#table(items, buttons), edit: (rota) => this.#edit(rota) });
  }

  open() {
    return this.#list.open();
  }

  stop() {
    this.#list.stop();
  }

  #table(items, buttons) {
    const rows = items.map((rota) => [rota.name, h("ol", { class: "of-list" }, rota.members.map((user) => h("li", {}, this.#list.nameOf(user)))),
      h("span", {}, rota.handovers.join(", "), h("br"), h("span", { class: "soft small" }, t("set.rotas.days", { count: rota.everyDays }), ", ", rota.timeZone)), ...shiftCells(rota, (user) => this.#list.nameOf(user)), buttons(rota)]);
    return table(t("set.rotas"), [t("set.name"), t("set.rotas.members"), t("set.rotas.handovers"), ...shiftColumns(), ""], rows);
  }

  /** Asks for a rota, new or changed. @param {import("../../../model/duty.js").Rota | null} rota */
  #edit(rota) {
    const members = new Members(this.#list, rota?.members ?? []);
    return ask({
      title: rota ? t("set.change-of", { name: rota.name }) : t("set.rotas.add"), press: t("set.save"), isLong: true,
      fields: [this.#list.nameField(rota), members.element, field(t("set.rotas.handovers"), { name: "handovers", required: true, value: rota?.handovers.join(", ") ?? "08:00, 20:00" }, t("set.rotas.handovers.hint")),
        field(t("set.rotas.every-days"), { name: "everyDays", type: "number", min: 1, max: 56, required: true, value: rota?.everyDays ?? 1 }, t("set.rotas.every-days.hint")),
        field(t("set.rotas.starts-on"), { name: "startsOn", type: "date", required: true, value: rota?.startsOn ?? fieldTime(new Date(now())).slice(0, 10) }, t("set.rotas.starts-on.hint")), ...zoneField(rota?.timeZone)],
      act: async ({ name, handovers: text, everyDays, startsOn, timeZone }) => {
        const handovers = handoversOf(text);
        if (!handovers) throw new Error(t("set.rotas.handovers.wrong"));
        if (members.value.length === 0) throw new Error(t("set.rotas.members.none"));
        return this.#list.put(rota, name, { members: members.value, timeZone: timeZone.trim(), startsOn, handovers, everyDays: Number(everyDays) });
      },
    });
  }
}

/** The members of a rota in a form, in the order of their turns; somebody may have several. */
class Members {
  #list;
  #more;
  element;

  constructor(accounts, chosen) {
    this.#list = new Ordered(chosen.map((user) => ({ user })), { nameOf: ({ user }) => accounts.nameOf(user), after: () => this.#more });
    this.#more = h("select", { "aria-label": t("set.rotas.members.more") }, accounts.people.map(([user, words]) => h("option", { value: user }, words)));
    this.element = h("fieldset", { class: "picker stack" }, h("legend", {}, t("set.rotas.members")), this.#list.element,
      h("div", { class: "row" }, h("div", { class: "grow" }, this.#more), h("button", { type: "button", onclick: () => this.#more.value && this.#list.add({ user: this.#more.value }) }, t("set.add"))));
  }

  get value() {
    return this.#list.rows.map(({ user }) => user);
  }
}

/** The time zone by which the clock of handovers goes; the site's until somebody says another. @param {string | undefined} chosen */
function zoneField(chosen) {
  const known = Intl.supportedValuesOf?.("timeZone") ?? [];
  const zones = h("datalist", { id: "time-zones" });
  fill(zones, known.map((value) => h("option", { value })));
  return [field(t("set.rotas.zone"), { name: "timeZone", required: true, list: "time-zones", value: chosen ?? site.zone ?? "UTC" }), zones];
}
