// SPDX-License-Identifier: Apache-2.0
import { fill, h } from "../../../core/dom.js";
import { numeral, t } from "../../../core/i18n.js";
import { newID } from "../../../core/ids.js";
import { limits } from "../../../core/limits.js";
import { choice, field, written } from "../../../dom/ask.js";
import { busy } from "../../../dom/busy.js";
import { cameraOf, directions, forecast, fresh, gibibyte, othersOf, sources } from "../../../model/camera-set-up.js";
import { CameraPlace } from "./camera-place.js";
import { tryCamera } from "./camera-try.js";
import { CameraViewers } from "./camera-viewers.js";
import { siteField } from "./cams-file.js";

/** Addresses without a user in them, as the gateway takes them. */
const rest = "[^\\/?#@\\s]+(?:[\\/?#]\\S*)?";
const patterns = { mjpeg: `https?:\\/\\/${rest}`, rtsp: `rtsps?:\\/\\/${rest}` };

/** One camera, new or to be changed: where its pictures come from, what is recorded of them, where it is, and who may look. */
export class Camera {
  #desk;
  #query;
  #id = "";
  #cameras = [];
  /** As it was read, or what a new one begins with. */
  #camera;
  #place;
  #viewers;
  #form;
  #neighbours = h("div", { class: "pairs" });
  #room = h("p", { class: "notice", role: "status" });
  #fault = h("p", { class: "notice bad", role: "alert", tabindex: "-1", hidden: true });
  #save = h("button", { class: "primary" }, t("set.save"));
  #saveAndTry = h("button", {}, t("set.cameras.save-and-try"));
  #before = "";

