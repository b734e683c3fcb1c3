// SPDX-License-Identifier: Apache-2.0
import { focusNear, h, refill, toast } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { Frames } from "./frames.js";
import { handOver, unite } from "./hand-over.js";
import { countsOf, filters, lettersOf, ordered, ownersOf } from "./order.js";
import { Tile, nameOf } from "./tile.js";

/** Many events of a moment are drawn once. */
const pauseMilliseconds = 60;
/** A button that is pressed does not move away under the finger; then the order is looked at again. */
const pressedMilliseconds = 150;

/** The wall: what is counted, which sessions are wanted, and a tile for each. */
export class View {
  #sessions;
  #me;
  #frames;
  /** By session. @type {Map<string, Tile>} */
  #tiles = new Map();
  #place = h("ul", { class: "session-wall" });
  #counts = h("p", { class: "counts", id: "counts" });
  #fault = h("p", { class: "notice bad", role: "alert", hidden: true });
  #nothing = h("p", { class: "empty", hidden: true });
  #spoken = h("p", { class: "visually-hidden", role: "status" });
  #filters = h("div", { class: "filters", role: "group", "aria-label": t("session-wall.filter") });
  #owner = h("select", { "aria-label": t("session-wall.filter.owner"), onchange: () => this.#choose("owner", this.#owner.value) });
  #chosen = chosenBy(new URLSearchParams(location.search));
  #seen = new IntersectionObserver((changes) => changes.forEach(({ target, isIntersecting }) => this.#see(target, isIntersecting)));
  #timer = 0;
  #reached = "";
  #needing = 0;
  element;

