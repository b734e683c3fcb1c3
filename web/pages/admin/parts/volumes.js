// SPDX-License-Identifier: Apache-2.0
import { h, refill } from "../../../core/dom.js";
import { numeral, t } from "../../../core/i18n.js";
import { ask, field } from "../../../dom/ask.js";
import { table } from "../../../dom/table.js";
import { actionsOf, areMoving, ownFolder, sizeOf, stateOf } from "../../../model/volumes.js";
import { keepReading } from "./keep-reading.js";

/** So often it is read anew while recordings move, and every so many times of that while none do. */
const againMilliseconds = 2000;
const restingTimes = 5;
const chips = { used: "good", draining: "warn", empty: "", away: "bad" };
const looks = { remove: "danger" };

/** The folders in which recordings lie: how much room each has, and how one is added, emptied and removed. */
export class Volumes {
  #desk;
  #reading;
  #volumes = [];
  #times = 0;
  #place = h("div", { class: "stack" });

  /** @param {import("../page.js").Desk} desk */
  constructor(desk) {
    this.#desk = desk;
  }

  async open() {
    this.#reading = await keepReading(() => this.#readInTurn(), againMilliseconds);
    return [h("div", { class: "card row find" }, h("p", { class: "grow" }, t("set.volumes.about")), h("button", { type: "button", class: "primary", onclick: () => this.#add() }, t("set.volumes.add"))), this.#place];
  }

  stop() {
    this.#reading?.stop();
  }

  /** The gateway counts the files for each answer: it is asked less often while nothing moves. */
  async #readInTurn() {
    if (areMoving(this.#volumes) || this.#times % restingTimes === 0) await this.#read();
    this.#times++;
  }

  async #read() {
    this.#show((await this.#desk.api.get("/v1/volumes")).volumes);
  }

  #show(volumes) {
    this.#volumes = volumes;
    refill(this.#place, volumes, () => table(t("set.volumes"), [t("set.volumes.folder"), t("admin.state"), t("set.volumes.recordings"), t("set.volumes.free"), ""],
      volumes.map((volume) => [folder(volume), standing(volume), contents(volume), volume.here ? sizeText(volume.freeBytes) : "–", this.#buttons(volume)])));
  }

  #buttons(volume) {
    return h("span", { class: "row" }, actionsOf(volume, this.#volumes).map((action) => h("button", { type: "button", class: looks[action] ?? "", dataset: { key: `${action}-${volume.path}` }, onclick: () => this.#change(volume, action) }, t(`set.volumes.${action}`))));
  }

  async #add() {
    const added = await ask({
      title: t("set.volumes.add"), press: t("set.volumes.add"), will: [t("set.volumes.add.will")], fields: [field(t("set.volumes.folder"), { name: "path", required: true, pattern: "/.*" }, t("set.volumes.path.hint"))],
      act: async ({ path }) => ({ path: path.trim(), ...(await this.#post(path.trim(), "add")) }),
    });
    if (added) this.#did(t("set.volumes.was-add", added), added.volumes);
  }

  /** Asks, and does it: `drain`, `use` or `remove`. */
  async #change({ path }, action) {
    const changed = await ask({
      title: t(`set.volumes.ask-${action}`, { path }), press: t(`set.volumes.${action}`), isForGood: action === "remove", will: wordsOf[action](), act: () => this.#post(path, action),
    });
    if (changed) this.#did(t(`set.volumes.was-${action}`, { path }), changed.volumes);
  }

  #post(path, action) {
    return this.#desk.api.post("/v1/volumes", { path, action }, { tries: 1 });
  }

  #did(words, volumes) {
    this.#desk.done.add(words);
    this.#show(volumes);
  }
}

/** What each action does, in sentences. */
const wordsOf = {
  drain: () => [t("set.volumes.drain.will"), t("set.volumes.drain.live"), t("set.volumes.drain.readable")],
  use: () => [t("set.volumes.use.will")],
  remove: () => [t("set.volumes.remove.will")],
};

const folder = ({ path }) => h("span", {}, h("code", {}, path), path === ownFolder && [h("br"), h("span", { class: "soft small" }, t("set.volumes.own"))]);

/** How a folder stands, what is wrong with it, and what to do where its disk is away. */
function standing(volume) {
  const state = stateOf(volume);
  return h("span", {}, h("span", { class: `chip ${chips[state]}` }, t(`set.volumes.is.${state}`)), volume.fault && [h("br"), volume.fault],
    state === "away" && volume.path !== ownFolder && [h("br"), h("span", { class: "soft small" }, t("set.volumes.lost", { path: volume.path }))]);
}

const contents = ({ files, bytes, here }) => (here ? t("set.volumes.files", { count: files, files: numeral(files), size: sizeText(bytes) }) : "–");

/** Bytes as the reader writes numbers, with one digit behind the point below ten. */
function sizeText(bytes) {
  const [value, unit] = sizeOf(bytes);
  return `${numeral(value, value > 0 && value < 10 ? 1 : 0)}\u00a0${unit}`;
}
