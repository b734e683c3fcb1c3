// SPDX-License-Identifier: Apache-2.0
import { fill, focusIfLost, h, refill } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { newID } from "../../../core/ids.js";
import { limits } from "../../../core/limits.js";
import { now } from "../../../core/time.js";
import { busy, isBusy, pressed } from "../../../dom/busy.js";
import { placeWithin } from "../../../dom/place.js";
import { tagLength, typedCode } from "../../../model/patrol-code.js";
import { keptRefused, keptTaken, Outcomes, refused, taken, whereWords } from "./answers.js";
import { Scan } from "./scan.js";
import { isPassing, sendCheckIn, Unsent } from "./unsent.js";

/** A check-in does not wait longer for the phone's place. */
const placeSeconds = 4;
/** A guard walks on: an older place is not where the label hangs. */
const placeAgeMost = 5000;
/** A rougher place than this would have a check-in refused that was made at the label. */
const roughMost = 100;

/** @typedef {import("./answers.js").Answer} Answer @typedef {{id: string, name: string, latitude: number, longitude: number}} Point */

/** Checking in at a point by the code on its label, which is scanned or typed; without the centre it is kept, and sent when that is back. */
export class CheckIn {
  #api;
  #given;
  #unsent;
  #outcomes;
  /** Whether somebody chose the point, who is not led to another one until they are checked in. */
  #hasChosen = false;
  #next = "";
  /** What the points were when they were offered last. */
  #offered = "";
  #scan = new Scan({ read: (code) => busy(this.#scanning, this.#checkIn(code)), type: () => this.#openForm(), closed: (isLeft) => this.#scanClosed(isLeft) });
  #scanning = h("button", { type: "button", class: "primary big scan-open", onclick: () => this.#openScan() }, t("patrol.scan"));
  #typing = h("button", { type: "button", class: "big", "aria-expanded": "false", "aria-controls": "check-in-form", onclick: () => this.#toggleForm() }, t("patrol.scan.type"));
  #point = h("select", { name: "point", onchange: () => (this.#hasChosen = true) });
  #code = h("input", { name: "code", required: true, autocomplete: "off", autocapitalize: "characters", autocorrect: "off", spellcheck: "false", enterkeyhint: "send", maxlength: limits.codeBytes, "aria-describedby": "code-hint" });
  #choosing = h("label", { hidden: true }, t("patrol.code.point"), this.#point);
  #hint = h("p", { class: "small soft", id: "code-hint" });
  #form = h("form", { class: "stack", id: "check-in-form", hidden: true, novalidate: true, onsubmit: pressed((event) => this.#submit(event)) }, this.#choosing, h("label", {}, t("patrol.code"), this.#code), this.#hint,
    h("button", { class: "primary big" }, t("patrol.check-in.press")));
  #told = h("p", { class: "notice", role: "status", hidden: true });
  #became = h("ul", { class: "stack", "aria-label": t("patrol.kept.outcomes") });
  #waiting = h("p", { class: "notice warn", role: "status", hidden: true });
  element = h("section", { class: "card stack padded check-in", "aria-labelledby": "check-in-title" }, h("h2", { id: "check-in-title" }, t("patrol.check-in")), this.#scanning, this.#scan.element, this.#typing, this.#form,
    this.#told, this.#waiting, h("div", { role: "status" }, this.#became));

  /**
   * @param {import("../../../core/api.js").API} api
   * @param {string} user
   * @param {{isAway: () => boolean, counting: () => Promise<(point: string, at: string) => Promise<Answer>>, meaning: (point: string | undefined, at: string) => Promise<Answer>,
   *   known: (point: string | undefined, at: string) => Answer, pointOf: (point: string | undefined) => Point | undefined}} given `counting` is asked before a check-in is sent, and reads
   *   afterwards what it meant for the round; `meaning` reads what one at a point means now, and `known` says it by what was read before; `pointOf` says where a point is.
   */
  constructor(api, user, given) {
    [this.#api, this.#given] = [api, given];
    this.#outcomes = new Outcomes(`patrol-outcomes/${user}`);
    this.#unsent = new Unsent(`patrol-check-ins/${user}`, (item) => this.#sendKept(item), {
      onChange: () => this.#showWaiting(),
      onSent: (item, told) => this.#note(item, told),
      onRefused: (item, error) => this.#noteRefused(item, error),
    });
    this.offer([], "");
    if (!this.#scan.isPossible) {
      for (const one of [this.#scanning, this.#typing]) one.hidden = true;
      this.#form.hidden = false;
    }
    this.#showOutcomes();
    this.#showWaiting();
    this.#unsent.deliver();
  }

  deliver() {
    this.#unsent.deliver();
  }

  /** The points of which one is chosen for a code that is typed. @param {Point[]} points @param {string} next The id of the one that is due next; empty where none is. */
  offer(points, next) {
    const signature = JSON.stringify([points.map(({ id, name }) => [id, name]), next]);
    if (signature === this.#offered) return;
    this.#offered = signature;
    const before = this.#point.value;
    this.#next = next;
    fill(this.#point, h("option", { value: "" }, t("patrol.code.choose")), points.map(({ id, name }) => h("option", { value: id }, name)));
    this.#choosing.hidden = points.length === 0;
    this.#hint.textContent = t(points.length ? "patrol.code.hint" : "patrol.code.hint.whole");
    this.#lead(this.#hasChosen ? before : next);
  }

  /** Chooses a point for the next code, where it is among them. @param {string} point */
  #lead(point) {
    this.#point.value = point;
    if (this.#point.selectedIndex < 0) this.#point.value = "";
  }

  // MARK: Scanning

  #openScan() {
    if (isBusy(this.#scanning)) return;
    this.#told.hidden = true;
    for (const one of [this.#scanning, this.#typing, this.#form]) one.hidden = true;
    this.#typing.setAttribute("aria-expanded", "false");
    this.#scan.open();
    // A phone takes some seconds to find its place: it begins now, and knows it when the label is read.
    placeWithin(placeSeconds, placeAgeMost);
  }

  #scanClosed(isLeft) {
    for (const one of [this.#scanning, this.#typing]) one.hidden = false;
    if (isLeft) this.#scanning.focus();
    else focusIfLost(this.#scanning);
  }

  // MARK: Typing

  #openForm() {
    this.#scan.close();
    this.#form.hidden = false;
    this.#typing.setAttribute("aria-expanded", "true");
    (this.#choosing.hidden || this.#point.value ? this.#code : this.#point).focus();
  }

  #toggleForm() {
    if (this.#form.hidden) return this.#openForm();
    this.#form.hidden = true;
    this.#typing.setAttribute("aria-expanded", "false");
  }

  async #submit(event) {
    event.preventDefault();
    const typed = typedCode(this.#code.value, this.#point.value);
    if ("code" in typed) return this.#checkIn(typed.code);
    this.#tell("bad", t(`patrol.typed.${typed.fault}`, { count: typed.count, all: tagLength }));
    (typed.fault === "point" && !this.#choosing.hidden ? this.#point : this.#code).focus();
  }

  // MARK: Checking in

  /** @param {string} code */
  async #checkIn(code) {
    this.#tell("", t("patrol.checking"));
    /** @type {import("./unsent.js").Item} */
    const item = { key: newID(), at: new Date(now()).toISOString(), body: { code } };
    const fix = await placeWithin(placeSeconds, placeAgeMost);
    if (fix && (fix.accuracyMetres ?? 0) <= roughMost) item.body.fix = fix;
    else if (fix) item.rough = fix.accuracyMetres;
    // What waits was made before: it is sent before.
    if (this.#given.isAway() || this.#unsent.items.length) return this.#keep(item);
    try {
      const counted = await this.#given.counting();
      const { point } = await this.#api.post("/v1/check-ins", item.body, { key: item.key, tries: 2 });
      this.#clear();
      const [look, words] = taken(await counted(point, item.at));
      this.#tell(look, `${words} ${this.#where(item, point)}`);
    } catch (error) {
      if (isPassing(error)) return this.#keep(error.status ? { ...item, key: newID() } : item);
      const words = refused(error, await this.#given.meaning(error.members?.point, item.at));
      this.#tell("bad", `${words} ${this.#whereRefused(item, error)}`);
      if (!this.#form.hidden) this.#code.select();
    }
  }

  #where(item, point) {
    return whereWords(item, this.#given.pointOf(point));
  }

  /** Where somebody was matters where that is why. */
  #whereRefused(item, error) {
    return error.slug === "check-in-too-far" ? this.#where(item, error.members?.point) : "";
  }

  /** The next one is typed anew. */
  #clear() {
    this.#code.value = "";
    this.#hasChosen = false;
    this.#lead(this.#next);
  }

  /** Sends one that was kept, and reads what it meant before the next one is sent. @returns {Promise<[string, string]>} What is said of it. */
  async #sendKept(item) {
    const counted = await this.#given.counting();
    const { point } = await sendCheckIn(this.#api, item);
    const [look, words] = keptTaken(await counted(point, item.at), item.at);
    return [look, `${words} ${this.#where(item, point)}`];
  }

  #keep(item) {
    this.#clear();
    this.#told.hidden = true;
    this.#unsent.add(item);
    this.#waiting.scrollIntoView({ block: "nearest" });
  }

  #note(item, told) {
    this.#outcomes.add(item.key, told);
    this.#showOutcomes();
  }

  async #noteRefused(item, error) {
    const { point } = error.members ?? {};
    // Noted before the round is read: nothing is lost when the page goes away meanwhile.
    const told = (meaning) => {
      const [look, words] = keptRefused(error, meaning, item.at);
      return /** @type {[string, string]} */ ([look, `${words} ${this.#whereRefused(item, error)}`.trim()]);
    };
    this.#note(item, told(this.#given.known(point, item.at)));
    const meaning = await this.#given.meaning(point, item.at);
    if (this.#outcomes.items.some(({ key }) => key === item.key)) this.#note(item, told(meaning));
  }

  #showOutcomes() {
    const { items } = this.#outcomes;
    this.#became.hidden = items.length === 0;
    refill(this.#became, items, () => items.map(({ key, look, words }) => h("li", { class: `notice outcome ${look}` }, h("p", { class: "grow" }, words),
      h("button", { type: "button", dataset: { key }, onclick: () => this.#putAway(key) }, t("page.put-away")))));
  }

  #putAway(key) {
    this.#outcomes.putAway(key);
    this.#showOutcomes();
  }

  #tell(kind, words) {
    this.#told.className = `notice ${kind}`;
    this.#told.textContent = words.trim();
    this.#told.hidden = false;
    this.#told.scrollIntoView({ block: "nearest" });
  }

  #showWaiting() {
    const count = this.#unsent.items.length;
    this.#waiting.hidden = count === 0;
    if (count) this.#waiting.textContent = t("patrol.kept", { count });
  }
}
