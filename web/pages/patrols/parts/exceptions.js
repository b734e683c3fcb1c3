// SPDX-License-Identifier: Apache-2.0
import { fill, h } from "../../../core/dom.js";
import { numeral, t, term } from "../../../core/i18n.js";
import { dayOf, fieldDay, minuteOf, now } from "../../../core/time.js";
import { choice, field } from "../../../dom/ask.js";
import { pressed } from "../../../dom/busy.js";
import { moment, table } from "../../../dom/table.js";
import { readTours } from "../../../model/patrol.js";
import { boundsOf, csvName, csvPath, exceptionsPath, kinds, ofKinds, periods } from "../../../model/patrol-exceptions.js";

/** @typedef {import("../../../model/patrol-exceptions.js").PatrolException} PatrolException */

const looks = { not_begun: "bad", late: "warn", missed: "bad", reached: "warn", handled: "accent", stopped: "warn", refused: "warn", alarm: "bad" };

/** What did not go as planned in a period, for who looks after the tours and for who audits them; and the same as a file. */
export class Exceptions {
  #desk;
  #query;
  #asked = 0;
  #bounds = null;
  /** @type {PatrolException[]} */
  #items = [];
  #next = null;
  #chosen;
  #tours = new Map();
  #points = new Map();
  #form;
  #own;
  #span = h("p", { class: "soft", role: "status" });
  #fault = h("p", { class: "notice bad", role: "alert", hidden: true });
  #file = h("a", { class: "button" }, t("patrols.exceptions.csv"));
  #list = h("div", {});
  #more = h("button", { type: "button", hidden: true, onclick: pressed(() => this.#read(this.#next)) }, t("patrols.exceptions.more"));

