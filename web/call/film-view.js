// SPDX-License-Identifier: Apache-2.0
import { find } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { span } from "../core/time.js";
import { cameraCount } from "../media/camera.js";
import { keptSecondsMost } from "../media/sender.js";
import { Captions } from "./captions.js";
import { leftWords } from "./contact.js";

/** Whose newest pictures are not at the centre within so many seconds is not seen live. */
const behindSecondsMost = 3;

/** What a caller who films sees: the picture, how it gets through, and who is there. */
export class FilmView {
  #contact;

  constructor(contact, go) {
    this.#contact = contact;
    new Captions(contact, go);
    contact.addEventListener("change", () => {
      this.#showUnread();
      this.#showLeft();
    });
  }

  /**
   * Shows what a camera sees, or nothing, and what can be done with it.
   * @param {import("./film-camera.js").FilmCamera} camera
   * @param {import("./second-camera.js").SecondCamera} second While both film there is none to turn to.
   */
  async showCamera(camera, second) {
    const preview = find("#preview");
    preview.srcObject = camera.media;
    if (!camera.isOpen) return;
    preview.play().catch(() => {
      // The preview is only for the caller's eye; the stream runs without it.
    });
    this.showLight(camera);
    const isAlone = (await cameraCount()) < 2;
    find("#film-turn").hidden = isAlone || second.isOn;
    const both = find("#film-both");
    both.hidden = isAlone || !second.isPossible;
    both.setAttribute("aria-pressed", String(second.isOn));
  }

  showLight(camera) {
    const light = find("#film-light");
    light.setAttribute("aria-pressed", String(camera.isLit));
    light.hidden = !camera.hasLight;
  }

  showBegin() {
    this.#state(t("call.film.starting"), "");
  }

  /** How it is with the film now. @param {import("./film.js").Film} film */
  show(film) {
    const { silence, isConnected, behindSeconds, size } = film;
    if (silence?.words) this.#state(silence.words, silence.isBegin ? "" : "bad");
    else if (!isConnected) this.#state(t("call.film.waits", { time: span(behindSeconds), most: keptSecondsMost }), "bad");
    else if (behindSeconds >= behindSecondsMost) this.#state(t("call.film.late", { time: span(behindSeconds) }), "warn");
    else this.#state(t("call.film.live"), "live");
    find("#film-kept").hidden = isConnected;
    find("#film-quality").textContent = `${size?.width ?? ""} × ${size?.height ?? ""}`;
  }

  #state(text, kind) {
    const chip = find("#film-state");
    chip.textContent = text;
    chip.className = `chip ${kind}`;
  }

  #showUnread() {
    const badge = find("#unread");
    badge.hidden = this.#contact.unread === 0;
    badge.textContent = String(this.#contact.unread);
    const words = badge.hidden ? t("call.chat") : t("call.chat.new", { count: this.#contact.unread });
    find("#film-chat-words").textContent = words;
    find("#film-chat").title = words;
  }

  /** Who films sees there, too, that nobody looks just now. */
  #showLeft() {
    const words = leftWords(this.#contact.detail?.session);
    const place = find("#film-left");
    place.hidden = !words;
    if (place.textContent !== words) place.textContent = words;
  }
}
