// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { Clock, settled } from "./support.js";

/** As much of an element as cards and notices need. */
class Part extends EventTarget {
  hidden = true;
  dataset = {};
  textContent = "";
  buttons = [];
  append() {}
  remove() {}
  setAttribute() {}
  contains() {
    return false;
  }
  querySelectorAll() {
    return this.buttons;
  }
}
const parts = new Map();
const part = (selector) => parts.get(selector) ?? parts.set(selector, new Part()).get(selector);
document.querySelector = part;
document.createElement = () => new Part();
const { ShowVideo } = await import("../call/show-video.js");

/** Presses a button of a card that asks. */
function press(card, value) {
  const button = part(card).buttons.find((one) => one.value === value);
  assert.equal(part(card).hidden, false, `${card} asks`);
  button.dispatchEvent(new Event("click"));
}

let clock;
beforeEach(() => {
  clock = new Clock();
  for (const [card, values] of Object.entries({ "#video-touch": ["yes", "no"], "#no-video": ["chat", "again"], "#video-again": ["no", "yes"] })) {
    Object.assign(part(card), { hidden: true, buttons: values.map((value) => Object.assign(new Part(), { value })) });
  }
});
afterEach(() => clock.stop());

/** A phone with a camera, as its browser gives it, and what was done in order. */
function phone({ faults = [], left = null, takesVideo = false, canSend = true } = {}) {
  const did = [];
  const camera = (what) => async () => {
    did.push(what);
    return faults.shift() ?? "";
  };
  let take;
  const taken = new Promise((resolve) => (take = resolve));
  const wait = async (signal, onWaiting, until) => {
    onWaiting(until);
    did.push("waits");
    return Promise.race([taken, new Promise((resolve) => signal.addEventListener("abort", () => resolve("withdrawn")))]);
  };
  const until = () => new Date(Date.now() + 120_000).toISOString();
  let ending = new AbortController();
  const line = {
    isTold: false,
    begin: () => (ending = new AbortController()).signal,
    end: () => (ending.abort(), (line.isTold = false)),
    told: () => (line.isTold = true),
    point: () => did.push("points"),
    touch: () => {}, wait: () => {},
    isStillWanted: async (card, wasTold) => (did.push(wasTold ? "by itself" : "asks once more"), true),
  };
  const show = new ShowVideo(/** @type {any} */ ({
    line, toChat: () => (did.push("chat"), show.withdraw()), wayOut: { pressed() {} },
    contact: { takesVideo, begin: async () => (did.push("begins"), true), opened: async () => true },
    video: { canSend: async () => canSend, check: camera("camera"), open: camera("opens"), start: async () => did.push("films") },
    centre: {
      put: (signal, onWaiting) => wait(signal, onWaiting, until()),
      left: () => left,
      goOn: (told, signal, onWaiting) => wait(signal, onWaiting, told),
      withdraw: () => did.push("withdraws"), done: () => did.push("done"),
    },
  }));
  return { did, show, line, take };
}

test("the camera is asked for at the press, and films by itself when somebody takes the wish", async () => {
  const { did, show, take } = phone();
  await show.press();
  assert.deepEqual(did, ["camera", "begins", "waits"], "the press is answered while it waits");
  take("taken");
  await settled();
  assert.deepEqual(did.slice(3), ["by itself", "opens", "films", "done"]);
});

test("pressed once more the countdown is pointed to, and nothing is put twice", async () => {
  const { did, show } = phone();
  await show.press();
  await show.press();
  assert.deepEqual(did, ["camera", "begins", "waits", "points"]);
});

test("without the camera nobody is asked: it can be tried again, or there is the chat", async () => {
  const { did, show } = phone({ faults: ["Allow it", "Allow it"] });
  await show.press();
  await settled();
  assert.equal(part("#no-video-text").textContent, "Allow it");
  await clock.pass(1000);
  press("#no-video", "again");
  await settled();
  assert.deepEqual(did, ["camera", "camera"]);
  await clock.pass(1000);
  press("#no-video", "chat");
  await settled();
  assert.deepEqual(did.slice(2), ["chat", "withdraws"]);
});

test("a browser that cannot send video asks neither the camera nor the centre", async () => {
  const { did, show } = phone({ takesVideo: true, canSend: false });
  await show.press();
  assert.deepEqual([did, part("#no-video").hidden], [[], true]);
});

test("where an operator has come the camera opens once", async () => {
  const { did, show, take } = phone({ takesVideo: true });
  take("at once");
  await show.press();
  await settled();
  assert.deepEqual(did, ["begins", "waits", "asks once more", "opens", "films", "done"]);
});

test("a page that was loaded anew goes on waiting, and films by itself", async () => {
  const { did, show, take, line } = phone({ left: new Date(Date.now() + 60_000).toISOString() });
  assert.equal(show.goOn(), true);
  await settled();
  assert.deepEqual([did, line.isTold], [["camera", "waits"], true]);
  take("taken");
  await settled();
  assert.deepEqual(did.slice(2), ["by itself", "opens", "films", "done"]);
});

test("a page that was loaded anew asks for one touch where the browser wants it, while there is time", async () => {
  const { did, show, take } = phone({ left: new Date(Date.now() + 60_000).toISOString(), faults: ["Allow it"] });
  show.goOn();
  await settled();
  take("taken");
  await settled();
  assert.deepEqual(did, ["camera", "waits"]);
  await clock.pass(1000);
  press("#video-touch", "yes");
  await settled();
  assert.deepEqual(did.slice(2), ["camera", "by itself", "opens", "films", "done"]);
});

test("taken while the page was loaded anew and long ago, it is asked once more", async () => {
  const { did, show, take, line } = phone({ left: new Date(Date.now() - 1000).toISOString() });
  take("taken");
  show.goOn();
  await settled();
  assert.deepEqual([did.includes("asks once more"), did.includes("by itself"), line.isTold], [true, false, false]);
});

test("withdrawn while it waits, no camera opens", async () => {
  const { did, show, line } = phone();
  await show.press();
  show.withdraw();
  await settled();
  assert.deepEqual([did.slice(3), line.isTold], [["withdraws", "done"], false]);
});

test("nothing is taken up where no page before waited", () => {
  const { did, show } = phone();
  assert.equal(show.goOn(), false);
  assert.deepEqual(did, []);
});
