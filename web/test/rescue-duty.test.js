// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import "./support.js";
import { documentOf } from "./dom.js";
import { Unreachable } from "../core/api.js";
import { OnDuty } from "../pages/rescue/parts/on-duty.js";
import { rescueReady } from "../pages/rescue/words.js";

await rescueReady;

test("whether one is on duty is asked again only until it is known", async () => {
  globalThis.document = documentOf("pages/rescue/index.html");
  let [isAway, asked] = [true, 0];
  const get = async () => {
    asked++;
    if (isAway) throw new Unreachable();
    return { browsers: 1, language: "en" };
  };
  const duty = new OnDuty(/** @type {any} */ ({ get }));
  await duty.read();
  assert.doesNotMatch(duty.element.textContent, /On duty/i);
  isAway = false;
  await duty.readAgain();
  assert.match(duty.element.textContent, /On duty/i);
  await duty.readAgain();
  assert.equal(asked, 2);
});
