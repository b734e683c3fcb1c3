// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";

const page = new EventTarget();
const beacons = [];
Object.defineProperty(globalThis, "navigator", { value: { sendBeacon: (path) => beacons.push(path) } });
globalThis.addEventListener = page.addEventListener.bind(page);
const { Closing } = await import("../console/closing.js");

/** The page is closed or loaded anew: whether the browser asks first. */
function leave() {
  const asking = Object.defineProperty(new Event("beforeunload", { cancelable: true }), "returnValue", { writable: true });
  page.dispatchEvent(asking);
  page.dispatchEvent(new Event("pagehide"));
  return asking.defaultPrevented;
}

test("with an open session the browser asks before the page goes, and the centre is told when it does", () => {
  const desk = { mine: [] };
  const closing = new Closing(desk);
  assert.equal(leave(), false);
  assert.deepEqual(beacons, []);
  desk.mine = [{ id: "own" }];
  assert.equal(leave(), true);
  assert.deepEqual(beacons, ["/v1/me/desk-left"]);
  closing.stop();
  assert.equal(leave(), false, "who signed out leaves nothing");
  assert.equal(beacons.length, 1);
});
