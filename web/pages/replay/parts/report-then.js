// SPDX-License-Identifier: Apache-2.0
import { h, refill } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { dayAndTime, timeElement } from "../../../core/time.js";
import { facts } from "../../../dom/table.js";
import "../../../map/place-map.js";
import { isPublished } from "../../../model/report.js";
import { conditionWord, statusWord, titleOf } from "../../../model/rescue.js";
import { short } from "../../../model/words.js";
import { chatPicture } from "../../../ui/chat-picture.js";

/** A report of an animal as it stood at the moment: how far it was, what was known, where, and which photos there were. */
export class ReportThen {
  #api;
  #source;
  #names;
  #head = h("div", { class: "stack" });
  #map = h("place-map");
  #noPlace = h("p", { class: "soft small" });
  #pictures = h("div", { class: "row pictures" });
  #updates = h("div", { class: "stack" });
  /** By their digests: drawn anew, a photo would be fetched again. */
  #photos = new Map();
  #shownFix = null;

  /** @param {import("../../../core/api.js").API} api @param {import("../../../source/recorded.js").Recorded<any>} source @param {Record<string, string>} names */
  constructor(api, source, names) {
    this.#api = api;
    this.#source = source;
    this.#names = names;
    this.element = h("section", { class: "report-then card stack", "aria-label": t("replay.report") }, this.#head, this.#pictures, h("div", {}, this.#map, this.#noPlace), this.#updates);
  }

  draw() {
    const { report } = this.#source.state;
    const { pictures, updates, ...about } = report;
    refill(this.#head, about, () => this.#told(report));
    this.#showPlace(report);
    refill(this.#pictures, [pictures, about.isHidden, about.publishesPhotos], () => pictures.map((one, index) => this.#picture(report, one, index + 1)));
    refill(this.#updates, updates, () => updates.map(({ text, by, at }) => h("div", {}, h("p", { class: "written" }, text ?? t("rescue.happened.erased")), h("p", { class: "small soft" }, this.#name(by), ", ", timeElement(at)))));
  }

  #told(report) {
    const { status, condition, submittedAt, changedAt, agency, notes, contact, sameAs, incident, isHidden, isErased } = report;
    if (!status) return h("p", { class: "soft" }, t("replay.report.not-yet"));
    return [
      h("h2", {}, titleOf(report)),
      h("p", { class: "row" }, h("span", { class: "chip" }, conditionWord(condition)), h("span", { class: "chip accent" }, statusWord(status)), h("span", { class: "small soft" }, timeElement(changedAt)),
        isHidden && h("span", { class: "chip warn" }, t("replay.report.hidden")), sameAs && [h("span", { class: "chip warn" }, t("replay.report.same")), " ", this.#link(sameAs)]),
      isErased ? h("p", { class: "notice" }, t("rescue.erased")) : h("p", { class: notes ? "written" : "soft" }, notes ?? t("rescue.notes.none")),
      facts([[t("rescue.contact"), contact], [t("rescue.agency"), agency ? this.#name(agency) : t("rescue.agency.none")], [t("rescue.submitted"), dayAndTime(submittedAt)], [t("replay.column.incident"), incident && this.#link(incident)]]),
    ];
  }

  #link(id) {
    return h("a", { href: `/replay/${id}`, title: id }, short(id));
  }

  #showPlace({ fix, submittedAt, isErased }) {
    this.#noPlace.hidden = Boolean(fix) || !submittedAt;
    this.#noPlace.textContent = t(isErased ? "replay.place.erased" : "replay.place.none");
    if (fix === this.#shownFix) return;
    this.#shownFix = fix;
    this.#map.places = fix ? [{ fix, at: submittedAt }] : [];
  }

  #picture(report, one, number) {
    const { id, width, height, by, at } = one;
    if (!this.#photos.has(id)) this.#photos.set(id, chatPicture({ width, height, isErased: report.isErased }, t("rescue.photo.of", { number, animal: titleOf(report) }), () => this.#address(report.id, id)));
    return h("figure", {}, this.#photos.get(id), h("figcaption", { class: "small soft" }, by && [this.#name(by), ", "], timeElement(at), isPublished(report, one) && [" ", h("span", { class: "chip" }, t("replay.report.published"))]));
  }

  async #address(report, photo) {
    return URL.createObjectURL(await this.#api.file(`/v1/reports/${report}/photos/${photo}`));
  }

  #name(id) {
    return this.#names[id] ?? short(id);
  }
}
