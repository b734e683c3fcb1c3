// SPDX-License-Identifier: Apache-2.0
import { fill, h, refill } from "../core/dom.js";
import { keepDraft } from "../core/draft.js";
import { t } from "../core/i18n.js";
import { limits, tooLong } from "../core/limits.js";
import { patience } from "../core/patience.js";
import { ofTab } from "../core/storage.js";
import { dayAndTime, dayOf, fieldDay, now, timeElement, timeOfDay } from "../core/time.js";
import { cameraAddress } from "../model/cameras.js";
import { bodyOf, hasOlder, isFresh, linesOf, readersOf, withPage } from "../model/channel.js";
import { chatPicture } from "../ui/chat-picture.js";

/** So many messages are read at once. */
const pageCount = 50;
/** Whoever is this near to the end, in pixels, stays there. */
const endMost = 40;
/** How soon a picture is asked for again that may not be kept yet. */
const againMilliseconds = 1000;

/**
 * One channel: its messages, and the field in which one writes.
 *
 * @typedef {import("../model/channel.js").Channel} Channel
 * @typedef {import("../model/channel.js").Moment} Moment
 */
export class ChannelView {
  #api;
  #options;
  /** @type {Channel} */
  #channel;
  /** @type {import("../model/channel.js").Message[]} */
  #messages = [];
  /** @type {Moment | null} */
  #moment = null;
  /** Up to which message it was said to be read. */
  #readTold = 0;
  #isReading = false;
  #isAskedAgain = false;
  #isReadingOlder = false;
  #failures = 0;
  #timer = 0;
  #isClosed = false;
  #isPinned = true;
  /** The lines that stand there, by key. */
  #lines = new Map();
  /** Addresses of pictures in this page. */
  #pictures = [];
  #older = h("button", { type: "button", class: "older plain small", hidden: true, onclick: () => this.#readOlder() }, t("channel.older"));
  #empty = h("p", { class: "empty", hidden: true }, t("channel.empty"));
  #list = h("ol");
  #log = h("div", { class: "channel-log", tabindex: "0", role: "log", "aria-label": t("chat.log"), onscroll: () => this.#scrolled() }, this.#older, this.#empty, this.#list);
  #fault = h("p", { class: "notice bad", role: "alert", hidden: true });
  #chip = h("div", { class: "attached", hidden: true });
  #field = h("textarea", { rows: 2, onkeydown: (event) => /^Enter$/.test(event.key) && !event.shiftKey && !event.isComposing && this.#send(event), oninput: () => this.#tell("") });
  #button = h("button", { class: "primary" }, t("channel.send"));
  #clear;
  #sizes = new ResizeObserver(() => this.#settle());
  #eyes = new IntersectionObserver((changes) => changes.some(({ isIntersecting }) => isIntersecting) && this.#readOlder(), { root: this.#log });
  element = h("div", { class: "channel" }, this.#log, this.#fault, h("form", { onsubmit: (event) => this.#send(event) }, this.#chip, this.#field, this.#button));

  /**
   * @param {import("../core/api.js").API} api @param {string} user @param {Channel} channel
   * @param {{outbox: import("./channel-outbox.js").Outbox, isLookedAt: () => boolean, onMoment: ((moment: Moment) => void) | null}} options `onMoment` shows a moment where the page can do so itself.
   */
  constructor(api, user, channel, options) {
    [this.#api, this.#channel, this.#options] = [api, channel, options];
    this.#clear = keepDraft(this.#field, ofTab, `channel/${user}/${channel.id}`);
    this.#field.setAttribute("aria-label", t("channel.text", { channel: channel.name }));
    this.#sizes.observe(this.#log);
    this.#eyes.observe(this.#older);
  }

  close() {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#sizes.disconnect();
    this.#eyes.disconnect();
    for (const address of this.#pictures) URL.revokeObjectURL(address);
  }

  /** What the gateway says of the channel now. @param {Channel} channel */
  update(channel) {
    this.#channel = channel;
    if (channel.count > (this.#messages.at(-1)?.number ?? 0)) this.refresh();
    this.draw();
    this.markRead();
  }

  get id() {
    return this.#channel.id;
  }

  /** What is attached to the next message. @returns {Moment | null} */
  get moment() {
    return this.#moment;
  }

  set moment(moment) {
    this.#moment = moment;
    this.#chip.hidden = moment === null;
    fill(this.#chip, moment && momentChip(moment, () => {
      this.moment = null;
      this.#field.focus();
    }));
    this.#settle();
  }

  /** Somebody comes to it: at its end, with the keyboard where they write. A finger would get one before it has seen what is sent. */
  enter() {
    this.#isPinned = true;
    this.#settle();
    this.markRead();
    (matchMedia("(pointer: coarse)").matches ? this.#button : this.#field).focus({ preventScroll: true });
  }

  // MARK: Reading

  /** Reads the newest messages; one reading at a time. */
  async refresh() {
    this.#isAskedAgain = true;
    if (this.#isReading) return;
    this.#isReading = true;
    clearTimeout(this.#timer);
    try {
      while (this.#isAskedAgain) {
        this.#isAskedAgain = false;
        const { items } = await this.#api.get(this.#path(`messages?limit=${pageCount}`));
        this.#messages = withPage(this.#messages, items);
      }
      if (this.#failures > 0) this.#tell("");
      this.#failures = 0;
      this.#options.outbox.taken(this.#channel.id, this.#messages);
    } catch (error) {
      this.#tell(error.message);
      if (!this.#isClosed) this.#timer = setTimeout(() => this.refresh(), patience(this.#failures++));
    }
    this.#isReading = false;
    if (this.#isClosed) return;
    this.draw();
    this.markRead();
  }

  async #readOlder() {
    if (this.#isReadingOlder || !hasOlder(this.#messages)) return;
    this.#isReadingOlder = true;
    try {
      const { items } = await this.#api.get(this.#path(`messages?limit=${pageCount}&before=${this.#messages[0].number}`));
      this.#messages = withPage(this.#messages, items);
      this.draw();
    } catch (error) {
      this.#tell(error.message);
    }
    this.#isReadingOlder = false;
  }

  #path(rest) {
    return `/v1/channels/${this.#channel.id}/${rest}`;
  }

  /** What is on the screen, and looked at, is read. */
  async markRead() {
    const through = this.#messages.at(-1)?.number ?? 0;
    const before = this.#readTold;
    if (!this.#options.isLookedAt() || through <= Math.max(before, this.#channel.read)) return;
    this.#readTold = through;
    try {
      await this.#api.post(this.#path("read"), { through });
    } catch {
      // Said again with the next event, or when somebody comes back to the page.
      this.#readTold = before;
    }
  }

  // MARK: Writing

  #send(event) {
    event.preventDefault();
    const text = this.#field.value.trim();
    const message = { text, moment: this.#moment };
    if (Object.keys(bodyOf(message)).length === 0) return;
    const fault = tooLong(text, limits.messageBytes);
    if (fault) return this.#tell(fault);
    this.#clear();
    this.moment = null;
    this.#isPinned = true;
    this.#options.outbox.send(this.#channel.id, text, message.moment);
  }

  #tell(words) {
    if (this.#fault.textContent === words) return;
    this.#fault.textContent = words;
    this.#fault.hidden = !words;
  }

  // MARK: What is shown

  /** Draws anew what changed. */
  draw() {
    const fromEnd = this.#log.scrollHeight - this.#log.scrollTop;
    const lines = linesOf(this.#messages, this.#options.outbox.of(this.#channel.id));
    const keys = new Set(lines.map(({ key }) => key));
    for (const [key, element] of this.#lines) {
      if (keys.has(key)) continue;
      element.remove();
      this.#lines.delete(key);
    }
    lines.forEach((line, index) => {
      const element = this.#lines.get(line.key) ?? h("li", {}, line.is !== "day" && [h("div", { class: "bubble" }), h("div", { class: "meta" })]);
      this.#lines.set(line.key, element);
      this.#fillLine(element, line);
      if (this.#list.children[index] !== element) this.#list.insertBefore(element, this.#list.children[index] ?? null);
    });
    this.#older.hidden = !hasOlder(this.#messages);
    this.#empty.hidden = lines.length > 0 || this.#channel.count > 0;
    if (!this.#isPinned) this.#log.scrollTop = this.#log.scrollHeight - fromEnd;
    this.#settle();
  }

  #fillLine(element, line) {
    if (line.is === "day") {
      element.className = "day";
      return refill(element, line.key, () => h("span", {}, dayOf(new Date(line.at))));
    }
    const [bubble, meta] = element.children;
    if (line.is === "unsent") {
      const { unsent } = line;
      element.className = unsent.state === "failed" ? "mine failed" : "mine";
      refill(bubble, line.key, () => unsentWords(unsent));
      return refill(meta, [unsent.state, unsent.fault], () => this.#unsentState(unsent));
    }
    const { message, isFirst } = line;
    const readers = message.isOwn ? readersOf(this.#channel, message).map(nameOf) : null;
    element.className = message.isOwn ? "mine" : "";
    refill(bubble, [message, isFirst], () => this.#words(message, isFirst));
    refill(meta, readers, () => [timeElement(message.at), readers && h("span", {}, readers.length ? t("channel.read-by", { count: readers.length, names: readers.join(", ") }) : t("channel.not-read"))]);
  }

  #words({ by, isOwn, text, isErased, moment, hasStill, number, at }, isFirst) {
    return [!isOwn && isFirst && h("strong", { class: "author" }, nameOf(by)),
      moment && hasStill && chatPicture({}, t("channel.moment.picture", { camera: moment.name, time: timeOf(moment, at) }), () => this.#picture(number)), moment && this.#link(moment, at),
      text ? h("p", {}, text) : isErased && h("p", { class: "soft" }, t("chat.erased"))];
  }

  async #picture(number) {
    const address = URL.createObjectURL(await this.#api.file(this.#path(`messages/${number}/still`)));
    this.#pictures.push(address);
    return address;
  }

  /** Leads to the moment; where another page has it, in a window of its own. */
  #link(moment, at) {
    const { onMoment } = this.#options;
    const follow = (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      onMoment(moment);
    };
    return h("a", { class: "moment-link", href: cameraAddress({ id: moment.camera }, moment.at), ...(onMoment ? { onclick: follow } : { target: "_blank", rel: "noopener" }) }, t("channel.moment", { camera: moment.name, time: timeOf(moment, at) }));
  }

  /** @param {import("../model/channel.js").Unsent} unsent */
  #unsentState(unsent) {
    const { outbox } = this.#options;
    const { at, state, fault } = unsent;
    return [timeElement(new Date(at).toISOString()), state === "sending" && h("span", {}, t("channel.sending")), state === "failed" && [h("span", {}, t("chat.state.failed"), ": ", fault),
      h("span", { class: "acts" }, h("button", { type: "button", onclick: () => outbox.again(unsent) }, t("chat.again")), h("button", { type: "button", class: "plain", onclick: () => outbox.discard(unsent) }, t("channel.discard")))]];
  }

  // MARK: Where it is scrolled to

  #settle() {
    if (this.#isPinned) this.#log.scrollTop = this.#log.scrollHeight;
  }

  #scrolled() {
    const { scrollHeight, scrollTop, clientHeight } = this.#log;
    this.#isPinned = scrollHeight - scrollTop - clientHeight < endMost;
  }
}

/** @param {import("../model/channel.js").Unsent} unsent */
const unsentWords = ({ text, moment, at }) => [moment && [stillOf(moment), h("span", { class: "moment-link" }, t("channel.moment", { camera: moment.name, time: timeOf(moment, at) }))], text && h("p", {}, text)];

/** Who has no name here is known by the number of the account. */
const nameOf = ({ name, user }) => name ?? `${t("channel.colleague")} · ${user}`;

/** The time of a moment; with its day, if that is another than the one that stands above. @param {Moment} moment @param {string | number} at */
const timeOf = (moment, at) => (fieldDay(new Date(moment.at)) === fieldDay(new Date(at)) ? timeOfDay(new Date(moment.at)) : dayAndTime(moment.at));

/** A moment that is attached, with its picture, and a button that takes it away. @param {Moment} moment @param {() => void} onRemove */
export function momentChip(moment, onRemove) {
  return h("div", { class: "moment-chip" }, stillOf(moment), h("span", { class: "grow" }, t("channel.moment", { camera: moment.name, time: timeOf(moment, now()) })),
    h("button", { type: "button", class: "icon plain", "aria-label": t("channel.moment.remove", { camera: moment.name }), onclick: onRemove }, "×"));
}

/** The still of a moment from the camera's footage, small; one that may not be kept yet is asked for again. @param {Moment} moment */
function stillOf(moment) {
  const words = h("span", { class: "small" }, t("channel.moment.waits"));
  const address = `/v1/cameras/${encodeURIComponent(moment.camera)}/still?at=${encodeURIComponent(moment.at)}`;
  const image = h("img", { alt: "", hidden: true, draggable: "false" });
  const place = h("span", { class: "still" }, image, words);
  image.addEventListener("load", () => ([image.hidden, words.hidden] = [false, true]));
  image.addEventListener("error", () => {
    if (isFresh(moment, now())) setTimeout(() => (image.src = address), againMilliseconds);
    else words.textContent = t("channel.refused.no-picture");
  });
  image.src = address;
  return place;
}
