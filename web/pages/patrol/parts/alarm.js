// SPDX-License-Identifier: Apache-2.0
import { fill, h } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { local, ofTab } from "../../../core/storage.js";
import { now, timeOfDay } from "../../../core/time.js";
import { placeWithin } from "../../../dom/place.js";
import { alarmItem, sendAlarm, Unsent } from "./unsent.js";

/** So long the button is held until it counts: nobody raises an alarm by chance. */
const holdMilliseconds = 2000;
/** So long the second press may come after the first, where no finger is used. */
const againMilliseconds = 10_000;
/** The place is looked for from the first touch on. */
const placeSeconds = 3;
const placeAgeMost = 60_000;
/** An alarm does not wait longer for it than this. */
const graceMilliseconds = 1000;
/** So long the centre's answer may have been on its way, while somebody took the alarm up already. */
const answerMilliseconds = 10_000;

const store = "patrol-alarm/";

/** Whether somebody's alarm waits on this device, whoever that is: nobody is signed in yet. */
export const alarmWaits = () => local.names.some((name) => name.startsWith(store));

/**
 * An alarm that the centre has, which is said until another round begins.
 * @typedef {{at: number, round?: string | null}} Had When it came, and the round on which it was raised; `null` on none, and nothing before that is known.
 * @param {Had | null} had @param {string | null} round The one under way. @returns {Had | null}
 */
export function hadDuring(had, round) {
  if (!had || had.round === undefined) return had && { ...had, round };
  return round && round !== had.round ? null : had;
}

/**
 * When somebody at the centre took up an alarm that it has; 0 where nobody did.
 * @param {{at: string, answeredAt?: string}[]} alarms Of this guard, oldest first. @param {number} hadAt When the centre's answer came here, which is a moment after the alarm.
 */
export function helpOf(alarms, hadAt) {
  const newest = alarms.reduce((last, one) => (Date.parse(one.at) >= Date.parse(last?.at ?? one.at) ? one : last), alarms[0]);
  const answeredAt = Date.parse(newest?.answeredAt ?? "") || 0;
  return answeredAt > hadAt - answerMilliseconds ? answeredAt : 0;
}

/**
 * What stands above the button: what became of the newest alarm, and below it a hint on how the button is pressed, which takes nothing of that away.
 * @param {{waits: boolean, refusal: string, hadAt: number, helpAt?: number, hint: "" | "longer" | "again"}} alarm
 * @returns {{state: [string, string], hint: string}} Kind and words of the state; empty where there is nothing to say.
 */
export function saidOf({ waits, refusal, hadAt, helpAt = 0, hint }) {
  if (waits) return { state: ["bad", `${t("patrol.alarm.waits")} ${t("bar.call")}`], hint: "" };
  const said = hint && (hadAt && !refusal ? t(`patrol.alarm.more.${hint}`) : t(`patrol.alarm.${hint}`));
  if (refusal) return { state: ["bad", `${t("patrol.alarm.refused", { detail: refusal })} ${t("bar.call")}`], hint: said };
  if (!hadAt) return { state: ["", ""], hint: said };
  return { state: ["good", helpAt ? t("patrol.alarm.taken", { time: timeOfDay(helpAt) }) : t("patrol.alarm.had", { time: timeOfDay(hadAt) })], hint: said };
}

/**
 * The alarm button: held for two seconds, or pressed twice by key or screen reader. It says whether the centre has the alarm, and sends it again until it has.
 */
