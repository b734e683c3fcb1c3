// SPDX-License-Identifier: Apache-2.0
import { h } from "../../../core/dom.js";
import { numeral, t } from "../../../core/i18n.js";
import { ask } from "../../../dom/ask.js";
import { Ordered } from "../../../dom/ordered.js";
import { Picker } from "../../../dom/picker.js";
import { table } from "../../../dom/table.js";
import { stepsFault, targetOf, targetText } from "../../../model/duty.js";
import { minutesOf, secondsOf } from "../../../model/patrol.js";
import { NamedList } from "./named-list.js";

/** What opens a call-out by itself. */
const triggers = ["guard_alarm"];
/** So many steps a chain has at most. */
const stepsMost = 10;
/** How long a new step waits for an answer. */
const waitSeconds = 300;

/** Whom a call-out calls, step by step, until somebody has it. */
export class Chains {
  #desk;
  #list;
  #rotas = [];

  /** @param {import("../page.js").Desk} desk */
  constructor(desk) {
    this.#desk = desk;
    this.#list = new NamedList(desk, { kind: "chains", wordsOf: (name) => t(`set.chains.${name}`), bodyOf: ({ opensFor, steps }) => ({ opensFor, steps }), draw: (items, buttons) => this.#table(items, buttons), edit: (chain) => this.#edit(chain) });
  }

  async open() {
    this.#rotas = (await this.#desk.api.get("/v1/rotas")).items;
    return this.#list.open();
  }

  stop() {
    this.#list.stop();
  }

  #table(items, buttons) {
    const rows = items.map((chain) => [chain.name, h("ol", { class: "of-list" }, chain.steps.map((step) => h("li", {}, step.targets.map((target) => this.#targetWords(target)).join(", "), " ", h("span", { class: "soft small" }, t("set.chains.waits", { minutes: minutesText(step.waitSeconds) }))))),
      chain.opensFor.length ? chain.opensFor.map((one) => t(`set.chains.opens.${one}`)).join(", ") : t("set.chains.by-hand"), buttons(chain)]);
    return table(t("set.chains"), [t("set.name"), t("set.chains.steps"), t("set.chains.opens"), ""], rows);
  }

  #targetWords({ user, rota, role }) {
    return user ? this.#list.nameOf(user) : rota ? t("set.chains.rota", { name: rota }) : t("set.chains.role", { role: t(`role.${role}`) });
  }

  /** Asks for a chain, new or changed. @param {import("../../../model/duty.js").Chain | null} chain */
  #edit(chain) {
    const groups = [{ role: "supervisor" }, ...this.#rotas.map(({ name }) => ({ rota: name }))];
    /** @type {[string, string][]} */
    const targets = [...groups.map((target) => [targetText(target), this.#targetWords(target)]), ...this.#list.people.map(([user, words]) => [targetText({ user }), words])];
    const steps = new Steps(targets, chain?.steps ?? [], (text) => this.#targetWords(targetOf(text)));
    const opens = new Picker(t("set.chains.opens.by-itself"), triggers.map((one) => [one, t(`set.chains.opens.${one}`)]), chain?.opensFor ?? []);
    return ask({
      title: chain ? t("set.change-of", { name: chain.name }) : t("set.chains.add"), press: t("set.save"), isLong: true, will: chain ? [t("set.chains.change.will")] : [],
      fields: [this.#list.nameField(chain), steps.element, opens.element],
      act: async ({ name }) => {
        const fault = stepsFault(steps.value);
        if (fault) throw new Error(t(`set.chains.steps.${fault}`));
        return this.#list.put(chain, name, { opensFor: opens.value, steps: steps.value });
      },
    });
  }
}

/** The steps of a chain in a form: whom each calls, and how long it waits. */
class Steps {
  #targets;
  #wordsOf;
  #list;
  #more = h("button", { type: "button", onclick: () => this.#list.add({ chosen: [], minutes: String(minutesOf(waitSeconds)), isOpen: true }) }, t("set.chains.steps.more"));
  element;

  /** @param {[string, string][]} targets @param {import("../../../model/duty.js").Step[]} steps @param {(text: string) => string} wordsOf */
  constructor(targets, steps, wordsOf) {
    [this.#targets, this.#wordsOf] = [targets, wordsOf];
    const rows = steps.map((step) => ({ chosen: step.targets.map(targetText), minutes: String(minutesOf(step.waitSeconds)), isOpen: false }));
    this.#list = new Ordered(rows, { nameOf: () => "", draw: (row) => this.#fields(row), onChange: (all) => (this.#more.disabled = all.length >= stepsMost), after: () => this.#more });
    this.#more.disabled = rows.length >= stepsMost;
    this.element = h("fieldset", { class: "picker stack" }, h("legend", {}, t("set.chains.steps")), this.#list.element, h("div", {}, this.#more));
  }

  /** @returns {import("../../../model/duty.js").Step[]} */
  get value() {
    return this.#list.rows.map(({ chosen, minutes }) => ({ targets: chosen.map(targetOf), waitSeconds: secondsOf(minutes) }));
  }

  #fields(row) {
    const summary = h("summary", {});
    const tell = () => (summary.textContent = row.chosen.map(this.#wordsOf).join(", ") || t("set.chains.nobody"));
    const picker = new Picker(t("set.chains.targets"), this.#targets, row.chosen, (chosen) => {
      row.chosen = chosen;
      tell();
    });
    tell();
    return [h("details", { class: "grow", open: row.isOpen, ontoggle: ({ target }) => (row.isOpen = target.open) }, summary, picker.element),
      h("label", {}, t("set.chains.wait"), h("input", { type: "number", min: 0.5, max: 1440, step: 0.5, required: true, value: row.minutes, oninput: ({ target }) => (row.minutes = target.value) }))];
  }
}

const minutesText = (seconds) => numeral(minutesOf(seconds), seconds % 60 ? 1 : 0);
