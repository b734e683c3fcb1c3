// SPDX-License-Identifier: Apache-2.0
import { t } from "../core/i18n.js";

/** Without a picture for so many seconds nothing is live. */
const darkSeconds = 2;
/** A camera that another application took often comes back by itself; after so long it is opened anew. */
const longSeconds = 4;
/** Nothing more is waited for; longer while nobody looks at the page, where some browsers take the camera away until somebody does. */
const finalSeconds = { visible: 12, hidden: 120 };

/** How long a camera that films has given no picture, in seconds in which the page was awake. */
export class Silence {
  #seconds = 0;
  #sinceOpened = 0;
  /** Nothing came yet. */
  isBegin = true;

  /** Another second. */
  second() {
    this.#seconds++;
    this.#sinceOpened++;
  }

  /** A picture came. */
  end() {
    this.#seconds = this.#sinceOpened = 0;
    this.isBegin = false;
  }

  /** The camera was opened anew. */
  opened() {
    this.#sinceOpened = 0;
  }

  /** Somebody looks at the page again: what was taken away meanwhile may come back. */
  seen() {
    this.#seconds = Math.min(this.#seconds, longSeconds);
  }

  /** What the caller reads; empty while there are pictures. */
  get words() {
    if (this.isBegin && this.#seconds < longSeconds) return t("call.film.starting");
    return this.#seconds < darkSeconds ? "" : t("call.camera.dark");
  }

  get isLong() {
    return this.#sinceOpened >= longSeconds;
  }

  get isFinal() {
    return this.#seconds >= finalSeconds[document.visibilityState];
  }
}
