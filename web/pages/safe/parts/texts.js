// SPDX-License-Identifier: Apache-2.0
import { find, h, refill } from "../../../core/dom.js";
import { language, t } from "../../../core/i18n.js";
import { phoneText } from "../../../core/phone.js";
import { age, dayOf } from "../../../core/time.js";
import { prose } from "../../../dom/prose.js";
import { length } from "../../../map/geo.js";
import { dialled, hasPlace, helpShown, languageName, rightsShown } from "../../../model/content.js";
import { waysTo } from "../../../model/rescue.js";

/** Views that need no registered phone. */
export const publicViews = ["rights", "text", "help"];
const dayMilliseconds = 24 * 3_600_000;

/** The views with texts of the centre: rights, one text, and help near the phone. */
export class Texts {
  #content;
  #place;
  /** @type {any} */
  #map = null;

  /** @param {import("./content.js").Content} content @param {import("./place.js").Place} place */
  constructor(content, place) {
    [this.#content, this.#place] = [content, place];
  }

  /** What a view needs that was just opened. @param {string} view */
  open(view) {
    this.#content.read();
    // Only for help it matters where the phone is; it may ask for that now, after a press.
    if (view === "help") this.#place.begin();
  }

  /** @param {string} view @param {string} id Of the text that is open. */
  show(view, id) {
    const { kept, isAway } = this.#content;
    const items = kept?.items ?? [];
    for (const place of document.querySelectorAll("[data-content-state]")) refill(place, [kept?.at, isAway, kept ? Math.floor((Date.now() - Date.parse(kept.at)) / 60_000) : 0], () => stateOf(kept, isAway));
    // A button leads to no empty list. What is not known yet is asked for by the press.
    for (const way of document.querySelectorAll("[data-section]")) way.hidden = kept !== null && !items.some(({ section }) => section === way.dataset.section);
    if (view === "rights") this.#showRights(items, Boolean(kept));
    if (view === "text") this.#showText(items.find((one) => one.id === id), Boolean(kept));
    if (view === "help") this.#showHelp(items, Boolean(kept));
  }

  #showRights(items, isKnown) {
    const groups = rightsShown(items, language);
    refill(find("#rights-list"), [groups, isKnown], () => (groups.length || !isKnown ? groups.map((group) => h("section", { class: "stack", lang: group.language },
      h("h2", { class: group.language === language ? "visually-hidden" : "" }, languageName(group.language)), h("ul", { class: "stack" }, group.items.map((item) => h("li", {}, h("a", { class: "button big title", href: `#text/${item.id}` }, item.title))))))
      : h("p", { class: "empty" }, t("safe.rights.none"))));
  }

  #showText(item, isKnown) {
    const back = item?.section === "resources" ? "help" : "rights";
    find("#text-back").setAttribute("href", `#${back}`);
    find("#text-back").textContent = t(`safe.text.back.${back}`);
    find("#text-title").textContent = item?.title ?? t("safe.text");
    find("#text-title").lang = item?.language ?? language;
    refill(find("#text-body"), [item, isKnown], () => (item ? [this.#reached(item), prose(item.text, item.language), item.changedAt && h("p", { class: "small soft" }, t("safe.text.changed", { day: dayOf(new Date(item.changedAt)) }))]
      : isKnown && h("p", { class: "notice warn" }, t("safe.text.gone"))));
  }

  #showHelp(items, isKnown) {
    const { fix, silence } = this.#place;
    const found = helpShown(items, language, fix);
    const unplaced = silence && !fix && found.some(hasPlace);
    find("#help-place").hidden = !unplaced;
    refill(find("#help-list"), [found.map(({ metres, ...item }) => [item, metres === null ? null : length(metres)]), isKnown], () => (found.length || !isKnown ? found.map((item) => this.#card(item)) : h("li", { class: "empty" }, t("safe.help.none"))));
    this.#showMap(found.filter(hasPlace), fix);
  }

  #card(item) {
    const { id, title, metres, text } = item;
    return h("li", { class: "card stack", id: `help-${id}`, lang: item.language, tabindex: "-1" }, h("h2", {}, title), item.language !== language && h("p", { class: "chip" }, languageName(item.language)),
      metres !== null && h("p", { class: "chip accent", lang: language }, t("safe.help.away", { length: length(metres) })), this.#reached(item),
      text.trim() && h("a", { class: "button big", lang: language, href: `#text/${id}`, "aria-label": t("safe.help.more.of", { title }) }, t("safe.help.more")));
  }

  #reached(item) {
    const { title, address, phone } = item;
    return [address && h("p", { class: "lines" }, address), hasPlace(item) && wayThere(item), phone && h("a", { class: "button primary big", lang: language, href: dialled(phone), "aria-label": t("safe.help.call.of", { title, phone: phoneText(phone) }) }, t("safe.help.call", { phone: phoneText(phone) }))];
  }

  /** The map comes when there is something to show on it: it is much to load for a phone. */
  async #showMap(items, fix) {
    find("#help-map").hidden = items.length === 0;
    if (items.length === 0) return;
    if (!this.#map) {
      this.#map = {};
      try {
        await import("../../../map/place-map.js");
      } catch {
        // The list has everything that the map shows.
        this.#map = null;
        return;
      }
      this.#map = h("place-map");
      this.#map.isOverview = true;
      this.#map.onOpen = (id) => this.#opened(id);
      find("#help-map").append(this.#map);
    }
    const places = items.map(({ id, title, latitude, longitude }) => ({ id, name: title, fix: { latitude, longitude } }));
    const own = fix ? [{ id: "", name: t("safe.help.here"), isUrgent: true, fix: { latitude: fix.latitude, longitude: fix.longitude } }] : [];
    [this.#map.others, this.#map.places] = [[...places.slice(1), ...own], places.slice(0, 1)];
  }

  #opened(id) {
    const card = id && document.getElementById(`help-${id}`);
    if (!card) return;
    card.scrollIntoView({ block: "start" });
    card.focus({ preventScroll: true });
  }
}

/** Shows the way to a place of help in what this device has for maps. @param {import("../../../model/content.js").Item} item */
function wayThere({ title, latitude, longitude }) {
  const { best, geo } = waysTo({ latitude: Number(latitude), longitude: Number(longitude) });
  // A map's site is not to hear where somebody who needs help came from; a phone's own maps open beside the page.
  return h("a", { class: "button big", lang: language, href: best, rel: "noreferrer", target: best !== geo && "_blank", "aria-label": t("safe.help.way.of", { title }) }, t("safe.help.way"));
}

/** How old the texts are, where the centre was not reached. */
function stateOf(kept, isAway) {
  if (!isAway) return kept ? null : h("p", { class: "soft", role: "status" }, t("safe.content.reading"));
  if (!kept) return h("p", { class: "notice warn", role: "status" }, t("safe.content.away"));
  const milliseconds = Date.now() - Date.parse(kept.at);
  const time = milliseconds < 2 * dayMilliseconds ? age(kept.at, Date.now()) : t("safe.content.days", { count: Math.floor(milliseconds / dayMilliseconds) });
  return h("p", { class: "notice warn", role: "status" }, t("safe.content.kept", { time }));
}
