// SPDX-License-Identifier: Apache-2.0
import { fill, find, h, icon, pressOnce, theme, toast } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { answerMost } from "../core/patience.js";
import "../core/staff-words.js";
import { homeOf, openTo, pageAt, readPages } from "../core/pages.js";
import { site } from "../core/site.js";
import { admitted } from "../pages/door.js";
import "../ui/connection-bar.js";
import { busy } from "./busy.js";
import { showReach } from "./reach.js";

/** How often a page that nobody works on looks whether the centre is there. */
const pulseMilliseconds = 10_000;

/**
 * The head that all pages of those who work here have: whose site it is, the pages that one's role may open, who is signed in, whether the centre is reached, and the way out.
 *
 * The page has `<header class="top">` with its mark and title, `<connection-bar>` and `<main>`; what is the same everywhere is put in here.
 */
export class Shell {
  #api;
  #main = find("#main");
  #top = find(".staff > .top");
  #bar = find("connection-bar");
  #state = h("span", { class: "chip good reach", role: "status" });
  #isIn = false;
  #isLive = true;

  /** @param {import("../core/api.js").API} api */
  constructor(api) {
    this.#api = api;
    theme.start();
    pressOnce();
    this.#followReach();
    api.onSignedOut = () => this.#isIn && location.reload();
    api.onOther = () => location.reload();
    if (site.name) {
      find(".brand", this.#top).setAttribute("aria-label", site.name);
      find(".brand span", this.#top).textContent = site.name;
    }
    this.#top.append(h("button", { type: "button", class: "icon plain", "aria-label": t("shell.theme"), onclick: () => theme.switch() }, icon("sun")));
  }

  /**
   * Asks who is there, until it is somebody whom this page is for.
   * @param {string} purpose What the page is for, as it goes on behind "cannot".
   * @param {{me: any, forget: () => void}} [kept] As for `admitted`.
   * @returns {Promise<{user: string, login: string, role: string, organisation: string}>}
   */
  async enter(purpose, kept) {
    const pages = await this.#pages();
    const me = await admitted(this.#api, this.#main, { roles: pageAt(pages, location.pathname)?.roles ?? [], purpose }, kept);
    this.#api.as = me.user;
    this.#isIn = true;
    this.#head(pages, me);
    this.#watch();
    return me;
  }

  async #pages() {
    for (;;) {
      try {
        return await readPages();
      } catch (error) {
        await new Promise((again) => fill(this.#main, h("div", { class: "card stack door" }, h("p", { class: "notice bad", role: "alert" }, error.message), h("button", { type: "button", onclick: again }, t("page.try-again")))));
      }
    }
  }

  #head(pages, me) {
    const here = `/${location.pathname.split("/")[1]}`;
    find(".brand", this.#top).href = homeOf(pages, me.role) ?? "/";
    const links = openTo(pages, me.role).map((address) => h("a", { href: address, "aria-current": address === here && "page" }, t(`shell.page.${address.slice(1)}`)));
    const out = h("button", { type: "button", class: "icon plain", "aria-label": t("shell.out"), onclick: () => busy(out, this.#signOut()) }, icon("out"));
    const ways = links.length > 1 ? [h("nav", { class: "pages", "aria-label": t("shell.pages") }, links)] : [];
    // The button for light and dark stays where it was.
    this.#top.lastElementChild.before(...ways, this.#state);
    this.#top.append(h("span", { class: "small soft", id: "who" }, `${me.login} · ${t(`role.${me.role}`)}`), out);
  }

  async #signOut() {
    try {
      await this.#api.post("/v1/auth/logout", {}, { tries: 1 });
      location.reload();
    } catch (error) {
      toast(error.message, "bad");
    }
  }

  // MARK: Whether the centre is reached

  #followReach() {
    showReach(this.#api, this.#bar, () => this.#isLive);
    const tell = this.#api.onReach;
    this.#api.onReach = (isReached) => {
      tell(isReached);
      this.#state.hidden = !isReached || !this.#isLive;
    };
  }

  /** Whether the page's live topics are told, on a page that has some: it is connected only then. */
  set isLive(isLive) {
    this.#isLive = isLive;
    this.#api.onReach(isLive);
  }

  #watch() {
    this.#state.textContent = t("shell.reached");
    setInterval(() => document.visibilityState === "visible" && this.#look(), pulseMilliseconds);
  }

  /** Asks as nobody, so that a page that only stands open keeps nobody signed in. */
  async #look() {
    const ending = new AbortController();
    const timer = setTimeout(() => ending.abort(), answerMost());
    try {
      await fetch("/healthz", { credentials: "omit", cache: "no-store", signal: ending.signal });
      this.#api.onReach(true);
    } catch {
      this.#api.onReach(false);
    }
    clearTimeout(timer);
  }
}
