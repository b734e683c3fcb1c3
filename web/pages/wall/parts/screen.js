// SPDX-License-Identifier: Apache-2.0
import { h } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { filmsOf } from "./fold.js";
import { knownAs } from "./order.js";

/** What a caller films now, on a tile: a still that is renewed while the tile is to be seen, or why there is none. */
export class Screen {
  #frames;
  #words = h("p", { class: "screen-words" });
  #picture = null;
  #url = "";
  #stream = null;
  #isSeen = false;
  #row = null;
  #end = null;
  /** Whether the last question for a picture had none as its answer. */
  #isStale = false;

  /** @param {import("./frames.js").Frames} frames */
  constructor(frames) {
    this.#frames = frames;
    this.element = h("div", { class: "screen" }, this.#words);
  }

  /** @param {import("./fold.js").Row} row */
  show(row) {
    this.#row = row;
    const stream = row.isPrivate ? null : (row.live.at(-1) ?? null);
    if (stream !== this.#stream) {
      this.#leave();
      this.#forget();
      this.#stream = stream;
      this.#isStale = false;
      this.#film = stream && { stream, onPicture: (picture) => this.#take(stream, picture), onNone: () => this.#miss(stream) };
    }
    this.#follow();
    this.#say();
  }

  #film = null;

  /** Whether the tile is within the page's view. @param {boolean} isSeen */
  set isSeen(isSeen) {
    this.#isSeen = isSeen;
    this.#follow();
  }

  close() {
    this.#leave();
    this.#forget();
  }

  #follow() {
    if (this.#film && this.#isSeen) this.#end ??= this.#frames.show(this.#film);
    else this.#leave();
  }

  #leave() {
    this.#end?.();
    this.#end = null;
  }

  /** Puts the next picture in place of the last one once it is decoded, so that nothing flickers. */
  async #take(stream, blob) {
    const url = URL.createObjectURL(blob);
    const picture = h("img", { alt: t("session-wall.picture", { name: knownAs(this.#row) ?? t("session-wall.unknown") }), src: url });
    try {
      await picture.decode();
    } catch {
      URL.revokeObjectURL(url);
      return;
    }
    if (stream !== this.#stream) return URL.revokeObjectURL(url);
    this.#forget();
    [this.#picture, this.#url, this.#isStale] = [picture, url, false];
    this.element.prepend(picture);
    this.#say();
  }

  #miss(stream) {
    if (stream !== this.#stream) return;
    this.#isStale = true;
    this.#say();
  }

  #forget() {
    this.#picture?.remove();
    URL.revokeObjectURL(this.#url);
    [this.#picture, this.#url] = [null, ""];
  }

  #say() {
    const words = this.#wordsNow();
    if (this.#words.textContent !== words) this.#words.textContent = words;
    this.#words.hidden = !words;
    this.element.dataset.state = this.#picture ? (this.#isStale || this.#isSilent ? "old" : "live") : this.#stream ? "waits" : "none";
  }

  get #isSilent() {
    return this.#row.silent.includes(this.#stream);
  }

  #wordsNow() {
    const row = this.#row;
    if (row.isPrivate) return t("session-wall.private");
    if (this.#stream) return this.#isSilent ? t("session-wall.silent") : this.#picture ? (this.#isStale ? t("session-wall.no-newer") : "") : t("session-wall.no-picture");
    if (row.isFilmOver && filmsOf(row) === 0) return t("session-wall.film-over");
    return t(`session-wall.channel.${row.channel}`);
  }
}
