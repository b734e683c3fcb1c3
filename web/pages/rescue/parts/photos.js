// SPDX-License-Identifier: Apache-2.0
import { h } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { chatPicture } from "../../../ui/chat-picture.js";

/** The pictures of reports, each fetched once: they stay as long as the page is open, also without a network. */
export class Photos {
  #api;
  #addresses = new Map();
  #elements = new Map();

  /** @param {import("../../../core/api.js").API} api */
  constructor(api) {
    this.#api = api;
  }

  /** A picture that becomes large when it is pressed. @param {string} report @param {import("../../../model/rescue.js").Picture} picture @param {string} words */
  large(report, picture, words) {
    return this.#once(`large/${picture.id}`, () => chatPicture({ width: picture.width, height: picture.height }, words, () => this.#address(report, picture.id)));
  }

  /** The first picture of a report, for a list: it says nothing that does not stand beside it. @param {import("../../../model/rescue.js").Report} report */
  thumb({ id, pictures }) {
    const [first] = pictures;
    if (!first) return h("span", { class: "thumb", "aria-hidden": "true" });
    return this.#once(`thumb/${first.id}`, () => {
      const image = h("img", { alt: "", draggable: "false" });
      const place = h("span", { class: "thumb" }, image);
      const near = new IntersectionObserver((changes) => changes.some(({ isIntersecting }) => isIntersecting) && load(), { rootMargin: "200px" });
      const load = async () => {
        near.disconnect();
        try {
          image.src = await this.#address(id, first.id);
        } catch {
          // It is looked for again when it comes into sight another time.
          setTimeout(() => near.observe(place), 10_000);
        }
      };
      near.observe(place);
      return place;
    });
  }

  /** A photo that waits on this device. @param {string} key @param {() => Promise<Blob | null>} read */
  waiting(key, read) {
    return this.#once(`waiting/${key}`, () => chatPicture({}, t("rescue.photo.waiting"), async () => {
      const blob = await read();
      if (!blob) throw new Error(t("rescue.refused.photo-gone"));
      return URL.createObjectURL(blob);
    }));
  }

  /** The same element each time: drawn anew it would flicker. */
  #once(name, make) {
    if (!this.#elements.has(name)) this.#elements.set(name, make());
    return this.#elements.get(name);
  }

  /** @returns {Promise<string>} */
  #address(report, picture) {
    if (!this.#addresses.has(picture)) {
      const address = this.#api.file(`/v1/reports/${report}/photos/${picture}`).then((blob) => URL.createObjectURL(blob));
      address.catch(() => this.#addresses.delete(picture));
      this.#addresses.set(picture, address);
    }
    return this.#addresses.get(picture);
  }
}
