// SPDX-License-Identifier: Apache-2.0
import { find, h } from "../core/dom.js";
import { t } from "../core/i18n.js";

/** So long somebody who holds a camera has to read one. */
const readMilliseconds = 15_000;
/** So many at once; the oldest gives way. */
const captionsMost = 3;

/**
 * What the operator writes while the caller films, over the picture: reading it stops no video. It stays unread until the chat is on the screen, for nobody
 * knows who looked.
 */
export class Captions {
  #place = find("#film-captions");
  #go;

  constructor(contact, go) {
    this.#go = go;
    contact.addEventListener("message", ({ detail }) => this.#show(detail));
    contact.addEventListener("closed", () => this.#place.replaceChildren());
  }

  #show({ text, picture }) {
    if (!this.#go.isShown("video")) return;
    const caption = h("p", {}, picture ? t("call.picture.caption") : text);
    this.#place.append(caption);
    while (this.#place.children.length > captionsMost) this.#place.firstChild.remove();
    setTimeout(() => caption.remove(), readMilliseconds);
  }
}
