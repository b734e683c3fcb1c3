// SPDX-License-Identifier: Apache-2.0
/** The guards' page: a tour is chosen and walked, points are checked in at, and help is called for. */
import { API } from "../../core/api.js";
import { fill, find, h, refill, toast } from "../../core/dom.js";
import { t } from "../../core/i18n.js";
import { whenAwake } from "../../core/patience.js";
import { dayOf, now } from "../../core/time.js";
import { ask } from "../../dom/ask.js";
import { pressed } from "../../dom/busy.js";
import { Shell } from "../../dom/shell.js";
import { TeamChat, intoHead, teamChatReady } from "../../dom/team-chat.js";
import { meaningOf, nextOf, readTours, whyNot } from "../../model/patrol.js";
import { scheduleWords } from "../../model/tour-schedule.js";
import { Alarm, alarmWaits } from "./parts/alarm.js";
import { CheckIn } from "./parts/check-in.js";
import { endView, nextView, pointsView, signatureOf } from "./parts/round.js";
import { patrolReady } from "./words.js";

/** No topic tells guards of their rounds: the page reads them anew so often, and after each act. */
const readAgainMilliseconds = 15_000;
/** How often it is looked whether a point has become due, or late. */
const lookMilliseconds = 1000;

await Promise.all([patrolReady, teamChatReady]);
begin();

async function begin() {
  const api = new API();
  const waiting = h("p", { class: "notice bad", role: "alert" }, t("patrol.alarm.at-door"));
  if (alarmWaits()) find("#main").after(waiting);
  const me = await new Shell(api).enter(t("patrol.purpose"));
  waiting.remove();
  intoHead(new TeamChat(api, me));
  await new Walk(api, me).begin();
  document.documentElement.dataset.ready = "";
}

/** What is scrolled to stays above the alarm bar, also where a keyboard leaves little room. @param {HTMLElement} bar */
function stayClearOf(bar) {
  const root = document.documentElement;
  new ResizeObserver(() => root.style.setProperty("--bar", `${bar.offsetHeight}px`)).observe(bar);
  visualViewport?.addEventListener("resize", () => document.activeElement?.closest(".check-in input")?.scrollIntoView({ block: "nearest" }));
}

class Walk {
  #api;
  #alarm;
  #checkIn;
  #isAway = false;
  /** Readings are numbered: an older one that comes late is not shown. */
  #asked = 0;
  #shown = 0;
  #fault = "";
  #tours = null;
  #points = new Map();
  /** The newest of this guard. @type {import("../../model/patrol.js").Round | null} */
  #round = null;
  /** The form for a check-in lies between the two, within reach however many points there are. */
  #place = h("div", { class: "stack" });
  #rest = h("div", { class: "stack" });

