// SPDX-License-Identifier: Apache-2.0
import { h, refill } from "../../../core/dom.js";
import { numeral, t } from "../../../core/i18n.js";
import { dayAndTime, hourOf } from "../../../core/time.js";
import { ask } from "../../../dom/ask.js";
import { pressed } from "../../../dom/busy.js";
import { table } from "../../../dom/table.js";
import { bodyOf, bySite, forecast, gibibyte, stateOf } from "../../../model/camera-set-up.js";
import { sitesOf } from "../../../model/cameras.js";
import { tryCamera } from "./camera-try.js";
import { download, importCams } from "./cams-file.js";
import { keepReading } from "./keep-reading.js";
import { TeamChannels } from "./team-channels.js";

/** So often it is read anew how the cameras stand. */
const againMilliseconds = 10_000;
const chips = { online: "good", offline: "bad", frozen: "bad", unknown: "warn", empty: "warn" };

/** The cameras of the organisation, by site and floor, those first with which something is wrong. */
export class Cameras {
  #desk;
  #cameras = [];
  #reading;
  #channels;
  #sites = h("div", { class: "stack" });

  /** @param {import("../page.js").Desk} desk */
  constructor(desk) {
    this.#desk = desk;
    this.#channels = new TeamChannels(desk, () => sitesOf(this.#cameras));
  }

  async open() {
    this.#reading = await keepReading(() => this.#read(), againMilliseconds);
    return [h("div", { class: "card row find" }, h("p", { class: "grow" }, t("set.cameras.about"), " ", h("a", { href: "/cameras" }, t("set.cameras.seen"))),
      h("button", { type: "button", onclick: () => this.#import("") }, t("set.cameras.import")), h("a", { class: "button primary", href: "/admin/cameras?camera=new" }, t("set.cameras.add"))), this.#sites, this.#channels.element];
  }

  stop() {
    this.#reading?.stop();
  }

  async #read() {
    [{ items: this.#cameras }] = await Promise.all([this.#desk.api.get("/v1/cameras"), this.#channels.read()]);
    refill(this.#sites, this.#cameras, () => (this.#cameras.length ? bySite(this.#cameras).map((one) => this.#site(one)) : h("p", { class: "card empty" }, t("set.cameras.none"))));
  }

  #site({ site, cameras, floors }) {
    return h("section", { class: "card stack padded cameras", "aria-label": site },
      h("div", { class: "row" }, h("h2", { class: "grow" }, t("set.cameras.of-site", { site, count: cameras.length })),
        h("a", { class: "button", href: `/admin/cameras?${new URLSearchParams({ camera: "new", site })}`, dataset: { key: `add-${site}` } }, t("set.cameras.add-here")),
        h("button", { type: "button", dataset: { key: `import-${site}` }, onclick: () => this.#import(site) }, t("set.cameras.import")),
        h("button", { type: "button", dataset: { key: `download-${site}` }, onclick: pressed(() => download(this.#desk.api, site)) }, t("set.cameras.download"))),
      floors.map(({ floor, cameras: some }) => [h("h3", {}, floorWords(floor)),
        table(t("set.cameras.of-floor", { site, floor: floorWords(floor) }), [t("admin.name"), t("admin.state"), t("set.cameras.recording"), ""], some.map((camera) => [this.#name(camera), standing(camera), recording(camera), this.#buttons(camera)]))]));
  }

  #name({ id, number, name }) {
    return h("a", { href: `/admin/cameras?camera=${id}`, dataset: { key: `name-${id}` } }, t("set.cameras.called", { number, name }));
  }

  #buttons(camera) {
    const { id, isOn, settings } = camera;
    return h("span", { class: "row" }, settings.address && h("button", { type: "button", dataset: { key: `try-${id}` }, onclick: () => tryCamera(this.#desk.api, camera) }, t("set.cameras.try")),
      settings.address && h("button", { type: "button", dataset: { key: `turn-${id}` }, onclick: isOn ? () => this.#turnOff(camera) : pressed(() => this.#turn(camera)) }, t(isOn ? "set.cameras.turn-off" : "set.cameras.turn-on")));
  }

  async #turnOff(camera) {
    await ask({ title: t("set.cameras.turn-off-of", { name: camera.name }), press: t("set.cameras.turn-off"), will: [t("set.cameras.turn-off.will"), t("set.cameras.turn-off.kept")], act: () => this.#turn(camera) });
  }

  async #turn(camera) {
    const { id, name, isOn } = camera;
    await this.#desk.api.put(`/v1/cameras/${id}`, { ...bodyOf(camera), isOn: !isOn });
    await this.#did(t(isOn ? "set.cameras.was-off" : "set.cameras.was-on", { name }));
  }

  async #import(site) {
    const words = await importCams(this.#desk.api, this.#cameras, site);
    if (words) await this.#did(words);
  }

  /** What was done is done, whether or not the list can be read. */
  async #did(words) {
    this.#desk.done.add(words);
    await this.#read().catch(() => this.#desk.again());
  }
}

/** @param {number} floor 0 is the ground floor. */
const floorWords = (floor) => (floor === 0 ? t("set.cameras.ground") : t(floor < 0 ? "set.cameras.floor.below" : "set.cameras.floor.above", { floor: Math.abs(floor) }));

/** How a camera stands and since when, and where something is wrong, why and what to do. */
function standing(camera) {
  const { cause, since } = camera;
  const state = stateOf(camera);
  const fault = state === "offline" ? cause ?? "silent" : state;
  const isWrong = ["offline", "frozen", "empty"].includes(state);
  return h("span", {}, h("span", { class: `chip ${chips[state] ?? ""}` }, t(`set.cameras.is.${state}`)), since && camera.isOn && [" ", h("time", { class: "soft small", datetime: since, title: dayAndTime(since) }, t("set.cameras.since", { time: hourOf(new Date(since)) }))],
    isWrong && [h("br"), t(`set.cameras.why.${fault}`), h("br"), h("span", { class: "soft small" }, t(`set.cameras.do.${fault}`))]);
}

function recording({ width, height, framesPerSecond, settings }) {
  const { kilobitsPerSecond, keptDays, keptBytes } = settings;
  const { days, isShort } = forecast(settings);
  return h("span", {}, t("set.cameras.records", { width, height, rate: framesPerSecond, kilobits: numeral(kilobitsPerSecond) }), h("br"),
    h("span", { class: "soft small" }, isShort ? t("set.cameras.keeps.short", { size: sizeText(keptBytes), count: Math.floor(days), wished: keptDays }) : t("set.cameras.keeps", { count: keptDays, size: sizeText(keptBytes) })));
}

/** Bytes in GiB, as the reader writes numbers. */
const sizeText = (bytes) => numeral(bytes / gibibyte, bytes % gibibyte === 0 ? 0 : 1);
