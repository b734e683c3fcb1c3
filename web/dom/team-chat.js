// SPDX-License-Identifier: Apache-2.0
import { fill, find, focusIfLost, h, refill } from "../core/dom.js";
import { add, t } from "../core/i18n.js";
import { hourOf } from "../core/time.js";
import { Topics } from "../core/topics.js";
import english from "../locales/staff/channel/en.js";
import { joined, momentFrom, momentType, newsIn, unreadIn } from "../model/channel.js";
import { Bell } from "./bell.js";
import { Outbox } from "./channel-outbox.js";
import { ChannelView, momentChip } from "./channel-view.js";

/** Done when its words are there in the page's language, or English has to do. */
export const teamChatReady = add(english, { de: () => import("../locales/staff/channel/de.js") });

/** Many events of a moment are one question. */
const pauseMilliseconds = 60;
/** How often it is looked whether the connection stands. */
const lookMilliseconds = 1000;
/** How often it is read while it does not. */
const againMilliseconds = 15_000;
/** Up to here the drawer covers the page: who follows a link out of it wants to see that. */
const narrow = "(max-width: 760px)";

/**
 * The channels in which a team writes: a button with how many messages are unread, and a drawer beside the page. Who is a member of none sees nothing of it.
 *
 * @typedef {import("../model/channel.js").Channel} Channel
 * @typedef {import("../model/channel.js").Moment} Moment
 */
