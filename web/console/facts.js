// SPDX-License-Identifier: Apache-2.0
import { fill, h, refill, toast } from "../core/dom.js";
import { limits, tooLong } from "../core/limits.js";
import { dayAndTime, timeElement } from "../core/time.js";
import { nameOfSession } from "./incident.js";
import { SharedForm } from "./shared-form.js";

const scopes = { hoax_warning: "Hoax warning", emergency_intent: "Emergency", video: "Video", location: "Place", upload: "Upload" };

/** What is seldom needed of a session: address, who else is in the incident, earlier contacts, who was let in, what was agreed to. */
export class Facts {
  #api;
  #changed;
  #merging;
  #members = h("ul", { class: "members" });
  #letIn = h("ul", { class: "members" });
  #about = h("dl", { class: "facts" });
  #address;
  #session = null;
  #earlier = h("ul", { class: "members" });
  /** Whose earlier contacts stand here. */
  #caller = null;
  #nameOf;
  #open;

  /** @param {Element[]} more What else is known, before everything else. */
  constructor(api, merging, { nameOf, open }, changed, more = []) {
    this.#nameOf = nameOf;
    this.#open = open;
    this.#merging = merging;
    this.#api = api;
    this.#changed = changed;
    this.#address = this.#addressForm(changed);
    this.element = h("aside", { class: "card known", "aria-label": "What is known", tabindex: "-1" },
      more,
      this.#address.element,
      h("section", { hidden: true }, h("h2", {}, "In this incident, too"), this.#members),
      h("section", { hidden: true }, h("h2", {}, "Earlier contacts of this number"), this.#earlier),
      h("section", { hidden: true }, h("h2", {}, "Phones in this session"), this.#letIn),
      h("section", {}, h("h2", {}, "Session"), this.#about));
  }

  /** @param {boolean} mayWrite Whether this operator has the session, or supervises; the others read the address among the facts. */
  show({ session, consents, letIn = [] }, incident, mayWrite) {
    const { others, merged = [] } = incident;
    this.#session = session.id;
    this.#address.follow(incident);
    this.#address.element.hidden = !mayWrite;
    this.#members.parentElement.hidden = others.length + merged.length === 0;
    refill(this.#members, [session.incident, others.map((one) => one.session), merged], () => [
      others.map((one) => h("li", {}, h("span", { class: "figures" }, nameOfSession(one.session)),
        h("button", { type: "button", dataset: { key: `part-${one.session.id}` }, onclick: () => this.#part(session, one.session) }, "Not the same"))),
      merged.map((id) => h("li", {}, h("span", { class: "small soft", title: id }, "merged: ", h("code", {}, `…${id.slice(-8)}`)),
        h("button", { type: "button", dataset: { key: `apart-${id}` }, onclick: () => this.#merging.takeApart(session.incident, id) }, "Take apart …"))),
    ]);
    this.#readEarlier(session);
    this.#letIn.parentElement.hidden = letIn.length === 0;
    refill(this.#letIn, [letIn, session.owner], () => letIn.map((one) => this.#guest(session, one)));
    refill(this.#about, [session, consents, mayWrite], () => [
      !mayWrite && session.address && fact("Address", session.address),
      fact("Opened", timeElement(session.createdAt)), fact("By", session.openedBy), fact("Kind", session.channel),
      consents.map((consent) => fact(scopes[consent.scope] ?? consent.scope, h("span", { title: `text ${consent.textVersion}` }, consent.decision, " ", timeElement(consent.at)))),
      session.note && fact("Note", session.note), session.disposition && fact("Ended", session.disposition),
      identity("Session", session.id), identity("Incident", session.incident),
    ]);
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
    return h("li", {}, h("span", { class: "small" }, isByLink ? "A browser, by a link of " : by ? "A phone, by the word of " : "A phone of the caller's", !by ? "" : by === session.owner ? "the owner" : h("strong", {}, `operator ${this.#nameOf(by)}`), " ", timeElement(since),
      !isAdmitted && "; it reads nothing until you agree"),
      !isAdmitted && act("Agree", () => this.#api.post(`/v1/devices/${device}/admit`, { session: session.id })),
      // Of one that is in, it may be the caller's only one.
      act("End it", async () => (!isAdmitted || confirm("Who holds this phone is out of the session at once, and for good. End it?"))
        && this.#api.delete(`/v1/devices/${device}?reason=${encodeURIComponent("ended by the session's owner")}`)));
  }

  /** What the same caller told before; read once, since what is over does not change. */
  async #readEarlier({ id, caller }) {
    if (!caller || this.#caller === caller) return;
    this.#caller = caller;
    try {
      const { items } = await this.#api.get(`/v1/sessions?caller=${caller}&limit=6`, { isLevel: false });
      const earlier = items.filter((one) => one.id !== id && !one.isPrivate);
      this.#earlier.parentElement.hidden = earlier.length === 0;
      fill(this.#earlier, earlier.map((one) => h("li", {},
        h("span", { class: "small" }, h("strong", {}, dayAndTime(one.createdAt)), " ", one.disposition ?? one.state, one.address && ` · ${one.address}`, one.firstWords && h("span", { class: "soft" }, ` “${one.firstWords.slice(0, 120)}”`)),
        h("button", { type: "button", onclick: () => this.#open(one.id) }, "Look"))));
    } catch {
      // Read again with the next session; the one that goes on does not wait for it.
      this.#caller = null;
    }
  }

  async #part(session, other) {
    await this.#merging.takeOut(session.incident, other);
  }

  #addressForm(changed) {
    const field = h("input", { name: "address", autocomplete: "off", maxlength: limits.addressBytes });
    return new SharedForm(this.#api, {
      what: "address", fields: { address: field }, done: "Address saved.",
      // As the incident has it, whose revision is known.
      valuesOf: ({ sessions }) => ({ address: sessions.find((one) => one.id === this.#session)?.address ?? "" }),
      bodyOf: ({ address }) => ({ address: address.trim(), source: "operator" }),
      fault: ({ address }) => (address.trim() ? tooLong(address.trim(), limits.addressBytes) : "Write where it is."),
      words: ({ address }) => address || "no address", who: () => "Somebody",
    }, [h("label", {}, "Address of the incident", field), h("button", {}, "Save the address")], changed);
  }
}

function identity(name, id) {
  return [h("dt", { class: "small" }, name), h("dd", { class: "id" }, h("code", {}, id))];
}

function fact(name, value) {
  return [h("dt", {}, name), h("dd", {}, value)];
}
