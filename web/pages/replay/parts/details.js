// SPDX-License-Identifier: Apache-2.0
import { fill, h } from "../../../core/dom.js";
import { pressed } from "../../../dom/busy.js";
import { differences, look } from "../../../source/proof.js";
import { sentence, whoDid } from "../../../model/words.js";

/** The entry that has just happened: all that the ledger has of it, and whether it stands in what a checkpoint signs. */
export class Details {
  #api;
  #source;
  #recording;
  #shown = null;
  #body = h("div", { class: "stack" });
  #proof = h("div", { class: "stack small", role: "status" });

  constructor(api, source, recording) {
    this.#api = api;
    this.#source = source;
    this.#recording = recording;
    this.element = h("details", { class: "entry-details", ontoggle: () => this.draw() }, h("summary", {}, "This entry"), this.#body, this.#proof);
  }

  draw() {
    const { event } = this.#source;
    if (!this.element.open || event === this.#shown) return;
    this.#shown = event;
    fill(this.#proof);
    if (!event) return fill(this.#body, h("p", { class: "soft" }, "Nothing has happened yet."));
    const fact = (name, value) => value !== undefined && [h("dt", {}, name), h("dd", {}, value)];
    fill(this.#body,
      h("p", {}, h("strong", {}, whoDid(event, this.#recording.names)), " · ", sentence(event, this.#recording.names)),
      h("dl", { class: "facts" }, fact("Entry", String(event.position)), fact("Kind", event.kind), fact("Of", `${event.category}/${event.subject}, revision ${event.revision}`), fact("By", event.actor),
        fact("Ledger", h("span", { class: "figures" }, event.time)), fact("Device", event.occurredAt && h("span", { class: "figures" }, event.occurredAt)),
        fact("Behind", event.occurredAt && `${event.skewMilliseconds} ms`), fact("File", event.file?.name)),
      h("div", { class: "row" }, h("button", { type: "button", onclick: pressed(() => this.#check(event)) }, "Check it against the checkpoint"),
        h("a", { class: "button", href: `/v1/events/${event.position}`, target: "_blank", rel: "noopener" }, "Entry as it is stored")));
  }

  async #check(event) {
    if (!globalThis.crypto?.subtle) return fill(this.#proof, h("p", { class: "notice warn" }, "This browser calculates no hashes on a page without TLS. daybook verify checks the whole ledger."));
    fill(this.#proof, h("p", {}, "Checking …"));
    try {
      const entry = new Uint8Array(await (await this.#api.file(`/v1/events/${event.position}`)).arrayBuffer());
      const found = await look(entry, await this.#api.get(`/v1/events/${event.position}/proof`), this.#recording.ledger.vkey);
      if (this.#shown === event) fill(this.#proof, this.#told(event, found, differences(entry, event)));
    } catch (error) {
      if (this.#shown === event) fill(this.#proof, h("p", { class: "notice bad" }, error.message));
    }
  }

  #told(event, { isSound, size, isSigned, leaf }, others) {
    if (!isSound) return h("p", { class: "notice bad" }, `Entry ${event.position} is not in what the checkpoint signs. Keep this page, and run daybook verify.`);
    if (others.length) return h("p", { class: "notice bad" }, `Entry ${event.position} stands in the checkpoint, but it does not say what is shown here: ${others.join(", ")}. Rely on "Entry as it is stored", keep this page, and run daybook verify.`);
    const signed = isSigned ? "whose signature is this ledger's" : "whose signature this browser cannot check";
    return [h("p", { class: "notice good" }, `Entry ${event.position} stands in the checkpoint of ${size} entries, ${signed}.`), h("p", {}, "Its hash: ", h("code", { class: "leaf" }, leaf))];
  }
}
