// SPDX-License-Identifier: Apache-2.0
import { fill, h } from "../../../core/dom.js";
import { t, term } from "../../../core/i18n.js";
import { phoneText } from "../../../core/phone.js";
import { ask } from "../../../dom/ask.js";
import { table } from "../../../dom/table.js";
import { bodyOf, firstSteps, inUse, supervisors } from "../../../model/agency.js";
import { channelsOf, isAnyReached } from "./agency-members.js";

/** What an animal is called; one in somebody's own words stands as it is. @param {string} type */
export const animal = (type) => term(`set.agencies.type.${type}`, type);

/** Where a step is done that is not done here. */
const ledTo = { sender: "senders", supervisor: "people" };

/** The rescue agencies, and what is missing until one of them can get a report. */
export class Agencies {
  #desk;
  #rows = h("div", { class: "stack" });

  /** @param {import("../page.js").Desk} desk */
  constructor(desk) {
    this.#desk = desk;
  }

  async open() {
    await this.#read();
    return [h("div", { class: "card row find" }, h("p", { class: "grow" }, t("set.agencies.about")), h("a", { class: "button primary", href: "/admin/agencies?agency=new" }, t("set.agencies.add"))), this.#rows];
  }

  async #read() {
    const { api, me } = this.#desk;
    const [{ items }, { items: users }, channels] = await Promise.all([api.get("/v1/agencies"), api.get("/v1/users"), channelsOf(this.#desk)]);
    const agencies = inUse(items);
    const { steps, members } = firstSteps(agencies);
    const isHeard = await isAnyReached(this.#desk, members, channels);
    const isBacked = await isAnyReached(this.#desk, supervisors(users, me.organisation).map(({ id }) => id), channels);
    // What is not to be known is no step.
    const all = [...steps, { name: "way", isDone: isHeard }, { name: "sender", isDone: channels && channels.length > 0 }, { name: "supervisor", isDone: isBacked }].filter(({ isDone }) => isDone !== null);
    fill(this.#rows, all.some(({ isDone }) => !isDone) && this.#steps(all), agencies.length ? this.#table(agencies) : h("p", { class: "card empty" }, t("set.agencies.none")));
  }

  /** What is needed until the first report can come in. */
  #steps(steps) {
    return h("section", { class: "card stack padded", "aria-label": t("set.agencies.steps") }, h("h2", {}, t("set.agencies.steps")),
      h("ol", { class: "missing" }, steps.map(({ name, isDone }) => h("li", { class: "row" }, h("span", { class: `chip ${isDone ? "good" : "warn"}` }, t(isDone ? "admin.start.done" : "admin.start.open")), h("span", { class: "grow" }, t(`set.agencies.step.${name}`), ledTo[name] && [" ", h("a", { href: `/admin/${ledTo[name]}` }, t(`admin.part.${ledTo[name]}`))])))));
  }

  #table(agencies) {
    const rows = agencies.map((agency) => [
      h("span", {}, h("a", { href: addressOf(agency) }, agency.name), agency.phone && [h("br"), h("span", { class: "soft small" }, phoneText(agency.phone))]), standing(agency), String(agency.members.length),
      agency.types.length ? agency.types.map(animal).join(", ") : t("set.agencies.types.all"), where(agency), this.#buttons(agency)]);
    return table(t("admin.part.agencies"), [t("admin.name"), t("admin.state"), t("set.agencies.members"), t("set.agencies.types"), t("set.agencies.where"), ""], rows);
  }

  #buttons(agency) {
    const label = (words) => `${t(words)}: ${agency.name}`;
    return h("span", { class: "row" }, h("a", { class: "button", href: addressOf(agency), "aria-label": label("set.change") }, t("set.change")),
      h("button", { type: "button", class: "danger", "aria-label": label("set.retire"), onclick: () => this.#retire(agency) }, t("set.retire")));
  }

  async #retire(agency) {
    const { name } = agency;
    const retired = await ask({ title: t("set.retire-of", { name }), press: t("set.retire"), isForGood: true, will: [t("set.agencies.retiring")], act: () => this.#desk.api.put(`/v1/agencies/${agency.id}`, { ...bodyOf(agency), isRetired: true }) });
    if (retired) await this.#did(t("set.was-retired", { name }));
  }

  /** What was done is done, whether or not the list can be read. */
  async #did(words) {
    this.#desk.done.add(words);
    await this.#read().catch(() => this.#desk.again());
  }
}

const addressOf = ({ id }) => `/admin/agencies?agency=${encodeURIComponent(id)}`;

/** Whether an agency gets reports now. */
const standing = ({ takesReports }) => h("span", { class: `chip ${takesReports ? "good" : "warn"}` }, t(takesReports ? "set.agencies.is.on" : "set.agencies.is.off"));

/** By what reports find an agency. */
function where({ area, base }) {
  const words = [area && t("set.agencies.has-area", { count: area.coordinates.length }), base && t("set.agencies.has-base")].filter(Boolean);
  return words.length ? words.join(", ") : h("span", { class: "chip warn" }, t("set.agencies.nowhere"));
}
