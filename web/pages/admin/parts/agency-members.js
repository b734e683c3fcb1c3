// SPDX-License-Identifier: Apache-2.0
import { fill, h } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { Picker } from "../../../dom/picker.js";
import { changeWays } from "../../../dom/ways.js";
import { candidates, channelsOn, hearing } from "../../../model/agency.js";

/** Who may read and set how somebody else is reached. */
const seesWays = new Set(["org-admin", "admin"]);

/** The members of an agency in a form, and of each whether anything reaches them. */
export class AgencyMembers {
  #desk;
  #names;
  #channels;
  #picker;
  /** What was read of each; reading it is recorded, so it is read once. @type {Map<string, Promise<any>>} */
  #ways = new Map();
  #reached = h("ul", { class: "stack reached", "aria-live": "polite" });
  element;

  /** @param {import("../page.js").Desk} desk @param {import("../../../model/people.js").User[]} users @param {string[]} members @param {string[] | null} channels As `channelsOf` reads them. */
  constructor(desk, users, members, channels) {
    [this.#desk, this.#channels] = [desk, channels];
    this.#names = new Map(users.map(({ id, name, login, role }) => [id, t("page.person", { name: name ?? login, role: t(`role.${role}`) })]));
    const mine = candidates(users, desk.me.organisation);
    // Who is a member and could not become one any more stays to be seen, and to be taken out.
    const others = users.filter(({ id }) => members.includes(id) && !mine.some((one) => one.id === id));
    this.#picker = new Picker(t("set.agencies.members"), [...mine, ...others].map(({ id }) => [id, this.#names.get(id)]), members, () => this.#tell());
    this.element = h("section", { class: "card stack padded", "aria-label": t("set.agencies.members") }, h("p", {}, t("set.agencies.members.about"), " ", h("a", { href: "/duty" }, t("set.agencies.members.duty")), " ", h("a", { href: "/admin/people" }, t("set.agencies.members.people"))),
      mine.length === 0 && h("p", { class: "notice warn" }, t("set.agencies.members.nobody")), this.#picker.element, this.#reached);
    this.#tell();
  }

  get value() {
    return this.#picker.value;
  }

  #tell() {
    if (seesWays.has(this.#desk.me.role)) fill(this.#reached, this.value.map((user) => this.#row(user)));
  }

  #row(user) {
    const state = h("span", {}, t("page.reading"));
    const name = this.#names.get(user) ?? user;
    this.#waysOf(user).then((ways) => {
      const { isReached, waits } = hearing(ways, this.#channels);
      if (isReached) return void fill(state, h("span", { class: "chip good" }, t("set.agencies.reached")), ways.offDutyUntil && [" ", h("span", { class: "chip warn" }, t("set.agencies.off-duty"))]);
      fill(state, h("span", { class: "row" }, (waits.length ? waits.map((channel) => t(`set.agencies.waits.${channel}`)) : [t("set.agencies.unreached")]).map((words) => h("span", { class: "chip warn" }, words))));
      row.append(h("button", { type: "button", "aria-label": `${t("set.reach")}: ${name}`, onclick: () => this.#setWays(user, name) }, t("set.reach")));
    }, (error) => fill(state, h("span", { class: "soft" }, error.message)));
    const row = h("li", { class: "row" }, h("span", { class: "grow" }, name), state);
    return row;
  }

  #waysOf(user) {
    if (!this.#ways.has(user)) this.#ways.set(user, this.#desk.api.get(pathOf(user)));
    return this.#ways.get(user);
  }

  async #setWays(user, name) {
    if (!(await changeWays(this.#desk.api, pathOf(user), t("set.reach-of", { login: name })))) return;
    this.#desk.done.add(t("set.reach.was-set", { login: name }));
    this.#ways.delete(user);
    this.#tell();
  }
}

const pathOf = (user) => `/v1/users/${encodeURIComponent(user)}/reach`;

/** By which channels messages leave, as far as somebody may know. @param {import("../page.js").Desk} desk @returns {Promise<string[] | null>} */
export async function channelsOf({ api, me }) {
  if (me.role !== "admin") return null;
  try {
    return channelsOn((await api.get("/v1/senders")).items);
  } catch {
    return null;
  }
}

/**
 * Whether one of some people is reached by any way, as far as somebody may know; reading ends at the first.
 * @param {import("../page.js").Desk} desk @param {string[]} users @param {string[] | null} channels @returns {Promise<boolean | null>} `null` where it is not to be known.
 */
export async function isAnyReached({ api, me }, users, channels) {
  if (!seesWays.has(me.role)) return null;
  for (const user of users) {
    try {
      if (hearing(await api.get(pathOf(user)), channels).isReached) return true;
    } catch {
      return null;
    }
  }
  return false;
}
