// SPDX-License-Identifier: Apache-2.0
import { Alarms as Repetition } from "../../../console/alarms.js";
import { fill, h, refill, toast } from "../../../core/dom.js";
import { numeral, t } from "../../../core/i18n.js";
import { patience } from "../../../core/patience.js";
import { age, now, timeElement } from "../../../core/time.js";
import { Bell } from "../../../dom/bell.js";
import { pressed } from "../../../dom/busy.js";
import { CamerasNearby } from "../../../dom/cameras-nearby.js";
import { measuredWords } from "../../../model/fix.js";
import { coordinates } from "../../../model/patrol.js";

/** How often it is said anew how long somebody waits. */
const lookMilliseconds = 5000;

/** How often it is looked whether to sound again, and whether the title tells how many wait. */
const soundMilliseconds = 1000;

/** A window's title with how many alarms wait, in place of what it told before. @param {string} title @param {number} count */
export function titleWith(title, count) {
  const plain = title.replace(/^\(\d+\) [^·]* · /, "");
  return count ? `(${count}) ${t("patrols.alarm")} · ${plain}` : plain;
}

/** The guards' alarms that nobody took up: they stand above every part of the page, in the window's title, and sound. Below them those that somebody took up in the last hour. */
export class Alarms {
  #desk;
  #alarms = [];
  #answered = [];
  #asked = 0;
  #shown = 0;
  #failures = 0;
  #timer = 0;
  #repetition = new Repetition();
  #cameras;
  #bell;
  #list = h("ul", { class: "stack" });
  #below = h("ul", { class: "stack taken" });
  /** Read aloud when another one comes. */
  #said = h("p", { class: "visually-hidden", role: "alert" });
  element = h("section", { class: "alarms", hidden: true, "aria-labelledby": "alarms-title" }, this.#said, h("h2", { id: "alarms-title" }, t("patrols.alarms")), this.#list);
  taken = h("section", { hidden: true, "aria-labelledby": "taken-title" }, h("h2", { id: "taken-title" }, t("patrols.alarms.taken")), this.#below);

  /** @param {import("../page.js").Desk} desk @param {HTMLElement} button Of the sound. */
  constructor(desk, button) {
    this.#desk = desk;
    this.#cameras = new CamerasNearby(desk.api);
    this.#bell = new Bell(button, { on: t("patrols.sound.on"), off: t("patrols.sound.off"), silent: t("patrols.sound.silent") });
    desk.changes.addEventListener("change", () => this.#read());
    desk.changes.addEventListener("names", () => this.#show());
    setInterval(() => this.#show(), lookMilliseconds);
    setInterval(() => this.#tell(), soundMilliseconds);
    this.#read();
  }

  /** Sounds as for a message, which is less than an alarm. */
  ring() {
    this.#bell.ring("message");
  }

  async #read() {
    clearTimeout(this.#timer);
    const mine = ++this.#asked;
    try {
      const { items } = await this.#desk.api.get("/v1/guard-alarms?taken=1");
      if (mine < this.#shown) return;
      [this.#shown, this.#failures] = [mine, 0];
      const open = items.filter(({ answeredBy }) => !answeredBy);
      const isNew = open.filter(({ id }) => !this.#alarms.some((known) => known.id === id));
      [this.#alarms, this.#answered] = [open, items.filter(({ answeredBy }) => answeredBy).reverse()];
      if (isNew.length) fill(this.#said, t("patrols.alarm.of", { name: isNew.map(({ guardID }) => this.#desk.people.nameOf(guardID)).join(", ") }));
      this.#show();
    } catch {
      // That the centre is not reached stands at the top; an alarm is looked for until it can be read.
      this.#timer = setTimeout(() => this.#read(), patience(this.#failures++));
    }
  }

  /** The callers' sound is the most urgent one; like that, it comes again until somebody takes the alarm up. */
  #tell() {
    const ids = this.#alarms.map(({ id }) => id);
    for (const kind of this.#repetition.look({ callers: ids, messages: [] }, performance.now() / 1000)) this.#bell.ring(kind);
    const title = titleWith(document.title, ids.length);
    if (document.title !== title) document.title = title;
    this.#bell.showState();
  }

  #show() {
    this.#tell();
    [this.element.hidden, this.taken.hidden] = [this.#alarms.length === 0, this.#answered.length === 0];
    const rows = [...this.#alarms].sort((one, other) => Date.parse(one.since) - Date.parse(other.since)).map((alarm) => ({ alarm, waits: age(alarm.since, now()) }));
    refill(this.#list, [rows, this.#desk.people.version], () => rows.map(({ alarm, waits }) => this.#row(alarm, waits)));
    refill(this.#below, [this.#answered, this.#desk.people.version], () => this.#answered.map((alarm) => this.#answeredRow(alarm)));
  }

  #row(alarm, waits) {
    const name = this.#desk.people.nameOf(alarm.guardID);
    return h("li", { class: "card row padded alarm" }, h("div", { class: "grow" }, h("strong", {}, t("patrols.alarm.of", { name })), h("p", {}, t("patrols.since"), " ", timeElement(alarm.since), ` (${waits})`, alarm.times > 1 && [" · ", t("patrols.alarm.times", { count: alarm.times }), " ", timeElement(alarm.at)]), h("p", {}, placeOf(alarm))),
      h("button", { type: "button", class: "primary big", dataset: { key: alarm.id }, onclick: pressed(() => this.#take(alarm)) }, t("patrols.alarm.take")), this.#nearby(alarm));
  }

  /** Where help goes to stands there for whoever sent it. */
  #answeredRow(alarm) {
    const { people } = this.#desk;
    const names = { name: people.nameOf(alarm.guardID), by: people.nameOf(alarm.answeredBy) };
    return h("li", { class: "card padded" }, h("p", {}, t("patrols.alarm.by", names), " ", timeElement(alarm.answeredAt)), h("p", {}, placeOf(alarm)), this.#replay(alarm), this.#nearby(alarm));
  }

  /** Its incident is read by who took it up, and by those who supervise. */
  #replay({ incident, answeredBy }) {
    const { me, supervises } = this.#desk;
    return incident && (supervises || answeredBy === me.user) && h("p", {}, h("a", { class: "button", href: `/replay/${incident}`, dataset: { key: `replay-${incident}` } }, t("patrols.replay")));
  }

  #nearby({ fix, at }) {
    return fix && this.#cameras.list(fix, at);
  }

  async #take(alarm) {
    try {
      await this.#desk.api.post(`/v1/guard-alarms/${alarm.id}/answer`);
      toast(t("patrols.alarm.taken", { name: this.#desk.people.nameOf(alarm.guardID) }), "good");
    } catch (error) {
      const isAnothers = error.slug === "guard-alarm-answered";
      toast(isAnothers ? t("patrols.alarm.anothers", { name: this.#desk.people.nameOf(error.members.by) }) : error.message, "bad");
    }
    await this.#read();
  }
}

/** A place to be copied, and to be opened where the machine has a map for it. */
function placeOf({ fix, at }) {
  if (!fix) return h("span", { class: "soft" }, t("patrols.alarm.nowhere"));
  const link = h("a", { href: `geo:${fix.latitude},${fix.longitude}` }, coordinates(fix));
  const measured = measuredWords(fix, at);
  return [link, fix.accuracyMetres !== undefined && [" ", h("span", { class: "soft" }, t("patrols.alarm.exact", { metres: numeral(Math.round(fix.accuracyMetres)) }))],
    measured && [" ", h("span", { class: "chip warn" }, measured)]];
}
