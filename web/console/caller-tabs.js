// SPDX-License-Identifier: Apache-2.0
import { fill, h, refill } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { tabOf } from "./triage.js";
import "./words.js";

/** A tab for each of the operator's own callers; one with something new is yellow, says so in words and counts it, until it is opened. */
export class CallerTabs {
  #desk;
  #place;
  #show;
  #view;
  #controller = new AbortController();

  constructor(desk, place, show, view) {
    [this.#desk, this.#place, this.#show, this.#view] = [desk, place, show, view];
    const { signal } = this.#controller;
    place.setAttribute("aria-label", t("console.callers"));
    for (const source of [desk, view]) source.addEventListener("change", () => this.#draw(), { signal });
    document.addEventListener("visibilitychange", () => this.#draw(), { signal });
    this.#draw();
  }

  stop() {
    this.#controller.abort();
    fill(this.#place);
    this.#place.hidden = true;
  }

  #draw() {
    const isLookedAt = document.visibilityState === "visible";
    const tabs = this.#desk.mine.map((session) => tabOf(session, { isShown: session.id === this.#view.session, isLookedAt }));
    this.#place.hidden = tabs.length === 0;
    refill(this.#place, tabs, () => tabs.map((tab) => this.#tab(tab)));
  }

  #tab({ id, name, said, isUnverified, isShown, isMuted, unread }) {
    return h("button", { type: "button", class: unread > 0 ? "new" : "", dataset: { key: `tab-${id}` }, "aria-current": isShown ? "true" : null, onclick: () => this.#show.session(id) },
      h("span", { class: "figures" }, name || t("console.unknown")),
      said && h("span", { class: "said-name" }, said),
      isUnverified && h("span", { class: "chip" }, t("console.caller.unverified")),
      isMuted && h("span", { class: "chip" }, t("console.muted")),
      unread > 0 && [h("strong", {}, t("console.new", { count: unread })), h("span", { class: "count figures" }, unread)]);
  }
}