  /** @param {import("../../../core/api.js").API} api @param {import("./sessions.js").WallSessions} sessions @param {{user: string}} me */
  constructor(api, sessions, me) {
    [this.#sessions, this.#me] = [sessions, me];
    this.#frames = new Frames(async (stream, signal) => (await api.open(`/v1/streams/${stream}/frame`, {}, signal)).blob());
    this.element = h("div", { class: "wall-page" }, h("div", { class: "wall-bar" }, this.#counts, this.#filters, this.#owner), this.#fault, this.#spoken, this.#nothing, this.#place);
    this.#place.addEventListener("keydown", (event) => this.#move(event));
    this.#place.addEventListener("focusin", (event) => this.#reach(event.target.closest("[data-session]").dataset.session));
    document.addEventListener("visibilitychange", () => this.#open());
    sessions.addEventListener("change", () => this.#soon());
    sessions.addEventListener("answer", ({ session, by }) => this.#declined(session, by));
    setInterval(() => this.#tick(), 1000);
    this.#open();
    this.draw();
  }

  #open() {
    this.#frames.isOpen = document.visibilityState === "visible";
  }

  #soon(milliseconds = pauseMilliseconds) {
    this.#timer ||= setTimeout(() => this.draw(), milliseconds);
  }

  draw() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    // What moves away under a finger is not pressed.
    if (this.#place.querySelector(":active")) return this.#soon(pressedMilliseconds);
    const { rows, isRead, fault } = this.#sessions;
    const known = { rows, letters: lettersOf(rows.values()), nameOf: (user) => this.#sessions.nameOf(user) };
    const shown = ordered(rows.values(), this.#chosen.filter, this.#chosen.owner);
    this.#drawBar();
    this.#fault.hidden = !fault;
    this.#fault.textContent = fault && t("session-wall.fault", { words: fault });
    this.#nothing.hidden = shown.length > 0 || Boolean(fault);
    this.#nothing.textContent = t(!isRead ? "page.reading" : rows.size === 0 ? "session-wall.none" : "session-wall.none-such");
    this.#drawTiles(shown, known);
  }

  #drawTiles(shown, known) {
    const wanted = new Set(shown.map(({ id }) => id));
    const focused = this.#place.contains(document.activeElement) ? document.activeElement : null;
    for (const [id, tile] of this.#tiles) if (!wanted.has(id)) this.#drop(id, tile);
    // Only what changed its place is moved.
    let at = this.#place.firstElementChild;
    for (const row of shown) {
      const tile = this.#tiles.get(row.id) ?? this.#add(row);
      tile.show(row, known);
      if (tile.element === at) at = at.nextElementSibling;
      else this.#place.insertBefore(tile.element, at);
    }
    if (!this.#tiles.has(this.#reached)) this.#reach(shown[0]?.id ?? "");
    // An element that was moved has lost the keyboard.
    if (focused && document.activeElement !== focused) (focused.isConnected ? focused : (this.#tiles.get(this.#reached)?.first ?? { focus: () => focusNear(this.#place) })).focus({ preventScroll: true });
  }

  #add(row) {
    const tile = new Tile(this.#frames, row, { handOver: (one) => handOver(this.#sessions, one, this.#me.user), unite: (one, asker) => unite(this.#sessions, one, asker) });
    this.#tiles.set(row.id, tile);
    this.#seen.observe(tile.element);
    return tile;
  }

  #drop(id, tile) {
    this.#seen.unobserve(tile.element);
    tile.screen.close();
    tile.element.remove();
    this.#tiles.delete(id);
  }

  #see(element, isSeen) {
    const tile = this.#tiles.get(element.dataset.session);
    if (tile) tile.screen.isSeen = isSeen;
  }

  #tick() {
    if (document.visibilityState !== "visible") return;
    for (const tile of this.#tiles.values()) tile.tick();
    if ([...this.#tiles.values()].some(({ isOutdated }) => isOutdated)) this.#soon();
  }

  #declined(session, by) {
    const row = this.#sessions.rows.get(session);
    if (row) toast(t("session-wall.hand.declined", { name: this.#sessions.nameOf(by), caller: nameOf(row) }), "warn");
  }

  // MARK: The bar

  #drawBar() {
    const counts = countsOf(this.#sessions.rows);
    refill(this.#counts, counts, () => [
      h("strong", {}, t("session-wall.count", { count: counts.sessions })), ["waiting", "unattended", "video", "incidents", "proposals"].filter((name) => counts[name] > 0).map((name) =>
        h("span", { class: { waiting: "warn", unattended: "bad", proposals: "warn" }[name] }, t(`session-wall.count.${name}`, { count: counts[name] }))),
    ]);
    // A screen reader hears that more need somebody, and no other number.
    const needing = counts.waiting + counts.unattended;
    if (needing > this.#needing) this.#spoken.textContent = t("session-wall.needing", { count: needing });
    this.#needing = needing;
    const { filter, owner } = this.#chosen;
    refill(this.#filters, filter, () => filters.filter((one) => one !== "owner").map((one) =>
      h("button", { type: "button", "aria-pressed": String(one === filter), dataset: { key: one }, onclick: () => this.#choose(one) }, t(`session-wall.filter.${one}`))));
    this.#drawOwners(owner);
  }

  #drawOwners(owner) {
    const owners = ownersOf(this.#sessions.rows.values());
    // Who was chosen and has none any more stays chosen.
    if (owner && !owners.has(owner)) owners.set(owner, 0);
    const choices = [...owners].map(([user, count]) => ({ user, words: t("session-wall.of", { name: this.#sessions.nameOf(user), count }) })).sort((one, other) => (one.words < other.words ? -1 : 1));
    refill(this.#owner, choices, () => [h("option", { value: "" }, t("session-wall.filter.anyone")), choices.map(({ user, words }) => h("option", { value: user }, words))]);
    this.#owner.value = owner;
  }

  #choose(filter, owner = "") {
    this.#chosen = filter === "owner" && !owner ? { filter: "all", owner: "" } : { filter, owner };
    const query = new URLSearchParams({ ...(this.#chosen.filter !== "all" && { show: this.#chosen.filter }), ...(owner && { of: owner }) });
    history.replaceState(null, "", `/wall${query.size ? `?${query}` : ""}`);
    this.draw();
  }

  // MARK: The keyboard

  #reach(id) {
    if (id === this.#reached && this.#tiles.get(id)?.element.dataset.reached === "true") return;
    const before = this.#tiles.get(this.#reached);
    if (before) before.isReached = false;
    this.#reached = id;
    const tile = this.#tiles.get(id);
    if (tile) tile.isReached = true;
  }

  #move(event) {
    const tiles = [...this.#place.children];
    const at = tiles.indexOf(event.target.closest("[data-session]"));
    const columns = tiles.findIndex(({ offsetTop }) => offsetTop > tiles[0].offsetTop);
    const across = columns < 1 ? tiles.length : columns;
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, ArrowDown: at + across, ArrowUp: at - across, Home: 0, End: tiles.length - 1 }[event.key];
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const tile = this.#tiles.get(tiles[to]?.dataset.session);
    tile?.first.focus();
  }
}

/** What the address says is to be shown. @param {URLSearchParams} query */
function chosenBy(query) {
  const filter = filters.find((one) => one === query.get("show")) ?? "all";
  const owner = query.get("of") ?? "";
  return filter === "owner" && !owner ? { filter: filters[0], owner: "" } : { filter, owner: filter === "owner" ? owner : "" };
}
