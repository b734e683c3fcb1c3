// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import "./support.js";
import { siteFrom } from "../core/site.js";
import { operators, settings, steps } from "../model/first-steps.js";

const whole = siteFrom(JSON.stringify({ name: "Watford", emergencyNumber: "999", country: "GB", zone: "Europe/London", publicAddress: "https://watford.example" }));
const user = (role, disabled = false) => ({ role, disabled });
const done = (known) => steps(known).filter(({ isDone }) => isDone).map(({ name }) => name);

test("a fresh site has a password, and nothing else", () => {
  assert.deepEqual(done({ site: siteFrom(null), users: [user("admin")], sessions: 0 }), ["password"]);
});

test("each step is done by what is there", () => {
  assert.deepEqual(done({ site: whole, users: [user("admin"), user("operator")], sessions: 0 }), ["password", "site", "operator"]);
  assert.deepEqual(done({ site: whole, users: [user("operator", true)], sessions: 3 }), ["password", "site", "call"]);
  assert.equal(operators([user("supervisor"), user("analyst")]).length, 1);
});

test("without its public address a site is not done, for links in messages lead nowhere", () => {
  const { publicAddress, ...local } = whole;
  assert.deepEqual(done({ site: siteFrom(JSON.stringify(local)), users: [user("admin"), user("operator")], sessions: 0 }), ["password", "operator"]);
});

test("a setting that may be left out keeps nothing open, and each has its option", () => {
  assert.deepEqual(settings(whole).filter(({ value }) => value === null).map(({ option, isNeeded }) => [option, isNeeded]), [["--emergency-sms", false]]);
  assert.deepEqual(settings(siteFrom(null)).filter(({ value }) => value !== null).map(({ option }) => option), ["--emergency-number"]);
});
