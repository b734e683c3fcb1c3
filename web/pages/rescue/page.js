// SPDX-License-Identifier: Apache-2.0
/** The rescuers' page: reports of animals that need help, the most urgent first, and one report with the next step as one big button. */
import { API } from "../../core/api.js";
import { fill, find, h, toast } from "../../core/dom.js";
import { t } from "../../core/i18n.js";
import { keepPage } from "../../core/kept-page.js";
import { whenAwake } from "../../core/patience.js";
import { Shelf } from "../../core/shelf.js";
import { Topics } from "../../core/topics.js";
import { now } from "../../core/time.js";
import { peopleOf } from "../../dom/people.js";
import { Shell } from "../../dom/shell.js";
import "../../map/place-map.js";
import { isCalling, titleOf, waitsAfterMilliseconds } from "../../model/rescue.js";
import { LastRead } from "./parts/last-read.js";
import { follow, List } from "./parts/list.js";
import { Mission, notePress } from "./parts/mission.js";
import { Missions } from "./parts/missions.js";
import { OnDuty } from "./parts/on-duty.js";
import { Outbox, refusalWords } from "./parts/outbox.js";
import { Past } from "./parts/past.js";
import { Photos } from "./parts/photos.js";
import { Sharing } from "./parts/sharing.js";
import { rescueReady } from "./words.js";

/**
 * @typedef {{api: API, me: any, people: import("../../dom/people.js").People, nameOf: (user: string) => string, missions: Missions, outbox: Outbox, photos: Photos, duty: OnDuty,
 *   open: (id: string | null) => void, back: () => string, take: (id: string) => void, refresh: () => Promise<void>, show: () => void, writeAgain: (id: string, text: string, key: string) => void,
 *   sharing: Sharing, command: (act: () => Promise<any>) => Promise<boolean>}} Desk What parts have in common.
 */

/** The page reads so often while it is seen and no topic tells it what is new, and after each act. */
const readAgainMilliseconds = 10_000;
/** So often it reads all the same: what a report becomes that is another's from now on, no topic tells. */
const readLiveMilliseconds = 60_000;
/** How often it is looked whether an age or an absence says something else by now. */
const lookMilliseconds = 5000;

/** Where past missions are listed. */
const past = "/rescue?view=past";

await rescueReady;
begin();

async function begin() {
  const api = new API();
  const lastRead = new LastRead();
  const me = await new Shell(api).enter(t("rescue.purpose"), lastRead);
  await new Rescue(api, me, lastRead).begin();
  document.documentElement.dataset.ready = "";
  keepPage("rescue-1", "/rescue", ["/rescue", "/rescue/{report}"]);
}

class Rescue {
  #api;
  #me;
  #missions;
  #outbox;
  #duty;
  #sharing;
  /** @type {Topics} */
  #topics;
  /** @type {Desk} */
  #desk;
  /** Whether what is read is read once more. */
  #isNudged = false;
  #isReading = false;
  #isAway = false;
  /** The one that is shown; all of them stay in the page. @type {List | Past | Mission | null} */
  #view = null;
  #list;
  #past;
  #mission;
  #tabs;
  #place = h("div", { class: "view" });
  #listScroll = 0;
  /** The list from which one came to a report. */
  #from = "/rescue";
  #title = document.title;

