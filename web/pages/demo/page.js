// SPDX-License-Identifier: Apache-2.0
/**
 * The start page of a demo: signs in as anybody with one press.
 *
 * A browser has one cookie, and one memory, for each host. So each person opens under a host of their own, which every browser takes for this
 * machine (`amina.localhost`), and several are signed in at once.
 */
import { API, Problem } from "../../core/api.js";
import { fill, find, h, icon, pressOnce, theme } from "../../core/dom.js";
import { chooseLanguage, language, ready, spoken, t, term } from "../../core/i18n.js";
import { openTo, readPages } from "../../core/pages.js";
import { local } from "../../core/storage.js";
import { keep } from "../../call/keep.js";
import { offerLanguages } from "../../call/words.js";
import { pressed } from "../../dom/busy.js";
import { hostOf, kindOf, mayHaveHosts, nameOf, sorted } from "../../model/demo.js";
import { demoReady } from "./words.js";

const api = new API();
const place = find("#people");
/** @type {import("../../core/pages.js").Pages} */
let pages = {};
/** Whom another tab of this page opened this one for, and how the visitor reads there. */
const given = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));

takeOver();
theme.start();
await Promise.all([ready, demoReady]);
offerLanguages();
pressOnce();
fill(find("#theme-button"), icon("sun")).addEventListener("click", () => theme.switch());
document.title = t("demo.page");
await begin();
document.documentElement.dataset.ready = "";

/** Language and light are this browser's for each host alone. */
function takeOver() {
  if (!location.hash) return;
  history.replaceState(null, "", location.pathname);
  if (["light", "dark"].includes(given.theme)) local.setItem("theme", given.theme);
  if (spoken.includes(given.language) && given.language !== language) {
    history.replaceState(null, "", `#${new URLSearchParams(given)}`);
    chooseLanguage(given.language);
  }
}

async function begin() {
  try {
    const [{ items }, all] = await Promise.all([api.get("/v1/demo", { isLevel: false }), readPages()]);
    const people = sorted(items);
    pages = all;
    const asked = people.find(({ person }) => person === given.person);
    // Only at the person's own host: no link changes who is at work elsewhere.
    if (asked && location.hostname === hostOf(asked, people)) return await enter(asked, people);
    show(people);
  } catch (error) {
    fail(error, begin);
  }
}

/** @param {Error} error @param {() => Promise<void>} again */
function fail(error, again) {
  fill(place, h("div", { class: "stack" }, h("p", { class: "notice bad", role: "alert" }, error.message), h("p", {}, h("button", { type: "button", onclick: pressed(again) }, t("page.try-again")))));
}

// MARK: The people

function show(people) {
  if (people.length === 0) return void fill(place, h("p", { class: "notice warn" }, t("demo.nobody")));
  const hasHosts = mayHaveHosts(location);
  const here = h("input", { type: "checkbox", onchange: () => draw() });
  const list = h("ul", { class: "people" });
  const guard = people.find(({ role }) => role === "guard");
  const draw = () => {
    const isApart = hasHosts && !here.checked;
    fill(list, people.map((person) => [card(person, people, isApart), person === guard && camerasCard(guard, people, isApart)]));
  };
  draw();
  const ways = hasHosts
    ? [h("p", {}, t("demo.tabs", { address: hostOf(people[0], people) })), h("label", { class: "check" }, here, t("demo.here"))]
    : [h("p", {}, t("demo.here.only"))];
  const passerBy = h("p", {}, h("a", { class: "button", href: "/report", target: "_blank" }, t("demo.passer-by")), " ", t("demo.passer-by.about"));
  fill(place, h("div", { class: "stack" }, ways, list, passerBy));
}

