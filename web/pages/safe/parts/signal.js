// SPDX-License-Identifier: Apache-2.0
import { signals } from "../../../model/safety.js";

/** So loud, and so high, where the phone cannot vibrate. */
const tone = { hertz: 880, gain: 0.4 };
/** @type {AudioContext | null} */
let audio = null;

/** Browsers let a page sound only from a press on: each press on the button gets it ready. */
export function readySignal() {
  if (navigator.vibrate) return;
  try {
    const Audio = globalThis.AudioContext ?? globalThis.webkitAudioContext;
    audio ??= new Audio();
    audio.resume().catch(() => {});
  } catch {
    // The light has to do.
  }
}

/** Says what became of an alert: felt, or heard where the phone cannot vibrate, and seen. @param {keyof typeof signals} name */
export function signal(name) {
  const pattern = signals[name];
  if (!vibrates(pattern)) sound(pattern);
  const { dataset } = document.documentElement;
  delete dataset.signal;
  // The same signal twice in a row is seen twice.
  requestAnimationFrame(() => (dataset.signal = name));
}

/** Browsers let only a page vibrate that somebody has pressed. */
const vibrates = (pattern) => (navigator.userActivation?.hasBeenActive ?? true) && Boolean(navigator.vibrate?.(pattern));

function sound(pattern) {
  if (!audio) return;
  let at = audio.currentTime;
  pattern.forEach((milliseconds, index) => {
    const end = at + milliseconds / 1000;
    if (index % 2 === 0) pulse(at, end);
    at = end;
  });
}

function pulse(from, to) {
  const [oscillator, gain] = [audio.createOscillator(), audio.createGain()];
  oscillator.frequency.value = tone.hertz;
  gain.gain.value = tone.gain;
  oscillator.connect(gain).connect(audio.destination);
  oscillator.start(from);
  oscillator.stop(to);
}
