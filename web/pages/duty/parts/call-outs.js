// SPDX-License-Identifier: Apache-2.0
import { fill, h, refill, toast } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { countdown, now, timeElement } from "../../../core/time.js";
import { ask, field } from "../../../dom/ask.js";
import { pressed } from "../../../dom/busy.js";
import { moment, table } from "../../../dom/table.js";
import { byUrgency, dueAfter, mayDirect, mayHave, userOf } from "../../../model/duty.js";
import { short } from "../../../model/words.js";
import { callOut } from "./call-form.js";
import { kept } from "./kept.js";

/** So many that are over are shown, the newest. */
const pastMost = 20;
const looks = { info: "", warning: "warn", critical: "bad", acknowledged: "good", exhausted: "bad", cancelled: "", resolved: "good" };

/** The call-outs that wait for somebody, with what can be done, and the last ones that are over. */
export class CallOuts {
  #desk;
  #read;
  #open = [];
  #known = null;
  #list = h("ul", { class: "stack" });
  #none = h("p", { class: "card empty", hidden: true }, t("duty.open.none"));
  #rows = h("div", { class: "stack" });
  /** Read aloud when another one comes. */
  #said = h("p", { class: "visually-hidden", role: "alert" });
  element;
  /** Its table is the landmark. */
  past = h("div", { class: "wide stack past" }, h("h2", {}, t("duty.past")), this.#rows);

  /** @param {import("../page.js").Desk} desk */
  constructor(desk) {
    this.#desk = desk;
    const start = mayDirect(desk.me.role) && h("button", { type: "button", class: "primary", onclick: () => this.#start() }, t("duty.call-out"));
    this.element = h("section", { class: "calls stack", "aria-labelledby": "open-title" }, this.#said, h("div", { class: "row" }, h("h2", { class: "grow", id: "open-title" }, t("duty.open")), start), this.#none, this.#list);
    this.#read = kept(desk, () => this.#ask(), (found) => this.#take(found));
    desk.changes.addEventListener("names", () => this.#show());
    desk.changes.addEventListener("second", () => this.#count());
  }

  /** Shows what is there, or why it cannot be read. */
  async begin() {
    try {
      await this.#read();
    } catch (error) {
      // Whoever may not read them is told by messages, and answers by those; the rest of the page is for everybody.
      if (error.status === 403) this.element.hidden = this.past.hidden = true;
      else fill(this.#list, h("li", { class: "notice bad", role: "alert" }, error.message));
    }
  }

  async #ask() {
    const list = (isOpen, limit) => this.#desk.api.get(`/v1/call-outs?open=${isOpen}&limit=${limit}`);
    const [open, past] = await Promise.all([list(true, 100), list(false, pastMost)]);
    return { open: byUrgency(open.items), past: past.items };
  }

  #take({ open, past }) {
    const isNew = this.#known && open.filter(({ id }) => !this.#known.has(id));
    this.#known = new Set(open.map(({ id }) => id));
    if (isNew?.length) fill(this.#said, isNew.map(({ chain }) => t("duty.new", { chain })).join(" "));
    this.#open = open;
    this.#show();
    this.#showPast(past);
    return dueAfter(open.map(({ nextAt }) => nextAt), now());
  }

  // MARK: Those that wait

  #show() {
    this.#none.hidden = this.#open.length > 0;
    refill(this.#list, [this.#open, this.#desk.people.version], () => this.#open.map((one) => this.#row(one)));
    this.#count();
  }

  #row(one) {
    const { id, chain, severity, text, step, stepCount, people, nextAt } = one;
    return h("li", { class: `card row padded call-out ${severity}` },
      h("div", { class: "grow" }, h("p", {}, h("strong", {}, chain), " ", chip(`duty.severity.${severity}`, looks[severity])), text && h("p", {}, text), this.#origin(one),
        h("p", {}, t("duty.step", { step, count: stepCount }), ": ", this.#names(one)),
        nextAt && h("p", {}, t(step < stepCount ? "duty.next-in" : "duty.ends-in"), " ", h("span", { class: "countdown", dataset: { until: nextAt } }))),
      h("div", { class: "row" }, mayHave(this.#desk.me, one) && this.#button(one, "acknowledge", "duty.have", true),
        mayDirect(this.#desk.me.role) && [step < stepCount && this.#button(one, "escalate", "duty.hurry"), h("button", { type: "button", class: "danger", dataset: { key: `${id}:cancel` }, onclick: () => this.#cancel(one) }, t("duty.cancel"))]));
  }

  /** Since when, by whom, and what it is about. */
  #origin(one) {
    const { openedAt, openedBy, cause } = one;
    const user = userOf(openedBy);
    const words = user ? "duty.opened-by" : openedBy ? "duty.opened-by-itself" : "duty.opened";
    return h("p", { class: "small soft" }, t(words, { name: user ? this.#nameIn(one, user) : "" }), " ", timeElement(openedAt), cause && [" · ", this.#cause(cause)]);
  }

  #cause(cause) {
    const [kind, id] = cause.split("/");
    const words = kind === "session" || kind === "incident" ? t(`duty.about.${kind}`, { id: short(id) }) : cause;
    return mayDirect(this.#desk.me.role) && words !== cause ? h("a", { href: `/replay/${id}` }, words) : words;
  }

  /** What somebody is called: by the page, else by the list itself, for roles that may read no accounts. */
  #nameIn({ names }, user) {
    const known = this.#desk.nameOf(user);
    return known === user ? names?.[user] ?? user : known;
  }

  #names(one) {
    return one.people.length ? one.people.map((user) => this.#nameIn(one, user)).join(", ") : t("duty.nobody");
  }

  #button(one, act, words, isMain = false) {
    return h("button", { type: "button", class: isMain ? "primary big" : "", dataset: { key: `${one.id}:${act}` }, onclick: pressed(() => this.#do(one, act)) }, t(words));
  }

  async #do({ id, chain }, act) {
    try {
      await this.#desk.api.post(`/v1/call-outs/${id}/${act}`);
      toast(t(`duty.did.${act}`, { chain }), "good");
    } catch (error) {
      toast(error.message, "bad");
    }
    await this.#readAgain();
  }

  async #cancel({ id, chain }) {
    const cancelled = await ask({
      title: t("duty.cancel-of", { chain }), press: t("duty.cancel"), isForGood: true, will: [t("duty.cancel.will")], fields: [field(t("duty.reason"), { name: "reason", required: true }, t("duty.reason.hint"))],
      act: ({ reason }) => this.#desk.api.post(`/v1/call-outs/${id}/cancel`, { reason: reason.trim() }),
    });
    if (cancelled) await this.#readAgain();
  }

  async #start() {
    if (await callOut(this.#desk, new URLSearchParams(location.search).get("cause"))) await this.#readAgain();
  }

  /** What was done is done, whether or not the list can be read. */
  #readAgain() {
    return this.#read().catch(() => {
      // It is tried again by itself.
    });
  }

  #count() {
    for (const element of this.#list.querySelectorAll("[data-until]")) element.textContent = countdown(element.dataset.until);
  }

  // MARK: Those that are over

  #showPast(past) {
    refill(this.#rows, [past, this.#desk.people.version], () => (past.length ? this.#table(past) : h("p", { class: "card empty" }, t("duty.past.none"))));
  }

  #table(past) {
    const isTimed = past.some(({ endedAt }) => endedAt);
    const rows = past.map((one) => [moment(one.openedAt), one.chain, [one.text, one.reason && t("duty.because", { reason: one.reason })].filter(Boolean).join(" · "), chip(`duty.state.${one.state}`, looks[one.state]), userOf(one.endedBy) ? this.#nameIn(one, userOf(one.endedBy)) : "", ...(isTimed ? [one.endedAt ? timeElement(one.endedAt) : ""] : [])]);
    return table(t("duty.past"), ["when", "chain", "text", "how", "who", ...(isTimed ? ["until"] : [])].map((name) => t(`duty.column.${name}`)), rows);
  }
}

const chip = (words, look) => h("span", { class: `chip ${look}` }, t(words));
