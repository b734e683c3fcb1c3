// SPDX-License-Identifier: Apache-2.0

/** What is done so fast needs no sign that it is under way, which would only flicker. */
const patienceMilliseconds = 250;
/** Every command ends within 8 s; what takes longer waits for somebody, who may press again. */
const longestMilliseconds = 10_000;

/** Buttons whose command is under way. */
const held = new WeakSet();
const forms = new WeakSet();

/** Whether what a button does is under way. */
export const isBusy = (button) => held.has(button);

/**
 * Shows on a button that its command is under way, and lets nobody press it again meanwhile. It keeps the keyboard: a button that is disabled would lose it.
 * @template Value
 * @param {HTMLElement | null} button
 * @param {Promise<Value>} promise The command.
 * @returns {Promise<Value>} The same outcome.
 */
export async function busy(button, promise) {
  if (!button || held.has(button)) return promise;
  const release = hold(button);
  try {
    return await promise;
  } finally {
    release();
  }
}

/**
 * What a press does, for `onclick` of a button and `onsubmit` of a form: while its promise is open, the button says so.
 * @param {(event: any) => any} action
 */
export function pressed(action) {
  return (event) => {
    const outcome = action(event);
    return outcome instanceof Promise ? busy(event.submitter ?? event.currentTarget, outcome) : outcome;
  };
}

/** A press anywhere, before anybody hears of it: at the button itself an older browser asks whoever listened first. */
function refuse(event) {
  const isHeld = event.type === "submit" ? forms.has(event.target) : held.has(event.target.closest?.("button, a"));
  if (!isHeld) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

// Enter in a field of its form presses it as well.
for (const type of ["click", "submit"]) document.addEventListener(type, refuse, { capture: true });

function hold(button) {
  const { form } = button;
  held.add(button);
  if (form) forms.add(form);
  button.setAttribute("aria-disabled", "true");
  const shown = setTimeout(() => button.setAttribute("aria-busy", "true"), patienceMilliseconds);
  const longest = setTimeout(release, longestMilliseconds);
  function release() {
    for (const timer of [shown, longest]) clearTimeout(timer);
    held.delete(button);
    if (form) forms.delete(form);
    for (const name of ["aria-busy", "aria-disabled"]) button.removeAttribute(name);
  }
  return release;
}
