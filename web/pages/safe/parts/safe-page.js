// SPDX-License-Identifier: Apache-2.0
import { API } from "../../../core/api.js";
import { choose, find, focusIfLost, h, refill } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { whenAwake } from "../../../core/patience.js";
import { site } from "../../../core/site.js";
import { age } from "../../../core/time.js";
import { keep } from "../../../call/keep.js";
import { length } from "../../../map/geo.js";
import { isUnreached, smsOf } from "../../../model/safety.js";
import { Account } from "./account.js";
import { openCard, pastCard, refusedCard, statusKind, statusWords, waitingCard } from "./alert-cards.js";
import { Alerts } from "./alerts.js";
import { BigButton } from "./big-button.js";
import { Contacts } from "./contacts.js";
import { Content } from "./content.js";
import { SafeStorage } from "./kept.js";
import { Mine } from "./mine.js";
import { againOf, followByPush, Notices } from "./notices.js";
import { Phones } from "./phones.js";
import { Place } from "./place.js";
import { Register } from "./register.js";
import { signal } from "./signal.js";
import { publicViews, Texts } from "./texts.js";

const views = ["register", "reading", "not-agreed", "name", "contact", "contacts", "history", "home"];
/** Where the button is not there yet, but texts for everybody are. */
const beforeButton = ["register", "not-agreed", "reading", "name", "contact"];
/** By whose number this phone was registered last: what is kept here is that person's. */
const phoneStore = "safe-phone";
/** What the page says once after it forgot everything. */
const goneWords = { deleted: "safe.deleted", elsewhere: "safe.deleted", "signed-out": "safe.deleted.signed-out" };
/** How often the age of the place is told anew, and it is looked whether an older phone has agreed to this one. */
const lookMilliseconds = 10_000;

/** The page: registers the phone, then name and contacts, then the button. */
export class SafePage {
  #kept = new SafeStorage();
  #api = new API(this.#kept.getItem(keep.tokenKey));
  #register = new Register((answer) => this.#registered(answer));
  #mine = new Mine(this.#api, () => this.#show(), this.#kept);
  #place = new Place(() => this.#placed(), this.#kept);
  #alerts = new Alerts(this.#api, this.#mine, this.#place, { onChange: () => this.#show(), onSignal: signal, isAwaited: () => this.#notices.isAwaited }, this.#kept);
  #notices = new Notices(this.#alerts, this.#kept, undefined, () => followByPush(this.#api));
  #contacts = new Contacts(this.#mine, (view) => this.#go(view));
  #account = new Account(this.#api, this.#alerts, this.#kept, (how) => this.#gone(how));
  #phones = new Phones(this.#mine);
  #content = new Content(new API(), () => this.#show(), this.#kept);
  #texts = new Texts(this.#content, this.#place);
  #button = new BigButton({ onAlert: (trigger) => this.#alerts.raise(trigger), onAsk: () => this.#ask() });
  /** Whether the centre was asked what it has, so that no first step is asked twice. */
  #isRead = false;
  /** Whether an older phone of this number is to agree before this one may do anything. */
  #isWaiting = false;
  #shown = "";

