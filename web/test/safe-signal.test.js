// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { Kept } from "../core/storage.js";
import { Place } from "../pages/safe/parts/place.js";
import { readySignal, signal } from "../pages/safe/parts/signal.js";

/** When each pulse begins and ends, in seconds. */
let pulses;
const names = ["navigator", "document", "AudioContext", "requestAnimationFrame"];
const real = Object.fromEntries(names.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]));
const set = (name, value) => Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });

class Tone {
  frequency = { value: 0 };
  connect(next) {
    return next;
  }
  start(at) {
    pulses.push([at]);
  }
  stop(at) {
    pulses.at(-1).push(at);
  }
}

beforeEach(() => {
  pulses = [];
  set("navigator", {});
  set("document", { documentElement: { dataset: {} } });
  set("requestAnimationFrame", (draw) => draw());
  set("AudioContext", class {
    currentTime = 0;
    destination = {};
    resume = async () => {};
    createOscillator = () => new Tone();
    createGain = () => ({ gain: { value: 0 }, connect: (next) => next });
  });
});
afterEach(() => {
  for (const name of names) {
    if (real[name]) Object.defineProperty(globalThis, name, real[name]);
    else delete globalThis[name];
  }
});

const rounded = () => pulses.map((pulse) => pulse.map((at) => Math.round(at * 100) / 100));

test("a phone that cannot vibrate sounds and lights up: once for sent, twice with a second between for failed", () => {
  readySignal();
  signal("sent");
  assert.deepEqual([rounded(), document.documentElement.dataset.signal], [[[0, 0.12]], "sent"]);
  pulses = [];
  signal("failed");
  assert.deepEqual([rounded(), document.documentElement.dataset.signal], [[[0, 0.3], [1.3, 1.6]], "failed"]);
});

test("a phone that vibrates is asked for two pulses with a second between, and does not sound", () => {
  const felt = [];
  navigator.vibrate = (pattern) => Boolean(felt.push(pattern));
  signal("failed");
  assert.deepEqual([felt, pulses], [[[300, 1000, 300]], []]);
});

test("a place of more than a day is none", () => {
  const at = (hours) => {
    const fix = JSON.stringify({ latitude: 51.6565, longitude: -0.3903, measuredAt: new Date(Date.now() - hours * 3_600_000).toISOString() });
    return new Place(() => {}, new Kept(() => ({ getItem: () => fix, setItem: () => {}, removeItem: () => {} }))).fix;
  };
  assert.equal(at(23)?.latitude, 51.6565);
  assert.equal(at(25), null);
});
