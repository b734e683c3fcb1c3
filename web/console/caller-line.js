// SPDX-License-Identifier: Apache-2.0
import { choose, find, h, refill, toast } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { copy } from "./copy.js";
import "./words.js";

/** Whether a session is text alone, by telephone or on the page: then there is room for who writes. */
const isText = ({ session, streams, telephone }) => Boolean(telephone) || (session.channel !== "video" && streams.length === 0);

/**
 * Who writes, how it came, and from where, in the order in which it is shown.
 * @param {{session: any, telephone?: any, locations: any[]}} detail As `GET /v1/sessions/{id}` tells it.
 * @returns {[string, string][]} Names and values; what is not known is left out.
 */
export function fieldsOf({ session, telephone, locations }) {
  const { fix } = locations.find((place) => place.fix) ?? {};
  const number = telephone ? telephone.number : session.phone;
  const fields = [
    [t("console.caller.number"), number && telephone ? `${number} (${surety(telephone)})` : number],
    [t("console.caller.name"), telephone?.name],
    [t("console.caller.address"), telephone?.address],
    [t("console.caller.type"), telephone ? t("console.caller.telephone", { transport: telephone.transport.toUpperCase() }) : t("console.caller.page")],
    [t("console.caller.latitude"), fix?.latitude.toFixed(6)],
    [t("console.caller.longitude"), fix?.longitude.toFixed(6)],
  ];
  return fields.filter(([, value]) => value);
}

/** Who says that the number is the caller's. */
function surety({ isVerified, trunk }) {
  return trunk ? t("console.caller.asserted", { trunk }) : t(isVerified ? "console.caller.verified" : "console.caller.unverified");
}

/** The line of a text session that says who writes, to be read and to be copied; whoever annoys is muted here. */
export class CallerLine {
  #api;
  #changed;
  element = h("div", { class: "caller-line", hidden: true });

  /** @param {() => void} changed Called when the sender was muted, or is that no more. */
  constructor(api, changed) {
    [this.#api, this.#changed] = [api, changed];
  }

  /** @param {any} detail The session that is shown. @param {boolean} mayMute Whether this operator may mute its sender. */
  show(detail, mayMute) {
    this.element.hidden = !isText(detail);
    if (this.element.hidden) return;
    const fields = fieldsOf(detail);
    const { id, isMuted = false } = detail.session;
    refill(this.element, [fields, mayMute, isMuted], () => [
      h("dl", {}, fields.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", { class: "figures" }, value)))),
      h("button", { type: "button", class: "plain", dataset: { key: "copy-caller" }, onclick: () => copy(fields.map((field) => field.join(": ")).join("\n")) }, t("console.caller.copy")),
      isMuted && h("span", { class: "chip" }, t("console.muted")),
      mayMute && h("button", { type: "button", class: "plain", dataset: { key: "mute" }, onclick: () => this.#mute(id, !isMuted) }, t(isMuted ? "console.unmute" : "console.mute")),
    ]);
  }

  async #mute(session, isMuted) {
    if (isMuted && (await choose(find("#mute-dialog"))) !== "mute") return;
    try {
      await this.#api.post(`/v1/sessions/${session}/mute`, { isMuted });
    } catch (error) {
      toast(error.message, "bad");
    }
    this.#changed();
  }
}
