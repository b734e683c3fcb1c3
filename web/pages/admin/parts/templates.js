// SPDX-License-Identifier: Apache-2.0
import { fill, h } from "../../../core/dom.js";
import { t, term } from "../../../core/i18n.js";
import { ask, choice, field } from "../../../dom/ask.js";

const languages = ["en", "de"];
/** After so long without a key what is written is shown as it would go out. */
const previewMilliseconds = 300;

/** What messages say: by purpose and language, the program's words or the centre's own. */
export class Templates {
  #desk;
  #language;
  #rows = h("div", { class: "stack" });

  /** @param {import("../page.js").Desk} desk @param {URLSearchParams} query */
  constructor(desk, query) {
    this.#desk = desk;
    this.#language = languages.includes(query.get("language") ?? "") ? query.get("language") : document.documentElement.lang.slice(0, 2) || "en";
  }

  async open() {
    const chosen = choice(t("admin.templates.language"), "language", languages.map((one) => [one, t(`admin.templates.language.${one}`)]), this.#language, { onchange: ({ target }) => this.#turn(target.value) });
    await this.#show();
    return [h("div", { class: "card row find" }, h("p", { class: "grow" }, t("admin.templates.about")), chosen, h("button", { type: "button", class: "primary", onclick: () => this.#write(null) }, t("admin.templates.add"))), this.#rows];
  }

  #turn(language) {
    this.#language = language;
    this.#desk.note({ language });
    this.#show().catch((error) => fill(this.#rows, h("p", { class: "notice bad", role: "alert" }, error.message)));
  }

  async #show() {
    const { items } = await this.#desk.api.get("/v1/templates");
    const ofLanguage = items.filter(({ language }) => language === this.#language).sort((first, second) => first.name.localeCompare(second.name, "en", { numeric: true }));
    fill(this.#rows, ofLanguage.map((one) => h("section", { class: "card stack padded", "aria-label": purpose(one.name) },
      h("div", { class: "row" }, h("h2", {}, purpose(one.name)), h("span", { class: `chip ${one.isBuiltIn ? "" : "accent"}` }, t(one.isBuiltIn ? "admin.templates.built-in" : "admin.templates.own"))),
      one.subject && h("p", {}, h("strong", {}, one.subject)), h("p", { class: "wording", lang: one.language }, one.text),
      h("div", { class: "row" }, h("button", { type: "button", onclick: () => this.#write(one) }, t("admin.templates.change")), !one.isBuiltIn && h("button", { type: "button", class: "danger", onclick: () => this.#giveUp(one) }, t("admin.templates.give-up"))))));
  }

  /** @param {any} template `null` for a new one. */
  async #write(template) {
    const { api, done } = this.#desk;
    const variables = template ? template.variables : ["centre", "words", "urgent"];
    const name = template ? h("input", { type: "hidden", name: "name", value: template.name }) : field(t("admin.templates.name"), { name: "name", required: true, pattern: "[a-z0-9\\-]{1,40}" }, t("admin.templates.name.hint"));
    const text = h("textarea", { name: "text", rows: "5", required: true, lang: this.#language, value: "" }, template?.text ?? "{urgent}{words}\n{centre}");
    const seen = h("div", { class: "stack", "aria-live": "polite" });
    const isMail = template?.name !== "link" && template?.name !== "code" && !template?.name.startsWith("instruction-");
    const subject = field(t("admin.templates.subject"), { name: "subject", value: template?.subject ?? "" });
    let timer = 0;
    const look = () => {
      clearTimeout(timer);
      timer = setTimeout(() => this.#preview(seen, template?.name ?? "alert", isMail ? subject.querySelector("input").value : "", text.value), previewMilliseconds);
    };
    text.addEventListener("input", look);
    subject.addEventListener("input", look);
    look();
    const was = await ask({
      title: template ? purpose(template.name) : t("admin.templates.add"), press: t("admin.senders.save"), isLong: true,
      will: variables.length > 0 ? [t("admin.templates.variables", { variables: variables.map((one) => `{${one}}`).join(", ") })] : [],
      fields: [name, ...(isMail ? [subject] : []), h("label", {}, t("admin.templates.text"), text), seen],
      act: async ({ name: called, subject: line, text: words }) => {
        await api.put(`/v1/templates/${called.trim()}/${this.#language}`, { text: words, ...(line?.trim() ? { subject: line.trim() } : {}) });
        return called.trim();
      },
    });
    clearTimeout(timer);
    if (!was) return;
    done.add(t("admin.templates.was-written", { name: purpose(was) }));
    await this.#show();
  }

  /** What it would say, with values as they may be, and how many messages an SMS of it takes. */
  async #preview(place, name, subject, text) {
    try {
      const query = Object.entries({ name, text, ...(subject ? { subject } : {}) }).map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join("&");
      const seen = await this.#desk.api.get(`/v1/templates/preview?${query}`, { isLevel: false });
      fill(place, h("p", { class: "small soft" }, t("admin.templates.preview")), !name.startsWith("instruction-") && h("p", {}, h("strong", {}, seen.subject)), h("p", { class: "wording" }, seen.text),
        !name.startsWith("instruction-") && h("p", {}, h("span", { class: `chip ${seen.isCut ? "bad" : seen.parts > 1 ? "warn" : "good"}` }, t(seen.isCut ? "admin.templates.cut" : "admin.templates.parts", { count: seen.parts })), seen.isUnicode && ` ${t("admin.templates.unicode")}`));
    } catch (error) {
      fill(place, h("p", { class: "notice warn" }, error.message));
    }
  }

  async #giveUp(template) {
    const { api, done } = this.#desk;
    const was = await ask({
      title: t("admin.templates.give-up-of", { name: purpose(template.name) }), press: t("admin.templates.give-up"), will: [t("admin.templates.give-up.will")],
      act: () => api.put(`/v1/templates/${template.name}/${template.language}`, {}),
    });
    if (!was) return;
    done.add(t("admin.templates.was-given-up", { name: purpose(template.name) }));
    await this.#show();
  }
}

const purpose = (name) => (name.startsWith("instruction-") ? t("admin.templates.of.instruction", { number: name.slice(12) }) : term(`admin.templates.of.${name}`, name));