  async begin() {
    if (site.name) find("#centre").textContent = site.name;
    if (site.answersCitizens) for (const element of document.querySelectorAll("[data-t='safe.not']")) element.textContent = t("safe.not.centre");
    find("#button").append(this.#button.element);
    this.#account.begin();
    const gone = goneWords[location.hash.slice(1)];
    find("#gone").hidden = !gone;
    if (gone) find("#gone").textContent = t(gone);
    find("#drill").onclick = () => this.#practise();
    this.#api.onSignedOut = () => this.#signedOut();
    addEventListener("hashchange", () => {
      this.#addressed();
      this.#show();
    });
    navigator.serviceWorker?.addEventListener("message", ({ data }) => this.#pressed(data?.wanted ?? ""));
    addEventListener("storage", ({ key }) => key === keep.tokenKey && location.reload());
    whenAwake(() => this.#awake(), new AbortController().signal);
    setInterval(() => {
      this.#showAlerts();
      this.#showPlace();
      if (this.#isWaiting) this.#read();
    }, lookMilliseconds);
    this.#addressed();
    if (document.visibilityState === "visible") this.#notices.clear();
    // Texts for everybody wait for no answer.
    if (publicViews.includes(this.#view)) this.#show();
    if (this.#api.token) await this.#start();
    else await this.#register.begin(this.#alerts.waiting.length ? t("safe.signed-out.waits") : "");
    this.#show();
    // Read before it is needed: then it is there without a network. A phone that is not registered keeps only what somebody opened.
    if (this.#api.token) this.#content.read();
  }

  /** A notification opened the page by a button. */
  #addressed() {
    const wanted = location.hash.slice(1);
    if (!againOf(wanted)) return;
    // A reload must not press it again.
    history.replaceState(null, "", location.pathname);
    this.#pressed(wanted);
  }

  /** A button of a notification was pressed. @param {string} wanted */
  #pressed(wanted) {
    const id = againOf(wanted);
    if (!id || !this.#api.token) return;
    this.#go("");
    this.#alerts.again(id);
  }

  #awake() {
    if (document.visibilityState === "visible") this.#notices.clear();
    if (publicViews.includes(this.#shown)) this.#content.read();
    return this.#read();
  }

  /** What waits here goes first: an alert waits for nothing. */
  async #start() {
    this.#alerts.deliver();
    this.#mine.deliver();
    this.#show();
    this.#place.begin();
    await this.#read();
    followByPush(this.#api);
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
    const before = this.#kept.getItem(phoneStore);
    if (before !== null && before !== phone) for (const kept of [Mine, Alerts]) kept.forget(this.#kept);
    this.#kept.setItem(phoneStore, phone);
    this.#kept.setItem(keep.tokenKey, token);
    this.#api.token = token;
    // Browsers forget what is kept for pages that are seldom opened, and this one is for a day that may never come.
    navigator.storage?.persist?.().catch(() => {});
    location.hash = "";
    find("#gone").hidden = true;
    return this.#start();
  }

  #signedOut() {
    if (this.#account.isDeleting || this.#kept.isForgotten) return;
    // Another page of this phone may have registered it anew.
    if (this.#kept.getItem(keep.tokenKey) !== this.#api.token) return location.reload();
    this.#kept.removeItem(keep.tokenKey);
    this.#api.token = null;
    this.#show();
    this.#register.begin(t(this.#alerts.waiting.length ? "safe.signed-out.waits" : "safe.signed-out"));
  }

  /** The account is deleted and everything is forgotten: a new page begins, which knows nothing. */
  #gone(how) {
    this.#place.stop();
    history.replaceState(null, "", `/safe#${how}`);
    location.reload();
  }

  // MARK: What is shown

  #go(view) {
    if (location.hash.slice(1) !== view) location.hash = view;
    this.#show();
  }

  /** The view that the address names, and of which text. */
  get #wanted() {
    const [view, id = ""] = location.hash.slice(1).split("/");
    return [view || "home", id];
  }

  /** The first steps come before all else, but not before an alert. */
  get #view() {
    const [wanted] = this.#wanted;
    if (publicViews.includes(wanted)) return wanted;
    if (!this.#api.token) return "register";
    if (this.#isWaiting) return "not-agreed";
    const { name, contacts } = this.#mine;
    const isReady = Boolean(name) && (contacts.length > 0 || wanted === "contacts");
    if (isReady || this.#alerts.waiting.length || this.#alerts.open.length) return views.slice(3).includes(wanted) ? wanted : "home";
    if (!this.#isRead) return "reading";
    return name ? "contact" : "name";
  }

  #show() {
    const view = this.#view;
    const isOther = view !== this.#shown;
    this.#shown = view;
    for (const name of [...views, ...publicViews]) find(`#${name}`).hidden = name !== view;
    find("#public-ways").hidden = !beforeButton.includes(view);
    this.#contacts.show();
    this.#phones.show();
    const told = this.#mine.contacts.filter((one) => one.state !== "refused" && !isUnreached(one));
    find("#whom").textContent = told.length ? t("safe.whom", { names: told.map(({ name }) => name).join(", ") }) : t("safe.whom.none");
    find("#whom").className = told.length ? "" : "notice bad";
    this.#showAlerts();
    this.#showPlace();
    this.#texts.show(view, this.#wanted[1]);
    this.#notices.look();
    this.#notices.offer();
    if (isOther) {
      if (publicViews.includes(view)) this.#texts.open(view);
      scrollTo(0, 0);
      focusIfLost(find("#main"));
    }
  }

  #showAlerts() {
    const { waiting, refused, open } = this.#alerts;
    const acts = {
      end: (alert, reason) => this.#end(alert, reason), takeBack: (id, reason) => this.#alerts.takeBack(id, reason), sendNow: (id) => this.#alerts.sendNow(id), putAway: (id) => this.#alerts.putAway(id),
      again: ({ id }) => this.#alerts.again(id),
    };
    const words = statusWords(this.#alerts);
    const told = find("#told");
    if (told.textContent !== words) told.textContent = words;
    told.hidden = !words;
    told.className = `notice ${statusKind(this.#alerts)}`;
    const ending = open.map(({ id }) => this.#alerts.isEnding(id));
    refill(find("#alerts"), [waiting, refused, open, ending], () => [waiting.map((one) => waitingCard(one, acts, this.#sms)), refused.map((one) => refusedCard(one, acts)), open.map((one, index) => openCard(one, { isEnding: ending[index], isNewest: index === 0 }, acts))]);
    const past = this.#mine.alerts;
    refill(find("#past"), past, () => (past.length ? past.map(pastCard) : h("p", { class: "empty" }, t("safe.history.none"))));
  }

  /** What the phone itself can send to the contacts. */
  get #sms() {
    const { fix } = this.#place;
    const place = fix ? `${fix.latitude.toFixed(5)}, ${fix.longitude.toFixed(5)}` : t("safe.by-sms.nowhere");
    return smsOf(this.#mine.contacts, t("safe.by-sms.text", { name: this.#mine.name ?? "", place }));
  }

  #placed() {
    this.#showPlace();
    if (this.#shown === "help") this.#texts.show("help", "");
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
    if (!isDrill && (await choose(dialog)) !== "yes") return;
    // Who is safe is so for each alert that goes on.
    const others = isDrill ? [] : this.#alerts.open.filter((one) => !one.isDrill && one.id !== id && !this.#alerts.isEnding(one.id));
    for (const one of [id, ...others.map((other) => other.id)]) this.#alerts.end(one, reason);
  }
}
