// SPDX-License-Identifier: Apache-2.0
import { h, refill } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { phoneText } from "../../../core/phone.js";
import { pressed } from "../../../dom/busy.js";
import { moment, table } from "../../../dom/table.js";
import { hasPlace, inOrder, languageName, sections, turned } from "../../../model/content.js";

/** Texts for everybody on the page with the button: rights, and places of help; hidden ones too. */
export class ContentList {
  #desk;
  #rows = h("div", { class: "stack" });

  /** @param {import("../page.js").Desk} desk */
  constructor(desk) {
    this.#desk = desk;
  }

  async open() {
    await this.#read();
    return [h("div", { class: "card row find" }, h("p", { class: "grow" }, t("set.content.about"), " ", h("a", { href: "/safe#rights" }, t("set.content.seen"))),
      h("a", { class: "button primary", href: "/admin/content?item=new" }, t("set.content.add"))), this.#rows];
  }

  async #read() {
    const items = inOrder((await this.#desk.api.get("/v1/content")).items);
    const groups = sections.map((section) => ({ section, items: items.filter((one) => one.section === section) })).filter((group) => group.items.length);
    refill(this.#rows, items, () => (groups.length ? groups.map((group) => this.#section(group)) : h("p", { class: "card empty" }, t("set.content.none"))));
  }

  #section({ section, items }) {
    const words = t(`set.content.section.${section}`);
    return h("section", { class: "stack", "aria-label": words }, h("h2", {}, words),
      table(words, [t("set.content.title"), t("set.content.language"), t("admin.state"), t("set.content.changed"), ""], items.map((item) => [this.#title(item), languageName(item.language), standing(item), moment(item.changedAt), this.#buttons(item)])));
  }

  #title(item) {
    const { id, title, language, address, phone } = item;
    const more = [address, phone && phoneText(phone), item.section === "resources" && !hasPlace(item) && t("set.content.unplaced")].filter(Boolean).join(" · ");
    return h("span", {}, h("a", { href: addressOf(id), lang: language, dataset: { key: `title-${id}` } }, title), more && [h("br"), h("span", { class: "soft small" }, more)]);
  }

  #buttons(item) {
    const { id, title, isShown } = item;
    const words = t(isShown ? "set.content.hide" : "set.content.show");
    return h("span", { class: "row" }, h("a", { class: "button", href: addressOf(id), "aria-label": `${t("set.change")}: ${title}`, dataset: { key: `change-${id}` } }, t("set.change")),
      h("button", { type: "button", "aria-label": `${words}: ${title}`, dataset: { key: `turn-${id}` }, onclick: pressed(() => this.#turn(item)) }, words));
  }

  async #turn(item) {
    const { api, done } = this.#desk;
    try {
      await api.put(`/v1/content/${item.id}`, turned(item, !item.isShown));
      done.add(t(item.isShown ? "set.content.was-hidden" : "set.content.was-shown", { title: item.title }));
    } catch (error) {
      done.add(error.message);
    }
    // What was done is done, whether or not the list can be read.
    await this.#read().catch(() => this.#desk.again());
  }
}

const addressOf = (id) => `/admin/content?item=${encodeURIComponent(id)}`;
const standing = ({ isShown }) => h("span", { class: `chip ${isShown ? "good" : "warn"}` }, t(isShown ? "set.content.is.shown" : "set.content.is.hidden"));