  /** @param {import("../page.js").Desk} desk @param {URLSearchParams} query */
  constructor(desk, query) {
    [this.#desk, this.#query] = [desk, query];
  }

  async open() {
    this.#cameras = (await this.#desk.api.get("/v1/cameras")).items;
    const wanted = this.#query.get("camera");
    const known = this.#cameras.find(({ id }) => id === wanted);
    const back = h("p", {}, h("a", { href: "/admin/cameras" }, `‹ ${t("set.cameras.all")}`));
    if (!known && wanted !== "new") return [back, h("p", { class: "card empty" }, t("set.cameras.unknown"))];
    // One id for a new camera, however often it is sent.
    this.#id = known?.id ?? newID();
    const site = this.#query.get("site") ?? this.#cameras[0]?.site ?? "";
    this.#camera = known ?? fresh(this.#cameras, site);
    this.#place = new CameraPlace(this.#camera, othersOf(this.#cameras, this.#camera.site, this.#id));
    this.#viewers = new CameraViewers(this.#camera.settings.viewers);
    this.#form = h("form", { class: "stack camera-form", onsubmit: (event) => this.#submit(event), oninput: () => this.#follow() },
      this.#about(), this.#source(), this.#place.element, this.#recording(), this.#viewers.element, this.#page(), this.#fault,
      h("div", { class: "row acts" }, this.#save, this.#saveAndTry, h("a", { class: "button", href: "/admin/cameras" }, t("page.cancel"))));
    this.#showNeighbours();
    this.#follow();
    this.#before = this.#written;
    return [back, h("h2", {}, known ? t("set.change-of", { name: known.name }) : t("set.cameras.add")), this.#form];
  }

  get isUnsaved() {
    return Boolean(this.#form) && this.#written !== this.#before;
  }

  /** All that was entered; what is only shown beside it does not count. */
  get #written() {
    const fields = [...this.#form.querySelectorAll("[data-written]")];
    return JSON.stringify([written(fields), this.#viewers.written, this.#place.written]);
  }

  // MARK: The parts of the form

  #about() {
    const { site, number, name, floor, notice, isOn } = this.#camera;
    return section("set.cameras.camera",
      pairs(siteField(this.#cameras, site, () => this.#showNeighbours()), count("number", number, 0, 999_999, t("set.cameras.number.hint")), field(t("admin.name"), { name: "name", required: true, maxlength: limits.wordBytes, value: name }),
        count("floor", floor, -20, 300, t("set.cameras.floor.hint")), field(t("set.cameras.notice"), { name: "notice", maxlength: limits.messageBytes, value: notice ?? "" }, t("set.cameras.notice.hint"))),
      check("isOn", isOn, "set.cameras.is-on"));
  }

  #source() {
    const { source, address, user, hasPassword } = this.#camera.settings;
    const kinds = choice(t("set.cameras.source"), "source", sources.map((one) => [one, t(`set.cameras.source.${one}`)]), source);
    return section("set.cameras.from",
      pairs(kinds, field(t("set.cameras.address"), { name: "address", type: "url", value: address ?? "" }, t("set.cameras.address.hint.mjpeg")), field(t("set.cameras.user"), { name: "user", maxlength: limits.wordBytes, value: user ?? "" }),
        field(t("set.cameras.password"), { name: "password", type: "password", autocomplete: "new-password", placeholder: hasPassword ? t("set.cameras.password.kept") : null }, t(hasPassword ? "set.cameras.password.hint" : "set.cameras.password.none"))),
      hasPassword && check("isPasswordGone", false, "set.cameras.password.remove"));
  }

  #recording() {
    const { width, height, framesPerSecond, settings: { kilobitsPerSecond, keptDays, keptBytes } } = this.#camera;
    return section("set.cameras.recording",
      pairs(count("width", width, 160, 1920), count("height", height, 90, 1080), count("framesPerSecond", framesPerSecond, 1, 30), count("kilobitsPerSecond", kilobitsPerSecond, 50, 8000, t("set.cameras.kilobits.hint")), count("keptDays", keptDays, 1, 3650),
        field(t("set.cameras.kept-gibibytes"), { name: "keptGibibytes", type: "number", required: true, min: "1", max: "1048576", step: "any", value: String(keptBytes / gibibyte) })),
      this.#room);
  }

  /** Where it stands on the page of its floor, and which are shown next. */
  #page() {
    const { frame, animation } = this.#camera;
    return section("set.cameras.page", h("p", { class: "small soft" }, t("set.cameras.page.about")),
      pairs(count("frameX", frame.x, 0, 20_000), count("frameY", frame.y, 0, 20_000), count("frameWidth", frame.width, 16, 4096), count("frameHeight", frame.height, 16, 4096)),
      h("h3", {}, t("set.cameras.neighbours")), this.#neighbours,
      pairs(field(t("set.cameras.animation"), { name: "animation", maxlength: limits.wordBytes, value: animation ?? "" }, t("set.cameras.animation.hint"))));
  }

  // MARK: What follows from what was entered

  /** The neighbours come from the site that is written above; what was chosen stays. */
  #showNeighbours() {
    const input = this.#form.elements.site;
    const others = othersOf(this.#cameras, input.value.trim(), this.#id).map(({ number, name }) => /** @type {[string, string]} */ ([String(number), t("set.cameras.called", { number, name })]));
    const chosenNow = (one) => this.#form.elements[one]?.value ?? String(this.#camera.neighbours[one] ?? "");
    const options = (chosen) => [["", t("set.cameras.neighbour.none")], ...others, ...(chosen && !others.some(([number]) => number === chosen) ? [[chosen, t("set.cameras.neighbour.missing", { number: chosen })]] : [])];
    fill(this.#neighbours, directions.map((one) => choice(t(`set.cameras.neighbour.${one}`), one, /** @type {[string, string][]} */ (options(chosenNow(one))), chosenNow(one), { dataset: { written: "" } })));
  }

  #follow() {
    this.#showSource();
    this.#showRoom();
  }

  /** An address is as its source wants, and is needed once the camera is on. */
  #showSource() {
    const { source, address, isOn } = this.#form.elements;
    const hint = t(`set.cameras.address.hint.${source.value}`);
    Object.assign(address, { required: isOn.checked, pattern: patterns[source.value], title: hint });
    address.closest(".field").querySelector("p").textContent = hint;
    this.#saveAndTry.disabled = !address.value.trim();
  }

  #showRoom() {
    const [kilobitsPerSecond, keptDays, gibibytes] = ["kilobitsPerSecond", "keptDays", "keptGibibytes"].map((name) => Number(this.#form.elements[name].value));
    this.#room.hidden = !(kilobitsPerSecond > 0 && keptDays > 0 && gibibytes > 0);
    if (this.#room.hidden) return;
    const { days, bytes, isShort } = forecast({ kilobitsPerSecond, keptDays, keptBytes: gibibytes * gibibyte });
    this.#room.className = `notice ${isShort ? "warn" : "good"}`;
    fill(this.#room, t("set.cameras.room", { size: short(gibibytes), days: short(days), kept: keptDays, needed: short(bytes / gibibyte) }), " ", t(isShort ? "set.cameras.room.short" : "set.cameras.room.enough", { days: short(days) }));
  }

  // MARK: Sending it

  async #submit(event) {
    event.preventDefault();
    this.#fault.hidden = true;
    const button = event.submitter === this.#saveAndTry ? this.#saveAndTry : this.#save;
    try {
      await busy(button, this.#send());
    } catch (error) {
      this.#fault.textContent = error.message;
      this.#fault.hidden = false;
      this.#fault.focus({ preventScroll: true });
      this.#fault.scrollIntoView({ block: "nearest" });
      return;
    }
    if (button === this.#save) return this.#desk.go("cameras");
    await tryCamera(this.#desk.api, { id: this.#id, name: this.#form.elements.name.value.trim() });
  }

  async #send() {
    const { api, done } = this.#desk;
    const body = cameraOf(/** @type {any} */ (Object.fromEntries(new FormData(this.#form))), { place: this.#place.value, viewers: this.#viewers.value });
    const sent = this.#written;
    await api.put(`/v1/cameras/${this.#id}`, body);
    done.add(t("set.was-written", { name: body.name }));
    this.#before = sent;
  }
}

const section = (words, ...children) => h("section", { class: "card stack padded", "aria-label": t(words) }, h("h2", {}, t(words)), children);
const pairs = (...fields) => h("div", { class: "pairs", dataset: { written: "" } }, fields);
const check = (name, checked, words) => h("label", { class: "check", dataset: { written: "" } }, h("input", { type: "checkbox", name, checked }), t(words));
/** A whole number. @param {string} name @param {number} value @param {number} min @param {number} max @param {string} [hint] */
const count = (name, value, min, max, hint) => field(t(`set.cameras.of.${name}`), { name, type: "number", required: true, min: String(min), max: String(max), step: "1", value: String(value) }, hint);
/** A number of which the last digits do not matter. */
const short = (value) => numeral(value, value < 10 && !Number.isInteger(value) ? 1 : 0);
