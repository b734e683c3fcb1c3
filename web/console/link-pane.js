// SPDX-License-Identifier: Apache-2.0
import { fill, find, h, toast } from "../core/dom.js";
import { countdown, now, timeElement } from "../core/time.js";
import { copy } from "./copy.js";
import { TextMessage } from "./text-message.js";

/** How letters are said on the telephone. */
const words = Object.fromEntries("Alfa Bravo Charlie Delta Echo Foxtrot Golf Hotel India Juliett Kilo Lima Mike November Oscar Papa Quebec Romeo Sierra Tango Uniform Victor Whiskey X-ray Yankee Zulu"
  .split(" ").map((word) => [word[0], word]).concat(["Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"].map((word, digit) => [digit, word])));

/**
 * The one-use link of a session: for a caller who has no application. Link and code are told once, by the gateway to this page; the
 * ledger knows that there is one, and when it was opened.
 */
export class LinkPane {
  #api;
  #session;
  #state = h("p", { class: "row" });
  #buttons = h("div", { class: "row" });
  /** The newest link: its name, until when it is good, and when it was opened. */
  #link = null;
  /** URL and code, as long as this page stays. */
  #told = null;
  #toldAt = -Infinity;
  /** The caller's number. */
  #phone = "";
  #message;
  #isMine = false;
  /** Whether the session has ended, and every link to it. */
  #isOver = false;

  constructor(api, session) {
    this.#api = api;
    this.#session = session;
    this.#message = new TextMessage(api);
    this.element = h("section", { class: "link", hidden: true }, h("h2", {}, "Link"), this.#state, this.#buttons);
    this.#read();
  }

  /** Whether this operator may make links now, whether the session has ended, and for which number it is. */
  allow(isMine, isOver, phone) {
    this.#phone = phone;
    if (this.#isMine === isMine && this.#isOver === isOver) return;
    this.#isMine = isMine;
    this.#isOver = isOver;
    this.#draw();
  }

  /** Makes a link, which ends an older one, and shows it. */
  async send() {
    try {
      const { path, code, expiresInSeconds } = await this.#api.post(`/v1/sessions/${this.#session}/links`, {}, { tries: 1 });
      this.#told = { url: new URL(path, location.origin).href, code };
      this.#toldAt = performance.now();
      this.#link = { expiresAt: new Date(now() + expiresInSeconds * 1000).toISOString(), openedAt: null };
      this.#message.offer(this.#phone && {
        cause: `session/${this.#session}`, template: "link", phone: this.#phone, lasts: expiresInSeconds, label: "Send the link by SMS",
        values: { link: this.#told.url },
      });
      this.#draw();
      // Who was signed out meanwhile is told nothing.
      if (this.element.isConnected) this.show();
    } catch (error) {
      toast(error.message, "bad");
    }
  }

  /** Shows link and code once more. */
  show() {
    const { url, code } = this.#told;
    find("#link-url").textContent = url.replace(/^https?:\/\//, "");
    find("#link-code").textContent = `${code.slice(0, 3)} ${code.slice(3)}`;
    find("#link-spelling").textContent = [...code].map((sign) => words[sign] ?? sign).join(" · ");
    find("#link-copy").onclick = () => copy(url, "The link was copied.");
    find("#link-copy-text").onclick = () => copy(`Emergency centre: open ${url} and enter the code that the operator tells you on the telephone.`, "The text was copied.");
    find("#link-new").onclick = () => this.send();
    fill(find("#link-sms"), this.#message.element);
    this.#draw();
    const dialog = find("#link-dialog");
    if (!dialog.open) dialog.showModal();
    find(this.#phone ? "#link-sms button" : "#link-copy-text").focus();
  }

  /** Hears of an event of the session. */
  take(event) {
    const { data } = event.entry ?? {};
    if (!data) return;
    if (event.kind === "session.link_issued/1") {
      this.#link = { name: data.link, expiresAt: data.expiresAt, openedAt: null };
      // Made by another page of this operator: the one that is known here is over.
      if (performance.now() - this.#toldAt > 5000) this.#told = null;
    } else if (event.kind === "session.link_opened/1") this.#link = { ...this.#link, openedAt: event.time };
    else return;
    this.#draw();
  }

  tick() {
    if (!this.#link) return;
    const [word, kind] = this.#words();
    for (const chip of [this.#state.querySelector(".chip"), find("#link-state")]) {
      if (!chip) continue;
      chip.className = `chip ${kind}`;
      if (chip.textContent !== word) chip.textContent = word;
    }
    const life = this.#isWaiting ? countdown(this.#link.expiresAt) : "";
    for (const clock of [this.#state.querySelector(".figures"), find("#link-left")]) if (clock) clock.textContent = life;
    find("#link-life").hidden = !this.#isWaiting;
  }

  get #isWaiting() {
    return this.#link !== null && !this.#isOver && !this.#link.openedAt && new Date(this.#link.expiresAt).getTime() > now();
  }

  #words() {
    if (this.#isOver) return [this.#link.openedAt ? "was opened; the contact is over" : "no good any more: the contact is over", "bad"];
    if (this.#link.openedAt) return ["opened, the caller is in", "good"];
    return this.#isWaiting ? ["not opened yet", "warn"] : ["its time is over", "bad"];
  }

  #draw() {
    this.element.hidden = !this.#link;
    if (!this.#link) return;
    fill(this.#state, h("span", { class: "chip" }), this.#link.openedAt ? timeElement(this.#link.openedAt) : h("span", { class: "figures small" }));
    fill(this.#buttons, this.#isMine && [
      this.#told && this.#isWaiting && h("button", { type: "button", onclick: () => this.show() }, "Show it"),
      h("button", { type: "button", onclick: () => this.send() }, "New link"),
    ]);
    this.tick();
  }

  /** What the ledger knows, after the page was opened anew. */
  async #read() {
    try {
      for (const kind of ["session.link_issued/1", "session.link_opened/1"]) {
        const answer = await this.#api.open(`/v1/events?follow=false&subject=session/${this.#session}&type=${kind}`, {});
        for (const line of (await answer.text()).split("\n").filter(Boolean)) {
          const entry = JSON.parse(line);
          if (kind === "session.link_opened/1" && this.#link?.name !== entry.data.link) continue;
          this.take({ kind: entry.type, time: entry.time, entry });
        }
      }
    } catch {
      // The state of a link is told again when something happens to it.
    }
  }
}