  /** @param {import("../page.js").Desk} desk @param {URLSearchParams} query */
  constructor(desk, query) {
    [this.#desk, this.#query] = [desk, query];
    this.#chosen = new Set((query.get("kinds") ?? "").split(",").filter((kind) => kinds.includes(kind)));
  }

  async open() {
    const { tours, points } = await readTours(this.#desk.api);
    this.#tours = new Map(tours.map((tour) => [tour.id, tour.name]));
    this.#points = new Map(points.map((point) => [point.id, point.name]));
    this.#form = this.#makeForm([...new Set([...points, ...tours].map(({ site }) => site))].sort((one, other) => one.localeCompare(other)));
    await this.#choose();
    return [this.#form, h("div", { class: "row span" }, h("div", { class: "grow" }, this.#span), this.#file), this.#fault, this.#list, h("p", {}, this.#more)];
  }

  stop() {
    this.#asked++;
  }

  // MARK: What is asked for

  #makeForm(sites) {
    const [period, site] = [this.#query.get("period") ?? "today", this.#query.get("site") ?? ""];
    const today = fieldDay(now());
    this.#own = h("div", { class: "row", hidden: period !== "own" }, ["from", "until"].map((name) => field(t(`patrols.exceptions.${name}`), { name, type: "datetime-local", value: this.#query.get(name) ?? `${today}T${name === "from" ? "00:00" : minuteOf(now())}` })));
    return h("form", { class: "card padded stack", "aria-label": t("patrols.exceptions.choice"), onsubmit: (event) => event.preventDefault(), onchange: (event) => this.#changed(event.target) },
      h("div", { class: "row period" }, choice(t("patrols.exceptions.period"), "period", periods.map((name) => [name, t(`patrols.period.${name}`)]), period),
        choice(t("patrols.site"), "site", [["", t("patrols.sites.all")], ...sites.map((one) => /** @type {[string, string]} */ ([one, one]))], site), this.#own),
      h("fieldset", { class: "kinds" }, h("legend", {}, t("patrols.exceptions.kinds")), kinds.map((kind) => h("label", { class: "check" }, h("input", { type: "checkbox", name: "kind", value: kind, checked: this.#chosen.has(kind) }), kindWord(kind)))));
  }

  #changed({ name, value, checked }) {
    if (name !== "kind") return this.#choose();
    this.#chosen[checked ? "add" : "delete"](value);
    this.#note();
    this.#show();
  }

  get #values() {
    return /** @type {Record<string, string>} */ (Object.fromEntries(new FormData(this.#form)));
  }

  #note() {
    const { period, site, from, until } = this.#values;
    this.#desk.note({ period: period === "today" ? "" : period, site, ...(period === "own" && { from, until }), kinds: [...this.#chosen].join(",") });
  }

  async #choose() {
    const { period, from, until } = this.#values;
    this.#own.hidden = period !== "own";
    this.#bounds = boundsOf(period, now(), { from, until });
    this.#file.hidden = !this.#bounds;
    this.#note();
    if (!this.#bounds) {
      this.#asked++;
      [this.#items, this.#next] = [[], null];
      this.#span.textContent = "";
      fill(this.#list);
      this.#more.hidden = true;
      return this.#tell(t("patrols.exceptions.reversed"));
    }
    const { site } = this.#values;
    this.#file.href = csvPath(this.#bounds, site);
    this.#file.download = csvName(this.#bounds);
    await this.#read(null);
  }

  // MARK: What is shown

  async #read(before) {
    const mine = ++this.#asked;
    this.#tell("");
    if (!before) this.#span.textContent = t("page.reading");
    try {
      const { items, next } = await this.#desk.api.get(exceptionsPath(this.#bounds, this.#values.site, before ? { before } : {}));
      if (mine !== this.#asked) return;
      this.#items = before ? [...this.#items, ...items] : items;
      this.#next = next ?? null;
      this.#show();
    } catch (error) {
      if (mine !== this.#asked) return;
      if (!before) [this.#items, this.#next] = [[], null];
      this.#span.textContent = "";
      fill(this.#list, !before && h("p", {}, h("button", { type: "button", onclick: pressed(() => this.#read(null)) }, t("page.try-again"))));
      this.#more.hidden = true;
      this.#tell(error.message);
    }
  }

  #show() {
    if (!this.#bounds) return;
    const items = ofKinds(this.#items, this.#chosen);
    const [from, until] = [this.#bounds.from, this.#bounds.until].map((one) => `${dayOf(new Date(one))} ${minuteOf(Date.parse(one))}`);
    this.#span.textContent = t("patrols.exceptions.span", { from, until, count: items.length });
    this.#more.hidden = !this.#next;
    if (items.length === 0) return void fill(this.#list, h("p", { class: "card empty" }, t(this.#next ? "patrols.exceptions.none-yet" : this.#items.length ? "patrols.exceptions.none-of" : "patrols.exceptions.none")));
    const columns = ["when", "exceptions.kind", "guard", "exceptions.point", "tour", "exceptions.why"].map((name) => t(`patrols.${name}`));
    fill(this.#list, table(t("patrols.part.exceptions"), columns, items.map((item) => this.#row(item))));
  }

  /** @param {PatrolException} item */
  #row(item) {
    const tour = item.tour && (this.#tours.get(item.tour) ?? t("patrol.tour.gone"));
    return [moment(item.at), h("span", { class: `chip ${looks[item.kind] ?? ""}` }, kindWord(item.kind)), item.guardID ? this.#desk.people.nameOf(item.guardID) : "–",
      h("span", {}, item.point ? (this.#points.get(item.point) ?? t("patrol.point.gone")) : "–", " ", h("span", { class: "soft small" }, item.site)),
      item.round ? h("a", { href: `/replay/${item.round}` }, tour || t("patrols.exceptions.round")) : tour || "–", whyOf(item)];
  }

  #tell(words) {
    this.#fault.textContent = words;
    this.#fault.hidden = !words;
  }
}

const kindWord = (kind) => term(`patrols.exceptions.kind.${kind}`, kind);

/** What the ledger says of it: why, how far away somebody was, and what somebody noted. @param {PatrolException} item */
function whyOf({ kind, reason, note, distanceMetres }) {
  const why = reason && reason !== kind && term(`patrols.exceptions.reason.${reason}`, term(`patrol.reason.${reason}`, reason));
  const far = distanceMetres !== undefined && t("patrols.exceptions.distance", { metres: numeral(Math.round(distanceMetres)) });
  return [[why, far].filter(Boolean).join(", "), note && h("p", {}, note)];
}
