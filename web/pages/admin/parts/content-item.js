// SPDX-License-Identifier: Apache-2.0
import { fill, h } from "../../../core/dom.js";
import { language as own, t } from "../../../core/i18n.js";
import { newID } from "../../../core/ids.js";
import { limits } from "../../../core/limits.js";
import { choice, field, written } from "../../../dom/ask.js";
import { busy } from "../../../dom/busy.js";
import { prose } from "../../../dom/prose.js";
import { bytesOf, contentBody, hasPlace, languagesToChoose, sections, textBytesMost } from "../../../model/content.js";
import { CameraPlace } from "./camera-place.js";

/** One text for everybody, new or to be changed, shown beside its fields as readers will see it. Somebody who may not write it reads it. */
export class ContentItem {
  #desk;
  #id;
  #place;
  /** @type {any} */
  #form = null;
  #seen = h("div", { class: "seen stack" });
  #ofHelp;
  #fault = h("p", { class: "notice bad", role: "alert", tabindex: "-1", hidden: true });
  #save = h("button", { class: "primary" }, t("set.save"));
  #before = "";
  #isSaved = false;

  /** @param {import("../page.js").Desk} desk @param {URLSearchParams} query */
  constructor(desk, query) {
    this.#desk = desk;
    this.#id = query.get("item");
  }

  async open() {
    const { items } = await this.#desk.api.get("/v1/content");
    const back = h("p", {}, h("a", { href: "/admin/content" }, `‹ ${t("set.content.all")}`));
    const known = items.find(({ id }) => id === this.#id);
    if (!known && this.#id !== "new") return [back, h("p", { class: "card empty" }, t("set.content.unknown"))];
    // One id for a new text, however often it is sent.
    this.#id = known?.id ?? newID();
    const item = known ?? { section: "rights", language: own, title: "", text: "", isShown: true, latitude: null, longitude: null };
    this.#place = new CameraPlace({ latitude: item.latitude ?? undefined, longitude: item.longitude ?? undefined }, items.filter((one) => one.id !== this.#id && hasPlace(one)), { isNeeded: false, title: t("set.content.place"), hint: t("set.content.place.hint") });
    this.#form = this.#fields(item);
    this.#follow();
    this.#before = this.#written;
    return [back, h("h2", {}, known ? t("set.change-of", { name: known.title }) : t("set.content.add")), this.#form];
  }

  get isUnsaved() {
    return Boolean(this.#form) && !this.#isSaved && this.#written !== this.#before;
  }

  get #written() {
    return JSON.stringify([written([...this.#form.querySelectorAll("[data-written]")]), this.#place.written]);
  }

  #fields({ section, language, title, text, address, phone, isShown }) {
    this.#ofHelp = h("div", { class: "stack" },
      h("section", { class: "card stack padded", "aria-label": t("set.content.reached") }, h("h2", {}, t("set.content.reached")), h("div", { class: "pairs", dataset: { written: "" } },
        field(t("set.agencies.address"), { name: "address", value: address ?? "" }), field(t("set.agencies.phone"), { name: "phone", type: "tel", value: phone ?? "" }))),
      this.#place.element);
    return h("form", { class: "stack content-form", onsubmit: (event) => this.#submit(event), oninput: () => this.#follow() },
      h("section", { class: "card stack padded", "aria-label": t("set.content.text") },
        h("div", { class: "pairs", dataset: { written: "" } }, choice(t("set.content.section"), "section", sections.map((one) => [one, t(`set.content.section.${one}`)]), section), choice(t("set.content.language"), "language", languagesToChoose(language), language),
          field(t("set.content.title"), { name: "title", required: true, maxlength: limits.wordBytes, value: title })),
        h("div", { class: "halves" }, h("div", { class: "field", dataset: { written: "" } }, h("label", {}, t("set.content.text"), h("textarea", { name: "text", rows: "14", "aria-describedby": "content-hint" }, text)), h("p", { class: "small soft", id: "content-hint" }, t("set.content.text.hint"))),
          h("section", { class: "stack", "aria-label": t("set.content.preview") }, h("h3", {}, t("set.content.preview")), this.#seen)),
        h("label", { class: "check", dataset: { written: "" } }, h("input", { type: "checkbox", name: "isShown", checked: isShown }), t("set.content.is-shown"))),
      this.#ofHelp, this.#fault, h("div", { class: "row acts" }, this.#save, h("a", { class: "button", href: "/admin/content" }, t("page.cancel"))));
  }

  /** What follows from what is written: the text as it will be read, and the fields that its section has. */
  #follow() {
    const { section, language, title, text } = this.#form.elements;
    const isHelp = section.value === "resources";
    this.#ofHelp.hidden = !isHelp;
    // What is not seen must not keep the form from being sent.
    for (const input of this.#ofHelp.querySelectorAll("input")) input.disabled = !isHelp;
    for (const one of [title, text]) one.lang = language.value;
    fill(this.#seen, h("h2", { lang: language.value }, title.value), prose(text.value, language.value));
  }

  async #submit(event) {
    event.preventDefault();
    this.#fault.hidden = true;
    try {
      await busy(this.#save, this.#send());
    } catch (error) {
      this.#fault.textContent = error.message;
      this.#fault.hidden = false;
      this.#fault.focus({ preventScroll: true });
      this.#fault.scrollIntoView({ block: "nearest" });
      return;
    }
    this.#isSaved = true;
    this.#desk.go("content");
  }

  async #send() {
    const { api, done } = this.#desk;
    const values = Object.fromEntries(new FormData(this.#form));
    const body = contentBody(values, values.section === "resources" ? this.#place.value : null);
    if (bytesOf(body.text) > textBytesMost) throw new Error(t("set.content.long", { most: textBytesMost }));
    await api.put(`/v1/content/${this.#id}`, body);
    done.add(t("set.was-written", { name: body.title }));
  }
}
