// SPDX-License-Identifier: Apache-2.0
import { fill, h } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { QRScanner } from "../../../media/qr-scanner.js";
import { patrolCode } from "../../../model/patrol-code.js";

/** So long the phone shakes when a label was read. */
const shakeMilliseconds = 60;

/**
 * The panel in which the camera looks for a label. It lies in the page and covers nothing: the alarm stays within reach. It closes when a label was read, when somebody leaves it, and
 * when the page is hidden.
 */
export class Scan {
  #scanner = new QRScanner();
  #given;
  /** The last text that was no patrol code: the same one again is not said again. */
  #other = "";
  #video = h("video", { muted: true, playsinline: true, ".muted": true, "aria-hidden": "true" });
  #picture = h("div", { class: "finder" }, this.#video);
  #said = h("p", { class: "notice", role: "status" });
  #light = h("button", { type: "button", class: "big", "aria-pressed": "false", hidden: true, onclick: () => this.#switchLight() }, t("patrol.scan.light"));
  #cancel = h("button", { type: "button", class: "big", onclick: () => this.#leave() }, t("patrol.scan.cancel"));
  #type = h("button", { type: "button", class: "big", onclick: () => this.#given.type() }, t("patrol.scan.type"));
  element = h("section", { class: "scan stack", "aria-label": t("patrol.scan"), hidden: true }, this.#picture, this.#said,
    h("div", { class: "row ways" }, this.#light, this.#type, this.#cancel));

  /**
   * @param {{read: (code: string) => void, type: () => void, closed: (isLeft: boolean) => void}} given `read` is given a code that was read; `type` is called where somebody would
   *   rather type it; `closed` says whether somebody left.
   */
  constructor(given) {
    this.#given = given;
    addEventListener("keydown", (event) => /^Esc/.test(event.key) && this.isOpen && !document.querySelector("dialog[open]") && this.#leave());
    document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && this.close());
    addEventListener("pagehide", () => this.close());
  }

  get isPossible() {
    return this.#scanner.isPossible;
  }

  get isOpen() {
    return !this.element.hidden;
  }

  open() {
    this.#other = "";
    this.element.hidden = false;
    this.#picture.hidden = false;
    this.#light.hidden = true;
    this.#tell("", t("patrol.scan.opening"));
    this.element.scrollIntoView({ block: "nearest" });
    this.#cancel.focus({ preventScroll: true });
    this.#scanner.start(this.#video, { onText: (text) => this.#read(text), onFault: (fault) => this.#failed(fault) });
    this.#video.addEventListener("playing", () => this.#began(), { once: true });
  }

  /** @param {boolean} [isLeft] Whether somebody left it, who goes on where they were. */
  close(isLeft = false) {
    if (!this.isOpen) return;
    this.#scanner.stop();
    this.#video.srcObject = null;
    this.element.hidden = true;
    this.#given.closed(isLeft);
  }

  #leave() {
    this.close(true);
  }

  #began() {
    this.#tell("", t("patrol.scan.hold"));
    this.#light.hidden = !this.#scanner.hasTorch;
    this.#light.setAttribute("aria-pressed", "false");
    this.element.scrollIntoView({ block: "nearest" });
  }

  #read(text) {
    const code = patrolCode(text);
    if (!code) {
      if (text !== this.#other) this.#tell("warn", t("patrol.scan.other"));
      this.#other = text;
      return;
    }
    navigator.vibrate?.(shakeMilliseconds);
    this.close();
    this.#given.read(code);
  }

  #failed(fault) {
    this.#scanner.stop();
    this.#picture.hidden = true;
    this.#light.hidden = true;
    this.#tell("bad", t(`patrol.scan.no.${fault}`));
    this.#type.focus();
  }

  async #switchLight() {
    const isOn = await this.#scanner.light(this.#light.getAttribute("aria-pressed") !== "true");
    this.#light.setAttribute("aria-pressed", String(isOn));
  }

  #tell(look, words) {
    this.#said.className = `notice ${look}`;
    fill(this.#said, words);
  }
}