/** Where a fault is shown, and what makes links, or buttons, to a person's pages. */
function waysOf(person, people, isApart) {
  const fault = h("p", { class: "notice bad", role: "alert", hidden: true });
  const press = (page) => pressed(async () => {
    fault.hidden = true;
    try {
      await open(person, page);
    } catch (error) {
      Object.assign(fault, { textContent: error.message, hidden: false });
    }
  });
  const way = (page, kind, words) => isApart
    ? h("a", { class: `button ${kind}`, href: addressOf(person, page, people), target: "_blank", rel: "noopener" }, words)
    : h("button", { type: "button", class: kind, onclick: press(page) }, words);
  return { fault, way };
}

function card(person, people, isApart) {
  const name = wordsFor(person, people);
  const { fault, way } = waysOf(person, people, isApart);
  const others = person.phone ? [] : openTo(pages, person.role).filter((page) => page !== person.home);
  return h(
    "li", { class: "card person" },
    h("h2", {}, name), h("p", { class: "row" }, h("span", { class: "chip accent" }, t(`role.${person.role}`)), person.phone && h("span", { class: "small soft figures" }, person.phone)),
    h("p", {}, t(`demo.about.${kindOf(person)}`)), h("p", { class: "soft" }, hint(person, people)),
    fault,
    h("div", { class: "open stack" }, way(person.home, "primary", t("demo.open", { name })),
      others.length > 0 && h("p", { class: "row others" }, h("span", { class: "small soft" }, t("demo.others")), others.map((page) => way(page, "", t(`shell.page.${page.slice(1)}`))))),
  );
}

/** The wall of cameras is a thing to try by itself; one looks at it as the guard. */
function camerasCard(guard, people, isApart) {
  const { fault, way } = waysOf(guard, people, isApart);
  return h(
    "li", { class: "card person" },
    h("h2", {}, t("demo.cameras")), h("p", {}, t("demo.cameras.about")), h("p", { class: "soft" }, t("demo.cameras.first")),
    fault, h("div", { class: "open stack" }, way("/cameras", "primary", t("demo.cameras.open", { name: wordsFor(guard, people) }))),
  );
}

function wordsFor(person, people) {
  const callers = people.filter(({ phone }) => phone);
  return nameOf(person) ?? t("demo.caller", { number: callers.indexOf(person) + 1 });
}

/** What to look at first; of whoever is of a kind with somebody before them, what two can try. */
function hint(person, people) {
  const kind = kindOf(person);
  const isSecond = people.find((one) => kindOf(one) === kind) !== person;
  return isSecond ? term(`demo.second.${kind}`, t(`demo.first.${kind}`)) : t(`demo.first.${kind}`);
}

/** This page at a person's own host, which then signs in and leads to a page of theirs. */
function addressOf(person, page, people) {
  const url = new URL(location.pathname, location.href);
  url.hostname = hostOf(person, people);
  const chosen = document.documentElement.dataset.theme;
  url.hash = new URLSearchParams({ person: person.person, page, language, ...(chosen ? { theme: chosen } : {}) }).toString();
  return url.href;
}

// MARK: Signing in

async function enter(person, people) {
  fill(place, h("p", { class: "notice", role: "status" }, t("demo.signing-in", { name: wordsFor(person, people) })));
  try {
    await open(person, openTo(pages, person.role).includes(given.page) ? given.page : person.home);
  } catch (error) {
    fail(error, () => enter(person, people));
  }
}

/** Opens a page as this person, in this browser; a phone is known by its token, everybody else by the cookie that comes along. */
async function open({ person, phone }, page) {
  if (!(await isThere(person, phone))) {
    const { token } = await api.post("/v1/demo/sign-in", { person }, { tries: 1 });
    if (phone) keep.token = token;
  }
  location.assign(page);
}

/** Whether somebody is signed in here already: another sign-in would end that of their other tabs. */
async function isThere(person, phone) {
  if (phone && !keep.token) return false;
  try {
    const me = await new API(phone ? keep.token : null).get("/v1/me", { isLevel: false });
    return [me.user, me.device].includes(person);
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}
