// SPDX-License-Identifier: Apache-2.0
import { all } from "../../../core/api.js";
import { fill, h, toast } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { now } from "../../../core/time.js";
import { ask, choice, field } from "../../../dom/ask.js";
import { busy } from "../../../dom/busy.js";
import { facts, moment, table } from "../../../dom/table.js";
import { told } from "../../../dom/told.js";
import { changeWays } from "../../../dom/ways.js";
import { goodTokens, isCalled, isLastAdmin, mayChange, rolesToGive } from "../../../model/people.js";
import { standingChip } from "./people.js";

/** So many the gateway tells, the newest; it has no further page. */
const signInsMost = 200;

/** One account: what it is, what may be done with it, its tokens, and when its user came and went. */
export class Person {
  #desk;
  #id;
  #users = [];
  #user;
  #path;

  /** @param {import("../page.js").Desk} desk @param {URLSearchParams} query */
  constructor(desk, query) {
    this.#desk = desk;
    this.#id = query.get("user") ?? "";
    this.#path = `/v1/users/${encodeURIComponent(this.#id)}`;
  }

  async open() {
    const { api, me } = this.#desk;
    this.#users = (await api.get("/v1/users")).items;
    this.#user = this.#users.find((user) => user.id === this.#id);
    const back = h("p", {}, h("a", { href: "/admin/people" }, `‹ ${t("admin.people.all")}`));
    if (!this.#user) return [back, h("p", { class: "card empty" }, t("admin.person.none"))];
    const user = this.#user;
    const head = h("section", { class: "card stack padded" }, h("div", { class: "row" }, h("h2", { class: "grow" }, user.name ? `${user.name} (${user.login})` : user.login), standingChip(user)),
      facts([[t("admin.role"), t(`role.${user.role}`)], [t("admin.organisation"), user.organisation], [t("admin.user-id"), h("code", {}, user.id)], [t("admin.made"), moment(user.createdAt)],
        [t("admin.last-sign-in"), moment(user.lastSignInAt)]]));
    if (!mayChange(me, user)) return [back, head, h("p", { class: "notice" }, t("admin.person.not-yours"))];
    head.append(this.#acts());
    return [back, head, await this.#tokens(), this.#signIns()];
  }

  #acts() {
    const user = this.#user;
    const button = (words, act, kind = "") => h("button", { type: "button", class: kind, onclick: (event) => act.call(this, event.currentTarget).catch((error) => toast(error.message, "bad")) }, words);
    return h("div", { class: "row" },
      button(t("admin.person.role"), this.#changeRole), button(t("admin.person.reset"), this.#reset), isCalled(user) && button(t("set.reach"), this.#setWays),
      user.disabled ? button(t("admin.person.enable"), this.#enable) : button(t("admin.person.disable"), this.#disable, "danger"),
      user.person && h("a", { class: "button", href: `/admin/erasure?person=${user.person}` }, t("admin.person.forget")));
  }

  /** What signing somebody out ends, in numbers. @returns {Promise<string[]>} */
  async #signingOut(button) {
    const { api } = this.#desk;
    const asked = Promise.all([all(api, `/v1/sessions?owner=${encodeURIComponent(this.#id)}&state=open&limit=1000`, { cursor: "before" }), api.get(`${this.#path}/tokens`)]);
    const [open, tokens] = await busy(button, asked);
    return [t("admin.will.tokens", { count: goodTokens(tokens.items, now()).length, login: this.#user.login }), t("admin.will.sessions", { count: open.items.length })];
  }

  async #changeRole(button) {
    const { api, me } = this.#desk;
    const user = this.#user;
    const asked = t("admin.person.role-of", { login: user.login });
    const changed = await ask({
      title: asked, press: t("admin.person.role"), isForGood: true, will: [...this.#lastAdmin(), ...(await this.#signingOut(button))],
      fields: [choice(t("admin.role"), "role", rolesToGive(me).filter((role) => role !== user.role).map((role) => [role, t(`role.${role}`)])), this.#reason()],
      act: ({ role, reason }) => api.post(this.#path, { role, reason }, { method: "PATCH" }),
    });
    if (changed) this.#did(t("admin.person.role-changed", { login: user.login, before: t(`role.${user.role}`), after: t(`role.${changed.role}`) }));
  }

  async #setWays() {
    const { login } = this.#user;
    if (await changeWays(this.#desk.api, `${this.#path}/reach`, t("set.reach-of", { login }))) this.#did(t("set.reach.was-set", { login }));
  }

  async #disable(button) {
    await this.#setDisabled(true, [...this.#lastAdmin(), t("admin.will.disable", { login: this.#user.login }), ...(await this.#signingOut(button))]);
  }

  async #enable() {
    await this.#setDisabled(false, [t("admin.will.enable", { login: this.#user.login })]);
  }

  async #setDisabled(disabled, will) {
    const { api } = this.#desk;
    const { login } = this.#user;
    const act = disabled ? "disable" : "enable";
    const changed = await ask({
      title: t(`admin.person.${act}-of`, { login }), press: t(`admin.person.${act}`), isForGood: disabled, will, fields: [this.#reason()],
      act: ({ reason }) => api.post(this.#path, { disabled, reason }, { method: "PATCH" }),
    });
    if (changed) this.#did(t(`admin.person.${act}d`, { login }));
  }

  async #reset(button) {
    const { api } = this.#desk;
    const { login } = this.#user;
    const reset = await ask({
      title: t("admin.person.reset-of", { login }), press: t("admin.person.reset"), isForGood: true, will: [t("admin.will.reset"), ...(await this.#signingOut(button))],
      // What is told once is not asked for twice: the second would end the first.
      act: () => api.post(`${this.#path}/password`, {}, { tries: 1 }),
    });
    if (reset) this.#did(t("admin.person.was-reset", { login }), told(t("admin.password.once", { login }), reset.temporaryPassword));
  }

  #lastAdmin() {
    return isLastAdmin(this.#users, this.#user) ? [t("admin.person.last-admin")] : [];
  }

  #reason() {
    return field(t("admin.reason"), { name: "reason", required: true }, t("admin.reason.hint"));
  }

  #did(words, more) {
    this.#desk.done.add(words, more);
    this.#desk.again();
  }

  // MARK: Tokens

  async #tokens() {
    const { items } = await this.#desk.api.get(`${this.#path}/tokens`);
    const good = goodTokens(items, now());
    const rows = good.map((token) => [h("code", {}, token.id.slice(0, 12)), moment(token.createdAt), moment(token.lastUsedAt), moment(token.expires),
      h("button", { type: "button", onclick: () => this.#revoke(token) }, t("admin.token.revoke"))]);
    return h("section", { class: "stack" }, h("h2", {}, t("admin.tokens")), h("p", { class: "soft small" }, t("admin.tokens.about")),
      rows.length ? table(t("admin.tokens"), [t("admin.token"), t("admin.made"), t("admin.used"), t("admin.expires"), ""], rows) : h("p", { class: "card empty" }, t("admin.tokens.none")));
  }

  async #revoke(token) {
    const { api } = this.#desk;
    const { login } = this.#user;
    const revoked = await ask({
      title: t("admin.token.revoke-of", { login }), press: t("admin.token.revoke"), isForGood: true, will: [t("admin.will.token")],
      act: () => api.delete(`${this.#path}/tokens/${encodeURIComponent(token.id)}`),
    });
    if (revoked) this.#did(t("admin.token.revoked", { login }));
  }

  // MARK: Coming and going

  /** Reading somebody else's is recorded, so it is read when somebody wants to. */
  #signIns() {
    const place = h("div", { class: "stack" });
    const read = h("button", { type: "button", onclick: () => busy(read, this.#readSignIns(place)) }, t("admin.sign-ins.show"));
    fill(place, h("p", { class: "soft small" }, t("admin.sign-ins.about")), h("p", {}, read));
    return h("section", { class: "stack" }, h("h2", {}, t("admin.sign-ins")), place);
  }

  async #readSignIns(place) {
    try {
      const { items } = await this.#desk.api.get(`${this.#path}/sign-ins?limit=${signInsMost}`);
      const rows = items.map((one) => [moment(one.at), t(`admin.sign-ins.${one.what}`), one.how, one.address ?? "–"]);
      fill(place, rows.length === signInsMost && h("p", { class: "soft small" }, t("admin.sign-ins.newest", { count: signInsMost })),
        rows.length ? table(t("admin.sign-ins"), [t("admin.when"), t("admin.what"), t("admin.how"), t("admin.from")], rows) : h("p", { class: "card empty" }, t("admin.sign-ins.none")));
    } catch (error) {
      place.append(h("p", { class: "notice bad", role: "alert" }, error.message));
    }
  }
}
