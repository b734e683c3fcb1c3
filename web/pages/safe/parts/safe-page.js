// SPDX-License-Identifier: Apache-2.0
import { API } from "../../../core/api.js";
import { choose, find, focusIfLost, h, refill } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { whenAwake } from "../../../core/patience.js";
import { site } from "../../../core/site.js";
import { local } from "../../../core/storage.js";
import { age } from "../../../core/time.js";
import { keep } from "../../../call/keep.js";
import { length } from "../../../map/geo.js";
import { openCard, pastCard, refusedCard, statusWords, waitingCard } from "./alert-cards.js";
import { Alerts } from "./alerts.js";
import { BigButton } from "./big-button.js";
import { Contacts } from "./contacts.js";
import { Mine } from "./mine.js";
import { Place } from "./place.js";
import { Register } from "./register.js";
import { signal } from "./signal.js";

const views = ["register", "reading", "not-agreed", "name", "contact", "contacts", "history", "home"];
/** By whose number this phone was registered last: what is kept here is that person's. */
const phoneStore = "safe-phone";
/** How often the age of the place is told anew, and it is looked whether an older phone has agreed to this one. */
const lookMilliseconds = 10_000;

/** The page: registers the phone, then name and contacts, then the button. */
export class SafePage {
  #api = new API(local.getItem(keep.tokenKey));
  #register = new Register((answer) => this.#registered(answer));
  #mine = new Mine(this.#api, () => this.#show());
  #place = new Place(() => this.#placed());
  #alerts = new Alerts(this.#api, this.#mine, this.#place, { onChange: () => this.#show(), onSignal: signal });
  #contacts = new Contacts(this.#mine, (view) => this.#go(view));
  #button = new BigButton({ onAlert: (trigger) => this.#alerts.raise(trigger), onAsk: () => this.#ask() });
  /** Whether the centre was asked what it has, so that no first step is asked twice. */
  #isRead = false;
  /** Whether an older phone of this number is to agree before this one may do anything. */
  #isWaiting = false;
  #shown = "";

  async begin() {
    if (site.name) find("#centre").textContent = site.name;
    find("#button").append(this.#button.element);
    find("#drill").onclick = () => this.#practise();
    this.#api.onSignedOut = () => this.#signedOut();
    addEventListener("hashchange", () => this.#show());
    addEventListener("storage", ({ key }) => key === keep.tokenKey && location.reload());
    whenAwake(() => this.#read(), new AbortController().signal);
    setInterval(() => {
      this.#showPlace();
      if (this.#isWaiting) this.#read();
    }, lookMilliseconds);
    if (this.#api.token) await this.#start();
    else await this.#register.begin(this.#alerts.waiting.length ? t("safe.signed-out.waits") : "");
    this.#show();
  }

  /** What waits here goes first: an alert waits for nothing. */
  async #start() {
    this.#alerts.deliver();
    this.#mine.deliver();
    this.#show();
    this.#place.follow(false);
    await this.#read();
  }

  async #read() {
    if (!this.#api.token) return;
    try {
      await this.#mine.read();
      this.#isWaiting = false;
    } catch (error) {
      // Otherwise what this phone kept is shown.
      if (error.slug === "phone-not-agreed") this.#isWaiting = true;
    }
    this.#isRead = true;
    this.#show();
    this.#alerts.read();
  }

  #registered({ token, phone }) {
    const before = local.getItem(phoneStore);
    if (before !== null && before !== phone) for (const kept of [Mine, Alerts]) kept.forget();
    local.setItem(phoneStore, phone);
    local.setItem(keep.tokenKey, token);
    this.#api.token = token;
    location.hash = "";
    return this.#start();
  }

  #signedOut() {
    // Another page of this phone may have registered it anew.
    if (local.getItem(keep.tokenKey) !== this.#api.token) return location.reload();
    local.removeItem(keep.tokenKey);
    this.#api.token = null;
    this.#show();
    this.#register.begin(t(this.#alerts.waiting.length ? "safe.signed-out.waits" : "safe.signed-out"));
  }

  // MARK: What is shown

  #go(view) {
    if (location.hash.slice(1) !== view) location.hash = view;
    this.#show();
  }

  /** The first steps come before all else, but not before an alert. */
  get #view() {
    const wanted = location.hash.slice(1) || "home";
    if (!this.#api.token) return "register";
    if (this.#isWaiting) return "not-agreed";
    const { name, contacts } = this.#mine;
    const isReady = Boolean(name) && contacts.length > 0;
    if (isReady || this.#alerts.waiting.length || this.#alerts.open.length) return views.slice(3).includes(wanted) ? wanted : "home";
    if (!this.#isRead) return "reading";
    return name ? "contact" : "name";
  }

  #show() {
    const view = this.#view;
    const isOther = view !== this.#shown;
    this.#shown = view;
    for (const name of views) find(`#${name}`).hidden = name !== view;
    this.#contacts.show();
    find("#whom").textContent = t("safe.whom", { names: this.#mine.contacts.map(({ name }) => name).join(", ") });
    this.#showAlerts();
    this.#showPlace();
    if (isOther) {
      scrollTo(0, 0);
      focusIfLost(find("#main"));
    }
  }

  #showAlerts() {
    const { waiting, refused, open } = this.#alerts;
    const acts = {
      end: (alert, reason) => this.#end(alert, reason), takeBack: (id) => this.#alerts.takeBack(id), putAway: (id) => this.#alerts.putAway(id),
      again: ({ id, trigger, isDrill }) => {
        this.#alerts.putAway(id);
        return this.#alerts.raise(trigger, isDrill);
      },
    };
    const words = statusWords(this.#alerts);
    const told = find("#told");
    if (told.textContent !== words) told.textContent = words;
    told.hidden = !words;
    told.className = `notice ${refused.length && !waiting.length ? "bad" : waiting.length ? "warn" : open.length ? "good" : ""}`;
    const ending = open.map(({ id }) => this.#alerts.isEnding(id));
    refill(find("#alerts"), [waiting, refused, open, ending], () => [waiting.map((one) => waitingCard(one, acts)), refused.map((one) => refusedCard(one, acts)), open.map((one, index) => openCard(one, ending[index], acts))]);
    const past = this.#mine.alerts;
    refill(find("#past"), past, () => (past.length ? past.map(pastCard) : h("p", { class: "empty" }, t("safe.history.none"))));
  }

  #placed() {
    this.#showPlace();
    this.#alerts.share();
  }

  #showPlace() {
    const { fix, silence } = this.#place;
    const silent = silence && t(silence === "denied" ? "safe.place.denied" : "safe.place.none");
    const known = fix ? t("safe.place", { length: length(Math.max(1, fix.accuracyMetres ?? 0)), age: age(fix.measuredAt ?? "", Date.now()) }) : t(silence ? "safe.place.unknown" : "safe.place.finding");
    find("#place").className = silence ? "notice warn" : "small soft";
    find("#place").textContent = [silent, known].filter(Boolean).join(" ");
  }

  // MARK: What is pressed

  async #ask() {
    if ((await choose(find("#confirm"))) === "yes") this.#alerts.raise("key");
  }

  async #practise() {
    if ((await choose(find("#confirm-drill"))) === "yes") this.#alerts.raise("key", true);
  }

  async #end({ id, isDrill }, reason) {
    const dialog = find(reason === "safe" ? "#confirm-safe" : "#confirm-false");
    if (isDrill || (await choose(dialog)) === "yes") this.#alerts.end(id, reason);
  }
}