export class TeamChat {
  #api;
  #me;
  #options;
  #topics;
  #ownTopics = null;
  #unfollow;
  #bell = null;
  #outbox;
  /** All that were read; `null` before. @type {Channel[] | null} */
  #channels = null;
  /** Which one is open, also while the drawer is closed. @type {string | null} */
  #shown = null;
  #isOpen = false;
  /** @type {ChannelView | null} */
  #view = null;
  /** What is to be attached once a channel is chosen. @type {Moment | null} */
  #pending = null;
  /** By channel: what was attached while another one was open. @type {Map<string, Moment>} */
  #attached = new Map();
  #timer = 0;
  #ticking;
  #isReading = false;
  #readAt = -Infinity;
  #isAskedAgain = false;
  #ending = new AbortController();
  #back = h("button", { type: "button", class: "icon plain", "aria-label": t("channel.all"), title: t("channel.all"), onclick: () => this.#leave() }, "←");
  #title = h("h2", { id: "team-chat-title" });
  #away = h("p", { class: "notice bad", role: "status", hidden: true }, t("channel.away"));
  #choose = h("div", { class: "attached", hidden: true });
  #list = h("ul", { class: "channels", "aria-label": t("channel.list") });
  #body = h("div", { class: "team-chat-body" }, this.#list);
  /** Read aloud when a colleague writes. */
  #said = h("p", { class: "visually-hidden team-chat-said", role: "status" });
  button = h("button", { type: "button", class: "plain team-chat-button", "aria-expanded": "false", "aria-controls": "team-chat", hidden: true, onclick: () => (this.#isOpen ? this.close() : this.open()) });
  element;

  /**
   * @param {import("../core/api.js").API} api @param {{user: string}} me
   * @param {{topics?: Topics | null, place?: HTMLElement, ring?: (() => void) | null, onMoment?: ((moment: Moment) => void) | null}} [options] `topics` are the page's own, where it has some;
   *   `ring` is the page's sound; without one the drawer has its own. `onMoment` shows a moment where the page can do so itself.
   */
  constructor(api, me, { topics = null, place = document.body, ring = null, onMoment = null } = {}) {
    [this.#api, this.#me, this.#options] = [api, me, { ring, onMoment }];
    this.#outbox = new Outbox(api, me.user, () => {
      this.#view?.draw();
      this.#later();
    });
    const sound = ring ? null : h("button", { type: "button", class: "plain sound" });
    if (sound) this.#bell = new Bell(sound, { on: t("channel.sound.on"), off: t("channel.sound.off"), silent: t("channel.sound.silent") });
    this.element = h("aside", { class: "team-chat", id: "team-chat", "aria-labelledby": "team-chat-title", hidden: true, onkeydown: (event) => this.#key(event) },
      h("div", { class: "team-chat-head" }, this.#back, this.#title, sound, h("button", { type: "button", class: "plain", onclick: () => this.close() }, t("page.close"))), this.#away, this.#choose, this.#body);
    place.append(this.element, this.#said);
    for (const target of [this.element, this.button]) this.#takeDrops(target);
    document.addEventListener("visibilitychange", () => this.#view?.markRead(), { signal: this.#ending.signal });
    this.#topics = topics ?? (this.#ownTopics = new Topics(api));
    this.#unfollow = this.#topics.follow("channels", {
      onEvent: () => this.#later(),
      onLevel: () => {
        this.#later();
        this.#outbox.deliver();
      },
    });
    this.#ticking = setInterval(() => this.#look(), lookMilliseconds);
  }

  stop() {
    this.#ending.abort();
    clearTimeout(this.#timer);
    clearInterval(this.#ticking);
    this.#unfollow();
    this.#ownTopics?.stop();
    this.#bell?.stop();
    this.#view?.close();
    this.#outbox.stop();
    for (const element of [this.element, this.button, this.#said]) element.remove();
    this.#mark(false, false);
  }

  /** Whether there is a channel for whoever is here. */
  get isMember() {
    return this.#joined.length > 0;
  }

  get #joined() {
    return joined(this.#channels ?? []);
  }

  // MARK: What is there

  #later() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#read(), pauseMilliseconds);
  }

  /** One reading at a time; what happens meanwhile is read behind it. */
  async #read() {
    this.#isAskedAgain = true;
    if (this.#isReading) return;
    this.#isReading = true;
    this.#readAt = performance.now();
    try {
      while (this.#isAskedAgain) {
        this.#isAskedAgain = false;
        const { items } = await this.#api.get("/v1/channels");
        if (this.#ending.signal.aborted) return;
        this.#take(items);
      }
    } catch {
      // What is shown stays: the next event, or the connection when it is back, asks again.
    } finally {
      this.#isReading = false;
    }
  }

  /** @param {Channel[]} channels */
  #take(channels) {
    const news = newsIn(this.#channels && this.#joined, joined(channels), this.#lookedAt);
    this.#channels = channels;
    this.#draw();
    if (news.length === 0) return;
    if (this.#bell) this.#bell.ring("message");
    else this.#options.ring();
    fill(this.#said, t("channel.news", { channel: news.map(({ name }) => name).join(", ") }));
  }

  /** The channel that somebody has before them. */
  get #lookedAt() {
    return this.#isOpen && document.visibilityState === "visible" ? this.#shown : null;
  }

  #look() {
    const { isLive } = this.#topics;
    this.#away.hidden = isLive;
    if (!isLive && document.visibilityState === "visible" && performance.now() - this.#readAt > againMilliseconds) this.#read();
    this.#bell?.showState();
  }

  // MARK: The drawer

  open() {
    this.#isOpen = true;
    this.#draw();
    this.#look();
    if (this.#view) this.#view.enter();
    else this.element.querySelector(".channels button")?.focus();
  }

  close() {
    this.#isOpen = false;
    this.#pending = null;
    this.#draw();
    focusIfLost(this.button);
  }

  /** Puts a picture beside the words that are sent next: in the channel that is open, or in the one that is chosen then. @param {Moment} moment @param {string | null} [channel] */
  attach(moment, channel = null) {
    const [only, ...others] = this.#joined;
    const chosen = channel ?? this.#shown ?? (others.length ? null : (only?.id ?? null));
    if (chosen) {
      this.#attached.set(chosen, moment);
      this.#shown = chosen;
    } else this.#pending = moment;
    this.open();
  }

  #enter(id) {
    this.#shown = id;
    if (this.#pending) this.#attached.set(id, this.#pending);
    this.#pending = null;
    this.open();
  }

  #leave() {
    this.#shown = null;
    this.#draw();
    this.element.querySelector(".channels button")?.focus();
  }

  #key(event) {
    // Arrows move in the drawer, not on the page behind it.
    if (/^(?:Arrow|Esc)/.test(event.key)) event.stopPropagation();
    if (/^Esc/.test(event.key) && !event.isComposing) this.close();
  }

  #mark(isMember, isOpen) {
    const { classList } = document.documentElement;
    classList.toggle("in-team", isMember);
    classList.toggle("with-team-chat", isOpen);
  }

  // MARK: What is shown

  #draw() {
    const channels = this.#joined;
    if (channels.length === 0) this.#isOpen = false;
    this.#mark(channels.length > 0, this.#isOpen);
    this.element.hidden = !this.#isOpen;
    if (this.#isOpen) this.#drawDrawer(channels);
    this.#drawButton(channels);
  }

  /** @param {Channel[]} channels */
  #drawDrawer(channels) {
    const channel = channels.find(({ id }) => id === (this.#shown ?? (channels.length === 1 ? channels[0].id : null))) ?? null;
    this.#shown = channel?.id ?? null;
    this.#openView(channel);
    this.#back.hidden = !channel || channels.length === 1;
    this.#title.textContent = channel?.name ?? t("channel.title");
    this.#choose.hidden = !this.#pending;
    refill(this.#choose, this.#pending, () => this.#pending && [h("p", {}, t("channel.moment.choose")), momentChip(this.#pending, () => {
      this.#pending = null;
      this.#draw();
    })]);
    if (channel) this.#view.update(channel);
    else this.#drawList(channels);
  }

  /** What is half written in the one before stays: its words in the tab, and what is attached here. @param {Channel | null} channel */
  #openView(channel) {
    if (this.#view?.id !== channel?.id) {
      if (this.#view?.moment) this.#attached.set(this.#view.id, this.#view.moment);
      this.#view?.close();
      this.#view = channel && new ChannelView(this.#api, this.#me.user, channel, { outbox: this.#outbox, isLookedAt: () => this.#lookedAt === channel.id, onMoment: this.#options.onMoment && ((moment) => this.#follow(moment)) });
      fill(this.#body, this.#view?.element ?? this.#list);
    }
    if (!channel || !this.#attached.has(channel.id)) return;
    this.#view.moment = this.#attached.get(channel.id);
    this.#attached.delete(channel.id);
  }

  #drawButton(channels) {
    this.button.hidden = channels.length === 0;
    this.button.setAttribute("aria-expanded", String(this.#isOpen));
    const count = unreadIn(channels, this.#lookedAt);
    if (count) this.button.setAttribute("aria-label", t("channel.button.unread", { count }));
    else this.button.removeAttribute("aria-label");
    refill(this.button, count, () => [t("channel.title"), count > 0 && h("span", { class: "unread" }, String(count))]);
  }

  /** @param {Channel[]} channels */
  #drawList(channels) {
    refill(this.#list, channels.map(({ id, name, site, unread, lastAt }) => [id, name, site, unread, lastAt]), () => channels.map(({ id, name, site, unread, lastAt }) =>
      h("li", {}, h("button", { type: "button", dataset: { key: id, channel: id }, onclick: () => this.#enter(id) }, h("span", { class: "grow" }, h("strong", {}, name), h("span", { class: "small soft" }, [site, lastAt ? hourOf(new Date(lastAt)) : t("channel.never")].filter(Boolean).join(" · "))),
        unread > 0 && h("span", { class: "unread" }, h("span", { "aria-hidden": "true" }, String(unread)), h("span", { class: "visually-hidden" }, t("channel.unread", { count: unread })))))));
  }

  #follow(moment) {
    if (matchMedia(narrow).matches) this.close();
    this.#options.onMoment(moment);
  }

  // MARK: What is dragged here

  /** @param {HTMLElement} target */
  #takeDrops(target) {
    const isMoment = (event) => event.dataTransfer.types.includes(momentType);
    const over = (event) => {
      if (!isMoment(event)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "copy";
      target.classList.add("takes");
      // Over the button the drawer opens, so that a channel can be chosen in it.
      if (!this.#isOpen) this.open();
    };
    target.addEventListener("dragenter", over);
    target.addEventListener("dragover", over);
    target.addEventListener("dragleave", (event) => !target.contains(event.relatedTarget) && target.classList.remove("takes"));
    target.addEventListener("drop", (event) => {
      target.classList.remove("takes");
      if (!isMoment(event)) return;
      event.preventDefault();
      const moment = momentFrom(event.dataTransfer.getData(momentType));
      if (moment) this.attach(moment, event.target.closest("[data-channel]")?.dataset.channel ?? null);
    });
  }
}

/** Puts the chat's button into the head of a page for those who work here. @param {TeamChat} chat */
export function intoHead(chat) {
  find(".staff > .top > .grow").after(chat.button);
}