  constructor(api, me, lastRead) {
    [this.#api, this.#me, this.#duty] = [api, me, new OnDuty(api, () => this.#show())];
    this.#outbox = new Outbox(api, me.user, { onChange: () => this.#changed(), onSent: (item) => this.#sent(item), onRefused: (item, error) => this.#refused(item, error) }, new Shelf("rescue-photos", "key"));
    this.#missions = new Missions(api, me, this.#outbox, lastRead);
    this.#sharing = new Sharing(api, me, this.#missions, this.#duty);
  }

  async begin() {
    const [api, me] = [this.#api, this.#me];
    const people = await peopleOf(api, me.role, () => this.#show());
    this.#desk = {
      api, me, people, nameOf: (user) => people.nameOf(user), missions: this.#missions, outbox: this.#outbox, photos: new Photos(api), duty: this.#duty,
      open: (id) => this.#open(id), back: () => this.#from, take: (id) => this.#take(id), refresh: () => this.#refresh(), show: () => this.#show(), writeAgain: (id, text, key) => this.#writeAgain(id, text, key),
      sharing: this.#sharing, command: (act) => this.#command(act),
    };
    [this.#list, this.#past, this.#mission] = [new List(this.#desk), new Past(this.#desk), new Mission(this.#desk)];
    fill(this.#place, this.#views.map(({ element }) => element));
    const tab = (view, address, words) => h("a", { href: address, dataset: { view }, onclick: (event) => follow(event, () => this.#go(address)) }, t(words));
    this.#tabs = h("nav", { class: "tabs", "aria-label": t("rescue.views") }, tab("", "/rescue", "rescue.active"), tab("past", past, "rescue.past"));
    fill(find("#main"), h("div", { class: "rescue stack" }, this.#tabs, this.#place));
    this.#followReach();
    this.#keepClear();
    this.#lead();
    await Promise.all([this.#missions.readAgency(), this.#duty.read(), this.#refresh()]);
    this.#sharing.begin();
    this.#show();
    this.#mission.prepare(this.#missions.active ?? []);
    this.#outbox.deliver();
    this.#followReports();
    this.#keepReading();
  }

  /** What is new is read at once. An older centre knows no such topic: then the page only asks by itself. */
  #followReports() {
    this.#topics = new Topics(this.#api);
    this.#topics.follow("reports", { onEvent: () => this.#nudge(), onLevel: () => this.#nudge(), onRefused: () => this.#topics.stop() });
  }

  /** Several things that happen at once are read once. */
  async #nudge() {
    this.#isNudged = true;
    if (this.#isReading) return;
    this.#isReading = true;
    while (this.#isNudged) {
      this.#isNudged = false;
      await this.#refresh();
    }
    this.#isReading = false;
  }

  #keepReading() {
    const isDue = () => document.visibilityState === "visible" && (!this.#topics.isLive || now() - this.#missions.readAt > readLiveMilliseconds);
    setInterval(() => isDue() && this.#refresh(), readAgainMilliseconds);
    setInterval(() => document.visibilityState === "visible" && this.#missions.readAgency(), readLiveMilliseconds);
    setInterval(() => this.#show(), lookMilliseconds);
    whenAwake(() => this.#refresh(), new AbortController().signal);
    addEventListener("popstate", () => {
      this.#lead();
      this.#refresh();
    });
    // A push may be here before anything else tells.
    navigator.serviceWorker?.addEventListener("message", ({ data }) => data.isCalled && this.#refresh());
    navigator.serviceWorker?.startMessages?.();
  }

  /** The centre is there again: what waits is sent now, and what could not be read is. */
  #followReach() {
    const tell = this.#api.onReach;
    this.#api.onReach = (isReached) => {
      tell(isReached);
      const isBack = this.#isAway && isReached;
      this.#isAway = !isReached;
      if (!isBack) return;
      this.#outbox.deliver();
      this.#duty.readAgain();
    };
  }

  /** What is scrolled to stays above the big button, where that lies at the lower edge. */
  #keepClear() {
    new ResizeObserver(() => document.documentElement.style.setProperty("--bar", `${document.querySelector(".act")?.offsetHeight ?? 0}px`)).observe(this.#place);
  }

  // MARK: Where one is

  get #views() {
    return [this.#list, this.#past, this.#mission];
  }

  /** The report that is shown; empty while it is a list. */
  get #shownID() {
    return this.#view === this.#mission ? this.#mission.id : "";
  }

  #go(address) {
    if (this.#view === this.#list) this.#listScroll = scrollY;
    if (location.pathname + location.search !== address) history.pushState(null, "", address);
    this.#lead();
  }

  #open(id) {
    this.#go(id ? `/rescue/${id}` : this.#from);
    this.#refresh();
  }

  /** Shows what the address names. */
  #lead() {
    const [, , id] = location.pathname.split("/");
    const isPast = !id && new URLSearchParams(location.search).get("view") === "past";
    const view = id ? this.#mission : isPast ? this.#past : this.#list;
    if (view === this.#view && (!id || id === this.#mission.id)) return;
    if (id) this.#mission.open(id);
    this.#view = view;
    for (const one of this.#views) one.element.hidden = one !== view;
    this.#tabs.hidden = Boolean(id);
    if (!id) this.#from = isPast ? past : "/rescue";
    for (const tab of this.#tabs.children) {
      if ((tab.dataset.view === "past") === isPast) tab.setAttribute("aria-current", "page");
      else tab.removeAttribute("aria-current");
    }
    if (isPast) this.#past.read();
    this.#show();
    if (document.documentElement.dataset.ready !== undefined) {
      scrollTo(0, view === this.#list ? this.#listScroll : 0);
      if (id) this.#mission.focus();
      else find("#main").focus({ preventScroll: true });
    }
  }

  // MARK: What is read and shown

  async #refresh() {
    const id = this.#shownID;
    await Promise.all([this.#missions.readList(), id && this.#missions.readReport(id), this.#duty.readAgain()]);
    this.#show();
  }

  #show() {
    if (!this.#view) return;
    this.#view.show();
    this.#duty.show();
    this.#sharing.show();
    const active = this.#missions.active ?? [];
    const calling = active.filter((one) => isCalling(this.#me, one)).length;
    const shown = this.#shownID && this.#missions.report(this.#shownID);
    document.title = [calling ? `(${calling})` : "", shown ? `${titleOf(shown)} · ${this.#title}` : this.#title].filter(Boolean).join(" ");
  }

  // MARK: What is done

  /** Taken from the list; its report shows what comes next. */
  #take(id) {
    notePress();
    this.#outbox.step(id, "acknowledged");
    this.#open(id);
  }

  /** What is sent at once never says that it waits. */
  #changed() {
    this.#show();
    setTimeout(() => this.#show(), waitsAfterMilliseconds + 100);
  }

  #sent(item) {
    if (item.kind === "step") this.#missions.took(item);
    this.#show();
    this.#refresh();
  }

  #refused(item, error) {
    // The notice of it stands above what is shown, perhaps out of sight.
    const { top, bottom } = this.#view?.element.querySelector(".refusal:last-child")?.getBoundingClientRect() ?? { top: -1, bottom: -1 };
    if (top < 0 || bottom > innerHeight) toast(refusalWords(item, error), "bad");
    this.#refresh();
  }

  /** What needs the centre now, and does not wait on this device. @returns {Promise<boolean>} Whether it was done. */
  async #command(act) {
    try {
      await act();
    } catch (error) {
      toast(error.message, "bad");
      return false;
    }
    await this.#refresh();
    return true;
  }

  #writeAgain(id, text, key) {
    if (this.#shownID === id) this.#mission.writeAgain(text);
    this.#outbox.putAway(key);
  }
}
