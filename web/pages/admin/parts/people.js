// SPDX-License-Identifier: Apache-2.0
import { fill, h } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { limits } from "../../../core/limits.js";
import { ask, choice, field } from "../../../dom/ask.js";
import { moment, table } from "../../../dom/table.js";
import { told } from "../../../dom/told.js";
import { matching, roles, rolesToGive, standing } from "../../../model/people.js";

const looks = { disabled: "bad", temporary: "warn", good: "good" };

/** How an account stands, in a word. */
export const standingChip = (user) => h("span", { class: `chip ${looks[standing(user)]}` }, t(`admin.standing.${standing(user)}`));

/** The accounts, found by words and role; and a new one. */
export class People {
  #desk;
  #wanted;
  #users = [];
  #rows = h("div", { class: "stack" });

  /** @param {import("../page.js").Desk} desk @param {URLSearchParams} query */
  constructor(desk, query) {
    this.#desk = desk;
    this.#wanted = { find: query.get("find") ?? "", role: query.get("role") ?? "" };
  }

  async open() {
    this.#users = (await this.#desk.api.get("/v1/users")).items;
    const given = rolesToGive(this.#desk.me);
    const filter = h("form", { class: "card row find", role: "search", oninput: (event) => this.#find(event.currentTarget), onsubmit: (event) => event.preventDefault() },
      h("div", { class: "grow" }, field(t("admin.people.find"), { name: "find", type: "search", value: this.#wanted.find })),
      choice(t("admin.role"), "role", [["", t("admin.people.any-role")], ...roles.map((role) => [role, t(`role.${role}`)])], this.#wanted.role),
      given.length > 0 && h("button", { type: "button", class: "primary", onclick: () => this.#add(given) }, t("admin.people.add")));
    this.#show();
    return [filter, this.#rows];
  }

  #find(form) {
    this.#wanted = Object.fromEntries(new FormData(form));
    this.#desk.note(this.#wanted);
    this.#show();
  }

  #show() {
    const found = matching(this.#users, this.#wanted);
    const hasOthers = new Set(this.#users.map((user) => user.organisation)).size > 1;
    const columns = [t("admin.login"), t("admin.name"), t("admin.role"), ...(hasOthers ? [t("admin.organisation")] : []), t("admin.last-sign-in"), t("admin.state")];
    const rows = found.map((user) => [h("a", { href: `/admin/people?user=${encodeURIComponent(user.id)}` }, user.login), user.name ?? "–", t(`role.${user.role}`),
      ...(hasOthers ? [user.organisation] : []), moment(user.lastSignInAt), standingChip(user)]);
    fill(this.#rows, h("p", { class: "soft small", role: "status" }, t("admin.people.count", { count: found.length, all: this.#users.length })),
      rows.length ? table(t("admin.part.people"), columns, rows) : h("p", { class: "card empty" }, t("admin.people.none")));
  }

  async #add(given) {
    const user = await addSomebody(this.#desk, given);
    if (user) this.#desk.go("people", { user: user.id });
  }
}

/**
 * Makes an account, and tells its first password.
 * @param {import("../page.js").Desk} desk @param {string[]} given The roles to choose from.
 * @returns {Promise<import("../../../model/people.js").User | null>} `null` where it was left.
 */
export async function addSomebody({ api, me, done }, given) {
  const made = await ask({
    title: t("admin.people.add"), press: t("admin.people.make"), will: [t("admin.people.add.will")],
    fields: [field(t("admin.login"), { name: "login", required: true, maxlength: limits.loginCharacters }), field(t("admin.name"), { name: "name" }, t("admin.name.hint")),
      choice(t("admin.role"), "role", given.map((role) => [role, t(`role.${role}`)]), "operator"),
      me.role === "admin" && field(t("admin.organisation"), { name: "organisation", required: true, value: me.organisation })].filter(Boolean),
    act: (values) => api.post("/v1/users", Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.trim()]).filter(([, value]) => value))),
  });
  if (!made) return null;
  const { user, temporaryPassword } = made;
  done.add(t("admin.people.added", { login: user.login, role: t(`role.${user.role}`) }), temporaryPassword && told(t("admin.password.once", { login: user.login }), temporaryPassword));
  return user;
}
