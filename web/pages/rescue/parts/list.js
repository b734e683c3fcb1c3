// SPDX-License-Identifier: Apache-2.0
import { fill, h, refill, toast } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { timeOfDay } from "../../../core/time.js";
import { pressed } from "../../../dom/busy.js";
import { ageWords, byUrgency, conditionWord, distanceWords, isCalling, isUnderWay, speciesWord, statusWord, titleOf, unansweredWords, whoHas } from "../../../model/rescue.js";
import { refusedList } from "./refused.js";

const conditionLooks = { injured: "bad", entangled: "bad", alive: "warn" };
const statusLooks = { submitted: "live", acknowledged: "accent", heading_out: "accent", on_scene: "accent", rescued: "good", released: "good" };

/** So long a press may have been meant for what stood there before. */
const movedMilliseconds = 500;

/** How a report stands, how long it waits for an answer, and how the animal fares. @param {import("../../../model/rescue.js").Report & {isWaiting?: boolean}} report */
export const chips = (report, unanswered = unansweredWords(report)) => [
  h("span", { class: `chip ${conditionLooks[report.condition] ?? ""}` }, conditionWord(report.condition)), h("span", { class: `chip ${statusLooks[report.status] ?? ""}` }, statusWord(report.status)),
  unanswered && h("span", { class: "chip warn" }, unanswered), report.isWaiting && h("span", { class: "chip warn" }, t("rescue.waiting")),
];

/** Age, distance, and who has it. @param {import("../page.js").Desk} desk @param {import("../../../model/rescue.js").Report} report @param {boolean} isActive */
export function factsOf({ me, missions, nameOf }, report, isActive = true) {
  const who = isActive && whoHas(me, report, missions.agency, nameOf);
  return [ageWords(report.submittedAt), report.metresAway !== undefined && t("rescue.away", { distance: distanceWords(report.metresAway) }), who && t(...who)].filter(Boolean).join(" · ");
}

/** The active reports, with a map of them; those that wait for the reader's own answer are on top, each with its button. */
export class List {
  #desk;
  #known = null;
  /** When other reports came to call, or fewer, and which they are: what lies under a finger may be another one then. */
  #calling = { ids: "", at: -Infinity };
  /** Those that call stand above everything else. */
  #calls = h("div", { class: "stack" });
  #groups = h("div", { class: "stack" });
  #none = h("p", { class: "card empty", hidden: true }, t("rescue.none"));
  #refused = h("div", { class: "stack", role: "alert" });
  #state = h("p", { class: "small soft grow", role: "status" });
  #map = h("place-map", { class: "overview" });
  #mapPlace = h("section", { class: "card stack padded side", "aria-label": t("rescue.map") }, h("h2", {}, t("rescue.map")), this.#map, h("p", { class: "small soft" }, t("rescue.map.hint")));
  /** Read aloud when another one calls. */
  #said = h("p", { class: "visually-hidden", role: "alert" });
  element;

