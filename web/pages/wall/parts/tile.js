// SPDX-License-Identifier: Apache-2.0
import { h, refill } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { age, countdown, now } from "../../../core/time.js";
import { pressed } from "../../../dom/busy.js";
import { filmsOf, unreadOf } from "./fold.js";
import { isLeftOpen, isUnattended, isUnverified, knownAs, lasting, proposalsOf, since, urgencyOf, waits } from "./order.js";
import { Screen } from "./screen.js";

/** A caller who has waited this long for an operator is marked in red. */
const lateMilliseconds = 30_000;

/** By what a session is called: by its caller. */
export const nameOf = (row) => knownAs(row) ?? t(row.isPrivate ? "session-wall.private" : "session-wall.unknown");

/**
 * A session on the wall: what its caller films, who it is, who has it and since when, and what a supervisor may do with it.
 *
 * @typedef {import("./fold.js").Row} Row
 * @typedef {{rows: Map<string, Row>, letters: Map<string, {letter: string, count: number}>, nameOf: (user: string) => string}} Known
 */
export class Tile {
  #acts;
  #row;
  #who = h("strong", { class: "who" });
  #clock = h("span", { class: "figures small clock" });
  #owner = h("p", { class: "small owner" });
  #chips = h("div", { class: "chips" });
  #asked = h("div", { class: "proposals" });
  #look;
  #hand;
  screen;
  element;

  /** @param {import("./frames.js").Frames} frames @param {Row} row @param {{handOver: (row: Row) => Promise<any>, unite: (row: Row, asker: Row) => Promise<any>}} acts */
  constructor(frames, row, acts) {
    [this.#acts, this.#row] = [acts, row];
    this.screen = new Screen(frames);
    this.#look = h("a", { class: "button look", href: `/console?session=${row.id}`, tabindex: -1 }, t("session-wall.look"));
    this.#hand = h("button", { type: "button", class: "hand", tabindex: -1, onclick: pressed(() => this.#acts.handOver(this.#row)) }, t("session-wall.hand"));
    this.element = h("li", { class: "session-tile", dataset: { session: row.id } },
      h("div", { class: "tile-top" }, this.#who, this.#clock), this.#owner, this.screen.element, this.#chips, this.#asked, h("div", { class: "tile-acts" }, this.#look, this.#hand));
  }

  /** What takes the keyboard first. */
  get first() {
    return this.#look;
  }

  /** Whether Tab leads into this tile: of all of them into one, and arrows from there to the others. @param {boolean} isReached */
  set isReached(isReached) {
    for (const one of this.element.querySelectorAll("a, button")) one.tabIndex = isReached ? 0 : -1;
    this.element.dataset.reached = String(isReached);
  }

  /** @param {Row} row @param {Known} known */
  show(row, known) {
    this.#row = row;
    const state = isUnattended(row) ? "unattended" : waits(row) ? "waiting" : isLeftOpen(row) ? "left" : "attended";
    this.element.dataset.state = state;
    const group = known.letters.get(row.incident);
    this.element.dataset.group = group?.letter ?? "";
    this.#who.textContent = nameOf(row);
    this.#owner.textContent = ownerWords(row, state, known);
    this.#hand.hidden = !row.owner || row.isPrivate;
    this.#look.hidden = row.isPrivate;
    const chips = chipsOf(row, state, group, known);
    refill(this.#chips, chips, () => chips.map(({ words, kind, until }) => h("span", { class: `chip ${kind ?? ""}` }, words, until && h("span", { class: "figures", dataset: { until } }))));
    const asked = proposalsOf(row, known.rows).map(({ asker, by }) => ({ from: asker.id, words: t("session-wall.proposed", { name: known.nameOf(by), caller: nameOf(asker) }) }));
    refill(this.#asked, asked, () => asked.map(({ from, words }) => h("div", { class: "proposal" }, h("span", { class: "small" }, words), this.#uniting(from, known))));
    this.#asked.hidden = asked.length === 0;
    this.#look.setAttribute("aria-label", t("session-wall.look-on", { name: nameOf(row), owner: this.#owner.textContent, more: [t(`session-wall.channel.${row.channel}`), ...chips.map(({ words }) => words)].join(", ") }));
    this.#hand.setAttribute("aria-label", t("session-wall.hand-of", { name: nameOf(row) }));
    this.isReached = this.element.dataset.reached === "true";
    this.screen.show(row);
    this.tick();
  }

  #uniting(from, known) {
    const act = pressed(async () => {
      // It may have ended meanwhile, or be of another incident.
      const asker = known.rows.get(from);
      if (asker) await this.#acts.unite(this.#row, asker);
    });
    return h("button", { type: "button", dataset: { key: `one-${from}` }, onclick: act }, t("session-wall.one"));
  }

  /** Time passes. */
  tick() {
    const at = since(this.#row);
    const words = age(at);
    if (this.#clock.textContent !== words) this.#clock.textContent = words;
    this.element.toggleAttribute("data-late", ["waiting", "unattended"].includes(this.element.dataset.state) && now() - new Date(at).getTime() > lateMilliseconds);
    for (const clock of this.element.querySelectorAll("[data-until]")) clock.textContent = ` ${countdown(clock.dataset.until)}`;
  }

  /** Whether something stands here whose time is over. */
  get isOutdated() {
    return [...this.element.querySelectorAll("[data-until]")].some((clock) => !lasting(clock.dataset.until));
  }
}

function ownerWords(row, state, { nameOf: called }) {
  switch (state) {
    case "unattended": return t("session-wall.unattended-of", { name: called(row.owner) });
    case "waiting": return row.lastOwner ? t("session-wall.waits-again", { name: called(row.lastOwner) }) : t("session-wall.waits");
    case "left": return t("session-wall.left", { name: called(row.lastOwner) });
    default: return t("session-wall.with", { name: called(row.owner) });
  }
}

/** What stands on a tile in a word each; `until` counts down after it. */
function chipsOf(row, state, group, { nameOf: called }) {
  const [urgency, unread, wish] = [urgencyOf(row), unreadOf(row), !row.owner && lasting(row.wishesVideoUntil)];
  const offered = lasting(row.offer?.expiresAt);
  const films = filmsOf(row);
  return [
    state === "unattended" && { words: t("session-wall.unattended"), kind: "bad" },
    urgency && { words: [`P${urgency.priority}`, urgency.type].filter(Boolean).join(" · "), kind: { 1: "bad", 2: "warn" }[urgency.priority] },
    // Where no video is or was, the channel stands in its place.
    films > 0 ? { words: t("session-wall.live", { count: films }), kind: "live" } : row.isFilmOver && { words: t(`session-wall.channel.${row.channel}`) },
    wish && { words: t("session-wall.wish"), kind: "accent", until: wish },
    row.state === "waiting" && row.owner && { words: t("session-wall.not-started"), until: lasting(row.expiresAt) },
    unread > 0 && { words: t("session-wall.unread", { count: unread }), kind: "warn" },
    row.isMuted && { words: t("session-wall.muted") },
    isUnverified(row) && { words: t("session-wall.unverified") },
    offered && { words: t("session-wall.asked", { name: called(row.offer.to) }), kind: "accent", until: offered },
    group && { words: t("session-wall.group", { letter: group.letter, count: group.count }), kind: "good" },
  ].filter(Boolean);
}
