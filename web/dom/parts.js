// SPDX-License-Identifier: Apache-2.0
import { fill, find, focusIfLost, h } from "../core/dom.js";
import { t } from "../core/i18n.js";
import "../core/staff-words.js";
import { ask } from "./ask.js";

/**
 * A page in parts, one shown at a time, each at an address of its own: `/admin/people?find=…`. A press on a link to a part leads there without leaving the page, and Back works.
 *
 * @typedef {{open: () => Promise<any>, stop?: () => void, readonly isUnsaved?: boolean}} Part `open` gives what is shown; `stop` ends what goes on in it; while it `isUnsaved`, leaving it asks first.
 */
export class Parts {
  #base;
  #names;
  #make;
  #titleOf;
  /** @type {Part | null} */
  #shown = null;
  /** The address of what is shown. */
  #address = "";
  #main = find("#main");
  place = h("div", { class: "part stack" });
  tabs;

  /**
   * @param {{base: string, names: string[], label: string, make: (name: string, query: URLSearchParams) => Part, wordsOf: (name: string) => string}} page `base` is the page's
   *   address; `names` are the parts that are shown to who is there, the first one where no other is asked for; `label` and `wordsOf` say what the parts are called.
   */
  constructor({ base, names, label, make, wordsOf }) {
    [this.#base, this.#names, this.#make] = [base, names, make];
    const title = document.title;
    this.#titleOf = (name) => `${wordsOf(name)} · ${title}`;
    this.tabs = h("nav", { class: "tabs", "aria-label": label }, names.map((name) => h("a", { href: `${base}/${name}`, dataset: { part: name } }, wordsOf(name))));
  }

  /** Shows the part of the address, and follows it from now on. */
  begin() {
    this.#main.addEventListener("click", (event) => this.#followed(event));
    addEventListener("popstate", () => this.#wentBack());
    addEventListener("beforeunload", (event) => {
      if (!this.#shown?.isUnsaved) return;
      event.preventDefault();
      // Browsers of two years ago ask by this alone.
      event.returnValue = "";
    });
    return this.show();
  }

  /** Leads to a part. @param {string} part @param {Record<string, string>} [query] */
  go(part, query = {}) {
    history.pushState(null, "", this.#addressOf(part, query));
    this.show();
  }

  /** Keeps in the address what is shown. @param {Record<string, string>} query */
  note(query) {
    history.replaceState(null, "", this.#addressOf(this.#here, query));
    this.#address = location.pathname + location.search;
  }

  /** Shows the part of the address, read anew. */
  async show() {
    this.#shown?.stop?.();
    this.#address = location.pathname + location.search;
    // What is still being read for the part before must not be shown in this one's place.
    this.#shown = null;
    const name = this.#here;
    for (const link of this.tabs.children) link.removeAttribute("aria-current");
    if (!this.#names.includes(name)) return void fill(this.place, h("p", { class: "card empty" }, t("page.no-part")));
    const tab = find(`[data-part="${name}"]`, this.tabs);
    tab.setAttribute("aria-current", "page");
    // They are one row, which may be wider than the screen.
    this.tabs.scrollLeft = tab.offsetLeft - (this.tabs.clientWidth - tab.offsetWidth) / 2;
    document.title = this.#titleOf(name);
    const mine = (this.#shown = this.#make(name, new URLSearchParams(location.search)));
    fill(this.place, h("p", { class: "soft", role: "status" }, t("page.reading")));
    try {
      const content = await mine.open();
      if (mine !== this.#shown) return;
      fill(this.place, content);
      focusIfLost(this.#main);
    } catch (error) {
      if (mine === this.#shown) fill(this.place, h("p", { class: "notice bad", role: "alert" }, error.message), h("p", {}, h("button", { type: "button", onclick: () => this.show() }, t("page.try-again"))));
    }
  }

  /** Another tab somebody may still have. */
  #followed(event) {
    const link = event.target.closest?.("a[href]");
    const address = link?.getAttribute("href") ?? "";
    if (!address.startsWith(this.#base) || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    this.#leave(() => {
      history.pushState(null, "", address);
      this.show();
    });
  }

  /** The browser has gone already: who stays gets the address back. */
  async #wentBack() {
    const address = location.pathname + location.search;
    if (!this.#shown?.isUnsaved) return this.show();
    history.pushState(null, "", this.#address);
    await this.#leave(() => {
      history.replaceState(null, "", address);
      this.show();
    });
  }

  /** Leaves what is shown, once it was asked where something would be lost. */
  async #leave(go) {
    if (!this.#shown?.isUnsaved || (await ask({ title: t("page.lose.ask"), press: t("page.lose"), isForGood: true, act: async () => true }))) go();
  }

  #addressOf(part, query) {
    const text = new URLSearchParams(Object.entries(query).filter(([, value]) => value)).toString();
    return `${this.#base}/${part}${text ? `?${text}` : ""}`;
  }

  get #here() {
    return location.pathname.split("/")[2] || this.#names[0];
  }
}