export class Alarm {
  #unsent;
  #place = null;
  #holding = 0;
  #arming = 0;
  #isRaising = false;
  #hadStore;
  #refusal = "";
  /** When somebody took the newest alarm up. */
  #helpAt = 0;
  /** @type {"" | "longer" | "again"} */
  #hint = "";
  /** The round under way, once that is known. @type {string | null | undefined} */
  #round;
  #state = h("p", { class: "alarm-state", role: "alert" });
  #hinted = h("p", { class: "alarm-state notice warn", role: "alert" });
  #button = h("button", { type: "button", class: "alarm", "aria-describedby": "alarm-how" }, h("span", { class: "held" }), h("span", { class: "words" }, t("patrol.alarm")));
  element = h("footer", { class: "alarm-bar", "aria-label": t("patrol.alarm") }, this.#state, this.#hinted, this.#button, h("p", { class: "small", id: "alarm-how" }, t("patrol.alarm.how"), h("span", { class: "by-keys" }, " ", t("patrol.alarm.keys"))));

  /** @param {import("../../../core/api.js").API} api @param {string} user */
  constructor(api, user) {
    this.#hadStore = `patrol-had/${user}`;
    this.#unsent = new Unsent(`${store}${user}`, (item) => sendAlarm(api, item), {
      onChange: () => this.#show(), onSent: () => this.#taken(), onRefused: (item, error) => (this.#refusal = error.message),
    });
    this.#listen();
    this.#show();
    this.#unsent.deliver();
  }

  /** Sends what waits, now: the centre is there again. */
  deliver() {
    this.#unsent.deliver();
  }

  /** @param {string | null} round The one under way. */
  during(round) {
    this.#round = round;
    this.#had = hadDuring(this.#had, round);
    this.#show();
  }

  /** @param {{at: string, answeredAt?: string}[]} alarms What the centre has of this guard. */
  answered(alarms) {
    const helpAt = helpOf(alarms, this.#had?.at ?? 0);
    if (helpAt && helpAt !== this.#helpAt) navigator.vibrate?.([100, 50, 100, 50, 100]);
    this.#helpAt = helpAt;
    this.#show();
  }

  /** Kept with the tab: phones begin pages anew by themselves. @returns {Had | null} */
  get #had() {
    try {
      return JSON.parse(ofTab.getItem(this.#hadStore) ?? "null");
    } catch {
      return null;
    }
  }

  set #had(had) {
    if (had) ofTab.setItem(this.#hadStore, JSON.stringify(had));
    else ofTab.removeItem(this.#hadStore);
  }

  #listen() {
    const button = this.#button;
    button.addEventListener("pointerdown", (event) => this.#hold(event));
    for (const type of ["pointerup", "pointercancel", "lostpointercapture"]) button.addEventListener(type, () => this.#release());
    // A long touch opens a menu elsewhere.
    button.addEventListener("contextmenu", (event) => event.preventDefault());
    // A press by key, or by a screen reader, has no pointer in it.
    button.addEventListener("click", (event) => event.detail === 0 && this.#press());
  }

  #hold(event) {
    if (event.button !== 0) return;
    this.#button.setPointerCapture(event.pointerId);
    this.#button.classList.add("is-held");
    this.#begin();
    this.#holding = setTimeout(() => this.#raise(), holdMilliseconds);
  }

  #release() {
    if (!this.#holding) return;
    clearTimeout(this.#holding);
    this.#holding = 0;
    this.#button.classList.remove("is-held");
    this.#say("longer");
  }

  #press() {
    if (this.#arming) return this.#raise();
    this.#begin();
    this.#arming = setTimeout(() => {
      this.#arming = 0;
      this.#say("");
    }, againMilliseconds);
    this.#say("again");
  }

  #begin() {
    this.#place = placeWithin(placeSeconds, placeAgeMost);
  }

  async #raise() {
    clearTimeout(this.#arming);
    [this.#holding, this.#arming, this.#refusal, this.#hint] = [0, 0, "", ""];
    [this.#had, this.#helpAt] = [null, 0];
    this.#button.classList.remove("is-held");
    navigator.vibrate?.([300, 100, 300]);
    if (this.#unsent.items.length || this.#isRaising) return void this.#unsent.deliver();
    this.#isRaising = true;
    this.#show();
    const fix = await Promise.race([this.#place, new Promise((resolve) => setTimeout(resolve, graceMilliseconds))]);
    this.#isRaising = false;
    this.#unsent.add(alarmItem(new Date(now()).toISOString(), fix));
  }

  #taken() {
    this.#had = { at: now(), round: this.#round };
    navigator.vibrate?.([100, 50, 100]);
  }

  #say(hint) {
    this.#hint = hint;
    this.#show();
  }

  #show() {
    const waits = this.#isRaising || this.#unsent.items.length > 0;
    const { state: [kind, words], hint } = saidOf({ waits, refusal: this.#refusal, hadAt: this.#had?.at ?? 0, helpAt: this.#helpAt, hint: this.#hint });
    this.#state.className = `alarm-state notice ${kind}`;
    put(this.#state, words);
    put(this.#hinted, hint);
  }
}

/** Said once: a screen reader reads aloud whatever is put in. */
function put(element, words) {
  element.hidden = !words;
  if (element.textContent !== words) fill(element, words);
}
