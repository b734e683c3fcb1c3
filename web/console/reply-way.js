// SPDX-License-Identifier: Apache-2.0
import { h, refill } from "../core/dom.js";
import { t } from "../core/i18n.js";
import "./words.js";

/** Which way an answer goes to a caller who writes by telephone: the way of their last message, unless the operator chooses. */
export class ReplyWay {
  #isTelephone = false;
  #hasPage = true;
  #last = "telephone";
  /** @type {"telephone" | "page" | null} */
  #chosen = null;
  element = h("div", { class: "choice way", role: "group", "aria-label": t("console.way"), hidden: true });

  /** The way that is shown; `undefined` for a caller who has the page alone. @returns {"telephone" | "page" | undefined} */
  get way() {
    if (!this.#isTelephone) return undefined;
    return this.#hasPage ? this.#chosen ?? this.#last : "telephone";
  }

  /** @param {boolean} isTelephone Whether the caller of this session has written by telephone. @param {boolean} hasPage Whether a page of theirs shows what is written there. */
  allow(isTelephone, hasPage) {
    [this.#isTelephone, this.#hasPage] = [isTelephone, hasPage];
    this.#draw();
  }

  /** A message of the caller came. @param {string | undefined} channel */
  heard(channel) {
    this.#last = channel === "sip" ? "telephone" : "page";
    this.#draw();
  }

  #choose(way) {
    this.#chosen = way;
    this.#draw();
  }

  #draw() {
    this.element.hidden = !this.#isTelephone;
    const button = (way, words) => h("button", { type: "button", dataset: { key: `way-${way}` }, "aria-pressed": String(way === this.way), onclick: () => this.#choose(way) }, words);
    refill(this.element, [this.way ?? "", this.#hasPage], () => (this.#hasPage
      ? [button("telephone", t("console.way.telephone")), button("page", t("console.way.page"))]
      : h("span", { class: "small soft" }, `${t("console.way")}: ${t("console.way.telephone")}`)));
  }
}
