// SPDX-License-Identifier: Apache-2.0
import { fill, h } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { fieldDay, minuteOf, momentElement, now } from "../../../core/time.js";
import { choice, field } from "../../../dom/ask.js";
import { pressed } from "../../../dom/busy.js";
import { addressOf, charactersMost, consoleOf, isSaid, kinds, periods, piecesOf, replayOf, searchPath, wantedOf } from "../../../model/search.js";

/** @typedef {import("../../../model/search.js").Finding} Finding */

/**
 * The field, what narrows the search, and what was found, newest first.
 *
 * Arrow down leads from the field to the findings and on, arrow up back; `/` leads to the field.
 */
export class SearchView {
  #api;
  #opensConsole;
  /** @type {import("../../../model/search.js").Wanted} */
  #wanted = wantedOf("");
  #asked = 0;
  #next = null;
  #q = h("input", { type: "search", name: "q", maxlength: charactersMost, autocomplete: "off", spellcheck: "false", enterkeyhint: "search" });
  #own = h("div", { class: "row", hidden: true }, ["from", "until"].map((name) => field(t(`search.${name}`), { name, type: "datetime-local" })));
  #form = h("form", { role: "search", class: "card padded row wanted", onsubmit: (event) => this.#submitted(event), onchange: ({ target }) => this.#changed(target) },
    h("label", { class: "words" }, t("search.q"), this.#q),
    choice(t("search.kind"), "kind", ["", ...kinds].map((kind) => [kind, t(`search.kind.${kind || "all"}`)])),
    choice(t("search.period"), "period", periods.map((period) => [period, t(`search.period.${period || "all"}`)])),
    this.#own, h("button", { class: "primary" }, t("page.search")));
  /** @type {Record<string, HTMLInputElement>} */
  #fields = Object.fromEntries([...this.#form.querySelectorAll("input, select")].map((one) => [/** @type {HTMLInputElement} */ (one).name, one]));
  #status = h("p", { class: "soft", role: "status" });
  #fault = h("p", { class: "notice bad", role: "alert", hidden: true });
  #list = h("ol", { class: "findings", "aria-label": t("search.found") });
  #about = h("div", { class: "card empty" });
  #more = h("button", { type: "button", hidden: true, onclick: pressed(() => this.#read(this.#next)) }, t("search.more"));
  element = h("div", { class: "search", onkeydown: (event) => this.#key(event) }, this.#form, this.#status, this.#fault, this.#list, this.#about, h("p", {}, this.#more));

  /** @param {{get: (path: string) => Promise<any>}} api @param {{opensConsole: boolean}} may Whether who looks has the console. */
  constructor(api, { opensConsole }) {
    [this.#api, this.#opensConsole] = [api, opensConsole];
    addEventListener("keydown", (event) => this.#slash(event));
  }

  /** Shows what an address asks for. @param {string} search From the question mark on. */
  async show(search) {
    this.#wanted = wantedOf(search);
    const { q, kind, period, from, until } = this.#wanted;
    const today = fieldDay(now());
    const values = { q, kind, period, from: from || `${today}T00:00`, until: until || `${today}T${minuteOf(now())}` };
    for (const [name, value] of Object.entries(values)) this.#fields[name].value = value;
    this.#own.hidden = period !== "own";
    if (!q) this.#q.focus();
    await this.#read(null);
  }

  // MARK: What is asked for

  async #submitted(event) {
    event.preventDefault();
    await this.#go();
  }

  /** Asks for what the fields say. */
  async #go() {
    const wanted = Object.fromEntries(Object.entries(this.#fields).map(([name, { value }]) => [name, value]));
    const address = addressOf(/** @type {any} */ (wanted));
    if (address !== location.pathname + location.search) history.pushState(null, "", address);
    await this.show(new URL(address, location.href).search);
  }

  #changed(target) {
    if (target === this.#q) return;
    this.#own.hidden = this.#fields.period.value !== "own";
    // A period of one's own is complete when it is asked for.
    if (this.#own.hidden) this.#go();
  }

  // MARK: What was found

  async #read(before) {
    const mine = ++this.#asked;
    const { q } = this.#wanted;
    this.#tell("");
    if (!before) this.#clear();
    if (!isSaid(q)) return this.#explain(t(q.trim() ? "search.empty" : "search.about"));
    const path = searchPath(this.#wanted, now(), before);
    if (!path) return this.#tell(t("search.reversed"));
    if (!before) this.#status.textContent = t("page.reading");
    try {
      const { items, next } = await this.#api.get(path);
      if (mine !== this.#asked) return;
      this.#next = next ?? null;
      this.#list.append(...items.map((item) => this.#row(item)));
      this.#more.hidden = !next;
      const count = this.#list.children.length;
      this.#status.textContent = count ? t(next ? "search.count.more" : "search.count", { count }) : "";
      if (!count) this.#explain(t("search.none", { q: q.trim() }), t("search.none.hint"));
    } catch (error) {
      if (mine !== this.#asked) return;
      this.#status.textContent = "";
      this.#tell(error.message, before);
    }
  }

  /** @param {Finding} finding */
  #row(finding) {
    const { kind, at, caller, from, snippet } = finding;
    const words = piecesOf(snippet).map(({ text, isMatch }) => (isMatch ? h("mark", {}, text) : text));
    return h("li", { class: "card padded finding" },
      h("div", { class: "row" }, h("span", { class: "chip" }, t(`search.kind.one.${kind}`)), momentElement(at), from && h("span", { class: "soft" }, t(`search.from.${from}`)), caller.phone && !snippet.text.includes(caller.phone) && h("span", { class: "soft figures" }, caller.phone)),
      h("p", { class: "snippet" }, words),
      h("div", { class: "row" }, h("a", { href: replayOf(finding) }, t("search.replay")), this.#opensConsole && h("a", { href: consoleOf(finding) }, t("search.console"))));
  }

  #clear() {
    this.#next = null;
    fill(this.#list);
    this.#more.hidden = this.#about.hidden = true;
    this.#status.textContent = "";
  }

  #explain(...sentences) {
    fill(this.#about, sentences.map((words) => h("p", {}, words)));
    this.#about.hidden = false;
  }

  #tell(words, before = null) {
    this.#fault.hidden = !words;
    fill(this.#fault, words && h("span", {}, words), words && isSaid(this.#wanted.q) && searchPath(this.#wanted, now()) && [" ", h("button", { type: "button", onclick: pressed(() => this.#read(before)) }, t("page.try-again"))]);
  }

  // MARK: Keys

  #slash(event) {
    const isWriting = /^(?:input|select|textarea)$/.test(event.target?.localName ?? "");
    if (event.key !== "/" || isWriting || event.altKey || event.ctrlKey || event.metaKey || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    this.#q.focus();
    this.#q.select();
  }

  #key(event) {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!by || event.target.localName === "select") return;
    const places = [this.#q, ...[...this.#list.children].map((row) => row.querySelector("a"))];
    const row = event.target.closest?.("li.finding");
    const here = event.target === this.#q ? 0 : row ? places.indexOf(row.querySelector("a")) : -1;
    const next = here < 0 ? null : places[here + by];
    if (!next) return;
    event.preventDefault();
    next.focus();
  }
}
