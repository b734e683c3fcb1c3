// SPDX-License-Identifier: Apache-2.0
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
  const focused = element.contains(document.activeElement) ? document.activeElement.closest("[data-key]")?.dataset.key : null;
  fill(element, make());
  // What was drawn anew keeps the place of the keyboard.
  if (focused) element.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
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
  send: "M3 11.5 21 3l-6.5 18-3-7.5z M11.5 13.5 21 3",
  video: "M3 7h11v10H3z M14 11l7-4v10l-7-4z",
  stop: "M6 6h12v12H6z",
  pin: "M12 21s7-6.5 7-11.5a7 7 0 0 0-14 0C5 14.5 12 21 12 21z M12 12a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z",
  chat: "M4 5h16v11H9l-5 4z",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8z M12 2v3 M12 19v3 M2 12h3 M19 12h3 M5 5l2 2 M17 17l2 2 M19 5l-2 2 M7 17l-2 2",
  out: "M10 4H4v16h6 M9 12h12 M17 8l4 4-4 4",
  film: "M4 4h16v16H4z M8 4v16 M16 4v16 M4 9h4 M4 15h4 M16 9h4 M16 15h4",
  phone: "M5 3h4l2 5-2.5 1.5a11 11 0 0 0 6 6L16 13l5 2v4a2 2 0 0 1-2 2A16 16 0 0 1 3 5a2 2 0 0 1 2-2z",
  turn: "M4 9h12a4 4 0 0 1 0 8H9 M8 5 4 9l4 4",
  key: "M14 10a4.5 4.5 0 1 0-4 4l2 0 0 2 2 0 0 2 3 0 0-3z",
  light: "M8 3h8l-2 6v12h-4V9z",
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

/** Tells something in passing; errors stay longer and are spoken at once. */
export function toast(text, kind = "") {
  let place = document.querySelector(".toasts");
  if (!place) {
    place = h("div", { class: "toasts", role: "region", "aria-label": "Notices" });
    document.body.append(place);
  }
  const notice = h("div", { class: `notice ${kind}`, role: kind === "bad" ? "alert" : "status", onclick: () => notice.remove() }, text);
  place.append(notice);
  setTimeout(() => notice.remove(), kind === "bad" ? 9000 : 5000);
  return notice;
}

/** The theme of this device: as the system has it, light or dark. */
export const theme = {
  start() {
    const chosen = localStorage.getItem("theme");
    if (chosen) document.documentElement.dataset.theme = chosen;
  },
  get isDark() {
    const chosen = document.documentElement.dataset.theme;
    return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  },
  switch() {
    const next = theme.isDark ? "light" : "dark";
    document.documentElement.dataset.theme = next;
    localStorage.setItem("theme", next);
  },
};
