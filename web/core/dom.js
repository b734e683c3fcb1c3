// SPDX-License-Identifier: Apache-2.0
import { t } from "./i18n.js";
import { local } from "./storage.js";
import { span } from "./time.js";

/** Making elements. Text only ever becomes text nodes, so nothing that somebody wrote can become markup. */

/**
 * An element with attributes, handlers and children.
 * @param {string} name
 * @param {Record<string, any>} [attributes] `onclick` and the like are listeners; `class`, `dataset`, properties by `.name`;
 *   what is null, undefined or false is left away.
 * @param {...any} children Elements, texts, lists of them; null and false are left away.
 * @returns {any}
 */
export function h(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key.startsWith(".")) element[key.slice(1)] = value;
    else if (key === "dataset") Object.assign(element.dataset, value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...flat(children));
  return element;
}

/** Replaces what an element holds. */
export function fill(element, ...children) {
  element.replaceChildren(...flat(children));
  return element;
}

const shown = new WeakMap();

/**
 * Replaces what an element holds where it would be something else, and never under a pressed button: a click on what is
 * just being replaced would be lost.
 * @param {any} signature What the children follow from.
 * @param {() => any} make
 */
export function refill(element, signature, make) {
  const text = JSON.stringify(signature);
  const known = shown.get(element) ?? {};
  clearTimeout(known.timer);
  if (known.text === text) return;
  if (element.matches(":active")) {
    shown.set(element, { ...known, timer: setTimeout(() => refill(element, signature, make), 100) });
    return;
  }
  shown.set(element, { text });
  const hadFocus = element.contains(document.activeElement);
  const focused = hadFocus ? document.activeElement.closest("[data-key]")?.dataset.key : null;
  fill(element, make());
  // What was drawn anew keeps the place of the keyboard; where that is gone, it is next to it.
  if (focused === undefined && hadFocus) focusNear(element);
  else if (focused) (element.querySelector(`[data-key="${CSS.escape(focused)}"]`) ?? { focus: () => focusNear(element) }).focus();
}

/** Puts the keyboard on the nearest thing around an element that takes it. */
export function focusNear(element) {
  (element.closest("[tabindex]") ?? document.querySelector("main:not([hidden])"))?.focus({ preventScroll: true });
}

/** Puts the keyboard somewhere where it stands on nothing that is to be seen. */
export function focusIfLost(element) {
  const now = document.activeElement;
  if (!now || now === document.body || !isVisible(now)) element.focus({ preventScroll: true });
}

/** Whether an element has a place on the screen; browsers of some years ago are not asked more than that. */
export function isVisible(element) {
  return element.checkVisibility?.() ?? element.getClientRects().length > 0;
}

function flat(children) {
  return children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false && child !== true);
}

/** The element of a page that is there for sure. @returns {any} */
export function find(selector, within = document) {
  const element = within.querySelector(selector);
  if (!element) throw new Error(`the page has no ${selector}`);
  return element;
}

const shapes = {
  chat: "M4 5h16v11H10l-5 4v-4H4z",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8z M12 2v3 M12 19v3 M2 12h3 M19 12h3 M5 5l2 2 M17 17l2 2 M19 5l-2 2 M7 17l-2 2",
  out: "M10 4H4v16h6 M9 12h12 M17 8l4 4-4 4",
  pause: "M8 5v14 M16 5v14",
  pin: "M12 22s7-7 7-12.5a7 7 0 1 0-14 0C5 15 12 22 12 22z M12 7a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z",
  play: "M7 4l13 8-13 8z",
  stop: "M6 6h12v12H6z",
  whole: "M4 9V4h5 M15 4h5v5 M20 15v5h-5 M9 20H4v-5",
};

/** One of the pictures above; it says nothing to a screen reader. */
export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const attributes = { viewBox: "0 0 24 24", fill: "none", stroke: "currentColor", "stroke-width": "2", "stroke-linecap": "round", "stroke-linejoin": "round", "aria-hidden": "true" };
  for (const [key, value] of Object.entries(attributes)) svg.setAttribute(key, value);
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", shapes[name]);
  svg.append(path);
  return svg;
}

/** A key that is held down presses a button once: what it does may be for good. */
export function pressOnce() {
  addEventListener("keydown", (event) => {
    if (event.repeat && ["Enter", " "].includes(event.key) && event.target.closest?.("button, a, summary")) event.preventDefault();
  }, { capture: true });
}

const choices = new WeakMap();

/**
 * Shows a dialog and says which of its buttons was pressed, by value.
 * @param {HTMLDialogElement} dialog Has a form of method `dialog`.
 * @returns {Promise<string | null>} `""` where it was left without a choice, `null` where it was shown again for another one.
 */
export function choose(dialog) {
  choices.get(dialog)?.(null);
  const listening = new AbortController();
  const { signal } = listening;
  const chosen = new Promise((resolve) => {
    const end = (value) => {
      listening.abort();
      choices.delete(dialog);
      resolve(value);
    };
    choices.set(dialog, end);
    dialog.addEventListener("submit", (event) => end(event.submitter?.value ?? ""), { signal });
    // The event comes later than the closing: by then the dialog may be open for somebody else.
    dialog.addEventListener("close", () => !dialog.open && end(""), { signal });
  });
  if (!dialog.open) dialog.showModal();
  return chosen;
}

/** The dialogs as the page came: with nothing in them of anybody. */
const bare = new Map([...document.querySelectorAll("dialog[id]")].map((dialog) => [dialog.id, dialog.cloneNode(true)]));

/** Closes all dialogs and empties them: what is in them was for somebody who is not here any more. */
export function emptyDialogs() {
  for (const dialog of document.querySelectorAll("dialog")) {
    dialog.close();
    if (bare.has(dialog.id)) dialog.replaceWith(bare.get(dialog.id).cloneNode(true));
    else dialog.remove();
  }
}

/** Tells something in passing; errors stay longer and are spoken at once. */
export function toast(text, kind = "") {
  let place = document.querySelector(".toasts");
  if (!place) {
    place = h("div", { class: "toasts", role: "region", "aria-label": t("page.notices") });
    document.body.append(place);
  }
  const notice = h("div", { class: `notice ${kind}`, role: kind === "bad" ? "alert" : "status", onclick: () => notice.remove() }, text);
  place.append(notice);
  setTimeout(() => notice.remove(), kind === "bad" ? 9000 : 5000);
  return notice;
}

/** Lets a button be pressed again only after some seconds, and says on it how long that is. */
export function holdBack(button, seconds) {
  const words = button.textContent;
  const until = performance.now() + seconds * 1000;
  button.disabled = true;
  const tick = () => {
    const left = Math.ceil((until - performance.now()) / 1000);
    button.disabled = left > 0;
    button.textContent = left > 0 ? t("page.again-in", { time: span(left) }) : words;
    if (left > 0) setTimeout(tick, 250);
  };
  tick();
}

/** The theme of this device: as the system has it, light or dark. */
export const theme = {
  start() {
    const chosen = local.getItem("theme");
    if (chosen) document.documentElement.dataset.theme = chosen;
  },
  get isDark() {
    const chosen = document.documentElement.dataset.theme;
    return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  },
  switch() {
    const next = theme.isDark ? "light" : "dark";
    document.documentElement.dataset.theme = next;
    local.setItem("theme", next);
  },
};
