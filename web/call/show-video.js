// SPDX-License-Identifier: Apache-2.0
import { find, toast } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { now } from "../core/time.js";
import { wordsOf } from "./asked.js";
import { ask } from "./question.js";

/**
 * From the press of Show video to the picture: the camera is asked for first, then the centre, and once that lets it begin the phone films by itself. No camera goes on by itself long
 * after a touch of which the page said nothing, and nothing is said of what is not wanted any more.
 */
export class ShowVideo {
  #contact;
  #video;
  #line;
  #centre;
  #wayOut;
  #toChat;
  /** Whoever pressed sees what becomes of it. */
  #answer = () => {};

  /**
   * @param {{contact: import("./contact.js").Contact, video: import("./video-screen.js").VideoScreen, line: import("./wish.js").Wish, centre: import("./video-wish.js").VideoWish,
   *   wayOut: {pressed: () => void}, toChat: () => any}} page `line` tells of the wish, `centre` has it.
   */
  constructor({ contact, video, line, centre, wayOut, toChat }) {
    this.#contact = contact;
    this.#video = video;
    this.#line = line;
    this.#centre = centre;
    this.#wayOut = wayOut;
    this.#toChat = toChat;
  }

  /** The caller pressed for it. @returns {Promise<void>} Done once the caller sees what becomes of it. */
  press() {
    if (this.#line.isTold) return Promise.resolve(this.#line.point());
    return new Promise((answer) => {
      this.#answer = answer;
      const signal = this.#line.begin();
      this.#run(signal, () => this.#begin(signal)).finally(answer);
    });
  }

  /** A page before this one waited: this one goes on. @returns {boolean} Whether it does. */
  goOn() {
    const until = this.#centre.left();
    if (!until) return false;
    const signal = this.#line.begin();
    this.#run(signal, () => this.#takeUp(until, signal));
    return true;
  }

  /** It is not wanted any more, which everybody is told. */
  withdraw() {
    this.#line.end();
    this.#centre.withdraw();
  }

  async #run(signal, step) {
    try {
      await step();
    } catch (error) {
      if (!signal.aborted) toast(wordsOf(error), "bad");
    } finally {
      if (!signal.aborted) this.#line.end();
    }
  }

  async #begin(signal) {
    // Trying again does not help, so there is nothing to ask.
    if (!(await this.#video.canSend())) return void toast(t("call.video.none"), "bad");
    if (!this.#contact.takesVideo && !(await this.#mayFilm(signal, () => this.#video.check()))) return;
    if (!(await this.#contact.begin()) || signal.aborted) return;
    this.#wayOut.pressed();
    this.#line.touch();
    this.#line.wait();
    if (!(await this.#contact.opened(signal))) return;
    const outcome = await this.#centre.put(signal, (until) => {
      this.#line.told(until);
      this.#answer();
    });
    await this.#follow(outcome, signal, outcome === "taken");
  }

  async #takeUp(until, signal) {
    let ready = Promise.resolve(true);
    const outcome = await this.#centre.goOn(until, signal, (told) => {
      if (Date.parse(told) > now()) this.#line.told(told);
      // The page before this one had the camera's permission; where this one needs a touch it is asked for while there is time.
      ready = this.#mayFilm(signal, () => this.#video.check(), true);
    });
    if (outcome === "elsewhere" || (outcome === "taken" && !(await ready))) return;
    await this.#follow(outcome, signal, outcome === "taken" && Date.parse(until) > now());
  }

  /** @param {boolean} wasTold Whether the caller read all the while that it begins by itself. */
  async #follow(outcome, signal, wasTold) {
    try {
      if (signal.aborted) return;
      if (outcome === "nobody") toast(t("call.video.nobody"), "warn");
      if (outcome !== "taken" && outcome !== "at once") return;
      if (!(await this.#line.isStillWanted(find("#video-again"), wasTold))) return;
      if (await this.#mayFilm(signal, () => this.#video.open(signal), outcome === "taken")) await this.#video.start(signal);
    } finally {
      this.#centre.done();
    }
  }

  /**
   * Whether the browser gives this page the camera. Where it does not, the page says so, and what the caller can do instead.
   * @param {() => Promise<string>} bring Asks for it, and says why it cannot be had. @param {boolean} [isUntouched] Nobody pressed for it just now: some browsers give it only to who did.
   */
  async #mayFilm(signal, bring, isUntouched = false) {
    let fault = await bring();
    if (fault && isUntouched) {
      const choice = await ask(find("#video-touch"), signal);
      if (choice === "no") this.withdraw();
      if (choice !== "yes") return false;
      fault = await bring();
    }
    for (; fault && !signal.aborted; fault = await bring()) {
      find("#no-video-text").textContent = fault;
      find("#no-video [value=chat]").textContent = t(this.#contact.session ? "call.chat.continue" : "call.chat.begin");
      this.#answer();
      const choice = await ask(find("#no-video"), signal);
      if (choice === "chat") this.#toChat();
      if (choice !== "again") return false;
    }
    return !signal.aborted;
  }
}
