// SPDX-License-Identifier: Apache-2.0
import { h, refill, toast } from "../core/dom.js";
import { plusCode } from "../core/plus-code.js";
import { countdown, now, timeElement } from "../core/time.js";
import "../map/place-map.js";

const asks = { start_video: "Video", stop_video: "Stop video", send_location: "Place" };
const answers = { accepted: ["accepted", "good"], declined: ["declined", "bad"], stale: ["no answer in time", "bad"] };
const lacks = { denied: "The caller's device did not allow it.", timeout: "The device could not find it in time.", stale: "The answer came too late." };
const scopes = { hoax_warning: "Hoax warning", emergency_intent: "Emergency", video: "Video", location: "Place", upload: "Upload" };

/** What is known of a caller: what was asked, where they are, what they agreed to. */
export class Facts {
  #api;
  #changed;
  #merging;
  #asked = h("ul", { class: "asked" });
  #map = h("place-map");
  #places = h("div");
  #members = h("ul", { class: "members" });
  #letIn = h("ul", { class: "members" });
  #about = h("dl", { class: "facts" });
  #address = h("input", { name: "address", autocomplete: "off", maxlength: 500 });
  #incident = null;
  #isTouched = false;

  /** @param {Element[]} more What else is known, behind what was asked. */
  constructor(api, merging, changed, more = []) {
    this.#merging = merging;
    this.#api = api;
    this.#changed = changed;
    this.#address.addEventListener("input", () => (this.#isTouched = true));
    this.element = h("aside", { class: "card known", "aria-label": "What is known" },
      h("section", {}, h("h2", {}, "Asked"), this.#asked), more,
      h("section", {}, h("h2", {}, "Where the caller is"), this.#map, this.#places),
      h("form", { class: "stack", onsubmit: (event) => this.#save(event) }, h("label", {}, "Address of the incident", this.#address), h("button", {}, "Save the address")),
      h("section", { hidden: true }, h("h2", {}, "In this incident, too"), this.#members),
      h("section", { hidden: true }, h("h2", {}, "Phones in this session"), this.#letIn),
      h("section", {}, h("h2", {}, "Session"), this.#about));
  }

  show({ session, requests, consents, locations, letIn = [] }, others, merged = []) {
    this.#incident = session.incident;
    refill(this.#asked, requests, () => requests.length ? [...requests].reverse().map((request) => {
      const [word, kind] = answers[request.answer] ?? [request.openedAt ? "opened" : "sent", "warn"];
      return h("li", {}, h("span", {}, asks[request.ask], " ", timeElement(request.sentAt)),
        h("span", { class: `chip ${kind}` }, word, !request.answer && request.expiresAt && h("span", { class: "figures", dataset: { until: request.expiresAt } })));
    }) : h("li", { class: "soft" }, "Nothing yet."));
    this.#map.places = locations;
    // The newest one with a place is told beside the map.
    const rest = locations.filter((place) => place !== this.#map.place).slice(0, 5);
    refill(this.#places, [rest, locations.length], () => rest.length || locations.length ? rest.map((place) => this.#place(place)) : h("p", { class: "soft small" }, "Not known yet."));
    if (!this.#isTouched) this.#address.value = session.address ?? "";
    this.#members.parentElement.hidden = others.length + merged.length === 0;
    refill(this.#members, [session.incident, others.map((one) => one.session), merged], () => [
      others.map((one) => h("li", {}, h("span", { class: "figures" }, one.session.phone ?? "number unknown"),
        h("button", { type: "button", dataset: { key: `part-${one.session.id}` }, onclick: () => this.#part(session, one.session) }, "Not the same"))),
      merged.map((id) => h("li", {}, h("span", { class: "small soft", title: id }, "merged: ", h("code", {}, `…${id.slice(-8)}`)),
        h("button", { type: "button", dataset: { key: `apart-${id}` }, onclick: () => this.#merging.takeApart(session.incident, id) }, "Take apart …"))),
    ]);
    this.#letIn.parentElement.hidden = letIn.length === 0;
    refill(this.#letIn, [letIn, session.owner], () => letIn.map((one) => this.#guest(session, one)));
    refill(this.#about, [session, consents], () => [
      fact("Opened", timeElement(session.createdAt)), fact("By", session.openedBy), fact("Kind", session.channel),
      consents.map((consent) => fact(scopes[consent.scope] ?? consent.scope, h("span", { title: `text ${consent.textVersion}` }, consent.decision, " ", timeElement(consent.at)))),
      session.note && fact("Note", session.note), session.disposition && fact("Ended", session.disposition),
      identity("Session", session.id), identity("Incident", session.incident),
    ]);
  }

  tick() {
    for (const clock of this.#asked.querySelectorAll("[data-until]")) {
      clock.textContent = countdown(clock.dataset.until);
      if (new Date(clock.dataset.until).getTime() > now()) continue;
      // The gateway would count an answer as stale from now on.
      const [word, kind] = answers.stale;
      clock.parentElement.className = `chip ${kind}`;
      clock.parentElement.textContent = word;
    }
  }

  #place(place) {
    if (!place.fix) {
      return h("div", { class: "place" }, h("p", {}, lacks[place.unavailable] ?? "Erased."), h("p", { class: "small soft" }, timeElement(place.at)));
    }
    const { latitude, longitude, accuracyMetres } = place.fix;
    const text = `${latitude.toFixed(6)}, ${longitude.toFixed(6)}`;
    const copy = async () => {
      await navigator.clipboard.writeText(text);
      toast("Copied.", "good");
    };
    return h("div", { class: "place" },
      h("p", { class: "figures" }, h("strong", {}, text)),
      h("p", { class: "small" }, "Plus Code ", h("code", {}, plusCode(latitude, longitude)), accuracyMetres !== undefined && ` · to ${Math.round(accuracyMetres)} m`),
      h("p", { class: "row small soft" }, timeElement(place.at), place.method, h("button", { type: "button", class: "plain small", onclick: copy }, "Copy")));
  }

  /** A phone or browser that is in as the caller, and by whose word: the owner may end it, and agree to one that waits. */
  #guest(session, { device, since, by, isByLink, isAdmitted }) {
    const act = (words, action) => h("button", { type: "button", dataset: { key: `${words}-${device}` }, onclick: async () => {
      try {
        await action();
        this.#changed();
      } catch (error) {
        toast(error.message, "bad");
      }
    } }, words);
    return h("li", {}, h("span", { class: "small" }, isByLink ? "A browser, by a link of " : by ? "A phone, by the word of " : "A phone of the caller's", !by ? "" : by === session.owner ? "the owner" : h("strong", {}, `operator ${by}`), " ", timeElement(since),
      !isAdmitted && "; it reads nothing until you agree"),
      !isAdmitted && act("Agree", () => this.#api.post(`/v1/devices/${device}/admit`, { session: session.id })),
      // Of one that is in, it may be the caller's only one.
      act("End it", async () => (!isAdmitted || confirm("Who holds this phone is out of the session at once, and for good. End it?"))
        && this.#api.delete(`/v1/devices/${device}?reason=${encodeURIComponent("ended by the session's owner")}`)));
  }

  async #part(session, other) {
    await this.#merging.takeOut(session.incident, other);
  }

  async #save(event) {
    event.preventDefault();
    const address = this.#address.value.trim();
    if (!address || !this.#incident) return;
    try {
      await this.#api.put(`/v1/incidents/${this.#incident}/address`, { address, source: "operator" });
      this.#isTouched = false;
      toast("Address saved.", "good");
      this.#changed();
    } catch (error) {
      toast(error.message, "bad");
    }
  }
}

function identity(name, id) {
  return [h("dt", { class: "small" }, name), h("dd", { class: "id" }, h("code", {}, id))];
}

function fact(name, value) {
  return [h("dt", {}, name), h("dd", {}, value)];
}