  /** @param {import("../page.js").Desk} desk */
  constructor(desk) {
    this.#desk = desk;
    this.#map.isOverview = true;
    this.#map.onOpen = (id) => desk.open(id);
    this.element = h("div", { class: "active" }, h("div", { class: "stack main-column" }, this.#said, this.#refused, this.#calls, desk.duty.element, desk.sharing.element,
      h("div", { class: "row" }, this.#state, h("button", { type: "button", onclick: pressed(() => desk.refresh()) }, t("rescue.refresh"))), this.#none, this.#groups), this.#mapPlace);
  }

  show() {
    const { missions, me, outbox } = this.#desk;
    refusedList(this.#refused, this.#desk, outbox.refused);
    this.#showState();
    if (!missions.active) return;
    const reports = byUrgency(me, missions.active);
    const calling = reports.filter((one) => isCalling(me, one));
    const ids = calling.map(({ id }) => id).join();
    if (ids !== this.#calling.ids) this.#calling = { ids, at: performance.now() };
    this.#announce(calling);
    const groups = groupsOf(me, reports);
    const draw = (place, drawn) => {
      place.hidden = drawn.length === 0;
      refill(place, [drawn, drawn.map(([, items]) => items.map((one) => factsOf(this.#desk, one)))], () => drawn.map(([name, items]) => this.#group(name, items)));
    };
    draw(this.#calls, groups.filter(([name]) => name === "calling"));
    draw(this.#groups, groups.filter(([name]) => name !== "calling"));
    this.#none.hidden = reports.length > 0;
    this.#showMap(reports);
  }

  #showState() {
    const { readAt, fault } = this.#desk.missions;
    const words = fault && !readAt ? fault : readAt ? t(fault ? "rescue.read.old" : "rescue.read", { time: timeOfDay(readAt) }) : t("page.reading");
    if (this.#state.textContent !== words) fill(this.#state, words);
    this.#state.classList.toggle("is-old", Boolean(fault));
  }

  #announce(calling) {
    const isNew = this.#known && calling.filter(({ id }) => !this.#known.has(id));
    this.#known = new Set([...(this.#known ?? []), ...calling.map(({ id }) => id)]);
    if (!isNew?.length) return;
    fill(this.#said, isNew.map((one) => t("rescue.new", { animal: titleOf(one), condition: conditionWord(one.condition) })).join(" "));
    navigator.vibrate?.([300, 150, 300]);
  }

  #group(name, items) {
    return h("section", { class: `stack group ${name}`, "aria-labelledby": `group-${name}` }, h("h2", { id: `group-${name}` }, t(`rescue.group.${name}`, { count: items.length })), h("ul", { class: "stack" }, items.map((one) => this.#row(one, name === "calling"))));
  }

  #row(report, isCall) {
    const { photos, open } = this.#desk;
    const name = titleOf(report);
    const link = h("a", { class: "mission-link", href: `/rescue/${report.id}`, dataset: { key: report.id }, onclick: (event) => follow(event, () => open(report.id)) }, photos.thumb(report),
      h("span", { class: "words" }, h("strong", {}, name), h("span", { class: "row" }, chips(report)), h("span", {}, factsOf(this.#desk, report))));
    return h("li", { class: `card mission ${isCall ? "calls" : ""}` }, link, isCall && h("button", {
      type: "button", class: "primary big", dataset: { key: `${report.id}:take` }, "aria-label": t("rescue.take.of", { animal: name }), onclick: () => this.#take(report.id),
    }, t("rescue.do.acknowledged")));
  }

  /** Says it where a press counts for nothing. */
  #take(id) {
    if (performance.now() - this.#calling.at > movedMilliseconds) return this.#desk.take(id);
    toast(t("rescue.take.moved"), "warn");
  }

  #showMap(reports) {
    const placed = reports.filter(({ fix }) => fix);
    this.#mapPlace.hidden = placed.length === 0;
    const [first, ...others] = placed.map((report) => {
      const { id, fix: { latitude, longitude }, species, submittedAt } = report;
      return { id, fix: { latitude, longitude }, at: submittedAt, name: `${speciesWord(species)}, ${ageWords(submittedAt)}`, isUrgent: isCalling(this.#desk.me, report) };
    });
    this.#map.places = first ? [first] : [];
    this.#map.others = others;
  }
}

/** A link that is pressed leads there without leaving the page; pressed with a key for a new window it stays a link. @param {any} event @param {() => void} act */
export function follow(event, act) {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  act();
}

/** @returns {[string, any[]][]} Without those in which nothing is. */
function groupsOf(me, reports) {
  const nameOf = (one) => (isCalling(me, one) ? "calling" : isUnderWay(one) ? "under-way" : "others");
  return /** @type {[string, any[]][]} */ (["calling", "under-way", "others"].map((name) => [name, reports.filter((one) => nameOf(one) === name)])).filter(([, items]) => items.length);
}
