// SPDX-License-Identifier: Apache-2.0
import { fill, h } from "../../../core/dom.js";
import { numeral, t } from "../../../core/i18n.js";
import { momentElement } from "../../../core/time.js";
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
    this.element = h("details", { class: "entry-details", ontoggle: () => this.draw() }, h("summary", {}, t("replay.entry")), this.#body, this.#proof);
  }

  draw() {
    const { event } = this.#source;
    if (!this.element.open || event === this.#shown) return;
    this.#shown = event;
    fill(this.#proof);
    if (!event) return fill(this.#body, h("p", { class: "soft" }, t("replay.entry.none")));
    const fact = (name, value) => value !== undefined && [h("dt", {}, t(`replay.fact.${name}`)), h("dd", {}, value)];
    fill(this.#body,
      h("p", {}, h("strong", {}, whoDid(event, this.#recording.names)), " · ", sentence(event, this.#recording.names)),
      h("dl", { class: "facts" }, fact("entry", String(event.position)), fact("kind", event.kind), fact("of", t("replay.entry.of", { subject: `${event.category}/${event.subject}`, revision: event.revision })), fact("by", event.actor),
        fact("ledger", exact(event.time)), fact("device", event.occurredAt && exact(event.occurredAt)),
        fact("behind", event.occurredAt && `${numeral(event.skewMilliseconds)} ms`), fact("file", event.file?.name)),
      h("div", { class: "row" }, h("button", { type: "button", onclick: pressed(() => this.#check(event)) }, t("replay.entry.check")),
        h("a", { class: "button", href: `/v1/events/${event.position}`, target: "_blank", rel: "noopener" }, t("replay.entry.stored"))));
  }

  async #check(event) {
    if (!globalThis.crypto?.subtle) return fill(this.#proof, h("p", { class: "notice warn" }, t("replay.entry.insecure")));
    fill(this.#proof, h("p", {}, t("replay.entry.checking")));
    try {
      const entry = new Uint8Array(await (await this.#api.file(`/v1/events/${event.position}`)).arrayBuffer());
      const found = await look(entry, await this.#api.get(`/v1/events/${event.position}/proof`), this.#recording.ledger.vkey);
      if (this.#shown === event) fill(this.#proof, this.#told(event, found, differences(entry, event)));
    } catch (error) {
      if (this.#shown === event) fill(this.#proof, h("p", { class: "notice bad" }, error.message));
    }
  }

  #told(event, { isSound, size, isSigned, leaf }, others) {
    if (!isSound) return h("p", { class: "notice bad" }, t("replay.entry.unsound", { position: event.position }));
    if (others.length) return h("p", { class: "notice bad" }, t("replay.entry.differs", { position: event.position, parts: others.join(", ") }));
    return [h("p", { class: "notice good" }, t(isSigned ? "replay.entry.sound" : "replay.entry.sound.unsigned", { position: event.position, size: numeral(size) })), h("p", {}, t("replay.entry.hash"), " ", h("code", { class: "leaf" }, leaf))];
  }
}

/** A moment in words, and to its last digit, as the ledger has it. */
function exact(text) {
  return [momentElement(text), h("br"), h("code", { class: "small soft" }, text)];
}
