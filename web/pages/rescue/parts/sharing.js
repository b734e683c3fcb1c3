// SPDX-License-Identifier: Apache-2.0
import { h, refill, toast } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { ofTab } from "../../../core/storage.js";
import { minuteOf, now } from "../../../core/time.js";
import { fixOf, isDenied } from "../../../dom/place.js";
import { userOf } from "../../../model/duty.js";
import { isShareDue, placeCountsMilliseconds, placeEnds } from "../../../model/rescue.js";

const path = "/v1/agencies/mine/place";
/** How often it is looked whether the place is to be shared again: who stands still, the browser tells nothing new. */
const lookMilliseconds = 15_000;
/** A place that was measured longer ago is asked for anew: the device may have slept, and been carried on. */
const freshMilliseconds = 60_000;
/** The centre takes none for good: the reader is off duty, or of no agency. */
const ended = ["agency-off-duty", "agency-of-nobody"];

/** Whether the team counts as being where this rescuer is. It is shared while this page is open and its reader is on duty, and goes on after a reload. */
export class Sharing {
  #api;
  #user;
  #missions;
  #duty;
  #isOn = false;
  #watch = 0;
  #timer = 0;
  /** The newest place that the browser told, and when. @type {{fix: any, at: number} | null} */
  #known = null;
  /** @type {{fix: any, at: number} | null} */
  #last = null;
  #triedAt = -Infinity;
  #isSending = false;
  #fault = "";
  element = h("section", { class: "card padded stack sharing", "aria-label": t("rescue.share.title"), hidden: true });

  /** @param {import("../../../core/api.js").API} api @param {{user: string, role: string}} me @param {import("./missions.js").Missions} missions @param {import("./on-duty.js").OnDuty} duty */
  constructor(api, me, missions, duty) {
    [this.#api, this.#user, this.#missions, this.#duty] = [api, me.user, missions, duty];
  }

  /** Goes on where the page was loaded again. */
  begin() {
    if (ofTab.getItem(this.#store)) this.#start();
  }

  get #store() {
    return `rescue-shares/${this.#user}`;
  }

  show() {
    if (this.#isOn && this.#duty.isOff) this.#end();
    this.element.hidden = !this.#missions.agency || this.#duty.isOff || !navigator.geolocation;
    const { place } = this.#missions.agency ?? {};
    const end = placeEnds(place);
    refill(this.element, [this.#isOn, this.#fault, end && place], () => [
      h("label", { class: "check" }, h("input", { type: "checkbox", role: "switch", "aria-describedby": "share-about", dataset: { key: "share" }, checked: this.#isOn, onchange: ({ target }) => (target.checked ? this.#start() : this.#stop()) }), t("rescue.share")),
      h("p", { role: "status" }, end && t(userOf(place.by) === this.#user ? "rescue.share.mine" : "rescue.share.colleague", { since: minuteOf(new Date(place.at)), until: minuteOf(new Date(end)) })),
      this.#fault && h("p", { class: "notice warn", role: "alert" }, this.#fault),
      h("p", { class: "small soft", id: "share-about" }, t("rescue.share.about", { minutes: placeCountsMilliseconds / 60_000 })),
    ]);
  }

  #start() {
    this.#isOn = true;
    ofTab.setItem(this.#store, "on");
    this.#follow();
    this.#timer = setInterval(() => this.#keep(), lookMilliseconds);
    this.show();
  }

  /** Turned off here; the centre counts the base again at once, or where it is not reached by itself later. */
  async #stop() {
    this.#end();
    await this.#tell(() => this.#api.delete(path));
  }

  #end() {
    navigator.geolocation.clearWatch(this.#watch);
    clearInterval(this.#timer);
    [this.#isOn, this.#known, this.#last, this.#triedAt, this.#fault] = [false, null, null, -Infinity, ""];
    ofTab.removeItem(this.#store);
    this.show();
  }

  #follow() {
    navigator.geolocation.clearWatch(this.#watch);
    this.#watch = navigator.geolocation.watchPosition((position) => {
      this.#known = { fix: fixOf(position), at: now() };
      this.#share();
    }, (error) => this.#lost(error), { enableHighAccuracy: true, maximumAge: 5000 });
  }

  #lost(error) {
    if (!this.#isOn) return;
    if (isDenied(error)) {
      this.#end();
      return void toast(t("rescue.share.denied"), "bad");
    }
    this.#fault = t("rescue.share.none");
    this.show();
  }

  #keep() {
    if (this.#known && now() - this.#known.at < freshMilliseconds) this.#share();
    else if (!this.#last || isShareDue(this.#last, this.#last.fix, this.#triedAt)) this.#follow();
  }

  async #share() {
    const { fix } = this.#known ?? {};
    if (!this.#isOn || this.#isSending || !fix || !isShareDue(this.#last, fix, this.#triedAt)) return;
    [this.#isSending, this.#triedAt] = [true, now()];
    await this.#tell(async () => {
      await this.#api.post(path, { fix }, { tries: 1 });
      // Turned off meanwhile: what was on its way must not count.
      if (!this.#isOn) return this.#api.delete(path);
      this.#last = { fix, at: now() };
    });
    this.#isSending = false;
  }

  /** Tells the centre, and reads what counts now. */
  async #tell(act) {
    try {
      await act();
      this.#fault = "";
    } catch (error) {
      if (this.#isOn && ended.includes(error.slug)) this.#end();
      this.#fault = error.message;
    }
    await this.#missions.readAgency();
    this.show();
  }
}
