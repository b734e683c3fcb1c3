// SPDX-License-Identifier: Apache-2.0
/** What the operator asks of the caller, and the caller's answer. */
import { find, toast } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { newID } from "../core/ids.js";
import { patience } from "../core/patience.js";
import { ask } from "./question.js";
import { forBoth } from "./words.js";

/** What stands on the card, and on the buttons for yes and no. */
const questions = {
  start_video: () => ({ title: t("call.asked.video"), text: t("call.asked.video.text"), yes: t("call.asked.video.yes"), no: t("call.asked.no") }),
  stop_video: () => ({ title: t("call.asked.stop"), text: t("call.asked.stop.text"), yes: t("call.asked.stop.yes"), no: t("call.asked.stop.no") }),
  send_location: () => ({ title: t("call.asked.location"), text: t("call.asked.location.text"), yes: t("call.asked.location.yes"), no: t("call.asked.no") }),
};

/** A fault in words for a caller, to whom the number of a session says nothing. */
export function wordsOf(error) {
  return error.status === 410 ? t("call.contact.over") : error.message;
}

/** Shows what the operator asks for, and answers as the caller chooses. */
export class Questions {
  #api;
  #contact;
  #video;
  #places;
  #wish;
  #go;

  /** @param {{api: any, contact: any, video: any, places: any, wish: import("./wish.js").Wish, go: any}} page `wish` is the one for video. */
  constructor({ api, contact, video, places, wish, go }) {
    this.#api = api;
    this.#contact = contact;
    this.#video = video;
    this.#places = places;
    this.#wish = wish;
    this.#go = go;
    contact.addEventListener("asked", ({ detail }) => this.#ask(detail));
  }

  async #ask(request) {
    const { title, text, yes, no } = questions[request.ask]();
    const card = find("#asked");
    find("[value=accepted]", card).textContent = yes;
    find("[value=declined]", card).textContent = no;
    // Who began by chat may not be able to speak, and telephoned nobody.
    const isByTelephone = request.ask === "start_video" && this.#contact.detail?.session.openedBy === "operator";
    const whole = isByTelephone ? `${text} ${t("call.asked.video.telephone")}` : text;
    // The operator sees that the question arrived; if that cannot be told, the answer tells it.
    this.#api.post(`/v1/requests/${request.id}/opened`, { session: this.#contact.session }).catch(() => {});
    const answered = this.#choose(card, request);
    // What comes to stand in a card that is shown is read out.
    find("#asked-title").textContent = title;
    find("#asked-text").textContent = whole;
    navigator.vibrate?.([200, 100, 200]);
    const choice = await answered;
    if (choice === null) return;
    try {
      if (choice === "declined") await this.#tell(request, "declined");
      else if (request.ask === "send_location") await this.#places.send(request.id);
      else if (request.ask === "start_video") await this.#showVideo(request);
      else if (await this.#tell(request, "accepted")) {
        await this.#video.stop("the operator asked");
        this.#go.chat();
      }
    } catch (error) {
      toast(wordsOf(error), "bad");
    }
  }

  /** @returns {Promise<string | null>} `null` where the question was not answered: another one came, or its time is over. */
  async #choose(card, request) {
    const ending = new AbortController();
    const withdraw = () => ending.abort();
    this.#contact.addEventListener("withdrawn", withdraw, { once: true });
    const choice = await ask(card, ending.signal);
    this.#contact.removeEventListener("withdrawn", withdraw);
    if (choice === null) this.#contact.forget(request.id, ending.signal.aborted);
    return choice;
  }

  /** The camera first: yes is said of a video that comes. */
  async #showVideo(request) {
    const signal = this.#wish.begin();
    try {
      if (!(await this.#contact.begin())) return this.#contact.forget(request.id, false);
      for (let fault = await this.#video.open(signal); fault; fault = await this.#video.open(signal)) {
        find("#no-camera-text").textContent = fault;
        const choice = await this.#choose(find("#no-camera"), request);
        if (choice === null) return;
        if (choice === "tell") return await this.#tellNoCamera(request);
      }
      // Something else was pressed meanwhile: the question comes again.
      if (signal.aborted) {
        this.#contact.forget(request.id, false);
        return this.#contact.refresh();
      }
      this.#wish.touch();
      this.#wish.wait();
      const release = setTimeout(() => this.#video.close(), 5000);
      const isInTime = await this.#tell(request, "accepted").finally(() => clearTimeout(release));
      if (isInTime && (await this.#wish.isStillWanted(find("#video-again")))) await this.#video.start(signal);
      else this.#video.close();
    } catch (error) {
      this.#video.close();
      throw error;
    } finally {
      if (!signal.aborted) this.#wish.end();
    }
  }

  async #tellNoCamera(request) {
    await this.#tell(request, "declined");
    this.#contact.chat?.send(forBoth("call.camera.say"));
    this.#go.chat();
  }

  /** Goes on until the centre has the answer: the operator does not wait for nothing. @returns {Promise<boolean>} Whether it came in time. */
  async #tell(request, answer) {
    const body = { session: this.#contact.session, answer };
    const key = newID();
    for (let failures = 0; ; failures++) {
      try {
        const counted = await this.#api.post(`/v1/requests/${request.id}/answer`, body, { key, tries: 1 });
        if (counted.answer !== "stale") return true;
        toast(t("call.answer.late"), "warn");
        return false;
      } catch (error) {
        if (error.status !== undefined && error.status < 500 && error.status !== 429) throw error;
        if (failures === 1) toast(t("call.answer.waits"), "warn");
        await new Promise((resolve) => setTimeout(resolve, patience(failures)));
      }
    }
  }
}
