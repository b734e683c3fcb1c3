// SPDX-License-Identifier: Apache-2.0
import { h, refill } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { newID } from "../../../core/ids.js";
import { limits } from "../../../core/limits.js";
import { now } from "../../../core/time.js";
import { pressed } from "../../../dom/busy.js";
import { placeWithin } from "../../../dom/place.js";
import { codeOf } from "../../../model/patrol.js";
import { keptRefused, keptTaken, Outcomes, refused, taken } from "./answers.js";
import { isPassing, sendCheckIn, Unsent } from "./unsent.js";

/** A check-in does not wait longer for the phone's place. */
const placeSeconds = 4;
/** A guard walks on: an older place is not where the label hangs. */
const placeAgeMost = 5000;
/** A rougher place than this would have a check-in refused that was made at the label. */
const roughMost = 100;

/** @typedef {import("./answers.js").Answer} Answer */

/** Checking in at a point by the code on its label; without the centre it is kept, and sent when that is back. */
export class CheckIn {
  #api;
  #given;
  #unsent;
  #outcomes;
  #code = h("input", { name: "code", required: true, autocomplete: "off", autocapitalize: "none", autocorrect: "off", spellcheck: "false", enterkeyhint: "send", maxlength: limits.codeBytes, "aria-describedby": "code-hint" });
  #told = h("p", { class: "notice", role: "status", hidden: true });
  #became = h("ul", { class: "stack", "aria-label": t("patrol.kept.outcomes") });
  #waiting = h("p", { class: "notice warn", role: "status", hidden: true });
  element = h("section", { class: "card stack padded check-in", "aria-labelledby": "check-in-title" }, h("h2", { id: "check-in-title" }, t("patrol.check-in")),
    h("form", { class: "stack", onsubmit: pressed((event) => this.#submit(event)) }, h("label", {}, t("patrol.code"), this.#code), h("p", { class: "small soft", id: "code-hint" }, t("patrol.code.hint")),
      h("button", { class: "primary big" }, t("patrol.check-in.press"))), this.#told, this.#waiting, h("div", { role: "status" }, this.#became));

  /**
   * @param {import("../../../core/api.js").API} api
   * @param {string} user
   * @param {{isAway: () => boolean, counting: () => Promise<(point: string, at: string) => Promise<Answer>>, meaning: (point: string | undefined, at: string) => Promise<Answer>,
   *   known: (point: string | undefined, at: string) => Answer}} given `counting` is asked before a check-in is sent, and reads afterwards what it meant for the round; `meaning` reads
   *   what one at a point means now, and `known` says it by what was read before.
   */
  constructor(api, user, given) {
    [this.#api, this.#given] = [api, given];
    this.#outcomes = new Outcomes(`patrol-outcomes/${user}`);
    this.#unsent = new Unsent(`patrol-check-ins/${user}`, (item) => this.#sendKept(item), {
      onChange: () => this.#showWaiting(),
      onSent: (item, told) => this.#note(item, told),
      onRefused: (item, error) => this.#noteRefused(item, error),
    });
    this.#showOutcomes();
    this.#showWaiting();
    this.#unsent.deliver();
  }

  deliver() {
    this.#unsent.deliver();
  }

  async #submit(event) {
    event.preventDefault();
    const code = codeOf(this.#code.value);
    if (!code) return;
    this.#tell("", t("patrol.checking"));
    const item = { key: newID(), at: new Date(now()).toISOString(), body: { code } };
    const fix = await placeWithin(placeSeconds, placeAgeMost);
    if (fix && (fix.accuracyMetres ?? 0) <= roughMost) item.body.fix = fix;
    // What waits was typed before: it is sent before.
    if (this.#given.isAway() || this.#unsent.items.length) return this.#keep(item);
    try {
      const counted = await this.#given.counting();
      const { point } = await this.#api.post("/v1/check-ins", item.body, { key: item.key, tries: 2 });
      this.#code.value = "";
      this.#tell(...taken(await counted(point, item.at)));
    } catch (error) {
      if (isPassing(error)) return this.#keep(error.status ? { ...item, key: newID() } : item);
      this.#tell("bad", refused(error, await this.#given.meaning(error.members?.point, item.at)));
      this.#code.select();
    }
  }

  /** Sends one that was kept, and reads what it meant before the next one is sent. @returns {Promise<[string, string]>} What is said of it. */
  async #sendKept(item) {
    const counted = await this.#given.counting();
    const { point } = await sendCheckIn(this.#api, item);
    return keptTaken(await counted(point, item.at), item.at);
  }

  #keep(item) {
    this.#code.value = "";
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
    this.#note(item, keptRefused(error, this.#given.known(point, item.at), item.at));
    const meaning = await this.#given.meaning(point, item.at);
    if (this.#outcomes.items.some(({ key }) => key === item.key)) this.#note(item, keptRefused(error, meaning, item.at));
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
    this.#told.textContent = words;
    this.#told.hidden = false;
    this.#told.scrollIntoView({ block: "nearest" });
  }

  #showWaiting() {
    const count = this.#unsent.items.length;
    this.#waiting.hidden = count === 0;
    if (count) this.#waiting.textContent = t("patrol.kept", { count });
  }
}
