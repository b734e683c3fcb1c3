// SPDX-License-Identifier: Apache-2.0
/**
 * Questions that stand on the page as cards. They cover nothing and leave the keyboard where it is: who is writing goes on writing, and answers by pressing
 * a button of the card or not at all.
 */
import { find, focusNear } from "../core/dom.js";

/** So long nobody can have read a card that came under a finger: what is pressed is no answer. */
const unreadMilliseconds = 600;

/** By card: ends the asking. @type {Map<Element, (answer: string | null) => void>} */
const asking = new Map();
/** By card: when its buttons can be pressed. */
const timers = new WeakMap();

/**
 * Asks by a card and says which of its buttons was pressed, by value.
 * @param {HTMLElement} card
 * @param {AbortSignal} [signal] Nobody needs an answer any more.
 * @returns {Promise<string | null>} `null` where there was none: the signal ended it, or the card asks something else now.
 */
export function ask(card, signal) {
  asking.get(card)?.(null);
  if (signal?.aborted) return Promise.resolve(null);
  const listening = new AbortController();
  const answered = new Promise((resolve) => asking.set(card, resolve));
  const end = asking.get(card);
  const whileAsking = { signal: listening.signal };
  for (const button of card.querySelectorAll("button")) button.addEventListener("click", () => end(button.value), whileAsking);
  // A touch answers and leaves the keyboard to the field that has it.
  card.addEventListener("mousedown", (event) => event.preventDefault(), whileAsking);
  signal?.addEventListener("abort", () => end(null), whileAsking);
  card.hidden = false;
  letRead(card);
  return answered.finally(() => {
    listening.abort();
    if (asking.get(card) === end) put(card);
  });
}

/** Nobody is here any more who could answer. */
export function withdrawQuestions() {
  for (const end of [...asking.values()]) end(null);
}

/** Brings the cards along to the screen that is shown; they come under the finger there anew. @param {Element | null} place Where that has them. */
export function bringQuestions(place) {
  const cards = find("#questions");
  if (!place || cards.parentElement === place) return;
  const focused = cards.contains(document.activeElement) ? document.activeElement : null;
  place.append(cards);
  focused?.focus();
  for (const card of asking.keys()) letRead(card);
}

function letRead(card) {
  clearTimeout(timers.get(card));
  const buttons = [...card.querySelectorAll("button")];
  for (const button of buttons) button.disabled = true;
  timers.set(card, setTimeout(() => buttons.forEach((button) => (button.disabled = false)), unreadMilliseconds));
}

function put(card) {
  asking.delete(card);
  const hadFocus = card.contains(document.activeElement);
  card.hidden = true;
  if (hadFocus) focusNear(card);
}