  constructor(api, me) {
    this.#api = api;
    this.#alarm = new Alarm(api, me.user);
    this.#checkIn = new CheckIn(api, me.user, {
      isAway: () => this.#isAway, counting: () => this.#counting(), meaning: (point, at) => this.#meaning(point, at), known: (point, at) => this.#known(point, at),
      pointOf: (point) => this.#points.get(point),
    });
    const tell = api.onReach;
    api.onReach = (isReached) => {
      tell(isReached);
      const isBack = this.#isAway && isReached;
      this.#isAway = !isReached;
      if (isBack) this.#deliver();
    };
  }

  async begin() {
    const main = find("#main");
    fill(main, h("div", { class: "walk stack" }, this.#place, this.#checkIn.element, this.#rest));
    main.after(this.#alarm.element);
    stayClearOf(this.#alarm.element);
    await this.#read();
    setInterval(() => this.#read(), readAgainMilliseconds);
    setInterval(() => this.#show(), lookMilliseconds);
    whenAwake(() => this.#read(), new AbortController().signal);
  }

  #deliver() {
    this.#alarm.deliver();
    this.#checkIn.deliver();
  }

  /** @returns {Promise<boolean>} Whether what is known is of now. */
  async #read() {
    const mine = ++this.#asked;
    let isRead = false;
    try {
      const [{ tours, points }, rounds, alarms] = await Promise.all([readTours(this.#api), this.#api.get("/v1/rounds?limit=1"), this.#api.get("/v1/guard-alarms?taken=12")]);
      isRead = true;
      if (mine < this.#shown) return isRead;
      this.#shown = mine;
      this.#tours = tours;
      this.#points = new Map(points.map((point) => [point.id, point]));
      this.#alarm.answered(alarms.items);
      this.#round = rounds.items[0] ?? null;
      this.#fault = "";
    } catch (error) {
      this.#fault = error.message;
    }
    this.#show();
    return isRead;
  }

  /** What a check-in that is made from now on means for the round. */
  async #counting() {
    if (!this.#shown) await this.#read();
    const before = this.#round;
    return async (point, at) => {
      const isRead = await this.#read();
      return this.#named(point, isRead ? meaningOf(before, this.#round, point, Date.parse(at)) : { is: "sent" });
    };
  }

  /** What a check-in at a point means now. */
  async #meaning(point, at) {
    if (point) await this.#read();
    return this.#known(point, at);
  }

  #known(point, at) {
    return this.#named(point, whyNot(this.#round, point, Date.parse(at)));
  }

  #named(point, meaning) {
    return { ...meaning, name: this.#names.pointName(point), first: meaning.first && this.#names.pointName(meaning.first) };
  }

  get #names() {
    const tour = (id) => this.#tours?.find((one) => one.id === id);
    return {
      tourName: (id) => tour(id)?.name ?? t("patrol.tour.gone"),
      pointName: (id) => this.#points.get(id)?.name ?? t("patrol.point.gone"),
    };
  }

  /** The points of the round as they follow one another, then all others. @returns {any[]} */
  #inOrder(round) {
    const ofRound = (round?.points ?? []).map(({ point }) => this.#points.get(point)).filter(Boolean);
    return [...new Set([...ofRound, ...this.#points.values()])];
  }

  // MARK: What is shown

  #show() {
    if (this.#tours === null) return this.#showFault();
    const [round, names, at] = [this.#round, this.#names, now()];
    const isOn = Boolean(round && !round.finishedAt);
    this.#alarm.during(isOn ? round.id : null);
    this.#checkIn.offer(this.#inOrder(isOn ? round : null), (isOn && nextOf(round, at)?.point) || "");
    const signature = isOn && signatureOf(round, names, at);
    refill(this.#rest, signature, () => isOn && pointsView(round, names, at, () => this.#stop(round)));
    if (isOn) return refill(this.#place, signature, () => nextView(round, names, at));
    const last = round && dayOf(new Date(round.finishedAt)) === dayOf(new Date(at)) ? round : null;
    refill(this.#place, [last, this.#tours, names.tourName(last?.tour ?? "")], () => [last && endView(last, names, at), this.#choice()]);
  }

  #showFault() {
    if (!this.#fault) return;
    refill(this.#place, this.#fault, () => [h("p", { class: "notice bad", role: "alert" }, this.#fault), h("p", {}, h("button", { type: "button", class: "big", onclick: pressed(() => this.#read()) }, t("page.try-again")))]);
  }

  /** The tours that can be begun: one is one big button. */
  #choice() {
    const tours = this.#tours.filter((tour) => !tour.isRetired);
    if (tours.length === 0) return h("p", { class: "card empty" }, t("patrol.none"));
    const button = (tour) => h("button", { type: "button", class: `big start ${tours.length === 1 ? "primary" : ""}`, dataset: { key: tour.id }, onclick: pressed(() => this.#start(tour)) },
      h("span", { class: "words" }, h("strong", {}, t("patrol.start", { tour: tour.name })), h("span", { class: "small" }, t("patrol.start.about", { site: tour.site, count: tour.points.length })), tour.schedule && h("span", { class: "small" }, t("patrol.start.at", { times: scheduleWords(tour.schedule) }))));
    return [h("h2", {}, t(tours.length === 1 ? "patrol.today" : "patrol.choose")), h("ul", { class: "stack" }, tours.map((tour) => h("li", {}, button(tour))))];
  }

  // MARK: What is done

  async #start(tour) {
    try {
      await this.#api.post(`/v1/tours/${tour.id}/rounds`);
    } catch (error) {
      toast(error.slug === "round-under-way" ? t("patrol.under-way") : error.message, "bad");
    }
    await this.#read();
  }

  async #stop(round) {
    const left = round.points.filter((point) => !point.standing).length;
    const stopped = await ask({
      title: t("patrol.stop.ask"), will: [t("patrol.stop.will", { count: left })], press: t("patrol.stop"), isForGood: true, act: () => this.#api.post(`/v1/rounds/${round.id}/stop`),
    });
    if (stopped) await this.#read();
  }
}
