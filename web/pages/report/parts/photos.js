// SPDX-License-Identifier: Apache-2.0
import { fill, find, h } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { prepared } from "../../../core/photo.js";

/** The photos of a draft: each is made smaller at once, one after another, and kept on this phone. */
export class PhotoField {
  #draft;
  #shelf;
  #limits;
  #prepare;
  /** What is under way; the next photos wait for it. */
  #work = Promise.resolve();
  #addresses = new Map();

  /**
   * @param {import("./draft.js").Draft} draft
   * @param {import("./report-photos.js").ReportPhotos} shelf
   * @param {() => {photosMax: number, photoBytesMax: number}} limits
   */
  constructor(draft, shelf, limits, prepare = prepared) {
    [this.#draft, this.#shelf, this.#limits, this.#prepare] = [draft, shelf, limits, prepare];
    for (const input of [find("#camera"), find("#album")])
      input.onchange = () => {
        const files = [...input.files];
        // The same file may be chosen again.
        input.value = "";
        this.#add(files);
      };
  }

  /** Done when every photo that was chosen is prepared, or told of. */
  get ready() {
    return this.#work;
  }

  /** Shows what the draft has. */
  async show() {
    fill(find("#photos-faults"));
    for (const address of this.#addresses.values()) URL.revokeObjectURL(address);
    this.#addresses.clear();
    const { id, photos } = this.#draft.value;
    const found = await Promise.all(photos.map(({ number }) => this.#shelf.get(id, number)));
    if (this.#draft.value.id !== id) return;
    // A browser may have given up what it kept.
    const lost = photos.filter((photo, index) => !found[index]).map(({ number }) => number);
    if (lost.length) this.#draft.change({ photos: this.#draft.value.photos.filter(({ number }) => !lost.includes(number)) });
    photos.forEach(({ number }, index) => found[index] && this.#addresses.set(number, URL.createObjectURL(found[index])));
    this.#draw();
  }

  #add(files) {
    fill(find("#photos-faults"));
    this.#work = this.#work.then(async () => {
      let left = 0;
      for (const file of files) if (!(await this.#addOne(file))) left++;
      if (left) this.#fault(t("report.photos.many", { count: left, most: this.#limits().photosMax }));
      find("#photos-work").hidden = true;
    });
  }

  /** @returns {Promise<boolean>} Whether there was room for it. */
  async #addOne(file) {
    const { photosMax, photoBytesMax } = this.#limits();
    const { id, photos } = this.#draft.value;
    const number = Array.from({ length: photosMax }, (_, index) => index + 1).find((one) => !photos.some((photo) => photo.number === one));
    if (!number) return false;
    find("#photos-work").textContent = t("report.photo.preparing", { name: file.name });
    find("#photos-work").hidden = false;
    let blob;
    try {
      blob = await this.#prepare(file, photoBytesMax);
    } catch {
      this.#fault(t("report.photos.none", { name: file.name }));
      return true;
    }
    await this.#shelf.put(id, number, blob);
    // The draft may have been given up meanwhile.
    if (this.#draft.value.id !== id) return true;
    this.#addresses.set(number, URL.createObjectURL(blob));
    this.#draft.change({ photos: [...this.#draft.value.photos, { number, name: file.name }] });
    this.#draw();
    return true;
  }

  async #remove(number) {
    const { id, photos } = this.#draft.value;
    this.#draft.change({ photos: photos.filter((photo) => photo.number !== number) });
    URL.revokeObjectURL(this.#addresses.get(number));
    this.#addresses.delete(number);
    this.#draw();
    find("#album").focus();
    await this.#shelf.remove(id, number);
  }

  #fault(words) {
    find("#photos-faults").append(h("p", { class: "notice bad" }, words));
  }

  #draw() {
    // Nobody is asked about photos that are not there.
    find("#publishing").hidden = this.#draft.value.photos.length === 0;
    fill(find("#thumbs"), this.#draft.value.photos.map(({ number, name }, index) => h("li", {},
      h("img", { src: this.#addresses.get(number), alt: t("report.photo", { number: index + 1 }), title: name }),
      h("button", { type: "button", onclick: () => this.#remove(number) }, t("report.photo.remove", { number: index + 1 })))));
  }
}
