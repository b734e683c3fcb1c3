// SPDX-License-Identifier: Apache-2.0
import { h } from "../../../core/dom.js";
import { t, term } from "../../../core/i18n.js";
import { newID } from "../../../core/ids.js";
import { limits } from "../../../core/limits.js";
import { now } from "../../../core/time.js";
import { pressed } from "../../../dom/busy.js";
import { placeWithin } from "../../../dom/place.js";
import { codeOf } from "../../../model/patrol.js";
import { isPassing, sendCheckIn, Unsent } from "./unsent.js";

/** A check-in does not wait longer for the phone's place. */
const placeSeconds = 4;
/** A guard walks on: an older place is not where the label hangs. */
const placeAgeMost = 5000;
/** A rougher place than this would have a check-in refused that was made at the label. */
const roughMost = 100;

/** Checking in at a point by the code on its label; without the centre it is kept, and sent when that is back. */
export class CheckIn {
  #api;
  #given;
  #unsent;
  #code = h("input", { name: "code", required: true, autocomplete: "off", autocapitalize: "none", autocorrect: "off", spellcheck: "false", enterkeyhint: "send", maxlength: limits.codeBytes, "aria-describedby": "code-hint" });
  #told = h("p", { class: "notice", role: "status", hidden: true });
  #waiting = h("p", { class: "notice warn", role: "status", hidden: true });
  element = h("section", { class: "card stack padded check-in", "aria-labelledby": "check-in-title" }, h("h2", { id: "check-in-title" }, t("patrol.check-in")),
    h("form", { class: "stack", onsubmit: pressed((event) => this.#submit(event)) }, h("label", {}, t("patrol.code"), this.#code), h("p", { class: "small soft", id: "code-hint" }, t("patrol.code.hint")),
      h("button", { class: "primary big" }, t("patrol.check-in.press"))), this.#told, this.#waiting);

  /**
   * @param {import("../../../core/api.js").API} api
   * @param {string} user
   * @param {{isAway: () => boolean, counting: () => (point: string) => Promise<{name: string, standing: string | null}>, onSent: () => void}} given `counting` is asked before a
   *   check-in is sent, and reads afterwards what it meant for the round; `onSent` comes after each that was kept.
   */
  constructor(api, user, given) {
    [this.#api, this.#given] = [api, given];
    this.#unsent = new Unsent(`patrol-check-ins/${user}`, (item) => sendCheckIn(api, item), {
      onChange: () => this.#showWaiting(),
      onSent: () => {
        this.#tell("good", t("patrol.kept.sent"));
        given.onSent();
      },
      onRefused: (item, error) => this.#tell("bad", t("patrol.kept.refused", { why: refusal(error) })),
    });
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
    const counted = this.#given.counting();
    try {
      const { point } = await this.#api.post("/v1/check-ins", item.body, { key: item.key, tries: 2 });
      const { name, standing } = await counted(point);
      this.#code.value = "";
      this.#tell({ on_time: "good", late: "warn", missed: "warn" }[standing ?? "only"] ?? "", t(`patrol.checked.${standing ?? "only"}`, { name }));
    } catch (error) {
      if (isPassing(error)) return this.#keep(error.status ? { ...item, key: newID() } : item);
      this.#tell("bad", refusal(error));
      this.#code.select();
    }
  }

  #keep(item) {
    this.#code.value = "";
    this.#told.hidden = true;
    this.#unsent.add(item);
  }

  #tell(kind, words) {
    this.#told.className = `notice ${kind}`;
    this.#told.textContent = words;
    this.#told.hidden = false;
  }

  #showWaiting() {
    const count = this.#unsent.items.length;
    this.#waiting.hidden = count === 0;
    if (count) this.#waiting.textContent = t("patrol.kept", { count });
  }
}

/** Why a check-in does not count, and what to do; in the centre's words where there are no others. */
const refusal = (error) => term(`patrol.refused.${error.slug}`, error.message);
