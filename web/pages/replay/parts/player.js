// SPDX-License-Identifier: Apache-2.0
import { fill, h, toast } from "../../../core/dom.js";
import { numeral, t } from "../../../core/i18n.js";
import { dayOf, momentElement, timeElement } from "../../../core/time.js";
import { addressOf } from "../../../model/incident.js";
import { short } from "../../../model/words.js";
import { ActionList } from "./action-list.js";
import { Callers } from "./callers.js";
import { Controls } from "./controls.js";
import { Details } from "./details.js";
import { keptList } from "./kept-list.js";
import { Lanes } from "./lanes.js";
import { ReportThen } from "./report-then.js";
import { RoundThen } from "./round-then.js";
import { Stage } from "./stage.js";

/** How long the address waits for the moment to stand still: browsers take only so many changes. */
const addressMilliseconds = 400;
const stepMilliseconds = 5000;

/**
 * An incident, a guard's round, or a report of an animal, as it is played back: one source, and parts that show the moment at which it stands. The address holds the moment, the
 * caller who is looked at and the kinds of lines.
 */
export class Player {
  #source;
  #recording;
  #places;
  #kept;
  #parts;
  #timer = 0;
  #query = new URLSearchParams(location.search);

  /**
   * @param {import("../../../core/api.js").API} api
   * @param {Awaited<ReturnType<typeof import("./load.js").read>>} recording
   * @param {{main: HTMLElement, about: HTMLElement, title: HTMLElement}} places
   */
  constructor(api, recording, places) {
    this.#recording = recording;
    this.#source = recording.source;
    this.#places = places;
    const seek = (at) => this.#source.seek(at);
    const keep = (name, value) => this.#keep(name, value);
    const actions = new ActionList(this.#source, recording.names, { chosen: this.#query.get("kinds")?.split(",") ?? null, onKinds: (kinds) => keep("kinds", kinds?.join(",") ?? null) });
    const lanes = new Lanes(this.#source, recording.kept, seek);
    this.#kept = keptList(api, recording, seek);
    this.#parts = {
      actions, lanes,
      details: new Details(api, this.#source, recording),
      ...this.#thenOf(api, seek, keep),
      controls: new Controls(this.#source, lanes, actions),
    };
  }

  /** The parts that show what there was at the moment. */
  #thenOf(api, seek, keep) {
    const { kind, names } = this.#recording;
    if (kind === "round") return { one: new RoundThen(this.#source, names) };
    if (kind === "report") return { one: new ReportThen(api, this.#source, names) };
    const stage = new Stage(api, this.#recording, seek);
    // That of a guard's alarm may have no caller.
    if (Object.values(this.#source.end.sessions).every(({ position }) => position === null)) return { stage };
    return { stage, callers: new Callers(api, this.#source, names, { chosen: this.#query.get("caller"), onChoice: (caller) => keep("caller", caller) }) };
  }

  begin() {
    const { actions, details, stage, callers, one, controls, lanes } = this.#parts;
    this.#head();
    fill(this.#places.main, h("div", { class: one ? "replay of-one" : callers ? "replay" : "replay of-stage" },
      h("section", { class: "actions card", "aria-label": t("replay.what") }, actions.element, this.#kept, details.element),
      [one, stage, callers].map((part) => part?.element),
      h("section", { class: "controls card", "aria-label": t("replay.moment") }, lanes.element, controls.element)));
    this.#source.subscribe(() => this.#draw());
    this.#goToAddress();
    addEventListener("popstate", () => this.#goToAddress());
    addEventListener("keydown", (event) => this.#key(event));
    this.#places.main.focus({ preventScroll: true });
    document.documentElement.dataset.ready = "";
  }

  #draw() {
    for (const part of Object.values(this.#parts)) part.draw();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#keepMoment(), addressMilliseconds);
  }

  // MARK: The address

  /** `entry` goes before `t`: more than one thing may have been recorded at a time. */
  #goToAddress() {
    this.#query = new URLSearchParams(location.search);
    const index = this.#source.indexOf(Number(this.#query.get("entry") ?? NaN));
    const at = Date.parse(this.#query.get("t") ?? "");
    if (index >= 0) this.#source.seekEvent(index);
    else this.#source.seek(Number.isNaN(at) ? this.#source.events[0].at : at);
  }

  #keepMoment() {
    const { event, at, count, events } = this.#source;
    this.#keep("t", new Date(at).toISOString());
    // What was recorded later at the same time is not yet there: only the entry says so.
    const isWithin = event && event.at === at && events[count]?.at === at;
    this.#keep("entry", isWithin ? String(event.position) : null);
  }

  #keep(name, value) {
    const before = this.#query.toString();
    if (value === null) this.#query.delete(name);
    else this.#query.set(name, value);
    if (this.#query.toString() !== before) history.replaceState(null, "", `${location.pathname}?${this.#query}`);
  }

  /** The address of this moment, for somebody else. */
  async #copy() {
    clearTimeout(this.#timer);
    this.#keepMoment();
    try {
      await navigator.clipboard.writeText(location.href);
      toast(t("replay.copied"), "good");
    } catch {
      toast(t("replay.copy.refused"), "warn");
    }
  }

  // MARK: What stands above

  #head() {
    const { id, kind, source, ledger } = this.#recording;
    const [first, last] = [source.events[0], source.events.at(-1)];
    const covered = last.position < ledger.size;
    const address = addressOf(source.end);
    document.title = t("replay.page.of", { id: short(id) });
    this.#places.title.textContent = t(`replay.title.${kind}`, { id: short(id) });
    this.#places.title.title = id;
    fill(this.#places.about,
      address && h("span", {}, address),
      h("span", { class: "soft small" }, momentElement(first.time), " – ", (dayOf(first.at) === dayOf(last.at) ? timeElement : momentElement)(last.time), ` · ${t("replay.entries", { count: source.events.length, entries: numeral(source.events.length) })}`),
      h("span", { class: `chip ${covered ? "good" : "warn"}`, title: t("replay.signed.about", { origin: ledger.origin, size: numeral(ledger.size) }) },
        t(covered ? "replay.signed" : "replay.signed.not-all", { size: ledger.size })),
      h("span", { class: "chip", title: t("replay.recorded.about") }, t("replay.recorded")),
      h("button", { type: "button", onclick: () => this.#copy() }, t("replay.copy")));
  }

  // MARK: Keys

  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || document.querySelector("dialog[open]")) return;
    // What takes keys itself keeps them.
    if (event.target.closest?.("input:not([type=range], [type=checkbox]), textarea, select, place-map")) return;
    if (event.key === " " && event.target.closest?.("button, a, summary, [type=checkbox]")) return;
    const { actions, controls, lanes } = this.#parts;
    const step = (milliseconds) => () => this.#source.seek(this.#source.at + milliseconds);
    const action = {
      " ": () => controls.switch(), k: () => controls.switch(), ArrowLeft: step(-stepMilliseconds), ArrowRight: step(stepMilliseconds),
      ",": () => actions.step(-1), ".": () => actions.step(1), j: () => controls.faster(-1), l: () => controls.faster(1),
      Home: () => this.#source.seek(-Infinity), End: () => this.#source.seek(Infinity), "+": () => lanes.zoom(1), "-": () => lanes.zoom(-1),
    }[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }
}

