// SPDX-License-Identifier: Apache-2.0
import { h, refill } from "../../../core/dom.js";
import { t, term } from "../../../core/i18n.js";
import { timeElement } from "../../../core/time.js";
import { lack, short } from "../../../model/words.js";
import "../../../map/place-map.js";
import { ChatThen } from "./chat-then.js";

/** So many places of a trail are drawn; a phone that tells its place each second tells many. */
const trailMost = 200;

/** How an answer looks; what has none yet waits. */
const looks = { accepted: "good", declined: "bad", stale: "bad" };

/** Each caller of the incident, as it stood at the moment: the chat, where they were, what was asked, and who had the session. */
export class Callers {
  #source;
  #names;
  #onChoice;
  #chosen;
  #tabs = h("div", { class: "row caller-tabs", role: "group", "aria-label": t("replay.callers") });
  #facts = h("p", { class: "row small facts-then" });
  #map = h("place-map");
  #noPlace = h("p", { class: "soft small" }, t("replay.place.none"));
  #chat;
  #shownPlaces = null;

  constructor(api, source, names, { chosen, onChoice }) {
    this.#source = source;
    this.#names = names;
    this.#onChoice = onChoice;
    const all = this.#all();
    this.#chosen = all.some((one) => one.id === chosen) ? chosen : all[0]?.id ?? null;
    this.#chat = new ChatThen(api);
    this.element = h("section", { class: "callers card", "aria-label": t("replay.caller") }, this.#tabs, this.#facts, h("div", { class: "place-then" }, this.#map, this.#noPlace), this.#chat.element);
  }

  draw() {
    const session = this.#source.state.sessions[this.#chosen];
    const all = this.#all();
    refill(this.#tabs, [this.#chosen, all.map(({ id }) => [this.#source.state.sessions[id]?.position ?? null, this.#source.state.sessions[id]?.leftAt])], () => all.map((one, number) => this.#tab(one, number)));
    refill(this.#facts, session ? [session.state, session.owner, session.pendingSince, session.requests.slice(-3), session.isSealed, session.unattendedSince, session.leftAt] : null, () => (session ? this.#told(session) : t("replay.caller.not-yet")));
    this.#showPlaces(session);
    this.#chat.draw(session);
  }

  /** All that are ever part of it, the first first. */
  #all() {
    return Object.values(this.#source.end.sessions).filter((one) => one.position !== null).sort((one, other) => one.position - other.position);
  }

  #tab({ id, phone }, number) {
    const session = this.#source.state.sessions[id];
    const isThere = (session?.position ?? null) !== null;
    const name = phone ?? t("replay.caller.number", { number: number + 1, id: short(id) });
    return h("button", { type: "button", class: isThere ? "" : "to-come", "aria-pressed": String(id === this.#chosen), title: id, dataset: { key: id }, onclick: () => this.#choose(id) },
      session?.leftAt ? t("replay.caller.left", { name }) : name);
  }

  #choose(id) {
    this.#chosen = id;
    this.#onChoice(id);
    this.draw();
  }

  #told(session) {
    // Whatever became of it stands in the timeline of the incident to which it went.
    if (session.leftAt) return h("span", { class: "chip warn" }, t("replay.session.left"), " ", timeElement(session.leftAt), session.incident !== this.#source.state.id && t("replay.session.left.to", { id: short(session.incident) }));
    const owner = session.owner ?? null;
    return [
      h("span", { class: `chip ${session.state === "open" ? "good" : ""}` }, term(`replay.state.${session.state}`, session.state)),
      owner ? h("span", { class: "chip accent" }, t("replay.session.with", { name: this.#names[owner] ?? owner })) : session.state === "open" && h("span", { class: `chip ${session.pendingSince ? "warn" : ""}` }, session.pendingSince ? [t("replay.session.waits"), " ", timeElement(session.pendingSince)] : t("replay.session.nobody")),
      session.unattendedSince && h("span", { class: "chip warn" }, t("replay.session.unattended"), " ", timeElement(session.unattendedSince)),
      session.isSealed && h("span", { class: "chip warn" }, t("replay.session.private")),
      session.requests.slice(-3).map((one) => {
        const answer = one.answer ?? (one.openedAt ? "seen" : "sent");
        return h("span", { class: `chip ${looks[answer] ?? "warn"}` }, `${term(`replay.request.${one.ask}`, one.ask)}: ${term(`replay.request.${answer}`, answer)}`);
      }),
    ];
  }

  #showPlaces(session) {
    const places = session?.locations ?? null;
    if (places === this.#shownPlaces) return;
    this.#shownPlaces = places;
    const known = places ? places.slice(-trailMost).reverse() : [];
    this.#map.places = known;
    const last = known[0];
    this.#noPlace.hidden = known.some((one) => one.fix);
    this.#noPlace.textContent = last?.unavailable ? t("replay.place.unavailable", { why: lack(last.unavailable) }) : t(last ? "replay.place.erased" : "replay.place.none");
  }
}

