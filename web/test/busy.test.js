// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { Clock, until } from "./support.js";
import { busy, isBusy, pressed } from "../dom/busy.js";

/** As much of a button as is looked at. */
class Button {
  attributes = new Map();
  form = {};

  closest() {
    return this;
  }

  setAttribute(name, value) {
    this.attributes.set(name, value);
  }

  removeAttribute(name) {
    this.attributes.delete(name);
  }
}

const open = () => {
  let end;
  const promise = new Promise((resolve, reject) => (end = { resolve, reject }));
  return { promise, ...end };
};

/** Whether nobody hears of a press. */
function refuses(type, target) {
  const event = new Event(type, { cancelable: true });
  Object.defineProperty(event, "target", { value: target });
  document.dispatchEvent(event);
  return event.defaultPrevented;
}

test("a button whose command is under way is not pressed again", async () => {
  const [button, command] = [new Button(), open()];
  const outcome = busy(button, command.promise);
  assert.ok(refuses("click", button) && refuses("submit", button.form));
  assert.equal(refuses("click", new Button()), false);
  assert.ok(isBusy(button));
  assert.equal(button.attributes.get("aria-disabled"), "true");
  command.resolve("done");
  assert.equal(await outcome, "done");
  assert.equal(refuses("click", button) || refuses("submit", button.form), false);
  assert.equal(button.attributes.size, 0);
});

test("it says so once it takes long, and not behind its end", async () => {
  const [button, command] = [new Button(), open()];
  const outcome = busy(button, command.promise);
  assert.equal(button.attributes.has("aria-busy"), false);
  await until(() => button.attributes.get("aria-busy") === "true");
  command.resolve();
  await outcome;
  assert.equal(button.attributes.has("aria-busy"), false);
});

test("a refusal passes through, and gives the button back", async () => {
  const [button, command] = [new Button(), open()];
  const outcome = busy(button, command.promise);
  command.reject(new Error("no"));
  await assert.rejects(outcome, /no/);
  assert.equal(isBusy(button), false);
});

test("without a button the command is the same", async () => assert.equal(await busy(null, Promise.resolve(7)), 7));

test("a press shows itself on its button, or on the one that sent its form", async () => {
  for (const of of [(button) => ({ currentTarget: button }), (button) => ({ currentTarget: button.form, submitter: button })]) {
    const [button, command] = [new Button(), open()];
    pressed(() => command.promise)(of(button));
    assert.ok(isBusy(button));
    command.resolve();
    await until(() => !isBusy(button));
  }
  assert.equal(pressed(() => "at once")({}), "at once");
});

test("what waits for longer than a command gives the button back", async () => {
  const clock = new Clock();
  const button = new Button();
  busy(button, new Promise(() => {}));
  await clock.pass(9500);
  assert.ok(isBusy(button));
  await clock.pass(1000);
  clock.stop();
  assert.equal(isBusy(button), false);
  assert.equal(button.attributes.size, 0);
});
