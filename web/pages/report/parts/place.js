// SPDX-License-Identifier: Apache-2.0
import { fill, find, h } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { pressed } from "../../../dom/busy.js";
import { fixOf, isDenied, position } from "../../../dom/place.js";
import { length } from "../../../map/geo.js";
import { coordinatesOf } from "../../../model/patrol.js";
import { keptBounds } from "./bounds.js";

/** A fix by satellites may take so long; a rough one, from what the phone knows already, comes at once. */
const exactSeconds = 12;
const roughSeconds = 5;
/** The distance of an animal from the reporter is less than this; a rougher place is asked to be put right. */
const roughMetres = 200;

/** Where the animal is: by the phone's location at a press, by a pin on a map, or by coordinates. */
export class PlaceField {
  #draft;
  #onChange;
  #told = find("#place-told");
  /** @type {import("../../../map/pin-map.js").PinMap | null} */
  #map = null;
  /** Whether there is no map on which a first place could be chosen. */
  #isBare = false;
  /** Why the phone did not say where it is, the last time. @type {"denied" | "none" | ""} */
  #silence = "";
  /** How often the map was asked for or put away: what was asked for before is not shown any more. */
  #asked = 0;

  /** @param {import("./draft.js").Draft} draft @param {() => void} onChange */
  constructor(draft, onChange) {
    [this.#draft, this.#onChange] = [draft, onChange];
    find("#gps").onclick = pressed(() => this.#locate());
    find("#choose-place").onclick = pressed(() => this.#choose());
    find("#set-coordinates").onclick = () => this.#typed();
    find("#coordinates").onkeydown = (event) => {
      if (!/^Enter$/.test(event.key)) return;
      event.preventDefault();
      this.#typed();
    };
  }

  /** Shows what the draft has. */
  show() {
    const { fix } = this.#draft.value;
    if (fix) return this.#found(fix);
    this.#asked++;
    [this.#map, this.#isBare, this.#silence] = [null, false, ""];
    fill(find("#map"));
    find("#map").hidden = true;
    find("#coordinates").value = "";
    this.#say("", "");
  }

  async #locate() {
    this.#say("", t("report.place.finding"));
    this.#silence = "";
    try {
      this.#set(fixOf(await located()));
    } catch (error) {
      this.#silence = isDenied(error) ? "denied" : "none";
      if (this.#isBare) return this.#lead();
      this.#say("warn", t(this.#silence === "denied" ? "report.place.denied" : "report.place.none"));
      this.#showMap();
    }
  }

  #choose() {
    if (this.#isBare && !this.#draft.value.fix) return this.#lead();
    if (!this.#draft.value.fix) this.#say("", t("report.place.map.hint"));
    return this.#showMap();
  }

  #typed() {
    const found = coordinatesOf(find("#coordinates").value);
    if (!found) return this.#say("bad", t("report.place.coordinates.none"));
    this.#set(found);
  }

  #set(fix) {
    this.#draft.change({ fix });
    this.#found(fix);
    this.#onChange();
  }

  #found(fix) {
    this.#tell(fix);
    this.#showMap();
    if (this.#map) this.#map.place = fix;
  }

  #tell(fix) {
    const metres = fix.accuracyMetres ?? 0;
    const isRough = metres > roughMetres;
    // A pin, and coordinates that somebody wrote, are as exact as they can be.
    this.#say(isRough ? "warn" : "good", t(isRough ? "report.place.rough" : "report.place.here", { length: length(Math.max(1, metres)) }));
  }

  /** The map is there from the first press on: its files are not needed before. */
  async #showMap() {
    const place = find("#map");
    place.hidden = false;
    if (this.#map) return;
    const mine = ++this.#asked;
    const isThere = await import("../../../map/pin-map.js").then(() => true, () => false);
    if (mine !== this.#asked) return;
    if (!isThere) {
      // Without a network the phone's location and coordinates still do.
      place.hidden = true;
      if (!this.#draft.value.fix) this.#lead();
      return;
    }
    this.#map = h("pin-map");
    this.#map.addEventListener("pick", ({ detail }) => this.#picked(detail));
    this.#map.addEventListener("bare", () => this.#goesBare());
    this.#map.bounds = keptBounds();
    fill(place, this.#map);
    this.#map.place = this.#draft.value.fix ?? null;
  }

  /** The map came without any maps in it, and stays so. */
  #goesBare() {
    this.#isBare = true;
    if (!this.#draft.value.fix) this.#lead();
  }

  /** Leads to what still does without a map: to the phone's location only where that was not tried in vain. */
  #lead() {
    const words = { denied: "report.place.map.empty.denied", none: "report.place.map.empty.none" };
    this.#say("warn", t(words[this.#silence] ?? "report.place.map.empty"));
    if (this.#silence) find("#coordinates").closest("details").open = true;
  }

  #picked(place) {
    this.#draft.change({ fix: place });
    this.#tell(place);
    this.#onChange();
  }

  #say(kind, words) {
    this.#told.className = `notice ${kind}`;
    this.#told.textContent = words;
    this.#told.hidden = !words;
  }
}

async function located() {
  try {
    // Pressed once more, a better one is wanted.
    return await position({ enableHighAccuracy: true, maximumAge: 0 }, exactSeconds);
  } catch (error) {
    if (isDenied(error)) throw error;
    return position({ enableHighAccuracy: false, maximumAge: 60_000 }, roughSeconds);
  }
}
