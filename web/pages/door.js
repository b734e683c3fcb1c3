// SPDX-License-Identifier: Apache-2.0
import { Problem } from "../core/api.js";
import { fill, find, h, holdBack } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { limits } from "../core/limits.js";
import { site } from "../core/site.js";
import "../core/staff-words.js";
import { pressed } from "../dom/busy.js";

/**
 * Lets those in whom a page is for: asks who is there, and for login and password where nobody is signed in. It answers once, when somebody is.
 * @param {import("../core/api.js").API} api
 * @param {Element} place Where it is asked.
 * @param {{roles: string[], purpose: string}} page Whom it is for, and what, in words: "replay incidents".
 * @param {{me: any, forget: () => void} | null} [kept] Who was there last in this tab, for a page that shows without a network what it read then.
 * @returns {Promise<{user: string, login: string, role: string}>}
 */
export async function admitted(api, place, page, kept = null) {
  const known = await whoIsThere(api, place, kept?.me);
  if (known && fits(known, page)) return known;
  kept?.forget();
  return new Promise((resolve) => new Door(api, place, page, resolve).ask(known ? misfit(known, page) : ""));
}

function fits(me, { roles }) {
  return roles.includes(me.role) && !me.mustChangePassword;
}

function misfit(me, { purpose }) {
  return me.mustChangePassword ? t("door.temporary") : t("door.misfit", { login: me.login, role: t(`role.${me.role}`), purpose });
}

/** @param {any} last Who was there last, where that has to do without a network. @returns {Promise<any>} `null` where nobody is signed in. */
async function whoIsThere(api, place, last) {
  for (;;) {
    try {
      return await api.get("/v1/me", { isLevel: false });
    } catch (error) {
      if (error instanceof Problem && error.status < 500 && error.status !== 429) return null;
      if (last) return last;
      await new Promise((resolve) => fill(place, h("div", { class: "card stack door" }, h("p", { class: "notice bad", role: "alert" }, error.message), h("button", { type: "button", onclick: resolve }, t("page.try-again")))));
    }
  }
}

class Door {
  #api;
  #place;
  #page;
  #admit;
  #fault = h("p", { class: "notice bad", role: "alert", hidden: true });

  constructor(api, place, page, admit) {
    this.#api = api;
    this.#place = place;
    this.#page = page;
    this.#admit = admit;
  }

  ask(fault) {
    const field = (label, attributes) => h("label", {}, label, h("input", { required: true, ...attributes }));
    this.#show(t("door.sign-in"), fault, [
      field(t("door.login"), { name: "login", autocomplete: "username" }), field(t("door.password"), { name: "password", type: "password", autocomplete: "current-password" }),
      h("button", { class: "primary" }, t("door.sign-in")), h("p", { class: "small soft" }, t("door.recorded")),
      site.isDemo && h("p", {}, h("a", { href: "/demo" }, t("front.demo"))),
    ], (values) => this.#signIn(values));
  }

  #askForOwn(login, old) {
    const field = (label, name) => h("label", {}, label, h("input", { name, type: "password", autocomplete: "new-password", minlength: limits.passwordCharactersLeast, required: true }));
    this.#show(t("door.choose"), "", [
      h("p", {}, t("door.choose.why")), field(t("door.new"), "chosen"), field(t("door.again"), "again"),
      h("button", { class: "primary" }, t("door.go-on")),
    ], ({ chosen, again }) => this.#choose(login, old, chosen, again));
  }

  #show(title, fault, content, act) {
    const form = h("form", { class: "card stack door", method: "post", onsubmit: pressed((event) => this.#submit(event, act)) }, h("h1", {}, title), this.#fault, content);
    this.#tell(fault);
    fill(this.#place, form);
    find("input", form).focus();
  }

  #tell(words) {
    this.#fault.textContent = words;
    this.#fault.hidden = !words;
  }

  async #submit(event, act) {
    event.preventDefault();
    const form = event.target;
    try {
      await act(Object.fromEntries(new FormData(form)));
    } catch (error) {
      this.#tell(error.message);
      find("[type=password]", form).select();
      if (error.members?.retryAfterSeconds) holdBack(find("button", form), error.members.retryAfterSeconds);
    }
  }

  async #signIn({ login, password }) {
    const { user } = await this.#api.post("/v1/auth/login", { login, password }, { tries: 1 });
    if (user.mustChangePassword) return this.#askForOwn(login, password);
    if (!fits(user, this.#page)) return this.#tell(misfit(user, this.#page));
    this.#admit(user);
  }

  async #choose(login, old, chosen, again) {
    if (chosen !== again) return this.#tell(t("door.differ"));
    await this.#api.post("/v1/auth/password", { old, new: chosen }, { tries: 1 });
    await this.#signIn({ login, password: chosen });
  }
}
