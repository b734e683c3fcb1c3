// SPDX-License-Identifier: Apache-2.0
import { API } from "../../../core/api.js";
import { find, h, refill } from "../../../core/dom.js";
import { t, term } from "../../../core/i18n.js";
import { whenAwake } from "../../../core/patience.js";
import { site } from "../../../core/site.js";
import { momentElement, now, timeAndZone } from "../../../core/time.js";
import { agencyView, awayView } from "./agency.js";
import { showWaitingPhotos } from "./cards.js";
import { Outbox } from "./outbox.js";
import { Proof } from "./proof.js";
import { ReportPhotos } from "./report-photos.js";
import { speciesWords } from "./species.js";

/** How often the page reads again while it is seen: as long as the rescue goes on, and afterwards. */
const againMilliseconds = 15_000;
const overMilliseconds = 120_000;
/** After these the animal needs nobody to keep away, and little more happens. */
const over = ["rescued", "released", "deceased", "not_found", "stood_down"];

/** How the rescue goes, and what of the report still waits on this phone. */
export class StatusPage {
  #api;
  #outbox;
  #token = location.pathname.split("/")[2] ?? "";
  #readAt = 0;
  #isReading = false;
  #timer = 0;
  #status = "";

  constructor({ api = new API(), shelf = new ReportPhotos(), proof = new Proof(api) } = {}) {
    this.#api = api;
    this.#outbox = new Outbox(api, proof, shelf, () => this.#showWaiting());
  }

  async begin() {
    if (site.name) find("#centre").textContent = site.name;
    whenAwake(() => this.#read(), new AbortController().signal);
    this.#showWaiting();
    this.#outbox.deliver();
    await this.#read();
  }

  async #read() {
    clearTimeout(this.#timer);
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      const told = await this.#api.get(`/v1/public/reports/${encodeURIComponent(this.#token)}`, { isLevel: false });
      this.#readAt = now();
      this.#show(told);
    } catch (error) {
      if (error.status === 404 || error.status === 410) this.#showUnknown();
      else this.#showAway();
    }
    this.#isReading = false;
    this.#timer = setTimeout(() => this.#readIfSeen(), over.includes(this.#status) ? overMilliseconds : againMilliseconds);
  }

  /** A page that nobody sees asks nothing; it asks at once when it is looked at again. */
  #readIfSeen() {
    if (document.visibilityState === "visible") this.#read();
  }

  #show({ centre, species, status, submittedAt, agency, isOnDuty = true, photos, steps }) {
    this.#status = status;
    const isOver = over.includes(status);
    find("#centre").textContent = centre ?? site.name ?? find("#centre").textContent;
    for (const id of ["reading", "unknown", "away"]) find(`#${id}`).hidden = true;
    find("#shown").hidden = false;
    find("#safety").hidden = find("#follows").hidden = isOver;
    // Once somebody has answered, who is on duty says nothing of this report.
    const isAway = Boolean(agency) && !isOnDuty && status === "submitted";
    refill(find("#now"), [species, status, photos, submittedAt, isAway && agency], () => [h("p", {}, statusWords(status)), isAway && awayView(agency),
      h("p", { class: "soft" }, speciesWords(species), " · ", t("report.sent.at"), " ", momentElement(submittedAt)),
      photos > 0 && h("p", { class: "soft" }, t("follow.photos", { count: photos })), isOver && h("p", {}, t("follow.over"))]);
    refill(find("#agency"), [agency, isAway, isOver], () => agencyView(agency, { isAway, isOver }));
    // The beginning is a step, whether the centre lists it or not.
    const all = steps.some(({ to }) => to === "submitted") ? steps : [{ to: "submitted", at: submittedAt }, ...steps];
    refill(find("#steps"), all, () => [...all].reverse().map(({ to, at }) => h("li", {}, h("span", {}, statusWords(to)), h("span", { class: "small soft" }, momentElement(at)))));
  }

  #showUnknown() {
    for (const id of ["reading", "away", "shown"]) find(`#${id}`).hidden = true;
    find("#unknown").hidden = false;
  }

  #showAway() {
    if (!find("#unknown").hidden) return;
    find("#reading").hidden = true;
    find("#away").textContent = this.#readAt ? t("follow.away", { time: timeAndZone(new Date(this.#readAt)) }) : t("follow.away.first");
    find("#away").hidden = false;
  }

  #showWaiting() {
    showWaitingPhotos(find("#waits"), this.#outbox.reports.find(({ token }) => token === this.#token));
  }
}

/** A status that this page does not know yet stands as the centre wrote it. @param {string} status */
const statusWords = (status) => term(`follow.status.${status}`, status);
